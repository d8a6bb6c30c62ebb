/* space_best.c - the setting of highest mean, of all or of those that differ in one axis from a given one.
 *
 * The mean is cheap to evaluate: it is looked at where answers were given and at SPREAD settings an axis all over the
 * space; from the STARTS best of these each axis is changed in turn, by steps that are halved, as long as that helps.
 */
#include "live/space.h"

#include "base/alloc.h"
#include "session/axes.h"

#include <string.h>

enum { SPREAD = 256, MOST_SPREAD = 1024, STARTS = 5 };

typedef struct setting_search {
    const spar_axes *axes;
    const spar_taste *taste;
    double *x;           /* dim: of the setting that is looked at */
    size_t axis, unlike; /* SPAR__ANY_AXIS, or an axis and the value that it must not have */
    struct {
        double mean;
        size_t value[SPAR__AXES_MOST];
    } top[STARTS]; /* best first */
    size_t n;
} setting_search;

static double mean_of(setting_search *s, const size_t *value)
{
    spar_axes_point(s->axes, value, s->x);
    return spar_taste_mean(s->taste, s->x);
}

static void consider(setting_search *s, const size_t *value)
{
    double mean = mean_of(s, value);
    size_t size = sizeof s->top[0].value;
    for (size_t i = 0; i < s->n; i++)
        if (memcmp(s->top[i].value, value, spar_axes_count(s->axes) * sizeof *value) == 0)
            return;
    if (s->n == STARTS && mean <= s->top[STARTS - 1].mean)
        return;
    size_t at = s->n < STARTS ? s->n++ : STARTS - 1;
    for (; at > 0 && s->top[at - 1].mean < mean; at--)
        s->top[at] = s->top[at - 1];
    s->top[at].mean = mean;
    memcpy(s->top[at].value, value, size);
}

/* Tries the values of one axis that are `step` away, of a choice all; true if one is better. */
static bool improve_axis(setting_search *s, size_t a, size_t step, size_t *value, double *mean)
{
    size_t n = spar_axes_values(s->axes, a), was = value[a], best = was;
    bool all = spar_axes_kind(s->axes, a) == SPAR_AXIS_CHOICE;
    for (size_t v = all ? 0 : was >= step ? was - step : 0; v < n && (all || v <= was + step); v += all ? 1 : step) {
        if (a == s->axis && v == s->unlike)
            continue;
        value[a] = v;
        double here = v == was ? *mean : mean_of(s, value);
        if (here > *mean) {
            *mean = here;
            best = v;
        }
    }
    value[a] = best;
    return best != was;
}

static void climb(setting_search *s, size_t *value, double *mean)
{
    size_t step = 1;
    for (size_t a = 0; a < spar_axes_count(s->axes); a++)
        while (4 * step < spar_axes_values(s->axes, a))
            step *= 2;
    for (; step > 0; step /= 2)
        for (bool better = true; better;) {
            better = false;
            for (size_t a = 0; a < spar_axes_count(s->axes); a++)
                better |= improve_axis(s, a, step, value, mean);
        }
}

spar_status spar__space_best(const spar_axes *axes, const spar_taste *taste, size_t axis, size_t unlike, size_t *value)
{
    setting_search s = {.axes = axes, .taste = taste, .axis = axis, .unlike = unlike};
    const double *told;
    size_t n = spar_taste_points(taste, &told), at[SPAR__AXES_MOST] = {0}, best = 0;
    size_t spread = spar_axes_count(axes) * SPREAD < MOST_SPREAD ? spar_axes_count(axes) * SPREAD : MOST_SPREAD;
    s.x = spar__alloc(spar_axes_dim(axes), sizeof *s.x);
    if (!s.x)
        return SPAR_NOMEM;
    for (size_t i = 0; i < n + spread; i++) {
        if (i < n)
            spar_axes_nearest(axes, told + i * spar_axes_dim(axes), at);
        else
            spar_axes_spread(axes, i - n, at);
        if (axis != SPAR__ANY_AXIS && at[axis] == unlike)
            at[axis] = (unlike + 1) % spar_axes_values(axes, axis);
        consider(&s, at);
    }
    for (size_t i = 0; i < s.n; i++) {
        climb(&s, s.top[i].value, &s.top[i].mean);
        best = s.top[i].mean > s.top[best].mean ? i : best;
    }
    memcpy(value, s.top[best].value, spar_axes_count(axes) * sizeof *value);
    spar__free(s.x);
    return SPAR_OK;
}
