/* log.h - the log of a live experiment as what `spar decide` decides about: answers in the order they were given,
 * without those that were undone, options that come and go, and voters who are known. */
#ifndef SPAR_CLI_DECIDE_LOG_H
#define SPAR_CLI_DECIDE_LOG_H

#include "cli/decide/decide.h"

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
