/* Forecasts against experiments, on random truths. */
#include "sim/forecast.h"

static const char focus[] = "focus/self_sparring(distinct=1)/thompson/beta";

static spar_forecast *run(const double *truth, const spar_standings *pilot, size_t m)
{
    spar_forecast *f = NULL;
    if (spar_forecast_new(PILOT_OPTIONS, &f, NULL) ||
        (pilot ? spar_forecast_set_standings(f, pilot, NULL) : spar_forecast_set_values(f, truth, NULL)) ||
        spar_forecast_add(f, focus, m, NULL) || spar_forecast_run(f, NULL, NULL, NULL))
        abort();
    return f;
}

enum { TRUTHS = 40, PILOTS = 5 };

static const size_t answers[PILOTS] = {250, 1000, 4000, 16000, 64000};

/* How forecasts from one size of pilot compared with what happened. */
typedef struct comparison {
    size_t near_by, held, finite;
    double sum; /* of log(forecast / happened), where both are finite */
} comparison;

static bool is_near(double median, double happens)
{
    return median == happens || fabs(log(median / happens)) < log(1.5);
}

static void compare(const spar_forecast *f, double happens, comparison *c)
{
    double median = spar_forecast_screens(f, 0, 0.5);
    c->near_by += is_near(median, happens);
    c->held += spar_forecast_screens(f, 0, 0.1) <= happens && happens <= spar_forecast_screens(f, 0, 0.9);
    if (isfinite(median) && isfinite(happens)) {
        c->finite++;
        c->sum += log(median / happens);
    }
}

static void one_truth(size_t t, uint64_t *state, size_t *near_by, comparison *c)
{
    double truth[PILOT_OPTIONS];
    size_t m = 2 + t % 2;
    for (size_t k = 0; k < PILOT_OPTIONS; k++) /* about normal */
        truth[k] = 2.4 * (pilot_uniform(state) + pilot_uniform(state) + pilot_uniform(state) - 1.5);
    double happens = realised(truth, focus, m, 101, state);
    spar_forecast *known = run(truth, NULL, m);
    *near_by += is_near(spar_forecast_screens(known, 0, 0.5), happens);
    spar_forecast_free(known);
    for (size_t i = 0; i < PILOTS; i++) {
        spar_standings *st = pilot_of(truth, answers[i], state);
        spar_forecast *f = run(truth, st, m);
        compare(f, happens, &c[i]);
        spar_forecast_free(f);
        spar_standings_free(st);
    }
}

/* Where the strengths are known the median is right. From a pilot it is right on average, and the range holds what
 * happens; how near the median is depends on how well the pilot knows the smallest gap, for screens grow with its
 * inverse square. */
int main(void)
{
    uint64_t state = 4711;
    size_t known = 0;
    comparison c[PILOTS] = {0};
    for (size_t t = 0; t < TRUTHS; t++)
        one_truth(t, &state, &known, c);
    ok(known >= 36, "strengths known: %zu of %d medians are within a factor 1.5", known, TRUTHS);
    for (size_t i = 0; i < PILOTS; i++) {
        double bias = c[i].sum / (double)c[i].finite;
        ok(c[i].near_by >= (i < 2 ? 20 : 30) && c[i].held >= 30 && fabs(bias) < 0.3,
           "a pilot of %zu answers: %zu of %d medians are within a factor 1.5, %zu ranges hold; a factor %.2f on "
           "average",
           answers[i], c[i].near_by, TRUTHS, c[i].held, exp(bias));
    }
    return done();
}
