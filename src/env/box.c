/* Worlds over a box: points take the place of arms. */
#include "base/alloc.h"
#include "env/env.h"

#include <math.h>

spar_status spar__world_set_box(spar_world *world, size_t n_axes, const spar__space_axis *axis,
                                double (*utility_at)(const void *env, const double *x), const void *env, double best)
{
    world->n = 0;
    world->link = SPAR__LINK_LOGIT;
    world->utility_at = utility_at;
    world->env = env;
    world->best_utility = best;
    world->phase = spar__alloc(1, sizeof *world->phase);
    if (!world->phase)
        return SPAR_NOMEM;
    world->phases = 1;
    world->phase->best = SPAR_FRESH;
    return spar_arms_new_space(&(spar_space){n_axes, (spar__space_axis *)(uintptr_t)axis}, &world->arms);
}

spar_status spar__slots_set(spar__slots *out, const spar_world *world, const spar_round *round, size_t *arm,
                            double *utility)
{
    size_t m = round->m, dim = world->arms->dim;
    if (round->dim != dim)
        return SPAR_INVALID;
    for (size_t j = 0; j < m; j++) {
        const double *x = round->x + j * dim;
        if (!spar_arms_admit(world->arms, x))
            return SPAR_INVALID;
        arm[j] = j;
        utility[j] = world->utility_at(world->env, x);
    }
    out->arms = (spar_arms){.n = m, .live = m, .dim = dim, .x = round->x};
    out->phase = (spar__phase){0};
    out->round = (spar_round){.m = m, .arm = arm};
    out->world = *world;
    out->world.n = m;
    out->world.utility = utility;
    out->world.utility_at = NULL;
    out->world.arms = &out->arms;
    out->world.phase = &out->phase;
    return SPAR_OK;
}

double spar_world_utility_at(const spar_world *world, const double *x)
{
    bool there = world && x && world->utility_at && spar_arms_admit(world->arms, x);
    return there ? world->utility_at(world->env, x) : NAN;
}

double spar_world_gap_at(const spar_world *world, uint64_t t, const double *x)
{
    (void)t; /* no box changes with time */
    double utility = spar_world_utility_at(world, x);
    if (isnan(utility))
        return NAN;
    double gap = spar__link_prefer(world->link, world->best_utility, utility) - 0.5;
    return fmax(gap, 0); /* the best is known up to rounding */
}
