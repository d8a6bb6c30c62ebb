/* transfer.c - imports and exports, one after the other, with experiments of their own. An import writes in small steps
 * and gives up the store's lock after each, so that no vote waits for all of it. */
#include "service/server.h"

static void answer_about(spar__call *call)
{
    spar_experiment *experiment = NULL;
    spar_error err = {0};
    spar_status status = spar__place_open(call->place, SPAR__BY_TRANSFER, &experiment, &err);
    if (status)
        spar__reply_failure(&call->reply, status, &err);
    else if (spar__auth_check_here(call, experiment))
        call->route->slow(call, experiment);
}

static void answer(spar__service *service, spar__call *call)
{
    spar_error err = {0};
    spar_status status = call->route->method == SPAR__GET ? SPAR_OK : spar__disk_check(service, &err);
    if (status)
        spar__reply_failure(&call->reply, status, &err);
    else if (spar__call_find_place(call, SPAR__BY_TRANSFER) && call->place)
        answer_about(call);
    else if (!call->reply.status)
        call->route->slow(call, NULL);
    if (call->place) /* seldom used */
        spar__place_close(call->place, SPAR__BY_TRANSFER);
}

void spar__transfer_work(spar__service *service, spar__call *calls)
{
    while (calls) {
        spar__call *next = calls->next; /* after the resume the call is the other thread's */
        answer(service, calls);
        spar__call_resume(calls);
        calls = next;
    }
}

void spar__transfer_tick(spar__service *service)
{
    (void)service;
}
