/* plan.h - the report of `spar plan`: how many screens a decision will take. */
#ifndef SPAR_CLI_PLAN_H
#define SPAR_CLI_PLAN_H

#include "base/buf.h"

#include <spar/forecast.h>

typedef struct spar__forecast_report {
    spar_forecast *forecast;
    const char *feedback;
    char truths[200]; /* what the truths are, in words */
    double delta, silent;
    uint64_t limit;
    bool interrupted;
} spar__forecast_report;

void spar__forecast_text(const spar__forecast_report *report, bool styled, spar__buf *out);
void spar__forecast_json(const spar__forecast_report *report, spar__buf *out);
spar_status spar__forecast_plot(const spar__forecast_report *report, spar__buf *out);

#endif
