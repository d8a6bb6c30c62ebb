/* memory.c - the peak memory of a process that sets up a policy and plays a while.
 *
 * A child does it and tells its own peak, as the kernel counts it: nothing is taken off, so the program itself, the
 * arms and the user are in it, and what the parent held when the child began. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "bench/point.h"
#include "bench/stage.h"

#include <math.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct room {
    const char *name, *env, *policy;
    size_t k, m;
    uint64_t rounds; /* at most */
    uint64_t played;
    double megabytes;
} room;

/* What the child says. */
typedef struct answer {
    spar_status status;
    uint64_t played;
    double megabytes;
} answer;

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

static answer play(const room *self, double seconds)
{
    enum { BLOCK = 10 };
    spar__stage stage;
    answer told = {.status = spar__stage_open(&stage, self->env, self->policy, self->m, self->rounds, NULL)};
    double start = spar__clock_thread();
    while (!told.status && stage.t < self->rounds) {
        told.status = spar__stage_play(&stage, stage.t + BLOCK);
        if (1e-9 * (spar__clock_thread() - start) > seconds)
            break;
    }
    told.played = stage.t;
    spar__stage_close(&stage);
    told.megabytes = peak_megabytes();
    return told;
}

static spar_status visit_room(void *point, const spar__visit *visit, spar_error *err)
{
    room *self = point;
    int ends[2];
    if (pipe(ends))
        return spar__fail(err, SPAR_IO, "%s: no pipe to a child process", self->name);
    pid_t child = fork();
    if (child == 0) {
        answer told = play(self, visit->seconds);
        ssize_t sent = write(ends[1], &told, sizeof told);
        _exit(sent == (ssize_t)sizeof told ? 0 : 1);
    }
    (void)close(ends[1]);
    answer told = {.status = SPAR_IO};
    bool heard = child > 0 && read(ends[0], &told, sizeof told) == (ssize_t)sizeof told;
    (void)close(ends[0]);
    int how = 0;
    if (child > 0)
        (void)waitpid(child, &how, 0);
    if (!heard && !spar__visit_goes_on(visit))
        return SPAR_INTERRUPTED;
    if (!heard)
        return spar__fail(err, SPAR_IO, "%s: the child process that takes its memory failed", self->name);
    if (told.status)
        return spar__fail(err, told.status, "%s: %s", self->name, spar_status_text(told.status));
    self->played = told.played;
    self->megabytes = told.megabytes;
    return SPAR_OK;
}

static spar_status report_room(const void *point, spar__bench_part part, double plain_ns, spar__bench_report *out)
{
    const room *self = point;
    (void)plain_ns;
    if (part != SPAR__BENCH_MEMORY)
        return SPAR_OK;
    spar__bench_case item = spar__bench_case_of(part, self->name, self->k, self->m);
    item.first = 1;
    item.last = self->rounds;
    item.rounds = self->played;
    item.megabytes = self->played ? self->megabytes : NAN;
    return spar__bench_report_add(out, &item);
}

static const spar__bench_point_kind room_kind = {visit_room, NULL, report_room, spar__free};

spar_status spar__bench_memory(spar__bench_points *points)
{
    static const room rooms[] = {
        {"ind_self_sparring", "utility(set=arith,k=16,link=linear)", "ind_self_sparring", 16, 4, 100000, 0, 0},
        {"ind_self_sparring", "utility(set=arith,k=1000000,link=linear)", "ind_self_sparring", 1000000, 4, 100000, 0,
         0},
        {"kernel_self_sparring 1000x1000", "function(name=camel,points=1000)", "kernel_self_sparring", 1000000, 4, 20,
         0, 0},
    };
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < sizeof rooms / sizeof *rooms; i++) {
        room *self = spar__alloc(1, sizeof *self);
        if (!self)
            return SPAR_NOMEM;
        *self = rooms[i];
        spar__bench_point *point;
        status = spar__bench_points_add(points, &room_kind, self, 0, 0, 1, &point);
        if (!status)
            point->most_visits = 1;
    }
    return status;
}
