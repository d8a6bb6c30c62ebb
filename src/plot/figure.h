/* figure.h - what every picture of a figure's lines needs: its ranges, its legend, its curves in a frame. */
#ifndef SPAR_PLOT_FIGURE_H
#define SPAR_PLOT_FIGURE_H

#include "plot/frame.h"
#include "plot/legend.h"
#include "plot/plot.h"

/* What the lines and bands cover. */
void spar__figure_ranges(const spar__figure *fig, spar__range *x, spar__range *y);

/* The labelled lines, in order; entry is to be freed. */
spar_status spar__figure_legend(const spar__figure *fig, spar__legend *legend);

/* The first of the figures whose legend serves for all: it has every labelled line of the others, and they look the
 * same. NULL: there is none. */
const spar__figure *spar__figure_of_all(const spar__figure *figs, size_t n);

/* Bands, and the lines over them. */
void spar__figure_curves(spar__buf *out, const spar__frame *frame, const spar__figure *fig);

#endif
