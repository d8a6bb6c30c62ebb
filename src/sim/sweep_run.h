/* sweep_run.h - the inside of a sweep while it is played. */
#ifndef SPAR_SIM_SWEEP_RUN_H
#define SPAR_SIM_SWEEP_RUN_H

#include "base/hash.h"
#include "sim/sweep.h"

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>

/* What one thread is doing. No two share a cache line. */
typedef struct spar__sweep_worker {
    alignas(64) _Atomic(uint64_t) part; /* work of its cell that is done */
    uint64_t work;                      /* of its cell */
    spar__sweep_run *run;
    spar__buf text, frame; /* used again for every cell */
} spar__sweep_worker;

struct spar__sweep_run {
    spar__sweep *sweep;
    const spar__cell_list *cells;
    uint64_t *key;
    bool *done;
    size_t *missing, n_missing;
    uint64_t total; /* work of all that is missing */
    spar__sweep_worker *worker;
    size_t n_workers;                       /* the last one only takes what comes from elsewhere */
    bool locks;                             /* the mutexes are there */
    alignas(64) _Atomic(uint64_t) finished; /* work */
    _Atomic(uint64_t) elsewhere;            /* work of cells that other processes have begun */
    atomic_bool stop;
    pthread_mutex_t lock;      /* guards what is taken, kept and failed */
    pthread_mutex_t reporting; /* guards the caller's progress function */
    double reported;           /* when it was last called */
    size_t failed_cell;
    spar_error failure; /* of the first cell that failed */
};

spar_status spar__sweep_run_init(spar__sweep_run *run); /* SPAR_NOMEM; fini it also then */
void spar__sweep_run_fini(spar__sweep_run *run);
spar_status spar__sweep_by_threads(spar__sweep_run *run);

/* Takes a cell from its frame. */
spar_status spar__sweep_load(spar__sweep_run *run, size_t cell, const char *text, const unsigned char *bytes,
                             size_t length, spar_error *err);

/* Makes the file of cells, unless it is there. */
spar_status spar__sweep_begin_file(spar__sweep *sweep, spar_error *err);

/* The first frame of a file of this sweep. */
void spar__sweep_write_head(const spar__sweep *sweep, spar__buf *out);

#endif
