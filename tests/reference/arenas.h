/* arenas.h - small worlds of six arms, best arm first, with gaps wide enough to be learned in a thousand rounds. */
#ifndef SPAR_TESTS_REFERENCE_ARENAS_H
#define SPAR_TESTS_REFERENCE_ARENAS_H

#include "reference/versus.h"

#define ARENA_X                                                                                                        \
    {                                                                                                                  \
        0.1, 0.5, 0.9, 0.2, 0.7, 0.4                                                                                   \
    }

enum { ARENAS = 4 };

static const arena arenas[ARENAS] = {
    {.name = "order", .link = LINK_LINEAR, .k = 6, .utility = {0.95, 0.75, 0.6, 0.45, 0.3, 0.1}, .x = ARENA_X},
    {.name = "1good", .link = LINK_LINEAR, .k = 6, .utility = {0.8, 0.2, 0.2, 0.2, 0.2, 0.2}, .x = ARENA_X},
    {.name = "logit", .link = LINK_LOGIT, .k = 6, .utility = {2, 1, 0.5, 0, -0.5, -1.5}, .x = ARENA_X},
    {.name = "cyclic", .link = LINK_NONE, .k = 6, .file = "cyclic.txt"}, /* arms 1, 2, 3 beat each other in a circle */
};

static const arena lotteries[2] = {
    {.name = "order", .k = 6, .utility = {0.9, 0.7, 0.6, 0.5, 0.3, 0.1}},
    {.name = "1good", .k = 6, .utility = {0.8, 0.5, 0.5, 0.5, 0.5, 0.5}},
};

/* Arena number `index`, or the next one in which this feedback is possible. */
static const arena *arena_for(size_t index, ref_feedback_kind feedback)
{
    const arena *w = &arenas[index % ARENAS];
    return feedback_possible(w, feedback) ? w : &arenas[(index + 1) % ARENAS];
}

#endif
