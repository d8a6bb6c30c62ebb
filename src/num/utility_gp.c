/* utility_gp.c - utilities over a space as a Gaussian process, learned from duels: points and duels, the posterior of
 * one length and scale, and the mixture over lengths and scales that they are weighed by. */
#include "num/utility_gp.h"

#include "base/alloc.h"
#include "num/elementary.h"
#include "num/special.h"

#include <math.h>
#include <string.h>

enum { RANK = 256 };
#define KNOWN 1e-5 /* of the variance: a point of which less is not known yet adds no function */

/* Answers before axes get lengths of their own; newest ones that lengths and scales are weighed by. */
enum { LEAST = 30, MOST = 250 };

static void cell_free(spar__taste_cell *cell)
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

static spar_status cell_fit(const spar_taste *taste, spar__taste_cell *cell, double *evidence)
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
    spar__free(phi);
    if (status)
        return status;
    /* The logarithm of the probability of the answers, by Laplace. */
    const spar__laplace *l = &cell->posterior;
    *evidence = 0;
    for (size_t i = 0; i < l->n; i++) {
        double size = fabs(l->f[i]);
        *evidence -=
            (l->won[i] + l->lost[i]) * spar__log1p(spar__exp(-size)) + size * (l->f[i] > 0 ? l->lost[i] : l->won[i]);
    }
    for (size_t k = 0; k < l->root.r; k++)
        *evidence -= 0.5 * l->mode[k] * l->mode[k] + spar__log(l->root.R[k * l->root.stride + k]);
    return SPAR_OK;
}

spar_status spar__taste_point(spar_taste *taste, const double *x, size_t *out)
{
    size_t size = taste->dim * sizeof *x;
    for (*out = 0; *out < taste->n; ++*out)
        if (memcmp(taste->x + *out * taste->dim, x, size) == 0)
            return SPAR_OK;
    if (!spar__reserve(&taste->x, &taste->room, taste->n + 1, 16, size))
        return SPAR_NOMEM;
    memcpy(taste->x + taste->n++ * taste->dim, x, size);
    return SPAR_OK;
}

spar_status spar_taste_new(size_t dim, const size_t *axis, size_t n, const double *reference, spar_taste **out)
{
    if (!SPAR__CLEAR(out) || !dim || !axis || !n || !reference)
        return SPAR_INVALID;
    for (size_t d = 0; d < dim; d++) /* axes begin with 0, and none is left out */
        if (d ? axis[d] != axis[d - 1] && axis[d] != axis[d - 1] + 1 : axis[0] != 0)
            return SPAR_INVALID;
    spar_taste *taste = spar__alloc(1, sizeof *taste);
    if (!taste)
        return SPAR_NOMEM;
    taste->dim = dim;
    taste->axes = axis[dim - 1] + 1;
    taste->axis = spar__alloc(dim, sizeof *taste->axis);
    taste->shape = spar__alloc(taste->axes, sizeof *taste->shape);
    spar_status status = taste->axis && taste->shape ? SPAR_OK : SPAR_NOMEM;
    for (size_t i = 0, at; i < n && !status; i++)
        status = spar__taste_point(taste, reference + i * dim, &at);
    if (status) {
        spar_taste_free(taste);
        return SPAR_NOMEM;
    }
    memcpy(taste->axis, axis, dim * sizeof *axis);
    taste->references = taste->n;
    *out = taste;
    return SPAR_OK;
}

void spar_taste_free(spar_taste *taste)
{
    if (!taste)
        return;
    for (size_t c = 0; c < SPAR__TASTE_CELLS; c++)
        cell_free(&taste->cell[c]);
    spar__free(taste->x);
    spar__free(taste->axis);
    spar__free(taste->shape);
    spar__free(taste->duel);
    spar__free(taste);
}

spar_status spar__taste_duel_add(spar_taste *taste, size_t a, size_t b, double won, double lost)
{
    taste->told += won + lost;
    for (size_t i = 0; i < taste->duels; i++)
        if (taste->duel[i].a == a && taste->duel[i].b == b) {
            taste->duel[i].won += won;
            taste->duel[i].lost += lost;
            return SPAR_OK;
        }
    if (a == b)
        return SPAR_OK;
    if (!spar__reserve(&taste->duel, &taste->duel_room, taste->duels + 1, 16, sizeof *taste->duel))
        return SPAR_NOMEM;
    taste->duel[taste->duels++] = (spar__taste_duel){a, b, won, lost};
    return SPAR_OK;
}

size_t spar_taste_points(const spar_taste *taste, const double **x)
{
    if (!taste || !x)
        return 0;
    *x = taste->x + taste->references * taste->dim;
    return taste->n - taste->references;
}

/* The evidence of a cell with its prior, as a logarithm (of scale on a logarithmic grid, so with the factor scale), and
 * that of the shape. */
static spar_status try_cell(const spar_taste *taste, spar__taste_cell *cell, double *evidence)
{
    spar_status status = cell_fit(taste, cell, evidence);
    double length = spar__log(cell->size / 0.4) / 0.7;
    *evidence += -0.5 * length * length - 0.5 / 11 * cell->scale * cell->scale + spar__log(cell->scale);
    for (size_t a = 0; a < taste->axes; a++) {
        double z = spar__log(taste->shape[a]) / 0.7;
        *evidence -= 0.5 * z * z;
    }
    return status;
}

/* Makes an axis longer or shorter by a factor, if that is likelier. */
static spar_status improve(spar_taste *taste, size_t axis, double factor, const spar__taste_cell *like, double *best,
                           bool *better)
{
    spar__taste_cell cell = {.size = like->size, .scale = like->scale};
    double evidence = 0, was = taste->shape[axis];
    taste->shape[axis] *= factor;
    spar_status status = try_cell(taste, &cell, &evidence);
    *better = !status && evidence > *best;
    if (*better)
        *best = evidence;
    else
        taste->shape[axis] = was;
    cell_free(&cell);
    return status;
}

/* From the best cell on: every axis in turn, by steps that become smaller. */
static spar_status fit_shape(spar_taste *taste, const spar__taste_cell *like, double best)
{
    static const double step[] = {2, 2, 1.4, 1.4};
    spar_status status = SPAR_OK;
    for (size_t i = 0; i < sizeof step / sizeof *step && !status; i++)
        for (size_t a = 0; a < taste->axes && !status; a++) {
            bool better = false;
            status = improve(taste, a, step[i], like, &best, &better);
            if (!status && !better)
                status = improve(taste, a, 1 / step[i], like, &best, &better);
        }
    return status;
}

static spar_status fit_cells(spar_taste *taste, double *evidence, size_t *top)
{
    static const double length[SPAR__TASTE_LENGTHS] = {0.1, 0.17, 0.3, 0.5, 0.9, 1.6};
    static const double scale[SPAR__TASTE_SCALES] = {0.8, 1.7, 3.5, 7};
    *top = 0;
    for (size_t c = 0; c < SPAR__TASTE_CELLS; c++) {
        spar__taste_cell *cell = &taste->cell[c];
        cell_free(cell);
        cell->size = length[c / SPAR__TASTE_SCALES];
        cell->scale = scale[c % SPAR__TASTE_SCALES];
        if (try_cell(taste, cell, &evidence[c]))
            return SPAR_NOMEM;
        *top = evidence[c] > evidence[*top] ? c : *top;
    }
    return SPAR_OK;
}

/* Cells of little weight are left out; the others are fitted with all answers, if they were not. */
static spar_status weigh(spar_taste *taste, const double *evidence, double best)
{
    double sum = 0, beyond = taste->first ? 3 : 7;
    bool again = taste->first > 0;
    taste->first = 0;
    for (size_t c = 0; c < SPAR__TASTE_CELLS; c++) {
        spar__taste_cell *cell = &taste->cell[c];
        double weight = evidence[c] < best - beyond ? 0 : spar__exp(evidence[c] - best), size = cell->size;
        if (again && weight > 0) {
            double ignored, scale = cell->scale;
            cell_free(cell);
            cell->size = size;
            cell->scale = scale;
            if (cell_fit(taste, cell, &ignored))
                return SPAR_NOMEM;
        }
        cell->weight = weight;
        sum += weight;
    }
    for (size_t c = 0; c < SPAR__TASTE_CELLS; c++)
        taste->cell[c].weight /= sum;
    return SPAR_OK;
}

spar_status spar_taste_compute(spar_taste *taste, spar_error *err)
{
    double evidence[SPAR__TASTE_CELLS];
    size_t top;
    if (!taste)
        return spar__fail(err, SPAR_INVALID, "no taste");
    for (size_t a = 0; a < taste->axes; a++)
        taste->shape[a] = 1;
    taste->first = taste->duels > MOST ? taste->duels - MOST : 0;
    spar_status status = fit_cells(taste, evidence, &top);
    if (!status && taste->axes > 1 && taste->told >= LEAST) {
        status = fit_shape(taste, &taste->cell[top], evidence[top]);
        if (!status)
            status = fit_cells(taste, evidence, &top);
    }
    if (!status)
        status = weigh(taste, evidence, evidence[top]);
    taste->computed = !status;
    return status ? spar__fail_memory(err) : SPAR_OK;
}

double spar_taste_length(const spar_taste *taste)
{
    double sum = 0;
    if (!taste || !taste->computed)
        return 0;
    for (size_t c = 0; c < SPAR__TASTE_CELLS; c++)
        sum += taste->cell[c].weight * spar__log(taste->cell[c].size);
    return spar__exp(sum);
}

double spar_taste_scale(const spar_taste *taste)
{
    double sum = 0;
    if (!taste || !taste->computed)
        return 0;
    for (size_t c = 0; c < SPAR__TASTE_CELLS; c++)
        sum += taste->cell[c].weight * spar__log(taste->cell[c].scale);
    return spar__exp(sum);
}

/* The posterior of one length and scale, and what it says of points. */

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

static void mix(const spar_taste *taste, const double *x, const double *y, taste_mixture *out)
{
    double phi[RANK], psi[RANK];
    for (size_t c = 0; c < SPAR__TASTE_CELLS; c++) {
        const spar__taste_cell *cell = &taste->cell[c];
        out->weight[c] = cell->weight;
        out->mean[c] = out->variance[c] = 0;
        if (!(cell->weight > 0))
            continue;
        /* phi becomes the coordinates of f(x) - f(y); near points share the variance of the rest. */
        spar__kernel kernel = spar__taste_kernel(taste, cell);
        double rest = spar__newton_at(&cell->basis, &kernel, x, phi), shared = 0;
        if (y) {
            rest += spar__newton_at(&cell->basis, &kernel, y, psi);
            shared = spar__kernel_at(&kernel, x, y);
        }
        for (size_t k = 0; k < cell->basis.r; k++) {
            shared -= y ? phi[k] * psi[k] : 0;
            phi[k] -= y ? psi[k] : cell->centre[k];
        }
        out->variance[c] = fmax(0, rest - 2 * shared);
        for (size_t k = 0; k < cell->basis.r; k++)
            out->mean[c] += phi[k] * cell->posterior.mode[k];
        spar__weights_half(&cell->posterior.root, 1, phi);
        for (size_t k = 0; k < cell->basis.r; k++)
            out->variance[c] += phi[k] * phi[k];
    }
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
        double middle = 0.5 * (low + high), below = 0;
        for (size_t c = 0; c < SPAR__TASTE_CELLS; c++)
            if (m->weight[c] > 0)
                below += m->weight[c] * spar__normal_cdf((middle - m->mean[c]) / sqrt(m->variance[c] + 1e-12));
        if (below < share)
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
