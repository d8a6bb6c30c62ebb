/* grid.h - small panels in rows and columns on one page, with one legend. All have the same x axis, those of a row also
 * the same y axis. */
#ifndef SPAR_PLOT_GRID_H
#define SPAR_PLOT_GRID_H

#include "plot/plot.h"

typedef struct spar__grid {
    const char *name;                                        /* for those who cannot see it; NULL: the title */
    const char *title, *subtitle, *x_label, *y_label, *note; /* each may be NULL */
    size_t rows, columns;
    const char *const *row, *const *column; /* their names */
    const spar__figure *panel;  /* rows x columns, of which only lines and scales are used; without lines: empty */
    double width, panel_height; /* in px; 0: 760 and 150 */
} spar__grid;

/* svg is appended to. The scales are those of the first panel. SPAR_NOMEM, or SPAR_INVALID for no panels, more than 64
 * rows or columns, or a bad size. */
spar_status spar__plot_grid(const spar__grid *grid, spar__buf *svg);

#endif
