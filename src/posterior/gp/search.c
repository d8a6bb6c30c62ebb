#include "posterior/gp/search.h"

#include "sampler/sampler.h"

#include <math.h>
#include <string.h>

enum {
    MOST_STEPS = 40,    /* of a climb */
    MOST_HALVINGS = 12, /* of a step */
    MOST_PASSES = 20,   /* over the axes */
    MOST_VALUES = 256,  /* of an axis, looked at in one move */
};

/* Value i of an axis with levels or choices. */
static void put(const spar__space_axis *axis, size_t i, double *x)
{
    if (axis->kind == SPAR__AXIS_LEVELS) {
        x[0] = spar__axis_level(axis, i);
        return;
    }
    for (size_t k = 0; k < axis->n; k++)
        x[k] = k == i ? axis->hi : 0;
}

static size_t which(const spar__space_axis *axis, const double *x)
{
    if (axis->kind == SPAR__AXIS_LEVELS)
        return (size_t)rint((x[0] - axis->lo) / (axis->hi - axis->lo) * (double)(axis->n - 1));
    size_t i = 0;
    while (i + 1 < axis->n && x[i] == 0)
        i++;
    return i;
}

/* The place `part` of the way along an axis, 0 <= part < 1. Adding 0 makes -0 a plain 0: points are told apart by their
 * bits. */
static void place(const spar__space_axis *axis, double part, double *x)
{
    if (axis->kind == SPAR__AXIS_RANGE) {
        x[0] = fmin(axis->lo + part * (axis->hi - axis->lo), axis->hi) + 0.0;
        return;
    }
    size_t i = (size_t)(part * (double)axis->n);
    put(axis, i < axis->n ? i : axis->n - 1, x);
}

/* How many points the box has, 0 when they are more than `most` or it has a range. */
static size_t count_points(const spar_space *space, size_t most)
{
    size_t n = 1;
    for (size_t a = 0; a < space->n_axes; a++) {
        const spar__space_axis *axis = &space->axis[a];
        if (axis->kind == SPAR__AXIS_RANGE || axis->n > most / n)
            return 0;
        n *= axis->n;
    }
    return n;
}

static void all_points(const spar__search *search, size_t n, double *x)
{
    for (size_t i = 0; i < n; i++) {
        size_t rest = i;
        for (size_t a = 0; a < search->space->n_axes; a++) {
            const spar__space_axis *axis = &search->space->axis[a];
            put(axis, rest % axis->n, x);
            rest /= axis->n;
            x += spar__axis_features(axis);
        }
    }
}

size_t spar__search_spread(const spar__search *search, size_t n, spar_scratch *scratch, spar_rng *rng, double *x)
{
    size_t all = count_points(search->space, n);
    if (all) {
        all_points(search, all, x);
        return all;
    }
    size_t mark = spar__scratch_mark(scratch), *order = spar__scratch_take(scratch, n, sizeof *order);
    if (!order)
        return 0;
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    for (size_t a = 0; a < search->space->n_axes; a++) {
        const spar__space_axis *axis = &search->space->axis[a];
        spar_rng_shuffle(rng, order, n);
        for (size_t i = 0; i < n; i++)
            place(axis, ((double)order[i] + spar_rng_uniform(rng)) / (double)n, x + i * search->dim);
        x += spar__axis_features(axis);
    }
    spar__scratch_release(scratch, mark);
    return n;
}

void spar__search_nearby(const spar__search *search, const double *x, double step, spar_rng *rng, double *out)
{
    const spar_space *space = search->space;
    const double *scale = search->scale;
    for (size_t a = 0; a < space->n_axes; a++) {
        const spar__space_axis *axis = &space->axis[a];
        size_t features = spar__axis_features(axis);
        memcpy(out, x, features * sizeof *x);
        if (axis->kind == SPAR__AXIS_RANGE)
            out[0] =
                fmax(fmin(x[0] + step * fmin(*scale, axis->hi - axis->lo) * spar__normal(rng), axis->hi), axis->lo) +
                0.0;
        else if (spar_rng_below(rng, 2 * space->n_axes) == 0)
            place(axis, spar_rng_uniform(rng), out);
        x += features;
        out += features;
        scale += features;
    }
}

/* Value number i of those to look at, of an axis that stands at `now`: all, or, of very many, half of them spread
 * evenly and half around it. */
static size_t option(const spar__space_axis *axis, size_t now, size_t i)
{
    if (axis->n <= MOST_VALUES)
        return i;
    size_t half = MOST_VALUES / 2;
    if (i < half)
        return (size_t)((double)(axis->n - 1) * (double)i / (double)(half - 1));
    size_t from = now < half / 2 ? 0 : now - half / 2;
    return (from + half > axis->n ? axis->n - half : from) + i - half;
}

/* Moves x along one axis to its best value. `points` has MOST_VALUES x dim places, `value_of` MOST_VALUES. */
static bool move(const spar__surface *surface, const spar__space_axis *axis, size_t dim, size_t feature, double *points,
                 double *value_of, double *x, double *value)
{
    size_t n = axis->n < MOST_VALUES ? axis->n : MOST_VALUES, now = which(axis, x + feature), best = n;
    for (size_t i = 0; i < n; i++) {
        memcpy(points + i * dim, x, dim * sizeof *x);
        put(axis, option(axis, now, i), points + i * dim + feature);
    }
    surface->values(surface->self, n, points, value_of);
    for (size_t i = 0; i < n; i++)
        if (value_of[i] > *value && option(axis, now, i) != now) {
            *value = value_of[i];
            best = i;
        }
    if (best < n)
        memcpy(x, points + best * dim, dim * sizeof *x);
    return best < n;
}

/* One move along each axis that is no range; true when one helped. */
static bool moves(const spar__search *search, const spar__surface *surface, double *points, double *value_of, double *x,
                  double *value)
{
    bool moved = false;
    size_t feature = 0;
    for (size_t a = 0; a < search->space->n_axes; a++) {
        const spar__space_axis *axis = &search->space->axis[a];
        if (axis->kind != SPAR__AXIS_RANGE)
            moved |= move(surface, axis, search->dim, feature, points, value_of, x, value);
        feature += spar__axis_features(axis);
    }
    return moved;
}

/* Up the slope within the ranges of a box, the other axes staying: a quasi-Newton climb with projected steps. */
typedef struct ascent {
    const spar__surface *surface;
    size_t dim, n;                 /* features; ranges that have a width */
    size_t *at;                    /* n: which feature */
    double *lo, *hi, *scale;       /* n */
    double *H;                     /* n x n: minus the inverse of the second derivatives, as far as known */
    double *step, *change, *mixed; /* n, in scales */
    double *slope, *new_slope;     /* n, per scale */
    double *x, *gradient;          /* dim */
} ascent;

/* Takes memory from the scratch, which the caller releases. */
static spar_status open_ascent(ascent *c, const spar__search *search, const spar__surface *surface,
                               spar_scratch *scratch)
{
    size_t dim = search->dim, n = 0, feature = 0;
    *c = (ascent){.surface = surface, .dim = dim};
    for (size_t a = 0; a < search->space->n_axes; a++)
        n += search->space->axis[a].kind == SPAR__AXIS_RANGE && search->space->axis[a].lo < search->space->axis[a].hi;
    c->at = spar__scratch_take(scratch, n, sizeof *c->at);
    c->H = spar__scratch_take(scratch, n * n, sizeof *c->H);
    double *vectors = spar__scratch_take(scratch, 8 * n, sizeof *vectors);
    double *points = spar__scratch_take(scratch, 2 * dim, sizeof *points);
    if (!c->at || !c->H || !vectors || !points)
        return SPAR_NOMEM;
    double **const each[] = {&c->lo, &c->hi, &c->scale, &c->step, &c->change, &c->mixed, &c->slope, &c->new_slope};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++)
        *each[i] = vectors + i * n;
    c->x = points;
    c->gradient = points + dim;
    for (size_t a = 0; a < search->space->n_axes; a++) {
        const spar__space_axis *axis = &search->space->axis[a];
        if (axis->kind == SPAR__AXIS_RANGE && axis->lo < axis->hi) {
            c->at[c->n] = feature;
            c->lo[c->n] = axis->lo;
            c->hi[c->n] = axis->hi;
            c->scale[c->n++] = fmin(search->scale[feature], axis->hi - axis->lo);
        }
        feature += spar__axis_features(axis);
    }
    return SPAR_OK;
}

static double look(ascent *c, const double *x, double *slope)
{
    double value = c->surface->slope(c->surface->self, x, c->gradient);
    for (size_t k = 0; k < c->n; k++)
        slope[k] = c->gradient[c->at[k]] * c->scale[k];
    return value;
}

/* Does the slope push variable k out of the box? */
static bool held(const ascent *c, const double *x, size_t k)
{
    double at = x[c->at[k]];
    return (at <= c->lo[k] && c->slope[k] <= 0) || (at >= c->hi[k] && c->slope[k] >= 0);
}

static void forget_curvature(ascent *c, double size)
{
    memset(c->H, 0, c->n * c->n * sizeof *c->H);
    for (size_t k = 0; k < c->n; k++)
        c->H[k * c->n + k] = size;
}

/* The step that H proposes for the variables that are free, at most one scale long in any; returns the gain that the
 * slope promises. */
static double propose(ascent *c, const double *x)
{
    double gain = 0, longest = 0;
    for (size_t k = 0; k < c->n; k++) {
        c->step[k] = 0;
        for (size_t l = 0; !held(c, x, k) && l < c->n; l++)
            c->step[k] += held(c, x, l) ? 0 : c->H[k * c->n + l] * c->slope[l];
        longest = fmax(longest, fabs(c->step[k]));
    }
    for (size_t k = 0; k < c->n; k++) {
        c->step[k] /= fmax(longest, 1);
        gain += c->step[k] * c->slope[k];
    }
    return gain;
}

/* Takes the step from x, or half of it, or ...: to c->x. False when no part of it gains what it should. */
static bool take(ascent *c, const double *x, double *value)
{
    double part = 1;
    for (int tries = 0; tries < MOST_HALVINGS; tries++, part /= 2) {
        double promised = 0;
        memcpy(c->x, x, c->dim * sizeof *x);
        for (size_t k = 0; k < c->n; k++) {
            size_t i = c->at[k];
            c->x[i] = fmax(fmin(x[i] + part * c->step[k] * c->scale[k], c->hi[k]), c->lo[k]) + 0.0;
            c->change[k] = (c->x[i] - x[i]) / c->scale[k];
            promised += c->change[k] * c->slope[k];
        }
        double reached = look(c, c->x, c->new_slope);
        if (reached > *value && reached >= *value + 1e-4 * promised) {
            *value = reached;
            return true;
        }
    }
    return false;
}

/* H learns from the step taken (Broyden, Fletcher, Goldfarb, Shanno). */
static void learn_curvature(ascent *c, bool first)
{
    size_t n = c->n;
    double curve = 0, fall = 0, whole = 0;
    for (size_t k = 0; k < n; k++) {
        double drop = c->slope[k] - c->new_slope[k];
        curve += c->change[k] * drop;
        fall += drop * drop;
    }
    if (!(curve > 1e-12 * fall) || !(curve > 0)) { /* it does not level off: larger steps, but never without end */
        for (size_t k = 0; k < n * n; k++)
            c->H[k] = fmin(fmax(4 * c->H[k], -1e100), 1e100);
        return;
    }
    if (first)
        forget_curvature(c, curve / fall);
    for (size_t k = 0; k < n; k++) {
        c->mixed[k] = 0;
        for (size_t l = 0; l < n; l++)
            c->mixed[k] += c->H[k * n + l] * (c->slope[l] - c->new_slope[l]);
        whole += c->mixed[k] * (c->slope[k] - c->new_slope[k]);
    }
    for (size_t k = 0; k < n; k++)
        for (size_t l = 0; l < n; l++)
            c->H[k * n + l] += (1 + whole / curve) * c->change[k] * c->change[l] / curve -
                               (c->mixed[k] * c->change[l] + c->change[k] * c->mixed[l]) / curve;
}

/* From x until it is level; the value there goes to *value. */
static void ascend(ascent *c, double *x, double *value)
{
    bool fresh = true;
    *value = look(c, x, c->slope);
    for (int steps = 0; c->n && steps < MOST_STEPS; steps++) {
        if (fresh) {
            double size = 0;
            for (size_t k = 0; k < c->n; k++)
                size = fmax(size, fabs(c->slope[k]));
            forget_curvature(c, size > 0 ? 0.1 / size : 0);
        }
        double gain = propose(c, x);
        if (!(gain > 1e-9 * c->surface->unit) || !take(c, x, value)) {
            if (fresh)
                break;
            fresh = true;
            continue;
        }
        learn_curvature(c, fresh);
        memcpy(x, c->x, c->dim * sizeof *x);
        memcpy(c->slope, c->new_slope, c->n * sizeof *c->slope);
        fresh = false;
    }
}

spar_status spar__search_climb(const spar__search *search, const spar__surface *surface, spar_scratch *scratch,
                               double *x, double *value)
{
    size_t mark = spar__scratch_mark(scratch);
    ascent climb;
    spar_status status = open_ascent(&climb, search, surface, scratch);
    double *points = spar__scratch_take(scratch, MOST_VALUES * search->dim, sizeof *points);
    double *value_of = spar__scratch_take(scratch, MOST_VALUES, sizeof *value_of);
    if (!status && points && value_of) {
        bool moved = true;
        for (int pass = 0; moved && pass < MOST_PASSES; pass++) {
            ascend(&climb, x, value);
            moved = moves(search, surface, points, value_of, x, value);
        }
    } else {
        status = SPAR_NOMEM;
    }
    spar__scratch_release(scratch, mark);
    return status;
}
