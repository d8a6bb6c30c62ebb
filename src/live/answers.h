/* answers.h - the answers of a log, in its order, each with what was shown. Those that were undone are left out and
 * counted. */
#ifndef SPAR_LIVE_ANSWERS_H
#define SPAR_LIVE_ANSWERS_H

#include "live/history.h"

#include <spar/answer.h>
#include <spar/experiment.h>
#include <spar/round.h>

/* What was answered to one screen, or an import. */
typedef struct spar__answered {
    const spar__history_entry *entry;
    const unsigned char *id; /* 32 bytes: the key of an import; else the hash of the chain, which no other answer has */
    uint64_t screen;         /* 0: an import */
    uint32_t item;           /* SPAR_NO_ITEM: none */
    const spar_round *round; /* what was shown, slot by slot, */
    const spar_answer *given; /* and the answer in these terms */
    size_t m;
    const size_t *arm;         /* the same by places: what was shown, */
    const spar_answer *placed; /* and the answer */
    bool point;                /* points of a continuous space were shown: arm says SPAR_FRESH */
} spar__answered;

typedef struct spar__answers {
    /* event may be NULL; it gets every event, before the answer in it. */
    spar_status (*event)(void *context, const spar__history_entry *entry, spar_error *err);
    spar_status (*answer)(void *context, const spar__answered *answered, spar_error *err);
    void *context;
    uint64_t undone; /* out: answers that were taken back */
    uint64_t lost;   /* out: answers to screens that are not in the log, which must be damaged */
} spar__answers;

/* Reads the log twice. */
spar_status spar__answers_each(spar__history *history, spar__answers *answers, spar_error *err);

/* The numbers 0, 1, 2, ...: at least m of them, in place[]. */
spar_status spar__places_reserve(size_t **place, size_t *room, size_t m);

/* standings.c: those of the log as this experiment has folded it, without texts. */
spar_status spar__live_answers_each(spar_experiment *experiment, spar__answers *answers, spar_error *err);

#endif
