/* threads.c - how much faster a simulation is on all cores, in time of day.
 *
 * What the machine can give is not what it says: cores may be busy, or two of them one. So the plain loop, which shares
 * nothing at all, is run on one thread and on all of them as well. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/pool.h"
#include "bench/point.h"

#include <math.h>

enum { ONE, ALL, WAYS };

typedef struct crew {
    size_t threads;                /* of ALL */
    spar__plain **loop;            /* one for each thread */
    uint64_t plain_rounds;         /* of each, in a measurement */
    uint64_t runs;                 /* of the simulation */
    double plain[WAYS], lab[WAYS]; /* the best so far: rounds a second */
    uint64_t played[2];
} crew;

static const char POLICY[] = "ind_self_sparring";
enum { ARMS = 16, SLOTS = 2, ROUNDS = 20000 };

static void play_plain(void *context, size_t index, size_t worker)
{
    const crew *self = context;
    (void)worker;
    spar__plain_play(self->loop[index], self->plain_rounds);
}

static double plain_seconds(crew *self, size_t threads)
{
    double start = spar__clock_wall();
    spar__pool_run(threads, threads, play_plain, self);
    return 1e-9 * (spar__clock_wall() - start);
}

static bool listen(void *context, uint64_t done, uint64_t total)
{
    (void)done, (void)total;
    return spar__visit_goes_on((const spar__visit *)context);
}

static spar_status lab_seconds(crew *self, size_t threads, const spar__visit *visit, double *seconds, spar_error *err)
{
    const char *policies[] = {POLICY};
    spar_plan plan = {.env = "utility(set=arith,link=linear)",
                      .policies = policies,
                      .n_policies = 1,
                      .m = SLOTS,
                      .rounds = ROUNDS,
                      .runs = self->runs,
                      .seed = 1,
                      .threads = threads,
                      .horizon_known = true,
                      .progress = listen,
                      .context = (void *)visit};
    spar_results *results = NULL;
    double start = spar__clock_wall();
    spar_status status = spar_simulate(&plan, &results, err);
    *seconds = 1e-9 * (spar__clock_wall() - start);
    if (!status && results->interrupted)
        status = SPAR_INTERRUPTED;
    spar_results_free(results);
    return status;
}

/* So much work that a measurement takes a while on one thread. */
static spar_status size_up(crew *self, const spar__visit *visit, double target, spar_error *err)
{
    self->plain_rounds = 100;
    while (plain_seconds(self, 1) < target)
        self->plain_rounds *= 2;
    spar_status status = SPAR_OK;
    double seconds = 0;
    for (self->runs = 4 * self->threads; !status; self->runs *= 2) {
        status = lab_seconds(self, 1, visit, &seconds, err);
        if (seconds >= target)
            break;
    }
    return status;
}

/* One thread, then all: both see the machine in the same state. */
static spar_status measure(crew *self, const spar__visit *visit, spar_error *err)
{
    for (int way = ONE; way <= (self->threads > 1 ? ALL : ONE); way++) {
        size_t threads = way == ALL ? self->threads : 1;
        double seconds = plain_seconds(self, threads);
        self->plain[way] = fmax(self->plain[way], (double)(self->plain_rounds * threads) / seconds);
        self->played[0] += self->plain_rounds * threads;
        spar_status status = lab_seconds(self, threads, visit, &seconds, err);
        if (status)
            return status;
        self->lab[way] = fmax(self->lab[way], (double)(self->runs * ROUNDS) / seconds);
        self->played[1] += self->runs * ROUNDS;
    }
    return SPAR_OK;
}

static spar_status visit_crew(void *point, const spar__visit *visit, spar_error *err)
{
    enum { MEASUREMENTS = 5 };
    crew *self = point;
    spar_status status = self->runs ? SPAR_OK : size_up(self, visit, visit->seconds / (8 * MEASUREMENTS), err);
    if (status)
        self->runs = 0;
    for (int i = 0; !status && i < MEASUREMENTS; i++)
        status = measure(self, visit, err);
    return status;
}

static spar_status report_one(const crew *self, const char *name, const double rate[WAYS], uint64_t played,
                              spar__bench_report *out)
{
    spar_status status = SPAR_OK;
    for (int way = ONE; !status && way <= (self->threads > 1 ? ALL : ONE); way++) {
        spar__bench_case item = spar__bench_case_of(SPAR__BENCH_THREADS, name, ARMS, SLOTS);
        item.threads = way == ALL ? self->threads : 1;
        if (rate[way] > 0 && rate[ONE] > 0) {
            item.rounds = played;
            item.per_second = rate[way];
            item.ns = 1e9 / rate[way];
            item.speedup = rate[way] / rate[ONE];
        }
        status = spar__bench_report_add(out, &item);
    }
    return status;
}

static spar_status report_crew(const void *point, spar__bench_part part, double plain_ns, spar__bench_report *out)
{
    const crew *self = point;
    (void)plain_ns;
    if (part != SPAR__BENCH_THREADS)
        return SPAR_OK;
    spar_status status = report_one(self, "plain loop", self->plain, self->played[0], out);
    return status ? status : report_one(self, POLICY, self->lab, self->played[1], out);
}

static void free_crew(void *point)
{
    crew *self = point;
    for (size_t i = 0; self->loop && i < self->threads; i++)
        spar__plain_free(self->loop[i]);
    spar__free(self->loop);
    spar__free(self);
}

static const spar__bench_point_kind crew_kind = {visit_crew, NULL, report_crew, free_crew};

spar_status spar__bench_threads(spar__bench_points *points)
{
    crew *self = spar__alloc(1, sizeof *self);
    if (!self)
        return SPAR_NOMEM;
    self->threads = spar__pool_workers(0, SIZE_MAX);
    self->loop = spar__alloc(self->threads, sizeof *self->loop);
    spar_status status = self->loop ? SPAR_OK : SPAR_NOMEM;
    for (size_t i = 0; !status && i < self->threads; i++)
        status = spar__plain_new(ARMS, SLOTS, &self->loop[i]);
    if (status) {
        free_crew(self);
        return status;
    }
    return spar__bench_points_add(points, &crew_kind, self, 0, 0, 8, NULL);
}
