/* html.h - the parts of the report. */
#ifndef SPAR_PAPER_HTML_H
#define SPAR_PAPER_HTML_H

#include "paper/paper.h"

/* The style sheet, light and dark, for screens and paper. */
void spar__html_style(spar__buf *out);

/* <tag>text</tag>, and the same with attributes like " class=\"x\"". text may be NULL. */
void spar__html_text(spar__buf *out, const char *tag, const char *attributes, const char *text);

/* A drawing in a box that scrolls where it would become too small to read; false: there was nothing to draw. */
spar_status spar__html_drawing(const spar__paper *paper,
                               spar_status (*draw)(const spar__paper *paper, spar__buf *svg, spar_error *err),
                               spar__buf *out, bool *drawn, spar_error *err);

/* The table of claims and what each of them has to show; the figures with their tables. */
spar_status spar__html_claims(const spar__paper *paper, spar__buf *out, spar_error *err);
spar_status spar__html_figures(const spar__paper *paper, spar__buf *out, spar_error *err);

/* The final regrets of the scenes of a figure, and their settings. */
spar_status spar__html_tables(const spar__paper *paper, const char *const *scene, spar__buf *out, spar_error *err);

#endif
