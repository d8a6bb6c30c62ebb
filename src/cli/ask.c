/* ask.c - spar ask and spar tell: what to show next, and what was said of it; once, or as a pipe of JSON lines through
 * which any language can drive an experiment by one process:
 *
 *     {"do": "ask", "voter": "ann"}              {"screen": 1, ..., "options": [{"place": "A", "id": "assam", ...},
 * ...]}
 *     {"do": "tell", "screen": 1, "winner": "A"} {"screen": 1, "saved": true, "again": false}
 *     {"do": "undo", "screen": 1}                {"screen": 1, "undone": true, "again": false, "revision": 1}
 *     {"do": "status"}                           what spar status --json prints
 *     whatever cannot be done                    {"error": "a sentence", "status": "conflict"}
 *
 * Replies come in the order of the requests; one that says "saved" is written when the answer is on disk. A line is
 * read in bounded pieces, so that memory does not grow with what is sent. */
#include "base/buf.h"
#include "base/file.h"
#include "cli/common.h"
#include "cli/experiment.h"
#include "cli/terminal.h"
#include "live/answer_request.h"
#include "live/screen.h"
#include "report/status_report.h"
#include "text/json_read.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

/* --- a screen for people --- */

enum { BODY_LINES = 12, TITLE_LINES = 4, QUESTION_LINES = 8, INDENT = 5 };

static void add_option(const spar_screen *screen, size_t place, size_t width, bool styled, spar__buf *out)
{
    const spar_option *option = spar_screen_option(screen, place);
    const char *body = spar_screen_body(screen, place);
    char name[SPAR__PLACE_SIZE];
    spar__place_name(place, name);
    spar__buf_printf(out, "  %s%-2s%s ", styled ? "\033[1m" : "", name, styled ? "\033[0m" : "");
    spar__wrap(option ? spar_option_title(option) : "(removed)", width, INDENT, INDENT, TITLE_LINES, out);
    spar__buf_adds(out, "\n");
    if (option && spar_option_image_type(option) && spar_screen_item(screen) == SPAR_NO_ITEM) { /* not shown here */
        size_t length = 0;
        (void)spar_option_image(option, &length);
        spar__buf_printf(out, "%*s(%s, %zu KB)\n", INDENT, "", spar_option_image_type(option), (length + 1023) / 1024);
    }
    if (body) { /* two columns further in than its title */
        spar__buf_printf(out, "%*s", INDENT, "");
        spar__wrap(*body ? body : "(empty)", width ? width : 80, INDENT, INDENT, BODY_LINES, out);
        spar__buf_adds(out, "\n");
    }
}

static void screen_text(const spar_experiment *experiment, const spar_screen *screen, spar__buf *out)
{
    const char *question = spar_experiment_question(experiment), *id = spar_screen_item_id(screen),
               *prompt = spar_screen_prompt(screen);
    size_t width = spar__output_width();
    spar__buf_printf(out, "screen %" PRIu64 "\n", spar_screen_number(screen));
    if (question) {
        spar__wrap(question, width, 0, 0, QUESTION_LINES, out);
        spar__buf_adds(out, "\n");
    }
    if (spar_screen_item(screen) != SPAR_NO_ITEM) {
        spar__buf_adds(out, "item ");
        spar__buf_add_printable(out, id ? id : "(removed)");
        spar__buf_adds(out, "\n");
        if (prompt) {
            spar__wrap(prompt, width ? width : 80, 0, 0, BODY_LINES, out);
            spar__buf_adds(out, "\n");
        }
    }
    for (size_t place = 0; place < spar_screen_slots(screen); place++)
        add_option(screen, place, width, spar__output_styled(), out);
}

/* --- the pipe: a request --- */

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
    const char *verb, *voter; /* of requests that do not say it; the voter may be NULL */
    size_t line;              /* of the input */
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
    if (verb == ASK) {
        spar_screen *screen = NULL;
        status = spar_experiment_ask(pipe->experiment, told.voter ? told.voter : "", &screen, err);
        if (!status)
            status = spar__screen_json(pipe->experiment, screen, json, err);
        spar_screen_free(screen);
    } else if (verb == STATUS) {
        status = spar_experiment_refresh(pipe->experiment, err);
        if (!status)
            status = spar__status_json(pipe->experiment, false, SPAR__STANDINGS_AUTO, json, err);
    } else {
        spar__told_reply reply;
        status = spar__told_read(tree, &told, err);
        if (!status)
            status = spar__told_do(pipe->experiment, &told, &reply, err);
        if (!status)
            spar__told_json(&reply, json);
    }
    return status;
}

static spar_status read_request(const request_pipe *pipe, const char *line, size_t length, spar__json *json,
                                spar_error *err)
{
    spar__json_tree tree = {0};
    if (length > LINE_BYTES)
        return spar__fail(err, SPAR_PARSE, "standard input:%zu: longer than %d bytes", pipe->line, LINE_BYTES);
    spar_status status = spar__json_tree_parse(&tree, line, length, "standard input", pipe->line, err);
    if (!status && spar__json_root(&tree)->kind != SPAR__JSON_OBJECT)
        status = spar__fail(err, SPAR_PARSE, "standard input:%zu: expected an object, {...}", pipe->line);
    if (!status)
        status = reply_to(pipe, &tree, json, err);
    spar__json_tree_free(&tree);
    return status;
}

/* "conflict" for SPAR_CONFLICT. */
static const char *status_word(spar_status status)
{
    static const struct {
        spar_status status;
        const char *word;
    } words[] = {{SPAR_OK, "ok"},
                 {SPAR_NOMEM, "memory"},
                 {SPAR_INVALID, "invalid"},
                 {SPAR_PARSE, "parse"},
                 {SPAR_UNKNOWN, "unknown"},
                 {SPAR_UNSUPPORTED, "unsupported"},
                 {SPAR_IO, "io"},
                 {SPAR_CORRUPT, "corrupt"},
                 {SPAR_INTERRUPTED, "interrupted"},
                 {SPAR_CONFLICT, "conflict"},
                 {SPAR_BUSY, "busy"},
                 {SPAR_FULL, "full"},
                 {SPAR_ALL_SEEN, "all_seen"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].status == status)
            return words[i].word;
    return "unknown";
}

/* One reply for each line. What fails is told to the other side, not to the caller. */
static spar_status answer_line(request_pipe *pipe, const char *line, size_t length, spar_error *err)
{
    spar__buf reply = {0};
    spar__json json = {.out = &reply};
    spar_error problem = {0};
    spar__json_begin_object(&json);
    spar_status status = read_request(pipe, line, length, &json, &problem);
    if (status) {
        spar__buf_clear(&reply);
        json = (spar__json){.out = &reply};
        spar__json_begin_object(&json);
        spar__json_add_string(&json, "error", problem.text[0] ? problem.text : spar_status_text(status));
        spar__json_add_string(&json, "status", status_word(status));
    }
    spar__json_end_object(&json);
    spar__buf_adds(&reply, "\n");
    status = reply.failed ? spar__fail_memory(err) : spar__file_write("-", reply.text, reply.length, err);
    spar__buf_free(&reply);
    return status;
}

/* --- the pipe: its lines --- */

/* A line, or as much of one that is too long as shows that it is. */
typedef struct line_input {
    char bytes[1 << 14];
    size_t at, n;
    spar__buf line;
    bool end;
} line_input;

static spar_status next_line(line_input *in, spar_error *err)
{
    spar__buf_clear(&in->line);
    spar__buf_add(&in->line, "", 0);
    for (;;) {
        if (in->at == in->n) {
            ssize_t got;
            do
                got = read(STDIN_FILENO, in->bytes, sizeof in->bytes);
            while (got < 0 && errno == EINTR);
            in->at = 0;
            in->n = got > 0 ? (size_t)got : 0;
            in->end = got <= 0;
            if (in->end)
                return got < 0 ? spar__fail_file(err, "standard input", "read") : SPAR_OK;
        }
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

/* Until the input ends. */
static spar_status run_pipe(request_pipe pipe, spar_error *err)
{
    line_input in = {0};
    spar_status status = SPAR_OK;
    while (!status && !in.end) {
        status = next_line(&in, err);
        pipe.line++;
        if (!status && strspn(in.line.text, " \t\r") < in.line.length)
            status = answer_line(&pipe, in.line.text, in.line.length, err);
    }
    spar__buf_free(&in.line);
    return status;
}

/* --- spar ask --- */

static spar_status ask(const spar__settings *settings, spar_experiment *experiment, spar__buf *out, spar_error *err)
{
    const char *voter = spar__setting_text(settings, "voter");
    spar_screen *screen = NULL;
    if (settings->n_operands == 2 && strcmp(settings->operand[1], "-") != 0)
        return spar__fail(err, SPAR_INVALID, "ask: did not expect '%.80s'; usage: spar ask %s", settings->operand[1],
                          settings->command->operands);
    if (settings->n_operands == 2)
        return run_pipe((request_pipe){.experiment = experiment, .verb = "ask", .voter = voter}, err);
    spar_status status = spar_experiment_ask(experiment, voter ? voter : "", &screen, err);
    if (!status && spar__setting_number(settings, "json")) {
        spar__json json = {.out = out};
        spar__json_begin_object(&json);
        status = spar__screen_json(experiment, screen, &json, err);
        spar__json_end_object(&json);
        spar__buf_adds(out, "\n");
    } else if (!status) {
        screen_text(experiment, screen, out);
    }
    spar_screen_free(screen);
    return status;
}

static const spar__option ask_options[] = {
    SPAR__TEXT_OPTION("voter", "V", "who answers: any text; without it a voter that is not known"),
    SPAR__SWITCH_OPTION("json", "print one line of JSON"),
    {.name = NULL},
};

const spar__command spar__command_ask = {
    .name = "ask",
    .brief = "Ask for a screen: which options somebody should compare next",
    .operands = "FILE [-] [OPTIONS]",
    .min_operands = 1,
    .max_operands = 2,
    .options = ask_options,
    .notes =
        "The screen has a number, under which 'spar tell' takes the answer, today or in a week.\n"
        "'spar ask FILE -' reads requests from standard input, one JSON object a line, and answers\n"
        "each with a line, until the input ends (doc/experiments.md):\n"
        "  {\"do\":\"ask\",\"voter\":\"ann\"}   {\"do\":\"tell\",\"screen\":1,\"winner\":\"A\"}   {\"do\":\"status\"}",
    .example = "spar ask tea.db --voter ann --json",
    .run = spar__with_experiment,
    .act = ask,
};

/* --- spar tell --- */

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

static spar_status tell(const spar__settings *settings, spar_experiment *experiment, spar__buf *out, spar_error *err)
{
    spar__told told = {.voter = spar__setting_text(settings, "voter"),
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
    spar__told_reply reply;
    if (settings->n_operands == 2 && strcmp(settings->operand[1], "-") == 0)
        return run_pipe((request_pipe){.experiment = experiment, .verb = "tell", .voter = told.voter}, err);
    spar_status status = read_operands(settings, &told, err);
    if (!status)
        status = spar__told_do(experiment, &told, &reply, err);
    if (!status && spar__setting_number(settings, "json")) {
        spar__json json = {.out = out};
        spar__json_begin_object(&json);
        spar__told_json(&reply, &json);
        spar__json_end_object(&json);
        spar__buf_adds(out, "\n");
    } else if (!status && reply.undone) {
        spar__buf_printf(out, "screen %" PRIu64 ": %s\n", reply.screen,
                         reply.again ? "the answer was taken back already, nothing changed"
                                     : "the answer is taken back; the screen can be answered again");
    } else if (!status && reply.screen) {
        spar__buf_printf(out, "screen %" PRIu64 ": %s\n", reply.screen,
                         reply.again ? "saved already, nothing changed" : "saved");
    } else if (!status) {
        spar__buf_adds(out,
                       reply.again ? "imported already, nothing changed\n" : "imported: an answer without a screen\n");
    }
    return status;
}

static const spar__option tell_options[] = {
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
    .min_operands = 1,
    .max_operands = 4, /* one more than there are: its error says more */
    .options = tell_options,
    .notes = "When the command ends without an error the answer is on disk. The same answer told twice counts\n"
             "once; a different one is refused. Without SCREEN the voter's only open screen is meant; without one,\n"
             "pairs or a ranking that name options are taken as an answer to a question asked elsewhere.\n"
             "Names are ids of options, or places; where both are possible, ids.\n"
             "'spar tell FILE -' reads answers from standard input, one JSON object a line, and answers each with\n"
             "a line (doc/experiments.md):\n"
             "  {\"screen\":1,\"winner\":\"assam\"}   {\"screen\":2,\"ranking\":\"B,A=C\"}   "
             "{\"screen\":3,\"skip\":\"too alike\"}",
    .example = "spar tell tea.db 1 --winner A",
    .run = spar__with_experiment,
    .act = tell,
};
