#include "posterior/gp/features.h"

#include "num/elementary.h"
#include "num/linear.h"
#include "sampler/sampler.h"

#include <math.h>

#define TWO_PI 6.283185307179586477

/* Half of the degrees of freedom of the spectral law; 0: it is normal. */
static double shape_of(const spar__kernel *kernel)
{
    switch (kernel->kind) {
    case SPAR__KERNEL_MATERN32:
    case SPAR__KERNEL_PRODUCT_MATERN32:
        return 1.5;
    case SPAR__KERNEL_MATERN52:
    case SPAR__KERNEL_PRODUCT_MATERN52:
        return 2.5;
    default:
        return 0;
    }
}

static bool is_product(const spar__kernel *kernel)
{
    return kernel->kind == SPAR__KERNEL_PRODUCT_MATERN32 || kernel->kind == SPAR__KERNEL_PRODUCT_MATERN52;
}

/* Normals become t's: each divided by the root of its frequency's, in a product its own, gamma over its mean. */
static void spread_out(const spar__features *features, spar_rng *rng)
{
    size_t F = features->frequencies, dim = features->kernel->dim;
    double shape = shape_of(features->kernel);
    size_t per = is_product(features->kernel) ? dim : 1;
    for (size_t k = 0; shape > 0 && k < F; k++) {
        double factor = 1;
        for (size_t d = 0; d < dim; d++) {
            if (d < per)
                factor = sqrt(shape / spar__gamma(rng, shape));
            features->turns[d * F + k] *= factor;
        }
    }
}

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
    spread_out(features, rng);
    for (size_t d = 0; d < kernel->dim; d++)
        for (size_t k = 0; k < F; k++)
            features->turns[d * F + k] /= TWO_PI * kernel->length[d];
    return SPAR_OK;
}

/* Turns to angles in -pi .. pi, however many turns there are. */
static void unwind(size_t n, double *turn)
{
    for (size_t k = 0; k < n; k++) {
        double whole = (turn[k] + 0x1.8p52) - 0x1.8p52, part = turn[k] - whole;
        turn[k] = fabs(part) <= 0.5 ? TWO_PI * part : 0; /* beyond 2^51 turns there is no angle left */
    }
}

static void waves(const spar__features *features, const double *x, double *out)
{
    size_t F = features->frequencies;
    double *angle = out + F;
    spar__product(1, F, features->kernel->dim, x, features->kernel->dim, features->turns, F, angle, F);
    unwind(F, angle);
    spar__vcos(out, angle, F);
    spar__vsin(angle, angle, F);
}

void spar__features_at(const spar__features *features, size_t count, const double *x, double *out)
{
    const spar__kernel *kernel = features->kernel;
    for (size_t i = 0; i < count; i++, x += kernel->dim, out += features->n) {
        if (features->frequencies)
            waves(features, x, out);
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
