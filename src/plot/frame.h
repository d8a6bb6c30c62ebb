/* frame.h - the frame of a plot: titles, grid, axes with ticks and labels. */
#ifndef SPAR_PLOT_FRAME_H
#define SPAR_PLOT_FRAME_H

#include "base/buf.h"
#include "plot/axis.h"

typedef struct spar__box {
    double x, y, width, height;
} spar__box;

typedef struct spar__captions {
    const char *title, *subtitle, *x_label, *y_label; /* each may be NULL */
    double width;                                     /* of the titles */
} spar__captions;

typedef struct spar__plot_frame {
    spar__box outer;     /* all of it, on the page */
    spar__box plot;      /* the area of the data */
    spar__axis x, y;     /* from/to are relative to the plot's corner */
    bool bare_x, bare_y; /* ticks without labels */
    bool sparse;         /* no ticks between labels; those with one have a line of the grid or a tick, not both */
    bool covered;        /* the data hide the grid: it is not drawn */
} spar__plot_frame;

/* The height of the titles. */
double spar__captions_height(const spar__captions *captions);

/* Divides the outer box: head for the titles, margins as wide as the texts, as many ticks as fit. */
void spar__plot_frame_fit(spar__plot_frame *frame, spar__box outer, double head, const spar__captions *captions,
                          spar__range x, bool log_x, spar__range y, bool log_y);

/* Instead: exactly this box for the data (outer is the same), exactly these ranges (above 0 where logarithmic). */
void spar__plot_frame_set(spar__plot_frame *frame, spar__box plot, spar__range x, bool log_x, spar__range y,
                          bool log_y);

/* Ticks of x on these values alone, the data's own; labels that would touch are left out. */
void spar__plot_frame_mark_x(spar__plot_frame *frame, size_t n, const double *value);

/* Ticks as another axis has them, at its values, in place of those of x and y; either may be NULL. Labels that would
 * touch are left out. */
void spar__plot_frame_take_ticks(spar__plot_frame *frame, const spar__axis *x, const spar__axis *y);

/* The width of the labels of y. */
double spar__plot_frame_y_width(const spar__plot_frame *frame);

/* Titles, grid, ticks and labels. */
void spar__plot_frame_draw(spar__buf *out, const spar__plot_frame *frame, const spar__captions *captions);

/* Around what belongs to the plot, for the script of a page (sheet.h): where it is, its scales, and the number of the
 * table with its data. */
void spar__plot_frame_begin_panel(spar__buf *out, const spar__plot_frame *frame, size_t table);
void spar__plot_frame_end_panel(spar__buf *out);

/* Between these two, coordinates are relative to the plot's corner; what is more than bleed outside is clipped. */
void spar__plot_frame_begin_data(spar__buf *out, const spar__plot_frame *frame, double bleed);
void spar__plot_frame_end_data(spar__buf *out);

#endif
