/* event_fields.c - see event_fields.h. */
#include "live/log/event_fields.h"

#include "base/hash.h"
#include "text/escape.h"

#include <spar/event.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const uint64_t EXACT = (uint64_t)1 << 53; /* doubles hold all whole numbers up to here */

void spar__fields_fault(spar__fields *f, const char *key, const char *wanted)
{
    if (f->failed)
        return;
    f->failed = true;
    f->key = key;
    f->wanted = wanted;
}

static const spar__json_node *member(const spar__fields *f, const char *key)
{
    return spar__json_member(f->tree, f->in, key);
}

/* The next n bytes; zeros after a fault. */
static void take(spar__fields *f, void *bytes, size_t n)
{
    memset(bytes, 0, n);
    if (f->failed || f->left < n) {
        spar__fields_fault(f, NULL, NULL);
        return;
    }
    memcpy(bytes, f->at, n);
    f->at += n;
    f->left -= n;
}

static uint64_t take_number(spar__fields *f, size_t n)
{
    unsigned char bytes[8] = {0};
    take(f, bytes, n);
    return spar__get_u64(bytes);
}

static void put(spar__fields *f, const void *bytes, size_t n)
{
    if (!f->failed)
        spar__buf_add(f->out, bytes, n);
}

static void put_number(spar__fields *f, uint64_t value, size_t n)
{
    unsigned char bytes[8];
    spar__put_u64(bytes, value);
    put(f, bytes, n);
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

uint64_t spar__field_number(spar__fields *f, const char *key, size_t n, bool none)
{
    uint64_t value = 0, most = UINT64_MAX >> (64 - 8 * n);
    if (f->json) {
        value = take_number(f, n);
        if (none && value == most)
            spar__json_add_null(f->json, key);
        else {
            spar__json_key(f->json, key);
            add_large(f->json, value, false);
        }
        return value;
    }
    const spar__json_node *node = member(f, key);
    bool null = node && node->kind == SPAR__JSON_NULL;
    if (none && null)
        value = most;
    else if (!spar__json_get_unsigned(f->tree, node, &value) || value > most || (none && value == most))
        spar__fields_fault(f, key, n == 8 ? "a whole number" : "a whole number below 2^32");
    put_number(f, value, n);
    return value;
}

uint8_t spar__field_word(spar__fields *f, const char *key, uint8_t first, size_t n, const char *const *words,
                         const char *wanted)
{
    if (f->json) {
        uint8_t value = (uint8_t)take_number(f, 1);
        if (value < first || value >= first + n)
            spar__fields_fault(f, NULL, NULL);
        else
            spar__json_add_string(f->json, key, words[value - first]);
        return value;
    }
    const char *text = spar__json_text(f->tree, member(f, key));
    size_t i = 0;
    while (text && i < n && strcmp(words[i], text) != 0)
        i++;
    if (!text || i == n)
        spar__fields_fault(f, key, wanted);
    put_number(f, first + i, 1);
    return (uint8_t)(first + i);
}

void spar__field_flag(spar__fields *f, const char *key)
{
    bool value = false;
    if (f->json) {
        uint64_t byte = take_number(f, 1);
        spar__json_add_boolean(f->json, key, byte);
        if (byte > 1)
            spar__fields_fault(f, NULL, NULL);
        return;
    }
    if (!spar__json_get_boolean(member(f, key), &value))
        spar__fields_fault(f, key, "true or false");
    put_number(f, value, 1);
}

static void add_integer(spar__fields *f)
{
    uint64_t bits = take_number(f, 8);
    bool minus = bits >> 63;
    add_large(f->json, minus ? -bits : bits, minus);
}

static void put_integer(spar__fields *f, const char *key, const spar__json_node *node)
{
    int64_t value = 0;
    if (!spar__json_get_integer(f->tree, node, &value))
        spar__fields_fault(f, key, "a whole number");
    put_number(f, (uint64_t)value, 8);
}

void spar__field_integer(spar__fields *f, const char *key)
{
    if (!f->json) {
        put_integer(f, key, member(f, key));
        return;
    }
    spar__json_key(f->json, key);
    add_integer(f);
}

static double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void add_double(spar__fields *f)
{
    spar__json_number(f->json, double_of(take_number(f, 8)));
}

static void put_double(spar__fields *f, const char *key, const spar__json_node *node)
{
    double value = 0;
    uint64_t bits;
    if (!spar__json_get_number(f->tree, node, &value))
        spar__fields_fault(f, key, "a number");
    memcpy(&bits, &value, sizeof bits);
    put_number(f, bits, 8);
}

void spar__field_real(spar__fields *f, const char *key)
{
    if (!f->json) {
        put_double(f, key, member(f, key));
        return;
    }
    spar__json_key(f->json, key);
    add_double(f);
}

/* A list of n numbers, each by one of these. */
static void numbers(spar__fields *f, const char *key, size_t n, void add(spar__fields *),
                    void put_one(spar__fields *, const char *, const spar__json_node *))
{
    if (f->json) {
        spar__json_key(f->json, key);
        spar__json_begin_array(f->json);
        for (size_t i = 0; i < n && !f->failed; i++)
            add(f);
        spar__json_end_array(f->json);
        return;
    }
    const spar__json_node *list = member(f, key), *node = spar__json_first(f->tree, list);
    if (!list || list->kind != SPAR__JSON_LIST || list->count != n)
        spar__fields_fault(f, key, "a list of as many numbers as there shall be");
    for (; node && !f->failed; node = spar__json_next(f->tree, node))
        put_one(f, key, node);
}

void spar__field_reals(spar__fields *f, const char *key, size_t n)
{
    if (n)
        numbers(f, key, n, add_double, put_double);
}

void spar__field_integers(spar__fields *f, const char *key, size_t n)
{
    numbers(f, key, n, add_integer, put_integer);
}

static void add_index(spar__fields *f)
{
    spar__json_unsigned(f->json, take_number(f, 4));
}

static void put_index(spar__fields *f, const char *key, const spar__json_node *node)
{
    uint64_t value = 0;
    if (!spar__json_get_unsigned(f->tree, node, &value) || value > UINT32_MAX)
        spar__fields_fault(f, key, "a list of whole numbers below 2^32");
    put_number(f, value, 4);
}

void spar__field_indices(spar__fields *f, const char *key, size_t n)
{
    numbers(f, key, n, add_index, put_index);
}

void spar__field_text(spar__fields *f, const char *key)
{
    if (f->json) {
        spar__buf text = {0};
        uint64_t n = take_number(f, 4);
        if (n > f->left)
            spar__fields_fault(f, NULL, NULL);
        if (f->failed)
            return;
        spar__buf_add(&text, (const char *)f->at, (size_t)n);
        f->at += n;
        f->left -= (size_t)n;
        spar__json_add_string(f->json, key, text.text ? text.text : "");
        f->json->out->failed = f->json->out->failed || text.failed;
        spar__buf_free(&text);
        return;
    }
    const spar__json_node *node = member(f, key);
    const char *text = spar__json_text(f->tree, node);
    if (!text)
        spar__fields_fault(f, key, "a text");
    put_number(f, text ? node->length : 0, 4);
    if (text)
        put(f, text, node->length);
}

void spar__field_hex(spar__fields *f, const char *key, size_t n, bool flagged)
{
    unsigned char bytes[SPAR_HASH_SIZE] = {0};
    if (f->json) {
        spar__buf text = {0};
        uint64_t there = flagged ? take_number(f, 1) : 1;
        if (there)
            take(f, bytes, n);
        spar__hex_add(&text, bytes, n);
        spar__json_add_string(f->json, key, there && text.text ? text.text : NULL);
        if (there > 1)
            spar__fields_fault(f, NULL, NULL);
        f->json->out->failed = f->json->out->failed || text.failed;
        spar__buf_free(&text);
        return;
    }
    const spar__json_node *node = member(f, key);
    const char *text = spar__json_text(f->tree, node);
    bool null = flagged && node && node->kind == SPAR__JSON_NULL;
    if (!null && !(text && spar__hex_read(text, bytes, n)))
        spar__fields_fault(f, key, n == SPAR_HASH_SIZE ? "64 hexadecimal digits" : "16 hexadecimal digits");
    if (flagged)
        put_number(f, !null, 1);
    if (!null)
        put(f, bytes, n);
}

void spar__field_voter(spar__fields *f)
{
    unsigned char bytes[8] = {0};
    char text[17];
    if (f->json) {
        uint64_t value = take_number(f, 8);
        (void)snprintf(text, sizeof text, "%016" PRIx64, value);
        spar__json_add_string(f->json, "voter", value ? text : NULL);
        return;
    }
    const spar__json_node *node = member(f, "voter");
    const char *given = spar__json_text(f->tree, node);
    if (!(node && node->kind == SPAR__JSON_NULL) && !(given && spar__hex_read(given, bytes, 8)))
        spar__fields_fault(f, "voter", "16 hexadecimal digits, or null");
    for (size_t i = 0; i < 8; i++)
        put(f, &bytes[7 - i], 1);
}

size_t spar__field_count(spar__fields *f, const char *key, size_t bytes)
{
    if (f->json) {
        uint64_t n = take_number(f, bytes);
        if (n > f->left)
            spar__fields_fault(f, NULL, NULL);
        return f->failed ? 0 : (size_t)n;
    }
    const spar__json_node *list = member(f, key);
    if (!list || list->kind != SPAR__JSON_LIST || (bytes == 1 && list->count > UINT8_MAX) || list->count > UINT32_MAX)
        spar__fields_fault(f, key, "a list");
    put_number(f, list ? list->count : 0, bytes);
    return f->failed ? 0 : list->count;
}

spar__field_objects spar__field_list(spar__fields *f, const char *key)
{
    spar__field_objects list = {f->in, NULL};
    if (f->json) {
        spar__json_key(f->json, key);
        spar__json_begin_array(f->json);
    } else
        list.item = spar__json_first(f->tree, member(f, key));
    return list;
}

void spar__field_item(spar__fields *f, spar__field_objects *list)
{
    if (f->json)
        spar__json_begin_object(f->json);
    f->in = list->item;
}

void spar__field_end_item(spar__fields *f, spar__field_objects *list)
{
    if (f->json)
        spar__json_end_object(f->json);
    else
        list->item = spar__json_next(f->tree, list->item);
}

void spar__field_end_list(spar__fields *f, const spar__field_objects *list)
{
    if (f->json)
        spar__json_end_array(f->json);
    f->in = list->outer;
}

const spar__json_node *spar__field_object(spar__fields *f, const char *key)
{
    const spar__json_node *outer = f->in;
    if (f->json) {
        spar__json_key(f->json, key);
        spar__json_begin_object(f->json);
        return outer;
    }
    f->in = member(f, key);
    if (!f->in || f->in->kind != SPAR__JSON_OBJECT)
        spar__fields_fault(f, key, "an object");
    return outer;
}

void spar__field_end_object(spar__fields *f, const spar__json_node *outer)
{
    if (f->json)
        spar__json_end_object(f->json);
    f->in = outer;
}
