/* The open uniform and the exponential law. */
#include "num/elementary.h"
#include "sampler/rng.h"
#include "sampler/sampler.h"

double spar__uniform_open(spar_rng *rng)
{
    return (double)(spar__rng_next(rng) >> 12) * 0x1p-52 + 0x1p-53;
}

double spar__exponential(spar_rng *rng)
{
    return -spar__log(spar__uniform_open(rng));
}
