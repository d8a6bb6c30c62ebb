/* KernelSelfSparring over continuous spaces, 4 points a round: what it thinks best after 200 rounds. */
#include "sim/box.h"

int main(void)
{
    /* Branin: -0.398 at best; 308.1 below 0 in the worst corner. */
    double worst, best = -0.39788735772973834, range = 308.12909601160663 - 0.39788735772973834;
    static const char *const policies[] = {"kernel_self_sparring", "self_sparring/thompson/gp(kernel=matern52)"};
    for (size_t i = 0; i < 2; i++) {
        box_game box = {"function(name=branin,box=1)", policies[i], 4, 200};
        double off = box_median(&box, 20, best, range, &worst);
        ok(off < 0.05, "%s: branin, median of 20 runs %.4f of the range below the best, worst %.4f", policies[i], off,
           worst);
    }
    return done();
}
