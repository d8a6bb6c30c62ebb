/* sim.h - the laboratory: policies x one environment x runs -> regret curves and statistics.
 *
 * Every run is independent and has its own place in the results, so the bytes do not depend on the number of threads.
 * Memory does not grow with the number of rounds: curves are kept at checkpoints.
 *
 * Threads: simulations are independent of each other; results may be read by several threads at once. NULL is refused
 * unless said otherwise: see status.h. */
#ifndef SPAR_SIM_H
#define SPAR_SIM_H

#include <spar/env.h>
#include <spar/policy.h>
#include <spar/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum spar_regret {
    SPAR_REGRET_SUM,        /* the paper's: sum over slots of P(best beats arm) - 1/2 */
    SPAR_REGRET_WEAK,       /* the best slot only */
    SPAR_REGRET_BEST_FIXED, /* against the best single arm in hindsight: max_i sum_t sum_slots P_t(i beats arm) - 1/2 */
    SPAR_REGRET_BORDA,    /* sum over slots of b* - b, b = mean over the others of P(arm beats other), b* the highest */
    SPAR_REGRET_COPELAND, /* sum over slots of (c* - c) / (n - 1), c = how many others an arm beats */
    SPAR_REGRET_VON_NEUMANN /* sum over slots of sum_i q_i P(i beats arm) - 1/2, q the optimal mixed strategy: of
                               several that of largest entropy */
} spar_regret;
/* SUM and WEAK need an arm that beats all others. BORDA, COPELAND and VON_NEUMANN look at all pairs of arms, so they
 * are for at most 4096 of them; like BEST_FIXED they need a list of arms, and they need comparisons rather than
 * rewards. */

/* Called from time to time, by one thread at a time but not always the same one, and at the end; returning false stops
 * the simulation early. */
typedef bool spar_progress(void *context, uint64_t rounds_done, uint64_t rounds_total);

/* A policy in the middle of a run. Borrowed until the observer returns. */
typedef struct spar_snapshot spar_snapshot;

SPAR_API size_t spar_snapshot_index(const spar_snapshot *snapshot);              /* of the policy in the plan */
SPAR_API uint64_t spar_snapshot_run(const spar_snapshot *snapshot);              /* the number of the run */
SPAR_API uint64_t spar_snapshot_round(const spar_snapshot *snapshot);            /* rounds learned */
SPAR_API const spar_policy *spar_snapshot_policy(const spar_snapshot *snapshot); /* as it is after that round */
SPAR_API const spar_world *spar_snapshot_world(const spar_snapshot *snapshot);   /* the world of the run */

/* What happened to an arm so far: slots that showed it; its answered duels won and lost, a tie half to each (of a plain
 * bandit the rewards r and 1 - r). 0 for an arm out of range. */
SPAR_API uint64_t spar_snapshot_shown(const spar_snapshot *snapshot, size_t arm);
SPAR_API double spar_snapshot_won(const spar_snapshot *snapshot, size_t arm);
SPAR_API double spar_snapshot_lost(const spar_snapshot *snapshot, size_t arm);

/* Called by one thread at a time: for one run of one policy in the order of rounds, for several in any order. A failure
 * ends the simulation. */
typedef spar_status spar_observer(void *context, const spar_snapshot *snapshot, spar_error *err);

#define SPAR_HORIZON_ROUNDS UINT64_MAX

/* A run plays on after its decision, so that regret is that of all rounds, unless stop says end=1: then it ends there,
 * and its curve stays level.
 *
 * Start with {.size = sizeof(spar_plan)}: fields that come later are then taken as 0 by a newer library. */
typedef struct spar_plan {
    size_t size;
    const char *env;      /* needed, also beside `made`: messages name it */
    const spar_env *made; /* what env names, when the caller has it already; NULL: it is made from env */
    const char *feedback; /* NULL: what suits the environment, see spar_user_new */
    const char *const *policies;
    size_t n_policies;
    size_t m;
    uint64_t rounds;
    uint64_t runs;
    uint64_t first_run; /* runs are number first_run and on; a run has the same random numbers in every plan */
    uint64_t seed;
    size_t threads; /* 0: one per core */
    spar_regret regret;
    uint64_t horizon; /* what the policies are told: 0: unknown, SPAR_HORIZON_ROUNDS: the number of rounds */
    spar_progress *progress;
    void *context;
    const uint64_t
        *snapshot; /* ascending rounds, after each of which the observer sees the first run of every policy */
    size_t n_snapshots;
    bool every_run;          /* not only the first */
    spar_observer *observer; /* needed when there are snapshots; looking changes no result */
    void *observer_context;
    const char
        *stop;      /* "best(delta=0.05)": look after every answer whether one arm is shown to be best; NULL: do not */
    bool identify;  /* after every answer name the arm that beats most opponents, and see whether it is a best one */
    bool strongest; /* identify names the arm of highest strength instead, as the belief pl has it from the answers */
    const spar_policy_functions *const *custom; /* NULL, or n_policies: where one is not NULL, policy i is this, and
                                                   policies[i] is its name */
} spar_plan;

typedef struct spar_results spar_results;

/* Whatever is wrong with the plan is said before anything runs. A stop by the progress function is no failure. */
SPAR_API spar_status spar_simulate(const spar_plan *plan, spar_results **out, spar_error *err);
SPAR_API void spar_results_free(spar_results *results); /* NULL is fine */

SPAR_API size_t spar_results_policies(const spar_results *results);  /* as in the plan */
SPAR_API size_t spar_results_runs(const spar_results *results);      /* as in the plan, complete or not */
SPAR_API bool spar_results_interrupted(const spar_results *results); /* stopped before all runs were complete */

/* What there is to say about the environment and its random subsets; NULL: nothing. */
SPAR_API const char *spar_results_note(const spar_results *results);

/* The rounds at which curves are kept: log-spaced, with 100, 1000, 5000, 10000, 20000 up to `rounds` among them; the
 * last is `rounds`. */
SPAR_API size_t spar_results_checkpoints(const spar_results *results);
SPAR_API const uint64_t *spar_results_checkpoint(const spar_results *results);

/* Numbers of one run of one policy; NaN for a run that is not complete or out of range. */
typedef enum spar_run_number {
    SPAR_RUN_REGRET,     /* cumulative, after all rounds */
    SPAR_RUN_PER_SLOT,   /* sum over rounds of m x (the mean over the round's slots of their regret; NaN as below) */
    SPAR_RUN_BEST_SHARE, /* share of slots that showed a best arm, one without regret (in a box: beaten by the best in
                            at most 51 %), over the last tenth of the rounds; NaN for BEST_FIXED where none is best */
    SPAR_RUN_BEST_SHOWN, /* slots that showed a best arm, over all rounds */
    SPAR_RUN_SET_SIZE,   /* mean number of slots */
    SPAR_RUN_SECONDS,    /* CPU time */
    SPAR_RUN_DECIDED,    /* the round of the decision that `stop` asks for; NaN: it is open */
    SPAR_RUN_RIGHT       /* 1: this decision is true, 0: false; NaN: it is open */
} spar_run_number;
SPAR_API double spar_results_run(const spar_results *results, size_t policy, size_t run, spar_run_number number);

/* Cumulative regret at each checkpoint; NULL for a run that is not complete or out of range. */
SPAR_API const double *spar_results_curve(const spar_results *results, size_t policy, size_t run);

/* Over the complete runs of one policy: at a checkpoint, or of the final regret (checkpoint = the number of
 * checkpoints). 0 without a complete run, NaN out of range or out of memory. */
typedef enum spar_statistic {
    SPAR_STAT_N, /* complete runs */
    SPAR_STAT_MEAN,
    SPAR_STAT_SD,
    SPAR_STAT_SE,
    SPAR_STAT_MEDIAN,
    SPAR_STAT_Q05,
    SPAR_STAT_Q25,
    SPAR_STAT_Q75,
    SPAR_STAT_Q95
} spar_statistic;
SPAR_API double spar_results_statistic(const spar_results *results, size_t policy, size_t checkpoint,
                                       spar_statistic which);

/* A decision of the plan's `stop` over the complete runs of one policy: statistics of its round over the runs that
 * decided (NaN without any), and the share of all runs that had decided after that many rounds. */
SPAR_API double spar_results_decided(const spar_results *results, size_t policy, spar_statistic which);
SPAR_API double spar_results_decided_by(const spar_results *results, size_t policy, uint64_t rounds);

/* The arm that the plan's `identify` names: the share of the complete runs in which it was a best one after that many
 * rounds, and the smallest round from which on that share is at least 95 % (NaN: there is none). */
SPAR_API double spar_results_named_right(const spar_results *results, size_t policy, uint64_t rounds);
SPAR_API double spar_results_identified(const spar_results *results, size_t policy);

/* How much worse a policy is than another, run by run: the runs of one number share world and random numbers. The mean
 * and the standard error of the differences in final regret, and the share of the runs in which it is worse, an equal
 * one counting half. Each may be NULL. */
SPAR_API spar_status spar_results_difference(const spar_results *results, size_t policy, size_t other, double *mean,
                                             double *se, double *worse);

#ifdef __cplusplus
}
#endif

#endif
