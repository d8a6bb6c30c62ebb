/* answer.h - the inside of an answer. */
#ifndef SPAR_TYPES_ANSWER_H
#define SPAR_TYPES_ANSWER_H

#include "base/archive.h"

#include <spar/answer.h>

struct spar_answer {
    spar_answer_kind kind;
    size_t n, capacity;     /* of the arrays; there is always room for one */
    size_t *first;          /* the winner; the ranked slots; the first slot of each pair */
    size_t *second;         /* the level of each ranked slot; the second slot of each pair */
    unsigned char *outcome; /* of the first slot of each pair against the second */
};

/* Bytes of an answer, as <spar/event.h> documents them. Loading fails unless the answer is in its one form. */
void spar__answer_archive(spar_answer *answer, spar__archive *ar);

#endif
