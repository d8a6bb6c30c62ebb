/* common.h - options that several commands have in common. */
#ifndef SPAR_CLI_COMMON_H
#define SPAR_CLI_COMMON_H

#include "base/buf.h"
#include "base/error.h"
#include "cli/options.h"
#include "sim/sim.h"
#include "text/votes.h"

#include <stddef.h>
#include <stdint.h>

#define SPAR__EXACT ((uint64_t)1 << 53) /* counts become doubles in reports */

#define SPAR__OPTION_M SPAR__COUNT_OPTION("m", "M", "2", 1, 1000000, "slots: how many arms are shown together")
#define SPAR__OPTION_FEEDBACK                                                                                          \
    SPAR__TEXT_OPTION("feedback", "F",                                                                                 \
                      "the kind of feedback, see 'spar list feedback' (default: all_pairs; for rankers: multileave; "  \
                      "for voters: ranking)")
#define SPAR__OPTION_ROUNDS SPAR__COUNT_OPTION("rounds", "T", "20000", 1, SPAR__EXACT, "rounds in a run")
#define SPAR__OPTION_REGRET(HELP)                                                                                      \
    SPAR__CHOICE_OPTION("regret", "KIND", "sum", "sum|weak|borda|copeland|von_neumann|best_fixed", HELP)
#define SPAR__OPTION_SEED                                                                                              \
    SPAR__COUNT_OPTION("seed", "S", "1", 0, UINT64_MAX, "same seed, same results, whatever the number of threads")
#define SPAR__OPTION_THREADS SPAR__COUNT_OPTION("threads", "J", "0", 0, 4096, "threads; 0 is one per core")
#define SPAR__OPTION_JSON SPAR__SWITCH_OPTION("json", "print JSON instead of a table")

/* A plan from the options above (--regret may be missing) and --runs; the caller adds the policies. */
spar_plan spar__plan_of(const spar__settings *settings, const char *env);

/* --out must name a directory. */
spar_status spar__check_out(const spar__settings *settings, spar_error *err);

/* A line below tables that compare means run by run. */
extern const char spar__chance_note[];

/* "spar: note: ..." on standard error, printable. */
void spar__note(const char *format, ...) SPAR__PRINTF(1, 2);

/* What was simulated, for the top of a table: "m = 2, all_pairs, 20000 rounds". */
void spar__plan_text(const spar_plan *plan, spar__buf *out);

/* The option --columns: what rows of votes call their columns. */

#define SPAR__OPTION_COLUMNS                                                                                           \
    SPAR__TEXT_OPTION("columns", "C",                                                                                  \
                      "the columns of rows, e.g. a=left,b=right,winner=winner,voter=worker,item=prompt,id=row")

/* 'a=left,b=right'; '-' is no column. The names are parts of the setting. */
spar_status spar__columns_of(const spar__settings *settings, spar__votes_columns *out, spar_error *err);

/* Rows of votes, from CSV or JSON objects. An error about a missing column says how to name it. */
spar_status spar__columns_parse(bool json, const char *text, size_t length, const char *path,
                                const spar__votes_columns *columns, spar__votes *out, spar_error *err);

/* A word as the shell reads it: in quotes where that is needed. */
void spar__shell_word(const char *word, spar__buf *out);

/* A file that the user names for a command to write, beside the file that the command reads. */

/* SPAR_INVALID if path is the file that is read, under whatever name, or one of those that SQLite keeps beside it.
 * source: the place of an experiment, with or without #NAME, or another file. Either may be NULL, "-" or not there.
 * (Other databases are refused when they are written: base/file.h.) */
spar_status spar__target_check(const char *source, const char *path, spar_error *err);

/* The same for n files that are to be written into dir (NULL: into none). */
spar_status spar__target_check_dir(const char *source, const char *dir, size_t n, const char *const *name,
                                   spar_error *err);

/* For how long something is good, in words: "30d". */

/* When something that begins now ends, in seconds since 1970; 0: never. text: a number and s, m, h, d or w; "never" or
 * NULL. origin: for the sentence, such as "--expires". */
spar_status spar__expiry_parse(const char *text, const char *origin, int64_t now, int64_t *out, spar_error *err);

/* "2026-11-16 04:39" in UTC, and "never" for 0. */
enum { SPAR__EXPIRY_SIZE = 24 };
void spar__expiry_text(int64_t seconds, char text[SPAR__EXPIRY_SIZE]);

#endif
