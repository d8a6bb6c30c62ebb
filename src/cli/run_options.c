#include "cli/run_options.h"

#include "env/env.h"

#include <string.h>

const spar__option spar__run_options[] = {
    {.name = "env",
     .plural = "environments",
     .kind = SPAR__OPTION_TEXT,
     .metavar = "E",
     .help = "an environment, see 'spar list envs'; matrix(file=F) is one of your own; several give a result each"},
    {.name = "policy",
     .plural = "policies",
     .kind = SPAR__OPTION_TEXT,
     .metavar = "P",
     .help = "a policy, see 'spar list policies'; several are compared on the same luck"},
    SPAR__OPTION_M,
    SPAR__OPTION_FEEDBACK,
    SPAR__OPTION_ROUNDS,
    {.name = "runs",
     .kind = SPAR__OPTION_COUNT,
     .metavar = "N",
     .standard = "100",
     .low = 1,
     .high = 10000000,
     .help = "independent runs, each with arms in a random order"},
    SPAR__OPTION_SEED,
    SPAR__OPTION_THREADS,
    {.name = "regret",
     .kind = SPAR__OPTION_CHOICE,
     .metavar = "KIND",
     .standard = "sum",
     .choices = "sum|weak|best_fixed",
     .help = "over all slots, of the best slot, or against the best arm in hindsight"},
    {.name = "horizon",
     .kind = SPAR__OPTION_COUNT,
     .metavar = "T",
     .high = SPAR__EXACT,
     .help = "the number of rounds policies are told; 0 is unknown (default: the value of --rounds)"},
    {.name = "snapshots",
     .plural = "snapshots",
     .kind = SPAR__OPTION_TEXT,
     .metavar = "T,T,..",
     .help = "with --out: draw what each policy believes after these rounds of the first run; arms need features"},
    {.name = "out",
     .kind = SPAR__OPTION_TEXT,
     .metavar = "DIR",
     .help = "also write curves.csv, runs.csv, regret.svg and regret.png there"},
    {.name = "band",
     .kind = SPAR__OPTION_CHOICE,
     .metavar = "BAND",
     .standard = "sd",
     .choices = "sd|quantile|none",
     .help = "plot: mean +- one sd, median with 5 to 95 %, or the mean alone"},
    {.name = "log",
     .kind = SPAR__OPTION_CHOICE,
     .metavar = "AXES",
     .choices = "x|y|xy",
     .help = "plot: logarithmic axes"},
    SPAR__OPTION_JSON,
    {.name = NULL},
};

spar_plan spar__plan_of(const spar__settings *settings, const char *env)
{
    const char *feedback = spar__setting_text(settings, "feedback");
    return (spar_plan){
        .env = env,
        .feedback = feedback ? feedback : spar__env_feedback(env),
        .m = (size_t)spar__setting_number(settings, "m"),
        .rounds = spar__setting_number(settings, "rounds"),
        .runs = spar__setting_number(settings, "runs"),
        .seed = spar__setting_number(settings, "seed"),
        .threads = (size_t)spar__setting_number(settings, "threads"),
        .horizon_known = true,
    };
}

spar_status spar__check_out(const spar__settings *settings, spar_error *err)
{
    const char *dir = spar__setting_text(settings, "out");
    if (dir && strcmp(dir, "-") == 0)
        return spar__fail(err, SPAR_INVALID, "%s: --out takes a directory, not '-'", settings->command->name);
    return SPAR_OK;
}
