#include "posterior/gp/box.h"

#include "base/alloc.h"
#include "tap.h"

#include <stdlib.h>

enum { MOST = 2048 };

/* A quadratic with its axes askew, highest at (0.3, 0.7, 0.4 ...). */
static double bowl(size_t dim, const double *x, double *gradient)
{
    double value = 0;
    for (size_t d = 0; d < dim; d++) {
        double top = d % 3 == 0   ? 0.3
                     : d % 3 == 1 ? 0.7
                                  : 0.4,
               next = d + 1 < dim ? x[d + 1] - (d % 3 == 0   ? 0.7
                                                : d % 3 == 1 ? 0.4
                                                             : 0.3)
                                  : 0;
        value -= (x[d] - top) * (x[d] - top) * (1 + 5 * (double)d) + 0.8 * (x[d] - top) * next;
    }
    for (size_t d = 0; gradient && d < dim; d++) {
        double y[16], h = 1e-6;
        memcpy(y, x, dim * sizeof *y);
        y[d] = x[d] + h;
        double up = bowl(dim, y, NULL);
        y[d] = x[d] - h;
        gradient[d] = (up - bowl(dim, y, NULL)) / (2 * h);
    }
    return value;
}

static void bowl_values(const void *self, size_t n, const double *x, double *value)
{
    size_t dim = *(const size_t *)self;
    for (size_t i = 0; i < n; i++)
        value[i] = bowl(dim, x + i * dim, NULL);
}

static double bowl_slope(const void *self, const double *x, double *gradient)
{
    return bowl(*(const size_t *)self, x, gradient);
}

static spar_scratch *scratch;
static spar_rng rng;

static void test_ranges(void)
{
    static const double ones[10] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    for (size_t dim = 1; dim <= 10; dim += 3) {
        spar__space_axis axis[10];
        for (size_t d = 0; d < dim; d++)
            axis[d] = (spar__space_axis){SPAR__AXIS_RANGE, 0, 1, 0};
        spar_space space = {dim, axis};
        spar__search search = {&space, dim, ones};
        spar__surface surface = {&dim, bowl_values, bowl_slope, 1};
        double x[10], value, off = 0;
        for (int start = 0; start < 20; start++) {
            for (size_t d = 0; d < dim; d++)
                x[d] = spar_rng_uniform(&rng);
            if (spar__search_climb(&search, &surface, scratch, x, &value))
                abort();
            for (size_t d = 0; d < dim; d++)
                off = fmax(off, fabs(x[d] - (d % 3 == 0 ? 0.3 : d % 3 == 1 ? 0.7 : 0.4)));
        }
        ok(off < 1e-3, "%zu ranges: the top of a bowl (off by %.1e)", dim, off);
        axis[0].lo = 0.5;
        x[0] = 0.9;
        (void)spar__search_climb(&search, &surface, scratch, x, &value);
        ok(x[0] == 0.5, "%zu ranges: the top is outside, the answer on the edge", dim);
        axis[0].hi = 0.5;
        (void)spar__search_climb(&search, &surface, scratch, x, &value);
        ok(x[0] == 0.5, "%zu ranges: one without width stays", dim);
    }
}

/* Rosenbrock's valley, turned upside down. */
static double valley(const void *self, const double *x, double *gradient)
{
    (void)self;
    double a = 1 - x[0], b = x[1] - x[0] * x[0];
    gradient[0] = 2 * a + 400 * x[0] * b;
    gradient[1] = -200 * b;
    return -a * a - 100 * b * b;
}

static void valley_values(const void *self, size_t n, const double *x, double *value)
{
    double gradient[2];
    for (size_t i = 0; i < n; i++)
        value[i] = valley(self, x + 2 * i, gradient);
}

static void test_valley(void)
{
    static const double scale[2] = {1, 1};
    spar__space_axis axis[2] = {{SPAR__AXIS_RANGE, -2, 2, 0}, {SPAR__AXIS_RANGE, -1, 3, 0}};
    spar_space space = {2, axis};
    spar__search search = {&space, 2, scale};
    spar__surface surface = {NULL, valley_values, valley, 1};
    double x[2] = {-1.2, 1}, value;
    (void)spar__search_climb(&search, &surface, scratch, x, &value);
    ok(value > -1e-4, "along a curved valley (%g, %g), %.1e from the top", x[0], x[1], -value);
}

/* A mixed box: range, 11 levels, 4 choices, 5000 levels. Highest at 0.25, level 3, choice 2, level 1234. */
enum { MIXED = 7 };

static double mixed(const void *self, const double *x, double *gradient)
{
    (void)self;
    memset(gradient, 0, MIXED * sizeof *gradient);
    gradient[0] = -2 * (x[0] - 0.25) + 0.2 * x[4];
    double choice = 0.1 * x[2] + 0.2 * x[3] + 0.5 * x[4] + 0.3 * x[5];
    return -(x[0] - 0.25) * (x[0] - 0.25) - fabs(x[1] - 0.3) + choice - 3 * fabs(x[6] - 1234.0 / 4999) +
           0.2 * x[4] * x[0];
}

static void mixed_values(const void *self, size_t n, const double *x, double *value)
{
    double gradient[MIXED];
    for (size_t i = 0; i < n; i++)
        value[i] = mixed(self, x + i * MIXED, gradient);
}

static double forbidden[MIXED];

static void guarded_values(const void *self, size_t n, const double *x, double *value)
{
    mixed_values(self, n, x, value);
    for (size_t i = 0; i < n; i++)
        if (memcmp(x + i * MIXED, forbidden, sizeof forbidden) == 0)
            value[i] = -INFINITY;
}

static void test_mixed(void)
{
    static const double scale[MIXED] = {0.2, 0.2, 1, 1, 1, 1, 0.2};
    spar__space_axis axis[4] = {{SPAR__AXIS_RANGE, 0, 1, 0},
                                {SPAR__AXIS_LEVELS, 0, 1, 11},
                                {SPAR__AXIS_CHOICE, 0, 1, 4},
                                {SPAR__AXIS_LEVELS, 0, 1, 5000}};
    spar_space space = {4, axis};
    spar_arms *arms = NULL;
    if (spar_arms_new_space(&space, &arms))
        abort();
    spar__search search = {&space, MIXED, scale};
    spar__surface surface = {NULL, mixed_values, mixed, 1};
    static double x[MOST * MIXED];
    bool inside = true, near_by = true, top = true;
    double value, out[MIXED], moved = 0, changed = 0;
    size_t n = spar__search_spread(&search, 500, scratch, &rng, x), level[11] = {0}, choice[4] = {0};
    for (size_t i = 0; i < n; i++) {
        inside &= spar_arms_admit(arms, x + i * MIXED);
        level[(size_t)rint(10 * x[i * MIXED + 1])]++;
        for (size_t k = 0; k < 4; k++)
            choice[k] += x[i * MIXED + 2 + k] == 1;
        spar__search_nearby(&search, x + i * MIXED, 0.1, &rng, out);
        near_by &= spar_arms_admit(arms, out) && fabs(out[0] - x[i * MIXED]) < 0.02 * 6;
        moved += (out[0] - x[i * MIXED]) * (out[0] - x[i * MIXED]);
        changed += memcmp(out + 1, x + i * MIXED + 1, (MIXED - 1) * sizeof *x) != 0;
    }
    bool even = n == 500;
    for (size_t k = 0; k < 11; k++)
        even &= level[k] >= 44 && level[k] <= 47;
    for (size_t k = 0; k < 4; k++)
        even &= choice[k] == 125;
    ok(inside && even, "points spread over ranges, levels and choices, the same number for every value");
    near(sqrt(moved / 500), 0.02, 0.003, "nearby is as near as was said");
    ok(near_by && changed > 100 && changed < 250, "and sometimes at another level or choice (%g of 500)", changed);
    for (size_t i = 0; i < 20; i++) {
        double *y = x + i * MIXED;
        (void)spar__search_climb(&search, &surface, scratch, y, &value);
        top &= fabs(y[0] - 0.35) < 1e-3 && y[1] == spar__axis_level(&axis[1], 3) && y[4] == 1 && y[5] == 0 &&
               y[6] == spar__axis_level(&axis[3], 1234) && spar_arms_admit(arms, y);
    }
    ok(top, "ranges, levels and choices are climbed together");
    axis[0].lo = axis[0].hi = 0.35;
    memcpy(forbidden, x, sizeof forbidden);
    forbidden[0] = 0.35;
    surface.values = guarded_values;
    double y[MIXED];
    memcpy(y, x + 30 * MIXED, sizeof y);
    y[0] = 0.35;
    (void)spar__search_climb(&search, &surface, scratch, y, &value);
    ok(memcmp(y, forbidden, sizeof y) != 0 && isfinite(value), "a point that is not wanted is passed by");
    spar_arms_free(arms);
}

static void test_small(void)
{
    static const double scale[4] = {1, 1, 1, 1};
    spar__space_axis axis[3] = {
        {SPAR__AXIS_LEVELS, 0, 1, 3}, {SPAR__AXIS_CHOICE, 0, 2, 2}, {SPAR__AXIS_LEVELS, -1, 1, 2}};
    spar_space space = {3, axis};
    spar__search search = {&space, 4, scale};
    double x[64 * 4];
    size_t n = spar__search_spread(&search, 12, scratch, &rng, x), same = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            same += memcmp(x + 4 * i, x + 4 * j, 4 * sizeof *x) == 0;
    ok(n == 12 && same == 0, "where there are few points they are all looked at");
    ok(spar__search_spread(&search, 11, scratch, &rng, x) == 11, "but not more than asked for");
}

static void test_memory(void)
{
    static const double ones[2] = {1, 1};
    spar__space_axis axis[2] = {{SPAR__AXIS_RANGE, 0, 1, 0}, {SPAR__AXIS_RANGE, 0, 1, 0}};
    spar_space space = {2, axis};
    spar__search search = {&space, 2, ones};
    size_t dim = 2, k = 1;
    spar__surface surface = {&dim, bowl_values, bowl_slope, 1};
    bool clean = true;
    size_t failed = 0;
    static double many[MOST * 2];
    for (bool through = false; !through && k < 20; k++) {
        spar_scratch *small = NULL;
        double x[2] = {0.5, 0.5}, value;
        if (spar_scratch_new(&small))
            abort();
        spar__alloc_fail_at(k);
        spar_status status = spar__search_climb(&search, &surface, small, x, &value);
        size_t n = spar__search_spread(&search, MOST, small, &rng, many);
        through = spar__alloc_count() < k;
        spar__alloc_fail_at(0);
        clean &= (status == SPAR_OK || status == SPAR_NOMEM) && (n == MOST || n == 0);
        failed += status || !n;
        clean &= !through || (status == SPAR_OK && n == MOST);
        spar_scratch_free(small);
    }
    ok(clean && failed >= 3, "memory that fails is told");
}

int main(void)
{
    spar_rng_seed(&rng, 41, 1, 1);
    if (spar_scratch_new(&scratch))
        abort();
    test_ranges();
    test_valley();
    test_mixed();
    test_small();
    test_memory();
    spar_scratch_free(scratch);
    return done();
}
