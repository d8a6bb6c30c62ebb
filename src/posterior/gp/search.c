#include "posterior/gp/search.h"

#include "posterior/gp/ascend.h"
#include "sampler/sampler.h"

#include <math.h>
#include <string.h>

enum {
    MOST_PASSES = 20,  /* over the axes */
    MOST_VALUES = 256, /* of an axis, looked at in one move */
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

spar_status spar__search_climb(const spar__search *search, const spar__surface *surface, spar_scratch *scratch,
                               double *x, double *value)
{
    size_t mark = spar__scratch_mark(scratch);
    spar__ascent ascent;
    spar_status status = spar__ascent_open(&ascent, search, surface, scratch);
    double *points = spar__scratch_take(scratch, MOST_VALUES * search->dim, sizeof *points);
    double *value_of = spar__scratch_take(scratch, MOST_VALUES, sizeof *value_of);
    if (!status && points && value_of) {
        bool moved = true;
        for (int pass = 0; moved && pass < MOST_PASSES; pass++) {
            spar__ascend(&ascent, x, value);
            moved = moves(search, surface, points, value_of, x, value);
        }
    } else {
        status = SPAR_NOMEM;
    }
    spar__scratch_release(scratch, mark);
    return status;
}
