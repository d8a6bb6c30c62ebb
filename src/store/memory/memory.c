/* memory.c - places, locks, reading, and the class (memory.h). */
#include "store/memory/memory.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/clock.h"

#include <string.h>

static pthread_mutex_t registry = PTHREAD_MUTEX_INITIALIZER;
static spar__memory_place *places;

static spar__memory_place *place_of(spar__store *store)
{
    return ((spar__memory *)store)->place;
}

static bool init_locks(spar__memory_place *place)
{
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes))
        return false;
    bool good = !pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) &&
                !pthread_cond_init(&place->changed, &attributes) && !pthread_mutex_init(&place->mutex, NULL);
    (void)pthread_condattr_destroy(&attributes);
    return good;
}

static spar__memory_place *new_place(const char *name)
{
    spar__memory_place *place = spar__alloc(1, sizeof *place);
    if (place)
        place->name = spar__strdup(name);
    if (place && place->name && init_locks(place)) {
        place->next = places;
        places = place;
        return place;
    }
    if (place)
        spar__free(place->name);
    spar__free(place);
    return NULL;
}

static spar_status enter_registry(spar__memory *self, const char *name, spar_error *err)
{
    for (self->place = places; self->place; self->place = self->place->next)
        if (strcmp(self->place->name, name) == 0)
            break;
    if (!self->place && self->base.mode != SPAR__STORE_CREATE)
        return spar__fail(err, SPAR_IO, "%s: is not there", self->base.name);
    if (!self->place && !(self->place = new_place(name)))
        return spar__fail_memory(err);
    self->place->users++;
    return SPAR_OK;
}

static spar_status open_memory(spar__store *store, const char *name, spar_error *err)
{
    spar__buf shown = {0};
    spar__buf_printf(&shown, "memory:%s", name);
    if (shown.failed)
        return spar__fail_memory(err);
    store->name = shown.text;
    (void)pthread_mutex_lock(&registry);
    spar_status status = enter_registry((spar__memory *)store, name, err);
    (void)pthread_mutex_unlock(&registry);
    return status;
}

static void free_place(spar__memory_place *place)
{
    for (size_t i = 0; i < place->n_logs; i++)
        spar__memory_log_free(place->log[i]);
    spar__free(place->log);
    spar__memory_blobs_free(place->secret, place->n_secrets);
    (void)pthread_cond_destroy(&place->changed);
    (void)pthread_mutex_destroy(&place->mutex);
    spar__free(place->name);
    spar__free(place);
}

static void leave_registry(spar__memory_place *place)
{
    if (--place->users > 0)
        return;
    spar__memory_place **at = &places;
    while (*at != place)
        at = &(*at)->next;
    *at = place->next;
    free_place(place);
}

static void unlock(spar__store *store, uint64_t experiment)
{
    spar__memory_place *place = place_of(store);
    (void)pthread_mutex_lock(&place->mutex);
    place->log[experiment - 1]->owner = NULL;
    (void)pthread_cond_broadcast(&place->changed);
    (void)pthread_mutex_unlock(&place->mutex);
}

static void close_memory(spar__store *store)
{
    spar__memory_place *place = place_of(store);
    if (!place)
        return;
    if (store->locked)
        unlock(store, store->locked);
    (void)pthread_mutex_lock(&registry);
    if (place->holder == store)
        place->holder = NULL;
    leave_registry(place);
    (void)pthread_mutex_unlock(&registry);
}

spar__memory_log *spar__memory_find(spar__store *store, uint64_t experiment, spar_error *err)
{
    spar__memory_place *place = place_of(store);
    if (experiment > 0 && experiment <= place->n_logs)
        return place->log[experiment - 1];
    (void)spar__fail(err, SPAR_UNKNOWN, "%s: holds no experiment %llu", store->name, (unsigned long long)experiment);
    return NULL;
}

bool spar__memory_sleep(spar__memory_place *place, double until)
{
    struct timespec at = {.tv_sec = (time_t)(until / 1e9)};
    at.tv_nsec = (long)(until - 1e9 * (double)at.tv_sec);
    return pthread_cond_timedwait(&place->changed, &place->mutex, &at) == 0;
}

spar_status spar__memory_enter(spar__store *store, uint64_t experiment, spar__memory_log **log, spar_error *err)
{
    spar__memory_place *place = place_of(store);
    double until = spar__clock(CLOCK_MONOTONIC) + 1e6 * spar__patience_of(store);
    (void)pthread_mutex_lock(&place->mutex);
    spar_status status = (*log = spar__memory_find(store, experiment, err)) ? SPAR_OK : SPAR_UNKNOWN;
    while (!status && (*log)->owner && (*log)->owner != store)
        if (!spar__memory_sleep(place, until) && (*log)->owner && (*log)->owner != store)
            status = spar__fail(err, SPAR_BUSY, "%s: locked by somebody else for more than %g seconds", store->name,
                                spar__patience_of(store) / 1e3);
    if (status)
        (void)pthread_mutex_unlock(&place->mutex);
    return status;
}

static spar_status lock(spar__store *store, uint64_t experiment, spar_error *err)
{
    spar__memory_log *log;
    spar_status status = spar__memory_enter(store, experiment, &log, err);
    if (status)
        return status;
    log->owner = store;
    (void)pthread_mutex_unlock(&place_of(store)->mutex);
    return SPAR_OK;
}

static spar_status experiments(spar__store *store, spar__store_experiment_fn fn, void *context, spar_error *err)
{
    (void)err;
    spar__memory_place *place = place_of(store);
    for (size_t i = 0;; i++) {
        (void)pthread_mutex_lock(&place->mutex);
        const char *name = i < place->n_logs ? place->log[i]->name : NULL;
        (void)pthread_mutex_unlock(&place->mutex);
        spar_status status = name ? fn(context, i + 1, name) : SPAR_OK;
        if (status || !name)
            return status;
    }
}

static spar_status add_log(spar__memory_place *place, const char *name)
{
    spar__memory_log **grown = spar__realloc(place->log, place->n_logs, place->n_logs + 1, sizeof(*grown));
    if (!grown)
        return SPAR_NOMEM;
    place->log = grown;
    spar__memory_log *log = spar__alloc(1, sizeof *log);
    if (log && !(log->name = spar__strdup(name))) {
        spar__free(log);
        log = NULL;
    }
    if (!log)
        return SPAR_NOMEM;
    place->log[place->n_logs++] = log;
    return SPAR_OK;
}

static spar_status create(spar__store *store, const char *name, uint64_t *experiment, spar_error *err)
{
    spar__memory_place *place = place_of(store);
    spar_status status = SPAR_OK;
    (void)pthread_mutex_lock(&place->mutex);
    for (size_t i = 0; i < place->n_logs && !status; i++)
        if (strcmp(place->log[i]->name, name) == 0)
            status = spar__fail(err, SPAR_CONFLICT, "%s: there is an experiment '%s' already", store->name, name);
    if (!status && (status = add_log(place, name)))
        (void)spar__fail_memory(err);
    if (!status)
        *experiment = place->n_logs;
    (void)pthread_mutex_unlock(&place->mutex);
    return status;
}

static spar_status next_screen(spar__store *store, uint64_t experiment, uint64_t *number, spar_error *err)
{
    spar__memory_log *log;
    spar_status status = spar__memory_enter(store, experiment, &log, err);
    if (status)
        return status;
    *number = ++log->last_screen;
    (void)pthread_mutex_unlock(&place_of(store)->mutex);
    return SPAR_OK;
}

static spar_status head(spar__store *store, uint64_t experiment, uint64_t *sequence, unsigned char hash[SPAR_HASH_SIZE],
                        spar_error *err)
{
    spar__memory_place *place = place_of(store);
    (void)pthread_mutex_lock(&place->mutex);
    const spar__memory_log *log = spar__memory_find(store, experiment, err);
    if (log && log->n > 0) {
        *sequence = log->n;
        memcpy(hash, log->event[log->n - 1].hash, SPAR_HASH_SIZE);
    }
    (void)pthread_mutex_unlock(&place->mutex);
    return log ? SPAR_OK : SPAR_UNKNOWN;
}

static spar_status read_events(spar__store *store, uint64_t experiment, uint64_t from, uint64_t to,
                               spar__store_event_fn fn, void *context, spar_error *err)
{
    spar__memory_place *place = place_of(store);
    uint64_t last = 0;
    unsigned char hash[SPAR_HASH_SIZE];
    spar_status status = head(store, experiment, &last, hash, err);
    if (status)
        return status;
    to = to && to < last ? to : last;
    for (uint64_t i = from; i <= to && !status; i++) {
        (void)pthread_mutex_lock(&place->mutex); /* the array may move; the bytes do not */
        const spar__memory_event event = place->log[experiment - 1]->event[i - 1];
        (void)pthread_mutex_unlock(&place->mutex);
        status = fn(context, i, event.bytes, event.length, event.hash, err);
    }
    return status;
}

static spar_status locate(spar__store *store, uint64_t experiment, spar__once once, uint64_t *sequence, spar_error *err)
{
    spar__memory_place *place = place_of(store);
    (void)pthread_mutex_lock(&place->mutex);
    const spar__memory_log *log = spar__memory_find(store, experiment, err);
    size_t at = log ? spar__key_find(&log->once[once.kind], once.high, once.low) : SPAR__NO_KEY;
    *sequence = at == SPAR__NO_KEY ? 0 : log->once[once.kind].entry[at].count;
    (void)pthread_mutex_unlock(&place->mutex);
    return log ? SPAR_OK : SPAR_UNKNOWN;
}

static spar_status wait_news(spar__store *store, uint64_t experiment, uint64_t sequence, unsigned milliseconds,
                             bool *news, spar_error *err)
{
    spar__memory_place *place = place_of(store);
    double until = spar__clock(CLOCK_MONOTONIC) + 1e6 * milliseconds;
    (void)pthread_mutex_lock(&place->mutex);
    const spar__memory_log *log = spar__memory_find(store, experiment, err);
    while (log && log->n <= sequence)
        if (!spar__memory_sleep(place, until))
            break;
    *news = log && log->n > sequence;
    (void)pthread_mutex_unlock(&place->mutex);
    return log ? SPAR_OK : SPAR_UNKNOWN;
}

static spar_status backup(spar__store *store, const char *path, spar_error *err)
{
    return spar__fail(err, SPAR_UNSUPPORTED, "%s: a store in memory has no backup (%s was to be made)", store->name,
                      path);
}

static spar_status check(spar__store *store, spar__store_finding_fn fn, void *context, spar_error *err)
{
    (void)store, (void)fn, (void)context, (void)err;
    return SPAR_OK;
}

static spar_status hold(spar__store *store, spar_error *err)
{
    spar__memory_place *place = place_of(store);
    (void)pthread_mutex_lock(&registry); /* close reads it under this one */
    bool free = !place->holder || place->holder == store;
    if (free)
        place->holder = store;
    (void)pthread_mutex_unlock(&registry);
    return free ? SPAR_OK : spar__fail(err, SPAR_BUSY, "%s: is served already", store->name);
}

extern const spar__store_class spar__store_memory;
const spar__store_class spar__store_memory = {
    .name = "memory",
    .brief = "in the memory of this process",
    .scheme = {"memory"},
    .size = sizeof(spar__memory),
    .open = open_memory,
    .close = close_memory,
    .experiments = experiments,
    .create = create,
    .lock = lock,
    .unlock = unlock,
    .append = spar__memory_append,
    .next_screen = next_screen,
    .head = head,
    .read = read_events,
    .locate = locate,
    .wait = wait_news,
    .text_get = spar__memory_text_get,
    .text_each = spar__memory_text_each,
    .text_put = spar__memory_text_put,
    .text_drop = spar__memory_text_drop,
    .text_drops = spar__memory_text_drops,
    .voter = spar__memory_voter,
    .snapshot_put = spar__memory_snapshot_put,
    .snapshot_get = spar__memory_snapshot_get,
    .snapshot_list = spar__memory_snapshot_list,
    .snapshot_keep = spar__memory_snapshot_keep,
    .secret_put = spar__memory_secret_put,
    .secret_add = spar__memory_secret_add,
    .secret_swap = spar__memory_secret_swap,
    .secret_get = spar__memory_secret_get,
    .secret_each = spar__memory_secret_each,
    .secret_drop = spar__memory_secret_drop,
    .backup = backup,
    .check = check,
    .hold = hold,
};
