#include "num/eigen.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { MOST_SWEEPS = 40 }; /* convergence is quadratic; NaN never converges */

static void rotate_rows(size_t r, double *p, double *q, double c, double s)
{
    for (size_t k = 0; k < r; k++) {
        double x = p[k], y = q[k];
        p[k] = c * x - s * y;
        q[k] = s * x + c * y;
    }
}

/* Makes a[p][q] zero, unless it is nothing beside the diagonal already. */
static bool rotate(size_t r, double *a, double *vectors, size_t p, size_t q)
{
    double *row_p = a + p * r, *row_q = a + q * r, off = row_p[q], at_p = row_p[p], at_q = row_q[q];
    if (!(fabs(off) > 0x1p-53 * sqrt(fabs(at_p) * fabs(at_q))) || fabs(off) < 1e-300)
        return false;
    double half = (at_q - at_p) / (2 * off);
    double t = (half < 0 ? -1 : 1) / (fabs(half) + sqrt(1 + half * half));
    double c = 1 / sqrt(1 + t * t), s = c * t;
    rotate_rows(r, row_p, row_q, c, s);
    row_p[p] = at_p - t * off;
    row_q[q] = at_q + t * off;
    row_p[q] = row_q[p] = 0;
    for (size_t k = 0; k < r; k++) {
        a[k * r + p] = row_p[k];
        a[k * r + q] = row_q[k];
    }
    rotate_rows(r, vectors + p * r, vectors + q * r, c, s);
    return true;
}

void spar__eigen(size_t r, double *a, double *vectors)
{
    memset(vectors, 0, r * r * sizeof *vectors);
    for (size_t i = 0; i < r; i++)
        vectors[i * r + i] = 1;
    bool moved = true;
    for (int sweep = 0; moved && sweep < MOST_SWEEPS; sweep++) {
        moved = false;
        for (size_t p = 0; p < r; p++)
            for (size_t q = p + 1; q < r; q++)
                moved |= rotate(r, a, vectors, p, q);
    }
}
