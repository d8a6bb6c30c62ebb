/* taste_fit.c - the posterior of one length and scale, and what it says of points. */
#include "num/taste.h"

#include "base/alloc.h"
#include "num/elementary.h"
#include "num/special.h"

#include <math.h>
#include <string.h>

enum { RANK = 256 };
#define KNOWN 1e-5 /* of the variance: a point of which less is not known yet adds no function */

void spar__taste_cell_free(spar__taste_cell *cell)
{
    spar__free(cell->length);
    spar__free(cell->alpha);
    spar__free(cell->centre);
    spar__newton_free(&cell->basis);
    spar__laplace_free(&cell->posterior);
    *cell = (spar__taste_cell){0};
}

/* The functions, and the coordinates of all points: n rows of `stride`. */
static spar_status make_basis(const spar_taste *taste, spar__taste_cell *cell, size_t stride, double *phi)
{
    spar__kernel kernel = spar__taste_kernel(taste, cell);
    cell->basis.tolerance = KNOWN;
    if (spar__newton_grow(&cell->basis, taste->dim, stride))
        return SPAR_NOMEM;
    for (size_t i = 0; i < taste->n; i++) {
        const double *x = taste->x + i * taste->dim;
        if (cell->basis.r < stride)
            (void)spar__newton_append(&cell->basis, &kernel, x, phi + i * stride);
        else
            (void)spar__newton_at(&cell->basis, &kernel, x, phi + i * stride);
    }
    return SPAR_OK;
}

static spar_status find_posterior(const spar_taste *taste, spar__taste_cell *cell, size_t stride, const double *phi)
{
    spar__laplace *l = &cell->posterior;
    size_t r = cell->basis.r;
    size_t n = taste->duels - taste->first;
    if (spar__laplace_reserve(l, r > n ? r : n))
        return SPAR_NOMEM;
    for (size_t k = 0; k < r; k++)
        spar__laplace_add_column(l);
    for (size_t i = 0; i < n; i++) {
        const spar__taste_duel *duel = &taste->duel[taste->first + i];
        double *row = spar__laplace_add_row(l);
        for (size_t k = 0; k < r; k++)
            row[k] = phi[duel->a * stride + k] - phi[duel->b * stride + k];
        l->won[i] = duel->won;
        l->lost[i] = duel->lost;
    }
    spar__laplace_settle(l);
    return SPAR_OK;
}

/* The logarithm of the probability of the answers, by Laplace. */
static double find_evidence(const spar__laplace *l)
{
    double value = 0;
    for (size_t i = 0; i < l->n; i++) {
        double size = fabs(l->f[i]);
        value -=
            (l->won[i] + l->lost[i]) * spar__log1p(spar__exp(-size)) + size * (l->f[i] > 0 ? l->lost[i] : l->won[i]);
    }
    for (size_t k = 0; k < l->root.r; k++)
        value -= 0.5 * l->mode[k] * l->mode[k] + spar__log(l->root.R[k * l->root.stride + k]);
    return value;
}

/* The mean coordinates of the points of reference, and the weights of the mean. */
static spar_status find_centre(const spar_taste *taste, spar__taste_cell *cell, size_t stride, const double *phi)
{
    size_t r = cell->basis.r;
    cell->centre = spar__alloc(r, sizeof *cell->centre);
    cell->alpha = spar__alloc(r, sizeof *cell->alpha);
    if (!cell->centre || !cell->alpha)
        return SPAR_NOMEM;
    for (size_t i = 0; i < taste->references; i++)
        for (size_t k = 0; k < r; k++)
            cell->centre[k] += phi[i * stride + k] / (double)taste->references;
    memcpy(cell->alpha, cell->posterior.mode, r * sizeof *cell->alpha);
    for (size_t k = 0; k < r; k++)
        cell->middle += cell->centre[k] * cell->alpha[k];
    spar__triangle_back(r, cell->basis.stride, cell->basis.T, 1, cell->alpha);
    return SPAR_OK;
}

spar_status spar__taste_cell_fit(const spar_taste *taste, spar__taste_cell *cell, double *evidence)
{
    size_t stride = spar__padded(taste->n < RANK ? taste->n : RANK);
    double *phi = spar__alloc(taste->n, stride * sizeof *phi);
    cell->length = spar__alloc(taste->dim, sizeof *cell->length);
    spar_status status = phi && cell->length ? SPAR_OK : SPAR_NOMEM;
    for (size_t d = 0; d < taste->dim && !status; d++)
        cell->length[d] = cell->size * taste->shape[taste->axis[d]];
    if (!status)
        status = make_basis(taste, cell, stride, phi);
    if (!status)
        status = find_posterior(taste, cell, stride, phi);
    if (!status)
        status = find_centre(taste, cell, stride, phi);
    if (!status)
        *evidence = find_evidence(&cell->posterior);
    spar__free(phi);
    return status;
}

double spar_taste_mean(const spar_taste *taste, const double *x)
{
    double mean = 0, near[RANK];
    if (!taste || !x || !taste->computed)
        return 0;
    for (size_t c = 0; c < SPAR__TASTE_CELLS; c++) {
        const spar__taste_cell *cell = &taste->cell[c];
        spar__kernel kernel = spar__taste_kernel(taste, cell);
        double sum = -cell->middle;
        if (!(cell->weight > 0))
            continue;
        spar__kernel_row(&kernel, x, cell->basis.r, cell->basis.u, near);
        for (size_t k = 0; k < cell->basis.r; k++)
            sum += near[k] * cell->alpha[k];
        mean += cell->weight * sum;
    }
    return mean;
}

/* Mean and variance of f(x) - f(y) in each cell; y NULL: less the mean over the points of reference. */
typedef struct taste_mixture {
    double weight[SPAR__TASTE_CELLS], mean[SPAR__TASTE_CELLS], variance[SPAR__TASTE_CELLS];
} taste_mixture;

/* phi becomes the coordinates of f(x) - f(y); returns the variance of the rest, which near points share. */
static double subtract(const spar_taste *taste, const spar__taste_cell *cell, const double *x, const double *y,
                       double *phi)
{
    double psi[RANK], shared = 0;
    spar__kernel kernel = spar__taste_kernel(taste, cell);
    double rest = spar__newton_at(&cell->basis, &kernel, x, phi);
    if (y) {
        rest += spar__newton_at(&cell->basis, &kernel, y, psi);
        shared = spar__kernel_at(&kernel, x, y);
    }
    for (size_t k = 0; k < cell->basis.r; k++) {
        shared -= y ? phi[k] * psi[k] : 0;
        phi[k] -= y ? psi[k] : cell->centre[k];
    }
    return fmax(0, rest - 2 * shared);
}

static void mix(const spar_taste *taste, const double *x, const double *y, taste_mixture *out)
{
    double phi[RANK];
    for (size_t c = 0; c < SPAR__TASTE_CELLS; c++) {
        const spar__taste_cell *cell = &taste->cell[c];
        out->weight[c] = cell->weight;
        out->mean[c] = out->variance[c] = 0;
        if (!(cell->weight > 0))
            continue;
        out->variance[c] = subtract(taste, cell, x, y, phi);
        for (size_t k = 0; k < cell->basis.r; k++)
            out->mean[c] += phi[k] * cell->posterior.mode[k];
        spar__weights_half(&cell->posterior.root, 1, phi);
        for (size_t k = 0; k < cell->basis.r; k++)
            out->variance[c] += phi[k] * phi[k];
    }
}

static double below(const taste_mixture *m, double at)
{
    double sum = 0;
    for (size_t c = 0; c < SPAR__TASTE_CELLS; c++)
        if (m->weight[c] > 0)
            sum += m->weight[c] * spar__normal_cdf((at - m->mean[c]) / sqrt(m->variance[c] + 1e-12));
    return sum;
}

static double quantile(const taste_mixture *m, double share)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t c = 0; c < SPAR__TASTE_CELLS; c++)
        if (m->weight[c] > 0) {
            low = fmin(low, m->mean[c] - 5 * sqrt(m->variance[c]) - 1e-3);
            high = fmax(high, m->mean[c] + 5 * sqrt(m->variance[c]) + 1e-3);
        }
    for (int i = 0; i < 50; i++) {
        double middle = 0.5 * (low + high);
        if (below(m, middle) < share)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

spar_status spar_taste_at(const spar_taste *taste, const double *x, double *mean, double *low, double *high)
{
    taste_mixture m;
    if (!taste || !x || !taste->computed)
        return SPAR_INVALID;
    mix(taste, x, NULL, &m);
    if (low)
        *low = quantile(&m, 0.025);
    if (high)
        *high = quantile(&m, 0.975);
    if (mean)
        *mean = 0;
    for (size_t c = 0; mean && c < SPAR__TASTE_CELLS; c++)
        *mean += m.weight[c] * m.mean[c];
    return SPAR_OK;
}

spar_status spar_taste_against(const spar_taste *taste, const double *x, const double *y, double *chance)
{
    static const double eighth = 0.39269908169872414; /* pi / 8: a normal law for the logistic one */
    taste_mixture m;
    if (!taste || !x || !y || !chance || !taste->computed)
        return SPAR_INVALID;
    mix(taste, x, y, &m);
    *chance = 0;
    for (size_t c = 0; c < SPAR__TASTE_CELLS; c++)
        if (m.weight[c] > 0)
            *chance += m.weight[c] / (1 + spar__exp(-m.mean[c] / sqrt(1 + eighth * m.variance[c])));
    return SPAR_OK;
}
