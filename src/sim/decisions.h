/* decisions.h - what the watched runs of a policy give together. */
#ifndef SPAR_SIM_DECISIONS_H
#define SPAR_SIM_DECISIONS_H

#include "sim/sim.h"

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
