/* paths.c - functions drawn from the posterior, that can be asked for value and slope anywhere: see box.h.
 *
 * With F features, d dimensions and r points of the basis, m paths take O(m r (r + F)) operations to draw, and a value
 * or a slope O((r + F) d). */
#include "num/elementary.h"
#include "posterior/gp/box.h"
#include "sampler/sampler.h"

#include <math.h>
#include <string.h>

#define TWO_PI 6.283185307179586477

spar_status spar__features_draw(spar__features *features, const spar__kernel *kernel, spar_scratch *scratch,
                                spar_rng *rng)
{
    *features = (spar__features){.kernel = kernel, .n = kernel->dim, .amplitude = sqrt(kernel->variance)};
    if (kernel->kind == SPAR__KERNEL_LINEAR)
        return SPAR_OK;
    size_t F = SPAR__FREQUENCIES;
    features->frequencies = F;
    features->n = 2 * F;
    features->amplitude = sqrt(kernel->variance / (double)F);
    features->turns = spar__scratch_take(scratch, kernel->dim * F, sizeof *features->turns);
    if (!features->turns)
        return SPAR_NOMEM;
    spar__normal_batch(rng, kernel->dim * F, features->turns);
    /* Half of the degrees of freedom of the spectral law; 0: it is normal. Else normals become t's: each divided by the
     * root of its frequency's, in a product its own, gamma over its mean. */
    bool product = kernel->kind == SPAR__KERNEL_PRODUCT_MATERN32 || kernel->kind == SPAR__KERNEL_PRODUCT_MATERN52;
    double shape = kernel->kind == SPAR__KERNEL_MATERN32 || kernel->kind == SPAR__KERNEL_PRODUCT_MATERN32   ? 1.5
                   : kernel->kind == SPAR__KERNEL_MATERN52 || kernel->kind == SPAR__KERNEL_PRODUCT_MATERN52 ? 2.5
                                                                                                            : 0;
    for (size_t k = 0; shape > 0 && k < F; k++) {
        double factor = 1;
        for (size_t d = 0; d < kernel->dim; d++) {
            if (d == 0 || product)
                factor = sqrt(shape / spar__gamma(rng, shape));
            features->turns[d * F + k] *= factor;
        }
    }
    for (size_t d = 0; d < kernel->dim; d++)
        for (size_t k = 0; k < F; k++)
            features->turns[d * F + k] /= TWO_PI * kernel->length[d];
    return SPAR_OK;
}

void spar__features_at(const spar__features *features, size_t count, const double *x, double *out)
{
    const spar__kernel *kernel = features->kernel;
    for (size_t i = 0; i < count; i++, x += kernel->dim, out += features->n) {
        if (features->frequencies) {
            size_t F = features->frequencies;
            double *angle = out + F;
            spar__product(1, F, features->kernel->dim, x, features->kernel->dim, features->turns, F, angle, F);
            /* Turns to angles in -pi .. pi, however many turns there are. */
            for (size_t k = 0; k < F; k++) {
                double whole = (angle[k] + 0x1.8p52) - 0x1.8p52, part = angle[k] - whole;
                angle[k] = fabs(part) <= 0.5 ? TWO_PI * part : 0; /* beyond 2^51 turns there is no angle left */
            }
            spar__vcos(out, angle, F);
            spar__vsin(angle, angle, F);
        }
        for (size_t k = 0; k < features->n; k++)
            out[k] = features->amplitude * (features->frequencies ? out[k] : x[k] / kernel->length[k]);
    }
}

double spar__features_slope(const spar__features *features, const double *weight, const double *x, double *gradient,
                            double *work)
{
    const spar__kernel *kernel = features->kernel;
    size_t F = features->frequencies;
    double value = 0;
    spar__features_at(features, 1, x, work);
    for (size_t k = 0; k < features->n; k++)
        value += weight[k] * work[k];
    for (size_t k = 0; k < F; k++)
        work[k] = TWO_PI * (weight[F + k] * work[k] - weight[k] * work[F + k]);
    for (size_t d = 0; d < kernel->dim; d++) {
        double sum = F ? 0 : features->amplitude * weight[d] / kernel->length[d];
        for (size_t k = 0; k < F; k++)
            sum += features->turns[d * F + k] * work[k];
        gradient[d] += sum;
    }
    return value;
}

enum { BLOCK = 32 }; /* points looked at together: their features stay in the cache */

/* Normals of deviation sd in m columns, column by column so that a function does not depend on how many there are
 * beside it. */
static void fill_columns(spar_rng *rng, double sd, size_t n, size_t m, size_t lanes, double *line, double *out)
{
    memset(out, 0, n * lanes * sizeof *out);
    for (size_t j = 0; j < m; j++) {
        spar__normal_batch(rng, n, line);
        for (size_t k = 0; k < n; k++)
            out[k * lanes + j] = sd * line[k];
    }
}

static void set_prior(const spar__paths *paths, size_t n, const double *x, double *value)
{
    const spar__features *features = &paths->features;
    for (size_t i = 0; i < n; i += BLOCK) {
        size_t count = n - i < BLOCK ? n - i : BLOCK;
        spar__features_at(features, count, x + i * paths->kernel->dim, paths->work);
        spar__product(count, paths->lanes, features->n, paths->work, features->n, paths->weight, paths->lanes,
                      value + i * paths->lanes, paths->lanes);
    }
}

static spar_status take_memory(spar__paths *paths, spar_scratch *scratch)
{
    size_t r = paths->basis->r, n = paths->features.n, lanes = paths->lanes;
    paths->coef = spar__scratch_take(scratch, r * lanes, sizeof *paths->coef);
    paths->weight = spar__scratch_take(scratch, n * lanes, sizeof *paths->weight);
    paths->line = spar__scratch_take(scratch, paths->m * (n + r), sizeof *paths->line);
    paths->at_u = spar__scratch_take(scratch, paths->m * r, sizeof *paths->at_u);
    paths->work = spar__scratch_take(scratch, BLOCK * ((n > r ? n : r) + lanes), sizeof *paths->work);
    return paths->at_u && paths->coef && paths->weight && paths->line && paths->work ? SPAR_OK : SPAR_NOMEM;
}

static void to_lines(size_t n, size_t m, size_t lanes, const double *columns, double *line, size_t stride)
{
    for (size_t j = 0; j < m; j++)
        for (size_t k = 0; k < n; k++)
            line[j * stride + k] = columns[k * lanes + j];
}

spar_status spar__paths_draw(spar__paths *paths, const spar__kernel *kernel, const spar__newton *basis,
                             const spar__weights *weights, double explore, size_t m, spar_scratch *scratch,
                             spar_rng *rng)
{
    *paths = (spar__paths){.kernel = kernel, .basis = basis, .m = m, .lanes = spar__padded(m)};
    if (spar__features_draw(&paths->features, kernel, scratch, rng) || take_memory(paths, scratch))
        return SPAR_NOMEM;
    size_t r = basis->r, n = paths->features.n, lanes = paths->lanes, mark = spar__scratch_mark(scratch);
    double *w = spar__scratch_take(scratch, r * lanes, sizeof *w);
    if (!w)
        return SPAR_NOMEM;
    fill_columns(rng, explore, n, m, lanes, paths->line, paths->weight);
    /* The posterior's weights, r x lanes, and from them the values at the basis. */
    fill_columns(rng, explore, r, m, lanes, paths->line, w);
    for (size_t i = 0; i < r; i++)
        for (size_t j = 0; j < lanes; j++)
            w[i * lanes + j] += weights->z[i];
    spar__weights_solve(weights, lanes, w);
    to_lines(r, m, lanes, w, paths->line, r);
    spar__newton_values(basis, m, paths->line, paths->at_u);
    set_prior(paths, r, basis->u, paths->coef);
    spar__triangle_forward(r, basis->stride, basis->T, lanes, paths->coef);
    for (size_t i = 0; i < r * lanes; i++)
        paths->coef[i] = w[i] - paths->coef[i];
    spar__triangle_back(r, basis->stride, basis->T, lanes, paths->coef);
    to_lines(n, m, lanes, paths->weight, paths->line, n + r);
    to_lines(r, m, lanes, paths->coef, paths->line + n, n + r);
    spar__scratch_release(scratch, mark);
    return SPAR_OK;
}

spar_status spar__paths_mean(spar__paths *paths, const spar__kernel *kernel, const spar__newton *basis,
                             const spar__weights *weights, spar_scratch *scratch)
{
    size_t r = basis->r;
    *paths = (spar__paths){.kernel = kernel, .basis = basis, .m = 1, .lanes = spar__padded(1)};
    paths->features.kernel = kernel;
    if (take_memory(paths, scratch))
        return SPAR_NOMEM;
    memcpy(paths->line, weights->z, r * sizeof *paths->line);
    spar__weights_solve(weights, 1, paths->line);
    spar__newton_values(basis, 1, paths->line, paths->at_u);
    spar__triangle_back(r, basis->stride, basis->T, 1, paths->line);
    return SPAR_OK;
}

void spar__paths_values(const spar__paths *paths, size_t n, const double *x, double *value)
{
    size_t r = paths->basis->r, lanes = paths->lanes, dim = paths->kernel->dim;
    set_prior(paths, n, x, value);
    for (size_t i = 0; r && i < n; i += BLOCK) {
        size_t count = n - i < BLOCK ? n - i : BLOCK;
        double *row = paths->work, *added = row + count * r;
        for (size_t k = 0; k < count; k++)
            spar__kernel_row(paths->kernel, x + (i + k) * dim, r, paths->basis->u, row + k * r);
        spar__product(count, lanes, r, row, r, paths->coef, lanes, added, lanes);
        for (size_t k = 0; k < count * lanes; k++)
            value[i * lanes + k] += added[k];
    }
}

static double dot(size_t n, const double *a, const double *b)
{
    double sum[4] = {0};
    size_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (size_t k = 0; k < 4; k++)
            sum[k] += a[i + k] * b[i + k];
    for (; i < n; i++)
        sum[0] += a[i] * b[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

void spar__path_values(const spar__paths *paths, size_t j, size_t n, const double *x, double *value)
{
    size_t r = paths->basis->r, features = paths->features.n;
    const double *line = paths->line + j * (features + r);
    for (size_t i = 0; i < n; i++, x += paths->kernel->dim) {
        spar__features_at(&paths->features, 1, x, paths->work);
        value[i] = dot(features, paths->work, line);
        spar__kernel_row(paths->kernel, x, r, paths->basis->u, paths->work);
        value[i] += dot(r, paths->work, line + features);
    }
}

double spar__path_slope(const spar__paths *paths, size_t j, const double *x, double *gradient)
{
    size_t r = paths->basis->r, features = paths->features.n;
    const double *line = paths->line + j * (features + r);
    memset(gradient, 0, paths->kernel->dim * sizeof *gradient);
    double value = features ? spar__features_slope(&paths->features, line, x, gradient, paths->work) : 0;
    return value + spar__kernel_slope(paths->kernel, x, r, paths->basis->u, line + features, gradient);
}
