/* policy.h - a dueling policy: m arms out, a feedback matrix in.
 *
 * A policy is named by its path through the reductions, for example "self_sparring(eta=1)/thompson/beta", or by an
 * alias such as "ind_self_sparring" (see catalog.h for what there is).
 *
 *   choose changes nothing; learn takes no rng.
 *
 * All state is a fold of learn over (round, feedback) pairs: restart is replay, extra chooses change nothing, answers
 * may come late, in part, or never. */
#ifndef SPAR_POLICY_H
#define SPAR_POLICY_H

#include <spar/arms.h>
#include <spar/feedback.h>
#include <spar/rng.h>
#include <spar/round.h>
#include <spar/scratch.h>
#include <spar/status.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spar_policy spar_policy;

/* Builds a policy over a copy of arms, for m slots a round. horizon is the number of rounds to come, 0 when unknown
 * (some policies refuse that). The rng gives the policy a private key and is not kept. */
SPAR_API spar_status spar_policy_new(const char *spec, const spar_arms *arms, size_t m, uint64_t horizon,
                                     spar_rng *rng, spar_policy **out, spar_error *err);
SPAR_API void spar_policy_free(spar_policy *policy);

/* The next question. Grows the round when the policy chooses its own set size. */
SPAR_API spar_status spar_policy_choose(const spar_policy *policy, spar_scratch *scratch, spar_rng *rng,
                                        spar_round *out);

/* The answer to a question. Feedback in which everything is missing changes nothing. (Where a policy that chooses its
 * own set size shows one arm alone there is nothing to compare, so nothing is missing: the round counts.) In a
 * continuous space fresh points become arms; equal points are one arm. */
SPAR_API spar_status spar_policy_learn(spar_policy *policy, const spar_round *round, const spar_feedback *feedback);

/* How good the policy thinks each arm is: arms->n values, higher is better, comparable within one policy only.
 * Retired arms have a value too. */
SPAR_API spar_status spar_policy_score(const spar_policy *policy, spar_scratch *scratch, double *score);

/* What the policy believes of each arm: mean and standard deviation of its chance to win, arms->n values each (either
 * may be NULL). Of several players the first one's. SPAR_UNSUPPORTED when it keeps no belief. */
SPAR_API spar_status spar_policy_belief(const spar_policy *policy, spar_scratch *scratch, double *mean, double *sd);

/* About how far the belief's mean and standard deviation may be from the exact ones: 0 where it is exact but for
 * rounding, more where the numbers it was given (noise, length scales) ask for more digits than there are. */
SPAR_API double spar_policy_accuracy(const spar_policy *policy);

/* Arms that come and go, where the policy allows it (SPAR_UNSUPPORTED otherwise). Part of the log like learn. */
SPAR_API spar_status spar_policy_add_arm(spar_policy *policy, const double *x, const char *name, size_t *index,
                                         spar_error *err);
SPAR_API spar_status spar_policy_retire_arm(spar_policy *policy, size_t index, spar_error *err);

/* The whole state as bytes (free with spar_bytes_free), and back. A loaded policy goes on as the saved one would. */
SPAR_API spar_status spar_policy_save(const spar_policy *policy, unsigned char **bytes, size_t *length);
SPAR_API spar_status spar_policy_load(const unsigned char *bytes, size_t length, spar_policy **out, spar_error *err);
SPAR_API void spar_bytes_free(unsigned char *bytes);

SPAR_API const char *spar_policy_spec(const spar_policy *policy); /* as it was written */
SPAR_API const spar_arms *spar_policy_arms(const spar_policy *policy);
SPAR_API size_t spar_policy_m(const spar_policy *policy);
SPAR_API uint64_t spar_policy_rounds(const spar_policy *policy); /* rounds learned so far */

#ifdef __cplusplus
}
#endif

#endif
