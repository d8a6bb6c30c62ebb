/* The minimum over a mixed space, searched when an environment is made. In one or two dimensions every level of an
 * axis is combined with the best place on the other: a scan and a golden section of a range, all of its levels. In
 * more, of many random points and the known minimiser the best few are improved along one axis after the other until
 * nothing is gained. */
#include "env/least.h"

#include "sampler/rng.h"

#include <math.h>
#include <string.h>

enum { POINTS = 1 << 14, KEPT = 16, MOST_SWEEPS = 500, SCAN = 64, SECTIONS = 45 };

typedef struct least_candidate {
    double value;
    double x[SPAR__TEST_MOST_DIM];
} least_candidate;

typedef struct least_search {
    const spar__test_function *f;
    size_t dim;
    const spar__space_axis *axis;
} least_search;

static double value_at(const least_search *s, least_candidate *c, size_t d, double x)
{
    double before = c->x[d];
    c->x[d] = x;
    double value = spar__test_function_at(s->f, s->dim, c->x);
    c->x[d] = before;
    return value;
}

/* Moves there if it is better. */
static void offer(const least_search *s, least_candidate *c, size_t d, double x)
{
    double value = value_at(s, c, d, x);
    if (value < c->value) {
        c->value = value;
        c->x[d] = x;
    }
}

/* The golden section of lo .. hi. */
static void narrow(const least_search *s, least_candidate *c, size_t d, double lo, double hi)
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

static void improve_levels(const least_search *s, least_candidate *c, size_t d)
{
    for (size_t i = 0; i < s->axis[d].n; i++)
        offer(s, c, d, spar__axis_level(&s->axis[d], i));
}

/* Looks closer wherever a scan goes down and up again: valleys may be almost equally deep. */
static void improve_range(const least_search *s, least_candidate *c, size_t d)
{
    double scan[SCAN + 1];
    for (size_t i = 0; i <= SCAN; i++)
        scan[i] = value_at(s, c, d, (double)i / SCAN);
    for (size_t i = 0; i <= SCAN; i++) {
        size_t left = i > 0 ? i - 1 : i, right = i < SCAN ? i + 1 : i;
        if (scan[i] > scan[left] || scan[i] > scan[right])
            continue;
        offer(s, c, d, (double)i / SCAN);
        narrow(s, c, d, (double)left / SCAN, (double)right / SCAN);
    }
}

static void improve_axis(const least_search *s, least_candidate *c, size_t d)
{
    if (s->axis[d].kind == SPAR__AXIS_LEVELS)
        improve_levels(s, c, d);
    else
        improve_range(s, c, d);
}

static void improve(const least_search *s, least_candidate *c)
{
    double before = INFINITY;
    for (size_t sweep = 0; sweep < MOST_SWEEPS && before - c->value > 1e-13 * (1 + fabs(c->value)); sweep++) {
        before = c->value;
        for (size_t d = 0; d < s->dim; d++)
            improve_axis(s, c, d);
    }
}

/* The nearest point of the space. */
static void snap(const least_search *s, least_candidate *c)
{
    for (size_t d = 0; d < s->dim; d++)
        if (s->axis[d].kind == SPAR__AXIS_LEVELS)
            c->x[d] = spar__axis_level(&s->axis[d], (size_t)rint(c->x[d] * (double)(s->axis[d].n - 1)));
    c->value = spar__test_function_at(s->f, s->dim, c->x);
}

/* The best candidates so far, best first. */
static size_t keep(least_candidate *kept, size_t n, const least_candidate *c)
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

static double least_of_lines(const least_search *s, size_t d)
{
    double least = INFINITY;
    for (size_t i = 0; i < s->axis[d].n; i++) {
        least_candidate c = {0};
        c.x[d] = spar__axis_level(&s->axis[d], i);
        c.value = s->dim == 2 ? INFINITY : spar__test_function_at(s->f, s->dim, c.x);
        if (s->dim == 2)
            improve_axis(s, &c, 1 - d);
        least = fmin(least, c.value);
    }
    return least;
}

static double least_of_many(const least_search *s)
{
    least_candidate kept[KEPT], c;
    size_t n = 0;
    for (size_t d = 0; d < s->dim; d++)
        c.x[d] = s->f->where[s->f->dim ? d : 0];
    spar_rng rng;
    spar_rng_seed(&rng, 0, 0, 0);
    for (size_t i = 0; i < POINTS; i++) {
        snap(s, &c);
        n = keep(kept, n, &c);
        for (size_t d = 0; d < s->dim; d++)
            c.x[d] = spar_rng_uniform(&rng);
    }
    double least = INFINITY;
    for (size_t i = 0; i < n; i++) {
        improve(s, &kept[i]);
        least = fmin(least, kept[i].value);
    }
    return least;
}

double spar__test_function_least(const spar__test_function *f, size_t dim, const spar__space_axis *axis)
{
    const least_search s = {f, dim, axis};
    for (size_t d = 0; d < dim; d++)
        if (axis[d].kind == SPAR__AXIS_LEVELS)
            return dim > 2 ? least_of_many(&s) : least_of_lines(&s, d);
    return f->least;
}
