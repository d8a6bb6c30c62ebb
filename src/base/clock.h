/* clock.h - time: clocks for measuring, and dates as text. */
#ifndef SPAR_BASE_CLOCK_H
#define SPAR_BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
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

/* Microseconds since 1970-01-01 00:00 UTC as text, 2026-11-16T04:39:03.123456Z, and back. */

enum { SPAR__UTC_SIZE = 32 };

/* Years 0 to 9999; the number itself outside of them. */
void spar__utc_print(char text[SPAR__UTC_SIZE], int64_t microseconds);

/* What print wrote; also without the fraction, with fewer digits in it, and with a blank for the T. */
bool spar__utc_parse(const char *text, int64_t *microseconds);

#endif
