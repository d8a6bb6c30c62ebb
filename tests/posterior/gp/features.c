#include "posterior/gp/box.h"

#include "base/alloc.h"
#include "sampler/sampler.h"
#include "tap.h"

#include <stdlib.h>

enum { DIM = 2, POINTS = 6, DRAWS = 4000 };

static const char *const kinds[] = {"se", "matern32", "matern52", "product_matern32", "product_matern52", "linear"};
static const double length[DIM] = {0.2, 0.5};
static const double point[POINTS * DIM] = {0.1, 0.2, 0.1, 0.2, 0.15, 0.2, 0.1, 0.5, 0.4, 0.4, 0.9, 1};

/* The covariance of the functions, with frequencies drawn anew each time, is the kernel. The terms of the sum over
 * frequencies are independent, so the spread of the products tells their error. */
static void check_covariance(int kind, spar_scratch *scratch)
{
    spar__kernel kernel = {(spar__kernel_kind)kind, DIM, length, 1.3};
    spar_rng rng;
    spar_rng_seed(&rng, 61, (uint64_t)kind, 1);
    double sum[POINTS][POINTS] = {{0}}, square[POINTS][POINTS] = {{0}}, value[POINTS], worst = 0;
    static double out[POINTS * 2 * SPAR__FREQUENCIES], weight[2 * SPAR__FREQUENCIES];
    bool exact = true;
    for (int t = 0; t < DRAWS; t++) {
        spar__features features;
        if (spar__features_draw(&features, &kernel, scratch, &rng))
            abort();
        spar__features_at(&features, POINTS, point, out);
        spar__normal_batch(&rng, features.n, weight);
        for (size_t i = 0; i < POINTS; i++) {
            double variance = 0;
            value[i] = 0;
            for (size_t k = 0; k < features.n; k++) {
                value[i] += weight[k] * out[i * features.n + k];
                variance += out[i * features.n + k] * out[i * features.n + k];
            }
            exact &= fabs(variance - spar__kernel_at(&kernel, point + i * DIM, point + i * DIM)) < 1e-12;
        }
        for (size_t i = 0; i < POINTS; i++)
            for (size_t j = 0; j <= i; j++) {
                sum[i][j] += value[i] * value[j];
                square[i][j] += value[i] * value[i] * value[j] * value[j];
            }
        spar__scratch_release(scratch, 0);
    }
    for (size_t i = 0; i < POINTS; i++)
        for (size_t j = 0; j <= i; j++) {
            double mean = sum[i][j] / DRAWS, sd = sqrt((square[i][j] / DRAWS - mean * mean) / DRAWS);
            worst = fmax(worst, fabs(mean - spar__kernel_at(&kernel, point + i * DIM, point + j * DIM)) / sd);
        }
    ok(worst < 5, "%s: the covariance is the kernel's (%.1f sigma)", kinds[kind], worst);
    ok(exact, "%s: the variance is right for any frequencies", kinds[kind]);
}

/* Without weights the error is smaller: the features' own product, averaged over many frequencies. */
static void check_products(int kind, spar_scratch *scratch)
{
    spar__kernel kernel = {(spar__kernel_kind)kind, DIM, length, 1.3};
    spar_rng rng;
    spar_rng_seed(&rng, 62, (uint64_t)kind, 1);
    double sum[POINTS] = {0}, square[POINTS] = {0}, worst = 0;
    static double out[POINTS * 2 * SPAR__FREQUENCIES];
    for (int t = 0; t < DRAWS; t++) {
        spar__features features;
        if (spar__features_draw(&features, &kernel, scratch, &rng))
            abort();
        spar__features_at(&features, POINTS, point, out);
        for (size_t i = 2; i < POINTS; i++) {
            double product = 0;
            for (size_t k = 0; k < features.n; k++)
                product += out[k] * out[i * features.n + k];
            sum[i] += product;
            square[i] += product * product;
        }
        spar__scratch_release(scratch, 0);
    }
    for (size_t i = 2; i < POINTS; i++) {
        double mean = sum[i] / DRAWS, sd = sqrt(fmax(square[i] / DRAWS - mean * mean, 0) / DRAWS) + 1e-12;
        worst = fmax(worst, fabs(mean - spar__kernel_at(&kernel, point, point + i * DIM)) / sd);
    }
    ok(worst < 5, "%s: products of features are the kernel (%.1f sigma)", kinds[kind], worst);
}

static void check_slope(int kind, spar_scratch *scratch)
{
    spar__kernel kernel = {(spar__kernel_kind)kind, DIM, length, 1.3};
    spar_rng rng;
    spar_rng_seed(&rng, 63, (uint64_t)kind, 1);
    spar__features features;
    if (spar__features_draw(&features, &kernel, scratch, &rng))
        abort();
    static double weight[2 * SPAR__FREQUENCIES], out[2 * SPAR__FREQUENCIES], work[2 * SPAR__FREQUENCIES];
    spar__normal_batch(&rng, features.n, weight);
    double off = 0, rest = 0;
    for (size_t i = 0; i < POINTS; i++) {
        const double *x = point + i * DIM;
        double slope[DIM] = {10, 20}, value = 0, at = spar__features_slope(&features, weight, x, slope, work);
        spar__features_at(&features, 1, x, out);
        for (size_t k = 0; k < features.n; k++)
            value += weight[k] * out[k];
        off = fmax(off, fabs(at - value));
        for (size_t d = 0; d < DIM; d++) {
            double h = 1e-6, unused[DIM] = {0}, up[DIM] = {x[0], x[1]}, down[DIM] = {x[0], x[1]};
            up[d] += h;
            down[d] -= h;
            double difference = (spar__features_slope(&features, weight, up, unused, work) -
                                 spar__features_slope(&features, weight, down, unused, work)) /
                                (2 * h);
            rest = fmax(rest, fabs(slope[d] - (d ? 20 : 10) - difference));
        }
    }
    ok(off < 1e-12, "%s: the value is that of the features", kinds[kind]);
    ok(rest < 1e-5, "%s: the slope is added, and is that of differences (%.1e)", kinds[kind], rest);
    spar__scratch_release(scratch, 0);
}

static void check_far(spar_scratch *scratch)
{
    static const double tiny[1] = {1e-12};
    static double out[4 * 2 * SPAR__FREQUENCIES];
    spar__kernel kernel = {SPAR__KERNEL_MATERN32, 1, tiny, 1};
    spar_rng rng;
    spar_rng_seed(&rng, 64, 1, 1);
    spar__features features;
    if (spar__features_draw(&features, &kernel, scratch, &rng))
        abort();
    spar__features_at(&features, 4, (double[]){1e6, -1e300, 0, 3}, out);
    bool finite = true;
    for (size_t k = 0; k < 4 * features.n; k++)
        finite &= isfinite(out[k]) != 0;
    ok(finite, "however many turns away, features are numbers");
    spar__scratch_release(scratch, 0);
}

int main(void)
{
    spar_scratch *scratch = NULL;
    if (spar_scratch_new(&scratch))
        abort();
    for (int kind = 0; kind < 6; kind++) {
        check_covariance(kind, scratch);
        check_products(kind, scratch);
        check_slope(kind, scratch);
    }
    check_far(scratch);
    spar_scratch_free(scratch);
    return done();
}
