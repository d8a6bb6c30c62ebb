/* form.c - what a form of a page sends, as the JSON object that a program would send (http.h).
 *
 *     name=value&other=value                                            application/x-www-form-urlencoded
 *
 *     --BOUNDARY\r\n                                                    multipart/form-data, with files
 *     Content-Disposition: form-data; name="images"; filename="a.png"\r\n
 *     \r\n
 *     BYTES\r\n
 *     --BOUNDARY--
 *
 * Not by libmicrohttpd's post processor: that exists for a connection only, so that no test and no fuzzer could reach
 * it, takes badly encoded escapes as they are, parts without a name and nested multipart/mixed, and does not say why it
 * gave up. A body is at most 16 MiB and is looked at a few times. */
#include "base/alloc.h"
#include "base/buf.h"
#include "service/http/http.h"
#include "service/pages/pages.h"
#include "text/escape.h"
#include "text/json.h"
#include "text/json_read.h"

#include <string.h>
#include <strings.h>

enum { MAX_BOUNDARY = 70, MAX_NAME = 1000 };

typedef struct form_bytes {
    const char *text;
    size_t length;
} form_bytes;

static spar_status malformed(spar_error *err)
{
    return spar__fail(err, SPAR_PARSE, "the form is badly encoded");
}

static const char *find(form_bytes in, const char *what, size_t length)
{
    const char *at = in.text, *end = in.text + in.length;
    while ((size_t)(end - at) >= length && (at = memchr(at, what[0], (size_t)(end - at) - length + 1))) {
        if (memcmp(at, what, length) == 0)
            return at;
        at++;
    }
    return NULL;
}

/* The boundary, with the line end and the dashes before it. */
static bool read_boundary(const char *type, char out[MAX_BOUNDARY + 5])
{
    static const char name[] = "boundary=";
    const char *at = type;
    while (*at && strncasecmp(at, name, strlen(name)) != 0)
        at++;
    if (!*at)
        return false;
    at += strlen(name);
    bool quoted = *at == '"';
    at += quoted;
    size_t length = strcspn(at, quoted ? "\"" : "; \t");
    if (!length || length > MAX_BOUNDARY)
        return false;
    memcpy(out, "\r\n--", 4);
    memcpy(out + 4, at, length);
    out[4 + length] = '\0';
    return true;
}

/* A parameter of Content-Disposition: what stands in its quotes, new. Browsers write %22 for a quote. */
static char *parameter(form_bytes line, const char *name)
{
    size_t n = strlen(name);
    for (size_t i = 0; i + n + 3 <= line.length; i++) {
        if (line.text[i] != ';' && line.text[i] != ' ')
            continue;
        const char *at = line.text + i + 1;
        if (strncasecmp(at, name, n) != 0 || at[n] != '=' || at[n + 1] != '"')
            continue;
        at += n + 2;
        const char *end = memchr(at, '"', line.length - (size_t)(at - line.text));
        size_t length = end ? (size_t)(end - at) : 0;
        char *out = end && length < MAX_NAME ? spar__alloc(length + 1, 1) : NULL;
        if (out)
            memcpy(out, at, length);
        return out;
    }
    return NULL;
}

/* The line of the header Content-Disposition; length 0: there is none. */
static form_bytes disposition(form_bytes head)
{
    static const char name[] = "content-disposition:";
    while (head.length) {
        const char *end = find(head, "\r\n", 2);
        size_t length = end ? (size_t)(end - head.text) : head.length;
        if (length > strlen(name) && strncasecmp(head.text, name, strlen(name)) == 0)
            return (form_bytes){head.text, length};
        size_t skip = end ? length + 2 : length;
        head = (form_bytes){head.text + skip, head.length - skip};
    }
    return (form_bytes){"", 0};
}

/* Without the \r of line ends, in place; forms have \r\n whatever was typed. */
static void form_line_ends(char *text)
{
    size_t n = 0;
    for (size_t i = 0; text[i]; i++)
        if (text[i] != '\r' || text[i + 1] != '\n')
            text[n++] = text[i];
    text[n] = '\0';
}

/* One part, from behind its boundary; *left is what follows the next boundary. */
static bool take_part(spar__form *form, const char *boundary, form_bytes *left)
{
    const char *body = find(*left, "\r\n\r\n", 4);
    if (!body)
        return false;
    form_bytes head = {left->text, (size_t)(body - left->text)};
    form_bytes rest = {body + 4, left->length - head.length - 4};
    const char *end = find(rest, boundary, strlen(boundary));
    if (!end)
        return false;
    form_bytes content = {rest.text, (size_t)(end - rest.text)};
    size_t skip = content.length + strlen(boundary);
    *left = (form_bytes){rest.text + skip, rest.length - skip};
    form_bytes line = disposition(head);
    spar__form_field field = {.name = parameter(line, "name"), .file = parameter(line, "filename")};
    if (field.file && !*field.file && !content.length) {
        spar__free(field.name);
        spar__free(field.file);
        return true;
    }
    spar__buf value = {0};
    spar__buf_adds(&value, ""); /* never NULL */
    if (field.file)
        spar__base64_add(&value, content.text, content.length);
    else if (memchr(content.text, '\0', content.length))
        value.failed = true;
    else
        spar__buf_add(&value, content.text, content.length);
    if (value.failed)
        spar__buf_free(&value);
    else if (!field.file)
        form_line_ends(value.text);
    field.value = value.text;
    form->field[form->n++] = field; /* freed with the others, whatever it is */
    return field.name && *field.name && field.value;
}

/* The fields of multipart/form-data (RFC 7578). type: the header Content-Type. A file without a name and
 * bytes is an input that was left empty, and is left out. */
static spar_status form_parts(spar__form *form, const char *type, const char *text, size_t length, spar_error *err)
{
    enum { MAX_PARTS = 1000 };
    char boundary[MAX_BOUNDARY + 5];
    form_bytes left = {text, length};
    if (!read_boundary(type, boundary))
        return malformed(err);
    size_t first = strlen(boundary) - 2; /* the first one has no line end before it */
    if (length < first || memcmp(text, boundary + 2, first) != 0)
        return malformed(err);
    left = (form_bytes){text + first, length - first};
    form->field = spar__alloc(MAX_PARTS, sizeof *form->field);
    if (!form->field)
        return spar__fail_memory(err);
    while (left.length >= 2 && memcmp(left.text, "--", 2) != 0) {
        if (form->n == MAX_PARTS)
            return spar__fail(err, SPAR_PARSE, "the form has more than %d parts", MAX_PARTS);
        if (memcmp(left.text, "\r\n", 2) != 0 || !take_part(form, boundary, &left))
            return malformed(err);
    }
    return left.length >= 2 ? SPAR_OK : malformed(err);
}

/* --- decoding --- */

/* As forms encode: + is a space. NULL: badly encoded. */
static char *decode(const char *text, size_t length)
{
    char *spaced = spar__alloc(length + 1, 1), *out = NULL;
    for (size_t i = 0; spaced && i < length; i++)
        spaced[i] = (char)(text[i] == '+' ? ' ' : text[i]);
    if (spaced)
        out = spar__url_decode(spaced, length);
    spar__free(spaced);
    if (out)
        form_line_ends(out);
    return out;
}

static spar_status split(spar__form *f, const char *text, size_t length, spar_error *err)
{
    size_t n = 1;
    for (size_t i = 0; i < length; i++)
        n += text[i] == '&';
    if (n > SPAR__MAX_FORM_FIELDS)
        return spar__fail(err, SPAR_PARSE, "the form has more than %d fields", SPAR__MAX_FORM_FIELDS);
    f->field = spar__alloc(n, sizeof *f->field);
    if (!f->field)
        return spar__fail_memory(err);
    for (size_t at = 0; at < length;) {
        const char *end = memchr(text + at, '&', length - at);
        size_t size = end ? (size_t)(end - text) - at : length - at;
        const char *start = text + at, *equals = memchr(start, '=', size);
        size_t name = equals ? (size_t)(equals - start) : size;
        at += size + 1;
        if (!size)
            continue;
        spar__form_field *field = &f->field[f->n++]; /* freed with the others, whatever it is */
        field->name = decode(start, name);
        field->value = decode(equals ? equals + 1 : "", equals ? size - name - 1 : 0);
        if (!field->name || !field->value || !*field->name)
            return malformed(err);
    }
    return SPAR_OK;
}

/* --- writing --- */

static void add_value(spar__json *json, spar__member_kind kind, const char *text)
{
    uint64_t whole = 0;
    double value = 0;
    bool on = spar__word_among("true|on|1", text), number = kind == SPAR__MEMBER_WHOLE || kind == SPAR__MEMBER_NUMBER;
    if (kind == SPAR__MEMBER_FLAG && (on || spar__word_among("false|off|0", text)))
        spar__json_boolean(json, on);
    else if (kind == SPAR__MEMBER_REASON && strcmp(text, "true") == 0)
        spar__json_boolean(json, true);
    else if (number && spar__parse_u64(text, &whole))
        spar__json_unsigned(json, whole);
    else if (number && spar__parse_double(text, &value))
        spar__json_number(json, value);
    else /* a text that is no number stays one: the check of the body refuses it */
        spar__json_string(json, text);
}

/* A file is an object of its name and its bytes. */
static void add_list(spar__json *json, spar__form *f, size_t first, const char *of)
{
    spar__member_kind kind = of && strcmp(of, "numbers") == 0 ? SPAR__MEMBER_NUMBER : SPAR__MEMBER_TEXT;
    spar__json_begin_list(json, f->field[first].name);
    for (size_t i = first; i < f->n; i++) {
        spar__form_field *given = &f->field[i];
        if (given->done || strcmp(given->name, f->field[first].name) != 0)
            continue;
        given->done = i > first;
        if (!given->file) {
            add_value(json, kind, given->value);
            continue;
        }
        spar__json_begin_object(json);
        spar__json_add_string(json, "file", given->file);
        spar__json_add_string(json, "bytes", given->value);
        spar__json_end_object(json);
    }
    spar__json_end_array(json);
}

static spar_status write_fields(spar__form *f, const spar__schema *schema, spar__json *json, spar_error *err)
{
    size_t members = 0;
    for (size_t i = 0; i < f->n; i++) {
        const spar__form_field *given = &f->field[i];
        const spar__member *member = spar__schema_member(schema, given->name);
        if (given->done)
            continue;
        if (++members > SPAR__JSON_MEMBERS)
            return spar__fail(err, SPAR_PARSE, "the form has more than %d names", SPAR__JSON_MEMBERS);
        if (member && member->kind == SPAR__MEMBER_LIST) {
            add_list(json, f, i, member->of);
            continue;
        }
        for (size_t j = 0; j < i; j++)
            if (strcmp(f->field[j].name, given->name) == 0)
                return spar__fail(err, SPAR_PARSE, "the form has '%.40s' twice", given->name);
        if (given->value[strspn(given->value, " \t\n")] == '\0')
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
    spar_status status = parts ? form_parts(&f, type, text, length, err) : split(&f, text, length, err);
    spar__json_begin_object(&json);
    if (!status)
        status = write_fields(&f, schema, &json, err);
    spar__json_end_object(&json);
    for (size_t i = 0; i < f.n; i++) {
        spar__free(f.field[i].file);
        spar__free(f.field[i].name);
        spar__free(f.field[i].value);
    }
    spar__free(f.field);
    return !status && out->failed ? spar__fail_memory(err) : status;
}
