/* lines.h - text line by line, and lines field by field, without copies. */
#ifndef SPAR_TEXT_LINES_H
#define SPAR_TEXT_LINES_H

#include <stdbool.h>
#include <stddef.h>

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

#endif
