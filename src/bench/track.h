/* track.h - the cost of a policy along its rounds: what it takes from round 1 to 10, to 20, 50, 100, ..., 10^6.
 *
 * Every visit plays the same rounds from the start, so the least time of each stretch is kept, and the mean over any
 * window is a sum of such least times. Where the purse ends, so does the track. */
#ifndef SPAR_BENCH_TRACK_H
#define SPAR_BENCH_TRACK_H

#include "bench/point.h"

enum { SPAR__TRACK_STRETCHES = 16, SPAR__TRACK_WINDOWS = 12, SPAR__TRACK_LONGEST = 1000000 };

/* The mean over rounds first to last is a case of a part. Both are 1-2-5 numbers: first - 1 and last end a stretch. */
typedef struct spar__window {
    spar__bench_part part;
    uint64_t first, last;
} spar__window;

/* Rounds that were played, and the time they took. */
typedef struct spar__lap {
    uint64_t rounds;
    double ns;
} spar__lap;

typedef struct spar__track {
    char *name, *env; /* name: the spec of the policy, or what it is shown as ... */
    char *policy;     /* ... then this is the spec */
    size_t k, m;
    uint64_t rounds;                          /* at most; the horizon the policy is told */
    spar__lap stretch[SPAR__TRACK_STRETCHES]; /* cut short by the purse or not begun: fewer rounds than it has */
    size_t n_windows;
    spar__window window[SPAR__TRACK_WINDOWS];
} spar__track;

/* A track in a list of points, found again if it is there already. plain: compared to the plain loop. The purse and the
 * rounds are the larger ones of all who asked. */
spar_status spar__track_add(spar__bench_points *points, const spar__track *wanted, bool plain, double purse,
                            spar__track **out);

/* Adds a window, for as many rounds as it asks for. */
void spar__track_watch(spar__track *track, spar__bench_part part, uint64_t first, uint64_t last);

#endif
