/* local_client.c - requests come and replies go in pieces, without waiting (local_inside.h). */
#include "service/local_inside.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/clock.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PIECE = 65536, LONGEST_PATIENCE = 10000 /* milliseconds */ };

spar__local_client *spar__local_client_new(int socket)
{
    spar__local_client *client = spar__alloc(1, sizeof *client);
    if (!client) {
        (void)close(socket);
        return NULL;
    }
    client->socket = socket;
    client->since = spar__clock_wall();
    return client;
}

void spar__local_client_free(spar__local_client *client)
{
    (void)close(client->socket);
    spar__buf_free(&client->in);
    spar__buf_free(&client->out);
    spar__free(client);
}

void spar__local_client_reply(spar__local_client *client, const spar__wire_reply *reply)
{
    spar__wire_reply_write(reply, &client->out);
    client->gone = client->gone || client->out.failed;
    client->waits = false;
    client->frame = 0;
    spar__buf_free(&client->in); /* it may have been large */
    client->since = spar__clock_wall();
    spar__local_client_write(client);
}

void spar__local_client_refuse(spar__local_client *client, spar_status status, const char *sentence)
{
    spar__wire_reply reply = {.op = 0};
    (void)spar__fail(&reply.err, status, "%s", sentence);
    client->ends = true;
    spar__local_client_reply(client, &reply);
}

void spar__local_client_write(spar__local_client *client)
{
    while (!client->gone && client->sent < client->out.length) {
        ssize_t n = send(client->socket, client->out.text + client->sent, client->out.length - client->sent,
                         MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return;
        if (n < 0 && errno != EINTR)
            client->gone = true;
        client->sent += n > 0 ? (size_t)n : 0;
        client->since = spar__clock_wall();
    }
    spar__buf_free(&client->out);
    client->sent = 0;
    client->gone = client->gone || client->ends;
}

/* How many bytes are expected next. */
static size_t missing(const spar__local_client *client)
{
    size_t wanted = client->frame ? client->frame : SPAR__WIRE_HEAD, left = wanted - client->in.length;
    return left < PIECE ? left : PIECE;
}

static void note_head(spar__local_client *client)
{
    size_t body;
    spar_error err = {0};
    spar_status status = spar__wire_head((const unsigned char *)client->in.text, &body, &err);
    if (status)
        spar__local_client_refuse(client, status, err.text);
    else
        client->frame = SPAR__WIRE_HEAD + body;
}

static void note_whole(spar__local_client *client)
{
    uint32_t patience = 0;
    if (client->frame >= SPAR__WIRE_HEAD + 4)
        patience = spar__get_u32((const unsigned char *)client->in.text + SPAR__WIRE_HEAD);
    client->patience = 1e6 * (patience < LONGEST_PATIENCE ? patience : LONGEST_PATIENCE);
    client->waits = true;
}

void spar__local_client_read(spar__local_client *client)
{
    char piece[PIECE];
    while (!client->gone && !client->ends && !client->waits) {
        ssize_t n = recv(client->socket, piece, missing(client), MSG_DONTWAIT);
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return;
        if (n < 0 && errno == EINTR)
            continue;
        if (n > 0)
            spar__buf_add(&client->in, piece, (size_t)n);
        client->gone = n <= 0 || client->in.failed;
        client->since = spar__clock_wall();
        if (!client->gone && !client->frame && client->in.length == SPAR__WIRE_HEAD)
            note_head(client);
        if (!client->gone && client->frame && client->in.length == client->frame)
            note_whole(client);
    }
}
