/* How often intervals of 95 % hold at any setting, for utilities drawn from the prior of a taste and random pairs.
 *
 * Less often than they should, also where the shape of the axes is known: Laplace's approximation may be too sure.
 * Where a utility is rougher than the prior expects it is taken for noise, and intervals hold much less often. The
 * bounds are what was measured less 5 standard errors between utilities. */
#include "tap.h"
#include <spar/taste.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdlib.h>

enum { WAVES = 400, AXES = 3, REFERENCES = 32, PLACES = 20, LOOKS = 3 };
static const size_t looks[LOOKS] = {20, 60, 200};

/* A sum of waves: nearly a draw from a Gaussian process. */
typedef struct utility {
    size_t axes;
    double scale, speed[WAVES][AXES], phase[WAVES];
    double average; /* over the points of reference */
} utility;

static double height_at(const utility *u, const double *x)
{
    double sum = 0;
    for (size_t k = 0; k < WAVES; k++) {
        double at = u->phase[k];
        for (size_t d = 0; d < u->axes; d++)
            at += u->speed[k][d] * x[d];
        sum += cos(at);
    }
    return u->scale * sqrt(2.0 / WAVES) * sum - u->average;
}

/* rough: of that length along all axes, else by the prior. */
static void draw_utility(gsl_rng *rng, size_t axes, double rough, utility *u)
{
    double size = 0.4 * exp(gsl_ran_gaussian(rng, 0.7)), length[AXES];
    *u = (utility){.axes = axes, .scale = fabs(gsl_ran_gaussian(rng, sqrt(11)))};
    for (size_t d = 0; d < axes; d++)
        length[d] = rough > 0 ? rough : axes > 1 ? size * exp(gsl_ran_gaussian(rng, 0.7)) : size;
    u->scale = rough > 0 ? 3 : u->scale;
    for (size_t k = 0; k < WAVES; k++) {
        u->phase[k] = gsl_ran_flat(rng, 0, 2 * 3.141592653589793);
        for (size_t d = 0; d < axes; d++)
            u->speed[k][d] = gsl_ran_gaussian(rng, 1 / length[d]);
    }
}

static void draw_points(gsl_rng *rng, size_t n, double *x)
{
    for (size_t i = 0; i < n; i++)
        x[i] = gsl_rng_uniform(rng);
}

static spar_taste *make(gsl_rng *rng, utility *u)
{
    double x[REFERENCES * AXES], sum = 0;
    const size_t axis[AXES] = {0, 1, 2};
    spar_taste *taste = NULL;
    draw_points(rng, REFERENCES * u->axes, x);
    for (size_t i = 0; i < REFERENCES; i++)
        sum += height_at(u, x + i * u->axes) / REFERENCES;
    u->average = sum;
    if (spar_taste_new(u->axes, axis, REFERENCES, x, &taste))
        abort();
    return taste;
}

static void tell(gsl_rng *rng, const utility *u, size_t n, spar_answer *answer, spar_taste *taste)
{
    for (size_t i = 0; i < n; i++) {
        double x[2 * AXES];
        draw_points(rng, 2 * u->axes, x);
        bool first = gsl_rng_uniform(rng) < 1 / (1 + exp(height_at(u, x + u->axes) - height_at(u, x)));
        spar_answer_set_winner(answer, first ? 0 : 1);
        if (spar_taste_tell(taste, 2, x, answer, NULL))
            abort();
    }
    if (spar_taste_compute(taste, NULL))
        abort();
}

/* The share of PLACES where the interval holds. */
static double share_of(gsl_rng *rng, const utility *u, const spar_taste *taste)
{
    double held = 0;
    for (size_t i = 0; i < PLACES; i++) {
        double x[AXES], low, high;
        draw_points(rng, u->axes, x);
        if (spar_taste_at(taste, x, NULL, &low, &high))
            abort();
        held += low <= height_at(u, x) && height_at(u, x) <= high;
    }
    return held / PLACES;
}

static void test_axes(size_t axes, double rough, size_t runs, const double *measured)
{
    double sum[LOOKS] = {0}, squares[LOOKS] = {0};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    spar_answer *answer = NULL;
    if (!rng || spar_answer_new(&answer))
        abort();
    for (size_t run = 0; run < runs; run++) {
        static utility u;
        draw_utility(rng, axes, rough, &u);
        spar_taste *taste = make(rng, &u);
        for (size_t l = 0; l < LOOKS; l++) {
            tell(rng, &u, looks[l] - (l ? looks[l - 1] : 0), answer, taste);
            double share = share_of(rng, &u, taste);
            sum[l] += share;
            squares[l] += share * share;
        }
        spar_taste_free(taste);
    }
    for (size_t l = 0; l < LOOKS; l++) {
        double mean = sum[l] / (double)runs, error = sqrt((squares[l] / (double)runs - mean * mean) / (double)runs);
        ok(mean > measured[l] - 5 * error &&
                   mean<0.99, "axes %zu%s, answers %zu: intervals hold %.3f +- %.3f of the time", axes, rough> 0
               ? ", rough"
               : "",
           looks[l], mean, error);
    }
    spar_answer_free(answer);
    gsl_rng_free(rng);
}

int main(void)
{
    test_axes(1, 0, 200, (double[]){0.936, 0.932, 0.933});
    test_axes(2, 0, 150, (double[]){0.906, 0.883, 0.898});
    test_axes(3, 0, 100, (double[]){0.917, 0.877, 0.876});
    test_axes(3, 0.15, 40, (double[]){0.735, 0.648, 0.751});
    return done();
}
