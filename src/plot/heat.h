/* heat.h - heat maps: the plane divided among points, and its cells in the colours of a scale. */
#ifndef SPAR_PLOT_HEAT_H
#define SPAR_PLOT_HEAT_H

#include "plot/frame.h"

#include <spar/status.h>

/* Divides the plane among points: into the rectangles of a grid if the points form one, otherwise into the
 * regions nearest to each point, on a fine raster. */

typedef struct spar__tile {
    spar__box box; /* in the units of the points */
    size_t point;
} spar__tile;

typedef struct spar__cells {
    size_t n;
    spar__tile *cell;     /* row by row, upwards; each row to the right */
    spar__range x, y;     /* the area covered */
    double width, height; /* of the smallest cell of a grid; 0 without one */
} spar__cells;

/* Of n >= 1 finite points (x, y), x and y in turn. Where points are equal the first one gets the cell. */
spar_status spar__cells_make(size_t n, const double *xy, spar__cells *out);
void spar__cells_free(spar__cells *cells);

/* A heat map in a frame, and its colour bar. */

/* The scale of a range: its ticks, `length` px from end to end. */
void spar__heat_scale(spar__axis *scale, spar__range range, double length);

/* value: one per point, NaN: unknown. colors: only that many, which takes far fewer bytes; 0: one for each value. Call
 * between spar__plot_frame_begin_data and spar__plot_frame_end_data. */
void spar__heat_draw(spar__buf *out, const spar__plot_frame *frame, const spar__cells *cells, const double *value,
                     const spar__axis *scale, size_t colors);

/* With its upper left corner at x, y; as long as the scale. Ticks and label stand below. */
void spar__heat_bar(spar__buf *out, double x, double y, const spar__axis *scale, size_t colors, const char *label);
enum { SPAR__HEAT_BAR_HEIGHT = 48 };

#endif
