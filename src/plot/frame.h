/* frame.h - what surrounds the data of a plot: axes with ticks, the frame with titles and labels, the legend. */
#ifndef SPAR_PLOT_FRAME_H
#define SPAR_PLOT_FRAME_H

#include "base/buf.h"
#include "plot/svg.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* An axis: its range, its ticks at round numbers, and the position of a value. */

/* A range of values to be shown; starts as SPAR__RANGE_EMPTY. */
typedef struct spar__range {
    double lo, hi;
} spar__range;

#define SPAR__RANGE_EMPTY ((spar__range){HUGE_VAL, -HUGE_VAL})

void spar__range_add(spar__range *range, double value); /* ignores values that are not finite */

typedef struct spar__tick {
    double value;
    bool major;
    char label[32]; /* of a major tick: "20,000", "0.5", "2.5M", or "10" with */
    char power[16]; /* its exponent, to be raised: "-9" */
} spar__tick;

enum { SPAR__TICKS = 160 };

typedef struct spar__axis {
    bool log;
    double lo, hi;   /* values at the two ends */
    double from, to; /* their positions in px; the caller sets them */
    size_t n;
    spar__tick tick[SPAR__TICKS]; /* ascending */
} spar__axis;

/* Chooses the ends and about `wanted` (>= 2) labelled ticks for a range: steps of 1, 2 or 5 times a power of ten, or
 * decades. An empty or single-valued range is widened; one that starts near zero starts at zero. With `snap` the ends
 * move out to a tick. Never fails. */
void spar__axis_fit(spar__axis *axis, spar__range range, bool log, bool snap, size_t wanted);

/* Makes the axis end exactly at the ends of the range and drops the ticks outside; an empty range changes nothing. */
void spar__axis_crop(spar__axis *axis, spar__range range);

/* The position of a value in px; may be outside. On a log axis values <= 0 are at its start. */
double spar__axis_at(const spar__axis *axis, double value);

/* The frame of a plot: titles, grid, axes with ticks and labels. */

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

/* Before what belongs to the plot, up to spar__svg_end_group, for the script of a page (plot.h): where it is, its
 * scales, and the number of the table with its data. */
void spar__plot_frame_begin_panel(spar__buf *out, const spar__plot_frame *frame, size_t table);

/* From here to spar__svg_end, coordinates are relative to the plot's corner; what is more than bleed outside is
 * clipped. */
void spar__plot_frame_begin_data(spar__buf *out, const spar__plot_frame *frame, double bleed);

/* The legend of a figure: a sample of each line or mark and its label, in columns. */

typedef struct spar__legend_entry {
    const char *label; /* borrowed */
    size_t style;      /* for spar__palette */
    bool band;
    spar__mark mark; /* instead of a line */
} spar__legend_entry;

typedef struct spar__legend {
    size_t n, columns;
    size_t among; /* series in the figure: many have dashes */
    spar__legend_entry *entry;
    double column_width, width, height;
} spar__legend;

/* Sets columns, width and height: as many columns as fit into room (at least one, even when its labels are wider). */
void spar__legend_fit(spar__legend *legend, double room, size_t most_columns);

/* What belongs to an entry has this number in data-series, so that the script of a page can hide it. */
size_t spar__legend_key(const spar__legend_entry *entry);

/* Before what belongs to it, up to spar__svg_end_group. */
void spar__legend_begin_part(spar__buf *out, spar__legend_entry entry);

/* The sample of a line, and of its band, from x on. */
void spar__legend_sample(spar__buf *out, const spar__legend_entry *entry, size_t among, double x, double y,
                         double length);

/* With its upper left corner at x, y. */
void spar__legend_draw(spar__buf *out, const spar__legend *legend, double x, double y);

#endif
