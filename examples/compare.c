/* compare.c - two policies, one environment, many runs: which one pays less for learning?
 *
 *     cc compare.c $(pkg-config --cflags --libs spar) -o compare && ./compare */
#include <spar/spar.h>

#include <stdio.h>

int main(void)
{
    static const char *const policies[] = {"ind_self_sparring", "sparring/ucb1"};
    spar_plan plan = {
        .size = sizeof(spar_plan),
        .env = "utility(set=arith,link=linear)",
        .feedback = "all_pairs",
        .policies = policies,
        .n_policies = 2,
        .m = 4,
        .rounds = 5000,
        .runs = 20,
        .seed = 1,
        .horizon = SPAR_HORIZON_ROUNDS,
    };
    spar_results *results = NULL;
    spar_error err;
    if (spar_simulate(&plan, &results, &err)) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    for (size_t p = 0; p < 2; p++) {
        size_t end = spar_results_checkpoints(results); /* of the final regret */
        printf("%-20s regret %.1f +- %.1f, median %.1f\n", policies[p],
               spar_results_statistic(results, p, end, SPAR_STAT_MEAN),
               spar_results_statistic(results, p, end, SPAR_STAT_SE),
               spar_results_statistic(results, p, end, SPAR_STAT_MEDIAN));
    }
    spar_results_free(results);
    return 0;
}
