/* compare.c - the library against the references: every policy that has one, with every value of every factor. The
 * whole product of the factors is in compare_all.c. */
#include "reference/arenas.h"

enum { RUNS = 400, ROUNDS = 500 };

static match start(family kind, size_t m, ref_feedback_kind feedback, size_t index)
{
    return (match){.arena = arena_for(index, feedback),
                   .feedback = feedback,
                   .param = feedback_standard(feedback),
                   .family = kind,
                   .m = m,
                   .rounds = ROUNDS,
                   .runs = RUNS,
                   .eta = 1,
                   .alpha = 2};
}

/* Every kind of feedback at m = 2 and 4, every (m, eta, self-duels), every arena. */
static void compare_self_sparring(void)
{
    static const double eta[] = {1, 3.5};
    for (size_t four = 0; four < 2; four++)
        for (size_t i = 0; i < 12; i++) {
            match m = start(SELF_SPARRING, four ? 4 : 2, (ref_feedback_kind)((i + 5 * four) % FEEDBACK_KINDS), i / 3);
            m.eta = eta[i % 2];
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

/* Only feedback that always answers the one pair of slots: a round without an answer is no round to the library. */
static void compare_ailon(void)
{
    static const ref_feedback_kind kinds[] = {REF_ALL_PAIRS,      REF_WINNER_MOST_WINS, REF_WINNER_PAIR,
                                              REF_WINNER_LUCE,    REF_RANKING,          REF_PAIR,
                                              REF_CONFUSABLE_COIN};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    for (size_t i = 0; i < 18; i++) {
        match m = start(i % 2 ? DOUBLER : MULTI_SBM, 2, kinds[i / 2 % KINDS], i / 2);
        m.bandit = (ref_bandit)(i / 2 % 3);
        m.alpha = i % 5 ? 2 : 0.5;
        m.rounds = 2 * ROUNDS;
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

int main(void)
{
    compare_self_sparring();
    compare_sparring();
    compare_ailon();
    compare_plain();
    return verdict_done();
}
