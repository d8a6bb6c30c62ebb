/* table.h - the data of figures as HTML tables: for those who cannot see a figure, who want its numbers, and for the
 * script of a page, which reads them to show values under the pointer. */
#ifndef SPAR_PLOT_TABLE_H
#define SPAR_PLOT_TABLE_H

#include "plot/belief.h"
#include "plot/grid.h"
#include "plot/intervals.h"

/* One table: a row for each x, at most SPAR__TABLE_ROWS of them, spread over all; a column for each line, with the band
 * in brackets. `heading` is its caption. */
enum { SPAR__TABLE_ROWS = 24 };
spar_status spar__table_lines(const spar__figure *fig, const char *heading, spar__buf *html);

/* One for each panel. */
spar_status spar__table_panels(const spar__figure *figs, size_t n, spar__buf *html);
spar_status spar__table_grid(const spar__grid *grid, spar__buf *html);

/* One for each snapshot: a row for each arm. */
void spar__table_beliefs(const spar__beliefs *fig, spar__buf *html);

/* A row for each option. */
void spar__table_intervals(const spar__interval_figure *fig, spar__buf *html);

#endif
