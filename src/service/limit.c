/* limit.c - see limit.h. */
#include "service/limit.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <string.h>

void spar__limit_init(spar__limit *limit, double rate, double burst, size_t most)
{
    *limit = (spar__limit){.rate = rate, .burst = burst > 0 ? burst : rate, .most = most};
    limit->crowd = (spar__bucket){.permits = limit->burst, .used = true};
}

void spar__limit_fini(spar__limit *limit)
{
    spar__free(limit->bucket);
    limit->bucket = NULL;
    limit->room = limit->n = 0;
}

static double permits_at(const spar__limit *limit, const spar__bucket *bucket, double now)
{
    double gained = now > bucket->at ? (now - bucket->at) * limit->rate / 60 : 0;
    double permits = bucket->permits + gained;
    return permits < limit->burst ? permits : limit->burst;
}

/* Its bucket, or the free one where it would go. The table is never full. */
static spar__bucket *find(const spar__limit *limit, const unsigned char *key)
{
    size_t i = (size_t)spar__hash_of(key, SPAR__LIMIT_KEY) & (limit->room - 1);
    while (limit->bucket[i].used && memcmp(limit->bucket[i].key, key, SPAR__LIMIT_KEY) != 0)
        i = (i + 1) & (limit->room - 1);
    return &limit->bucket[i];
}

/* A table of that room with all buckets that are not full again. */
static bool rebuild(spar__limit *limit, size_t room, double now)
{
    spar__limit next = *limit;
    next.bucket = spar__alloc(room, sizeof *next.bucket);
    next.room = room;
    next.n = 0;
    if (!next.bucket)
        return false;
    for (size_t i = 0; i < limit->room; i++) {
        spar__bucket *bucket = &limit->bucket[i];
        if (bucket->used && permits_at(limit, bucket, now) < limit->burst) {
            *find(&next, bucket->key) = *bucket;
            next.n++;
        }
    }
    spar__free(limit->bucket);
    *limit = next;
    return true;
}

static bool make_room(spar__limit *limit, double now)
{
    if (2 * (limit->n + 1) <= limit->room && limit->n < limit->most)
        return true;
    size_t room = limit->room ? limit->room : 64;
    if (!rebuild(limit, room, now))
        return false;
    if (2 * (limit->n + 1) > limit->room / 2 && limit->room / 2 < limit->most && !rebuild(limit, 2 * room, now))
        return 2 * (limit->n + 1) <= limit->room && limit->n < limit->most;
    return limit->n < limit->most;
}

static spar__bucket *bucket_of(spar__limit *limit, const unsigned char *key, double now)
{
    spar__bucket *bucket = limit->room ? find(limit, key) : NULL;
    if (bucket && bucket->used)
        return bucket;
    if (!make_room(limit, now))
        return &limit->crowd;
    bucket = find(limit, key);
    memcpy(bucket->key, key, SPAR__LIMIT_KEY);
    bucket->permits = limit->burst;
    bucket->at = now;
    bucket->used = true;
    limit->n++;
    return bucket;
}

bool spar__limit_take(spar__limit *limit, const unsigned char key[SPAR__LIMIT_KEY], double now, double *wait)
{
    if (wait)
        *wait = 0;
    if (limit->rate <= 0)
        return true;
    spar__bucket *bucket = bucket_of(limit, key, now);
    bucket->permits = permits_at(limit, bucket, now);
    bucket->at = now;
    if (bucket->permits >= 1) {
        bucket->permits -= 1;
        return true;
    }
    if (wait)
        *wait = (1 - bucket->permits) * 60 / limit->rate;
    return false;
}
