#include "env/function.h"

#include "base/alloc.h"

#include "tap.h"

enum { DRAWS = 40000, MOST = 36 };

static double squared_exponential(double x, double y, double length)
{
    return exp(-(x - y) * (x - y) / (2 * length * length));
}

static double wanted_covariance(const spar__gp_draw *draw, double length, size_t i, size_t j)
{
    size_t p = draw->points;
    double step = 1 / (double)(p - 1), k = 1;
    for (size_t d = 0; d < draw->dim; d++, i /= p, j /= p)
        k *= squared_exponential(step * (double)(i % p), step * (double)(j % p), length);
    return k;
}

/* Sample means and covariances, each within 5 sigma: Var(u_i u_j) = K_ii K_jj + K_ij^2. */
static void check_law(size_t points, size_t dim, double length)
{
    spar__gp_draw draw = {0};
    size_t n = dim == 2 ? points * points : points;
    if (!ok(spar__gp_draw_init(&draw, points, dim, length, NULL) == SPAR_OK, "%zu points, %zu dimensions, length %g",
            points, dim, length))
        return;
    static double mean[MOST], second[MOST][MOST], u[MOST];
    memset(mean, 0, sizeof mean);
    memset(second, 0, sizeof second);
    spar_rng rng;
    spar_rng_seed(&rng, 3, points, dim);
    for (size_t s = 0; s < DRAWS; s++) {
        (void)spar__gp_draw_make(&draw, &rng, u);
        for (size_t i = 0; i < n; i++) {
            mean[i] += u[i] / DRAWS;
            for (size_t j = 0; j <= i; j++)
                second[i][j] += u[i] * u[j] / DRAWS;
        }
    }
    double sigmas = 0, covariance = 0;
    for (size_t i = 0; i < n; i++) {
        sigmas = fmax(sigmas, fabs(mean[i]) * sqrt(DRAWS));
        for (size_t j = 0; j <= i; j++) {
            double k = wanted_covariance(&draw, length, i, j);
            covariance = fmax(covariance, fabs(second[i][j] - k) / sqrt((1 + k * k) / DRAWS));
        }
    }
    ok(sigmas < 5, "mean 0 (%.2f sigma)", sigmas);
    ok(covariance < 5, "the covariance of the kernel (%.2f sigma)", covariance);
    spar__gp_draw_free(&draw);
}

static void check_large(void)
{
    spar__gp_draw draw = {0};
    size_t n = 1000;
    spar_status status = spar__gp_draw_init(&draw, n, 2, 0.2, NULL);
    ok(status == SPAR_OK && draw.basis.r < 40, "a smooth function of a million points has few coefficients (%zu)",
       draw.basis.r);
    double *u = spar__alloc(n * n, sizeof *u), worst = 0, sum = 0;
    spar_rng rng;
    spar_rng_seed(&rng, 1, 1, 1);
    (void)spar__gp_draw_make(&draw, &rng, u);
    for (size_t i = 0; i + 1 < n; i++)
        for (size_t j = 0; j + 1 < n; j++) {
            worst = fmax(worst, fmax(fabs(u[i * n + j] - u[i * n + j + 1]), fabs(u[i * n + j] - u[(i + 1) * n + j])));
            sum += u[i * n + j] * u[i * n + j] / 1e6;
        }
    ok(worst < 0.05 && sum > 0.05 && sum < 5, "it is smooth along both axes (%.2g), and not flat (%.2g)", worst, sum);
    spar__free(u);
    spar__gp_draw_free(&draw);
}

static void check_refusals(void)
{
    spar__gp_draw draw = {0};
    spar_error err = {0};
    ok(spar__gp_draw_init(&draw, 2000, 1, 1e-6, &err) == SPAR_UNSUPPORTED, "thousands of independent values");
    same_text(err.text,
              "function: length=1e-06 with points=2000 is too rough a function to draw: take fewer points or a "
              "greater length",
              "are refused");
    spar__gp_draw_free(&draw);
    for (size_t dim = 1; dim <= 2; dim++) {
        size_t k = 1, refused = 0;
        for (bool whole = false; !whole; k++) {
            double u[9];
            spar_rng rng;
            spar_rng_seed(&rng, 1, 1, 1);
            draw = (spar__gp_draw){0};
            spar__alloc_fail_at(k);
            spar_status status = spar__gp_draw_init(&draw, 3, dim, 0.2, NULL);
            if (!status)
                status = spar__gp_draw_make(&draw, &rng, u);
            whole = spar__alloc_count() < k;
            spar__alloc_fail_at(0);
            refused += status == SPAR_NOMEM;
            spar__gp_draw_free(&draw);
        }
        ok(refused == k - 2 && refused >= 2, "each of %zu allocations may fail", refused);
    }
}

int main(void)
{
    check_law(30, 1, 0.2);
    check_law(30, 1, 0.01);
    check_law(5, 1, 100);
    check_law(6, 2, 0.2);
    check_law(4, 2, 1);
    check_large();
    check_refusals();
    return done();
}
