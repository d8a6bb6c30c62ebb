/* pool.h - independent jobs over a few threads. */
#ifndef SPAR_BASE_POOL_H
#define SPAR_BASE_POOL_H

#include <stddef.h>

/* Job number index, on worker number worker; two jobs that run at once have different workers. */
typedef void spar__job(void *context, size_t index, size_t worker);

/* How many workers spar__pool_run may use: threads, or the number of online cores when that is 0, but not more than
 * there are jobs, and at least 1. Worker numbers lie below it. */
size_t spar__pool_workers(size_t threads, size_t n_jobs);

/* Runs every job once, each on the next free worker in the order of their indices, and returns when all are done.
 * The caller's thread is worker 0; the others take no signals. If threads cannot be started, the others do the work. */
void spar__pool_run(size_t threads, size_t n_jobs, spar__job *job, void *context);

#endif
