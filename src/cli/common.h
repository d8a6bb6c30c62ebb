/* common.h - options that several commands have in common. */
#ifndef SPAR_CLI_COMMON_H
#define SPAR_CLI_COMMON_H

#include "cli/options.h"
#include "sim/sim.h"

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

#endif
