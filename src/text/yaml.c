#include "text/yaml.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/number.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

typedef struct reader {
    yaml_parser_t parser;
    yaml_event_t event; /* the one to look at; its memory belongs to the reader until the next */
    const char *file;   /* inside the root node */
    const char *text;
    size_t length;
    size_t nodes, depth;
    spar_error *err;
} reader;

static spar_status fail_at(const reader *in, yaml_mark_t at, const char *what)
{
    return spar__fail(in->err, SPAR_PARSE, "%s:%zu:%zu: %s", in->file, at.line + 1, at.column + 1, what);
}

/* The place of a byte, which libyaml does not tell for those it cannot decode. */
static yaml_mark_t mark_of(const reader *in, size_t offset)
{
    yaml_mark_t mark = {0};
    for (size_t i = 0; i < offset && i < in->length; i++) {
        mark.column++;
        if (in->text[i] == '\n') {
            mark.line++;
            mark.column = 0;
        }
    }
    return mark;
}

static spar_status next_event(reader *in)
{
    yaml_event_delete(&in->event);
    if (yaml_parser_parse(&in->parser, &in->event))
        return SPAR_OK;
    const yaml_parser_t *parser = &in->parser;
    if (parser->error == YAML_MEMORY_ERROR)
        return spar__fail_memory(in->err);
    if (parser->error == YAML_READER_ERROR)
        return fail_at(in, mark_of(in, parser->problem_offset), parser->problem);
    return fail_at(in, parser->problem_mark, parser->problem ? parser->problem : "malformed YAML");
}

/* Anchors and tags would need a meaning; a scalar with a zero byte cannot be a C string. */
static spar_status check_plain(const reader *in)
{
    const yaml_event_t *event = &in->event;
    const yaml_char_t *anchor = NULL, *tag = NULL;
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        anchor = event->data.scalar.anchor;
        tag = event->data.scalar.tag;
        if (memchr(event->data.scalar.value, 0, event->data.scalar.length))
            return fail_at(in, event->start_mark, "text with a zero byte is not supported");
        break;
    case YAML_SEQUENCE_START_EVENT:
        anchor = event->data.sequence_start.anchor;
        tag = event->data.sequence_start.tag;
        break;
    case YAML_MAPPING_START_EVENT:
        anchor = event->data.mapping_start.anchor;
        tag = event->data.mapping_start.tag;
        break;
    default:
        return fail_at(in, event->start_mark, "aliases (*name) are not supported: write the value out");
    }
    if (anchor)
        return fail_at(in, event->start_mark, "anchors (&name) are not supported: write the value out");
    if (tag)
        return fail_at(in, event->start_mark, "tags (!name) are not supported");
    return SPAR_OK;
}

/* A node for the event at hand; key, text and, at the root, the name of the file live in the same piece of memory. */
static spar_status new_node(reader *in, const char *key, spar__yaml **out)
{
    const yaml_event_t *event = &in->event;
    spar_status status = check_plain(in);
    if (status)
        return status;
    if (++in->nodes > SPAR__YAML_NODES)
        return fail_at(in, event->start_mark, "too many values");
    bool scalar = event->type == YAML_SCALAR_EVENT, root = in->nodes == 1;
    const char *text = scalar ? (const char *)event->data.scalar.value : NULL;
    size_t key_size = key ? strlen(key) + 1 : 0, text_size = text ? strlen(text) + 1 : 0;
    size_t file_size = root ? strlen(in->file) + 1 : 0;
    spar__yaml *node = spar__alloc(1, sizeof *node + key_size + text_size + file_size);
    if (!node)
        return spar__fail_memory(in->err);
    char *at = (char *)(node + 1);
    node->kind = scalar                                     ? SPAR__YAML_SCALAR
                 : event->type == YAML_SEQUENCE_START_EVENT ? SPAR__YAML_LIST
                                                            : SPAR__YAML_MAP;
    node->line = event->start_mark.line + 1;
    node->column = event->start_mark.column + 1;
    node->quoted = scalar && event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    if (key)
        node->key = memcpy(at, key, key_size);
    if (text)
        node->text = memcpy(at + key_size, text, text_size);
    if (root)
        in->file = memcpy(at + key_size + text_size, in->file, file_size);
    node->file = in->file;
    *out = node;
    return SPAR_OK;
}

static spar_status read_node(reader *in, const char *key, spar__yaml **out);

/* The event at hand is a key; on return it is the first of its value. */
static spar_status read_key(reader *in, const spar__yaml *map, char **key)
{
    const yaml_event_t *event = &in->event;
    if (event->type != YAML_SCALAR_EVENT)
        return fail_at(in, event->start_mark, "a key must be plain text");
    spar_status status = check_plain(in);
    if (status)
        return status;
    const char *text = (const char *)event->data.scalar.value;
    if (spar__yaml_get(map, text))
        return spar__fail(in->err, SPAR_PARSE, "%s:%zu:%zu: the key '%.80s' comes twice", in->file,
                          event->start_mark.line + 1, event->start_mark.column + 1, text);
    if (map->count >= SPAR__YAML_KEYS)
        return fail_at(in, event->start_mark, "too many keys");
    *key = spar__strdup(text);
    if (!*key)
        return spar__fail_memory(in->err);
    return next_event(in);
}

/* Everything up to the end of the list or map that node is. */
static spar_status read_members(reader *in, spar__yaml *node)
{
    yaml_event_type_t end = node->kind == SPAR__YAML_LIST ? YAML_SEQUENCE_END_EVENT : YAML_MAPPING_END_EVENT;
    if (++in->depth > SPAR__YAML_DEPTH)
        return fail_at(in, in->event.start_mark, "too many levels");
    spar__yaml **tail = &node->first;
    for (;;) {
        spar_status status = next_event(in);
        if (status)
            return status;
        if (in->event.type == end)
            break;
        char *key = NULL;
        if (node->kind == SPAR__YAML_MAP)
            status = read_key(in, node, &key);
        if (!status)
            status = read_node(in, key, tail);
        spar__free(key);
        if (status)
            return status;
        tail = &(*tail)->next;
        node->count++;
    }
    in->depth--;
    return SPAR_OK;
}

/* What is built hangs on *out even after a failure, so that the root frees it all. */
static spar_status read_node(reader *in, const char *key, spar__yaml **out)
{
    spar_status status = new_node(in, key, out);
    if (!status && (*out)->kind != SPAR__YAML_SCALAR)
        status = read_members(in, *out);
    return status;
}

static spar_status read_document(reader *in, spar__yaml **root)
{
    spar_status status;
    do { /* stream start, document start */
        status = next_event(in);
        if (status)
            return status;
        if (in->event.type == YAML_STREAM_END_EVENT)
            return fail_at(in, in->event.start_mark, "there is nothing in it");
    } while (in->event.type == YAML_STREAM_START_EVENT || in->event.type == YAML_DOCUMENT_START_EVENT);
    if ((status = read_node(in, NULL, root)) || (status = next_event(in)) || (status = next_event(in)))
        return status;
    if (in->event.type != YAML_STREAM_END_EVENT)
        return fail_at(in, in->event.start_mark, "a second document (---) is not supported");
    return SPAR_OK;
}

spar_status spar__yaml_parse(const char *file, const char *text, size_t length, spar__yaml **out, spar_error *err)
{
    *out = NULL;
    if (length > SPAR__YAML_BYTES)
        return spar__fail(err, SPAR_PARSE, "%s: larger than %d bytes", file, SPAR__YAML_BYTES);
    reader in = {.file = file, .text = text, .length = length, .err = err};
    if (!yaml_parser_initialize(&in.parser))
        return spar__fail_memory(err);
    yaml_parser_set_input_string(&in.parser, (const unsigned char *)text, length);
    spar__yaml *root = NULL;
    spar_status status = read_document(&in, &root);
    yaml_event_delete(&in.event);
    yaml_parser_delete(&in.parser);
    if (status) {
        spar__yaml_free(root);
        return status;
    }
    *out = root;
    return SPAR_OK;
}

spar_status spar__yaml_load(const char *path, spar__yaml **out, spar_error *err)
{
    *out = NULL;
    spar__buf text = {0};
    spar_status status = spar__file_read(path, SPAR__YAML_BYTES, &text, err);
    if (!status)
        status = spar__yaml_parse(strcmp(path, "-") == 0 ? "standard input" : path, text.text, text.length, out, err);
    spar__buf_free(&text);
    return status;
}

void spar__yaml_free(spar__yaml *root)
{
    if (!root)
        return;
    for (spar__yaml *item = root->first, *next; item; item = next) {
        next = item->next;
        spar__yaml_free(item);
    }
    spar__free(root);
}

const spar__yaml *spar__yaml_get(const spar__yaml *node, const char *key)
{
    if (node->kind != SPAR__YAML_MAP)
        return NULL;
    for (const spar__yaml *item = node->first; item; item = item->next)
        if (strcmp(item->key, key) == 0)
            return item;
    return NULL;
}

spar_status spar__yaml_fail(const spar__yaml *node, spar_error *err, const char *format, ...)
{
    char sentence[sizeof err->text];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    return spar__fail(err, SPAR_PARSE, "%s:%zu:%zu: %s", node->file, node->line, node->column, sentence);
}

static spar_status fail_wanted(const spar__yaml *node, const char *wanted, spar_error *err)
{
    const char *name = node->key ? node->key : "value";
    if (node->kind != SPAR__YAML_SCALAR)
        return spar__yaml_fail(node, err, "%.80s is a %s, expected %s", name,
                               node->kind == SPAR__YAML_LIST ? "list" : "map", wanted);
    return spar__yaml_fail(node, err, "%.80s is '%.80s'%s, expected %s", name, node->text,
                           node->quoted ? " in quotes" : "", wanted);
}

spar_status spar__yaml_text(const spar__yaml *node, const char **text, spar_error *err)
{
    if (node->kind != SPAR__YAML_SCALAR)
        return fail_wanted(node, "text", err);
    *text = node->text;
    return SPAR_OK;
}

static bool is_plain(const spar__yaml *node)
{
    return node->kind == SPAR__YAML_SCALAR && !node->quoted;
}

spar_status spar__yaml_number(const spar__yaml *node, double *value, spar_error *err)
{
    if (!is_plain(node) || !spar__parse_double(node->text, value))
        return fail_wanted(node, "a number", err);
    return SPAR_OK;
}

spar_status spar__yaml_integer(const spar__yaml *node, int64_t *value, spar_error *err)
{
    if (!is_plain(node) || node->text[0] == '\0' || strspn(node->text, "+-0123456789") != strlen(node->text))
        return fail_wanted(node, "an integer", err);
    char *end;
    errno = 0;
    long long parsed = strtoll(node->text, &end, 10);
    if (errno || *end)
        return fail_wanted(node, "an integer", err);
    *value = parsed;
    return SPAR_OK;
}

spar_status spar__yaml_boolean(const spar__yaml *node, bool *value, spar_error *err)
{
    if (!is_plain(node) || (strcmp(node->text, "true") != 0 && strcmp(node->text, "false") != 0))
        return fail_wanted(node, "true or false", err);
    *value = strcmp(node->text, "true") == 0;
    return SPAR_OK;
}
