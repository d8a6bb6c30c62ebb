/* common.h - options that several commands have in common. */
#ifndef SPAR_CLI_COMMON_H
#define SPAR_CLI_COMMON_H

#include "cli/options.h"

#include <spar/sim.h>

#define SPAR__EXACT ((uint64_t)1 << 53) /* counts become doubles in reports */

#define SPAR__OPTION_M                                                                                                 \
    {                                                                                                                  \
        .name = "m", .kind = SPAR__OPTION_COUNT, .metavar = "M", .standard = "2", .low = 1, .high = 1000000,           \
        .help = "slots: how many arms are shown together"                                                              \
    }
#define SPAR__OPTION_FEEDBACK                                                                                          \
    {                                                                                                                  \
        .name = "feedback", .kind = SPAR__OPTION_TEXT, .metavar = "F",                                                 \
        .help = "the kind of feedback, see 'spar list feedback' (default: all_pairs; for rankers: multileave)"         \
    }
#define SPAR__OPTION_ROUNDS                                                                                            \
    {                                                                                                                  \
        .name = "rounds", .kind = SPAR__OPTION_COUNT, .metavar = "T", .standard = "20000", .low = 1,                   \
        .high = SPAR__EXACT, .help = "rounds in a run"                                                                 \
    }
#define SPAR__OPTION_SEED                                                                                              \
    {                                                                                                                  \
        .name = "seed", .kind = SPAR__OPTION_COUNT, .metavar = "S", .standard = "1", .high = UINT64_MAX,               \
        .help = "same seed, same results, whatever the number of threads"                                              \
    }
#define SPAR__OPTION_THREADS                                                                                           \
    {                                                                                                                  \
        .name = "threads", .kind = SPAR__OPTION_COUNT, .metavar = "J", .standard = "0", .high = 4096,                  \
        .help = "threads; 0 is one per core"                                                                           \
    }
#define SPAR__OPTION_JSON                                                                                              \
    {                                                                                                                  \
        .name = "json", .kind = SPAR__OPTION_SWITCH, .help = "print JSON instead of a table"                           \
    }

/* A plan from the options above and --runs; the caller adds the policies. */
spar_plan spar__plan_of(const spar__settings *settings, const char *env);

/* --out must name a directory. */
spar_status spar__check_out(const spar__settings *settings, spar_error *err);

#endif
