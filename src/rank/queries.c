/* queries.c - learning-to-rank data, ready for use: read once, ranked by several workers, and kept in a cache beside
 * the data, which is used in place (queries.h has its format).
 *
 * Opening looks for a cache of the same files and rankers; else the text is streamed (stream.c), batches of queries are
 * parsed and ranked in parallel and written in order to a spool, so that the result is the same for any number of
 * workers, and the spool becomes the cache. Memory: the text of one batch, its results, and one query per worker. */
#include "rank/queries.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/pool.h"
#include "rank/letor.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- reading a cache: every number is checked before it is used --- */

enum { HEAD, IDS, DOCS, RECS };

/* Version 1 had no frame. */
const spar__frame_kind spar__cache_kind = {
    .name = "cache", .tag = "rank", .version = 2, .section = {{"head", 0}, {"ids ", 0}, {"docs", 0}, {"recs", 0}}};

static void cache_archive(spar__archive *ar, spar__cache *c)
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
    for (size_t i = 0; i < c->sources && !ar->failed; i++) {
        spar__source *source = &c->source[i];
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
}

/* For reading and writing: the head, and the lists, which are little-endian in the file, to or from the order of this
 * machine. */
static void cache_order(unsigned char *lists, size_t length)
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
        cache_order((unsigned char *)(uintptr_t)record + grades, size - grades);
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
    if (status)
        return status;
    spar__archive ar = {.loading = true, .in = frame.section[HEAD].bytes, .left = frame.section[HEAD].length};
    spar__archive_check(&ar, ar.in != NULL);
    cache_archive(&ar, out);
    if (ar.no_memory)
        status = spar__fail_memory(err);
    else if (ar.failed || ar.left)
        status = spar__fail(err, SPAR_CORRUPT, "its head makes no sense");
    else if (!frame.section[RECS].bytes || frame.section[IDS].length / 8 != out->queries ||
             frame.section[IDS].length % 8 || frame.section[DOCS].length != 4 * out->queries)
        status = spar__fail(err, SPAR_CORRUPT, "its list of queries makes no sense");
    if (status)
        goto fail;
    out->id = frame.section[IDS].bytes;
    out->docs = frame.section[DOCS].bytes;
    out->records = frame.section[RECS].bytes;
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
    /* Private pages: cache_order may write to them. */
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

/* --- writing a cache: first to a spool, query by query, then in its final form --- */

static spar_status fail_write(const spar__spool *s, spar_error *err)
{
    return spar__fail(err, SPAR_IO, "%s: cannot write: %s", s->name, strerror(errno));
}

spar_status spar__spool_add(spar__spool *s, const spar__record *q, spar_error *err)
{
    spar__spooled *query = spar__grow(s->query, &s->capacity, s->n + 1, 1024, sizeof *query);
    if (!query)
        return spar__fail_memory(err);
    s->query = query;
    size_t words = q->lists * q->depth;
    if (fwrite(q->grade, 1, q->docs, s->file) != q->docs || fwrite(q->tied, 2, q->depth, s->file) != q->depth ||
        fwrite(q->list, 2, words, s->file) != words)
        return fail_write(s, err);
    for (size_t d = 0; d < q->docs; d++)
        s->grades = q->grade[d] >= s->grades ? q->grade[d] + 1u : s->grades;
    s->rankers = q->lists > s->rankers ? q->lists : s->rankers;
    s->query[s->n++] = (spar__spooled){q->id, (uint32_t)q->docs, (uint32_t)q->lists};
    return SPAR_OK;
}

void spar__spool_free(spar__spool *s)
{
    spar__free(s->query);
    *s = (spar__spool){0};
}

static size_t depth_of(const spar__spool *s, size_t q, uint64_t top)
{
    return top < s->query[q].docs ? (size_t)top : s->query[q].docs;
}

static spar_status put_records(spar__frame_writer *w, const spar__spool *s, uint64_t top, spar_error *err)
{
    size_t largest = 0, total = 0;
    for (size_t q = 0; q < s->n; q++) {
        size_t depth = depth_of(s, q, top), size = spar__record_size(s->query[q].docs, s->rankers + 1, depth);
        largest = size > largest ? size : largest;
        total += spar__record_size(s->query[q].docs, s->rankers, depth);
    }
    unsigned char *buffer = spar__alloc(largest, 1);
    if (!buffer)
        return spar__fail_memory(err);
    bool good = fflush(s->file) == 0 && fseek(s->file, 0, SEEK_SET) == 0;
    spar__frame_section(w, 3, total);
    for (size_t q = 0; good && q < s->n; q++) {
        /* One record: grades, the lists that were stored, and the order of ties for rankers that came up later. */
        size_t docs = s->query[q].docs, even = docs + docs % 2, list = depth_of(s, q, top) * sizeof(uint16_t);
        size_t stored = s->query[q].lists * list;
        unsigned char *tied = buffer + even;
        good = fread(buffer, 1, docs, s->file) == docs && fread(tied, 1, list + stored, s->file) == list + stored;
        if (!good)
            break;
        if (docs % 2)
            buffer[docs] = 0;
        cache_order(tied, list + stored);
        spar__frame_add(w, buffer, even);
        spar__frame_add(w, tied + list, stored);
        for (size_t r = s->query[q].lists; r < s->rankers; r++)
            spar__frame_add(w, tied, list);
    }
    spar__free(buffer);
    return good ? SPAR_OK : fail_write(s, err);
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
    cache_archive(&head, &c);
    spar_status status = head.failed ? spar__fail_memory(err) : SPAR_OK;
    if (!status) {
        spar__frame_begin(&w, &spar__cache_kind, NULL, file);
        spar__frame_section(&w, 0, head.out.length);
        spar__frame_add(&w, head.out.text, head.out.length);
        unsigned char bytes[8];
        spar__frame_section(&w, 1, 8 * s->n);
        for (size_t q = 0; q < s->n; q++) {
            spar__put_u64(bytes, s->query[q].id);
            spar__frame_add(&w, bytes, 8);
        }
        spar__frame_section(&w, 2, 4 * s->n);
        for (size_t q = 0; q < s->n; q++) {
            spar__put_u32(bytes, s->query[q].docs);
            spar__frame_add(&w, bytes, 4);
        }
        status = put_records(&w, s, key->top, err);
    }
    if (!status)
        spar__frame_end(&w);
    spar__buf_free(&head.out);
    return !status && (fflush(file) || ferror(file)) ? fail_write(s, err) : status;
}

/* --- from text to the spool --- */

/* Memory that a worker uses for query after query. */
typedef struct build_worker {
    spar__letor_rows rows;
    spar__ranking ranking;
} build_worker;

/* The result for one query: grades and lists, copied from the worker. */
typedef struct query_result {
    spar__record record;
    unsigned char *bytes;
    size_t capacity;
    spar_error err;
} query_result;

typedef struct builder {
    const spar__rankers *rankers;
    const spar__cache_key *key;
    size_t workers;
    build_worker *worker;
    const spar__chunk *chunk;
    query_result *result;
    size_t results;
} builder;

/* Lists, ties, then grades: in the order of their alignment. */
static spar_status keep(query_result *out, const spar__letor_rows *rows, const spar__ranking *ranking)
{
    size_t lists = ranking->lists * ranking->depth * sizeof *ranking->list;
    size_t tied = ranking->depth * sizeof *ranking->tied, need = lists + tied + rows->docs;
    if (need > out->capacity) {
        unsigned char *bytes = spar__alloc(need + need / 4, 1);
        if (!bytes)
            return spar__fail_memory(&out->err);
        spar__free(out->bytes);
        out->bytes = bytes;
        out->capacity = need + need / 4;
    }
    memcpy(out->bytes, ranking->list, lists);
    memcpy(out->bytes + lists, ranking->tied, tied);
    memcpy(out->bytes + lists + tied, rows->grade, rows->docs);
    out->record = (spar__record){.id = rows->id,
                                 .docs = rows->docs,
                                 .depth = ranking->depth,
                                 .lists = ranking->lists,
                                 .grade = out->bytes + lists + tied,
                                 .tied = (const uint16_t *)(const void *)(out->bytes + lists),
                                 .list = (const uint16_t *)(const void *)out->bytes};
    return SPAR_OK;
}

static void work(void *context, size_t index, size_t number)
{
    builder *b = context;
    build_worker *t = &b->worker[number];
    const spar__chunk *chunk = &b->chunk[index];
    query_result *out = &b->result[index];
    out->err = (spar_error){0};
    if (spar__letor_parse(chunk->text, chunk->length, chunk->file, chunk->line, &t->rows, &out->err))
        return;
    if (t->rows.docs == 0)
        (void)spar__fail(&out->err, SPAR_PARSE, "%s: no documents in it", chunk->file);
    else if (spar__rankers_rank(b->rankers, &t->rows, b->key->seed, (size_t)b->key->top, &t->ranking))
        (void)spar__fail_memory(&out->err);
    else
        (void)keep(out, &t->rows, &t->ranking);
}

spar_status spar__build(spar__stream *stream, const spar__rankers *rankers, const spar__cache_key *key, size_t threads,
                        spar__spool *spool, spar_error *err)
{
    builder b = {.rankers = rankers, .key = key, .workers = spar__pool_workers(threads, SIZE_MAX)};
    spar__stream_batch batch;
    spar_status status;
    b.worker = spar__alloc(b.workers, sizeof *b.worker);
    if (!b.worker)
        return spar__fail_memory(err);
    while (!(status = spar__stream_next(stream, &batch, err)) && batch.n > 0) {
        if (batch.n > b.results) {
            query_result *results = spar__realloc(b.result, b.results, batch.n, sizeof *results);
            if (!results) {
                status = spar__fail_memory(err);
                break;
            }
            b.result = results;
            b.results = batch.n;
        }
        b.chunk = batch.chunk;
        spar__pool_run(b.workers, batch.n, work, &b);
        for (size_t i = 0; i < batch.n && !status; i++) {
            const spar_error *trouble = &b.result[i].err;
            status = trouble->status ? spar__fail(err, trouble->status, "%s", trouble->text)
                                     : spar__spool_add(spool, &b.result[i].record, err);
        }
        if (status)
            break;
    }
    if (!status && spool->rankers == 0)
        status = spar__fail(err, SPAR_PARSE, "%s: no features in it", spar__stream_sources(stream)->path);
    for (size_t i = 0; i < b.workers; i++) {
        spar__letor_rows_free(&b.worker[i].rows);
        spar__ranking_free(&b.worker[i].ranking);
    }
    for (size_t i = 0; i < b.results; i++)
        spar__free(b.result[i].bytes);
    spar__free(b.result);
    spar__free(b.worker);
    return status;
}

/* --- opening --- */

enum { TOP = 10 };

struct spar__queries {
    spar__cache cache;
    spar__rankers rankers;
    char (*plain)[12]; /* "f1", "f2", ... where the user has no names */
    bool cached;
};

/* One call of open. */
typedef struct opening {
    const spar__queries_options *options;
    spar__queries *queries;
    spar__cache_key key;
    spar__stream *stream;
    spar__buf file; /* the cache; empty: it is not kept */
    bool named;     /* by the user: it must be kept there */
    spar_error *err;
} opening;

static void note(const opening *o, const char *file, const char *reason)
{
    spar__buf text = {0};
    spar__buf_printf(&text, "%s: %s", file, reason);
    if (o->options->note && !text.failed)
        o->options->note(o->options->context, text.text);
    spar__buf_free(&text);
}

/* Same size and time: the same file. Same size only: look inside. */
static spar_status compare_sources(opening *o, char *reason, size_t size)
{
    const spar__cache *c = &o->queries->cache;
    const spar__source *now = spar__stream_sources(o->stream);
    uint64_t hash;
    if (c->sources != o->options->paths) {
        (void)snprintf(reason, size, "it was made from %zu file%s, not %zu", c->sources, spar__plural(c->sources),
                       o->options->paths);
        return SPAR_OK;
    }
    for (size_t i = 0; i < c->sources; i++) {
        const spar__source *then = &c->source[i];
        bool same = now[i].size == then->size;
        if (same && (then->fresh || now[i].seconds != then->seconds || now[i].nanoseconds != then->nanoseconds)) {
            spar_status status =
                spar__source_hash(now[i].path, o->options->progress, o->options->context, now[i].size, &hash, o->err);
            if (status)
                return status;
            same = hash == then->hash;
        }
        if (!same) {
            (void)snprintf(reason, size, "%.200s has changed", now[i].path);
            return SPAR_OK;
        }
    }
    return SPAR_OK;
}

/* Is the file a cache of the same data and rankers? The reason stays empty if so. A file that is not a cache is not
 * overwritten, unless its name says that it is one. */
static spar_status examine(opening *o, int fd, char *reason, size_t size)
{
    static const char suffix[] = ".spar-cache";
    size_t length = o->file.length, tail = sizeof suffix - 1;
    spar_error why = {0};
    struct stat info;
    char head[8];
    bool empty = fstat(fd, &info) == 0 && info.st_size == 0;
    bool looks = pread(fd, head, sizeof head, 0) == (ssize_t)sizeof head &&
                 spar__frame_is(&spar__cache_kind, head, sizeof head); /* of any version */
    if (!empty && !looks && !(length > tail && strcmp(o->file.text + length - tail, suffix) == 0))
        return spar__fail(o->err, SPAR_IO, "%s: exists and is not a cache: not overwritten", o->file.text);
    spar_status status = spar__cache_map(fd, &o->queries->cache, &why);
    if (status == SPAR_NOMEM)
        return spar__fail_memory(o->err);
    const spar__cache_key *then = &o->queries->cache.key, *now = &o->key;
    const spar__rankers *k = &o->queries->rankers;
    if (status)
        (void)snprintf(reason, size, "%.250s", why.text);
    else if (then->top != now->top)
        (void)snprintf(reason, size, "it was made with top %zu, not %zu", (size_t)then->top, (size_t)now->top);
    else if (then->seed != now->seed)
        (void)snprintf(reason, size, "it was made with seed %llu, not %llu", (unsigned long long)then->seed,
                       (unsigned long long)now->seed);
    else if (then->rankers != now->rankers || (k->n && k->n != o->queries->cache.rankers))
        (void)snprintf(reason, size, "it was made for other rankers");
    return reason[0] ? SPAR_OK : compare_sources(o, reason, size);
}

/* Uses the cache that exists, or a note says why not. */
static spar_status try_cache(opening *o, bool *taken)
{
    char reason[256] = "", text[300];
    struct stat info;
    *taken = false;
    if (stat(o->file.text, &info) == 0 && !S_ISREG(info.st_mode))
        return spar__fail(o->err, SPAR_IO, "%s: is not a regular file, where a cache could be kept", o->file.text);
    spar_status status = SPAR_OK;
    int fd = open(o->file.text, O_RDONLY | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT)
        return SPAR_OK;
    if (fd < 0) {
        (void)snprintf(reason, sizeof reason, "it cannot be opened: %s", strerror(errno));
    } else {
        status = examine(o, fd, reason, sizeof reason);
        (void)close(fd);
    }
    *taken = !status && !reason[0];
    if (!*taken)
        spar__cache_free(&o->queries->cache);
    (void)snprintf(text, sizeof text, "made again: %s", reason);
    if (reason[0])
        note(o, o->file.text, text);
    return status;
}

/* In the directory of the cache, where there must be room for it anyway; elsewhere if it cannot be kept there. */
static spar_status open_spool(opening *o, spar__spool *spool)
{
    if (o->file.text) {
        spool->file = spar__file_unnamed(o->file.text);
        if (!spool->file && o->named)
            return spar__fail_file(o->err, o->file.text, "write");
        if (!spool->file) {
            char text[256];
            (void)snprintf(text, sizeof text, "not kept, cannot write: %s", strerror(errno));
            note(o, o->file.text, text);
            spar__buf_free(&o->file);
        }
    }
    if (!spool->file && !(spool->file = spar__file_unnamed(NULL)))
        return spar__fail(o->err, SPAR_IO, "no temporary file (in $TMPDIR or /tmp): %s", strerror(errno));
    spool->name = o->file.text ? o->file.text : "temporary file";
    return SPAR_OK;
}

/* Writes the cache and maps it. */
static spar_status write_cache(opening *o, spar__spool *spool)
{
    spar__file file = {0};
    spar_error why = {0};
    spar_status status = SPAR_OK;
    if (o->file.text)
        status = spar__file_begin(&file, o->file.text, o->err);
    else if (!(file.stream = spar__file_unnamed(NULL)))
        status = spar__fail_file(o->err, spool->name, "write");
    if (!status)
        status =
            spar__cache_write(file.stream, &o->key, spar__stream_sources(o->stream), o->options->paths, spool, o->err);
    if (!status && (status = spar__cache_map(fileno(file.stream), &o->queries->cache, &why)))
        (void)spar__fail(o->err, status, "%s: %s", spool->name, why.text);
    if (!status && o->file.text)
        return spar__file_commit(&file, true, o->err);
    spar__file_abandon(&file);
    return status;
}

/* Names for all rankers, from the user or plain. */
static spar_status name_rankers(opening *o)
{
    spar__queries *q = o->queries;
    if (q->rankers.names >= q->cache.rankers)
        return SPAR_OK;
    if (q->rankers.names > 0)
        return spar__fail(o->err, SPAR_INVALID, "%s: %zu names, but there are %zu features", o->options->names,
                          q->rankers.names, q->cache.rankers);
    q->plain = spar__alloc(q->cache.rankers, sizeof *q->plain);
    if (!q->plain)
        return spar__fail_memory(o->err);
    for (size_t i = 0; i < q->cache.rankers; i++)
        (void)snprintf(q->plain[i], sizeof *q->plain, "f%u", (unsigned)(i + 1));
    return SPAR_OK;
}

static spar_status prepare(opening *o)
{
    const spar__queries_options *options = o->options;
    if (options->weights && options->names)
        return spar__fail(o->err, SPAR_INVALID,
                          "names of features cannot be combined with weights, which have their own names");
    o->key.top = options->top ? options->top : TOP;
    if (o->key.top > SPAR__TOP_MOST)
        return spar__fail(o->err, SPAR_INVALID, "top is %zu, expected 1 to %d", options->top, SPAR__TOP_MOST);
    o->key.seed = options->seed;
    spar__rankers *rankers = &o->queries->rankers;
    spar_status status = options->weights ? spar__rankers_weights(options->weights, rankers, o->err)
                                          : spar__rankers_features(options->names, options->features, rankers, o->err);
    o->key.rankers = rankers->hash;
    if (!status)
        status =
            spar__stream_new(options->path, options->paths, options->progress, options->context, &o->stream, o->err);
    if (status)
        return status;
    const spar__source *source = spar__stream_sources(o->stream);
    bool lasting = true;
    for (size_t i = 0; i < o->options->paths; i++)
        lasting = lasting && source[i].regular;
    o->named = o->options->cache != NULL;
    if (o->named && !o->options->cache[0])
        return SPAR_OK;
    if (!lasting) {
        if (o->named)
            note(o, o->options->cache, "not made: not all sources are files");
        return SPAR_OK;
    }
    if (o->named)
        spar__buf_adds(&o->file, o->options->cache);
    else
        spar__buf_printf(&o->file, "%s.spar-cache", o->options->path[0]);
    return o->file.failed ? spar__fail_memory(o->err) : SPAR_OK;
}

spar_status spar__queries_open(const spar__queries_options *options, spar__queries **out, spar_error *err)
{
    *out = NULL;
    opening o = {.options = options, .err = err, .queries = spar__alloc(1, sizeof *o.queries)};
    if (!o.queries)
        return spar__fail_memory(err);
    spar_status status = prepare(&o);
    if (!status && o.file.text)
        status = try_cache(&o, &o.queries->cached);
    if (!status && !o.queries->cached) {
        spar__spool spool = {0};
        status = open_spool(&o, &spool);
        if (!status)
            status = spar__build(o.stream, &o.queries->rankers, &o.key, o.options->threads, &spool, o.err);
        if (!status)
            status = write_cache(&o, &spool);
        if (spool.file)
            (void)fclose(spool.file);
        spar__spool_free(&spool);
    }
    if (!status)
        status = name_rankers(&o);
    spar__stream_free(o.stream);
    spar__buf_free(&o.file);
    if (status)
        spar__queries_free(o.queries);
    else
        *out = o.queries;
    return status;
}

void spar__queries_free(spar__queries *q)
{
    if (!q)
        return;
    spar__cache_free(&q->cache);
    spar__rankers_free(&q->rankers);
    spar__free(q->plain);
    spar__free(q);
}

bool spar__queries_cached(const spar__queries *q)
{
    return q->cached;
}

size_t spar__queries_count(const spar__queries *q)
{
    return q->cache.queries;
}

size_t spar__queries_rankers(const spar__queries *q)
{
    return q->cache.rankers;
}

size_t spar__queries_top(const spar__queries *q)
{
    return (size_t)q->cache.key.top;
}

unsigned spar__queries_grades(const spar__queries *q)
{
    return q->cache.grades;
}

const char *spar__queries_name(const spar__queries *q, size_t ranker)
{
    return q->plain ? q->plain[ranker] : q->rankers.name[ranker];
}

spar__query spar__queries_get(const spar__queries *q, size_t i)
{
    const spar__cache *c = &q->cache;
    size_t docs = spar__cache_docs(c, i);
    const unsigned char *record = c->records + c->record[i];
    return (spar__query){.id = spar__cache_id(c, i),
                         .docs = docs,
                         .grade = record,
                         .depth = c->key.top < docs ? (size_t)c->key.top : docs,
                         .first = (const uint16_t *)(const void *)(record + docs + docs % 2)};
}
