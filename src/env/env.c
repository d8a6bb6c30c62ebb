/* env.c - environments by their spec, those of a caller's own functions, and the users who answer in them.
 *
 * An environment (envs.def) makes the world of a run; a user is a kind of feedback (feedbacks.def) that answers what is
 * shown in a world. Answering a round allocates nothing up to FEW slots. */
#include "env/env.h"

#include "base/alloc.h"
#include "base/spec.h"
#include "prefer/prefer.h"

#include <assert.h>
#include <stdalign.h>
#include <string.h>
#include <unistd.h>

enum { FEW = 64 }; /* slots of a round for which there is room on the stack */

/* --- environments --- */

const spar__env_class *const spar__env_classes[] = {
#define SPAR_ENV(name) &spar__env_##name,
#include "env/envs.def"
#undef SPAR_ENV
};
const size_t spar__n_env_classes = sizeof spar__env_classes / sizeof *spar__env_classes;

static const spar_entry *env_entry(size_t i)
{
    return i < spar__n_env_classes ? &spar__env_classes[i]->entry : NULL;
}

/* NULL: out of memory. */
static spar_env *new_env(const spar__env_class *cls)
{
    spar_env *env = spar__alloc(1, sizeof *env);
    void *self = spar__alloc(1, cls->size);
    if (!env || !self) {
        spar__free(env);
        spar__free(self);
        return NULL;
    }
    *env = (spar_env){cls, self};
    return env;
}

void spar_env_free(spar_env *env)
{
    if (!env)
        return;
    env->cls->fini(env->self);
    spar__free(env->self);
    spar__free(env);
}

spar_status spar_env_new(const char *spec, spar_env **out, spar_error *err)
{
    if (!SPAR__CLEAR(out) || !spec)
        return spar__fail_null(err);
    size_t index;
    spar__values values;
    spar_status status = spar__bind_one(spec, "environment", env_entry, &index, &values, err);
    if (status && access(spec, F_OK) == 0)
        return spar__fail(err, status, "%.200s: is a file, not an environment; did you mean 'matrix(file=%.200s)'?",
                          spec, spec);
    if (status)
        return status;
    spar_env *env = new_env(spar__env_classes[index]);
    status = env ? env->cls->init(env->self, &values, err) : spar__fail_memory(err);
    spar__values_free(&values);
    if (status)
        spar_env_free(env);
    else
        *out = env;
    return status;
}

bool spar_env_plain(const spar_env *env)
{
    return env && env->cls->plain;
}

bool spar__env_has_features(const spar_env *env)
{
    return env->cls->has_features && env->cls->has_features(env->self);
}

const char *spar__env_cycle(const spar_env *env)
{
    return env->cls->cycle ? env->cls->cycle(env->self) : NULL;
}

const char *spar_env_note(const spar_env *env)
{
    return env && env->cls->note ? env->cls->note(env->self) : NULL;
}

const char *spar__env_feedback(const char *spec)
{
    spec += strspn(spec, " \t");
    size_t length = strcspn(spec, "( \t");
    for (size_t i = 0; i < spar__n_env_classes; i++) {
        const spar__env_class *cls = spar__env_classes[i];
        if (cls->feedback && strlen(cls->entry.name) == length && strncmp(spec, cls->entry.name, length) == 0)
            return cls->feedback;
    }
    return "all_pairs";
}

/* --- functions of the caller ---
 *
 * An environment whose preferences, and answers if it likes, come from functions of the caller. */

enum { PURPOSE_CUSTOM = 0x63757374 };

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

static spar_status start_phase(const custom_env *env, spar_world *world, size_t phase, double *p, spar_error *err)
{
    size_t n = world->n, best = 0;
    spar_error why = {0};
    spar_status status = env->is.prefer(env->is.context, world->seed, world->run, phase, n, p, &why);
    if (status)
        return spar__fail(err, status, "%s: %s", env->name, why.text[0] ? why.text : spar_status_text(status));
    for (size_t i = 0; i < n; i++) {
        p[i * n + i] = 0.5;
        for (size_t j = i + 1; j < n; j++) {
            if (!(p[i * n + j] >= 0 && p[i * n + j] <= 1))
                return spar__fail(err, SPAR_INVALID, "%s: P(%zu beats %zu) = %g, expected a probability", env->name, i,
                                  j, p[i * n + j]);
            p[j * n + i] = 1 - p[i * n + j]; /* the two are 1 together, to the last bit */
            p[i * n + j] = 1 - p[j * n + i];
        }
    }
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
    size_t few[FEW], *item = round->m > FEW ? spar__alloc(round->m, sizeof *item) : few;
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

spar_status spar_env_new_custom(const char *name, const spar_env_functions *functions, spar_env **out, spar_error *err)
{
    if (!SPAR__CLEAR(out) || !name || !functions)
        return spar__fail_null(err);
    spar_env *env = new_env(&custom_class);
    if (!env)
        return spar__fail_memory(err);
    custom_env *own = env->self;
    spar_env_functions *is = &own->is;
    spar_status status = SPAR_OK;
    memcpy(is, functions, functions->size < sizeof *is ? functions->size : sizeof *is);
    if (functions->size < offsetof(spar_env_functions, answer) || !is->arms || !is->prefer)
        status = spar__fail(err, SPAR_INVALID, "%s: an environment needs arms and prefer, and its size", name);
    else if (spar__arms_continuous(is->arms) || is->arms->n < 1)
        status = spar__fail(err, SPAR_INVALID, "%s: needs a finite set of arms, at least one", name);
    else if (is->phases > 1 && is->every == 0)
        status =
            spar__fail(err, SPAR_INVALID, "%s: has %zu phases, but none lasts a round: every = 0", name, is->phases);
    else if (!(own->name = spar__strdup(name)) || spar_arms_dup(is->arms, &own->arms))
        status = spar__fail_memory(err);
    own->phases = is->phases > 1 ? is->phases : 1;
    if (status)
        spar_env_free(env);
    else
        *out = env;
    return status;
}

/* --- users --- */

const spar__feedback_class *const spar__feedback_classes[] = {
#define SPAR_FEEDBACK(name) &spar__feedback_##name,
#include "env/feedbacks.def"
#undef SPAR_FEEDBACK
};
const size_t spar__n_feedback_classes = sizeof spar__feedback_classes / sizeof *spar__feedback_classes;

struct spar_user {
    const spar__feedback_class *cls;
    bool plain;
    alignas(max_align_t) unsigned char self[SPAR__FEEDBACK_SELF];
};

static const spar_entry *feedback_entry(size_t i)
{
    return i < spar__n_feedback_classes ? &spar__feedback_classes[i]->entry : NULL;
}

static spar_status check(const spar__feedback_class *cls, const spar_env *env, spar_error *err)
{
    const char *name = cls->entry.name, *where = env->cls->entry.name;
    if (env->cls->plain && cls != &spar__feedback_all_pairs)
        return spar__fail(err, SPAR_UNSUPPORTED, "%s: slots of %s have rewards and are not compared", name, where);
    if (cls->needs_tastes && !env->cls->has_utilities && !env->cls->has_ballots)
        return spar__fail(err, SPAR_UNSUPPORTED, "%s: needs utilities or ballots, and %s has none", name, where);
    if (cls->needs_lists && !env->cls->has_lists)
        return spar__fail(err, SPAR_UNSUPPORTED, "%s: mixes the lists of rankers, and the arms of %s have none", name,
                          where);
    if (cls->needs_features && !spar__env_has_features(env))
        return spar__fail(
            err, SPAR_UNSUPPORTED,
            "%s: needs arms with features, and this %s has none (utility has with x= or features=utility)", name,
            where);
    return SPAR_OK;
}

spar_status spar_user_new(const char *spec, const spar_env *env, spar_user **out, spar_error *err)
{
    if (!SPAR__CLEAR(out) || !env)
        return spar__fail_null(err);
    size_t index;
    spar__values values;
    if (!spec && spar__env_answers(env)) {
        *out = spar__alloc(1, sizeof **out);
        if (!*out)
            return spar__fail_memory(err);
        (*out)->cls = spar__env_answers(env);
        return SPAR_OK;
    }
    if (!spec)
        spec = env->cls->feedback ? env->cls->feedback : "all_pairs";
    spar_status status = spar__bind_one(spec, "kind of feedback", feedback_entry, &index, &values, err);
    if (status)
        return status;
    const spar__feedback_class *cls = spar__feedback_classes[index];
    assert(cls->size <= SPAR__FEEDBACK_SELF);
    status = check(cls, env, err);
    spar_user *user = status ? NULL : spar__alloc(1, sizeof *user);
    if (!status && !user)
        status = spar__fail_memory(err);
    if (!status && cls->init)
        status = cls->init(user->self, &values, env, err);
    spar__values_free(&values);
    if (status) {
        spar__free(user);
        return status;
    }
    user->cls = cls;
    user->plain = env->cls->plain;
    *out = user;
    return SPAR_OK;
}

void spar_user_free(spar_user *user)
{
    spar__free(user);
}

/* In a box: the slots themselves are the arms. */
static spar_status answer_points(const spar_user *user, const spar_world *world, uint64_t t, const spar_round *round,
                                 spar_feedback *feedback)
{
    size_t few_arms[FEW], *arm = round->m > FEW ? spar__alloc(round->m, sizeof *arm) : few_arms;
    double few_utilities[FEW], *utility = round->m > FEW ? spar__alloc(round->m, sizeof *utility) : few_utilities;
    spar__slots slots;
    spar_status status = arm && utility ? spar__slots_set(&slots, world, round, arm, utility) : SPAR_NOMEM;
    if (!status)
        status = spar_feedback_reset(feedback, round->m);
    if (!status)
        status = user->cls->answer(user->self, &slots.world, t, &slots.round, feedback);
    if (round->m > FEW) {
        spar__free(arm);
        spar__free(utility);
    }
    return status;
}

spar_status spar_user_answer(const spar_user *user, const spar_world *world, uint64_t t, const spar_round *round,
                             spar_feedback *feedback)
{
    if (!user || !world || !round || !feedback)
        return SPAR_INVALID;
    if (user->plain != world->plain || (user->cls->needs_tastes && !spar__world_has_tastes(world)) ||
        (user->cls->needs_features && !world->arms->dim) || (user->cls->needs_lists && !world->lists))
        return SPAR_UNSUPPORTED; /* the world of another environment */
    if (round->m > SPAR__MOST_SLOTS)
        return SPAR_INVALID;
    if (world->utility_at)
        return answer_points(user, world, t, round, feedback);
    for (size_t j = 0; j < round->m; j++)
        if (round->arm[j] >= world->n)
            return SPAR_INVALID;
    spar_status status = spar_feedback_reset(feedback, round->m);
    if (status)
        return status;
    if (world->plain) {
        /* A plain bandit: each slot is worth 1 with its arm's probability, else 0. */
        for (size_t j = 0; j < round->m; j++) {
            double u = spar__luck_uniform(world->luck, t, SPAR__LUCK_REWARD, (uint32_t)j);
            feedback->reward[j] = u < world->utility[round->arm[j]];
            feedback->rewarded[j] = true;
        }
        return SPAR_OK;
    }
    return user->cls->answer(user->self, world, t, round, feedback);
}
