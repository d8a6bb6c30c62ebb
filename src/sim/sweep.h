/* sweep.h - a list of cells, each computed once: by threads here, by parts that are joined later, or by other
 * processes.
 *
 * What is computed is a spar__cell_list: how many there are, what each one is called, how it is played and what its
 * numbers are as bytes. Commands that sweep fill one and hand it to spar__sweep_play, which looks for finished cells,
 * plays the others and keeps them (sim/cell_files.h). Numbers have places of their own, or are sums that do not depend
 * on the order, so that it does not matter where and when a cell was played. */
#ifndef SPAR_SIM_SWEEP_H
#define SPAR_SIM_SWEEP_H

#include "sim/cell_files.h"

#include <spar/sim.h>

typedef struct spar__cell_list {
    size_t n;
    void *self;
    /* All that decides the numbers of a cell, in one line: its key. */
    void (*text)(const void *self, size_t cell, spar__buf *out);
    /* What progress counts. */
    uint64_t (*work)(const void *self, size_t cell);
    /* Once, before the first is played, with those that are done already; says what is wrong with the others. May be
     * NULL. */
    spar_status (*prepare)(void *self, const bool *done, spar_error *err);
    /* Computes a cell on the caller's thread, one of several. A stop by the progress function is no failure: *complete
     * stays false. */
    spar_status (*play)(void *self, size_t cell, size_t worker, spar_progress *progress, void *context, bool *complete,
                        spar_error *err);
    /* The numbers that this worker has just played, or is about to take. What differs from one time to the next, such
     * as how long it took, goes to ar->cache (NULL: an old file, which has it in line). A failed loading leaves a cell
     * that is not done. */
    void (*archive)(void *self, size_t cell, size_t worker, spar__archive *ar);
    /* One thread at a time: adds to the whole what this worker has played or loaded. NULL: it has its place already. */
    void (*take)(void *self, size_t cell, size_t worker);
    const size_t *order; /* in which they are played; NULL: as they come */
    bool shared;         /* other processes need all numbers, too: they decide what comes next */
} spar__cell_list;

typedef struct spar__sweep_run spar__sweep_run; /* what is being played */

/* Other ways to play than by threads. */
typedef struct spar__sweep_runner {
    bool helps; /* this process plays for another one, which has the results */
    spar_status (*run)(spar__sweep_run *run, spar_error *err);
    void *self;
} spar__sweep_runner;

typedef struct spar__sweep {
    /* Filled by the caller: */
    const char *dir;         /* where finished cells are kept; NULL: nowhere */
    const char *const *from; /* where else there may be some */
    size_t n_from;
    const char *about;       /* what decides the sweep besides its first cells; may be NULL */
    const char *const *word; /* the command, for those who join the cells */
    size_t n_words;
    uint32_t part, parts;    /* plays the cells whose number is `part` modulo `parts`; parts 0: all */
    bool strict;             /* cells of another plan or version, or with other numbers, are refused; else not used */
    bool must_keep;          /* a cell that cannot be kept is a failure; else `unkept` says so */
    bool only_read;          /* plays nothing */
    size_t threads;          /* 0: one per core */
    spar_progress *progress; /* in the unit of spar__cell_list.work, of what is missing */
    void *context;
    const spar__sweep_runner *runner; /* NULL: threads */
    spar__buf *list;                  /* not NULL: write the list of cells there instead of playing them */
    bool list_json;

    /* Results: */
    uint64_t plan;      /* the hash of the plan */
    size_t cells, done; /* in the list; of these, complete */
    size_t found;       /* of these, not played now */
    bool interrupted;   /* stopped by the progress function */
    spar_error unkept;  /* why cells are not kept */

    spar__cell_files files; /* as they were found */
    bool opened;
    spar__append out;
} spar__sweep;

/* Plays the cells that are missing; may be called several times, for cells that follow from the results of the first.
 * After a failure, too, the sweep must be closed. */
spar_status spar__sweep_play(spar__sweep *sweep, const spar__cell_list *cells, spar_error *err);

/* Closes the files. With `finished`, the files of this sweep are removed, but for those of parts: its results are
 * elsewhere now. Who plays a part or only reads removes nothing. */
void spar__sweep_close(spar__sweep *sweep, bool finished);

/* Keeps all cells that were found in one file in dir, which is not one of those that were read. */
spar_status spar__sweep_copy(spar__sweep *sweep, const char *dir, spar_error *err);

/* For runners. Cells to be played, in order; and how many threads may be used. */
size_t spar__sweep_missing(const spar__sweep_run *run, const size_t **cell);
const spar__sweep *spar__sweep_of(const spar__sweep_run *run);
size_t spar__sweep_threads(const spar__sweep_run *run);

/* Plays a cell as one of the workers, whose numbers begin at 0. It is taken, or with `frame` added to it, as 8 bytes of
 * its number, 8 of its length, and its frame. */
void spar__sweep_cell(spar__sweep_run *run, size_t cell, size_t worker, spar__buf *frame);

/* Takes cells that another process has played, as above. */
spar_status spar__sweep_take(spar__sweep_run *run, const unsigned char *bytes, size_t length, spar_error *err);

/* All that is done, for others: as above. Only where cells are shared. */
bool spar__sweep_shared(const spar__sweep_run *run);
spar_status spar__sweep_give(spar__sweep_run *run, spar__buf *out);

/* How much work of cells that are not complete was done, here and (as told) elsewhere; reports progress. */
uint64_t spar__sweep_partial(const spar__sweep_run *run);
void spar__sweep_tell(spar__sweep_run *run, uint64_t elsewhere);

/* Cells that are complete; writes what is kept of them. */
size_t spar__sweep_secure(spar__sweep_run *run);

bool spar__sweep_stopped(const spar__sweep_run *run);
void spar__sweep_stop(spar__sweep_run *run);
void spar__sweep_fail(spar__sweep_run *run, size_t cell, const spar_error *err);
spar_status spar__sweep_failed(const spar__sweep_run *run, spar_error *err);

#endif
