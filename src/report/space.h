/* space.h - what is known about an experiment over a space: the setting that is believed best, how strong it is, the
 * chance to beat the last winner, and the belief along every axis through it. There is no decision rule for a space. */
#ifndef SPAR_REPORT_SPACE_H
#define SPAR_REPORT_SPACE_H

#include "text/json.h"

#include <spar/experiment.h>

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

/* The i-th of n values that are spread evenly over an axis: over its logarithm where that is its scale. */
size_t spar__space_value(const spar_axes *axes, size_t axis, size_t i, size_t n);

/* The texts of a picture. */
typedef struct spar__space_labels {
    const char *strength, *others, *belief, *chosen;
} spar__space_labels;

/* space_plot.c: a curve for one axis, a map for two that are no choices, else slices through the recommended setting.
 * For a page: narrow and without a title; slices, and before them the map where there is one. */
spar_status spar__space_plot_page(const spar__space_report *report, const spar__space_labels *labels, spar__buf *out);
spar_status spar__space_plot(const spar__space_report *report, const char *subtitle, spar__buf *out);

#endif
