#include "posterior/gp/gp.h"

#include "base/alloc.h"
#include "types/arms.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

void spar__gp_pending_add(spar__gp_pending *pending, size_t point, double reward, double weight)
{
    if (!(weight > 0))
        return;
    if (pending->count[point] == 0)
        pending->touched[pending->n_touched++] = point;
    pending->count[point] += weight;
    pending->sum[point] += weight * reward;
}

/* Those touched from number `done` on, at most SPAR__GP_BATCH: returns how many, with their number over the noise as
 * weight and their mean less the offset as y. */
static size_t take(const spar__gp_pending *pending, size_t done, double noise, double offset, double *weight, double *y)
{
    size_t left = pending->n_touched - done, some = left < SPAR__GP_BATCH ? left : SPAR__GP_BATCH;
    for (size_t i = 0; i < some; i++) {
        double count = pending->count[pending->touched[done + i]];
        weight[i] = count / noise;
        y[i] = pending->sum[pending->touched[done + i]] / count - offset;
    }
    return some;
}

void spar__gp_pending_count(const spar__gp_pending *pending, double *count, double *sum)
{
    for (size_t i = 0; i < pending->n_touched; i++) {
        size_t p = pending->touched[i];
        count[p] += pending->count[p];
        sum[p] += pending->sum[p];
    }
}

/* Room is made batch by batch, as points that bring nothing new take none; where reserve was called, it is there. */
spar_status spar__gp_pending_learn(spar__gp_pending *pending, double noise, double offset, const spar__gp_backing *cls,
                                   void *backing)
{
    double weight[SPAR__GP_BATCH], y[SPAR__GP_BATCH];
    for (size_t done = 0; done < pending->n_touched; done += SPAR__GP_BATCH) {
        size_t some = take(pending, done, noise, offset, weight, y);
        spar_status status = cls->reserve ? cls->reserve(backing, some) : SPAR_OK;
        if (status)
            return status;
        cls->learn(backing, some, pending->touched + done, weight, y);
    }
    spar__gp_pending_clear(pending);
    return SPAR_OK;
}

void spar__gp_pending_clear(spar__gp_pending *pending)
{
    for (size_t i = 0; i < pending->n_touched; i++)
        pending->count[pending->touched[i]] = pending->sum[pending->touched[i]] = 0;
    pending->n_touched = 0;
}

void spar__gp_pending_all(spar__gp_pending *pending, size_t n, const double *count, const double *sum)
{
    spar__gp_pending_clear(pending);
    for (size_t p = 0; p < n; p++) {
        if (!(count[p] > 0))
            continue;
        pending->touched[pending->n_touched++] = p;
        pending->count[p] = count[p];
        pending->sum[p] = sum[p];
    }
}

void spar__gp_pending_free(spar__gp_pending *pending)
{
    spar__free(pending->count);
    spar__free(pending->sum);
    spar__free(pending->touched);
}

/* All but x and point. */
static spar_status allocate(spar__gp_points *points)
{
    size_t n = points->n;
    points->count = spar__alloc(n, sizeof *points->count);
    points->sum = spar__alloc(n, sizeof *points->sum);
    points->pending.count = spar__alloc(n, sizeof *points->pending.count);
    points->pending.sum = spar__alloc(n, sizeof *points->pending.sum);
    points->pending.touched = spar__alloc(n, sizeof *points->pending.touched);
    points->open = spar__alloc(n, sizeof *points->open);
    points->first = spar__alloc(n + 1, sizeof *points->first);
    points->arm = spar__alloc(points->n_arms, sizeof *points->arm);
    bool room = points->count && points->sum && points->pending.count && points->pending.sum &&
                points->pending.touched && points->open && points->first && points->arm;
    return room ? SPAR_OK : SPAR_NOMEM;
}

/* The live arms, by their points: first[p] counts those of point p, then it is where they end, and then, as they are
 * put there from the last on, where they begin. */
static void sort_live(spar__gp_points *points, const bool *alive)
{
    size_t *first = points->first, end = 0;
    for (size_t i = 0; i < points->n_arms; i++)
        first[points->point[i]] += alive[i];
    for (size_t p = 0; p < points->n; p++) {
        points->open[p] = first[p] > 0;
        end += first[p];
        first[p] = end;
    }
    first[points->n] = end;
    for (size_t i = points->n_arms; i-- > 0;)
        if (alive[i])
            points->arm[--first[points->point[i]]] = i;
}

spar_status spar__gp_points_make(const spar_arms *arms, spar__gp_points *out)
{
    spar__points at;
    *out = (spar__gp_points){0};
    spar_status status = spar__points_make(arms, &at);
    if (status)
        return status;
    *out = (spar__gp_points){.n = at.n, .dim = arms->dim, .x = at.x, .n_arms = arms->n, .point = at.of};
    spar__free(at.first);
    status = allocate(out);
    if (status)
        spar__gp_points_free(out);
    else
        sort_live(out, arms->alive);
    return status;
}

void spar__gp_points_free(spar__gp_points *points)
{
    spar__free(points->x);
    spar__free(points->count);
    spar__free(points->sum);
    spar__gp_pending_free(&points->pending);
    spar__free(points->open);
    spar__free(points->first);
    spar__free(points->point);
    spar__free(points->arm);
    *points = (spar__gp_points){0};
}

void spar__gp_points_inherit(spar__gp_points *points, const spar__gp_points *old)
{
    size_t both = points->n_arms < old->n_arms ? points->n_arms : old->n_arms;
    for (size_t i = 0; i < both; i++) {
        points->count[points->point[i]] = old->count[old->point[i]];
        points->sum[points->point[i]] = old->sum[old->point[i]];
    }
}

bool spar__gp_points_same(const spar__gp_points *a, const spar__gp_points *b)
{
    return a->n == b->n && a->dim == b->dim && memcmp(a->x, b->x, a->n * a->dim * sizeof *a->x) == 0;
}

/* Only values that are at least `least` take part. Was one of them an open point's? */
static bool add_some(spar__gp_max *max, spar_rng *rng, size_t n, const double *value, double least, size_t start,
                     const size_t *map, const bool *open)
{
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        if (!(value[i] >= least))
            continue;
        size_t p = map ? map[start + i] : start + i;
        if (p == SIZE_MAX || !open[p])
            continue;
        any = true;
        if (!max->ties || value[i] > max->value)
            *max = (spar__gp_max){value[i], p, 1};
        else if (value[i] == max->value && spar_rng_below(rng, ++max->ties) == 0)
            max->index = p;
    }
    return any;
}

/* The largest of a chunk is found fast, and most often that is all there is to see. */
void spar__gp_max_add(spar__gp_max *max, spar_rng *rng, size_t n, const double *value, size_t start, const size_t *map,
                      const bool *open)
{
    enum { CHUNK = 128 };
    for (size_t i = 0; i < n; i += CHUNK) {
        size_t count = n - i < CHUNK ? n - i : CHUNK;
        double top = spar__largest(count, value + i);
        if (max->ties && top < max->value)
            continue;
        if (!add_some(max, rng, count, value + i, top, start + i, map, open))
            (void)add_some(max, rng, count, value + i, max->ties ? max->value : -INFINITY, start + i, map, open);
    }
}

bool spar__gp_sound(size_t n, const double *count, const double *sum)
{
    bool good = true;
    for (size_t i = 0; i < n; i++)
        good &= count[i] >= 0 && count[i] <= SPAR__LARGEST_COUNT && sum[i] >= 0 && sum[i] <= count[i] * (1 + 1e-9);
    return good;
}
