/* The normal law by the ziggurat (Marsaglia and Tsang, 2000): 256 layers of equal area under exp(-x^2/2), the lowest
 * with the tail. One word picks the layer (8 bits), the sign (1 bit) and the place in it (53 bits). */
#include "num/elementary.h"
#include "sampler/laws.h"
#include "sampler/rng.h"
#include "sampler/sampler.h"

#include <math.h>

const double spar__normal_edge[257] = {
#include "sampler/normal_table.inc"
};

static double height(double x)
{
    return spar__exp(-0.5 * x * x);
}

/* Beyond r (Marsaglia 1964): r + E/r is right with probability exp(-(E/r)^2/2). */
static double tail(spar_rng *rng)
{
    const double r = spar__normal_edge[1];
    double x;
    do
        x = spar__exponential(rng) / r;
    while (2 * spar__exponential(rng) < x * x);
    return r + x;
}

double spar__normal(spar_rng *rng)
{
    for (;;) {
        uint64_t word = spar__rng_next(rng);
        size_t layer = word & 255;
        double x = (double)(word >> 11) * 0x1p-53 * spar__normal_edge[layer];
        if (!(x < spar__normal_edge[layer + 1])) { /* not under the layer above */
            if (layer == 0) {
                x = tail(rng);
            } else {
                double low = height(spar__normal_edge[layer]), high = height(spar__normal_edge[layer + 1]);
                if (low + spar__uniform_open(rng) * (high - low) >= height(x))
                    continue;
            }
        }
        return (1 - (double)(word >> 7 & 2)) * x; /* a branch would be mispredicted half the time */
    }
}
