/* compare_paper.c - the library against the references in the paper's worlds: 16 arms, 20000 rounds, five sets of
 * utilities and three links. The library makes the sets by name; here they are written down once more. */
#include "reference/arenas.h"

#include <math.h>
#include <stdio.h>

enum { PAPER_ARMS = 16, GOOD = 5 };

static double paper_utility(size_t set, size_t i)
{
    static const size_t good[] = {0, 1, GOOD}; /* arms of 0.7 after the best one */
    double step = (double)(i - 1) / (PAPER_ARMS - 2);
    if (i == 0)
        return 0.8;
    if (set < 3)
        return i <= good[set] ? 0.7 : 0.2;
    return set == 3 ? 0.7 - 0.5 * step : 0.7 * pow(0.2 / 0.7, step);
}

static void compare_scenario(const arena *a)
{
    match m = match_in(a, SELF_SPARRING, 2, REF_ALL_PAIRS);
    m.rounds = 20000;
    m.runs = 100;
    m.eta = 3.5;
    expect_same(&m);
    m.m = 4;
    m.eta = 1;
    expect_same(&m);
    m.family = SPARRING;
    m.bandit = REF_UCB1;
    expect_same(&m);
    m.m = 2;
    expect_same(&m);
    m.bandit = REF_EXP3;
    expect_same(&m);
    m.family = MULTI_SBM;
    expect_same(&m);
    m.bandit = REF_UCB1;
    expect_same(&m);
    m.family = DOUBLER;
    expect_same(&m);
}

int main(void)
{
    static const char *const set[] = {"1good", "2good", "6good", "arith", "geom"};
    static const char *const link_name[] = {"linear", "logit", "natural"};
    for (size_t i = 0; i < 5; i++)
        for (size_t link = LINK_LINEAR; link <= LINK_NATURAL; link++) {
            char name[32];
            (void)snprintf(name, sizeof name, "%s/%s", link_name[link], set[i]);
            arena a = {.name = name, .set = set[i], .link = (link_kind)link, .k = PAPER_ARMS};
            for (size_t arm = 0; arm < PAPER_ARMS; arm++)
                a.utility[arm] = paper_utility(i, arm);
            compare_scenario(&a);
        }
    return verdict_done();
}
