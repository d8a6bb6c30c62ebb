/* bench.h - what everything costs: CPU time, throughput and memory, measured in one run beside a plain loop.
 *
 * Machines are noisy, so everything is measured several times, in turn, until its budget of time is used; the least
 * time counts. The plain loop with the same arms and slots (plain.h) runs right before each measurement; all ratios
 * are relative to it. */
#ifndef SPAR_BENCH_BENCH_H
#define SPAR_BENCH_BENCH_H

#include "sim/sim.h"

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

#endif
