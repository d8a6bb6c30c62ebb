/* results.h - room for what a simulation gives. */
#ifndef SPAR_SIM_RESULTS_H
#define SPAR_SIM_RESULTS_H

#include "sim/sim.h"

#include <stddef.h>
#include <stdint.h>

/* How many runs are worth a look. */
size_t spar__results_reach(const spar_results *results);

/* With checkpoints and empty curves, no run complete; NULL: out of memory. n_policies, runs, rounds > 0. */
spar_results *spar__results_new(size_t n_policies, uint64_t runs, uint64_t rounds);

/* The bytes this takes; as a double, because it is asked before they are had. */
double spar__results_bytes(size_t n_policies, uint64_t runs, uint64_t rounds);

#endif
