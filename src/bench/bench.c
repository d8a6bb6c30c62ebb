#include "bench/bench.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "bench/point.h"

const char *const spar__bench_part_names[SPAR__BENCH_PARTS] = {"plain",    "policies", "arms",    "rounds",
                                                               "samplers", "kernels",  "threads", "memory"};

enum { MOST_REPEATS = 6 };
static const double LONG_ENOUGH = 150e9; /* wall-clock nanoseconds */

typedef struct bench {
    const spar__bench_plan *plan;
    spar__bench_points points;
    double planned, done; /* seconds; done: before the current measurement */
    double began;         /* that measurement, in CPU time of the process */
    double started;       /* when measure_starts last ran, on the same clock */
    double deadline;      /* wall clock: nothing is measured again after it */
} bench;

/* Memory comes first, while the process is small: its children inherit what the process holds. */
static spar_status add_points(bench *self, spar_error *err)
{
    const bool *part = self->plan->part;
    spar__bench_points *points = &self->points;
    spar_status status = SPAR_OK;
    if (part[SPAR__BENCH_MEMORY])
        status = spar__bench_memory(points);
    if (!status)
        status = spar__bench_policies(self->plan, points, err);
    if (!status && part[SPAR__BENCH_SAMPLERS])
        status = spar__bench_samplers(points);
    if (!status && part[SPAR__BENCH_KERNELS])
        status = spar__bench_kernels(points);
    if (!status && part[SPAR__BENCH_THREADS])
        status = spar__bench_threads(points);
    return status == SPAR_NOMEM ? spar__fail_memory(err) : status;
}

static bool tell_progress(void *context)
{
    const bench *self = context;
    const spar__bench_plan *plan = self->plan;
    double spent = self->done + 1e-9 * (spar__clock_process() - self->began);
    uint64_t total = (uint64_t)(1e3 * self->planned) + 1, done = (uint64_t)(1e3 * spent);
    return !plan->progress || plan->progress(plan->context, done < total ? done : total - 1, total);
}

/* Once in any case; then while another measurement is likely to fit into the budget, and not after the deadline. */
static bool wants_repeat(const bench *self, const spar__bench_point *point)
{
    unsigned most = self->plan->quick ? 1 : point->most_repeats ? point->most_repeats : MOST_REPEATS;
    return !point->repeats || (point->repeats < most && point->spent + point->longest <= point->budget &&
                               spar__clock_wall() < self->deadline);
}

/* Of the time planned; a finished point counts with all of its budget. */
static double seconds_done(const bench *self)
{
    double done = 0;
    for (size_t i = 0; i < self->points.n; i++) {
        const spar__bench_point *point = &self->points.item[i];
        done += wants_repeat(self, point) ? point->spent : point->budget;
    }
    return done;
}

/* Every few seconds the first rounds of everything are measured again: they are short, so more repeats are needed to
 * find a moment when the machine is idle. */
static spar_status measure_starts(bench *self, spar_error *err)
{
    static const double interval = 2e9, seconds = 0.003;
    spar_status status = SPAR_OK;
    if (self->plan->quick || spar__clock_process() - self->started < interval)
        return SPAR_OK;
    for (size_t i = 0; !status && i < self->points.n; i++) {
        const spar__bench_point *point = &self->points.item[i];
        spar__bench_limit limit = {seconds, tell_progress, self};
        if (point->repeats && point->kind->measure_start)
            status = point->kind->measure_start(point->self, &limit, err);
    }
    self->started = spar__clock_process();
    return status;
}

/* A measurement takes less than half of a budget, so that even what is slow is measured twice. */
static spar_status measure_all(bench *self, bool *again, spar_error *err)
{
    static const double share = 0.4, quick_share = 0.02;
    bool quick = self->plan->quick;
    spar_status status = SPAR_OK;
    *again = false;
    for (size_t i = 0; !status && i < self->points.n; i++) {
        spar__bench_point *point = &self->points.item[i];
        if (!wants_repeat(self, point))
            continue;
        spar__bench_limit limit = {(quick ? quick_share : share) * point->budget, tell_progress, self};
        self->began = spar__clock_process();
        status = tell_progress(self) ? spar__bench_point_measure(&self->points, point, &limit, err) : SPAR_INTERRUPTED;
        self->done = seconds_done(self);
        *again |= wants_repeat(self, point);
        self->began = spar__clock_process();
        if (!status)
            status = measure_starts(self, err);
    }
    return status;
}

spar_status spar__bench_run(const spar__bench_plan *plan, spar__bench_report *out, spar_error *err)
{
    *out = (spar__bench_report){0};
    bench self = {.plan = plan, .deadline = spar__clock_wall() + LONG_ENOUGH};
    spar_status status = add_points(&self, err);
    for (size_t i = 0; i < self.points.n; i++)
        self.planned += self.points.item[i].budget;
    for (bool again = true; !status && again;)
        status = measure_all(&self, &again, err);
    if (status == SPAR_INTERRUPTED) {
        out->interrupted = true;
        status = SPAR_OK;
    }
    for (spar__bench_part part = 0; !status && part < SPAR__BENCH_PARTS; part++)
        if (part == SPAR__BENCH_PLAIN || plan->part[part])
            status = spar__bench_points_report(&self.points, part, out) ? spar__fail_memory(err) : SPAR_OK;
    spar__bench_points_free(&self.points);
    if (status)
        spar__bench_report_free(out);
    return status;
}

void spar__bench_report_free(spar__bench_report *report)
{
    for (size_t i = 0; i < report->n; i++)
        spar__free(report->item[i].name);
    spar__free(report->item);
    *report = (spar__bench_report){0};
}
