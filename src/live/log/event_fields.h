/* event_fields.h - the fields of an event, one after the other, from bytes to JSON or from JSON to bytes: event_json.c
 * lists them once for both ways. After a fault nothing happens any more. */
#ifndef SPAR_LIVE_LOG_EVENT_FIELDS_H
#define SPAR_LIVE_LOG_EVENT_FIELDS_H

#include "text/json.h"
#include "text/json_read.h"

typedef struct spar__fields {
    const unsigned char *at; /* bytes to JSON: what is left of them */
    size_t left;
    spar__json *json;            /* NULL: JSON to bytes */
    const spar__json_tree *tree; /* JSON to bytes */
    const spar__json_node *in;   /* the object that is read */
    spar__buf *out;
    bool failed;
    const char *key, *wanted; /* where, and what was expected */
} spar__fields;

void spar__fields_fault(spar__fields *f, const char *key, const char *wanted);

/* A whole number of n bytes. With `none` the largest is null. */
uint64_t spar__field_number(spar__fields *f, const char *key, size_t n, bool none);

/* One of n words, as a byte: the first is `first`. */
uint8_t spar__field_word(spar__fields *f, const char *key, uint8_t first, size_t n, const char *const *words,
                         const char *wanted);
void spar__field_flag(spar__fields *f, const char *key);
void spar__field_integer(spar__fields *f, const char *key); /* 8 bytes with a sign */
void spar__field_real(spar__fields *f, const char *key);
void spar__field_reals(spar__fields *f, const char *key, size_t n); /* no member where there are none */
void spar__field_integers(spar__fields *f, const char *key, size_t n);
void spar__field_indices(spar__fields *f, const char *key, size_t n); /* 4 bytes each */
void spar__field_text(spar__fields *f, const char *key);              /* a length of 4 bytes goes before */

/* Bytes as hexadecimal digits; null for none where a flag goes before. */
void spar__field_hex(spar__fields *f, const char *key, size_t n, bool flagged);

/* The number of a voter, which is random: digits, or null for 0. */
void spar__field_voter(spar__fields *f);

/* A list: how many, as a number of so many bytes. Lists of objects go on: list, for each item and end_item, end_list.
 */
size_t spar__field_count(spar__fields *f, const char *key, size_t bytes);
typedef struct spar__field_objects {
    const spar__json_node *outer, *item;
} spar__field_objects;
spar__field_objects spar__field_list(spar__fields *f, const char *key);
void spar__field_item(spar__fields *f, spar__field_objects *list);
void spar__field_end_item(spar__fields *f, spar__field_objects *list);
void spar__field_end_list(spar__fields *f, const spar__field_objects *list);

/* An object inside: begin gives what to hand to end. */
const spar__json_node *spar__field_object(spar__fields *f, const char *key);
void spar__field_end_object(spar__fields *f, const spar__json_node *outer);

#endif
