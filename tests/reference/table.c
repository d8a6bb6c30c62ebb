/* table.c - prints mean and sd of final regret and of best pulls of the references on the 16-arm sets. */
#include "reference/ks.h"
#include "reference/reference.h"
#include "reference/worlds.h"

#include <stdio.h>

enum { RUNS = 400, ROUNDS = 2000 };

static void play(const ref_world *world, size_t m, int policy, uint64_t seed, ref_result *out)
{
    static const ref_bandit kinds[] = {REF_UCB1, REF_EXP3, REF_THOMPSON};
    switch (policy) {
    case 0:
    case 1:
        *out = ref_ind_self_sparring(world, m, ROUNDS, policy ? 3.5 : 1, REF_COUNT, seed);
        break;
    case 2:
    case 3:
    case 4:
        *out = ref_sparring(world, m, ROUNDS, kinds[policy - 2], 2, REF_MEAN, seed);
        break;
    case 5:
        *out = ref_multi_sbm(world, ROUNDS, REF_UCB1, 2, seed);
        break;
    default:
        *out = ref_doubler(world, ROUNDS, REF_UCB1, 2, seed);
        break;
    }
}

int main(void)
{
    static const char *const names[] = {"ind_self_sparring(eta=1)",
                                        "ind_self_sparring(eta=3.5)",
                                        "sparring/ucb1",
                                        "sparring/exp3",
                                        "sparring/thompson",
                                        "multi_sbm/ucb1",
                                        "doubler/ucb1"};
    static double regret[RUNS], pulls[RUNS];
    printf("%-6s %-2s %-28s %10s %9s %10s %9s\n", "set", "m", "policy", "regret", "sd", "best", "sd");
    for (int set = 0; set < 2; set++) {
        double utility[WORLD_ARMS], p[WORLD_ARMS * WORLD_ARMS];
        (set ? set_arith : set_1good)(utility);
        linear_preferences(utility, WORLD_ARMS, p);
        ref_world world = {.k = WORLD_ARMS, .p = p, .utility = utility, .feedback = REF_ALL_PAIRS, .best = 0};
        for (size_t m = 2; m <= 4; m += 2) {
            for (int policy = 0; policy < (m == 2 ? 7 : 5); policy++) {
                for (size_t run = 0; run < RUNS; run++) {
                    ref_result result;
                    play(&world, m, policy, 1000000 * (uint64_t)policy + run, &result);
                    regret[run] = result.regret;
                    pulls[run] = result.best_pulls;
                }
                printf("%-6s %-2zu %-28s %10.2f %9.2f %10.1f %9.1f\n", set ? "arith" : "1good", m, names[policy],
                       ks_mean(regret, RUNS), sqrt(ks_variance(regret, RUNS)), ks_mean(pulls, RUNS),
                       sqrt(ks_variance(pulls, RUNS)));
                (void)fflush(stdout);
            }
        }
    }
    return 0;
}
