/* validity_table.h - the table for one way of choosing screens: 2,000 runs of 3,000 screens a cell.
 *
 * All cells for K = 2 and 4. Beyond, false statements are rarer still, and the cells are those nearest to delta: two
 * best, cycles, options that come and go; equal options, place effects and the edge of eps for winners at K = 8.
 *
 * With two slots a winner, a ranking and a pair are the same answer. There is no cycle with a winner of four: how often
 * one is chosen before another would depend on who else stands on the screen, so that there is no truth to be false
 * about. Options that come and go have no bound in a cycle. */
#ifndef SPAR_TESTS_DECIDE_VALIDITY_TABLE_H
#define SPAR_TESTS_DECIDE_VALIDITY_TABLE_H

#include "validity.h"

static bool in_table(const sim_setting *p)
{
    bool two = p->k > 2, all = p->k <= 4 || (p->k == 8 && p->answer == WINNER);
    if (p->truth == CYCLE)
        return two && !(p->m == 4 && p->answer == WINNER) && (p->k < 16 || p->answer != RANKING);
    if (p->come_and_go > 0)
        return p->k <= 4 || p->answer != RANKING;
    return all || (two && p->truth == TWO_BEST && p->place == 0);
}

static void table_cell(sim_setting p)
{
    enum { RUNS = 2000, SCREENS = 3000 };
    if (in_table(&p))
        validity_cell(&p, RUNS, SCREENS);
}

static void table_truths(sim_setting p)
{
    for (p.truth = EQUAL; p.truth <= CYCLE; p.truth++)
        if (p.k > 2 || p.truth != TWO_BEST) /* two equal ones are two best ones */
            table_cell(p);
    p.truth = p.k == 2 ? EQUAL : TWO_BEST;
    p.come_and_go = 0.005;
    table_cell(p);
    p.come_and_go = 0;
    p.place = 0.5;
    table_cell(p);
}

static void table_of(sim_display display, size_t k)
{
    for (size_t m = 2; m <= 4 && m <= k; m += 2)
        for (sim_answer answer = WINNER; answer <= (m == 2 ? WINNER : PAIRS); answer++)
            table_truths((sim_setting){.k = k, .m = m, .answer = answer, .display = display});
}

__attribute__((unused)) static int validity_table(sim_display display)
{
    for (size_t k = 2; k <= 16; k *= 2)
        table_of(display, k);
    return done();
}

#endif
