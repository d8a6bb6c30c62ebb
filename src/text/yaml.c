/* yaml.c - libyaml's events, checked and given on as values with their place. Keys of a map are compared one by one. */
#include "text/yaml.h"

#include "base/file.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>

/* A map or list that has begun. */
typedef struct yaml_level {
    bool map, keyed; /* keyed: the last key waits for its value */
    size_t count;    /* of values so far */
    spar__buf keys;  /* each with its zero byte; the last one begins at `last` */
    size_t last;
} yaml_level;

typedef struct yaml_reader {
    yaml_parser_t parser;
    yaml_event_t event;     /* the one to look at */
    spar__yaml_value value; /* its file and place are those of the event */
    yaml_level level[SPAR__YAML_DEPTH];
    spar__yaml_take *take;
    void *context;
    spar_error *err;
} yaml_reader;

/* Anchors and tags would need a meaning; text with a zero byte cannot be a C string. */
static spar_status check_plain(const yaml_reader *in, const yaml_char_t *anchor, const yaml_char_t *tag)
{
    if (anchor)
        return spar__yaml_fail(&in->value, in->err, "anchors (&name) are not supported: write the value out");
    if (tag)
        return spar__yaml_fail(&in->value, in->err, "tags (!name) are not supported");
    return SPAR_OK;
}

/* Text, or NULL for an empty map or list. */
static spar_status give_value(yaml_reader *in, const char *text)
{
    in->value.text = text;
    for (size_t i = 0; i < in->value.depth; i++) {
        in->value.in[i].key = in->level[i].map ? in->level[i].keys.text + in->level[i].last : NULL;
        in->value.in[i].index = in->level[i].count;
    }
    return in->take(in->context, &in->value, in->err);
}

/* A value is over. */
static void step(yaml_reader *in)
{
    if (in->value.depth) {
        in->level[in->value.depth - 1].count++;
        in->level[in->value.depth - 1].keyed = false;
    }
}

static spar_status read_scalar(yaml_reader *in)
{
    const char *text = (const char *)in->event.data.scalar.value;
    yaml_level *level = in->value.depth ? &in->level[in->value.depth - 1] : NULL;
    spar_status status = check_plain(in, in->event.data.scalar.anchor, in->event.data.scalar.tag);
    if (status)
        return status;
    if (strlen(text) != in->event.data.scalar.length)
        return spar__yaml_fail(&in->value, in->err, "text with a zero byte is not supported");
    if (level && level->map && !level->keyed) {
        for (size_t at = 0; at < level->keys.length; at += strlen(level->keys.text + at) + 1)
            if (strcmp(level->keys.text + at, text) == 0)
                return spar__yaml_fail(&in->value, in->err, "the key '%.80s' comes twice", text);
        if (level->count >= SPAR__YAML_KEYS)
            return spar__yaml_fail(&in->value, in->err, "too many keys");
        level->last = level->keys.length;
        level->keyed = true;
        spar__buf_add(&level->keys, text, strlen(text) + 1);
        return level->keys.failed ? spar__fail_memory(in->err) : SPAR_OK;
    }
    status = give_value(in, text);
    step(in);
    return status;
}

static spar_status begin(yaml_reader *in, bool map, const yaml_char_t *anchor, const yaml_char_t *tag)
{
    spar_status status = check_plain(in, anchor, tag);
    if (status)
        return status;
    if (in->value.depth && in->level[in->value.depth - 1].map && !in->level[in->value.depth - 1].keyed)
        return spar__yaml_fail(&in->value, in->err, "a key must be plain text");
    if (in->value.depth == SPAR__YAML_DEPTH)
        return spar__yaml_fail(&in->value, in->err, "too many levels");
    in->level[in->value.depth++] = (yaml_level){.map = map};
    return SPAR_OK;
}

static spar_status read_event(yaml_reader *in, size_t *documents)
{
    const yaml_event_t *event = &in->event;
    spar_status status;
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if ((*documents)++)
            return spar__yaml_fail(&in->value, in->err, "a second document (---) is not supported");
        return SPAR_OK;
    case YAML_STREAM_END_EVENT:
        return *documents ? SPAR_OK : spar__yaml_fail(&in->value, in->err, "there is nothing in it");
    case YAML_ALIAS_EVENT:
        return spar__yaml_fail(&in->value, in->err, "aliases (*name) are not supported: write the value out");
    case YAML_SCALAR_EVENT:
        return read_scalar(in);
    case YAML_SEQUENCE_START_EVENT:
        return begin(in, false, event->data.sequence_start.anchor, event->data.sequence_start.tag);
    case YAML_MAPPING_START_EVENT:
        return begin(in, true, event->data.mapping_start.anchor, event->data.mapping_start.tag);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        spar__buf_free(&in->level[--in->value.depth].keys);
        status = in->level[in->value.depth].count ? SPAR_OK : give_value(in, NULL);
        step(in);
        return status;
    default:
        return SPAR_OK;
    }
}

spar_status spar__yaml_parse(const char *file, const char *text, size_t length, spar__yaml_take *take, void *context,
                             spar_error *err)
{
    yaml_reader in = {.value = {.file = file}, .take = take, .context = context, .err = err};
    spar_status status = SPAR_OK;
    size_t documents = 0;
    if (length > SPAR__YAML_BYTES)
        return spar__fail(err, SPAR_PARSE, "%s: larger than %d bytes", file, SPAR__YAML_BYTES);
    if (!yaml_parser_initialize(&in.parser))
        return spar__fail_memory(err);
    yaml_parser_set_input_string(&in.parser, (const unsigned char *)(length ? text : ""), length);
    do {
        yaml_event_delete(&in.event);
        bool good = yaml_parser_parse(&in.parser, &in.event) != 0;
        yaml_mark_t at = good ? in.event.start_mark : in.parser.problem_mark;
        if (!good && in.parser.error == YAML_READER_ERROR) {
            /* libyaml tells the place of a byte that it cannot decode only as an offset. */
            at = (yaml_mark_t){0};
            for (size_t i = 0; i < in.parser.problem_offset; i++) {
                at.column = text[i] == '\n' ? 0 : at.column + 1;
                at.line += text[i] == '\n';
            }
        }
        in.value.line = at.line + 1;
        in.value.column = at.column + 1;
        status = good                                   ? read_event(&in, &documents)
                 : in.parser.error == YAML_MEMORY_ERROR ? spar__fail_memory(err)
                                                        : spar__yaml_fail(&in.value, err, "%s", in.parser.problem);
    } while (!status && in.event.type != YAML_STREAM_END_EVENT);
    for (size_t i = 0; i < in.value.depth; i++)
        spar__buf_free(&in.level[i].keys);
    yaml_event_delete(&in.event);
    yaml_parser_delete(&in.parser);
    return status;
}

spar_status spar__yaml_load(const char *path, spar__yaml_take *take, void *context, spar_error *err)
{
    spar__buf text = {0};
    spar_status status = spar__file_read(path, SPAR__YAML_BYTES, &text, err);
    if (!status)
        status = spar__yaml_parse(strcmp(path, "-") == 0 ? "standard input" : path, text.text, text.length, take,
                                  context, err);
    spar__buf_free(&text);
    return status;
}

spar_status spar__yaml_fail(const spar__yaml_value *value, spar_error *err, const char *format, ...)
{
    char sentence[sizeof err->text];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    return spar__fail(err, SPAR_PARSE, "%s:%zu:%zu: %s", value->file, value->line, value->column, sentence);
}
