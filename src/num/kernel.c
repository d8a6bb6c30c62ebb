#include "num/kernel.h"

#include "num/elementary.h"

#include <math.h>

static const double root3 = 1.7320508075688772, root5 = 2.23606797749979;
static const double farthest = 1e4; /* lengths; exp(-1e4) is 0, and 1e4 squared is no problem */

enum { CHUNK = 128 };

static double distance(const spar__kernel *kernel, size_t d, double x, double y)
{
    return fmin(fabs(x - y) / kernel->length[d], farthest);
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
        }
        break;
    case SPAR__KERNEL_PRODUCT_MATERN52:
        for (size_t d = 0; d < kernel->dim; d++) {
            a = root5 * distance(kernel, d, x[d], y[d]);
            *factor *= 1 + a + a * a / 3;
            *exponent -= a;
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

/* k'(x) = -(x - y) / length^2 times: se k; matern32 3 exp(-a); matern52 5/3 (1 + a) exp(-a). In a product the other
 * dimensions stay, so that k is divided by this one's factor, which is at least 1, and multiplied by its derivative. */
void spar__kernel_gradient(const spar__kernel *kernel, const double *x, const double *y, double *out)
{
    double factor, exponent, k, all = sqrt(distance_squared(kernel, x, y));
    parts(kernel, x, y, &factor, &exponent);
    k = kernel->variance * spar__exp(exponent);
    for (size_t d = 0; d < kernel->dim; d++) {
        double length = kernel->length[d], a = distance(kernel, d, x[d], y[d]);
        double slope = -fmax(fmin((x[d] - y[d]) / length, farthest), -farthest) / length;
        switch (kernel->kind) {
        case SPAR__KERNEL_MATERN32:
            out[d] = slope * 3 * k;
            break;
        case SPAR__KERNEL_MATERN52:
            out[d] = slope * (5.0 / 3) * (1 + root5 * all) * k;
            break;
        case SPAR__KERNEL_PRODUCT_MATERN32:
            a *= root3;
            out[d] = slope * 3 / (1 + a) * (factor * k);
            break;
        case SPAR__KERNEL_PRODUCT_MATERN52:
            a *= root5;
            out[d] = slope * (5.0 / 3) * (1 + a) / (1 + a + a * a / 3) * (factor * k);
            break;
        case SPAR__KERNEL_LINEAR:
            out[d] = kernel->variance * y[d] / length / length;
            break;
        case SPAR__KERNEL_SE:
        default:
            out[d] = slope * k;
            break;
        }
    }
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
