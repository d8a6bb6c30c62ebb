#include "paper/claims/arms_of.h"

#include "base/alloc.h"
#include "base/error.h"
#include "env/env.h"
#include "paper/claims/judge.h"

#include <math.h>

spar_status spar__arms_of(const char *env, size_t *n, double **p, size_t *best, spar_error *err)
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

double spar__duel_bound(size_t n, const double *p, size_t best)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double least = HUGE_VAL;
        for (size_t j = 0; j < n; j++)
            if (p[i * n + j] < 0.5) {
                double cost = p[best * n + i] - 0.5 + p[best * n + j] - 0.5;
                least = fmin(least, cost / spar__coin_divergence(p[i * n + j], 0.5));
            }
        sum += least < HUGE_VAL ? least : 0;
    }
    return sum;
}
