/* point.h - something to be measured: visited again and again while its purse lasts. */
#ifndef SPAR_BENCH_POINT_H
#define SPAR_BENCH_POINT_H

#include "bench/bench.h"
#include "bench/plain.h"

/* What a visit may take, and whether it is to go on: false when the user wants to stop. */
typedef struct spar__visit {
    double seconds;
    bool (*go_on)(void *context);
    void *context;
} spar__visit;

static inline bool spar__visit_goes_on(const spar__visit *visit)
{
    return visit->go_on(visit->context);
}

/* A kind of measurement. visit measures once more and keeps the least; SPAR_INTERRUPTED when it was told to stop, with
 * all as before. glance, which may be NULL, measures in a millisecond or two what is over in no time and so needs more
 * repeats than the rest. report adds what it has for one part. */
typedef struct spar__bench_point_kind {
    spar_status (*visit)(void *self, const spar__visit *visit, spar_error *err);
    spar_status (*glance)(void *self, const spar__visit *visit, spar_error *err);
    spar_status (*report)(const void *self, spar__bench_part part, double plain_ns, spar__bench_report *out);
    void (*free)(void *self);
} spar__bench_point_kind;

typedef struct spar__bench_point {
    const spar__bench_point_kind *kind;
    void *self;
    size_t plain;                 /* which plain loop it is compared to; SIZE_MAX: none */
    double purse, spent, longest; /* seconds of CPU time */
    unsigned visits, most_visits; /* 0: as many as the purse allows */
} spar__bench_point;

/* A plain loop and its least time. */
typedef struct spar__bench_base {
    size_t k, m;
    spar__plain *loop;
    uint64_t rounds;
    unsigned visits;
    double ns;
} spar__bench_base;

typedef struct spar__bench_points {
    size_t n, n_bases;
    spar__bench_point *item;
    spar__bench_base *base;
} spar__bench_points;

void spar__bench_points_free(spar__bench_points *points);

/* Takes self over, also when it fails. A k of 0: compared to nothing. */
spar_status spar__bench_points_add(spar__bench_points *points, const spar__bench_point_kind *kind, void *self, size_t k,
                                   size_t m, double purse, spar__bench_point **out);

/* A few rounds of the point's plain loop, then the point itself. */
spar_status spar__bench_point_visit(spar__bench_points *points, spar__bench_point *point, const spar__visit *visit,
                                    spar_error *err);

spar_status spar__bench_points_report(const spar__bench_points *points, spar__bench_part part, spar__bench_report *out);

/* A copy of the case goes to the report, its name too. */
spar_status spar__bench_report_add(spar__bench_report *report, const spar__bench_case *item);

/* An empty case: nothing measured. */
spar__bench_case spar__bench_case_of(spar__bench_part part, const char *name, size_t k, size_t m);

/* The parts: each adds its points. */
spar_status spar__bench_policies(const spar__bench_plan *plan, spar__bench_points *points, spar_error *err);
spar_status spar__bench_samplers(spar__bench_points *points);
spar_status spar__bench_kernels(spar__bench_points *points);
spar_status spar__bench_threads(spar__bench_points *points);
spar_status spar__bench_memory(spar__bench_points *points);

#endif
