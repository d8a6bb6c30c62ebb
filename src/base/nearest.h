/* nearest.h - "did you mean": the known name closest to a wrong one. */
#ifndef SPAR_BASE_NEAREST_H
#define SPAR_BASE_NEAREST_H

#include <stddef.h>

/* Edit distance (insert, delete, replace, swap of neighbours), with names cut at 63 characters. */
size_t spar__edit_distance(const char *a, const char *b);

/* Offer candidates one by one; best stays NULL while none is close enough to be worth naming. */
typedef struct spar__nearest {
    const char *wanted;
    const char *best;
    size_t distance;
} spar__nearest;

spar__nearest spar__nearest_to(const char *wanted);
void spar__nearest_offer(spar__nearest *nearest, const char *candidate);

#endif
