/* route.c - which route a request is for, and what it takes and gives: routes.def and schemas.def as tables.
 *
 * A path is compared with the patterns of the table one after the other, but only with those whose last letters are the
 * same. */
#include "base/alloc.h"
#include "service/server.h"

#include <string.h>

/* --- the tables of schemas.def --- */

#define SHAPE(...)
#define SHAPE_OR_200(...)
#define PAGE(...)

/* Each list of members ends where the next schema begins. */
/* clang-format off */
#define MEMBER(kind, name, need, of, brief) {#name, SPAR__MEMBER_##kind, SPAR__NEED_##need, of, brief},
#define SCHEMA(id, brief) {0}}; static const spar__member members_##id[] = {
static const spar__member before_all[] __attribute__((unused)) = {
#include "service/schemas.def"
{0}};
/* clang-format on */
#undef SCHEMA
#undef MEMBER

#define MEMBER(...)
enum {
#define SCHEMA(id, brief) AT_##id,
#include "service/schemas.def"
#undef SCHEMA
    SCHEMAS
};

const spar__schema spar__schemas[] = {
#define SCHEMA(id, brief) {#id, brief, members_##id},
#include "service/schemas.def"
};
const size_t spar__n_schemas = SCHEMAS;
#undef SCHEMA
#undef SHAPE
#undef SHAPE_OR_200
#undef PAGE

#define SCHEMA(...)
#define AT(id) &spar__schemas[AT_##id]
#define ROW_OF(page, or_200, route, query, request, status, types, reply)                                              \
    {#route, AT(query), AT(request), AT_##request == AT_raw,       page,                                               \
     status, or_200,    types,       AT_##reply ? AT(reply) : NULL},
#define SHAPE(...) ROW_OF(false, false, __VA_ARGS__)
#define SHAPE_OR_200(...) ROW_OF(false, true, __VA_ARGS__)
#define PAGE(route, query, request) ROW_OF(true, false, route, query, request, 200, "text/html", none)
const spar__shape spar__shapes[] = {
#include "service/schemas.def"
};
const size_t spar__n_shapes = sizeof spar__shapes / sizeof *spar__shapes;

const spar__schema *spar__schema_find(const char *name)
{
    for (size_t i = 0; i < spar__n_schemas; i++)
        if (strcmp(spar__schemas[i].name, name) == 0)
            return &spar__schemas[i];
    return NULL;
}

const spar__member *spar__schema_member(const spar__schema *schema, const char *name)
{
    for (const spar__member *member = schema->member; member->name; member++)
        if (strcmp(member->name, name) == 0)
            return member;
    return NULL;
}

const spar__shape *spar__shape_of(const spar__route *route)
{
    for (size_t i = 0; i < spar__n_shapes; i++)
        if (strcmp(spar__shapes[i].route, route->id) == 0)
            return &spar__shapes[i];
    static const spar__shape nothing = {.query = AT(none), .request = AT(none), .status = 200, .types = ""};
    return &nothing;
}

bool spar__word_among(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = words; at; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL)
        if (strcspn(at, "|") == length && memcmp(at, word, length) == 0)
            return true;
    return false;
}

/* --- paths --- */

const char *spar__method_name(spar__method method)
{
    static const char *const name[] = {"GET", "POST", "PATCH", "DELETE"};
    return name[method];
}

const char *spar__role_name(spar__role role)
{
    static const char *const name[] = {"nobody", "voter", "manager", "results"};
    return name[role];
}

static int hex(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The byte at *i, which moves to the next one; 0 if it is wrong. */
static int decode_one(const char *text, size_t length, size_t *i)
{
    int c = (unsigned char)text[(*i)++];
    if (c != '%')
        return c;
    if (length - *i < 2 || hex(text[*i]) < 0 || hex(text[*i + 1]) < 0)
        return 0;
    c = hex(text[*i]) * 16 + hex(text[*i + 1]);
    *i += 2;
    return c;
}

char *spar__url_decode(const char *text, size_t length)
{
    char *out = spar__alloc(length + 1, 1);
    size_t n = 0;
    for (size_t i = 0; out && i < length; n++) {
        int c = decode_one(text, length, &i);
        if (c == 0) {
            spar__free(out);
            return NULL;
        }
        out[n] = (char)c;
    }
    return out;
}

void spar__url_encode(const char *text, spar__buf *out)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        bool plain = (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || strchr("-._~", c);
        if (plain)
            spar__buf_add(out, text, 1);
        else
            spar__buf_printf(out, "%%%02X", c);
    }
}

static size_t segment_length(const char *path)
{
    return strcspn(path, "/");
}

/* Does the path fit the pattern, where {name} is one segment? Where each parameter stands goes to start and length. */
static bool fits(const char *pattern, const char *path, const char **start, size_t *length)
{
    for (size_t n = 0; *pattern;) {
        if (*pattern == '{') {
            start[n] = path;
            length[n] = segment_length(path);
            pattern += segment_length(pattern);
            path += length[n];
            if (!length[n++])
                return false;
        } else if (*pattern++ != *path++) {
            return false;
        }
    }
    return *path == '\0';
}

/* Most routes begin alike and end in different words: the last letters of the path say which ones to look at. */
static bool ends_alike(const char *pattern, const char *path, size_t length)
{
    enum { LETTERS = 4 };
    size_t n = strlen(pattern);
    if (n < LETTERS || length < LETTERS || memchr(pattern + n - LETTERS, '}', LETTERS))
        return true;
    return memcmp(pattern + n - LETTERS, path + length - LETTERS, LETTERS) == 0;
}

static void add_method(spar__match *out, spar__method method)
{
    if (*out->allow)
        strcat(out->allow, ", "); /* at most 31 characters: five names */
    strcat(out->allow, method == SPAR__GET ? "GET, HEAD" : spar__method_name(method));
}

static spar_status take_params(spar__match *out, const char *const *start, const size_t *length)
{
    for (size_t i = 0; i < SPAR__ROUTE_PARAMS && start[i]; i++) {
        out->param[i] = spar__url_decode(start[i], length[i]);
        if (!out->param[i]) { /* badly encoded: no such place (and out of memory looks the same) */
            spar__match_free(out);
            return SPAR_OK;
        }
    }
    return SPAR_OK;
}

spar_status spar__route_find(const char *method, const char *path, spar__match *out)
{
    *out = (spar__match){0};
    const char *name = strcmp(method, "HEAD") == 0 ? "GET" : method;
    size_t path_length = strlen(path);
    for (size_t i = 0; i < spar__n_routes; i++) {
        const spar__route *route = &spar__routes[i];
        const char *start[SPAR__ROUTE_PARAMS + 1] = {0};
        size_t length[SPAR__ROUTE_PARAMS + 1] = {0};
        if (!ends_alike(route->path, path, path_length) || !fits(route->path, path, start, length))
            continue;
        if (strcmp(spar__method_name(route->method), name) != 0) {
            out->other_method = true;
            add_method(out, route->method);
            continue;
        }
        out->route = route;
        out->other_method = false;
        return take_params(out, start, length);
    }
    return SPAR_OK;
}

void spar__match_free(spar__match *match)
{
    for (size_t i = 0; i < SPAR__ROUTE_PARAMS; i++)
        spar__free(match->param[i]);
    *match = (spar__match){0};
}

/* --- the table of routes.def --- */

#define ROW(id, kind, method, path, role, rate, body, brief, ...)                                                      \
    {#id, kind, SPAR__##method, path, SPAR__ROLE_##role, SPAR__RATE_##rate, body, brief, spar__route_##id, __VA_ARGS__},
#define INLINE(id, ...) ROW(id, SPAR__INLINE, __VA_ARGS__, NULL)
#define READER(id, ...) ROW(id, SPAR__READER, __VA_ARGS__, NULL)
#define TRANSFER(id, ...) ROW(id, SPAR__TRANSFER, __VA_ARGS__, NULL)
#define WRITER(id, ...) ROW(id, SPAR__WRITER, __VA_ARGS__, NULL)
#define BATCHED(id, ...) ROW(id, SPAR__BATCHED, __VA_ARGS__, spar__finish_##id)

const spar__route spar__routes[] = {
#include "service/routes.def"
};
const size_t spar__n_routes = sizeof spar__routes / sizeof *spar__routes;
