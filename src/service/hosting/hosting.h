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
#include "live/answer_summary.h"
#include "live/live.h"
#include "service/http/http.h"
#include "service/pages/pages.h"
#include "store/store.h"

#include <spar/experiment.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { SPAR__MAX_STORAGE_ERRORS = 16, SPAR__STORAGE_ERROR_SECONDS = 10 };

typedef struct spar__storage_error {
    spar_error what;
    double last; /* when it came up, by the monotonic clock */
    uint64_t times;
} spar__storage_error;

typedef struct spar__storage_errors {
    pthread_mutex_t lock;
    spar__storage_error error[SPAR__MAX_STORAGE_ERRORS]; /* further causes are not told while there are so many */
    size_t n;
} spar__storage_errors;

void spar__storage_errors_init(spar__storage_errors *errors);
void spar__storage_errors_fini(spar__storage_errors *errors);

/* Something failed. What is no trouble of the storage (a wrong request, a conflict) is passed over. NULL is fine. */
void spar__storage_errors_add(spar__storage_errors *errors, spar_status status, const spar_error *err, double now);

/* Something was stored. */
void spar__storage_errors_good(spar__storage_errors *errors, double now);

/* The experiments that are served, by their names in URLs.
 *
 * An experiment has the name it has in the store; the one without a name has that of its file ("tea" for tea.db), or
 * of the file that it was copied from, or "experiment". If that is the name of another experiment as well, the later
 * one of them is "tea-2". One that is listed is never removed, so pointers to it stay good.
 *
 * The log is folded once: the writer and the reader have stores and texts of their own, and one state. Who has
 * `folding` may change that state: the writer from the moment that it opens the experiment to the end of its round, the
 * reader when it finds that others have written and the writer is idle. It is changed under the lock for writing, which
 * is held while events are folded, not while a commit waits for the disk; the reader looks at it under the lock for
 * reading.
 *
 * Two have a state of their own. Standings take up to a second to compute, and would keep votes waiting so long; theirs
 * is there only while somebody looks. Imports and exports take longer still; theirs is there as long as they run. */

enum {
    SPAR__BY_WRITER,
    SPAR__BY_READER,
    SPAR__BY_TRANSFER,
    SPAR__BY_STANDINGS,
    SPAR__BY_COUNT,
    SPAR__HOSTED_IDLE_SECONDS = 60
};

struct spar__batch;
struct spar__hosting;

/* What one worker has of an experiment: its own alone. */
typedef struct spar__opened {
    spar_experiment *experiment; /* NULL: not open */
    double used;
    bool held; /* the writer: it may fold, until it releases; the reader: it has the lock of the state for reading */
} spar__opened;

/* What the thread of the standings has found out (stream.h); under the lock of the hub. */
typedef struct spar__result {
    spar__buf json;
    spar__buf view[SPAR__WEB_LANGUAGES]; /* for pages (report/view.h) */
    spar__pace pace;                     /* that thread's alone */
    uint64_t number;                     /* of this result: 1, 2, ...; 0: none yet */
    uint64_t sequence;                   /* events in it */
    unsigned char head[SPAR_HASH_SIZE];
    double made, asked; /* when it was computed; when somebody asked for it last */
} spar__result;

typedef struct spar__hosted {
    char *name;  /* in URLs */
    char *where; /* "tea.db#NAME" */
    struct spar__hosting *all;
    spar__opened opened[SPAR__BY_COUNT];
    spar__shared_fold shared; /* the state, of the writer and the reader */
    pthread_mutex_t folding;  /* who has it may change that state */
    spar__result result;
    struct spar__batch *batch; /* the writer's, for a round */
    bool failed;               /* the writer's: the batch could not be committed */
} spar__hosted;

typedef struct spar__hosting {
    const char *location; /* of the store */
    pthread_mutex_t lock;
    spar__hosted **hosted;
    size_t n, room;
    char *unnamed;                      /* what the experiment without a name is called; NULL: not looked up yet */
    uint64_t last;                      /* the largest number of an experiment that is listed */
    spar__store *store[SPAR__BY_COUNT]; /* each its worker's alone, for all experiments; NULL: not open */
    double looked[SPAR__BY_COUNT];      /* when it looked for a new experiment */
} spar__hosting;

void spar__hosting_init(spar__hosting *hosting, const char *location); /* which must stay */
void spar__hosting_fini(spar__hosting *hosting);

/* Adds the experiments of the store that are not listed yet. */
spar_status spar__hosting_load(spar__hosting *hosting, spar__store *store, spar_error *err);

spar__hosted *spar__hosting_find(spar__hosting *hosting, const char *name); /* NULL: none */
const char *spar__hosted_name(const spar__hosted *hosted);                  /* its name in the store */
size_t spar__hosting_count(spar__hosting *hosting);
spar__hosted *spar__hosting_get(spar__hosting *hosting, size_t i);

/* The experiment, opened where needed. For the reader, for transfers and for standings it is at the end of the log. The
 * writer has it until the end of its round, the reader until it is answered: then it is released. */
spar_status spar__hosted_open(spar__hosted *hosted, int user, spar_experiment **out, spar_error *err);
void spar__hosted_release(spar__hosted *hosted, int user);
/* It is opened again, and its log read again, when next used. */
void spar__hosted_close(spar__hosted *hosted, int user);
/* The writer's, now and then: brings what it has open to the end of the log, so that it is never far behind what others
 * write; and, where it may store, writes snapshots that were under way and are ready, or that are due. */
void spar__hosting_follow(spar__hosting *hosting, bool may_store);
void spar__hosting_tidy(spar__hosting *hosting, int user, double now); /* closes what was not used for a while */

/* A thread with a queue of calls. */

typedef bool spar__worker_fn(spar__service *service, spar__call *call);      /* answers; false: another worker will */
typedef void spar__worker_all_fn(spar__service *service, spar__call *calls); /* answers and resumes each call */
typedef void spar__worker_tick(spar__service *service);                      /* now and then */

typedef struct spar__worker {
    spar__service *service;
    spar__worker_fn *work; /* one of these two */
    spar__worker_all_fn *work_all;
    spar__worker_tick *tick; /* NULL: none */
    size_t most;             /* calls at a time */
    double every;            /* seconds between two ticks */
    pthread_t thread;
    bool runs;
    pthread_mutex_t lock;
    pthread_cond_t news;
    spar__call *first, *last;
    _Atomic size_t waiting;
    _Atomic bool stopping;
    bool nudged;
    _Atomic uint64_t beat; /* when the last round began, in nanoseconds: there is one a second at least */
} spar__worker;

/* how: work or work_all, tick, most, every. */
spar_status spar__worker_start(spar__worker *worker, spar__service *service, const spar__worker *how, spar_error *err);
void spar__worker_stop(spar__worker *worker); /* all that wait are answered, then it ends and takes no more */
void spar__worker_fini(spar__worker *worker); /* also of one that was never started */

bool spar__worker_put(spar__worker *worker, spar__call *call);    /* false: too many wait, or it is stopping */
void spar__worker_return(spar__worker *worker, spar__call *call); /* to the front: it is taken with the next ones */
void spar__worker_nudge(spar__worker *worker);                    /* tick now, also if it is to end */

#endif
