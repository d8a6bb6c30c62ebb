/* When answers came: columns that grow wider, answers that were flagged, a log that is read in parts. */
#include "live/answer_request.h"
#include "live/answer_summary.h"
#include "live/world.h"

static uint64_t sum(const spar__pace *pace)
{
    uint64_t all = 0;
    for (size_t i = 0; i < pace->n; i++)
        all += pace->count[i];
    return all;
}

/* The same times, counted one by one into columns of the final width. */
static bool is_right(const spar__pace *pace, size_t n, const int64_t *second)
{
    uint64_t count[SPAR__PACE_COLUMNS] = {0};
    for (size_t i = 0; i < n; i++)
        count[(second[i] - pace->begin) / pace->width]++;
    return memcmp(count, pace->count, sizeof count) == 0;
}

static void test_columns(void)
{
    static const int64_t span[] = {20, 1700, 7000, 86400, 900000, 40000000, 2000000000};
    enum { N = 500 };
    int64_t second[N];
    for (size_t s = 0; s < sizeof span / sizeof *span; s++) {
        spar__pace pace = {0};
        for (size_t i = 0; i < N; i++) {
            second[i] = 1700000003 + (int64_t)i * span[s] / N;
            spar__pace_add(&pace, second[i] * 1000000 + 999999);
        }
        ok(sum(&pace) == N && is_right(&pace, N, second) && pace.begin % pace.width == 0,
           "%lld seconds: %zu columns of %lld seconds", (long long)span[s], pace.n, (long long)pace.width);
        ok(pace.n == (size_t)((second[N - 1] - pace.begin) / pace.width) + 1, "up to the last answer");
        spar__pace_fini(&pace);
    }
}

static void test_clock(void)
{
    spar__pace pace = {0};
    spar__pace_add(&pace, -1);
    ok(pace.begin == -60 && pace.n == 1, "before 1970");
    spar__pace_add(&pace, -(int64_t)1000000 * 1000000);
    ok(pace.n == 1 && pace.count[0] == 2, "a clock that was set back");
    spar__pace_fini(&pace);
}

static void tell_hasty(spar_experiment *experiment, const char *voter, uint32_t milliseconds)
{
    spar_answer *answer = NULL;
    spar_remarks *remarks = NULL;
    must(spar_answer_new(&answer));
    must(spar_remarks_new(&remarks));
    spar_answer_set_winner(answer, 0);
    spar__remarks_time(remarks, milliseconds);
    must(spar_experiment_tell(experiment, ask(experiment, voter), voter, answer, remarks, NULL, &err));
    spar_answer_free(answer);
    spar_remarks_free(remarks);
}

static void test_log(const spar__store_class *cls)
{
    spar_experiment *experiment = new_experiment(new_place(cls), 4, 1);
    spar__pace whole = {0}, parts = {0};
    for (int i = 0; i < 6; i++)
        tell_hasty(experiment, "ann", i < 3 ? 100 : 5000);
    must(spar__pace_read(&whole, experiment, 1000, &err));
    ok(sum(&whole) == 6 && whole.flagged == 3, "%s: answers, and those that were too fast", cls->name);
    must(spar_experiment_undo(experiment, 1, NULL, SPAR_ANY_REVISION, NULL, &err));
    must(spar_experiment_undo(experiment, 6, NULL, SPAR_ANY_REVISION, NULL, &err));
    must(spar__pace_read(&whole, experiment, 1000, &err));
    ok(sum(&whole) == 6 && whole.flagged == 2, "one that was taken back is flagged no more");
    for (int i = 0; i < 1000 && parts.read < spar_experiment_sequence(experiment); i++)
        must(spar__pace_read(&parts, experiment, 1, &err));
    ok(parts.read == whole.read && parts.flagged == whole.flagged && sum(&parts) == sum(&whole),
       "event by event, the same");
    spar__pace_fini(&whole);
    spar__pace_fini(&parts);
    spar_experiment_close(experiment);
}

int main(void)
{
    test_columns();
    test_clock();
    for (const spar__store_class *const *cls = stores_here(); *cls; cls++)
        test_log(*cls);
    close_places();
    return done();
}
