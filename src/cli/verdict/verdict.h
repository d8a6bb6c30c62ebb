/* verdict.h - a verdict and standings as text for a terminal. */
#ifndef SPAR_CLI_VERDICT_H
#define SPAR_CLI_VERDICT_H

#include "cli/options.h"
#include "cli/terminal.h"
#include "report/standings.h"
#include "report/verdict.h"

/* How text is laid out. */
typedef struct spar__layout {
    bool styled;  /* bold headings */
    size_t width; /* of the terminal, in characters; 0: lines are not broken */
} spar__layout;

/* For standard output as it is. */
spar__layout spar__layout_of_output(void);

/* text.c. The sentence; then, each where there is something to say: the options with their records, the closest
 * pairs, pairs to ask next, warnings (and one `more`, if not NULL). */
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

/* standings.c: the table, effects of places, whether one scale fits, and what 'best %' is; or why there is none. */
void spar__standings_text(const spar__standings_report *standings, const spar__verdict_report *verdict,
                          spar__layout layout, spar__buf *out);

#endif
