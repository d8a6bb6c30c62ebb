/* point.h - one thing to measure, repeatedly, until its time budget is used. */
#ifndef SPAR_BENCH_POINT_H
#define SPAR_BENCH_POINT_H

#include "bench/bench.h"
#include "bench/plain.h"

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

/* The parts: each adds its points. */
spar_status spar__bench_policies(const spar__bench_plan *plan, spar__bench_points *points, spar_error *err);
spar_status spar__bench_samplers(spar__bench_points *points);
spar_status spar__bench_kernels(spar__bench_points *points);
spar_status spar__bench_threads(spar__bench_points *points);
spar_status spar__bench_memory(spar__bench_points *points);

#endif
