/* openapi.c - the routes as an OpenAPI 3.1 document, made from routes.def and schemas.def. */
#include "service/routes/openapi_schema.h"
#include "service/server.h"
#include "spar_version.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* --- parameters --- */

static void add_parameter(spar__json *json, const char *name, const char *in, const spar__member *member)
{
    bool path = strcmp(in, "path") == 0;
    spar__json_begin_object(json);
    spar__json_add_string(json, "name", name);
    spar__json_add_string(json, "in", in);
    if (path)
        spar__json_add_boolean(json, "required", true);
    if (member)
        spar__json_add_string(json, "description", member->brief);
    spar__json_key(json, "schema");
    spar__openapi_value(json, member);
    spar__json_end_object(json);
}

static void add_path_parameters(spar__json *json, const char *path)
{
    for (const char *at = strchr(path, '{'); at; at = strchr(at + 1, '{')) {
        char name[40] = "";
        size_t length = strcspn(at + 1, "}");
        if (length < sizeof name)
            memcpy(name, at + 1, length);
        add_parameter(json, name, "path", NULL);
    }
}

static void add_parameters(spar__json *json, const spar__route *route, const spar__shape *shape)
{
    static const spar__member key = {"Idempotency-Key", SPAR__MEMBER_TEXT, SPAR__NEED_MAY, NULL,
                                     "the same request sent again with the same key has no second effect"};
    static const spar__member last = {"Last-Event-ID", SPAR__MEMBER_WHOLE, SPAR__NEED_MAY, NULL,
                                      "a stream goes on behind this event"};
    spar__json_key(json, "parameters");
    spar__json_begin_array(json);
    add_path_parameters(json, route->path);
    for (const spar__member *member = shape->query->member; member->name; member++)
        add_parameter(json, member->name, "query", member);
    if (route->method != SPAR__GET)
        add_parameter(json, key.name, "header", &key);
    if (strstr(shape->types, "text/event-stream"))
        add_parameter(json, last.name, "header", &last);
    spar__json_end_array(json);
}

/* --- bodies --- */

static bool has_needed(const spar__schema *schema)
{
    for (const spar__member *member = schema->member; member->name; member++)
        if (member->need == SPAR__NEED_MUST)
            return true;
    return false;
}

static void add_type(spar__json *json, const char *type, const spar__schema *schema)
{
    spar__json_key(json, type);
    spar__json_begin_object(json);
    spar__json_key(json, "schema");
    spar__openapi_ref(json, schema, strcmp(type, "application/json") == 0 ? "object" : "string");
    spar__json_end_object(json);
}

static void add_body(spar__json *json, const spar__route *route, const spar__shape *shape)
{
    char text[80];
    (void)snprintf(text, sizeof text, "At most %zu bytes.", route->body);
    spar__json_key(json, "requestBody");
    spar__json_begin_object(json);
    spar__json_add_string(json, "description", text);
    spar__json_add_boolean(json, "required", shape->raw || has_needed(shape->request));
    spar__json_key(json, "content");
    spar__json_begin_object(json);
    add_type(json, shape->raw ? "application/octet-stream" : "application/json", shape->raw ? NULL : shape->request);
    spar__json_end_object(json);
    spar__json_end_object(json);
}

static void add_contents(spar__json *json, const spar__shape *shape)
{
    spar__json_key(json, "content");
    spar__json_begin_object(json);
    for (const char *at = shape->types; *at;) {
        char type[80] = "";
        size_t length = strcspn(at, " ");
        if (length < sizeof type)
            memcpy(type, at, length);
        add_type(json, type, strcmp(type, "application/json") == 0 ? shape->reply : NULL);
        at += length;
        at += strspn(at, " ");
    }
    spar__json_end_object(json);
}

static void add_reply(spar__json *json, unsigned status, const char *text, const spar__shape *shape)
{
    char code[16];
    (void)snprintf(code, sizeof code, "%u", status);
    spar__json_key(json, code);
    spar__json_begin_object(json);
    spar__json_add_string(json, "description", text);
    if (shape && *shape->types)
        add_contents(json, shape);
    spar__json_end_object(json);
}

static void add_replies(spar__json *json, const spar__shape *shape)
{
    spar__json_key(json, "responses");
    spar__json_begin_object(json);
    if (shape->or_200)
        add_reply(json, 200, "It was there already", shape);
    add_reply(json, shape->status, shape->reply ? shape->reply->brief : spar__http_reason(shape->status), shape);
    if (strncmp(shape->types, "image/", 6) == 0)
        add_reply(json, 304, "The one that If-None-Match names", NULL);
    spar__json_key(json, "default");
    spar__json_begin_object(json);
    spar__json_add_string(json, "description", "A problem (RFC 9457)");
    spar__json_key(json, "content");
    spar__json_begin_object(json);
    add_type(json, "application/problem+json", &spar__openapi_problem);
    spar__json_end_object(json);
    spar__json_end_object(json);
    spar__json_end_object(json);
}

/* --- operations --- */

static void add_scheme_use(spar__json *json, const char *scheme, const char *with)
{
    const char *const both[] = {scheme, with};
    spar__json_begin_object(json);
    for (size_t i = 0; i < 2; i++)
        if (both[i]) {
            spar__json_key(json, both[i]);
            spar__json_begin_array(json);
            spar__json_end_array(json);
        }
    spar__json_end_object(json);
}

static void add_security(spar__json *json, const spar__route *route)
{
    spar__json_key(json, "security");
    spar__json_begin_array(json);
    if (route->role == SPAR__ROLE_NOBODY || route->role == SPAR__ROLE_RESULTS)
        add_scheme_use(json, NULL, NULL);
    if (route->role == SPAR__ROLE_VOTER || route->role == SPAR__ROLE_RESULTS) {
        add_scheme_use(json, "voter", NULL);
        add_scheme_use(json, "voter_cookie", NULL);
    }
    if (route->role != SPAR__ROLE_NOBODY) {
        add_scheme_use(json, "manager", NULL);
        add_scheme_use(json, "session", route->method == SPAR__GET ? NULL : "csrf");
    }
    spar__json_end_array(json);
}

static void add_operation(spar__json *json, const spar__route *route)
{
    const spar__shape *shape = spar__shape_of(route);
    const char *name = spar__method_name(route->method);
    char method[8] = "";
    for (size_t i = 0; name[i]; i++)
        method[i] = (char)tolower((unsigned char)name[i]);
    spar__json_key(json, method);
    spar__json_begin_object(json);
    spar__json_add_string(json, "operationId", route->id);
    spar__json_add_string(json, "summary", route->brief);
    spar__json_add_string(json, "x-role", spar__role_name(route->role));
    add_parameters(json, route, shape);
    if (route->body)
        add_body(json, route, shape);
    add_security(json, route);
    add_replies(json, shape);
    spar__json_end_object(json);
}

/* Routes of one path stand together in the table only by chance: find them all. */
static void add_path(spar__json *json, size_t first)
{
    if (strncmp(spar__routes[first].id, "page_", 5) == 0)
        return; /* for browsers */
    for (size_t i = 0; i < first; i++)
        if (strcmp(spar__routes[i].path, spar__routes[first].path) == 0)
            return;
    spar__json_key(json, spar__routes[first].path);
    spar__json_begin_object(json);
    for (size_t i = first; i < spar__n_routes; i++)
        if (strcmp(spar__routes[i].path, spar__routes[first].path) == 0)
            add_operation(json, &spar__routes[i]);
    spar__json_end_object(json);
}

static void add_info(spar__json *json)
{
    spar__json_add_string(json, "openapi", "3.1.0");
    spar__json_key(json, "info");
    spar__json_begin_object(json);
    spar__json_add_string(json, "title", "spar");
    spar__json_add_string(json, "version", SPAR_VERSION);
    spar__json_add_string(json, "description",
                          "Experiments with real people: what to show next, and what may be "
                          "concluded from the answers.");
    spar__json_end_object(json);
}

void spar__service_openapi(spar__buf *out)
{
    spar__json json = {.out = out};
    spar__json_begin_object(&json);
    add_info(&json);
    spar__json_key(&json, "paths");
    spar__json_begin_object(&json);
    for (size_t i = 0; i < spar__n_routes; i++)
        add_path(&json, i);
    spar__json_end_object(&json);
    spar__openapi_components(&json);
    spar__json_end_object(&json);
    spar__buf_adds(out, "\n");
}

void spar__here_openapi(spar__call *call)
{
    spar__service_openapi(&call->reply.body);
    spar__reply_json(&call->reply, 200);
}
