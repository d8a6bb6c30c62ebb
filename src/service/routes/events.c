/* events.c - the log, event by event: a part of it at once, or all that comes as a stream. */
#include "service/server.h"

#include "live/exchange/exchange.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_EVENTS = 1000, MOST_BYTES = 1 << 20 }; /* of a reply */

static void add_line(void *context, uint64_t sequence, const spar__buf *line)
{
    spar__buf *out = context;
    (void)sequence;
    spar__buf_add(out, line->text, line->length);
    spar__buf_adds(out, "\n");
}

static uint64_t number_of(const char *text, uint64_t missing)
{
    size_t length = text ? strlen(text) : 0;
    return length > 0 && length < 20 && strspn(text, "0123456789") == length ? strtoull(text, NULL, 10) : missing;
}

void spar__read_events(spar__call *call, spar_experiment *experiment)
{
    uint64_t from = number_of(spar__call_query(call, "from"), 1), next = 0;
    spar_error err = {0};
    if (spar__call_wants_stream(call)) {
        uint64_t last = number_of(spar__call_header(call, "Last-Event-ID"), 0);
        spar__feed_open(call, SPAR__FEED_EVENTS, last ? last + 1 : from ? from : 1);
        return;
    }
    spar_status status =
        spar__live_lines(experiment, from, MOST_EVENTS, MOST_BYTES, add_line, &call->reply.body, &next, &err);
    if (status) {
        spar__reply_failure(&call->reply, status, &err);
        return;
    }
    call->reply.type = "application/jsonl";
    call->reply.status = 200;
}
