/* rng.h - to be replaced by the sampler layer */
#ifndef SPAR_RNG_H
#define SPAR_RNG_H
#include <spar/status.h>
#include <stddef.h>
#include <stdint.h>
typedef struct spar_rng { uint64_t s[4][8]; uint64_t out[8]; uint32_t left; } spar_rng;
#endif
