/* openapi.c - the interface as an OpenAPI 3.1 document, made from routes.def and schemas.def; doc/http.md is made from
 * the document (scripts/doc-http). */
#include "service/server.h"
#include "spar_version.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* An object with one member. */
static void add_single(spar__json *json, const char *key, const char *value)
{
    spar__json_begin_object(json);
    spar__json_add_string(json, key, value);
    spar__json_end_object(json);
}

/* The schema, or the type where it is NULL. */
static void add_ref(spar__json *json, const spar__schema *schema, const char *type)
{
    char text[100];
    (void)snprintf(text, sizeof text, "#/components/schemas/%s", schema ? schema->name : "");
    add_single(json, schema ? "$ref" : "type", schema ? text : type);
}

/* --- one value --- */

/* One type, or several. */
static void add_types(spar__json *json, spar__member_kind kind, bool nullable)
{
    static const char *const types[][2] = {
        [SPAR__MEMBER_FLAG] = {"boolean", NULL},       [SPAR__MEMBER_WHOLE] = {"integer", NULL},
        [SPAR__MEMBER_NUMBER] = {"number", NULL},      [SPAR__MEMBER_LIST] = {"array", NULL},
        [SPAR__MEMBER_TEXT] = {"string", NULL},        [SPAR__MEMBER_CHOICE] = {"string", NULL},
        [SPAR__MEMBER_BYTES] = {"string", NULL},       [SPAR__MEMBER_WORD] = {"string", "number"},
        [SPAR__MEMBER_REASON] = {"boolean", "string"},
    };
    const char *const *type = types[kind];
    spar__json_key(json, "type");
    if (!type[1] && !nullable) {
        spar__json_string(json, type[0]);
        return;
    }
    spar__json_begin_array(json);
    spar__json_string(json, type[0]);
    if (type[1])
        spar__json_string(json, type[1]);
    if (nullable)
        spar__json_string(json, "null");
    spar__json_end_array(json);
}

static void add_value(spar__json *json, const spar__member *member, bool nullable)
{
    spar__member_kind kind = member ? member->kind : SPAR__MEMBER_TEXT;
    if (kind == SPAR__MEMBER_OBJECT) {
        spar__json_begin_list(json, "anyOf");
        add_ref(json, spar__schema_find(member->of), "object");
        if (nullable)
            add_single(json, "type", "null");
        spar__json_end_array(json);
    } else if (kind != SPAR__MEMBER_ANY) {
        add_types(json, kind, nullable);
    }
    if (kind == SPAR__MEMBER_CHOICE) {
        const char *words = member->of;
        spar__json_begin_list(json, "enum");
        for (const char *at = words; at; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL) {
            char word[40] = "";
            size_t length = strcspn(at, "|");
            if (length < sizeof word)
                memcpy(word, at, length);
            spar__json_string(json, word);
        }
        if (nullable)
            spar__json_null(json);
        spar__json_end_array(json);
    }
    if (kind == SPAR__MEMBER_LIST) {
        const char *of = member->of;
        const char *plain = strcmp(of, "texts") == 0 ? "string" : strcmp(of, "numbers") == 0 ? "number" : NULL;
        spar__json_key(json, "items");
        add_ref(json, plain ? NULL : spar__schema_find(of), plain ? plain : "object");
    }
    if (kind == SPAR__MEMBER_WHOLE)
        spar__json_add_unsigned(json, "minimum", 0);
    if (kind == SPAR__MEMBER_BYTES)
        spar__json_add_string(json, "contentEncoding", "base64");
}

/* --- components --- */

static void add_schema(spar__json *json, const spar__schema *schema)
{
    spar__json_begin_member(json, schema->name);
    spar__json_add_string(json, "description", schema->brief);
    spar__json_add_string(json, "type", "object");
    /* In a request null is as missing. */
    bool request = strcmp(schema->name, "new_option") == 0;
    for (size_t i = 0; i < spar__n_routes; i++)
        request |= spar__routes[i].shape.request == schema;
    spar__json_begin_member(json, "properties");
    for (const spar__member *member = schema->member; member->name; member++) {
        bool may_miss = member->need == SPAR__NEED_MAY && request;
        spar__json_begin_member(json, member->name);
        add_value(json, member, may_miss || member->need == SPAR__NEED_NULLABLE || member->need == SPAR__NEED_EITHER);
        spar__json_add_string(json, "description", member->brief);
        spar__json_end_object(json);
    }
    spar__json_end_object(json);
    bool any = false;
    for (const spar__member *member = schema->member; member->name; member++) {
        if (member->need != SPAR__NEED_MUST && member->need != SPAR__NEED_NULLABLE)
            continue;
        if (!any)
            spar__json_begin_list(json, "required");
        any = true;
        spar__json_string(json, member->name);
    }
    if (any)
        spar__json_end_array(json);
    spar__json_add_boolean(json, "additionalProperties", false);
    spar__json_end_object(json);
}

static void add_components(spar__json *json)
{
    static const struct {
        const char *name, *value, *in, *text; /* in NULL: a scheme of HTTP */
    } schemes[] = {
        {"manager", "bearer", NULL, "a manage token, made by 'spar token new'"},
        {"session", "spar_session", "cookie", "set by POST /v1/login; under https its name is __Host-spar_session"},
        {"csrf", "X-CSRF-Token", "header", "given by POST /v1/login; needed with the session by whatever is no GET"},
        {"voter", "voter", NULL, "the secret of a voter: Authorization: Voter SECRET"},
        {"voter_cookie", "spar_voter", "cookie",
         "set when somebody becomes a voter; under https its name is __Host-spar_voter"},
    };
    spar__json_begin_member(json, "components");
    spar__json_begin_member(json, "schemas");
    for (size_t i = 0; i < spar__n_schemas; i++)
        if (strcmp(spar__schemas[i].name, "raw") != 0 && !strstr(spar__schemas[i].name, "_query") &&
            strncmp(spar__schemas[i].name, "page_", 5) != 0)
            add_schema(json, &spar__schemas[i]);
    spar__json_end_object(json);
    spar__json_begin_member(json, "securitySchemes");
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        spar__json_begin_member(json, schemes[i].name);
        spar__json_add_string(json, "type", schemes[i].in ? "apiKey" : "http");
        spar__json_add_string(json, schemes[i].in ? "name" : "scheme", schemes[i].value);
        if (schemes[i].in)
            spar__json_add_string(json, "in", schemes[i].in);
        spar__json_add_string(json, "description", schemes[i].text);
        spar__json_end_object(json);
    }
    spar__json_end_object(json);
    spar__json_end_object(json);
}

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
    spar__json_begin_member(json, "schema");
    add_value(json, member, false);
    spar__json_end_object(json);
    spar__json_end_object(json);
}

static void add_parameters(spar__json *json, const spar__route *route, const spar__shape *shape)
{
    static const spar__member key = {"Idempotency-Key", SPAR__MEMBER_TEXT, SPAR__NEED_MAY, NULL,
                                     "the same request sent again with the same key has no second effect"};
    static const spar__member last = {"Last-Event-ID", SPAR__MEMBER_WHOLE, SPAR__NEED_MAY, NULL,
                                      "a stream goes on behind this event"};
    spar__json_begin_list(json, "parameters");
    for (const char *at = strchr(route->path, '{'); at; at = strchr(at + 1, '{')) {
        char name[40] = "";
        size_t length = strcspn(at + 1, "}");
        if (length < sizeof name)
            memcpy(name, at + 1, length);
        add_parameter(json, name, "path", NULL);
    }
    for (const spar__member *member = shape->query->member; member->name; member++)
        add_parameter(json, member->name, "query", member);
    if (route->method != SPAR__GET)
        add_parameter(json, key.name, "header", &key);
    if (strstr(shape->types, "text/event-stream"))
        add_parameter(json, last.name, "header", &last);
    spar__json_end_array(json);
}

/* --- bodies --- */

static void add_type(spar__json *json, const char *type, const spar__schema *schema)
{
    spar__json_begin_member(json, type);
    spar__json_key(json, "schema");
    add_ref(json, schema, strcmp(type, "application/json") == 0 ? "object" : "string");
    spar__json_end_object(json);
}

static void add_reply(spar__json *json, unsigned status, const char *text, const spar__shape *shape)
{
    char code[16];
    (void)snprintf(code, sizeof code, "%u", status);
    spar__json_begin_member(json, code);
    spar__json_add_string(json, "description", text);
    if (shape && *shape->types) {
        spar__json_begin_member(json, "content");
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
    spar__json_end_object(json);
}

/* --- operations --- */

static void add_scheme_use(spar__json *json, const char *scheme, const char *with)
{
    const char *const both[] = {scheme, with};
    spar__json_begin_object(json);
    for (size_t i = 0; i < 2; i++)
        if (both[i]) {
            spar__json_begin_list(json, both[i]);
            spar__json_end_array(json);
        }
    spar__json_end_object(json);
}

static void add_security(spar__json *json, const spar__route *route)
{
    spar__json_begin_list(json, "security");
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
    const spar__shape *shape = &route->shape;
    const char *name = spar__method_name(route->method);
    char method[8] = "";
    for (size_t i = 0; name[i]; i++)
        method[i] = (char)tolower((unsigned char)name[i]);
    spar__json_begin_member(json, method);
    spar__json_add_string(json, "operationId", route->id);
    spar__json_add_string(json, "summary", route->brief);
    spar__json_add_string(json, "x-role", spar__role_name(route->role));
    add_parameters(json, route, shape);
    if (route->body) {
        char text[80];
        bool needed = shape->raw;
        for (const spar__member *member = shape->request->member; member->name; member++)
            needed |= member->need == SPAR__NEED_MUST;
        (void)snprintf(text, sizeof text, "At most %zu bytes.", route->body);
        spar__json_begin_member(json, "requestBody");
        spar__json_add_string(json, "description", text);
        spar__json_add_boolean(json, "required", needed);
        spar__json_begin_member(json, "content");
        add_type(json, shape->raw ? "application/octet-stream" : "application/json",
                 shape->raw ? NULL : shape->request);
        spar__json_end_object(json);
        spar__json_end_object(json);
    }
    add_security(json, route);
    spar__json_begin_member(json, "responses");
    if (shape->or_200)
        add_reply(json, 200, "It was there already", shape);
    add_reply(json, shape->status, shape->reply ? shape->reply->brief : spar__http_reason(shape->status), shape);
    if (strncmp(shape->types, "image/", 6) == 0)
        add_reply(json, 304, "The one that If-None-Match names", NULL);
    spar__json_begin_member(json, "default");
    spar__json_add_string(json, "description", "A problem (RFC 9457)");
    spar__json_begin_member(json, "content");
    add_type(json, "application/problem+json", spar__schema_find("problem"));
    spar__json_end_object(json);
    spar__json_end_object(json);
    spar__json_end_object(json);
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
    spar__json_begin_member(json, spar__routes[first].path);
    for (size_t i = first; i < spar__n_routes; i++)
        if (strcmp(spar__routes[i].path, spar__routes[first].path) == 0)
            add_operation(json, &spar__routes[i]);
    spar__json_end_object(json);
}

void spar__service_openapi(spar__buf *out)
{
    spar__json json = {.out = out};
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "openapi", "3.1.0");
    spar__json_begin_member(&json, "info");
    spar__json_add_string(&json, "title", "spar");
    spar__json_add_string(&json, "version", SPAR_VERSION);
    spar__json_add_string(&json, "description",
                          "Experiments with real people: what to show next, and what may be "
                          "concluded from the answers.");
    spar__json_end_object(&json);
    spar__json_begin_member(&json, "paths");
    for (size_t i = 0; i < spar__n_routes; i++)
        add_path(&json, i);
    spar__json_end_object(&json);
    add_components(&json);
    spar__json_end_object(&json);
    spar__buf_adds(out, "\n");
}

spar_status spar__route_openapi(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    (void)experiment;
    (void)err;
    spar__service_openapi(&call->reply.body);
    return spar__reply_json(&call->reply, 200);
}
