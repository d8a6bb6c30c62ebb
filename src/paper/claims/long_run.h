/* long_run.h - IndSelfSparring for a million rounds, measured once a decade: "long/linear-arith". */
#ifndef SPAR_PAPER_CLAIMS_LONG_RUN_H
#define SPAR_PAPER_CLAIMS_LONG_RUN_H

#include "paper/claims/judge.h"

enum { SPAR__LONG_DUELS = 3, SPAR__LONG_RUNS = 4, SPAR__LONG_MARKS = 4 };

/* What the probe writes. */
enum {
    SPAR__LONG_LEAST, /* plays of the arm with the fewest */
    SPAR__LONG_BEST,  /* plays of the best arm */
    SPAR__LONG_ALL,   /* plays of all arms */
    SPAR__LONG_ERROR, /* the largest |mean of belief - P(arm beats best)|; NaN: the policy has no belief */
    SPAR__LONG_WIDTH
};

extern const char *const spar__long_runs[SPAR__LONG_RUNS]; /* names of settings; those with m = 2 come first */

spar_status spar__long_plan(const void *data, spar__paper *paper, spar_error *err);

/* IndSelfSparring's cell of setting number i, with all marks; NULL: not run. */
const spar__cell *spar__long_cell(const spar__paper *paper, size_t i, const spar__paper_setting **setting);

/* A number of the probe, over runs; at a mark, or what changed since an earlier one (the later minus the earlier). */
spar__estimate spar__long_at(const spar__cell *cell, size_t mark, size_t number);
spar__estimate spar__long_change(const spar__cell *cell, size_t from, size_t to, size_t number);

#endif
