/* direct.h - runs of references that references.def does not list, at their usual parameters. */
#ifndef SPAR_TESTS_REFERENCE_DIRECT_H
#define SPAR_TESTS_REFERENCE_DIRECT_H

#include "reference/versus.h"

#define LOCAL_RUN(name, call) __attribute__((unused)) static DIRECT_RUN(direct_##name, call)

LOCAL_RUN(interleaved_filter, ref_interleaved_filter(world, rounds, 2, seed))
LOCAL_RUN(beat_the_mean, ref_beat_the_mean(world, rounds, 1, 3, true, seed))
LOCAL_RUN(savage, ref_savage(world, rounds, seed))
LOCAL_RUN(mdb, ref_mdb(world, rounds, 0.5, 1.5, seed))

#endif
