#include "cli/common.h"

#include "base/buf.h"
#include "env/env.h"
#include "sim/sim.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

spar_plan spar__plan_of(const spar__settings *settings, const char *env)
{
    const char *feedback = spar__setting_text(settings, "feedback");
    spar_regret regret = SPAR_REGRET_SUM;
    while (spar__setting_find(settings, "regret") && !spar__setting_is(settings, "regret", spar__regret_name(regret)))
        regret++;
    return (spar_plan){
        .size = sizeof(spar_plan),
        .env = env,
        .feedback = feedback ? feedback : spar__env_feedback(env),
        .m = (size_t)spar__setting_number(settings, "m"),
        .rounds = spar__setting_number(settings, "rounds"),
        .runs = spar__setting_number(settings, "runs"),
        .seed = spar__setting_number(settings, "seed"),
        .threads = (size_t)spar__setting_number(settings, "threads"),
        .horizon = SPAR_HORIZON_ROUNDS,
        .regret = regret,
    };
}

spar_status spar__check_out(const spar__settings *settings, spar_error *err)
{
    const char *dir = spar__setting_text(settings, "out");
    if (dir && strcmp(dir, "-") == 0)
        return spar__fail(err, SPAR_INVALID, "%s: --out takes a directory, not '-'", settings->command->name);
    return SPAR_OK;
}

const char spar__chance_note[] = "+-: one standard error of the difference, run by run; within two it may be chance\n";

void spar__note(const char *format, ...)
{
    char text[1 << 12];
    spar__buf shown = {0};
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    spar__buf_add_printable(&shown, text);
    if (!shown.failed)
        (void)fprintf(stderr, "spar: note: %s\n", shown.text);
    spar__buf_free(&shown);
}

void spar__plan_text(const spar_plan *plan, spar__buf *out)
{
    spar__buf_add_printable(out, plan->env);
    spar__buf_printf(out, "\nm = %zu, ", plan->m);
    spar__buf_add_printable(out, plan->feedback);
    spar__buf_printf(out, ", %" PRIu64 " round%s, ", plan->rounds, spar__plural(plan->rounds));
}
