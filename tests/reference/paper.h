/* paper.h - the paper's worlds: 16 arms, five sets of utilities, three links. The library makes the sets by name; here
 * they are written down once more. */
#ifndef SPAR_TESTS_REFERENCE_PAPER_H
#define SPAR_TESTS_REFERENCE_PAPER_H

#include "reference/versus.h"

#include <math.h>
#include <stdio.h>

enum { PAPER_ARMS = 16, PAPER_GOOD = 5, PAPER_ROUNDS = 20000, PAPER_RUNS = 100 };

static double paper_utility(size_t set, size_t i)
{
    static const size_t good[] = {0, 1, PAPER_GOOD}; /* arms of 0.7 after the best one */
    double step = (double)(i - 1) / (PAPER_ARMS - 2);
    if (i == 0)
        return 0.8;
    if (set < 3)
        return i <= good[set] ? 0.7 : 0.2;
    return set == 3 ? 0.7 - 0.5 * step : 0.7 * pow(0.2 / 0.7, step);
}

/* Calls compare in each of the 15. */
static void in_all_paper_worlds(void (*compare)(const arena *))
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
            compare(&a);
        }
}

#endif
