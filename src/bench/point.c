#include "bench/point.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"

#include <math.h>

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

static spar_status report_base(const spar__bench_base *base, spar__bench_report *out)
{
    spar__bench_case item = spar__bench_case_of(SPAR__BENCH_PLAIN, "plain loop", base->k, base->m);
    item.rounds = base->rounds;
    item.ns = base->rounds ? base->ns : NAN;
    item.plain_ns = item.ns;
    return spar__bench_report_add(out, &item);
}

spar_status spar__bench_points_report(const spar__bench_points *points, spar__bench_part part, spar__bench_report *out)
{
    spar_status status = SPAR_OK;
    for (size_t i = 0; part == SPAR__BENCH_PLAIN && !status && i < points->n_bases; i++)
        status = report_base(&points->base[i], out);
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
