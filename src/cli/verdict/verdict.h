/* verdict.h - the reports of `spar decide`, `spar status` and `spar plan` as text for a terminal, and their files. */
#ifndef SPAR_CLI_VERDICT_VERDICT_H
#define SPAR_CLI_VERDICT_VERDICT_H

#include "cli/options.h"
#include "cli/terminal.h"
#include "report/status_report.h"

#include <spar/forecast.h>

/* How text is laid out. */
typedef struct spar__layout {
    bool styled;  /* bold headings */
    size_t width; /* of the terminal, in characters; 0: lines are not broken */
} spar__layout;

/* For standard output as it is. */
spar__layout spar__layout_of_output(void);

/* A line of its own, broken if it must be, which is then emptied; and a heading below an empty line: bold text, what is
 * between, and more. */
void spar__layout_line(spar__buf *line, spar__layout layout, spar__buf *out);
void spar__layout_heading(const char *text, const char *between, const char *more, spar__layout layout, spar__buf *out);

/* The sentence; then, each where there is something to say: the options with their records, the closest pairs, pairs to
 * ask next, warnings (and one `more`, if not NULL). */
void spar__verdict_sentence(const spar__verdict_report *verdict, spar__layout layout, spar__buf *out);
void spar__verdict_options(const spar__verdict_report *verdict, spar__layout layout, spar__buf *out);
void spar__verdict_closest(const spar__verdict_report *verdict, spar__layout layout, spar__buf *out);
void spar__verdict_next(const spar__verdict_report *verdict, spar__layout layout, spar__buf *out);
void spar__verdict_warnings(const spar__verdict_report *verdict, const spar__standings_report *standings,
                            const char *more, spar__layout layout, spar__buf *out);
void spar__verdict_count(uint64_t count, const char *one, const char *many, spar__buf *out); /* "1 vote", "2 votes" */

#define SPAR__OPTION_STANDINGS                                                                                         \
    SPAR__CHOICE_OPTION("standings", "HOW", "auto", SPAR__STANDINGS_CHOICES,                                           \
                        "how strong the options are, in a model of choices; auto: within a second")

/* A cell of a table: the name of an option, cut if the table would be wider than `width` (0: it may be) with `others`
 * characters in the other columns. */
void spar__verdict_add_name(const spar__verdict_report *verdict, size_t option, size_t width, size_t others,
                            spar__text_table *table);

/* The table, effects of places, whether one scale fits, and what 'best %' is; or why there is none. */
void spar__standings_text(const spar__standings_report *standings, const spar__verdict_report *verdict,
                          spar__layout layout, spar__buf *out);

/* The files that --plot and --out ask for, in the order in which they are written. */
typedef struct spar__output_file {
    const char *name; /* under --out; of a picture without .svg */
    spar__buf text;   /* empty: it is not written. Freed when it is. */
    bool picture;     /* the first one is also what --plot is for */
} spar__output_file;

bool spar__report_has_files(const spar__settings *settings);

/* None of them may be the first operand. `make`: makes the directory, too. */
spar_status spar__report_check_files(const spar__settings *settings, const char *command, bool make, spar_error *err);
spar_status spar__report_write(const spar__settings *settings, size_t n, spar__output_file *file, spar_error *err);

/* cli/status: the report of `spar status`. */
void spar__status_text(const spar__status_report *report, spar__layout layout, spar__buf *out);

/* cli/plan: the report of `spar plan`: how many screens a decision will take. */
typedef struct spar__forecast_report {
    spar_forecast *forecast;
    const char *feedback;
    char truths[200]; /* what the truths are, in words */
    double delta, silent;
    uint64_t limit;
    bool interrupted;
} spar__forecast_report;

void spar__forecast_text(const spar__forecast_report *report, bool styled, spar__buf *out);
void spar__forecast_json(const spar__forecast_report *report, spar__buf *out);
spar_status spar__forecast_plot(const spar__forecast_report *report, spar__buf *out);

#endif
