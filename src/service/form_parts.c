/* form_parts.c - forms with files: multipart/form-data.
 *
 *     --BOUNDARY\r\n
 *     Content-Disposition: form-data; name="images"; filename="a.png"\r\n
 *     \r\n
 *     BYTES\r\n
 *     --BOUNDARY--
 */
#include "service/form_fields.h"

#include "base/alloc.h"
#include "text/escape.h"

#include <string.h>
#include <strings.h>

enum { BOUNDARY_MOST = 70, NAME_MOST = 1000 };

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
static bool read_boundary(const char *type, char out[BOUNDARY_MOST + 5])
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
    if (!length || length > BOUNDARY_MOST)
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
        char *out = end && length < NAME_MOST ? spar__alloc(length + 1, 1) : NULL;
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

static char *text_of(form_bytes bytes)
{
    char *out = memchr(bytes.text, '\0', bytes.length) ? NULL : spar__alloc(bytes.length + 1, 1);
    if (out) {
        memcpy(out, bytes.text, bytes.length);
        spar__form_line_ends(out);
    }
    return out;
}

static char *base64_of(form_bytes bytes)
{
    spar__buf out = {0};
    spar__base64_add(&out, bytes.text, bytes.length);
    if (!out.failed && !out.text)
        return spar__strdup("");
    if (out.failed)
        spar__buf_free(&out);
    return out.text;
}

static bool add_part(spar__form *form, form_bytes head, form_bytes body)
{
    form_bytes line = disposition(head);
    spar__form_field field = {.name = parameter(line, "name"), .file = parameter(line, "filename")};
    if (field.file && !*field.file && !body.length) {
        spar__free(field.name);
        spar__free(field.file);
        return true;
    }
    field.value = field.file ? base64_of(body) : text_of(body);
    form->field[form->n++] = field; /* freed with the others, whatever it is */
    return field.name && *field.name && field.value;
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
    return add_part(form, head, content);
}

spar_status spar__form_parts(spar__form *form, const char *type, const char *text, size_t length, spar_error *err)
{
    enum { PARTS_MOST = 1000 };
    char boundary[BOUNDARY_MOST + 5];
    form_bytes left = {text, length};
    if (!read_boundary(type, boundary))
        return malformed(err);
    size_t first = strlen(boundary) - 2; /* the first one has no line end before it */
    if (length < first || memcmp(text, boundary + 2, first) != 0)
        return malformed(err);
    left = (form_bytes){text + first, length - first};
    form->field = spar__alloc(PARTS_MOST, sizeof *form->field);
    if (!form->field)
        return spar__fail_memory(err);
    while (left.length >= 2 && memcmp(left.text, "--", 2) != 0) {
        if (form->n == PARTS_MOST)
            return spar__fail(err, SPAR_PARSE, "the form has more than %d parts", PARTS_MOST);
        if (memcmp(left.text, "\r\n", 2) != 0 || !take_part(form, boundary, &left))
            return malformed(err);
    }
    return left.length >= 2 ? SPAR_OK : malformed(err);
}
