/* exchange.c - imports and exports, in the formats of `spar import` and `spar export`. */
#include "live/exchange/exchange.h"
#include "live/items/items.h"
#include "service/server.h"
#include "text/json.h"
#include "text/votes.h"

#include <string.h>
#include <time.h>

/* --- import --- */

/* Votes first: the import waits while the writer has something to do. */
static bool give_way(void *context, uint64_t done, uint64_t total)
{
    spar__service *service = context;
    const struct timespec pause = {0, 5000000};
    (void)done;
    (void)total;
    for (int i = 0; i < 20 && service->writer.waiting; i++)
        (void)nanosleep(&pause, NULL);
    return !service->transfer.stopping;
}

static spar_status run_reader(spar__call *call, spar_experiment *experiment, const spar__import_reader *reader,
                              spar_error *err)
{
    spar__import_job job = {.experiment = experiment,
                            .add_options = spar__call_query_flag(call, "add_options"),
                            .progress = give_way,
                            .context = call->service};
    spar_status status = spar__import_run(&job, reader, err);
    spar__json json = {.out = &call->reply.body};
    if (status)
        return status;
    spar__import_json(&job, &json);
    return spar__reply_json(&call->reply, 200);
}

/* The log of this experiment, of which it may not have all; or the answers of another one. */
static spar_status import_log(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    spar__history *history = NULL;
    spar__restore_target target = SPAR__RESTORE_OTHER;
    const char *where = call->hosted->where;
    spar_status status = spar__history_of_text(call->body.text, call->body.length, "body", &history, err);
    if (!status)
        status = spar__restore_look(where, history, &target, err);
    if (!status && target == SPAR__RESTORE_OTHER) {
        spar__import_log log = {history, "body"};
        spar__import_reader reader = spar__import_answers(&log);
        status = run_reader(call, experiment, &reader, err);
    } else if (!status) {
        spar__restore_job job = {.progress = give_way, .context = call->service};
        spar__json json = {.out = &call->reply.body};
        status = spar__restore(&job, where, history, err);
        if (!status)
            spar__restore_json(&job, &json);
        if (!status)
            status = spar__reply_json(&call->reply, 200);
    }
    spar__history_free(history);
    return status;
}

static spar_status parse_votes(const char *format, const char *text, size_t length, spar__votes *votes, spar_error *err)
{
    const spar__votes_columns columns = {0};
    size_t line = 0;
    spar__votes_form form = spar__votes_guess(text, length, &line);
    if (strcmp(format, "arena") == 0 && form != SPAR__VOTES_JSON && form != SPAR__VOTES_EMPTY)
        form = SPAR__VOTES_CSV;
    if (strcmp(format, "lines") == 0 || strcmp(format, "preflib") == 0)
        form = *format == 'l' ? SPAR__VOTES_LINES : SPAR__VOTES_PREFLIB;
    switch (form) {
    case SPAR__VOTES_EMPTY:
        return SPAR_OK;
    case SPAR__VOTES_CSV:
        return spar__votes_parse_csv(text, length, "body", &columns, votes, err);
    case SPAR__VOTES_JSON:
        return spar__votes_parse_json(text, length, "body", &columns, votes, err);
    case SPAR__VOTES_LINES:
        return spar__votes_parse_lines(text, length, "body", votes, err);
    case SPAR__VOTES_PREFLIB:
        return spar__preflib_parse(text, length, "body", votes, err);
    default:
        return spar__fail(err, SPAR_PARSE,
                          "cannot tell the form of the body; doc/exchange.md has those that are known");
    }
}

spar_status spar__route_import(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    const char *format = spar__call_query(call, "format");
    spar_status status = SPAR_OK;
    spar__buf_add(&call->body, "", 0); /* never NULL */
    spar__import_text text = {call->body.text, "body", call->body.length};
    const spar__import_reader csv = spar__import_csv(&text);
    bool guess = !format || strcmp(format, "auto") == 0;
    format = format ? format : "auto";
    if (call->body.failed) {
        status = spar__fail_memory(err);
    } else if (strcmp(format, "jsonl") == 0 || (guess && spar__history_is_log(call->body.text, call->body.length))) {
        status = import_log(call, experiment, err);
    } else if (strcmp(format, "csv") == 0 || (guess && spar__import_is_csv(call->body.text, call->body.length))) {
        status = run_reader(call, experiment, &csv, err);
    } else {
        spar__votes votes = {0};
        spar__import_ballots ballots = {&votes, "body"};
        const spar__import_reader reader = spar__import_votes(&ballots);
        status = parse_votes(format, call->body.text, call->body.length, &votes, err);
        if (!status)
            status = run_reader(call, experiment, &reader, err);
        spar__votes_free(&votes);
    }
    return status == SPAR_UNKNOWN ? SPAR_INVALID : status; /* an option that is not known: the body is at fault */
}

/* --- export --- */

static const struct download_format {
    const char *name, *type, *filename;
    spar_status (*write)(spar__export *export, spar_error *err);
} formats[] = {
    {"jsonl", "application/jsonl", "answers.jsonl", spar__export_jsonl},
    {"csv", "text/csv; charset=utf-8", "answers.csv", spar__export_csv},
    {"arena", "text/csv; charset=utf-8", "arena.csv", spar__export_arena},
    {"preflib", "text/plain; charset=utf-8", "answers.preflib", spar__export_preflib},
    {"dpo", "application/jsonl", "preferences.jsonl", spar__export_dpo},
};

static bool goes_on(void *context, uint64_t done, uint64_t total)
{
    (void)done;
    (void)total;
    return !((spar__service *)context)->transfer.stopping;
}

/* Into a file without a name: a log may be larger than memory. */
spar_status spar__route_export(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    const struct download_format *format = formats;
    const char *wanted = spar__call_query(call, "format");
    (void)experiment;
    while (wanted && strcmp(format->name, wanted) != 0)
        format++; /* it is one of them: the query was checked */
    spar__export export = {
        .names = spar__call_query_flag(call, "names"), .progress = goes_on, .context = call->service};
    spar_status status = spar__history_open(call->hosted->where, NULL, NULL, &export.history, err);
    call->reply.file = export.stream = status ? NULL : tmpfile();
    if (!status && !export.stream)
        status = spar__fail(err, SPAR_IO, "there is no place for a temporary file");
    if (!status)
        status = format->write(&export, err);
    spar__history_free(export.history);
    spar__buf_free(&export.notes);
    if (status)
        return status;
    call->reply.type = format->type;
    call->reply.filename = format->filename;
    call->reply.status = 200;
    return SPAR_OK;
}

/* --- items: prompts with one output of each option, as `spar add --items` takes them --- */

spar_status spar__route_add_items(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    spar__item_list list = {0};
    spar__items_added result = {0};
    spar_error why = {0};
    spar__buf_add(&call->body, "", 0); /* never NULL */
    spar_status status = call->body.failed ? spar__fail_memory(&why)
                                           : spar__items_read(call->body.text, call->body.length, "body", &list, &why);
    if (!status)
        status = spar__live_add_items(experiment, list.n, (const spar_item *const *)list.item, &result, &why);
    if (!status) {
        spar__json json = {.out = &call->reply.body};
        spar__json_begin_object(&json);
        spar__json_add_unsigned(&json, "added", result.added);
        spar__json_add_unsigned(&json, "changed", result.changed);
        spar__json_add_unsigned(&json, "items", spar_experiment_items(experiment));
        spar__json_end_object(&json);
        status = spar__reply_json(&call->reply, 200);
    } else { /* an option that is not known: the body is at fault */
        bool line = status != SPAR_PARSE && result.at < list.n;
        status = status == SPAR_UNKNOWN ? SPAR_INVALID : status;
        status = line ? spar__fail(err, status, "body:%zu: %s", list.line[result.at], why.text)
                      : spar__fail(err, status, "%s", why.text);
    }
    spar__item_list_free(&list);
    return status;
}
