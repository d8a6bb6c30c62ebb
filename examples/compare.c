/* compare.c - two policies, one environment, many runs: which one pays less for learning?
 *
 *     cc compare.c $(pkg-config --cflags --libs spar) -o compare && ./compare */
#include <spar/spar.h>

#include <stdio.h>

int main(void)
{
    static const char *const policies[] = {"ind_self_sparring", "sparring/ucb1"};
    spar_plan plan = {
        .env = "utility(set=arith,link=linear)",
        .feedback = "all_pairs",
        .policies = policies,
        .n_policies = 2,
        .m = 4,
        .rounds = 5000,
        .runs = 20,
        .seed = 1,
        .horizon_known = true,
    };
    spar_results *results = NULL;
    spar_error err;
    if (spar_simulate(&plan, &results, &err)) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    for (size_t p = 0; p < results->n_policies; p++) {
        spar_summary s;
        if (spar_results_summary(results, p, results->n_checkpoints, &s))
            break;
        printf("%-20s regret %.1f +- %.1f, median %.1f\n", policies[p], s.mean, s.se, s.median);
    }
    spar_results_free(results);
    return 0;
}
