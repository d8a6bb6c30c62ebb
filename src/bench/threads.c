/* threads.c - how much faster a simulation is on all cores, in wall-clock time.
 *
 * The number of cores is not the speedup a machine can give: cores may be busy, or be two threads of one core. So the
 * plain loop, which shares no data, is also run on one thread and on all of them. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/pool.h"
#include "bench/bench.h"

#include <math.h>

enum { ONE, ALL, WAYS };

typedef struct thread_bench {
    size_t threads;                      /* of ALL */
    spar__plain **loop;                  /* one for each thread */
    uint64_t plain_rounds;               /* of each loop, in a measurement */
    uint64_t runs;                       /* of the simulation */
    double plain[WAYS], simulated[WAYS]; /* the best so far: rounds a second */
    uint64_t played[2];
} thread_bench;

static const char POLICY[] = "ind_self_sparring";
enum { ARMS = 16, SLOTS = 2, ROUNDS = 20000 };

static void play_plain(void *context, size_t index, size_t worker)
{
    const thread_bench *self = context;
    (void)worker;
    spar__plain_play(self->loop[index], self->plain_rounds);
}

static double plain_seconds(thread_bench *self, size_t threads)
{
    double start = spar__clock_wall();
    spar__pool_run(threads, threads, play_plain, self);
    return 1e-9 * (spar__clock_wall() - start);
}

static bool report_progress(void *context, uint64_t done, uint64_t total)
{
    (void)done, (void)total;
    return spar__bench_goes_on((const spar__bench_limit *)context);
}

static spar_status simulation_seconds(thread_bench *self, size_t threads, const spar__bench_limit *limit,
                                      double *seconds, spar_error *err)
{
    const char *policies[] = {POLICY};
    spar_plan plan = {.size = sizeof(spar_plan),
                      .env = "utility(set=arith,link=linear)",
                      .policies = policies,
                      .n_policies = 1,
                      .m = SLOTS,
                      .rounds = ROUNDS,
                      .runs = self->runs,
                      .seed = 1,
                      .threads = threads,
                      .horizon = SPAR_HORIZON_ROUNDS,
                      .progress = report_progress,
                      .context = (void *)limit};
    spar_results *results = NULL;
    double start = spar__clock_wall();
    spar_status status = spar_simulate(&plan, &results, err);
    *seconds = 1e-9 * (spar__clock_wall() - start);
    if (!status && results->interrupted)
        status = SPAR_INTERRUPTED;
    spar_results_free(results);
    return status;
}

/* Doubles the work until a measurement takes `target` seconds on one thread. */
static spar_status choose_work(thread_bench *self, const spar__bench_limit *limit, double target, spar_error *err)
{
    self->plain_rounds = 100;
    while (plain_seconds(self, 1) < target)
        self->plain_rounds *= 2;
    spar_status status = SPAR_OK;
    double seconds = 0;
    for (self->runs = 4 * self->threads; !status; self->runs *= 2) {
        status = simulation_seconds(self, 1, limit, &seconds, err);
        if (seconds >= target)
            break;
    }
    return status;
}

/* One thread, then all, so that both see the machine in the same state. */
static spar_status measure_once(thread_bench *self, const spar__bench_limit *limit, spar_error *err)
{
    for (int way = ONE; way <= (self->threads > 1 ? ALL : ONE); way++) {
        size_t threads = way == ALL ? self->threads : 1;
        double seconds = plain_seconds(self, threads);
        self->plain[way] = fmax(self->plain[way], (double)(self->plain_rounds * threads) / seconds);
        self->played[0] += self->plain_rounds * threads;
        spar_status status = simulation_seconds(self, threads, limit, &seconds, err);
        if (status)
            return status;
        self->simulated[way] = fmax(self->simulated[way], (double)(self->runs * ROUNDS) / seconds);
        self->played[1] += self->runs * ROUNDS;
    }
    return SPAR_OK;
}

static spar_status measure_thread_bench(void *point, const spar__bench_limit *limit, spar_error *err)
{
    enum { MEASUREMENTS = 5 };
    thread_bench *self = point;
    spar_status status = self->runs ? SPAR_OK : choose_work(self, limit, limit->seconds / (8 * MEASUREMENTS), err);
    if (status)
        self->runs = 0;
    for (int i = 0; !status && i < MEASUREMENTS; i++)
        status = measure_once(self, limit, err);
    return status;
}

static spar_status report_one(const thread_bench *self, const char *name, const double rate[WAYS], uint64_t played,
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

static spar_status report_thread_bench(const void *point, spar__bench_part part, double plain_ns,
                                       spar__bench_report *out)
{
    const thread_bench *self = point;
    (void)plain_ns;
    if (part != SPAR__BENCH_THREADS)
        return SPAR_OK;
    spar_status status = report_one(self, "plain loop", self->plain, self->played[0], out);
    return status ? status : report_one(self, POLICY, self->simulated, self->played[1], out);
}

static void free_thread_bench(void *point)
{
    thread_bench *self = point;
    for (size_t i = 0; self->loop && i < self->threads; i++)
        spar__plain_free(self->loop[i]);
    spar__free(self->loop);
    spar__free(self);
}

static const spar__bench_point_kind thread_bench_kind = {measure_thread_bench, NULL, report_thread_bench,
                                                         free_thread_bench};

spar_status spar__bench_threads(spar__bench_points *points)
{
    thread_bench *self = spar__alloc(1, sizeof *self);
    if (!self)
        return SPAR_NOMEM;
    self->threads = spar__pool_workers(0, SIZE_MAX);
    self->loop = spar__alloc(self->threads, sizeof *self->loop);
    spar_status status = self->loop ? SPAR_OK : SPAR_NOMEM;
    for (size_t i = 0; !status && i < self->threads; i++)
        status = spar__plain_new(ARMS, SLOTS, &self->loop[i]);
    if (status) {
        free_thread_bench(self);
        return status;
    }
    return spar__bench_points_add(points, &thread_bench_kind, self, 0, 0, 8, NULL);
}
