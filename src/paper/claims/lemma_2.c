/* Every arm is sampled infinitely often: what can be seen of it is that even the arm with the fewest plays gets more.
 */
#include "paper/claims/long_play.h"

/* Its plays grow in every decade, and slower than the square root of the rounds. */
static bool grows_slowly(const spar__cell *cell)
{
    for (size_t mark = 1; mark < SPAR__LONG_MARKS; mark++) {
        spar__estimate change = spar__long_change(cell, mark - 1, mark, SPAR__LONG_LEAST);
        if (!(change.mean > 2 * change.se) || change.se == 0)
            return false;
    }
    double first = spar__long_at(cell, 0, SPAR__LONG_LEAST).mean;
    double last = spar__long_at(cell, SPAR__LONG_MARKS - 1, SPAR__LONG_LEAST).mean;
    return last * last < 1000 * first * first; /* a thousand times the rounds between them */
}

static spar_status judge(const spar__paper *paper, spar__finding *out, spar_error *err)
{
    (void)err;
    size_t good = 0, all = 0;
    for (size_t i = 0; i < SPAR__LONG_PLAYS; i++) {
        const spar__scene *scene;
        const spar__cell *cell = spar__long_cell(paper, i, &scene);
        if (!cell)
            continue;
        all++;
        good += grows_slowly(cell);
        spar__buf_printf(&out->numbers,
                         "%s: the arm played least was played %.1f, %.1f, %.1f and %.1f times after 1e3, 1e4, 1e5 and "
                         "1e6 rounds. ",
                         scene->title, spar__long_at(cell, 0, SPAR__LONG_LEAST).mean,
                         spar__long_at(cell, 1, SPAR__LONG_LEAST).mean, spar__long_at(cell, 2, SPAR__LONG_LEAST).mean,
                         spar__long_at(cell, 3, SPAR__LONG_LEAST).mean);
    }
    out->verdict = all ? spar__verdict_of(good, all) : SPAR__NOT_JUDGED;
    return SPAR_OK;
}

const spar__claim spar__claim_lemma_2 = {
    .name = "lemma-2",
    .title = "Every arm is played for ever (Lemma 2)",
    .says = "IndSelfSparring gives up no arm: in infinite time each is sampled infinitely often.",
    .test =
        "Plays of the least played arm, mean over runs, after 1e3, 1e4, 1e5 and 1e6 rounds. They must grow by more "
        "than 2 standard errors in each decade; and, since random play does that too, slower than the square root of "
        "the rounds. Holds when that is so in every scene, in part in some. (No run can show infinity.)",
    .stage = spar__long_stage,
    .judge = judge,
};
