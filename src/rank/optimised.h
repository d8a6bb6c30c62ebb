/* optimised.h - the parts of optimised interleaving: its linear programme, and the lists it chooses from. */
#ifndef SPAR_RANK_OPTIMISED_H
#define SPAR_RANK_OPTIMISED_H

#include "rank/mix.h"

#include <spar/status.h>

#include <stddef.h>

/* The linear programme of optimised interleaving. */

/* Weights p of n >= 1 columns, p >= 0 and of sum 1, for which the bias sum_c |sum_l a[c n + l] p_l| over the rows is
 * smallest, and among those sum_l cost_l p_l is smallest. *bias is what is left of it. */
spar_status spar__fair_weights(size_t rows, size_t n, const double *a, const double *cost, double *p, double *bias);

/* The mixed lists that optimised interleaving chooses from. */

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
