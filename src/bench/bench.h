/* bench.h - what everything costs: CPU time, throughput and memory, measured in one run beside a plain loop.
 *
 * Machines are noisy, so everything is measured several times, in turn, until its budget of time is used; the least
 * time counts. The plain loop with the same arms and slots runs right before each measurement; all ratios
 * are relative to it. */
#ifndef SPAR_BENCH_BENCH_H
#define SPAR_BENCH_BENCH_H

#include "sampler/rng.h"
#include "sim/sim.h"

#include <spar/env.h>
#include <spar/policy.h>
#include <spar/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* SPAR__BENCH_PLAIN comes with every part that is compared to it. */
typedef enum spar__bench_part {
    SPAR__BENCH_PLAIN,
    SPAR__BENCH_POLICIES,
    SPAR__BENCH_ARMS,
    SPAR__BENCH_ROUNDS,
    SPAR__BENCH_SAMPLERS,
    SPAR__BENCH_KERNELS,
    SPAR__BENCH_THREADS,
    SPAR__BENCH_MEMORY,
    SPAR__BENCH_PARTS
} spar__bench_part;

extern const char *const spar__bench_part_names[SPAR__BENCH_PARTS];

/* One measured number, and what it is of. A count of 0 or a NaN means: none. */
typedef struct spar__bench_case {
    spar__bench_part part;
    char *name;           /* of the policy, the sampler ... */
    size_t k, m, threads; /* arms, slots */
    uint64_t first, last; /* the rounds it is meant to be the mean of ... */
    uint64_t rounds;      /* ... and how many of them (of samplers: values) there was time for */
    double ns;            /* of one round or value: CPU time; of threads: wall-clock time */
    double plain_ns;      /* of the plain loop with the same k and m; of Beta batches: of two scalar gammas */
    double per_second;    /* threads: rounds */
    double speedup;       /* threads: over one */
    double megabytes;     /* memory: the peak of a whole process */
} spar__bench_case;

typedef struct spar__bench_report {
    size_t n, capacity;
    spar__bench_case *item; /* part by part */
    bool interrupted;       /* cases that had not been measured by then have no numbers */
} spar__bench_report;

typedef struct spar__bench_plan {
    bool part[SPAR__BENCH_PARTS];
    bool quick;              /* the same cases in a few seconds, imprecise */
    spar_progress *progress; /* counts milliseconds of the time planned; may be NULL */
    void *context;
} spar__bench_plan;

spar_status spar__bench_run(const spar__bench_plan *plan, spar__bench_report *out, spar_error *err);
void spar__bench_report_free(spar__bench_report *report);

/* The plain loop: Thompson sampling against itself in its simplest form.
 *
 * m times: draw every arm's Beta by two scalar Marsaglia-Tsang gammas and take the argmax; then every pair of slots
 * duels, and both arms count it. It calls nothing of the library but the random numbers. */

typedef struct spar__plain spar__plain;

spar_status spar__plain_new(size_t k, size_t m, spar__plain **out);
void spar__plain_free(spar__plain *plain);

void spar__plain_play(spar__plain *plain, uint64_t rounds);

/* A number of rounds that takes some milliseconds; at least 1. */
uint64_t spar__plain_block(const spar__plain *plain);

/* One thing to measure, repeatedly, until its time budget is used. */

/* How long a measurement may take, and whether to go on: false when the user wants to stop. */
typedef struct spar__bench_limit {
    double seconds;
    bool (*go_on)(void *context);
    void *context;
} spar__bench_limit;

static inline bool spar__bench_goes_on(const spar__bench_limit *limit)
{
    return limit->go_on(limit->context);
}

/* A kind of measurement. measure runs once more and keeps the least time; it returns SPAR_INTERRUPTED, with nothing
 * changed, when it was told to stop. measure_start, which may be NULL, repeats the first rounds only, in a millisecond
 * or two. report adds the cases of one part. */
typedef struct spar__bench_point_kind {
    spar_status (*measure)(void *self, const spar__bench_limit *limit, spar_error *err);
    spar_status (*measure_start)(void *self, const spar__bench_limit *limit, spar_error *err);
    spar_status (*report)(const void *self, spar__bench_part part, double plain_ns, spar__bench_report *out);
    void (*free)(void *self);
} spar__bench_point_kind;

typedef struct spar__bench_point {
    const spar__bench_point_kind *kind;
    void *self;
    size_t plain;                   /* which plain loop it is compared to; SIZE_MAX: none */
    double budget, spent, longest;  /* seconds of CPU time */
    unsigned repeats, most_repeats; /* most_repeats 0: as many as the budget allows */
} spar__bench_point;

/* A plain loop and its least time. */
typedef struct spar__bench_base {
    size_t k, m;
    spar__plain *loop;
    uint64_t rounds;
    unsigned repeats;
    double ns;
} spar__bench_base;

typedef struct spar__bench_points {
    size_t n, n_bases;
    spar__bench_point *item;
    spar__bench_base *base;
} spar__bench_points;

void spar__bench_points_free(spar__bench_points *points);

/* Takes ownership of self, also when it fails. k = 0: not compared to a plain loop. */
spar_status spar__bench_points_add(spar__bench_points *points, const spar__bench_point_kind *kind, void *self, size_t k,
                                   size_t m, double budget, spar__bench_point **out);

/* A few rounds of the point's plain loop, then the point itself. */
spar_status spar__bench_point_measure(spar__bench_points *points, spar__bench_point *point,
                                      const spar__bench_limit *limit, spar_error *err);

spar_status spar__bench_points_report(const spar__bench_points *points, spar__bench_part part, spar__bench_report *out);

/* Appends a copy of the case, and of its name. */
spar_status spar__bench_report_add(spar__bench_report *report, const spar__bench_case *item);

spar__bench_case spar__bench_case_of(spar__bench_part part, const char *name, size_t k,
                                     size_t m); /* nothing measured */

/* Adds the points of all parts of the plan. */
spar_status spar__bench_cases(const spar__bench_plan *plan, spar__bench_points *points, spar_error *err);

/* What a policy costs along its rounds, in segments: from round 1 to 10, to 20, 50, 100, ..., 10^6.
 *
 * Every measurement plays the same rounds from the start. The least time of each segment is kept, and the mean over a
 * window is a sum of these. Rounds that the time budget does not reach are not measured. */

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
    const char *name;   /* the spec of the policy, or what it is shown as ... */
    const char *policy; /* ... then this is the spec */
    char env[80];
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
