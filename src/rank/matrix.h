/* matrix.h - the preference matrix of all rankers of a data set, query by query.
 *
 *     P[i][j] = mean over queries of P(i wins an interleaving of the two) + P(tie) / 2
 *
 * A tally is sums over queries and can be saved. Its sums are whole numbers, of 2^-42 each, so that the order in which
 * queries come does not matter: any blocks, any number of threads, and a run that was interrupted and taken up again
 * all give the same bytes. */
#ifndef SPAR_RANK_MATRIX_H
#define SPAR_RANK_MATRIX_H

#include "base/archive.h"
#include "rank/click.h"
#include "rank/mixer.h"

/* A judged query: its documents are numbered 0 .. docs - 1. */
typedef struct spar__judged {
    size_t docs;
    const uint8_t *grade;  /* docs */
    size_t depth;          /* documents per list: min(top, docs) */
    const uint16_t *first; /* rankers x depth: each ranker's best documents, highest first */
} spar__judged;

/* Where they come from; get is called by several threads at once. */
typedef struct spar__judgments {
    size_t rankers, top;
    const void *data;
    spar__judged (*get)(const void *data, size_t query);
} spar__judgments;

/* How two rankers are compared on a query. */
typedef struct spar__comparison {
    const spar__click *click;
    const spar__mixer *mixer; /* NULL: team draft, exactly; else by so many draws from the seed */
    size_t draws;
    uint64_t seed;
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

/* Adds the queries from <= q < to. A failure leaves the tally as it was. */
spar_status spar__tally_add(spar__tally *tally, const spar__judgments *judgments, const spar__comparison *how,
                            size_t from, size_t to, size_t threads, spar_error *err);

/* Saves, or loads into a tally of as many rankers. */
void spar__tally_archive(spar__tally *tally, spar__archive *ar);

/* rankers x rankers each; any may be NULL. p[i][j] + p[j][i] is 1 and p[i][i] 1/2. query_se is the standard error that
 * comes from the choice of queries (with the draws' error in it), draw_se the part that comes from drawing. Without
 * queries p is 1/2 everywhere; a standard error takes two. */
void spar__tally_read(const spar__tally *tally, double *p, double *query_se, double *draw_se);

#endif
