/* compare_paper.c - the library's reductions against the references in the paper's worlds. */
#include "reference/arenas.h"
#include "reference/paper.h"

static void compare_scenario(const arena *a)
{
    match m = match_in(a, SELF_SPARRING, 2, REF_ALL_PAIRS);
    m.rounds = PAPER_ROUNDS;
    m.runs = PAPER_RUNS;
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
    in_all_paper_worlds(compare_scenario);
    return verdict_done();
}
