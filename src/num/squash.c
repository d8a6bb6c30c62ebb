#include "num/squash.h"

#include "num/elementary.h"

#include <math.h>
#include <stddef.h>

enum { CHUNK = 64 };

void spar__squash_moments(double mean, double sd, double *squashed_mean, double *squashed_variance)
{
    const double reach = 8; /* standard deviations: beyond lie 1e-15 of the law */
    double h = fmin(0.4, 0.6 / sd), first = 0, second = 0, total = 0;
    double nodes = 2 * floor(reach / h) + 1, from = -floor(reach / h) * h;
    double weight[CHUNK], value[CHUNK];
    for (double start = 0; start < nodes; start += CHUNK) {
        size_t count = (size_t)fmin(CHUNK, nodes - start);
        for (size_t i = 0; i < count; i++) {
            double z = from + (start + (double)i) * h;
            weight[i] = -0.5 * z * z;
            value[i] = mean + sd * z;
        }
        spar__vexp(weight, weight, count);
        spar__vlogistic(value, value, count);
        for (size_t i = 0; i < count; i++) {
            total += weight[i];
            first += weight[i] * value[i];
            second += weight[i] * value[i] * value[i];
        }
    }
    first /= total;
    *squashed_mean = first;
    *squashed_variance = fmax(0, second / total - first * first);
}
