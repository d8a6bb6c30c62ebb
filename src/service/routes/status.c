/* status.c - what may be concluded so far: the last result, or the results as they come. */
#include "service/server.h"

void spar__read_status(spar__call *call, spar_experiment *experiment)
{
    (void)experiment;
    if (spar__call_wants_stream(call))
        spar__feed_open(call, SPAR__FEED_STATUS, 0);
    else
        call->passed = !spar__result_reply(call);
}
