/* line_plot.h - what both plots of lines (figures and grids) need: ranges, legend, curves in a frame, height of a note.
 */
#ifndef SPAR_PLOT_LINE_PLOT_H
#define SPAR_PLOT_LINE_PLOT_H

#include "plot/frame.h"
#include "plot/plot.h"
#include "plot/svg.h"

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

/* What a figure shows, in a sentence or two: what is drawn against what, and where each line ends. */
void spar__figure_words(const spar__figure *fig, spar__buf *out);

/* One line of a plot and the band around it. Call between spar__plot_frame_begin_data and
 * spar__plot_frame_end_data. */

/* Can point i be drawn, and its band? */
bool spar__curve_visible(const spar__series *series, bool log_x, size_t i);
bool spar__curve_band_visible(const spar__series *series, bool log_x, size_t i);

/* width is that of the stroke; points closer than a fraction of a pixel are drawn as one. */
void spar__curve_line(spar__buf *out, const spar__plot_frame *frame, const spar__series *series, spar__style style,
                      const char *width);

/* Nothing for a series without a band. */
void spar__curve_band(spar__buf *out, const spar__plot_frame *frame, const spar__series *series, const char *color,
                      const char *opacity);

/* The labels of lines at their ends, in place of a legend or beside one: each at the height where its line
 * ends, moved apart where they would touch, with a thin line between the two. */

typedef struct spar__ends {
    const spar__legend *legend; /* the lines and their labels */
    bool samples;               /* with a sample of each line; without: smaller, beside a legend */
} spar__ends;

/* Have the labels room in a plot of this height? Never for fewer than SPAR__MANY_SERIES. */
bool spar__ends_fit(const spar__ends *ends, double height);

/* What they need at the right of the plot. */
double spar__ends_width(const spar__ends *ends);

/* At the right of the frame's plot; fig has the lines. */
void spar__ends_draw(spar__buf *out, const spar__ends *ends, const spar__plot_frame *frame, const spar__figure *fig);

#endif
