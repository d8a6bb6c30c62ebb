/* box_best.c - the best points of a box: where to look for them, how to climb, and what is taken.
 *
 * First part: the highest point of any function over a box (box.h). Second part: the functions drawn from the belief.
 * A round costs a few thousand values of each function, and some hundred steps up its slope. */
#include "posterior/gp/box.h"
#include "sampler/sampler.h"
#include "types/arms.h"

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

size_t spar__search_spread(const spar__search *search, size_t n, spar_scratch *scratch, spar_rng *rng, double *x)
{
    /* How many points the box has, 0 when they are more than n or it has a range. */
    const spar_space *space = search->space;
    size_t all = 1;
    for (size_t a = 0; all && a < space->n_axes; a++)
        all = space->axis[a].kind == SPAR__AXIS_RANGE || space->axis[a].n > n / all ? 0 : all * space->axis[a].n;
    for (size_t i = 0; i < all; i++)
        for (size_t a = 0, rest = i; a < space->n_axes; a++) {
            const spar__space_axis *axis = &space->axis[a];
            put(axis, rest % axis->n, x);
            rest /= axis->n;
            x += spar__axis_features(axis);
        }
    if (all)
        return all;
    size_t mark = spar__scratch_mark(scratch), *order = spar__scratch_take(scratch, n, sizeof *order);
    if (!order)
        return 0;
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    for (size_t a = 0; a < space->n_axes; a++) {
        spar_rng_shuffle(rng, order, n);
        for (size_t i = 0; i < n; i++)
            place(&space->axis[a], ((double)order[i] + spar_rng_uniform(rng)) / (double)n, x + i * search->dim);
        x += spar__axis_features(&space->axis[a]);
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
            /* One move along each axis that is no range. */
            moved = false;
            for (size_t a = 0, feature = 0; a < search->space->n_axes; a++) {
                const spar__space_axis *axis = &search->space->axis[a];
                if (axis->kind != SPAR__AXIS_RANGE)
                    moved |= move(surface, axis, search->dim, feature, points, value_of, x, value);
                feature += spar__axis_features(axis);
            }
        }
    } else {
        status = SPAR_NOMEM;
    }
    spar__scratch_release(scratch, mark);
    return status;
}

/* The points that a Gaussian process thinks best: the highest points of functions drawn from it.
 *
 * Candidates, the same for all m functions of a round: PER_AXIS points for every axis, at most SPREAD, spread over the
 * box; the TOP points seen with the highest means, and NEARBY steps away from each of these. From the STARTS best of
 * them that are not neighbours each function is climbed, and the highest top is its answer. Where a point seen before
 * is as good but for NEGLIGIBLE, it is taken instead: the table of arms then grows by what is new, not by what is 1e-9
 * away.
 *
 * No function is ever highest at an arm that retired: it has the value -infinity there. With apart > 0 the same holds
 * near the points of the slots before: two points that are nearly the same teach nothing.
 *
 * The first `start` duels are of points all over the box. A function drawn while little is known is mostly highest
 * at the edges, and what was found there first is hard to leave. */

enum { PER_AXIS = 256, SPREAD = 1024, TOP = 16, NEARBY = 8, STARTS = 6, MOST = SPREAD + TOP * (1 + NEARBY) };
enum { ROUNDS = 8 };    /* all over the box, of which one is taken */
#define HILL 0.5        /* lengths between two places to climb from */
#define NEGLIGIBLE 1e-4 /* of the prior standard deviation */

/* One of the functions, as a surface to climb. */
typedef struct path_view {
    const spar__gp_box *box;
    const spar__search *search;
    const spar__paths *paths;
    size_t j;
    const double *taken; /* points that it is not to be near */
    size_t n_taken;
} path_view;

/* The arm at x, if possible a live one, or SPAR_FRESH. */
static size_t arm_at(const spar_arms *arms, const double *x)
{
    size_t found = SPAR_FRESH;
    for (size_t i = spar__arm_at(arms, 0, x); i < arms->n; i = spar__arm_at(arms, i + 1, x)) {
        found = i;
        if (arms->alive[i])
            break;
    }
    return found;
}

static bool retired(const spar_arms *arms, const double *x)
{
    if (arms->live == arms->n)
        return false;
    size_t arm = arm_at(arms, x);
    return arm != SPAR_FRESH && !arms->alive[arm];
}

/* Are they less than `lengths` apart along every axis? */
static bool neighbours(const spar__search *search, double lengths, const double *x, const double *y)
{
    for (size_t d = 0; d < search->dim; d++)
        if (fabs(x[d] - y[d]) > lengths * search->scale[d])
            return false;
    return true;
}

static bool is_taken(const path_view *v, const double *x)
{
    for (size_t k = 0; k < v->n_taken; k++)
        if (neighbours(v->search, v->box->apart, x, v->taken + k * v->search->dim))
            return true;
    return false;
}

static bool closed(const path_view *v, const double *x)
{
    return retired(v->box->base.arms, x) || is_taken(v, x);
}

static void values(const void *self, size_t n, const double *x, double *value)
{
    const path_view *v = self;
    spar__path_values(v->paths, v->j, n, x, value);
    for (size_t i = 0; i < n; i++)
        if (closed(v, x + i * v->search->dim))
            value[i] = -INFINITY;
}

static double slope(const void *self, const double *x, double *gradient)
{
    const path_view *v = self;
    double value = spar__path_slope(v->paths, v->j, x, gradient);
    return closed(v, x) ? -INFINITY : value;
}

/* Fills x with candidates and returns their number; 0 without memory. */
static size_t find_candidates(const spar__gp_box *box, const spar__search *search, spar_scratch *scratch, spar_rng *rng,
                              double *x)
{
    const spar__newton *basis = &box->growth.basis;
    size_t mark = spar__scratch_mark(scratch), dim = search->dim, top[TOP];
    double *work = spar__scratch_take(scratch, 2 * basis->r, sizeof *work);
    size_t spread = search->space->n_axes < SPREAD / PER_AXIS ? search->space->n_axes * PER_AXIS : SPREAD;
    size_t n = work ? spar__search_spread(search, spread, scratch, rng, x) : 0;
    if (n) {
        spar__growth_means(&box->growth, work, work + basis->r);
        /* The points seen with the highest means, best first; returns how many. */
        const double *mean = work + basis->r;
        size_t tops = 0;
        for (size_t i = 0; i < box->growth.basis.r; i++) {
            if (tops == TOP && mean[i] <= mean[top[tops - 1]])
                continue;
            size_t at = tops < TOP ? tops++ : TOP - 1;
            for (; at > 0 && mean[top[at - 1]] < mean[i]; at--)
                top[at] = top[at - 1];
            top[at] = i;
        }
        for (size_t i = 0; i < tops; i++) {
            const double *seen = basis->u + top[i] * dim;
            memcpy(x + n++ * dim, seen, dim * sizeof *x);
            double step = 0.5;
            for (size_t k = 0; k < NEARBY; k++, step /= 2)
                spar__search_nearby(search, seen, step, rng, x + n++ * dim);
        }
    }
    spar__scratch_release(scratch, mark);
    return n;
}

/* The next place to climb from: the best candidate that is no neighbour of the n found before; count when none is left.
 */
static size_t next_start(const spar__search *search, size_t count, const double *x, const double *value, size_t stride,
                         const size_t *found, size_t n)
{
    size_t best = count;
    for (size_t i = 0; i < count; i++) {
        if (!(value[i * stride] > -INFINITY) || (best < count && value[i * stride] <= value[best * stride]))
            continue;
        bool apart = true;
        for (size_t k = 0; apart && k < n; k++)
            apart = !neighbours(search, HILL, x + i * search->dim, x + found[k] * search->dim);
        if (apart)
            best = i;
    }
    return best;
}

/* The highest point of one function. value has its values at the candidates, `stride` apart. */
static spar_status highest(const path_view *v, spar_scratch *scratch, size_t count, const double *x,
                           const double *value, size_t stride, size_t *arm, double *out)
{
    const spar_arms *arms = v->box->base.arms;
    const spar__search *search = v->search;
    spar__surface surface = {v, values, slope, sqrt(v->box->kernel.variance)};
    size_t dim = search->dim, found[STARTS], mark = spar__scratch_mark(scratch);
    double *at = spar__scratch_take(scratch, dim, sizeof *at), best = -INFINITY;
    spar_status status = at ? SPAR_OK : SPAR_NOMEM;
    for (size_t n = 0; !status && n < STARTS; n++) {
        found[n] = next_start(search, count, x, value, stride, found, n);
        if (found[n] == count)
            break;
        memcpy(at, x + found[n] * dim, dim * sizeof *at);
        double reached;
        status = spar__search_climb(search, &surface, scratch, at, &reached);
        if (!status && reached > best) {
            best = reached;
            memcpy(out, at, dim * sizeof *out);
        }
    }
    spar__scratch_release(scratch, mark);
    if (status)
        return status;
    /* A live arm, seen before and not taken, that is as good but for what does not matter. */
    const spar__growth *growth = &v->box->growth;
    const double *at_seen = v->paths->at_u + v->j * growth->basis.r;
    double enough = best - NEGLIGIBLE * sqrt(v->box->kernel.variance);
    *arm = SPAR_FRESH;
    for (size_t i = 0; i < growth->basis.r; i++)
        if (at_seen[i] >= enough && arms->alive[growth->owner[i]] && !is_taken(v, growth->basis.u + i * arms->dim)) {
            enough = at_seen[i];
            *arm = growth->owner[i];
        }
    if (*arm == SPAR_FRESH && best > -INFINITY)
        *arm = arm_at(arms, out);
    else if (*arm == SPAR_FRESH) /* all candidates retired: there is an arm that has not */
        for (*arm = 0; !arms->alive[*arm];)
            ++*arm;
    if (*arm != SPAR_FRESH)
        memcpy(out, arms->x + *arm * dim, dim * sizeof *out);
    return SPAR_OK;
}

/* The least distance of m points from those seen, in lengths and squared; -1 if one of them retired. */
static double clearance(const spar__gp_box *self, size_t m, const double *x)
{
    const spar__newton *basis = &self->growth.basis;
    size_t dim = self->base.arms->dim;
    double least = INFINITY;
    for (size_t j = 0; j < m; j++, x += dim) {
        if (retired(self->base.arms, x))
            return -1;
        for (size_t i = 0; i < basis->r; i++) {
            double sum = 0;
            for (size_t d = 0; d < dim; d++) {
                double s = (x[d] - basis->u[i * dim + d]) / self->length[d];
                sum += s * s;
            }
            least = fmin(least, sum);
        }
    }
    return least;
}

/* Points all over the box, each in another part of every axis: of several such rounds the one farthest from the points
 * seen. *done stays false where there are fewer than m points, or all rounds had one that retired. */
static spar_status scatter(const spar__gp_box *self, spar_scratch *scratch, spar_rng *rng, size_t m, size_t *arm,
                           double *x, bool *done)
{
    const spar_arms *arms = self->base.arms;
    spar__search search = {&arms->space, arms->dim, self->length};
    size_t n = m, mark = spar__scratch_mark(scratch), size = m * arms->dim;
    double *tried = spar__scratch_take(scratch, size, sizeof *tried), best = -1;
    for (size_t i = 0; tried && n == m && i < ROUNDS; i++) {
        n = spar__search_spread(&search, m, scratch, rng, tried);
        double far = n == m ? clearance(self, m, tried) : -1;
        if (far > best) {
            best = far;
            memcpy(x, tried, size * sizeof *x);
        }
    }
    *done = best >= 0;
    for (size_t j = 0; *done && j < m; j++)
        arm[j] = arm_at(arms, x + j * arms->dim);
    spar__scratch_release(scratch, mark);
    return tried && n ? SPAR_OK : SPAR_NOMEM;
}

spar_status spar__gp_box_best(const spar__gp_box *self, spar_scratch *scratch, spar_rng *rng, size_t m, size_t *arm,
                              double *x)
{
    bool done = false;
    spar_status status = self->n_duels < self->start ? scatter(self, scratch, rng, m, arm, x, &done) : SPAR_OK;
    if (status || done)
        return status;
    /* The highest points of m functions. */
    const spar__growth *growth = &self->growth;
    size_t mark = spar__scratch_mark(scratch), lanes = spar__padded(m), dim = self->base.arms->dim;
    spar__search search = {&self->base.arms->space, dim, self->length};
    spar__paths paths;
    double *candidate = spar__scratch_take(scratch, MOST * dim, sizeof *candidate);
    double *value = spar__scratch_take(scratch, MOST * lanes, sizeof *value);
    status = candidate && value ? SPAR_OK : SPAR_NOMEM;
    if (!status)
        status =
            spar__paths_draw(&paths, &self->kernel, &growth->basis, &growth->weights, self->explore, m, scratch, rng);
    size_t count = status ? 0 : find_candidates(self, &search, scratch, rng, candidate);
    if (!status && count == 0)
        status = SPAR_NOMEM;
    if (!status)
        spar__paths_values(&paths, count, candidate, value);
    for (size_t j = 0; !status && j < m; j++) {
        path_view v = {self, &search, &paths, j, x, self->apart > 0 ? j : 0};
        /* Candidates where the function is not to be highest get -infinity. If none is far enough from the points
         * taken, these do not count. */
        size_t open = 0;
        for (size_t i = 0; v.n_taken && i < count; i++)
            open += !closed(&v, candidate + i * dim);
        if (!open)
            v.n_taken = 0;
        for (size_t i = 0; i < count; i++)
            if (closed(&v, candidate + i * dim))
                value[i * lanes + j] = -INFINITY;
        status = highest(&v, scratch, count, candidate, value + j, lanes, &arm[j], x + j * dim);
    }
    spar__scratch_release(scratch, mark);
    return status;
}

spar_status spar__gp_box_peak(const spar__gp_box *self, spar_scratch *scratch, spar_rng *rng, double *x)
{
    size_t mark = spar__scratch_mark(scratch), dim = self->base.arms->dim, arm;
    spar__search search = {&self->base.arms->space, dim, self->length};
    spar__paths mean;
    double *candidate = spar__scratch_take(scratch, MOST * dim, sizeof *candidate);
    double *value = spar__scratch_take(scratch, MOST, sizeof *value);
    spar_status status = candidate && value ? SPAR_OK : SPAR_NOMEM;
    if (!status)
        status = spar__paths_mean(&mean, &self->kernel, &self->growth.basis, &self->growth.weights, scratch);
    size_t count = status ? 0 : find_candidates(self, &search, scratch, rng, candidate);
    if (!status && count == 0)
        status = SPAR_NOMEM;
    if (!status) {
        path_view v = {self, &search, &mean, 0, NULL, 0};
        values(&v, count, candidate, value);
        status = highest(&v, scratch, count, candidate, value, 1, &arm, x);
    }
    spar__scratch_release(scratch, mark);
    return status;
}

spar_status spar__gp_box_draw(const spar__gp_box *self, spar_scratch *scratch, spar_rng *rng, double *theta)
{
    const spar__growth *growth = &self->growth;
    size_t mark = spar__scratch_mark(scratch), n = self->base.arms->n;
    spar__paths paths;
    spar_status status =
        spar__paths_draw(&paths, &self->kernel, &growth->basis, &growth->weights, self->explore, 1, scratch, rng);
    if (!status)
        spar__path_values(&paths, 0, n, self->base.arms->x, theta);
    for (size_t i = 0; !status && i < n; i++) {
        size_t at = growth->place[i];
        theta[i] = (at < growth->basis.r ? paths.at_u[at] : theta[i]) + self->offset;
    }
    spar__scratch_release(scratch, mark);
    return status;
}
