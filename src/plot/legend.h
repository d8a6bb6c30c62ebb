/* legend.h - the legend of a figure: a sample of each line or mark and its label, in columns. */
#ifndef SPAR_PLOT_LEGEND_H
#define SPAR_PLOT_LEGEND_H

#include "plot/mark.h"

typedef struct spar__legend_entry {
    const char *label; /* borrowed */
    size_t style;      /* for spar__palette */
    bool band;
    spar__mark mark; /* instead of a line */
} spar__legend_entry;

typedef struct spar__legend {
    size_t n, columns;
    size_t among; /* series in the figure: many have dashes */
    spar__legend_entry *entry;
    double column_width, width, height;
} spar__legend;

/* Sets columns, width and height: as many columns as fit into room (at least one, even when its labels are wider). */
void spar__legend_fit(spar__legend *legend, double room, size_t most_columns);

/* What belongs to an entry has this number in data-series, so that the script of a page can hide it. */
size_t spar__legend_key(const spar__legend_entry *entry);

/* The sample of a line, and of its band, from x on. */
void spar__legend_sample(spar__buf *out, const spar__legend_entry *entry, size_t among, double x, double y,
                         double length);

/* With its upper left corner at x, y. */
void spar__legend_draw(spar__buf *out, const spar__legend *legend, double x, double y);

#endif
