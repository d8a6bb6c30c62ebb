/* queries.h - learning-to-rank data, ready for use, and the cache they are kept in. */
#ifndef SPAR_RANK_QUERIES_H
#define SPAR_RANK_QUERIES_H

#include "base/archive.h"
#include "base/hash.h"
#include "rank/letor.h"

#include <stdio.h>

/* What is kept of learning-to-rank data, in one file: per query the grades, and each ranker's first
 * documents. It is a frame (base/frame.h) with the sections
 *
 *     head   parameters, numbers of things, and size, time and hash of every file it was made from
 *     ids    a 64-bit number per query
 *     docs   a 32-bit count of documents per query
 *     recs   per query: docs grades, padded to 2 bytes; rankers x depth 16-bit numbers of documents
 *
 * and is used in place. Everything in it is checked when it is opened: no file, whatever its contents, leads outside
 * of it. */

enum { SPAR__TOP_MOST = 1000 };

extern const spar__frame_kind spar__cache_kind;

/* What the contents depend on besides the sources. */
typedef struct spar__cache_key {
    uint64_t top, seed;
    uint64_t rankers; /* the hash of weights; for features, how many at most, 0 for all */
} spar__cache_key;

typedef struct spar__cache {
    spar__cache_key key;
    size_t queries, rankers;
    unsigned grades;      /* the largest + 1 */
    spar__source *source; /* as they were; their paths are not kept */
    size_t sources;
    const unsigned char *id, *docs; /* sections, little-endian */
    const unsigned char *records;
    size_t *record; /* where each query's begins */
    void *map;      /* the file in memory; NULL: the bytes are the caller's */
    size_t mapped;
} spar__cache;

/* Takes the bytes, aligned to 8 and borrowed, as a cache, or says what is wrong with them (SPAR_CORRUPT). */
spar_status spar__cache_check(const unsigned char *bytes, size_t length, spar__cache *out, spar_error *err);

/* The same for an open file, by mapping it into memory; it may be closed afterwards. */
spar_status spar__cache_map(int fd, spar__cache *out, spar_error *err);
void spar__cache_free(spar__cache *cache);

static inline size_t spar__cache_docs(const spar__cache *cache, size_t query)
{
    return spar__get_u32(cache->docs + 4 * query);
}

static inline uint64_t spar__cache_id(const spar__cache *cache, size_t query)
{
    return spar__get_u64(cache->id + 8 * query);
}

typedef struct spar__spooled {
    uint64_t id;
    uint32_t docs, lists; /* lists: those that are stored; the others are like the first, the order of ties */
} spar__spooled;

/* Queries to be written: how many lists they have is only known when all are read. Begin with {0}; the file, which has
 * no name, is the caller's. */
typedef struct spar__spool {
    FILE *file;
    const char *name; /* of the cache to be, for messages */
    spar__spooled *query;
    size_t n, capacity, rankers;
    unsigned grades;
} spar__spool;

typedef struct spar__record {
    uint64_t id;
    size_t docs, depth, lists;
    const uint8_t *grade;
    const uint16_t *tied; /* depth documents */
    const uint16_t *list; /* lists x depth */
} spar__record;

spar_status spar__spool_add(spar__spool *spool, const spar__record *record, spar_error *err);
void spar__spool_free(spar__spool *spool);

/* Writes the cache, with all queries of the spool. */
spar_status spar__cache_write(FILE *file, const spar__cache_key *key, const spar__source *source, size_t sources,
                              spar__spool *spool, spar_error *err);

/* Bytes of a query's record. */
static inline size_t spar__record_size(size_t docs, size_t rankers, size_t depth)
{
    return docs + docs % 2 + rankers * depth * sizeof(uint16_t);
}

/* From text to a cache. */

/* Reads all of the stream into the spool. */
spar_status spar__build(spar__stream *stream, const spar__rankers *rankers, const spar__cache_key *key, size_t threads,
                        spar__spool *spool, spar_error *err);

/* Learning-to-rank data, ready for use: per query the grades of its documents, and the first documents of
 * each ranker. Read once and kept in a cache beside the data. Read-only, and shared by threads. */

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
