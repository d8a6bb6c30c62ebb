/* table.h - rows of cells in aligned columns, two blanks apart. */
#ifndef SPAR_CLI_TABLE_H
#define SPAR_CLI_TABLE_H

#include "base/buf.h"

typedef struct spar__table {
    size_t columns, cells;
    char **cell;
    size_t left; /* the first so many columns are aligned to the left, the rest to the right */
    bool failed; /* sticks */
} spar__table;

/* Adds the next cell; rows fill from left to right. */
void spar__table_add(spar__table *table, const char *format, ...) SPAR__PRINTF(2, 3);

/* Prints the rows, the first one bold when the terminal may be styled, and frees the cells. */
void spar__table_print(spar__table *table, bool styled, spar__buf *out);

/* The places after the point that leave about four digits to the largest number of a table. */
int spar__table_places(double largest);

/* Is standard output a terminal that may show bold text? (NO_COLOR and TERM=dumb say no.) */
bool spar__output_styled(void);

#endif
