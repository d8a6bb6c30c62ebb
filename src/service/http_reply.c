/* http_reply.c - a reply goes out: from memory, from a file, or as a stream of events. */
#include "service/server.h"

#include "base/alloc.h"
#include "service/page.h"
#include "service/watch.h"

#include <microhttpd.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const char page_policy[] = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

static const char *cache_rule(const spar__reply *reply)
{
    if (reply->revalidate)
        return "private, no-cache";
    if (!reply->cacheable)
        return "no-store";
    return reply->personal ? "private, max-age=31536000, immutable" : "public, max-age=31536000, immutable";
}

static void add_text(struct MHD_Response *response, const char *name, const char *value)
{
    if (value)
        (void)MHD_add_response_header(response, name, value);
}

static void add_headers(struct MHD_Response *response, const spar__reply *reply)
{
    char text[200];
    add_text(response, "Content-Type", reply->type ? reply->type : "text/plain");
    add_text(response, "X-Content-Type-Options", "nosniff");
    add_text(response, "Referrer-Policy", "same-origin");
    add_text(response, "Cross-Origin-Resource-Policy", "same-origin");
    add_text(response, "Content-Security-Policy", reply->policy ? reply->policy : page_policy);
    add_text(response, "Cache-Control", cache_rule(reply));
    add_text(response, "Location", reply->location);
    add_text(response, "Allow", reply->allow);
    add_text(response, "ETag", reply->etag);
    for (size_t i = 0; i < SPAR__REPLY_COOKIES; i++)
        add_text(response, "Set-Cookie", reply->cookie[i]);
    if (reply->type && strcmp(reply->type, "text/event-stream") == 0)
        add_text(response, "X-Accel-Buffering", "no"); /* a proxy passes events on as they come */
    if (reply->retry_after) {
        (void)snprintf(text, sizeof text, "%u", reply->retry_after);
        add_text(response, "Retry-After", text);
    }
    if (reply->filename) {
        (void)snprintf(text, sizeof text, "attachment; filename=\"%.100s\"", reply->filename);
        add_text(response, "Content-Disposition", text);
    }
}

/* --- streams --- */

void spar__feed_sleep(spar__feed *stream)
{
    MHD_suspend_connection(stream->connection);
}

void spar__feed_wake(spar__feed *stream)
{
    spar__http_resume(stream->watch->service, stream->connection);
}

/* A connection that sleeps is not looked at otherwise. */
bool spar__feed_is_gone(const spar__feed *stream)
{
    char byte;
    return stream->socket >= 0 && recv(stream->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

/* Nothing to send: the connection sleeps until the watcher wakes it. */
static ssize_t read_stream(void *context, uint64_t position, char *out, size_t most)
{
    size_t n = 0;
    (void)position;
    return spar__feed_take(context, out, most, &n) ? (ssize_t)n : MHD_CONTENT_READER_END_OF_STREAM;
}

static void end_stream(void *context)
{
    spar__feed_close(context);
}

static struct MHD_Response *respond_by_stream(spar__call *call)
{
    enum { BLOCK = 16384 };
    spar__feed *stream = call->reply.stream;
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(call->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    stream->connection = call->connection;
    stream->socket = info ? info->connect_fd : -1;
    struct MHD_Response *response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, read_stream, stream, end_stream);
    call->sent = SPAR__SENT_STREAM;
    if (response)
        call->reply.stream = NULL; /* the response's now */
    return response;
}

/* --- replies --- */

static struct MHD_Response *respond_by_file(spar__call *call)
{
    const spar__reply *reply = &call->reply;
    int copy = fflush(reply->file) ? -1 : dup(fileno(reply->file)); /* the response closes its own */
    off_t length = copy < 0 ? -1 : lseek(copy, 0, SEEK_END);
    call->sent = length < 0 ? 0 : (uint64_t)length;
    struct MHD_Response *response =
        length < 0 ? NULL : MHD_create_response_from_fd_at_offset64((uint64_t)length, copy, 0);
    if (!response && copy >= 0)
        (void)close(copy);
    return response;
}

static struct spar__peer *peer_of(const spar__call *call)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(call->connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/* The text of the reply becomes the response's. */
static struct MHD_Response *respond_by_text(spar__call *call)
{
    spar__buf *body = &call->reply.body;
    if (!body->length)
        return MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    struct MHD_Response *response =
        MHD_create_response_from_buffer_with_free_callback(body->length, body->text, spar__free);
    if (response)
        *body = (spar__buf){0};
    return response;
}

static struct MHD_Response *respond(spar__call *call)
{
    spar__reply *reply = &call->reply;
    struct spar__peer *peer = peer_of(call);
    struct MHD_Response *response = NULL;
    if (reply->stream)
        return respond_by_stream(call);
    if (reply->file) {
        response = respond_by_file(call);
        (void)spar__peer_send(call->service, peer, call->sent, 0);
        return response;
    }
    if (reply->body.failed)
        spar__reply_problem(reply, 503, "out_of_memory", "out of memory");
    if (!spar__peer_send(call->service, peer, reply->body.length, reply->body.length)) {
        reply->retry_after = 5;
        spar__reply_problem(reply, 503, "busy", "replies that are being sent wait to be read; try again later");
        (void)spar__peer_send(call->service, peer, reply->body.length, reply->body.length);
    }
    call->sent = reply->body.length;
    return respond_by_text(call);
}

int spar__http_reply(spar__call *call)
{
    spar__once_end(call);
    spar__page_problem(call);
    struct MHD_Response *response = respond(call);
    if (!response)
        return MHD_NO;
    add_headers(response, &call->reply);
    if (atomic_load(&call->service->stopping) || call->ends)
        add_text(response, MHD_HTTP_HEADER_CONNECTION, "close");
    call->replied = true;
    if (call->head)
        call->sent = 0;
    atomic_fetch_add(&call->service->metrics.requests[call->reply.status / 100 % 6], 1);
    int result = (int)MHD_queue_response(call->connection, call->reply.status, response);
    MHD_destroy_response(response);
    return result;
}
