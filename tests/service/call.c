/* The memory of calls: nothing of a request is left for the next one, and a large one leaves no large memory. */
#include "service/server.h"

#include "base/alloc.h"
#include "tap.h"

#include <stdlib.h>

static spar__service service; /* enough of one */

/* A call whose body is a list of n numbers. */
static spar__call *new_call(size_t n)
{
    spar__call *call = spar__call_new(&service);
    if (!call)
        abort();
    spar__buf_adds(&call->body, "[1");
    for (size_t i = 1; i < n; i++)
        spar__buf_adds(&call->body, ",1");
    spar__buf_adds(&call->body, "]");
    if (spar__json_tree_parse(&call->json, call->body.text, call->body.length, "body", 1, NULL))
        abort();
    return call;
}

static void test_nothing_is_left(void)
{
    spar__call *call = new_call(3);
    call->caller.manager = call->whole = call->admitted = call->deferred = true;
    call->json.members = 5;
    call->n_query = 1;
    call->query[0] = (spar__query_value){spar__strdup("format"), spar__strdup("json")};
    call->match.param[0] = spar__strdup("tea");
    spar__reply_problem(&call->reply, 404, "unknown", "nothing");
    spar__call_free(call);
    call = spar__call_new(&service);
    ok(call && !call->caller.manager && !call->whole && !call->admitted && !call->deferred && !call->next,
       "a new call has nobody who asks");
    ok(call->service == &service && !call->n_query && !call->query[0].name && !call->match.param[0] &&
           !call->reply.status,
       "no path, no query, no reply");
    ok(!call->body.length && !spar__json_root(&call->json) && !call->json.members, "and no body");
    spar__call_free(call);
}

static void test_large(void)
{
    spar__call *call[300];
    size_t large = 0;
    for (size_t i = 0; i < 300; i++)
        call[i] = new_call(2000); /* 4,001 bytes, and the tree takes 28 times as much */
    for (size_t i = 0; i < 300; i++)
        spar__call_free(call[i]);
    for (size_t i = 0; i < 300; i++) {
        call[i] = spar__call_new(&service);
        large += call[i]->json.room > 100 || call[i]->body.capacity > 4096;
    }
    ok(large == 0, "300 large ones: %zu have large memory when they are used again", large);
    for (size_t i = 0; i < 300; i++)
        spar__call_free(call[i]);
    ok(service.spare_calls <= 256, "not all are kept");
}

int main(void)
{
    test_nothing_is_left();
    test_large();
    spar__calls_fini(&service);
    ok(!service.spare_call && !service.spare_calls, "at the end none is");
    return done();
}
