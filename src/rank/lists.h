/* lists.h - m ranked lists of documents, with the documents numbered 0, 1, ... and each knowing where it stands. */
#ifndef SPAR_RANK_LISTS_H
#define SPAR_RANK_LISTS_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

typedef struct spar__list_rank {
    size_t list, rank; /* rank 0 is the best */
} spar__list_rank;

typedef struct spar__lists {
    size_t m, docs;
    size_t *length;         /* m */
    size_t **doc;           /* m lists of document numbers */
    uint64_t *id;           /* docs, rising */
    size_t *from;           /* docs + 1: document d stands at where[from[d]] .. where[from[d + 1] - 1], */
    spar__list_rank *where; /* by rising list */
    size_t *all;            /* what doc points into */
} spar__lists;

/* Refuses a document that stands twice in a list. */
spar_status spar__lists_make(size_t m, const uint64_t *const *list, const size_t *length, spar__lists *out,
                             spar_error *err);
void spar__lists_free(spar__lists *lists);

#endif
