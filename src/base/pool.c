#include "base/pool.h"

#include "base/alloc.h"

#include <pthread.h>
#include <signal.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <unistd.h>

struct pool_queue {
    alignas(64) atomic_size_t next; /* the first job that no worker has taken; alone on its cache line */
    alignas(64) size_t n_jobs;
    spar__job *job;
    void *context;
};

struct pool_worker {
    struct pool_queue *queue;
    size_t index;
    pthread_t thread;
};

size_t spar__pool_workers(size_t threads, size_t n_jobs)
{
    if (threads == 0) {
        long cores = sysconf(_SC_NPROCESSORS_ONLN);
        threads = cores > 0 ? (size_t)cores : 1;
    }
    if (threads > n_jobs)
        threads = n_jobs;
    return threads ? threads : 1;
}

static void work(struct pool_queue *queue, size_t index)
{
    size_t i;
    /* Compared before it is added, so that the counter cannot overflow. */
    while (atomic_load_explicit(&queue->next, memory_order_relaxed) < queue->n_jobs &&
           (i = atomic_fetch_add_explicit(&queue->next, 1, memory_order_relaxed)) < queue->n_jobs)
        queue->job(queue->context, i, index);
}

static void *start(void *argument)
{
    struct pool_worker *worker = argument;
    work(worker->queue, worker->index);
    return NULL;
}

/* Starts workers 1, 2, ... until one cannot be started; returns how many run. Signals are left to the caller's thread:
 * the mask is inherited. */
static size_t spawn(struct pool_worker *workers, size_t n, struct pool_queue *queue)
{
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    size_t started = 0;
    while (started < n) {
        struct pool_worker *worker = &workers[started];
        worker->queue = queue;
        worker->index = started + 1;
        if (pthread_create(&worker->thread, NULL, start, worker))
            break;
        started++;
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

void spar__pool_run(size_t threads, size_t n_jobs, spar__job *job, void *context)
{
    struct pool_queue queue = {.n_jobs = n_jobs, .job = job, .context = context};
    size_t others = spar__pool_workers(threads, n_jobs) - 1;
    struct pool_worker *workers = others ? spar__alloc(others, sizeof *workers) : NULL;
    size_t started = workers ? spawn(workers, others, &queue) : 0;
    work(&queue, 0);
    for (size_t i = 0; i < started; i++)
        (void)pthread_join(workers[i].thread, NULL);
    spar__free(workers);
}
