/* history_file.c - a log in an exported file. Each line is read when it is its turn; the chain and the hashes of texts
 * are checked on the way. */
#include "live/history.h"

#include "base/alloc.h"
#include "live/event_json.h"
#include "live/text_json.h"
#include "store/digest.h"
#include "text/escape.h"
#include "text/csv.h"

#include <inttypes.h>
#include <string.h>

typedef struct file_history {
    spar__history base; /* must come first */
    const char *text, *path;
    size_t length;
    spar__json_tree tree;
    spar__buf bytes, content;
    /* While lines are read: */
    size_t line;
    uint32_t settings;
    uint64_t last; /* event */
    unsigned char hash[SPAR_HASH_SIZE];
} file_history;

/* What is done with a line: its kind was found. *stop ends the reading. */
typedef spar_status (*line_fn)(file_history *h, const char *kind, void *context, spar_error *err);

/* With the file and line in front. */
static spar_status place(const file_history *h, spar_status status, const spar_error *why, spar_error *err)
{
    return status ? spar__fail(err, status == SPAR_CORRUPT || status == SPAR_INVALID ? SPAR_PARSE : status,
                               "%s:%zu: %s", h->path, h->line, why->text)
                  : SPAR_OK;
}

static const char *text_member(const file_history *h, const char *key)
{
    return spar__json_text(&h->tree, spar__json_member(&h->tree, spar__json_root(&h->tree), key));
}

static spar_status read_lines(file_history *h, line_fn fn, void *context, spar_error *err)
{
    spar__line_reader lines = spar__lines_of(h->text, h->length);
    spar__piece piece;
    lines.comment = 0;
    h->settings = 0;
    h->last = 0;
    memset(h->hash, 0, sizeof h->hash);
    while (spar__line_next(&lines, &piece)) {
        h->line = lines.number;
        spar_status status = spar__json_tree_parse(&h->tree, piece.text, piece.length, h->path, h->line, err);
        if (status)
            return status;
        const char *kind = text_member(h, "kind");
        if (!kind)
            return spar__fail(err, SPAR_PARSE, "%s:%zu: 'kind' is not there or no text, expected a line of a log",
                              h->path, h->line);
        status = fn(h, kind, context, err);
        if (status)
            return status;
    }
    return SPAR_OK;
}

static bool is_kind(const char *kind, const char *name)
{
    return strcmp(kind, name) == 0;
}

static bool is_event(const char *kind)
{
    return !is_kind(kind, "log") && !is_kind(kind, "voter") && !is_kind(kind, "end");
}

static spar_status check_head(const file_history *h, spar_error *err)
{
    uint64_t version = 0;
    const spar__json_node *node = spar__json_member(&h->tree, spar__json_root(&h->tree), "version");
    if (!spar__json_get_unsigned(&h->tree, node, &version) || version == 0)
        return spar__fail(err, SPAR_PARSE, "%s:%zu: 'version' is not there or no whole number from 1", h->path,
                          h->line);
    return version == 1 ? SPAR_OK
                        : spar__fail(err, SPAR_UNSUPPORTED,
                                     "%s:%zu: the log was written by a newer version: its form is %" PRIu64
                                     ", this program reads form 1",
                                     h->path, h->line, version);
}

/* The next event into base.event, and its hash, checked. */
static spar_status read_event(file_history *h, spar_error *err)
{
    spar_error why = {0};
    unsigned char hash[SPAR_HASH_SIZE];
    const char *given = text_member(h, "hash");
    spar__buf_clear(&h->bytes);
    spar_status status = spar__event_json_read(&h->tree, &h->bytes, &why);
    if (!status)
        status = spar_event_decode(h->base.event, (const unsigned char *)h->bytes.text, h->bytes.length, &why);
    if (!status && spar_event_sequence(h->base.event) != h->last + 1)
        status =
            spar__fail(&why, SPAR_PARSE,
                       "event %" PRIu64 " comes after event %" PRIu64 ", expected %" PRIu64 ": events are missing here",
                       spar_event_sequence(h->base.event), h->last, h->last + 1);
    if (!status && !(given && spar__hex_read(given, hash, sizeof hash)))
        status = spar__fail(&why, SPAR_PARSE, "'hash' is not there or not right, expected 64 hexadecimal digits");
    if (status)
        return place(h, status, &why, err);
    spar__chain_next(h->hash, h->bytes.text, h->bytes.length, h->hash);
    h->last++;
    h->settings += spar_event_kind_of(h->base.event) == SPAR_EVENT_SETTINGS;
    if (memcmp(hash, h->hash, sizeof hash) != 0)
        return spar__fail(err, SPAR_PARSE,
                          "%s:%zu: the hash of event %" PRIu64
                          " does not follow from the log before it: this line or one before it was changed",
                          h->path, h->line, h->last);
    return SPAR_OK;
}

/* The text of the event, *out NULL if there is none. */
static spar_status read_text(file_history *h, spar__store_text *text, const spar__store_text **out, spar_error *err)
{
    const spar__json_node *node = spar__json_member(&h->tree, spar__json_root(&h->tree), "text");
    const unsigned char *hash = spar_event_hash(h->base.event);
    unsigned char hmac[SPAR_HASH_SIZE];
    spar_error why = {0};
    *out = NULL;
    if (!node)
        return SPAR_OK;
    *text = spar__history_text_of(h->base.event, h->settings);
    spar_status status = text->kind ? spar__text_json_read(&h->tree, node, text, &h->content, &why)
                                    : spar__fail(&why, SPAR_PARSE, "the event has no text, but 'text' is given");
    if (!status && hash) {
        spar__hmac(text->salt, text->bytes, text->length, hmac);
        if (memcmp(hmac, hash, sizeof hmac) != 0)
            status = spar__fail(&why, SPAR_PARSE, "the text is not the one whose hash the event has in 'content'");
    }
    *out = status ? NULL : text;
    return place(h, status, &why, err);
}

typedef struct entry_call {
    spar__history_fn fn;
    void *context;
} entry_call;

static spar_status take_event(file_history *h, const char *kind, void *context, spar_error *err)
{
    const entry_call *call = context;
    spar__store_text text;
    const spar__store_text *found = NULL;
    if (is_kind(kind, "log"))
        return check_head(h, err);
    if (!is_event(kind))
        return SPAR_OK;
    spar_status status = read_event(h, err);
    if (!status)
        status = read_text(h, &text, &found, err);
    if (status)
        return status;
    spar__history_entry entry = {h->last, h->base.event, (const unsigned char *)h->bytes.text, h->bytes.length, h->hash,
                                 found,   h->line};
    return call->fn(call->context, &entry, err);
}

static spar_status each(spar__history *history, spar__history_fn fn, void *context, spar_error *err)
{
    return read_lines((file_history *)history, take_event, &(entry_call){fn, context}, err);
}

typedef struct voter_call {
    spar__store_text_fn fn;
    void *context;
} voter_call;

static spar_status take_voter(file_history *h, const char *kind, void *context, spar_error *err)
{
    const voter_call *call = context;
    unsigned char number[8];
    spar_error why = {0};
    if (!is_kind(kind, "voter"))
        return SPAR_OK;
    spar__store_text text = {.kind = SPAR__TEXT_VOTER, .version = 1};
    const char *voter = text_member(h, "voter");
    spar_status status = SPAR_OK;
    if (!voter || !spar__hex_read(voter, number, sizeof number))
        status = spar__fail(&why, SPAR_PARSE, "'voter' is not there or not right, expected 16 hexadecimal digits");
    for (size_t i = 0; i < sizeof number && !status; i++)
        text.owner = text.owner << 8 | number[i];
    if (!status)
        status = spar__text_json_read(&h->tree, spar__json_member(&h->tree, spar__json_root(&h->tree), "text"), &text,
                                      &h->content, &why);
    return status ? place(h, status, &why, err) : call->fn(call->context, &text, err);
}

static spar_status voters(spar__history *history, spar__store_text_fn fn, void *context, spar_error *err)
{
    return read_lines((file_history *)history, take_voter, &(voter_call){fn, context}, err);
}

typedef struct end_call {
    uint64_t sequence;
    unsigned char *hash;
} end_call;

static spar_status take_end(file_history *h, const char *kind, void *context, spar_error *err)
{
    end_call *call = context;
    if (!is_kind(kind, "end"))
        return SPAR_OK;
    const char *head = text_member(h, "head");
    const spar__json_node *events = spar__json_member(&h->tree, spar__json_root(&h->tree), "events");
    if (!spar__json_get_unsigned(&h->tree, events, &call->sequence) || !head ||
        !spar__hex_read(head, call->hash, SPAR_HASH_SIZE))
        return spar__fail(err, SPAR_PARSE,
                          "%s:%zu: the last line needs 'events', a number, and 'head', 64 hexadecimal digits", h->path,
                          h->line);
    return SPAR_OK;
}

static spar_status end(spar__history *history, uint64_t *sequence, unsigned char *hash, spar_error *err)
{
    end_call call = {.hash = hash};
    memset(hash, 0, SPAR_HASH_SIZE);
    spar_status status = read_lines((file_history *)history, take_end, &call, err);
    *sequence = call.sequence;
    return status;
}

static void free_file(spar__history *history)
{
    file_history *h = (file_history *)history;
    spar__json_tree_free(&h->tree);
    spar__buf_free(&h->bytes);
    spar__buf_free(&h->content);
    spar__free(h);
}

static const spar__history_class FILE_CLASS = {free_file, each, voters, end};

spar_status spar__history_of_text(const char *text, size_t length, const char *path, spar__history **out,
                                  spar_error *err)
{
    *out = NULL;
    file_history *h = spar__alloc(1, sizeof *h);
    if (!h || spar_event_new(&h->base.event)) {
        spar__free(h);
        return spar__fail_memory(err);
    }
    h->base.cls = &FILE_CLASS;
    h->text = text;
    h->length = length;
    h->path = path;
    *out = &h->base;
    return SPAR_OK;
}

bool spar__history_is_log(const char *text, size_t length)
{
    spar__line_reader lines = spar__lines_of(text, length);
    spar__piece piece;
    lines.comment = 0;
    spar__json_tree tree = {0};
    bool log = false;
    if (spar__line_next(&lines, &piece) && piece.text[0] == '{' &&
        !spar__json_tree_parse(&tree, piece.text, piece.length, "", 1, NULL)) {
        const spar__json_node *root = spar__json_root(&tree);
        const char *kind = spar__json_text(&tree, spar__json_member(&tree, root, "kind"));
        log = kind && (is_kind(kind, "log") || (spar__json_member(&tree, root, "seq") != NULL));
    }
    spar__json_tree_free(&tree);
    return log;
}
