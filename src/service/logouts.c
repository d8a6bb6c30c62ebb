/* logouts.c - see logouts.h. */
#include "service/logouts.h"

#include "base/hash.h"
#include "service/identity.h"
#include "text/escape.h"

#include <string.h>

static const char prefix[] = "logout/";
enum { PREFIX = sizeof prefix - 1, NAME_SIZE = PREFIX + 2 * SPAR__SESSION_ID + 1, OVER_MOST = 64 };

void spar__logouts_init(spar__logouts *logouts)
{
    logouts->n = 0;
    (void)pthread_mutex_init(&logouts->lock, NULL);
}

void spar__logouts_fini(spar__logouts *logouts)
{
    (void)pthread_mutex_destroy(&logouts->lock);
}

static size_t count(const spar__logouts *logouts)
{
    return logouts->n < SPAR__LOGOUTS_MOST ? logouts->n : SPAR__LOGOUTS_MOST;
}

/* Its index, or how many there are. */
static size_t find(const spar__logouts *logouts, const unsigned char *id)
{
    size_t i = 0, n = count(logouts);
    while (i < n && memcmp(logouts->id[i], id, SPAR__SESSION_ID) != 0)
        i++;
    return i;
}

static void add(spar__logouts *logouts, const unsigned char *id, bool kept)
{
    (void)pthread_mutex_lock(&logouts->lock);
    size_t i = find(logouts, id);
    if (i == count(logouts)) {
        i = logouts->n++ % SPAR__LOGOUTS_MOST;
        memcpy(logouts->id[i], id, SPAR__SESSION_ID);
        logouts->kept[i] = false;
    }
    logouts->kept[i] |= kept;
    (void)pthread_mutex_unlock(&logouts->lock);
}

void spar__logouts_add(spar__logouts *logouts, const unsigned char id[SPAR__SESSION_ID])
{
    add(logouts, id, false);
}

bool spar__logouts_has(spar__logouts *logouts, const unsigned char id[SPAR__SESSION_ID])
{
    (void)pthread_mutex_lock(&logouts->lock);
    bool found = find(logouts, id) < count(logouts);
    (void)pthread_mutex_unlock(&logouts->lock);
    return found;
}

/* --- in the store: the end of the longest session as the bytes of a secret --- */

/* One that is not kept yet. */
static bool next_new(spar__logouts *logouts, unsigned char id[SPAR__SESSION_ID])
{
    bool found = false;
    (void)pthread_mutex_lock(&logouts->lock);
    for (size_t i = 0; i < count(logouts) && !found; i++) {
        found = !logouts->kept[i];
        memcpy(id, logouts->id[i], SPAR__SESSION_ID);
    }
    (void)pthread_mutex_unlock(&logouts->lock);
    return found;
}

spar_status spar__logouts_keep(spar__logouts *logouts, spar__store *store, int64_t now, spar_error *err)
{
    unsigned char id[SPAR__SESSION_ID], end[8];
    char name[NAME_SIZE];
    spar__put_u64(end, (uint64_t)(now + SPAR__SESSION_SECONDS));
    memcpy(name, prefix, PREFIX);
    while (next_new(logouts, id)) {
        spar__hex_write(id, sizeof id, name + PREFIX);
        spar_status status = spar__store_secret_add(store, 1, &(spar__store_secret){name, end, sizeof end}, err);
        if (status && status != SPAR_CONFLICT)
            return status;
        add(logouts, id, true);
    }
    return SPAR_OK;
}

typedef struct logouts_loading {
    spar__logouts *logouts;
    int64_t now;
    char over[OVER_MOST][NAME_SIZE]; /* the rest another time */
    size_t n_over;
} logouts_loading;

static spar_status take(void *context, const char *name, const unsigned char *bytes, size_t length)
{
    logouts_loading *loading = context;
    unsigned char id[SPAR__SESSION_ID];
    if (length != 8 || strlen(name) != NAME_SIZE - 1 || !spar__hex_read(name + PREFIX, id, sizeof id))
        return SPAR_OK; /* of no use */
    if ((int64_t)spar__get_u64(bytes) > loading->now)
        add(loading->logouts, id, true);
    else if (loading->n_over < OVER_MOST)
        memcpy(loading->over[loading->n_over++], name, NAME_SIZE);
    return SPAR_OK;
}

spar_status spar__logouts_load(spar__logouts *logouts, spar__store *store, int64_t now, spar_error *err)
{
    logouts_loading loading = {.logouts = logouts, .now = now};
    spar_status status = spar__store_secret_each(store, prefix, take, &loading, err);
    for (size_t i = 0; i < loading.n_over && !status; i++)
        status = spar__store_secret_drop(store, loading.over[i], err);
    return status;
}
