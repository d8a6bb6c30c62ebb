/* stream.h - the text of learning-to-rank files, query by query, through a buffer of a few megabytes.
 *
 * Files are read once, front to back, and hashed as they pass. A batch is the lines of some whole queries of one file,
 * for several workers to parse at once. */
#ifndef SPAR_RANK_STREAM_H
#define SPAR_RANK_STREAM_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How far a long job is: done of a total, which is 0 if it is not known. False stops it. */
typedef bool spar__progress(void *context, uint64_t done, uint64_t total);

/* A file, and how a change of it is recognised. */
typedef struct spar__source {
    const char *path;
    uint64_t size, hash;
    int64_t seconds, nanoseconds; /* when it was last written */
    bool regular;                 /* a file on disk, which can be read again */
    bool fresh;                   /* written so recently that a later change may leave its time the same */
} spar__source;

typedef struct spar__chunk {
    const char *text;
    size_t length;
    const char *file; /* for messages */
    size_t line;      /* of its first line */
} spar__chunk;

typedef struct spar__stream_batch {
    const spar__chunk *chunk;
    size_t n; /* 0: nothing is left */
} spar__stream_batch;

typedef struct spar__stream spar__stream;

/* Opens nothing yet but looks whether all is there. The path "-" is standard input. */
spar_status spar__stream_new(const char *const *path, size_t n, spar__progress *progress, void *context,
                             spar__stream **out, spar_error *err);
void spar__stream_free(spar__stream *stream);

/* The next queries, valid until the next call. A query that comes again after another is refused. A file without
 * documents still gives one chunk, which has none. */
spar_status spar__stream_next(spar__stream *stream, spar__stream_batch *out, spar_error *err);

/* One per path; hashes are there once all is read. */
const spar__source *spar__stream_sources(const spar__stream *stream);

/* Size and time of a file as they are now. */
spar_status spar__source_look(const char *path, spar__source *out, spar_error *err);

/* The hash of a file's bytes, read through from the start. */
spar_status spar__source_hash(const char *path, spar__progress *progress, void *context, uint64_t total, uint64_t *hash,
                              spar_error *err);

/* For tests: how much text to read at a time. */
void spar__stream_window(spar__stream *stream, size_t bytes);

#endif
