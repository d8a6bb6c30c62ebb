/* pair_evidence.h - the pair evidence (prefer/evidence.h) that a policy keeps to reach a decision: it follows the arms,
 * learns the answers, and says which rivals of an arm come next. Used by focus and top_two. */
#ifndef SPAR_POLICY_REDUCTION_PAIR_EVIDENCE_H
#define SPAR_POLICY_REDUCTION_PAIR_EVIDENCE_H

#include "policy/policy.h"
#include "prefer/evidence.h"

/* Arms that came and arms that retired: O(1) where one did. */
spar_status spar__policy_evidence_resize(spar__evidence *ev, const spar_arms *arms, spar_error *err);

/* Room for what a round can teach, so that learning it cannot fail. */
spar_status spar__policy_evidence_reserve(spar__evidence *ev, const spar_arms *arms, const spar_round *round);
void spar__policy_evidence_learn(spar__evidence *ev, const spar_round *round, const spar_feedback *feedback);
void spar__policy_evidence_archive(spar__evidence *ev, const spar_arms *arms, spar__archive *ar);

/* The rivals of an arm. */
typedef struct spar__rivals {
    double *urgency;      /* higher is chosen first */
    bool *open, *settled; /* not chosen yet; the one or the other */
    size_t n_open;
} spar__rivals;

/* Takes the most urgent of the open ones, then of the settled ones, ties at random. */
size_t spar__rivals_next(spar__rivals *rivals, size_t n, spar_rng *rng);

#endif
