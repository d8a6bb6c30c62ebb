/* figure.h - what both plots of lines (lines.c, grid.c) need: ranges, legend, curves in a frame, height of a note. */
#ifndef SPAR_PLOT_FIGURE_H
#define SPAR_PLOT_FIGURE_H

#include "plot/frame.h"
#include "plot/legend.h"
#include "plot/plot.h"

/* The ranges of the lines and bands. */
void spar__figure_ranges(const spar__figure *fig, spar__range *x, spar__range *y);

/* The same for several of which the ranges of y are one where they say so (same_y). */
void spar__figure_share_y(const spar__figure *figs, size_t n, spar__range *y);

/* The values of x, ascending, if dots mark them and they are few; 0: they are not. */
enum { SPAR__OWN_TICKS = 10 };
size_t spar__figure_own_x(const spar__figure *fig, double value[SPAR__OWN_TICKS]);

/* The labelled lines, in order; entry is to be freed. */
spar_status spar__figure_legend(const spar__figure *fig, spar__legend *legend);

/* The first figure that has every labelled line of the others, in the same style, so that its legend serves for all;
 * NULL: there is none. */
const spar__figure *spar__figure_complete(const spar__figure *figs, size_t n);

/* The height of a note below a page of this width; 0 without one. */
double spar__figure_note_height(const char *note, double width);

/* Bands, and the lines over them; `among` is the largest number of lines on the page. */
void spar__figure_curves(spar__buf *out, const spar__plot_frame *frame, const spar__figure *fig, size_t among);

/* What a figure shows, in a sentence or two: what is drawn against what, and where each line ends. */
void spar__figure_words(const spar__figure *fig, spar__buf *out);

#endif
