/* ids.h - a set of 64-bit numbers. Begin with {0}. */
#ifndef SPAR_RANK_IDS_H
#define SPAR_RANK_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct spar__ids {
    uint64_t *slot; /* 0 is empty; the number 0 has a flag of its own */
    size_t count, capacity;
    bool zero;
} spar__ids;

/* Adds a number; *fresh says whether it is new. False: out of memory. */
bool spar__ids_add(spar__ids *ids, uint64_t id, bool *fresh);
void spar__ids_free(spar__ids *ids);

#endif
