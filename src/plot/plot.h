/* plot.h - figures as SVG with real text, in one style. The same figure gives the same bytes. */
#ifndef SPAR_PLOT_PLOT_H
#define SPAR_PLOT_PLOT_H

#include "base/buf.h"
#include "plot/frame.h"

#include <spar/status.h>

#include <stdint.h>

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
 * others, by label and colour, its legend stands once below them. The name is for those who cannot see it; NULL: the
 * title of the first. */
spar_status spar__plot_page(const char *name, const spar__figure *figs, size_t n, size_t columns, spar__buf *svg);

/* Turns an SVG file into out_path, a .png (twice the pixels, so that text is crisp) or a .pdf, by running rsvg-convert.
 * SPAR_UNSUPPORTED when that tool is missing. */
spar_status spar__svg_render(const char *svg_path, const char *out_path, spar_error *err);

/* Small panels in rows and columns on one page, with one legend. All have the same x axis, those of a row also
 * the same y axis. */

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

/* Plots of a belief about arms with one or two features: one row per snapshot, all with the same axes and
 * scales. */

/* One snapshot. */
typedef struct spar__belief {
    const char *label; /* "after 20 rounds" */
    size_t n;          /* arms */
    const double *x;   /* their features, n x dim, finite */
    const double *mean, *sd;
    const double *truth;      /* NaN where it is not known */
    const double *won, *lost; /* duels of each arm */

    /* All of these may be left out. */
    const spar__axis *axis[2]; /* ticks of the features, at values of x, in place of numbers */
    const double *chosen;      /* a point (dim) to be marked */
    bool apart;                /* lines: the arms are no points of a scale: each has a bar of its own */
} spar__belief;

typedef struct spar__beliefs {
    const char *name; /* for those who cannot see it; NULL: the title */
    const char *title, *subtitle;
    size_t dim;             /* 1: a line with a band; 2: heat maps */
    const char *feature[2]; /* their names */
    const char *value;      /* what is believed, a label of an axis: "chance to win" */
    const char *truth;      /* "P(arm beats the best)" */
    const char *band;       /* lines: what mean and band are, in the legend; NULL: in English */
    const char *chosen;     /* what the marked points are */
    const char *words;      /* what it shows, for those who cannot see it; NULL: it says where means are highest */
    double width;           /* in px, for a page: fewer ticks and colours, and maps of the means alone; 0: wide */
    bool dashed;            /* lines: the mean is dashed and the truth is solid, instead of the other way round */
    size_t n;
    const spar__belief *belief;
} spar__beliefs;

/* svg is appended to. SPAR_NOMEM, or SPAR_INVALID for no snapshot, a snapshot without arms, or another dim. */
spar_status spar__plot_beliefs(const spar__beliefs *fig, spar__buf *svg);

/* For both kinds: is any point marked; the largest number of duels that an arm won or lost; is any truth known; the arm
 * of highest truth (n: none). */
double spar__belief_most(const spar__beliefs *fig);
bool spar__belief_has_truth(const spar__beliefs *fig);
size_t spar__belief_best(const spar__belief *belief);

/* Legend and note at the bottom, and their height. */
typedef struct spar__belief_foot {
    spar__legend legend;
    spar__legend_entry entry[6];
    const char *note;
    double height;
} spar__belief_foot;

void spar__belief_foot_add(spar__belief_foot *foot, spar__legend_entry entry);
void spar__belief_foot_fit(spar__belief_foot *foot, double width);
void spar__belief_foot_draw(spar__buf *out, const spar__belief_foot *foot, double x, double y);

/* A list of options, each with a point and an interval on a common axis from 0 to 100 %. */

typedef struct spar__interval_row {
    const char *label;       /* at the left */
    const char *detail;      /* in grey beside it; may be NULL */
    const char *instead;     /* not NULL: this text in place of the interval */
    double value, low, high; /* 0 to 1; a value that is NaN is not drawn */
    bool faint;              /* in grey */
} spar__interval_row;

typedef struct spar__interval_figure {
    const char *title, *subtitle, *x_label, *note; /* each may be NULL; all but x_label are broken into lines */
    const char *strong, *faint;                    /* what the two colours mean */
    size_t n;
    const spar__interval_row *row;
} spar__interval_figure;

/* A dashed line marks 50 %. svg is appended to. */
void spar__plot_intervals(const spar__interval_figure *figure, spar__buf *svg);

/* Small plots that are part of a page. They have no colours, fonts or sizes of their own but classes, so that
 * the page's style gives them (light, dark, forced colours), and lengths along x are percentages: they are as wide as
 * the page has room, and dots stay round. Each has a name for those who cannot see it. */

typedef struct spar__strip {
    const char *name;        /* what it shows, in words */
    double value, low, high; /* 0 to 1; a value that is NaN is not drawn */
    bool faint;
} spar__strip;

/* A point with its interval on an axis from 0 to 100 %, with lines at 0, 50 and 100. Classes: strip, faint, axis, half,
 * reach, dot. */
void spar__plot_strip(const spar__strip *strip, spar__buf *svg);

/* n columns as high as their counts; all of height 0 if all counts are. Classes: columns, axis, column. */
void spar__plot_columns(const char *name, size_t n, const uint64_t *count, spar__buf *svg);

/* The data of figures as HTML tables: for those who cannot see a figure, who want its numbers, and for the
 * script of a page, which reads them to show values under the pointer. */

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

/* A figure for a page: the picture, and the tables of its data. */

typedef struct spar__drawing {
    const char *name;      /* for those who cannot see the picture; set by the caller */
    spar__buf svg, tables; /* appended to; both empty: there is nothing to draw */
} spar__drawing;

spar_status spar__draw_panels(const spar__figure *figs, size_t n, size_t columns, spar__drawing *out);
spar_status spar__draw_grid(const spar__grid *grid, spar__drawing *out);
spar_status spar__draw_beliefs(const spar__beliefs *fig, spar__drawing *out);

spar_status spar__draw_intervals(const spar__interval_figure *fig, spar__drawing *out);

void spar__drawing_free(spar__drawing *drawing);

/* Pages with figures: the same style and the same small script for all of them. Without the script nothing is
 * missing: every number is in a table. */

/* HTML with texts in it: every %s is escaped. There are no other conversions. */
void spar__html_add(spar__buf *out, const char *format, ...) SPAR__PRINTF(2, 3);

/* The start of a page up to and including <body>; with the style sheet, light and dark, for screens and paper. */
void spar__sheet_begin(spar__buf *out, const char *title);

/* The script, and the end of the page. */
void spar__sheet_end(spar__buf *out);

/* Around a table or a picture that may be wider than the screen: a box that scrolls, and a cue that it does. `look` has
 * more classes, each after a blank: " wide"; " fits" where it never scrolls on a small screen. */
void spar__sheet_begin_box(spar__buf *out, const char *name, const char *look);
void spar__sheet_end_box(spar__buf *out);

typedef struct spar__sheet_plot {
    const spar__drawing *drawing;
    const char *caption; /* HTML */
    const char *of;      /* the id of the plot that has the tables of this one; NULL: it has them itself */
} spar__sheet_plot;

void spar__sheet_add_plot(spar__buf *out, const spar__sheet_plot *plot);

/* A page with one figure. */
void spar__sheet_of(const spar__drawing *drawing, const char *caption, spar__buf *out);

#endif
