/* event.h - the inside of an event. */
#ifndef SPAR_TYPES_EVENT_H
#define SPAR_TYPES_EVENT_H

#include "base/archive.h"

#include <spar/event.h>

/* Everything that an event of any kind has; what its kind does not have is 0. The pointers are never NULL unless said
 * so: an event that is set again uses their memory again. */
struct spar_event {
    spar_event_kind kind;
    uint64_t sequence;
    int64_t utc; /* microseconds */
    spar_round *round;
    size_t *place; /* m of them, in a screen */
    size_t place_room;
    spar_answer *answer;
    char *policy;     /* may be NULL */
    spar_arms *space; /* may be NULL */
    char *axes;       /* the text of the space; may be NULL */
    double *x;        /* dim of them, or NULL */
    uint32_t *output; /* `outputs` of them, arms, or NULL */
    struct {
        uint64_t seed, horizon, number, voter, basis;
        uint32_t m, arm, version, dim, item, engine, revision, taken, flags, group, outputs;
        uint8_t asks, shuffle, against_last, results, access, hashed;
        unsigned char hash[SPAR_HASH_SIZE], key[SPAR_HASH_SIZE];
    } is;
};

/* Nothing but the stamp is left. */
void spar__event_clear(spar_event *event);

/* Room for the places of m slots. */
spar_status spar__event_reserve_places(spar_event *event, size_t m);

/* The body; loading also checks it. */
void spar__event_archive(spar_event *event, spar__archive *ar);

#endif
