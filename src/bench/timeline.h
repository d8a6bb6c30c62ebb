/* timeline.h - what a policy costs along its rounds, in segments: from round 1 to 10, to 20, 50, 100, ..., 10^6.
 *
 * Every measurement plays the same rounds from the start. The least time of each segment is kept, and the mean over a
 * window is a sum of these. Rounds that the time budget does not reach are not measured. */
#ifndef SPAR_BENCH_TIMELINE_H
#define SPAR_BENCH_TIMELINE_H

#include "bench/point.h"

enum { SPAR__TIMELINE_SEGMENTS = 16, SPAR__TIMELINE_WINDOWS = 12, SPAR__TIMELINE_LONGEST = 1000000 };

/* The mean over rounds first to last is a case of a part; first - 1 and last must end a segment. */
typedef struct spar__window {
    spar__bench_part part;
    uint64_t first, last;
} spar__window;

typedef struct spar__timing {
    uint64_t rounds;
    double ns;
} spar__timing;

typedef struct spar__timeline {
    char *name, *env; /* name: the spec of the policy, or what it is shown as ... */
    char *policy;     /* ... then this is the spec */
    size_t k, m;
    uint64_t rounds;                               /* at most; the horizon the policy is told */
    spar__timing segment[SPAR__TIMELINE_SEGMENTS]; /* fewer rounds than a segment has: cut short, or 0 */
    size_t n_windows;
    spar__window window[SPAR__TIMELINE_WINDOWS];
} spar__timeline;

/* Adds a timeline to a list of points, or finds the equal one that is there: the larger budget and the larger number of
 * rounds count. plain: compared to the plain loop. */
spar_status spar__timeline_add(spar__bench_points *points, const spar__timeline *wanted, bool plain, double budget,
                               spar__timeline **out);

/* Adds a window; the timeline becomes as long as it needs. */
void spar__timeline_add_window(spar__timeline *timeline, spar__bench_part part, uint64_t first, uint64_t last);

#endif
