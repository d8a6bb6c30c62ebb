/* Writing a cache: first to a spool, query by query, then in its final form. */
#include "rank/cache.h"

#include "base/alloc.h"

#include <errno.h>
#include <string.h>

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

/* One record: grades, the lists that were stored, and the order of ties for rankers that came up later. */
static bool put_record(spar__frame_writer *w, const spar__spool *s, size_t q, size_t depth, unsigned char *buffer)
{
    size_t docs = s->docs[q], list = depth * sizeof(uint16_t), stored = s->lists[q] * list;
    unsigned char *tied = buffer + docs + docs % 2;
    if (fread(buffer, 1, docs, s->file) != docs || fread(tied, 1, list + stored, s->file) != list + stored)
        return false;
    if (docs % 2)
        buffer[docs] = 0;
    spar__cache_order(tied, list + stored);
    spar__frame_add(w, buffer, docs + docs % 2);
    spar__frame_add(w, tied + list, stored);
    for (size_t r = s->lists[q]; r < s->rankers; r++)
        spar__frame_add(w, tied, list);
    return true;
}

static size_t depth_of(const spar__spool *s, size_t q, uint64_t top)
{
    return top < s->docs[q] ? (size_t)top : s->docs[q];
}

static spar_status put_records(spar__frame_writer *w, const spar__spool *s, uint64_t top, spar_error *err)
{
    size_t largest = 0, total = 0;
    for (size_t q = 0; q < s->n; q++) {
        size_t depth = depth_of(s, q, top), size = spar__record_size(s->docs[q], s->rankers + 1, depth);
        largest = size > largest ? size : largest;
        total += spar__record_size(s->docs[q], s->rankers, depth);
    }
    unsigned char *buffer = spar__alloc(largest, 1);
    if (!buffer)
        return spar__fail_memory(err);
    bool good = fflush(s->file) == 0 && fseek(s->file, 0, SEEK_SET) == 0;
    spar__frame_section(w, 3, total);
    for (size_t q = 0; good && q < s->n; q++)
        good = put_record(w, s, q, depth_of(s, q, top), buffer);
    spar__free(buffer);
    return good ? SPAR_OK : fail_write(s, err);
}

static void put_numbers(spar__frame_writer *w, const spar__spool *s)
{
    unsigned char bytes[8];
    spar__frame_section(w, 1, 8 * s->n);
    for (size_t q = 0; q < s->n; q++) {
        spar__put_u64(bytes, s->id[q]);
        spar__frame_add(w, bytes, 8);
    }
    spar__frame_section(w, 2, 4 * s->n);
    for (size_t q = 0; q < s->n; q++) {
        spar__put_u32(bytes, s->docs[q]);
        spar__frame_add(w, bytes, 4);
    }
}

spar_status spar__cache_write(FILE *file, const spar__cache_key *key, const spar__source *source, size_t sources,
                              spar__spool *s, spar_error *err)
{
    spar__cache c = {.key = *key,
                     .queries = s->n,
                     .rankers = s->rankers,
                     .grades = s->grades,
                     .source = (spar__source *)(uintptr_t)source, /* saving only reads */
                     .sources = sources};
    spar__archive head = {0};
    spar__frame_writer w;
    spar__cache_archive(&head, &c);
    spar_status status = head.failed ? spar__fail_memory(err) : SPAR_OK;
    if (!status) {
        spar__frame_begin(&w, &spar__cache_kind, NULL, file);
        spar__frame_section(&w, 0, head.out.length);
        spar__frame_add(&w, head.out.text, head.out.length);
        put_numbers(&w, s);
        status = put_records(&w, s, key->top, err);
    }
    if (!status)
        spar__frame_end(&w);
    spar__buf_free(&head.out);
    return !status && (fflush(file) || ferror(file)) ? fail_write(s, err) : status;
}
