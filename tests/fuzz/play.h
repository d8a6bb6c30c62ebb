/* play.h - policies for the fuzz targets: small stacks of every kind, and how they are played. */
#ifndef SPAR_TESTS_FUZZ_PLAY_H
#define SPAR_TESTS_FUZZ_PLAY_H

#include "fuzz.h"
#include "policy/policy.h"

typedef enum play_space {
    PLAY_GRID, /* four arms on a grid of two features */
    PLAY_MANY, /* so many arms that beta keeps its ladder */
    PLAY_BOX   /* a range and a choice */
} play_space;

typedef struct play_stack {
    const char *spec;
    play_space space;
    size_t m;
} play_stack;

extern const play_stack play_stacks[]; /* those of boxes last */
extern const size_t play_n_stacks;
size_t play_n_finite(void); /* how many are not of boxes */

const spar_arms *play_arms(play_space space); /* made once */
spar_policy *play_new(const play_stack *stack, const spar_arms *arms);

/* What a player has besides its policy; made once. */
typedef struct play_tools {
    spar_scratch *scratch;
    spar_round *round;
    spar_feedback *feedback;
    spar_rng rng;
} play_tools;

play_tools *play_tools_get(void);

/* One question into tools->round. What is shown is checked; false when the policy refuses for want of arms. */
bool play_choose(const spar_policy *policy, play_tools *tools);

/* Fills tools->feedback for a round; each byte of luck answers some pairs. */
void play_answer(const spar_policy *policy, const spar_round *round, uint8_t luck, spar_feedback *feedback);

fuzz_saved play_save(const spar_policy *policy);
bool play_same(fuzz_saved a, fuzz_saved b); /* the same bytes? */

#endif
