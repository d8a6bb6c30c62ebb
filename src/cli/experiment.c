#include "cli/experiment.h"

#include "base/file.h"
#include "cli/common.h"
#include "cli/terminal.h"
#include "report/status.h"
#include "text/image_type.h"
#include "text/json_members.h"
#include "text/option_rows.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { IMAGE_BYTES = 8 << 20 };

spar_status spar__need_operands(const spar__settings *settings, size_t needed, spar_error *err)
{
    const spar__command *command = settings->command;
    if (settings->n_operands >= needed)
        return SPAR_OK;
    return spar__fail(err, SPAR_INVALID, "%s: %s; usage: spar %s %s", command->name,
                      settings->n_operands ? "something is missing" : "the file of an experiment is needed",
                      command->name, command->operands);
}

spar_status spar__experiment_of(const spar__settings *settings, spar_experiment_mode mode, spar_experiment **out,
                                spar_error *err)
{
    *out = NULL;
    spar_status status = spar__need_operands(settings, 1, err);
    return status ? status : spar_experiment_open(settings->operand[0], mode, out, err);
}

static spar_status set_image(spar_option *option, const char *path, spar_error *err)
{
    spar__buf bytes = {0};
    spar_status status = spar__file_read(path, IMAGE_BYTES, &bytes, err);
    const char *type = status ? NULL : spar__image_type(bytes.text ? bytes.text : "", bytes.length);
    if (!status && !type)
        status = spar__fail(err, SPAR_PARSE, "%s: expected an image (PNG, JPEG, GIF, WebP or SVG)", path);
    if (!status)
        status = spar_option_set_image(option, type, (const unsigned char *)bytes.text, bytes.length, err);
    spar__buf_free(&bytes);
    return status;
}

/* The errors of an option do not say where it stands. */
static spar_status add_place(const spar__option_row *row, const char *path, spar_status status, spar_error *err)
{
    if (!status || status == SPAR_NOMEM || !err)
        return status;
    if (row->line)
        return spar__fail(err, status, "%s:%zu: %s", path, row->line, err->text);
    return spar__fail(err, status, "%s: %s", row->image, err->text);
}

static spar_status make_option(const spar__option_rows *rows, size_t i, const char *path, spar_option **out,
                               spar_error *err)
{
    const spar__option_row *row = &rows->row[i];
    spar_status status = spar_option_new(row->id, out, err);
    if (!status && row->title)
        status = spar_option_set_title(*out, row->title, err);
    if (!status && row->body)
        status = spar_option_set_body(*out, row->body, err);
    if (!status && rows->dim)
        status = spar_option_set_features(*out, rows->dim, rows->x + i * rows->dim, err);
    status = add_place(row, path, status, err);
    return !status && row->image ? set_image(*out, row->image, err) : status;
}

static spar_status take_rows(const spar__option_rows *rows, const char *path, spar__option_take *take, void *context,
                             spar_error *err)
{
    spar_status status = SPAR_OK;
    for (size_t i = 0; i < rows->n && !status; i++) {
        spar_option *option = NULL;
        status = make_option(rows, i, path, &option, err);
        if (!status)
            status = add_place(&rows->row[i], path, take(context, option, err), err);
        spar_option_free(option);
    }
    return status;
}

static spar_status take_file(const char *path, spar__option_check *check, spar__option_take *take, void *context,
                             spar_error *err)
{
    spar__option_rows rows;
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    spar_status status = spar__option_rows_load(path, &rows, err);
    if (!status && check)
        status = check(context, &rows, name, err);
    if (!status)
        status = take_rows(&rows, name, take, context, err);
    spar__option_rows_free(&rows);
    return status;
}

spar_status spar__each_option(const spar__settings *settings, size_t first, spar__option_check *check,
                              spar__option_take *take, void *context, spar_error *err)
{
    spar_status status = SPAR_OK;
    for (size_t i = first; i < settings->n_operands && !status; i++) {
        spar_option *option = NULL;
        status = spar_option_new(settings->operand[i], &option, err);
        if (!status)
            status = take(context, option, err);
        spar_option_free(option);
    }
    const char *path = spar__setting_text(settings, "options");
    return status || !path ? status : take_file(path, check, take, context, err);
}

spar_status spar__item_fail(const spar__item_list *list, size_t i, const char *path, spar_status status,
                            spar_error *err)
{
    if (!status || status == SPAR_NOMEM || !err)
        return status;
    return spar__fail(err, status, "%s:%zu: %s", strcmp(path, "-") == 0 ? "standard input" : path, list->line[i],
                      err->text);
}

bool spar__no_item_serves(const spar_experiment *experiment)
{
    return spar_experiment_items(experiment) && !spar_experiment_items_left(experiment, NULL);
}

void spar__note_no_item_serves(const spar_experiment *experiment)
{
    if (spar__no_item_serves(experiment))
        spar__note("no item has outputs of enough live options for a screen: nothing can be compared; 'spar add "
                   "--items' adds outputs");
}

/* "conflict" for SPAR_CONFLICT. */
static const char *status_word(spar_status status)
{
    switch (status) {
    case SPAR_OK:
        return "ok";
    case SPAR_NOMEM:
        return "memory";
    case SPAR_INVALID:
        return "invalid";
    case SPAR_PARSE:
        return "parse";
    case SPAR_UNKNOWN:
        return "unknown";
    case SPAR_UNSUPPORTED:
        return "unsupported";
    case SPAR_IO:
        return "io";
    case SPAR_CORRUPT:
        return "corrupt";
    case SPAR_INTERRUPTED:
        return "interrupted";
    case SPAR_CONFLICT:
        return "conflict";
    case SPAR_BUSY:
        return "busy";
    case SPAR_FULL:
        return "full";
    case SPAR_ALL_SEEN:
        return "all_seen";
    }
    return "unknown";
}

void spar__hash_text(const unsigned char hash[SPAR_HASH_SIZE], char text[2 * SPAR_HASH_SIZE + 1])
{
    for (size_t i = 0; i < SPAR_HASH_SIZE; i++)
        (void)snprintf(text + 2 * i, 3, "%02x", hash[i]);
}

void spar__shell_word(const char *word, spar__buf *out)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./#:-";
    bool quoted = !*word || word[strspn(word, plain)];
    if (quoted)
        spar__buf_adds(out, "'");
    for (const char *quote; (quote = strchr(word, '\'')); word = quote + 1) {
        spar__buf head = {0};
        spar__buf_add(&head, word, (size_t)(quote - word));
        spar__buf_add_printable(out, head.text ? head.text : "");
        spar__buf_free(&head);
        spar__buf_adds(out, "'\\''");
    }
    spar__buf_add_printable(out, word);
    if (quoted)
        spar__buf_adds(out, "'");
}

spar_status spar__remove_texts(const spar__settings *settings, spar__text_remover *remove, const char *word,
                               const char *the_rest, spar__buf *out, spar_error *err)
{
    spar_experiment *experiment = NULL;
    size_t removed = 0;
    spar_status status = spar__need_operands(settings, 2, err);
    if (!status)
        status = spar__experiment_of(settings, SPAR_EXPERIMENT_WRITE, &experiment, err);
    if (!status)
        status = remove(experiment, settings->operand[1], &removed, err);
    if (!status && removed == 0) /* an earlier call had to leave old bytes behind */
        spar__buf_adds(out, "completed: nothing is left in the file of what was removed before\n");
    else if (!status)
        spar__buf_printf(out, "%s: %zu %s removed from the file; %s\n", word, removed, removed == 1 ? "text" : "texts",
                         the_rest);
    spar_experiment_close(experiment);
    return status;
}

/* A screen, and what became of an answer to it, for people. */

enum { BODY_LINES = 12, TITLE_LINES = 4, QUESTION_LINES = 8 };

enum { INDENT = 5 };

/* An image cannot be shown here. */
static void add_image(const spar_option *option, spar__buf *out)
{
    const char *type = spar_option_image_type(option);
    size_t length = 0;
    if (!type)
        return;
    (void)spar_option_image(option, &length);
    spar__buf_printf(out, "%*s(%s, %zu KB)\n", INDENT, "", type, (length + 1023) / 1024);
}

/* Two columns further in than its title. */
static void add_body(const char *body, size_t width, spar__buf *out)
{
    if (!body)
        return;
    spar__buf_printf(out, "%*s", INDENT, "");
    spar__wrap(*body ? body : "(empty)", width ? width : 80, INDENT, INDENT, BODY_LINES, out);
    spar__buf_adds(out, "\n");
}

static void add_option(const spar_screen *screen, size_t place, size_t width, bool styled, spar__buf *out)
{
    const spar_option *option = spar_screen_option(screen, place);
    char name[SPAR__PLACE_SIZE];
    spar__place_name(place, name);
    spar__buf_printf(out, "  %s%-2s%s ", styled ? "\033[1m" : "", name, styled ? "\033[0m" : "");
    spar__wrap(option ? spar_option_title(option) : "(removed)", width, INDENT, INDENT, TITLE_LINES, out);
    spar__buf_adds(out, "\n");
    if (option && spar_screen_item(screen) == SPAR_NO_ITEM)
        add_image(option, out);
    add_body(spar_screen_body(screen, place), width, out);
}

static void add_item(const spar_screen *screen, size_t width, spar__buf *out)
{
    const char *id = spar_screen_item_id(screen), *prompt = spar_screen_prompt(screen);
    spar__buf_adds(out, "item ");
    spar__buf_add_printable(out, id ? id : "(removed)");
    spar__buf_adds(out, "\n");
    if (prompt) {
        spar__wrap(prompt, width ? width : 80, 0, 0, BODY_LINES, out);
        spar__buf_adds(out, "\n");
    }
}

void spar__screen_text(const spar_experiment *experiment, const spar_screen *screen, size_t width, bool styled,
                       spar__buf *out)
{
    const char *question = spar_experiment_question(experiment);
    spar__buf_printf(out, "screen %" PRIu64 "\n", spar_screen_number(screen));
    if (question) {
        spar__wrap(question, width, 0, 0, QUESTION_LINES, out);
        spar__buf_adds(out, "\n");
    }
    if (spar_screen_item(screen) != SPAR_NO_ITEM)
        add_item(screen, width, out);
    for (size_t place = 0; place < spar_screen_slots(screen); place++)
        add_option(screen, place, width, styled, out);
}

void spar__told_text(const spar__told_reply *reply, spar__buf *out)
{
    if (reply->undone)
        spar__buf_printf(out, "screen %" PRIu64 ": %s\n", reply->screen,
                         reply->again ? "the answer was taken back already, nothing changed"
                                      : "the answer is taken back; the screen can be answered again");
    else if (reply->screen)
        spar__buf_printf(out, "screen %" PRIu64 ": %s\n", reply->screen,
                         reply->again ? "saved already, nothing changed" : "saved");
    else
        spar__buf_printf(out, "%s\n",
                         reply->again ? "imported already, nothing changed" : "imported: an answer without a screen");
}

static const uint64_t ALL = 1000000;

void spar__share_begin(spar__share_line *line, const char *what)
{
    spar__stop_catch();
    spar__progress_begin(&line->line, what);
    line->line.unit = NULL;
}

bool spar__share_show(void *context, double share)
{
    spar__share_line *line = context;
    double done = share < 0 ? 0 : share > 1 ? 1 : share;
    return spar__progress_show(&line->line, (uint64_t)(done * (double)ALL), ALL);
}

void spar__share_end(spar__share_line *line)
{
    spar__progress_end(&line->line);
}

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
        spar__json_add_string(&json, "status", status_word(status));
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
