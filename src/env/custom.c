/* custom.c - an environment whose preferences, and answers if it likes, come from functions of the caller. */
#include "base/alloc.h"
#include "env/feedback/feedback.h"
#include "prefer/prefer.h"

#include <string.h>

enum { PURPOSE_CUSTOM = 0x63757374, FEW_SLOTS = 64 };

typedef struct custom_env {
    spar_env_functions is;
    char *name;
    spar_arms *arms;
    size_t phases;
} custom_env;

static void fini(void *self)
{
    custom_env *env = self;
    spar__free(env->name);
    spar_arms_free(env->arms);
}

/* A preference and its opposite are 1 together, to the last bit. */
static spar_status complete(size_t n, double *p, const char *name, spar_error *err)
{
    for (size_t i = 0; i < n; i++) {
        p[i * n + i] = 0.5;
        for (size_t j = i + 1; j < n; j++) {
            if (!(p[i * n + j] >= 0 && p[i * n + j] <= 1))
                return spar__fail(err, SPAR_INVALID, "%s: P(%zu beats %zu) = %g, expected a probability", name, i, j,
                                  p[i * n + j]);
            p[j * n + i] = 1 - p[i * n + j];
            p[i * n + j] = 1 - p[j * n + i];
        }
    }
    return SPAR_OK;
}

static spar_status start_phase(const custom_env *env, spar_world *world, size_t phase, double *p, spar_error *err)
{
    size_t n = world->n, best = 0;
    spar_error why = {0};
    spar_status status = env->is.prefer(env->is.context, world->seed, world->run, phase, n, p, &why);
    if (status)
        return spar__fail(err, status, "%s: %s", env->name, why.text[0] ? why.text : spar_status_text(status));
    status = complete(n, p, env->name, err);
    if (status)
        return status;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            world->phase[phase].p[i * n + j] = p[world->recorded[i] * n + world->recorded[j]];
    if (!spar__condorcet(n, world->phase[phase].p, &best))
        return spar__fail(err, SPAR_INVALID, "%s: in run %llu no item beats all others", env->name,
                          (unsigned long long)world->run);
    spar__phase_set_best(&world->phase[phase], n, best);
    return SPAR_OK;
}

static spar_status start(const void *self, uint64_t seed, uint64_t run, spar_world *world, spar_error *err)
{
    const custom_env *env = self;
    const spar_arms *arms = env->arms;
    size_t n = arms->n;
    spar_rng rng;
    double *p = spar__alloc(n, n * sizeof *p);
    world->recorded = spar__alloc(n, sizeof *world->recorded);
    world->env = env;
    world->seed = seed;
    world->run = run;
    spar_status status = p && world->recorded ? SPAR_OK : SPAR_NOMEM;
    if (!status) {
        spar__world_labels(&rng, seed, run, n, world->recorded);
        status = spar__world_set_arms(world, world->recorded, n, arms->dim, arms->x, arms->name);
    }
    if (!status)
        status = spar__world_set_phases(world, env->phases, env->phases > 1 ? env->is.every : 0);
    for (size_t i = 0; !status && i < env->phases; i++)
        status = start_phase(env, world, i, p, err);
    spar__free(p);
    return status;
}

static bool has_features(const void *self)
{
    return ((const custom_env *)self)->arms->dim > 0;
}

static const spar__env_class custom_class = {
    .entry = {"custom", "functions of the caller", NULL, NULL},
    .size = sizeof(custom_env),
    .fini = fini,
    .start = start,
    .has_features = has_features,
};

static spar_status answer(const void *self, const spar_world *world, uint64_t t, const spar_round *round,
                          spar_feedback *feedback)
{
    (void)self;
    const custom_env *env = world->env;
    size_t few[FEW_SLOTS], *item = round->m > FEW_SLOTS ? spar__alloc(round->m, sizeof *item) : few;
    if (!item)
        return SPAR_NOMEM;
    for (size_t j = 0; j < round->m; j++)
        item[j] = world->recorded[round->arm[j]];
    spar_rng rng; /* of its own for each round: policies that ask for different things meet the same luck */
    spar_rng_seed(&rng, world->seed ^ PURPOSE_CUSTOM, world->run, t);
    spar_status status = env->is.answer(env->is.context, world->run, t, round->m, item, &rng, feedback);
    if (!status && feedback->m != round->m)
        status = SPAR_INVALID;
    if (item != few)
        spar__free(item);
    return status;
}

static const spar__feedback_class answered = {.entry = {"custom", "functions of the caller", NULL, NULL},
                                              .answer = answer};

const spar__feedback_class *spar__env_answers(const spar_env *env)
{
    return env->cls == &custom_class && ((const custom_env *)env->self)->is.answer ? &answered : NULL;
}

static spar_status take(custom_env *env, const char *name, const spar_env_functions *given, spar_error *err)
{
    memcpy(&env->is, given, given->size < sizeof env->is ? given->size : sizeof env->is);
    if (given->size < offsetof(spar_env_functions, answer) || !env->is.arms || !env->is.prefer)
        return spar__fail(err, SPAR_INVALID, "%s: an environment needs arms and prefer, and its size", name);
    if (spar__arms_continuous(env->is.arms) || env->is.arms->n < 1)
        return spar__fail(err, SPAR_INVALID, "%s: needs a finite set of arms, at least one", name);
    if (env->is.phases > 1 && env->is.every == 0)
        return spar__fail(err, SPAR_INVALID, "%s: has %zu phases, but none lasts a round: every = 0", name,
                          env->is.phases);
    env->phases = env->is.phases > 1 ? env->is.phases : 1;
    env->name = spar__strdup(name);
    if (!env->name || spar_arms_dup(env->is.arms, &env->arms))
        return spar__fail_memory(err);
    return SPAR_OK;
}

spar_status spar_env_new_custom(const char *name, const spar_env_functions *functions, spar_env **out, spar_error *err)
{
    if (!SPAR__CLEAR(out) || !name || !functions)
        return spar__fail_null(err);
    spar_env *env = spar__alloc(1, sizeof *env);
    if (env) {
        env->cls = &custom_class;
        env->self = spar__alloc(1, sizeof(custom_env));
    }
    spar_status status = env && env->self ? take(env->self, name, functions, err) : spar__fail_memory(err);
    if (status)
        spar_env_free(env);
    else
        *out = env;
    return status;
}
