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
#include "report/status_report.h"
#include "text/json_read.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum { LINE_BYTES = 1 << 16 };

enum { ASK = 1, TELL = 2, UNDO = 4, STATUS = 8, VERBS = 4 };
static const char *const verb_name[VERBS] = {"ask", "tell", "undo", "status"};

/* What a request may have, and which of them. */
static const struct {
    const char *name;
    unsigned verbs;
} member[] = {
    {"do", ASK | TELL | UNDO | STATUS},
    {"voter", ASK | TELL | UNDO},
    {"screen", TELL | UNDO},
    {"revision", TELL | UNDO},
    {"winner", TELL},
    {"ranking", TELL},
    {"pairs", TELL},
    {"tie", TELL},
    {"bad", TELL},
    {"skip", TELL},
    {"comment", TELL},
    {"taken", TELL},
    {"key", TELL},
};
enum { MEMBERS = sizeof member / sizeof *member };

typedef struct request_pipe {
    spar_experiment *experiment;
    const char *verb, *voter;
    size_t line; /* of the input */
} request_pipe;

static spar_status check_member(const char *key, unsigned verb, const char *name, spar_error *err)
{
    spar__buf list = {0};
    size_t known = MEMBERS;
    for (size_t i = 0; i < MEMBERS; i++) {
        if (strcmp(member[i].name, key) == 0)
            known = i;
        if (member[i].verbs & verb)
            spar__buf_printf(&list, "%s%s", list.length ? ", " : "", member[i].name);
    }
    spar_status status = SPAR_OK;
    if (list.failed)
        status = spar__fail_memory(err);
    else if (known == MEMBERS || !(member[known].verbs & verb))
        status = spar__fail(err, SPAR_PARSE, "%s '%.80s' in a request to %s; expected some of %s",
                            known == MEMBERS ? "unknown member" : "did not expect", key, name, list.text);
    spar__buf_free(&list);
    return status;
}

static spar_status reply_ask(const request_pipe *pipe, const char *voter, spar__json *json, spar_error *err)
{
    spar_screen *screen = NULL;
    spar_status status = spar_experiment_ask(pipe->experiment, voter ? voter : "", &screen, err);
    if (!status)
        status = spar__screen_json(pipe->experiment, screen, json, err);
    spar_screen_free(screen);
    return status;
}

static spar_status reply_tell(const request_pipe *pipe, const spar__json_tree *tree, spar__told *told, spar__json *json,
                              spar_error *err)
{
    spar__told_reply reply;
    spar_status status = spar__told_read(tree, told, err);
    if (!status)
        status = spar__told_do(pipe->experiment, told, &reply, err);
    if (!status)
        spar__told_json(&reply, json);
    return status;
}

static spar_status reply_status(const request_pipe *pipe, spar__json *json, spar_error *err)
{
    spar_status status = spar_experiment_refresh(pipe->experiment, err);
    return status ? status : spar__status_json(pipe->experiment, false, SPAR__STANDINGS_AUTO, json, err);
}

/* What the request wants, which must be all that it has. */
static spar_status read_verb(const request_pipe *pipe, const spar__json_tree *tree, unsigned *verb, spar_error *err)
{
    const spar__json_node *root = spar__json_root(tree);
    const char *name = NULL;
    spar_status status = spar__json_read_text(tree, "do", &name, err);
    if (status)
        return status;
    name = name ? name : pipe->verb;
    *verb = 0;
    for (size_t i = 0; i < VERBS; i++)
        if (strcmp(verb_name[i], name) == 0)
            *verb = 1u << i;
    if (!*verb)
        return spar__fail(err, SPAR_PARSE, "'do' is '%.40s', expected ask, tell, undo or status", name);
    for (const spar__json_node *node = spar__json_first(tree, root); node && !status;
         node = spar__json_next(tree, node))
        status = check_member(spar__json_key_of(tree, node), *verb, name, err);
    return status;
}

static spar_status reply_to(const request_pipe *pipe, const spar__json_tree *tree, spar__json *json, spar_error *err)
{
    unsigned verb;
    const char *voter = NULL;
    spar_status status = read_verb(pipe, tree, &verb, err);
    if (!status)
        status = spar__json_read_text(tree, "voter", &voter, err);
    if (status)
        return status;
    spar__told told = {.voter = voter ? voter : pipe->voter, .undo = verb == UNDO};
    return verb == ASK      ? reply_ask(pipe, told.voter, json, err)
           : verb == STATUS ? reply_status(pipe, json, err)
                            : reply_tell(pipe, tree, &told, json, err);
}

static spar_status read_request(const request_pipe *pipe, const char *line, size_t length, spar__json *json,
                                spar_error *err)
{
    spar__json_tree tree = {0};
    spar_status status = spar__json_tree_parse(&tree, line, length, "standard input", pipe->line, err);
    if (!status && spar__json_root(&tree)->kind != SPAR__JSON_OBJECT)
        status = spar__fail(err, SPAR_PARSE, "standard input:%zu: expected an object, {...}", pipe->line);
    if (!status)
        status = reply_to(pipe, &tree, json, err);
    spar__json_tree_free(&tree);
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
