#include "sim/sim.h"
#include "types/feedback.h"

#include "tap.h"

#include <stdlib.h>

/* A world in which arm `best` is the best of four. */
static spar_world *world_of(const spar_env *env, size_t *best)
{
    spar_world *world = NULL;
    if (spar_world_new(env, 1, 1, &world, NULL))
        exit(1);
    *best = spar_world_best(world, 1);
    return world;
}

static void put(spar__readout *readout, const spar_world *world, uint64_t t, size_t a, size_t b, spar_outcome outcome)
{
    size_t arm[2] = {a, b};
    unsigned char matrix[4] = {0, (unsigned char)outcome, (unsigned char)(4 - outcome), 0};
    spar_round round = {.m = 2, .arm = arm};
    spar_feedback feedback = {.m = 2, .outcome = matrix};
    if (spar__readout_answer(readout, world, t, &round, &feedback, true))
        exit(1);
}

static void check_names(void)
{
    spar_env *env = NULL;
    if (spar_env_new("utility(set=steps,k=4)", &env, NULL))
        exit(1);
    size_t best;
    spar_world *world = world_of(env, &best);
    size_t other = (best + 1) % 4, third = (best + 2) % 4;
    spar__readout r;
    (void)spar__readout_init(&r, 4, false);
    ok(r.named == SPAR__NO_OPTION && !r.right && r.flips == 0, "nothing is named at first");
    put(&r, world, 1, other, third, SPAR_TIE);
    ok(r.named == SPAR__NO_OPTION, "nor after a tie");
    put(&r, world, 2, other, third, SPAR_WIN);
    ok(r.named == other && !r.right && r.flips == 0, "one opponent beaten");
    put(&r, world, 3, best, other, SPAR_WIN);
    ok(r.named == (best < other ? best : other), "as many: the lower index");
    put(&r, world, 4, third, best, SPAR_LOSS);
    ok(r.named == best && r.right, "two opponents beaten");
    ok(r.flips == 1 && r.flip[0] == (best < other ? 3u : 4u), "right from then on");
    put(&r, world, 5, third, best, SPAR_WIN);
    put(&r, world, 6, other, best, SPAR_WIN);
    ok(r.named == other && !r.right && r.flips == 2 && r.flip[1] <= 6, "one to one is no win: another leads");
    put(&r, world, 7, best, best, SPAR_WIN);
    ok(r.named == other && r.beats[other] == 1, "a duel with itself says nothing");
    spar__readout_fini(&r);
    spar_world_free(world);
    spar_env_free(env);
}

/* Against counting everything anew. */
static void check_anew(void)
{
    enum { K = 7, ROUNDS = 3000 };
    spar_env *env = NULL;
    if (spar_env_new("utility(set=steps,k=7,gap=0.2)", &env, NULL))
        exit(1);
    size_t best;
    spar_world *world = world_of(env, &best);
    spar__readout r;
    (void)spar__readout_init(&r, K, false);
    double w[K][K] = {{0}};
    bool same = true, right = false;
    size_t flips = 0;
    spar_rng rng;
    spar_rng_seed(&rng, 1, 2, 3);
    for (uint64_t t = 1; t <= ROUNDS; t++) {
        size_t a = spar_rng_next(&rng) % K, b = spar_rng_next(&rng) % K;
        bool first = spar_rng_uniform(&rng) < spar_world_prefer(world, 1, a, b);
        put(&r, world, t, a, b, first ? SPAR_WIN : SPAR_LOSS);
        if (a != b)
            w[first ? a : b][first ? b : a]++;
        size_t named = K, most = 0;
        for (size_t i = 0; i < K; i++) {
            size_t beaten = 0;
            for (size_t j = 0; j < K; j++)
                beaten += w[i][j] > w[j][i];
            if (beaten > most) {
                most = beaten;
                named = i;
            }
        }
        bool now = named == best;
        flips += now != right;
        right = now;
        same &= r.flips == flips && r.right == right && (named == K ? r.named == SPAR__NO_OPTION : r.named == named);
    }
    ok(same && flips > 2, "the same name and the same %zu changes as from all counts", flips);
    spar__readout_fini(&r);
    spar_world_free(world);
    spar_env_free(env);
}

/* Who is strongest, not who beats most. */
static void check_strongest(void)
{
    spar_env *env = NULL;
    if (spar_env_new("utility(set=steps,k=4)", &env, NULL))
        exit(1);
    size_t best;
    spar_world *world = world_of(env, &best);
    size_t a = (best + 1) % 4, b = (best + 2) % 4, c = (best + 3) % 4;
    spar__readout r;
    (void)spar__readout_init(&r, 4, true);
    ok(r.named == SPAR__NO_OPTION, "nothing is named at first");
    put(&r, world, 1, a, b, SPAR_TIE);
    ok(r.named == SPAR__NO_OPTION, "nor after a tie");
    uint64_t t = 2;
    for (int i = 0; i < 20; i++, t++)
        put(&r, world, t, a, b, i % 8 ? SPAR_WIN : SPAR_LOSS);
    put(&r, world, t++, b, c, SPAR_WIN);
    put(&r, world, t++, b, best, SPAR_LOSS);
    ok(r.named == a && !r.right, "the strongest by all answers");
    for (int i = 0; i < 9; i++, t++)
        put(&r, world, t, best, a, SPAR_WIN);
    ok(r.named == best && r.right && r.flips > 0, "and then the one that beat it");
    spar__readout_fini(&r);
    spar_world_free(world);
    spar_env_free(env);
}

int main(void)
{
    check_strongest();
    check_names();
    check_anew();
    return done();
}
