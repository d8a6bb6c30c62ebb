/* cache.h - what is kept of learning-to-rank data, in one file: per query the grades, and each ranker's first
 * documents. It is a frame (base/frame.h) with the sections
 *
 *     head   parameters, numbers of things, and size, time and hash of every file it was made from
 *     ids    a 64-bit number per query
 *     docs   a 32-bit count of documents per query
 *     recs   per query: docs grades, padded to 2 bytes; rankers x depth 16-bit numbers of documents
 *
 * and is used in place. Everything in it is checked when it is opened: no file, whatever its contents, leads outside
 * of it. */
#ifndef SPAR_RANK_CACHE_H
#define SPAR_RANK_CACHE_H

#include "base/archive.h"
#include "base/hash.h"
#include "rank/stream.h"

#include <stdio.h>

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

/* Does the file begin like a cache, of any version? */
bool spar__cache_looks(int fd);

static inline size_t spar__cache_docs(const spar__cache *cache, size_t query)
{
    return spar__get_u32(cache->docs + 4 * query);
}

static inline uint64_t spar__cache_id(const spar__cache *cache, size_t query)
{
    return spar__get_u64(cache->id + 8 * query);
}

/* Queries to be written: how many lists they have is only known when all are read. Begin with {0}; the file, which has
 * no name, is the caller's. */
typedef struct spar__spool {
    FILE *file;
    const char *name; /* of the cache to be, for messages */
    uint64_t *id;
    uint32_t *docs, *lists; /* lists: those that are stored; the others are like the first, the order of ties */
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

/* For reading and writing: the head, and the lists, which are little-endian in the file, to or from the order of this
 * machine. */
void spar__cache_archive(spar__archive *ar, spar__cache *cache);
void spar__cache_order(unsigned char *lists, size_t length);

/* Bytes of a query's record. */
static inline size_t spar__record_size(size_t docs, size_t rankers, size_t depth)
{
    return docs + docs % 2 + rankers * depth * sizeof(uint16_t);
}

#endif
