/* stream.c - see watch.h. */
#include "service/stream/stream.h"

#include "base/alloc.h"
#include "service/server.h"

#include <string.h>

void spar__audience_init(spar__audience *watch, spar__service *service)
{
    *watch = (spar__audience){.service = service};
    (void)pthread_mutex_init(&watch->lock, NULL);
}

void spar__audience_fini(spar__audience *watch)
{
    (void)pthread_mutex_destroy(&watch->lock);
}

size_t spar__audience_count(spar__audience *watch)
{
    (void)pthread_mutex_lock(&watch->lock);
    size_t n = watch->n;
    (void)pthread_mutex_unlock(&watch->lock);
    return n;
}

/* --- streams come and go --- */

static void link_stream(spar__audience *watch, spar__feed *stream)
{
    stream->after = watch->first;
    if (stream->after)
        stream->after->before = stream;
    watch->first = stream;
    watch->n++;
}

static void unlink_stream(spar__audience *watch, spar__feed *stream)
{
    if (stream->before)
        stream->before->after = stream->after;
    else
        watch->first = stream->after;
    if (stream->after)
        stream->after->before = stream->before;
    watch->n--;
}

static void free_stream(spar__feed *stream)
{
    spar__buf_free(&stream->out);
    spar__free(stream);
}

/* Under the lock: 0, or the status of the refusal. */
static unsigned refusal(const spar__service *service, const spar__address *address)
{
    const spar__audience *watch = &service->watch;
    const spar__service_limits *limits = &service->settings.limits;
    size_t same = 0;
    for (const spar__feed *stream = watch->first; stream; stream = stream->after)
        same +=
            memcmp(&stream->address, address, sizeof *address) == 0 && !stream->closed && !spar__feed_is_gone(stream);
    if (watch->stopping || (limits->streams && watch->n >= limits->streams))
        return 503;
    return limits->address_streams && same >= limits->address_streams ? 429 : 0;
}

static void refuse(spar__call *call, unsigned status)
{
    call->reply.retry_after = 10;
    if (status == 429)
        spar__reply_problem(&call->reply, 429, "streams", "too many streams from here; end one first");
    else
        spar__reply_problem(&call->reply, 503, "streams", "too many streams; try again later");
}

static spar__feed *new_stream(const spar__call *call, spar__feed_kind kind, uint64_t next)
{
    spar__feed *stream = spar__alloc(1, sizeof *stream);
    if (!stream)
        return NULL;
    stream->watch = &call->service->watch;
    stream->kind = kind;
    stream->socket = -1;
    stream->place = call->place;
    stream->address = call->address;
    stream->caller = call->caller;
    stream->next = next;
    spar__buf_adds(&stream->out, "retry: 2000\n\n"); /* also sends the headers */
    return stream;
}

void spar__feed_open(spar__call *call, spar__feed_kind kind, uint64_t next)
{
    spar__audience *watch = &call->service->watch;
    call->reply.type = "text/event-stream";
    call->reply.status = 200;
    if (call->head)
        return;
    spar__feed *stream = new_stream(call, kind, next);
    (void)pthread_mutex_lock(&watch->lock);
    unsigned refused = stream ? refusal(call->service, &call->address) : 503;
    if (!refused)
        link_stream(watch, stream);
    (void)pthread_mutex_unlock(&watch->lock);
    if (!refused) {
        call->reply.stream = stream;
        return;
    }
    if (stream)
        free_stream(stream);
    refuse(call, refused);
}

void spar__feed_close(spar__feed *stream)
{
    if (!stream)
        return;
    spar__audience *watch = stream->watch;
    (void)pthread_mutex_lock(&watch->lock);
    bool held = stream->held;
    stream->closed = true;
    if (!held)
        unlink_stream(watch, stream);
    (void)pthread_mutex_unlock(&watch->lock);
    if (!held)
        free_stream(stream);
}

/* --- bytes --- */

bool spar__feed_take(spar__feed *stream, char *out, size_t most, size_t *n)
{
    spar__audience *watch = stream->watch;
    (void)pthread_mutex_lock(&watch->lock);
    size_t left = stream->out.length - stream->taken;
    bool good = left > 0 || !(stream->ended || watch->stopping);
    *n = left < most ? left : most;
    if (*n) {
        memcpy(out, stream->out.text + stream->taken, *n);
        stream->taken += *n;
    } else if (good) {
        stream->asleep = true;
        spar__feed_sleep(stream);
    }
    (void)pthread_mutex_unlock(&watch->lock);
    return good;
}

/* Under the lock. */
static void wake(spar__feed *stream)
{
    if (!stream->asleep)
        return;
    stream->asleep = false;
    spar__feed_wake(stream);
}

void spar__audience_end(spar__audience *watch)
{
    (void)pthread_mutex_lock(&watch->lock);
    watch->stopping = true;
    for (spar__feed *stream = watch->first; stream; stream = stream->after)
        wake(stream);
    (void)pthread_mutex_unlock(&watch->lock);
}

/* --- for the watcher --- */

void spar__audience_each(spar__service *service, spar__feed_fill *fill)
{
    spar__audience *watch = &service->watch;
    spar__buf news = {0};
    (void)pthread_mutex_lock(&watch->lock);
    for (spar__feed *stream = watch->first, *after; stream; stream = after) {
        bool ended = false;
        if (stream->taken < stream->out.length || stream->ended) {
            after = stream->after;
            continue; /* its last bytes are not sent yet */
        }
        stream->held = true;
        (void)pthread_mutex_unlock(&watch->lock);
        spar__buf_clear(&news);
        ended = !fill(service, stream, &news);
        (void)pthread_mutex_lock(&watch->lock);
        stream->held = false;
        after = stream->after;
        if (stream->closed) {
            unlink_stream(watch, stream);
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
    (void)pthread_mutex_unlock(&watch->lock);
    spar__buf_free(&news);
}
