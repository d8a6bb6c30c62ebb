/* Timelines: windows of rounds as sums of measured segments. */
#include "bench/bench.h"

#include "tap.h"

static int left; /* calls of go_on until the user wants to stop; below 0: never */

static bool go_on(void *context)
{
    (void)context;
    return left < 0 || left-- > 0;
}

static spar__timeline *add(spar__bench_points *points, const char *policy, size_t m, double budget)
{
    spar__timeline wanted = {.name = policy, .env = "utility(set=arith)", .k = 16, .m = m};
    spar__timeline *timeline = NULL;
    return spar__timeline_add(points, &wanted, true, budget, &timeline) ? NULL : timeline;
}

static spar_status measure(spar__bench_points *points, double seconds, spar_error *err)
{
    spar__bench_limit limit = {seconds, go_on, NULL};
    return spar__bench_point_measure(points, &points->item[0], &limit, err);
}

static void test_windows(void)
{
    spar__bench_points points = {0};
    spar__bench_report report = {0};
    spar_error err = {0};
    spar__timeline *timeline = add(&points, "random", 2, 1);
    ok(timeline && add(&points, "random", 2, 3) == timeline && points.n == 1 && points.item[0].budget == 3,
       "who asks for the same shares it, and its larger budget");
    ok(add(&points, "random", 4, 1) != timeline && add(&points, "rucb", 2, 1) != timeline && points.n == 3,
       "others do not");
    timeline = points.item[0].self;
    spar__timeline_add_window(timeline, SPAR__BENCH_ROUNDS, 1, 100);
    spar__timeline_add_window(timeline, SPAR__BENCH_ROUNDS, 101, 1000);
    spar__timeline_add_window(timeline, SPAR__BENCH_POLICIES, 1, 1000);
    spar__timeline_add_window(timeline, SPAR__BENCH_ARMS, 1001, 10000);
    ok(timeline->rounds == 10000, "the longest window says how many rounds");

    left = -1;
    timeline->rounds = 1000; /* as if the budget were empty then */
    ok(!measure(&points, 1e9, &err), "measured: %s", err.text);
    ok(!spar__bench_points_report(&points, SPAR__BENCH_ROUNDS, &report) &&
           !spar__bench_points_report(&points, SPAR__BENCH_POLICIES, &report) &&
           !spar__bench_points_report(&points, SPAR__BENCH_ARMS, &report) && report.n == 4,
       "a case for every window");
    const spar__bench_case *c = report.item;
    ok(c[0].rounds == 100 && c[1].rounds == 900 && c[2].rounds == 1000, "each over its rounds");
    ok(c[3].rounds == 0 && isnan(c[3].ns), "those not reached have no time");
    near(c[2].ns, (100 * c[0].ns + 900 * c[1].ns) / 1000, 1e-9 * c[2].ns, "times add up");
    ok(c[2].first == 1 && c[2].last == 1000 && c[2].k == 16 && c[2].m == 2, "it says what it is of");
    spar__bench_report_free(&report);
    spar__bench_points_free(&points);
}

static double total(const spar__timeline *timeline, uint64_t *rounds)
{
    double ns = 0;
    *rounds = 0;
    for (size_t s = 0; s < SPAR__TIMELINE_SEGMENTS; s++) {
        ns += timeline->segment[s].ns;
        *rounds += timeline->segment[s].rounds;
    }
    return ns;
}

static void test_repeats(void)
{
    spar__bench_points points = {0};
    spar_error err = {0};
    uint64_t rounds;
    (void)add(&points, "random", 2, 1);
    spar__timeline *timeline = points.item[0].self;
    spar__timeline_add_window(timeline, SPAR__BENCH_POLICIES, 1, 100000);

    left = 3;
    ok(measure(&points, 1e9, &err) == SPAR_INTERRUPTED, "stopped on the way");
    (void)total(timeline, &rounds);
    ok(rounds == 0, "nothing is kept of half a measurement");

    left = -1;
    ok(!measure(&points, 0, &err), "no time at all");
    double ns = total(timeline, &rounds);
    ok(rounds > 0 && rounds < 100 && ns > 0, "is enough for some rounds");

    spar__bench_limit limit = {1e9, go_on, NULL};
    ok(!points.item[0].kind->measure_start(timeline, &limit, &err), "measuring the start");
    (void)total(timeline, &rounds);
    ok(rounds > 0 && rounds < 100, "does nothing without an early window");
    spar__timeline_add_window(timeline, SPAR__BENCH_POLICIES, 1, 1000);
    ok(!points.item[0].kind->measure_start(timeline, &limit, &err), "with one");
    (void)total(timeline, &rounds);
    ok(rounds == 1000, "it plays just these rounds");

    ok(!measure(&points, 1e9, &err), "time enough");
    ns = total(timeline, &rounds);
    ok(rounds == 100000, "is for all rounds, which win over fewer");

    bool never_more = true;
    for (int i = 0; i < 5; i++) {
        ok(!measure(&points, 1e9, &err), "once more");
        double now = total(timeline, &rounds);
        never_more &= now <= ns && rounds == 100000;
        ns = now;
    }
    ok(never_more, "the least time counts");
    ok(!measure(&points, 0, &err) && total(timeline, &rounds) <= ns && rounds == 100000,
       "and is not lost to a short measurement");

    spar__bench_points bad = {0};
    (void)add(&bad, "rucbb", 2, 1);
    spar__timeline_add_window(bad.item[0].self, SPAR__BENCH_POLICIES, 1, 1000);
    ok(measure(&bad, 1, &err) == SPAR_UNKNOWN && strstr(err.text, "rucb"), "no such policy: %s", err.text);
    spar__bench_points_free(&bad);
    spar__bench_points_free(&points);
}

int main(void)
{
    test_windows();
    test_repeats();
    return done();
}
