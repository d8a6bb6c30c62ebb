/* paper.h - "Multi-dueling Bandits with Dependent Arms" as a list of work: what is simulated, drawn and claimed.
 *
 * A scene is one environment and the policies that play in it. A cell is one policy of one scene: the unit that is
 * computed, kept on disk and found again. Figures draw scenes, claims judge them; each is one file and one line in
 * figures.def or claims.def, and says itself which scenes it needs. Scenes are told apart by name and cells by their
 * whole setting, so what two of them ask for is computed once. */
#ifndef SPAR_PAPER_PAPER_H
#define SPAR_PAPER_PAPER_H

#include "base/buf.h"

#include <spar/sim.h>

typedef struct spar__paper spar__paper;
typedef struct spar__scene spar__scene;

/* What is asked of all of it. */
typedef struct spar__paper_wish {
    const char *figure; /* only this one, and no claims that need more; NULL: all */
    bool quick;         /* fewer runs */
    const char *data;   /* directory with LETOR files or a preference matrix; NULL: generated rankers */
    const char *cells;  /* directory of finished cells and generated data, which exists */
    uint64_t seed;
    size_t threads;
    const char *swap_from, *swap_to; /* play swap_to wherever a cast names swap_from, under its label; NULL: nobody */
    spar_progress *progress;         /* in units of work, not of rounds */
    void *context;
} spar__paper_wish;

/* A policy and what it is called in pictures and tables. */
typedef struct spar__role {
    const char *label, *policy;
} spar__role;

/* Looks at a policy in the midst of a run and writes down a few numbers. */
typedef struct spar__probe {
    const char *name; /* part of the cell's setting */
    size_t width;     /* numbers it writes */
    spar_status (*look)(const spar_snapshot *snapshot, double *out);
} spar__probe;

/* A run that no plan of spar_simulate describes: fills curve[i] = the cost so far after checkpoint[i] rounds. Called
 * from several threads at once for different runs. */
typedef spar_status spar__feat(const spar__scene *scene, const char *policy, uint64_t seed, uint64_t run, size_t n,
                               const uint64_t *checkpoint, double *curve, spar_error *err);

typedef struct spar__cell {
    char *label, *policy; /* as in the role, after swapping */
    char *setting;        /* all that decides its numbers, as one line of text */
    bool done;
    size_t runs, n_checkpoints, n_marks, width;
    uint64_t *checkpoint;
    double *curve; /* runs x n_checkpoints: cumulative regret */
    /* One per run; of a feat only regret: */
    double *regret;                             /* after all rounds */
    double *per_slot;                           /* the same with m x the mean over a round's slots */
    double *best_share, *best_pulls, *set_size; /* as in spar_run */
    double *probe;                              /* runs x n_marks x width */
    double seconds;                             /* CPU time */
    char *note;                                 /* of the results, or NULL */
} spar__cell;

/* How a scene is asked for; texts are copied, arrays of roles and marks borrowed (static). */
typedef struct spar__setup {
    const char *name;           /* "grid/logit-arith" */
    const char *title;          /* "logit / arith" */
    const char *env, *feedback; /* feedback NULL: what suits env */
    const char *shown;          /* env as pictures, tables and settings have it; NULL: as it is */
    size_t m;
    uint64_t rounds, runs, quick_runs, quick_rounds; /* quick_rounds 0: as many as ever */
    const spar__role *role;
    size_t n_roles;
    const spar__probe *probe; /* NULL: none */
    const uint64_t *mark;     /* ascending rounds at which it looks; those beyond `rounds` are left out */
    size_t n_marks;
    spar__feat *feat;      /* NULL: spar_simulate */
    const char *feat_name; /* part of the cells' setting */
    double nanoseconds;    /* a guess at the time of a round, for the time left; 0: 300 */
} spar__setup;

struct spar__scene {
    char *name, *title, *env, *shown, *feedback;
    size_t m;
    uint64_t rounds, runs;
    const spar__probe *probe;
    const uint64_t *mark;
    size_t n_marks;
    spar__feat *feat;
    const char *feat_name;
    double nanoseconds;
    size_t n_cells;
    spar__cell *cell;
};

/* A figure of the paper. */
typedef struct spar__paper_figure {
    const char *name;                                          /* for --figure, and of its files */
    const char *title;                                         /* "Multi-dueling on linear / arith" */
    const char *says;                                          /* what the paper says it shows */
    spar_status (*stage)(spar__paper *paper, spar_error *err); /* asks for its scenes; NULL: needs none */
    spar_status (*draw)(const spar__paper *paper, spar__buf *svg, spar_error *err);
    const char *const *scene; /* whose final regrets stand in a table below it; ends with NULL. NULL: no table */
} spar__paper_figure;

typedef enum spar__verdict {
    SPAR__NOT_JUDGED, /* its scenes were not played */
    SPAR__HOLDS,
    SPAR__HOLDS_IN_PART,
    SPAR__DOES_NOT_HOLD
} spar__verdict;

/* A claim of the paper; what judging it found is a finding. */
typedef struct spar__finding {
    spar__verdict verdict;
    spar__buf numbers; /* short sentences with the numbers that decide */
} spar__finding;

typedef struct spar__claim {
    const char *name;                                          /* "lemma-2" */
    const char *title;                                         /* "Every arm is played for ever (Lemma 2)" */
    const char *says;                                          /* the claim in a sentence */
    const char *test;                                          /* how it is judged: statistic and bounds */
    spar_status (*stage)(spar__paper *paper, spar_error *err); /* scenes of its own; NULL: those of figures do */
    spar_status (*judge)(const spar__paper *paper, spar__finding *out, spar_error *err);
    spar_status (*draw)(const spar__paper *paper, spar__buf *svg, spar_error *err); /* a figure for it, or NULL */
    const char *figure; /* the one of the paper that shows it, by name, or NULL */
} spar__claim;

struct spar__paper {
    spar__paper_wish wish;
    size_t n_scenes, capacity;
    spar__scene **scene; /* in the order asked for */
    size_t n_figures;    /* those wished for, in order */
    const spar__paper_figure **figure;
    size_t n_claims;
    const spar__claim **claim;
    spar__finding *finding; /* one per claim */
    size_t found;           /* cells that were on disk already */
    double seconds;         /* CPU time of all cells, those of earlier starts included */
    bool interrupted;
};

extern const spar__paper_figure *const spar__paper_figures[];
extern const size_t spar__n_paper_figures;
extern const spar__claim *const spar__claims[];
extern const size_t spar__n_claims;

/* Asks every figure and claim for its scenes. */
spar_status spar__paper_new(const spar__paper_wish *wish, spar__paper **out, spar_error *err);
void spar__paper_free(spar__paper *paper);

/* Adds a scene; one of that name that is there already is left alone. */
spar_status spar__paper_stage(spar__paper *paper, const spar__setup *setup, spar_error *err);

/* Computes all cells that are not on disk, keeps them there, and judges the claims. A stop by the progress function is
 * no failure: paper->interrupted. */
spar_status spar__paper_run(spar__paper *paper, spar_error *err);

/* A scene whose cells are all done, or NULL; a cell of it by label, or NULL (of no scene too). */
const spar__scene *spar__paper_scene(const spar__paper *paper, const char *name);
const spar__cell *spar__scene_cell(const spar__scene *scene, const char *label);

/* Over the runs of a cell: of any per-run array (regret, per_slot, ...), or at a checkpoint of the curve. */
spar_status spar__cell_summary(const spar__cell *cell, const double *per_run, spar_summary *out);
spar_status spar__cell_curve(const spar__cell *cell, size_t checkpoint, spar_summary *out);

/* a minus b, run by run, of any per-run arrays of two cells of one scene. */
void spar__cell_compare(const spar__cell *cell, const double *a, const double *b, spar_difference *out);

/* The scenes of rankers: one for LETOR data and one for a matrix, as wish->data has them, else one of generated data.
 */
spar_status spar__paper_stage_rankers(spar__paper *paper, const spar__setup *setup, spar_error *err);

/* What is printed and written: results.csv, curves.csv, results.json; and the report, one HTML page. */
void spar__paper_csv(const spar__paper *paper, spar__buf *out);
void spar__paper_curves_csv(const spar__paper *paper, spar__buf *out);
void spar__paper_json(const spar__paper *paper, spar__buf *out);
spar_status spar__paper_html(const spar__paper *paper, const char *command, spar__buf *out, spar_error *err);

const char *spar__verdict_text(spar__verdict verdict); /* "holds", "holds in part", "does not hold", "not judged" */

#endif
