/* sweeping.h - what the commands that sweep have in common: --part, --plan-only, cells kept under --out, `spar merge`,
 * and playing on several ranks.
 *
 *     spar__sweeping s;
 *     status = spar__sweeping_begin(&s, settings, out, err);
 *     status = spar__sweeping_play(&s, &cells, err);        once, or once for each list that follows from the last
 *     if (!status && s.reports) ... report
 *     status = spar__sweeping_end(&s, status, err); */
#ifndef SPAR_CLI_SWEEPING_H
#define SPAR_CLI_SWEEPING_H

#include "cli/options.h"
#include "cli/progress.h"
#include "sim/sweep.h"

#define SPAR__OPTION_PART                                                                                              \
    SPAR__TEXT_OPTION("part", "I/N", "play part I of N of the cells only, kept under --out for 'spar merge'")
#define SPAR__OPTION_PLAN_ONLY                                                                                         \
    SPAR__SWITCH_OPTION("plan-only", "print the list of cells (with --part: of the part) and play none")

/* What `spar merge` asks a command to do: to play nothing, and to report what is in these directories. */
struct spar__merge {
    const char *const *dir; /* of --out */
    size_t n_dirs;
};

typedef struct spar__sweeping {
    spar__sweep sweep;
    bool reports;    /* all that there is to report is here: not one part, a list or a helper */
    bool quiet;      /* cells that are there already are usual */
    const char *out; /* --out, or NULL */
    const spar__settings *settings;
    spar__buf dir; /* of cells */
    char **from;
    size_t n_from;
    char **word;
    size_t n_words;
    spar__progress_line progress;
} spar__sweeping;

/* Set where the command runs on several ranks. */
extern const spar__sweep_runner *spar__sweeping_runner;

/* Is this a rank that plays for another one? */
bool spar__sweeping_helps(void);

/* Reads the options. A list of cells is added to `out`. Signals are caught from here on. */
spar_status spar__sweeping_begin(spar__sweeping *s, const spar__settings *settings, spar__buf *out, spar_error *err);

/* The sweep's progress function and its context are set by the caller, or show the progress of this list. */
spar_status spar__sweeping_play(spar__sweeping *s, const spar__cell_list *cells, spar_error *err);

/* " and the same command continues from there", where that is so. */
const char *spar__sweeping_continues(const spar__sweeping *s);

/* Says what there is to say, and frees all. What is complete, and reported (status 0), need not be kept. Gives the
 * status, or SPAR_INTERRUPTED for a part that is not complete. */
spar_status spar__sweeping_end(spar__sweeping *s, spar_status status, bool keeps, spar_error *err);

/* Options from a YAML file: the keys are the option names, or their plurals for lists.
 *
 *     environments: [ "utility(set=1good)", "utility(set=arith)" ]
 *     policies:
 *       - ind_self_sparring
 *       - rucb(alpha=0.51)
 *     m: [2, 4]
 *     parameters:
 *       eta: [0.5, 1, 2]
 *     rounds: 20000
 */

/* Adds what the file ("-" is standard input) says to the settings. */
spar_status spar__runfile_load(const char *path, spar__settings *settings, spar_error *err);

/* The same from memory; name is what errors call it. */
spar_status spar__runfile_parse(const char *name, const char *text, size_t length, spar__settings *settings,
                                spar_error *err);

#endif
