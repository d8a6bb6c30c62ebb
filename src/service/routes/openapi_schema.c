/* openapi_schema.c - see openapi_schema.h. */
#include "service/routes/openapi_schema.h"

#include <stdio.h>
#include <string.h>

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
static void add_type(spar__json *json, const char *first, const char *second, bool nullable)
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
        spar__openapi_ref(json, spar__schema_find(of), "object");
    }
}

static void add_object(spar__json *json, const char *of, bool nullable)
{
    spar__json_key(json, "anyOf");
    spar__json_begin_array(json);
    spar__openapi_ref(json, spar__schema_find(of), "object");
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
        add_type(json, kind == SPAR__MEMBER_REASON ? "boolean" : type_of(member),
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

void spar__openapi_value(spar__json *json, const spar__member *member)
{
    spar__json_begin_object(json);
    add_value(json, member, false);
    spar__json_end_object(json);
}

void spar__openapi_ref(spar__json *json, const spar__schema *schema, const char *type)
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

void spar__openapi_components(spar__json *json)
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
