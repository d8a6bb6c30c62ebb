#include "cli/run/options.h"

const spar__option spar__run_options[] = {
    SPAR__LIST_OPTION(
        "env", "environments", "E",
        "an environment, see 'spar list envs'; matrix(file=F) is one of your own; several give a result each"),
    SPAR__LIST_OPTION("policy", "policies", "P",
                      "a policy, see 'spar list policies'; several are compared on the same random numbers"),
    SPAR__OPTION_M,
    SPAR__OPTION_FEEDBACK,
    SPAR__OPTION_ROUNDS,
    SPAR__COUNT_OPTION("runs", "N", "100", 1, 10000000, "independent runs, each with arms in a random order"),
    SPAR__OPTION_SEED,
    SPAR__OPTION_THREADS,
    SPAR__OPTION_REGRET("what showing an arm costs, see below"),
    SPAR__COUNT_OPTION("horizon", "T", NULL, 0, SPAR__EXACT,
                       "the number of rounds policies are told; 0 is unknown (default: the value of --rounds)"),
    SPAR__TEXT_OPTION("stop", "RULE",
                      "after every answer: is one arm shown to be best? best(delta=0.05), practical(eps=0.2); end=1 "
                      "ends a run there"),
    SPAR__SWITCH_OPTION("identify",
                        "from which round on is the arm that beats most others a best one in 95 % of the runs?"),
    SPAR__CHOICE_OPTION("readout", "HOW", "copeland", "copeland|pl",
                        "what --identify names: the arm that beats most others, or the strongest by the belief pl"),
    SPAR__LIST_OPTION(
        "snapshots", "snapshots", "T,T,..",
        "with --out: draw what each policy believes after these rounds of the first run; arms need features"),
    SPAR__TEXT_OPTION("out", "DIR", "also write curves.csv, runs.csv and plots there"),
    SPAR__CHOICE_OPTION("band", "BAND", "sd", "sd|quantile|none",
                        "plot: mean +- one sd, median with 5 to 95 %, or the mean alone"),
    SPAR__CHOICE_OPTION("log", "AXES", NULL, "x|y|xy", "plot: logarithmic axes"),
    SPAR__TEXT_OPTION("title", "TEXT", "plot: a title in place of the environment"),
    SPAR__LIST_OPTION("label", "labels", "P=NAME", "plot: what policy P is called in the legend"),
    SPAR__TEXT_OPTION("size", "WxH", "plot: width and height of a panel in pixels, as in 900x460"),
    SPAR__OPTION_JSON,
    {.name = NULL},
};
