/* batches.h - the batches of merge_rucb: which arm is in which, as arms leave, batches merge, and arms come and go.
 * merge_rucb.c says why. */
#ifndef SPAR_POLICY_BATCHES_H
#define SPAR_POLICY_BATCHES_H

#include "base/archive.h"
#include "sampler/rng.h"
#include "types/arms.h"

#include <stdint.h>

typedef struct spar__batches {
    const spar_arms *arms; /* borrowed */
    size_t full;           /* arms in a batch at first */
    size_t placed;         /* arms that were given a home ... */
    size_t newest;         /* ... the batch that the last of them joined ... */
    size_t live;           /* ... and how many of them had not retired */
    size_t n, visited;     /* batches, and the one whose turn it is */
    size_t merges;         /* s - 1 */
    uint64_t turn;         /* 1, 2, ... */
    size_t room;           /* for arms in what follows: one block of memory, which begins with home */
    size_t *home;          /* per arm: its batch, or one of the three below */
    size_t *hidden;        /* per batch: arms it has not shown yet; in all as many as are in the pool */
    size_t *order, *size;  /* working memory: per batch, or per arm */
} spar__batches;

#define SPAR__BATCH_POOL SIZE_MAX        /* shown by no batch yet */
#define SPAR__BATCH_NONE (SIZE_MAX - 1)  /* left, or retired */
#define SPAR__BATCH_NEVER (SIZE_MAX - 2) /* retired before it was shown: never took part */

/* Room for the arms; all or nothing. */
spar_status spar__batches_fit(spar__batches *self);
void spar__batches_fini(spar__batches *self);

/* All live arms hidden in batches, of which the last may be smaller. */
void spar__batches_make(spar__batches *self);

/* Follows the arms, for which there is room: one has come or has retired, or the newest was taken back. Returns true if
 * one has retired; if it was the last one in a batch, there is now one batch, which is empty. */
bool spar__batches_follow(spar__batches *self);

/* The arms of the visited batch, its hidden ones drawn from the pool, and their number; both arrays have room for all
 * arms. */
size_t spar__batches_complete(const spar__batches *self, spar_rng *rng, size_t *member, size_t *pool);

/* A played arm of the visited batch is hidden no more. */
void spar__batches_show(spar__batches *self, size_t arm);

/* An arm that had left joins the smallest batch. */
void spar__batches_return(spar__batches *self, size_t arm);

size_t spar__batches_left(const spar__batches *self);    /* arms that are in batches */
size_t spar__batches_entered(const spar__batches *self); /* K: arms that ever took part */

/* Are so few arms left that batches must merge? */
bool spar__batches_few_left(const spar__batches *self);

/* The smallest batch joins the largest, and so on; equal ones are in a random order. The turns begin anew. */
void spar__batches_merge(spar__batches *self, spar_rng *rng);

void spar__batches_archive(spar__batches *self, spar__archive *ar);

#endif
