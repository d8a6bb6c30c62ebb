/* world.c - the world of a run: its arms, their utilities or preferences, which arm is best, and what showing another
 * one costs. Tables of preferences and costs are made for up to TABLE_LIMIT arms; beyond, both are computed from
 * utilities when they are asked for. Over a box, points take the place of arms. */
#include "base/alloc.h"
#include "env/env.h"
#include "num/elementary.h"

#include <math.h>
#include <string.h>

/* --- links ---
 *
 * How utilities become preferences:
 *
 *     linear  P(x beats y) = (1 + x - y) / 2
 *     logit   P(x beats y) = 1 / (1 + exp(y - x))
 *     natural P(x beats y) = x / (x + y)
 *
 * The stronger side is computed; the weaker is 1 minus it, which is exact above 1/2, so the two always add up to 1. */

static double stronger(spar__link link, double x, double y)
{
    switch (link) {
    case SPAR__LINK_LINEAR:
        return 0.5 + (x - y) / 2;
    case SPAR__LINK_LOGIT:
        return 1 / (1 + spar__exp(y - x));
    case SPAR__LINK_NATURAL:
        break;
    }
    return 1 / (1 + y / x); /* x + y may overflow */
}

double spar__link_prefer(spar__link link, double x, double y)
{
    if (x == y)
        return 0.5;
    return x > y ? stronger(link, x, y) : 1 - stronger(link, y, x);
}

const char *spar__link_refuses(spar__link link, const double *utility, size_t n)
{
    double low = utility[0], high = utility[0];
    for (size_t i = 1; i < n; i++) {
        low = utility[i] < low ? utility[i] : low;
        high = utility[i] > high ? utility[i] : high;
    }
    if (link == SPAR__LINK_LINEAR && high - low > 1)
        return "the linear link needs utilities at most 1 apart";
    if (link == SPAR__LINK_NATURAL && !(low > 0))
        return "the natural link needs utilities above 0";
    return NULL;
}

/* --- arms and phases --- */

enum { TABLE_LIMIT = 512 }; /* more arms than this: no tables of P and gaps, 2 MB is all a run should cost */

void spar__world_labels(spar_rng *rng, uint64_t seed, uint64_t run, size_t n, size_t *order)
{
    spar_rng_seed(rng, seed, run, SPAR__PURPOSE_LABELS);
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    spar_rng_shuffle(rng, order, n);
}

spar_status spar__world_set_values(spar_world *world, uint64_t seed, uint64_t run, size_t n, const double *value,
                                   size_t **order)
{
    spar_rng rng;
    *order = spar__alloc(n, sizeof **order);
    world->utility = spar__alloc(n, sizeof *world->utility);
    if (!*order || !world->utility)
        return SPAR_NOMEM;
    spar__world_labels(&rng, seed, run, n, *order);
    for (size_t i = 0; i < n; i++)
        world->utility[i] = value[(*order)[i]];
    return SPAR_OK;
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
            p[j * n + i] = 1 - p[i * n + j]; /* exactly, see above */
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

/* --- over a box --- */

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
