/* service.c - starting and stopping: keys, names, experiments, threads, in this order and back; and what to open, in
 * lines of text for whoever has started the server. */
#include "base/alloc.h"
#include "base/file.h"
#include "service/http/http.h"
#include "service/server.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LISTED = 8 }; /* experiments, and addresses */

/* Those of IPv4: they can be typed into a phone. */
static void add_addresses(const spar__service *service, spar__buf *out)
{
    struct ifaddrs *all = NULL;
    size_t n = 0;
    if (getifaddrs(&all))
        return;
    for (const struct ifaddrs *one = all; one && n < LISTED; one = one->ifa_next) {
        char text[INET_ADDRSTRLEN] = "";
        struct sockaddr_in address;
        if (!one->ifa_addr || one->ifa_addr->sa_family != AF_INET)
            continue;
        memcpy(&address, one->ifa_addr, sizeof address);
        if (!inet_ntop(AF_INET, &address.sin_addr, text, sizeof text) || strncmp(text, "127.", 4) == 0)
            continue;
        spar__buf_printf(out, "  %-10s http://%s:%u/\n", n++ ? "" : "phones", text, service->port);
    }
    freeifaddrs(all);
    spar__buf_adds(out, "warning: everybody in the networks of this machine can reach it, and nothing is encrypted\n");
}

void spar__service_describe(const spar__service *service, spar__buf *out)
{
    const spar__service_settings *settings = &service->settings;
    pthread_mutex_t *keys_lock = (pthread_mutex_t *)&service->keys_lock;
    char base[300];
    (void)snprintf(base, sizeof base, "%s%s", service->https ? "https://" : "http://", service->host[0]);
    spar__buf_printf(out, "serving %s at %s\n", settings->place, base);
    spar__hosting *hosting = (spar__hosting *)&service->hosting; /* has its own lock */
    size_t n = spar__hosting_count(hosting);
    for (size_t i = 0; i < n && i < LISTED; i++) {
        spar__buf_printf(out, "  %-10s %s/e/", i ? "" : "vote", base);
        spar__url_encode(spar__hosting_get(hosting, i)->name, out);
        spar__buf_adds(out, "\n");
    }
    if (n > LISTED)
        spar__buf_printf(out, "  %-10s %s/ has all %zu\n", "", base, n);
    (void)pthread_mutex_lock(keys_lock); /* the connections' thread wipes it */
    if (service->first.open)
        spar__buf_printf(out, "  %-10s %s/new: there is no experiment yet; a token to log in, which works once: %s\n",
                         "make one", base, service->first.text);
    (void)pthread_mutex_unlock(keys_lock);
    spar__buf_printf(out, "  %-10s %s/manage: log in with a token from 'spar token new %s'\n", "dashboard", base,
                     settings->place);
    if (service->wildcard)
        add_addresses(service, out);
    else if (!settings->base_url &&
             (strncmp(settings->listen, "127.", 4) == 0 || strncmp(settings->listen, "localhost:", 10) == 0 ||
              strncmp(settings->listen, "[::1]", 5) == 0))
        spar__buf_printf(out,
                         "  %-10s only this machine can open it; --listen 0.0.0.0:%u lets in all that are in its "
                         "networks, without encryption\n",
                         "phones", service->port);
}

const spar__service_limits spar__service_standard = {.connections = 4096,
                                                     .address_connections = 64,
                                                     .streams = 256,
                                                     .address_streams = 4,
                                                     .voter_rate = 30,
                                                     .voter_burst = 10,
                                                     .address_rate = 300,
                                                     .login_rate = 10,
                                                     .image_rate = 1200};

enum {
    MAX_LIMIT_KEYS = 100000,  /* keys that a limit remembers */
    MAX_KEPT_REPLIES = 16384, /* replies that are kept for repeated requests, */
    MAX_KEPT_BYTES = 1 << 24  /* and their bytes */
};

/* --- names we are known by --- */

spar_status spar__base_url_check(const char *base, spar_error *err)
{
    const char *host = strstr(base, "://");
    bool http = strncmp(base, "http://", 7) == 0 || strncmp(base, "https://", 8) == 0;
    if (!http || !host || !host[3] || strpbrk(host + 3, "/?#@ "))
        return spar__fail(
            err, SPAR_INVALID,
            "'%.80s': expected a base URL such as https://vote.example.org, without a slash or a path at its end",
            base);
    return SPAR_OK;
}

static spar_status add_host(spar__service *service, const char *host)
{
    char **grown = spar__realloc(service->host, service->n_hosts, service->n_hosts + 1, sizeof *grown);
    if (!grown)
        return SPAR_NOMEM;
    service->host = grown;
    service->host[service->n_hosts] = spar__strdup(host);
    return service->host[service->n_hosts] && ++service->n_hosts ? SPAR_OK : SPAR_NOMEM;
}

static spar_status add_local_host(spar__service *service, const char *name)
{
    char text[300];
    (void)snprintf(text, sizeof text, "%s:%u", name, service->port);
    spar_status status = add_host(service, text);
    return status || service->port != 80 ? status : add_host(service, name);
}

/* With a base URL only its host; without, the names of this machine for itself, and the address that listens. */
static spar_status find_hosts(spar__service *service, spar_error *err)
{
    const char *base = service->settings.base_url;
    if (base) {
        spar_status status = spar__base_url_check(base, err);
        if (status)
            return status;
        service->https = strncmp(base, "https://", 8) == 0;
        return add_host(service, strstr(base, "://") + 3) ? spar__fail_memory(err) : SPAR_OK;
    }
    char listening[256] = "";
    size_t length = (size_t)(strrchr(service->settings.listen, ':') - service->settings.listen);
    if (length < sizeof listening)
        memcpy(listening, service->settings.listen, length);
    static const char *const local[] = {"localhost", "127.0.0.1", "[::1]"};
    service->wildcard = !*listening || strcmp(listening, "0.0.0.0") == 0 || strcmp(listening, "[::]") == 0;
    spar_status status = service->wildcard ? SPAR_OK : add_local_host(service, listening);
    for (size_t i = 0; !status && i < 3; i++)
        status = add_local_host(service, local[i]);
    return status ? spar__fail_memory(err) : SPAR_OK;
}

/* --- start and stop --- */

/* Which file it is, if it is one. */
static spar_status find_file(spar__service *service, spar_error *err)
{
    struct stat now;
    const char *kind = spar__store_class_name(service->store);
    service->shown = spar__store_shown(service->settings.place);
    if (!service->shown)
        return spar__fail_memory(err);
    if (strcmp(kind, "sqlite") != 0)
        return SPAR_OK;
    service->file = spar__strdup(spar__store_name(service->store));
    if (!service->file)
        return spar__fail_memory(err);
    if (stat(service->file, &now))
        return spar__fail_file(err, service->file, "find");
    service->device = (uint64_t)now.st_dev;
    service->inode = (uint64_t)now.st_ino;
    return SPAR_OK;
}

static spar_status start_workers(spar__service *service, spar_error *err)
{
    static const spar__worker how[] = {
        {.most = 64, .work = spar__reader_work, .tick = spar__reader_tick, .every = 1},
        {.most = 1, .work = spar__transfer_work, .every = 1},
        {.most = 1, .work = spar__standings_work, .tick = spar__standings_tick, .every = 0.5},
        {.most = SPAR__MAX_BATCH_CALLS, .work_all = spar__writer_work, .tick = spar__writer_tick, .every = 0.25}};
    spar__worker *worker[] = {&service->reader, &service->transfer, &service->standings, &service->writer};
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < 4; i++)
        status = spar__worker_start(worker[i], service, &how[i], err);
    return status;
}

static spar_status open_all(spar__service *service, spar_error *err)
{
    const spar__service_limits *limits = &service->settings.limits;
    spar__limit_init(&service->voters, limits->voter_rate, limits->voter_burst, MAX_LIMIT_KEYS);
    spar__limit_init(&service->addresses, limits->address_rate, 0, MAX_LIMIT_KEYS);
    spar__limit_init(&service->logins, limits->login_rate, 0, MAX_LIMIT_KEYS);
    spar__limit_init(&service->images, limits->image_rate, 0, MAX_LIMIT_KEYS);
    spar__idempotency_init(&service->managers_replies, MAX_KEPT_REPLIES, MAX_KEPT_BYTES);
    spar__idempotency_init(&service->voters_replies, MAX_KEPT_REPLIES, MAX_KEPT_BYTES);
    spar_status status = spar__access_log_open(&service->log, service->settings.log, err);
    if (!status)
        status =
            spar__store_open(service->settings.place, service->settings.create ? SPAR__STORE_CREATE : SPAR__STORE_WRITE,
                             &service->store, err);
    if (!status)
        status = spar__store_hold(service->store, err);
    if (!status)
        status = find_file(service, err);
    if (!status)
        status = spar__secrets_load(service, err);
    if (!status)
        status = spar__hosting_load(&service->hosting, service->store, err);
    /* Where there is nothing to manage yet, the one who started the server makes the first experiment in a browser. */
    bool empty = !spar__hosting_count(&service->hosting);
    if (!status && empty)
        status = spar__first_login_make(&service->first, service->store, spar__now(), err);
    if (!status && empty)
        status = spar__tokens_load(&service->tokens, service->store, err);
    service->log_inode = !status && service->file ? spar__disk_log(service->file) : 0; /* it is open by now */
    if (!status)
        status = spar__listen(service->settings.listen, &service->socket, &service->port, err);
    if (!status)
        status = find_hosts(service, err);
    if (!status)
        status = start_workers(service, err);
    return status ? status : spar__http_start(service, err);
}

static void free_all(spar__service *service)
{
    for (size_t i = 0; i < service->n_hosts; i++)
        spar__free(service->host[i]);
    spar__free(service->host);
    spar__worker_fini(&service->reader);
    spar__worker_fini(&service->transfer);
    spar__worker_fini(&service->standings);
    spar__worker_fini(&service->writer);
    spar__hosting_fini(&service->hosting);
    spar__free(service->file);
    spar__free(service->shown);
    spar__invitations_fini(&service->invitations);
    spar__logouts_fini(&service->logouts);
    spar__store_close(service->token_store); /* only reads: SQLite leaves its helpers there if it is the last */
    spar__store_close(service->store);
    spar__tokens_fini(&service->tokens);
    spar__limit_fini(&service->voters);
    spar__limit_fini(&service->addresses);
    spar__limit_fini(&service->logins);
    spar__limit_fini(&service->images);
    spar__idempotency_fini(&service->managers_replies);
    spar__idempotency_fini(&service->voters_replies);
    spar__sse_hub_fini(&service->sse);
    if (service->socket >= 0)
        (void)close(service->socket);
    (void)pthread_mutex_destroy(&service->peers.lock);
    (void)pthread_mutex_destroy(&service->keys_lock);
    (void)pthread_mutex_destroy(&service->token_lock);
    spar__access_log_fini(&service->log);
    spar__storage_errors_fini(&service->storage_errors);
    spar__free(service);
}

spar_status spar__service_start(const spar__service_settings *settings, spar__service **out, spar_error *err)
{
    *out = NULL;
    spar__service *service = spar__alloc(1, sizeof *service);
    if (!service || spar__tokens_init(&service->tokens, err)) {
        spar__free(service);
        return spar__fail_memory(err);
    }
    service->settings = *settings;
    service->socket = -1;
    service->started = spar__seconds();
    (void)pthread_mutex_init(&service->peers.lock, NULL);
    (void)pthread_mutex_init(&service->keys_lock, NULL);
    (void)pthread_mutex_init(&service->token_lock, NULL);
    spar__access_log_init(&service->log);
    spar__storage_errors_init(&service->storage_errors);
    spar__hosting_init(&service->hosting, settings->place);
    spar__sse_hub_init(&service->sse, service);
    spar__invitations_init(&service->invitations);
    spar__logouts_init(&service->logouts);
    /* A connection needs a descriptor; the usual 1,024 are too few. */
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
#ifdef __GLIBC__
    /* glibc learns to keep what was large and was freed, for each thread: states that are saved now and then would stay
     * in memory several times. With a fixed limit they go back to the system, and grow without a copy. */
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
    spar_status status = open_all(service, err);
    if (status) {
        spar__service_stop(service);
        return status;
    }
    *out = service;
    return SPAR_OK;
}

enum { DRAIN_SECONDS = 5, HURRY = 100 }; /* milliseconds to wait for the lock of another program, then */

/* First no new connections, and streams end. Then whoever has sent a request gets its answer, as long as the workers
 * run; with it the connection ends. What still waits is answered by the workers as they end, so that no connection
 * sleeps any more; its replies go out. */
void spar__service_stop(spar__service *service)
{
    if (!service)
        return;
    atomic_store(&service->stopping, true);
    spar__http_quiesce(service);
    spar__sse_hub_stop(&service->sse);
    if (service->daemon)
        spar__peers_drain(service, DRAIN_SECONDS);
    unsigned patience = spar__store_hurry(HURRY);
    spar__worker_stop(&service->reader);
    spar__worker_stop(&service->transfer);
    spar__worker_stop(&service->writer);
    spar__worker_stop(&service->standings);
    if (service->daemon)
        spar__peers_drain(service, 1);
    spar__http_stop(service);
    char *empty = service->settings.create && service->file && !spar__hosting_count(&service->hosting)
                      ? spar__strdup(service->file)
                      : NULL;
    free_all(service);
    (void)spar__store_hurry(patience);
    if (empty)
        (void)unlink(empty);
    spar__free(empty);
}

spar_status spar__service_reopen(spar__service *service, spar_error *err)
{
    return spar__access_log_reopen(&service->log, err);
}

double spar__service_stalled(spar__service *service)
{
    uint64_t writer = atomic_load(&service->writer.beat), reader = atomic_load(&service->reader.beat);
    return spar__seconds() - 1e-9 * (double)(writer < reader ? writer : reader);
}
