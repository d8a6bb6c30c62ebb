/* heat.h - a heat map in a frame, and its colour bar. */
#ifndef SPAR_PLOT_HEAT_H
#define SPAR_PLOT_HEAT_H

#include "plot/cells.h"

/* The scale of a range: its ticks, `length` px from end to end. */
void spar__heat_scale(spar__axis *scale, spar__range range, double length);

/* value: one per point, NaN: unknown. colors: only that many, which takes far fewer bytes; 0: one for each value. Call
 * between spar__plot_frame_begin_data and spar__plot_frame_end_data. */
void spar__heat_draw(spar__buf *out, const spar__plot_frame *frame, const spar__cells *cells, const double *value,
                     const spar__axis *scale, size_t colors);

/* With its upper left corner at x, y; as long as the scale. Ticks and label stand below. */
void spar__heat_bar(spar__buf *out, double x, double y, const spar__axis *scale, size_t colors, const char *label);
double spar__heat_bar_height(void);

#endif
