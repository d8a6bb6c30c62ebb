/* What truncation and rounding may have done to the posterior, to first order.
 *
 * Let s_i be the row of weights by which observations make the mean of point i (s_ip = cov(i, p) n_p / noise), a_i =
 * e_i - s_i, and alpha_p = n_p (y_p - mean_p) / noise. An error E of the kernel's matrix, from what the basis left out
 * and from rounding, changes
 *
 *     mean_i by a_i E alpha,     var_i by a_i E a_i
 *
 * taken as if E had no pattern, of a size relative to the points' own variances. To the mean comes what rounding did to
 * each observation as it was learned (num/weights.h). The largest over all points, or SAMPLE of them. Tests compare it
 * with the posterior in long double. */
#include "posterior/gp/gp.h"

#include "base/alloc.h"

#include <math.h>

enum { SAMPLE = 64 };
#define ROUNDING 4e-16 /* of an element of K, at few points; a factor of K loses more with every column */
#define SAFETY 4

typedef struct error_terms {
    double error; /* of the kernel, relative */
    double *size; /* sqrt of k(x, x) of each point */
    double most;  /* the largest k(x, x) */
    double alpha; /* |alpha|, each counted in units of 1 / size */
    double floor; /* what rounding makes of numbers of this size after that many answers */
    double *row;  /* work */
} error_terms;

static double error_at(const spar__gp_model *model, const error_terms *f, size_t i, double leak)
{
    const spar__gp_points *points = model->points;
    double square = 0, sd = sqrt(fmax(f->row[i], 0));
    for (size_t p = 0; p < points->n; p++) {
        double a = ((double)(p == i) - f->row[p] * points->count[p] / model->noise) * f->size[p];
        square += a * a;
    }
    double variance = f->error * square;
    double deviation = sd > 0 ? fmin(sqrt(variance), variance / (2 * sd)) : sqrt(variance);
    return fmax(f->error * sqrt(square) * f->alpha + leak, deviation);
}

static void measure(const spar__gp_model *model, const double *mean, error_terms *f)
{
    const spar__gp_points *points = model->points;
    double square = 0, answers = 0, largest = 0;
    for (size_t p = 0; p < points->n; p++) {
        const double *x = points->x + p * points->dim;
        double variance = spar__kernel_at(&model->kernel, x, x);
        double alpha = (points->sum[p] - points->count[p] * (mean[p] + model->offset)) / model->noise;
        f->size[p] = sqrt(variance);
        f->most = fmax(f->most, variance);
        largest = fmax(largest, fabs(mean[p]));
        square += alpha * alpha * variance;
        answers += points->count[p];
    }
    f->alpha = sqrt(square);
    f->floor = (3e-15 + 1e-15 * sqrt(answers)) * fmax(sqrt(f->most), largest);
}

double spar__gp_accuracy(const spar__gp_model *model, const spar__gp_backing *cls, const void *backing)
{
    size_t n = model->points->n, every = (n + SAMPLE - 1) / SAMPLE;
    double worst = 0, leak = 0, *mean = spar__alloc(n, sizeof *mean);
    error_terms f = {.row = spar__alloc(n, sizeof *f.row), .size = spar__alloc(n, sizeof *f.size)};
    spar_scratch *scratch = NULL;
    spar_status status = mean && f.row && f.size ? spar_scratch_new(&scratch) : SPAR_NOMEM;
    if (!status)
        status = cls->moments(backing, scratch, mean, NULL);
    if (!status)
        measure(model, mean, &f);
    if (f.most > 0) { /* rounding of a linear kernel is counted in `leak` */
        double rounding = model->kernel.kind == SPAR__KERNEL_LINEAR ? 0 : ROUNDING * (1 + (double)n / 50);
        f.error = cls->residual(backing) / f.most + rounding;
    }
    for (size_t i = 0; !status && i < n; i += every) {
        status = cls->row(backing, scratch, i, f.row, &leak);
        if (!status)
            worst = fmax(worst, error_at(model, &f, i, leak));
    }
    spar_scratch_free(scratch);
    spar__free(f.row);
    spar__free(f.size);
    spar__free(mean);
    return status ? NAN : SAFETY * worst + f.floor;
}
