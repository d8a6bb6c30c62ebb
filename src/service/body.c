/* body.c - JSON bodies: strict, at most 16 levels deep, no names twice (text/json_tree.h); forms of pages become such.
 */
#include "service/form.h"
#include "service/server.h"

#include <inttypes.h>
#include <string.h>

static bool refuse(spar__call *call, const char *sentence)
{
    spar__reply_problem(&call->reply, 400, "malformed", "%s", sentence);
    return false;
}

static spar_status parse(spar__call *call, spar_error *err)
{
    spar__buf form = {0};
    const spar__buf *body = &call->body;
    if (body->failed)
        return spar__fail_memory(err);
    if (!call->shape->page)
        return spar__json_tree_parse(&call->json, body->text, body->length, "body", 1, err);
    spar_status status = spar__form_json(spar__call_header(call, "Content-Type"), body->text, body->length,
                                         call->shape->request, &form, err);
    if (!status)
        status = spar__json_tree_parse(&call->json, form.text, form.length, "form", 1, err);
    spar__buf_free(&form);
    return status;
}

bool spar__body_read(spar__call *call)
{
    spar_error err = {0};
    if (!call->route->body || !call->body.length || call->shape->raw)
        return true;
    spar_status status = parse(call, &err);
    if (status) {
        spar__reply_failure(&call->reply, status, &err);
        return false;
    }
    return spar__json_root(&call->json)->kind == SPAR__JSON_OBJECT || refuse(call, "the body is not a JSON object");
}

/* NULL where it is null or not there. */
static const spar__json_node *member(spar__call *call, const char *name)
{
    const spar__json_node *node = spar__json_member(&call->json, spar__json_root(&call->json), name);
    return node && node->kind != SPAR__JSON_NULL ? node : NULL;
}

const char *spar__body_text(spar__call *call, const char *name, bool *good)
{
    const spar__json_node *node = member(call, name);
    const char *text = spar__json_text(&call->json, node);
    if (node && !text) {
        spar__reply_problem(&call->reply, 400, "invalid", "'%s' is not a text", name);
        *good = false;
    }
    return text;
}

bool spar__body_flag(spar__call *call, const char *name, bool *good)
{
    const spar__json_node *node = member(call, name);
    bool flag = false;
    if (node && !spar__json_get_boolean(node, &flag)) {
        spar__reply_problem(&call->reply, 400, "invalid", "'%s' is not true or false", name);
        *good = false;
    }
    return flag;
}

uint64_t spar__body_number(spar__call *call, const char *name, uint64_t most, uint64_t missing, bool *good)
{
    const spar__json_node *node = member(call, name);
    uint64_t number = 0;
    if (!node)
        return missing;
    if (spar__json_get_unsigned(&call->json, node, &number) && number <= most)
        return number;
    spar__reply_problem(&call->reply, 400, "invalid", "'%s' is not a whole number from 0 to %" PRIu64, name, most);
    *good = false;
    return missing;
}
