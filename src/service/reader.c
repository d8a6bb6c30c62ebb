/* reader.c - answers what only looks: with experiments of its own, so that a long look keeps no vote waiting. */
#include "service/server.h"

static void answer(spar__call *call)
{
    spar_experiment *experiment = NULL;
    spar_error err = {0};
    if (!spar__call_find_place(call, SPAR__BY_READER))
        return;
    if (call->place) {
        spar_status status = spar__place_open(call->place, SPAR__BY_READER, &experiment, &err);
        if (status) {
            spar__reply_failure(&call->reply, status, &err);
            return;
        }
        if (!spar__auth_check_here(call, experiment))
            return;
    }
    call->route->read(call, experiment);
}

/* The watcher answers it; it is not ours any more. */
static bool pass_on(spar__service *service, spar__call *call)
{
    if (spar__worker_put(&service->watcher, call))
        return true;
    call->reply.retry_after = 1;
    spar__reply_problem(&call->reply, 503, "busy", "too many requests wait; try again");
    return false;
}

void spar__reader_work(spar__service *service, spar__call *calls)
{
    while (calls) {
        spar__call *next = calls->next; /* after the resume the call is the other thread's */
        answer(calls);
        if (!calls->passed || !pass_on(service, calls))
            spar__call_resume(calls);
        calls = next;
    }
}

void spar__reader_tick(spar__service *service)
{
    spar__places_tidy(&service->places, SPAR__BY_READER, spar__seconds());
}
