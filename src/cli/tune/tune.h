/* tune.h - what `spar tune` tries and what it tells. Reports add to a buffer, whose owner checks buf->failed. */
#ifndef SPAR_CLI_TUNE_H
#define SPAR_CLI_TUNE_H

#include "base/buf.h"
#include "cli/options.h"
#include "sim/tune.h"

#include <spar/catalog.h>

/* The values to try, ascending. */
typedef struct spar__grid {
    size_t n;
    double *value;
    size_t standard; /* which is the default of the parameter; n if it has none */
    bool log;        /* their distances grow with them */
} spar__grid;

/* From --values, from --from, --to, --steps and --log, or around the default, which always joins them. */
spar_status spar__grid_make(const spar__settings *settings, const spar_param *param, spar__grid *out, spar_error *err);
void spar__grid_free(spar__grid *grid);

/* A search and what came of it. */
typedef struct spar__tune_trial {
    const char *policy; /* without the parameter */
    const spar_param *param;
    spar__grid grid;
    char **spec; /* the candidates: the policy at each value */
    spar__tune_by by;
    spar_plan plan; /* runs: of the last rung */
    spar__tuning tuning;
} spar__tune_trial;

/* The best by a statistic, and whom to compare it with; n stands for nobody. */
typedef struct spar__tune_verdict {
    size_t best, next, standard;
    spar_difference to_next, to_standard; /* what these lose against the best */
} spar__tune_verdict;

spar__tune_verdict spar__tune_judge(const spar__tune_trial *trial, spar__tune_by by);

void spar__tune_text(const spar__tune_trial *trial, bool styled, spar__buf *out);
void spar__tune_json(const spar__tune_trial *trial, spar__buf *out);
void spar__tune_csv(const spar__tune_trial *trial, spar__buf *out);
spar_status spar__tune_plot(const spar__tune_trial *trial, spar__buf *out); /* SVG */

#endif
