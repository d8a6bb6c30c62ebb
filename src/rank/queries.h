/* queries.h - learning-to-rank data, ready for use: per query the grades of its documents, and the first documents of
 * each ranker. Read once and kept in a cache beside the data: see cache.h. Read-only, and shared by threads. */
#ifndef SPAR_RANK_QUERIES_H
#define SPAR_RANK_QUERIES_H

#include "rank/stream.h"

typedef struct spar__query {
    uint64_t id;
    size_t docs;
    const uint8_t *grade;  /* docs grades */
    size_t depth;          /* min(top, docs) */
    const uint16_t *first; /* rankers x depth document numbers 0..docs-1: each ranker's best, highest first */
} spar__query;

typedef struct spar__queries spar__queries;

typedef struct spar__queries_options {
    const char *const *path; /* the files; "-" is standard input, which is not kept */
    size_t paths;
    const char *cache; /* where to keep it. NULL: the first path + ".spar-cache", or nowhere if that cannot be written,
                          which the note says; "": nowhere */
    const char *weights; /* a file of weighted sums of features; NULL: every feature is a ranker */
    const char *names;   /* a file of the features' names, one per line; NULL: f1, f2, ... Not with weights. */
    size_t features;     /* without weights: at most this many, the first ones, are rankers; 0: all */
    size_t top;          /* documents of a ranker that are kept; 0 means 10 */
    uint64_t seed;       /* of the order of documents with equal scores */
    size_t threads;      /* 0: one per core */
    spar__progress *progress;
    void (*note)(void *context, const char *sentence); /* why an old cache is not used; before the files are read */
    void *context;
} spar__queries_options;

/* Opens the cache if it is what reading the files again would give, else reads them and makes it. */
spar_status spar__queries_open(const spar__queries_options *options, spar__queries **out, spar_error *err);
void spar__queries_free(spar__queries *queries);

bool spar__queries_cached(const spar__queries *queries); /* it was there already */
size_t spar__queries_count(const spar__queries *queries);
size_t spar__queries_rankers(const spar__queries *queries);
size_t spar__queries_top(const spar__queries *queries);
unsigned spar__queries_grades(const spar__queries *queries); /* the largest grade + 1 */
const char *spar__queries_name(const spar__queries *queries, size_t ranker);
spar__query spar__queries_get(const spar__queries *queries, size_t i);

#endif
