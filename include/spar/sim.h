/* sim.h - the laboratory: policies x one environment x runs -> regret curves and statistics.
 *
 * Every run is independent and has its own place in the results, so the bytes do not depend on the number of threads.
 * Memory does not grow with the number of rounds: curves are kept at checkpoints. */
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
    SPAR_REGRET_SUM,       /* the paper's: sum over slots of P(best beats arm) - 1/2 */
    SPAR_REGRET_WEAK,      /* the best slot only */
    SPAR_REGRET_BEST_FIXED /* against the best single arm in hindsight: max_i sum_t sum_slots P_t(i beats arm) - 1/2 */
} spar_regret;

/* Called from time to time, by one thread at a time but not always the same one, and at the end; returning false stops
 * the simulation early. */
typedef bool spar_progress(void *context, uint64_t rounds_done, uint64_t rounds_total);

/* What happened to an arm so far. */
typedef struct spar_tally {
    uint64_t plays;   /* slots that showed it */
    double won, lost; /* its answered duels, a tie half to each; of a plain bandit the rewards r and 1 - r */
} spar_tally;

/* A policy in the midst of a run: the plan's first one, or any. All pointers are borrowed until the witness returns. */
typedef struct spar_snapshot {
    size_t index;              /* of the policy in the plan */
    uint64_t run;              /* its number */
    uint64_t t;                /* rounds learned */
    const spar_policy *policy; /* what it can be asked: its arms, score, belief */
    const spar_world *world;
    const spar_tally *tally; /* one per arm of the policy's table */
} spar_snapshot;

/* Called by one thread at a time: for one run of one policy in the order of rounds, for several in any order. A failure
 * ends the simulation. */
typedef spar_status spar_witness(void *context, const spar_snapshot *snapshot, spar_error *err);

typedef struct spar_plan {
    const char *env;
    const spar_env *made; /* what env names, when the caller has it already; NULL: it is made from env */
    const char *feedback; /* NULL: what suits the environment, see spar_user_new */
    const char *const *policies;
    size_t n_policies;
    size_t m;
    uint64_t rounds;
    uint64_t runs;
    uint64_t first_run; /* runs are number first_run and on; a run has the same luck in every plan */
    uint64_t seed;
    size_t threads; /* 0: one per core */
    spar_regret regret;
    bool horizon_known;    /* pass `rounds` to the policies as their horizon (else 0 or horizon) */
    uint64_t horizon;      /* used when horizon_known is false */
    spar_progress *progress;
    void *context;
    const uint64_t *snapshot; /* ascending rounds, after each of which the witness sees the first run of every policy */
    size_t n_snapshots;
    bool every_run;        /* not only the first */
    spar_witness *witness; /* needed when there are snapshots; looking changes no result */
    void *witness_context;
} spar_plan;

/* What one run of one policy gave. complete is false for runs that were not through when the simulation was stopped;
 * the rest then means nothing. */
typedef struct spar_run {
    bool complete;
    double regret;      /* cumulative, after all rounds */
    double per_slot;    /* sum over rounds of m x (mean of P(best beats arm) - 1/2 over the round's slots) */
    double best_share;  /* share of slots that showed a best arm (in a box: one beaten by the best in at most 51 %),
                           over the last tenth of the rounds */
    double best_pulls;  /* slots that showed a best arm, over all rounds */
    double set_size;    /* mean number of slots */
    double seconds;     /* CPU time */
    double accuracy;    /* of the first run: what spar_policy_accuracy says at its end; 0 for the others */
    uint64_t redrawn;   /* random subsets without a Condorcet winner that were drawn before the one of this run */
    double *curve;      /* cumulative regret at each checkpoint */
} spar_run;

typedef struct spar_summary {
    size_t n; /* complete runs */
    double mean, sd, se, median, q05, q25, q75, q95;
} spar_summary;

/* How much worse one policy is than another, run by run: the runs of one number share world and luck. */
typedef struct spar_difference {
    size_t n;        /* runs that both completed */
    double mean, se; /* of the differences in final regret; 0 for no runs, se 0 for one */
    double worse;    /* share of the runs in which it is worse, an equal one counting half */
} spar_difference;

typedef struct spar_results {
    size_t n_policies;
    size_t runs;
    size_t n_checkpoints;
    uint64_t *checkpoint; /* log-spaced, include 100, 1000, 5000, 10000, 20000 up to `rounds`; the last is `rounds` */
    spar_run *run;        /* run[policy * runs + r] */
    double *curves;       /* where the curves of the runs live */
    bool interrupted;     /* stopped before all runs were complete */
    char *note;           /* what there is to say about the environment and its random subsets, or NULL */
} spar_results;

/* Whatever is wrong with the plan is said before anything runs. A stop by the progress function is no failure. */
SPAR_API spar_status spar_simulate(const spar_plan *plan, spar_results **out, spar_error *err);
SPAR_API void spar_results_free(spar_results *results);

/* Over the complete runs of one policy: at a checkpoint, or of the final regret (checkpoint = n_checkpoints). */
SPAR_API spar_status spar_results_summary(const spar_results *results, size_t policy, size_t checkpoint,
                                          spar_summary *out);

/* What policy loses against other. */
SPAR_API spar_status spar_results_difference(const spar_results *results, size_t policy, size_t other,
                                             spar_difference *out);

#ifdef __cplusplus
}
#endif

#endif
