/* word_list.h - names in one line of text with marks between them: 'Assam,"Earl, Grey"', 'B,A=C', 'A>B,C=A'.
 *
 * A name that holds a mark (, > < =), a quote, a backslash or a character that acts on a terminal, or has a blank at
 * either end, stands in quotes as in JSON. So every list of names has a form, and none can be read in two ways. */
#ifndef SPAR_TEXT_WORD_LIST_H
#define SPAR_TEXT_WORD_LIST_H

#include "text/json_scan.h"

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
