/* lab.h - what the tests of the laboratory share. */
#ifndef SPAR_TESTS_SIM_LAB_H
#define SPAR_TESTS_SIM_LAB_H

#include "sim/sim.h"
#include "tap.h"

#include <stdlib.h>

static const char *const three[] = {"random", "ind_self_sparring(eta=1)", "sparring/ucb1"};

__attribute__((unused)) static spar_plan standard(void)
{
    return (spar_plan){.size = sizeof(spar_plan),
                       .env = "utility(set=arith,link=linear)",
                       .policies = three,
                       .n_policies = 3,
                       .m = 3,
                       .rounds = 700,
                       .runs = 7,
                       .seed = 11,
                       .threads = 1,
                       .horizon = SPAR_HORIZON_ROUNDS};
}

static spar_results *simulate(const spar_plan *plan)
{
    spar_results *results = NULL;
    spar_error err = {0};
    if (spar_simulate(plan, &results, &err)) {
        printf("Bail out! %s\n", err.text);
        exit(1);
    }
    return results;
}

#endif
