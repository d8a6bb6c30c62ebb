#include "base/alloc.h"
#include "base/spec.h"
#include "env/feedback/feedback.h"

#include <assert.h>
#include <stdalign.h>

const spar__feedback_class *const spar__feedback_classes[] = {
#define SPAR_FEEDBACK(name) &spar__feedback_##name,
#include "env/feedbacks.def"
#undef SPAR_FEEDBACK
};
const size_t spar__n_feedback_classes = sizeof spar__feedback_classes / sizeof *spar__feedback_classes;

enum { FEW = 64 }; /* slots of a round for which there is room on the stack */

struct spar_user {
    const spar__feedback_class *cls;
    bool plain;
    alignas(max_align_t) unsigned char self[SPAR__FEEDBACK_SELF];
};

static const spar_entry *entry(size_t i)
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

static spar_status answered_by_env(const spar_env *env, spar_user **out, spar_error *err)
{
    spar_user *user = spar__alloc(1, sizeof *user);
    if (!user)
        return spar__fail_memory(err);
    user->cls = spar__env_answers(env);
    *out = user;
    return SPAR_OK;
}

spar_status spar_user_new(const char *spec, const spar_env *env, spar_user **out, spar_error *err)
{
    if (!SPAR__CLEAR(out) || !env)
        return spar__fail_null(err);
    size_t index;
    spar__values values;
    if (!spec && spar__env_answers(env))
        return answered_by_env(env, out, err);
    if (!spec)
        spec = env->cls->feedback ? env->cls->feedback : "all_pairs";
    spar_status status = spar__bind_one(spec, "kind of feedback", entry, &index, &values, err);
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

/* A plain bandit: each slot is worth 1 with its arm's probability, else 0. */
static void reward(const spar_world *world, uint64_t t, const spar_round *round, spar_feedback *feedback)
{
    for (size_t j = 0; j < round->m; j++) {
        double u = spar__luck_uniform(world->luck, t, SPAR__LUCK_REWARD, (uint32_t)j);
        feedback->reward[j] = u < world->utility[round->arm[j]];
        feedback->rewarded[j] = true;
    }
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
        reward(world, t, round, feedback);
        return SPAR_OK;
    }
    return user->cls->answer(user->self, world, t, round, feedback);
}
