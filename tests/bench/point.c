/* Points: which plain loop each is compared to, and that it runs before every measurement. */
#include "bench/bench.h"

#include "base/alloc.h"
#include "tap.h"

typedef struct dummy {
    int repeats;
    spar_status outcome;
} dummy;

static spar_status measure_dummy(void *self, const spar__bench_limit *limit, spar_error *err)
{
    (void)limit, (void)err;
    ((dummy *)self)->repeats++;
    return ((dummy *)self)->outcome;
}

static spar_status report_dummy(const void *self, spar__bench_part part, double plain_ns, spar__bench_report *out)
{
    (void)self;
    spar__bench_case item = spar__bench_case_of(part, "dummy", 5, 2);
    item.plain_ns = plain_ns;
    return part == SPAR__BENCH_ARMS ? spar__bench_report_add(out, &item) : SPAR_OK;
}

static const spar__bench_point_kind kind = {measure_dummy, NULL, report_dummy, spar__free};

static bool go_on(void *context)
{
    (void)context;
    return true;
}

static spar_status add(spar__bench_points *points, size_t k, size_t m)
{
    return spar__bench_points_add(points, &kind, spar__alloc(1, sizeof(dummy)), k, m, 1, NULL);
}

static void test_bases(void)
{
    spar__bench_points points = {0};
    spar__bench_report report = {0};
    spar__bench_limit limit = {1, go_on, NULL};
    ok(!add(&points, 5, 2) && !add(&points, 5, 4) && !add(&points, 5, 2) && !add(&points, 0, 0), "four points");
    ok(points.n == 4 && points.n_bases == 2, "of which the first three share two plain loops");
    ok(points.item[0].plain == 0 && points.item[1].plain == 1 && points.item[2].plain == 0 &&
           points.item[3].plain == SIZE_MAX,
       "each has its own, the last none");
    ok(!spar__bench_point_measure(&points, &points.item[2], &limit, NULL) &&
           !spar__bench_point_measure(&points, &points.item[3], &limit, NULL),
       "repeats");
    ok(points.base[0].repeats == 1 && points.base[0].rounds == spar__plain_block(points.base[0].loop) &&
           points.base[0].ns > 0 && isfinite(points.base[0].ns),
       "run the plain loop once");
    ok(points.base[1].repeats == 0 && !points.base[1].loop, "and no other");
    ok(points.item[2].repeats == 1 && points.item[2].spent > 0 && points.item[2].longest <= points.item[2].spent,
       "and are counted");
    ok(!spar__bench_points_report(&points, SPAR__BENCH_PLAIN, &report) && report.n == 2 && report.item[0].k == 5 &&
           report.item[0].ns == points.base[0].ns && isnan(report.item[1].ns),
       "the plain loops are reported, the one not run without a time");
    ok(!spar__bench_points_report(&points, SPAR__BENCH_ARMS, &report) && report.n == 6 &&
           report.item[2].plain_ns == points.base[0].ns && isnan(report.item[3].plain_ns) &&
           isnan(report.item[5].plain_ns),
       "and given to their points");
    same_text(report.item[2].name, "dummy", "names are copies");
    ((dummy *)points.item[0].self)->outcome = SPAR_INTERRUPTED;
    ok(spar__bench_point_measure(&points, &points.item[0], &limit, NULL) == SPAR_INTERRUPTED,
       "an interruption is passed on");
    spar__bench_points_free(&points);
    spar__bench_report_free(&report);
}

static void test_memory(void)
{
    size_t failures = 0;
    for (size_t k = 1; k < 20; k++) {
        spar__bench_points points = {0};
        spar__bench_report report = {0};
        spar__bench_case item = spar__bench_case_of(SPAR__BENCH_ARMS, "x", 1, 2);
        spar__alloc_fail_at(k);
        spar_status status = add(&points, 5, 2);
        if (!status)
            status = spar__bench_report_add(&report, &item);
        spar__alloc_fail_at(0);
        failures += status == SPAR_NOMEM;
        spar__bench_points_free(&points);
        spar__bench_report_free(&report);
    }
    ok(failures == 5, "every allocation may fail");
}

int main(void)
{
    test_bases();
    test_memory();
    return done();
}
