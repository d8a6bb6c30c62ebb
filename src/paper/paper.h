/* paper.h - "Multi-dueling Bandits with Dependent Arms" as a list of work: what is simulated, drawn and claimed.
 *
 * A setting is one environment and the policies that are compared in it; each of them is a cell (sim/sweep.h). Figures
 * draw settings, claims are judged by them. Settings, figures and claims are tables (settings.c, figures.c, claims.c);
 * a figure or a claim names the settings that it needs. Settings are identified by name and cells by their key, so what
 * several figures and claims need is computed once. */
#ifndef SPAR_PAPER_PAPER_H
#define SPAR_PAPER_PAPER_H

#include "base/buf.h"
#include "plot/frame.h"
#include "plot/plot.h"
#include "prefer/prefer.h"
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

typedef spar_status spar__paper_draw(const void *data, const spar__paper *paper, spar__drawing *to, spar_error *err);

/* A figure of the paper. */
typedef struct spar__paper_figure {
    const char *name;       /* for --figure, and of its files */
    const char *title;      /* "Multi-dueling on linear / arith" */
    const char *says;       /* what the paper says it shows */
    const char *needs;      /* how the names of its settings begin; NULL: it has none */
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

typedef spar_status spar__paper_judge(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err);

/* A claim of the paper. */
typedef struct spar__claim {
    const char *name;   /* "lemma-2" */
    const char *title;  /* "Every arm is played infinitely often (Lemma 2)" */
    const char *says;   /* the claim in a sentence */
    const char *test;   /* how it is judged: statistic and bounds */
    const char *figure; /* the figure of the paper that shows it, by name, or NULL */
    const char *needs;  /* settings of its own, by how their names begin; NULL: those of figures are enough */
    spar__paper_judge *judge;
    spar__paper_draw *draw; /* a figure for it, or NULL */
    const void *data;       /* passed to both */
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

extern const spar__paper_figure spar__paper_figures[];
extern const size_t spar__n_paper_figures;
extern const spar__claim spar__claims[];
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

/* --- the settings --- */

/* Adds those whose names begin so; NULL: none. */
spar_status spar__paper_need(spar__paper *paper, const char *begin, spar_error *err);

/* The next setting from number *at on whose name begins so and whose cells are all done; NULL: there is none. */
const spar__paper_setting *spar__paper_each(const spar__paper *paper, const char *begin, size_t *at);

enum { SPAR__VANILLA_POLICIES = 9, SPAR__MULTI_POLICIES = 3, SPAR__KERNEL_POLICIES = 3 };

extern const spar__paper_policy spar__vanilla_policies[SPAR__VANILLA_POLICIES]; /* two arms a round */
extern const spar__paper_policy spar__multi_policies[SPAR__MULTI_POLICIES];     /* several */
extern const spar__paper_policy
    spar__kernel_policies[SPAR__KERNEL_POLICIES]; /* dependent arms; the last one only for two a round */

/* The fifteen scenarios of independent arms: sets of utilities under links. */
enum { SPAR__SCENARIO_SETS = 5, SPAR__SCENARIO_LINKS = 3 };
extern const char *const spar__scenario_sets[SPAR__SCENARIO_SETS];
extern const char *const spar__scenario_links[SPAR__SCENARIO_LINKS];

/* The preferences in an environment's first world, n x n, the caller's to free, and the best arm; and what those of a
 * scenario satisfy. */
spar_status spar__env_arms(const char *env, size_t *n, double **p, size_t *best, spar_error *err);
spar_status spar__scenario_measure(const char *link, const char *set, spar__transitivity *out, spar_error *err);

/* What the settings of claims vary. */
enum {
    SPAR__SHOWN_STEPS = 4,
    SPAR__SHOWN_CASES = 2,
    SPAR__OFFERED_STEPS = 4,
    SPAR__CONFUSABLE_MODES = 2,
    SPAR__CONFUSABLE_STEPS = 7,
    SPAR__PLAIN_CASES = 5,
    SPAR__DIMENSION_STUDIES = 2,
    SPAR__DIMENSION_CASES = 5,
    SPAR__DIMENSION_ROUNDS = 500,
    SPAR__LONG_MARKS = 4,
    SPAR__EVOLUTION_MARKS = 3
};

typedef struct spar__plain_case {
    size_t arms;
    double delta;
} spar__plain_case;

typedef struct spar__dimension_study {
    const char *title, *x_label;
    double points[SPAR__DIMENSION_CASES], length[SPAR__DIMENSION_CASES];
} spar__dimension_study;

extern const double spar__shown_m[SPAR__SHOWN_STEPS], spar__offered_arms[SPAR__OFFERED_STEPS];
extern const double spar__confusable_scales[SPAR__CONFUSABLE_STEPS];
extern const char *const spar__confusable_modes[SPAR__CONFUSABLE_MODES];
extern const spar__plain_case spar__plain_cases[SPAR__PLAIN_CASES];
extern const spar__dimension_study spar__dimension_studies[SPAR__DIMENSION_STUDIES];
extern const spar__cell_probe spar__long_probe, spar__evolution_probe;

/* Who picks the other arm where Thompson sampling picks one. */
typedef struct spar__opponent {
    const char *name, *settings, *title;
    bool fixed; /* it draws an arm uniformly in every round; otherwise it does so with a probability that falls like
                   1 / sqrt(1 + t / 1000), and else takes the best arm */
    spar__custom_run *run;
} spar__opponent;

enum { SPAR__OPPONENT_FIXED, SPAR__OPPONENT_MOVING, SPAR__OPPONENTS };
extern const spar__opponent spar__opponents[SPAR__OPPONENTS];

/* --- the kinds of tests, and their data --- */

/* A policy beats others. */
typedef struct spar__beats {
    const char *policy;          /* label */
    const char *const *rivals;   /* labels, as far as a setting has them; ends with NULL */
    const char *const *settings; /* as far as they were run; ends with NULL */
    bool per_slot;               /* where it differs, give the regret per slot as well */
    bool narrowly;               /* a rival that is beaten, even if not by far, makes it hold in part */
} spar__beats;

/* The rank of a policy among those with two arms a round, over the 15 scenarios. */
typedef struct spar__scenario_rank {
    const char *policy; /* label */
    bool mostly_lowest; /* to hold, it must also have the lowest median in more than half of the scenarios */
} spar__scenario_rank;

/* What becomes of regret as more arms are shown a round. */
typedef struct spar__shown_cases {
    size_t n;
    struct spar__shown_case {
        const char *settings, *title;
        const spar__paper_policy *policy; /* SelfSparring first, then its rivals */
        size_t n_policies;
        uint64_t rounds;
    } item[SPAR__SHOWN_CASES];
} spar__shown_cases;
typedef struct spar__shown_case spar__shown_case;

extern const spar__shown_cases spar__shown_independent, spar__shown_kernel;

spar__paper_judge spar__judge_beats, spar__judge_rank;      /* spar__beats; spar__scenario_rank */
spar__paper_judge spar__judge_shown, spar__judge_advantage; /* spar__shown_cases */
spar__paper_judge spar__judge_one_sided;                    /* spar__opponent */
spar__paper_judge spar__judge_offered, spar__judge_confusable, spar__judge_dimension; /* the others have no data */
spar__paper_judge spar__judge_least_played, spar__judge_convergence, spar__judge_growth;
spar__paper_judge spar__judge_learning_rate, spar__judge_plain;
spar__paper_judge spar__judge_gamma, spar__judge_gamma_domain, spar__judge_gamma_any, spar__judge_gamma_strong;
spar__paper_draw spar__draw_shown, spar__draw_advantage, spar__draw_one_sided, spar__draw_offered;
spar__paper_draw spar__draw_confusable, spar__draw_dimension, spar__draw_growth;

/* --- the regret curves of settings --- */

/* For spar__series.color; 0 for an unknown label, whose position in the figure then decides. There are more policies
 * than colours: some that are never in the same setting share one. */
size_t spar__policy_color(const char *label);

typedef enum spar__panel_line {
    SPAR__PANEL_MEAN,   /* with one sd to each side */
    SPAR__PANEL_MEDIAN, /* with the quantiles of 5 and 95 % */
    SPAR__PANEL_MEAN_SE /* the mean with two standard errors to each side */
} spar__panel_line;

/* The curves of a setting as a figure; without a setting (NULL), a figure without lines. */
typedef struct spar__panel {
    spar__figure figure; /* width, height, scales and captions may be changed */
    spar__series *series;
    double *number;
    char subtitle[160]; /* "m = 2, 100 runs" */
} spar__panel;

spar_status spar__panel_make(const spar__paper_setting *setting, spar__panel_line line, spar__panel *out);
void spar__panel_free(spar__panel *panel);

/* Draws the settings of these names (data: an array that ends with NULL), as far as they were run, side by side; no
 * more than SPAR__PANELS. Draws nothing when there are none. */
enum { SPAR__PANELS = 4 };
spar__paper_draw spar__panels_draw;

/* The statistics that claims are judged by.
 *
 * In one setting runs with the same number have the same world and the same random numbers for all policies, so
 * policies are compared run by run. Standard errors are
 * those of means over runs. */

typedef struct spar__estimate {
    double mean, se; /* se 0: of a single run, which cannot decide anything */
} spar__estimate;

/* The regrets of two policies. */
typedef struct spar__regret_comparison {
    double mean[2], median[2];   /* of both */
    spar__difference difference; /* the first minus the second, run by run */
    spar__estimate times;        /* mean[1] / mean[0]: how many times the regret of the first */
    bool beats;                  /* the first: difference below -2 standard errors, and the lower median */
    bool by_far;                 /* and times is above 1.5 by 2 standard errors of the logarithm */
} spar__regret_comparison;

/* a and b are per-run arrays (regret, per_slot) of cells with the same number of runs. Fails with SPAR_NOMEM only. */
spar_status spar__regret_compare(const spar__cell *cell, const double *a, const double *b,
                                 spar__regret_comparison *out);

/* All good: holds; some: in part; none, or nothing to judge by: does not hold. */
spar__verdict spar__verdict_of(size_t good, size_t all);

/* The mean over runs of n numbers, `stride` apart. */
spar__estimate spar__mean_of(const double *x, size_t n, size_t stride);

/* The exponent b of y ~ x^b: least squares in logarithms, every point counting the same. Its error follows from those
 * of the points, as if they were independent (worlds that several points share change it by some percent). */
spar__estimate spar__fit_power(size_t n, const double *x, const spar__estimate *y);

/* d regret / d ln t of the curves between two rounds (checkpoints), and how much steeper they are between b and c than
 * between a and b. */
spar__estimate spar__cell_slope(const spar__cell *cell, uint64_t from, uint64_t to);
spar__estimate spar__cell_steepening(const spar__cell *cell, uint64_t a, uint64_t b, uint64_t c);

/* Do they level off? Between b and c they must be, with 2 standard errors, less than 1.5 times as steep as between a
 * and b; over a decade that is the growth of t^0.18. False also if the errors are too large to decide. */
bool spar__cell_levels(const spar__cell *cell, uint64_t a, uint64_t b, uint64_t c);

/* Is a slope near the least possible in the long run? With 2 standard errors it must be below `times` as much, and not
 * below half of it: a much lower slope means that runs that never recover have not occurred yet. */
bool spar__slope_near(spar__estimate slope, double least, double times);

/* The mean curve's slope over the half decade up to checkpoint c. */
spar__estimate spar__cell_local_slope(const spar__cell *cell, size_t c);

/* The round after which that slope stays within a fifth of the last one. */
uint64_t spar__cell_settled(const spar__cell *cell);

/* Text as "LEAD first; second; third": LEAD before item 0, on a new sentence, and a semicolon before the others. */
void spar__finding_item(spar__buf *out, size_t item, const char *lead);

/* "2.9 to 3.8", three digits each; one number where both are the same. */
void spar__finding_range(spar__buf *out, spar__range range);

/* Ends it and sets the verdict from how many items are as claimed; no items: not judged. */
void spar__finding_close(spar__finding *out, size_t good, size_t all);

/* The line of n estimates with a band of 2 standard errors, in the colour of the policy of that label. `room` has place
 * for 3 n numbers. */
spar__series spar__estimate_series(const char *label, size_t n, const double *x, const spar__estimate *of,
                                   double *room);

/* How many runs the points of a figure have; starts as zero. */
typedef struct spar__run_count {
    size_t least, most;
} spar__run_count;

void spar__run_count_add(spar__run_count *count, const spar__cell *cell);

/* "lines: mean of 5 to 10 runs; bands: +- 2 standard errors" */
enum { SPAR__NOTE_SIZE = 96 };
const char *spar__run_count_note(const spar__run_count *count, char out[SPAR__NOTE_SIZE]);

/* d(p, q), the Kullback-Leibler divergence of coins that show heads with probability p and q. */
double spar__coin_divergence(double p, double q);

/* What is printed and written about a paper that was run. The same numbers give the same bytes: there are no
 * dates, times or paths in it. */

/* Takes one file of the report: a page or table ("results.csv"), or a figure ("multi", as SVG). */
typedef spar_status spar__report_file(void *context, const char *name, bool is_figure, const spar__buf *content,
                                      spar_error *err);

/* Hands over all files: the figures, results.csv, curves.csv, results.json, report.md and index.html. */
spar_status spar__paper_report(const spar__paper *paper, const char *command, spar__report_file *take, void *context,
                               spar_error *err);

/* The claims and their verdicts, for a terminal, in lines of at most `width` characters (0: 100). */
void spar__paper_text(const spar__paper *paper, bool styled, size_t width, spar__buf *out);

/* "holds (on generated rankers)"; and "25 claims: 18 hold, 3 hold in part ...", the same in every form. */
void spar__paper_totals_text(const spar__paper *paper, spar__buf *out);

void spar__paper_json(const spar__paper *paper, spar__buf *out);
void spar__paper_csv(const spar__paper *paper, spar__buf *out);
void spar__paper_curves_csv(const spar__paper *paper, spar__buf *out);
spar_status spar__paper_html(const spar__paper *paper, const char *command, spar__buf *out, spar_error *err);

/* The final regrets in the settings of a figure, and the settings themselves. */
spar_status spar__html_tables(const spar__paper *paper, const char *const *settings, spar__buf *out, spar_error *err);

#endif
