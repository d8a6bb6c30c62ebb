/* plain.h - the plain loop: Thompson sampling against itself in its simplest form.
 *
 * m times: draw every arm's Beta by two scalar Marsaglia-Tsang gammas and take the argmax; then every pair of slots
 * duels, and both arms count it. It calls nothing of the library but the random numbers. */
#ifndef SPAR_BENCH_PLAIN_H
#define SPAR_BENCH_PLAIN_H

#include "sampler/rng.h"

#include <spar/status.h>

typedef struct spar__plain spar__plain;

spar_status spar__plain_new(size_t k, size_t m, spar__plain **out);
void spar__plain_free(spar__plain *plain);

void spar__plain_play(spar__plain *plain, uint64_t rounds);

/* A number of rounds that takes some milliseconds; at least 1. */
uint64_t spar__plain_block(const spar__plain *plain);

#endif
