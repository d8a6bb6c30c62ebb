#include "posterior/gp/ascend.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 40, MOST_HALVINGS = 12 };

spar_status spar__ascent_open(spar__ascent *c, const spar__search *search, const spar__surface *surface,
                              spar_scratch *scratch)
{
    size_t dim = search->dim, n = 0, feature = 0;
    *c = (spar__ascent){.surface = surface, .dim = dim};
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

static double look(spar__ascent *c, const double *x, double *slope)
{
    double value = c->surface->slope(c->surface->self, x, c->gradient);
    for (size_t k = 0; k < c->n; k++)
        slope[k] = c->gradient[c->at[k]] * c->scale[k];
    return value;
}

/* Does the slope push variable k out of the box? */
static bool held(const spar__ascent *c, const double *x, size_t k)
{
    double at = x[c->at[k]];
    return (at <= c->lo[k] && c->slope[k] <= 0) || (at >= c->hi[k] && c->slope[k] >= 0);
}

static void forget_curvature(spar__ascent *c, double size)
{
    memset(c->H, 0, c->n * c->n * sizeof *c->H);
    for (size_t k = 0; k < c->n; k++)
        c->H[k * c->n + k] = size;
}

/* The step that H proposes for the variables that are free, at most one scale long in any; returns the gain that the
 * slope promises. */
static double propose(spar__ascent *c, const double *x)
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
static bool take(spar__ascent *c, const double *x, double *value)
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
static void learn_curvature(spar__ascent *c, bool first)
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

void spar__ascend(spar__ascent *c, double *x, double *value)
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
