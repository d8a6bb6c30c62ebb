#include "plot/plot.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "cli/tune/tune.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { MEAN, MEAN_LO, MEAN_HI, MEDIAN, MEDIAN_LO, MEDIAN_HI, ROWS };

spar_status spar__tune_plot(const spar__tune_trial *trial, spar__drawing *out)
{
    out->name = "Regret against a parameter";
    size_t n = trial->values.n;
    double *number = spar__alloc(n, ROWS * sizeof *number), *row[ROWS];
    if (!number)
        return SPAR_NOMEM;
    for (size_t k = 0; k < ROWS; k++)
        row[k] = number + k * n;
    for (size_t i = 0; i < n; i++) {
        const spar__summary *s = &trial->tuning.candidate[i].summary;
        const double values[ROWS] = {s->mean, s->mean - 2 * s->se, s->mean + 2 * s->se, s->median, s->q25, s->q75};
        for (size_t k = 0; k < ROWS; k++)
            row[k][i] = s->n ? values[k] : NAN;
    }
    const double *x = trial->values.value;
    const spar__series series[] = {
        {"mean \xC2\xB1 2 se", n, x, row[MEAN], row[MEAN_LO], row[MEAN_HI], 0, true},
        {"median, 25 to 75 %", n, x, row[MEDIAN], row[MEDIAN_LO], row[MEDIAN_HI], 0, true},
    };
    char title[200], subtitle[200], note[120];
    (void)snprintf(title, sizeof title, "%s of %.150s", trial->param->name, trial->policy);
    (void)snprintf(subtitle, sizeof subtitle, "%.100s, m = %zu, %.40s, %" PRIu64 " round%s", trial->plan.env,
                   trial->plan.m, trial->plan.feedback, trial->plan.rounds, spar__plural(trial->plan.rounds));
    (void)snprintf(note, sizeof note, "successive halving by %s: from %zu to %" PRIu64 " run%s%s",
                   trial->by == SPAR__TUNE_MEDIAN ? "median" : "mean", spar__tune_runs(n, trial->tuning.runs, 1),
                   trial->plan.runs, spar__plural(trial->plan.runs), trial->tuning.interrupted ? " (interrupted)" : "");
    spar__figure figure = {.title = title,
                           .subtitle = subtitle,
                           .x_label = trial->param->name,
                           .y_label = "cumulative regret",
                           .log_x = trial->values.log,
                           .n_series = 2,
                           .series = series,
                           .band_note = note};
    spar_status status = spar__draw_panels(&figure, 1, 1, out);
    spar__free(number);
    return status;
}
