#include "num/kernel.h"

#include "num/elementary.h"

#include <math.h>

static const double root3 = 1.7320508075688772, root5 = 2.23606797749979;
static const double farthest = 1e4; /* lengths; exp(-1e4) is 0, and 1e4 squared is no problem */

enum { CHUNK = 128 };

static double distance(const spar__kernel *kernel, size_t d, double x, double y)
{
    double s = fabs(x - y) / kernel->length[d];
    return s < farthest ? s : farthest;
}

static double distance_squared(const spar__kernel *kernel, const double *x, const double *y)
{
    double sum = 0;
    for (size_t d = 0; d < kernel->dim; d++) {
        double s = distance(kernel, d, x[d], y[d]);
        sum += s * s;
    }
    return sum;
}

static double linear(const spar__kernel *kernel, const double *x, const double *y)
{
    double sum = 0;
    for (size_t d = 0; d < kernel->dim; d++)
        sum += x[d] / kernel->length[d] * (y[d] / kernel->length[d]);
    return sum;
}

/* With many dimensions the factor may overflow while exp(exponent) is 0: moves exp(200) from one to the other. */
static void balance(double *factor, double *exponent)
{
    if (*factor > 1e100) {
        *factor *= 1.3838965267367376e-87; /* exp(-200) */
        *exponent += 200;
    }
}

/* Every kernel but the linear one is factor x exp(exponent). */
static void parts(const spar__kernel *kernel, const double *x, const double *y, double *factor, double *exponent)
{
    double a;
    *factor = 1;
    *exponent = 0;
    switch (kernel->kind) {
    case SPAR__KERNEL_MATERN32:
        a = root3 * sqrt(distance_squared(kernel, x, y));
        *factor = 1 + a;
        *exponent = -a;
        break;
    case SPAR__KERNEL_MATERN52:
        a = root5 * sqrt(distance_squared(kernel, x, y));
        *factor = 1 + a + a * a / 3;
        *exponent = -a;
        break;
    case SPAR__KERNEL_PRODUCT_MATERN32:
        for (size_t d = 0; d < kernel->dim; d++) {
            a = root3 * distance(kernel, d, x[d], y[d]);
            *factor *= 1 + a;
            *exponent -= a;
            balance(factor, exponent);
        }
        break;
    case SPAR__KERNEL_PRODUCT_MATERN52:
        for (size_t d = 0; d < kernel->dim; d++) {
            a = root5 * distance(kernel, d, x[d], y[d]);
            *factor *= 1 + a + a * a / 3;
            *exponent -= a;
            balance(factor, exponent);
        }
        break;
    case SPAR__KERNEL_LINEAR:
        *factor = linear(kernel, x, y);
        break;
    case SPAR__KERNEL_SE:
    default:
        *exponent = -distance_squared(kernel, x, y) / 2;
        break;
    }
}

void spar__kernel_row(const spar__kernel *kernel, const double *x, size_t n, const double *y, double *out)
{
    double factor[CHUNK], power[CHUNK];
    for (size_t start = 0; start < n; start += CHUNK) {
        size_t count = n - start < CHUNK ? n - start : CHUNK;
        for (size_t i = 0; i < count; i++)
            parts(kernel, x, y + (start + i) * kernel->dim, factor + i, power + i);
        spar__vexp(power, power, count);
        for (size_t i = 0; i < count; i++)
            out[start + i] = kernel->variance * (factor[i] * power[i]);
    }
}

double spar__kernel_at(const spar__kernel *kernel, const double *x, const double *y)
{
    double factor, exponent;
    parts(kernel, x, y, &factor, &exponent);
    return kernel->variance * (factor * spar__exp(exponent));
}

/* What the derivative by a dimension is, over weight x exp(exponent) x (y - x) / length^2. a: sqrt(3) or sqrt(5) times
 * the distance, in a product that along the dimension. */
static double steepness(spar__kernel_kind kind, double factor, double a)
{
    switch (kind) {
    case SPAR__KERNEL_MATERN32:
        return 3;
    case SPAR__KERNEL_MATERN52:
        return 5.0 / 3 * (1 + a);
    case SPAR__KERNEL_PRODUCT_MATERN32:
        return 3 / (1 + a) * factor;
    case SPAR__KERNEL_PRODUCT_MATERN52:
        return 5.0 / 3 * (1 + a) / (1 + a + a * a / 3) * factor;
    default:
        return 1;
    }
}

static void add_slope(const spar__kernel *kernel, const double *x, const double *y, double weight, double factor,
                      double exponent, double *gradient)
{
    bool matern32 = kernel->kind == SPAR__KERNEL_PRODUCT_MATERN32;
    bool product = matern32 || kernel->kind == SPAR__KERNEL_PRODUCT_MATERN52;
    for (size_t d = 0; d < kernel->dim; d++) {
        if (kernel->kind == SPAR__KERNEL_LINEAR) {
            gradient[d] += weight * (y[d] / kernel->length[d] / kernel->length[d]);
            continue;
        }
        double s = distance(kernel, d, x[d], y[d]), toward = (y[d] > x[d] ? s : -s) / kernel->length[d];
        double a = product ? (matern32 ? root3 : root5) * s : -exponent;
        gradient[d] += weight * (toward * steepness(kernel->kind, factor, a));
    }
}

double spar__kernel_slope(const spar__kernel *kernel, const double *x, size_t n, const double *y, const double *weight,
                          double *gradient)
{
    double factor[CHUNK], exponent[CHUNK], power[CHUNK], value = 0;
    for (size_t start = 0; start < n; start += CHUNK) {
        size_t count = n - start < CHUNK ? n - start : CHUNK;
        const double *chunk = y + start * kernel->dim;
        for (size_t i = 0; i < count; i++)
            parts(kernel, x, chunk + i * kernel->dim, factor + i, exponent + i);
        spar__vexp(power, exponent, count);
        for (size_t i = 0; i < count; i++) {
            double scaled = kernel->variance * weight[start + i] * power[i];
            value += scaled * factor[i];
            add_slope(kernel, x, chunk + i * kernel->dim, scaled, factor[i], exponent[i], gradient);
        }
    }
    return value;
}

bool spar__kernel_separable(const spar__kernel *kernel)
{
    return kernel->dim == 1 || kernel->kind == SPAR__KERNEL_SE || kernel->kind == SPAR__KERNEL_PRODUCT_MATERN32 ||
           kernel->kind == SPAR__KERNEL_PRODUCT_MATERN52;
}

spar__kernel spar__kernel_axis(const spar__kernel *kernel, size_t d)
{
    return (spar__kernel){kernel->kind, 1, kernel->length + d, d == 0 ? kernel->variance : 1};
}
