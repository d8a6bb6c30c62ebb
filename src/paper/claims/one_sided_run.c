#include "base/error.h"
#include "paper/claims/one_sided.h"

#include "sampler/rng.h"
#include "types/arms.h"
#include "types/round.h"

#include <math.h>

#define PURPOSE_PLAYER UINT64_C(0x706c61796572) /* "player" */
#define PURPOSE_DUELS UINT64_C(0x6475656c73)    /* "duels": the opponent's arms and the outcomes */

/* All that a run needs. */
struct one_sided_run {
    spar_env *env;
    spar_world *world;
    spar_policy *policy;
    spar_scratch *scratch;
    spar_round *round;
    spar_feedback *feedback;
    spar_rng player, duels;
};

static spar_status begin(struct one_sided_run *g, const spar__cell_spec *spec, uint64_t run, spar_error *err)
{
    spar_rng_seed(&g->player, spec->seed, run, PURPOSE_PLAYER);
    spar_rng_seed(&g->duels, spec->seed, run, PURPOSE_DUELS);
    spar_status status = spar_env_new(spec->env, &g->env, err);
    if (!status)
        status = spar_world_new(g->env, spec->seed, run, &g->world, err);
    if (!status)
        status = spar_policy_new(spec->policy, spar_world_arms(g->world), 1, 0, &g->player, &g->policy, err);
    if (status)
        return status;
    if (spar_scratch_new(&g->scratch) || spar_round_new(1, &g->round) || spar_feedback_new(1, &g->feedback))
        return spar__fail_memory(err);
    return SPAR_OK;
}

static void end(struct one_sided_run *g)
{
    spar_feedback_free(g->feedback);
    spar_round_free(g->round);
    spar_scratch_free(g->scratch);
    spar_policy_free(g->policy);
    spar_world_free(g->world);
    spar_env_free(g->env);
}

/* A round against an arm drawn uniformly with probability `mixed`, else against the best; *cost grows by phi(b_1, b_t).
 */
static spar_status play(struct one_sided_run *g, uint64_t t, double mixed, double *cost)
{
    spar_status status = spar_policy_choose(g->policy, g->scratch, &g->player, g->round, NULL);
    if (status)
        return status;
    size_t arm = g->round->arm[0], other = spar_world_best(g->world, t);
    if (spar_rng_uniform(&g->duels) < mixed)
        other = (size_t)spar_rng_below(&g->duels, spar_world_arms(g->world)->n);
    double won = spar_rng_uniform(&g->duels) < spar_world_prefer(g->world, t, arm, other) ? 1 : 0;
    status = spar_feedback_reset(g->feedback, 1);
    if (!status)
        status = spar_feedback_reward(g->feedback, 0, won);
    if (!status)
        status = spar_policy_learn(g->policy, g->round, g->feedback, NULL);
    *cost += spar_world_gap(g->world, t, arm);
    return status;
}

static double always(uint64_t t)
{
    (void)t;
    return 1;
}

static double falling(uint64_t t)
{
    return 1 / sqrt(1 + (double)t / 1000);
}

static spar_status play_all(const spar__cell_spec *spec, uint64_t run, size_t n, const uint64_t *checkpoint,
                            double *curve, double (*mixed)(uint64_t t), spar_error *err)
{
    struct one_sided_run g = {0};
    spar_status status = begin(&g, spec, run, err);
    double cost = 0;
    uint64_t t = 0;
    for (size_t c = 0; !status && c < n; c++) {
        while (!status && t < checkpoint[c]) {
            t++;
            status = play(&g, t, mixed(t), &cost);
            if (status)
                (void)spar__fail(err, status, "round %llu: %s", (unsigned long long)t, spar_status_text(status));
        }
        curve[c] = cost;
    }
    end(&g);
    return status;
}

spar_status spar__one_sided_fixed(const spar__cell_spec *spec, uint64_t run, size_t n, const uint64_t *checkpoint,
                                  double *curve, spar_error *err)
{
    return play_all(spec, run, n, checkpoint, curve, always, err);
}

spar_status spar__one_sided_moving(const spar__cell_spec *spec, uint64_t run, size_t n, const uint64_t *checkpoint,
                                   double *curve, spar_error *err)
{
    return play_all(spec, run, n, checkpoint, curve, falling, err);
}
