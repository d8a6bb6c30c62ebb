/* vote.h - screens and keys in the terminal. */
#ifndef SPAR_CLI_VOTE_H
#define SPAR_CLI_VOTE_H

#include "cli/experiment.h"

/* --- from keys to answers --- */

enum { SPAR__VOTE_TYPED = 200, SPAR__VOTE_MOST = 26 }; /* characters of a ranking; options on a screen */

typedef enum spar__vote_action {
    SPAR__VOTE_NOTHING, /* show it again: something was typed, or `hint` is new */
    SPAR__VOTE_ANSWER,  /* the answer is there */
    SPAR__VOTE_UNDO,
    SPAR__VOTE_HELP,
    SPAR__VOTE_FULL, /* show texts whole that are folded, or fold them again */
    SPAR__VOTE_QUIT
} spar__vote_action;

typedef struct spar__vote_keys {
    size_t m;
    spar_answer_kind asks;
    char typed[SPAR__VOTE_TYPED + 1]; /* of a ranking or of pairs, so far */
    size_t n;
    char hint[200]; /* why nothing happened; "" for none */
} spar__vote_keys;

/* Is the answer typed and ended by Enter, or is it a single key? */
bool spar__vote_types(const spar__vote_keys *keys);

/* One key: a character, '\n' for Enter, '\b' for Backspace. */
spar__vote_action spar__vote_key(spar__vote_keys *keys, int key, spar_answer *answer);

/* What a place is called: '1' to '9', or, where there are more, 'A', 'B', ... */
char spar__vote_label(size_t m, size_t place);

/* --- the picture --- */

typedef struct spar__vote_view {
    size_t width, height; /* of the terminal; 0: none, lines are written one after the other */
    bool styled, help;
    bool full;           /* texts are not folded */
    const char *message; /* what became of the last answer; may be NULL */
} spar__vote_view;

void spar__vote_draw(const spar_experiment *experiment, const spar_screen *screen, const spar__vote_keys *keys,
                     const spar__vote_view *view, spar__buf *out);

#endif
