/* view.h - what is known about an experiment, as the data of a page: the status cut to what a page can hold, with the
 * words left to the page. The same in every language, but for the decimal mark and the name of a plot. */
#ifndef SPAR_REPORT_VIEW_H
#define SPAR_REPORT_VIEW_H

#include "live/answer_summary.h"
#include "report/status.h"

enum { SPAR__VIEW_ROWS = 24, SPAR__VIEW_PAIRS = 28, SPAR__VIEW_NAMES = 6 };

typedef struct spar__view {
    const spar__status_report *report;
    const spar__pace *pace;   /* NULL: not known yet */
    bool comma;               /* the decimal mark is one */
    const char *pace_name;    /* of the plot of answers over time */
    spar__space_labels space; /* of the picture of a space */
} spar__view;

/* Members of an object that has begun. */
void spar__view_json(const spar__view *view, spar__json *json);

/* view_rows.c: `tiers` of options that cannot be told apart, each with `rows`; without standings, one list. */
void spar__view_rows(const spar__view *view, spar__json *json);

/* view_space.c: `space`, where the experiment is about one. */
void spar__view_space(const spar__view *view, spar__json *json);
/* view_groups.c: `by_group`, the standings of each group of items. */
void spar__view_groups(const spar__view *view, spar__json *json);

/* view_pairs.c: `pairs` that matter, `places` that do, answers over time. */
void spar__view_pairs(const spar__view *view, spar__json *json);
void spar__view_places(const spar__view *view, spar__json *json);
void spar__view_pace(const spar__view *view, spar__json *json);

/* A list of names: {"title", "comma" before it, "and" before it}; beyond SPAR__VIEW_NAMES the rest is counted. */
typedef bool spar__view_has(const spar__view *view, size_t option);
void spar__view_names(const spar__view *view, const char *key, spar__view_has *has, size_t but, spar__json *json);

/* The share as a whole percentage: "41"; "< 1" and "> 99" where rounding would say never or always. */
void spar__view_percent(const char *key, double share, spar__json *json);

#endif
