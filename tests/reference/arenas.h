/* arenas.h - small worlds of six arms, best arm first, with gaps wide enough to be learned in a thousand rounds. */
#ifndef SPAR_TESTS_REFERENCE_ARENAS_H
#define SPAR_TESTS_REFERENCE_ARENAS_H

#include "reference/versus.h"

/* clang-format off */
#define ARENA_X {0.1, 0.5, 0.9, 0.2, 0.7, 0.4}
/* clang-format on */

enum { ARENAS = 4 };

__attribute__((unused)) static const arena arenas[ARENAS] = {
    {.name = "order", .link = LINK_LINEAR, .k = 6, .utility = {0.95, 0.75, 0.6, 0.45, 0.3, 0.1}, .x = ARENA_X},
    {.name = "1good", .link = LINK_LINEAR, .k = 6, .utility = {0.8, 0.2, 0.2, 0.2, 0.2, 0.2}, .x = ARENA_X},
    {.name = "logit", .link = LINK_LOGIT, .k = 6, .utility = {2, 1, 0.5, 0, -0.5, -1.5}, .x = ARENA_X},
    {.name = "cyclic", .link = LINK_NONE, .k = 6, .file = "cyclic.txt"}, /* arms 1, 2, 3 beat each other in a circle */
};

__attribute__((unused)) static const arena lotteries[2] = {
    {.name = "order", .k = 6, .utility = {0.9, 0.7, 0.6, 0.5, 0.3, 0.1}},
    {.name = "1good", .k = 6, .utility = {0.8, 0.5, 0.5, 0.5, 0.5, 0.5}},
};

/* Arena number index, or the next one in which this feedback is possible. */
__attribute__((unused)) static const arena *arena_for(size_t index, ref_feedback_kind feedback)
{
    const arena *w = &arenas[index % ARENAS];
    return feedback_possible(w, feedback) ? w : &arenas[(index + 1) % ARENAS];
}

/* What all families share; the rest is for the caller to set. */
static match match_in(const arena *a, family kind, size_t m, ref_feedback_kind feedback)
{
    return (match){.arena = a,
                   .feedback = feedback,
                   .param = feedback == REF_MISSING ? 0.3 : 0.5,
                   .family = kind,
                   .m = m,
                   .eta = 1,
                   .alpha = 2};
}

/* Kinds of feedback that always answer the pair of slots of m = 2. To the library a round without any answer is no
 * round; to the references of multi_sbm and doubler it is. */
__attribute__((unused)) static const ref_feedback_kind sure_kinds[] = {
    REF_ALL_PAIRS, REF_WINNER_MOST_WINS, REF_WINNER_PAIR, REF_WINNER_LUCE, REF_RANKING, REF_PAIR, REF_CONFUSABLE_COIN};
enum { SURE_KINDS = sizeof sure_kinds / sizeof *sure_kinds };

#endif
