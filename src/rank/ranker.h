/* ranker.h - rankers: functions of a document's features, by which the documents of a query are sorted, highest first.
 *
 * A ranker is one feature, or a weighted sum of some. Documents of equal score come in one random order per query,
 * drawn from (seed, query) and shared by all rankers. */
#ifndef SPAR_RANK_RANKER_H
#define SPAR_RANK_RANKER_H

#include "rank/letor.h"

typedef struct spar__rankers {
    size_t n;    /* 0: every feature is one, and the data say how many there are, */
    size_t most; /* of which the first ones are taken; 0: all */
    char **name;
    size_t names;      /* n, or as many as the user has names for */
    size_t *start;     /* weights of ranker r: from start[r] to start[r + 1] */
    uint32_t *feature; /* the feature and ... */
    double *weight;    /* ... the weight of each */
    uint64_t hash;     /* of all but the names */
} spar__rankers;

/* Every feature up to number `most` (0: all), named by the lines of a file ("f1", "f2", ... when it is NULL). */
spar_status spar__rankers_features(const char *names_path, size_t most, spar__rankers *out, spar_error *err);

/* Weighted sums, one per line of a file: "name f:w f:w ...". Blank lines and comments (#) are skipped. */
spar_status spar__rankers_weights(const char *path, spar__rankers *out, spar_error *err);

void spar__rankers_free(spar__rankers *rankers);

/* The result for one query, and working memory; used again for query after query. Begin with {0}. */
typedef struct spar__ranking {
    size_t depth;              /* min(top, documents) */
    size_t lists;              /* the number of rankers; in case of features, the largest of this query */
    uint16_t *list;            /* lists x depth documents */
    uint16_t *tied;            /* the documents in the order of ties: what a ranker makes of equal scores */
    uint16_t *place;           /* of every document in that order */
    size_t *column;            /* entries of feature f, in `cell`: from column[f - 1] to column[f] */
    double *score;             /* by place */
    double *best;              /* the depth best scores so far */
    struct ranking_cell *cell; /* the entries by feature */
    size_t capacity[7];        /* of these arrays */
} spar__ranking;

spar_status spar__rankers_rank(const spar__rankers *rankers, const spar__letor_rows *rows, uint64_t seed, size_t top,
                               spar__ranking *out);
void spar__ranking_free(spar__ranking *ranking);

#endif
