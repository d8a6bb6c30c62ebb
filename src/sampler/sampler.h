/* sampler.h - the laws drawn from a spar_rng.
 *
 * Every function names the words it takes, so that a stream can be followed; the same stream gives the same values on
 * every CPU. Parameters outside the stated range are the caller's mistake and give NaN or 0. */
#ifndef SPAR_SAMPLER_SAMPLER_H
#define SPAR_SAMPLER_SAMPLER_H

#include "sampler/rng.h"

/* Uniform in (0,1): the odd multiples of 2^-53. One word. */
double spar__uniform_open(spar_rng *rng);

/* Rate 1: -log of a uniform. One word. */
double spar__exponential(spar_rng *rng);

/* Mean 0, variance 1: ziggurat, one word in 99 % of draws. */
double spar__normal(spar_rng *rng);

/* Shape > 0, scale 1: Marsaglia and Tsang's method; below shape 1 that of shape + 1 times U^(1/shape). The log form is
 * the one to use for small shapes, where most of the law is below the smallest double. */
double spar__gamma(spar_rng *rng, double shape);
double spar__gamma_log(spar_rng *rng, double shape);

/* a, b > 0: from two gammas, first that of a; in log form where a shape is below 1. */
double spar__beta(spar_rng *rng, double a, double b);

/* Beta(a,b) given theta > c, and given theta <= c, for a, b >= 1: exact however small the tail. */
double spar__beta_above(spar_rng *rng, double a, double b, double c);
double spar__beta_below(spar_rng *rng, double a, double b, double c);

/* theta[i] ~ Beta(a[i], b[i]) for a[i], b[i] >= 1 (not checked). theta is apart from a and b. Fewer than 6 are drawn
 * one by one by spar__beta; more in vectors, by rounds of 16 tries that take six steps of the generator each: see
 * batch.c. */
void spar__beta_batch(spar_rng *rng, size_t n, const double *a, const double *b, double *theta);

/* n standard normals, in vectors: Box and Muller. For each 16 values (the last 16 may be cut): a step for the radii, a
 * step for the angles; cosines, then sines. */
void spar__normal_batch(spar_rng *rng, size_t n, double *out);

/* mean >= 0, finite. Below 10 by multiplication of uniforms, else transformed rejection. Whole numbers, as a double. */
double spar__poisson(spar_rng *rng, double mean);

/* Index i with probability w[i] / sum of w; weights are >= 0 and finite. One word. Zero weights are never chosen; n
 * when all are zero. */
size_t spar__choose_weighted(spar_rng *rng, size_t n, const double *w);

/* The inside of the laws, for tests and for the vector code. */

extern const double spar__normal_edge[257];

/* log(1 + t) is between t - t^2/2 + t^3/3 - LOW t^4 and the same with HIGH, for |t| <= 1/2. */
#define SPAR__LOG_LOW 0.424
#define SPAR__LOG_HIGH 0.179

/* The vector code of one instruction set. */
typedef struct spar__sampler_ops {
    void (*beta_batch)(spar_rng *rng, size_t n, const double *a, const double *b, double *theta);
    void (*normal_batch)(spar_rng *rng, size_t n, double *out);
} spar__sampler_ops;

extern const spar__sampler_ops spar__sampler_ops_baseline, spar__sampler_ops_avx2, spar__sampler_ops_avx512;

#endif
