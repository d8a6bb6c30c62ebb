#include "paper/scenarios.h"

#include "base/alloc.h"
#include "base/error.h"
#include "env/env.h"
#include "paper/policies.h"

#include <stdio.h>

const char *const spar__scenario_sets[SPAR__SCENARIO_SETS] = {"1good", "2good", "6good", "arith", "geom"};
const char *const spar__scenario_links[SPAR__SCENARIO_LINKS] = {"linear", "logit", "natural"};

spar_status spar__env_arms(const char *env, size_t *n, double **p, size_t *best, spar_error *err)
{
    spar_env *made = NULL;
    spar_world *world = NULL;
    *p = NULL;
    spar_status status = spar_env_new(env, &made, err);
    if (!status)
        status = spar_world_new(made, 1, 0, &world, err);
    if (!status) {
        *n = spar_world_arms(world)->n;
        *p = spar__alloc(*n * *n, sizeof **p);
        status = *p ? SPAR_OK : spar__fail_memory(err);
    }
    if (!status) {
        spar__world_matrix(world, 1, *p);
        *best = spar_world_best(world, 1);
    }
    spar_world_free(world);
    spar_env_free(made);
    return status;
}

spar_status spar__scenario_measure(const char *link, const char *set, spar__transitivity *out, spar_error *err)
{
    char env[64];
    double *p;
    size_t n, best;
    (void)snprintf(env, sizeof env, "utility(set=%s,link=%s)", set, link);
    spar_status status = spar__env_arms(env, &n, &p, &best, err);
    if (!status && spar__transitivity_measure(n, p, out))
        status = spar__fail_memory(err);
    spar__free(p);
    return status;
}

spar_status spar__paper_add_scenario(spar__paper *paper, const char *link, const char *set, spar_error *err)
{
    char name[80], title[80], env[80];
    (void)snprintf(name, sizeof name, "grid/%s-%s", link, set);
    (void)snprintf(title, sizeof title, "%s / %s", link, set);
    (void)snprintf(env, sizeof env, "utility(set=%s,link=%s)", set, link);
    return spar__paper_add(paper,
                           &(spar__paper_setting){.name = name,
                                                  .title = title,
                                                  .env = env,
                                                  .m = 2,
                                                  .rounds = 20000,
                                                  .runs = 100,
                                                  .quick_runs = 8,
                                                  .policy = spar__vanilla_policies,
                                                  .n_policies = SPAR__VANILLA_POLICIES,
                                                  .nanoseconds = 900},
                           err);
}
