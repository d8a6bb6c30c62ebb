/* status.h - what is known about an experiment: the verdict, the standings, how many more answers. `spar status` prints
 * it; spar__status_json gives the same object to whoever asks for it. */
#ifndef SPAR_REPORT_STATUS_H
#define SPAR_REPORT_STATUS_H

#include "report/item_groups.h"
#include "report/more.h"
#include "report/space.h"
#include "report/standings.h"
#include "report/verdict.h"

#include <spar/experiment.h>

typedef struct spar__status_report {
    spar_experiment *experiment;
    const char *name; /* of the experiment in JSON; NULL: its place */
    bool without_flagged;
    uint64_t flagged;   /* answers that were left out */
    spar_decision *own; /* made here, without those; NULL: that of the experiment */
    char **title;       /* of each option, as given, with its id where two are alike; NULL: redacted */
    size_t n;
    char *voter; /* the name that was asked for last */
    spar__verdict_report verdict;
    spar__standings_report standings;
    spar__more_report more;
    spar__space_report space;
    spar__item_groups_report groups;
} spar__status_report;

/* Costs at most about a second of one core, unless `how` asks for more. Nothing needs freeing after a failure. */
spar_status spar__status_make(spar_experiment *experiment, bool without_flagged, spar__standings_how how,
                              spar__status_report *out, spar_error *err);
void spar__status_free(spar__status_report *report);

/* Each option against the one that leads; and the standings, nothing where there are none. */
spar_status spar__status_plot(const spar__status_report *report, spar__buf *out);
spar_status spar__status_plot_standings(const spar__status_report *report, spar__buf *out);

/* The members of the object that `spar status --json` prints, of a report or all at once. */
void spar__status_members(const spar__status_report *report, spar__json *json);
spar_status spar__status_json(spar_experiment *experiment, bool without_flagged, spar__standings_how how,
                              spar__json *json, spar_error *err);

/* status_refold.c: the decision from the log, without answers that have a flag (how many goes to *flagged). */
spar_status spar__status_refold(spar_experiment *experiment, spar_decision **out, uint64_t *flagged, spar_error *err);

#endif
