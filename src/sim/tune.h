/* tune.h - the best of a few candidates by successive halving.
 *
 * All candidates play the first runs; the better half plays on until it has twice as many, and so forth, until two are
 * left, which play all runs. Run r of every candidate has the same world and the same luck, so candidates are
 * compared run by run, over the runs that both have. */
#ifndef SPAR_SIM_TUNE_H
#define SPAR_SIM_TUNE_H

#include "sim/sim.h"
#include "sim/sweep.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum spar__tune_by { SPAR__TUNE_MEAN, SPAR__TUNE_MEDIAN } spar__tune_by;

typedef struct spar__candidate {
    size_t rung;    /* the last it took part in, from 1 */
    size_t runs;    /* begun */
    double *regret; /* of each; NaN: not complete */
    spar__summary summary;
} spar__candidate;

typedef struct spar__tuning {
    size_t n, rungs, runs;
    spar__candidate *candidate;
    size_t *order;    /* best first: by the last rung, then by the result */
    double *work;     /* room for two lists of runs */
    bool interrupted; /* not all that was to be played is complete */
} spar__tuning;

/* Plays runs first to first + runs - 1 of some candidates: regret[i][r] is that of candidate[i] in run first + r, NaN
 * if it was stopped before it was complete. */
typedef spar_status spar__tune_play(void *context, const size_t *candidate, size_t n, size_t first, size_t runs,
                                    double *const *regret, spar_error *err);

/* How many rungs there will be, and how many runs a candidate has behind it after one of them (from 1). At least ten,
 * if there are that many: fewer tell little. */
size_t spar__tune_rungs(size_t n);
size_t spar__tune_runs(size_t n, size_t runs, size_t rung);

/* Single runs of single candidates, all in all. */
uint64_t spar__tune_jobs(size_t n, size_t runs);

/* Finds the best of n candidates; runs is what the last two play. Without memory *out needs no freeing. */
spar_status spar__tune(size_t n, size_t runs, spar__tune_by by, spar__tune_play *play, void *context, spar__tuning *out,
                       spar_error *err);
void spar__tuning_free(spar__tuning *tuning);

/* The best candidate but `except` (SIZE_MAX: of all), n if no other has a complete run. A candidate with more runs is
 * compared with one of fewer over the runs that both have. With the statistic of the search no dropped candidate can
 * win this; with the other one that is possible. */
size_t spar__tuning_best(const spar__tuning *tuning, spar__tune_by by, size_t except);

/* What candidate a loses against b in the runs that both have. */
void spar__tuning_compare(const spar__tuning *tuning, size_t a, size_t b, spar__difference *out);

/* Plays by simulation. */
typedef struct spar__tune_lab {
    spar_plan plan;       /* its policies are the candidates; runs and first_run do not matter */
    uint64_t done, total; /* rounds so far and in all, which its progress function is told */
    uint64_t rung;        /* of this rung */
    spar__sweep *sweep;   /* how its cells are played; NULL: on the threads of the plan */
} spar__tune_lab;

spar_status spar__tune_simulate(void *lab, const size_t *candidate, size_t n, size_t first, size_t runs,
                                double *const *regret, spar_error *err);

#endif
