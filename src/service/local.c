/* local.c - the thread that answers shell commands: who comes, who waits, who has been too slow (local.h). */
#include "service/local_inside.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "store/served/socket.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { WAKE, LISTEN, CLIENTS }; /* in the list for poll */

#define DEAF 1e8                       /* nanoseconds until accept is tried again after it failed */
#define SILENT_MOST 1e9                /* nanoseconds without a byte, while others cannot come in */
#define IDLE_MOST 30e9                 /* nanoseconds without a byte */
#define BYTES_MOST ((size_t)512 << 20) /* of all requests that have begun */

/* --- who comes and goes --- */

static void add_client(spar__local *local, int fd)
{
    spar__local_client *client = spar__local_client_new(fd);
    if (!client)
        return;
    local->client[local->n++] = client;
    if (!spar__socket_is_ours(fd))
        spar__local_client_refuse(client, SPAR_IO, "the file is served by another user, who alone can write to it");
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
            spar__local_release(local);
        spar__local_client_free(client);
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
        spar__local_client_refuse(client, err.status, err.text);
        return;
    }
    spar__local_do(local, client, &request, &reply);
    spar__wire_request_fini(&request);
    spar__local_client_reply(client, &reply);
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
            spar__local_client_refuse(client, SPAR_BUSY, "others send so much that this does not fit; do it again");
        }
    }
}

static void sweep(spar__local *local, double now)
{
    if (local->holder && now > local->lease_end)
        spar__local_release(local);
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
        spar__local_client_write(client);
    if (events & POLLIN)
        spar__local_client_read(client);
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

spar_status spar__local_start(const char *place, spar__turn *turn, spar__local_changed_fn changed, void *context,
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
