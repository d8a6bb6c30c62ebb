/* terminal.h - a table of text for the terminal: cells in aligned columns, two blanks apart. */
#ifndef SPAR_CLI_TERMINAL_H
#define SPAR_CLI_TERMINAL_H

#include "base/buf.h"

#include <stdint.h>

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

/* Text broken into lines that fit a terminal. */

/* Characters in a line of standard output; 0 if it is no terminal. */
size_t spar__output_width(void);

/* Adds the words of text in lines of at most `width` characters, each but the first with `indent` blanks before it; the
 * first begins behind `used` characters. Words that are too long are cut. Line breaks of the text are kept, and at most
 * `lines` lines written, with "..." where that leaves something out. What acts on a terminal is escaped. A width of 0:
 * the text as it is, escaped. */
void spar__wrap(const char *text, size_t width, size_t indent, size_t used, size_t lines, spar__buf *out);

/* Breaks the lines of out->text from `start` on that are longer than `width` (0: any will do) between words. What
 * continues a line stands below its text: behind the first gap of two blanks ("  --rounds T   rounds in a run"), or two
 * blanks in; at the start where the line has no indent. A line that begins with "  spar " is a command: it is broken
 * before options only, with a backslash. */
void spar__fit(spar__buf *out, size_t start, size_t width);

/* How many cells of a terminal a character takes: 0, 1 or 2. */
size_t spar__cells_of(uint32_t code);
size_t spar__text_cells(const char *text);

#endif
