#include "types/points.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

typedef struct place {
    const double *x;
    size_t dim, arm;
} place;

static int compare_features(const place *p, const place *q)
{
    for (size_t d = 0; d < p->dim; d++)
        if (p->x[d] != q->x[d])
            return p->x[d] < q->x[d] ? -1 : 1;
    return 0;
}

static int compare(const void *a, const void *b)
{
    const place *p = a, *q = b;
    int order = compare_features(p, q);
    return order ? order : (p->arm > q->arm) - (p->arm < q->arm);
}

spar_status spar__points_make(const spar_arms *arms, spar__points *out)
{
    size_t n = arms->n, dim = arms->dim;
    *out = (spar__points){.arms = n};
    place *place_of = spar__alloc(n, sizeof *place_of);
    out->x = spar__alloc(n, dim * sizeof *out->x);
    out->of = spar__alloc(n, sizeof *out->of);
    out->first = spar__alloc(n, sizeof *out->first);
    if (!place_of || !out->x || !out->of || !out->first) {
        spar__free(place_of);
        spar__points_free(out);
        return SPAR_NOMEM;
    }
    for (size_t i = 0; i < n; i++)
        place_of[i] = (place){arms->x + i * dim, dim, i};
    qsort(place_of, n, sizeof *place_of, compare);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || compare_features(&place_of[i - 1], &place_of[i])) {
            memcpy(out->x + out->n * dim, place_of[i].x, dim * sizeof *out->x);
            out->first[out->n++] = place_of[i].arm;
        }
        out->of[place_of[i].arm] = out->n - 1;
    }
    spar__free(place_of);
    return SPAR_OK;
}

void spar__points_free(spar__points *points)
{
    spar__free(points->x);
    spar__free(points->of);
    spar__free(points->first);
    *points = (spar__points){0};
}

size_t spar__arm_at(const spar_arms *arms, size_t from, const double *x)
{
    while (from < arms->n && memcmp(arms->x + from * arms->dim, x, arms->dim * sizeof *x) != 0)
        from++;
    return from;
}
