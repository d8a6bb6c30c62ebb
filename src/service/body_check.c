/* body_check.c - is the body what the route takes? Every member is known, is there if it must be, and has its kind.
 * What the members mean is the route's to check. */
#include "service/server.h"

#include <stdio.h>
#include <string.h>

enum { PATH = 100 }; /* "options[3].title" */

static bool refuse(spar__call *call, const char *path, const char *sentence)
{
    spar__reply_problem(&call->reply, 400, "invalid", "'%s' %s", path, sentence);
    return false;
}

static bool check_object(spar__call *call, const spar__json_node *object, const spar__schema *schema, const char *path);

static bool check_item(spar__call *call, const spar__json_node *item, const char *of, const char *path)
{
    double number = 0;
    if (strcmp(of, "texts") == 0)
        return spar__json_text(&call->json, item) || refuse(call, path, "is not a text");
    if (strcmp(of, "numbers") == 0)
        return spar__json_get_number(&call->json, item, &number) || refuse(call, path, "is not a number");
    return item->kind == SPAR__JSON_OBJECT ? check_object(call, item, spar__schema_find(of), path)
                                           : refuse(call, path, "is not an object");
}

static bool check_list(spar__call *call, const spar__json_node *list, const char *of, const char *path)
{
    size_t i = 0;
    if (list->kind != SPAR__JSON_LIST)
        return refuse(call, path, "is not a list");
    for (const spar__json_node *item = spar__json_first(&call->json, list); item;
         item = spar__json_next(&call->json, item), i++) {
        char inner[PATH];
        (void)snprintf(inner, sizeof inner, "%.80s[%zu]", path, i);
        if (!check_item(call, item, of, inner))
            return false;
    }
    return true;
}

static bool check_choice(spar__call *call, const spar__json_node *node, const char *words, const char *path)
{
    const char *text = spar__json_text(&call->json, node);
    if (text && spar__word_among(words, text))
        return true;
    spar__reply_problem(&call->reply, 400, "invalid", "'%s' is not one of %s", path, words);
    return false;
}

static bool check_value(spar__call *call, const spar__json_node *node, const spar__member *member, const char *path)
{
    const spar__json_tree *tree = &call->json;
    uint64_t whole = 0;
    double number = 0;
    bool flag = false, text = spar__json_text(tree, node) != NULL;
    switch (member->kind) {
    case SPAR__MEMBER_TEXT:
    case SPAR__MEMBER_BYTES:
        return text || refuse(call, path, "is not a text");
    case SPAR__MEMBER_CHOICE:
        return check_choice(call, node, member->of, path);
    case SPAR__MEMBER_FLAG:
        return spar__json_get_boolean(node, &flag) || refuse(call, path, "is not true or false");
    case SPAR__MEMBER_WHOLE:
        return spar__json_get_unsigned(tree, node, &whole) || refuse(call, path, "is not a whole number");
    case SPAR__MEMBER_NUMBER:
        return spar__json_get_number(tree, node, &number) || refuse(call, path, "is not a number");
    case SPAR__MEMBER_WORD:
        return text || node->kind == SPAR__JSON_NUMBER || refuse(call, path, "is not a text");
    case SPAR__MEMBER_REASON:
        return text || spar__json_get_boolean(node, &flag) || refuse(call, path, "is not true, false or a text");
    case SPAR__MEMBER_OBJECT:
        return check_item(call, node, member->of, path);
    case SPAR__MEMBER_LIST:
        return check_list(call, node, member->of, path);
    default:
        return true;
    }
}

static const spar__member *find(const spar__schema *schema, const char *name)
{
    for (const spar__member *member = schema->member; member->name; member++)
        if (strcmp(member->name, name) == 0)
            return member;
    return NULL;
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

static bool check_needed(spar__call *call, const spar__json_node *object, const spar__schema *schema, const char *path)
{
    for (const spar__member *member = schema->member; member->name; member++) {
        const spar__json_node *node = NULL;
        char inner[PATH];
        if (member->need == SPAR__NEED_MUST)
            node = spar__json_member(&call->json, object, member->name);
        if (member->need != SPAR__NEED_MUST || (node && node->kind != SPAR__JSON_NULL))
            continue;
        join(inner, path, member->name);
        return refuse(call, inner, "is missing");
    }
    return true;
}

static bool check_object(spar__call *call, const spar__json_node *object, const spar__schema *schema, const char *path)
{
    const spar__json_tree *tree = &call->json;
    for (const spar__json_node *node = spar__json_first(tree, object); node; node = spar__json_next(tree, node)) {
        const char *key = spar__json_key_of(tree, node);
        const spar__member *member = find(schema, key);
        char inner[PATH];
        join(inner, path, key);
        if (!member)
            return refuse(call, inner, "is not known here");
        if (node->kind != SPAR__JSON_NULL && !check_value(call, node, member, inner))
            return false;
    }
    return check_needed(call, object, schema, path);
}

bool spar__body_check(spar__call *call)
{
    if (call->shape->raw)
        return true;
    return check_object(call, spar__json_root(&call->json), call->shape->request, "");
}
