#include "types/feedback.h"

#include "base/alloc.h"
#include "tap.h"

int main(void)
{
    spar_feedback *f = NULL;
    ok(spar_feedback_new(3, &f) == SPAR_OK && spar_feedback_empty(f) && f->m == 3, "new feedback is all missing");
    ok(spar_feedback_set(f, 0, 2, SPAR_WIN) == SPAR_OK, "an answer");
    ok(spar_feedback_get(f, 0, 2) == SPAR_WIN && spar_feedback_get(f, 2, 0) == SPAR_LOSS, "sets both sides");
    ok(spar_feedback_get(f, 0, 1) == SPAR_MISSING && !spar_feedback_empty(f), "and nothing else");
    (void)spar_feedback_set(f, 1, 0, SPAR_TIE);
    ok(spar_feedback_get(f, 0, 1) == SPAR_TIE, "a tie is a tie on both sides");
    (void)spar_feedback_set(f, 0, 2, SPAR_MISSING);
    ok(spar_feedback_get(f, 2, 0) == SPAR_MISSING, "an answer can be taken back");
    ok(spar_feedback_set(f, 1, 1, SPAR_WIN) == SPAR_INVALID, "no slot answers itself");
    ok(spar_feedback_set(f, 0, 3, SPAR_WIN) == SPAR_INVALID, "slots out of range are refused");
    ok(spar_feedback_set(f, 0, 1, (spar_outcome)4) == SPAR_INVALID, "so are answers that do not exist");
    ok(spar_feedback_get(f, 7, 0) == SPAR_MISSING, "and read as missing");
    ok(spar_feedback_reset(f, 40) == SPAR_OK && f->m == 40 && spar_feedback_empty(f), "reset grows");
    ok(spar_feedback_reward(f, 1, 0.25) == SPAR_OK && f->reward[1] == 0.25 && !spar_feedback_empty(f), "a reward");
    ok(spar_feedback_reward(f, 1, 1.5) == SPAR_INVALID && spar_feedback_reward(f, 1, NAN) == SPAR_INVALID, "in [0,1]");
    spar__alloc_fail_at(1);
    ok(spar_feedback_reset(f, 400) == SPAR_NOMEM && f->m == 40 && f->reward[1] == 0.25,
       "failed growth changes nothing");
    spar__alloc_fail_at(0);
    spar_feedback *g = NULL;
    (void)spar_feedback_set(f, 39, 3, SPAR_WIN);
    ok(spar_feedback_new(1, &g) == SPAR_OK && spar_feedback_copy(f, g) == SPAR_OK && g->m == 40, "a copy grows");
    ok(spar_feedback_get(g, 39, 3) == SPAR_WIN && spar_feedback_get(g, 3, 39) == SPAR_LOSS && g->rewarded[1] &&
           !g->rewarded[0] && g->reward[1] == 0.25,
       "and has the same answers and rewards");
    (void)spar_feedback_reset(f, 2);
    ok(spar_feedback_copy(f, g) == SPAR_OK && g->m == 2 && spar_feedback_empty(g), "or none");
    (void)spar_feedback_reset(f, 4);
    ok(spar_feedback_best_worst(f, 2, 2) == SPAR_INVALID && spar_feedback_best_worst(f, 4, 0) == SPAR_INVALID,
       "best and worst are two slots");
    ok(spar_feedback_best_worst(f, 2, 0) == SPAR_OK && spar_feedback_kind_of(f) == SPAR_FEEDBACK_BEST_WORST &&
           spar_feedback_get(f, 2, 0) == SPAR_WIN && spar_feedback_get(f, 2, 1) == SPAR_WIN &&
           spar_feedback_get(f, 3, 0) == SPAR_WIN && spar_feedback_get(f, 1, 3) == SPAR_MISSING,
       "the best beats all, all beat the worst, nothing is known of the others");
    spar_feedback_free(g);
    spar_feedback_free(f);
    for (size_t k = 1; k <= 4; k++) {
        spar__alloc_fail_at(k);
        ok(spar_feedback_new(3, &f) == SPAR_NOMEM && !f, "allocation %zu fails cleanly", k);
    }
    spar__alloc_fail_at(0);
    return done();
}
