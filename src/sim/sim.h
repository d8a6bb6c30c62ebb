/* sim.h - the inside of the laboratory: results, regret, what watches a run, and the chain plan -> cell -> run ->
 * round. */
#ifndef SPAR_SIM_SIM_H
#define SPAR_SIM_SIM_H

#include "env/env.h"
#include "prefer/evidence.h"
#include "sampler/rng.h"
#include "types/arms.h"
#include "types/feedback.h"
#include "types/round.h"

#include <spar/env.h>
#include <spar/policy.h>
#include <spar/sim.h>

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* What is wrong with the numbers of a plan, before its names are looked at; and its rounds in all. */
spar_status spar__plan_check(const spar_plan *plan, uint64_t *total, spar_error *err);

/* Over the complete runs of one policy: at a checkpoint, or of the final regret (checkpoint = n_checkpoints). */
spar_status spar__results_summary(const spar_results *results, size_t policy, size_t checkpoint, spar__summary *out);

/* What policy loses against other. */
spar_status spar__results_difference(const spar_results *results, size_t policy, size_t other, spar__difference *out);

/* Sums without loss, summaries and comparisons of runs, and the rounds at which curves are kept. */

/* A compensated sum: what each addition rounds away is kept aside exactly (Knuth's two-sum) and added at the end, so
 * that 1e9 additions are as good as one. */
typedef struct spar__sum {
    double high, low;
} spar__sum;

static inline void spar__sum_add(spar__sum *sum, double x)
{
    double high = sum->high + x;
    double part = high - sum->high;
    sum->low += (sum->high - (high - part)) + (x - part);
    sum->high = high;
}

static inline double spar__sum_value(spar__sum sum)
{
    return sum.high + sum.low;
}

/* Sorts the values. sd and se are 0 for one value; everything is 0 for none. */
void spar__summarize(double *values, size_t n, spar__summary *out);

/* How much larger a[i] is than b[i], over the n pairs in which neither is NaN. */
void spar__compare(const double *a, const double *b, size_t n, spar__difference *out);

/* Is the difference above two of its standard errors, and not of one pair alone? Else it may be chance. */
bool spar__difference_sure(const spar__difference *difference);

/* Fills out (when not NULL) with the checkpoints of a simulation of that many rounds, and returns how many there are:
 * strictly increasing from 1 to rounds, 16 to a decade, with 100, 1000, 5000, 10000 and 20000 among them. */
size_t spar__checkpoints(uint64_t rounds, uint64_t *out);

/* What showing an arm costs by the kinds of regret that need no arm that beats all others. */

enum { SPAR__GAPS_MOST = 4096 }; /* arms: all pairs are looked at in every run */

/* "sum", "weak", ... */
const char *spar__regret_name(spar_regret kind);

/* Why regret of this kind is not defined in the world, or NULL when it is. */
const char *spar__regret_refuses(const spar_world *world, spar_regret kind);

/* world->phases x world->n gaps of a kind that needs them, which the caller frees. They are at least 0; the best arms
 * have 0 within 1e-6. NULL: out of memory. */
double *spar__gaps_new(const spar_world *world, spar_regret kind);

/* What the rounds of a run cost. */

typedef struct spar__account {
    const spar_world *world;
    spar_regret kind;
    size_t m;         /* slots of the plan, which a policy that chooses its own set size need not keep to */
    double *gap;      /* of each phase and arm, by kinds that do not go by the best arm; NULL: see spar__phase_gap */
    spar__sum regret; /* all but BEST_FIXED */
    spar__sum per_slot;
    uint64_t slots; /* shown so far */
    uint64_t best;  /* of these, with the best arm */

    /* BEST_FIXED: for each arm, what showing it in every slot would have won. The matrix changes with the phase only,
     * so it is enough to count pulls and to multiply when the phase ends or the result is asked for. */
    spar__sum *against;
    uint64_t *pulls;
    const spar__phase *phase;
} spar__account;

/* SPAR_UNSUPPORTED where spar__regret_refuses. In a box a slot counts as the best when its gap is at most 0.01. */
spar_status spar__account_init(spar__account *account, const spar_world *world, spar_regret kind, size_t m);
void spar__account_fini(spar__account *account);

void spar__account_round(spar__account *account, uint64_t t, const spar_round *round);

/* Cumulative, so far. */
double spar__account_regret(spar__account *account);
double spar__account_per_slot(const spar__account *account);

/* The share of the slots that showed a best arm since there were that many slots, and that many best; NaN where no arm
 * is best. */
double spar__account_best_share(const spar__account *account, uint64_t slots, uint64_t best);

/* What happened to each arm of one run. */

/* Starts zeroed. */
typedef struct spar__tallies {
    size_t n;
    spar__arm_tally *arm;
} spar__tallies;

/* Counts a round that was learned. Grows with the policy's table of arms. */
spar_status spar__tallies_add(spar__tallies *tally, const spar_arms *arms, const spar_round *round,
                              const spar_feedback *feedback);
void spar__tallies_free(spar__tallies *tally);

/* What the answers of a run say, looked at after each of them: is there a decision, and who leads?
 *
 * The rule of --stop decides by pair evidence (prefer/evidence.h), whatever policy plays. The read-out of --identify
 * names the arm that beats most opponents: those against which its share of won duels is above 1/2, a tie half a win
 * to each. Of several with as many it is the one of lowest index, a random one, because labels are permuted in every
 * run. Looking changes nothing for the policy. */

/* What --stop says: "best(delta=0.05)". */
typedef struct spar__stop_rule {
    bool near;         /* practically best is enough */
    double delta, eps; /* see spar__evidence_init */
    bool end;          /* the run ends with its decision */
} spar__stop_rule;

spar_status spar__stop_rule_parse(const char *spec, spar__stop_rule *out, spar_error *err);

/* Why there is nothing to decide or to name in such a world; NULL: there is. */
const char *spar__watch_refuses(const spar_world *world);

typedef struct spar__strongest spar__strongest; /* the belief pl, and what it needs */

typedef struct spar__readout {
    spar__pair_table pairs;
    size_t n, named; /* arms; SPAR__NO_OPTION: none yet */
    size_t *beats;   /* per arm: opponents */
    bool right;
    uint64_t *flip; /* rounds after which `right` changed; false before the first */
    size_t flips, room;
    spar__stated *stated;
    size_t stated_room;
    spar__strongest *strongest; /* NULL: who beats most opponents is named */
} spar__readout;

typedef struct spar__watch { /* all zero: nothing to watch */
    const spar_world *world;
    const spar__stop_rule *rule; /* NULL: none */
    bool identify;
    spar__evidence evidence;
    uint64_t decided; /* the round of the decision; 0: open */
    size_t option;    /* what was decided for */
    spar__readout readout;
} spar__watch;

spar_status spar__watch_init(spar__watch *watch, const spar_world *world, const spar__stop_rule *rule, bool identify,
                             bool strongest);
void spar__watch_fini(spar__watch *watch);

/* Round t and its answer. */
spar_status spar__watch_answer(spar__watch *watch, uint64_t t, const spar_round *round, const spar_feedback *feedback);

/* Is what the rule decided true? The best arm beats every other; the practically best loses to none by more than eps.
 */
bool spar__watch_right(const spar__watch *watch);

static inline bool spar__watch_ended(const spar__watch *watch)
{
    return watch->decided && watch->rule->end;
}

/* The read-out of `watch`. */
spar_status spar__readout_init(spar__readout *readout, size_t n, bool strongest);
void spar__readout_fini(spar__readout *readout);
spar_status spar__readout_answer(spar__readout *readout, const spar_world *world, uint64_t t, const spar_round *round,
                                 const spar_feedback *feedback, bool independent);

/* --- plan -> cell -> run -> round --- */

/* The stream of a run's policy: "policy". Results depend on it through the seed: never to be changed. */
#define SPAR__PURPOSE_POLICY UINT64_C(0x706f6c696379)

/* A plan with all that its runs share. It does not change while they are played. */
typedef struct spar__ready_plan {
    const spar_plan *plan;
    const spar_env *env;
    spar_user *user;
    const spar__stop_rule *rule; /* NULL: none */
    spar__stop_rule own_rule;
    spar_env *own_env; /* NULL: it was given */
} spar__ready_plan;

/* The environment is `env`, what the plan has, or else made. Unready it also after a failure; the struct must not move.
 */
spar_status spar__plan_ready(const spar_plan *plan, const spar_env *env, spar__ready_plan *out, spar_error *err);
void spar__plan_unready(spar__ready_plan *ready);

/* Builds every policy once, as the first run will, so that whatever is wrong with one is said before hours were spent;
 * and the same with the check of its numbers, for a plan that is not ready. */
spar_status spar__plan_check_policies(const spar__ready_plan *ready, spar_error *err);
spar_status spar__plan_verify(const spar_plan *plan, const spar_env *env, spar_error *err);

/* One policy over some runs of a plan: what a thread plays at a time. */
typedef struct spar__cell_runs {
    const spar__ready_plan *ready;
    size_t policy;
    uint64_t from, runs; /* from: counted from the plan's first run */
    const uint64_t *checkpoint;
    spar__run_numbers *run;     /* `runs` of them, with room for their curves */
    bool accuracy;              /* ask for that of the first one's belief */
    spar_progress *progress;    /* counts the rounds of these runs; may be NULL */
    void *context;              /* of progress */
    pthread_mutex_t *observing; /* held while the plan's observer is called; NULL: nobody else calls it */
} spar__cell_runs;

/* *complete: all runs are; false when progress stopped them. */
spar_status spar__cell_runs_play(const spar__cell_runs *cell, bool *complete, spar_error *err);

/* What there is to say: what the environment says of itself (NULL: nothing), and how often a random subset had no
 * winner; all policies play the same worlds. The caller frees it; NULL: nothing. SPAR_NOMEM. */
spar_status spar__runs_note(const spar__run_numbers *run, size_t n, const char *said, char **out);

/* The policy of a run, its rng started as the run will go on with it. The rng is the same for every policy, so that
 * adding one changes nothing for the others. */
spar_status spar__run_policy(const spar_plan *plan, size_t index, const spar_world *world, uint64_t run, spar_rng *rng,
                             spar_policy **out, spar_error *err);

/* Room for what a simulation gives. */

/* How many runs are worth a look. */
size_t spar__results_reach(const spar_results *results);

/* With checkpoints and empty curves, no run complete; NULL: out of memory. n_policies, runs, rounds > 0. */
spar_results *spar__results_new(size_t n_policies, uint64_t runs, uint64_t rounds);

/* The bytes this takes; as a double, because it is asked before they are had. */
double spar__results_bytes(size_t n_policies, uint64_t runs, uint64_t rounds);

/* What the watched runs of a policy give together. */

typedef struct spar__decisions {
    size_t runs;               /* complete */
    double right, wrong, open; /* shares of these */
    spar__summary screens;     /* rounds to a decision, over the runs that decided; NaN without any */
} spar__decisions;

/* SPAR_INVALID for a policy out of range, SPAR_NOMEM. Shares are NaN without a complete run. */
spar_status spar__results_decisions(const spar_results *results, size_t policy, spar__decisions *out);

/* The smallest round from which on the arm named is a best one in 95 % of the complete runs; 0: there is none. */
spar_status spar__results_identified(const spar_results *results, size_t policy, uint64_t *out);

#endif
