/* laws.h - the inside of the laws, for tests and for the vector code. */
#ifndef SPAR_SAMPLER_LAWS_H
#define SPAR_SAMPLER_LAWS_H

#include <spar/rng.h>

extern const double spar__normal_edge[257];

/* The vector code of one instruction set. */
typedef struct spar__sampler_ops {
    void (*beta_batch)(spar_rng *rng, size_t n, const double *a, const double *b, double *theta);
    void (*normal_batch)(spar_rng *rng, size_t n, double *out);
} spar__sampler_ops;

extern const spar__sampler_ops spar__sampler_ops_baseline, spar__sampler_ops_avx2, spar__sampler_ops_avx512;

#endif
