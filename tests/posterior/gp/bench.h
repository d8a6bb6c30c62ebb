/* bench.h - a belief gp over given points and the textbook's over the same, taught side by side. */
#ifndef SPAR_TESTS_POSTERIOR_GP_BENCH_H
#define SPAR_TESTS_POSTERIOR_GP_BENCH_H

#include "posterior/belief.h"
#include "posterior/gp/gp.h"
#include "reference/gp_textbook.h"

#include <math.h>
#include <stdlib.h>

static const char *const kernel_names[] = {"se",    "matern32", "matern52", "product_matern32", "product_matern52",
                                           "linear"};
enum { KERNELS = sizeof kernel_names / sizeof *kernel_names };

/* The textbook's belief over the same arms. Answers about an arm are kept as their number and sum, which makes the same
 * posterior with smaller matrices. */
typedef struct textbook {
    textbook_kernel kernel;
    double length[8], noise;
    size_t n;
    const double *x;
    long double offset;
    double *count;
    long double *sum;
    double *mean, *covariance; /* n, n x n, after textbook_solve */
} textbook;

__attribute__((unused)) static void textbook_open(textbook *t, spar__kernel_kind kind, size_t n, size_t dim,
                                                  const double *x, double length, double variance, double noise,
                                                  double offset)
{
    *t = (textbook){.noise = noise, .n = n, .x = x, .offset = offset};
    for (size_t d = 0; d < dim; d++)
        t->length[d] = length;
    t->kernel = (textbook_kernel){(textbook_kind)kind, variance, dim, t->length};
    t->count = calloc(n, sizeof *t->count);
    t->sum = calloc(n, sizeof *t->sum);
    t->mean = calloc(n, sizeof *t->mean);
    t->covariance = calloc(n * n, sizeof *t->covariance);
    if (!t->count || !t->sum || !t->mean || !t->covariance)
        abort();
}

__attribute__((unused)) static void textbook_close(textbook *t)
{
    free(t->count);
    free(t->sum);
    free(t->mean);
    free(t->covariance);
}

__attribute__((unused)) static void textbook_solve(textbook *t)
{
    textbook_gp *gp = textbook_gp_new(&t->kernel, t->noise);
    for (size_t i = 0; i < t->n; i++)
        if (t->count[i] > 0)
            textbook_gp_observe_mean(gp, t->x + i * t->kernel.dim, t->sum[i] / t->count[i] - t->offset, t->count[i]);
    textbook_gp_means(gp, t->x, t->n, t->mean);
    textbook_gp_covariances(gp, t->x, t->n, t->covariance);
    textbook_gp_free(gp);
}

/* About how far its own means may be off: the digits of long double, by the condition of its matrix. */
__attribute__((unused)) static double textbook_doubt(const textbook *t)
{
    double trace = 0, least = INFINITY;
    for (size_t i = 0; i < t->n; i++)
        if (t->count[i] > 0) {
            const double *x = t->x + i * t->kernel.dim;
            trace += (double)textbook_kernel_at(&t->kernel, x, x);
            least = fmin(least, t->noise / t->count[i]);
        }
    return 1e-19 * trace / least;
}

/* A belief over arms at x; where it is refused, its sentence goes to text, if not NULL. */
__attribute__((unused)) static spar_status bench_open(belief *b, const char *spec, size_t n, size_t dim,
                                                      const double *x, char *text)
{
    spar_arms *arms = NULL;
    spar_error err = {0};
    (void)spar_arms_new(n, dim, x, NULL, &arms);
    spar_status status = belief_over(b, spec, arms, &err);
    if (text)
        (void)snprintf(text, sizeof err.text, "%s", err.text);
    return status;
}

__attribute__((unused)) static void bench_refused(const char *spec, size_t n, size_t dim, const double *x,
                                                  const char *sentence)
{
    belief b;
    char text[512];
    spar_status status = bench_open(&b, spec, n, dim, x, text);
    if (!ok(status && strstr(text, sentence), "%s is refused", spec))
        printf("# said \"%s\", not \"%s\"\n", text, sentence);
    belief_close(&b);
}

/* kind of arms: 0 a grid; 1 the same with half of the arms repeated, some not quite; 2 scattered */
__attribute__((unused)) static void bench_points(int set, size_t side, size_t dim, double *x)
{
    size_t n = dim == 1 ? side : side * side;
    for (size_t i = 0; i < n; i++) {
        double step = 1 / (double)(side > 1 ? side - 1 : 1);
        x[i * dim] = (double)(dim == 1 ? i : i / side) * step;
        if (dim == 2)
            x[i * dim + 1] = (double)(i % side) * step;
        for (size_t d = 0; set == 2 && d < dim; d++)
            x[i * dim + d] = 0.5 + 0.5 * sin(1000.0 * (double)(i * dim + d));
    }
    for (size_t i = n / 2; set == 1 && i < n; i++)
        for (size_t d = 0; d < dim; d++)
            x[i * dim + d] = x[(i - n / 2) * dim + d] + (i % 2 ? 1e-9 * (double)(i % 7) : 0);
}

/* `answers` about the arms, most about the first `spread` of them, four to a round. */
__attribute__((unused)) static void bench_teach(belief *b, textbook *t, size_t spread, size_t answers)
{
    spar_rng rng;
    spar_rng_seed(&rng, 7, 1, 1);
    for (size_t q = 0; q < answers; q++) {
        size_t arm = (size_t)(spar_rng_uniform(&rng) * spar_rng_uniform(&rng) * (double)spread);
        double chance = 0.3 + 0.4 * b->arms->x[arm * b->arms->dim], reward = spar_rng_uniform(&rng) < chance;
        if (t) {
            t->count[arm]++;
            t->sum[arm] += reward;
        }
        if (q % 4 == 0 && b->self->cls->reserve(b->self, 4))
            abort();
        b->self->cls->observe(b->self, arm, reward, 1);
        if (q % 4 == 3 || q == answers - 1)
            b->self->cls->settle(b->self);
    }
}

typedef struct faults {
    double mean, sd, covariance; /* largest errors */
    double accuracy;             /* what the belief says */
    bool finite;
} faults;

__attribute__((unused)) static faults bench_compare(belief *b, const textbook *t)
{
    size_t n = t->n;
    double *mean = spar__alloc(n, sizeof *mean), *sd = spar__alloc(n, sizeof *sd);
    faults f = {.finite = b->self->cls->moments(b->self, b->scratch, mean, sd) == SPAR_OK};
    for (size_t i = 0; i < n; i++) {
        const double *x = t->x + i * t->kernel.dim;
        double wanted = sqrt(fmax(t->covariance[i * n + i], 0));
        double unsure = wanted > 0 ? 2e-18 * (double)textbook_kernel_at(&t->kernel, x, x) / wanted : 0; /* its digits */
        f.finite &= isfinite(mean[i]) && isfinite(sd[i]) && sd[i] >= 0;
        f.mean = fmax(f.mean, fabs(mean[i] - t->mean[i] - (double)t->offset));
        f.sd = fmax(f.sd, fabs(sd[i] - wanted) - unsure);
    }
    for (size_t i = 0; i < 200; i++) {
        size_t p = i * 7919 % n, q = i * 104729 % n;
        double got = NAN;
        f.finite &= spar__gp_covariance(b->self, b->scratch, p, q, &got) == SPAR_OK && isfinite(got);
        f.covariance = fmax(f.covariance, fabs(got - t->covariance[p * n + q]));
    }
    f.accuracy = b->self->cls->accuracy(b->self);
    spar__free(mean);
    spar__free(sd);
    return f;
}

static const char *const bench_backings[] = {"dense", "basis", "grid", "matheron"};
enum { BACKINGS = sizeof bench_backings / sizeof *bench_backings };

typedef struct trial {
    int kernel, set;
    size_t side, dim, spread, answers;
    double length, noise;
} trial;

/* Every backing that can serve is within `bound` of the textbook, and knows how far it is off. */
__attribute__((unused)) static void bench_exact(const trial *c, double bound)
{
    static double x[2 * 900];
    size_t n = c->dim == 1 ? c->side : c->side * c->side;
    double worst = 0, worst_said = 0;
    bench_points(c->set, c->side, c->dim, x);
    textbook t;
    textbook_open(&t, (spar__kernel_kind)c->kernel, n, c->dim, x, c->length, 1.3, c->noise, 0.1);
    bool finite = true, honest = true, sober = true;
    size_t served = 0;
    for (size_t k = 0; k < BACKINGS; k++) {
        char spec[160];
        (void)snprintf(spec, sizeof spec, "gp(kernel=%s,length=%g,variance=1.3,noise=%g,mean=0.1,backing=%s)",
                       kernel_names[c->kernel], c->length, c->noise, bench_backings[k]);
        belief b;
        if (bench_open(&b, spec, n, c->dim, x, NULL))
            continue;
        bench_teach(&b, served++ ? NULL : &t, c->spread, c->answers);
        if (served == 1)
            textbook_solve(&t);
        faults f = bench_compare(&b, &t);
        double error = fmax(f.mean, f.sd), unit = c->kernel == SPAR__KERNEL_LINEAR ? 1e-11 / c->length : 1e-13;
        finite &= f.finite;
        honest &= error <= f.accuracy + unit + textbook_doubt(&t);
        sober &= f.accuracy <= 1e4 * fmax(error, unit);
        worst = fmax(worst, fmax(error, f.covariance));
        worst_said = fmax(worst_said, f.accuracy);
        belief_close(&b);
    }
    textbook_close(&t);
    bool small = c->noise >= 1e-4 && c->kernel != SPAR__KERNEL_LINEAR; /* of which it knows only the worst */
    ok(served > 1 && finite && honest && (!small || sober) && worst <= bound,
       "%s%s, %zu arms in %zu-D, length %g, noise %g, %zu answers: %zu backings", kernel_names[c->kernel],
       c->set == 1 ? ", some alike" : "", n, c->dim, c->length, c->noise, c->answers, served);
    printf("#   off by %.1e, at most %.1e by their own account\n", worst, worst_said);
    if (!(finite && honest && sober))
        printf("#   finite %d, honest %d, sober %d\n", finite, honest, sober);
}

#endif
