#include "sim/sim.h"

#include "base/alloc.h"
#include "tap.h"

#include <stdint.h>

static void summaries(void)
{
    spar_results *results = spar__results_new(2, 4, 1000);
    size_t last = results->n_checkpoints;
    ok(results->checkpoint[0] == 1 && results->checkpoint[last - 1] == 1000, "checkpoints are filled in");
    for (size_t r = 0; r < 4; r++) { /* the second policy: 1, 2, 4 and one run that was stopped */
        spar__run_numbers *run = &results->run[4 + r];
        run->complete = r < 3;
        run->regret = (double)(1u << r);
        for (size_t c = 0; c < last; c++)
            run->curve[c] = (double)(100 * c + r);
    }
    spar__summary s;
    ok(spar__results_summary(results, 1, last, &s) == SPAR_OK && s.n == 3 && s.median == 2, "final regrets");
    near(s.mean, 7.0 / 3, 1e-15, "their mean");
    ok(spar__results_summary(results, 1, 2, &s) == SPAR_OK && s.mean == 201 && s.sd == 1, "regrets at a checkpoint");
    ok(spar__results_summary(results, 0, last, &s) == SPAR_OK && s.n == 0 && s.mean == 0, "no complete run");
    ok(spar__results_summary(results, 2, 0, &s) == SPAR_INVALID, "no such policy");
    ok(spar__results_summary(results, 0, last + 1, &s) == SPAR_INVALID, "no such checkpoint");
    spar__alloc_fail_at(1);
    ok(spar__results_summary(results, 1, 0, &s) == SPAR_NOMEM && s.n == 0, "no memory");
    spar__alloc_fail_at(0);
    spar_results_free(results);
}

static void differences(void)
{
    spar_results *results = spar__results_new(2, 4, 10);
    static const double regret[] = {5, 9, 6, 1, 2, 3, 8, 1};
    for (size_t i = 0; i < 8; i++) {
        results->run[i].complete = i != 1;
        results->run[i].regret = regret[i];
    }
    spar__difference d;
    ok(spar__results_difference(results, 0, 1, &d) == SPAR_OK && d.n == 3, "runs that both have completed");
    near(d.mean, 1.0 / 3, 1e-15, "differ by 3, -2 and 0");
    near(d.worse, 0.5, 1e-15, "one is worse, one better, one equal");
    ok(spar__results_difference(results, 1, 1, &d) == SPAR_OK && d.n == 4 && d.mean == 0, "a policy and itself");
    ok(spar__results_difference(results, 0, 2, &d) == SPAR_INVALID && d.n == 0, "no such policy");
    spar__alloc_fail_at(1);
    ok(spar__results_difference(results, 0, 1, &d) == SPAR_NOMEM && d.n == 0, "no memory");
    spar__alloc_fail_at(0);
    spar_results_free(results);
}

static void room(void)
{
    spar_results *results = spar__results_new(3, 5, 20000);
    bool apart = true;
    for (size_t i = 1; i < 15; i++)
        apart = apart && (uintptr_t)results->run[i].curve / 64 >
                             (uintptr_t)(results->run[i - 1].curve + results->n_checkpoints - 1) / 64;
    ok(apart, "no two curves share a cache line");
    spar_results_free(results);
    ok(!spar__results_new(3, UINT64_MAX / 2, 10), "more runs than memory can hold");
    double one = spar__results_bytes(1, 1, 20000);
    ok(one > 8.0 * 50 && one < 8.0 * 200, "a run takes some hundred bytes");
    ok(spar__results_bytes(3, 1000, 20000) == 3000 * one, "and runs add up");
    bool good = true;
    for (size_t k = 1; k <= 4; k++) {
        spar__alloc_fail_at(k);
        good = good && !spar__results_new(2, 2, 10);
    }
    spar__alloc_fail_at(0);
    ok(good, "each allocation may fail");
    spar_results_free(NULL);
}

int main(void)
{
    summaries();
    differences();
    room();
    return done();
}
