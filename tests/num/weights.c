/* Against long double normal equations: A = I + sum weight phi phi^T, solved by Cholesky. */
#include "num/laplace.h"

#include "base/alloc.h"
#include "num/elementary.h"
#include "tap.h"

#include <stdint.h>
#include <stdlib.h>

enum { MOST = 96 };

static uint64_t seed = 1;

static double uniform(void) /* in (-1, 1) */
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(seed >> 11) * 0x1p-52 - 1;
}

/* The textbook's posterior of the same observations. */
typedef struct textbook {
    size_t r;
    long double A[MOST][MOST], b[MOST], L[MOST][MOST];
} textbook;

static void textbook_clear(textbook *t, size_t r)
{
    memset(t, 0, sizeof *t);
    t->r = r;
    for (size_t i = 0; i < r; i++)
        t->A[i][i] = 1;
}

static void textbook_add(textbook *t, const double *phi, double weight, double y)
{
    for (size_t i = 0; i < t->r; i++) {
        for (size_t j = 0; j < t->r; j++)
            t->A[i][j] += (long double)weight * (long double)phi[i] * (long double)phi[j];
        t->b[i] += (long double)weight * (long double)y * (long double)phi[i];
    }
}

static void textbook_factor(textbook *t)
{
    for (size_t j = 0; j < t->r; j++)
        for (size_t i = j; i < t->r; i++) {
            long double sum = t->A[i][j];
            for (size_t k = 0; k < j; k++)
                sum -= t->L[i][k] * t->L[j][k];
            t->L[i][j] = i == j ? sqrtl(sum) : sum / t->L[j][j];
        }
}

static void textbook_half(const textbook *t, const long double *rhs, long double *x)
{
    for (size_t i = 0; i < t->r; i++) {
        x[i] = rhs[i];
        for (size_t k = 0; k < i; k++)
            x[i] -= t->L[i][k] * x[k];
        x[i] /= t->L[i][i];
    }
}

/* Mean and standard deviation of phi.w. */
static void textbook_moments(const textbook *t, const double *phi, double *mean, double *sd)
{
    long double p[MOST], hp[MOST], hb[MOST], m = 0, v = 0;
    for (size_t i = 0; i < t->r; i++)
        p[i] = (long double)phi[i];
    textbook_half(t, p, hp);
    textbook_half(t, t->b, hb);
    for (size_t i = 0; i < t->r; i++) {
        m += hp[i] * hb[i];
        v += hp[i] * hp[i];
    }
    *mean = (double)m;
    *sd = (double)sqrtl(v);
}

static void moments(const spar__weights *w, const double *phi, double *mean, double *sd)
{
    double wanted[MOST], half[MOST], m = 0, v = 0;
    memcpy(wanted, w->z, w->r * sizeof *wanted);
    memcpy(half, phi, w->r * sizeof *half);
    spar__weights_solve(w, 1, wanted);
    spar__weights_half(w, 1, half);
    for (size_t i = 0; i < w->r; i++) {
        m += phi[i] * wanted[i];
        v += half[i] * half[i];
    }
    *mean = m;
    *sd = sqrt(v);
}

/* Rows like those of a smooth kernel's basis: columns whose norms fall by 14 orders of magnitude in squares. */
static void make_rows(size_t n, size_t r, double *phi)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < r; j++)
            phi[i * r + j] = uniform() * pow(10, -7.0 * (double)j / (double)r);
}

static double worst_mean, worst_sd;

static void compare(const spar__weights *w, const textbook *t, size_t n, const double *phi)
{
    worst_mean = worst_sd = 0;
    for (size_t i = 0; i < n; i++) {
        double mean, sd, wanted_mean, wanted_sd;
        moments(w, phi + i * w->r, &mean, &sd);
        textbook_moments(t, phi + i * w->r, &wanted_mean, &wanted_sd);
        worst_mean = fmax(worst_mean, isnan(mean) ? 1e9 : fabs(mean - wanted_mean));
        worst_sd = fmax(worst_sd, isnan(sd) ? 1e9 : fabs(sd / wanted_sd - 1));
    }
}

/* count observations a step, of n points, which repeat. */
static void check_against_textbook(size_t r, size_t steps, size_t count, double weight)
{
    enum { N = 24 };
    static double phi[N * MOST];
    static textbook t;
    double *work = spar__alloc(8 * (spar__padded(r) + 1), sizeof *work);
    spar__weights w;
    if (spar__weights_init(&w, r) || !work)
        abort();
    make_rows(N, r, phi);
    memcpy(phi + r, phi, r * sizeof *phi); /* one point twice, and a near duplicate */
    for (size_t j = 0; j < r; j++)
        phi[2 * r + j] = phi[j] * (1 + 1e-9);
    textbook_clear(&t, r);
    for (size_t s = 0; s < steps; s++) {
        const double *rows[8];
        double weights[8], y[8];
        for (size_t i = 0; i < count; i++) {
            rows[i] = phi + (size_t)((uniform() + 1) / 2 * N) * r;
            weights[i] = weight * (1 + uniform() / 2);
            y[i] = uniform() > 0 ? 1 : 0;
            textbook_add(&t, rows[i], weights[i], y[i]);
        }
        spar__weights_add(&w, count, rows, weights, y, work);
    }
    textbook_factor(&t);
    compare(&w, &t, N, phi);
    ok(worst_mean <= 1e-10 && worst_sd <= 1e-10, "r=%zu, %zu steps of %zu, weight %g: mean %.1e sd %.1e of itself", r,
       steps, count, weight, worst_mean, worst_sd);
    bool tidy = true;
    for (size_t i = 0; i < r; i++)
        for (size_t j = 0; j < w.stride; j++)
            tidy &= (j >= i && j < r) ? isfinite(w.R[i * w.stride + j]) : w.R[i * w.stride + j] == 0;
    for (size_t i = 0; i < r; i++)
        tidy &= w.R[i * w.stride + i] >= 1;
    ok(tidy, "r=%zu: zeros outside the triangle, a diagonal of at least 1", r);
    spar__weights_free(&w);
    spar__free(work);
}

/* Many right-hand sides give the same as one at a time. */
static void check_solves(void)
{
    static const size_t sizes[] = {0, 1, 2, 7, 8, 9, 19, 40, 65};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        size_t r = sizes[s];
        static double phi[8 * MOST], one[MOST];
        double *many = spar__alloc(r * 16, sizeof *many); /* no more: the address sanitizer sees a step beyond */
        double work[4 * (MOST + 1)], weight[] = {3, 5, 7, 11}, y[] = {1, 0, 1, 1}, worst = 0;
        spar__weights w;
        if (!many || spar__weights_init(&w, r))
            abort();
        make_rows(8, r, phi);
        for (size_t i = 0; i < 2; i++) {
            const double *rows[] = {phi + 4 * i * r, phi + (4 * i + 1) * r, phi + (4 * i + 2) * r,
                                    phi + (4 * i + 3) * r};
            spar__weights_add(&w, 4, rows, weight, y, work);
        }
        for (size_t half = 0; half < 2; half++) {
            for (size_t i = 0; i < r * 16; i++)
                many[i] = sin((double)i);
            (half ? spar__weights_half : spar__weights_solve)(&w, 16, many);
            for (size_t c = 0; c < 16; c++) {
                for (size_t i = 0; i < r; i++)
                    one[i] = sin((double)(i * 16 + c));
                (half ? spar__weights_half : spar__weights_solve)(&w, 1, one);
                for (size_t i = 0; i < r; i++)
                    worst = fmax(worst, fabs(many[i * 16 + c] - one[i]));
                /* and multiplied back they are the right-hand side */
                for (size_t i = 0; i < r; i++) {
                    double sum = 0;
                    for (size_t j = 0; j < r; j++)
                        sum += (half ? w.R[j * w.stride + i] : w.R[i * w.stride + j]) * one[j];
                    worst = fmax(worst, fabs(sum - sin((double)(i * 16 + c))));
                }
            }
        }
        ok(worst < 1e-13, "r=%zu: solves (%.1e)", r, worst);
        spar__weights_free(&w);
        spar__free(many);
    }
}

/* Growing by appended dimensions is the same as having had them from the start. */
static void check_append(void)
{
    enum { R = 30 };
    static double phi[R * R];
    double work[R * 9], weight = 4, y = 1;
    make_rows(R, R, phi);
    spar__weights grown, whole;
    if (spar__weights_init(&grown, 0) || spar__weights_init(&whole, R))
        abort();
    bool good = true;
    for (size_t i = 0; i < R; i++) {
        good &= spar__weights_grow(&grown, i + 1) == SPAR_OK;
        spar__weights_append(&grown);
        for (size_t j = i + 1; j < R; j++)
            phi[i * R + j] = 0;
        const double *row = phi + i * R;
        y = uniform();
        spar__weights_add(&grown, 1, &row, &weight, &y, work);
        spar__weights_add(&whole, 1, &row, &weight, &y, work);
    }
    for (size_t i = 0; i < R; i++)
        good &= memcmp(grown.R + i * grown.stride, whole.R + i * whole.stride, R * sizeof(double)) == 0;
    good &= memcmp(grown.z, whole.z, R * sizeof(double)) == 0;
    ok(good, "appended dimensions give the same bits as reserved ones");
    spar__weights_forget(&whole);
    for (size_t i = 0; i < R; i++)
        for (size_t j = 0; j < R; j++)
            good &= whole.R[i * whole.stride + j] == (double)(i == j);
    ok(good && whole.z[0] == 0, "forget goes back to the prior");
    spar__weights_free(&grown);
    spar__weights_free(&whole);
}

/* What the comment in weights.h says of a million observations. */
static void check_drift(size_t r, double weight, double bound)
{
    enum { N = 64 };
    static double phi[N * MOST], work[N * (MOST + 1)];
    make_rows(N, r, phi);
    spar__weights steps, once;
    double n[N] = {0}, sum[N] = {0}, mean, sd, mean_once, sd_once, far_mean = 0, far_sd = 0;
    if (spar__weights_init(&steps, r) || spar__weights_init(&once, r))
        abort();
    for (size_t t = 0; t < 1000000; t += 4) {
        const double *rows[4];
        double y[4], weights[] = {weight, weight, weight, weight};
        for (size_t i = 0; i < 4; i++) {
            size_t at = (size_t)((uniform() + 1) / 2 * N);
            rows[i] = phi + at * r;
            y[i] = uniform() > 0 ? 1 : 0;
            n[at] += 1;
            sum[at] += y[i];
        }
        spar__weights_add(&steps, 4, rows, weights, y, work);
    }
    const double *rows[N];
    for (size_t i = 0; i < N; i++) {
        rows[i] = phi + i * r;
        sum[i] /= n[i];
        n[i] *= weight;
    }
    spar__weights_add(&once, N, rows, n, sum, work);
    for (size_t i = 0; i < N; i++) {
        moments(&steps, rows[i], &mean, &sd);
        moments(&once, rows[i], &mean_once, &sd_once);
        far_mean = fmax(far_mean, fabs(mean - mean_once));
        far_sd = fmax(far_sd, fabs(sd / sd_once - 1));
    }
    ok(far_mean < bound && far_sd < bound, "r=%zu, weight %g: a million steps drift by %.1e, sd by %.1e of itself", r,
       weight, far_mean, far_sd);
    spar__weights_free(&steps);
    spar__weights_free(&once);
}

/* The same bits at every instruction set. */
static void check_levels(void)
{
    enum { R = 21 };
    static double result[3][R * 24 + R + R * 8];
    int count = 0;
    for (int level = 0; level < SPAR__CPU_COUNT; level++) {
        if (!spar__cpu_force((spar__cpu)level))
            continue;
        static double phi[7 * R], work[7 * 25], weight[7] = {1, 2, 3, 4, 5, 6, 7}, y[7] = {1, 1, 0, 1, 0, 0, 1};
        const double *rows[7];
        seed = 9;
        make_rows(7, R, phi);
        for (size_t i = 0; i < 7; i++)
            rows[i] = phi + i * R;
        spar__weights w;
        if (spar__weights_init(&w, R))
            abort();
        double *out = result[count++];
        spar__weights_add(&w, 7, rows, weight, y, work);
        memcpy(out, w.R, R * 24 * sizeof *out);
        memcpy(out + R * 24, w.z, R * sizeof *out);
        spar__weights_solve(&w, 1, out + R * 24);
        for (size_t i = 0; i < R * 8; i++)
            out[R * 25 + i] = (double)(i % 13);
        spar__weights_solve(&w, 8, out + R * 25);
        spar__weights_half(&w, 8, out + R * 25);
        spar__weights_free(&w);
    }
    bool same = true;
    for (int i = 1; i < count; i++)
        same &= memcmp(result[i], result[0], sizeof result[0]) == 0;
    ok(same, "the same bits at %d instruction sets", count);
    (void)spar__cpu_force(spar__cpu_choose(NULL));
}

static void check_memory(void)
{
    bool good = true;
    for (size_t k = 1; k <= 3; k++) {
        spar__weights w;
        spar__alloc_fail_at(k);
        good &= spar__weights_init(&w, 10) == SPAR_NOMEM && w.r == 0;
        spar__alloc_fail_at(0);
        spar__weights_free(&w);
        good &= spar__weights_init(&w, 10) == SPAR_OK;
        spar__alloc_fail_at(k);
        good &= spar__weights_grow(&w, 17) == SPAR_NOMEM && w.r == 10 && w.stride == 16 && w.R[9 * 16 + 9] == 1;
        spar__alloc_fail_at(0);
        spar__weights_free(&w);
    }
    spar__weights w;
    good &= spar__weights_init(&w, SIZE_MAX / 4) == SPAR_NOMEM;
    spar__weights_free(&w);
    ok(good, "memory may fail");
}

int main(void)
{
    static const size_t sizes[] = {1, 5, 8, 19, 64, MOST};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t count = 1; count <= 8; count += s + 1)
            check_against_textbook(sizes[s], 300, count, 40);
    check_against_textbook(19, 2000, 4, 1e9);
    check_against_textbook(64, 2000, 3, 1e9);
    check_solves();
    check_append();
    check_drift(19, 40, 1e-12);
    check_drift(19, 1e6, 1e-12);
    check_drift(64, 40, 1e-12);
    check_levels();
    check_memory();
    return done();
}
