/* gp_textbook.h - Gaussian-process regression as textbooks have it: prior mean 0, one Cholesky factor of the dense
 * matrix of the observations, all in long double. For tests of anything faster; it needs nothing but the C library.
 *
 *     static const double length[] = {0.2};
 *     textbook_kernel kernel = {.kind = TEXTBOOK_SE, .variance = 1, .dim = 1, .length = length};
 *     textbook_gp *gp = textbook_gp_new(&kernel, 0.025);
 *     textbook_gp_observe(gp, x, 1);
 *     double mean = (double)textbook_gp_mean(gp, y);
 *     textbook_gp_free(gp); */
#ifndef SPAR_TESTS_REFERENCE_GP_TEXTBOOK_H
#define SPAR_TESTS_REFERENCE_GP_TEXTBOOK_H

#include <stddef.h>

typedef enum {
    TEXTBOOK_SE,               /* variance exp(-r^2 / 2), r = |(x - y) / length| */
    TEXTBOOK_MATERN32,         /* variance (1 + s) exp(-s), s = sqrt(3) r */
    TEXTBOOK_MATERN52,         /* variance (1 + s + s^2 / 3) exp(-s), s = sqrt(5) r */
    TEXTBOOK_PRODUCT_MATERN32, /* variance times the product over dimensions of Matern kernels in one dimension */
    TEXTBOOK_PRODUCT_MATERN52,
    TEXTBOOK_LINEAR /* variance sum x_d y_d / length_d^2 */
} textbook_kind;

typedef struct textbook_kernel {
    textbook_kind kind;
    double variance;
    size_t dim;
    const double *length; /* dim of them; they must outlive the kernel */
} textbook_kernel;

long double textbook_kernel_at(const textbook_kernel *kernel, const double *x, const double *y);

typedef struct textbook_gp textbook_gp;

/* noise: the variance of one reward around f. Nothing here fails; without memory, or with a matrix that is not positive
 * definite, the program aborts. */
textbook_gp *textbook_gp_new(const textbook_kernel *kernel, double noise);
void textbook_gp_free(textbook_gp *gp);

void textbook_gp_observe(textbook_gp *gp, const double *x, double reward);
/* n rewards with this mean, as one observation with variance noise / n. */
void textbook_gp_observe_mean(textbook_gp *gp, const double *x, long double mean, double n);

/* Of the posterior of f. */
long double textbook_gp_mean(textbook_gp *gp, const double *x);
long double textbook_gp_variance(textbook_gp *gp, const double *x);
long double textbook_gp_covariance(textbook_gp *gp, const double *x, const double *y);
/* Of n points (n * dim numbers) at once: n means, n * n covariances. */
void textbook_gp_means(textbook_gp *gp, const double *x, size_t n, double *mean);
void textbook_gp_covariances(textbook_gp *gp, const double *x, size_t n, double *covariance);

#endif
