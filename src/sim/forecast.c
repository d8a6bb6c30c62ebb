/* forecast.c - how many screens it takes to decide.
 *
 * A forecast plays experiments whose truth is known: strengths that are drawn, given, or those of standings. From the
 * start each truth and case (policy, m) is a plan of one run (plan.c), which ends where it is decided. From an
 * experiment that is going on, every truth gets a copy of the policy and of the evidence, and plays on. The cost is
 * that of the screens that are played. */
#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/order.h"
#include "base/pool.h"
#include "decide/decide.h"
#include "env/env.h"
#include "prefer/evidence.h"
#include "sampler/sampler.h"
#include "sim/sweep.h"

#include <spar/forecast.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PURPOSE_TRUTHS = 0x7247, PURPOSE_ON = 0x7248, STRETCH = 50, MOST_TRUTHS = 100000 };

/* Where the truths come from. */
typedef enum spar__forecast_kind { SPAR__FORECAST_SD, SPAR__FORECAST_STEPS, SPAR__FORECAST_DRAWS } spar__forecast_kind;

typedef struct spar__forecast_case {
    char *policy;
    size_t m;
    double *screens; /* one a truth: where it was decided, infinity: open; NaN: not played */
    bool *wrong;
} spar__forecast_case;

struct spar_forecast {
    size_t options, truths;
    spar__forecast_kind kind;
    double width;  /* sd or gap */
    double *drawn; /* SPAR__FORECAST_DRAWS: draws x options */
    size_t draws;
    size_t *option; /* which option each of these is, of `known` in all */
    size_t known;
    spar_policy *policy; /* not NULL: it goes on from here, and with it */
    spar__evidence evidence;
    uint64_t answers, work, horizon;
    uint64_t limit, seed;
    size_t threads, n, played;
    double delta, silent;
    char *feedback;
    spar__forecast_case *list;
};

/* The strengths of a truth, evenly spread over the draws. */
static const double *draw_of(const spar_forecast *f, size_t truth)
{
    return f->drawn + truth * f->draws / f->truths % f->draws * f->options;
}

/* --- its cases --- */

static void free_cases(spar_forecast *f)
{
    for (size_t i = 0; i < f->n; i++) {
        spar__free(f->list[i].policy);
        spar__free(f->list[i].screens);
        spar__free(f->list[i].wrong);
    }
    spar__free(f->list);
}

void spar_forecast_free(spar_forecast *f)
{
    if (!f)
        return;
    free_cases(f);
    spar__free(f->drawn);
    spar__free(f->option);
    spar__free(f->feedback);
    spar_policy_free(f->policy);
    spar__evidence_fini(&f->evidence);
    spar__free(f);
}

spar_status spar_forecast_new(size_t options, spar_forecast **out, spar_error *err)
{
    if (!SPAR__CLEAR(out))
        return spar__fail_null(err);
    if (options < 2 || options > 10000)
        return spar__fail(err, SPAR_INVALID, "a forecast for %zu option%s, expected 2 to 10000", options,
                          spar__plural(options));
    spar_forecast *f = spar__alloc(1, sizeof *f);
    if (!f || !(f->feedback = spar__strdup("winner(rule=luce)"))) {
        spar_forecast_free(f);
        return spar__fail_memory(err);
    }
    f->options = options;
    f->truths = 200;
    f->width = 1;
    f->limit = 20000;
    f->seed = 1;
    f->delta = 0.05;
    f->work = 1000000;
    *out = f;
    return SPAR_OK;
}

static spar_status make_case(const char *policy, size_t m, spar__forecast_case *out)
{
    *out = (spar__forecast_case){.policy = spar__strdup(policy), .m = m};
    return out->policy ? SPAR_OK : SPAR_NOMEM;
}

spar_status spar_forecast_add(spar_forecast *f, const char *policy, size_t m, spar_error *err)
{
    if (!f || !policy)
        return spar__fail_null(err);
    if (f->policy)
        return spar__fail(err, SPAR_INVALID, "a forecast with a start has the policy of the start, and no other");
    spar__forecast_case *list = spar__realloc(f->list, f->n, f->n + 1, sizeof *list);
    if (!list)
        return spar__fail_memory(err);
    f->list = list;
    if (make_case(policy, m, &list[f->n]))
        return spar__fail_memory(err);
    f->n++;
    return SPAR_OK;
}

/* Puts this case in the place of all others. */
static spar_status forecast_only_case(spar_forecast *f, const char *policy, size_t m, spar_error *err)
{
    spar__forecast_case *list = spar__alloc(1, sizeof *list);
    if (!list || make_case(policy, m, list)) {
        spar__free(list);
        return spar__fail_memory(err);
    }
    free_cases(f);
    f->list = list;
    f->n = 1;
    f->played = 0;
    return SPAR_OK;
}

/* The screens of the cases: all open. */
static spar_status forecast_begin(spar_forecast *f)
{
    f->played = 0;
    for (size_t i = 0; i < f->n; i++) {
        spar__forecast_case *c = &f->list[i];
        spar__free(c->screens);
        spar__free(c->wrong);
        c->screens = spar__alloc(f->truths, sizeof *c->screens);
        c->wrong = spar__alloc(f->truths, sizeof *c->wrong);
        if (!c->screens || !c->wrong)
            return SPAR_NOMEM;
        for (size_t t = 0; t < f->truths; t++)
            c->screens[t] = NAN;
    }
    return SPAR_OK;
}

/* Only truths that every case has played, in front; their screens sorted. */
static void forecast_finish(spar_forecast *f)
{
    for (size_t t = 0; t < f->truths; t++) {
        bool whole = true;
        for (size_t i = 0; i < f->n; i++)
            whole &= !isnan(f->list[i].screens[t]);
        for (size_t i = 0; whole && i < f->n; i++) {
            f->list[i].screens[f->played] = f->list[i].screens[t];
            f->list[i].wrong[f->played] = f->list[i].wrong[t];
        }
        f->played += whole;
    }
    for (size_t i = 0; i < f->n; i++)
        qsort(f->list[i].screens, f->played, sizeof(double), spar__by_value);
}

/* --- what it is about --- */

static spar_status set_width(spar_forecast *f, double width, spar__forecast_kind kind, const char *what,
                             spar_error *err)
{
    if (!f)
        return spar__fail_null(err);
    if (!(width >= 0 && width <= 100))
        return spar__fail(err, SPAR_INVALID, "the %s of the strengths is %g, expected 0 to 100", what, width);
    f->width = width;
    f->kind = kind;
    return SPAR_OK;
}

spar_status spar_forecast_set_sd(spar_forecast *f, double sd, spar_error *err)
{
    return set_width(f, sd, SPAR__FORECAST_SD, "standard deviation", err);
}

spar_status spar_forecast_set_steps(spar_forecast *f, double gap, spar_error *err)
{
    return set_width(f, gap, SPAR__FORECAST_STEPS, "gap", err);
}

/* Room for draws of some of `known` options; out of memory nothing has changed. */
static double *start_draws(spar_forecast *f, size_t draws, size_t options, size_t known)
{
    double *drawn = spar__alloc(draws * options, sizeof *drawn);
    size_t *option = spar__alloc(options, sizeof *option);
    if (!drawn || !option) {
        spar__free(drawn);
        spar__free(option);
        return NULL;
    }
    spar__free(f->drawn);
    spar__free(f->option);
    f->drawn = drawn;
    f->option = option;
    f->draws = draws;
    f->options = options;
    f->known = known;
    f->kind = SPAR__FORECAST_DRAWS;
    return drawn;
}

spar_status spar_forecast_set_values(spar_forecast *f, const double *values, spar_error *err)
{
    if (!f || !values)
        return spar__fail_null(err);
    for (size_t k = 0; k < f->options; k++)
        if (!(fabs(values[k]) <= 1000))
            return spar__fail(err, SPAR_INVALID, "the strength of option %zu is %g, expected -1000 to 1000", k,
                              values[k]);
    double *drawn = start_draws(f, 1, f->options, f->options);
    if (!drawn)
        return spar__fail_memory(err);
    for (size_t k = 0; k < f->options; k++) {
        drawn[k] = values[k];
        f->option[k] = k;
    }
    return SPAR_OK;
}

spar_status spar_forecast_set_standings(spar_forecast *f, const spar_standings *st, spar_error *err)
{
    if (!f || !st)
        return spar__fail_null(err);
    size_t live = 0, at = 0;
    for (size_t k = 0; st->computed && k < st->computed_n; k++)
        live += st->live[k];
    if (live < 2 || live > 10000)
        return spar__fail(err, SPAR_INVALID, "a forecast from standings of %zu live options, expected 2 to 10000",
                          live);
    double *drawn = start_draws(f, st->draws, live, st->computed_n);
    if (!drawn)
        return spar__fail_memory(err);
    for (size_t k = 0; k < st->computed_n; k++) {
        if (!st->live[k])
            continue;
        f->option[at] = k;
        for (size_t i = 0; i < st->draws; i++)
            drawn[i * live + at] = st->draw[i * spar__draw_width(st) + k];
        at++;
    }
    return SPAR_OK;
}

spar_status spar_forecast_set_truths(spar_forecast *f, size_t truths, spar_error *err)
{
    if (!f)
        return spar__fail_null(err);
    if (truths < 1 || truths > MOST_TRUTHS)
        return spar__fail(err, SPAR_INVALID, "%zu truths, expected 1 to %d", truths, MOST_TRUTHS);
    f->truths = truths;
    return SPAR_OK;
}

spar_status spar_forecast_set_limit(spar_forecast *f, uint64_t screens, spar_error *err)
{
    if (!f)
        return spar__fail_null(err);
    if (screens < 1 || screens > 100000000)
        return spar__fail(err, SPAR_INVALID, "a limit of %llu screens, expected 1 to 1e8", (unsigned long long)screens);
    f->limit = screens;
    return SPAR_OK;
}

spar_status spar_forecast_set_delta(spar_forecast *f, double delta, spar_error *err)
{
    if (!f)
        return spar__fail_null(err);
    if (!(delta > 1e-12 && delta <= 0.5))
        return spar__fail(err, SPAR_INVALID, "delta is %g, expected a number above 1e-12, at most 0.5", delta);
    f->delta = delta;
    return SPAR_OK;
}

spar_status spar_forecast_set_silent(spar_forecast *f, double share, spar_error *err)
{
    if (!f)
        return spar__fail_null(err);
    if (!(share >= 0 && share <= 0.99))
        return spar__fail(err, SPAR_INVALID, "the share of silent answers is %g, expected 0 to 0.99", share);
    f->silent = share;
    return SPAR_OK;
}

spar_status spar_forecast_set_feedback(spar_forecast *f, const char *feedback, spar_error *err)
{
    if (!f || !feedback)
        return spar__fail_null(err);
    char *text = spar__strdup(feedback);
    if (!text)
        return spar__fail_memory(err);
    spar__free(f->feedback);
    f->feedback = text;
    return SPAR_OK;
}

void spar_forecast_set_seed(spar_forecast *f, uint64_t seed)
{
    if (f)
        f->seed = seed;
}

void spar_forecast_set_threads(spar_forecast *f, size_t threads)
{
    if (f)
        f->threads = threads;
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

spar_status spar_forecast_set_start(spar_forecast *f, const spar_decision *decision, const spar_policy *policy,
                                    spar_error *err)
{
    if (!f || !decision || !policy)
        return spar__fail_null(err);
    spar_policy *copy = NULL;
    spar__evidence evidence = {0};
    size_t n = spar_arms_count(spar_policy_arms(policy)), options = spar_decision_options(decision);
    spar_status status =
        n == options ? SPAR_OK
                     : spar__fail(err, SPAR_INVALID, "a policy with %zu options and a decision about %zu", n, options);
    if (!status)
        status = spar_policy_dup(policy, &copy, err);
    if (!status && spar__evidence_copy(&decision->evidence, &evidence))
        status = spar__fail_memory(err);
    if (!status)
        status = forecast_only_case(f, spar_policy_spec(policy), spar_policy_slots(policy), err);
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

/* --- from the start --- */

/* A cell is a truth and a case, in this order. */
static uint64_t one_run(const void *self, size_t cell)
{
    (void)self, (void)cell;
    return 1;
}

static spar_status play(void *self, size_t cell, size_t worker, spar_progress *progress, void *context, bool *complete,
                        spar_error *err)
{
    const spar_forecast *f = self;
    size_t truth = cell / f->n;
    spar__forecast_case *c = &f->list[cell % f->n];
    spar__buf env = {0};
    char stop[80], delta[SPAR__NUMBER_SIZE];
    (void)worker, (void)progress, (void)context;
    (void)spar__number_print(delta, f->delta);
    (void)snprintf(stop, sizeof stop, "best(delta=%s,end=1)", delta);
    /* The environment of a truth: the same for all cases. */
    spar_rng rng;
    spar_rng_seed(&rng, f->seed, truth, PURPOSE_TRUTHS);
    const double *row = f->kind == SPAR__FORECAST_DRAWS ? draw_of(f, truth) : NULL;
    spar__buf_adds(&env, "utility(values=");
    for (size_t k = 0; k < f->options; k++) {
        char text[SPAR__NUMBER_SIZE];
        double value = row                               ? row[k]
                       : f->kind == SPAR__FORECAST_STEPS ? -f->width * (double)k
                                                         : f->width * spar__normal(&rng);
        (void)spar__number_print(text, value);
        spar__buf_printf(&env, "%s%s", k ? ":" : "", text);
    }
    spar__buf_adds(&env, ",link=logit)");
    const char *policy[] = {c->policy};
    spar_plan plan = {.size = sizeof plan,
                      .env = env.text,
                      .feedback = f->feedback,
                      .policies = policy,
                      .n_policies = 1,
                      .m = c->m,
                      .rounds = f->limit,
                      .runs = 1,
                      .first_run = truth,
                      .seed = f->seed,
                      .threads = 1,
                      .stop = stop};
    spar_results *results = NULL;
    spar_status status = env.failed ? spar__fail_memory(err) : spar_simulate(&plan, &results, err);
    if (!status) {
        double at = spar_results_run(results, 0, 0, SPAR_RUN_DECIDED);
        c->screens[truth] = isnan(at) ? INFINITY : at / (1 - f->silent);
        c->wrong[truth] = spar_results_run(results, 0, 0, SPAR_RUN_RIGHT) == 0;
    }
    *complete = !status;
    spar_results_free(results);
    spar__buf_free(&env);
    return status;
}

/* --- on from where an experiment is ---
 *
 * All truths play stretches of the same length one after the other, so that they can be given up together: what is said
 * of those that are still open is then the same for all, and the number of threads does not matter. */

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

static spar_status init_going(const spar_forecast *f, size_t truth, going *g, spar_error *err)
{
    size_t m = spar_policy_slots(f->policy);
    spar_rng_seed(&g->rng, f->seed, truth, PURPOSE_ON);
    spar_status status = spar_policy_dup(f->policy, &g->policy, err);
    if (status)
        return status;
    const double *row = draw_of(f, truth);
    double *utility = spar__alloc(f->known, sizeof *utility); /* of a retired option 0: it is never shown */
    for (size_t k = 0; utility && k < f->options; k++)
        utility[f->option[k]] = row[k];
    status = utility ? spar__world_of_utilities(f->known, utility, f->seed, truth, &g->world) : SPAR_NOMEM;
    spar__free(utility);
    if (status || spar__evidence_copy(&f->evidence, &g->evidence) || spar_scratch_new(&g->scratch) ||
        spar_round_new(m, &g->round) || spar_feedback_new(m, &g->feedback))
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

static void play_on(void *context, size_t truth, size_t worker)
{
    (void)worker;
    goings *all = context;
    going *g = &all->list[truth];
    while (!g->decided && !g->status && g->screens < all->until) {
        size_t option;
        spar_status status = spar_policy_choose(g->policy, g->scratch, &g->rng, g->round, &g->err);
        if (!status)
            status = spar_user_answer(all->user, g->world, g->screens + 1, g->round, g->feedback);
        if (!status)
            status = spar_policy_learn(g->policy, g->round, g->feedback, &g->err);
        if (!status)
            status = spar__evidence_answer(&g->evidence, g->round->m, g->round->arm, g->feedback->outcome, false);
        g->screens++;
        g->status = status;
        spar_verdict verdict = spar__evidence_verdict(&g->evidence, all->f->answers + g->screens, &option);
        g->decided = verdict == SPAR_VERDICT_BEST || verdict == SPAR_VERDICT_EQUAL;
        g->wrong = verdict == SPAR_VERDICT_BEST && option != best_of(all->f, g->world);
    }
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
        spar__pool_run(f->threads, f->truths, play_on, all);
        open = 0;
        for (size_t t = 0; !status && t < f->truths; t++) {
            const going *g = &all->list[t];
            open += !g->decided;
            if (g->status)
                status = spar__fail(err, g->status, "%s", g->err.status ? g->err.text : spar_status_text(g->status));
        }
        if (progress && !progress(context, played, f->work))
            break;
    }
    return status;
}

static spar_status prepare(spar_forecast *f, spar_user **user, spar_error *err)
{
    spar_env *env = NULL;
    if (f->kind != SPAR__FORECAST_DRAWS || f->known != f->evidence.n)
        return spar__fail(err, SPAR_INVALID,
                          "a forecast from the start of an experiment with %zu options needs strengths of these",
                          f->evidence.n);
    spar_status status = forecast_begin(f) ? spar__fail_memory(err) : SPAR_OK;
    if (!status)
        status = spar_env_new("utility(set=equal,k=2,link=logit)", &env, err);
    if (!status)
        status = spar_user_new(f->feedback, env, user, err);
    spar_env_free(env);
    return status;
}

static spar_status forecast_go_on(spar_forecast *f, spar_progress *progress, void *context, spar_error *err)
{
    goings all = {.f = f, .list = spar__alloc(f->truths, sizeof *all.list)};
    spar_status status = all.list ? prepare(f, &all.user, err) : spar__fail_memory(err);
    for (size_t t = 0; !status && t < f->truths; t++)
        status = init_going(f, t, &all.list[t], err);
    if (!status)
        status = play_all(&all, progress, context, err);
    if (!status) {
        f->horizon = (uint64_t)ceil((double)all.until / (1 - f->silent));
        for (size_t t = 0; t < f->truths; t++) {
            const going *g = &all.list[t];
            f->list[0].screens[t] = g->decided ? (double)g->screens / (1 - f->silent) : (double)INFINITY;
            f->list[0].wrong[t] = g->wrong;
        }
        forecast_finish(f);
    }
    for (size_t t = 0; all.list && t < f->truths; t++) {
        going *g = &all.list[t];
        spar_world_free(g->world);
        spar_policy_free(g->policy);
        spar__evidence_fini(&g->evidence);
        spar_scratch_free(g->scratch);
        spar_round_free(g->round);
        spar_feedback_free(g->feedback);
    }
    spar__free(all.list);
    spar_user_free(all.user);
    return status;
}

spar_status spar_forecast_run(spar_forecast *f, spar_progress *progress, void *context, spar_error *err)
{
    if (!f)
        return spar__fail_null(err);
    if (f->policy)
        return forecast_go_on(f, progress, context, err);
    if (f->n == 0)
        return spar__fail(err, SPAR_INVALID, "a forecast without a policy");
    for (size_t i = 0; i < f->n; i++)
        if (f->list[i].m > f->options)
            return spar__fail(err, SPAR_INVALID, "m = %zu options on a screen, but there are %zu", f->list[i].m,
                              f->options);
    if (forecast_begin(f))
        return spar__fail_memory(err);
    const spar__cell_list cells = {.n = f->n * f->truths, .self = f, .work = one_run, .play = play};
    spar__sweep sweep = {.threads = f->threads, .progress = progress, .context = context};
    spar_status status = spar__sweep_play(&sweep, &cells, err);
    spar__sweep_close(&sweep, false);
    if (!status)
        forecast_finish(f);
    return status;
}

/* --- what it says --- */

size_t spar_forecast_cases(const spar_forecast *f)
{
    return f ? f->n : 0;
}

const char *spar_forecast_policy(const spar_forecast *f, size_t index)
{
    return f && index < f->n ? f->list[index].policy : NULL;
}

size_t spar_forecast_slots(const spar_forecast *f, size_t index)
{
    return f && index < f->n ? f->list[index].m : 0;
}

size_t spar_forecast_played(const spar_forecast *f)
{
    return f ? f->played : 0;
}

uint64_t spar_forecast_horizon(const spar_forecast *f)
{
    return f ? f->policy ? f->horizon : f->limit : 0;
}

double spar_forecast_screens(const spar_forecast *f, size_t index, double share)
{
    if (!f || index >= f->n || f->played == 0 || !(share >= 0 && share <= 1))
        return NAN;
    size_t at = (size_t)ceil(share * (double)f->played);
    return f->list[index].screens[at ? at - 1 : 0];
}

double spar_forecast_decided(const spar_forecast *f, size_t index, double screens)
{
    if (!f)
        return NAN;
    size_t count = 0;
    for (size_t t = 0; index < f->n && t < f->played; t++)
        count += f->list[index].screens[t] <= screens;
    return index < f->n && f->played ? (double)count / (double)f->played : NAN;
}

double spar_forecast_wrong(const spar_forecast *f, size_t index)
{
    if (!f)
        return NAN;
    size_t count = 0;
    for (size_t t = 0; index < f->n && t < f->played; t++)
        count += f->list[index].wrong[t];
    return index < f->n && f->played ? (double)count / (double)f->played : NAN;
}
