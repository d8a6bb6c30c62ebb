/* decide.h - the report of `spar decide` about votes. */
#ifndef SPAR_CLI_DECIDE_DECIDE_H
#define SPAR_CLI_DECIDE_DECIDE_H

#include "cli/verdict/verdict.h"
#include "text/votes.h"

typedef struct spar__decide_log spar__decide_log; /* log.h */

typedef struct spar__decide_report {
    const char *source; /* as given on the command line */
    const char *form;   /* "rows", "lines", "counts", "preflib", "csv", "log"; "empty" */
    spar__votes votes;
    spar__decide_log *log; /* not NULL: this (a log, or rows of csv), and not the votes */
    spar_decision_settings settings;
    spar_decision *decision;
    bool sorted;                  /* the votes look sorted by their outcome: their order is not used */
    uint64_t total, ties, bad;    /* votes, those that say nothing but 'equal', and those that all are bad */
    size_t voters;                /* that are known */
    spar__verdict_report verdict; /* of the decision */
    const char *(*id)(void *context, size_t option); /* what options are called in JSON; NULL: as in the verdict */
    spar__standings_report standings;
} spar__decide_report;

/* read.c: fills source, form, and votes or log. */
spar_status spar__decide_read(const char *path, const char *format, const spar__votes_columns *columns,
                              spar__decide_report *report, spar_error *err);

/* sorted.c: do wins and losses of the same pair follow each other so rarely that the file must be sorted by them? */
spar_status spar__decide_looks_sorted(const spar_decision *decision, bool *sorted);

/* judge.c: from the votes and settings to all the rest. */
spar_status spar__decide_judge(spar__decide_report *report, spar_error *err);
void spar__decide_report_free(spar__decide_report *report);

/* The warning about votes that are not in the order they were given. */
extern const char spar__decide_sorted[];

void spar__decide_text(const spar__decide_report *report, spar__layout layout, spar__buf *out);

/* standings.c: the strengths of the options in a model of choices; after judge. */
spar_status spar__decide_stand(spar__decide_report *report, spar__standings_how how, spar_error *err);

void spar__decide_json(const spar__decide_report *report, spar__buf *out);
spar_status spar__decide_plot(const spar__decide_report *report, spar__buf *out);
spar_status spar__decide_plot_standings(const spar__decide_report *report, spar__buf *out);

/* The log of a live experiment as what `spar decide` decides about: answers in the order they were given,
 * without those that were undone, options that come and go, and voters who are known. */

/* Is it the place of an experiment: a database, or a URL of one? */
bool spar__decide_is_place(const char *path);

/* Is the text a log that `spar export` wrote? */
bool spar__decide_is_log(const char *text, size_t length);

/* Is it csv that `spar export` wrote, or of that form? */
bool spar__decide_is_rows(const char *text, size_t length);

/* Opens that; the text is taken over. */
spar_status spar__decide_rows_open(const char *path, spar__buf *text, spar__decide_log **out, spar_error *err);

/* Opens it: a place, or a text, which is taken over (and empty afterwards). */
spar_status spar__decide_log_open(const char *path, spar__buf *text, spar__decide_log **out, spar_error *err);
void spar__decide_log_free(spar__decide_log *log); /* NULL is fine */

/* The decision, the counts, and what to call options and voters. */
spar_status spar__decide_log_judge(spar__decide_report *report, spar_error *err);

/* Gives all answers to the standings; after judge. */
spar_status spar__decide_log_stand(spar__decide_report *report, spar_error *err);

#endif
