/* cache.h - what is kept of learning-to-rank data, in one file: per query the grades, and each ranker's first
 * documents.
 *
 *     header     magic, version, length, checksum of all that follows, parameters, numbers of things
 *     sources    size, time and hash of every file it was made from, and its path, padded to 8 bytes
 *     ids        a 64-bit number per query
 *     docs       a 32-bit count of documents per query, padded to 8 bytes
 *     records    per query: docs grades, padded to 2 bytes; rankers x depth 16-bit numbers of documents
 *
 * It is written under another name and renamed when it is whole, and everything in it is checked when it is opened: no
 * file, however damaged or made up, leads outside of it. Numbers are in the byte order of the machine. */
#ifndef SPAR_RANK_CACHE_H
#define SPAR_RANK_CACHE_H

#include "rank/stream.h"

#include <stdio.h>

enum { SPAR__TOP_MOST = 1000 };

/* What the contents depend on besides the sources. */
typedef struct spar__cache_key {
    uint64_t top, seed;
    uint64_t rankers; /* the hash of weights, 0 for features */
} spar__cache_key;

typedef struct spar__cache {
    const unsigned char *bytes;
    size_t length;
    bool mapped; /* by this cache */
    spar__cache_key key;
    size_t queries, rankers;
    unsigned grades; /* the largest + 1 */
    const uint64_t *id;
    const uint32_t *docs;
    size_t *record;       /* where each query's begins */
    spar__source *source; /* as they were */
    size_t sources;
} spar__cache;

/* Takes the bytes, aligned to 8 and borrowed, as a cache, or says what is wrong with them (SPAR_CORRUPT). */
spar_status spar__cache_check(const unsigned char *bytes, size_t length, spar__cache *out, spar_error *err);

/* The same for an open file, by mapping it into memory; it may be closed afterwards. */
spar_status spar__cache_map(int fd, spar__cache *out, spar_error *err);
void spar__cache_free(spar__cache *cache);

/* Does the file begin like a cache? */
bool spar__cache_looks(int fd);

/* Queries waiting to be written: how many lists they have is only known when all are read. Begin with {0}; the file,
 * which nobody else can see, is the caller's. */
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

/* Writes the cache, with all queries of the spool, and sees that it is on the disk. */
spar_status spar__cache_write(FILE *file, const spar__cache_key *key, const spar__source *source, size_t sources,
                              spar__spool *spool, spar_error *err);

/* The inside of the file, for the two of them. */
#define SPAR__CACHE_MAGIC "sparrank"
enum { SPAR__CACHE_VERSION = 1 };

typedef struct spar__cache_header {
    char magic[8];
    uint64_t version, length, checksum; /* of what follows */
    uint64_t top, seed, rankers_hash;
    uint64_t sources, queries, rankers, grades, reserved;
} spar__cache_header;

typedef struct spar__cache_source {
    uint64_t size, hash;
    int64_t seconds, nanoseconds;
    uint64_t fresh;
    uint64_t path; /* bytes, the zero byte at its end and the padding included */
} spar__cache_source;

/* Bytes of a query's record. */
static inline size_t spar__record_size(size_t docs, size_t rankers, size_t depth)
{
    return docs + docs % 2 + rankers * depth * sizeof(uint16_t);
}

#endif
