/* Every arm is sampled infinitely often. What runs can show is that even the arm with the fewest plays gets more. */
#include "paper/claims/long_run.h"

/* In every decade, and over all of them slower than the square root of the rounds. */
static bool grows_slowly(const spar__cell *cell)
{
    for (size_t mark = 1; mark < SPAR__LONG_MARKS; mark++)
        if (!(spar__long_change(cell, mark - 1, mark, SPAR__LONG_LEAST).mean >= 1))
            return false;
    double first = spar__long_at(cell, 0, SPAR__LONG_LEAST).mean;
    double last = spar__long_at(cell, SPAR__LONG_MARKS - 1, SPAR__LONG_LEAST).mean;
    return last * last < 1000 * first * first; /* a thousand times the rounds between them */
}

static spar_status judge(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    (void)data, (void)err;
    size_t good = 0, all = 0;
    for (size_t i = 0; i < SPAR__LONG_RUNS; i++) {
        const spar__paper_setting *setting;
        const spar__cell *cell = spar__long_cell(paper, i, &setting);
        if (!cell)
            continue;
        good += grows_slowly(cell);
        spar__finding_item(&out->numbers, all++,
                           "Plays of the least played arm after 1e3, 1e4, 1e5, 1e6 rounds, mean over runs:");
        spar__buf_printf(&out->numbers, "%s %.1f, %.1f, %.1f, %.1f", setting->title,
                         spar__long_at(cell, 0, SPAR__LONG_LEAST).mean, spar__long_at(cell, 1, SPAR__LONG_LEAST).mean,
                         spar__long_at(cell, 2, SPAR__LONG_LEAST).mean, spar__long_at(cell, 3, SPAR__LONG_LEAST).mean);
    }
    spar__finding_close(out, good, all);
    return SPAR_OK;
}

const spar__claim spar__claim_lemma_2 = {
    .name = "lemma-2",
    .title = "Every arm is played infinitely often (Lemma 2)",
    .says = "IndSelfSparring never gives up an arm: in infinite time each is sampled infinitely often.",
    .test =
        "Plays of the least played arm after 1e3, 1e4, 1e5 and 1e6 rounds, mean over runs. In each decade it must "
        "get at least one more; and, since random play does that too, the growth must be slower than the square "
        "root of the rounds. Holds when that is true in every setting, in part in some. (No run can show infinity.)",
    .plan = spar__long_plan,
    .judge = judge,
};
