/* Reading a cache: nothing is believed. */
#include "rank/cache.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "rank/letor.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const size_t SEALED = offsetof(spar__cache_header, top); /* from here on the checksum counts */

/* What is left to read. */
typedef struct cache_rest {
    const unsigned char *at;
    size_t left;
} cache_rest;

/* The next count objects of size bytes, padded to 8 bytes; NULL when there are not as many. */
static const void *take(cache_rest *r, size_t count, size_t size)
{
    if (count > r->left / size)
        return NULL;
    size_t bytes = count * size, padded = bytes + (8 - bytes % 8) % 8;
    if (padded > r->left)
        return NULL;
    const void *taken = r->at;
    r->at += padded;
    r->left -= padded;
    return taken;
}

static spar_status check_header(const unsigned char *bytes, size_t length, spar__cache_header *h, spar_error *err)
{
    if (length < sizeof *h)
        return spar__fail(err, SPAR_CORRUPT, "it is only %zu bytes long", length);
    memcpy(h, bytes, sizeof *h);
    if (memcmp(h->magic, SPAR__CACHE_MAGIC, sizeof h->magic) != 0)
        return spar__fail(err, SPAR_CORRUPT, "it does not begin like a cache");
    if (h->version != SPAR__CACHE_VERSION)
        return spar__fail(err, SPAR_CORRUPT, "it is of another version of spar");
    if (h->length != length)
        return spar__fail(err, SPAR_CORRUPT, "it has %zu of %llu bytes", length, (unsigned long long)h->length);
    if (h->checksum != spar__hash_of(bytes + SEALED, length - SEALED))
        return spar__fail(err, SPAR_CORRUPT, "it is damaged: its checksum is wrong");
    if (h->top < 1 || h->top > SPAR__TOP_MOST || h->queries < 1 || h->queries > length / 8 || h->rankers < 1 ||
        h->rankers > SPAR__FEATURE_MOST || h->grades < 1 || h->grades > SPAR__GRADE_MOST + 1 || h->sources < 1 ||
        h->sources > length / sizeof(spar__cache_source) || h->reserved)
        return spar__fail(err, SPAR_CORRUPT, "its header makes no sense");
    return SPAR_OK;
}

static spar_status check_sources(cache_rest *r, spar__cache *c, spar_error *err)
{
    for (size_t i = 0; i < c->sources; i++) {
        const spar__cache_source *s = take(r, 1, sizeof *s);
        const char *path = s && s->path ? take(r, s->path, 1) : NULL;
        if (!path || path[s->path - 1] != '\0')
            return spar__fail(err, SPAR_CORRUPT, "its list of sources makes no sense");
        c->source[i] = (spar__source){.path = path,
                                      .size = s->size,
                                      .hash = s->hash,
                                      .seconds = s->seconds,
                                      .nanoseconds = s->nanoseconds,
                                      .regular = true,
                                      .fresh = s->fresh != 0};
    }
    return SPAR_OK;
}

/* Every document is there, and at most once in a list: seen[d] is the number of the last list that had it. */
static bool check_lists(const uint16_t *list, size_t lists, size_t depth, size_t docs, uint32_t *seen)
{
    memset(seen, 0, docs * sizeof *seen);
    for (uint32_t l = 1; l <= lists; l++)
        for (size_t i = 0; i < depth; i++) {
            size_t doc = *list++;
            if (doc >= docs || seen[doc] == l)
                return false;
            seen[doc] = l;
        }
    return true;
}

static spar_status check_records(cache_rest *r, spar__cache *c, uint32_t *seen, spar_error *err)
{
    unsigned largest = 0;
    for (size_t q = 0; q < c->queries; q++) {
        size_t docs = c->docs[q], depth = c->key.top < docs ? (size_t)c->key.top : docs;
        if (docs < 1 || docs > SPAR__DOCS_MOST || spar__record_size(docs, c->rankers, depth) > r->left)
            return spar__fail(err, SPAR_CORRUPT, "its query %zu makes no sense", q);
        for (size_t d = 0; d < docs; d++)
            largest = r->at[d] > largest ? r->at[d] : largest;
        const uint16_t *list = (const uint16_t *)(const void *)(r->at + docs + docs % 2);
        if (!check_lists(list, c->rankers, depth, docs, seen))
            return spar__fail(err, SPAR_CORRUPT, "a list of its query %zu makes no sense", q);
        c->record[q] = (size_t)(r->at - c->bytes);
        r->at += spar__record_size(docs, c->rankers, depth);
        r->left -= spar__record_size(docs, c->rankers, depth);
    }
    if (r->left || largest + 1 != c->grades)
        return spar__fail(err, SPAR_CORRUPT, "its queries are not those of its header");
    return SPAR_OK;
}

spar_status spar__cache_check(const unsigned char *bytes, size_t length, spar__cache *out, spar_error *err)
{
    spar__cache_header h;
    uint32_t *seen = NULL;
    *out = (spar__cache){0};
    spar_status status = check_header(bytes, length, &h, err);
    if (status)
        return status;
    *out = (spar__cache){.bytes = bytes,
                         .length = length,
                         .key = {h.top, h.seed, h.rankers_hash},
                         .queries = h.queries,
                         .rankers = h.rankers,
                         .grades = (unsigned)h.grades,
                         .sources = h.sources};
    cache_rest r = {bytes + sizeof h, length - sizeof h};
    out->source = spar__alloc(out->sources, sizeof *out->source);
    out->record = spar__alloc(out->queries, sizeof *out->record);
    seen = spar__alloc(SPAR__DOCS_MOST, sizeof *seen);
    if (!out->source || !out->record || !seen) {
        status = spar__fail_memory(err);
        goto fail;
    }
    if ((status = check_sources(&r, out, err)))
        goto fail;
    out->id = take(&r, out->queries, sizeof *out->id);
    out->docs = out->id ? take(&r, out->queries, sizeof *out->docs) : NULL;
    if (!out->docs)
        status = spar__fail(err, SPAR_CORRUPT, "its list of queries makes no sense");
    else
        status = check_records(&r, out, seen, err);
fail:
    spar__free(seen);
    if (status)
        spar__cache_free(out);
    return status;
}

spar_status spar__cache_map(int fd, spar__cache *out, spar_error *err)
{
    struct stat info;
    *out = (spar__cache){0};
    if (fstat(fd, &info))
        return spar__fail(err, SPAR_IO, "it cannot be read: %s", strerror(errno));
    if (!S_ISREG(info.st_mode))
        return spar__fail(err, SPAR_IO, "it is no file");
    size_t length = (size_t)info.st_size;
    if (length == 0)
        return spar__fail(err, SPAR_CORRUPT, "it is empty");
    void *bytes = mmap(NULL, length, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED)
        return spar__fail(err, SPAR_IO, "it cannot be mapped: %s", strerror(errno));
    spar_status status = spar__cache_check(bytes, length, out, err);
    if (status)
        (void)munmap(bytes, length);
    else
        out->mapped = true;
    return status;
}

void spar__cache_free(spar__cache *cache)
{
    if (cache->mapped)
        (void)munmap((void *)(uintptr_t)cache->bytes, cache->length);
    spar__free(cache->source);
    spar__free(cache->record);
    *cache = (spar__cache){0};
}

bool spar__cache_looks(int fd)
{
    char magic[8];
    return pread(fd, magic, sizeof magic, 0) == (ssize_t)sizeof magic && memcmp(magic, SPAR__CACHE_MAGIC, 8) == 0;
}
