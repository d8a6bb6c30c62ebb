#include "posterior/gp.h"

#include "base/alloc.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct place {
    const double *x;
    size_t dim, arm;
} place;

static int by_features(const place *p, const place *q)
{
    for (size_t d = 0; d < p->dim; d++)
        if (p->x[d] != q->x[d])
            return p->x[d] < q->x[d] ? -1 : 1;
    return 0;
}

static int by_place(const void *a, const void *b)
{
    const place *p = a, *q = b;
    int order = by_features(p, q);
    return order ? order : p->arm < q->arm ? -1 : p->arm > q->arm;
}

static spar_status allocate(spar__gp_points *points, size_t n_arms)
{
    size_t n = points->n;
    points->x = spar__alloc(n * points->dim, sizeof *points->x);
    points->count = spar__alloc(n, sizeof *points->count);
    points->sum = spar__alloc(n, sizeof *points->sum);
    points->new_count = spar__alloc(n, sizeof *points->new_count);
    points->new_sum = spar__alloc(n, sizeof *points->new_sum);
    points->touched = spar__alloc(n, sizeof *points->touched);
    points->open = spar__alloc(n, sizeof *points->open);
    points->first = spar__alloc(n + 1, sizeof *points->first);
    points->point = spar__alloc(n_arms, sizeof *points->point);
    points->arm = spar__alloc(n_arms, sizeof *points->arm);
    bool room = points->x && points->count && points->sum && points->new_count && points->new_sum && points->touched &&
                points->open && points->first && points->point && points->arm;
    return room ? SPAR_OK : SPAR_NOMEM;
}

static void fill(spar__gp_points *points, const spar_arms *arms, const place *order)
{
    size_t p = 0, live = 0;
    for (size_t i = 0; i < arms->n; i++) {
        if (i == 0 || by_features(&order[i - 1], &order[i])) {
            p += i > 0;
            memcpy(points->x + p * points->dim, order[i].x, points->dim * sizeof *points->x);
            points->first[p] = live;
        }
        points->point[order[i].arm] = p;
        if (arms->alive[order[i].arm]) {
            points->open[p] = true;
            points->arm[live++] = order[i].arm;
        }
    }
    points->first[points->n] = live;
}

spar_status spar__gp_points_make(const spar_arms *arms, spar__gp_points *out)
{
    *out = (spar__gp_points){.dim = arms->dim, .n_arms = arms->n};
    place *order = spar__alloc(arms->n, sizeof *order);
    if (!order)
        return SPAR_NOMEM;
    for (size_t i = 0; i < arms->n; i++)
        order[i] = (place){arms->x + i * arms->dim, arms->dim, i};
    qsort(order, arms->n, sizeof *order, by_place);
    for (size_t i = 0; i < arms->n; i++)
        out->n += i == 0 || by_features(&order[i - 1], &order[i]);
    spar_status status = allocate(out, arms->n);
    if (!status)
        fill(out, arms, order);
    else
        spar__gp_points_free(out);
    spar__free(order);
    return status;
}

void spar__gp_points_free(spar__gp_points *points)
{
    spar__free(points->x);
    spar__free(points->count);
    spar__free(points->sum);
    spar__free(points->new_count);
    spar__free(points->new_sum);
    spar__free(points->touched);
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

void spar__gp_race_run(spar__gp_race *race, spar_rng *rng, size_t n, const double *value, size_t start,
                       const size_t *map, const bool *open)
{
    for (size_t i = 0; i < n; i++) {
        if (race->ties && !(value[i] >= race->value))
            continue;
        size_t p = map ? map[start + i] : start + i;
        if (p == SIZE_MAX || !open[p])
            continue;
        if (!race->ties || value[i] > race->value)
            *race = (spar__gp_race){value[i], p, 1};
        else if (spar_rng_below(rng, ++race->ties) == 0)
            race->index = p;
    }
}
