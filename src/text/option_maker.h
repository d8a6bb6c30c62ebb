/* option_maker.h - for the readers of option files: cells one by one, then rows. */
#ifndef SPAR_TEXT_OPTION_MAKER_H
#define SPAR_TEXT_OPTION_MAKER_H

#include "text/names.h"
#include "text/option_rows.h"

enum { SPAR__OPTION_ID, SPAR__OPTION_TITLE, SPAR__OPTION_BODY, SPAR__OPTION_IMAGE, SPAR__OPTION_PARTS };

typedef struct spar__option_cell {
    size_t column; /* a part as above, or SPAR__OPTION_PARTS + a number in features */
    size_t start;  /* in text */
} spar__option_cell;

typedef struct spar__option_start {
    size_t cell, line; /* the first cell of a row, and where it stands */
} spar__option_start;

typedef struct spar__option_maker { /* all zero but path and err: empty */
    const char *path;
    spar_error *err;
    spar__names features; /* the names of other columns */
    spar__option_cell *cell;
    size_t cells, cell_room;
    spar__option_start *row;
    size_t rows, row_room;
    spar__buf text;
} spar__option_maker;

/* A new row, then its cells. A key twice in a row is refused; a value that is empty is as none. */
spar_status spar__option_maker_row(spar__option_maker *maker, size_t line);
spar_status spar__option_maker_cell(spar__option_maker *maker, const char *key, const char *value);

/* Moves everything to *out, unless status is a failure already; empties the maker. Returns the status. */
spar_status spar__option_maker_finish(spar__option_maker *maker, spar_status status, spar__option_rows *out);

/* Images of a folder: option_folder.c. */
spar_status spar__option_folder(spar__option_maker *maker);

#endif
