/* sweep.h - one policy in one environment over a range of runs: the unit of every sweep.
 *
 * A cell is computed on its own, kept in a file, and found again by its key, a line of text with all that decides its
 * numbers. A sweep that was killed loses no more than the cells it was computing. */
#ifndef SPAR_SIM_SWEEP_H
#define SPAR_SIM_SWEEP_H

#include "base/archive.h"
#include "base/file.h"
#include "base/order.h"
#include "sim/sim.h"

#include <spar/sim.h>

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct spar__cell_spec spar__cell_spec;

/* Measures a policy during a run. */
typedef struct spar__cell_probe {
    const char *name; /* part of the key */
    size_t width;     /* how many numbers it writes */
    spar_status (*measure)(const spar_snapshot *snapshot, double *out);
} spar__cell_probe;

/* A run that spar_simulate does not know: fills curve[i], the regret after checkpoint[i] rounds. Called from several
 * threads at once for different cells. */
typedef spar_status spar__custom_run(const spar__cell_spec *spec, uint64_t run, size_t n, const uint64_t *checkpoint,
                                     double *curve, spar_error *err);

/* What decides the numbers of a cell. */
struct spar__cell_spec {
    const char *env, *feedback, *policy; /* feedback NULL: what suits env */
    const char *env_key; /* env as the key has it, for instance with a hash of a file's content in place of its path;
                            NULL: env itself */
    const char *label;   /* what reports call it; not part of the key */
    size_t m;
    uint64_t rounds, horizon; /* the horizon that the policy is told; 0: unknown */
    uint64_t seed, first_run, runs;
    const spar__cell_probe *probe; /* NULL: none */
    const uint64_t *mark;          /* ascending rounds, each at most `rounds`, after which the probe measures */
    size_t n_marks;
    spar__custom_run *custom; /* NULL: spar_simulate */
    const char *custom_name;  /* part of the key */
    const char *more;         /* what else decides the numbers, for the key; NULL: nothing */
};

typedef struct spar__cell {
    spar__cell_spec spec; /* its texts and arrays are borrowed */
    char *key;
    bool done; /* the numbers below are complete */
    size_t runs, n_checkpoints, n_marks, width;
    uint64_t *checkpoint;
    double *numbers; /* all of the following, in this order: */
    double *curve;   /* runs x n_checkpoints: cumulative regret */
    /* One per run, as in spar__run_numbers; of a custom run only regret: */
    double *regret, *per_slot, *best_share, *best_pulls, *set_size;
    double *probe;  /* runs x n_marks x width */
    double seconds; /* CPU time */
    char *note;     /* of the results, or NULL */
} spar__cell;

/* The key: one line. */
void spar__cell_key(const spar__cell_spec *spec, spar__buf *out);

/* What an environment is called in keys: its name, and for every file that it reads a hash of the contents. Fails when
 * out of memory, or when a file cannot be read. */
spar_status spar__cell_env_key(const char *env, spar__buf *out, spar_error *err);

/* Writes the key. The cell must be zero before, and needs fini also after a failure, which is SPAR_NOMEM. */
spar_status spar__cell_init(spar__cell *cell, const spar__cell_spec *spec);
void spar__cell_fini(spar__cell *cell);

/* Allocates all numbers, zero; done is false. Fails with SPAR_NOMEM. */
spar_status spar__cell_reset(spar__cell *cell);

/* Plays all runs, on this thread. env is what spec.env names, or NULL: then it is made. A stop by the progress function
 * is no failure: done is then false. */
spar_status spar__cell_play(spar__cell *cell, const spar_env *env, spar_progress *progress, void *context,
                            spar_error *err);

/* Its numbers to bytes and back (sim/sweep.h); loading needs spar__cell_reset before, and sets done if it went well. */
void spar__cell_archive(spar__cell *cell, spar__archive *ar);

/* Over the runs: of any array with one number per run, or of the curves at a checkpoint. Fail with SPAR_NOMEM. */
spar_status spar__cell_summary(const spar__cell *cell, const double *per_run, spar__summary *out);
spar_status spar__cell_curve(const spar__cell *cell, size_t checkpoint, spar__summary *out);

/* --- where finished cells are kept (cell_files.c) --- */

/* What the first frame of a file says. */
typedef struct spar__sweep_head {
    char *version;
    uint64_t plan, cells;
    uint32_t part, parts;
    size_t n_words;
    char **word;
} spar__sweep_head;

void spar__sweep_head_write(const spar__sweep_head *head, spar__buf *out);

/* A file that was read. */
typedef struct spar__cell_file {
    char *path;
    spar__buf bytes;
    bool has_head;
    spar__sweep_head head;
} spar__cell_file;

/* A cell in one of them. */
typedef struct spar__kept_cell {
    size_t file, at, length; /* which file, and where the frame is */
} spar__kept_cell;

typedef struct spar__cell_files { /* all zero: none */
    spar__cell_file *file;
    size_t n_files;
    spar__key_table keys;  /* of the keys; the number of a key is that of its cell below */
    spar__kept_cell *cell; /* the first of each key */
    size_t room;
    size_t damaged;    /* files and frames that cannot be used; a file that was broken off is not damaged */
    spar_error reason; /* the first of them */
    spar_error differ; /* two cells of one key with different numbers: which */
} spar__cell_files;

/* Reads all files of a directory, in the order of their names; one that does not exist has none. Fails when it cannot
 * be read, or without memory. */
spar_status spar__cell_files_add(spar__cell_files *files, const char *dir, spar_error *err);
void spar__cell_files_free(spar__cell_files *files);

/* The bytes of a file in memory, as if it had been read. */
spar_status spar__cell_files_take(spar__cell_files *files, const char *path, spar__buf *bytes, spar_error *err);

/* Finds the cell of this key; *length 0: there is none. */
const unsigned char *spar__cell_files_find(const spar__cell_files *files, const char *key, size_t *length);

/* A frame of a cell: what the archive has and its cache, which holds the time; and back. Opening fails if the frame is
 * damaged or has another key. */
void spar__cell_frame_write(const char *key, const spar__archive *ar, spar__buf *out);
spar_status spar__cell_frame_open(const char *key, const unsigned char *bytes, size_t length, spar__archive *ar,
                                  spar__archive *time, spar_error *err);

/* --- a list of cells, each computed once: by threads here, by parts that are joined later, or by other processes ---
 *
 * What is computed is a spar__cell_list: how many there are, what each one is called, how it is played and what its
 * numbers are as bytes. Commands that sweep fill one and hand it to spar__sweep_play, which looks for finished cells,
 * plays the others and keeps them (cell_files.c). Numbers have places of their own, or are sums that do not depend
 * on the order, so that it does not matter where and when a cell was played. */

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

/* --- the cells of plans (plan.c) --- */

/* A plan and its results. */
typedef struct spar__planned {
    /* Filled by the caller: */
    const spar_plan *plan; /* with snapshots, its observer is called once for each policy and snapshot */
    /* What the observer has seen of a policy, as bytes; NULL: nothing that is to be kept. */
    void (*observed)(void *observer_context, size_t policy, spar__archive *ar);

    spar_results *results; /* of all its runs; the caller may take it */
    char *said;            /* what the environment says of itself, or NULL */
    spar__ready_plan ready;
    size_t env;    /* which of the environments */
    size_t first;  /* its first cell */
    uint64_t span; /* runs of a cell; the last may have fewer */
} spar__planned;

/* An environment that several cells need: made when the first of them does, freed after the last. That of rankers may
 * take long to make. */
typedef struct spar__shared_env {
    const char *text; /* borrowed */
    char *key;        /* what keys of cells call it; NULL: text */
    spar_env *made;
    size_t waiting; /* cells that still need it */
    pthread_mutex_t lock;
    bool locked; /* the lock is there */
} spar__shared_env;

spar_status spar__shared_env_init(spar__shared_env *env, const char *text); /* SPAR_NOMEM; fini it also then */
void spar__shared_env_fini(spar__shared_env *env);
spar_status spar__shared_env_get(spar__shared_env *env, const spar_env **out, spar_error *err);
void spar__shared_env_put(spar__shared_env *env); /* a cell is played, or could not be */

typedef struct spar__plan_cells {
    spar__cell_list cells;
    spar__planned *planned;
    size_t n_planned;
    spar__shared_env *env;
    size_t n_envs;
    bool named;           /* the cells have keys */
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

/* --- the best of a few candidates by successive halving ---
 *
 * All candidates play the first runs; the better half plays on until it has twice as many, and so forth, until two are
 * left, which play all runs. Run r of every candidate has the same world and the same luck, so candidates are
 * compared run by run, over the runs that both have. */

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
