/* account.h - what the rounds of a run cost. */
#ifndef SPAR_SIM_ACCOUNT_H
#define SPAR_SIM_ACCOUNT_H

#include "env/env.h"
#include "sim/sim.h"
#include "sim/stats.h"
#include "types/round.h"

#include <stddef.h>
#include <stdint.h>

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

#endif
