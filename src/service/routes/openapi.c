/* openapi.c - the schemas of schemas.def as JSON Schema, for openapi.c. */
#include "service/http/http.h"
#include "service/server.h"
#include "spar_version.h"
#include "text/json.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

extern const spar__schema spar__openapi_problem; /* what every error is */

static void openapi_value(spar__json *json, const spar__member *member); /* of one member; NULL: a text */
static void openapi_ref(spar__json *json, const spar__schema *schema, const char *type); /* the type if it is NULL */
static void openapi_components(spar__json *json);                                        /* the member "components" */

/* See openapi_schema.h. */

static const spar__member problem_members[] = {
    {"type", SPAR__MEMBER_TEXT, SPAR__NEED_MUST, NULL, "urn:spar:problem: and a short name that programs can rely on"},
    {"title", SPAR__MEMBER_TEXT, SPAR__NEED_MUST, NULL, "the reason of the status"},
    {"status", SPAR__MEMBER_WHOLE, SPAR__NEED_MUST, NULL, "the status of the reply"},
    {"detail", SPAR__MEMBER_TEXT, SPAR__NEED_MUST, NULL, "a sentence"},
    {0},
};
const spar__schema spar__openapi_problem = {"problem", "What went wrong (RFC 9457)", problem_members};

/* --- one value --- */

static const char *type_of(const spar__member *member)
{
    switch (member ? member->kind : SPAR__MEMBER_TEXT) {
    case SPAR__MEMBER_FLAG:
        return "boolean";
    case SPAR__MEMBER_WHOLE:
        return "integer";
    case SPAR__MEMBER_NUMBER:
        return "number";
    case SPAR__MEMBER_LIST:
        return "array";
    default:
        return "string";
    }
}

/* One type, or several. */
static void openapi_schema_add_type(spar__json *json, const char *first, const char *second, bool nullable)
{
    spar__json_key(json, "type");
    if (!second && !nullable) {
        spar__json_string(json, first);
        return;
    }
    spar__json_begin_array(json);
    spar__json_string(json, first);
    if (second)
        spar__json_string(json, second);
    if (nullable)
        spar__json_string(json, "null");
    spar__json_end_array(json);
}

static void add_words(spar__json *json, const char *words, bool nullable)
{
    spar__json_key(json, "enum");
    spar__json_begin_array(json);
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

static void add_items(spar__json *json, const char *of)
{
    const char *plain = strcmp(of, "texts") == 0 ? "string" : strcmp(of, "numbers") == 0 ? "number" : NULL;
    spar__json_key(json, "items");
    if (plain) {
        spar__json_begin_object(json);
        spar__json_add_string(json, "type", plain);
        spar__json_end_object(json);
    } else {
        openapi_ref(json, spar__schema_find(of), "object");
    }
}

static void add_object(spar__json *json, const char *of, bool nullable)
{
    spar__json_key(json, "anyOf");
    spar__json_begin_array(json);
    openapi_ref(json, spar__schema_find(of), "object");
    if (nullable) {
        spar__json_begin_object(json);
        spar__json_add_string(json, "type", "null");
        spar__json_end_object(json);
    }
    spar__json_end_array(json);
}

static void add_value(spar__json *json, const spar__member *member, bool nullable)
{
    spar__member_kind kind = member ? member->kind : SPAR__MEMBER_TEXT;
    if (kind == SPAR__MEMBER_OBJECT)
        add_object(json, member->of, nullable);
    else if (kind != SPAR__MEMBER_ANY)
        openapi_schema_add_type(json, kind == SPAR__MEMBER_REASON ? "boolean" : type_of(member),
                                kind == SPAR__MEMBER_REASON ? "string"
                                : kind == SPAR__MEMBER_WORD ? "number"
                                                            : NULL,
                                nullable);
    if (kind == SPAR__MEMBER_CHOICE)
        add_words(json, member->of, nullable);
    if (kind == SPAR__MEMBER_LIST)
        add_items(json, member->of);
    if (kind == SPAR__MEMBER_WHOLE)
        spar__json_add_unsigned(json, "minimum", 0);
    if (kind == SPAR__MEMBER_BYTES)
        spar__json_add_string(json, "contentEncoding", "base64");
}

void openapi_value(spar__json *json, const spar__member *member)
{
    spar__json_begin_object(json);
    add_value(json, member, false);
    spar__json_end_object(json);
}

void openapi_ref(spar__json *json, const spar__schema *schema, const char *type)
{
    char text[100];
    spar__json_begin_object(json);
    (void)snprintf(text, sizeof text, "#/components/schemas/%s", schema ? schema->name : "");
    spar__json_add_string(json, schema ? "$ref" : "type", schema ? text : type);
    spar__json_end_object(json);
}

/* --- components --- */

static bool is_taken(const spar__schema *schema)
{
    for (size_t i = 0; i < spar__n_shapes; i++)
        if (spar__shapes[i].request == schema)
            return true;
    return strcmp(schema->name, "new_option") == 0;
}

/* In a request null is as missing. */
static void add_members(spar__json *json, const spar__schema *schema, bool request)
{
    spar__json_key(json, "properties");
    spar__json_begin_object(json);
    for (const spar__member *member = schema->member; member->name; member++) {
        bool may_miss = member->need == SPAR__NEED_MAY && request;
        spar__json_key(json, member->name);
        spar__json_begin_object(json);
        add_value(json, member, may_miss || member->need == SPAR__NEED_NULLABLE || member->need == SPAR__NEED_EITHER);
        spar__json_add_string(json, "description", member->brief);
        spar__json_end_object(json);
    }
    spar__json_end_object(json);
}

static void add_needed(spar__json *json, const spar__schema *schema)
{
    bool any = false;
    for (const spar__member *member = schema->member; member->name; member++) {
        if (member->need != SPAR__NEED_MUST && member->need != SPAR__NEED_NULLABLE)
            continue;
        if (!any) {
            spar__json_key(json, "required");
            spar__json_begin_array(json);
        }
        any = true;
        spar__json_string(json, member->name);
    }
    if (any)
        spar__json_end_array(json);
}

static void add_schema(spar__json *json, const spar__schema *schema)
{
    spar__json_key(json, schema->name);
    spar__json_begin_object(json);
    spar__json_add_string(json, "description", schema->brief);
    spar__json_add_string(json, "type", "object");
    add_members(json, schema, is_taken(schema));
    add_needed(json, schema);
    spar__json_add_boolean(json, "additionalProperties", false);
    spar__json_end_object(json);
}

static void add_scheme(spar__json *json, const char *name, const char *type, const char *key, const char *value,
                       const char *in, const char *text)
{
    spar__json_key(json, name);
    spar__json_begin_object(json);
    spar__json_add_string(json, "type", type);
    spar__json_add_string(json, key, value);
    if (in)
        spar__json_add_string(json, "in", in);
    spar__json_add_string(json, "description", text);
    spar__json_end_object(json);
}

static void add_schemes(spar__json *json)
{
    spar__json_key(json, "securitySchemes");
    spar__json_begin_object(json);
    add_scheme(json, "manager", "http", "scheme", "bearer", NULL, "a manage token, made by 'spar token new'");
    add_scheme(json, "session", "apiKey", "name", "spar_session", "cookie",
               "set by POST /v1/login; under https its name is __Host-spar_session");
    add_scheme(json, "csrf", "apiKey", "name", "X-CSRF-Token", "header",
               "given by POST /v1/login; needed with the session by whatever is no GET");
    add_scheme(json, "voter", "http", "scheme", "voter", NULL, "the secret of a voter: Authorization: Voter SECRET");
    add_scheme(json, "voter_cookie", "apiKey", "name", "spar_voter", "cookie",
               "set when somebody becomes a voter; under https its name is __Host-spar_voter");
    spar__json_end_object(json);
}

void openapi_components(spar__json *json)
{
    spar__json_key(json, "components");
    spar__json_begin_object(json);
    spar__json_key(json, "schemas");
    spar__json_begin_object(json);
    add_schema(json, &spar__openapi_problem);
    for (size_t i = 0; i < spar__n_schemas; i++)
        if (strcmp(spar__schemas[i].name, "raw") != 0 && !strstr(spar__schemas[i].name, "_query") &&
            strncmp(spar__schemas[i].name, "page_", 5) != 0)
            add_schema(json, &spar__schemas[i]);
    spar__json_end_object(json);
    add_schemes(json);
    spar__json_end_object(json);
}

/* The routes as an OpenAPI 3.1 document, made from routes.def and schemas.def. */

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
    openapi_value(json, member);
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

static void openapi_add_type(spar__json *json, const char *type, const spar__schema *schema)
{
    spar__json_key(json, type);
    spar__json_begin_object(json);
    spar__json_key(json, "schema");
    openapi_ref(json, schema, strcmp(type, "application/json") == 0 ? "object" : "string");
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
    openapi_add_type(json, shape->raw ? "application/octet-stream" : "application/json",
                     shape->raw ? NULL : shape->request);
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
        openapi_add_type(json, type, strcmp(type, "application/json") == 0 ? shape->reply : NULL);
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
    openapi_add_type(json, "application/problem+json", &spar__openapi_problem);
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
    openapi_components(&json);
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
