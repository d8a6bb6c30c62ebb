/* limits.c - how often a key may do something (a token bucket each), and who is connected: how many from one address,
 * and who is too slow. Both cost a look into a table; the list of the connected is walked once for each new connection.
 */
#include "base/alloc.h"
#include "base/hash.h"
#include "service/http/http.h"
#include "service/server.h"

#include <string.h>
#include <sys/socket.h>
#include <time.h>

void spar__limit_init(spar__limit *limit, double rate, double burst, size_t most)
{
    *limit = (spar__limit){.rate = rate, .burst = burst > 0 ? burst : rate, .most = most};
    limit->crowd = (spar__bucket){.permits = limit->burst, .used = true};
}

void spar__limit_fini(spar__limit *limit)
{
    spar__free(limit->bucket);
    limit->bucket = NULL;
    limit->room = limit->n = 0;
}

static double permits_at(const spar__limit *limit, const spar__bucket *bucket, double now)
{
    double gained = now > bucket->at ? (now - bucket->at) * limit->rate / 60 : 0;
    double permits = bucket->permits + gained;
    return permits < limit->burst ? permits : limit->burst;
}

/* Its bucket, or the free one where it would go. The table is never full. */
static spar__bucket *find(const spar__limit *limit, const unsigned char *key)
{
    size_t i = (size_t)spar__hash_of(key, SPAR__LIMIT_KEY) & (limit->room - 1);
    while (limit->bucket[i].used && memcmp(limit->bucket[i].key, key, SPAR__LIMIT_KEY) != 0)
        i = (i + 1) & (limit->room - 1);
    return &limit->bucket[i];
}

/* A table of that room with all buckets that are not full again. */
static bool rebuild(spar__limit *limit, size_t room, double now)
{
    spar__limit next = *limit;
    next.bucket = spar__alloc(room, sizeof *next.bucket);
    next.room = room;
    next.n = 0;
    if (!next.bucket)
        return false;
    for (size_t i = 0; i < limit->room; i++) {
        spar__bucket *bucket = &limit->bucket[i];
        if (bucket->used && permits_at(limit, bucket, now) < limit->burst) {
            *find(&next, bucket->key) = *bucket;
            next.n++;
        }
    }
    spar__free(limit->bucket);
    *limit = next;
    return true;
}

/* Its bucket, new where there is none yet and there is room. */
static spar__bucket *bucket_of(spar__limit *limit, const unsigned char *key, double now)
{
    spar__bucket *bucket = limit->room ? find(limit, key) : NULL;
    if (bucket && bucket->used)
        return bucket;
    if (2 * (limit->n + 1) > limit->room || limit->n >= limit->most) {
        size_t room = limit->room ? limit->room : 64;
        if (!rebuild(limit, room, now))
            return &limit->crowd;
        bool grow = 2 * (limit->n + 1) > limit->room / 2 && limit->room / 2 < limit->most;
        bool grown = grow && rebuild(limit, 2 * room, now);
        if (limit->n >= limit->most || (grow && !grown && 2 * (limit->n + 1) > limit->room))
            return &limit->crowd;
    }
    bucket = find(limit, key);
    memcpy(bucket->key, key, SPAR__LIMIT_KEY);
    bucket->permits = limit->burst;
    bucket->at = now;
    bucket->used = true;
    limit->n++;
    return bucket;
}

bool spar__limit_take(spar__limit *limit, const unsigned char key[SPAR__LIMIT_KEY], double now, double *wait)
{
    if (wait)
        *wait = 0;
    if (limit->rate <= 0)
        return true;
    spar__bucket *bucket = bucket_of(limit, key, now);
    bucket->permits = permits_at(limit, bucket, now);
    bucket->at = now;
    if (bucket->permits >= 1) {
        bucket->permits -= 1;
        return true;
    }
    if (wait)
        *wait = (1 - bucket->permits) * 60 / limit->rate;
    return false;
}

/* --- who is connected --- */

struct spar__peer {
    struct spar__peer *before, *after;
    spar__address key;
    int socket;
    spar__peer_phase phase;
    double since;
    size_t sending; /* bytes of a reply that are in memory until they are sent */
    double most;    /* seconds that the sending may take */
    bool counts;    /* in the limits: no trusted proxy */
};

static bool is_trusted(const spar__service *service, const spar__address *address)
{
    return spar__networks_have(service->settings.n_trusted, service->settings.trusted, address);
}

/* Refused here, at once: libmicrohttpd's own limit would leave new connections waiting until old ones end. */
bool spar__peers_admit(spar__service *service, const struct sockaddr *socket)
{
    spar__address address = spar__address_of(socket), key = spar__address_key(address);
    const spar__service_limits *limits = &service->settings.limits;
    size_t same = 0;
    if (is_trusted(service, &address))
        return true;
    (void)pthread_mutex_lock(&service->peers.lock);
    bool good = !limits->connections || service->peers.counted < limits->connections;
    if (limits->address_connections)
        for (struct spar__peer *peer = service->peers.first; peer; peer = peer->after)
            same += peer->counts && memcmp(&peer->key, &key, sizeof key) == 0;
    (void)pthread_mutex_unlock(&service->peers.lock);
    good = good && (!limits->address_connections || same < limits->address_connections);
    if (!good)
        atomic_fetch_add(&service->metrics.refused_connections, 1);
    return good;
}

struct spar__peer *spar__peer_new(spar__service *service, const struct sockaddr *socket, int fd)
{
    struct spar__peer *peer = spar__alloc(1, sizeof *peer);
    if (!peer)
        return NULL;
    spar__address address = spar__address_of(socket);
    peer->key = spar__address_key(address);
    peer->counts = !is_trusted(service, &address);
    peer->socket = fd;
    peer->since = spar__seconds();
    (void)pthread_mutex_lock(&service->peers.lock);
    peer->after = service->peers.first;
    if (peer->after)
        peer->after->before = peer;
    service->peers.first = peer;
    service->peers.n++;
    service->peers.counted += peer->counts;
    (void)pthread_mutex_unlock(&service->peers.lock);
    return peer;
}

void spar__peer_free(spar__service *service, struct spar__peer *peer)
{
    if (!peer)
        return;
    (void)pthread_mutex_lock(&service->peers.lock);
    if (peer->before)
        peer->before->after = peer->after;
    else
        service->peers.first = peer->after;
    if (peer->after)
        peer->after->before = peer->before;
    service->peers.n--;
    service->peers.counted -= peer->counts;
    (void)pthread_mutex_unlock(&service->peers.lock);
    spar__free(peer);
}

void spar__peer_set(spar__service *service, struct spar__peer *peer, spar__peer_phase phase)
{
    if (!peer)
        return;
    (void)pthread_mutex_lock(&service->peers.lock);
    peer->phase = phase;
    peer->since = spar__seconds();
    peer->sending = 0;
    (void)pthread_mutex_unlock(&service->peers.lock);
}

/* --- replies that wait to be read --- */

enum {
    SMALL = 65536,              /* bytes: such replies are not counted */
    SENDING_ADDRESS = 64 << 20, /* to one address */
    SENDING_ALL = 512 << 20,    /* to all */
    SLOWEST = 4096              /* bytes a second */
};

bool spar__peer_send(spar__service *service, struct spar__peer *to, uint64_t length, size_t bytes)
{
    size_t same = 0, all = 0;
    if (!to)
        return true;
    (void)pthread_mutex_lock(&service->peers.lock);
    for (const struct spar__peer *peer = bytes > SMALL ? service->peers.first : NULL; peer; peer = peer->after) {
        all += peer->sending;
        same += memcmp(&peer->key, &to->key, sizeof to->key) == 0 ? peer->sending : 0;
    }
    /* A single reply always has room. */
    bool good = (!all || all + bytes <= SENDING_ALL) && (!to->counts || !same || same + bytes <= SENDING_ADDRESS);
    if (good) {
        to->phase = SPAR__PHASE_SEND;
        to->since = spar__seconds();
        to->sending = bytes > SMALL ? bytes : 0;
        to->most = SPAR__IDLE_SECONDS + (double)length / SLOWEST;
    }
    (void)pthread_mutex_unlock(&service->peers.lock);
    return good;
}

/* A client that is too slow loses its connection; libmicrohttpd's own time limit starts again with every byte. */
void spar__peers_sweep(spar__service *service)
{
    static const double most[] = {[SPAR__PHASE_HEADERS] = SPAR__HEADERS_SECONDS,
                                  [SPAR__PHASE_BODY] = SPAR__BODY_SECONDS,
                                  [SPAR__PHASE_WORK] = 1e9,
                                  [SPAR__PHASE_IDLE] = SPAR__IDLE_SECONDS};
    double now = spar__seconds();
    (void)pthread_mutex_lock(&service->peers.lock);
    for (struct spar__peer *peer = service->peers.first; peer; peer = peer->after)
        if (now - peer->since > (peer->phase == SPAR__PHASE_SEND ? peer->most : most[peer->phase]))
            (void)shutdown(peer->socket, SHUT_RDWR);
    (void)pthread_mutex_unlock(&service->peers.lock);
}

/* What has arrived at the machine is read within this time. */
static const double QUIET = 0.05;

void spar__peers_drain(spar__service *service, double seconds)
{
    const struct timespec pause = {0, 2000000};
    double until = spar__seconds() + seconds, last = spar__seconds(); /* when somebody was seen to wait */
    for (double now = last; now < until; now = spar__seconds()) {
        bool waits = false; /* somebody for the answer to a request that has come, if only in part */
        (void)pthread_mutex_lock(&service->peers.lock);
        for (struct spar__peer *peer = service->peers.first; peer && !waits; peer = peer->after)
            waits =
                peer->phase == SPAR__PHASE_WORK || peer->phase == SPAR__PHASE_BODY || peer->phase == SPAR__PHASE_SEND;
        (void)pthread_mutex_unlock(&service->peers.lock);
        if (waits)
            last = now;
        else if (now - last > QUIET)
            return;
        (void)nanosleep(&pause, NULL);
    }
}
