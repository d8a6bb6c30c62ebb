#include "sim/sim.h"

#include "base/alloc.h"
#include "tap.h"
#include "types/round.h"

static bool is(const spar__tallies *tally, size_t arm, uint64_t plays, double won, double lost)
{
    const spar__arm_tally *a = &tally->arm[arm];
    return a->plays == plays && a->won == won && a->lost == lost;
}

int main(void)
{
    spar_arms *arms = NULL;
    spar_round *round = NULL;
    spar_feedback *feedback = NULL;
    if (spar_arms_new(4, 0, NULL, NULL, &arms) || spar_round_new(3, &round) || spar_feedback_new(3, &feedback))
        return 1;
    spar__tallies tally = {0};
    round->m = 3;
    round->arm[0] = 2, round->arm[1] = 0, round->arm[2] = 2;
    (void)spar_feedback_set(feedback, 0, 1, SPAR_WIN);
    (void)spar_feedback_set(feedback, 1, 2, SPAR_TIE);
    ok(spar__tallies_add(&tally, arms, round, feedback) == SPAR_OK && tally.n == 4, "a tally for every arm");
    ok(is(&tally, 0, 1, 0.5, 1.5), "shown once, lost once, tied once");
    ok(is(&tally, 2, 2, 1.5, 0.5), "shown in two slots");
    ok(is(&tally, 1, 0, 0, 0) && is(&tally, 3, 0, 0, 0), "not shown");
    (void)spar_feedback_reset(feedback, 3);
    (void)spar_feedback_set(feedback, 0, 2, SPAR_LOSS);
    (void)spar__tallies_add(&tally, arms, round, feedback);
    ok(is(&tally, 2, 4, 2.5, 1.5) && is(&tally, 0, 2, 0.5, 1.5), "against itself an arm wins and loses");

    size_t late;
    (void)spar_arms_add(arms, NULL, NULL, &late);
    (void)spar_feedback_reset(feedback, 1);
    (void)spar_feedback_reward(feedback, 0, 0.25);
    round->m = 1;
    round->arm[0] = late;
    spar__alloc_fail_at(1);
    ok(spar__tallies_add(&tally, arms, round, feedback) == SPAR_NOMEM && tally.n == 4, "no memory to grow");
    spar__alloc_fail_at(0);
    ok(spar__tallies_add(&tally, arms, round, feedback) == SPAR_OK, "an arm that came later");
    ok(tally.n == 5 && is(&tally, late, 1, 0.25, 0.75), "gets its reward");
    ok(is(&tally, 2, 4, 2.5, 1.5), "the others keep theirs");
    spar__tallies_free(&tally);

    spar_arms *box = NULL;
    const double lo = 0, hi = 1, at[] = {0.25, 0.75};
    if (spar_arms_new_box(1, &lo, &hi, &box) || spar_arms_add(box, &at[0], NULL, NULL) ||
        spar_arms_add(box, &at[1], NULL, NULL) || spar__round_set_dim(round, 1) || spar_feedback_reset(feedback, 3))
        return 1;
    round->m = 3;
    for (size_t j = 0; j < 3; j++) {
        round->arm[j] = SPAR_FRESH;
        round->x[j] = j < 2 ? at[1 - j] : 0.5;
    }
    (void)spar_feedback_set(feedback, 0, 1, SPAR_WIN);
    ok(spar__tallies_add(&tally, box, round, feedback) == SPAR_OK && is(&tally, 1, 1, 1, 0) && is(&tally, 0, 1, 0, 1),
       "points of a box are found in the table");
    ok(tally.n == 2, "what is not in it is left out");
    spar_arms_free(box);
    spar__tallies_free(&tally);
    ok(!tally.arm && tally.n == 0, "freed");
    spar_feedback_free(feedback);
    spar_round_free(round);
    spar_arms_free(arms);
    return done();
}
