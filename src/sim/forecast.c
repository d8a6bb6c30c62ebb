/* forecast.c - screens to a decision for truths that are drawn: cells of the simulator, one run a truth. */
#include "sim/forecast.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/pool.h"
#include "sampler/sampler.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PURPOSE_TRUTHS = 0x7247 };

/* Everything that the jobs share. */
typedef struct forecast_work {
    spar_forecast *f;
    spar_progress *progress;
    void *context;
    pthread_mutex_t lock;
    uint64_t done;
    bool ended;
    spar_status status;
    spar_error err;
} forecast_work;

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

spar_status spar__forecast_only_case(spar_forecast *f, const char *policy, size_t m, spar_error *err)
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

/* The environment of a truth: the same for all cases. */
static void write_truth(const spar_forecast *f, size_t truth, spar__buf *out)
{
    spar_rng rng;
    spar_rng_seed(&rng, f->seed, truth, PURPOSE_TRUTHS);
    const double *row = f->kind == SPAR__FORECAST_DRAWS ? spar__forecast_draw(f, truth) : NULL;
    spar__buf_adds(out, "utility(values=");
    for (size_t k = 0; k < f->options; k++) {
        char text[SPAR__NUMBER_SIZE];
        double value = row                               ? row[k]
                       : f->kind == SPAR__FORECAST_STEPS ? -f->width * (double)k
                                                         : f->width * spar__normal(&rng);
        (void)spar__number_print(text, value);
        spar__buf_printf(out, "%s%s", k ? ":" : "", text);
    }
    spar__buf_adds(out, ",link=logit)");
}

static spar_status play(const spar_forecast *f, size_t truth, spar__forecast_case *c, spar_error *err)
{
    spar__buf env = {0};
    char stop[80], delta[SPAR__NUMBER_SIZE];
    (void)spar__number_print(delta, f->delta);
    (void)snprintf(stop, sizeof stop, "best(delta=%s,end=1)", delta);
    write_truth(f, truth, &env);
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
    spar_results_free(results);
    spar__buf_free(&env);
    return status;
}

/* One truth, all cases. */
static void job(void *context, size_t truth, size_t worker)
{
    (void)worker;
    forecast_work *w = context;
    spar_forecast *f = w->f;
    spar_status status = SPAR_OK;
    spar_error err = {0};
    for (size_t i = 0; i < f->n && !status; i++) {
        (void)pthread_mutex_lock(&w->lock);
        bool ended = w->ended;
        (void)pthread_mutex_unlock(&w->lock);
        if (ended)
            return;
        status = play(f, truth, &f->list[i], &err);
        (void)pthread_mutex_lock(&w->lock);
        w->done++;
        if (status && !w->status) {
            w->status = status;
            w->err = err;
        }
        w->ended |= status || (w->progress && !w->progress(w->context, w->done, f->n * f->truths));
        (void)pthread_mutex_unlock(&w->lock);
    }
}

spar_status spar__forecast_begin(spar_forecast *f)
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

static int by_size(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* Only truths that every case has played, in front; their screens sorted. */
void spar__forecast_finish(spar_forecast *f)
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
        qsort(f->list[i].screens, f->played, sizeof(double), by_size);
}

spar_status spar_forecast_run(spar_forecast *f, spar_progress *progress, void *context, spar_error *err)
{
    if (!f)
        return spar__fail_null(err);
    if (f->policy)
        return spar__forecast_go_on(f, progress, context, err);
    if (spar__forecast_begin(f))
        return spar__fail_memory(err);
    forecast_work w = {.f = f, .progress = progress, .context = context};
    if (f->n == 0)
        return spar__fail(err, SPAR_INVALID, "a forecast without a policy");
    for (size_t i = 0; i < f->n; i++)
        if (f->list[i].m > f->options)
            return spar__fail(err, SPAR_INVALID, "m = %zu options on a screen, but there are %zu", f->list[i].m,
                              f->options);
    if (pthread_mutex_init(&w.lock, NULL))
        return spar__fail_memory(err);
    spar__pool_run(f->threads, f->truths, job, &w);
    (void)pthread_mutex_destroy(&w.lock);
    if (w.status && err)
        *err = w.err;
    if (!w.status)
        spar__forecast_finish(f);
    return w.status;
}
