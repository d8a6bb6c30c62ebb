/* pool.h - independent jobs over a few threads; the only place that starts threads for them. */
#ifndef SPAR_BASE_POOL_H
#define SPAR_BASE_POOL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* Job number index, on worker number worker; two jobs that run at once have different workers. */
typedef void spar__job(void *context, size_t index, size_t worker);

/* How many workers spar__pool_run may use: threads, or the number of online cores when that is 0, but not more than
 * there are jobs, and at least 1. Worker numbers lie below it. Inside a job of a pool with several workers it is 1. */
size_t spar__pool_workers(size_t threads, size_t n_jobs);

/* Runs every job once, each on the next free worker in the order of their indices, and returns when all are done.
 * The caller's thread is worker 0; the others take no signals. If threads cannot be started, the others do the work.
 * A pool inside a pool starts no threads: its jobs run one after the other, on the thread that asked. */
void spar__pool_run(size_t threads, size_t n_jobs, spar__job *job, void *context);

/* A thread of its own, for what waits and is no job; it takes no signals. False if it cannot be started. */
bool spar__thread_start(pthread_t *thread, void *(*run)(void *), void *argument);

#endif
