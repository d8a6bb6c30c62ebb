#include "sim/sweep.h"

#include "base/alloc.h"
#include "base/error.h"
#include "sim/lab.h"

/* A fake laboratory: the regret of a candidate is its loss, plus the luck of the run, which all candidates share, plus
 * a little of its own. Remembers what was played. */
enum { MOST = 64, RUNS = 400 };

typedef struct fake {
    double loss[MOST];
    double luck; /* how much of it */
    double tail; /* every eighth run of an odd candidate costs so much more */
    size_t stop; /* runs from here on are not complete; 0: all are */
    size_t played[MOST];
    size_t calls, n[16];
    bool gap; /* a run was left out or played twice */
} fake;

static double hash(size_t a, size_t b)
{
    uint64_t x = (a + 1) * UINT64_C(0x9E3779B97F4A7C15) ^ (b + 7) * UINT64_C(0xC2B2AE3D27D4EB4F);
    x = (x ^ x >> 31) * UINT64_C(0xD6E8FEB86659FD93);
    return (double)(x >> 11) * 0x1p-53;
}

static spar_status play(void *context, const size_t *candidate, size_t n, size_t first, size_t runs,
                        double *const *regret, spar_error *err)
{
    (void)err;
    fake *lab = context;
    lab->n[lab->calls++] = n;
    for (size_t i = 0; i < n; i++) {
        size_t c = candidate[i];
        lab->gap |= lab->played[c] != first;
        lab->played[c] += runs;
        for (size_t r = 0; r < runs; r++) {
            size_t run = first + r;
            bool tail = c % 2 && run % 8 == 3;
            regret[i][r] = lab->loss[c] + lab->luck * hash(0, run) + hash(c + 1, run) + (tail ? lab->tail : 0);
            if (lab->stop && run >= lab->stop)
                regret[i][r] = NAN;
        }
    }
    return SPAR_OK;
}

static spar__tuning search(fake *lab, size_t n, size_t runs, spar__tune_by by)
{
    spar__tuning tuning;
    spar_error err = {0};
    if (spar__tune(n, runs, by, play, lab, &tuning, &err)) {
        printf("Bail out! %s\n", err.text);
        exit(1);
    }
    return tuning;
}

static void test_ladder(void)
{
    static const struct {
        size_t n, rungs, left[6];
    } ladders[] = {{1, 1, {1}}, {2, 1, {2}}, {3, 2, {3, 2}}, {4, 2, {4, 2}}, {5, 3, {5, 3, 2}}, {13, 4, {13, 7, 4, 2}}};
    for (size_t i = 0; i < sizeof ladders / sizeof *ladders; i++) {
        fake lab = {0};
        size_t n = ladders[i].n;
        spar__tuning tuning = search(&lab, n, RUNS, SPAR__TUNE_MEAN);
        ok(tuning.rungs == ladders[i].rungs && lab.calls == tuning.rungs, "%zu candidates: %zu rungs", n, tuning.rungs);
        ok(memcmp(lab.n, ladders[i].left, tuning.rungs * sizeof *lab.n) == 0, "%zu: half of them goes on", n);
        bool good = !lab.gap;
        uint64_t jobs = 0;
        for (size_t c = 0; c < n; c++) {
            const spar__candidate *candidate = &tuning.candidate[c];
            good = good && candidate->runs == lab.played[c] && candidate->summary.n == candidate->runs &&
                   candidate->runs == (size_t)RUNS >> (tuning.rungs - candidate->rung);
            jobs += candidate->runs;
        }
        ok(good, "%zu: with twice the runs, each of them once", n);
        ok(jobs == spar__tune_jobs(n, RUNS), "%zu: %llu jobs, as foretold", n, (unsigned long long)jobs);
        good = !tuning.interrupted;
        for (size_t k = 1; k < n; k++)
            good = good && tuning.candidate[tuning.order[k - 1]].rung >= tuning.candidate[tuning.order[k]].rung;
        ok(good, "%zu: who came further stands before", n);
        spar__tuning_free(&tuning);
    }
    ok(spar__tune_runs(64, 20, 1) == 10 && spar__tune_runs(64, 20, 5) == 10 && spar__tune_runs(64, 20, 6) == 20,
       "ten runs are the least");
    ok(spar__tune_runs(64, 3, 1) == 3, "unless there are fewer");
    fake lab = {0};
    spar__tuning few = search(&lab, 64, 3, SPAR__TUNE_MEAN);
    ok(lab.calls == 1 && few.candidate[few.order[0]].rung == 6, "rungs without a new run are climbed for nothing");
    spar__tuning_free(&few);
}

/* The luck of a run is a hundred times what the candidates differ by: without pairing the best would be lost. */
static void test_finds(void)
{
    for (size_t best = 0; best < 13; best++) {
        fake lab = {.luck = 300};
        for (size_t c = 0; c < 13; c++)
            lab.loss[c] = 3 * fabs((double)c - (double)best);
        spar__tuning tuning = search(&lab, 13, RUNS, best % 2 ? SPAR__TUNE_MEAN : SPAR__TUNE_MEDIAN);
        size_t mean = spar__tuning_best(&tuning, SPAR__TUNE_MEAN, SIZE_MAX);
        size_t next = spar__tuning_best(&tuning, SPAR__TUNE_MEAN, mean);
        ok(tuning.order[0] == best && mean == best, "candidate %zu is found", best);
        ok(next + 1 == best || next == best + 1, "its neighbour is next");
        spar__difference d;
        spar__tuning_compare(&tuning, next, best, &d);
        near(d.mean, 3, 0.12, "by the difference of their losses"); /* sd of a difference: 0.41, of 400: 0.02 */
        ok(d.n >= RUNS / 2 && d.se < 0.04 && d.worse == 1, "which luck does not blur (%g)", d.se);
        spar__tuning_compare(&tuning, best == 0 ? 12 : 0, best, &d);
        ok(d.n >= 50 && d.se < 0.15, "even against who was dropped (%zu runs)", d.n);
        spar__tuning_free(&tuning);
    }
}

/* Odd candidates have the lower loss in most runs, and lose a lot in a few. */
static void test_tails(void)
{
    for (int by = 0; by < 2; by++) {
        fake lab = {.tail = 1000};
        for (size_t c = 0; c < 8; c++)
            lab.loss[c] = 100 + 10 * (double)(c / 2) - (c % 2 ? 5 : 0);
        spar__tuning tuning = search(&lab, 8, RUNS, (spar__tune_by)by);
        ok(tuning.order[0] == (by == SPAR__TUNE_MEDIAN ? 1 : 0), "by %s", by ? "median" : "mean");
        ok(spar__tuning_best(&tuning, SPAR__TUNE_MEAN, SIZE_MAX) == 0, "the best by mean is known");
        ok(spar__tuning_best(&tuning, SPAR__TUNE_MEDIAN, SIZE_MAX) == 1, "and that by median, too");
        spar__difference d;
        spar__tuning_compare(&tuning, 0, 1, &d);
        ok(d.mean < 0 && d.worse > 0.8, "better on the whole, worse in most runs");
        spar__tuning_free(&tuning);
    }
}

static void test_interrupted(void)
{
    fake lab = {.luck = 10, .stop = 70};
    for (size_t c = 0; c < 13; c++)
        lab.loss[c] = 3 * fabs((double)c - 4);
    spar__tuning tuning = search(&lab, 13, RUNS, SPAR__TUNE_MEAN);
    ok(tuning.interrupted && lab.calls == 2, "after a stop nothing more is played");
    const spar__candidate *best = &tuning.candidate[4], *worst = &tuning.candidate[12];
    ok(tuning.order[0] == 4 && best->rung == 2 && best->summary.n == 70, "what is complete counts");
    ok(worst->rung == 1 && worst->summary.n == 50, "for all of them");
    spar__tuning_free(&tuning);
    lab = (fake){.stop = 1};
    for (size_t c = 0; c < 3; c++)
        lab.loss[c] = 3 - (double)c;
    tuning = search(&lab, 3, RUNS, SPAR__TUNE_MEAN);
    ok(tuning.order[0] == 2 && tuning.candidate[1].summary.n == 1, "one run is better than none");
    for (size_t c = 0; c < 3; c++)
        tuning.candidate[c].summary.n = 0;
    ok(spar__tuning_best(&tuning, SPAR__TUNE_MEAN, SIZE_MAX) == 3, "without a run there is no best");
    spar__tuning_free(&tuning);
}

struct watch {
    uint64_t last, total, stop_at;
    bool wrong;
};

static bool watch(void *context, uint64_t done, uint64_t total)
{
    struct watch *w = context;
    w->wrong |= done < w->last || done > total || total != w->total;
    w->last = done;
    return done < w->stop_at;
}

static const char *const etas[] = {"ind_self_sparring(eta=0.01)", "random", "ind_self_sparring(eta=2)",
                                   "ind_self_sparring", "sparring/ucb1"};

static spar__tuning simulated(size_t threads, uint64_t stop_at, struct watch *w)
{
    spar__tune_lab lab = {.plan = standard()};
    lab.plan.env = "utility(set=uniform,link=linear)";
    lab.plan.policies = etas;
    lab.plan.n_policies = 5;
    lab.plan.threads = threads;
    lab.plan.rounds = 300;
    lab.plan.progress = watch;
    lab.plan.context = w;
    lab.total = spar__tune_jobs(5, 40) * lab.plan.rounds;
    *w = (struct watch){.total = lab.total, .stop_at = stop_at};
    spar__tuning tuning;
    spar_error err = {0};
    if (spar__tune(5, 40, SPAR__TUNE_MEAN, spar__tune_simulate, &lab, &tuning, &err)) {
        printf("Bail out! %s\n", err.text);
        exit(1);
    }
    return tuning;
}

static void test_simulated(void)
{
    struct watch w;
    spar__tuning one = simulated(1, UINT64_MAX, &w);
    ok(!w.wrong && w.last == w.total, "progress goes on from rung to rung, to the end");
    ok(one.order[0] == 2 && !one.interrupted, "the right policy is found");

    spar_plan plan = standard();
    plan.env = "utility(set=uniform,link=linear)";
    plan.policies = etas;
    plan.n_policies = 5;
    plan.rounds = 300;
    plan.runs = 40;
    spar_results *whole = simulate(&plan);
    bool same = true;
    for (size_t c = 0; c < 5; c++)
        for (size_t r = 0; r < one.candidate[c].runs; r++)
            same = same && one.candidate[c].regret[r] == whole->run[c * 40 + r].regret;
    ok(same, "run r of a candidate is run r of a simulation of them all");
    spar_results_free(whole);

    for (size_t threads = 2; threads <= 5; threads += 3) {
        spar__tuning many = simulated(threads, UINT64_MAX, &w);
        same = memcmp(one.order, many.order, 5 * sizeof *one.order) == 0;
        for (size_t c = 0; c < 5; c++) {
            const spar__candidate *a = &one.candidate[c], *b = &many.candidate[c];
            same = same && a->runs == b->runs && memcmp(a->regret, b->regret, a->runs * sizeof *a->regret) == 0;
        }
        ok(same, "%zu threads: the same bytes", threads);
        spar__tuning_free(&many);
    }
    spar__tuning_free(&one);
    spar__tuning part = simulated(1, 60 * 300, &w);
    ok(part.interrupted && part.candidate[part.order[0]].rung == 2, "a stop is felt");
    spar__tuning_free(&part);
}

static void test_memory(void)
{
    size_t k = 1;
    for (;; k++) {
        spar__tune_lab lab = {.plan = standard()};
        lab.plan.rounds = 2;
        spar__tuning tuning;
        spar_error err = {0};
        spar__alloc_fail_at(k);
        spar_status status = spar__tune(3, 4, SPAR__TUNE_MEAN, spar__tune_simulate, &lab, &tuning, &err);
        spar__alloc_fail_at(0);
        spar__tuning_free(&tuning);
        if (status != SPAR_NOMEM || !strstr(err.text, "memory"))
            break;
    }
    ok(k > 20, "each of %zu allocations may fail", k - 1);
    spar__tune_lab lab = {.plan = standard()};
    lab.plan.env = "nowhere";
    spar__tuning tuning;
    spar_error err = {0};
    ok(spar__tune(3, 4, SPAR__TUNE_MEAN, spar__tune_simulate, &lab, &tuning, &err) == SPAR_UNKNOWN && !tuning.candidate,
       "what the simulation refuses is refused");
    ok(strstr(err.text, "nowhere"), "with its words");
}

int main(void)
{
    test_ladder();
    test_finds();
    test_tails();
    test_interrupted();
    test_simulated();
    test_memory();
    return done();
}
