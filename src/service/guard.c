/* guard.c - what is checked of every request before anything is done for it: Host, Origin, sizes, rates. */
#include "service/server.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool spar__refuse(spar__call *call, unsigned status, const char *code, const char *sentence)
{
    spar__reply_problem(&call->reply, status, code, "%s", sentence);
    return false;
}

/* Is it an address with our port? No name of a stranger leads to such a page: it is the address itself. */
static bool is_address(const char *host, unsigned port)
{
    char address[64] = "";
    struct in6_addr number;
    const char *colon = strrchr(host, ':'), *end = colon ? colon : host + strlen(host);
    bool six = *host == '[' && end > host + 2 && end[-1] == ']';
    size_t length = (size_t)(end - host) - (six ? 2 : 0), digits = colon ? strspn(colon + 1, "0123456789") : 0;
    bool odd = colon && (!digits || colon[1 + digits]); /* 8080.evil.example is no port */
    if (length >= sizeof address || odd || (colon ? strtoul(colon + 1, NULL, 10) : 80) != port)
        return false;
    memcpy(address, host + six, length);
    return inet_pton(six ? AF_INET6 : AF_INET, address, &number) == 1;
}

/* Load balancers and Prometheus ask by address, whatever name people use. */
static bool is_watched(const spar__route *route)
{
    static const char *const path[] = {"/healthz", "/readyz", "/metrics"};
    for (size_t i = 0; i < sizeof path / sizeof *path; i++)
        if (strcmp(route->path, path[i]) == 0)
            return true;
    return false;
}

/* Only names we are known by: a page of a stranger whose name leads to our address (DNS rebinding) gets nothing. */
static bool check_host(spar__call *call)
{
    const char *host = spar__call_header(call, "Host");
    if (!host)
        return spar__refuse(call, 400, "host", "the header Host is missing");
    for (size_t i = 0; i < call->service->n_hosts; i++)
        if (strcasecmp(host, call->service->host[i]) == 0)
            return true;
    if ((call->service->wildcard || is_watched(call->route)) && is_address(host, call->service->port))
        return true;
    return spar__refuse(call, 421, "host", "this server is not known by that name; see --base-url");
}

/* Pages of other sites may not post here. Programs that send no Origin are no browsers. */
static bool check_origin(spar__call *call)
{
    if (call->route->method == SPAR__GET)
        return true;
    const char *origin = spar__call_header(call, "Origin"), *site = spar__call_header(call, "Sec-Fetch-Site");
    if (site && strcmp(site, "same-origin") != 0 && strcmp(site, "none") != 0)
        return spar__refuse(call, 403, "origin", "pages of other sites may not do this");
    if (!origin)
        return true;
    const char *scheme = call->service->https ? "https://" : "http://", *host = spar__call_header(call, "Host");
    bool same = strncmp(origin, scheme, strlen(scheme)) == 0;
    for (size_t i = 0; same && i < call->service->n_hosts; i++)
        if (strcasecmp(origin + strlen(scheme), call->service->host[i]) == 0)
            return true;
    if (same && strcasecmp(origin + strlen(scheme), host) == 0) /* which was checked */
        return true;
    return spar__refuse(call, 403, "origin", "pages of other sites may not do this");
}

static bool check_body(spar__call *call)
{
    const char *length = spar__call_header(call, "Content-Length"), *type = spar__call_header(call, "Content-Type");
    char *end = NULL;
    unsigned long long n = length ? strtoull(length, &end, 10) : 0;
    if (length && (end == length || *end))
        return spar__refuse(call, 400, "malformed", "Content-Length is not a number");
    if (n > call->route->body) {
        spar__reply_problem(&call->reply, 413, "too_large", "the body has %llu bytes, at most %zu are taken", n,
                            call->route->body);
        return false;
    }
    bool has_body = n > 0 || spar__call_header(call, "Transfer-Encoding");
    const char *wanted = call->shape->page ? "application/x-www-form-urlencoded" : "application/json";
    bool files = call->shape->page && type && strncasecmp(type, "multipart/form-data", 19) == 0;
    if (!has_body || !call->route->body || call->shape->raw || files ||
        (type && strncasecmp(type, wanted, strlen(wanted)) == 0))
        return true;
    spar__reply_problem(&call->reply, 415, "type", "expected a body of type %s", wanted);
    return false;
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
    return spar__refuse(call, 429, "rate", "too many requests from here; try again later");
}

bool spar__guard_check(spar__call *call)
{
    return check_host(call) && check_origin(call) && check_body(call) && check_rate(call);
}
