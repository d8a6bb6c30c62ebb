#include "sim/stats.h"

#include "base/order.h"

#include <math.h>
#include <stdlib.h>

double spar__quantile(const double *sorted, size_t n, double p)
{
    double place = (double)(n - 1) * p;
    size_t below = (size_t)place;
    if (below + 1 >= n)
        return sorted[n - 1];
    return sorted[below] + (place - (double)below) * (sorted[below + 1] - sorted[below]);
}

static double mean_of(const double *values, size_t n)
{
    spar__sum sum = {0};
    for (size_t i = 0; i < n; i++)
        spar__sum_add(&sum, values[i]);
    return spar__sum_value(sum) / (double)n;
}

void spar__summarize(double *values, size_t n, spar__summary *out)
{
    *out = (spar__summary){.n = n};
    if (n == 0)
        return;
    /* Sorted first: the sums then do not depend on the order of the values either. */
    qsort(values, n, sizeof *values, spar__by_value);
    out->mean = mean_of(values, n);
    out->median = spar__quantile(values, n, 0.5);
    out->q05 = spar__quantile(values, n, 0.05);
    out->q25 = spar__quantile(values, n, 0.25);
    out->q75 = spar__quantile(values, n, 0.75);
    out->q95 = spar__quantile(values, n, 0.95);
    if (n == 1)
        return;
    spar__sum squares = {0};
    for (size_t i = 0; i < n; i++)
        spar__sum_add(&squares, (values[i] - out->mean) * (values[i] - out->mean));
    out->sd = sqrt(spar__sum_value(squares) / (double)(n - 1));
    out->se = out->sd / sqrt((double)n);
}

bool spar__difference_sure(const spar__difference *d)
{
    return d->n > 1 && d->mean > 2 * d->se;
}

void spar__compare(const double *a, const double *b, size_t n, spar__difference *out)
{
    *out = (spar__difference){0};
    spar__sum sum = {0}, squares = {0};
    for (size_t i = 0; i < n; i++) {
        if (isnan(a[i]) || isnan(b[i]))
            continue;
        out->n++;
        out->worse += a[i] > b[i] ? 1 : a[i] == b[i] ? 0.5 : 0;
        spar__sum_add(&sum, a[i] - b[i]);
    }
    if (out->n == 0)
        return;
    double count = (double)out->n;
    out->mean = spar__sum_value(sum) / count;
    out->worse /= count;
    for (size_t i = 0; i < n; i++) {
        double off = a[i] - b[i] - out->mean; /* NaN where a side is */
        if (!isnan(off))
            spar__sum_add(&squares, off * off);
    }
    if (out->n > 1)
        out->se = sqrt(spar__sum_value(squares) / (count - 1) / count);
}
