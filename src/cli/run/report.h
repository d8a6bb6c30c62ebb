/* report.h - the results of `spar run`, one trial per environment, as a table, JSON, CSV or a plot.
 *
 * All functions add to a buffer, whose owner checks buf->failed at the end, and fail only when out of memory. */
#ifndef SPAR_CLI_RUN_REPORT_H
#define SPAR_CLI_RUN_REPORT_H

#include "base/buf.h"
#include "cli/run/grid.h"
#include "cli/run/options.h"
#include "cli/run/snapshots.h"
#include "cli/terminal.h"
#include "plot/drawing.h"
#include "sim/results.h"
#include "sim/sim.h"
#include "text/json.h"

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

spar_status spar__report_curves_csv(const spar__trial *trials, size_t n, spar__buf *out);
void spar__report_runs_csv(const spar__trial *trials, size_t n, spar__buf *out);

typedef enum spar__band { SPAR__BAND_SD, SPAR__BAND_QUANTILE, SPAR__BAND_NONE } spar__band;

typedef struct spar__plot_style {
    spar__band band;
    bool log_x, log_y;
    const char *title;           /* NULL: the environment */
    const spar__setting *labels; /* "POLICY=NAME" */
    double width, height;        /* 0: as usual */
} spar__plot_style;

/* style.c: --band, --log, --title, --label and --size. Refuses a label of a policy that is not run. */
spar_status spar__plot_style_of(const spar__settings *settings, spar__plot_style *out, spar_error *err);

/* What a policy is called in plots. */
const char *spar__plot_name(const spar__plot_style *style, const char *policy);

/* The title of a panel: that of the style, the environment, or both where there are several panels (in `room`). */
const char *spar__plot_title(const spar__plot_style *style, const spar_plan *plan, size_t panels, char room[200]);

/* SVG: one panel per trial. */
spar_status spar__report_plot(const spar__trial *trials, size_t n, spar__plot_style style, spar__drawing *out);

/* report_decisions.c: what --stop and --identify add to the table, to the JSON of a policy, and as plots of their own,
 * which show a share of the runs against the screens. */
size_t spar__decision_columns(const spar_plan *plan);
void spar__decision_heads(const spar_plan *plan, spar__text_table *table);
spar_status spar__decision_cells(const spar__trial *trial, size_t policy, spar__text_table *table);
spar_status spar__decision_json(const spar__trial *trial, size_t policy, spar__json *json);

typedef enum spar__share_kind { SPAR__SHARE_DECIDED, SPAR__SHARE_NAMED_RIGHT } spar__share_kind;

spar_status spar__report_shares(const spar__trial *trials, size_t n, spar__share_kind kind,
                                const spar__plot_style *style, spar__drawing *out);

#endif
