/* ascend.h - up the slope within the ranges of a box: a quasi-Newton climb with projected steps. The other axes stay.
 */
#ifndef SPAR_POSTERIOR_GP_ASCEND_H
#define SPAR_POSTERIOR_GP_ASCEND_H

#include "posterior/gp/search.h"

typedef struct spar__ascent {
    const spar__surface *surface;
    size_t dim, n;                 /* features; ranges that have a width */
    size_t *at;                    /* n: which feature */
    double *lo, *hi, *scale;       /* n */
    double *H;                     /* n x n: minus the inverse of the second derivatives, as far as known */
    double *step, *change, *mixed; /* n, in scales */
    double *slope, *new_slope;     /* n, per scale */
    double *x, *gradient;          /* dim */
} spar__ascent;

/* Takes memory from the scratch, which the caller releases. */
spar_status spar__ascent_open(spar__ascent *ascent, const spar__search *search, const spar__surface *surface,
                              spar_scratch *scratch);

/* From x until it is level; the value there goes to *value. */
void spar__ascend(spar__ascent *ascent, double *x, double *value);

#endif
