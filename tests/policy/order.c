/* No policy cares in which order its arms stand. */
#include "policy/order.h"

#include "reference/worlds.h"

int main(void)
{
    static const char *const specs[] = {"rucb",   "merge_rucb",         "rmed1",         "dts",
                                        "savage", "interleaved_filter", "beat_the_mean", "mdb",
                                        "random", "ind_self_sparring"};
    double utility[WORLD_ARMS], p[WORLD_ARMS * WORLD_ARMS];
    set_arith(utility);
    linear_preferences(utility, WORLD_ARMS, p);
    ladder world = {WORLD_ARMS, p};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        order_does_not_matter(specs[i], &world, 2000, 200);
    return done();
}
