/* call.c - the memory of calls, which are used again: one is too large for the allocator to have it at hand, and each
 * has memory of its own for its body. The connections' thread only. */
#include "service/server.h"

#include "base/alloc.h"

enum { SPARE_CALLS = 256, SPARE_BODY = 4096, SPARE_NODES = 64 }; /* of its JSON; larger ones are not kept */

static bool is_worth_keeping(const spar__call *call)
{
#ifdef __SANITIZE_ADDRESS__ /* so that it sees who uses one that has ended */
    (void)call;
    return false;
#else
    return call->service->spare_calls < SPARE_CALLS && call->body.capacity <= SPARE_BODY &&
           call->json.room <= SPARE_NODES && call->json.text.capacity <= SPARE_BODY &&
           call->json.scan.word.capacity <= SPARE_BODY;
#endif
}

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
    if (!is_worth_keeping(call)) {
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
