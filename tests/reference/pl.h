/* pl.h - runs of self-sparring with the Plackett-Luce belief. */
#ifndef SPAR_TESTS_REFERENCE_PL_H
#define SPAR_TESTS_REFERENCE_PL_H

#include "reference/reference.h"

/* m slots; one choice after the other where the world ranks, else choices between two. */
ref_result ref_pl(const ref_world *world, size_t m, size_t rounds, double sd, bool distinct, uint64_t seed);

#endif
