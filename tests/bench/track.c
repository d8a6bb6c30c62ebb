/* Tracks: how windows of rounds are cut out of what was measured. */
#include "bench/track.h"

#include "tap.h"

static int left; /* so many looks until the user wants to stop; below 0: never */

static bool go_on(void *context)
{
    (void)context;
    return left < 0 || left-- > 0;
}

static spar__track *add(spar__bench_points *points, const char *policy, size_t m, double purse)
{
    spar__track wanted = {.name = (char *)policy, .env = (char *)"utility(set=arith)", .k = 16, .m = m};
    spar__track *track = NULL;
    return spar__track_add(points, &wanted, true, purse, &track) ? NULL : track;
}

static spar_status visit(spar__bench_points *points, double seconds, spar_error *err)
{
    spar__visit how = {seconds, go_on, NULL};
    return spar__bench_point_visit(points, &points->item[0], &how, err);
}

static void test_windows(void)
{
    spar__bench_points points = {0};
    spar__bench_report report = {0};
    spar_error err = {0};
    spar__track *track = add(&points, "random", 2, 1);
    ok(track && add(&points, "random", 2, 3) == track && points.n == 1 && points.item[0].purse == 3,
       "who asks for the same shares it, and its larger purse");
    ok(add(&points, "random", 4, 1) != track && add(&points, "rucb", 2, 1) != track && points.n == 3, "others do not");
    track = points.item[0].self;
    spar__track_watch(track, SPAR__BENCH_ROUNDS, 1, 100);
    spar__track_watch(track, SPAR__BENCH_ROUNDS, 101, 1000);
    spar__track_watch(track, SPAR__BENCH_POLICIES, 1, 1000);
    spar__track_watch(track, SPAR__BENCH_ARMS, 1001, 10000);
    ok(track->rounds == 10000, "the longest window says how many rounds");

    left = -1;
    track->rounds = 1000; /* as if the purse were empty then */
    ok(!visit(&points, 1e9, &err), "a visit: %s", err.text);
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

static double total(const spar__track *track, uint64_t *rounds)
{
    double ns = 0;
    *rounds = 0;
    for (size_t s = 0; s < SPAR__TRACK_STRETCHES; s++) {
        ns += track->stretch[s].ns;
        *rounds += track->stretch[s].rounds;
    }
    return ns;
}

static void test_visits(void)
{
    spar__bench_points points = {0};
    spar_error err = {0};
    uint64_t rounds;
    (void)add(&points, "random", 2, 1);
    spar__track *track = points.item[0].self;
    spar__track_watch(track, SPAR__BENCH_POLICIES, 1, 100000);

    left = 3;
    ok(visit(&points, 1e9, &err) == SPAR_INTERRUPTED, "stopped on the way");
    (void)total(track, &rounds);
    ok(rounds == 0, "nothing is kept of half a visit");

    left = -1;
    ok(!visit(&points, 0, &err), "no time at all");
    double ns = total(track, &rounds);
    ok(rounds > 0 && rounds < 100 && ns > 0, "is enough for some rounds");

    spar__visit how = {1e9, go_on, NULL};
    ok(!points.item[0].kind->glance(track, &how, &err), "a glance");
    (void)total(track, &rounds);
    ok(rounds > 0 && rounds < 100, "is not for those who do not ask for the first rounds");
    spar__track_watch(track, SPAR__BENCH_POLICIES, 1, 1000);
    ok(!points.item[0].kind->glance(track, &how, &err), "if they do");
    (void)total(track, &rounds);
    ok(rounds == 1000, "it sees just these");

    ok(!visit(&points, 1e9, &err), "time enough");
    ns = total(track, &rounds);
    ok(rounds == 100000, "is for all rounds, which win over fewer");

    bool never_more = true;
    for (int i = 0; i < 5; i++) {
        ok(!visit(&points, 1e9, &err), "once more");
        double now = total(track, &rounds);
        never_more &= now <= ns && rounds == 100000;
        ns = now;
    }
    ok(never_more, "the least time counts");
    ok(!visit(&points, 0, &err) && total(track, &rounds) <= ns && rounds == 100000, "and is not lost to a short visit");

    spar__bench_points bad = {0};
    (void)add(&bad, "rucbb", 2, 1);
    spar__track_watch(bad.item[0].self, SPAR__BENCH_POLICIES, 1, 1000);
    ok(visit(&bad, 1, &err) == SPAR_UNKNOWN && strstr(err.text, "rucb"), "no such policy: %s", err.text);
    spar__bench_points_free(&bad);
    spar__bench_points_free(&points);
}

int main(void)
{
    test_windows();
    test_visits();
    return done();
}
