/* names.h - texts numbered 0, 1, ... in the order they came, each once. */
#ifndef SPAR_TEXT_NAMES_H
#define SPAR_TEXT_NAMES_H

#include "base/buf.h"
#include "base/key_table.h"

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

#endif
