/* forecast_on.c - how an experiment goes on from where it is.
 *
 * Every truth gets a copy of the policy and of the evidence. All of them play stretches of the same length one after
 * the other, so that they can be given up together: what is said of those that are still open is then the same for all,
 * and the number of threads does not matter. */
#include "sim/forecast.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/pool.h"
#include "decide/decide.h"
#include "env/env.h"

#include <math.h>

enum { PURPOSE_ON = 0x7248, STRETCH = 50 };

/* A truth and where its experiment is. */
typedef struct going {
    spar_world *world;
    spar_policy *policy;
    spar__evidence evidence;
    spar_rng rng;
    spar_scratch *scratch;
    spar_round *round;
    spar_feedback *feedback;
    uint64_t screens;
    bool decided, wrong;
    spar_status status;
    spar_error err;
} going;

/* What the threads share. */
typedef struct goings {
    spar_forecast *f;
    spar_user *user;
    going *list;
    uint64_t until;
} goings;

static spar_status check_start(const spar_decision *decision, const spar_policy *policy, spar_error *err)
{
    size_t n = spar_arms_count(spar_policy_arms(policy)), options = spar_decision_options(decision);
    return n == options
               ? SPAR_OK
               : spar__fail(err, SPAR_INVALID, "a policy with %zu options and a decision about %zu", n, options);
}

spar_status spar_forecast_set_start(spar_forecast *f, const spar_decision *decision, const spar_policy *policy,
                                    spar_error *err)
{
    if (!f || !decision || !policy)
        return spar__fail_null(err);
    spar_policy *copy = NULL;
    spar__evidence evidence = {0};
    spar_status status = check_start(decision, policy, err);
    if (!status)
        status = spar_policy_dup(policy, &copy, err);
    if (!status && spar__evidence_copy(&decision->evidence, &evidence))
        status = spar__fail_memory(err);
    if (!status)
        status = spar__forecast_only_case(f, spar_policy_spec(policy), spar_policy_slots(policy), err);
    if (status) {
        spar_policy_free(copy);
        spar__evidence_fini(&evidence);
        return status;
    }
    spar_policy_free(f->policy);
    spar__evidence_fini(&f->evidence);
    f->policy = copy;
    f->evidence = evidence;
    f->answers = spar_decision_answers(decision);
    f->delta = evidence.delta;
    return SPAR_OK;
}

spar_status spar_forecast_set_work(spar_forecast *f, uint64_t screens, spar_error *err)
{
    if (!f)
        return spar__fail_null(err);
    if (screens < 1 || screens > 1000000000000)
        return spar__fail(err, SPAR_INVALID, "work of %llu screens, expected 1 to 1e12", (unsigned long long)screens);
    f->work = screens;
    return SPAR_OK;
}

static void fini_going(going *g)
{
    spar_world_free(g->world);
    spar_policy_free(g->policy);
    spar__evidence_fini(&g->evidence);
    spar_scratch_free(g->scratch);
    spar_round_free(g->round);
    spar_feedback_free(g->feedback);
}

static spar_status make_world(const spar_forecast *f, size_t truth, spar_world **out)
{
    const double *row = spar__forecast_draw(f, truth);
    double *utility = spar__alloc(f->known, sizeof *utility); /* of a retired option 0: it is never shown */
    if (!utility)
        return SPAR_NOMEM;
    for (size_t k = 0; k < f->options; k++)
        utility[f->option[k]] = row[k];
    spar_status status = spar__world_of_utilities(f->known, utility, f->seed, truth, out);
    spar__free(utility);
    return status;
}

static spar_status init_going(const spar_forecast *f, size_t truth, going *g, spar_error *err)
{
    size_t m = spar_policy_slots(f->policy);
    spar_rng_seed(&g->rng, f->seed, truth, PURPOSE_ON);
    spar_status status = spar_policy_dup(f->policy, &g->policy, err);
    if (status)
        return status;
    if (make_world(f, truth, &g->world) || spar__evidence_copy(&f->evidence, &g->evidence) ||
        spar_scratch_new(&g->scratch) || spar_round_new(m, &g->round) || spar_feedback_new(m, &g->feedback))
        return spar__fail_memory(err);
    return SPAR_OK;
}

/* The live option that is truly the best. */
static size_t best_of(const spar_forecast *f, const spar_world *world)
{
    size_t best = f->option[0];
    for (size_t k = 1; k < f->options; k++)
        best = world->utility[f->option[k]] > world->utility[best] ? f->option[k] : best;
    return best;
}

static spar_status play_screen(const goings *all, going *g, spar_error *err)
{
    spar_status status = spar_policy_choose(g->policy, g->scratch, &g->rng, g->round, err);
    if (!status)
        status = spar_user_answer(all->user, g->world, g->screens + 1, g->round, g->feedback);
    if (!status)
        status = spar_policy_learn(g->policy, g->round, g->feedback, err);
    if (!status)
        status = spar__evidence_answer(&g->evidence, g->round->m, g->round->arm, g->feedback->outcome, false);
    g->screens++;
    return status;
}

static void job(void *context, size_t truth, size_t worker)
{
    (void)worker;
    goings *all = context;
    going *g = &all->list[truth];
    while (!g->decided && !g->status && g->screens < all->until) {
        size_t option;
        g->status = play_screen(all, g, &g->err);
        spar_verdict verdict = spar__evidence_verdict(&g->evidence, all->f->answers + g->screens, &option);
        g->decided = verdict == SPAR_VERDICT_BEST || verdict == SPAR_VERDICT_EQUAL;
        g->wrong = verdict == SPAR_VERDICT_BEST && option != best_of(all->f, g->world);
    }
}

static size_t open_of(const goings *all)
{
    size_t open = 0;
    for (size_t t = 0; t < all->f->truths; t++)
        open += !all->list[t].decided;
    return open;
}

static spar_status status_of(const goings *all, spar_error *err)
{
    for (size_t t = 0; t < all->f->truths; t++) {
        const going *g = &all->list[t];
        if (g->status)
            return spar__fail(err, g->status, "%s", g->err.status ? g->err.text : spar_status_text(g->status));
    }
    return SPAR_OK;
}

/* Stretch after stretch. */
static spar_status play_all(goings *all, spar_progress *progress, void *context, spar_error *err)
{
    spar_forecast *f = all->f;
    size_t open = f->truths, enough = f->truths - (size_t)ceil(0.9 * (double)f->truths);
    uint64_t played = 0;
    spar_status status = SPAR_OK;
    while (!status && open > enough && all->until + STRETCH <= f->limit && played + open * STRETCH <= f->work) {
        played += open * STRETCH;
        all->until += STRETCH;
        spar__pool_run(f->threads, f->truths, job, all);
        status = status_of(all, err);
        open = open_of(all);
        if (progress && !progress(context, played, f->work))
            break;
    }
    return status;
}

static void note_screens(goings *all)
{
    spar_forecast *f = all->f;
    f->horizon = (uint64_t)ceil((double)all->until / (1 - f->silent));
    for (size_t t = 0; t < f->truths; t++) {
        const going *g = &all->list[t];
        f->list[0].screens[t] = g->decided ? (double)g->screens / (1 - f->silent) : (double)INFINITY;
        f->list[0].wrong[t] = g->wrong;
    }
    spar__forecast_finish(f);
}

static spar_status prepare(spar_forecast *f, spar_user **user, spar_error *err)
{
    spar_env *env = NULL;
    if (f->kind != SPAR__FORECAST_DRAWS || f->known != f->evidence.n)
        return spar__fail(err, SPAR_INVALID,
                          "a forecast from the start of an experiment with %zu options needs strengths of these",
                          f->evidence.n);
    spar_status status = spar__forecast_begin(f) ? spar__fail_memory(err) : SPAR_OK;
    if (!status)
        status = spar_env_new("utility(set=equal,k=2,link=logit)", &env, err);
    if (!status)
        status = spar_user_new(f->feedback, env, user, err);
    spar_env_free(env);
    return status;
}

spar_status spar__forecast_go_on(spar_forecast *f, spar_progress *progress, void *context, spar_error *err)
{
    goings all = {.f = f, .list = spar__alloc(f->truths, sizeof *all.list)};
    spar_status status = all.list ? prepare(f, &all.user, err) : spar__fail_memory(err);
    for (size_t t = 0; !status && t < f->truths; t++)
        status = init_going(f, t, &all.list[t], err);
    if (!status)
        status = play_all(&all, progress, context, err);
    if (!status)
        note_screens(&all);
    for (size_t t = 0; all.list && t < f->truths; t++)
        fini_going(&all.list[t]);
    spar__free(all.list);
    spar_user_free(all.user);
    return status;
}
