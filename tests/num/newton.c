/* A growing basis and its weights are the textbook's Gaussian process, whatever points come. */
#include "num/kernel.h"
#include "base/alloc.h"
#include "num/laplace.h"
#include "reference/gp_textbook.h"
#include "sampler/rng.h"
#include "sampler/sampler.h"
#include "tap.h"

#include <stdlib.h>

enum { MOST = 256, DIM = 2 };

static const char *const kinds[] = {"se", "matern32", "matern52", "product_matern32", "product_matern52", "linear"};
static const double length[DIM] = {0.2, 0.35};

typedef struct process {
    spar__kernel kernel;
    spar__newton basis;
    spar__weights weights;
    textbook_kernel book_kernel;
    textbook_gp *book;
    double noise;
} process;

static process open_process(int kind, size_t dim, double noise, double tolerance)
{
    process p = {.kernel = {(spar__kernel_kind)kind, dim, length, 1.7}, .noise = noise};
    p.basis.tolerance = tolerance;
    p.book_kernel = (textbook_kernel){(textbook_kind)kind, 1.7, dim, length};
    p.book = textbook_gp_new(&p.book_kernel, noise);
    if (spar__weights_init(&p.weights, 0))
        abort();
    return p;
}

static void close_process(process *p)
{
    spar__newton_free(&p->basis);
    spar__weights_free(&p->weights);
    textbook_gp_free(p->book);
}

static bool take_in(process *p, const double *x, double *phi)
{
    if (spar__newton_grow(&p->basis, p->kernel.dim, p->basis.r + 1) || spar__weights_grow(&p->weights, p->basis.r + 1))
        abort();
    size_t before = p->basis.r;
    double left = spar__newton_append(&p->basis, &p->kernel, x, phi);
    bool added = p->basis.r > before;
    if (left < 0 || left > p->basis.tolerance * spar__kernel_at(&p->kernel, x, x) || (added && left > 0))
        abort();
    if (added)
        spar__weights_append(&p->weights);
    return added;
}

/* The point's place in the basis, r if it is not there. */
static size_t place_of(const process *p, const double *x)
{
    size_t i = 0, dim = p->kernel.dim;
    while (i < p->basis.r && memcmp(p->basis.u + i * dim, x, dim * sizeof *x) != 0)
        i++;
    return i;
}

static void see(process *p, const double *x, double n, double y)
{
    static double work[2 * MOST + 64];
    double phi[MOST] = {0}, weight = n / p->noise;
    const double *row = phi;
    size_t at = place_of(p, x);
    if (at == p->basis.r)
        (void)take_in(p, x, phi);
    else
        for (size_t i = 0; i <= at; i++)
            phi[i] = p->basis.T[i * p->basis.stride + at];
    spar__weights_add(&p->weights, 1, &row, &weight, &y, work);
    textbook_gp_observe_mean(p->book, x, y, n);
}

/* What n answers at x say on average, of a smooth function. */
static double answer(const process *p, spar_rng *rng, const double *x, double n)
{
    double truth = 0.5;
    for (size_t d = 0; d < p->kernel.dim; d++)
        truth += 0.4 * sin(5 * x[d] + (double)d);
    return truth + sqrt(p->noise / n) * spar__normal(rng);
}

static void moments(const process *p, const double *x, double *mean, double *sd)
{
    double phi[MOST] = {0}, w[MOST];
    double rest = spar__newton_at(&p->basis, &p->kernel, x, phi);
    memcpy(w, p->weights.z, p->weights.r * sizeof *w);
    spar__weights_solve(&p->weights, 1, w);
    *mean = 0;
    for (size_t i = 0; i < p->basis.r; i++)
        *mean += phi[i] * w[i];
    spar__weights_half(&p->weights, 1, phi);
    for (size_t i = 0; i < p->basis.r; i++)
        rest += phi[i] * phi[i];
    *sd = sqrt(rest);
}

/* The largest difference of mean and sd from the textbook's, over points everywhere and those seen. */
static double error(process *p, spar_rng *rng, size_t n, const double *seen)
{
    double worst = 0, x[DIM], mean, sd;
    for (size_t i = 0; i < n + 60; i++) {
        for (size_t d = 0; d < p->kernel.dim; d++)
            x[d] = i < n ? seen[i * p->kernel.dim + d] : 1.2 * spar_rng_uniform(rng) - 0.1;
        moments(p, x, &mean, &sd);
        worst = fmax(worst, fabs(mean - (double)textbook_gp_mean(p->book, x)));
        worst = fmax(worst, fabs(sd - (double)sqrtl(fmaxl(textbook_gp_variance(p->book, x), 0))));
    }
    return worst;
}

/* Points as the play of a search has them: somewhere, again, and ever closer to what was there. What that costs is
 * what newton.h says. */
static void check_play(int kind, size_t dim, double noise, double most, double tolerance)
{
    enum { N = 90 };
    double seen[N * DIM];
    process p = open_process(kind, dim, noise, tolerance);
    spar_rng rng;
    spar_rng_seed(&rng, 31, (uint64_t)kind, dim);
    for (size_t i = 0; i < N; i++) {
        double *x = seen + i * dim, close = spar_rng_below(&rng, 3) == 0 ? 0 : spar_rng_uniform(&rng) * 10;
        size_t old = i ? (size_t)spar_rng_below(&rng, i) : 0;
        for (size_t d = 0; d < dim; d++) {
            double u = spar_rng_uniform(&rng), step = 1;
            for (double k = 0; k < floor(close); k++)
                step /= 20; /* down to 1e-12 of the box */
            x[d] = i < 20 ? u : close > 0 ? seen[old * dim + d] + step * (u - 0.5) : seen[old * dim + d];
        }
        double n = i % 5 ? 1 : most;
        see(&p, x, n, answer(&p, &rng, x, n));
    }
    double off = error(&p, &rng, N, seen), bound = fmax(1e-9, SPAR__NEWTON_NUGGET * most / noise);
    if (tolerance > 0 && kind != SPAR__KERNEL_LINEAR)
        bound = 2 * sqrt(tolerance * 1.7 * most / noise);
    ok(off < bound, "%s in %zu-D, noise %g, %g answers, near-duplicates, tolerance %g: %zu dimensions, off by %.1e",
       kinds[kind], dim, noise, most, tolerance, p.basis.r, off);
    close_process(&p);
}

/* The rests of a smooth kernel, after many points that cluster: the textbook's with the nugget as noise. */
static void check_rests(double tolerance)
{
    enum { N = 220 };
    process p = open_process(SPAR__KERNEL_SE, 2, SPAR__NEWTON_NUGGET * 1.7, tolerance);
    spar_rng rng;
    spar_rng_seed(&rng, 34, 1, 1);
    double phi[MOST], x[DIM], worst = 0, least = 1;
    for (size_t i = 0; i < N; i++) {
        for (size_t d = 0; d < 2; d++)
            x[d] = i < 60 ? spar_rng_uniform(&rng) : 0.4 + 0.1 * spar__normal(&rng);
        if (take_in(&p, x, phi))
            textbook_gp_observe(p.book, x, 0);
    }
    for (size_t i = 0; i < 200; i++) {
        x[0] = spar_rng_uniform(&rng);
        x[1] = spar_rng_uniform(&rng);
        double rest = spar__newton_at(&p.basis, &p.kernel, x, phi), right = (double)textbook_gp_variance(p.book, x);
        worst = fmax(worst, fabs(rest / right - 1));
        least = fmin(least, right);
    }
    ok(worst < 0.5, "tolerance %g: %zu of %d points add a dimension; rests down to %.0e are good to %.3f of themselves",
       tolerance, p.basis.r, N, least, worst);
    close_process(&p);
}

/* The coordinates of points on a line give their covariances back, in no more dimensions than that takes. */
static void check_rank(double scale, double tolerance, double allowed, size_t least, size_t most)
{
    enum { N = 60 };
    static double x[N], phi[N][N];
    spar__kernel kernel = {SPAR__KERNEL_SE, 1, &scale, 2};
    spar__newton basis = {.tolerance = tolerance};
    double worst = 0;
    memset(phi, 0, sizeof phi);
    if (spar__newton_grow(&basis, 1, N))
        abort();
    for (size_t i = 0; i < N; i++) {
        x[i] = (double)(i * 17 % N) / N;
        (void)spar__newton_append(&basis, &kernel, x + i, phi[i]);
    }
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) {
            double sum = 0;
            for (size_t k = 0; k < basis.r; k++)
                sum += phi[i][k] * phi[j][k];
            worst = fmax(worst, fabs(sum - spar__kernel_at(&kernel, x + i, x + j)));
        }
    ok(basis.r >= least && basis.r <= most && worst < allowed,
       "length %g, tolerance %g: covariances within %.0e in %zu dimensions", scale, tolerance, worst, basis.r);
    spar__newton_free(&basis);
}

static void check_grid(int kind, size_t side, size_t dim)
{
    double seen[MOST * DIM], count = 1;
    size_t n = 0;
    process p = open_process(kind, dim, 0.025, kind == SPAR__KERNEL_LINEAR ? SPAR__NEWTON_KNOWN : 0);
    spar_rng rng;
    spar_rng_seed(&rng, 32, (uint64_t)kind, dim);
    for (size_t i = 0; i < side; i++)
        for (size_t j = 0; j < (dim > 1 ? side : 1); j++, n++) {
            seen[n * dim] = (double)i / (double)(side - 1);
            if (dim > 1)
                seen[n * dim + 1] = (double)j / (double)(side - 1);
        }
    for (size_t t = 0; t < 150; t++) {
        count = t % 10 ? 1 : 1e5 / 15;
        const double *x = seen + spar_rng_below(&rng, n) * dim;
        see(&p, x, count, answer(&p, &rng, x, count));
    }
    double off = error(&p, &rng, n, seen);
    ok(off < 1e-9, "%s on a grid of %zu points: %zu dimensions, off by %.1e", kinds[kind], n, p.basis.r, off);
    close_process(&p);
}

static void check_shape(void)
{
    process p = open_process(SPAR__KERNEL_MATERN52, 2, 0.1, SPAR__NEWTON_KNOWN);
    spar_rng rng;
    spar_rng_seed(&rng, 33, 1, 1);
    double x[20 * 2], phi[MOST], columns[MOST * 32], rest[20], w[2 * MOST], value[2 * MOST];
    bool exact = true, same = true, right = true;
    for (size_t i = 0; i < 40; i++)
        x[i] = spar_rng_uniform(&rng);
    for (size_t i = 0; i < 12; i++)
        exact &= take_in(&p, x + 2 * i, phi) && !take_in(&p, x + 2 * i, phi);
    ok(exact && p.basis.r == 12, "a new point adds a dimension, the same one again does not");
    for (size_t i = 0; i < 12; i++)
        for (size_t j = 0; j < 12; j++) {
            double sum = 0;
            for (size_t k = 0; k < 12; k++)
                sum += p.basis.T[k * p.basis.stride + i] * p.basis.T[k * p.basis.stride + j];
            exact &= fabs(sum - spar__kernel_at(&p.kernel, x + 2 * i, x + 2 * j)) < (i == j ? 2e-14 : 1e-15);
        }
    ok(exact, "T^T T is the kernel's matrix, with a nugget");
    spar__newton_columns(&p.basis, &p.kernel, 20, x, columns, rest);
    for (size_t j = 0; j < 20; j++) {
        double left = spar__newton_at(&p.basis, &p.kernel, x + 2 * j, phi);
        same &= fabs(left - rest[j]) < 1e-14 && (j < 12 ? left < 5e-14 : left > 1e-6);
        for (size_t i = 0; i < 12; i++)
            same &= fabs(phi[i] - columns[i * 24 + j]) < 1e-13;
    }
    ok(same, "coordinates of many points are those of one at a time");
    for (size_t i = 0; i < 24; i++)
        w[i] = spar_rng_uniform(&rng) - 0.5;
    spar__newton_values(&p.basis, 2, w, value);
    for (size_t i = 0; i < 12; i++) {
        (void)spar__newton_at(&p.basis, &p.kernel, x + 2 * i, phi);
        for (size_t j = 0; j < 2; j++) {
            double sum = 0;
            for (size_t k = 0; k < 12; k++)
                sum += phi[k] * w[j * 12 + k];
            right &= fabs(sum - value[j * 12 + i]) < 1e-12;
        }
    }
    ok(right, "values at the points of the basis");
    spar__newton_forget(&p.basis);
    bool clear = p.basis.r == 0;
    for (size_t i = 0; i < p.basis.stride * p.basis.stride; i++)
        clear &= p.basis.T[i] == 0;
    ok(clear, "forget leaves an empty basis");
    close_process(&p);
}

static void check_memory(void)
{
    process p = open_process(SPAR__KERNEL_SE, 1, 0.1, 0);
    double x[3] = {0, 0.3, 1}, phi[8], again[8];
    for (size_t i = 0; i < 3; i++)
        (void)take_in(&p, x + i, phi);
    double rest = spar__newton_at(&p.basis, &p.kernel, (double[]){0.4}, phi);
    size_t stride = p.basis.stride, k = 1;
    bool kept = true;
    for (; k < 10; k++) {
        spar__alloc_fail_at(k);
        spar_status status = spar__newton_grow(&p.basis, 1, 100);
        spar__alloc_fail_at(0);
        if (!status)
            break;
        kept &= status == SPAR_NOMEM && p.basis.stride == stride &&
                spar__newton_at(&p.basis, &p.kernel, (double[]){0.4}, again) == rest;
    }
    kept &= spar__newton_at(&p.basis, &p.kernel, (double[]){0.4}, again) == rest && p.basis.stride >= 100;
    ok(kept && k == 3, "growth that fails changes nothing; then it grows");
    ok(spar__newton_grow(&p.basis, 1, SIZE_MAX / 2) == SPAR_NOMEM, "what no memory holds is refused");
    close_process(&p);
}

int main(void)
{
    check_shape();
    check_memory();
    check_rests(0);
    check_rests(SPAR__NEWTON_KNOWN);
    check_rank(0.01, 1e-12, 4e-14, 50, 60);
    check_rank(0.2, 1e-12, 1e-10, 12, 22);
    check_rank(2, 1e-12, 1e-10, 5, 9);
    check_rank(0.2, 1e-4, 1e-3, 5, 11);
    check_rank(1e3, 1e-12, 2e-12, 1, 3);
    for (int kind = 0; kind < 6; kind++) {
        check_grid(kind, 30, 1);
        check_grid(kind, 8, 2);
        for (size_t dim = 1; dim <= 2; dim++)
            for (int k = kind == SPAR__KERNEL_LINEAR; k < 2; k++) {
                double tolerance = k ? SPAR__NEWTON_KNOWN : 0;
                check_play(kind, dim, 0.025, 100, tolerance);
                check_play(kind, dim, 0.025, 1e5, tolerance);
                check_play(kind, dim, 1e-4, 100, tolerance);
            }
    }
    return done();
}
