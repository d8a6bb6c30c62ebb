/* places.c - see places.h. */
#include "service/server.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "live/live.h"
#include "live/open.h"

#include <string.h>

void spar__places_init(spar__places *places)
{
    *places = (spar__places){.n = 0};
    (void)pthread_mutex_init(&places->lock, NULL);
}

static void free_place(spar__place *place)
{
    for (int user = 0; user < SPAR__BY_COUNT; user++)
        spar_experiment_close(place->opened[user].experiment);
    spar__buf_free(&place->result.json);
    for (size_t i = 0; i < SPAR__WEB_LANGUAGES; i++)
        spar__buf_free(&place->result.view[i]);
    spar__pace_fini(&place->result.pace);
    spar__free(place->name);
    spar__free(place->where);
    spar__free(place);
}

void spar__places_fini(spar__places *places)
{
    for (size_t i = 0; i < places->n; i++)
        free_place(places->place[i]);
    spar__free(places->place);
    spar__free(places->unnamed);
    for (int user = 0; user < SPAR__BY_COUNT; user++)
        spar__store_close(places->store[user]);
    (void)pthread_mutex_destroy(&places->lock);
}

/* Under the lock. */
static spar__place *find(const spar__places *places, const char *name)
{
    for (size_t i = 0; i < places->n; i++)
        if (strcmp(places->place[i]->name, name) == 0)
            return places->place[i];
    return NULL;
}

/* The one without a name may be called like another. */
static char *free_name(const spar__places *all, const char *wanted)
{
    spar__buf name = {0};
    spar__buf_adds(&name, wanted);
    for (unsigned i = 2; !name.failed && find(all, name.text); i++) {
        spar__buf_clear(&name);
        spar__buf_printf(&name, "%s-%u", wanted, i);
    }
    if (name.failed)
        spar__buf_free(&name);
    return name.text;
}

static spar__place *new_place(spar__places *all, const char *store_place, const char *name)
{
    spar__place *place = spar__alloc(1, sizeof *place);
    spar__buf where = {0};
    spar__buf_printf(&where, "%s#%s", store_place, name);
    if (place && !where.failed) {
        place->name = free_name(all, *name ? name : all->unnamed);
        place->where = spar__strdup(where.text);
        place->all = all;
    }
    spar__buf_free(&where);
    if (place && (!place->name || !place->where)) {
        free_place(place);
        place = NULL;
    }
    return place;
}

typedef struct places_loading {
    spar__places *places;
    const char *store_place;
} places_loading;

/* An experiment has a larger number than those that were there before. */
static spar_status add_place(void *context, uint64_t number, const char *name)
{
    places_loading *loading = context;
    spar__places *places = loading->places;
    if (number <= places->last)
        return SPAR_OK;
    spar__place **grown = spar__grow(places->place, &places->room, places->n + 1, 1, sizeof(*grown));
    if (!grown)
        return SPAR_NOMEM;
    places->place = grown;
    places->place[places->n] = new_place(places, loading->store_place, name);
    if (!places->place[places->n])
        return SPAR_NOMEM;
    places->n++;
    places->last = number;
    return SPAR_OK;
}

static spar_status name_unnamed(const char *store_place, spar__store *store, char **out, spar_error *err)
{
    unsigned char *bytes = NULL;
    size_t length = 0;
    spar_status status = spar__store_secret_get(store, SPAR__STORE_ADDRESS, &bytes, &length, err);
    if (status && status != SPAR_UNKNOWN)
        return status;
    *out = length ? spar__alloc(length + 1, 1) : spar__store_stem(store_place);
    if (*out && length)
        memcpy(*out, bytes, length);
    spar__free(bytes);
    return *out ? SPAR_OK : spar__fail_memory(err);
}

spar_status spar__places_load(spar__places *places, const char *store_place, spar__store *store, spar_error *err)
{
    places_loading loading = {places, store_place};
    (void)pthread_mutex_lock(&places->lock);
    spar_status status = places->unnamed ? SPAR_OK : name_unnamed(store_place, store, &places->unnamed, err);
    if (!status)
        status = spar__store_experiments(store, add_place, &loading, err);
    (void)pthread_mutex_unlock(&places->lock);
    return status;
}

spar__place *spar__places_find(spar__places *places, const char *name)
{
    (void)pthread_mutex_lock(&places->lock);
    spar__place *found = find(places, name);
    (void)pthread_mutex_unlock(&places->lock);
    return found;
}

/* Strangers may ask for any name: not more often than this. */
static const double LOOK_EVERY = 0.1;

/* Another program may just have made it. */
static spar__place *search(spar__places *places, const char *store_place, int user, const char *name)
{
    spar__place *found = spar__places_find(places, name);
    double now = spar__seconds();
    if (found || !places->store[user] || now - places->looked[user] < LOOK_EVERY)
        return found;
    places->looked[user] = now;
    (void)spar__places_load(places, store_place, places->store[user], NULL);
    return spar__places_find(places, name);
}

bool spar__call_find_place(spar__call *call, int user)
{
    spar__service *service = call->service;
    const char *name = spar__call_param(call, 0);
    call->place = name ? search(&service->places, service->settings.place, user, name) : NULL;
    if (name && !call->place)
        spar__reply_problem(&call->reply, 404, "unknown", "there is no experiment '%.80s'", name);
    return !name || call->place;
}

const char *spar__place_stored(const spar__place *place)
{
    return strrchr(place->where, '#') + 1;
}

size_t spar__places_count(spar__places *places)
{
    (void)pthread_mutex_lock(&places->lock);
    size_t n = places->n;
    (void)pthread_mutex_unlock(&places->lock);
    return n;
}

spar__place *spar__places_get(spar__places *places, size_t i)
{
    (void)pthread_mutex_lock(&places->lock);
    spar__place *place = i < places->n ? places->place[i] : NULL;
    (void)pthread_mutex_unlock(&places->lock);
    return place;
}

static spar_status open_on_store(spar__place *place, int user, bool writes, spar_experiment **out, spar_error *err)
{
    spar__store **store = &place->all->store[user];
    char *url = NULL, *name = NULL;
    spar_status status = spar__store_split(place->where, &url, &name, err);
    if (!status && !*store)
        status = spar__store_open(url, writes ? SPAR__STORE_WRITE : SPAR__STORE_READ, store, err);
    if (!status)
        status = spar__live_open_on(*store, place->where, name, writes, out, err);
    spar__free(url);
    spar__free(name);
    return status;
}

spar_status spar__place_open(spar__place *place, int user, spar_experiment **out, spar_error *err)
{
    spar__opened *opened = &place->opened[user];
    bool writes = user == SPAR__BY_WRITER || user == SPAR__BY_TRANSFER;
    spar_status status = SPAR_OK;
    opened->used = spar__seconds();
    if (!opened->experiment)
        status = open_on_store(place, user, writes, &opened->experiment, err);
    else if (user != SPAR__BY_WRITER)
        status = spar_experiment_refresh(opened->experiment, err);
    if (status)
        spar__place_close(place, user);
    else
        opened->experiment->served = user == SPAR__BY_WRITER;
    *out = opened->experiment;
    return status;
}

void spar__place_close(spar__place *place, int user)
{
    spar_experiment_close(place->opened[user].experiment);
    place->opened[user].experiment = NULL;
}

void spar__places_tidy(spar__places *places, int user, double now)
{
    for (size_t i = 0; i < spar__places_count(places); i++) {
        spar__place *place = spar__places_get(places, i);
        if (place->opened[user].experiment && now - place->opened[user].used > SPAR__PLACE_IDLE)
            spar__place_close(place, user);
    }
}

void spar__places_keep(spar__places *places)
{
    for (size_t i = 0; i < spar__places_count(places); i++) {
        spar_experiment *experiment = spar__places_get(places, i)->opened[SPAR__BY_WRITER].experiment;
        if (experiment && experiment->state)
            spar__snapshot_take(experiment);
    }
}

void spar__places_follow(spar__places *places, int user)
{
    for (size_t i = 0; i < spar__places_count(places); i++) {
        spar__place *place = spar__places_get(places, i);
        if (place->opened[user].experiment && spar_experiment_refresh(place->opened[user].experiment, NULL))
            spar__place_close(place, user);
    }
}
