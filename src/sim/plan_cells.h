/* plan_cells.h - the cells of simulations: one policy over a few runs of a plan. All plans together are one list, in
 * the order plan, runs, policy, so that what was stopped has whole runs of every policy. */
#ifndef SPAR_SIM_PLAN_CELLS_H
#define SPAR_SIM_PLAN_CELLS_H

#include "sim/sim.h"
#include "sim/sweep.h"

#include <pthread.h>

/* A plan and its results. */
typedef struct spar__planned {
    /* Filled by the caller: */
    const spar_plan *plan; /* with snapshots, its observer is called once for each policy and snapshot */
    /* What the observer has seen of a policy, as bytes; NULL: nothing that is to be kept. */
    void (*observed)(void *observer_context, size_t policy, spar__archive *ar);

    spar_results *results; /* of all its runs; the caller may take it */
    char *said;            /* what the environment says of itself, or NULL */
    size_t env;            /* which of the environments */
    size_t first;          /* its first cell */
    uint64_t span;         /* runs of a cell; the last may have fewer */
} spar__planned;

typedef struct spar__planned_env spar__planned_env;

typedef struct spar__plan_cells {
    spar__cell_list cells;
    spar__planned *planned;
    size_t n_planned;
    spar__planned_env *env;
    size_t n_envs;
    size_t threads;       /* for checks */
    pthread_mutex_t lock; /* of observers and of what environments say */
    bool locked;          /* it is there */
} spar__plan_cells;

/* `planned` is borrowed. After a failure, too, fini is needed. */
spar_status spar__plan_cells_init(spar__plan_cells *cells, spar__planned *planned, size_t n, spar_error *err);

/* After the sweep: notes, and what is interrupted. */
spar_status spar__plan_cells_finish(spar__plan_cells *cells, spar_error *err);

/* Also frees results that nobody took. */
void spar__plan_cells_fini(spar__plan_cells *cells);

#endif
