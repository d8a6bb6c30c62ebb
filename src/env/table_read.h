/* table_read.h - arms with features and utilities, from a file of comma-separated values.
 *
 * The first row names the columns. One of them is the utility; one called "name", which may be absent, names the arm;
 * every other is a feature. A column is of numbers or of texts, as its first cell says. Numbers are scaled to [0,1], or
 * left as they are. Texts are categories: each gets a column of its own, in the order in which they first appear, which
 * is sqrt(1/2) for the arms in it and 0 for the others, so that two different categories are at distance 1, as far
 * apart as the ends of a scaled number. What is the same in all rows becomes 0. No cell may be missing. A refusal names
 * the line. */
#ifndef SPAR_ENV_TABLE_READ_H
#define SPAR_ENV_TABLE_READ_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    SPAR__TABLE_MOST_ROWS = 10000000,
    SPAR__TABLE_MOST_FEATURES = 1000,    /* after categories became columns */
    SPAR__TABLE_MOST_NUMBERS = 100000000 /* rows x columns, before and after: 0.8 GB */
};

typedef struct spar__arm_table {
    size_t n;   /* rows, at least 2 */
    size_t dim; /* features; may be 0 */
    double *x;  /* n x dim, row by row; NULL when dim is 0 */
    double *utility;
    char **names; /* n, or NULL */
} spar__arm_table;

/* `utility` is the name of its column; scale: numbers become [0,1]. */
spar_status spar__arm_table_read(const char *path, const char *utility, bool scale, spar__arm_table *out,
                                 spar_error *err);

/* The same from text[length]; `path` is only for the error. */
spar_status spar__arm_table_parse(const char *text, size_t length, const char *path, const char *utility, bool scale,
                                  spar__arm_table *out, spar_error *err);

void spar__arm_table_free(spar__arm_table *table);

#endif
