/* The minimum over a mixed space, by search: of many random points and the known minimiser the best few are improved
 * along one axis after the other until nothing is gained. Along an axis with levels all are tried, along a range a scan
 * and a golden section. A few milliseconds, at the birth of an environment. */
#include "env/least.h"

#include <spar/rng.h>

#include <math.h>
#include <string.h>

enum { POINTS = 1 << 14, KEPT = 32, MOST_SWEEPS = 500, SCAN = 64, SECTIONS = 45 };

typedef struct candidate {
    double value;
    double x[SPAR__TEST_MOST_DIM];
} candidate;

typedef struct search {
    const spar__test_function *f;
    size_t dim;
    const spar_axis *axis;
} search;

static double value_at(const search *s, candidate *c, size_t d, double x)
{
    double before = c->x[d];
    c->x[d] = x;
    double value = spar__test_function_at(s->f, s->dim, c->x);
    c->x[d] = before;
    return value;
}

/* Moves there if it is better. */
static void offer(const search *s, candidate *c, size_t d, double x)
{
    double value = value_at(s, c, d, x);
    if (value < c->value) {
        c->value = value;
        c->x[d] = x;
    }
}

/* The golden section of lo .. hi. */
static void narrow(const search *s, candidate *c, size_t d, double lo, double hi)
{
    static const double RATIO = 0.61803398874989485;
    double left = hi - RATIO * (hi - lo), right = lo + RATIO * (hi - lo);
    double at_left = value_at(s, c, d, left), at_right = value_at(s, c, d, right);
    for (size_t i = 0; i < SECTIONS; i++) {
        if (at_left < at_right) {
            hi = right;
            right = left;
            at_right = at_left;
            left = hi - RATIO * (hi - lo);
            at_left = value_at(s, c, d, left);
        } else {
            lo = left;
            left = right;
            at_left = at_right;
            right = lo + RATIO * (hi - lo);
            at_right = value_at(s, c, d, right);
        }
    }
    offer(s, c, d, (lo + hi) / 2);
}

static void improve_axis(const search *s, candidate *c, size_t d)
{
    const spar_axis *axis = &s->axis[d];
    bool levels = axis->kind == SPAR_AXIS_LEVELS;
    for (size_t i = 0; i < (levels ? axis->n : SCAN + 1); i++)
        offer(s, c, d, levels ? spar_axis_level(axis, i) : (double)i / SCAN);
    if (!levels)
        narrow(s, c, d, fmax(c->x[d] - 1.0 / SCAN, 0), fmin(c->x[d] + 1.0 / SCAN, 1));
}

static void improve(const search *s, candidate *c)
{
    double before = INFINITY;
    for (size_t sweep = 0; sweep < MOST_SWEEPS && before - c->value > 1e-13 * (1 + fabs(c->value)); sweep++) {
        before = c->value;
        for (size_t d = 0; d < s->dim; d++)
            improve_axis(s, c, d);
    }
}

/* The nearest point of the space. */
static void snap(const search *s, candidate *c)
{
    for (size_t d = 0; d < s->dim; d++)
        if (s->axis[d].kind == SPAR_AXIS_LEVELS)
            c->x[d] = spar_axis_level(&s->axis[d], (size_t)rint(c->x[d] * (double)(s->axis[d].n - 1)));
    c->value = spar__test_function_at(s->f, s->dim, c->x);
}

/* The best candidates so far, best first. */
static size_t keep(candidate *kept, size_t n, const candidate *c)
{
    size_t place = n;
    while (place > 0 && c->value < kept[place - 1].value)
        place--;
    if (place == KEPT)
        return n;
    size_t moved = (n < KEPT ? n : KEPT - 1) - place;
    memmove(&kept[place + 1], &kept[place], moved * sizeof *kept);
    kept[place] = *c;
    return n < KEPT ? n + 1 : n;
}

double spar__test_function_least(const spar__test_function *f, size_t dim, const spar_axis *axis)
{
    search s = {f, dim, axis};
    candidate kept[KEPT], c;
    size_t n = 0, levels = 0;
    for (size_t d = 0; d < dim; d++) {
        levels += axis[d].kind == SPAR_AXIS_LEVELS;
        c.x[d] = f->where[f->dim ? d : 0];
    }
    if (!levels)
        return f->least;
    spar_rng rng;
    spar_rng_seed(&rng, 0, 0, 0);
    for (size_t i = 0; i < POINTS; i++) {
        snap(&s, &c);
        n = keep(kept, n, &c);
        for (size_t d = 0; d < dim; d++)
            c.x[d] = spar_rng_uniform(&rng);
    }
    double least = INFINITY;
    for (size_t i = 0; i < n; i++) {
        improve(&s, &kept[i]);
        least = fmin(least, kept[i].value);
    }
    return least;
}
