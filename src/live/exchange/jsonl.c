/* jsonl.c - the log as JSON lines, written and read: a line that says what it is, a line an event with its text, a line
 * a name of a voter (if wanted), and a line with the end of the chain.
 *
 * Nothing is lost: bytes that JSON could not give back are kept as base64, since the event has a hash of them. Reading
 * checks the chain and the hashes of texts on the way; each line is read when it is its turn. */
#include "base/alloc.h"
#include "base/buf.h"
#include "live/exchange/exchange.h"
#include "live/exchange/history.h"
#include "live/items/items.h"
#include "live/live.h"
#include "live/log/event_json.h"
#include "live/option.h"
#include "store/digest.h"
#include "text/csv.h"
#include "text/escape.h"

#include <inttypes.h>
#include <string.h>

/* --- texts --- */

/* Would a JSON string give these bytes back? */
static bool is_text(const unsigned char *bytes, size_t length)
{
    const char *text = (const char *)bytes;
    for (size_t size; length > 0; text += size, length -= size) {
        uint32_t code;
        size = spar__utf8_next(text, length, &code);
        if (code == 0 || (code == SPAR__UTF8_BAD && size == 1))
            return false;
    }
    return true;
}

/* The bytes as a text, by spar__hex_add or spar__base64_add. */
static void add_encoded(spar__json *json, const char *key, const void *bytes, size_t length,
                        void (*encode)(spar__buf *out, const void *bytes, size_t length))
{
    spar__buf text = {0};
    spar__buf_adds(&text, "");
    encode(&text, bytes, length);
    spar__json_add_string(json, key, text.text);
    json->out->failed = json->out->failed || text.failed;
    spar__buf_free(&text);
}

void spar__features_json(spar__json *json, const spar_option *option)
{
    size_t n = 0;
    const double *x = spar_option_features(option, &n);
    if (!n)
        return;
    spar__json_key(json, "features");
    spar__json_begin_array(json);
    for (size_t i = 0; i < n; i++)
        spar__json_number(json, x[i]);
    spar__json_end_array(json);
}

/* One whose title was set to its id, or a record of another version, would come back with other bytes. */
static spar_status add_option(spar__json *json, const spar__store_text *text)
{
    spar_option *option = NULL;
    spar__buf record = {0};
    spar_status status = spar__option_read(text->bytes, text->length, &option, NULL);
    if (status == SPAR_NOMEM)
        return status;
    bool same = false;
    if (option) {
        spar__json_add_string(json, "id", spar_option_id(option));
        if (strcmp(spar_option_title(option), spar_option_id(option)) != 0)
            spar__json_add_string(json, "title", spar_option_title(option));
        if (spar_option_body(option))
            spar__json_add_string(json, "body", spar_option_body(option));
        size_t length = 0;
        const unsigned char *image = spar_option_image(option, &length);
        if (image) {
            spar__json_key(json, "image");
            spar__json_begin_object(json);
            spar__json_add_string(json, "type", spar_option_image_type(option));
            add_encoded(json, "base64", image, length, spar__base64_add);
            spar__json_end_object(json);
        }
        spar__features_json(json, option);
        if (strcmp(spar_option_title(option), spar_option_id(option)) == 0)
            (void)spar_option_set_title(option, NULL, NULL);
        status = spar__option_record(option, &record);
        same = !status && record.length == text->length && memcmp(record.text, text->bytes, record.length) == 0;
    }
    if (!same)
        add_encoded(json, "base64", text->bytes, text->length, spar__base64_add);
    spar_option_free(option);
    spar__buf_free(&record);
    return status == SPAR_NOMEM ? status : SPAR_OK;
}

/* Of a record there is one form only: what can be read comes back. */
static spar_status add_item(spar__json *json, const spar__store_text *text)
{
    spar_item *item = NULL;
    spar_status status = spar__item_read(text->bytes, text->length, &item, NULL);
    if (status == SPAR_NOMEM)
        return status;
    if (!item) {
        add_encoded(json, "base64", text->bytes, text->length, spar__base64_add);
        return SPAR_OK;
    }
    spar__json_add_string(json, "id", spar_item_id(item));
    if (spar_item_prompt(item))
        spar__json_add_string(json, "prompt", spar_item_prompt(item));
    if (spar_item_group(item))
        spar__json_add_string(json, "group", spar_item_group(item));
    spar__json_key(json, "outputs");
    spar__json_begin_array(json);
    for (size_t i = 0; i < spar_item_outputs(item); i++) {
        spar__json_begin_object(json);
        spar__json_add_unsigned(json, "arm", spar__item_arm(item, i));
        spar__json_add_string(json, "text", spar_item_output(item, i));
        spar__json_end_object(json);
    }
    spar__json_end_array(json);
    spar_item_free(item);
    return SPAR_OK;
}

spar_status spar__text_json_add(spar__json *json, const char *key, const spar__store_text *text)
{
    spar_status status = SPAR_OK;
    spar__json_key(json, key);
    spar__json_begin_object(json);
    add_encoded(json, "salt", text->salt, sizeof text->salt, spar__hex_add);
    if (text->kind == SPAR__TEXT_ARM)
        status = add_option(json, text);
    else if (text->kind == SPAR__TEXT_ITEM)
        status = add_item(json, text);
    else if (is_text(text->bytes, text->length)) /* a zero byte follows */
        spar__json_add_string(json, "text", (const char *)text->bytes);
    else
        add_encoded(json, "base64", text->bytes, text->length, spar__base64_add);
    spar__json_end_object(json);
    return status || json->out->failed ? SPAR_NOMEM : SPAR_OK;
}

/* --- texts, read --- */

static const char *member_text(const spar__json_tree *tree, const spar__json_node *node, const char *key)
{
    return spar__json_text(tree, spar__json_member(tree, node, key));
}

static spar_status read_base64(const spar__json_tree *tree, const spar__json_node *node, spar__buf *out,
                               spar_error *err)
{
    const spar__json_node *member = spar__json_member(tree, node, "base64");
    const char *text = spar__json_text(tree, member);
    if (!text || !spar__base64_read(text, member->length, out))
        return spar__fail(err, SPAR_PARSE, "'base64' is not there or not base64");
    return out->failed ? spar__fail_memory(err) : SPAR_OK;
}

static spar_status read_features(const spar__json_tree *tree, const spar__json_node *node, spar_option *option,
                                 spar_error *err)
{
    const spar__json_node *list = spar__json_member(tree, node, "features"), *item = spar__json_first(tree, list);
    if (!list)
        return SPAR_OK;
    double *x = spar__alloc(list->count, sizeof *x);
    spar_status status = x ? SPAR_OK : spar__fail_memory(err);
    for (size_t i = 0; item && !status; i++, item = spar__json_next(tree, item))
        if (!spar__json_get_number(tree, item, &x[i]))
            status = spar__fail(err, SPAR_PARSE, "'features' is not a list of numbers");
    if (!status)
        status = spar_option_set_features(option, list->count, x, err);
    spar__free(x);
    return status;
}

static spar_status read_option(const spar__json_tree *tree, const spar__json_node *node, spar__buf *out,
                               spar_error *err)
{
    spar_option *option = NULL;
    const char *id = member_text(tree, node, "id");
    spar_status status = id ? spar_option_new(id, &option, err)
                            : spar__fail(err, SPAR_PARSE, "the 'id' of the option is not there or no text");
    if (!status)
        status = spar_option_set_title(option, member_text(tree, node, "title"), err);
    if (!status)
        status = spar_option_set_body(option, member_text(tree, node, "body"), err);
    const spar__json_node *image = spar__json_member(tree, node, "image");
    spar__buf bytes = {0};
    if (!status && image)
        status = read_base64(tree, image, &bytes, err);
    if (!status && image)
        status = spar_option_set_image(option, member_text(tree, image, "type"), (const unsigned char *)bytes.text,
                                       bytes.length, err);
    spar__buf_free(&bytes);
    if (!status)
        status = read_features(tree, node, option, err);
    if (!status && spar__option_record(option, out))
        status = spar__fail_memory(err);
    spar_option_free(option);
    return status == SPAR_INVALID ? SPAR_PARSE : status;
}

static spar_status read_item(const spar__json_tree *tree, const spar__json_node *node, spar__buf *out, spar_error *err)
{
    spar_item *item = NULL;
    const char *id = member_text(tree, node, "id");
    spar_status status = id ? spar_item_new(id, &item, err)
                            : spar__fail(err, SPAR_PARSE, "the 'id' of the item is not there or no text");
    if (!status)
        status = spar_item_set_prompt(item, member_text(tree, node, "prompt"), err);
    if (!status)
        status = spar_item_set_group(item, member_text(tree, node, "group"), err);
    const spar__json_node *output = spar__json_first(tree, spar__json_member(tree, node, "outputs"));
    for (; output && !status; output = spar__json_next(tree, output)) {
        const char *text = member_text(tree, output, "text");
        uint64_t arm = 0;
        status = text && spar__json_get_unsigned(tree, spar__json_member(tree, output, "arm"), &arm)
                     ? spar__item_add_output(item, (size_t)arm, text, err)
                     : spar__fail(err, SPAR_PARSE, "an output of the item has no 'arm' or no 'text'");
    }
    if (!status && spar__item_record(item, out))
        status = spar__fail_memory(err);
    spar_item_free(item);
    return status == SPAR_INVALID ? SPAR_PARSE : status;
}

spar_status spar__text_json_read(const spar__json_tree *tree, const spar__json_node *node, spar__store_text *text,
                                 spar__buf *out, spar_error *err)
{
    const char *salt = member_text(tree, node, "salt"), *plain = member_text(tree, node, "text");
    spar_status status = SPAR_OK;
    spar__buf_clear(out);
    spar__buf_add(out, "", 0);
    if (!salt || !spar__hex_read(salt, text->salt, sizeof text->salt))
        return spar__fail(err, SPAR_PARSE, "'salt' is not there or not right, expected 64 hexadecimal digits");
    if (spar__json_member(tree, node, "base64"))
        status = read_base64(tree, node, out, err);
    else if (text->kind == SPAR__TEXT_ARM)
        status = read_option(tree, node, out, err);
    else if (text->kind == SPAR__TEXT_ITEM)
        status = read_item(tree, node, out, err);
    else if (plain)
        spar__buf_adds(out, plain);
    else
        status = spar__fail(err, SPAR_PARSE, "the text is neither in 'text' nor in 'base64'");
    if (!status && out->failed)
        status = spar__fail_memory(err);
    text->bytes = (const unsigned char *)out->text;
    text->length = out->length;
    return status;
}

/* --- a log in an exported file --- */

typedef struct file_history {
    spar__history base; /* must come first */
    const char *text, *path;
    size_t length;
    spar__json_tree tree;
    spar__buf bytes, content;
    /* While lines are read: */
    union { /* what gets them, and its context */
        spar__history_fn event;
        spar__store_text_fn voter;
    } fn;
    void *context;
    size_t line;
    uint32_t settings;
    uint64_t last; /* event */
    unsigned char hash[SPAR_HASH_SIZE];
} file_history;

/* With the file and line in front. */
static spar_status place(const file_history *h, spar_status status, const spar_error *why, spar_error *err)
{
    return status ? spar__fail(err, status == SPAR_CORRUPT || status == SPAR_INVALID ? SPAR_PARSE : status,
                               "%s:%zu: %s", h->path, h->line, why->text)
                  : SPAR_OK;
}

static const spar__json_node *member_of(const file_history *h, const char *key)
{
    return spar__json_member(&h->tree, spar__json_root(&h->tree), key);
}

static const char *text_member(const file_history *h, const char *key)
{
    return spar__json_text(&h->tree, member_of(h, key));
}

/* take gets each line, and its kind. */
static spar_status read_lines(file_history *h, void *context,
                              spar_status (*take)(file_history *h, const char *kind, spar_error *err), spar_error *err)
{
    spar__line_reader lines = spar__lines_of(h->text, h->length);
    spar__piece piece;
    lines.comment = 0;
    h->context = context;
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
        status = take(h, kind, err);
        if (status)
            return status;
    }
    return SPAR_OK;
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
    const spar__json_node *node = member_of(h, "text");
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

static spar_status take_event(file_history *h, const char *kind, spar_error *err)
{
    spar__store_text text;
    const spar__store_text *found = NULL;
    if (strcmp(kind, "log") == 0) {
        uint64_t version = 0;
        if (!spar__json_get_unsigned(&h->tree, member_of(h, "version"), &version) || version == 0)
            return spar__fail(err, SPAR_PARSE, "%s:%zu: 'version' is not there or no whole number from 1", h->path,
                              h->line);
        return version == 1 ? SPAR_OK
                            : spar__fail(err, SPAR_UNSUPPORTED,
                                         "%s:%zu: the log was written by a newer version: its form is %" PRIu64
                                         ", this program reads form 1",
                                         h->path, h->line, version);
    }
    if (strcmp(kind, "voter") == 0 || strcmp(kind, "end") == 0)
        return SPAR_OK;
    spar_status status = read_event(h, err);
    if (!status)
        status = read_text(h, &text, &found, err);
    if (status)
        return status;
    spar__history_entry entry = {h->last, h->base.event, (const unsigned char *)h->bytes.text, h->bytes.length, h->hash,
                                 found,   h->line};
    return h->fn.event(h->context, &entry, err);
}

static spar_status each(spar__history *history, spar__history_fn fn, void *context, spar_error *err)
{
    file_history *h = (file_history *)history;
    h->fn.event = fn;
    return read_lines(h, context, take_event, err);
}

static spar_status take_voter(file_history *h, const char *kind, spar_error *err)
{
    unsigned char number[8];
    spar_error why = {0};
    if (strcmp(kind, "voter") != 0)
        return SPAR_OK;
    spar__store_text text = {.kind = SPAR__TEXT_VOTER, .version = 1};
    const char *voter = text_member(h, "voter");
    spar_status status = SPAR_OK;
    if (!voter || !spar__hex_read(voter, number, sizeof number))
        status = spar__fail(&why, SPAR_PARSE, "'voter' is not there or not right, expected 16 hexadecimal digits");
    for (size_t i = 0; i < sizeof number && !status; i++)
        text.owner = text.owner << 8 | number[i];
    if (!status)
        status = spar__text_json_read(&h->tree, member_of(h, "text"), &text, &h->content, &why);
    return status ? place(h, status, &why, err) : h->fn.voter(h->context, &text, err);
}

static spar_status voters(spar__history *history, spar__store_text_fn fn, void *context, spar_error *err)
{
    file_history *h = (file_history *)history;
    h->fn.voter = fn;
    return read_lines(h, context, take_voter, err);
}

/* The context is the hash. */
static spar_status take_end(file_history *h, const char *kind, spar_error *err)
{
    if (strcmp(kind, "end") != 0)
        return SPAR_OK;
    const char *head = text_member(h, "head");
    if (!spar__json_get_unsigned(&h->tree, member_of(h, "events"), &h->last) || !head ||
        !spar__hex_read(head, h->context, SPAR_HASH_SIZE))
        return spar__fail(err, SPAR_PARSE,
                          "%s:%zu: the last line needs 'events', a number, and 'head', 64 hexadecimal digits", h->path,
                          h->line);
    return SPAR_OK;
}

static spar_status end(spar__history *history, uint64_t *sequence, unsigned char *hash, spar_error *err)
{
    file_history *h = (file_history *)history;
    memset(hash, 0, SPAR_HASH_SIZE);
    spar_status status = read_lines(h, hash, take_end, err);
    *sequence = h->last;
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
        log = kind && (strcmp(kind, "log") == 0 || spar__json_member(&tree, root, "seq"));
    }
    spar__json_tree_free(&tree);
    return log;
}

/* --- a log, written --- */

typedef struct jsonl_export {
    spar__export *export;
    spar__buf line;
    uint64_t last;
    unsigned char hash[SPAR_HASH_SIZE];
} jsonl_export;

static spar_status end_line(jsonl_export *x, spar__json *json, spar_error *err)
{
    spar__json_end_object(json);
    spar__buf_adds(&x->line, "\n");
    return spar__export_put(x->export, &x->line, err);
}

/* An event as jsonl has it, an object without the end of the line. */
static spar_status event_line(const spar__history_entry *entry, spar__buf *out, spar_error *err)
{
    spar__json json = {.out = out};
    spar__json_begin_object(&json);
    spar_status status = spar__event_json_add(&json, entry->bytes, entry->length, err);
    if (!status && entry->text && spar__text_json_add(&json, "text", entry->text))
        status = spar__fail_memory(err);
    if (status)
        return status;
    add_encoded(&json, "hash", entry->hash, SPAR_HASH_SIZE, spar__hex_add);
    spar__json_end_object(&json);
    return SPAR_OK;
}

static spar_status add_event(void *context, const spar__history_entry *entry, spar_error *err)
{
    jsonl_export *x = context;
    spar_status status = spar__export_step(x->export, entry->sequence, err);
    if (!status)
        status = event_line(entry, &x->line, err);
    if (status)
        return status;
    spar__buf_adds(&x->line, "\n");
    x->export->rows++;
    x->last = entry->sequence;
    memcpy(x->hash, entry->hash, sizeof x->hash);
    return spar__export_put(x->export, &x->line, err);
}

static spar_status add_voter(void *context, const spar__store_text *text, spar_error *err)
{
    jsonl_export *x = context;
    spar__json json = {.out = &x->line};
    char voter[17];
    (void)snprintf(voter, sizeof voter, "%016" PRIx64, text->owner);
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "kind", "voter");
    spar__json_add_string(&json, "voter", voter);
    if (spar__text_json_add(&json, "text", text))
        return spar__fail_memory(err);
    return end_line(x, &json, err);
}

spar_status spar__export_jsonl(spar__export *export, spar_error *err)
{
    jsonl_export x = {.export = export};
    spar__json json = {.out = &x.line};
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "kind", "log");
    spar__json_add_unsigned(&json, "version", 1);
    spar_status status = end_line(&x, &json, err);
    if (!status)
        status = spar__history_each(export->history, add_event, &x, err);
    if (!status && export->names)
        status = spar__history_voters(export->history, add_voter, &x, err);
    if (!status) {
        json = (spar__json){.out = &x.line};
        spar__json_begin_object(&json);
        spar__json_add_string(&json, "kind", "end");
        spar__json_add_unsigned(&json, "events", x.last);
        add_encoded(&json, "head", x.hash, SPAR_HASH_SIZE, spar__hex_add);
        status = end_line(&x, &json, err);
    }
    spar__buf_free(&x.line);
    return status;
}

/* --- a part of the log of an open experiment --- */

typedef struct log_lines {
    spar_experiment *experiment;
    spar_event *event;
    spar__line_fn fn;
    void *context;
    spar__buf line;
    size_t given, most, bytes, room;
    uint64_t next;
} log_lines;

/* Questions: which version belongs to a settings event is told by its hash. */

typedef struct question_search {
    const unsigned char *hash;
    spar__store_text text;
    unsigned char *bytes; /* NULL: not found */
} question_search;

static spar_status try_question(void *context, const spar__store_text *text, spar_error *err)
{
    question_search *search = context;
    unsigned char hash[SPAR_HASH_SIZE];
    spar__hmac(text->salt, text->bytes, text->length, hash);
    if (search->bytes || memcmp(hash, search->hash, sizeof hash) != 0)
        return SPAR_OK;
    search->text = *text;
    search->bytes = spar__alloc(text->length + 1, 1);
    if (!search->bytes)
        return spar__fail_memory(err);
    memcpy(search->bytes, text->bytes, text->length);
    return SPAR_OK;
}

/* The text of the event; *bytes NULL if it has none, or none any more. */
static spar_status find_text(const log_lines *l, spar__store_text *text, unsigned char **bytes, spar_error *err)
{
    *bytes = NULL;
    *text = spar__history_text_of(l->event, 0);
    if (!text->kind)
        return SPAR_OK;
    spar__store *store = l->experiment->store;
    if (text->kind == SPAR__TEXT_QUESTION) {
        question_search search = {.hash = spar_event_hash(l->event)};
        spar_status status =
            spar__store_text_each(store, l->experiment->id, SPAR__TEXT_QUESTION, try_question, &search, err);
        *text = search.text;
        *bytes = search.bytes;
        return status;
    }
    spar_status status = spar__store_text_get(store, l->experiment->id, text->kind, text->owner, text->version,
                                              text->salt, bytes, &text->length, err);
    text->bytes = *bytes;
    return status == SPAR_UNKNOWN ? SPAR_OK : status;
}

static spar_status take(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                        const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    log_lines *l = context;
    spar__store_text text;
    unsigned char *found = NULL;
    spar_error why = {0};
    if (l->given && (l->given == l->most || l->bytes >= l->room))
        return SPAR_INTERRUPTED;
    spar_status status = spar__live_decode(l->event, sequence, bytes, length, err);
    if (!status)
        status = find_text(l, &text, &found, &why) ? spar__fail(err, SPAR_IO, "%s", why.text) : SPAR_OK;
    text.bytes = found;
    const spar__history_entry entry = {sequence, l->event, bytes, length, hash, found ? &text : NULL, 0};
    spar__buf_clear(&l->line);
    if (!status)
        status = event_line(&entry, &l->line, err);
    if (!status && l->line.failed)
        status = spar__fail_memory(err);
    spar__free(found);
    if (status)
        return status;
    l->fn(l->context, sequence, &l->line);
    l->bytes += l->line.length;
    l->given++;
    l->next = sequence + 1;
    return SPAR_OK;
}

spar_status spar__live_lines(spar_experiment *experiment, uint64_t from, size_t most, size_t bytes, spar__line_fn fn,
                             void *context, uint64_t *next, spar_error *err)
{
    log_lines l = {.experiment = experiment, .fn = fn, .context = context, .most = most, .room = bytes};
    l.next = from ? from : 1;
    spar_status status = spar_event_new(&l.event) ? spar__fail_memory(err) : SPAR_OK;
    if (!status)
        status = spar__store_read(experiment->store, experiment->id, l.next, 0, take, &l, err);
    spar__buf_free(&l.line);
    spar_event_free(l.event);
    *next = l.next;
    return status == SPAR_INTERRUPTED ? SPAR_OK : status;
}
