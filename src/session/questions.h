/* questions.h - the questions of a session by number: open ones with their event, answered ones with a hash of the
 * answer. They are kept in the order of their numbers: new ones mostly come last, a search takes log n steps.
 *
 * With a limit, an answered question is forgotten once its number is that far behind the highest one. Which ones are
 * known follows from the events alone, whenever the room of the others is given back. */
#ifndef SPAR_SESSION_QUESTIONS_H
#define SPAR_SESSION_QUESTIONS_H

#include "base/archive.h"

#include <spar/answer.h>

typedef struct spar__question {
    uint64_t number;
    uint16_t revision;
    bool open;
    uint32_t length; /* open: of the event; answered: the arm that won, SPAR__NO_WINNER if the answer was no winner */
    union {
        unsigned char *bytes; /* open: the screen event, encoded */
        uint64_t told[2];     /* answered: hash of the answer */
    } is;
} spar__question;

#define SPAR__NO_WINNER UINT32_MAX

typedef struct spar__questions {
    spar__question *item;
    size_t n, capacity;
    size_t memory; /* how many numbers back answered ones are known; 0: all of them are */
    size_t full;   /* trim beyond this */
} spar__questions;

void spar__questions_free(spar__questions *questions);

/* The question of this number, or NULL; the first open one of a number above it, or NULL. */
spar__question *spar__questions_find(const spar__questions *questions, uint64_t number);
const spar__question *spar__questions_after(const spar__questions *questions, uint64_t number);

/* The highest number so far, 0 if there is none. */
uint64_t spar__questions_last(const spar__questions *questions);

/* Is a question of this number forgotten if it was answered? */
bool spar__questions_too_old(const spar__questions *questions, uint64_t number);

/* A new open question; takes the bytes of its event over, unless it fails. */
spar_status spar__questions_open(spar__questions *questions, uint64_t number, unsigned char *bytes, size_t length);

/* The question is answered: only the hash stays, and which arm won. */
void spar__question_close(spar__question *question, const uint64_t told[2], size_t winner);

/* Gives back the room of forgotten questions, now and then: the cost of a call is constant on average. Pointers to
 * questions end here. */
void spar__questions_trim(spar__questions *questions);

/* The hash of an answer: 128 bits of its bytes in their one form. */
spar_status spar__answer_hash(const spar_answer *answer, uint64_t told[2]);

void spar__questions_archive(spar__questions *questions, spar__archive *ar);

#endif
