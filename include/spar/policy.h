/* policy.h - a dueling policy: m arms out, a feedback matrix in.
 *
 * A policy is named by its path through the reductions, for example "self_sparring(eta=1)/thompson/beta", or by an
 * alias such as "ind_self_sparring" (see catalog.h for what there is).
 *
 *   choose changes nothing; learn takes no rng.
 *
 * All state is a fold of learn over (round, feedback) pairs, and of arms added and retired: restart is replay, extra
 * chooses change nothing, answers may come late, in part, or never.
 *
 * Threads: functions that take a const policy may be called by several threads at once, each with a scratch, a
 * generator and a round of its own; a thread that changes the policy must be alone. NULL is refused unless said
 * otherwise: see status.h. */
#ifndef SPAR_POLICY_H
#define SPAR_POLICY_H

#include <spar/arms.h>
#include <spar/feedback.h>
#include <spar/rng.h>
#include <spar/round.h>
#include <spar/scratch.h>
#include <spar/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spar_policy spar_policy;

/* Builds a policy over a copy of arms, for m slots a round. horizon is the number of rounds to come, 0 when unknown
 * (some policies refuse that). The rng gives the policy a private key and is not kept. */
SPAR_API spar_status spar_policy_new(const char *spec, const spar_arms *arms, size_t m, uint64_t horizon, spar_rng *rng,
                                     spar_policy **out, spar_error *err);
SPAR_API spar_status spar_policy_dup(const spar_policy *policy, spar_policy **out, spar_error *err);
SPAR_API void spar_policy_free(spar_policy *policy); /* NULL is fine */

/* A policy of your own, given by functions: it then plays in the simulator (sim.h) beside the others, and wherever else
 * there is a spar_policy. It shows arms of a finite set, two or more a round; none come or go, and it is not saved.
 *
 *   begin   makes the state over these arms, for m slots and `horizon` rounds (0: unknown); all that is random in it
 *           comes from the key
 *   choose  fills arm[0 .. m - 1], live arms, one for each slot; must not change the state, and draws from rng alone
 *   learn   the answer to a round, which need not be one that it chose: any number of slots, any arms
 *   score   how good each of n arms is; NULL: it cannot say
 *   end     frees the state; called once, if begin returned SPAR_OK
 *
 * Runs of a simulation play in several threads, each with a state of its own. A function that fails returns a status
 * and fills err; what it then leaves as state is its own affair. */
typedef struct spar_policy_functions {
    size_t size;   /* sizeof(spar_policy_functions) */
    void *context; /* handed to begin */
    spar_status (*begin)(void *context, const spar_arms *arms, size_t m, uint64_t horizon, uint64_t key, void **state,
                         spar_error *err);
    spar_status (*choose)(const void *state, spar_rng *rng, size_t m, size_t *arm, spar_error *err);
    spar_status (*learn)(void *state, const spar_round *round, const spar_feedback *feedback, spar_error *err);
    spar_status (*score)(const void *state, size_t n, double *score);
    void (*end)(void *state);
} spar_policy_functions;

/* As spar_policy_new; the name stands in messages, where others have their spec. The functions are copied. */
SPAR_API spar_status spar_policy_new_custom(const char *name, const spar_policy_functions *functions,
                                            const spar_arms *arms, size_t m, uint64_t horizon, spar_rng *rng,
                                            spar_policy **out, spar_error *err);

/* The next question: m slots, or as many as there are live arms if these are fewer; with fewer than two live arms there
 * is nothing to compare, and the call is refused. (A policy that chooses the size of its set shows what it likes; a
 * plain bandit shows one arm.) The round grows when needed. */
SPAR_API spar_status spar_policy_choose(const spar_policy *policy, spar_scratch *scratch, spar_rng *rng,
                                        spar_round *out, spar_error *err);

/* The answer to a question. Feedback in which everything is missing changes nothing. (Where a policy that chooses its
 * own set size shows one arm alone there is nothing to compare, so nothing is missing: the round counts.) In a
 * continuous space fresh points become arms; equal points are one arm.
 *
 * The round need not be one that this policy chose: it may have any number of slots from 2 on, and may show retired
 * arms. A policy of two slots learns a larger round as its answered pairs of different arms, one after the other, each
 * as a round of two slots. A policy with one bandit per slot takes at most its m slots. A policy that can only learn
 * from its own questions refuses others (spar_round_asked) with SPAR_UNSUPPORTED and a sentence that says why.
 *
 * After 2^43 rounds, 8.8e12, no more are learned (SPAR_UNSUPPORTED): an answer might change nothing. After a failure
 * the policy is as it was. */
SPAR_API spar_status spar_policy_learn(spar_policy *policy, const spar_round *round, const spar_feedback *feedback,
                                       spar_error *err);

/* How good the policy thinks each arm is, higher is better, comparable within one policy only. n is the length of score
 * and must be the number of arms, spar_arms_count(spar_policy_arms(policy)). Retired arms have a value too. */
SPAR_API spar_status spar_policy_score(const spar_policy *policy, spar_scratch *scratch, size_t n, double *score,
                                       spar_error *err);

/* What the policy believes of each arm: mean and standard deviation of its chance to win, n values each (either may be
 * NULL), n as above. Of several players the first one's. SPAR_UNSUPPORTED when it keeps no belief. */
SPAR_API spar_status spar_policy_belief(const spar_policy *policy, spar_scratch *scratch, size_t n, double *mean,
                                        double *sd, spar_error *err);

/* The same at one point of a continuous space, dim numbers; mean and sd may be NULL. */
SPAR_API spar_status spar_policy_belief_at(const spar_policy *policy, spar_scratch *scratch, size_t dim,
                                           const double *x, double *mean, double *sd, spar_error *err);

/* The believed best arm: the live one of highest score, equal ones by the policy's private key. In a continuous space
 * the believed best point, which goes to x (dim numbers); *arm is then its index, or SPAR_FRESH if it was never played.
 * In a finite space x may be NULL, or gets the features of the arm. */
SPAR_API spar_status spar_policy_best(const spar_policy *policy, spar_scratch *scratch, size_t *arm, size_t dim,
                                      double *x, spar_error *err);

/* About how far the belief's mean and standard deviation may be from the exact ones: 0 where it is exact but for
 * rounding, more where the numbers it was given (noise, length scales) ask for more digits than there are. */
SPAR_API double spar_policy_accuracy(const spar_policy *policy);

/* Arms that come and go, where the policy allows it (SPAR_UNSUPPORTED otherwise). Part of the log like learn. The index
 * of the new arm goes to *index if that is not NULL. The last live arm cannot retire. */
SPAR_API spar_status spar_policy_add_arm(spar_policy *policy, const double *x, const char *name, size_t *index,
                                         spar_error *err);
SPAR_API spar_status spar_policy_retire_arm(spar_policy *policy, size_t index, spar_error *err);

/* The whole state as bytes (free with spar_bytes_free), and back. A loaded policy goes on as the saved one would. A
 * policy that is given by functions is refused (SPAR_UNSUPPORTED), and spar_policy_dup refuses it, too. */
SPAR_API spar_status spar_policy_save(const spar_policy *policy, unsigned char **bytes, size_t *length);
SPAR_API spar_status spar_policy_load(const unsigned char *bytes, size_t length, spar_policy **out, spar_error *err);

SPAR_API const char *spar_policy_spec(const spar_policy *policy);      /* as it was written */
SPAR_API const spar_arms *spar_policy_arms(const spar_policy *policy); /* its own table; borrowed */
SPAR_API size_t spar_policy_slots(const spar_policy *policy);          /* m */
SPAR_API uint64_t spar_policy_rounds(const spar_policy *policy);       /* rounds learned so far */
SPAR_API bool
spar_policy_distinct(const spar_policy *policy); /* does it promise never to show an arm twice in a round? */
SPAR_API bool spar_policy_live_arms(const spar_policy *policy); /* may arms come and go? */

#ifdef __cplusplus
}
#endif

#endif
