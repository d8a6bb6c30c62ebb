/* pending.h - the inside of a batch (batch.h): events that wait for their commit, each with copies of its texts. */
#ifndef SPAR_LIVE_PENDING_H
#define SPAR_LIVE_PENDING_H

#include "live/batch.h"
#include "live/live.h"

typedef struct spar__pending {
    spar_event *event;
    char *name, *comment; /* the bytes of the texts; NULL: none */
    spar__store_text text[2];
    size_t n_texts;
    uint64_t voter;
    size_t next;        /* of an answer: the ticket of the screen that goes right behind it; 0: none */
    bool follows;       /* it goes right behind an answer */
    spar_status status; /* after the commit */
} spar__pending;

struct spar__batch {
    spar_experiment *experiment;
    spar__pending *item;
    size_t n, room;
    spar__key_table screens; /* that have an event */
    spar__key_table voters;  /* the count is 1 + the ticket of the voter's last event */
    spar__key_table names;   /* of new voters, by hash; the count is 1 + the ticket */
    uint64_t undone;         /* the first answer that is taken back; 0: none */
    bool committed;
    spar_status status; /* of the commit */
};

/* Room for one more event, at the end. It is there once it was added; drop forgets what a refused call has left. */
spar_status spar__pending_new(spar__batch *batch, spar__pending **out, spar_error *err);
void spar__pending_drop(spar__pending *item);

/* Adds the event that was made by new, about that screen. Cannot fail. */
size_t spar__pending_add(spar__batch *batch, uint64_t number);

/* SPAR_BUSY if the screen has an event, or the voter (0: nobody). */
spar_status spar__pending_check_screen(const spar__batch *batch, uint64_t number, spar_error *err);
spar_status spar__pending_check_voter(const spar__batch *batch, uint64_t voter, spar_error *err);

/* The last event of a voter in the batch, NULL if there is none. */
spar__pending *spar__pending_of(const spar__batch *batch, uint64_t voter);

/* As spar__live_voter; the text of a new voter goes to the item. Those of this batch are known. */
spar_status spar__pending_voter(spar__batch *batch, spar__pending *item, const char *name, spar_error *err);

#endif
