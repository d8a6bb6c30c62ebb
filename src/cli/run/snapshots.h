/* snapshots.h - spar run --snapshots: what the policies believe in the midst of the first run, kept and then written
 * down as snapshots.csv and drawn, one picture per policy. */
#ifndef SPAR_CLI_SNAPSHOTS_H
#define SPAR_CLI_SNAPSHOTS_H

#include "base/buf.h"
#include "cli/options.h"

#include <spar/sim.h>

/* One policy at one time; n = 0 when it was never taken. */
typedef struct spar__sight {
    size_t n; /* arms */
    spar_tally *tally;
    double *number; /* where the following live */
    double *x;      /* n x dim */
    double *mean, *sd, *truth, *won, *lost;
} spar__sight;

/* The snapshots of a plan. */
typedef struct spar__album {
    uint64_t *time; /* ascending */
    size_t n_times;
    size_t n_policies;
    spar__sight *sight; /* sight[policy * n_times + k] */
    size_t dim;         /* features of an arm */
    bool plain;         /* rewards, not duels */
    spar_scratch *scratch;
} spar__album;

/* Makes an empty album for what --snapshots asks of this plan and sets the plan to fill it; without the option nothing
 * happens. Refuses rounds out of range, policies without a belief and arms without features, before anything runs. The
 * album must stay where it is until the plan was simulated, and is to be freed even after a failure. */
spar_status spar__album_open(spar__album *album, const spar__settings *settings, spar_plan *plan, spar_error *err);
void spar__album_free(spar__album *album);

/* snapshots_files.c: the rows of snapshots.csv below a head with max_dim features, and the picture of a policy (nothing
 * when no snapshot was taken, or for more than two features). Both fail only for want of memory. */
void spar__album_csv_head(size_t max_dim, spar__buf *out);
void spar__album_csv(const spar__album *album, const spar_plan *plan, size_t max_dim, spar__buf *out);
spar_status spar__album_draw(const spar__album *album, const spar_plan *plan, size_t policy, spar__buf *svg);

#endif
