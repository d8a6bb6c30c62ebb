/* limit.h - rates: at most so many a minute for each key, with bursts (a token bucket each).
 *
 * A bucket holds `burst` permits at most and gains `rate` a minute. Buckets that are full again are forgotten, so
 * memory follows the number of keys seen in the last minutes, and is bounded: beyond `most` keys every new key shares
 * one bucket. Time is the caller's, in seconds from any start, and may jump: back counts as none.
 *
 * Threads: one at a time for each table. */
#ifndef SPAR_SERVICE_LIMIT_H
#define SPAR_SERVICE_LIMIT_H

#include <spar/status.h>

#include <stdbool.h>
#include <stddef.h>

enum { SPAR__LIMIT_KEY = 16 };

typedef struct spar__bucket {
    unsigned char key[SPAR__LIMIT_KEY];
    double permits, at; /* how many there were at that time */
    bool used;
} spar__bucket;

typedef struct spar__limit {
    double rate, burst; /* a minute; rate 0: no limit */
    size_t most;
    spar__bucket *bucket; /* open addressing; `room`, a power of two, or 0 */
    size_t room, n;
    spar__bucket crowd; /* of all keys that found no place */
} spar__limit;

/* burst 0: as many as the rate. */
void spar__limit_init(spar__limit *limit, double rate, double burst, size_t most);
void spar__limit_fini(spar__limit *limit);

/* May this key do one more thing now? *wait, if not NULL: seconds until it may. */
bool spar__limit_take(spar__limit *limit, const unsigned char key[SPAR__LIMIT_KEY], double now, double *wait);

#endif
