/* local.c - what the files of the socket for shell commands share (local.h). All of it is the thread's. */
#include "service/local.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/clock.h"
#include "store/served/socket.h"
#include "store/served/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SPAR__LOCAL_CLIENTS = 64 }; /* more wait to be accepted */

/* The log as it was when a client got the lock. */
typedef struct spar__local_mark {
    uint64_t experiment; /* 0: it has had no lock */
    uint64_t sequence, drops;
    unsigned char hash[SPAR_HASH_SIZE];
    uint64_t screens, screen; /* how many numbers of screens it got, and the last */
} spar__local_mark;

typedef struct spar__local_client {
    int socket;
    spar__buf in, out;
    size_t frame;    /* bytes of the request, when its head is there; else 0 */
    size_t sent;     /* bytes of `out` */
    bool waits;      /* the request is there */
    bool ends;       /* when `out` is sent */
    bool gone;       /* to be removed */
    double since;    /* the last byte, or the request, came; nanoseconds */
    double patience; /* nanoseconds that it waits */
    spar__local_mark mark;
} spar__local_client;

struct spar__local {
    spar__store *store;
    char *path;
    spar__fair_lock *turn;
    spar__local_changed_fn changed;
    void *context;
    int socket, wake[2];
    pthread_t thread;
    bool runs;
    atomic_bool stopping;
    spar__local_client *client[SPAR__LOCAL_CLIENTS];
    size_t n;
    const spar__local_client *holder; /* who has the turn and the lock; NULL: nobody */
    double lease_end;
    double deaf_until; /* no descriptors were left: nobody is accepted before */
};

/* local_work.c: does what a client asks for, if the turn comes within its patience. */
static void local_do(spar__local *local, spar__local_client *client, spar__wire_request *request,
                     spar__wire_reply *reply);
static void local_release(spar__local *local); /* the lock and the turn, if a client has them */

/* local_client.c: the bytes of a client. */
static spar__local_client *local_client_new(int socket); /* NULL: out of memory; the socket is closed */
static void local_client_free(spar__local_client *client);
static void local_client_read(spar__local_client *client);
static void local_client_write(spar__local_client *client);
static void local_client_reply(spar__local_client *client, const spar__wire_reply *reply);

/* Replies with an error and ends the connection. */
static void local_client_refuse(spar__local_client *client, spar_status status, const char *sentence);

/* Requests come and replies go in pieces, without waiting (local_inside.h). */

enum { PIECE = 65536, LONGEST_PATIENCE = 10000 /* milliseconds */ };

spar__local_client *local_client_new(int socket)
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

void local_client_free(spar__local_client *client)
{
    (void)close(client->socket);
    spar__buf_free(&client->in);
    spar__buf_free(&client->out);
    spar__free(client);
}

void local_client_reply(spar__local_client *client, const spar__wire_reply *reply)
{
    spar__wire_reply_write(reply, &client->out);
    client->gone = client->gone || client->out.failed;
    client->waits = false;
    client->frame = 0;
    spar__buf_free(&client->in); /* it may have been large */
    client->since = spar__clock_wall();
    local_client_write(client);
}

void local_client_refuse(spar__local_client *client, spar_status status, const char *sentence)
{
    spar__wire_reply reply = {.op = 0};
    (void)spar__fail(&reply.err, status, "%s", sentence);
    client->ends = true;
    local_client_reply(client, &reply);
}

void local_client_write(spar__local_client *client)
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
        local_client_refuse(client, status, err.text);
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

void local_client_read(spar__local_client *client)
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

/* What a client asks for, in its turn, and the lock that it may lose (local.h). */

enum {
    LONGER_MOST = 3,   /* times that the lease is doubled */
    DROP_WAITS = 1000, /* milliseconds for readers, who keep old bytes of a text: all who write wait with it */
};

unsigned spar__local_lease = 250;

/* --- the turn and the lock --- */

static void give(spar__local *local)
{
    spar__store_unlock(local->store);
    local->holder = NULL;
    spar__fair_lock_give(local->turn);
}

void local_release(spar__local *local)
{
    if (local->holder)
        give(local);
}

static spar_status take(spar__local *local, const spar__local_client *client, spar_error *err)
{
    double left = (client->since + client->patience - spar__clock_wall()) / 1e6;
    if (spar__fair_lock_take(local->turn, left > 0 ? (unsigned)left : 0))
        return SPAR_OK;
    return spar__fail(err, SPAR_BUSY, "%s: cannot write: others have been using it for more than %g seconds",
                      spar__store_name(local->store), client->patience / 1e9);
}

static void lend(spar__local *local, const spar__local_client *client, const spar__wire_request *request)
{
    unsigned longer = request->lapses < LONGER_MOST ? request->lapses : LONGER_MOST;
    local->holder = client;
    local->lease_end = spar__clock_wall() + 1e6 * spar__local_lease * (1U << longer);
}

/* What the log is like now, under the lock. */
static spar_status note(spar__local *local, uint64_t experiment, spar__local_mark *mark, spar_error *err)
{
    *mark = (spar__local_mark){.experiment = experiment};
    spar_status status = spar__store_head(local->store, experiment, &mark->sequence, mark->hash, err);
    return status ? status : spar__store_text_drops(local->store, experiment, &mark->drops, err);
}

static spar_status do_lock(spar__local *local, spar__local_client *client, const spar__wire_request *request,
                           spar_error *err)
{
    spar_status status = spar__store_lock(local->store, request->experiment, err);
    return status ? status : note(local, request->experiment, &client->mark, err);
}

static bool same_mark(const spar__local_mark *a, const spar__local_mark *b)
{
    return a->sequence == b->sequence && a->drops == b->drops && memcmp(a->hash, b->hash, sizeof a->hash) == 0 &&
           a->screen == b->screen;
}

/* The numbers that it got are given again: are they the same? */
static spar_status give_again(spar__local *local, const spar__local_mark *before, spar__local_mark *now,
                              spar_error *err)
{
    spar_status status = SPAR_OK;
    for (now->screens = 0; now->screens < before->screens && !status; now->screens++)
        status = spar__store_next_screen(local->store, before->experiment, &now->screen, err);
    return status;
}

/* The client has lost the lock. It goes on if nothing was written since: then nothing tells that it was without. */
static spar_status resume(spar__local *local, spar__local_client *client, spar__wire_reply *reply)
{
    const spar__local_mark before = client->mark;
    spar__local_mark now = {0};
    spar_status status = spar__store_lock(local->store, before.experiment, &reply->err);
    if (!status)
        status = note(local, before.experiment, &now, &reply->err);
    if (!status)
        status = give_again(local, &before, &now, &reply->err);
    if (status || same_mark(&before, &now))
        return status;
    reply->lapsed = true;
    return spar__fail(&reply->err, SPAR_BUSY, "%s: this took so long that others have written first; do the same again",
                      spar__store_name(local->store));
}

/* Gets the client what its request needs. If it fails, it has neither the turn nor the lock. */
static spar_status enter(spar__local *local, spar__local_client *client, const spar__wire_request *request,
                         spar__wire_reply *reply)
{
    bool holds = local->holder == client;
    bool had = client->mark.experiment && request->experiment == client->mark.experiment;
    if (request->locked ? !had || request->op == SPAR__WIRE_LOCK : holds) {
        if (holds)
            give(local);
        return spar__fail(&reply->err, SPAR_INVALID, "the request does not fit the lock");
    }
    if (holds)
        return SPAR_OK;
    spar_status status = take(local, client, &reply->err);
    if (status || !request->locked)
        return status;
    status = resume(local, client, reply);
    if (status)
        give(local);
    return status;
}

/* --- what is asked for --- */

static spar_status do_append(spar__store *store, const spar__wire_request *request, spar__wire_reply *reply)
{
    reply->result = spar__alloc(request->n, sizeof *reply->result);
    if (!reply->result)
        return spar__fail_memory(&reply->err);
    spar_status status = spar__store_append(store, request->experiment, request->n, request->entry, &reply->err);
    if (status)
        return status;
    reply->n = request->n;
    for (size_t i = 0; i < request->n; i++)
        reply->result[i] = (spar__wire_result){request->entry[i].status, spar_event_sequence(request->entry[i].event)};
    return SPAR_OK;
}

static spar_status do_text_drop(spar__store *store, const spar__wire_request *request, spar__wire_reply *reply)
{
    spar__text_dropped dropped = {0};
    spar__store_set_patience(store, request->patience < DROP_WAITS ? request->patience + 1 : DROP_WAITS);
    spar_status status =
        spar__store_text_drop(store, request->experiment, request->n, request->key, &dropped, &reply->err);
    spar__store_set_patience(store, 0);
    reply->number = dropped.n;
    reply->completed = dropped.completed;
    return status;
}

static spar_status do_next_screen(spar__local *local, spar__local_client *client, const spar__wire_request *request,
                                  spar__wire_reply *reply)
{
    spar_status status = spar__store_next_screen(local->store, request->experiment, &reply->number, &reply->err);
    if (!status && request->locked) {
        client->mark.screens++;
        client->mark.screen = reply->number;
    }
    return status;
}

static spar_status perform(spar__local *local, spar__local_client *client, const spar__wire_request *r,
                           spar__wire_reply *reply)
{
    spar__store *store = local->store;
    switch (r->op) {
    case SPAR__WIRE_HELLO:
        return SPAR_OK;
    case SPAR__WIRE_CREATE:
        return spar__store_create(store, r->name, &reply->number, &reply->err);
    case SPAR__WIRE_LOCK:
        return do_lock(local, client, r, &reply->err);
    case SPAR__WIRE_APPEND:
        return do_append(store, r, reply);
    case SPAR__WIRE_NEXT_SCREEN:
        return do_next_screen(local, client, r, reply);
    case SPAR__WIRE_TEXT_PUT:
        return spar__store_text_put(store, r->experiment, &r->text, &reply->err);
    case SPAR__WIRE_TEXT_DROP:
        return do_text_drop(store, r, reply);
    case SPAR__WIRE_SNAPSHOT_PUT:
        return spar__store_snapshot_put(store, r->experiment, &r->snapshot, r->bytes, r->length, &reply->err);
    case SPAR__WIRE_SNAPSHOT_KEEP:
        return spar__store_snapshot_keep(store, r->experiment, r->n, r->sequence, &reply->err);
    case SPAR__WIRE_SECRET_PUT:
        return spar__store_secret_put(store, r->name, r->bytes, r->length, &reply->err);
    case SPAR__WIRE_SECRET_ADD:
        return spar__store_secret_add(store, r->n, r->secret, &reply->err);
    case SPAR__WIRE_SECRET_SWAP:
        return r->n == 2 ? spar__store_secret_swap(store, r->secret, &reply->err)
                         : spar__fail(&reply->err, SPAR_INVALID, "two secrets are swapped, not %zu", r->n);
    case SPAR__WIRE_SECRET_DROP:
        return spar__store_secret_drop(store, r->name, &reply->err);
    }
    return spar__fail(&reply->err, SPAR_INVALID, "this cannot be asked for");
}

/* Tells the server what was written, also by a call that failed behind that. */
static void tell_change(const spar__local *local, const spar__wire_request *request, const spar__wire_reply *reply)
{
    bool good = reply->err.status == SPAR_OK;
    if (!local->changed)
        return;
    if (request->op == SPAR__WIRE_APPEND && good)
        local->changed(local->context, SPAR__LOCAL_EVENTS, request->experiment);
    if ((request->op == SPAR__WIRE_TEXT_PUT && good) || (request->op == SPAR__WIRE_TEXT_DROP && reply->number))
        local->changed(local->context, SPAR__LOCAL_TEXTS, request->experiment);
    if ((request->op == SPAR__WIRE_SECRET_PUT || request->op == SPAR__WIRE_SECRET_ADD ||
         request->op == SPAR__WIRE_SECRET_SWAP || request->op == SPAR__WIRE_SECRET_DROP) &&
        good)
        local->changed(local->context, SPAR__LOCAL_SECRETS, 0);
    if (request->op == SPAR__WIRE_CREATE && good)
        local->changed(local->context, SPAR__LOCAL_EXPERIMENTS, reply->number);
}

void local_do(spar__local *local, spar__local_client *client, spar__wire_request *request, spar__wire_reply *reply)
{
    reply->op = request->op;
    if (request->op == SPAR__WIRE_HELLO)
        return;
    spar_status status = enter(local, client, request, reply);
    if (status)
        return;
    status = perform(local, client, request, reply);
    if (!status && (request->op == SPAR__WIRE_LOCK || (request->op == SPAR__WIRE_NEXT_SCREEN && request->locked))) {
        if (local->holder != client)
            lend(local, client, request);
        return;
    }
    client->mark = (spar__local_mark){0};
    give(local);
    tell_change(local, request, reply);
}

/* The thread that answers shell commands: who comes, who waits, who has been too slow (local.h). */

enum { WAKE, LISTEN, CLIENTS }; /* in the list for poll */

#define DEAF 1e8                       /* nanoseconds until accept is tried again after it failed */
#define SILENT_MOST 1e9                /* nanoseconds without a byte, while others cannot come in */
#define IDLE_MOST 30e9                 /* nanoseconds without a byte */
#define BYTES_MOST ((size_t)512 << 20) /* of all requests that have begun */

/* --- who comes and goes --- */

static void add_client(spar__local *local, int fd)
{
    spar__local_client *client = local_client_new(fd);
    if (!client)
        return;
    local->client[local->n++] = client;
    if (!spar__socket_is_ours(fd))
        local_client_refuse(client, SPAR_IO, "the file is served by another user, who alone can write to it");
}

/* Where there is no room, who has been silent for longest makes some. */
static void make_room(spar__local *local)
{
    spar__local_client *silent = NULL;
    for (size_t i = 0; i < local->n; i++) {
        spar__local_client *client = local->client[i];
        if (!client->waits && local->holder != client && (!silent || client->since < silent->since))
            silent = client;
    }
    if (local->n == SPAR__LOCAL_CLIENTS && silent && spar__clock_wall() - silent->since > SILENT_MOST)
        silent->gone = true;
}

static void accept_clients(spar__local *local)
{
    while (local->n < SPAR__LOCAL_CLIENTS) {
        int fd = accept(local->socket, NULL, NULL);
        if (fd < 0 && errno == EINTR)
            continue;
        if (fd < 0 && errno != EAGAIN && errno != EWOULDBLOCK)
            local->deaf_until = spar__clock_wall() + DEAF;
        if (fd < 0)
            return;
        (void)fcntl(fd, F_SETFD, FD_CLOEXEC);
        add_client(local, fd);
    }
}

static void remove_gone(spar__local *local)
{
    size_t kept = 0;
    for (size_t i = 0; i < local->n; i++) {
        spar__local_client *client = local->client[i];
        if (!client->gone) {
            local->client[kept++] = client;
            continue;
        }
        if (local->holder == client)
            local_release(local);
        local_client_free(client);
    }
    local->n = kept;
}

/* --- requests --- */

static void answer(spar__local *local, spar__local_client *client)
{
    spar__wire_request request;
    spar__wire_reply reply = {.op = 0};
    spar_error err = {0};
    if (spar__wire_request_read((const unsigned char *)client->in.text, client->in.length, &request, &err)) {
        local_client_refuse(client, err.status, err.text);
        return;
    }
    local_do(local, client, &request, &reply);
    spar__wire_request_fini(&request);
    local_client_reply(client, &reply);
    spar__wire_reply_fini(&reply);
}

static bool is_hello(const spar__local_client *client)
{
    return client->in.text[5] == SPAR__WIRE_HELLO;
}

/* Whose request is next: while a client has the lock, its own; else that of the one who waits longest. */
static spar__local_client *next_client(const spar__local *local)
{
    spar__local_client *next = NULL;
    for (size_t i = 0; i < local->n; i++) {
        spar__local_client *client = local->client[i];
        if (!client->waits || client->gone || (local->holder && local->holder != client && !is_hello(client)))
            continue;
        if (!next || client->since < next->since)
            next = client;
    }
    return next;
}

/* --- who is too slow --- */

/* All requests that have begun have to fit. */
static void limit_bytes(spar__local *local)
{
    size_t sum = 0;
    for (size_t i = 0; i < local->n; i++) {
        spar__local_client *client = local->client[i];
        sum += client->frame;
        if (sum > BYTES_MOST && !client->waits) {
            sum -= client->frame;
            local_client_refuse(client, SPAR_BUSY, "others send so much that this does not fit; do it again");
        }
    }
}

static void sweep(spar__local *local, double now)
{
    if (local->holder && now > local->lease_end)
        local_release(local);
    for (size_t i = 0; i < local->n; i++) {
        spar__local_client *client = local->client[i];
        if (!client->waits && now - client->since > IDLE_MOST)
            client->gone = true;
        else if (client->waits && now - client->since > client->patience && local->holder && local->holder != client)
            answer(local, client); /* which says that it waited too long */
    }
}

/* --- the loop --- */

/* Milliseconds until something is to be done though nobody comes. */
static int pause_length(const spar__local *local, double now)
{
    double until = now + (local->n ? 1e9 : 1e12);
    if (next_client(local))
        return 0;
    if (local->deaf_until > now)
        until = local->deaf_until;
    if (local->holder && local->lease_end < until)
        until = local->lease_end;
    for (size_t i = 0; i < local->n; i++)
        if (local->client[i]->waits && local->client[i]->since + local->client[i]->patience < until)
            until = local->client[i]->since + local->client[i]->patience;
    return until > now ? (int)((until - now) / 1e6) + 1 : 1;
}

static void prepare_poll(const spar__local *local, struct pollfd *list)
{
    list[WAKE] = (struct pollfd){.fd = local->wake[0], .events = POLLIN};
    bool listens = local->n < SPAR__LOCAL_CLIENTS && spar__clock_wall() >= local->deaf_until;
    list[LISTEN] = (struct pollfd){.fd = listens ? local->socket : -1, .events = POLLIN};
    for (size_t i = 0; i < local->n; i++) {
        const spar__local_client *client = local->client[i];
        int events = (client->waits || client->ends ? 0 : POLLIN) | (client->out.length ? POLLOUT : 0);
        list[CLIENTS + i] = (struct pollfd){.fd = client->socket, .events = (short)events};
    }
}

static void pump(spar__local_client *client, short events)
{
    if (events & POLLOUT)
        local_client_write(client);
    if (events & POLLIN)
        local_client_read(client);
    else if (events & (POLLHUP | POLLERR | POLLNVAL))
        client->gone = true;
}

static void step(spar__local *local)
{
    struct pollfd list[CLIENTS + SPAR__LOCAL_CLIENTS];
    size_t n = local->n;
    prepare_poll(local, list);
    if (poll(list, (nfds_t)(CLIENTS + n), pause_length(local, spar__clock_wall())) < 0)
        return;
    for (size_t i = 0; i < n; i++)
        pump(local->client[i], list[CLIENTS + i].revents);
    if (list[LISTEN].revents)
        accept_clients(local);
    limit_bytes(local);
    make_room(local);
    remove_gone(local);
    spar__local_client *client = next_client(local);
    if (client)
        answer(local, client);
    sweep(local, spar__clock_wall());
    remove_gone(local);
}

static void *run(void *context)
{
    spar__local *local = context;
    while (!atomic_load(&local->stopping))
        step(local);
    for (size_t i = 0; i < local->n; i++)
        local->client[i]->gone = true;
    remove_gone(local);
    return NULL;
}

/* --- start and stop --- */

static void local_free(spar__local *local)
{
    if (local->socket >= 0) {
        spar__socket_remove(local->path);
        (void)close(local->socket);
    }
    for (size_t i = 0; i < 2; i++)
        if (local->wake[i] >= 0)
            (void)close(local->wake[i]);
    spar__store_close(local->store);
    spar__free(local->path);
    spar__free(local);
}

static spar_status start(spar__local *local, spar_error *err)
{
    const char *name = spar__store_name(local->store);
    local->path = spar__served_path(name);
    if (!local->path)
        return spar__fail_memory(err);
    if (pipe(local->wake) != 0)
        return spar__fail(err, SPAR_IO, "%s: cannot make a pipe: %s", name, strerror(errno));
    for (size_t i = 0; i < 2; i++)
        (void)fcntl(local->wake[i], F_SETFD, FD_CLOEXEC);
    spar_status status = spar__socket_listen(local->path, name, &local->socket, err);
    if (status)
        return status;
    int error = pthread_create(&local->thread, NULL, run, local);
    local->runs = error == 0;
    return error ? spar__fail(err, SPAR_IO, "cannot start a thread: %s", strerror(error)) : SPAR_OK;
}

spar_status spar__local_start(const char *place, spar__fair_lock *turn, spar__local_changed_fn changed, void *context,
                              spar__local **out, spar_error *err)
{
    spar__store *store = NULL;
    *out = NULL;
    spar_status status = spar__store_open(place, SPAR__STORE_WRITE, &store, err);
    if (status)
        return status;
    bool file = strcmp(spar__store_class_name(store), "sqlite") == 0;
    bool other = strcmp(spar__store_class_name(store), "served") == 0;
    spar__local *local = file ? spar__alloc(1, sizeof *local) : NULL;
    if (!local) {
        status = other ? spar__store_hold(store, err) : file ? spar__fail_memory(err) : SPAR_OK;
        spar__store_close(store);
        return status;
    }
    *local = (spar__local){.store = store, .turn = turn, .changed = changed, .context = context, .socket = -1};
    local->wake[0] = local->wake[1] = -1;
    status = start(local, err);
    if (status)
        local_free(local);
    else
        *out = local;
    return status;
}

void spar__local_stop(spar__local *local)
{
    if (!local)
        return;
    atomic_store(&local->stopping, true);
    while (write(local->wake[1], "", 1) < 0 && errno == EINTR)
        continue;
    (void)pthread_join(local->thread, NULL);
    local_free(local);
}
