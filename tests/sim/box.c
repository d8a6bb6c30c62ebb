/* KernelSelfSparring over continuous spaces, 4 points a round; box_long.c plays longer. */
#include "sim/box.h"

int main(void)
{
    static const struct {
        box_game box;
        double best, range, enough;
    } cases[] = {
        {{"function(name=branin,box=1)", "kernel_self_sparring", 4, 50}, -0.39788735772973834, 307.7, 0.02},
        {{"function(name=branin,box=1,levels=15:0)", "kernel_self_sparring", 4, 50}, -0.39788735772973834, 307.7, 0.02},
        {{"function(name=branin,box=1)", "self_sparring/thompson/gp(kernel=matern52)", 4, 50},
         -0.39788735772973834,
         307.7,
         0.03},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double worst, off = box_median(&cases[i].box, 5, cases[i].best, cases[i].range, &worst);
        ok(off < cases[i].enough, "%s, %s: after %d rounds, median %.4f of the range below the best, worst %.4f",
           cases[i].box.policy, cases[i].box.env, (int)cases[i].box.rounds, off, worst);
    }
    return done();
}
