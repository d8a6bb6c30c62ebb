/* pair_evidence.h - the pair evidence (prefer/evidence.h) that a policy keeps to reach a decision: it follows the arms,
 * learns the answers, and says which rivals of an arm come next. Used by focus and top_two. */
#ifndef SPAR_POLICY_REDUCTION_PAIR_EVIDENCE_H
#define SPAR_POLICY_REDUCTION_PAIR_EVIDENCE_H

#include "policy/policy.h"
#include "prefer/evidence.h"

/* The first member of such a policy. */
typedef struct spar__evidence_policy {
    spar_policy base;
    spar__evidence evidence;
} spar__evidence_policy;

/* As in spar__policy_class. init takes the errors delta, that of the decision, and `first`, that of the first options;
 * resize takes O(1) where one arm came or retired. */
spar_status spar__evidence_policy_init(spar_policy *base, double delta, double first, spar_error *err);
void spar__evidence_policy_fini(spar_policy *base);
spar_status spar__evidence_policy_resize(spar_policy *base, spar_error *err);
spar_status spar__evidence_policy_reserve(spar_policy *base, const spar_round *round);
void spar__evidence_policy_learn(spar_policy *base, const spar_round *round, const spar_feedback *feedback);
void spar__evidence_policy_archive(spar_policy *base, spar__archive *ar);

/* The rivals of an arm. */
typedef struct spar__rivals {
    double *urgency;      /* higher is chosen first */
    bool *open, *settled; /* not chosen yet; the one or the other */
    size_t n_open;
} spar__rivals;

/* Takes the most urgent of the open ones, then of the settled ones, ties at random. */
size_t spar__rivals_next(spar__rivals *rivals, size_t n, spar_rng *rng);

#endif
