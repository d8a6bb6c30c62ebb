/* direct.h - the references of the policies with their own pair counts, at their usual parameters. */
#ifndef SPAR_TESTS_REFERENCE_DIRECT_H
#define SPAR_TESTS_REFERENCE_DIRECT_H

#include "reference/versus.h"

#define DIRECT_RUN(name, call)                                                                                         \
    __attribute__((unused)) static ref_result direct_##name(const ref_world *world, size_t rounds, uint64_t seed)      \
    {                                                                                                                  \
        return call;                                                                                                   \
    }

DIRECT_RUN(interleaved_filter, ref_interleaved_filter(world, rounds, 2, seed))
DIRECT_RUN(beat_the_mean, ref_beat_the_mean(world, rounds, 1, 3, true, seed))
DIRECT_RUN(savage, ref_savage(world, rounds, seed))
DIRECT_RUN(rucb, ref_rucb(world, rounds, 0.51, seed))
DIRECT_RUN(merge_rucb, ref_merge_rucb(world, rounds, 0.51, 4, 0, seed))
DIRECT_RUN(rmed1, ref_rmed1(world, rounds, 0.3, 1.01, seed))
DIRECT_RUN(dts, ref_dts(world, rounds, 0.51, 1, seed))
DIRECT_RUN(dts_fast, ref_dts(world, rounds, 0.51, 2.5, seed))
DIRECT_RUN(mdb, ref_mdb(world, rounds, 0.5, 1.5, seed))

#endif
