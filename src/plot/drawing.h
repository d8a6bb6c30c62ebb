/* drawing.h - a figure for a page: the picture, and the tables of its data. */
#ifndef SPAR_PLOT_DRAWING_H
#define SPAR_PLOT_DRAWING_H

#include "plot/table.h"

typedef struct spar__drawing {
    const char *name;      /* for those who cannot see the picture; set by the caller */
    spar__buf svg, tables; /* appended to; both empty: there is nothing to draw */
} spar__drawing;

spar_status spar__draw_panels(const spar__figure *figs, size_t n, size_t columns, spar__drawing *out);
spar_status spar__draw_grid(const spar__grid *grid, spar__drawing *out);
spar_status spar__draw_beliefs(const spar__beliefs *fig, spar__drawing *out);

spar_status spar__draw_intervals(const spar__interval_figure *fig, spar__drawing *out);

void spar__drawing_free(spar__drawing *drawing);

#endif
