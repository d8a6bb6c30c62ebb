/* env.h - simulated users.
 *
 * An environment ("utility(set=arith,link=linear)", "matrix(file=prefs.txt)", "function(name=branin,box=1)",
 * "rankers(data=train.txt)", "rewards(mu=0.8:0.5)") is what the simulation is about; it never changes. Each run of a
 * simulation gets a world drawn from it: arm labels permuted at random, a random subset or random utilities where the
 * environment says so. The world of a run depends on (seed, run) alone. Worlds are read-only once made, so threads may
 * share them.
 *
 * A user answers rounds in a world. Its random numbers are counter-based, keyed by (seed, run, round, pair of slots),
 * so that all policies compared in one run face the same ones whatever they play.
 *
 * Threads: environments, worlds and users do not change once they are made, and may be used by several threads at
 * once. NULL is refused unless said otherwise: see status.h. */
#ifndef SPAR_ENV_H
#define SPAR_ENV_H

#include <spar/arms.h>
#include <spar/feedback.h>
#include <spar/rng.h>
#include <spar/round.h>
#include <spar/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spar_env spar_env;
typedef struct spar_world spar_world;
typedef struct spar_user spar_user;

/* Reads the files the spec names. Preferences need not have a Condorcet winner (an arm that beats all others). */
SPAR_API spar_status spar_env_new(const char *spec, spar_env **out, spar_error *err);
SPAR_API void spar_env_free(spar_env *env);

/* An environment of your own, given by functions, for spar_plan.made and wherever else there is a spar_env.
 *
 *   arms     what is compared: item i is arm i of this table, finite; copied
 *   prefer   fills p (n x n) with the preferences of a run: p[i n + j], read for i < j only, is P(item i beats item j).
 *            An item must beat all others. Must depend on (seed, run, phase) alone
 *   answer   NULL, or how people answer round t: it shows m items, and fills feedback, which has m slots, all missing.
 *            It draws from rng alone, which is the same for all policies in the same round of the same run
 *   phases   0 or 1: preferences stay as they are; more: they change after every `every` rounds, in turn
 *
 * As everywhere, every run has its arms in a random order; the functions see items, not arms. Regret follows from
 * `prefer`, whatever `answer` does. They are called by several threads at once. */
typedef struct spar_env_functions {
    size_t size;   /* sizeof(spar_env_functions) */
    void *context; /* handed to the functions */
    const spar_arms *arms;
    spar_status (*prefer)(void *context, uint64_t seed, uint64_t run, size_t phase, size_t n, double *p,
                          spar_error *err);
    spar_status (*answer)(void *context, uint64_t run, uint64_t t, size_t m, const size_t *item, spar_rng *rng,
                          spar_feedback *feedback);
    size_t phases;
    uint64_t every;
} spar_env_functions;

/* The name stands in messages, where others have their spec. The functions are copied. */
SPAR_API spar_status spar_env_new_custom(const char *name, const spar_env_functions *functions, spar_env **out,
                                         spar_error *err);

/* What there is to say about how it was made (of rankers: how many, from which data, how their preferences were
 * computed), in one line; NULL: nothing. */
SPAR_API const char *spar_env_note(const spar_env *env);

/* true: slots get rewards of their own (plain bandit, m = 1); false: slots are compared. */
SPAR_API bool spar_env_plain(const spar_env *env);

/* The world of a run, which must not outlive its environment. Safe to call from several threads at once. */
SPAR_API spar_status spar_world_new(const spar_env *env, uint64_t seed, uint64_t run, spar_world **out,
                                    spar_error *err);
SPAR_API void spar_world_free(spar_world *world);

/* The arms of the world, borrowed, in the random order that this run has. */
SPAR_API const spar_arms *spar_world_arms(const spar_world *world);

/* Of a random subset: how many were drawn before, in which no arm beats all others. */
SPAR_API uint64_t spar_world_redrawn(const spar_world *world);

/* P(arm i beats arm j) in round t = 1, 2, ... (only switching environments depend on t), ties aside. Exactly 1 minus
 * P(arm j beats arm i). Of a plain bandit: 1/2 + half the difference of the mean rewards. Arms must be in range. */
SPAR_API double spar_world_prefer(const spar_world *world, uint64_t t, size_t i, size_t j);

/* The best arm, and what showing `arm` instead costs: P(best beats arm) - 1/2, or the gap in mean reward. SPAR_NO_ARM
 * and NaN where no arm beats all others. */
SPAR_API size_t spar_world_best(const spar_world *world, uint64_t t);
SPAR_API double spar_world_gap(const spar_world *world, uint64_t t, size_t arm);

/* In a world over a box there is no list of arms: slots show points of the unit cube, the best arm is SPAR_FRESH, and
 * these say what a point is worth and what showing it costs. They are NaN in other worlds, and for a point that is not
 * in the box. */
SPAR_API double spar_world_utility_at(const spar_world *world, const double *x);
SPAR_API double spar_world_gap_at(const spar_world *world, uint64_t t, const double *x);

/* One utility per arm (the mean reward, of a plain bandit), or NULL where there are none. */
SPAR_API const double *spar_world_utilities(const spar_world *world);

/* How the user answers: "all_pairs", "winner(rule=luce)", "ranking", "pair", "missing(p=0.3)", "confusable(scale=1)",
 * "multileave". NULL means multileave for rankers, the `answer` of an environment that has one, and all_pairs for all
 * else; in a plain bandit that stands for the slots' rewards. The environment is needed to refuse what makes no sense
 * (ranking without utilities, confusable without features) and is not kept. */
SPAR_API spar_status spar_user_new(const char *spec, const spar_env *env, spar_user **out, spar_error *err);
SPAR_API void spar_user_free(spar_user *user);

/* Answers round number t (1, 2, ...). Fills feedback, growing it when needed. SPAR_INVALID for an arm out of range (in
 * a box: a point outside) or more than 65536 slots, SPAR_UNSUPPORTED in a world of another kind of environment than the
 * user was made for. */
SPAR_API spar_status spar_user_answer(const spar_user *user, const spar_world *world, uint64_t t,
                                      const spar_round *round, spar_feedback *feedback);

#ifdef __cplusplus
}
#endif

#endif
