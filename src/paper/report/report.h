/* report.h - what is printed and written about a paper that was run. The same numbers give the same bytes: there are no
 * dates, times or paths in it. */
#ifndef SPAR_PAPER_REPORT_REPORT_H
#define SPAR_PAPER_REPORT_REPORT_H

#include "paper/paper.h"

/* Takes one file of the report: a page or table ("results.csv"), or a figure ("multi", as SVG). */
typedef spar_status spar__report_file(void *context, const char *name, bool is_figure, const spar__buf *content,
                                      spar_error *err);

/* Hands over all files: the figures, results.csv, curves.csv, results.json, report.md and index.html. */
spar_status spar__paper_report(const spar__paper *paper, const char *command, spar__report_file *take, void *context,
                               spar_error *err);

/* The claims and their verdicts, for a terminal, in lines of at most `width` characters (0: 100). */
void spar__paper_text(const spar__paper *paper, bool styled, size_t width, spar__buf *out);

/* "holds (on generated rankers)"; and "25 claims: 18 hold, 3 hold in part ...", the same in every form. */
void spar__finding_text(const spar__finding *finding, spar__buf *out);
void spar__paper_totals_text(const spar__paper *paper, spar__buf *out);

void spar__paper_json(const spar__paper *paper, spar__buf *out);
void spar__paper_csv(const spar__paper *paper, spar__buf *out);
void spar__paper_curves_csv(const spar__paper *paper, spar__buf *out);
void spar__paper_markdown(const spar__paper *paper, const char *command, spar__buf *out);
spar_status spar__paper_html(const spar__paper *paper, const char *command, spar__buf *out, spar_error *err);

#endif
