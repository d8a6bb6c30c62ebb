/* status_report.h - what is known about an experiment: the verdict, the standings, how many more answers, what is known
 * by group of items or over a space. `spar status` prints it; spar__status_json gives the same object to whoever asks
 * for it. */
#ifndef SPAR_REPORT_STATUS_REPORT_H
#define SPAR_REPORT_STATUS_REPORT_H

#include "live/answer_summary.h"
#include "report/verdict.h"
#include "text/json.h"

#include <spar/experiment.h>
#include <spar/forecast.h>

/* How many more answers a decision will take. */
typedef struct spar__more_report {
    bool known;               /* else there is no forecast */
    double low, median, high; /* answers for 10, 50 and 90 % of the truths; infinity: beyond the horizon */
    double decided;           /* the share of the truths that is, by the horizon */
    uint64_t horizon;
    size_t truths;
} spar__more_report;

/* Two digits: more are not known. At least 1; 0 for infinity. */
unsigned spar__more_rounded(double count);

/* Standings for each group of items: the same question asked of a part of the answers. They are approximate, and no
 * decision is taken by group. */
typedef struct spar__group_report {
    char *name; /* NULL: no group, or it was redacted */
    bool none;  /* items without a group, and answers without an item */
    spar__group_answers has;
    spar__standings_report standings; /* of its own, moved out of `has` */
} spar__group_report;

typedef struct spar__item_groups_report { /* all zero: there are no items */
    spar__group_report *group;
    size_t n;
    const char *why_not; /* there are items, but this is left out, in words */
} spar__item_groups_report;

/* --- a space (space.c): the setting that is believed best, how strong it is, the chance to beat the last winner, and
 * the belief along every axis through it. There is no decision rule for a space. --- */

enum { SPAR__SPACE_STEPS = 41 }; /* of a curve */

/* A value of one axis, the others as in the recommended setting. */
typedef struct spar__space_step {
    size_t value;
    double mean, low, high;
} spar__space_step;

typedef struct spar__space_curve {
    size_t n;
    spar__space_step step[SPAR__SPACE_STEPS];
} spar__space_curve;

/* The best setting with another choice than the recommended one. */
typedef struct spar__space_other {
    size_t axis, *value;
    char *text;    /* in words */
    double chance; /* that it is preferred to the recommended one */
} spar__space_other;

typedef struct spar__space_report {
    const spar_axes *axes; /* NULL: the experiment is about options */
    spar_belief *belief;
    bool against_last;
    uint64_t answers;         /* that say something */
    uint64_t skipped;         /* that say nothing: bad, or skipped */
    uint64_t flagged;         /* that were left out */
    char *best, *winner;      /* in words; winner may be NULL */
    char *sentence;           /* the whole in one */
    double mean, low, high;   /* of the best */
    bool level;               /* none is believed better than another */
    double chance;            /* that it is preferred to the last winner */
    spar__space_curve *curve; /* of each axis */
    spar__space_other *other; /* of each axis of choices */
    size_t others;
} spar__space_report;

/* Nothing happens where the experiment is about options. */
spar_status spar__space_look(spar_experiment *experiment, bool without_flagged, spar__space_report *out,
                             spar_error *err);
void spar__space_free(spar__space_report *report);

/* The verdict: "none", "early" or "open". */
const char *spar__space_verdict(const spar__space_report *report);

/* Members of an object: space, axes, recommendation, curves. */
void spar__space_report_json(const spar__space_report *report, spar__json *json);

/* A strength in tenths, as it is printed: never -0.0. */
double spar__space_tenth(double strength);

/* The texts of a picture. */
typedef struct spar__space_labels {
    const char *strength, *others, *belief, *chosen;
} spar__space_labels;

/* A curve for one axis, a map for two that are no choices, else slices through the recommended setting.
 * For a page: narrow and without a title; slices, and before them the map where there is one. */
spar_status spar__space_plot_page(const spar__space_report *report, const spar__space_labels *labels, spar__buf *out);
spar_status spar__space_plot(const spar__space_report *report, const char *subtitle, spar__buf *out);

/* --- all of it --- */

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

#endif
