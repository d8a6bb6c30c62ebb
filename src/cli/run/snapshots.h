/* snapshots.h - spar run --snapshots: what each policy believes after given rounds of the first run, for snapshots.csv
 * and one plot per policy. */
#ifndef SPAR_CLI_SNAPSHOTS_H
#define SPAR_CLI_SNAPSHOTS_H

#include "base/archive.h"
#include "cli/options.h"
#include "plot/plot.h"
#include "sim/sim.h"

/* One policy after one of the rounds; n = 0: not reached. */
typedef struct spar__kept_belief {
    size_t n; /* arms */
    spar__arm_tally *tally;
    double *number; /* memory of the arrays below */
    double *x;      /* n x dim */
    double *mean, *sd, *truth, *won, *lost;
} spar__kept_belief;

/* All of a plan. */
typedef struct spar__snapshots {
    uint64_t *time; /* ascending */
    size_t n_times;
    size_t n_policies;
    spar__kept_belief *kept; /* kept[policy * n_times + k] */
    size_t dim;              /* features of an arm */
    bool plain;              /* rewards, not duels */
    spar_scratch *scratch;
} spar__snapshots;

/* Reads --snapshots and sets the plan's callback that fills the set; without the option it does nothing. Refuses rounds
 * out of range and arms without features; policies without a belief are left out, with a note, unless none is left. The
 * set must not move until the plan was simulated; free it also after a failure. */
spar_status spar__snapshots_open(spar__snapshots *set, const spar__settings *settings, spar_plan *plan,
                                 spar_error *err);
void spar__snapshots_free(spar__snapshots *set);

/* What was kept of a policy, as bytes and back; the context is a spar__snapshots. */
void spar__snapshots_archive(void *context, size_t policy, spar__archive *ar);

/* snapshots_files.c: the head of snapshots.csv, with max_dim features, its rows, and the plot of a policy (nothing when
 * no round was reached, or for more than two features). Fails only when out of memory. */
void spar__snapshots_csv_head(size_t max_dim, spar__buf *out);
void spar__snapshots_csv(const spar__snapshots *set, const spar_plan *plan, size_t max_dim, spar__buf *out);
spar_status spar__snapshots_plot(const spar__snapshots *set, const spar_plan *plan, size_t policy, spar__drawing *out);

#endif
