/* matrix_read.h - preference matrices from text.
 *
 * A square of numbers, one row a line, separated by white space or by commas; P[i][j] = P(i beats j). '#' starts a
 * comment; blank lines, CRLF and a byte order mark are fine. The first line may be the size (one whole number) or the
 * names of the arms; with names, each row may begin with its own, and the first line with a cell above these (empty or
 * not), as spreadsheets write it. A refusal names the line. */
#ifndef SPAR_ENV_MATRIX_READ_H
#define SPAR_ENV_MATRIX_READ_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum { SPAR__MATRIX_MOST = 20000 }; /* arms; the numbers alone are 3 GB then */

typedef struct spar__matrix {
    size_t n;
    double *p;    /* n x n; P + P^T is exactly 1, and the diagonal exactly 1/2 */
    char **names; /* n, or NULL */
} spar__matrix;

/* counts: the numbers are wins W, and P = W / (W + W^T), 1/2 for pairs that never met. Otherwise P + P^T may be off 1,
 * and the diagonal off 1/2, by tol, and the two sides are averaged. There need not be a Condorcet winner. */
spar_status spar__matrix_read(const char *path, bool counts, double tol, spar__matrix *out, spar_error *err);

/* The same from a terminated text of `length` bytes; `path` is only for the error. */
spar_status spar__matrix_parse(const char *text, size_t length, const char *path, bool counts, double tol,
                               spar__matrix *out, spar_error *err);

/* The counts themselves in p: whole numbers, 0 on the diagonal. */
spar_status spar__wins_parse(const char *text, size_t length, const char *path, spar__matrix *out, spar_error *err);

void spar__matrix_free(spar__matrix *matrix);

#endif
