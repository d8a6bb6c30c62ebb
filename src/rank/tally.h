/* tally.h - the preference matrix of all rankers of a data set, query by query.
 *
 *     P[i][j] = mean over queries of P(i wins an interleaving of the two) + P(tie) / 2
 *
 * A tally is sums over queries. They are whole numbers, in units of 2^-42, so that the order of the queries does not
 * matter: any blocks, any number of threads, and a run that was interrupted and resumed give the same bytes. */
#ifndef SPAR_RANK_TALLY_H
#define SPAR_RANK_TALLY_H

#include "base/archive.h"
#include "rank/interleaving.h"

/* How rankers are compared on a query. */
typedef struct spar__comparison {
    const spar__interleaving *of;
    size_t draws;       /* of each pair on each query; 0: exact, which only team draft can be */
    uint64_t seed;      /* of the draws */
    size_t threads;     /* 0: one per core */
    bool (*stop)(void); /* called by all threads; true ends the work with SPAR_INTERRUPTED. NULL: never */
} spar__comparison;

typedef struct spar__tally {
    size_t rankers, pairs;
    uint64_t queries;
    /* For each pair i < j, at j (j - 1) / 2 + i, with x = P(i beats j) - 1/2 on a query: */
    uint64_t *sum;    /* of x, in two's complement */
    uint64_t *square; /* of x^2 */
    uint64_t *noise;  /* of the variance of x that comes from drawing */
} spar__tally;

enum { SPAR__TALLY_QUERIES = 1 << 22 }; /* as many as the sums can hold */

spar_status spar__tally_new(size_t rankers, spar__tally **out);
void spar__tally_free(spar__tally *tally);
void spar__tally_clear(spar__tally *tally); /* no queries */

/* Adds the queries from <= q < to. A failure leaves the tally as it was. */
spar_status spar__tally_add(spar__tally *tally, const spar__comparison *how, size_t from, size_t to, spar_error *err);

/* Adds the queries of another tally of as many rankers. */
void spar__tally_join(spar__tally *tally, const spar__tally *other);

/* Saves, or loads into a tally of the same number of rankers. */
void spar__tally_archive(spar__tally *tally, spar__archive *ar);

/* rankers x rankers each; any may be NULL. p[i][j] + p[j][i] is 1 and p[i][i] 1/2. query_se is the standard error that
 * comes from the choice of queries (it includes the error of the draws), draw_se the part that comes from drawing.
 * Without queries p is 1/2 everywhere; a standard error takes two. */
void spar__tally_read(const spar__tally *tally, double *p, double *query_se, double *draw_se);

#endif
