/* stream.c - the text of learning-to-rank files, query by query, through a buffer of a few megabytes.
 *
 * The buffer holds, from `start`, the lines of the query that is not yet whole; from `scanned`, text whose lines are
 * not yet looked at; and ends at `length`. A batch is cut off in front, and what remains moves to the front next time.
 */
#include "base/alloc.h"
#include "base/hash.h"
#include "base/order.h"
#include "rank/letor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* --- how a file that has changed is recognised: by size, time and hash --- */

spar_status spar__source_look(const char *path, spar__source *out, spar_error *err)
{
    *out = (spar__source){.path = path};
    if (strcmp(path, "-") == 0)
        return SPAR_OK;
    struct stat info;
    if (stat(path, &info))
        return spar__fail(err, SPAR_IO, "%s: cannot open: %s", path, strerror(errno));
    if (S_ISDIR(info.st_mode))
        return spar__fail(err, SPAR_IO, "%s: is a directory, expected a file", path);
    out->regular = S_ISREG(info.st_mode);
    out->size = out->regular ? (uint64_t)info.st_size : 0;
    out->seconds = info.st_mtim.tv_sec;
    out->nanoseconds = info.st_mtim.tv_nsec;
    /* Times of files come in steps: of a clock tick, or of up to two seconds where there are no parts of a second. */
    struct timespec now = {0};
    out->fresh = clock_gettime(CLOCK_REALTIME, &now) != 0;
    double age = (double)(now.tv_sec - info.st_mtim.tv_sec) + 1e-9 * (double)(now.tv_nsec - info.st_mtim.tv_nsec);
    out->fresh = out->fresh || age < (info.st_mtim.tv_nsec ? 0.05 : 2.0);
    return SPAR_OK;
}

spar_status spar__source_hash(const char *path, spar__progress *progress, void *context, uint64_t total, uint64_t *hash,
                              spar_error *err)
{
    enum { PIECE = 1 << 20 };
    spar_status status = SPAR_OK;
    spar__hash state = spar__hash_start();
    ssize_t got;
    char *piece = spar__alloc(PIECE, 1);
    if (!piece)
        return spar__fail_memory(err);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        status = spar__fail(err, SPAR_IO, "%s: cannot open: %s", path, strerror(errno));
        goto fail;
    }
    while ((got = read(fd, piece, PIECE)) != 0) {
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            status = spar__fail(err, SPAR_IO, "%s: cannot read: %s", path, strerror(errno));
            goto fail;
        }
        spar__hash_add(&state, piece, (size_t)got);
        if (progress && !progress(context, state.length, total)) {
            status = spar__fail(err, SPAR_INTERRUPTED, "%s: interrupted while it was read", path);
            goto fail;
        }
    }
    *hash = spar__hash_end(&state);
fail:
    if (fd >= 0)
        (void)close(fd);
    spar__free(piece);
    return status;
}

/* --- the stream --- */

enum { WINDOW = 8 << 20, MOST_LINE = 16 << 20, MOST_TEXT = 1 << 30 };

struct spar__stream {
    spar__source *source;
    size_t sources, at; /* the file that is read */
    int fd;             /* -1: not yet opened */
    bool ended;         /* all of it is in the buffer */
    spar__hash hash;
    spar__progress *progress;
    void *context;
    uint64_t done, total;
    char *text;
    size_t start, scanned, length, capacity, window;
    size_t start_line, line; /* at start, at scanned */
    bool has_id;
    uint64_t id;         /* of the query at start */
    spar__key_table ids; /* of the queries that came */
    spar__chunk *chunk;
    size_t chunks, chunk_capacity;
    bool repeated;    /* the query at start is not the first of its number */
    spar_error later; /* an error behind the chunks of this batch, whose own errors come first */
};

static const char *label(const spar__source *source)
{
    return strcmp(source->path, "-") == 0 ? "standard input" : source->path;
}

spar_status spar__stream_new(const char *const *path, size_t n, spar__progress *progress, void *context,
                             spar__stream **out, spar_error *err)
{
    spar_status status = SPAR_OK;
    bool known = true;
    *out = NULL;
    if (n == 0)
        return spar__fail(err, SPAR_INVALID, "no files to read");
    spar__stream *s = spar__alloc(1, sizeof *s);
    if (!s)
        return spar__fail_memory(err);
    *s = (spar__stream){.sources = n, .fd = -1, .progress = progress, .context = context, .window = WINDOW};
    s->source = spar__alloc(n, sizeof *s->source);
    if (!s->source) {
        status = spar__fail_memory(err);
        goto fail;
    }
    for (size_t i = 0; i < n; i++) {
        if ((status = spar__source_look(path[i], &s->source[i], err)))
            goto fail;
        known = known && s->source[i].regular;
        s->total += s->source[i].size;
    }
    s->total = known ? s->total : 0;
    *out = s;
    return SPAR_OK;
fail:
    spar__stream_free(s);
    return status;
}

void spar__stream_free(spar__stream *s)
{
    if (!s)
        return;
    if (s->fd > STDIN_FILENO)
        (void)close(s->fd);
    spar__key_table_fini(&s->ids);
    spar__free(s->source);
    spar__free(s->text);
    spar__free(s->chunk);
    spar__free(s);
}

const spar__source *spar__stream_sources(const spar__stream *s)
{
    return s->source;
}

void spar__stream_window(spar__stream *s, size_t bytes)
{
    s->window = bytes;
}

/* At the end of a file, checks that it has not changed meanwhile. */
static spar_status close_source(spar__stream *s, spar_error *err)
{
    spar__source *source = &s->source[s->at], now;
    if (s->fd > STDIN_FILENO)
        (void)close(s->fd);
    s->fd = -1;
    s->ended = true;
    source->hash = spar__hash_end(&s->hash);
    if (source->regular) {
        spar_status status = spar__source_look(source->path, &now, err);
        if (status)
            return status;
        if (now.size != source->size || now.seconds != source->seconds || now.nanoseconds != source->nanoseconds)
            return spar__fail(err, SPAR_IO, "%s: changed while it was read", source->path);
    }
    source->size = s->hash.length;
    return SPAR_OK;
}

/* Room for a window more, and two bytes to end the text with. */
static spar_status make_room(spar__stream *s, spar_error *err)
{
    if (s->start > 0) {
        memmove(s->text, s->text + s->start, s->length - s->start);
        s->scanned -= s->start;
        s->length -= s->start;
        s->start = 0;
    }
    if (s->length > MOST_TEXT)
        return spar__fail(err, SPAR_PARSE, "%s:%zu: more than %d bytes without a new query", label(&s->source[s->at]),
                          s->start_line, MOST_TEXT);
    if (s->length - s->scanned > MOST_LINE)
        return spar__fail(err, SPAR_PARSE, "%s:%zu: a line of more than %d bytes", label(&s->source[s->at]), s->line,
                          MOST_LINE);
    char *text = spar__grow(s->text, &s->capacity, s->length + s->window + 2, 0, 1);
    if (!text)
        return spar__fail_memory(err);
    s->text = text;
    return SPAR_OK;
}

/* Reads a window of text, or up to the end of the file. */
static spar_status read_window(spar__stream *s, spar_error *err)
{
    size_t wanted = s->length + s->window;
    while (s->length < wanted) {
        ssize_t got = read(s->fd, s->text + s->length, wanted - s->length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return spar__fail(err, SPAR_IO, "%s: cannot read: %s", label(&s->source[s->at]), strerror(errno));
        if (got == 0) {
            if (s->length > 0 && s->text[s->length - 1] != '\n')
                s->text[s->length++] = '\n';
            s->text[s->length] = '\0';
            return close_source(s, err);
        }
        spar__hash_add(&s->hash, s->text + s->length, (size_t)got);
        s->length += (size_t)got;
        s->done += (uint64_t)got;
        if (s->progress && !s->progress(s->context, s->done, s->total))
            return spar__fail(err, SPAR_INTERRUPTED, "%s: interrupted while it was read", label(&s->source[s->at]));
    }
    s->text[s->length] = '\0';
    return SPAR_OK;
}

/* The lines from start to scanned are a whole query. */
static spar_status cut(spar__stream *s, spar_error *err)
{
    spar__chunk *chunk = spar__grow(s->chunk, &s->chunk_capacity, s->chunks + 1, 64, sizeof *chunk);
    if (!chunk)
        return spar__fail_memory(err);
    s->chunk = chunk;
    s->chunk[s->chunks++] =
        (spar__chunk){s->text + s->start, s->scanned - s->start, label(&s->source[s->at]), s->start_line};
    s->start = s->scanned;
    s->start_line = s->line;
    return SPAR_OK;
}

static void fail_later(spar__stream *s, const char *at, const char *what)
{
    spar__location place = {label(&s->source[s->at]), s->line, s->text + s->scanned, s->text + s->length};
    (void)spar__location_fail(&place, at, &s->later, "%s", what);
}

/* Looks at the line at scanned. Its error is kept for later, because the chunks before it may have errors too. */
static spar_status look(spar__stream *s, spar_error *err)
{
    const char *line = s->text + s->scanned, *where;
    char what[80];
    uint64_t id;
    if (!spar__letor_peek(line, &id, &where)) {
        if (!spar__letor_empty(line))
            fail_later(s, line, "not a line of grade, qid and features");
        return SPAR_OK;
    }
    if (s->has_id && id == s->id)
        return SPAR_OK;
    if (s->has_id && cut(s, err))
        return SPAR_NOMEM;
    s->has_id = true;
    s->id = id;
    if (spar__key_table_reserve(&s->ids, 1))
        return spar__fail_memory(err);
    size_t before = s->ids.n;
    (void)spar__key_get(&s->ids, id, 0);
    bool fresh = s->ids.n > before;
    (void)snprintf(what, sizeof what, "query %llu again: its lines must stand together", (unsigned long long)id);
    if (!fresh)
        fail_later(s, where, what);
    s->repeated = !fresh;
    return SPAR_OK;
}

/* Cuts the text into queries. A malformed line ends the last of them, whose parser says what is wrong with it. */
static spar_status split(spar__stream *s, spar_error *err)
{
    const char *end;
    while ((end = memchr(s->text + s->scanned, '\n', s->length - s->scanned))) {
        if (look(s, err))
            return SPAR_NOMEM;
        if (s->repeated)
            return SPAR_OK;
        s->scanned = (size_t)(end - s->text) + 1;
        s->line++;
        if (s->later.status)
            return cut(s, err);
    }
    return s->ended ? cut(s, err) : SPAR_OK;
}

spar_status spar__stream_next(spar__stream *s, spar__stream_batch *out, spar_error *err)
{
    *out = (spar__stream_batch){0};
    s->chunks = 0;
    while (s->chunks == 0) {
        spar_status status = SPAR_OK;
        if (s->later.status)
            return spar__fail(err, s->later.status, "%s", s->later.text);
        if (s->ended) {
            s->ended = false;
            s->at++;
        }
        if (s->at == s->sources)
            return SPAR_OK;
        if (s->fd < 0) {
            const char *path = s->source[s->at].path;
            s->fd = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
            if (s->fd < 0)
                return spar__fail(err, SPAR_IO, "%s: cannot open: %s", path, strerror(errno));
            s->hash = spar__hash_start();
            s->ended = s->has_id = false;
            s->start = s->scanned = s->length = 0;
            s->start_line = s->line = 1;
        }
        if ((status = make_room(s, err)) || (status = read_window(s, err)) || (status = split(s, err)))
            return status;
    }
    *out = (spar__stream_batch){s->chunk, s->chunks};
    return SPAR_OK;
}
