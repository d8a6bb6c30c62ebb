/* cells.h - divides the plane among points: into the rectangles of a grid if the points form one, otherwise into the
 * regions nearest to each point, on a fine raster. */
#ifndef SPAR_PLOT_CELLS_H
#define SPAR_PLOT_CELLS_H

#include "plot/frame.h"

#include <spar/status.h>

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

#endif
