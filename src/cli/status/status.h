/* status.h - the report of `spar status` about an experiment. */
#ifndef SPAR_CLI_STATUS_H
#define SPAR_CLI_STATUS_H

#include "cli/experiment/experiment.h"
#include "cli/verdict/verdict.h"

typedef struct spar__status_report {
    spar_experiment *experiment;
    bool without_flagged;
    uint64_t flagged;   /* answers that were left out */
    spar_decision *own; /* made here, without those; NULL: that of the experiment */
    char **title;       /* of each option, as given, with its id where two are alike; NULL: redacted */
    size_t n;
    char *voter; /* the name that was asked for last */
    spar__verdict_report verdict;
} spar__status_report;

/* report.c. Nothing needs freeing after a failure. */
spar_status spar__status_make(spar_experiment *experiment, bool without_flagged, spar__status_report *out,
                              spar_error *err);
void spar__status_free(spar__status_report *report);
void spar__status_text(const spar__status_report *report, spar__layout layout, spar__buf *out);
spar_status spar__status_plot(const spar__status_report *report, spar__buf *out);

/* The members of an object, for --json and for requests through a pipe. */
spar_status spar__status_json(spar_experiment *experiment, bool without_flagged, spar__json *json, spar_error *err);

/* refold.c: the decision from the log, without answers that have a flag (how many goes to *flagged). */
spar_status spar__status_refold(spar_experiment *experiment, spar_decision **out, uint64_t *flagged, spar_error *err);

#endif
