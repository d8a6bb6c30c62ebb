/* openapi.c - the routes as an OpenAPI 3.1 document, made from the table. */
#include "service/server.h"
#include "spar_version.h"
#include "text/json.h"

#include <ctype.h>
#include <string.h>

static void add_parameters(spar__json *json, const char *path)
{
    spar__json_key(json, "parameters");
    spar__json_begin_array(json);
    for (const char *at = strchr(path, '{'); at; at = strchr(at + 1, '{')) {
        char name[40] = "";
        size_t length = strcspn(at + 1, "}");
        if (length < sizeof name)
            memcpy(name, at + 1, length);
        spar__json_begin_object(json);
        spar__json_add_string(json, "name", name);
        spar__json_add_string(json, "in", "path");
        spar__json_add_boolean(json, "required", true);
        spar__json_key(json, "schema");
        spar__json_begin_object(json);
        spar__json_add_string(json, "type", "string");
        spar__json_end_object(json);
        spar__json_end_object(json);
    }
    spar__json_end_array(json);
}

static void add_body(spar__json *json)
{
    spar__json_key(json, "requestBody");
    spar__json_begin_object(json);
    spar__json_key(json, "content");
    spar__json_begin_object(json);
    spar__json_key(json, "application/json");
    spar__json_begin_object(json);
    spar__json_key(json, "schema");
    spar__json_begin_object(json);
    spar__json_add_string(json, "type", "object");
    spar__json_end_object(json);
    spar__json_end_object(json);
    spar__json_end_object(json);
    spar__json_end_object(json);
}

static void add_reply(spar__json *json, const char *code, const char *text)
{
    spar__json_key(json, code);
    spar__json_begin_object(json);
    spar__json_add_string(json, "description", text);
    spar__json_end_object(json);
}

static void add_security(spar__json *json, spar__role role)
{
    if (role == SPAR__ROLE_NOBODY)
        return;
    spar__json_key(json, "security");
    spar__json_begin_array(json);
    for (int i = role == SPAR__ROLE_MANAGER; i < 2; i++) {
        spar__json_begin_object(json);
        spar__json_key(json, i ? "manager" : "voter");
        spar__json_begin_array(json);
        spar__json_end_array(json);
        spar__json_end_object(json);
    }
    spar__json_end_array(json);
}

static void add_operation(spar__json *json, const spar__route *route)
{
    char method[8] = "";
    const char *name = spar__method_name(route->method);
    for (size_t i = 0; name[i]; i++)
        method[i] = (char)tolower((unsigned char)name[i]);
    spar__json_key(json, method);
    spar__json_begin_object(json);
    spar__json_add_string(json, "operationId", route->id);
    spar__json_add_string(json, "summary", route->brief);
    add_parameters(json, route->path);
    if (route->body)
        add_body(json);
    add_security(json, route->role);
    spar__json_key(json, "responses");
    spar__json_begin_object(json);
    add_reply(json, "2XX", "Done");
    add_reply(json, "default", "A problem (application/problem+json)");
    spar__json_end_object(json);
    spar__json_end_object(json);
}

/* Routes of one path stand together in the table only by chance: find them all. */
static void add_path(spar__json *json, size_t first)
{
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

static void add_scheme(spar__json *json, const char *name, const char *type, const char *scheme, const char *text)
{
    spar__json_key(json, name);
    spar__json_begin_object(json);
    spar__json_add_string(json, "type", type);
    spar__json_add_string(json, "scheme", scheme);
    spar__json_add_string(json, "description", text);
    spar__json_end_object(json);
}

void spar__openapi(spar__buf *out)
{
    spar__json json = {.out = out};
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "openapi", "3.1.0");
    spar__json_key(&json, "info");
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "title", "spar");
    spar__json_add_string(&json, "version", SPAR_VERSION);
    spar__json_end_object(&json);
    spar__json_key(&json, "paths");
    spar__json_begin_object(&json);
    for (size_t i = 0; i < spar__n_routes; i++)
        add_path(&json, i);
    spar__json_end_object(&json);
    spar__json_key(&json, "components");
    spar__json_begin_object(&json);
    spar__json_key(&json, "securitySchemes");
    spar__json_begin_object(&json);
    add_scheme(&json, "manager", "http", "bearer", "a manage token (spar token new)");
    add_scheme(&json, "voter", "http", "voter", "the secret of a voter (POST .../voters)");
    spar__json_end_object(&json);
    spar__json_end_object(&json);
    spar__json_end_object(&json);
    spar__buf_adds(out, "\n");
}

void spar__here_openapi(spar__call *call)
{
    spar__openapi(&call->reply.body);
    spar__reply_json(&call->reply, 200);
}
