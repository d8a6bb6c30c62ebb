/* compare.c - the library against the references: every policy that has one, with every value of every factor. The
 * whole product of the factors is in compare_product.c, the 16-arm worlds of the paper in compare_paper.c. */
#include "reference/arenas.h"

static match start(family kind, size_t m, ref_feedback_kind feedback, size_t arena_index)
{
    match s = match_in(arena_for(arena_index, feedback), kind, m, feedback);
    s.rounds = 300;
    s.runs = 400;
    return s;
}

/* Every kind of feedback at m = 2 and 4, every (m, eta, self-duels), every arena; and the paper's own setting. */
static void compare_self_sparring(void)
{
    match paper = start(SELF_SPARRING, 4, REF_ALL_PAIRS, 1);
    expect_same(&paper);
    for (size_t four = 0; four < 2; four++)
        for (size_t i = 0; i < 12; i++) {
            match m = start(SELF_SPARRING, four ? 4 : 2, (ref_feedback_kind)((i + 5 * four) % FEEDBACK_KINDS), i / 3);
            m.eta = i % 2 ? 3.5 : 1;
            m.self_duels = (ref_self_duels)(i % 3);
            expect_same(&m);
        }
}

/* Every bandit with every kind of feedback, m and reward. */
static void compare_sparring(void)
{
    for (size_t bandit = 0; bandit < 3; bandit++)
        for (size_t i = 0; i < FEEDBACK_KINDS; i++) {
            match m = start(SPARRING, i % 4 == 3 ? 2 : 4, (ref_feedback_kind)i, i + bandit);
            m.bandit = (ref_bandit)bandit;
            m.reward = i % 2 ? REF_EACH : REF_MEAN;
            m.alpha = i % 3 ? 2 : 0.5;
            expect_same(&m);
        }
}

static void compare_ailon(void)
{
    for (size_t i = 0; i < 18; i++) {
        match m = start(i % 2 ? DOUBLER : MULTI_SBM, 2, sure_kinds[i / 2 % SURE_KINDS], i / 2);
        m.bandit = (ref_bandit)(i / 2 % 3);
        m.alpha = i % 5 ? 2 : 0.5;
        m.rounds *= 2;
        expect_same(&m);
    }
}

static void compare_plain(void)
{
    for (size_t i = 0; i < 6; i++) {
        match m = start(PLAIN, 1, REF_ALL_PAIRS, 0);
        m.arena = &lotteries[i % 2];
        m.bandit = (ref_bandit)(i / 2);
        expect_same(&m);
    }
}

static void compare_ties(void)
{
    static const ref_feedback_kind kinds[] = {REF_ALL_PAIRS, REF_WINNER_MOST_WINS, REF_WINNER_PAIR};
    for (size_t i = 0; i < 6; i++) {
        match m = start(i % 2 ? SPARRING : SELF_SPARRING, i < 3 ? 4 : 2, i < 3 ? kinds[i] : REF_ALL_PAIRS, i);
        m.ties = i < 4 ? 2 : 0.5;
        m.bandit = (ref_bandit)(i / 2);
        expect_same(&m);
    }
    /* Here the slots are not alike, and most duels are ties: one that favours a slot shows. */
    for (size_t i = 0; i < 3; i++) {
        match m = start(i % 2 ? MULTI_SBM : DOUBLER, 2, kinds[i], 0);
        m.ties = 8;
        m.rounds *= 2;
        expect_same(&m);
    }
}

/* One parameter of the library's side is off: the comparison must see it. */
static void compare_wrong(void)
{
    match right = start(SELF_SPARRING, 4, REF_ALL_PAIRS, 1), wrong = right;
    wrong.eta = 1.25;
    expect_different(&wrong, &right, "eta 1.25 for 1");
    wrong = right = start(SELF_SPARRING, 4, REF_ALL_PAIRS, 0);
    wrong.self_duels = REF_IGNORE;
    expect_different(&wrong, &right, "self-duels ignored for counted");
    wrong = right = start(SELF_SPARRING, 4, REF_MISSING, 1);
    wrong.param = 0.5;
    expect_different(&wrong, &right, "half of the answers missing for 0.3");
    wrong = right = start(SPARRING, 4, REF_ALL_PAIRS, 1);
    right.bandit = wrong.bandit = REF_UCB1;
    wrong.alpha = 1.8;
    expect_different(&wrong, &right, "alpha 1.8 for 2");
    wrong = right;
    wrong.reward = REF_EACH;
    expect_different(&wrong, &right, "each duel for their mean");
    wrong = right;
    wrong.ties = 0.5;
    expect_different(&wrong, &right, "ties where there are none");
}

int main(void)
{
    compare_self_sparring();
    compare_sparring();
    compare_ailon();
    compare_plain();
    compare_ties();
    compare_wrong();
    return verdict_done();
}
