/* form.c - see form.h. */
#include "service/form.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "service/form_fields.h"
#include "text/json.h"
#include "text/json_read.h"

#include <string.h>
#include <strings.h>

static void free_form(spar__form *f)
{
    for (size_t i = 0; i < f->n; i++) {
        spar__free(f->field[i].file);
        spar__free(f->field[i].name);
        spar__free(f->field[i].value);
    }
    spar__free(f->field);
}

/* --- decoding --- */

void spar__form_line_ends(char *text)
{
    size_t n = 0;
    for (size_t i = 0; text[i]; i++)
        if (text[i] != '\r' || text[i + 1] != '\n')
            text[n++] = text[i];
    text[n] = '\0';
}

/* As forms encode: + is a blank. NULL: badly encoded. */
static char *decode(const char *text, size_t length)
{
    char *spaced = spar__alloc(length + 1, 1), *out = NULL;
    for (size_t i = 0; spaced && i < length; i++)
        spaced[i] = (char)(text[i] == '+' ? ' ' : text[i]);
    if (spaced)
        out = spar__url_decode(spaced, length);
    spar__free(spaced);
    if (out)
        spar__form_line_ends(out);
    return out;
}

static bool add_field(spar__form *f, const char *text, size_t length)
{
    const char *equals = memchr(text, '=', length);
    size_t name = equals ? (size_t)(equals - text) : length;
    spar__form_field *out = &f->field[f->n];
    *out = (spar__form_field){.name = decode(text, name),
                              .value = decode(equals ? equals + 1 : "", equals ? length - name - 1 : 0)};
    f->n++; /* freed with the others, whatever it is */
    return out->name && out->value && *out->name;
}

static spar_status split(spar__form *f, const char *text, size_t length, spar_error *err)
{
    size_t n = 1;
    for (size_t i = 0; i < length; i++)
        n += text[i] == '&';
    if (n > SPAR__FORM_FIELDS)
        return spar__fail(err, SPAR_PARSE, "the form has more than %d fields", SPAR__FORM_FIELDS);
    f->field = spar__alloc(n, sizeof *f->field);
    if (!f->field)
        return spar__fail_memory(err);
    for (size_t at = 0; at < length;) {
        const char *end = memchr(text + at, '&', length - at);
        size_t size = end ? (size_t)(end - text) - at : length - at;
        if (size && !add_field(f, text + at, size))
            return spar__fail(err, SPAR_PARSE, "the form is badly encoded");
        at += size + 1;
    }
    return SPAR_OK;
}

/* --- writing --- */

static const spar__member *find(const spar__schema *schema, const char *name)
{
    for (const spar__member *member = schema->member; member->name; member++)
        if (strcmp(member->name, name) == 0)
            return member;
    return NULL;
}

static bool is_blank(const char *text)
{
    return text[strspn(text, " \t\n")] == '\0';
}

/* A text that is no number stays one: the check of the body refuses it. */
static void add_number(spar__json *json, const char *text)
{
    uint64_t whole = 0;
    double value = 0;
    if (spar__parse_u64(text, &whole))
        spar__json_unsigned(json, whole);
    else if (spar__parse_double(text, &value))
        spar__json_number(json, value);
    else
        spar__json_string(json, text);
}

static void add_value(spar__json *json, spar__member_kind kind, const char *text)
{
    bool on = spar__word_among("true|on|1", text);
    if (kind == SPAR__MEMBER_FLAG && (on || spar__word_among("false|off|0", text)))
        spar__json_boolean(json, on);
    else if (kind == SPAR__MEMBER_REASON && strcmp(text, "true") == 0)
        spar__json_boolean(json, true);
    else if (kind == SPAR__MEMBER_WHOLE || kind == SPAR__MEMBER_NUMBER)
        add_number(json, text);
    else
        spar__json_string(json, text);
}

/* A file is an object of its name and its bytes. */
static void add_item(spar__json *json, spar__member_kind kind, const spar__form_field *given)
{
    if (!given->file) {
        add_value(json, kind, given->value);
        return;
    }
    spar__json_begin_object(json);
    spar__json_add_string(json, "file", given->file);
    spar__json_add_string(json, "bytes", given->value);
    spar__json_end_object(json);
}

static void add_list(spar__json *json, spar__form *f, size_t first, const char *of)
{
    spar__member_kind kind = of && strcmp(of, "numbers") == 0 ? SPAR__MEMBER_NUMBER : SPAR__MEMBER_TEXT;
    spar__json_key(json, f->field[first].name);
    spar__json_begin_array(json);
    for (size_t i = first; i < f->n; i++)
        if (!f->field[i].done && strcmp(f->field[i].name, f->field[first].name) == 0) {
            add_item(json, kind, &f->field[i]);
            f->field[i].done = i > first;
        }
    spar__json_end_array(json);
}

static bool is_there(const spar__form *f, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (strcmp(f->field[j].name, f->field[i].name) == 0)
            return true;
    return false;
}

static spar_status write_fields(spar__form *f, const spar__schema *schema, spar__json *json, spar_error *err)
{
    size_t members = 0;
    for (size_t i = 0; i < f->n; i++) {
        const spar__form_field *given = &f->field[i];
        const spar__member *member = find(schema, given->name);
        if (given->done)
            continue;
        if (++members > SPAR__JSON_MEMBERS)
            return spar__fail(err, SPAR_PARSE, "the form has more than %d names", SPAR__JSON_MEMBERS);
        if (member && member->kind == SPAR__MEMBER_LIST) {
            add_list(json, f, i, member->of);
            continue;
        }
        if (is_there(f, i))
            return spar__fail(err, SPAR_PARSE, "the form has '%.40s' twice", given->name);
        if (is_blank(given->value))
            continue;
        spar__json_key(json, given->name);
        add_value(json, member ? member->kind : SPAR__MEMBER_TEXT, given->value);
    }
    return SPAR_OK;
}

spar_status spar__form_json(const char *type, const char *text, size_t length, const spar__schema *schema,
                            spar__buf *out, spar_error *err)
{
    spar__form f = {0};
    bool parts = type && strncasecmp(type, "multipart/form-data", 19) == 0;
    spar__json json = {.out = out};
    spar_status status = parts ? spar__form_parts(&f, type, text, length, err) : split(&f, text, length, err);
    spar__json_begin_object(&json);
    if (!status)
        status = write_fields(&f, schema, &json, err);
    spar__json_end_object(&json);
    free_form(&f);
    return !status && out->failed ? spar__fail_memory(err) : status;
}
