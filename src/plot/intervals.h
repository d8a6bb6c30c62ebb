/* intervals.h - a list of options, each with a point and an interval on a common axis from 0 to 100 %. */
#ifndef SPAR_PLOT_INTERVALS_H
#define SPAR_PLOT_INTERVALS_H

#include "base/buf.h"

typedef struct spar__interval_row {
    const char *label;       /* at the left */
    const char *detail;      /* in grey beside it; may be NULL */
    const char *instead;     /* not NULL: this text in place of the interval */
    double value, low, high; /* 0 to 1; a value that is NaN is not drawn */
    bool faint;              /* in grey */
} spar__interval_row;

typedef struct spar__interval_figure {
    const char *title, *subtitle, *x_label, *note; /* each may be NULL; all but x_label are broken into lines */
    const char *strong, *faint;                    /* what the two colours mean */
    size_t n;
    const spar__interval_row *row;
} spar__interval_figure;

/* A dashed line marks 50 %. svg is appended to. */
void spar__plot_intervals(const spar__interval_figure *figure, spar__buf *svg);

#endif
