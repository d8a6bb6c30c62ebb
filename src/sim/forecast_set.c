/* forecast_set.c - what a forecast is about. */
#include "sim/forecast.h"

#include "base/alloc.h"
#include "base/error.h"
#include "decide/decide.h"

#include <math.h>

enum { MOST_TRUTHS = 100000 };

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
    if (!f)
        return spar__fail_null(err);
    return set_width(f, sd, SPAR__FORECAST_SD, "standard deviation", err);
}

spar_status spar_forecast_set_steps(spar_forecast *f, double gap, spar_error *err)
{
    if (!f)
        return spar__fail_null(err);
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
