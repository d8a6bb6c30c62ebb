#include "sampler/sampler.h"

#include "stats.h"
#include "tap.h"

enum { N = 300000 };

static double x[N];

static double uniform_cdf(double v, const void *law)
{
    (void)law;
    return v;
}

static double exponential_cdf(double v, const void *law)
{
    (void)law;
    return -expm1(-v);
}

int main(void)
{
    spar_rng rng;
    spar_rng_seed(&rng, 1, 2, 3);
    for (size_t i = 0; i < N; i++)
        x[i] = spar__uniform_open(&rng);
    double d = ks(N, x, uniform_cdf, NULL);
    ok(d < KS_LIMIT, "open uniform: KS %.2f", d);
    for (size_t i = 0; i < N; i++)
        x[i] = spar__exponential(&rng);
    d = ks(N, x, exponential_cdf, NULL);
    ok(d < KS_LIMIT && x[0] > 0 && x[N - 1] < 37, "exponential: KS %.2f", d);
    for (size_t i = 0; i < N; i++)
        x[i] *= 1.02;
    ok(ks(N, x, exponential_cdf, NULL) > KS_LIMIT, "and KS sees a rate off by 2 %%");

    rng.used = 6;
    rng.buffer[6] = 0;
    rng.buffer[7] = UINT64_MAX;
    double least = spar__uniform_open(&rng), most = spar__uniform_open(&rng);
    ok(least == 0x1p-53 && most == 1 - 0x1p-53, "neither 0 nor 1, by half a step");
    return done();
}
