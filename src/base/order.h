/* order.h - order: numbers sorted, and keys numbered in the order they came. */
#ifndef SPAR_BASE_ORDER_H
#define SPAR_BASE_ORDER_H

#include "base/archive.h"

/* Of two doubles, for qsort and bsearch: the smaller one first. */
int spar__by_value(const void *a, const void *b);

/* Sorts the values and keeps each once; returns how many are left. */
size_t spar__distinct(size_t n, double *value);

typedef struct spar__ranked {
    double value;
    size_t index;
} spar__ranked;

/* The smallest value first, and of equal ones the smallest index. */
void spar__rank(size_t n, spar__ranked *item);

/* Keys of two words, numbered 0, 1, ... in the order they came, each with a count. */

typedef struct spar__keyed {
    uint64_t high, low, count;
} spar__keyed;

typedef struct spar__key_table { /* all zero: empty */
    spar__keyed *entry;
    size_t n, room;
    uint32_t *slot; /* 1 + the number, 0 where free */
    size_t slots;   /* a power of two, at least twice the room */
} spar__key_table;

#define SPAR__NO_KEY ((size_t)-1)

void spar__key_table_fini(spar__key_table *table);
void spar__key_table_clear(spar__key_table *table); /* no keys; the room stays */

/* Room for `more` new keys. */
spar_status spar__key_table_reserve(spar__key_table *table, size_t more);

/* The number of a key, SPAR__NO_KEY when it is not there. */
size_t spar__key_find(const spar__key_table *table, uint64_t high, uint64_t low);

/* The same, added with count 0 when missing, for which room must have been reserved. */
size_t spar__key_get(spar__key_table *table, uint64_t high, uint64_t low);

void spar__key_table_archive(spar__key_table *table, spar__archive *ar);

#endif
