/* table.h - a table of text for the terminal: cells in aligned columns, two blanks apart. */
#ifndef SPAR_CLI_TABLE_H
#define SPAR_CLI_TABLE_H

#include "base/buf.h"

typedef struct spar__text_table {
    size_t columns, cells;
    char **cell;
    size_t left; /* the first `left` columns are aligned to the left, the others to the right */
    bool failed; /* out of memory */

    /* Where lines are longer than `width` (0: any will do), these columns are left out, one after the other, until they
     * fit; then the first column is cut. */
    size_t width, n_drop;
    const size_t *drop;
} spar__text_table;

/* Adds the next cell, in printable form; rows fill from left to right. */
void spar__text_table_add(spar__text_table *table, const char *format, ...) SPAR__PRINTF(2, 3);

/* Prints the rows, the first one bold if styled, and says so if columns are left out. */
void spar__text_table_print(const spar__text_table *table, bool styled, spar__buf *out);

void spar__text_table_free(spar__text_table *table);

/* The number of decimals with which the largest number of a table has about four digits. */
int spar__text_table_places(double largest);

/* Is standard output a terminal that shows bold text? (Not with NO_COLOR or TERM=dumb.) */
bool spar__output_styled(void);

#endif
