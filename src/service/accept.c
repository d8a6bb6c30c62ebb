/* accept.c - the header Accept: which types of reply a client takes (RFC 9110, 12.5.1). */
#include "service/call.h"

#include <string.h>
#include <strings.h>

static size_t skip(const char *text, const char *among)
{
    return strspn(text, among);
}

/* "q=0" and "q=0.000" say: not this one. */
static bool is_refused(const char *params, size_t length)
{
    for (size_t i = 0; i + 2 < length; i++)
        if (params[i] == ';') {
            size_t at = i + 1 + skip(params + i + 1, " \t");
            if (at + 2 < length && strncasecmp(params + at, "q=", 2) == 0)
                return skip(params + at + 2, "0.") >= strcspn(params + at + 2, ",; \t");
        }
    return false;
}

/* Does one range of the list, "text" followed by "/" and "*" say, hold the type? 0: no, 1: by a star, 2: by its name.
 */
static int fits(const char *range, size_t length, const char *type)
{
    size_t main_length = strcspn(type, "/");
    if (length == 3 && strncmp(range, "*/*", 3) == 0)
        return 1;
    if (length == main_length + 2 && strncasecmp(range, type, main_length + 1) == 0 && range[main_length + 1] == '*')
        return 1;
    return length == strlen(type) && strncasecmp(range, type, length) == 0 ? 2 : 0;
}

bool spar__accepts(const char *accept, const char *type, bool named)
{
    int best = 0;
    bool good = false;
    if (!accept || !accept[skip(accept, " \t,")])
        return !named;
    for (const char *at = accept; *at;) {
        at += skip(at, " \t,");
        size_t item = strcspn(at, ","), name = strcspn(at, ",; \t");
        int fit = fits(at, name, type);
        if (fit > best) { /* what is said of the type itself counts, whatever is said of all */
            best = fit;
            good = !is_refused(at + name, item - name);
        }
        at += item;
    }
    return good && (!named || best == 2);
}

bool spar__call_wants_stream(const spar__call *call)
{
    return strstr(call->shape->types, "text/event-stream") &&
           spar__accepts(spar__call_header(call, "Accept"), "text/event-stream", true);
}

bool spar__accept_check(spar__call *call)
{
    const char *accept = spar__call_header(call, "Accept");
    const char *at = call->shape->types;
    bool good = !*at;
    while (*at && !good) {
        char type[80] = "";
        size_t length = strcspn(at, " ");
        if (length < sizeof type)
            memcpy(type, at, length);
        good = spar__accepts(accept, type, false);
        at += length;
        at += skip(at, " ");
    }
    if (!good)
        spar__reply_problem(&call->reply, 406, "accept", "this is available as %s only", call->shape->types);
    return good;
}
