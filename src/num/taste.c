/* taste.c - points and duels, and the mixture over lengths and scales that they are weighed by. */
#include <spar/taste.h>

#include "base/alloc.h"
#include "num/elementary.h"
#include "num/taste.h"

#include <math.h>
#include <string.h>

/* Answers before axes get lengths of their own; newest ones that lengths and scales are weighed by. */
enum { LEAST = 30, MOST = 250 };

spar_status spar__taste_point(spar_taste *taste, const double *x, size_t *out)
{
    size_t size = taste->dim * sizeof *x;
    for (*out = 0; *out < taste->n; ++*out)
        if (memcmp(taste->x + *out * taste->dim, x, size) == 0)
            return SPAR_OK;
    double *grown = spar__grow(taste->x, &taste->room, taste->n + 1, 16, size);
    if (!grown)
        return SPAR_NOMEM;
    taste->x = grown;
    memcpy(taste->x + taste->n++ * taste->dim, x, size);
    return SPAR_OK;
}

/* Axes begin with 0, and none is left out. */
static bool axes_rise(size_t dim, const size_t *axis)
{
    bool good = axis[0] == 0;
    for (size_t d = 1; d < dim; d++)
        good &= axis[d] == axis[d - 1] || axis[d] == axis[d - 1] + 1;
    return good;
}

spar_status spar_taste_new(size_t dim, const size_t *axis, size_t n, const double *reference, spar_taste **out)
{
    if (!SPAR__CLEAR(out) || !dim || !axis || !n || !reference || !axes_rise(dim, axis))
        return SPAR_INVALID;
    spar_taste *taste = spar__alloc(1, sizeof *taste);
    if (!taste)
        return SPAR_NOMEM;
    taste->dim = dim;
    taste->axes = axis[dim - 1] + 1;
    taste->axis = spar__alloc(dim, sizeof *taste->axis);
    taste->shape = spar__alloc(taste->axes, sizeof *taste->shape);
    if (!taste->axis || !taste->shape) {
        spar_taste_free(taste);
        return SPAR_NOMEM;
    }
    memcpy(taste->axis, axis, dim * sizeof *axis);
    for (size_t i = 0, at; i < n; i++)
        if (spar__taste_point(taste, reference + i * dim, &at)) {
            spar_taste_free(taste);
            return SPAR_NOMEM;
        }
    taste->references = taste->n;
    *out = taste;
    return SPAR_OK;
}

void spar_taste_free(spar_taste *taste)
{
    if (!taste)
        return;
    for (size_t c = 0; c < SPAR__TASTE_CELLS; c++)
        spar__taste_cell_free(&taste->cell[c]);
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
    spar__taste_duel *grown = spar__grow(taste->duel, &taste->duel_room, taste->duels + 1, 16, sizeof *grown);
    if (!grown)
        return SPAR_NOMEM;
    taste->duel = grown;
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

/* The prior of a cell, as a logarithm: of scale on a logarithmic grid, so with the factor scale. */
static double prior(const spar__taste_cell *cell)
{
    double z = spar__log(cell->size / 0.4) / 0.7;
    return -0.5 * z * z - 0.5 / 11 * cell->scale * cell->scale + spar__log(cell->scale);
}

/* The evidence of a cell with its prior, and that of the shape. */
static spar_status try_cell(const spar_taste *taste, spar__taste_cell *cell, double *evidence)
{
    spar_status status = spar__taste_cell_fit(taste, cell, evidence);
    *evidence += prior(cell);
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
    spar__taste_cell_free(&cell);
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
        spar__taste_cell_free(cell);
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
            spar__taste_cell_free(cell);
            cell->size = size;
            cell->scale = scale;
            if (spar__taste_cell_fit(taste, cell, &ignored))
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
