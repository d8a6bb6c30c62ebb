#include "rank/queries.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/buf.h"
#include "rank/build.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

static spar_status name_cache(opening *o)
{
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

static void compare_key(const opening *o, char *reason, size_t size)
{
    const spar__cache_key *then = &o->queries->cache.key, *now = &o->key;
    const spar__rankers *k = &o->queries->rankers;
    if (then->top != now->top)
        (void)snprintf(reason, size, "it was made with top %zu, not %zu", (size_t)then->top, (size_t)now->top);
    else if (then->seed != now->seed)
        (void)snprintf(reason, size, "it was made with seed %llu, not %llu", (unsigned long long)then->seed,
                       (unsigned long long)now->seed);
    else if (then->rankers != now->rankers || (k->n && k->n != o->queries->cache.rankers))
        (void)snprintf(reason, size, "it was made for other rankers");
}

/* A file that is not a cache is not overwritten, unless its name says that it is one. */
static spar_status check_overwrite(const opening *o, int fd)
{
    static const char suffix[] = ".spar-cache";
    size_t length = o->file.length, tail = sizeof suffix - 1;
    struct stat info;
    if (fstat(fd, &info) == 0 && info.st_size == 0)
        return SPAR_OK;
    if (spar__cache_looks(fd) || (length > tail && strcmp(o->file.text + length - tail, suffix) == 0))
        return SPAR_OK;
    return spar__fail(o->err, SPAR_IO, "%s: exists and is not a cache: not overwritten", o->file.text);
}

/* Is the file a cache of the same data and rankers? The reason stays empty if so. */
static spar_status examine(opening *o, int fd, char *reason, size_t size)
{
    spar_error why = {0};
    spar_status status = check_overwrite(o, fd);
    if (status)
        return status;
    status = spar__cache_map(fd, &o->queries->cache, &why);
    if (status == SPAR_NOMEM)
        return spar__fail_memory(o->err);
    if (status) {
        (void)snprintf(reason, size, "%.250s", why.text);
        return SPAR_OK;
    }
    compare_key(o, reason, size);
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

static spar_status make_cache(opening *o)
{
    spar__spool spool = {0};
    spar_status status = open_spool(o, &spool);
    if (!status)
        status = spar__build(o->stream, &o->queries->rankers, &o->key, o->options->threads, &spool, o->err);
    if (!status)
        status = write_cache(o, &spool);
    if (spool.file)
        (void)fclose(spool.file);
    spar__spool_free(&spool);
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
    return status ? status : name_cache(o);
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
    if (!status && !o.queries->cached)
        status = make_cache(&o);
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
