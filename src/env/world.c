#include "base/alloc.h"
#include "env/env.h"

#include <math.h>
#include <string.h>

enum { TABLE_LIMIT = 512 }; /* more arms than this: no tables of P and gaps, 2 MB is all a run should cost */

void spar__world_labels(spar_rng *rng, uint64_t seed, uint64_t run, size_t n, size_t *order)
{
    spar_rng_seed(rng, seed, run, SPAR__PURPOSE_LABELS);
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    spar_rng_shuffle(rng, order, n);
}

spar_status spar__world_set_arms(spar_world *world, const size_t *order, size_t n, size_t dim, const double *x,
                                 char *const *names)
{
    double *features = x ? spar__alloc(n, dim * sizeof *x) : NULL;
    const char **labels = names ? spar__alloc(n, sizeof *labels) : NULL;
    spar_status status = (x && !features) || (names && !labels) ? SPAR_NOMEM : SPAR_OK;
    for (size_t i = 0; !status && i < n; i++) {
        if (x)
            memcpy(features + i * dim, x + order[i] * dim, dim * sizeof *x);
        if (names)
            labels[i] = names[order[i]];
    }
    if (!status)
        status = spar_arms_new(n, x ? dim : 0, features, labels, &world->arms);
    world->n = n;
    spar__free(features);
    spar__free(labels);
    return status;
}

spar_status spar__world_set_phases(spar_world *world, size_t phases, uint64_t every)
{
    size_t n = world->n;
    world->phase = spar__alloc(phases, sizeof *world->phase);
    if (!world->phase)
        return SPAR_NOMEM;
    world->phases = phases;
    world->every = every;
    for (size_t i = 0; i < phases; i++) {
        world->phase[i].gap = spar__alloc(n, sizeof(double));
        world->phase[i].p = spar__alloc(n, n * sizeof(double));
        if (!world->phase[i].gap || !world->phase[i].p)
            return SPAR_NOMEM;
    }
    return SPAR_OK;
}

void spar__phase_set_best(spar__phase *phase, size_t n, size_t best)
{
    phase->best = best;
    for (size_t i = 0; i < n; i++)
        phase->gap[i] = best == SPAR_NO_ARM ? (double)NAN : phase->p[best * n + i] - 0.5;
}

spar_status spar__world_set_utilities(spar_world *world)
{
    size_t n = world->n, best = 0;
    const double *u = world->utility;
    spar__phase *phase = world->phase = spar__alloc(1, sizeof *world->phase);
    if (!phase)
        return SPAR_NOMEM;
    world->phases = 1;
    for (size_t i = 1; i < n; i++)
        if (u[i] > u[best])
            best = i;
    phase->best = best;
    if (n > TABLE_LIMIT)
        return SPAR_OK;
    double *gap = spar__alloc(n, sizeof *gap), *p = world->plain ? NULL : spar__alloc(n, n * sizeof *p);
    if (!gap || (!world->plain && !p)) {
        spar__free(gap);
        spar__free(p);
        return SPAR_NOMEM;
    }
    for (size_t i = 0; i < n; i++)
        gap[i] = spar__phase_gap(world, phase, i);
    for (size_t i = 0; p && i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            p[i * n + j] = spar__link_prefer(world->link, u[i], u[j]);
            p[j * n + i] = 1 - p[i * n + j]; /* exactly, see link.c */
        }
        p[i * n + i] = 0.5;
    }
    phase->gap = gap;
    phase->p = p;
    return SPAR_OK;
}

spar_status spar_world_new(const spar_env *env, uint64_t seed, uint64_t run, spar_world **out, spar_error *err)
{
    if (!SPAR__CLEAR(out) || !env)
        return spar__fail_null(err);
    spar_world *world = spar__alloc(1, sizeof *world);
    if (!world)
        return spar__fail_memory(err);
    world->plain = env->cls->plain;
    world->luck = spar__luck_make(seed, run, SPAR__PURPOSE_LUCK);
    spar_status status = env->cls->start(env->self, seed, run, world, err);
    if (status == SPAR_NOMEM)
        (void)spar__fail_memory(err);
    if (status)
        spar_world_free(world);
    else
        *out = world;
    return status;
}

spar_status spar__world_of_utilities(size_t n, const double *utility, uint64_t seed, uint64_t run, spar_world **out)
{
    *out = NULL;
    spar_world *world = spar__alloc(1, sizeof *world);
    if (!world)
        return SPAR_NOMEM;
    world->n = n;
    world->link = SPAR__LINK_LOGIT;
    world->luck = spar__luck_make(seed, run, SPAR__PURPOSE_LUCK);
    world->utility = spar__alloc(n, sizeof *world->utility);
    for (size_t i = 0; i < n && world->utility; i++)
        world->utility[i] = utility[i];
    if (!world->utility || spar_arms_new(n, 0, NULL, NULL, &world->arms) || spar__world_set_utilities(world)) {
        spar_world_free(world);
        return SPAR_NOMEM;
    }
    *out = world;
    return SPAR_OK;
}

void spar_world_free(spar_world *world)
{
    if (!world)
        return;
    for (size_t i = 0; i < world->phases; i++) {
        spar__free(world->phase[i].p);
        spar__free(world->phase[i].tie);
        spar__free(world->phase[i].gap);
    }
    spar__free(world->phase);
    spar__free(world->utility);
    spar__free(world->ranker);
    spar__free(world->recorded);
    spar_arms_free(world->arms);
    spar__free(world);
}

uint64_t spar_world_redrawn(const spar_world *world)
{
    return world ? world->redrawn : 0;
}

const spar_arms *spar_world_arms(const spar_world *world)
{
    return world ? world->arms : NULL;
}

double spar_world_prefer(const spar_world *world, uint64_t t, size_t i, size_t j)
{
    return world ? spar__phase_prefer(world, spar__world_phase(world, t), i, j) : NAN;
}

size_t spar_world_best(const spar_world *world, uint64_t t)
{
    return world ? spar__world_phase(world, t)->best : SPAR_NO_ARM;
}

double spar_world_gap(const spar_world *world, uint64_t t, size_t arm)
{
    return world ? spar__phase_gap(world, spar__world_phase(world, t), arm) : NAN;
}

const double *spar_world_utilities(const spar_world *world)
{
    return world ? world->utility : NULL;
}

void spar__world_matrix(const spar_world *world, uint64_t t, double *p)
{
    const spar__phase *phase = spar__world_phase(world, t);
    for (size_t i = 0; i < world->n; i++)
        for (size_t j = 0; j < world->n; j++)
            p[i * world->n + j] = spar__phase_prefer(world, phase, i, j);
}
