/* service.c - starting and stopping: keys, names, experiments, threads, in this order and back. */
#include "service/server.h"

#include "base/alloc.h"
#include "base/file.h"
#include "service/listen.h"

#include <stdio.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

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
    KEYS_MOST = 100000,  /* keys that a limit remembers */
    ONCE_MOST = 16384,   /* replies that are kept for repeated requests, */
    ONCE_BYTES = 1 << 24 /* and their bytes */
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
    spar_status status =
        spar__worker_start(&service->reader, service, 64, spar__reader_work, spar__reader_tick, 1, err);
    if (!status)
        status = spar__worker_start(&service->transfer, service, 1, spar__transfer_work, spar__transfer_tick, 1, err);
    if (!status)
        status = spar__worker_start(&service->watcher, service, 1, spar__watcher_work, spar__watcher_tick, 0.5, err);
    return status ? status
                  : spar__worker_start(&service->writer, service, SPAR__BATCH_MOST, spar__writer_work,
                                       spar__writer_tick, service->file ? 0.25 : 1, err);
}

/* Where there is nothing to manage yet, the one who started the server makes the first experiment in a browser. */
static spar_status let_in(spar__service *service, spar_error *err)
{
    if (spar__places_count(&service->places))
        return SPAR_OK;
    spar_status status = spar__first_login_make(&service->first, service->store, spar__now(), err);
    return status ? status : spar__tokens_load(&service->tokens, service->store, err);
}

static spar_status open_all(spar__service *service, spar_error *err)
{
    const spar__service_limits *limits = &service->settings.limits;
    spar__limit_init(&service->voters, limits->voter_rate, limits->voter_burst, KEYS_MOST);
    spar__limit_init(&service->addresses, limits->address_rate, 0, KEYS_MOST);
    spar__limit_init(&service->logins, limits->login_rate, 0, KEYS_MOST);
    spar__limit_init(&service->images, limits->image_rate, 0, KEYS_MOST);
    spar__once_init(&service->managers_once, ONCE_MOST, ONCE_BYTES);
    spar__once_init(&service->voters_once, ONCE_MOST, ONCE_BYTES);
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
        status = spar__places_load(&service->places, service->settings.place, service->store, err);
    if (!status)
        status = let_in(service, err);
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
    spar__worker_fini(&service->watcher);
    spar__worker_fini(&service->writer);
    spar__places_fini(&service->places);
    spar__free(service->file);
    spar__free(service->shown);
    spar__invitations_fini(&service->invitations);
    spar__logouts_fini(&service->logouts);
    spar__store_close(service->store);
    spar__store_close(service->token_store);
    spar__tokens_fini(&service->tokens);
    spar__limit_fini(&service->voters);
    spar__limit_fini(&service->addresses);
    spar__limit_fini(&service->logins);
    spar__limit_fini(&service->images);
    spar__once_fini(&service->managers_once);
    spar__once_fini(&service->voters_once);
    spar__audience_fini(&service->watch);
    if (service->socket >= 0)
        (void)close(service->socket);
    (void)pthread_mutex_destroy(&service->peers.lock);
    (void)pthread_mutex_destroy(&service->keys_lock);
    (void)pthread_mutex_destroy(&service->token_lock);
    spar__access_log_fini(&service->log);
    spar__troubles_fini(&service->troubles);
    spar__free(service);
}

/* A connection needs a descriptor; the usual 1,024 are too few. */
static void raise_descriptors(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
}

/* glibc learns to keep what was large and was freed, for each thread: states that are saved now and then would stay in
 * memory several times. With a fixed limit they go back to the system, and grow without a copy. */
static void return_large_memory(void)
{
#ifdef __GLIBC__
    enum { LARGE = 1 << 20 };
    (void)mallopt(M_MMAP_THRESHOLD, LARGE);
#endif
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
    spar__troubles_init(&service->troubles);
    spar__places_init(&service->places);
    spar__audience_init(&service->watch, service);
    spar__invitations_init(&service->invitations);
    spar__logouts_init(&service->logouts);
    raise_descriptors();
    return_large_memory();
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
    spar__audience_end(&service->watch);
    if (service->daemon)
        spar__peers_drain(service, DRAIN_SECONDS);
    unsigned patience = spar__store_hurry(HURRY);
    spar__worker_stop(&service->reader);
    spar__worker_stop(&service->transfer);
    spar__worker_stop(&service->writer);
    spar__worker_stop(&service->watcher);
    if (service->daemon)
        spar__peers_drain(service, 1);
    spar__http_stop(service);
    char *empty = service->settings.create && service->file && !spar__places_count(&service->places)
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

unsigned spar__service_port(const spar__service *service)
{
    return service->port;
}
