/* allowed.h - the mixed lists that optimised interleaving chooses from. */
#ifndef SPAR_RANK_ALLOWED_H
#define SPAR_RANK_ALLOWED_H

#include "rank/mixer.h"

typedef struct spar__allowed {
    size_t n;    /* lists */
    size_t *doc; /* n x shown document numbers */
} spar__allowed;

/* Every start of an allowed list is a union of starts of the lists mixed: each document is the best one left of some
 * list. All of them if there are at most `limit`; else limit of them, drawn by letting a random list add its best
 * document at each place, without repetitions. */
spar_status spar__allowed_make(spar__mixing *mixing, size_t limit, spar_rng *rng, spar__allowed *out);
void spar__allowed_free(spar__allowed *allowed);

#endif
