/* places.h - the experiments that are served, by their names in URLs.
 *
 * An experiment has the name it has in the store; the one without a name has that of its file ("tea" for tea.db), or
 * of the file that it was copied from, or "experiment". If that is the name of another experiment as well, the later
 * one of them is "tea-2". A place is never removed, so pointers to it stay good. Each worker opens the experiment for
 * itself when it first needs it, and closes it when it was not used for a while. */
#ifndef SPAR_SERVICE_PLACES_H
#define SPAR_SERVICE_PLACES_H

#include "base/buf.h"
#include "live/pace.h"
#include "service/web.h"
#include "store/store.h"

#include <spar/experiment.h>

#include <pthread.h>

enum { SPAR__BY_WRITER, SPAR__BY_READER, SPAR__BY_TRANSFER, SPAR__BY_WATCHER, SPAR__BY_COUNT, SPAR__PLACE_IDLE = 60 };

struct spar__batch;

struct spar__places;

/* What one worker has of an experiment: its own alone. */
typedef struct spar__opened {
    spar_experiment *experiment; /* NULL: not open */
    double used;
} spar__opened;

/* What the watcher has found out (watch.h); under the lock of the watch. */
typedef struct spar__result {
    spar__buf json;
    spar__buf view[SPAR__WEB_LANGUAGES]; /* for pages (report/view.h) */
    spar__pace pace;                     /* the watcher's alone */
    uint64_t number;                     /* of this result: 1, 2, ...; 0: none yet */
    uint64_t sequence;                   /* events in it */
    unsigned char head[SPAR_HASH_SIZE];
    double made, asked; /* when it was computed; when somebody asked for it last */
} spar__result;

typedef struct spar__place {
    char *name;  /* in URLs */
    char *where; /* "tea.db#NAME" */
    struct spar__places *all;
    spar__opened opened[SPAR__BY_COUNT];
    spar__result result;
    struct spar__batch *batch; /* the writer's, for a round */
    bool failed;               /* the writer's: the batch could not be committed */
} spar__place;

typedef struct spar__places {
    pthread_mutex_t lock;
    spar__place **place;
    size_t n, room;
    char *unnamed; /* what the experiment without a name is called; NULL: not looked up yet */
    uint64_t last; /* the largest number of an experiment that is listed */
    spar__store *store[SPAR__BY_COUNT]; /* each its worker's alone, for all experiments; NULL: not open */
    double looked[SPAR__BY_COUNT];      /* when it looked for a new experiment */
} spar__places;

void spar__places_init(spar__places *places);
void spar__places_fini(spar__places *places);

/* Adds the experiments of the store that are not listed yet. */
spar_status spar__places_load(spar__places *places, const char *store_place, spar__store *store, spar_error *err);

spar__place *spar__places_find(spar__places *places, const char *name); /* NULL: none */
const char *spar__place_stored(const spar__place *place);               /* its name in the store */
size_t spar__places_count(spar__places *places);
spar__place *spar__places_get(spar__places *places, size_t i);

/* The experiment, opened where needed and, for readers, brought up to date. */
spar_status spar__place_open(spar__place *place, int user, spar_experiment **out, spar_error *err);
/* The writer's, now and then: writes snapshots that were under way and are ready, or that are due. */
void spar__places_keep(spar__places *places);
/* Brings what the worker has open to the end of the log, so that it is never far behind what others write. */
void spar__places_follow(spar__places *places, int user);
void spar__place_close(spar__place *place, int user); /* it is opened again, and its log read again, when next used */
void spar__places_tidy(spar__places *places, int user, double now); /* closes what was not used for a while */

#endif
