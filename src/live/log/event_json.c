/* event_json.c - events as JSON and back, by the table of fields in types/event.h: every type of field has one function
 * for both ways, so that what is written is what is read. After a fault nothing happens any more. */
#include "live/log/event_json.h"

#include "base/hash.h"
#include "text/escape.h"
#include "types/event.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { HEAD = 22 };

static const uint64_t EXACT = (uint64_t)1 << 53; /* doubles hold all whole numbers up to here */

typedef struct walk {
    const unsigned char *at; /* bytes to JSON: what is left of them */
    size_t left;
    spar__json *json;            /* NULL: JSON to bytes */
    const spar__json_tree *tree; /* JSON to bytes */
    const spar__json_node *in;   /* the object that is read */
    spar__buf *out;
    unsigned version;
    size_t count, dim; /* the last of these fields */
    bool failed;
    const spar__event_field *fault; /* where */
    const char *wanted;             /* NULL: one of its words */
} walk;

typedef const spar__event_field field;

static void fail(walk *w, field *f, const char *wanted)
{
    if (w->failed)
        return;
    w->failed = true;
    w->fault = f;
    w->wanted = wanted;
}

static const spar__json_node *member(const walk *w, field *f)
{
    return spar__json_member(w->tree, w->in, f->name);
}

/* The next n bytes; zeros after a fault. */
static void take(walk *w, void *bytes, size_t n)
{
    memset(bytes, 0, n);
    if (w->failed || w->left < n) {
        fail(w, NULL, NULL);
        return;
    }
    memcpy(bytes, w->at, n);
    w->at += n;
    w->left -= n;
}

static uint64_t take_number(walk *w, size_t n)
{
    unsigned char bytes[8] = {0};
    take(w, bytes, n);
    return spar__get_u64(bytes);
}

static void put(walk *w, const void *bytes, size_t n)
{
    if (!w->failed)
        spar__buf_add(w->out, bytes, n);
}

static void put_number(walk *w, uint64_t value, size_t n)
{
    unsigned char bytes[8];
    spar__put_u64(bytes, value);
    put(w, bytes, n);
}

/* One that is longer is a string: other programs would round it. */
static void add_large(spar__json *json, uint64_t size, bool minus)
{
    char digits[24];
    (void)snprintf(digits, sizeof digits, "%s%" PRIu64, minus ? "-" : "", size);
    if (size > EXACT)
        spar__json_string(json, digits);
    else if (minus)
        spar__json_number(json, -(double)size);
    else
        spar__json_unsigned(json, size);
}

static void number(walk *w, field *f)
{
    uint64_t value = 0, most = UINT64_MAX >> (64 - 8 * f->bytes);
    const spar__json_node *node = w->json ? NULL : member(w, f);
    if (w->json) {
        value = take_number(w, f->bytes);
        spar__json_key(w->json, f->name);
        if (f->none && value == most)
            spar__json_null(w->json);
        else
            add_large(w->json, value, false);
    } else {
        if (f->none && node && node->kind == SPAR__JSON_NULL)
            value = most;
        else if (!spar__json_get_unsigned(w->tree, node, &value) || value > most || (f->none && value == most))
            fail(w, f, f->bytes == 8 ? "a whole number" : "a whole number below 2^32");
        put_number(w, value, f->bytes);
    }
    if (f->type == SPAR__FIELD_DIM)
        w->dim = (size_t)value;
}

static uint8_t word(walk *w, field *f)
{
    if (w->json) {
        uint64_t value = take_number(w, 1);
        if (value < f->least || value > f->most)
            fail(w, NULL, NULL);
        else
            spar__json_add_string(w->json, f->name, f->words[value - f->least]);
        return (uint8_t)value;
    }
    const char *text = spar__json_text(w->tree, member(w, f));
    size_t i = 0;
    while (text && f->words[i] && strcmp(f->words[i], text) != 0)
        i++;
    if (!text || !f->words[i])
        fail(w, f, NULL);
    put_number(w, f->least + i, 1);
    return (uint8_t)(f->least + i);
}

static void only_word(walk *w, field *f)
{
    (void)word(w, f);
}

static void flag(walk *w, field *f)
{
    bool value = false;
    if (w->json) {
        uint64_t byte = take_number(w, 1);
        spar__json_add_boolean(w->json, f->name, byte);
        if (byte > 1)
            fail(w, NULL, NULL);
        return;
    }
    if (!spar__json_get_boolean(member(w, f), &value))
        fail(w, f, "true or false");
    put_number(w, value, 1);
}

static void add_integer(walk *w)
{
    uint64_t bits = take_number(w, 8);
    bool minus = bits >> 63;
    add_large(w->json, minus ? -bits : bits, minus);
}

static void put_integer(walk *w, field *f, const spar__json_node *node)
{
    int64_t value = 0;
    if (!spar__json_get_integer(w->tree, node, &value))
        fail(w, f, "a whole number");
    put_number(w, (uint64_t)value, 8);
}

static void add_double(walk *w)
{
    uint64_t bits = take_number(w, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    spar__json_number(w->json, value);
}

static void put_double(walk *w, field *f, const spar__json_node *node)
{
    double value = 0;
    uint64_t bits;
    if (!spar__json_get_number(w->tree, node, &value))
        fail(w, f, "a number");
    memcpy(&bits, &value, sizeof bits);
    put_number(w, bits, 8);
}

static void add_index(walk *w)
{
    spar__json_unsigned(w->json, take_number(w, 4));
}

static void put_index(walk *w, field *f, const spar__json_node *node)
{
    uint64_t value = 0;
    if (!spar__json_get_unsigned(w->tree, node, &value) || value > UINT32_MAX)
        fail(w, f, "a list of whole numbers below 2^32");
    put_number(w, value, 4);
}

static void real(walk *w, field *f)
{
    if (!w->json) {
        put_double(w, f, member(w, f));
        return;
    }
    spar__json_key(w->json, f->name);
    add_double(w);
}

/* A list of n numbers, each by one of these. */
static void numbers(walk *w, field *f, size_t n, void add(walk *),
                    void put_one(walk *, field *, const spar__json_node *))
{
    if (w->json) {
        spar__json_key(w->json, f->name);
        spar__json_begin_array(w->json);
        for (size_t i = 0; i < n && !w->failed; i++)
            add(w);
        spar__json_end_array(w->json);
        return;
    }
    const spar__json_node *list = member(w, f), *node = spar__json_first(w->tree, list);
    if (!list || list->kind != SPAR__JSON_LIST || list->count != n)
        fail(w, f, "a list of as many numbers as there shall be");
    for (; node && !w->failed; node = spar__json_next(w->tree, node))
        put_one(w, f, node);
}

static void reals(walk *w, field *f)
{
    if (w->dim)
        numbers(w, f, w->dim, add_double, put_double);
}

static void integers(walk *w, field *f)
{
    numbers(w, f, w->count, add_integer, put_integer);
}

static void indices(walk *w, field *f)
{
    numbers(w, f, w->count, add_index, put_index);
}

static void text(walk *w, field *f)
{
    if (w->json) {
        spar__buf copy = {0};
        uint64_t n = take_number(w, 4);
        if (n > w->left)
            fail(w, NULL, NULL);
        if (w->failed)
            return;
        spar__buf_add(&copy, (const char *)w->at, (size_t)n);
        w->at += n;
        w->left -= (size_t)n;
        spar__json_add_string(w->json, f->name, copy.text ? copy.text : "");
        w->json->out->failed |= copy.failed;
        spar__buf_free(&copy);
        return;
    }
    const spar__json_node *node = member(w, f);
    const char *given = spar__json_text(w->tree, node);
    if (!given)
        fail(w, f, "a text");
    put_number(w, given ? node->length : 0, 4);
    if (given)
        put(w, given, node->length);
}

/* 32 bytes, before which a hash has a flag. */
static void hash(walk *w, field *f)
{
    unsigned char bytes[SPAR_HASH_SIZE] = {0};
    bool flagged = f->type == SPAR__FIELD_HASH;
    if (w->json) {
        spar__buf digits = {0};
        uint64_t there = flagged ? take_number(w, 1) : 1;
        if (there)
            take(w, bytes, sizeof bytes);
        spar__hex_add(&digits, bytes, sizeof bytes);
        spar__json_add_string(w->json, f->name, there && digits.text ? digits.text : NULL);
        if (there > 1)
            fail(w, NULL, NULL);
        w->json->out->failed |= digits.failed;
        spar__buf_free(&digits);
        return;
    }
    const spar__json_node *node = member(w, f);
    const char *given = spar__json_text(w->tree, node);
    bool null = flagged && node && node->kind == SPAR__JSON_NULL;
    if (!null && !(given && spar__hex_read(given, bytes, sizeof bytes)))
        fail(w, f, "64 hexadecimal digits");
    if (flagged)
        put_number(w, !null, 1);
    if (!null)
        put(w, bytes, sizeof bytes);
}

/* A random number: as digits, or null for 0. */
static void voter(walk *w, field *f)
{
    unsigned char bytes[8] = {0};
    char digits[17];
    if (w->json) {
        uint64_t value = take_number(w, 8);
        (void)snprintf(digits, sizeof digits, "%016" PRIx64, value);
        spar__json_add_string(w->json, f->name, value ? digits : NULL);
        return;
    }
    const spar__json_node *node = member(w, f);
    const char *given = spar__json_text(w->tree, node);
    if (!(node && node->kind == SPAR__JSON_NULL) && !(given && spar__hex_read(given, bytes, sizeof bytes)))
        fail(w, f, "16 hexadecimal digits, or null");
    for (size_t i = 0; i < sizeof bytes; i++)
        put(w, &bytes[7 - i], 1);
}

static void count(walk *w, field *f)
{
    if (w->json) {
        uint64_t n = take_number(w, f->bytes);
        if (n > w->left)
            fail(w, NULL, NULL);
        w->count = w->failed ? 0 : (size_t)n;
        return;
    }
    const spar__json_node *list = member(w, f);
    if (!list || list->kind != SPAR__JSON_LIST || list->count > (f->bytes == 1 ? UINT8_MAX : UINT32_MAX))
        fail(w, f, "a list");
    put_number(w, list ? list->count : 0, f->bytes);
    w->count = w->failed ? 0 : list->count;
}

static void walk_fields(walk *w, field *f);

static void list(walk *w, field *f)
{
    const spar__json_node *outer = w->in, *item = w->json ? NULL : spar__json_first(w->tree, member(w, f));
    size_t n = w->count;
    if (w->json) {
        spar__json_key(w->json, f->name);
        spar__json_begin_array(w->json);
    }
    for (size_t i = 0; i < n && !w->failed; i++) {
        w->in = item;
        if (w->json)
            spar__json_begin_object(w->json);
        walk_fields(w, f->inner);
        if (w->json)
            spar__json_end_object(w->json);
        else
            item = spar__json_next(w->tree, item);
    }
    if (w->json)
        spar__json_end_array(w->json);
    w->in = outer;
}

static void answer(walk *w, field *f)
{
    const spar__json_node *outer = w->in;
    if (w->json) {
        spar__json_key(w->json, f->name);
        spar__json_begin_object(w->json);
    } else {
        w->in = member(w, f);
        if (!w->in || w->in->kind != SPAR__JSON_OBJECT)
            fail(w, f, "an object");
    }
    walk_fields(w, spar__answer_fields((spar_answer_kind)word(w, f->inner)));
    if (w->json)
        spar__json_end_object(w->json);
    w->in = outer;
}

static void walk_fields(walk *w, field *f)
{
    static void (*const by_type[])(walk *, field *) = {
        [SPAR__FIELD_NUMBER] = number,   [SPAR__FIELD_DIM] = number,  [SPAR__FIELD_VOTER] = voter,
        [SPAR__FIELD_WORD] = only_word,  [SPAR__FIELD_FLAG] = flag,   [SPAR__FIELD_TEXT] = text,
        [SPAR__FIELD_HASH] = hash,       [SPAR__FIELD_KEY] = hash,    [SPAR__FIELD_REAL] = real,
        [SPAR__FIELD_REALS] = reals,     [SPAR__FIELD_COUNT] = count, [SPAR__FIELD_INTEGERS] = integers,
        [SPAR__FIELD_INDICES] = indices, [SPAR__FIELD_LIST] = list,   [SPAR__FIELD_ANSWER] = answer};
    for (; f->name && !w->failed; f++)
        if (f->since <= w->version)
            by_type[f->type](w, f);
}

/* What all events begin with. */
static const spar__event_field SEQUENCE = {.name = "seq", .type = SPAR__FIELD_NUMBER, .bytes = 8},
                               TIME = {.name = "time"};

static spar_event_kind kind_of(const char *name)
{
    for (int kind = SPAR_EVENT_CREATED; name && kind <= SPAR_EVENT_IMPORTED; kind++)
        if (strcmp(spar_event_kind_name((spar_event_kind)kind), name) == 0)
            return (spar_event_kind)kind;
    return SPAR_EVENT_NONE;
}

spar_status spar__event_json_add(spar__json *json, const unsigned char *bytes, size_t length, spar_error *err)
{
    if (length < HEAD || bytes[0] < 1 || bytes[0] > (bytes[1] == SPAR_EVENT_CREATED ? 2 : 1) ||
        !spar_event_kind_name((spar_event_kind)bytes[1]))
        return spar__fail(err, SPAR_CORRUPT, "these bytes are no event of version 1 or 2");
    spar_event_kind kind = (spar_event_kind)bytes[1];
    walk w = {.at = bytes + 6, .left = length - 6, .json = json, .version = bytes[0]};
    number(&w, &SEQUENCE);
    spar__json_key(json, TIME.name);
    add_integer(&w);
    spar__json_add_string(json, "kind", spar_event_kind_name(kind));
    walk_fields(&w, spar__event_fields(kind));
    if (w.failed || w.left)
        return spar__fail(err, SPAR_CORRUPT, "event %" PRIu64 ": its contents are not those of '%s'",
                          spar__get_u64(bytes + 6), spar_event_kind_name(kind));
    return json->out->failed ? spar__fail_memory(err) : SPAR_OK;
}

static spar_status refuse(const walk *w, spar_event_kind kind, spar_error *err)
{
    spar__buf words = {0};
    for (size_t i = 0; !w->wanted && w->fault->words[i]; i++)
        spar__buf_printf(&words, "%s%s", !i ? "" : w->fault->words[i + 1] ? ", " : " or ", w->fault->words[i]);
    spar_status status = spar__fail(err, SPAR_PARSE, "'%s' of this '%s' is not there or not right, expected %s",
                                    w->fault->name, spar_event_kind_name(kind), w->wanted ? w->wanted : words.text);
    if (words.failed)
        status = spar__fail_memory(err);
    spar__buf_free(&words);
    return status;
}

spar_status spar__event_json_read(const spar__json_tree *tree, spar__buf *out, spar_error *err)
{
    const spar__json_node *root = spar__json_root(tree);
    spar_event_kind kind = kind_of(spar__json_text(tree, spar__json_member(tree, root, "kind")));
    size_t start = out->length;
    if (kind == SPAR_EVENT_NONE)
        return spar__fail(err, SPAR_PARSE, "'kind' is not there or not the kind of an event, such as \"answer\"");
    unsigned char version = kind == SPAR_EVENT_CREATED && spar__json_member(tree, root, "space") ? 2 : 1;
    walk w = {.tree = tree, .in = root, .out = out, .version = version};
    spar__buf_add(out, (const char[]){(char)version, (char)kind, 0, 0, 0, 0}, 6);
    number(&w, &SEQUENCE);
    put_integer(&w, &TIME, member(&w, &TIME));
    walk_fields(&w, spar__event_fields(kind));
    if (out->failed)
        return spar__fail_memory(err);
    if (w.failed)
        return refuse(&w, kind, err);
    if (out->length - start - HEAD > UINT32_MAX)
        return spar__fail(err, SPAR_PARSE, "the event is too long");
    spar__put_u32((unsigned char *)out->text + start + 2, (uint32_t)(out->length - start - HEAD));
    return SPAR_OK;
}
