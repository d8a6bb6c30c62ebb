/* letor.h - learning-to-rank data as text: its lines, streams of queries from files, rankers of documents, random data.
 */
#ifndef SPAR_RANK_LETOR_H
#define SPAR_RANK_LETOR_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where in a text file something was not as expected: "train.txt:12:34: expected ':', found 'x'". */

typedef struct spar__location {
    const char *file;  /* as the user knows it */
    size_t line;       /* from 1 */
    const char *start; /* of the line */
    const char *end;   /* of the whole text; *end is a zero byte unless the last line has its newline */
} spar__location;

/* Fails with SPAR_PARSE: the sentence names the place, what the format says was expected, and what stands there. */
spar_status spar__location_expected(const spar__location *place, const char *at, spar_error *err, const char *format,
                                    ...) SPAR__PRINTF(4, 5);

/* Fails with SPAR_PARSE and a sentence of the caller's. */
spar_status spar__location_fail(const spar__location *place, const char *at, spar_error *err, const char *format, ...)
    SPAR__PRINTF(4, 5);

static inline bool spar__is_digit(char c)
{
    return (unsigned)c - '0' < 10;
}

static inline bool spar__is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Nothing is left of the line: a newline, with or without a carriage return, or the end of the text. */
static inline bool spar__line_ends(const spar__location *place, const char *at)
{
    if (*at == '\r')
        at++;
    return *at == '\n' || at >= place->end;
}

/* The lines of learning-to-rank data (LETOR, MSLR, SVM-rank): "grade qid:Q f:v f:v ... # comment".
 *
 * One line is one document of query Q. Features are counted from 1, may come in any order, and are 0 where they are
 * not written. Blank lines and lines of comment are skipped; lines end by LF or CRLF. */

enum { SPAR__FEATURE_MOST = 65535, SPAR__DOCS_MOST = 65535, SPAR__GRADE_MOST = 255 };

typedef struct spar__letor_entry {
    double value; /* never 0 */
    uint32_t feature, doc;
} spar__letor_entry;

/* The documents of one query, numbered as they come. A reader's memory, used again for query after query: begin with
 * {0}. */
typedef struct spar__letor_rows {
    uint64_t id;
    size_t docs;
    size_t features; /* the largest number of a feature, zeros that are written included */
    uint8_t *grade;  /* docs of them */
    spar__letor_entry *entry;
    size_t entries;
    size_t docs_capacity, entries_capacity;
    uint32_t *seen, stamp; /* seen[f] == stamp: this line has feature f */
} spar__letor_rows;

/* Reads the lines of one query; text[length] must be a zero byte unless the last line has its newline. `line` is the
 * number of the first line. No documents at all is no error here. */
spar_status spar__letor_parse(const char *text, size_t length, const char *file, size_t line, spar__letor_rows *rows,
                              spar_error *err);
void spar__letor_rows_free(spar__letor_rows *rows);

/* Reads "feature:value" at *at and moves behind it. */
spar_status spar__letor_pair(const spar__location *place, const char **at, uint32_t *feature, double *value,
                             spar_error *err);

/* The query's number when the line is in order so far, and where "qid:" stands; for readers that only look for
 * the borders between queries. */
bool spar__letor_peek(const char *line, uint64_t *id, const char **where);

/* Blank, or nothing but a comment. The line must have its newline. */
bool spar__letor_empty(const char *line);

/* The text of learning-to-rank files, query by query, through a buffer of a few megabytes.
 *
 * Files are read once, front to back, and hashed as they pass. A batch is the lines of some whole queries of one file,
 * for several workers to parse at once. */

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

/* Rankers: functions of a document's features, by which the documents of a query are sorted, highest first.
 *
 * A ranker is one feature, or a weighted sum of some. Documents of equal score come in one random order per query,
 * drawn from (seed, query) and shared by all rankers. */

typedef struct spar__rankers {
    size_t n;    /* 0: every feature is one, and the data say how many there are, */
    size_t most; /* of which the first ones are taken; 0: all */
    char **name;
    size_t names;      /* n, or as many as the user has names for */
    size_t *start;     /* weights of ranker r: from start[r] to start[r + 1] */
    uint32_t *feature; /* the feature and ... */
    double *weight;    /* ... the weight of each */
    uint64_t hash;     /* of all but the names */
} spar__rankers;

/* Every feature up to number `most` (0: all), named by the lines of a file ("f1", "f2", ... when it is NULL). */
spar_status spar__rankers_features(const char *names_path, size_t most, spar__rankers *out, spar_error *err);

/* Weighted sums, one per line of a file: "name f:w f:w ...". Blank lines and comments (#) are skipped. */
spar_status spar__rankers_weights(const char *path, spar__rankers *out, spar_error *err);

void spar__rankers_free(spar__rankers *rankers);

/* The result for one query, and working memory; used again for query after query. Begin with {0}. */
typedef struct spar__ranking {
    size_t depth;              /* min(top, documents) */
    size_t lists;              /* the number of rankers; in case of features, the largest of this query */
    uint16_t *list;            /* lists x depth documents */
    uint16_t *tied;            /* the documents in the order of ties: what a ranker makes of equal scores */
    uint16_t *place;           /* of every document in that order */
    size_t *column;            /* entries of feature f, in `cell`: from column[f - 1] to column[f] */
    double *score;             /* by place */
    double *best;              /* the depth best scores so far */
    struct ranking_cell *cell; /* the entries by feature */
    size_t capacity[7];        /* of these arrays */
} spar__ranking;

spar_status spar__rankers_rank(const spar__rankers *rankers, const spar__letor_rows *rows, uint64_t seed, size_t top,
                               spar__ranking *out);
void spar__ranking_free(spar__ranking *ranking);

/* Random learning-to-rank data that resemble real ones: many irrelevant documents, queries with few or no
 * relevant ones, short lists, features more or less correlated with the grade and with each other, counts and flags
 * with many ties, features that are mostly or always zero. The same bytes on every machine. */

typedef struct spar__generate_options {
    size_t queries;
    size_t docs; /* of a query, on average; some have one or a few, none more than 1.5 times as many */
    size_t features;
    unsigned grades; /* 3 or 5 */
    uint64_t seed;
} spar__generate_options;

/* Takes the text, query by query and in pieces of about a megabyte; false stops it (SPAR_INTERRUPTED). */
typedef bool spar__generate_sink(void *context, const char *text, size_t length);

spar_status spar__generate(const spar__generate_options *options, spar__generate_sink *sink, void *context,
                           spar_error *err);

#endif
