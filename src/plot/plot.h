/* plot.h - figures as SVG with real text, in one style. The same figure gives the same bytes. */
#ifndef SPAR_PLOT_PLOT_H
#define SPAR_PLOT_PLOT_H

#include "base/buf.h"

/* One line. Points that are NaN or infinite are gaps; on a log axis x <= 0 is a gap and y <= 0 is on the lower edge.
 */
typedef struct spar__series {
    const char *label; /* NULL or "": not in the legend */
    size_t n;
    const double *x, *y;
    const double *lo, *hi; /* the band around y; NULL: none */
    size_t color;          /* index in the palette, from 1; 0: its place in the figure */
    bool dots;             /* mark every point */
} spar__series;

typedef struct spar__figure {
    const char *title, *subtitle, *x_label, *y_label; /* each may be NULL */
    bool log_x, log_y;
    size_t n_series;
    const spar__series *series;
    double width, height;  /* in px, of the whole figure; 0 = 900 x 460. A legend below the plot adds to the height. */
    bool legend_below;     /* never at the right */
    bool same_y;           /* panels: all that say so have one range of y */
    const char *band_note; /* what the bands are, e.g. "bands: mean +- 1 sd"; may be NULL */
} spar__figure;

/* The lines of fig, with a legend in the order given: at the right where it fits, otherwise below. Five lines or more
 * have dashes, and where there is room their labels stand at their ends. Where dots mark few values of x, the ticks are
 * on them. svg is appended to.
 * SPAR_NOMEM, or SPAR_INVALID for a size that is negative, not finite, or above 20000. */
spar_status spar__plot_lines(const spar__figure *fig, spar__buf *svg);

/* n panels in rows of `columns` on one page, each of its own width and height; if one of them has all lines of the
 * others, by label and colour, its legend stands once below them. */
spar_status spar__plot_panels(const spar__figure *figs, size_t n, size_t columns, spar__buf *svg);

/* The same, with a name for those who cannot see it; NULL: the title of the first. */
spar_status spar__plot_page(const char *name, const spar__figure *figs, size_t n, size_t columns, spar__buf *svg);

/* Turns an SVG file into out_path, a .png (twice the pixels, so that text is crisp) or a .pdf, by running rsvg-convert.
 * SPAR_UNSUPPORTED when that tool is missing. */
spar_status spar__svg_render(const char *svg_path, const char *out_path, spar_error *err);

#endif
