/* laplace.h - a Gaussian-process classifier with the logistic likelihood, by Laplace's approximation. Points are given
 * by their numbers; the prior covariance of any two comes from a function. */
#ifndef SPAR_TESTS_REFERENCE_LAPLACE_H
#define SPAR_TESTS_REFERENCE_LAPLACE_H

#include <gsl/gsl_rng.h>
#include <stddef.h>

typedef double ref_prior(const void *context, size_t a, size_t b);

typedef struct ref_laplace {
    size_t points; /* numbers 0 .. points - 1 */
    ref_prior *prior;
    const void *context;
    size_t n, room;   /* observations */
    size_t *at;       /* n, where */
    double *won;      /* n, 1, 0 or 1/2 */
    double *f;        /* n, the mode */
    double *gradient; /* n, of the log likelihood at the mode */
    double *half;     /* n * points, B^-1/2 W^1/2 K(observed, all): the posterior is K - half^T half */
    double *mean;     /* points */
    double *variance; /* points */
    double *factor;   /* points * points */
} ref_laplace;

ref_laplace ref_laplace_open(size_t points, size_t room, ref_prior *prior, const void *context);
void ref_laplace_close(ref_laplace *l);
/* The latent f at a point won (1), lost (0) or half of each (1/2); the posterior follows. */
void ref_laplace_observe(ref_laplace *l, size_t at, double won);
/* A draw of f at all points. */
void ref_laplace_draw(ref_laplace *l, gsl_rng *rng, double *f);

double ref_sigmoid(double f);
/* Of sigmoid(f), f ~ N(mean, variance), by the trapezoid rule. */
double ref_sigmoid_variance(double mean, double variance);

/* The lower triangle of a positive definite matrix becomes its Cholesky factor; b becomes lower^-1 b, or lower^-T b. */
void ref_cholesky(double *a, size_t n);
void ref_forward(const double *lower, size_t n, double *b);
void ref_backward(const double *lower, size_t n, double *b);

#endif
