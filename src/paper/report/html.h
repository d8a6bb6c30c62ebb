/* html.h - the parts of the HTML page. */
#ifndef SPAR_PAPER_REPORT_HTML_H
#define SPAR_PAPER_REPORT_HTML_H

#include "paper/report/report.h"

/* HTML with texts in it: every %s is escaped. There are no other conversions. */
void spar__html_add(spar__buf *out, const char *format, ...) SPAR__PRINTF(2, 3);

/* The style sheet, light and dark, for screens and paper. */
void spar__html_style(spar__buf *out);

/* A drawing in a box that scrolls where it would become too small to read; if there is nothing to draw, `otherwise`. */
spar_status spar__html_drawing(const spar__paper *paper, spar__paper_draw *draw, const void *data,
                               const char *otherwise, spar__buf *out, spar_error *err);

/* The table of claims, and their drawings. */
spar_status spar__html_claims(const spar__paper *paper, spar__buf *out, spar_error *err);

/* The final regrets in the settings of a figure, and the settings themselves. */
spar_status spar__html_tables(const spar__paper *paper, const char *const *settings, spar__buf *out, spar_error *err);

#endif
