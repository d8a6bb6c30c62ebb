/* worker.c - a thread with a queue of calls (hosting.h). */
#include "base/clock.h"
#include "base/error.h"
#include "service/server.h"

#include <errno.h>
#include <string.h>
#include <time.h>

bool spar__worker_put(spar__worker *worker, spar__call *call)
{
    (void)pthread_mutex_lock(&worker->lock);
    bool good = !worker->stopping && worker->waiting < SPAR__MAX_QUEUED_CALLS;
    if (good) {
        call->next = NULL;
        if (worker->last)
            worker->last->next = call;
        else
            worker->first = call;
        worker->last = call;
        worker->waiting++;
        (void)pthread_cond_signal(&worker->news);
    }
    (void)pthread_mutex_unlock(&worker->lock);
    return good;
}

void spar__worker_return(spar__worker *worker, spar__call *call)
{
    (void)pthread_mutex_lock(&worker->lock);
    call->next = worker->first;
    worker->first = call;
    if (!worker->last)
        worker->last = call;
    worker->waiting++;
    (void)pthread_mutex_unlock(&worker->lock);
}

void spar__worker_nudge(spar__worker *worker)
{
    (void)pthread_mutex_lock(&worker->lock);
    worker->nudged = true;
    (void)pthread_cond_signal(&worker->news);
    (void)pthread_mutex_unlock(&worker->lock);
}

size_t spar__worker_waiting(spar__worker *worker)
{
    (void)pthread_mutex_lock(&worker->lock);
    size_t n = worker->waiting;
    (void)pthread_mutex_unlock(&worker->lock);
    return n;
}

bool spar__worker_is_stopping(spar__worker *worker)
{
    (void)pthread_mutex_lock(&worker->lock);
    bool stopping = worker->stopping;
    (void)pthread_mutex_unlock(&worker->lock);
    return stopping;
}

static void await(spar__worker *worker)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (until.tv_nsec + (long)(1e9 * worker->every)) / 1000000000;
    until.tv_nsec = (until.tv_nsec + (long)(1e9 * worker->every)) % 1000000000;
    while (!worker->first && !worker->stopping && !worker->nudged)
        if (pthread_cond_timedwait(&worker->news, &worker->lock, &until) == ETIMEDOUT)
            return;
}

/* Waits until the next tick at most; *stop when there is nothing left to do and it shall end. */
static spar__call *take(spar__worker *worker, bool *stop, bool *nudged)
{
    (void)pthread_mutex_lock(&worker->lock);
    await(worker);
    spar__call *calls = worker->first, *end = calls;
    size_t n = 0;
    for (spar__call *call = calls; call && n < worker->most; call = call->next, n++)
        end = call;
    if (calls) {
        worker->first = end->next;
        if (!end->next)
            worker->last = NULL;
        end->next = NULL;
        worker->waiting -= n;
    }
    *stop = !calls && worker->stopping;
    *nudged = worker->nudged;
    worker->nudged = false;
    (void)pthread_mutex_unlock(&worker->lock);
    return calls;
}

static void *run(void *context)
{
    spar__worker *worker = context;
    double ticked = 0;
    for (bool stop = false, nudged; !stop;) {
        spar__call *calls = take(worker, &stop, &nudged);
        atomic_store(&worker->beat, (uint64_t)spar__clock_wall());
        if (calls && worker->work_all)
            worker->work_all(worker->service, calls);
        for (spar__call *next; calls && worker->work; calls = next) {
            next = calls->next; /* after the resume the call is the other thread's */
            if (worker->work(worker->service, calls))
                spar__call_resume(calls);
        }
        if (worker->tick && (nudged || (spar__seconds() - ticked >= 0.99 * worker->every && !stop))) {
            worker->tick(worker->service);
            ticked = spar__seconds();
        }
    }
    return NULL;
}

/* The monotonic clock: waiting must not depend on somebody setting the time. */
static void init_news(pthread_cond_t *news)
{
    pthread_condattr_t attributes;
    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_cond_init(news, &attributes);
    (void)pthread_condattr_destroy(&attributes);
}

spar_status spar__worker_start(spar__worker *worker, spar__service *service, const spar__worker *how, spar_error *err)
{
    *worker = *how;
    worker->service = service;
    (void)pthread_mutex_init(&worker->lock, NULL);
    init_news(&worker->news);
    atomic_store(&worker->beat, (uint64_t)spar__clock_wall());
    int error = pthread_create(&worker->thread, NULL, run, worker);
    worker->runs = error == 0;
    return error ? spar__fail(err, SPAR_IO, "cannot start a thread: %s", strerror(error)) : SPAR_OK;
}

void spar__worker_stop(spar__worker *worker)
{
    if (!worker->runs)
        return;
    (void)pthread_mutex_lock(&worker->lock);
    worker->stopping = true;
    (void)pthread_cond_broadcast(&worker->news);
    (void)pthread_mutex_unlock(&worker->lock);
    (void)pthread_join(worker->thread, NULL);
    worker->runs = false;
}

void spar__worker_fini(spar__worker *worker)
{
    if (!worker->service)
        return;
    (void)pthread_mutex_destroy(&worker->lock);
    (void)pthread_cond_destroy(&worker->news);
}
