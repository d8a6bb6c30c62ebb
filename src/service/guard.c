/* guard.c - what is checked of every request before anything is done for it: Host, Origin, sizes, rates. */
#include "service/server.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool refuse(spar__call *call, unsigned status, const char *code, const char *sentence)
{
    spar__reply_problem(&call->reply, status, code, "%s", sentence);
    return false;
}

/* Only names we are known by: a page of a stranger whose name leads to our address (DNS rebinding) gets nothing. */
static bool check_host(spar__call *call)
{
    const char *host = spar__call_header(call, "Host");
    if (!host)
        return refuse(call, 400, "host", "the header Host is missing");
    for (size_t i = 0; i < call->service->n_hosts; i++)
        if (strcasecmp(host, call->service->host[i]) == 0)
            return true;
    return refuse(call, 421, "host", "this server is not known by that name; see --base-url");
}

/* Pages of other sites may not post here. Programs that send no Origin are no browsers. */
static bool check_origin(spar__call *call)
{
    if (call->route->method == SPAR__GET)
        return true;
    const char *origin = spar__call_header(call, "Origin"), *site = spar__call_header(call, "Sec-Fetch-Site");
    if (site && strcmp(site, "same-origin") != 0 && strcmp(site, "none") != 0)
        return refuse(call, 403, "origin", "pages of other sites may not do this");
    if (!origin)
        return true;
    for (size_t i = 0; i < call->service->n_hosts; i++) {
        const char *scheme = call->service->https ? "https://" : "http://";
        if (strncmp(origin, scheme, strlen(scheme)) == 0 &&
            strcasecmp(origin + strlen(scheme), call->service->host[i]) == 0)
            return true;
    }
    return refuse(call, 403, "origin", "pages of other sites may not do this");
}

static bool check_body(spar__call *call)
{
    const char *length = spar__call_header(call, "Content-Length"), *type = spar__call_header(call, "Content-Type");
    char *end = NULL;
    unsigned long long n = length ? strtoull(length, &end, 10) : 0;
    if (length && (end == length || *end))
        return refuse(call, 400, "malformed", "Content-Length is not a number");
    if (n > call->route->body) {
        spar__reply_problem(&call->reply, 413, "too_large", "the body has %llu bytes, at most %zu are taken", n,
                            call->route->body);
        return false;
    }
    bool has_body = n > 0 || spar__call_header(call, "Transfer-Encoding");
    if (has_body && call->route->body && !call->shape->raw && (!type || strncasecmp(type, "application/json", 16) != 0))
        return refuse(call, 415, "type", "expected a body of type application/json");
    return true;
}

static bool check_rate(spar__call *call)
{
    spar__service *service = call->service;
    double wait = 0;
    bool good = true;
    if (call->route->rate == SPAR__RATE_LOGIN)
        good = spar__limit_take(&service->logins, call->address.byte, spar__seconds(), &wait);
    else if (call->route->rate == SPAR__RATE_IMAGE)
        good = spar__limit_take(&service->images, call->address.byte, spar__seconds(), &wait);
    else if (call->route->rate != SPAR__RATE_NONE)
        good = spar__limit_take(&service->addresses, call->address.byte, spar__seconds(), &wait);
    return good || spar__refuse_rate(call, wait);
}

bool spar__refuse_rate(spar__call *call, double wait)
{
    atomic_fetch_add(&call->service->metrics.limited, 1);
    call->reply.retry_after = (unsigned)wait + 1;
    return refuse(call, 429, "rate", "too many requests from here; try again later");
}

bool spar__guard_check(spar__call *call)
{
    return check_host(call) && check_origin(call) && check_body(call) && check_rate(call);
}
