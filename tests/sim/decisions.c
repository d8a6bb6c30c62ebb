#include "sim/sim.h"

#include "base/alloc.h"
#include "tap.h"

#include <string.h>

static void add_flips(spar__run_numbers *run, size_t n, const uint64_t *flip)
{
    run->flip = spar__alloc(n, sizeof *flip);
    memcpy(run->flip, flip, n * sizeof *flip);
    run->flips = n;
}

static void check_decisions(void)
{
    spar_results *results = spar__results_new(2, 5, 1000);
    static const uint64_t decided[5] = {100, 0, 300, 200, 50};
    for (size_t r = 0; r < 5; r++) { /* of the second policy; its last run was stopped */
        spar__run_numbers *run = &results->run[5 + r];
        run->complete = r < 4;
        run->decided = decided[r];
        run->right = r != 2;
    }
    spar__decisions d;
    ok(spar__results_decisions(results, 1, &d) == SPAR_OK && d.runs == 4, "complete runs");
    ok(d.right == 0.5 && d.wrong == 0.25 && d.open == 0.25, "shares");
    ok(d.screens.n == 3 && d.screens.median == 200 && d.screens.mean == 200, "screens of those that decided");
    ok(spar_results_decided(results, 1, SPAR_STAT_MEDIAN) == 200 && spar_results_decided(results, 1, SPAR_STAT_N) == 3,
       "by the accessor");
    ok(spar_results_decided_by(results, 1, 199) == 0.25 && spar_results_decided_by(results, 1, 200) == 0.5,
       "by a round");
    ok(spar__results_decisions(results, 0, &d) == SPAR_OK && d.runs == 0 && isnan(d.open) && isnan(d.screens.median),
       "without a complete run: NaN");
    ok(spar__results_decisions(results, 2, &d) == SPAR_INVALID && isnan(spar_results_decided(results, 2, SPAR_STAT_N)),
       "no such policy");
    spar__alloc_fail_at(1);
    ok(spar__results_decisions(results, 1, &d) == SPAR_NOMEM, "no memory");
    spar__alloc_fail_at(0);
    spar_results_free(results);
}

static void check_identified(void)
{
    enum { RUNS = 20 };
    spar_results *results = spar__results_new(1, RUNS, 1000);
    for (size_t r = 0; r < RUNS; r++) {
        results->run[r].complete = true;
        if (r > 1) /* right from 10 + r on */
            add_flips(&results->run[r], 1, (uint64_t[]){10 + r});
    }
    uint64_t t;
    ok(!spar__results_identified(results, 0, &t) && t == 0, "18 of 20 are not 95 %%");
    ok(isnan(spar_results_identified(results, 0)), "NaN for none");
    add_flips(&results->run[1], 3, (uint64_t[]){40, 60, 70});
    ok(!spar__results_identified(results, 0, &t) && t == 70, "19 are, from when on it stays so");
    ok(spar_results_identified(results, 0) == 70, "by the accessor");
    ok(spar_results_named_right(results, 0, 39) == 0.9 && spar_results_named_right(results, 0, 40) == 0.95 &&
           spar_results_named_right(results, 0, 60) == 0.9 && spar_results_named_right(results, 0, 1000) == 0.95,
       "shares by round");
    add_flips(&results->run[0], 2, (uint64_t[]){60, 70}); /* the other way round at the same times */
    ok(!spar__results_identified(results, 0, &t) && t == 40, "changes of one round count together");
    spar__alloc_fail_at(1);
    ok(spar__results_identified(results, 0, &t) == SPAR_NOMEM, "no memory");
    spar__alloc_fail_at(0);
    ok(spar__results_identified(results, 1, &t) == SPAR_INVALID, "no such policy");
    spar_results_free(results);
}

int main(void)
{
    check_decisions();
    check_identified();
    return done();
}
