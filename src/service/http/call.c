/* call.c - a request on its way, and its reply: its memory, and what is checked before anything is done for it: query,
 * Accept, Host, Origin, rates, and the body against the schema of its route.
 *
 * Calls are used again: one is too large for the allocator to have it at hand, and each has memory of its own for its
 * body. The connections' thread only. */
#include "base/alloc.h"
#include "base/buf.h"
#include "base/clock.h"
#include "service/hosting/hosting.h"
#include "service/http/http.h"
#include "service/server.h"
#include "text/json.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { SPARE_CALLS = 256, SPARE_BODY = 4096, SPARE_NODES = 64 }; /* of its JSON; larger ones are not kept */

spar__call *spar__call_new(spar__service *service)
{
    spar__call *call = service->spare_call;
    if (!call) {
        call = spar__alloc(1, sizeof *call);
    } else {
        service->spare_call = call->next;
        service->spare_calls--;
        *call = (spar__call){.body = call->body, .json = call->json};
    }
    if (call)
        call->service = service;
    return call;
}

static void free_memory(spar__call *call)
{
    spar__buf_free(&call->body);
    spar__json_tree_free(&call->json);
    spar__free(call);
}

void spar__call_free(spar__call *call)
{
    spar__service *service = call->service;
    spar__match_free(&call->match);
    spar__reply_free(&call->reply);
    spar__call_query_free(call);
    bool keep = service->spare_calls < SPARE_CALLS && call->body.capacity <= SPARE_BODY &&
                call->json.room <= SPARE_NODES && call->json.text.capacity <= SPARE_BODY &&
                call->json.scan.word.capacity <= SPARE_BODY;
#ifdef __SANITIZE_ADDRESS__ /* so that it sees who uses one that has ended */
    keep = false;
#endif
    if (!keep) {
        free_memory(call);
        return;
    }
    spar__buf_clear(&call->body);
    call->json.n = call->json.members = 0;
    call->next = service->spare_call;
    service->spare_call = call;
    service->spare_calls++;
}

void spar__calls_fini(spar__service *service)
{
    while (service->spare_call) {
        spar__call *call = service->spare_call;
        service->spare_call = call->next;
        free_memory(call);
    }
    service->spare_calls = 0;
}

/* What stands behind the ? of a URL: decoded, and nothing that the route does not take. */

const char *spar__call_param(const spar__call *call, size_t i)
{
    return call->match.param[i];
}

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

static bool query_refuse(spar__call *call, const char *sentence, const char *name)
{
    char shown[80];
    (void)spar__printable(shown, sizeof shown, name, strlen(name));
    spar__reply_problem(&call->reply, 400, "query", sentence, shown);
    return false;
}

static bool check(spar__call *call, const spar__query_value *given)
{
    const spar__member *member = spar__schema_member(call->shape->query, given->name);
    size_t length = strlen(given->value);
    bool whole = length > 0 && length < 20 && strspn(given->value, "0123456789") == length;
    if (!member)
        return query_refuse(call, "the query has an unknown parameter '%s'", given->name);
    if (spar__call_query(call, given->name))
        return query_refuse(call, "the query has the parameter '%s' twice", given->name);
    if (member->kind == SPAR__MEMBER_WHOLE && !whole)
        return query_refuse(call, "the parameter '%s' is not a whole number", given->name);
    if (member->kind == SPAR__MEMBER_FLAG && !spar__word_among("true|false", given->value))
        return query_refuse(call, "the parameter '%s' is not true or false", given->name);
    if (member->kind == SPAR__MEMBER_CHOICE && !spar__word_among(member->of, given->value)) {
        spar__reply_problem(&call->reply, 400, "query", "the parameter '%s' is not one of %s", given->name, member->of);
        return false;
    }
    return true;
}

bool spar__call_query_add(spar__call *call, const char *name, const char *value)
{
    spar__query_value given = {decode(name), decode(value ? value : "")};
    bool good = given.name && given.value ? check(call, &given) && call->n_query < SPAR__MAX_QUERY_VALUES
                                          : query_refuse(call, "the query is badly encoded at '%s'", name);
    if (good) {
        call->query[call->n_query++] = given;
        return true;
    }
    spar__free(given.name);
    spar__free(given.value);
    return false;
}

/* The header Accept: which types of reply a client takes (RFC 9110, 12.5.1). */

/* "q=0" and "q=0.000" say: not this one. */
static bool is_refused(const char *params, size_t length)
{
    for (size_t i = 0; i + 2 < length; i++)
        if (params[i] == ';') {
            size_t at = i + 1 + strspn(params + i + 1, " \t");
            if (at + 2 < length && strncasecmp(params + at, "q=", 2) == 0)
                return strspn(params + at + 2, "0.") >= strcspn(params + at + 2, ",; \t");
        }
    return false;
}

bool spar__accepts(const char *accept, const char *type, bool named)
{
    size_t main_length = strcspn(type, "/");
    int best = 0;
    bool good = false;
    if (!accept || !accept[strspn(accept, " \t,")])
        return !named;
    for (const char *at = accept; *at;) {
        at += strspn(at, " \t,");
        size_t item = strcspn(at, ","), name = strcspn(at, ",; \t");
        /* A range holds the type by a star (1), or by its name (2). */
        bool star =
            (name == 3 && strncmp(at, "*/*", 3) == 0) ||
            (name == main_length + 2 && strncasecmp(at, type, main_length + 1) == 0 && at[main_length + 1] == '*');
        int fit = star ? 1 : name == strlen(type) && strncasecmp(at, type, name) == 0 ? 2 : 0;
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
        at += strspn(at, " ");
    }
    if (!good)
        spar__reply_problem(&call->reply, 406, "accept", "this is available as %s only", call->shape->types);
    return good;
}

/* What is checked of every request before anything is done for it: Host, Origin, sizes, rates. */

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

/* Only names we are known by: a page of a stranger whose name leads to our address (DNS rebinding) gets nothing. */
static bool check_host(spar__call *call)
{
    const char *host = spar__call_header(call, "Host");
    if (!host)
        return spar__refuse(call, 400, "host", "the header Host is missing");
    for (size_t i = 0; i < call->service->n_hosts; i++)
        if (strcasecmp(host, call->service->host[i]) == 0)
            return true;
    /* Load balancers and Prometheus ask by address, whatever name people use. */
    bool watched = spar__word_among("/healthz|/readyz|/metrics", call->route->path);
    if ((call->service->wildcard || watched) && is_address(host, call->service->port))
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

bool spar__refuse_rate(spar__call *call, double wait)
{
    atomic_fetch_add(&call->service->metrics.limited, 1);
    call->reply.retry_after = (unsigned)wait + 1;
    return spar__refuse(call, 429, "rate", "too many requests from here; try again later");
}

bool spar__guard_check(spar__call *call)
{
    spar__service *service = call->service;
    spar__limit *const limit[] = {[SPAR__RATE_NONE] = NULL,
                                  [SPAR__RATE_ADDRESS] = &service->addresses,
                                  [SPAR__RATE_VOTER] = &service->addresses,
                                  [SPAR__RATE_LOGIN] = &service->logins,
                                  [SPAR__RATE_IMAGE] = &service->images};
    spar__limit *counts = limit[call->route->rate];
    double wait = 0;
    if (!check_host(call) || !check_origin(call) || !check_body(call))
        return false;
    return !counts || spar__limit_take(counts, call->address.byte, spar__seconds(), &wait) ||
           spar__refuse_rate(call, wait);
}

/* JSON bodies: strict, at most 16 levels deep, no names twice (text/json_read.h); forms of pages become such.
 */

bool spar__body_read(spar__call *call)
{
    spar_error err = {0};
    spar__buf form = {0};
    const spar__buf *body = &call->body;
    bool page = call->shape->page;
    if (!call->route->body || !body->length || call->shape->raw)
        return true;
    spar_status status = body->failed ? spar__fail_memory(&err) : SPAR_OK;
    if (!status && page)
        status = spar__form_json(spar__call_header(call, "Content-Type"), body->text, body->length,
                                 call->shape->request, &form, &err);
    if (page)
        body = &form;
    if (!status)
        status = spar__json_tree_parse(&call->json, body->text, body->length, page ? "form" : "body", 1, &err);
    spar__buf_free(&form);
    if (status)
        spar__reply_failure(&call->reply, status, &err);
    return !status && (spar__json_root(&call->json)->kind == SPAR__JSON_OBJECT ||
                       spar__refuse(call, 400, "malformed", "the body is not a JSON object"));
}

/* Members of a body whose kinds were checked, or are not what they should be and as missing. */
static const spar__json_node *member(const spar__call *call, const char *name)
{
    return spar__json_member(&call->json, spar__json_root(&call->json), name);
}

const char *spar__body_text(const spar__call *call, const char *name)
{
    return spar__json_text(&call->json, member(call, name));
}

const char *spar__form_text(const spar__call *call, const char *name)
{
    const char *text = spar__body_text(call, name);
    return text ? text : "";
}

bool spar__body_flag(const spar__call *call, const char *name)
{
    const spar__json_node *node = member(call, name);
    bool flag = false;
    return node && spar__json_get_boolean(node, &flag) && flag;
}

spar_status spar__body_number(const spar__call *call, const char *name, uint64_t max, uint64_t *number, spar_error *err)
{
    const spar__json_node *node = member(call, name);
    uint64_t given = 0;
    if (!node || node->kind == SPAR__JSON_NULL)
        return SPAR_OK;
    if (!spar__json_get_unsigned(&call->json, node, &given) || given > max)
        return spar__fail(err, SPAR_INVALID, "'%s' is not a whole number from 0 to %" PRIu64, name, max);
    *number = given;
    return SPAR_OK;
}

void spar__call_answer(spar__call *call, spar__route_fn *fn, spar_experiment *experiment)
{
    spar_error err = {0};
    spar_status status = fn(call, experiment, &err);
    if (status)
        spar__reply_failure(&call->reply, status, &err);
}

/* Is the body what the route takes? Every member is known, is there if it must be, and has its kind.
 * What the members mean is the route's to check. */

enum { PATH = 100 }; /* "options[3].title" */

static bool body_check_refuse(spar__call *call, const char *path, const char *sentence)
{
    spar__reply_problem(&call->reply, 400, "invalid", "'%s' %s", path, sentence);
    return false;
}

static bool check_object(spar__call *call, const spar__json_node *object, const spar__schema *schema, const char *path);

static bool check_item(spar__call *call, const spar__json_node *item, const char *of, const char *path)
{
    double number = 0;
    if (strcmp(of, "texts") == 0)
        return spar__json_text(&call->json, item) || body_check_refuse(call, path, "is not a text");
    if (strcmp(of, "numbers") == 0)
        return spar__json_get_number(&call->json, item, &number) || body_check_refuse(call, path, "is not a number");
    return item->kind == SPAR__JSON_OBJECT ? check_object(call, item, spar__schema_find(of), path)
                                           : body_check_refuse(call, path, "is not an object");
}

static bool check_value(spar__call *call, const spar__json_node *node, const spar__member *member, const char *path)
{
    const spar__json_tree *tree = &call->json;
    uint64_t whole = 0;
    size_t i = 0;
    double number = 0;
    bool flag = false, text = spar__json_text(tree, node) != NULL;
    switch (member->kind) {
    case SPAR__MEMBER_TEXT:
    case SPAR__MEMBER_BYTES:
        return text || body_check_refuse(call, path, "is not a text");
    case SPAR__MEMBER_CHOICE:
        if (text && spar__word_among(member->of, spar__json_text(tree, node)))
            return true;
        spar__reply_problem(&call->reply, 400, "invalid", "'%s' is not one of %s", path, member->of);
        return false;
    case SPAR__MEMBER_FLAG:
        return spar__json_get_boolean(node, &flag) || body_check_refuse(call, path, "is not true or false");
    case SPAR__MEMBER_WHOLE:
        return spar__json_get_unsigned(tree, node, &whole) || body_check_refuse(call, path, "is not a whole number");
    case SPAR__MEMBER_NUMBER:
        return spar__json_get_number(tree, node, &number) || body_check_refuse(call, path, "is not a number");
    case SPAR__MEMBER_WORD:
        return text || node->kind == SPAR__JSON_NUMBER || body_check_refuse(call, path, "is not a text");
    case SPAR__MEMBER_REASON:
        return text || spar__json_get_boolean(node, &flag) ||
               body_check_refuse(call, path, "is not true, false or a text");
    case SPAR__MEMBER_OBJECT:
        return check_item(call, node, member->of, path);
    case SPAR__MEMBER_LIST:
        if (node->kind != SPAR__JSON_LIST)
            return body_check_refuse(call, path, "is not a list");
        for (const spar__json_node *item = spar__json_first(tree, node); item; item = spar__json_next(tree, item)) {
            char inner[PATH];
            (void)snprintf(inner, sizeof inner, "%.80s[%zu]", path, i++);
            if (!check_item(call, item, member->of, inner))
                return false;
        }
        return true;
    default:
        return true;
    }
}

/* For every member of every body, so not by snprintf. */
static void join(char out[PATH], const char *path, const char *key)
{
    size_t n = strnlen(path, 50), more = strnlen(key, 40);
    memcpy(out, path, n);
    if (n)
        out[n++] = '.';
    memcpy(out + n, key, more);
    out[n + more] = '\0';
}

static bool check_object(spar__call *call, const spar__json_node *object, const spar__schema *schema, const char *path)
{
    const spar__json_tree *tree = &call->json;
    for (const spar__json_node *node = spar__json_first(tree, object); node; node = spar__json_next(tree, node)) {
        const char *key = spar__json_key_of(tree, node);
        const spar__member *member = spar__schema_member(schema, key);
        char inner[PATH];
        join(inner, path, key);
        if (!member)
            return body_check_refuse(call, inner, "is not known here");
        if (node->kind != SPAR__JSON_NULL && !check_value(call, node, member, inner))
            return false;
    }
    for (const spar__member *member = schema->member; member->name; member++) {
        const spar__json_node *node = NULL;
        char inner[PATH];
        if (member->need == SPAR__NEED_MUST)
            node = spar__json_member(&call->json, object, member->name);
        if (member->need != SPAR__NEED_MUST || (node && node->kind != SPAR__JSON_NULL))
            continue;
        join(inner, path, member->name);
        return body_check_refuse(call, inner, "is missing");
    }
    return true;
}

bool spar__body_check(spar__call *call)
{
    return call->shape->raw || check_object(call, spar__json_root(&call->json), call->shape->request, "");
}

/* --- the reply: a status, headers, a body; failures of the library are problems (RFC 9457) --- */

void spar__reply_clear(spar__reply *reply)
{
    spar__buf body = reply->body;
    spar__buf_clear(&body);
    body.failed = false;
    spar__free(reply->location);
    spar__free(reply->allow);
    spar__free(reply->etag);
    if (reply->file)
        (void)fclose(reply->file);
    for (size_t i = 0; i < SPAR__REPLY_COOKIES; i++)
        spar__free(reply->cookie[i]);
    *reply = (spar__reply){.body = body, .hidden = reply->hidden, .storage_errors = reply->storage_errors};
}

void spar__reply_free(spar__reply *reply)
{
    spar__reply_clear(reply);
    spar__buf_free(&reply->body);
}

const char *spar__http_reason(unsigned status)
{
    static const struct {
        unsigned status;
        const char *reason;
    } reasons[] = {{200, "OK"},
                   {201, "Created"},
                   {202, "Accepted"},
                   {204, "No Content"},
                   {303, "See Other"},
                   {304, "Not Modified"},
                   {400, "Bad Request"},
                   {401, "Unauthorized"},
                   {403, "Forbidden"},
                   {404, "Not Found"},
                   {405, "Method Not Allowed"},
                   {406, "Not Acceptable"},
                   {408, "Request Timeout"},
                   {409, "Conflict"},
                   {410, "Gone"},
                   {413, "Content Too Large"},
                   {414, "URI Too Long"},
                   {415, "Unsupported Media Type"},
                   {421, "Misdirected Request"},
                   {422, "Unprocessable Content"},
                   {429, "Too Many Requests"},
                   {431, "Request Header Fields Too Large"},
                   {500, "Internal Server Error"},
                   {503, "Service Unavailable"},
                   {507, "Insufficient Storage"}};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (reasons[i].status == status)
            return reasons[i].reason;
    return "Unknown";
}

spar_status spar__reply_problem(spar__reply *reply, unsigned status, const char *code, const char *format, ...)
{
    char detail[sizeof((spar_error *)NULL)->text];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(detail, sizeof detail, format, args);
    va_end(args);
    unsigned wait = reply->retry_after;
    char *allow = reply->allow;
    reply->allow = NULL;
    spar__reply_clear(reply);
    reply->retry_after = wait;
    reply->allow = allow;
    reply->status = status;
    reply->type = "application/problem+json";
    spar__buf_printf(&reply->body, "{\"type\":\"urn:spar:problem:%s\",\"title\":\"%s\",\"status\":%u,\"detail\":", code,
                     spar__http_reason(status), status);
    /* The sentence without the place: strangers need not know where files are. "/srv/tea.db#x: is full" becomes "this
     * experiment: is full". */
    spar__buf text = {0};
    const char *sentence = detail, *place = reply->hidden;
    for (const char *found; place && (found = strstr(sentence, place));) {
        spar__buf_add(&text, sentence, (size_t)(found - sentence));
        spar__buf_adds(&text, "this experiment");
        sentence = found + strlen(place);
        if (*sentence == '#')
            sentence += strcspn(sentence, ": ");
    }
    spar__buf_adds(&text, sentence);
    spar__json_string(&(spar__json){.out = &reply->body}, text.failed ? "out of memory" : text.text);
    spar__buf_free(&text);
    spar__buf_adds(&reply->body, "}\n");
    return SPAR_OK;
}

void spar__reply_failure(spar__reply *reply, spar_status status, const spar_error *err)
{
    static const struct {
        spar_status status;
        unsigned http;
        const char *code;
    } map[] = {
        {SPAR_INVALID, 400, "invalid"},      {SPAR_PARSE, 400, "malformed"},     {SPAR_UNKNOWN, 404, "unknown"},
        {SPAR_UNSUPPORTED, 409, "not_now"},  {SPAR_CONFLICT, 409, "conflict"},   {SPAR_BUSY, 503, "busy"},
        {SPAR_FULL, 507, "no_space"},        {SPAR_NOMEM, 503, "out_of_memory"}, {SPAR_IO, 503, "storage"},
        {SPAR_INTERRUPTED, 503, "stopping"}, {SPAR_CORRUPT, 500, "damaged"},     {SPAR_ALL_SEEN, 409, "all_seen"},
    };
    /* What libpq says has the address of the database, which strangers need not know; standard error has it. */
    bool remote = status == SPAR_IO && reply->hidden && strstr(reply->hidden, "://");
    const char *said = err->text[0] ? err->text : spar_status_text(status);
    const char *sentence = remote ? "the database does not answer; try again" : said;
    spar__storage_errors_add(reply->storage_errors, status, err, 1e-9 * spar__clock_wall());
    for (size_t i = 0; i < sizeof map / sizeof *map; i++)
        if (map[i].status == status) {
            if (map[i].http == 503)
                reply->retry_after = 1;
            spar__reply_problem(reply, map[i].http, map[i].code, "%s", sentence);
            reply->failure = status;
            return;
        }
    spar__reply_problem(reply, 500, "internal", "%s", said);
}

spar_status spar__reply_json(spar__reply *reply, unsigned status)
{
    reply->status = status;
    reply->type = "application/json";
    return SPAR_OK;
}
