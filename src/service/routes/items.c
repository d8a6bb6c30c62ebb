/* items.c - prompts with one output of each option, as `spar add --items` takes them. */
#include "service/server.h"

#include "live/items/items.h"
#include "text/json.h"

static void reply_items(spar__call *call, const spar_experiment *experiment, const spar__items_added *result)
{
    spar__json json = {.out = &call->reply.body};
    spar__json_begin_object(&json);
    spar__json_add_unsigned(&json, "added", result->added);
    spar__json_add_unsigned(&json, "changed", result->changed);
    spar__json_add_unsigned(&json, "items", spar_experiment_items(experiment));
    spar__json_end_object(&json);
    spar__reply_json(&call->reply, 200);
}

void spar__slow_add_items(spar__call *call, spar_experiment *experiment)
{
    spar__item_list list = {0};
    spar__items_added result = {0};
    spar_error err = {0}, why = {0};
    spar__buf_add(&call->body, "", 0); /* never NULL */
    spar_status status = call->body.failed ? spar__fail_memory(&why)
                                           : spar__items_read(call->body.text, call->body.length, "body", &list, &why);
    if (!status)
        status = spar__live_add_items(experiment, list.n, (const spar_item *const *)list.item, &result, &why);
    if (!status)
        reply_items(call, experiment, &result);
    else { /* an option that is not known: the body is at fault */
        bool line = status != SPAR_PARSE && result.at < list.n;
        status = status == SPAR_UNKNOWN ? SPAR_INVALID : status;
        (void)(line ? spar__fail(&err, status, "body:%zu: %s", list.line[result.at], why.text)
                    : spar__fail(&err, status, "%s", why.text));
        spar__reply_failure(&call->reply, status, &err);
    }
    spar__item_list_free(&list);
}
