#include "sim/forecast.h"

static const char focus[] = "focus/self_sparring(distinct=1)/thompson/beta";

static spar_forecast *forecast_of(size_t options, size_t truths)
{
    spar_forecast *f = NULL;
    if (spar_forecast_new(options, &f, NULL) || spar_forecast_set_truths(f, truths, NULL))
        abort();
    spar_forecast_set_threads(f, 1);
    return f;
}

/* Steps are one truth: the median is that of the simulator. */
static void one_truth(void)
{
    static const double truth[PILOT_OPTIONS] = {0, -0.6, -1.2, -1.8, -2.4};
    uint64_t state = 31;
    spar_forecast *f = forecast_of(PILOT_OPTIONS, 150);
    (void)spar_forecast_set_steps(f, 0.6, NULL);
    (void)spar_forecast_add(f, focus, 2, NULL);
    (void)spar_forecast_add(f, focus, 3, NULL);
    ok(spar_forecast_run(f, NULL, NULL, NULL) == SPAR_OK && spar_forecast_played(f) == 150, "a forecast of steps");
    for (size_t i = 0; i < 2; i++) {
        double got = spar_forecast_screens(f, i, 0.5), wanted = realised(truth, focus, i + 2, 150, &state);
        ok(fabs(log(got / wanted)) < 0.25, "m = %zu: median %.0f, in experiments %.0f", i + 2, got, wanted);
        ok(spar_forecast_screens(f, i, 0.1) < got && got < spar_forecast_screens(f, i, 0.9), "within its range");
        near(spar_forecast_decided(f, i, got), 0.5, 0.05, "half are decided by the median");
    }
    ok(spar_forecast_wrong(f, 0) < 0.05 && spar_forecast_slots(f, 1) == 3 && spar_forecast_cases(f) == 2 &&
           !spar_forecast_policy(f, 2) && isnan(spar_forecast_screens(f, 2, 0.5)),
       "cases are told apart");
    double silent = spar_forecast_screens(f, 0, 0.5);
    (void)spar_forecast_set_silent(f, 0.5, NULL);
    (void)spar_forecast_run(f, NULL, NULL, NULL);
    near(spar_forecast_screens(f, 0, 0.5), 2 * silent, 1e-9, "half of the answers silent: twice the screens");
    spar_forecast_free(f);
}

static void same_for_threads(void)
{
    double first[3] = {0};
    bool same = true;
    for (size_t threads = 1; threads <= 3; threads += 2) {
        spar_forecast *f = forecast_of(4, 30);
        spar_forecast_set_threads(f, threads);
        (void)spar_forecast_add(f, focus, 2, NULL);
        (void)spar_forecast_set_limit(f, 3000, NULL);
        if (spar_forecast_run(f, NULL, NULL, NULL))
            abort();
        for (size_t k = 0; k < 3; k++) {
            double at = spar_forecast_screens(f, 0, 0.2 + 0.3 * (double)k);
            same &= threads == 1 || at == first[k];
            first[k] = at;
        }
        spar_forecast_free(f);
    }
    ok(same, "the same for any number of threads");
}

static void from_standings(void)
{
    static const double truth[PILOT_OPTIONS] = {0.8, 0, -0.4, -0.8, 0.1};
    uint64_t state = 99;
    spar_standings *st = pilot_of(truth, 4000, &state);
    spar_forecast *f = forecast_of(2, 60);
    ok(spar_forecast_set_standings(f, st, NULL) == SPAR_OK, "truths from a pilot");
    (void)spar_forecast_add(f, focus, 2, NULL);
    (void)spar_forecast_run(f, NULL, NULL, NULL);
    double got = spar_forecast_screens(f, 0, 0.5), wanted = realised(truth, focus, 2, 60, &state);
    ok(fabs(log(got / wanted)) < log(2), "a pilot of 4,000 forecasts %.0f, it is %.0f", got, wanted);
    (void)spar_standings_retire(st, 0, NULL);
    (void)spar_forecast_set_standings(f, st, NULL);
    (void)spar_forecast_set_truths(f, 5, NULL);
    ok(spar_forecast_run(f, NULL, NULL, NULL) == SPAR_OK, "without an option that is retired");
    spar_forecast_free(f);
    spar_standings_free(st);
}

static bool stop_soon(void *context, uint64_t done, uint64_t total)
{
    (void)context;
    (void)total;
    return done < 10;
}

static void refuses(void)
{
    spar_error err;
    spar_forecast *f = NULL;
    spar_standings *st = NULL;
    ok(spar_forecast_new(1, &f, &err) == SPAR_INVALID && !f, "refused: %s", err.text);
    f = forecast_of(4, 20);
    ok(spar_forecast_run(f, NULL, NULL, &err) == SPAR_INVALID, "refused: %s", err.text);
    ok(spar_forecast_set_sd(f, -1, &err) == SPAR_INVALID, "refused: %s", err.text);
    ok(spar_forecast_set_silent(f, 1, &err) == SPAR_INVALID, "refused: %s", err.text);
    if (spar_standings_new(3, &st, NULL))
        abort();
    ok(spar_forecast_set_standings(f, st, &err) == SPAR_INVALID, "refused: %s", err.text);
    (void)spar_forecast_add(f, focus, 9, NULL);
    ok(spar_forecast_run(f, NULL, NULL, &err) == SPAR_INVALID && strstr(err.text, "m = 9"), "refused: %s", err.text);
    spar_forecast_free(f);
    f = forecast_of(4, 20);
    (void)spar_forecast_add(f, "no_such_policy", 2, NULL);
    ok(spar_forecast_run(f, NULL, NULL, &err) != SPAR_OK && strstr(err.text, "no_such_policy"), "refused: %s",
       err.text);
    spar_forecast_free(f);
    f = forecast_of(4, 20);
    (void)spar_forecast_add(f, focus, 2, NULL);
    ok(spar_forecast_run(f, stop_soon, NULL, NULL) == SPAR_OK && spar_forecast_played(f) == 10, "ended early");
    spar_forecast_free(f);
    spar_standings_free(st);
}

int main(void)
{
    one_truth();
    same_for_threads();
    from_standings();
    refuses();
    return done();
}
