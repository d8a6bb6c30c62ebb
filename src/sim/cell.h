/* cell.h - one policy in one environment over a range of runs: the unit of every sweep.
 *
 * A cell is computed on its own, kept in a file, and found again by its key, a line of text with all that decides its
 * numbers. A sweep that was killed loses no more than the cells it was computing. */
#ifndef SPAR_SIM_CELL_H
#define SPAR_SIM_CELL_H

#include "base/archive.h"
#include "sim/sim.h"

typedef struct spar__cell_spec spar__cell_spec;

/* Measures a policy during a run. */
typedef struct spar__cell_probe {
    const char *name; /* part of the key */
    size_t width;     /* how many numbers it writes */
    spar_status (*measure)(const spar_snapshot *snapshot, double *out);
} spar__cell_probe;

/* A run that spar_simulate does not know: fills curve[i], the regret after checkpoint[i] rounds. Called from several
 * threads at once for different runs. */
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

/* Plays all runs. env is what spec.env names, or NULL: then it is made. A stop by the progress function is no failure:
 * done is then false. */
spar_status spar__cell_play(spar__cell *cell, const spar_env *env, size_t threads, spar_progress *progress,
                            void *context, spar_error *err);

/* Its numbers to bytes and back (sim/sweep.h); loading needs spar__cell_reset before, and sets done if it went well. */
void spar__cell_archive(spar__cell *cell, spar__archive *ar);

/* Over the runs: of any array with one number per run, or of the curves at a checkpoint. Fail with SPAR_NOMEM. */
spar_status spar__cell_summary(const spar__cell *cell, const double *per_run, spar__summary *out);
spar_status spar__cell_curve(const spar__cell *cell, size_t checkpoint, spar__summary *out);

#endif
