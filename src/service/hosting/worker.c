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

static void *run(void *context)
{
    spar__worker *worker = context;
    double ticked = 0;
    for (bool stop = false; !stop;) {
        struct timespec until; /* the next tick at most */
        (void)clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += (long)(1e9 * worker->every);
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        (void)pthread_mutex_lock(&worker->lock);
        for (int error = 0; !worker->first && !worker->stopping && !worker->nudged && error != ETIMEDOUT;)
            error = pthread_cond_timedwait(&worker->news, &worker->lock, &until);
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
        stop = !calls && worker->stopping; /* nothing is left to do, and it shall end */
        bool nudged = worker->nudged;
        worker->nudged = false;
        (void)pthread_mutex_unlock(&worker->lock);
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

spar_status spar__worker_start(spar__worker *worker, spar__service *service, const spar__worker *how, spar_error *err)
{
    *worker = *how;
    worker->service = service;
    (void)pthread_mutex_init(&worker->lock, NULL);
    /* The monotonic clock: waiting must not depend on somebody setting the time. */
    pthread_condattr_t attributes;
    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&worker->news, &attributes);
    (void)pthread_condattr_destroy(&attributes);
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
