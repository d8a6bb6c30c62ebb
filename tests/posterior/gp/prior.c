#include "posterior/gp/grid.h"

#include "posterior/belief.h"
#include "posterior/stat.h"

enum { MOST = 300, DRAWS = 3000 };

static const double lengths[3] = {0.3, 0.5, 0.4};

typedef struct setting {
    spar_arms *arms;
    spar__gp_points points;
    spar__gp_model model;
    spar__prior prior;
} setting;

/* side^dim points of a grid that is not even, without every hole-th one (0: none); a bit beside it when not on it. */
static setting open_setting(spar__kernel_kind kind, size_t side, size_t dim, size_t hole, bool on_it)
{
    static double x[MOST * 3];
    size_t all = 1, n = 0;
    for (size_t d = 0; d < dim; d++)
        all *= side;
    for (size_t i = 0; i < all; i++) {
        size_t rest = i;
        if (hole && i % hole == 1)
            continue;
        for (size_t d = 0; d < dim; d++, rest /= side) {
            double part = (double)(rest % side) / (double)(side - 1);
            x[n * dim + d] = part * (0.5 + part / 2) + (on_it ? 0 : 1e-3 * (double)i);
        }
        n++;
    }
    setting s = {.model = {.kernel = {kind, dim, lengths, 1.2}, .noise = 0.1}};
    if (spar_arms_new(n, dim, x, NULL, &s.arms) || spar__gp_points_make(s.arms, &s.points))
        abort();
    return s;
}

static void close_setting(setting *s)
{
    spar__prior_fini(&s->prior);
    spar__gp_points_free(&s->points);
    spar_arms_free(s->arms);
}

static double worst_reach(const setting *s)
{
    const spar__prior *prior = &s->prior;
    double *near = spar__alloc(prior->near, sizeof *near), *far = spar__alloc(prior->far, sizeof *far), worst = 0;
    for (size_t u = 0; u < s->points.n; u += 7) {
        const double *at = s->points.x + u * s->points.dim;
        spar__prior_reach(prior, at, near, far);
        for (size_t p = 0; p < s->points.n; p++) {
            size_t cell = spar__prior_cell(prior, p);
            double wanted = spar__kernel_at(&s->model.kernel, at, s->points.x + p * s->points.dim);
            worst = fmax(worst, fabs(near[cell / prior->far] * far[cell % prior->far] - wanted));
        }
    }
    spar__free(near);
    spar__free(far);
    return worst;
}

/* Projections of draws on random directions against their variance under the kernel. */
static double worst_draw(const setting *s)
{
    enum { WAYS = 6 };
    static double way[WAYS][MOST];
    const spar__prior *prior = &s->prior;
    size_t n = s->points.n;
    spar_rng rng;
    spar_rng_seed(&rng, 81, 1, 1);
    double variance[WAYS] = {0}, square[WAYS] = {0}, sum[WAYS] = {0}, worst = 0;
    double *value = spar__alloc(prior->cells, sizeof *value), *work = spar__alloc(prior->cells, sizeof *work);
    for (size_t w = 0; w < WAYS; w++) {
        for (size_t p = 0; p < n; p++)
            way[w][p] = w == 0 ? p == n - 1 : w == 1 ? (p == 0) - (double)(p == 1) : spar_rng_uniform(&rng) - 0.5;
        for (size_t p = 0; p < n; p++)
            for (size_t q = 0; q < n; q++)
                variance[w] +=
                    way[w][p] * way[w][q] *
                    spar__kernel_at(&s->model.kernel, s->points.x + p * s->points.dim, s->points.x + q * s->points.dim);
    }
    for (int t = 0; t < DRAWS; t++) {
        spar__prior_draw(prior, &rng, value, work);
        for (size_t w = 0; w < WAYS; w++) {
            double along = 0;
            for (size_t p = 0; p < n; p++)
                along += way[w][p] * value[spar__prior_cell(prior, p)];
            sum[w] += along;
            square[w] += along * along;
        }
    }
    for (size_t w = 0; w < WAYS; w++) {
        worst = fmax(worst, fabs(sum[w]) / sqrt(DRAWS * variance[w]));
        worst = fmax(worst, fabs(chi_sigma(square[w] / variance[w], DRAWS)));
    }
    spar__free(value);
    spar__free(work);
    return worst;
}

static void check(spar__kernel_kind kind, size_t side, size_t dim, size_t hole, bool on_it, size_t axes)
{
    setting s = open_setting(kind, side, dim, hole, on_it);
    s.model.points = &s.points;
    if (spar__prior_init(&s.prior, &s.model, NULL))
        abort();
    double reach = worst_reach(&s), draw = worst_draw(&s);
    ok(s.prior.d == axes, "kernel %d, %zu points in %zu-D: %zu axes", kind, s.points.n, dim, axes);
    ok(reach < 1e-14 && draw < 5, "the kernel's covariance (%.1e), and draws have it (%.1f sigma)", reach, draw);
    close_setting(&s);
}

int main(void)
{
    check(SPAR__KERNEL_PRODUCT_MATERN32, 12, 2, 0, true, 2);
    check(SPAR__KERNEL_PRODUCT_MATERN52, 12, 2, 9, true, 2);
    check(SPAR__KERNEL_SE, 6, 3, 0, true, 3);
    check(SPAR__KERNEL_PRODUCT_MATERN32, 6, 3, 5, true, 3);
    check(SPAR__KERNEL_MATERN32, 12, 2, 0, true, 1);
    check(SPAR__KERNEL_PRODUCT_MATERN32, 12, 2, 0, false, 1);
    check(SPAR__KERNEL_MATERN52, 100, 1, 0, true, 1);
    check(SPAR__KERNEL_LINEAR, 12, 2, 0, true, 1);
    return done();
}
