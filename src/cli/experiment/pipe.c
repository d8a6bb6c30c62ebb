/* Requests and replies as JSON lines: any language can drive an experiment through one process.
 *
 *     {"do": "ask", "voter": "ann"}              {"screen": 1, ..., "options": [{"place": "A", "id": "assam", ...},
 * ...]}
 *     {"do": "tell", "screen": 1, "winner": "A"} {"screen": 1, "saved": true, "again": false}
 *     {"do": "undo", "screen": 1}                {"screen": 1, "undone": true, "again": false, "revision": 1}
 *     {"do": "status"}                           what spar status --json prints
 *     whatever cannot be done                    {"error": "a sentence", "status": "conflict"}
 *
 * Replies come in the order of the requests; one that says "saved" is written when the answer is on disk. */
#include "cli/experiment/experiment.h"

#include "base/file.h"
#include "base/number.h"
#include "cli/status/status.h"
#include "text/json_rows.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { LINE_BYTES = 1 << 16 };

enum { DO, VOTER, SCREEN, REVISION, WINNER, RANKING, PAIRS, TIE, BAD, SKIP, COMMENT, TAKEN, KEY, MEMBERS };

static const char *const member[MEMBERS] = {"do",  "voter", "screen", "revision", "winner", "ranking", "pairs",
                                            "tie", "bad",   "skip",   "comment",  "taken",  "key"};

typedef struct request_pipe {
    spar_experiment *experiment;
    const char *verb, *voter;
    size_t line; /* of the input */
} request_pipe;

static spar_status refuse_member(void *context, const char *key, const char *value, spar_error *err)
{
    (void)context;
    (void)value;
    return spar__fail(err, SPAR_PARSE,
                      "unknown member '%.80s'; expected do, voter, screen, revision, winner, ranking, pairs, tie, bad, "
                      "skip, comment, taken or key",
                      key);
}

static spar_status read_number(const spar__json_rows *rows, size_t key, uint64_t most, uint64_t *out, spar_error *err)
{
    const char *text = spar__json_rows_value(rows, key);
    *out = 0;
    if (!text || (spar__parse_u64(text, out) && *out <= most))
        return SPAR_OK;
    return spar__fail(err, SPAR_PARSE, "'%s' is '%.40s', expected a whole number", member[key], text);
}

/* true and false; a skip may also say why. */
static spar_status read_flag(const spar__json_rows *rows, size_t key, bool *out, spar_error *err)
{
    const char *text = spar__json_rows_value(rows, key);
    *out = text && strcmp(text, "false") != 0;
    if (!text || !*out || strcmp(text, "true") == 0 || key == SKIP)
        return SPAR_OK;
    return spar__fail(err, SPAR_PARSE, "'%s' is '%.40s', expected true or false", member[key], text);
}

static spar_status read_told(const request_pipe *pipe, const spar__json_rows *rows, spar__told *told, spar_error *err)
{
    uint64_t taken = 0, revision = 0;
    const char *skip = spar__json_rows_value(rows, SKIP), *voter = spar__json_rows_value(rows, VOTER);
    *told = (spar__told){.voter = voter ? voter : pipe->voter,
                         .winner = spar__json_rows_value(rows, WINNER),
                         .ranking = spar__json_rows_value(rows, RANKING),
                         .pairs = spar__json_rows_value(rows, PAIRS),
                         .comment = spar__json_rows_value(rows, COMMENT),
                         .key = spar__json_rows_value(rows, KEY),
                         .has_revision = spar__json_rows_value(rows, REVISION) != NULL};
    spar_status status = read_number(rows, SCREEN, UINT64_MAX, &told->screen, err);
    if (!status)
        status = read_number(rows, TAKEN, UINT32_MAX, &taken, err);
    if (!status)
        status = read_number(rows, REVISION, UINT32_MAX, &revision, err);
    if (!status)
        status = read_flag(rows, TIE, &told->tie, err);
    if (!status)
        status = read_flag(rows, BAD, &told->bad, err);
    if (!status)
        status = read_flag(rows, SKIP, &told->skip, err);
    if (told->skip && !told->comment && strcmp(skip, "true") != 0)
        told->comment = skip;
    told->taken = (uint32_t)taken;
    told->revision = (uint32_t)revision;
    return status;
}

static spar_status reply_ask(const request_pipe *pipe, const spar__json_rows *rows, spar__json *json, spar_error *err)
{
    const char *voter = spar__json_rows_value(rows, VOTER);
    spar_screen *screen = NULL;
    voter = voter ? voter : pipe->voter;
    spar_status status = spar_experiment_ask(pipe->experiment, voter ? voter : "", &screen, err);
    if (!status)
        status = spar__screen_json(pipe->experiment, screen, json, err);
    spar_screen_free(screen);
    return status;
}

static spar_status reply_tell(const request_pipe *pipe, const spar__json_rows *rows, bool undo, spar__json *json,
                              spar_error *err)
{
    spar__told told;
    spar__told_reply reply;
    spar_status status = read_told(pipe, rows, &told, err);
    told.undo = undo;
    if (!status)
        status = spar__told_do(pipe->experiment, &told, &reply, err);
    if (!status)
        spar__told_json(&reply, json);
    return status;
}

static spar_status reply_to(const request_pipe *pipe, const spar__json_rows *rows, spar__json *json, spar_error *err)
{
    const char *verb = spar__json_rows_value(rows, DO);
    verb = verb ? verb : pipe->verb;
    if (strcmp(verb, "ask") == 0)
        return reply_ask(pipe, rows, json, err);
    if (strcmp(verb, "tell") == 0 || strcmp(verb, "undo") == 0)
        return reply_tell(pipe, rows, verb[0] == 'u', json, err);
    if (strcmp(verb, "status") == 0) {
        spar_status status = spar_experiment_refresh(pipe->experiment, err);
        return status ? status : spar__status_json(pipe->experiment, false, json, err);
    }
    return spar__fail(err, SPAR_PARSE, "'do' is '%.40s', expected ask, tell, undo or status", verb);
}

static spar_status read_request(const request_pipe *pipe, const char *line, size_t length, spar__json *json,
                                spar_error *err)
{
    spar__json_rows rows = spar__json_rows_of(line, length, "standard input", MEMBERS, member);
    bool more = false;
    rows.scan.number = pipe->line;
    rows.take = refuse_member;
    spar_status status = spar__json_rows_next(&rows, &more, err);
    if (!status && !more)
        status = spar__fail(err, SPAR_PARSE, "standard input:%zu: expected an object, {...}", pipe->line);
    if (!status)
        status = reply_to(pipe, &rows, json, err);
    spar__json_rows_close(&rows);
    return status;
}

static spar_status write_all(const spar__buf *text, spar_error *err)
{
    return text->failed ? spar__fail_memory(err) : spar__file_write("-", text->text, text->length, err);
}

/* One reply for each line. What fails is told to the other side, not to the caller. */
static spar_status answer_line(request_pipe *pipe, const char *line, size_t length, spar_error *err)
{
    spar__buf reply = {0};
    spar__json json = {.out = &reply};
    spar_error problem = {0};
    spar__json_begin_object(&json);
    spar_status status =
        length > LINE_BYTES
            ? spar__fail(&problem, SPAR_PARSE, "standard input:%zu: longer than %d bytes", pipe->line, LINE_BYTES)
            : read_request(pipe, line, length, &json, &problem);
    if (status) {
        spar__buf_clear(&reply);
        json = (spar__json){.out = &reply};
        spar__json_begin_object(&json);
        spar__json_add_string(&json, "error", problem.text[0] ? problem.text : spar_status_text(status));
        spar__json_add_string(&json, "status", spar__status_word(status));
    }
    spar__json_end_object(&json);
    spar__buf_adds(&reply, "\n");
    status = write_all(&reply, err);
    spar__buf_free(&reply);
    return status;
}

static bool is_blank(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] != ' ' && text[i] != '\t' && text[i] != '\r')
            return false;
    return true;
}

/* A line, or as much of one that is too long as shows that it is. */
typedef struct line_input {
    char bytes[1 << 14];
    size_t at, n;
    spar__buf line;
    bool end;
} line_input;

static spar_status fill(line_input *in, spar_error *err)
{
    ssize_t got;
    do
        got = read(STDIN_FILENO, in->bytes, sizeof in->bytes);
    while (got < 0 && errno == EINTR);
    in->at = 0;
    in->n = got > 0 ? (size_t)got : 0;
    in->end = got <= 0;
    return got < 0 ? spar__fail_file(err, "standard input", "read") : SPAR_OK;
}

static spar_status next_line(line_input *in, spar_error *err)
{
    spar__buf_clear(&in->line);
    spar__buf_add(&in->line, "", 0);
    for (;;) {
        spar_status status = in->at == in->n ? fill(in, err) : SPAR_OK;
        if (status || in->end)
            return status;
        const char *from = in->bytes + in->at, *stop = memchr(from, '\n', in->n - in->at);
        size_t length = stop ? (size_t)(stop - from) : in->n - in->at;
        if (in->line.length <= LINE_BYTES)
            spar__buf_add(&in->line, from, length);
        in->at += length + (stop != NULL);
        if (in->line.failed)
            return spar__fail_memory(err);
        if (stop)
            return SPAR_OK;
    }
}

spar_status spar__pipe_run(spar_experiment *experiment, const char *verb, const char *voter, spar_error *err)
{
    request_pipe pipe = {.experiment = experiment, .verb = verb, .voter = voter};
    line_input in = {0};
    spar_status status = SPAR_OK;
    while (!status && !in.end) {
        status = next_line(&in, err);
        pipe.line++;
        if (!status && !is_blank(in.line.text, in.line.length))
            status = answer_line(&pipe, in.line.text, in.line.length, err);
    }
    spar__buf_free(&in.line);
    return status;
}
