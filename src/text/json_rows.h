/* json_rows.h - rows of values from JSON: objects one after the other (JSON lines), or a list of objects.
 *
 * Of each object only the members asked for are kept, as text; all else is checked and skipped. Strict JSON (bytes that
 * are no UTF-8 pass through), at most SPAR__JSON_DEPTH levels. Errors name the line. */
#ifndef SPAR_TEXT_JSON_ROWS_H
#define SPAR_TEXT_JSON_ROWS_H

#include "text/json_scan.h"

enum { SPAR__JSON_DEPTH = 64, SPAR__JSON_KEYS = 16 };

/* Takes a member that was not asked for; value is NULL if it is null. An error ends the reading. */
typedef spar_status spar__json_take(void *context, const char *key, const char *value, spar_error *err);

typedef struct spar__json_rows {
    spar__json_scan scan;
    size_t line; /* where the row last read starts */
    size_t keys;
    const char *key[SPAR__JSON_KEYS]; /* NULL: never there */
    bool has[SPAR__JSON_KEYS], null[SPAR__JSON_KEYS];
    size_t start[SPAR__JSON_KEYS];
    spar__buf text;        /* values, each terminated */
    bool list, begun;      /* inside [ ]; an object came before */
    bool plain;            /* a row may also be a text: the value of the first key */
    spar__json_take *take; /* not NULL: gets the members that were not asked for, which must be texts, too */
    void *context;
} spar__json_rows;

/* Members of these names (at most SPAR__JSON_KEYS, NULL for none) of text[length], which must outlive the rows. */
spar__json_rows spar__json_rows_of(const char *text, size_t length, const char *path, size_t keys,
                                   const char *const *key);

/* Reads one object. At the end *more is false. */
spar_status spar__json_rows_next(spar__json_rows *rows, bool *more, spar_error *err);

/* Had the object a member of that name? And its value: a string, or a number, true or false as it was written; NULL if
 * it is null or not there. */
bool spar__json_rows_has(const spar__json_rows *rows, size_t key);
const char *spar__json_rows_value(const spar__json_rows *rows, size_t key);

void spar__json_rows_close(spar__json_rows *rows);

#endif
