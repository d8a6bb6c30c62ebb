/* bench.c - measures everything in turn until its budget of time is used, each right after the plain loop with the same
 * arms and slots; the least time counts. */
#include "bench/bench.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "sampler/sampler.h"

#include <math.h>

struct spar__plain {
    size_t k, m;
    double *a, *b, *value;
    size_t *arm;
    spar_rng rng;
};

spar_status spar__plain_new(size_t k, size_t m, spar__plain **out)
{
    *out = NULL;
    spar__plain *self = spar__alloc(1, sizeof *self);
    if (!self)
        return SPAR_NOMEM;
    self->k = k;
    self->m = m;
    self->a = spar__alloc(k, sizeof *self->a);
    self->b = spar__alloc(k, sizeof *self->b);
    self->value = spar__alloc(k, sizeof *self->value);
    self->arm = spar__alloc(m, sizeof *self->arm);
    if (!self->a || !self->b || !self->value || !self->arm) {
        spar__plain_free(self);
        return SPAR_NOMEM;
    }
    spar_rng_seed(&self->rng, 1, 1, 1);
    for (size_t i = 0; i < k; i++) { /* the utilities of set=arith */
        self->a[i] = self->b[i] = 1;
        self->value[i] = i == 0 ? 0.8 : 0.7 - 0.5 * (double)(i - 1) / (k > 2 ? (double)(k - 2) : 1);
    }
    *out = self;
    return SPAR_OK;
}

void spar__plain_free(spar__plain *plain)
{
    if (!plain)
        return;
    spar__free(plain->a);
    spar__free(plain->b);
    spar__free(plain->value);
    spar__free(plain->arm);
    spar__free(plain);
}

static size_t argmax_of_draws(spar_rng *rng, size_t n, const double *a, const double *b)
{
    size_t best = 0;
    double top = -1;
    for (size_t i = 0; i < n; i++) {
        double x = spar__gamma(rng, a[i]), theta = x / (x + spar__gamma(rng, b[i]));
        if (theta > top) {
            top = theta;
            best = i;
        }
    }
    return best;
}

static void duel(spar__plain *self, size_t i, size_t j)
{
    int win = spar_rng_uniform(&self->rng) < (1 + self->value[i] - self->value[j]) / 2;
    self->a[i] += win;
    self->b[i] += !win;
    self->a[j] += !win;
    self->b[j] += win;
}

void spar__plain_play(spar__plain *plain, uint64_t rounds)
{
    for (uint64_t t = 0; t < rounds; t++) {
        for (size_t j = 0; j < plain->m; j++)
            plain->arm[j] = argmax_of_draws(&plain->rng, plain->k, plain->a, plain->b);
        for (size_t j = 0; j < plain->m; j++)
            for (size_t k = j + 1; k < plain->m; k++)
                duel(plain, plain->arm[j], plain->arm[k]);
    }
}

uint64_t spar__plain_block(const spar__plain *plain)
{
    enum { DRAWS = 100000 };
    uint64_t rounds = DRAWS / (plain->k * plain->m);
    return rounds ? rounds : 1;
}

void spar__bench_points_free(spar__bench_points *points)
{
    for (size_t i = 0; i < points->n; i++)
        points->item[i].kind->free(points->item[i].self);
    for (size_t i = 0; i < points->n_bases; i++)
        spar__plain_free(points->base[i].loop);
    spar__free(points->item);
    spar__free(points->base);
}

/* The plain loop for these arms and slots, a new one if there is none. */
static spar_status find_base(spar__bench_points *points, size_t k, size_t m, size_t *out)
{
    for (*out = 0; *out < points->n_bases; ++*out)
        if (points->base[*out].k == k && points->base[*out].m == m)
            return SPAR_OK;
    spar__bench_base *grown = spar__realloc(points->base, points->n_bases, points->n_bases + 1, sizeof *grown);
    if (!grown)
        return SPAR_NOMEM;
    points->base = grown;
    grown[points->n_bases++] = (spar__bench_base){.k = k, .m = m, .ns = INFINITY};
    return SPAR_OK;
}

spar_status spar__bench_points_add(spar__bench_points *points, const spar__bench_point_kind *kind, void *self, size_t k,
                                   size_t m, double budget, spar__bench_point **out)
{
    size_t plain = SIZE_MAX;
    spar_status status = self ? SPAR_OK : SPAR_NOMEM;
    if (!status && k)
        status = find_base(points, k, m, &plain);
    spar__bench_point *grown = status ? NULL : spar__realloc(points->item, points->n, points->n + 1, sizeof *grown);
    if (!grown) {
        if (self)
            kind->free(self);
        return SPAR_NOMEM;
    }
    points->item = grown;
    grown[points->n] = (spar__bench_point){.kind = kind, .self = self, .plain = plain, .budget = budget};
    if (out)
        *out = &grown[points->n];
    points->n++;
    return SPAR_OK;
}

/* Large ones take a tenth of a second a round: a few rounds are enough. The loop is made when it is first needed, after
 * peak memory was measured. */
static spar_status measure_base(spar__bench_base *base)
{
    enum { LARGE = 10000, ENOUGH = 4 };
    if (base->k > LARGE && base->repeats >= ENOUGH)
        return SPAR_OK;
    if (!base->loop && spar__plain_new(base->k, base->m, &base->loop))
        return SPAR_NOMEM;
    uint64_t rounds = spar__plain_block(base->loop);
    double start = spar__clock_thread();
    spar__plain_play(base->loop, rounds);
    base->ns = fmin(base->ns, (spar__clock_thread() - start) / (double)rounds);
    base->rounds += rounds;
    base->repeats++;
    return SPAR_OK;
}

spar_status spar__bench_point_measure(spar__bench_points *points, spar__bench_point *point,
                                      const spar__bench_limit *limit, spar_error *err)
{
    double start = spar__clock_process();
    if (point->plain != SIZE_MAX && measure_base(&points->base[point->plain]))
        return spar__fail_memory(err);
    spar_status status = point->kind->measure(point->self, limit, err);
    double took = 1e-9 * (spar__clock_process() - start);
    point->spent += took;
    point->longest = fmax(point->longest, took);
    point->repeats++;
    return status;
}

spar_status spar__bench_points_report(const spar__bench_points *points, spar__bench_part part, spar__bench_report *out)
{
    spar_status status = SPAR_OK;
    for (size_t i = 0; part == SPAR__BENCH_PLAIN && !status && i < points->n_bases; i++) {
        const spar__bench_base *base = &points->base[i];
        spar__bench_case item = spar__bench_case_of(SPAR__BENCH_PLAIN, "plain loop", base->k, base->m);
        item.rounds = base->rounds;
        item.ns = base->rounds ? base->ns : NAN;
        item.plain_ns = item.ns;
        status = spar__bench_report_add(out, &item);
    }
    for (size_t i = 0; !status && i < points->n; i++) {
        const spar__bench_point *point = &points->item[i];
        const spar__bench_base *base = point->plain == SIZE_MAX ? NULL : &points->base[point->plain];
        status = point->kind->report(point->self, part, base && base->rounds ? base->ns : NAN, out);
    }
    return status;
}

spar__bench_case spar__bench_case_of(spar__bench_part part, const char *name, size_t k, size_t m)
{
    return (spar__bench_case){.part = part,
                              .name = (char *)name, /* copied by spar__bench_report_add */
                              .k = k,
                              .m = m,
                              .ns = NAN,
                              .plain_ns = NAN,
                              .per_second = NAN,
                              .speedup = NAN,
                              .megabytes = NAN};
}

spar_status spar__bench_report_add(spar__bench_report *report, const spar__bench_case *item)
{
    spar__bench_case *grown = spar__grow(report->item, &report->capacity, report->n + 1, 64, sizeof *grown);
    if (!grown)
        return SPAR_NOMEM;
    report->item = grown;
    char *name = spar__strdup(item->name);
    if (!name)
        return SPAR_NOMEM;
    report->item[report->n] = *item;
    report->item[report->n++].name = name;
    return SPAR_OK;
}

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
        self->done = 0; /* of the time planned; a finished point counts with all of its budget */
        for (size_t k = 0; k < self->points.n; k++) {
            const spar__bench_point *one = &self->points.item[k];
            self->done += wants_repeat(self, one) ? one->spent : one->budget;
        }
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
    spar_status status = spar__bench_cases(plan, &self.points, err);
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
