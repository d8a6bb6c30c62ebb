/* build.h - from text to a cache. */
#ifndef SPAR_RANK_BUILD_H
#define SPAR_RANK_BUILD_H

#include "rank/cache.h"
#include "rank/ranker.h"

/* Reads all of the stream into the spool. */
spar_status spar__build(spar__stream *stream, const spar__rankers *rankers, const spar__cache_key *key, size_t threads,
                        spar__spool *spool, spar_error *err);

#endif
