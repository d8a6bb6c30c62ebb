/* Four rankers at once: the order of the multi-dueling policies on random subsets of 16 real rankers, from a matrix and
 * by true multileaving. */
#include "sim/sim.h"

#include "tap.h"

#include <stdlib.h>

enum { RUNS = 50, ROUNDS = 20000 };

static const char *const policies[] = {"ind_self_sparring", "mdb", "sparring/ucb1"};

static void check_order(const char *format, const char *file)
{
    const char *data = getenv("SPAR_DATA");
    char env[4200], path[4100];
    (void)snprintf(path, sizeof path, "%s/%s", data ? data : "", file);
    (void)snprintf(env, sizeof env, format, path);
    FILE *there = data ? fopen(path, "r") : NULL;
    if (!there) {
        char why[100];
        (void)snprintf(why, sizeof why, "no %s in SPAR_DATA", file);
        skip(why);
        return;
    }
    (void)fclose(there);
    spar_plan plan = {.size = sizeof(spar_plan),
                      .env = env,
                      .policies = policies,
                      .n_policies = 3,
                      .m = 4,
                      .rounds = ROUNDS,
                      .runs = RUNS,
                      .seed = 1,
                      .horizon = SPAR_HORIZON_ROUNDS};
    spar_results *results = NULL;
    spar_error err = {0};
    if (!ok(spar_simulate(&plan, &results, &err) == SPAR_OK, "%s %s", file, err.text))
        return;
    for (size_t i = 0; i < 3; i++) {
        spar__summary s;
        (void)spar__results_summary(results, i, results->n_checkpoints, &s);
        printf("# %-18s mean %.1f +- %.1f, median %.1f\n", policies[i], s.mean, s.se, s.median);
    }
    for (size_t i = 0; i < 2; i++) {
        spar__difference worse;
        (void)spar__results_difference(results, i + 1, i, &worse);
        ok(worse.n == RUNS && worse.mean > 5 * worse.se, "%s: %s loses %.1f +- %.1f more than %s", file,
           policies[i + 1], worse.mean, worse.se, policies[i]);
    }
    spar_results_free(results);
}

int main(void)
{
    check_order("matrix(file=\"%s\",subset=16)", "mslr/MSLR-Perfect.txt");
    check_order("rankers(data=\"%s\",subset=16,cache=none)", "mq2008/train.txt");
    return done();
}
