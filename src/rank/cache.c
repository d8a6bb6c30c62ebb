/* Reading a cache: every number is checked before it is used. */
#include "rank/cache.h"

#include "base/alloc.h"
#include "rank/letor.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD, IDS, DOCS, RECS };

/* Version 1 had no frame. */
const spar__frame_kind spar__cache_kind = {
    .name = "cache", .tag = "rank", .version = 2, .section = {{"head", 0}, {"ids ", 0}, {"docs", 0}, {"recs", 0}}};

static void archive_source(spar__archive *ar, spar__source *source)
{
    uint64_t times[] = {(uint64_t)source->seconds, (uint64_t)source->nanoseconds};
    bool fresh = source->fresh;
    uint64_t size = source->size, hash = source->hash;
    spar__archive_u64(ar, &size);
    spar__archive_u64(ar, &hash);
    spar__archive_u64(ar, &times[0]);
    spar__archive_u64(ar, &times[1]);
    spar__archive_bool(ar, &fresh);
    if (ar->loading && !ar->failed)
        *source = (spar__source){.size = size,
                                 .hash = hash,
                                 .seconds = (int64_t)times[0],
                                 .nanoseconds = (int64_t)times[1],
                                 .regular = true,
                                 .fresh = fresh};
}

void spar__cache_archive(spar__archive *ar, spar__cache *c)
{
    size_t grades = c->grades;
    spar__archive_u64(ar, &c->key.top);
    spar__archive_u64(ar, &c->key.seed);
    spar__archive_u64(ar, &c->key.rankers);
    spar__archive_size(ar, &c->queries);
    spar__archive_size(ar, &c->rankers);
    spar__archive_size(ar, &grades);
    spar__archive_size(ar, &c->sources);
    if (ar->loading) {
        spar__archive_check(ar, c->key.top >= 1 && c->key.top <= SPAR__TOP_MOST && c->queries >= 1 && c->rankers >= 1 &&
                                    c->rankers <= SPAR__FEATURE_MOST && grades >= 1 && grades <= SPAR__GRADE_MOST + 1 &&
                                    c->sources >= 1);
        if (!spar__archive_holds(ar, c->sources))
            return;
        c->grades = (unsigned)grades;
        c->source = spar__alloc(c->sources, sizeof *c->source);
        spar__archive_step(ar, c->source ? SPAR_OK : SPAR_NOMEM);
    }
    for (size_t i = 0; i < c->sources && !ar->failed; i++)
        archive_source(ar, &c->source[i]);
}

void spar__cache_order(unsigned char *lists, size_t length)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (size_t i = 0; i + 1 < length; i += 2) {
        unsigned char low = lists[i];
        lists[i] = lists[i + 1];
        lists[i + 1] = low;
    }
#else
    (void)lists;
    (void)length;
#endif
}

static spar_status check_head(const spar__frame *frame, spar__cache *c, spar_error *err)
{
    spar__archive ar = {.loading = true, .in = frame->section[HEAD].bytes, .left = frame->section[HEAD].length};
    spar__archive_check(&ar, ar.in != NULL);
    spar__cache_archive(&ar, c);
    if (ar.no_memory)
        return spar__fail_memory(err);
    if (ar.failed || ar.left)
        return spar__fail(err, SPAR_CORRUPT, "its head makes no sense");
    if (!frame->section[RECS].bytes || frame->section[IDS].length / 8 != c->queries || frame->section[IDS].length % 8 ||
        frame->section[DOCS].length != 4 * c->queries)
        return spar__fail(err, SPAR_CORRUPT, "its list of queries makes no sense");
    c->id = frame->section[IDS].bytes;
    c->docs = frame->section[DOCS].bytes;
    c->records = frame->section[RECS].bytes;
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

static spar_status check_records(spar__cache *c, size_t length, uint32_t *seen, spar_error *err)
{
    unsigned largest = 0;
    size_t at = 0;
    for (size_t q = 0; q < c->queries; q++) {
        size_t docs = spar__cache_docs(c, q), depth = c->key.top < docs ? (size_t)c->key.top : docs;
        size_t size = spar__record_size(docs, c->rankers, depth), grades = docs + docs % 2;
        if (docs < 1 || docs > SPAR__DOCS_MOST || size > length - at)
            return spar__fail(err, SPAR_CORRUPT, "its query %zu makes no sense", q);
        const unsigned char *record = c->records + at;
        for (size_t d = 0; d < docs; d++)
            largest = record[d] > largest ? record[d] : largest;
        spar__cache_order((unsigned char *)(uintptr_t)record + grades, size - grades);
        if (!check_lists((const uint16_t *)(const void *)(record + grades), c->rankers, depth, docs, seen))
            return spar__fail(err, SPAR_CORRUPT, "a list of its query %zu makes no sense", q);
        c->record[q] = at;
        at += size;
    }
    if (at != length || largest + 1 != c->grades)
        return spar__fail(err, SPAR_CORRUPT, "its queries are not those of its head");
    return SPAR_OK;
}

spar_status spar__cache_check(const unsigned char *bytes, size_t length, spar__cache *out, spar_error *err)
{
    spar__frame frame;
    uint32_t *seen = NULL;
    *out = (spar__cache){0};
    if (length >= 12 && spar__frame_is(&spar__cache_kind, bytes, length) &&
        spar__get_u32(bytes + 8) != spar__cache_kind.version)
        return spar__fail(err, SPAR_CORRUPT, "it has version %lu of the format, not %lu",
                          (unsigned long)spar__get_u32(bytes + 8), (unsigned long)spar__cache_kind.version);
    spar_status status = spar__frame_read(&spar__cache_kind, bytes, length, &frame, err);
    if (!status)
        status = check_head(&frame, out, err);
    if (status)
        goto fail;
    out->record = spar__alloc(out->queries, sizeof *out->record);
    seen = spar__alloc(SPAR__DOCS_MOST, sizeof *seen);
    status = out->record && seen ? check_records(out, frame.section[RECS].length, seen, err) : spar__fail_memory(err);
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
        return spar__fail(err, SPAR_IO, "it is not a regular file");
    size_t length = (size_t)info.st_size;
    if (length == 0)
        return spar__fail(err, SPAR_CORRUPT, "it is empty");
    /* Private pages: spar__cache_order may write to them. */
    int access = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? PROT_READ | PROT_WRITE : PROT_READ;
    void *bytes = mmap(NULL, length, access, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED)
        return spar__fail(err, SPAR_IO, "it cannot be mapped: %s", strerror(errno));
    spar_status status = spar__cache_check(bytes, length, out, err);
    if (status) {
        (void)munmap(bytes, length);
        return status;
    }
    out->map = bytes;
    out->mapped = length;
    return SPAR_OK;
}

void spar__cache_free(spar__cache *cache)
{
    if (cache->map)
        (void)munmap(cache->map, cache->mapped);
    spar__free(cache->source);
    spar__free(cache->record);
    *cache = (spar__cache){0};
}

bool spar__cache_looks(int fd)
{
    char head[8];
    return pread(fd, head, sizeof head, 0) == (ssize_t)sizeof head &&
           spar__frame_is(&spar__cache_kind, head, sizeof head);
}
