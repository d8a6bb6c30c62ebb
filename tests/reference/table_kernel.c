/* table_kernel.c - prints what the references of the kernel policies end with: table_kernel [RUNS]. */
#include "reference/functions.h"
#include "reference/ks.h"
#include "reference/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static ref_field field_of(int world, uint64_t seed)
{
    static const ref_function camels[] = {REF_CAMEL_UNIT, REF_CAMEL_STANDARD, REF_CAMEL_INNER};
    if (world == 0)
        return ref_field_grid(REF_FORRESTER, 1, 30);
    if (world < 4)
        return ref_field_grid(camels[world - 1], 2, 8);
    gsl_rng *rng = ref_rng_open(seed);
    ref_field field = ref_field_gp(30, 0.2, rng);
    gsl_rng_free(rng);
    return field;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void row(int world, int policy, size_t m, size_t rounds, size_t runs)
{
    static const char *const worlds[] = {"forrester", "camel/unit", "camel/standard", "camel/inner", "gp"};
    static const char *const policies[] = {"kernel_self_sparring", "gp_sparring", "bopper"};
    double *regret = ref_zeros(runs), *pulls = ref_zeros(runs);
    clock_t start = clock();
    for (size_t run = 0; run < runs; run++) {
        ref_field field = field_of(world, 1000000 + run);
        uint64_t seed = 2000000 + 10000 * (uint64_t)(10 * world + policy) + run + 5000 * (uint64_t)(m == 4);
        ref_gp gp = REF_GP_USUAL;
        ref_result result = policy == 0   ? ref_kernel_self_sparring(&field.world, m, rounds, &gp, seed)
                            : policy == 1 ? ref_gp_sparring(&field.world, m, rounds, &gp, seed)
                                          : ref_bopper(&field.world, rounds, 1, seed);
        regret[run] = result.regret;
        pulls[run] = result.best_pulls;
        ref_field_close(&field);
    }
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    qsort(regret, runs, sizeof *regret, ascending);
    printf("%-15s %zu %4zu %-21s %8.2f %7.2f %8.2f %8.1f %7.1f\n", worlds[world], m, rounds, policies[policy],
           ks_mean(regret, runs), sqrt(ks_variance(regret, runs)), (regret[(runs - 1) / 2] + regret[runs / 2]) / 2,
           ks_mean(pulls, runs), seconds);
    (void)fflush(stdout);
    free(regret);
    free(pulls);
}

int main(int argc, char **argv)
{
    size_t runs = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 200;
    printf("%-15s m %4s %-21s %8s %7s %8s %8s %7s\n", "world", "T", "policy", "regret", "sd", "median", "best",
           "seconds");
    for (size_t m = 2; m <= 4; m += 2)
        for (int world = 0; world < 5; world++)
            for (int policy = 0; policy < (m == 2 && world == 0 ? 3 : 2); policy++)
                row(world, policy, m, m == 2 && world > 0 && world < 4 ? 500 : 100, runs);
    return 0;
}
