/* Writing a cache: first to a spool, query by query, then in its final form. */
#include "rank/cache.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static spar_status fail_write(const spar__spool *s, spar_error *err)
{
    return spar__fail(err, SPAR_IO, "%s: cannot write: %s", s->name, strerror(errno));
}

static spar_status grow(spar__spool *s, spar_error *err)
{
    size_t capacity = s->capacity ? 2 * s->capacity : 1024;
    uint64_t *id = spar__realloc(s->id, s->capacity, capacity, sizeof *id);
    if (id)
        s->id = id;
    uint32_t *docs = spar__realloc(s->docs, s->capacity, capacity, sizeof *docs);
    if (docs)
        s->docs = docs;
    uint32_t *lists = spar__realloc(s->lists, s->capacity, capacity, sizeof *lists);
    if (lists)
        s->lists = lists;
    if (!id || !docs || !lists)
        return spar__fail_memory(err);
    s->capacity = capacity;
    return SPAR_OK;
}

spar_status spar__spool_add(spar__spool *s, const spar__record *q, spar_error *err)
{
    if (s->n == s->capacity && grow(s, err))
        return SPAR_NOMEM;
    size_t words = q->lists * q->depth;
    if (fwrite(q->grade, 1, q->docs, s->file) != q->docs || fwrite(q->tied, 2, q->depth, s->file) != q->depth ||
        fwrite(q->list, 2, words, s->file) != words)
        return fail_write(s, err);
    for (size_t d = 0; d < q->docs; d++)
        s->grades = q->grade[d] >= s->grades ? q->grade[d] + 1u : s->grades;
    s->rankers = q->lists > s->rankers ? q->lists : s->rankers;
    s->id[s->n] = q->id;
    s->docs[s->n] = (uint32_t)q->docs;
    s->lists[s->n++] = (uint32_t)q->lists;
    return SPAR_OK;
}

void spar__spool_free(spar__spool *s)
{
    spar__free(s->id);
    spar__free(s->docs);
    spar__free(s->lists);
    *s = (spar__spool){0};
}

/* Errors stick in the FILE, and are looked for at the end. */
typedef struct writer {
    FILE *file;
    spar__hash hash;
    uint64_t length;
} writer;

static void put(writer *w, const void *bytes, size_t length)
{
    (void)fwrite(bytes, 1, length, w->file);
    spar__hash_add(&w->hash, bytes, length);
    w->length += length;
}

static size_t padding(size_t bytes)
{
    return (8 - bytes % 8) % 8;
}

static void put_padded(writer *w, const void *bytes, size_t length)
{
    static const char zeros[8];
    put(w, bytes, length);
    put(w, zeros, padding(length));
}

static void put_sources(writer *w, const spar__source *source, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t path = strlen(source[i].path) + 1;
        spar__cache_source s = {source[i].size,        source[i].hash,  source[i].seconds,
                                source[i].nanoseconds, source[i].fresh, path + padding(path)};
        put(w, &s, sizeof s);
        put_padded(w, source[i].path, path);
    }
}

/* One record: grades, the lists that were stored, and the order of ties for rankers that came up later. */
static bool put_record(writer *w, const spar__spool *s, size_t q, size_t depth, unsigned char *buffer)
{
    size_t docs = s->docs[q], list = depth * sizeof(uint16_t), stored = s->lists[q] * list;
    unsigned char *tied = buffer + docs + docs % 2;
    if (fread(buffer, 1, docs, s->file) != docs || fread(tied, 1, list + stored, s->file) != list + stored)
        return false;
    if (docs % 2)
        buffer[docs] = 0;
    put(w, buffer, docs + docs % 2);
    put(w, tied + list, stored);
    for (size_t r = s->lists[q]; r < s->rankers; r++)
        put(w, tied, list);
    return true;
}

static spar_status put_records(writer *w, const spar__spool *s, uint64_t top, spar_error *err)
{
    size_t largest = 0;
    for (size_t q = 0; q < s->n; q++)
        largest = s->docs[q] > largest ? s->docs[q] : largest;
    size_t deepest = top < largest ? (size_t)top : largest;
    unsigned char *buffer = spar__alloc(spar__record_size(largest, s->rankers + 1, deepest), 1);
    if (!buffer)
        return spar__fail_memory(err);
    bool good = fflush(s->file) == 0 && fseek(s->file, 0, SEEK_SET) == 0;
    for (size_t q = 0; good && q < s->n; q++)
        good = put_record(w, s, q, top < s->docs[q] ? (size_t)top : s->docs[q], buffer);
    spar__free(buffer);
    return good ? SPAR_OK : fail_write(s, err);
}

spar_status spar__cache_write(FILE *file, const spar__cache_key *key, const spar__source *source, size_t sources,
                              spar__spool *s, spar_error *err)
{
    writer w = {.file = file};
    spar__cache_header h = {.magic = SPAR__CACHE_MAGIC,
                            .version = SPAR__CACHE_VERSION,
                            .top = key->top,
                            .seed = key->seed,
                            .rankers_hash = key->rankers,
                            .sources = sources,
                            .queries = s->n,
                            .rankers = s->rankers,
                            .grades = s->grades};
    const size_t open = offsetof(spar__cache_header, top); /* the checksum counts from here */
    put(&w, &h, open);
    w.hash = spar__hash_start();
    put(&w, (const char *)&h + open, sizeof h - open);
    put_sources(&w, source, sources);
    put_padded(&w, s->id, s->n * sizeof *s->id);
    put_padded(&w, s->docs, s->n * sizeof *s->docs);
    spar_status status = put_records(&w, s, key->top, err);
    if (status)
        return status;
    h.length = w.length;
    h.checksum = spar__hash_end(&w.hash);
    if (fseek(file, 0, SEEK_SET) || fwrite(&h, 1, open, file) != open || ferror(file) || fflush(file) ||
        fsync(fileno(file)))
        return fail_write(s, err);
    return SPAR_OK;
}
