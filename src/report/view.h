/* view.h - what is known about an experiment, as the data of a page: the status cut to what a page can hold, with the
 * words left to the page. The same in every language, but for the decimal mark and the name of a plot. */
#ifndef SPAR_REPORT_VIEW_H
#define SPAR_REPORT_VIEW_H

#include "live/answer_summary.h"
#include "report/status_report.h"

typedef struct spar__view {
    const spar__status_report *report;
    const spar__pace *pace;   /* NULL: not known yet */
    bool comma;               /* the decimal mark is one */
    const char *pace_name;    /* of the plot of answers over time */
    spar__space_labels space; /* of the picture of a space */
} spar__view;

/* Members of an object that has begun. */
void spar__view_json(const spar__view *view, spar__json *json);

#endif
