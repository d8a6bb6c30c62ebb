/* scenarios.h - the fifteen scenarios of independent arms (sets of utilities under links), and preferences in them. */
#ifndef SPAR_PAPER_SCENARIOS_H
#define SPAR_PAPER_SCENARIOS_H

#include "paper/paper.h"
#include "prefer/prefer.h"

enum { SPAR__SCENARIO_SETS = 5, SPAR__SCENARIO_LINKS = 3 };

extern const char *const spar__scenario_sets[SPAR__SCENARIO_SETS];
extern const char *const spar__scenario_links[SPAR__SCENARIO_LINKS];

/* Adds the setting grid/LINK-SET: two arms a round. */
spar_status spar__paper_add_scenario(spar__paper *paper, const char *link, const char *set, spar_error *err);

/* The preferences in an environment's first world, n x n, the caller's to free, and the best arm. */
spar_status spar__env_arms(const char *env, size_t *n, double **p, size_t *best, spar_error *err);

/* What a scenario's preferences satisfy. */
spar_status spar__scenario_measure(const char *link, const char *set, spar__transitivity *out, spar_error *err);

#endif
