/* sheet.h - pages with figures: the same style and the same small script for all of them. Without the script nothing is
 * missing: every number is in a table. */
#ifndef SPAR_PLOT_SHEET_H
#define SPAR_PLOT_SHEET_H

#include "plot/drawing.h"

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
