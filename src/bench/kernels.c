/* kernels.c - policies that learn from one arm about others, by the size of the set: 4 draws and 12 answers a round.
 * The mean over all rounds, and over the later ones: the cost must not grow with the rounds past. */
#include "bench/timeline.h"

spar_status spar__bench_kernels(spar__bench_points *points)
{
    static const char KERNEL[] = "kernel_self_sparring", GP[] = "gp_sparring";
    static const struct {
        const char *name, *env, *policy;
        size_t k;
        uint64_t late, rounds;
        double budget;
    } cases[] = {
        {"kernel_self_sparring 1-D 30", "function(name=forrester,points=30)", KERNEL, 30, 5000, 10000, 1.5},
        {"kernel_self_sparring 1-D 1000", "function(name=forrester,points=1000)", KERNEL, 1000, 1000, 2000, 1.5},
        {"kernel_self_sparring 8x8", "function(name=camel,points=8)", KERNEL, 64, 2000, 5000, 2},
        {"kernel_self_sparring 100x100", "function(name=camel,points=100)", KERNEL, 10000, 500, 1000, 3},
        {"kernel_self_sparring 1000x1000", "function(name=camel,points=1000)", KERNEL, 1000000, 20, 50, 4},
        {"gp_sparring 1-D 30", "function(name=forrester,points=30)", GP, 30, 500, 1000, 1},
        {"gp_sparring 8x8", "function(name=camel,points=8)", GP, 64, 500, 1000, 1.5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        spar__timeline wanted = {.name = (char *)cases[i].name,
                                 .env = (char *)cases[i].env,
                                 .policy = (char *)cases[i].policy,
                                 .k = cases[i].k,
                                 .m = 4};
        spar__timeline *timeline;
        spar_status status = spar__timeline_add(points, &wanted, false, cases[i].budget, &timeline);
        if (status)
            return status;
        spar__timeline_add_window(timeline, SPAR__BENCH_KERNELS, 1, cases[i].rounds);
        spar__timeline_add_window(timeline, SPAR__BENCH_KERNELS, cases[i].late + 1, cases[i].rounds);
    }
    return SPAR_OK;
}
