/* stream.c - streams of server-sent events: they come and go, sleep and wake (stream.h). */
#include "service/stream/stream.h"

#include "base/alloc.h"
#include "service/server.h"

#include <string.h>

void spar__sse_hub_init(spar__sse_hub *hub, spar__service *service)
{
    *hub = (spar__sse_hub){.service = service};
    (void)pthread_mutex_init(&hub->lock, NULL);
}

void spar__sse_hub_fini(spar__sse_hub *hub)
{
    (void)pthread_mutex_destroy(&hub->lock);
}

/* --- streams come and go --- */

static void remove_from_hub(spar__sse_hub *hub, spar__sse_stream *stream)
{
    if (stream->before)
        stream->before->after = stream->after;
    else
        hub->first = stream->after;
    if (stream->after)
        stream->after->before = stream->before;
    hub->n--;
}

static void free_stream(spar__sse_stream *stream)
{
    spar__buf_free(&stream->out);
    spar__free(stream);
}

/* Under the lock: 0, or the status of the refusal. */
static unsigned refusal(const spar__service *service, const spar__address *address)
{
    const spar__sse_hub *hub = &service->sse;
    const spar__service_limits *limits = &service->settings.limits;
    size_t same = 0;
    for (const spar__sse_stream *stream = hub->first; stream; stream = stream->after)
        same +=
            memcmp(&stream->address, address, sizeof *address) == 0 && !stream->closed && !spar__sse_is_gone(stream);
    if (hub->stopping || (limits->streams && hub->n >= limits->streams))
        return 503;
    return limits->address_streams && same >= limits->address_streams ? 429 : 0;
}

spar_status spar__sse_open(spar__call *call, spar__sse_kind kind, uint64_t next)
{
    spar__sse_hub *hub = &call->service->sse;
    call->reply.type = "text/event-stream";
    call->reply.status = 200;
    if (call->head)
        return SPAR_OK;
    spar__sse_stream *stream = spar__alloc(1, sizeof *stream);
    if (stream) {
        *stream = (spar__sse_stream){.hub = hub,
                                     .kind = kind,
                                     .socket = -1,
                                     .hosted = call->hosted,
                                     .address = call->address,
                                     .caller = call->caller,
                                     .next = next};
        spar__buf_adds(&stream->out, "retry: 2000\n\n"); /* also sends the headers */
    }
    (void)pthread_mutex_lock(&hub->lock);
    unsigned refused = stream ? refusal(call->service, &call->address) : 503;
    if (!refused) {
        stream->after = hub->first;
        if (stream->after)
            stream->after->before = stream;
        hub->first = stream;
        hub->n++;
    }
    (void)pthread_mutex_unlock(&hub->lock);
    if (!refused) {
        call->reply.stream = stream;
        return SPAR_OK;
    }
    if (stream)
        free_stream(stream);
    call->reply.retry_after = 10;
    return spar__reply_problem(&call->reply, refused, "streams",
                               refused == 429 ? "too many streams from here; end one first"
                                              : "too many streams; try again later");
}

void spar__sse_close(spar__sse_stream *stream)
{
    if (!stream)
        return;
    spar__sse_hub *hub = stream->hub;
    (void)pthread_mutex_lock(&hub->lock);
    bool held = stream->held;
    stream->closed = true;
    if (!held)
        remove_from_hub(hub, stream);
    (void)pthread_mutex_unlock(&hub->lock);
    if (!held)
        free_stream(stream);
}

/* --- bytes --- */

bool spar__sse_take(spar__sse_stream *stream, char *out, size_t most, size_t *n)
{
    spar__sse_hub *hub = stream->hub;
    (void)pthread_mutex_lock(&hub->lock);
    size_t left = stream->out.length - stream->taken;
    bool good = left > 0 || !(stream->ended || hub->stopping);
    *n = left < most ? left : most;
    if (*n) {
        memcpy(out, stream->out.text + stream->taken, *n);
        stream->taken += *n;
    } else if (good) {
        stream->asleep = true;
        spar__sse_suspend(stream);
    }
    (void)pthread_mutex_unlock(&hub->lock);
    return good;
}

/* Under the lock. */
static void wake(spar__sse_stream *stream)
{
    if (!stream->asleep)
        return;
    stream->asleep = false;
    spar__sse_resume(stream);
}

void spar__sse_hub_stop(spar__sse_hub *hub)
{
    (void)pthread_mutex_lock(&hub->lock);
    hub->stopping = true;
    for (spar__sse_stream *stream = hub->first; stream; stream = stream->after)
        wake(stream);
    (void)pthread_mutex_unlock(&hub->lock);
}

/* --- filling them --- */

void spar__sse_hub_each(spar__service *service, spar__sse_fill *fill)
{
    spar__sse_hub *hub = &service->sse;
    spar__buf news = {0};
    (void)pthread_mutex_lock(&hub->lock);
    for (spar__sse_stream *stream = hub->first, *after; stream; stream = after) {
        bool ended = false;
        if (stream->taken < stream->out.length || stream->ended) {
            after = stream->after;
            continue; /* its last bytes are not sent yet */
        }
        stream->held = true;
        (void)pthread_mutex_unlock(&hub->lock);
        spar__buf_clear(&news);
        ended = !fill(service, stream, &news);
        (void)pthread_mutex_lock(&hub->lock);
        stream->held = false;
        after = stream->after;
        if (stream->closed) {
            remove_from_hub(hub, stream);
            free_stream(stream);
            continue;
        }
        stream->ended = ended || news.failed;
        spar__buf_clear(&stream->out);
        stream->taken = 0;
        spar__buf_add(&stream->out, news.text ? news.text : "", news.length);
        if (stream->out.length || stream->ended)
            wake(stream);
    }
    (void)pthread_mutex_unlock(&hub->lock);
    spar__buf_free(&news);
}
