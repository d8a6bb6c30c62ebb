/* memory.c - the peak memory of a process that makes a policy and plays some rounds.
 *
 * A child process does it and reports its own peak, as the kernel counts it. Nothing is subtracted: the program, the
 * arms, the simulated user and what the parent held at the fork are included. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "bench/bench.h"

#include <math.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct child_result {
    spar_status status;
    uint64_t played;
    double megabytes;
} child_result;

typedef struct memory_case {
    const char *name, *env, *policy;
    size_t k, m;
    uint64_t rounds; /* at most */
    child_result result;
} memory_case;

static double peak_megabytes(void)
{
    struct rusage usage = {0};
    (void)getrusage(RUSAGE_SELF, &usage);
#if defined(__APPLE__)
    return (double)usage.ru_maxrss / (1024.0 * 1024.0);
#else
    return (double)usage.ru_maxrss / 1024;
#endif
}

static child_result play(const memory_case *self, double seconds)
{
    enum { BLOCK = 10 };
    spar__bench_setup setup;
    child_result result = {0};
    result.status = spar__bench_setup_open(&setup, self->env, self->policy, self->m, self->rounds, NULL);
    double start = spar__clock_thread();
    while (!result.status && setup.t < self->rounds) {
        result.status = spar__bench_setup_play(&setup, setup.t + BLOCK);
        if (1e-9 * (spar__clock_thread() - start) > seconds)
            break;
    }
    result.played = setup.t;
    spar__bench_setup_close(&setup);
    result.megabytes = peak_megabytes();
    return result;
}

static spar_status measure_memory(void *point, const spar__bench_limit *limit, spar_error *err)
{
    memory_case *self = point;
    int ends[2];
    if (pipe(ends))
        return spar__fail(err, SPAR_IO, "%s: no pipe to a child process", self->name);
    pid_t child = fork();
    if (child == 0) {
        child_result result = play(self, limit->seconds);
        ssize_t sent = write(ends[1], &result, sizeof result);
        _exit(sent == (ssize_t)sizeof result ? 0 : 1);
    }
    (void)close(ends[1]);
    child_result result = {.status = SPAR_IO};
    bool received = child > 0 && read(ends[0], &result, sizeof result) == (ssize_t)sizeof result;
    (void)close(ends[0]);
    if (child > 0)
        (void)waitpid(child, NULL, 0);
    if (!received && !spar__bench_goes_on(limit))
        return SPAR_INTERRUPTED;
    if (!received)
        return spar__fail(err, SPAR_IO, "%s: the child process that measures its memory failed", self->name);
    if (result.status)
        return spar__fail(err, result.status, "%s: %s", self->name, spar_status_text(result.status));
    self->result = result;
    return SPAR_OK;
}

static spar_status report_memory(const void *point, spar__bench_part part, double plain_ns, spar__bench_report *out)
{
    const memory_case *self = point;
    (void)plain_ns;
    if (part != SPAR__BENCH_MEMORY)
        return SPAR_OK;
    spar__bench_case item = spar__bench_case_of(part, self->name, self->k, self->m);
    item.first = 1;
    item.last = self->rounds;
    item.rounds = self->result.played;
    item.megabytes = item.rounds ? self->result.megabytes : NAN;
    return spar__bench_report_add(out, &item);
}

static const spar__bench_point_kind memory_kind = {measure_memory, NULL, report_memory, spar__free};

spar_status spar__bench_memory(spar__bench_points *points)
{
    static const memory_case cases[] = {
        {"ind_self_sparring", "utility(set=arith,k=16,link=linear)", "ind_self_sparring", 16, 4, 100000, {0}},
        {"ind_self_sparring", "utility(set=arith,k=1000000,link=linear)", "ind_self_sparring", 1000000, 4, 100000, {0}},
        {"kernel_self_sparring 1000x1000",
         "function(name=camel,points=1000)",
         "kernel_self_sparring",
         1000000,
         4,
         20,
         {0}},
    };
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < sizeof cases / sizeof *cases; i++) {
        memory_case *self = spar__alloc(1, sizeof *self);
        if (!self)
            return SPAR_NOMEM;
        *self = cases[i];
        spar__bench_point *point;
        status = spar__bench_points_add(points, &memory_kind, self, 0, 0, 1, &point);
        if (!status)
            point->most_repeats = 1;
    }
    return status;
}
