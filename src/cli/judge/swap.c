/* Every screen asked twice, the second time with the places reversed: what a judge prefers for its place alone comes
 * out as a tie. */
#include "cli/judge/judge.h"

#include "base/alloc.h"

static spar_status turn_ranking(spar_answer *answer, size_t m, spar_error *err)
{
    size_t n = spar_answer_count(answer), *slot = spar__alloc(n, 2 * sizeof *slot);
    if (!slot)
        return spar__fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        slot[i] = m - 1 - spar_answer_slot(answer, i);
        slot[n + i] = spar_answer_level(answer, i);
    }
    spar_status status = spar_answer_set_ranking(answer, n, slot, slot + n, err);
    spar__free(slot);
    return status;
}

static spar_status turn_pairs(spar_answer *answer, size_t m, spar_error *err)
{
    spar_answer *turned = NULL;
    spar_status status = spar_answer_new(&turned) ? spar__fail_memory(err) : SPAR_OK;
    for (size_t i = 0; i < spar_answer_count(answer) && !status; i++) {
        size_t j = 0, k = 0;
        spar_outcome outcome = SPAR_TIE;
        (void)spar_answer_pair(answer, i, &j, &k, &outcome);
        status = spar_answer_add_pair(turned, m - 1 - j, m - 1 - k, outcome, err);
    }
    if (!status && spar_answer_copy(turned, answer))
        status = spar__fail_memory(err);
    spar_answer_free(turned);
    return status;
}

spar_status spar__swap_turn(spar_answer *answer, size_t m, spar_error *err)
{
    switch (spar_answer_kind_of(answer)) {
    case SPAR_ANSWER_WINNER:
        spar_answer_set_winner(answer, m - 1 - spar_answer_winner(answer));
        return SPAR_OK;
    case SPAR_ANSWER_RANKING:
        return turn_ranking(answer, m, err);
    case SPAR_ANSWER_PAIRS:
        return turn_pairs(answer, m, err);
    default: /* says nothing about places */
        return SPAR_OK;
    }
}

void spar__swap_join(const spar_answer *first, spar_answer *second, bool *changed)
{
    bool skipped = spar_answer_kind_of(first) == SPAR_ANSWER_SKIP || spar_answer_kind_of(second) == SPAR_ANSWER_SKIP;
    *changed = !skipped && !spar_answer_equal(first, second);
    if (skipped)
        spar_answer_set_skip(second);
    else if (*changed)
        spar_answer_set_tie(second);
}
