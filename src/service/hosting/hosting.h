/* hosting.h - what is wrong with the storage, on standard error: once for each cause, not for each request, and once
 * more when it is over.
 *
 * A cause is a sentence. It is over when something was stored and it has not come up for a while; so an experiment that
 * is damaged, beside others that are not, is told of once.
 *
 * Threads: any. */
#ifndef SPAR_SERVICE_HOSTING_HOSTING_H
#define SPAR_SERVICE_HOSTING_HOSTING_H

#include "base/buf.h"
#include "base/error.h"
#include "live/pace.h"
#include "service/http/http.h"
#include "service/pages/pages.h"
#include "store/store.h"

#include <spar/experiment.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { SPAR__TROUBLES_MOST = 16, SPAR__TROUBLE_SECONDS = 10 };

typedef struct spar__trouble {
    spar_error what;
    double last; /* when it came up, by the monotonic clock */
    uint64_t times;
} spar__trouble;

typedef struct spar__troubles {
    pthread_mutex_t lock;
    spar__trouble trouble[SPAR__TROUBLES_MOST]; /* further causes are not told while there are so many */
    size_t n;
} spar__troubles;

void spar__troubles_init(spar__troubles *troubles);
void spar__troubles_fini(spar__troubles *troubles);

/* Something failed. What is no trouble of the storage (a wrong request, a conflict) is passed over. NULL is fine. */
void spar__troubles_add(spar__troubles *troubles, spar_status status, const spar_error *err, double now);

/* Something was stored. */
void spar__troubles_good(spar__troubles *troubles, double now);

/* The experiments that are served, by their names in URLs.
 *
 * An experiment has the name it has in the store; the one without a name has that of its file ("tea" for tea.db), or
 * of the file that it was copied from, or "experiment". If that is the name of another experiment as well, the later
 * one of them is "tea-2". A place is never removed, so pointers to it stay good. Each worker opens the experiment for
 * itself when it first needs it, and closes it when it was not used for a while. */

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
    /* Where the store is one that other servers write to as well, each worker has one connection for all experiments
     * (else each opened experiment has a store of its own). */
    bool shared;
    spar__store *store[SPAR__BY_COUNT]; /* each its worker's alone; NULL: not open */
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

/* A thread with a queue of calls. */

typedef void spar__worker_fn(spar__service *service, spar__call *calls); /* answers and resumes each call */
typedef void spar__worker_tick(spar__service *service);                  /* now and then */

typedef struct spar__worker {
    spar__service *service;
    spar__worker_fn *work;
    spar__worker_tick *tick;
    size_t most;  /* calls at a time */
    double every; /* seconds between two ticks */
    pthread_t thread;
    bool runs;
    pthread_mutex_t lock;
    pthread_cond_t news;
    spar__call *first, *last;
    size_t waiting;
    bool stopping, nudged;
    _Atomic uint64_t beat; /* when the last round began, in nanoseconds: there is one a second at least */
} spar__worker;

spar_status spar__worker_start(spar__worker *worker, spar__service *service, size_t most, spar__worker_fn *work,
                               spar__worker_tick *tick, double every, spar_error *err);
void spar__worker_stop(spar__worker *worker); /* all that wait are answered, then it ends and takes no more */
void spar__worker_fini(spar__worker *worker); /* also of one that was never started */

bool spar__worker_put(spar__worker *worker, spar__call *call);    /* false: too many wait, or it is stopping */
void spar__worker_return(spar__worker *worker, spar__call *call); /* to the front: it is taken with the next ones */
void spar__worker_nudge(spar__worker *worker);                    /* tick now, also if it is to end */
size_t spar__worker_waiting(spar__worker *worker);
bool spar__worker_is_stopping(spar__worker *worker);

#endif
