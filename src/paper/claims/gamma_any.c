/* Is every increasing link approximately linear on bounded utilities? */
#include "num/elementary.h"
#include "paper/paper.h"

#include <math.h>

enum { SIZES = 3, MOST = 1000 };
static const size_t sizes[SIZES] = {10, 100, MOST};

/* Continuous and strictly increasing from 0 to 1, and flat at 1. */
static double sine(double difference)
{
    return spar__sin(difference * 1.57079632679489661923) / 2;
}

static double logit(double difference)
{
    return spar__logistic(difference) - 0.5;
}

/* gamma of utilities 0, 1/n, ..., 1: the least (Phi(a + b) - Phi(b)) / Phi(a) over differences a, b > 0. */
static double gamma_of(double (*link)(double difference), size_t n)
{
    double phi[MOST + 1], least = HUGE_VAL;
    for (size_t i = 0; i <= n; i++)
        phi[i] = link((double)i / (double)n);
    for (size_t a = 1; a < n; a++)
        for (size_t b = 1; a + b <= n; b++)
            least = fmin(least, (phi[a + b] - phi[b]) / phi[a]);
    return least;
}

static spar_status judge(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    (void)data, (void)paper, (void)err;
    double flat[SIZES], steep[SIZES];
    for (size_t i = 0; i < SIZES; i++) {
        flat[i] = gamma_of(sine, sizes[i]);
        steep[i] = gamma_of(logit, sizes[i]);
    }
    spar__buf_printf(&out->numbers,
                     "gamma on 11, 101, 1001 utilities evenly over [0, 1]: Phi(d) = sin(pi d / 2) / 2 has %.4f, %.4f, "
                     "%.4f, so none on all of them; the logit link has %.4f, %.4f, %.4f. A slope bounded away from 0 "
                     "and infinity is enough; finitely many utilities always have some gamma.",
                     flat[0], flat[1], flat[2], steep[0], steep[1], steep[2]);
    bool vanishes = flat[1] < flat[0] / 5 && flat[2] < flat[1] / 5;
    out->verdict = vanishes ? SPAR__DOES_NOT_HOLD : SPAR__HOLDS;
    return SPAR_OK;
}

const spar__claim spar__claim_gamma_any = {
    .name = "gamma-any",
    .title = "Every increasing link is approximately linear on bounded utilities",
    .says =
        "Where phi(i,j) = Phi(u_i - u_j) with bounded utilities, any continuous increasing Phi satisfies approximate "
        "linearity for some gamma.",
    .test =
        "An example against it: a continuous, strictly increasing Phi whose gamma over ever finer utilities of [0, 1] "
        "falls at least five-fold with each ten-fold number of them. Does not hold if there is one.",
    .figure = "linearity",
    .exact = true,
    .judge = judge,
};
