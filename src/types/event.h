/* event.h - the inside of an event, and the table of its fields. */
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

/* What the bytes of a field are, and how JSON writes them. */
typedef enum spar__field_type {
    SPAR__FIELD_NUMBER,   /* a whole number of 4 or 8 bytes; above 2^53 JSON has its digits in quotes */
    SPAR__FIELD_DIM,      /* the same of 4 bytes: how many REALS follow */
    SPAR__FIELD_VOTER,    /* 8 bytes; 16 hexadecimal digits, or null for 0 */
    SPAR__FIELD_WORD,     /* a byte; one of the words */
    SPAR__FIELD_FLAG,     /* a byte, 0 or 1; true or false */
    SPAR__FIELD_TEXT,     /* 4 bytes, the length, and so many bytes */
    SPAR__FIELD_HASH,     /* a byte, 0 or 1, and after 1 32 bytes; 64 hexadecimal digits, or null for 0 */
    SPAR__FIELD_KEY,      /* 32 bytes; 64 hexadecimal digits */
    SPAR__FIELD_REAL,     /* a double */
    SPAR__FIELD_REALS,    /* `dim` doubles; where dim is 0 JSON has no such member */
    SPAR__FIELD_COUNT,    /* how many the list of this name has: 1 or 4 bytes; JSON has the list only */
    SPAR__FIELD_INTEGERS, /* `count` numbers of 8 bytes with a sign */
    SPAR__FIELD_INDICES,  /* `count` numbers of 4 bytes */
    SPAR__FIELD_LIST,     /* `count` times the fields inside; objects */
    SPAR__FIELD_ANSWER    /* a kind, as the field inside, then the fields of spar__answer_fields; an object */
} spar__field_type;

/* How a field stands in the struct: alone, with that before it in the table, or as part of these. */
typedef enum spar__field_part {
    SPAR__PART_ALONE,
    SPAR__PART_BEFORE,
    SPAR__PART_SPACE,
    SPAR__PART_FEATURES,
    SPAR__PART_OUTPUTS,
    SPAR__PART_SLOTS,
    SPAR__PART_MEMO,
    SPAR__PART_ANSWER
} spar__field_part;

typedef struct spar__event_field {
    const char *name; /* the member in JSON; NULL behind the last field */
    spar__field_type type;
    unsigned char bytes;      /* of a number, word, flag or count */
    bool none;                /* a number: the largest is null */
    unsigned char since;      /* the version of the encoding that has it first; 0: all */
    uint64_t least, most;     /* of a number or word; most 0: any */
    const char *const *words; /* of `least`, `least` + 1, ...; NULL behind the last */
    const struct spar__event_field *inner;
    spar__field_part part;
    size_t offset; /* in spar_event, if it stands alone */
} spar__event_field;

/* The fields of the body of a kind, in the order of the bytes, from which encoding and JSON follow; doc/events.md and
 * doc/exchange.md say the same (tests/types/event_fields.c). NULL: no such kind. And what follows the kind of an
 * answer. */
const spar__event_field *spar__event_fields(spar_event_kind kind);
const spar__event_field *spar__answer_fields(spar_answer_kind kind);

#endif
