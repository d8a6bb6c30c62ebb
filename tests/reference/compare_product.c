/* compare_product.c - the library against the references in small worlds: the whole product of policy, m, feedback,
 * arena and the policy's own parameters. */
#include "reference/arenas.h"

static void meet(match m)
{
    m.rounds = 600;
    m.runs = 300;
    expect_same(&m);
}

static void compare_self_sparring(const arena *a, size_t m, ref_feedback_kind feedback, double ties)
{
    for (size_t i = 0; i < 6; i++) {
        match s = match_in(a, SELF_SPARRING, m, feedback);
        s.ties = ties;
        s.eta = i % 2 ? 3.5 : 1;
        s.self_duels = (ref_self_duels)(i / 2);
        meet(s);
    }
}

static void compare_sparring(const arena *a, size_t m, ref_feedback_kind feedback, double ties)
{
    for (size_t i = 0; i < 6; i++) {
        match s = match_in(a, SPARRING, m, feedback);
        s.ties = ties;
        s.bandit = (ref_bandit)(i / 2);
        s.reward = i % 2 ? REF_EACH : REF_MEAN;
        meet(s);
    }
}

static void compare_ailon(const arena *a, ref_feedback_kind feedback, double ties)
{
    for (size_t i = 0; i < 6; i++) {
        match s = match_in(a, i % 2 ? DOUBLER : MULTI_SBM, 2, feedback);
        s.ties = ties;
        s.bandit = (ref_bandit)(i / 2);
        meet(s);
    }
}

static void compare_in(const arena *a, ref_feedback_kind feedback, double ties)
{
    if (!feedback_possible(a, feedback))
        return;
    for (size_t m = 2; m <= 4; m += 2) {
        compare_self_sparring(a, m, feedback, ties);
        compare_sparring(a, m, feedback, ties);
    }
    for (size_t i = 0; i < SURE_KINDS; i++)
        if (sure_kinds[i] == feedback)
            compare_ailon(a, feedback, ties);
}

int main(void)
{
    for (size_t i = 0; i < ARENAS; i++) {
        for (size_t feedback = 0; feedback < FEEDBACK_KINDS; feedback++)
            compare_in(&arenas[i], (ref_feedback_kind)feedback, 0);
        compare_in(&arenas[i], REF_ALL_PAIRS, 2);
        compare_in(&arenas[i], REF_WINNER_MOST_WINS, 2);
        compare_in(&arenas[i], REF_WINNER_PAIR, 2);
    }
    for (size_t i = 0; i < 6; i++) {
        match s = match_in(&lotteries[i % 2], PLAIN, 1, REF_ALL_PAIRS);
        s.bandit = (ref_bandit)(i / 2);
        meet(s);
    }
    return verdict_done();
}
