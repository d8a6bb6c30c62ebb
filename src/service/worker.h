/* worker.h - a thread with a queue of calls. */
#ifndef SPAR_SERVICE_WORKER_H
#define SPAR_SERVICE_WORKER_H

#include "service/call.h"

#include <pthread.h>
#include <stdatomic.h>

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
