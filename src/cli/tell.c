/* tell.c - spar tell: the answer to a screen. */
#include "base/number.h"
#include "cli/common.h"
#include "cli/experiment.h"

#include <string.h>

/* Behind FILE: SCREEN, then, with --skip, why. */
static spar_status read_operands(const spar__settings *settings, spar__told *told, spar_error *err)
{
    size_t at = 1, n = settings->n_operands;
    if (at < n && spar__parse_u64(settings->operand[at], &told->screen)) {
        if (told->screen == 0)
            return spar__fail(err, SPAR_INVALID, "tell: screens are numbered from 1");
        at++;
    }
    if (at < n && told->skip && !told->comment)
        told->comment = settings->operand[at++];
    if (at < n && at == 1)
        return spar__fail(err, SPAR_INVALID, "tell: '%.80s' is not the number of a screen", settings->operand[at]);
    if (at < n && told->skip)
        return spar__fail(err, SPAR_INVALID, "tell: did not expect '%.80s'; put the whole reason in quotes",
                          settings->operand[at]);
    if (at < n)
        return spar__fail(err, SPAR_INVALID, "tell: did not expect '%.80s'; usage: spar tell %s", settings->operand[at],
                          settings->command->operands);
    return SPAR_OK;
}

static spar_status read_told(const spar__settings *settings, spar__told *told, spar_error *err)
{
    *told = (spar__told){.voter = spar__setting_text(settings, "voter"),
                         .winner = spar__setting_text(settings, "winner"),
                         .ranking = spar__setting_text(settings, "ranking"),
                         .pairs = spar__setting_text(settings, "pairs"),
                         .tie = spar__setting_number(settings, "tie") != 0,
                         .bad = spar__setting_number(settings, "bad") != 0,
                         .skip = spar__setting_number(settings, "skip") != 0,
                         .undo = spar__setting_number(settings, "undo") != 0,
                         .comment = spar__setting_text(settings, "comment"),
                         .key = spar__setting_text(settings, "key"),
                         .has_taken = spar__setting_of(settings, "taken")->n > 0,
                         .has_revision = spar__setting_of(settings, "revision")->n > 0,
                         .revision = (uint32_t)spar__setting_number(settings, "revision"),
                         .taken = (uint32_t)spar__setting_number(settings, "taken")};
    return read_operands(settings, told, err);
}

static spar_status tell_once(const spar__settings *settings, spar_experiment *experiment, const spar__told *told,
                             spar__buf *out, spar_error *err)
{
    spar__told_reply reply;
    spar__json json = {.out = out};
    spar_status status = spar__told_do(experiment, told, &reply, err);
    if (status)
        return status;
    if (!spar__setting_number(settings, "json")) {
        spar__told_text(&reply, out);
        return SPAR_OK;
    }
    spar__json_begin_object(&json);
    spar__told_json(&reply, &json);
    spar__json_end_object(&json);
    spar__buf_adds(out, "\n");
    return SPAR_OK;
}

static spar_status tell(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    spar_experiment *experiment = NULL;
    spar__told told = {0};
    bool pipe = settings->n_operands == 2 && strcmp(settings->operand[1], "-") == 0;
    spar_status status = spar__need_operands(settings, 1, err);
    if (!status && !pipe)
        status = read_told(settings, &told, err);
    if (!status)
        status = spar__experiment_of(settings, SPAR_EXPERIMENT_WRITE, &experiment, err);
    if (!status && pipe)
        status = spar__pipe_run(experiment, "tell", spar__setting_text(settings, "voter"), err);
    else if (!status)
        status = tell_once(settings, experiment, &told, out, err);
    spar_experiment_close(experiment);
    return status;
}

static const spar__option options[] = {
    SPAR__TEXT_OPTION("winner", "X", "the best of the screen: the id of an option, or a place (A, B, ...)"),
    SPAR__TEXT_OPTION("ranking", "R", "some or all, the best first, '=' between equal ones, as in B,A=C"),
    SPAR__TEXT_OPTION("pairs", "P", "pairs, as in 'A>B,C=B'"),
    SPAR__SWITCH_OPTION("tie", "all are equal"),
    SPAR__SWITCH_OPTION("bad", "none is acceptable"),
    SPAR__SWITCH_OPTION("skip", "no answer; why may follow behind FILE and SCREEN, in quotes: 'too alike'"),
    SPAR__SWITCH_OPTION("undo", "take the answer back, the voter's last one without SCREEN"),
    SPAR__TEXT_OPTION("voter", "V", "who answers; without it whoever was asked"),
    SPAR__TEXT_OPTION("comment", "C", "a remark that is kept with the answer"),
    SPAR__COUNT_OPTION("taken", "MS", NULL, 0, UINT32_MAX, "how long it took, in milliseconds"),
    SPAR__COUNT_OPTION("revision", "N", NULL, 0, 3, "change nothing unless the screen has been undone this many times"),
    SPAR__TEXT_OPTION("key", "K", "of an answer to a question asked elsewhere: the same key again is the same answer"),
    SPAR__SWITCH_OPTION("json", "print one line of JSON"),
    {.name = NULL},
};

const spar__command spar__command_tell = {
    .name = "tell",
    .brief = "Tell the answer to a screen, or take it back",
    .operands = "FILE [SCREEN|-] [OPTIONS]",
    .max_operands = 4, /* one more than there are: its error says more */
    .options = options,
    .notes = "When the command ends without an error the answer is on disk. The same answer told twice counts\n"
             "once; a different one is refused. Without SCREEN the voter's only open screen is meant; without one,\n"
             "pairs or a ranking that name options are taken as an answer to a question asked elsewhere.\n"
             "Names are ids of options, or places; where both are possible, ids.\n"
             "'spar tell FILE -' reads answers from standard input, one JSON object a line, and answers each with\n"
             "a line (doc/experiments.md):\n"
             "  {\"screen\":1,\"winner\":\"assam\"}   {\"screen\":2,\"ranking\":\"B,A=C\"}   "
             "{\"screen\":3,\"skip\":\"too alike\"}",
    .example = "spar tell tea.db 1 --winner A",
    .run = tell,
};
