/* pool.c - one atomic counter hands out the jobs; threads are made for each run, which costs some 20 us each, and what
 * is given to a pool lasts milliseconds at least. A flag of the thread keeps a pool inside a pool from making more. */
#include "base/pool.h"

#include "base/alloc.h"

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

static _Thread_local bool inside; /* a job of a pool with several workers */

size_t spar__pool_workers(size_t threads, size_t n_jobs)
{
    if (inside)
        return 1;
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
    inside = true;
    work(worker->queue, worker->index);
    return NULL;
}

bool spar__thread_start(pthread_t *thread, void *(*run)(void *), void *argument)
{
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before); /* the mask is inherited */
    bool started = !pthread_create(thread, NULL, run, argument);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

void spar__pool_run(size_t threads, size_t n_jobs, spar__job *job, void *context)
{
    struct pool_queue queue = {.n_jobs = n_jobs, .job = job, .context = context};
    size_t others = spar__pool_workers(threads, n_jobs) - 1, started = 0;
    struct pool_worker *workers = others ? spar__alloc(others, sizeof *workers) : NULL;
    for (; workers && started < others; started++) {
        workers[started] = (struct pool_worker){.queue = &queue, .index = started + 1};
        if (!spar__thread_start(&workers[started].thread, start, &workers[started]))
            break;
    }
    bool outer = inside;
    inside |= started > 0;
    work(&queue, 0);
    inside = outer;
    for (size_t i = 0; i < started; i++)
        (void)pthread_join(workers[i].thread, NULL);
    spar__free(workers);
}
