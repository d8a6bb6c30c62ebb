/* option_rows.h - the options of an experiment, from a file or a folder to plain arrays.
 *
 * Forms of a file:
 *   YAML    a list of texts, or of maps with id, title, body, image; every other key is a feature
 *   JSON    the same as a list, or one object a line
 *   CSV     with a header of these names
 *   lines   one option a line; lines that start with '#' are comments
 * A folder holds images, one option each, in the order of their names; hidden files are left out.
 *
 * A feature is a number, or a category, which becomes one number for each of its values: sqrt(1/2) for the options that
 * have it and 0 for the others, so that two categories are at distance 1. Every option has every feature.
 *
 * Errors name the file, the line and what was expected. The limits of an option itself (the length of a title, say) are
 * those of the caller. */
#ifndef SPAR_TEXT_OPTION_ROWS_H
#define SPAR_TEXT_OPTION_ROWS_H

#include "base/buf.h"

enum {
    SPAR__OPTION_ROWS = 10000,    /* options in a file */
    SPAR__OPTION_BYTES = 1 << 24, /* of a file */
    SPAR__OPTION_FEATURES = 256,
    SPAR__OPTION_CATEGORIES = 64, /* values of one category */
};

typedef struct spar__option_row {
    const char *id;                   /* the title where the file has none */
    const char *title, *body, *image; /* each NULL for none; image: the path of a file */
    size_t line;                      /* 0 in a folder */
} spar__option_row;

typedef struct spar__option_rows { /* all zero: empty */
    spar__option_row *row;
    size_t n;
    double *x; /* n x dim */
    size_t dim;
    spar__buf text; /* what the rows point to */
} spar__option_rows;

typedef enum spar__option_form {
    SPAR__OPTIONS_YAML,
    SPAR__OPTIONS_JSON,
    SPAR__OPTIONS_CSV,
    SPAR__OPTIONS_LINES
} spar__option_form;

/* By the ending of the path, else by what the text looks like. */
spar__option_form spar__option_form_of(const char *path, const char *text, size_t length);

/* Reads the whole of text[length]; path is for errors, and images are looked for beside it. */
spar_status spar__option_rows_parse(spar__option_form form, const char *text, size_t length, const char *path,
                                    spar__option_rows *out, spar_error *err);

/* The same from a file of any form ("-" is standard input) or a folder. */
spar_status spar__option_rows_load(const char *path, spar__option_rows *out, spar_error *err);

/* Nothing needs freeing after a failure. */
void spar__option_rows_free(spar__option_rows *rows);

/* What kind of image some bytes are, by the bytes themselves. */

/* "image/png", "image/jpeg", "image/gif", "image/webp" or "image/svg+xml"; NULL: none of these. */
const char *spar__image_type(const char *bytes, size_t length);

#endif
