/* decide.h - the report of `spar decide` about votes: from a file, or from the log of a live experiment. */
#ifndef SPAR_CLI_DECIDE_DECIDE_H
#define SPAR_CLI_DECIDE_DECIDE_H

#include "base/order.h"
#include "cli/verdict/verdict.h"
#include "text/votes.h"

typedef struct spar__decide_log spar__decide_log; /* decide_log.c */

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
    spar__verdict_name *id;       /* what options are called in JSON; NULL: as in the verdict */
    spar__standings_report standings;
} spar__decide_report;

/* Fills source, form, and votes or log. */
spar_status spar__decide_read(const char *path, const char *format, const spar__votes_columns *columns,
                              spar__decide_report *report, spar_error *err);

/* From the votes and settings to all the rest but the standings. */
spar_status spar__decide_judge(spar__decide_report *report, spar_error *err);

/* The strengths of the options in a model of choices; after judge. Nothing where no vote says anything. */
spar_status spar__decide_stand(spar__decide_report *report, spar__standings_how how, spar_error *err);
void spar__decide_report_free(spar__decide_report *report);

void spar__decide_text(const spar__decide_report *report, spar__layout layout, spar__buf *out);
void spar__decide_json(const spar__decide_report *report, spar__buf *out);
spar_status spar__decide_plot(const spar__decide_report *report, spar__buf *out);
spar_status spar__decide_plot_standings(const spar__decide_report *report, spar__buf *out);

/* Has this voter answered about these options and this item before, in whatever order they stood? */
spar_status spar__decide_repeats(spar__key_table *seen, uint64_t voter, uint32_t item, size_t m, const size_t *option,
                                 bool *repeated);

/* decide_log.c, for what the library of live experiments reads. Is it the place of an experiment: a database, or a URL?
 */
bool spar__decide_is_place(const char *path);

/* Which of the two forms "log" and "csv" the text has, as the format says or, if that is "auto", as it looks; NULL:
 * neither. With the columns of rows named it is no csv. */
const char *spar__decide_log_form(const char *format, const spar__buf *text, bool columns);

/* Opens a place, or a text of the report's form, which is taken over (and empty afterwards). */
spar_status spar__decide_log_open(const char *path, spar__buf *text, spar__decide_report *report, spar_error *err);
void spar__decide_log_free(spar__decide_log *log); /* NULL is fine */

/* The decision and the counts; what options and voters are called; all answers for the standings. */
spar_status spar__decide_log_fold(spar__decide_report *report, bool unordered, spar_error *err);
spar_status spar__decide_log_names(spar__decide_report *report);
spar_status spar__decide_log_stand(spar__decide_report *report, spar_error *err);

#endif
