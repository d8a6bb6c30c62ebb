/* laws.h - the inside of the laws, for tests and for the vector code. */
#ifndef SPAR_SAMPLER_LAWS_H
#define SPAR_SAMPLER_LAWS_H

#include "sampler/rng.h"

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
