/* tune.h - the values that `spar tune` tries, and its report. Reports add to a buffer, whose owner checks buf->failed.
 */
#ifndef SPAR_CLI_TUNE_H
#define SPAR_CLI_TUNE_H

#include "base/buf.h"
#include "base/spec.h"
#include "cli/options.h"
#include "plot/plot.h"
#include "sim/tune.h"

/* The values to try, ascending. */
typedef struct spar__tune_values {
    size_t n;
    double *value;
    size_t standard; /* index of the default of the parameter; n if it has none */
    bool log;        /* spaced by ratio */
} spar__tune_values;

/* From --values, from --from, --to, --steps and --log, or around the default, which is always one of them. */
spar_status spar__tune_values_make(const spar__settings *settings, const spar_param *param, spar__tune_values *out,
                                   spar_error *err);
void spar__tune_values_free(spar__tune_values *values);

/* A search and its result. */
typedef struct spar__tune_trial {
    const char *policy; /* without the parameter */
    const spar_param *param;
    spar__tune_values values;
    char **spec; /* the candidates: the policy at each value */
    spar__tune_by by;
    spar_plan plan; /* runs: of the last rung */
    spar__tuning tuning;
} spar__tune_trial;

/* The best by a statistic, the next best and the default; n: there is none. */
typedef struct spar__tune_verdict {
    size_t best, next, standard;
    spar__difference to_next, to_standard; /* how much worse these are than the best */
} spar__tune_verdict;

spar__tune_verdict spar__tune_judge(const spar__tune_trial *trial, spar__tune_by by);

void spar__tune_text(const spar__tune_trial *trial, bool styled, spar__buf *out);
void spar__tune_json(const spar__tune_trial *trial, spar__buf *out);
void spar__tune_csv(const spar__tune_trial *trial, spar__buf *out);
spar_status spar__tune_plot(const spar__tune_trial *trial, spar__drawing *out);

#endif
