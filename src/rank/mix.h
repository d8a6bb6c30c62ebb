/* mix.h - the inside of a mixed list. */
#ifndef SPAR_RANK_MIX_H
#define SPAR_RANK_MIX_H

#include <spar/rank.h>

struct spar_mix {
    size_t m;       /* lists that were mixed */
    size_t shown;   /* documents in the mixed list */
    uint64_t *doc;  /* the documents, from the top */
    double *credit; /* shown x m: what a click on a place is worth to each slot */
    size_t *reach;  /* m: the slot is compared on the first reach[j] places; 0: it has no part in the mix */
    size_t doc_room, credit_room, reach_room;
};

/* Room for m slots and that many shown documents. Changes neither m nor shown, but what credit held may be lost. */
spar_status spar__mix_reserve(spar_mix *mix, size_t m, size_t shown);

#endif
