/* html.h - the parts of the HTML page, in their order. */
#ifndef SPAR_PAPER_REPORT_HTML_H
#define SPAR_PAPER_REPORT_HTML_H

#include "paper/report/report.h"
#include "plot/plot.h"

/* What was found, in five sentences, beside the main figure. */
spar_status spar__html_findings(const spar__paper *paper, spar__buf *out, spar_error *err);

/* The figures of the paper; then those that were made for claims. */
spar_status spar__html_figures(const spar__paper *paper, spar__buf *out, spar_error *err);
spar_status spar__html_more_figures(const spar__paper *paper, spar__buf *out, spar_error *err);

/* The table of claims: verdicts, numbers, and how each is judged. */
void spar__html_claims(const spar__paper *paper, spar__buf *out);

/* The utilities of the scenarios. */
spar_status spar__html_sets(spar__buf *out, spar_error *err);

/* The final regrets in the settings of a figure, and the settings themselves. */
spar_status spar__html_tables(const spar__paper *paper, const char *const *settings, spar__buf *out, spar_error *err);

/* Has the claim a figure of its own, and may it be drawn? */
bool spar__html_is_drawn(const spar__paper *paper, size_t claim);

/* Is the claim listed? With one figure, only what that decides. */
bool spar__html_is_listed(const spar__paper *paper, size_t claim);

/* A word, a colour and a sign, in an element of this tag. */
void spar__html_verdict(spar__verdict verdict, const char *on, const char *tag, spar__buf *out);

/* How many claims have each verdict. */
void spar__html_totals(const spar__paper *paper, spar__buf *out);

/* `length` bytes of text, with a proper sign for plus or minus. */
void spar__html_plain(const char *text, size_t length, spar__buf *out);

#endif
