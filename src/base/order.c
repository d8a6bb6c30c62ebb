#include "base/order.h"

#include <stdlib.h>

int spar__by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

size_t spar__distinct(size_t n, double *value)
{
    size_t kept = 0;
    qsort(value, n, sizeof *value, spar__by_value);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || value[i] != value[kept - 1])
            value[kept++] = value[i];
    return kept;
}

static int by_rank(const void *a, const void *b)
{
    const spar__ranked *p = a, *q = b;
    if (p->value != q->value)
        return p->value < q->value ? -1 : 1;
    return (p->index > q->index) - (p->index < q->index);
}

void spar__rank(size_t n, spar__ranked *item)
{
    qsort(item, n, sizeof *item, by_rank);
}
