/* decide.h - the report of `spar decide` about votes. */
#ifndef SPAR_CLI_DECIDE_H
#define SPAR_CLI_DECIDE_H

#include "base/buf.h"
#include "cli/options.h"
#include "text/json.h"
#include "text/votes.h"

#include <spar/decide.h>
#include <spar/standings.h>

enum { SPAR__DECIDE_PAIRS = 8 };

typedef struct spar__decide_pairs {
    size_t n;
    size_t a[SPAR__DECIDE_PAIRS], b[SPAR__DECIDE_PAIRS];
} spar__decide_pairs;

typedef struct spar__decide_report {
    const char *source; /* as given on the command line */
    const char *form;   /* "rows", "lines", "counts", "preflib"; "empty" */
    spar__votes votes;
    spar_decision_settings settings;
    spar_decision *decision;
    bool sorted;               /* the votes look sorted by their outcome: their order is not used */
    uint64_t total, ties, bad; /* votes, those that say nothing but 'equal', and those that all are bad */
    char **name;               /* of each option, safe to print */
    size_t *order;             /* the options: in the running first, then by share of wins */
    size_t leader;             /* SPAR_NO_OPTION for none */
    spar__decide_pairs closest, next;
    char *sentence;
    char *warning[SPAR_WARNINGS]; /* NULL: none */
    spar_standings *standings;    /* NULL: not wanted; with these: */
    double scale_evidence;        /* that no single scale fits, as a logarithm */
    size_t n_cycle, cycle[SPAR__DECIDE_PAIRS];
} spar__decide_report;

/* decide.c: the columns that --columns names, as parts of its text, which is changed. */
spar_status spar__decide_columns(const spar__settings *settings, spar__votes_columns *columns, spar_error *err);

/* read.c: fills source, form and votes. */
spar_status spar__decide_read(const char *path, const char *format, const spar__votes_columns *columns,
                              spar__decide_report *report, spar_error *err);

/* sorted.c: do wins and losses of the same pair follow each other so rarely that the file must be sorted by them? */
spar_status spar__decide_looks_sorted(const spar_decision *decision, bool *sorted);

/* judge.c: from the votes and settings to all the rest. */
spar_status spar__decide_judge(spar__decide_report *report, spar_error *err);
void spar__decide_report_free(spar__decide_report *report);

/* standings.c: the strengths of the options in a model of choices; after judge. Options by falling strength are an
 * array to free, or NULL. */
spar_status spar__decide_stand(spar__decide_report *report, bool approximate, spar_error *err);
size_t *spar__decide_by_strength(const spar__decide_report *report);
void spar__decide_standings_text(const spar__decide_report *report, bool styled, spar__buf *out);
void spar__decide_standings_json(const spar__decide_report *report, spar__json *json);
spar_status spar__decide_standings_plot(const spar__decide_report *report, spar__buf *out);

void spar__decide_text(const spar__decide_report *report, bool styled, spar__buf *out);
void spar__decide_json(const spar__decide_report *report, spar__buf *out);
spar_status spar__decide_plot(const spar__decide_report *report, spar__buf *out);

#endif
