/* health.c - is it alive, and can it store? */
#include "service/server.h"

void spar__here_health(spar__call *call)
{
    spar__buf_adds(&call->reply.body, "ok\n");
    call->reply.type = "text/plain; charset=utf-8";
    call->reply.status = 200;
}

/* Answered by the writer's thread: it is not stuck; the disk has space (or this call was answered before it came here),
 * and the store can be read. Anybody may ask, as often as it likes: a hundred thousand invitations are not read here.
 */
void spar__change_ready(spar__call *call, spar_experiment *experiment)
{
    spar_error err = {0};
    (void)experiment;
    spar_status status = spar__secrets_check(call->service, &err);
    if (status)
        spar__reply_failure(&call->reply, status, &err);
    else
        spar__here_health(call);
}
