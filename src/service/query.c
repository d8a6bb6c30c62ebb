/* query.c - what stands behind the ? of a URL: decoded, and nothing that the route does not take. */
#include "service/call.h"

#include "base/alloc.h"
#include "base/buf.h"

#include <stdlib.h>
#include <string.h>

const char *spar__call_query(const spar__call *call, const char *name)
{
    for (size_t i = 0; i < call->n_query; i++)
        if (strcmp(call->query[i].name, name) == 0)
            return call->query[i].value;
    return NULL;
}

bool spar__call_query_flag(const spar__call *call, const char *name)
{
    const char *value = spar__call_query(call, name);
    return value && strcmp(value, "true") == 0;
}

void spar__call_query_free(spar__call *call)
{
    for (size_t i = 0; i < call->n_query; i++) {
        spar__free(call->query[i].name);
        spar__free(call->query[i].value);
    }
    call->n_query = 0;
}

/* A new text; NULL if it is badly encoded or no UTF-8. */
static char *decode(const char *text)
{
    char *out = spar__url_decode(text, strlen(text));
    for (size_t at = 0, length = out ? strlen(out) : 0; at < length;) {
        uint32_t code = 0;
        size_t n = spar__utf8_next(out + at, length - at, &code);
        if (code == SPAR__UTF8_BAD && n == 1) {
            spar__free(out);
            return NULL;
        }
        at += n;
    }
    return out;
}

static bool refuse(spar__call *call, const char *sentence, const char *name)
{
    char shown[80];
    (void)spar__printable(shown, sizeof shown, name, strlen(name));
    spar__reply_problem(&call->reply, 400, "query", sentence, shown);
    return false;
}

static bool is_whole(const char *text)
{
    size_t length = strlen(text);
    return length > 0 && length < 20 && strspn(text, "0123456789") == length;
}

static bool check(spar__call *call, const spar__query_value *given)
{
    const spar__member *member = call->shape->query->member;
    while (member->name && strcmp(member->name, given->name) != 0)
        member++;
    if (!member->name)
        return refuse(call, "the query has an unknown parameter '%s'", given->name);
    if (spar__call_query(call, given->name))
        return refuse(call, "the query has the parameter '%s' twice", given->name);
    if (member->kind == SPAR__MEMBER_WHOLE && !is_whole(given->value))
        return refuse(call, "the parameter '%s' is not a whole number", given->name);
    if (member->kind == SPAR__MEMBER_FLAG && !spar__word_among("true|false", given->value))
        return refuse(call, "the parameter '%s' is not true or false", given->name);
    if (member->kind == SPAR__MEMBER_CHOICE && !spar__word_among(member->of, given->value)) {
        spar__reply_problem(&call->reply, 400, "query", "the parameter '%s' is not one of %s", given->name, member->of);
        return false;
    }
    return true;
}

bool spar__call_query_add(spar__call *call, const char *name, const char *value)
{
    spar__query_value given = {decode(name), decode(value ? value : "")};
    bool good = given.name && given.value ? check(call, &given) && call->n_query < SPAR__QUERY_MOST
                                          : refuse(call, "the query is badly encoded at '%s'", name);
    if (good) {
        call->query[call->n_query++] = given;
        return true;
    }
    spar__free(given.name);
    spar__free(given.value);
    return false;
}
