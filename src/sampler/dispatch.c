/* The vector forms: the copy of batch.c for this CPU. */
#include "num/cpu.h"
#include "sampler/laws.h"
#include "sampler/sampler.h"

static const spar__sampler_ops *const tables[SPAR__CPU_COUNT] = SPAR__CPU_TABLES(spar__sampler_ops);

void spar__beta_batch(spar_rng *rng, size_t n, const double *a, const double *b, double *theta)
{
    tables[spar__cpu_level()]->beta_batch(rng, n, a, b, theta);
}

void spar__normal_batch(spar_rng *rng, size_t n, double *out)
{
    tables[spar__cpu_level()]->normal_batch(rng, n, out);
}
