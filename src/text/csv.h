/* csv.h - text line by line, and comma-separated values. */
#ifndef SPAR_TEXT_CSV_H
#define SPAR_TEXT_CSV_H

#include "base/buf.h"

/* Part of a text, not terminated. */
typedef struct spar__piece {
    const char *text;
    size_t length;
} spar__piece;

typedef struct spar__line_reader {
    const char *at, *end;
    size_t number; /* of the line last read, from 1 */
    char comment;  /* starts a comment, anywhere in a line; 0 for none */
} spar__line_reader;

/* Behind a byte order mark; '#' starts a comment. */
spar__line_reader spar__lines_of(const char *text, size_t length);

/* The next line that holds something, without its comment and the white space around it. */
bool spar__line_next(spar__line_reader *lines, spar__piece *line);

/* Without the white space around it. */
spar__piece spar__piece_trim(const char *from, const char *to);

/* Takes the next field off the line, trimmed: up to a comma, or else up to white space. False after the last one. */
bool spar__piece_field(spar__piece *line, bool commas, spar__piece *field);

/* How much of it fits into an error. */
int spar__piece_shown(spar__piece piece);

/* Comma-separated values: write rows onto a buffer, read them from memory.
 *
 * Fields that hold a comma, a quote, a line break or a blank at either end are quoted, quotes inside are doubled (RFC
 * 4180); lines end with "\n". Text that begins with = + - @ gets an apostrophe before it, which the
 * reader removes: spreadsheets would take it for a formula. The reader also takes "\r\n", a byte order mark and blank
 * lines (skipped). */

typedef struct spar__csv_writer {
    spar__buf *out;
    size_t fields; /* in the row so far */
} spar__csv_writer;

void spar__csv_text(spar__csv_writer *csv, const char *text);
void spar__csv_integer(spar__csv_writer *csv, int64_t value);
void spar__csv_number(spar__csv_writer *csv, double value); /* NaN is an empty field; also "inf" and "-inf" */
void spar__csv_end_row(spar__csv_writer *csv);

/* Reads text[length], which must outlive the reader:
 *
 *     spar__csv_reader csv = {.name = path, .at = text, .left = length};
 *     while ((status = spar__csv_next(&csv, &more, err)) == SPAR_OK && more)
 *         use spar__csv_field(&csv, i) for i < csv.fields;
 *     spar__csv_close(&csv);
 */
typedef struct spar__csv_reader {
    const char *name; /* of the file, for errors */
    const char *at;   /* what is still to be read */
    size_t left;
    char comment;     /* lines that start with it are skipped; 0 = none */
    size_t fields;    /* of the row last read */
    size_t line;      /* where that row starts, from 1 */
    size_t next_line; /* lines read so far */
    spar__buf text;   /* its fields, each terminated */
    size_t *start;    /* of each field in text */
    size_t capacity;
} spar__csv_reader;

/* Reads one row. At the end *more is false. Errors read "file.csv:3: ...". */
spar_status spar__csv_next(spar__csv_reader *csv, bool *more, spar_error *err);

/* Field i of the row last read; borrowed until the next row. NULL past the last field. */
const char *spar__csv_field(const spar__csv_reader *csv, size_t i);

void spar__csv_close(spar__csv_reader *csv);

#endif
