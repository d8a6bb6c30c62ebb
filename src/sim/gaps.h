/* gaps.h - what showing an arm costs by the kinds of regret that need no arm that beats all others. */
#ifndef SPAR_SIM_GAPS_H
#define SPAR_SIM_GAPS_H

#include "env/env.h"
#include "sim/sim.h"

enum { SPAR__GAPS_MOST = 4096 }; /* arms: all pairs are looked at in every run */

/* BORDA, COPELAND or VON_NEUMANN? */
bool spar__gaps_needed(spar_regret kind);

/* "sum", "weak", ... */
const char *spar__regret_name(spar_regret kind);

/* Why regret of this kind is not defined in the world, or NULL when it is. */
const char *spar__regret_refuses(const spar_world *world, spar_regret kind);

/* world->phases x world->n gaps of a kind that needs them, which the caller frees. They are at least 0; the best arms
 * have 0 within 1e-6. NULL: out of memory. */
double *spar__gaps_new(const spar_world *world, spar_regret kind);

#endif
