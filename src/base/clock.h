/* clock.h - three clocks, in nanoseconds from an arbitrary start: only differences have a meaning. */
#ifndef SPAR_BASE_CLOCK_H
#define SPAR_BASE_CLOCK_H

#include <time.h>

static inline double spar__clock(clockid_t id)
{
    struct timespec t = {0};
    (void)clock_gettime(id, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* CPU time of this thread. */
static inline double spar__clock_thread(void)
{
    return spar__clock(CLOCK_THREAD_CPUTIME_ID);
}

/* CPU time of all threads. */
static inline double spar__clock_process(void)
{
    return spar__clock(CLOCK_PROCESS_CPUTIME_ID);
}

/* The monotonic clock. */
static inline double spar__clock_wall(void)
{
    return spar__clock(CLOCK_MONOTONIC);
}

#endif
