/* judge.c - spar judge: any program as a voter. */
#include "cli/judge/judge.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "cli/common.h"
#include "cli/progress.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static spar_status read_settings(const spar__settings *settings, spar__judging *run, spar_error *err)
{
    const char *terminal = getenv("TERM");
    *run = (spar__judging){.settings = settings,
                           .command = spar__setting_text(settings, "with"),
                           .screens = spar__setting_number(settings, "screens"),
                           .budget = spar__setting_number(settings, "budget"),
                           .until_decided = spar__setting_number(settings, "until-decided") != 0,
                           .swap = spar__setting_number(settings, "swap") != 0,
                           .one_voter = spar__setting_number(settings, "one-voter") != 0,
                           .timeout = 1e9 * (double)spar__setting_number(settings, "timeout"),
                           .restarts = (unsigned)spar__setting_number(settings, "restarts")};
    run->until_decided |= !run->screens;
    run->terminal = isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
    if (!run->command)
        return spar__fail(err, SPAR_INVALID, "judge: which program? usage: spar judge %s", settings->command->operands);
    if (run->swap && run->budget == 1)
        return spar__fail(err, SPAR_INVALID, "judge: with --swap a screen takes two questions, and --budget is 1");
    return SPAR_OK;
}

/* In a space nothing is ever decided. */
static spar_status check_end(const spar__judging *run, spar_error *err)
{
    if (!spar_experiment_axes(run->experiment) || run->screens || run->budget)
        return SPAR_OK;
    return spar__fail(err, SPAR_INVALID,
                      "%s is a space of settings, of which none is ever decided to be best; say --screens N",
                      run->settings->operand[0]);
}

static spar_status name_judge(spar__judging *run, size_t i, spar_error *err)
{
    const char *given = spar__setting_text(run->settings, "name");
    spar__judge *judge = &run->judge[i];
    spar__buf text = {0};
    spar__buf_printf(&text, "%s %zu", given ? given : "judge", i + 1);
    judge->name = text.text;
    if (text.failed)
        return spar__fail_memory(err);
    judge->voter = spar__strdup(!run->one_voter ? text.text : given ? given : "judge");
    return !judge->voter || spar_answer_new(&judge->first) ? spar__fail_memory(err) : SPAR_OK;
}

/* And the screens that an earlier start has left open. */
static spar_status make_judges(spar__judging *run, size_t n, spar_error *err)
{
    run->judge = spar__alloc(n, sizeof *run->judge);
    run->left = spar__alloc(n, SPAR__JUDGE_LEFT * sizeof *run->left);
    spar_status status = run->judge && run->left ? SPAR_OK : spar__fail_memory(err);
    run->n = status ? 0 : n;
    for (size_t i = 0; i < n && !status; i++)
        status = name_judge(run, i, err);
    for (size_t i = 0; i < n && !status; i++)
        spar__judging_find_left(run, run->judge[i].voter);
    return status;
}

static void free_judges(spar__judging *run)
{
    for (size_t i = 0; i < run->n; i++) {
        spar__judge *judge = &run->judge[i];
        spar__child_kill(&judge->child);
        spar_screen_free(judge->screen);
        spar_answer_free(judge->first);
        spar__free(judge->comment);
        spar__free(judge->name);
        spar__free(judge->voter);
    }
    spar__free(run->judge);
    spar__free(run->left);
    spar_answer_free(run->answer);
    spar_experiment_close(run->experiment);
}

static void print(const spar__judging *run, spar__buf *out)
{
    spar__json json = {.out = out};
    if (!spar__setting_number(run->settings, "json")) {
        spar__judging_text(run, out);
        return;
    }
    spar__json_begin_object(&json);
    spar__judging_json(run, &json);
    spar__json_end_object(&json);
    spar__buf_adds(out, "\n");
}

/* A judge that does not read any more must not end this program. */
static spar_status run_judges(spar__judging *run, spar_error *err)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    (void)sigemptyset(&ignore.sa_mask);
    (void)sigaction(SIGPIPE, &ignore, &before);
    spar__stop_catch();
    run->started = run->shown = spar__clock_wall();
    spar_status status = spar__judging_loop(run, err);
    (void)sigaction(SIGPIPE, &before, NULL);
    return status;
}

/* Those that did not come to a good end. */
static spar_status say_end(const spar__judging *run, spar_error *err)
{
    if (run->end == SPAR__JUDGE_STOPPED)
        return spar__fail(err, SPAR_INTERRUPTED,
                          "interrupted; what is counted is saved, and open screens are asked again at the next start");
    if (run->end == SPAR__JUDGE_NO_JUDGES)
        return spar__fail(err, SPAR_IO, "judge: no judge is left: all failed too often (--restarts %u)", run->restarts);
    bool seen = run->why.status == SPAR_ALL_SEEN && !spar__no_item_serves(run->experiment);
    if (run->end == SPAR__JUDGE_NO_SCREENS && !seen && !spar__judging_counts(run).answers)
        return spar__fail(err, run->why.status, "%s", run->why.text);
    return SPAR_OK;
}

static spar_status judge(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    spar__judging run;
    spar_status status = spar__need_operands(settings, 1, err);
    if (!status)
        status = read_settings(settings, &run, err);
    if (status)
        return status;
    status = spar__experiment_of(settings, SPAR_EXPERIMENT_WRITE, &run.experiment, err);
    if (!status)
        status = check_end(&run, err);
    if (!status && spar_answer_new(&run.answer))
        status = spar__fail_memory(err);
    if (!status)
        status = make_judges(&run, spar__setting_number(settings, "jobs"), err);
    if (!status) {
        status = run_judges(&run, err);
        print(&run, out); /* of an error in the middle, too, where it can be printed */
        if (!status)
            status = say_end(&run, err);
    }
    free_judges(&run);
    return status;
}

static const spar__option options[] = {
    SPAR__TEXT_OPTION("with", "COMMAND", "the program, as the shell would start it"),
    SPAR__COUNT_OPTION("jobs", "N", "1", 1, 256, "how many judges work at the same time"),
    SPAR__COUNT_OPTION("screens", "N", NULL, 1, SPAR__EXACT, "stop after that many answers"),
    SPAR__SWITCH_OPTION("until-decided", "stop when the answers decide; the default without --screens"),
    SPAR__SWITCH_OPTION("swap", "ask every screen again with the places reversed; if the answer changes it is a tie"),
    SPAR__COUNT_OPTION("budget", "N", NULL, 1, SPAR__EXACT, "ask at most that many questions, repeated ones included"),
    SPAR__COUNT_OPTION("timeout", "S", "60", 1, 86400, "seconds that a judge may take for an answer"),
    SPAR__COUNT_OPTION("restarts", "N", "3", 0, 1000000, "how often each judge is started again after it failed"),
    SPAR__TEXT_OPTION("name", "NAME", "the voters are called 'NAME 1', 'NAME 2', ... (default: judge)"),
    SPAR__SWITCH_OPTION("one-voter", "all are the voter NAME: with items, each item is then judged once"),
    SPAR__SWITCH_OPTION("json", "print one line of JSON"),
    {.name = NULL},
};

const spar__command spar__command_judge = {
    .name = "judge",
    .brief = "Let programs answer the screens: a language model, a script, a metric",
    .operands = "FILE --with COMMAND [OPTIONS]",
    .max_operands = 1,
    .options = options,
    .notes =
        "COMMAND reads a screen a line, as 'spar ask --json' prints it, and writes an answer a line:\n"
        "  {\"screen\":1,\"winner\":\"A\"}   or  \"ranking\":\"B,A=C\"   \"tie\":true   \"bad\":true   "
        "\"skip\":\"why\"\n"
        "in terms of places. A judge that ends, takes too long or writes anything else is started again, and\n"
        "its screen is asked again; a failure is never an answer. Ctrl-C loses nothing: screens that are open are\n"
        "asked again at the next start with the same --name (doc/evaluating-models.md).",
    .example = "spar judge tea.db --with 'python3 examples/judge.py' --jobs 4 --swap --screens 200",
    .run = judge,
};
