/* paper.h - "Multi-dueling Bandits with Dependent Arms" as a list of work: what is simulated, drawn and claimed.
 *
 * A setting is one environment and the policies that are compared in it; each of them is a cell (sim/cell.h). Figures
 * draw settings, claims are judged by them. A figure or a claim is one file and one line in figures.def or claims.def,
 * and adds the settings that it needs. Settings are identified by name and cells by their key, so what several figures
 * and claims need is computed once. */
#ifndef SPAR_PAPER_PAPER_H
#define SPAR_PAPER_PAPER_H

#include "base/buf.h"
#include "plot/plot.h"
#include "sim/cell.h"
#include "sim/sweep.h"

typedef struct spar__paper spar__paper;

typedef struct spar__paper_options {
    const char *figure; /* only this one, and no claims that need more; NULL: all */
    bool quick;         /* fewer runs */
    const char *data;   /* directory with LETOR files or a preference matrix; NULL: generated rankers */
    const char *cells;  /* directory of finished cells and generated data, which exists */
    uint64_t seed;
    size_t threads;
    const char *swap_from, *swap_to; /* run swap_to, under the label of swap_from, in its place; NULL: no swap */
    spar_progress *progress;         /* in nanoseconds of estimated work, not in rounds */
    /* Plays the cells; NULL: on threads here, and keeps them in `cells`. */
    spar_status (*player)(void *context, const spar__cell_list *cells, spar_error *err);
    void *context; /* of both */
} spar__paper_options;

/* A policy and what figures and tables call it. */
typedef struct spar__paper_policy {
    const char *label, *spec;
} spar__paper_policy;

/* The first part is filled by those that add a setting; spar__paper_add copies its texts and borrows its arrays. */
typedef struct spar__paper_setting {
    const char *name;           /* "grid/logit-arith" */
    const char *title;          /* "logit / arith" */
    const char *env, *feedback; /* feedback NULL: what suits env */
    const char *shown;          /* env as figures, tables and keys have it; NULL: as it is */
    size_t m;
    uint64_t rounds, runs, quick_runs, quick_rounds; /* quick_rounds 0: as many as without --quick */
    const spar__paper_policy *policy;
    size_t n_policies;
    const spar__cell_probe *probe; /* NULL: none */
    const uint64_t *mark;          /* ascending rounds at which it measures; those beyond `rounds` are left out */
    size_t n_marks;
    spar__custom_run *custom; /* NULL: spar_simulate */
    const char *custom_name;  /* part of the keys */
    double nanoseconds;       /* an estimate of the time of a round; 0: 300 */

    spar__cell *cell; /* one per policy */
    char *own[5];     /* the copies of texts */
} spar__paper_setting;

typedef spar_status spar__paper_plan(const void *data, spar__paper *paper, spar_error *err);
typedef spar_status spar__paper_draw(const void *data, const spar__paper *paper, spar__drawing *to, spar_error *err);

/* A figure of the paper. */
typedef struct spar__paper_figure {
    const char *name;       /* for --figure, and of its files */
    const char *title;      /* "Multi-dueling on linear / arith" */
    const char *says;       /* what the paper says it shows */
    spar__paper_plan *plan; /* adds its settings; NULL: needs none */
    spar__paper_draw *draw; /* draws nothing if its settings were not run */
    const void *data;       /* passed to both */
    /* Adds what it shows, "We find that ..."; NULL: the brief findings of the claims that name this figure. */
    spar_status (*find)(const void *data, const spar__paper *paper, spar__buf *out);
    const char *claim;           /* the claim that `find` speaks of, by name */
    const char *const *settings; /* whose final regrets are in a table below it; ends with NULL. NULL: no table */
} spar__paper_figure;

typedef enum spar__verdict {
    SPAR__NOT_JUDGED, /* its settings were not run */
    SPAR__HOLDS,
    SPAR__HOLDS_IN_PART,
    SPAR__DOES_NOT_HOLD,
    SPAR__UNDECIDED, /* few runs do not show that it holds, which is no evidence that it does not */
    SPAR__VERDICTS
} spar__verdict;

typedef struct spar__finding {
    spar__verdict verdict;
    spar__buf numbers; /* short sentences with the numbers that decide */
    spar__buf brief;   /* one sentence for those who read no more: "We find that ..."; may be empty */
    const char *on;    /* what it was judged on, where that is not what the paper had; NULL: nothing to say */
} spar__finding;

/* A claim of the paper. */
typedef struct spar__claim {
    const char *name;       /* "lemma-2" */
    const char *title;      /* "Every arm is played infinitely often (Lemma 2)" */
    const char *says;       /* the claim in a sentence */
    const char *test;       /* how it is judged: statistic and bounds */
    const char *figure;     /* the figure of the paper that shows it, by name, or NULL */
    spar__paper_plan *plan; /* adds settings of its own; NULL: those of figures are enough */
    spar_status (*judge)(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err);
    spar__paper_draw *draw; /* a figure for it, or NULL */
    const void *data;       /* passed to all three */
    bool exact;             /* judged by mathematics: runs have no part in it */
} spar__claim;

struct spar__paper {
    spar__paper_options options;
    size_t n_settings, capacity;
    spar__paper_setting **setting; /* in the order in which they were added */
    size_t n_figures;              /* those that were asked for, in order */
    const spar__paper_figure **figure;
    size_t n_claims;
    const spar__claim **claim;
    spar__finding *finding; /* one per claim */
    size_t n_cells, n_done; /* of all settings */
    size_t found;           /* cells that were on disk already */
    size_t ignored;         /* kept cells that could not be used */
    double seconds;         /* CPU time of all cells, including those computed earlier */
    bool interrupted;
};

extern const spar__paper_figure *const spar__paper_figures[];
extern const size_t spar__n_paper_figures;
extern const spar__claim *const spar__claims[];
extern const size_t spar__n_claims;

/* Has every figure and claim add its settings. */
spar_status spar__paper_new(const spar__paper_options *options, spar__paper **out, spar_error *err);
void spar__paper_free(spar__paper *paper);

/* Adds a setting, unless there is one of that name. */
spar_status spar__paper_add(spar__paper *paper, const spar__paper_setting *wanted, spar_error *err);

/* Adds the settings of rankers: one for LETOR data and one for a matrix, as options->data has them, else one for
 * generated data. */
spar_status spar__paper_add_rankers(spar__paper *paper, const spar__paper_setting *wanted, spar_error *err);

/* Computes all cells that are not on disk, keeps them there, and judges the claims. A stop by the progress function is
 * no failure: paper->interrupted. */
spar_status spar__paper_run(spar__paper *paper, spar_error *err);

/* A setting whose cells are all done, or NULL; its cell with this label, or NULL (also if setting is NULL). */
const spar__paper_setting *spar__paper_find(const spar__paper *paper, const char *name);
const spar__cell *spar__paper_cell(const spar__paper_setting *setting, const char *label);

void spar__finding_free(spar__finding *finding);

/* "holds", "holds in part", "does not hold", "not judged", "undecided (quick form)". */
const char *spar__verdict_text(spar__verdict verdict);

/* How many claims have each verdict. */
void spar__paper_totals(const spar__paper *paper, size_t count[SPAR__VERDICTS]);

#endif
