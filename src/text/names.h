/* names.h - names: texts numbered 0, 1, ... in the order they came, each once; and lists of names in one line. */
#ifndef SPAR_TEXT_NAMES_H
#define SPAR_TEXT_NAMES_H

#include "base/buf.h"
#include "base/order.h"
#include "text/json_read.h"

typedef struct spar__names { /* all zero: empty */
    spar__key_table keys;
    spar__buf text; /* all of them, each terminated */
    size_t *start;  /* of each in text */
    size_t n, room;
} spar__names;

/* The number of text[length], which must hold no zero byte; added when missing. */
spar_status spar__names_get(spar__names *names, const char *text, size_t length, size_t *number);

/* Borrowed until the next name is added. */
static inline const char *spar__names_at(const spar__names *names, size_t number)
{
    return names->text.text + names->start[number];
}

void spar__names_free(spar__names *names);

/* Names in one line of text with marks between them: 'Assam,"Earl, Grey"', 'B,A=C', 'A>B,C=A'.
 *
 * A name that holds a mark (, > < =), a quote, a backslash or a character that acts on a terminal, or has a blank at
 * either end, stands in quotes as in JSON. So every list of names has a form, and none can be read in two ways. */

void spar__word_add(spar__buf *out, const char *name);

/* Reads text, which must outlive the list: {.scan = {.at = text, .end = text + length}}. */
typedef struct spar__word_list {
    spar__json_scan scan; /* scan.word: the name last read */
    char mark;            /* behind it: , > < =, or '\0' at the end */
    bool done;
} spar__word_list;

spar__word_list spar__words_of(const char *text);

/* Reads one name and the mark behind it. *more is false when there is none left. SPAR_PARSE without a sentence if there
 * is an empty name or a quote too many; SPAR_NOMEM. */
spar_status spar__word_next(spar__word_list *words, bool *more);

void spar__words_close(spar__word_list *words);

#endif
