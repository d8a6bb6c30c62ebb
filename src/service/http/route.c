/* route.c - which route a request is for, and what it takes and gives: routes.def and schemas.def as tables.
 *
 * A path is compared with the patterns of the table one after the other, but only with those whose last letters are the
 * same. */
#include "base/alloc.h"
#include "service/server.h"

#include <string.h>

/* --- the tables of schemas.def --- */

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

char *spar__url_decode(const char *text, size_t length)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    char *out = spar__alloc(length + 1, 1);
    size_t n = 0;
    for (size_t i = 0; out && i < length; n++) {
        out[n] = text[i++];
        if (out[n] == '%') {
            const char *high = length - i < 2 || !text[i] ? NULL : strchr(digits, text[i]);
            const char *low = high && text[i + 1] ? strchr(digits, text[i + 1]) : NULL;
            out[n] = (char)(low ? ((high - digits) % 16) * 16 + (low - digits) % 16 : 0);
            i += 2;
        }
        if (!out[n]) {
            spar__free(out);
            return NULL;
        }
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

/* Does the path fit the pattern, where {name} is one segment? Where each parameter stands goes to start and length. */
static bool fits(const char *pattern, const char *path, const char **start, size_t *length)
{
    for (size_t n = 0; *pattern;) {
        if (*pattern == '{') {
            start[n] = path;
            length[n] = strcspn(path, "/");
            pattern += strcspn(pattern, "/");
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

void spar__route_find(const char *method, const char *path, spar__match *out)
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
            strcat(out->allow, *out->allow ? ", " : ""); /* at most 31 characters: five names */
            strcat(out->allow, route->method == SPAR__GET ? "GET, HEAD" : spar__method_name(route->method));
            continue;
        }
        out->route = route;
        out->other_method = false;
        for (size_t k = 0; k < SPAR__ROUTE_PARAMS && start[k]; k++) {
            out->param[k] = spar__url_decode(start[k], length[k]);
            if (!out->param[k]) { /* badly encoded: no such place (and out of memory looks the same) */
                spar__match_free(out);
                return;
            }
        }
        return;
    }
}

void spar__match_free(spar__match *match)
{
    for (size_t i = 0; i < SPAR__ROUTE_PARAMS; i++)
        spar__free(match->param[i]);
    *match = (spar__match){0};
}

/* --- the table of routes.def --- */

#define AT(id) &spar__schemas[AT_##id]
#define SHAPE_OF(page, or_200, query, request, status, types, reply)                                                   \
    {                                                                                                                  \
        AT(query), AT(request), AT_##request == AT_raw, page, status, or_200, types,                                   \
            AT_##reply == AT_none ? NULL : AT(reply)                                                                   \
    }
#define SHAPE(...) SHAPE_OF(false, false, __VA_ARGS__)
#define SHAPE_OR_200(...) SHAPE_OF(false, true, __VA_ARGS__)
#define PAGE(query, request) SHAPE_OF(true, false, query, request, 200, "text/html", none)
#define ROW(id, kind, finish, method, path, role, rate, body, brief, ...)                                              \
    {#id,  kind,  SPAR__##method,   path,   SPAR__ROLE_##role, SPAR__RATE_##rate,                                      \
     body, brief, spar__route_##id, finish, __VA_ARGS__},
#define INLINE(id, ...) ROW(id, SPAR__INLINE, NULL, __VA_ARGS__)
#define READER(id, ...) ROW(id, SPAR__READER, NULL, __VA_ARGS__)
#define TRANSFER(id, ...) ROW(id, SPAR__TRANSFER, NULL, __VA_ARGS__)
#define WRITER(id, ...) ROW(id, SPAR__WRITER, NULL, __VA_ARGS__)
#define BATCHED(id, ...) ROW(id, SPAR__BATCHED, spar__finish_##id, __VA_ARGS__)

const spar__route spar__routes[] = {
#include "service/routes.def"
};
const size_t spar__n_routes = sizeof spar__routes / sizeof *spar__routes;
