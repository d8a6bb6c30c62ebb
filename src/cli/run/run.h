/* run.h - the results of `spar run`, one trial per environment, as a table, JSON, CSV or a plot.
 *
 * All functions add to a buffer, whose owner checks buf->failed at the end, and fail only when out of memory. */
#ifndef SPAR_CLI_RUN_RUN_H
#define SPAR_CLI_RUN_RUN_H

#include "base/archive.h"
#include "base/buf.h"
#include "cli/common.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "plot/plot.h"
#include "sim/sim.h"
#include "text/json.h"

/* What `spar run` compares: environments x m, each with all policies; and policies x values of parameters. */

typedef struct spar__run_grid {
    size_t n_envs, n_m, n_policies, n_params;
    char **env;    /* borrowed from the settings */
    size_t *m;     /* in the order given */
    char **policy; /* with their parameters */
    char **param;  /* names of --param, each once */
    char **value;  /* n_policies x n_params: the value that a policy has; NULL: it does not know the parameter */
    bool many;     /* several m, or parameters: reports have columns for them */
} spar__run_grid;

/* Refuses a parameter that no policy has. Free it also after a failure. */
spar_status spar__run_grid_make(const spar__settings *settings, spar__run_grid *out, spar_error *err);
void spar__run_grid_free(spar__run_grid *grid);

/* The options of `spar run`. */

extern const spar__option spar__run_options[];

/* What each policy believes after given rounds of the first run, for snapshots.csv
 * and one plot per policy. */

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

/* The head of snapshots.csv, with max_dim features, its rows, and the plot of a policy (nothing when
 * no round was reached, or for more than two features). Fails only when out of memory. */
void spar__snapshots_csv_head(size_t max_dim, spar__buf *out);
void spar__snapshots_csv(const spar__snapshots *set, const spar_plan *plan, size_t max_dim, spar__buf *out);
spar_status spar__snapshots_plot(const spar__snapshots *set, const spar_plan *plan, size_t policy, spar__drawing *out);

/* A plan and its results. */
typedef struct spar__trial {
    spar_plan plan;
    spar_results *results;
    spar__snapshots snapshots; /* of --snapshots */
    const spar__run_grid *grid;
} spar__trial;

/* One policy over its regret.n complete runs; without any the rest is NaN. */
typedef struct spar__score {
    spar__summary regret;
    double best_share, set_size, per_slot; /* means */
    double seconds, rounds;                /* CPU time, and rounds played, of all of them together */
    bool best;                             /* of least mean regret */
    spar__difference worse;                /* than the best, run by run; NaN without a run that both completed */
} spar__score;

/* The scores of all policies in the order given, and their indices from best to worst mean; policies without a complete
 * run come last, equal ones stay in order. The caller frees both. */
spar_status spar__scores_of(const spar__trial *trial, spar__score **score, size_t **order);

/* The summary at a checkpoint, NaN where no run is complete. */
spar_status spar__score_at(const spar__trial *trial, size_t policy, size_t checkpoint, spar__summary *out);

spar_status spar__report_table(const spar__trial *trials, size_t n, bool styled, spar__buf *out);

/* One object, with a list of the environments. */
spar_status spar__report_json(const spar__trial *trials, size_t n, spar__buf *out);

/* What differs from one time to the next: the CPU time of each policy. */
spar_status spar__report_timing(const spar__trial *trials, size_t n, spar__buf *out);

spar_status spar__report_curves_csv(const spar__trial *trials, size_t n, spar__buf *out);
spar_status spar__report_runs_csv(const spar__trial *trials, size_t n, spar__buf *out);

typedef enum spar__band { SPAR__BAND_SD, SPAR__BAND_QUANTILE, SPAR__BAND_NONE } spar__band;

typedef struct spar__plot_style {
    spar__band band;
    bool log_x, log_y;
    const char *title;           /* NULL: the environment */
    const spar__setting *labels; /* "POLICY=NAME" */
    double width, height;        /* 0: as usual */
} spar__plot_style;

/* What a policy is called in plots. */
const char *spar__plot_name(const spar__plot_style *style, const char *policy);

/* The title of a panel: that of the style, the environment, or both where there are several panels (in `room`). */
const char *spar__plot_title(const spar__plot_style *style, const spar_plan *plan, size_t panels, char room[200]);

/* SVG: one panel per trial. */
spar_status spar__report_plot(const spar__trial *trials, size_t n, spar__plot_style style, spar__drawing *out);

typedef enum spar__share_kind { SPAR__SHARE_DECIDED, SPAR__SHARE_NAMED_RIGHT } spar__share_kind;

spar_status spar__report_shares(const spar__trial *trials, size_t n, spar__share_kind kind,
                                const spar__plot_style *style, spar__drawing *out);

#endif
