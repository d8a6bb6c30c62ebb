/* client.c - a request, and its reply (served.h). */
#include "store/served/served.h"

#include "base/alloc.h"
#include "store/served/socket.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum {
    GRACE = 5000, /* milliseconds until a server that lives replies, beyond what it may wait */
    WORK = 60000, /* and for what it does: texts that are dropped, large imports */
    MOST_LAPSES = 8
};

void spar__served_hang_up(spar__served *self)
{
    if (self->socket >= 0)
        (void)close(self->socket);
    self->socket = -1;
}

static spar_status fail_silent(const spar__served *self, spar__wire_op op, int error, spar_error *err)
{
    bool ended = !error || error == ECONNRESET || error == EPIPE;
    const char *why = ended ? "it has ended" : strerror(error);
    if (op == SPAR__WIRE_HELLO || op == SPAR__WIRE_LOCK || op == SPAR__WIRE_NEXT_SCREEN)
        return spar__fail(err, SPAR_IO, "%s: its server does not reply: %s; do the same again", self->base.name, why);
    return spar__fail(err, SPAR_IO,
                      "%s: its server did not reply: %s; whether this was written is not known: look, then do the "
                      "same again if it was not",
                      self->base.name, why);
}

static spar_status receive(spar__served *self, const spar__wire_request *request, unsigned milliseconds,
                           spar__wire_reply *reply, spar_error *err)
{
    unsigned char head[SPAR__WIRE_HEAD], *frame;
    spar_error why = {0};
    size_t length;
    if (!spar__socket_receive(self->socket, head, sizeof head, milliseconds))
        return fail_silent(self, request->op, errno, err);
    spar_status status = spar__wire_head(head, &length, &why);
    if (status)
        return spar__fail(err, status, "%s: its server is another spar: %s", self->base.name, why.text);
    frame = spar__alloc(sizeof head + length, 1);
    if (!frame)
        return spar__fail_memory(err);
    memcpy(frame, head, sizeof head);
    if (!spar__socket_receive(self->socket, frame + sizeof head, length, milliseconds))
        status = fail_silent(self, request->op, errno, err);
    else if ((status = spar__wire_reply_read(frame, sizeof head + length, reply, err)) == SPAR_CORRUPT ||
             (!status && reply->op != request->op && (reply->op || !reply->err.status)))
        status = spar__fail(err, SPAR_CORRUPT, "%s: its server said something that makes no sense", self->base.name);
    spar__free(frame);
    return status;
}

/* On an open connection. A server that refuses what is sent replies before it has read all of it. */
static spar_status converse(spar__served *self, const spar__wire_request *request, const spar__buf *frame,
                            spar__wire_reply *reply, spar_error *err)
{
    bool quick = request->op == SPAR__WIRE_HELLO || request->op == SPAR__WIRE_LOCK;
    unsigned wait = request->patience + (quick ? GRACE : GRACE + WORK);
    spar_error why = {0};
    bool sent = spar__socket_send(self->socket, frame->text, frame->length, wait);
    int error = errno;
    spar_status status = receive(self, request, sent ? wait : GRACE, reply, &why);
    if (status && !sent)
        return fail_silent(self, request->op, error, err);
    if (status)
        return status == SPAR_NOMEM ? spar__fail_memory(err) : spar__fail(err, status, "%s", why.text);
    if (reply->err.status)
        return spar__fail(err, reply->err.status, "%s", reply->err.text);
    return SPAR_OK;
}

static spar_status check_size(const spar__served *self, const spar__buf *frame, spar_error *err)
{
    if (frame->failed)
        return spar__fail_memory(err);
    if (frame->length > SPAR__WIRE_MOST)
        return spar__fail(err, SPAR_IO,
                          "%s: is served, and %zu MiB are too much to write at once, at most %zu; stop the server for "
                          "this",
                          self->base.name, frame->length >> 20, SPAR__WIRE_MOST >> 20);
    return SPAR_OK;
}

static spar_status dial(spar__served *self, spar_error *err)
{
    bool absent;
    if (self->socket >= 0)
        return SPAR_OK;
    if (self->base.locked)
        return spar__fail(err, SPAR_IO, "%s: its server ended while it was locked; do the same again", self->base.name);
    spar_status status = spar__socket_connect(self->path, self->base.name, &self->socket, &absent, err);
    if (status && absent)
        status = spar__fail(err, SPAR_IO, "%s: is not served any more; do the same again", self->base.name);
    return status;
}

spar_status spar__served_ask(spar__served *self, spar__wire_request *request, spar__wire_reply *reply, spar_error *err)
{
    spar__buf frame = {0};
    *reply = (spar__wire_reply){0};
    request->patience = spar__store_patience;
    request->locked = self->base.locked != 0;
    request->lapses = self->lapses;
    spar__wire_request_write(request, &frame);
    spar_status status = check_size(self, &frame, err);
    if (!status)
        status = dial(self, err);
    if (!status)
        status = converse(self, request, &frame, reply, err);
    if (status || (request->op != SPAR__WIRE_LOCK && !(request->locked && request->op == SPAR__WIRE_NEXT_SCREEN)))
        spar__served_hang_up(self);
    spar__buf_free(&frame);
    if (reply->lapsed)
        self->base.lapsed = ++self->lapses < MOST_LAPSES;
    else if (!status && (request->op == SPAR__WIRE_APPEND || request->op == SPAR__WIRE_TEXT_DROP))
        self->lapses = 0;
    return status;
}

spar_status spar__served_tell(spar__served *self, spar__wire_request *request, spar_error *err)
{
    spar__wire_reply reply;
    spar_status status = spar__served_ask(self, request, &reply, err);
    spar__wire_reply_fini(&reply);
    return status;
}
