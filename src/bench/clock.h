/* clock.h - three clocks, in nanoseconds. */
#ifndef SPAR_BENCH_CLOCK_H
#define SPAR_BENCH_CLOCK_H

#include <time.h>

static inline double spar__clock(clockid_t id)
{
    struct timespec t = {0};
    (void)clock_gettime(id, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* CPU time of this thread, CPU time of all threads, and time of day. */
#define SPAR__CLOCK_THREAD() spar__clock(CLOCK_THREAD_CPUTIME_ID)
#define SPAR__CLOCK_PROCESS() spar__clock(CLOCK_PROCESS_CPUTIME_ID)
#define SPAR__CLOCK_WALL() spar__clock(CLOCK_MONOTONIC)

#endif
