/* The vector forms: the copy of batch.c for this CPU. */
#include "num/cpu.h"
#include "sampler/laws.h"
#include "sampler/sampler.h"

static const spar__sampler_ops *const tables[SPAR__CPU_COUNT] = SPAR__CPU_TABLES(spar__sampler_ops);

/* A round of the vector code makes 16 tries, which costs as much as some six scalar draws. */
void spar__beta_batch(spar_rng *rng, size_t n, const double *a, const double *b, double *theta)
{
    if (n < 6) {
        for (size_t i = 0; i < n; i++)
            theta[i] = spar__beta(rng, a[i], b[i]);
        return;
    }
    tables[spar__cpu_level()]->beta_batch(rng, n, a, b, theta);
}

void spar__normal_batch(spar_rng *rng, size_t n, double *out)
{
    tables[spar__cpu_level()]->normal_batch(rng, n, out);
}
