/* letor.h - the lines of learning-to-rank data (LETOR, MSLR, SVM-rank): "grade qid:Q f:v f:v ... # comment".
 *
 * One line is one document of query Q. Features are counted from 1, may come in any order, and are 0 where they are
 * not written. Blank lines and lines of comment are skipped; lines end by LF or CRLF. */
#ifndef SPAR_RANK_LETOR_H
#define SPAR_RANK_LETOR_H

#include "rank/location.h"

#include <stdint.h>

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

#endif
