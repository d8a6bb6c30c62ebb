/* schema.c - the tables of schemas.def. */
#include "service/schema.h"

#include <string.h>

#define SCHEMA(id, brief) static const spar__member members_##id[] = {
#define MEMBER(kind, name, need, of, brief) {#name, SPAR__MEMBER_##kind, SPAR__NEED_##need, of, brief},
/* clang-format off */
#define END {0}};
/* clang-format on */
#define SHAPE(...)
#define SHAPE_OR_200(...)
#define PAGE(...)
#include "service/schemas.def"
#undef SCHEMA
#undef MEMBER
#undef END
#undef SHAPE
#undef SHAPE_OR_200
#undef PAGE

#define MEMBER(...)
#define END
#define SHAPE(...)
#define SHAPE_OR_200(...)
#define PAGE(...)

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
