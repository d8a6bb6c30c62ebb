/* sim.h - the inside of results and snapshots. */
#ifndef SPAR_SIM_INTERNAL_H
#define SPAR_SIM_INTERNAL_H

#include <spar/sim.h>

/* What happened to an arm so far. */
typedef struct spar__arm_tally {
    uint64_t plays;   /* slots that showed it */
    double won, lost; /* its answered duels, a tie half to each; of a plain bandit the rewards r and 1 - r */
} spar__arm_tally;

struct spar_snapshot {
    size_t index;              /* of the policy in the plan */
    uint64_t run;              /* its number */
    uint64_t t;                /* rounds learned */
    const spar_policy *policy; /* what it can be asked: its arms, score, belief */
    const spar_world *world;
    const spar__arm_tally *tally; /* one per arm of the policy's table */
};

/* What one run of one policy gave: see spar_run_number. complete is false for runs that were not finished when the
 * simulation was stopped; the rest then means nothing. */
typedef struct spar__run_numbers {
    bool complete;
    double regret, per_slot, best_share, best_pulls, set_size, seconds;
    double accuracy;  /* of the first run: what spar_policy_accuracy says at its end; 0 for the others */
    uint64_t redrawn; /* random subsets without a Condorcet winner that were drawn before the one of this run */
    double *curve;    /* cumulative regret at each checkpoint */
    uint64_t played;  /* rounds; fewer than the plan's where a decision ended the run */
    uint64_t decided; /* the round of the decision; 0: open, or nothing to decide */
    bool right;       /* it is true */
    uint64_t *flip;   /* rounds after which the arm named became right, then wrong, then right ... */
    size_t flips;
} spar__run_numbers;

struct spar_results {
    size_t n_policies;
    size_t runs;
    size_t reach; /* no run from here on is complete; 0: not known. What was interrupted early is reported at once */
    size_t n_checkpoints;
    uint64_t *checkpoint;
    spar__run_numbers *run; /* run[policy * runs + r] */
    double *curves;         /* where the curves of the runs are stored */
    bool interrupted;
    char *note;
};

typedef struct spar__summary {
    size_t n; /* complete runs */
    double mean, sd, se, median, q05, q25, q75, q95;
} spar__summary;

/* NaN for a number that there is not. */
double spar__summary_value(const spar__summary *summary, spar_statistic which);

typedef struct spar__difference {
    size_t n;        /* runs that both completed */
    double mean, se; /* of the differences in final regret; 0 for no runs, se 0 for one */
    double worse;    /* share of the runs in which it is worse, an equal one counting half */
} spar__difference;

/* The horizon that the policies are told; 0: unknown. */
static inline uint64_t spar__plan_horizon(const spar_plan *plan)
{
    return plan->horizon == SPAR_HORIZON_ROUNDS ? plan->rounds : plan->horizon;
}

/* ALL checks the plan and plays it. CHECK only says what is wrong with it; out is not used. CHECKED plays a plan of which
 * that is known, or a part of one: building policies may take long. */
typedef enum spar__simulate_how {
    SPAR__SIMULATE_ALL,
    SPAR__SIMULATE_CHECK,
    SPAR__SIMULATE_CHECKED
} spar__simulate_how;

spar_status spar__simulate(const spar_plan *plan, spar__simulate_how how, spar_results **out, spar_error *err);

/* What is wrong with the numbers of a plan, before its names are looked at; and its rounds in all. */
spar_status spar__plan_check(const spar_plan *plan, uint64_t *total, spar_error *err);

/* Makes the note: what the environment says of itself (NULL: nothing), and how often a random subset had no winner; all
 * policies play the same worlds. SPAR_NOMEM. */
spar_status spar__results_note(spar_results *results, const char *said);

/* Are all runs complete? Also notes how far they got. */
bool spar__results_complete(spar_results *results);

/* Over the complete runs of one policy: at a checkpoint, or of the final regret (checkpoint = n_checkpoints). */
spar_status spar__results_summary(const spar_results *results, size_t policy, size_t checkpoint, spar__summary *out);

/* What policy loses against other. */
spar_status spar__results_difference(const spar_results *results, size_t policy, size_t other, spar__difference *out);

#endif
