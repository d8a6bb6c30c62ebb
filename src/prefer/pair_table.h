/* pair_table.h - what is known of each pair of options that an answer has spoken of; other pairs take no room. */
#ifndef SPAR_PREFER_PAIR_TABLE_H
#define SPAR_PREFER_PAIR_TABLE_H

#include "base/key_table.h"

/* Options a < b. Arrays of two: [0] a over b, [1] b over a. */
typedef struct spar__pair_row {
    uint32_t a, b;
    double won[2]; /* how often the one came before the other */
    double ties;
    double log_e[2];    /* E at 1/2, from these counts */
    double log_max[2];  /* the largest it has been, 0 at first */
    double log_near[2]; /* the largest E at 1 / (1 + e^eps) */
} spar__pair_row;

typedef struct spar__pair_table { /* all zero: empty */
    spar__pair_row *row;          /* in the order of their first answer */
    size_t count, room;
    spar__key_table keys; /* a and b; the number is the row's */
} spar__pair_table;

void spar__pair_table_fini(spar__pair_table *table);

/* Room for `more` new rows. */
spar_status spar__pair_table_reserve(spar__pair_table *table, size_t more);

/* The row of two different options in either order; NULL when there is none. */
spar__pair_row *spar__pair_find(const spar__pair_table *table, size_t x, size_t y);

/* The same, added when missing, for which room must have been reserved. */
spar__pair_row *spar__pair_get(spar__pair_table *table, size_t x, size_t y);

#endif
