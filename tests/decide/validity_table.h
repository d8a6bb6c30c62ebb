/* validity_table.h - the table for one way of choosing screens: 2,000 runs of 3,000 screens a cell.
 *
 * With two slots a winner, a ranking and a pair are the same answer. There is no cycle with a winner of four: how often
 * one is chosen before another would depend on who else stands on the screen, so that there is no truth to be false
 * about. Options that come and go have no bound in a cycle. Rankings, which cost most, have all cells at K = 4 and the
 * hardest beyond. */
#ifndef SPAR_TESTS_DECIDE_VALIDITY_TABLE_H
#define SPAR_TESTS_DECIDE_VALIDITY_TABLE_H

#include "validity.h"

static void table_cell(sim_setting p)
{
    enum { RUNS = 2000, SCREENS = 3000 };
    bool two = p.k > 2, all = p.k <= 4 || p.answer != RANKING;
    if (p.truth == TWO_BEST ? !two : p.truth == CYCLE ? !two || (p.m == 4 && p.answer == WINNER) : !all)
        return;
    validity_cell(&p, RUNS, SCREENS);
}

static void table_truths(sim_setting p)
{
    for (p.truth = EQUAL; p.truth <= CYCLE; p.truth++)
        table_cell(p);
    p.truth = p.k == 2 ? EQUAL : TWO_BEST;
    p.come_and_go = 0.005;
    table_cell(p);
    p.come_and_go = 0;
    p.place = 0.5;
    if (p.k <= 4 || p.answer != RANKING)
        table_cell(p);
}

static int validity_table(sim_display display)
{
    for (size_t k = 2; k <= 16; k *= 2)
        for (size_t m = 2; m <= 4 && m <= k; m += 2)
            for (sim_answer answer = WINNER; answer <= (m == 2 ? WINNER : PAIRS); answer++)
                table_truths((sim_setting){.k = k, .m = m, .answer = answer, .display = display});
    return done();
}

#endif
