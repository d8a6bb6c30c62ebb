/* http.c - connections, by libmicrohttpd: this file alone knows it.
 *
 * One thread reads all connections. A request that needs another thread is put into its queue and its connection
 * sleeps; that thread wakes it when the reply is there. A request is worked on only once its body is whole, and after
 * it has been checked: whatever is too large, too slow or not allowed costs no more than its headers. */
#include "base/alloc.h"
#include "service/pages/pages.h"
#include "service/server.h"
#include "service/stream/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

/* --- where the body ends --- */

typedef struct header_census {
    unsigned hosts, lengths, encodings;
    bool odd; /* something that another program may read otherwise */
} header_census;

static bool begins(const char *name, const char *with)
{
    return strncasecmp(name, with, strlen(with)) == 0;
}

static enum MHD_Result see_header(void *context, enum MHD_ValueKind kind, const char *name, const char *value)
{
    header_census *census = context;
    bool length = strcasecmp(name, "Content-Length") == 0, encoding = strcasecmp(name, "Transfer-Encoding") == 0;
    const char *at = name;
    (void)kind;
    value = value ? value : "";
    census->hosts += strcasecmp(name, "Host") == 0;
    census->lengths += length;
    census->encodings += encoding;
    /* The letters of a name (RFC 9110, 5.6.2). Not strspn, which is slow for so many letters. */
    while ((*at >= '0' && *at <= '9') || ((*at | 0x20) >= 'a' && (*at | 0x20) <= 'z') || *at == '-' ||
           (*at && strchr("!#$%&'*+.^_`|~", *at)))
        at++;
    /* libmicrohttpd appends a line that goes on in the next one to the name. */
    census->odd |= *at || (begins(name, "Transfer-Encoding") && strlen(name) != 17) ||
                   (begins(name, "Content-Length") && strlen(name) != 14) ||
                   (begins(name, "Host") && strlen(name) != 4);
    for (at = value; *at; at++)
        census->odd |= (unsigned char)*at < ' ' && *at != '\t';
    census->odd |= length && (!*value || value[strspn(value, "0123456789")]);
    census->odd |= encoding && strcasecmp(value, "chunked") != 0;
    return MHD_YES;
}

/* --- whose it is --- */

/* Of the other side; NULL: not known. */
static const struct sockaddr *http_address(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : NULL;
}

static enum MHD_Result see_forwarded(void *context, enum MHD_ValueKind kind, const char *name, const char *value)
{
    spar__buf *list = context;
    (void)kind;
    if (strcasecmp(name, "X-Forwarded-For") == 0 && value)
        spar__buf_printf(list, "%s%s", list->length ? "," : "", value);
    return MHD_YES;
}

/* --- headers of a reply --- */

static const char page_policy[] = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

static void add_text(struct MHD_Response *response, const char *name, const char *value)
{
    if (value)
        (void)MHD_add_response_header(response, name, value);
}

static void add_headers(struct MHD_Response *response, const spar__reply *reply)
{
    char text[200];
    const char *cache = reply->revalidate   ? "private, no-cache"
                        : !reply->cacheable ? "no-store"
                        : reply->personal   ? "private, max-age=31536000, immutable"
                                            : "public, max-age=31536000, immutable";
    add_text(response, "Content-Type", reply->type ? reply->type : "text/plain");
    add_text(response, "X-Content-Type-Options", "nosniff");
    add_text(response, "Referrer-Policy", "same-origin");
    add_text(response, "Cross-Origin-Resource-Policy", "same-origin");
    add_text(response, "Content-Security-Policy", reply->policy ? reply->policy : page_policy);
    add_text(response, "Cache-Control", cache);
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

/* --- waking --- */

/* The connection goes on, in its own thread; one byte wakes the loop for all that have come since it last looked. */
static void resume(spar__service *service, struct MHD_Connection *connection)
{
    MHD_resume_connection(connection);
    if (!atomic_exchange(&service->woken, true))
        (void)!write(service->wake[1], "", 1);
}

void spar__call_resume(spar__call *call)
{
    resume(call->service, call->connection);
}

/* --- streams --- */

void spar__sse_suspend(spar__sse_stream *stream)
{
    MHD_suspend_connection(stream->connection);
}

void spar__sse_resume(spar__sse_stream *stream)
{
    resume(stream->hub->service, stream->connection);
}

/* A connection that sleeps is not looked at otherwise. */
bool spar__sse_is_gone(const spar__sse_stream *stream)
{
    char byte;
    return stream->socket >= 0 && recv(stream->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

/* Nothing to send: the connection sleeps until the thread of the standings wakes it. */
static ssize_t read_stream(void *context, uint64_t position, char *out, size_t most)
{
    size_t n = 0;
    (void)position;
    return spar__sse_take(context, out, most, &n) ? (ssize_t)n : MHD_CONTENT_READER_END_OF_STREAM;
}

static void end_stream(void *context)
{
    spar__sse_close(context);
}

static struct MHD_Response *respond_by_stream(spar__call *call)
{
    enum { BLOCK = 16384 };
    spar__sse_stream *stream = call->reply.stream;
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

static struct MHD_Response *respond(spar__call *call)
{
    spar__reply *reply = &call->reply;
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(call->connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    struct spar__peer *peer = info ? info->socket_context : NULL;
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
    if (!reply->body.length)
        return MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    response = MHD_create_response_from_buffer_with_free_callback(reply->body.length, reply->body.text, spar__free);
    if (response)
        reply->body = (spar__buf){0}; /* its text is the response's now */
    return response;
}

static enum MHD_Result send_reply(spar__call *call)
{
    spar__idempotency_end(call);
    if (call->reply.status >= 400)
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
    enum MHD_Result result = MHD_queue_response(call->connection, call->reply.status, response);
    MHD_destroy_response(response);
    return result;
}

/* --- headers and cookies --- */

const char *spar__call_header(const spar__call *call, const char *name)
{
    return MHD_lookup_connection_value(call->connection, MHD_HEADER_KIND, name);
}

typedef struct cookie_search {
    const char *name, *value;
    bool twice;
} cookie_search;

static enum MHD_Result see_cookie(void *context, enum MHD_ValueKind kind, const char *key, const char *value)
{
    cookie_search *search = context;
    (void)kind;
    if (strcmp(key, search->name) != 0 || !value)
        return MHD_YES;
    search->twice |= search->value && strcmp(search->value, value) != 0;
    search->value = value;
    return MHD_YES;
}

bool spar__call_cookie(const spar__call *call, const char *name, char *out, size_t size)
{
    cookie_search search = {.name = name};
    (void)MHD_get_connection_values(call->connection, MHD_COOKIE_KIND, see_cookie, &search);
    if (!search.value || search.twice || strlen(search.value) >= size)
        return false;
    memcpy(out, search.value, strlen(search.value) + 1);
    return true;
}

/* --- connections --- */

static void set_phase(spar__service *service, struct MHD_Connection *connection, spar__peer_phase phase)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    if (info)
        spar__peer_set(service, info->socket_context, phase);
}

static enum MHD_Result accept_peer(void *context, const struct sockaddr *socket, socklen_t length)
{
    (void)length;
    return spar__peers_admit(context, socket) ? MHD_YES : MHD_NO;
}

static void note_peer(void *context, struct MHD_Connection *connection, void **peer,
                      enum MHD_ConnectionNotificationCode code)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        *peer = spar__peer_new(context, http_address(connection), info ? info->connect_fd : -1);
    } else {
        spar__peer_free(context, *peer);
        *peer = NULL;
    }
}

/* --- requests --- */

static char long_uri; /* stands for a request whose URL is too long, until there is a call */

/* The request line is there: the headers have their time from now on. */
static void *see_uri(void *context, const char *uri, struct MHD_Connection *connection)
{
    set_phase(context, connection, SPAR__PHASE_HEADERS);
    return strlen(uri) > SPAR__MAX_URL_BYTES ? &long_uri : NULL;
}

static void completed(void *context, struct MHD_Connection *connection, void **request,
                      enum MHD_RequestTerminationCode code)
{
    (void)code;
    if (*request && *request != &long_uri) {
        spar__call *call = *request;
        spar__idempotency_end(call);
        if (call->reply.stream)
            spar__sse_close(call->reply.stream);
        spar__access_log_add(&call->service->log, call);
        spar__call_free(call);
    }
    *request = NULL;
    set_phase(context, connection, SPAR__PHASE_IDLE);
}

/* The connection ends with a refusal: what follows the headers is not known to be what it seems. */
static bool check_head(spar__call *call, bool too_long)
{
    header_census census = {0};
    (void)MHD_get_connection_values(call->connection, MHD_HEADER_KIND, see_header, &census);
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(call->connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    if (too_long)
        spar__reply_problem(&call->reply, 414, "too_large", "the URL has more than %d bytes", SPAR__MAX_URL_BYTES);
    else if (info && info->header_size > SPAR__MAX_HEADER_BYTES)
        spar__reply_problem(&call->reply, 431, "too_large", "the headers have more than %d bytes",
                            SPAR__MAX_HEADER_BYTES);
    else if (census.odd || census.hosts > 1 || census.lengths + census.encodings > 1)
        /* If a proxy before us could see the end of the body elsewhere, what it takes for a part of the body would be a
         * request of somebody else for us (RFC 9112, 6.3 and 11.2). */
        spar__reply_problem(&call->reply, 400, "framing", "the headers leave open for whom this is, or where it ends");
    call->ends = call->reply.status != 0;
    return !call->ends;
}

static spar__call *new_call(spar__service *service, struct MHD_Connection *connection, const char *method,
                            const char *path)
{
    spar__call *call = spar__call_new(service);
    if (!call)
        return NULL;
    call->connection = connection;
    call->reply.hidden = service->shown;
    call->reply.storage_errors = &service->storage_errors;
    call->began = spar__seconds();
    call->head = strcmp(method, MHD_HTTP_METHOD_HEAD) == 0;
    /* By which limits count. A proxy may add a line of its own to that of the client: all lines are one list. */
    const spar__service_settings *settings = &service->settings;
    spar__buf list = {0};
    (void)MHD_get_connection_values(connection, MHD_HEADER_KIND, see_forwarded, &list);
    call->address =
        spar__address_key(spar__address_client(spar__address_of(http_address(connection)),
                                               list.failed ? NULL : list.text, settings->n_trusted, settings->trusted));
    spar__buf_free(&list);
    (void)spar__route_find(method, path, &call->match);
    if (!call->match.route && !call->match.other_method)
        call->slash = spar__page_find_slash(method, path, &call->match);
    call->route = call->match.route;
    call->shape = call->route ? &call->route->shape : NULL;
    return call;
}

static enum MHD_Result see_query(void *context, enum MHD_ValueKind kind, const char *key, const char *value)
{
    (void)kind;
    return spar__call_query_add(context, key, value) ? MHD_YES : MHD_NO;
}

/* Headers are there: what can be refused now is. Only managers may send what is large. */
static void begin(spar__call *call)
{
    if (call->route) {
        if (!spar__guard_check(call))
            return;
        (void)MHD_get_connection_values(call->connection, MHD_GET_ARGUMENT_KIND, see_query, call);
        if (call->reply.status || !spar__accept_check(call))
            return;
        if (call->slash)
            spar__page_go_without_slash(call);
        else if (call->route->role == SPAR__ROLE_MANAGER)
            call->admitted = spar__auth_check(call) && !call->shape->page; /* a form has its token inside */
        return;
    }
    if (call->match.other_method) {
        call->reply.allow = spar__strdup(call->match.allow);
        spar__reply_problem(&call->reply, 405, "method", "this path has %s only", call->match.allow);
    } else {
        spar__reply_problem(&call->reply, 404, "unknown", "there is nothing at this path");
    }
}

static void add_body(spar__call *call, const char *bytes, size_t length)
{
    if (call->reply.status && !(call->reply.status == 429 && call->shape->page))
        return; /* refused already: read and forgotten; but a page offers to send the same again */
    if (length > call->route->body || call->body.length > call->route->body - length)
        spar__reply_problem(&call->reply, 413, "too_large", "the body has more than %zu bytes", call->route->body);
    else
        spar__buf_add(&call->body, bytes, length);
}

static bool is_short(const spar__call *call)
{
    enum { SHORT = 65536 };
    const char *length = spar__call_header(call, "Content-Length");
    return !spar__call_header(call, "Transfer-Encoding") && (!length || strtoull(length, NULL, 10) <= SHORT);
}

static enum MHD_Result answer(void *context, struct MHD_Connection *connection, const char *path, const char *method,
                              const char *version, const char *upload, size_t *upload_size, void **request)
{
    spar__service *service = context;
    bool too_long = *request == &long_uri;
    spar__call *call = too_long ? NULL : *request;
    (void)version;
    if (!call) {
        *request = NULL;
        call = *request = new_call(service, connection, method, path);
        if (!call)
            return MHD_NO;
        set_phase(service, connection, SPAR__PHASE_BODY);
        if (check_head(call, too_long))
            begin(call);
        /* Refused: a short body is read and forgotten, so that the connection can go on; for a long one it ends. */
        return call->reply.status && (call->ends || !is_short(call)) ? send_reply(call) : MHD_YES;
    }
    if (*upload_size) {
        add_body(call, upload, *upload_size);
        *upload_size = 0;
        return MHD_YES;
    }
    if (call->suspended) /* it was: the reply is there */
        return send_reply(call);
    set_phase(service, connection, SPAR__PHASE_WORK);
    /* The body is whole: answers here, or puts the call into the queue. */
    call->whole = !call->reply.status && spar__body_read(call);
    bool good = call->whole && (call->admitted ? spar__auth_still(call) : spar__auth_check(call)) &&
                spar__body_check(call) && spar__idempotency_begin(call);
    if (good && call->route->kind == SPAR__INLINE)
        spar__call_answer(call, call->route->answer, NULL);
    if (!good || call->route->kind == SPAR__INLINE)
        return send_reply(call);
    call->suspended = true;
    MHD_suspend_connection(call->connection);
    spar__worker *worker = call->route->kind == SPAR__READER     ? &service->reader
                           : call->route->kind == SPAR__TRANSFER ? &service->transfer
                                                                 : &service->writer;
    if (!spar__worker_put(worker, call)) {
        call->reply.retry_after = 1;
        (void)spar__reply_problem(&call->reply, 503, "busy", "too many requests wait; try again");
        spar__call_resume(call);
    }
    return MHD_YES;
}

/* Paths and queries stay as they were sent: route.c decodes, after it has split. */
static size_t keep_escapes(void *context, struct MHD_Connection *connection, char *text)
{
    (void)context;
    (void)connection;
    return strlen(text);
}

/* --- the thread of the connections ---
 *
 * libmicrohttpd's own loop over epoll (seen in 0.9.75) goes to sleep when 128 connections or more are ready at the same
 * moment, until something else happens. So the loop is ours: it waits for libmicrohttpd's epoll descriptor, and lets
 * libmicrohttpd work without waiting. */

enum { MAX_WAIT_MS = 100 }; /* after which it looks whether it shall end */

static void await(spar__service *service, int fd)
{
    char bytes[16];
    MHD_UNSIGNED_LONG_LONG soon = MAX_WAIT_MS;
    struct pollfd ready[] = {{.fd = fd, .events = POLLIN}, {.fd = service->wake[0], .events = POLLIN}};
    if (MHD_get_timeout(service->daemon, &soon) != MHD_YES || soon > MAX_WAIT_MS)
        soon = MAX_WAIT_MS;
    if (soon)
        (void)poll(ready, 2, (int)soon);
    if (atomic_load(&service->woken) || ready[1].revents) {
        (void)!read(service->wake[0], bytes, sizeof bytes);
        atomic_store(&service->woken, false); /* before the work: who comes later writes again */
    }
}

static void *loop(void *context)
{
    spar__service *service = context;
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(service->daemon, MHD_DAEMON_INFO_EPOLL_FD);
    int fd = info ? info->epoll_fd : -1;
    bool quiet = false;
    while (!atomic_load(&service->loop_ends)) {
        if (!quiet && atomic_load(&service->loop_quiet)) {
            (void)MHD_run(
                service->daemon); /* who has connected already is let in, who comes later is refused at once */
            int socket = MHD_quiesce_daemon(service->daemon);
            if (socket != MHD_INVALID_SOCKET) {
                (void)close(socket);
                service->socket = -1;
            }
            quiet = true;
        }
        await(service, fd);
        (void)MHD_run(service->daemon);
    }
    return NULL;
}

static struct MHD_Daemon *start_daemon(spar__service *service)
{
    unsigned flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC;
    /* Its own limit is for nobody: limits.c counts, and trusted proxies have none. */
    size_t most = service->settings.n_trusted ? 0 : service->settings.limits.connections;
    return MHD_start_daemon(flags, 0, accept_peer, service, answer, service,  /* */
                            MHD_OPTION_LISTEN_SOCKET, service->socket,        /* */
                            MHD_OPTION_NOTIFY_COMPLETED, completed, service,  /* */
                            MHD_OPTION_NOTIFY_CONNECTION, note_peer, service, /* */
                            MHD_OPTION_URI_LOG_CALLBACK, see_uri, service,    /* */
                            MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL, /* */
                            MHD_OPTION_CONNECTION_MEMORY_LIMIT,
                            (size_t)(SPAR__MAX_HEADER_BYTES + SPAR__MAX_URL_BYTES + 8192),      /* */
                            MHD_OPTION_CONNECTION_LIMIT, (unsigned)(most ? most + 256 : 65535), /* */
                            MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SPAR__IDLE_SECONDS,        /* */
                            MHD_OPTION_END);
}

spar_status spar__http_start(spar__service *service, spar_error *err)
{
    if (pipe(service->wake) || fcntl(service->wake[0], F_SETFL, O_NONBLOCK) ||
        fcntl(service->wake[1], F_SETFL, O_NONBLOCK))
        return spar__fail(err, SPAR_IO, "cannot make a pipe: %s", strerror(errno));
    service->daemon = start_daemon(service);
    if (!service->daemon)
        return spar__fail(err, SPAR_IO, "%s: the server cannot start", service->settings.listen);
    int error = pthread_create(&service->loop, NULL, loop, service);
    service->loops = error == 0;
    return error ? spar__fail(err, SPAR_IO, "cannot start a thread: %s", strerror(error)) : SPAR_OK;
}

void spar__http_quiesce(spar__service *service)
{
    atomic_store(&service->loop_quiet, true);
}

void spar__http_stop(spar__service *service)
{
    atomic_store(&service->loop_ends, true);
    if (service->loops)
        (void)pthread_join(service->loop, NULL);
    if (service->daemon)
        MHD_stop_daemon(service->daemon);
    spar__calls_fini(service);
    for (int i = 0; i < 2; i++)
        if (service->wake[i] > 0)
            (void)close(service->wake[i]);
    service->wake[0] = service->wake[1] = 0;
    service->loops = false;
    service->daemon = NULL;
}
