/* write.c - how an experiment writes: lock, fold, append, fold. */
#include "live/live.h"

#include "base/clock.h"
#include "store/digest.h"

#include <time.h>

int64_t spar__live_now(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

spar_status spar__live_check(const spar_experiment *experiment, spar_error *err)
{
    if (!experiment)
        return spar__fail(err, SPAR_INVALID, "no experiment was given");
    if (!experiment->writes)
        return spar__fail(err, SPAR_UNSUPPORTED, "%s was opened for reading only", experiment->place);
    return SPAR_OK;
}

static const double LATELY = 2e9; /* nanoseconds */

/* What others have added is folded before the lock as well, unless it cannot be much: under it others wait. */
spar_status spar__live_begin(spar_experiment *experiment, spar_error *err)
{
    spar_status status = spar__live_check(experiment, err);
    if (!status && spar__clock_wall() - experiment->folded > LATELY)
        status = spar__live_refresh(experiment, err);
    if (!status)
        status = spar__store_lock(experiment->store, experiment->id, err);
    if (status)
        return status;
    status = spar__live_refresh(experiment, err);
    if (status)
        spar__live_end(experiment);
    return status;
}

void spar__live_end(spar_experiment *experiment)
{
    spar__store_unlock(experiment->store);
}

spar_status spar__live_commit(spar_experiment *experiment, spar_event *event, size_t n_texts,
                              const spar__store_text *text, spar_error *err)
{
    spar__store_entry entry = {event, text, n_texts, SPAR_OK};
    spar_event_set_stamp(event, 0, spar__live_now());
    spar_status status = spar__store_append(experiment->store, experiment->id, 1, &entry, err);
    if (!status && entry.status)
        status = spar__fail(err, entry.status, "another program has written the same before: %s",
                            spar_status_text(entry.status));
    if (!status)
        status = spar__live_refresh(experiment, err);
    if (!status)
        spar__snapshot_take(experiment);
    return status;
}

spar_status spar__live_text(spar__text_kind kind, uint64_t owner, uint32_t version, const void *bytes, size_t length,
                            spar__store_text *text, unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    *text = (spar__store_text){.kind = kind, .owner = owner, .version = version, .bytes = bytes, .length = length};
    spar_status status = spar__random_bytes(text->salt, sizeof text->salt, err);
    if (!status && hash)
        spar__hmac(text->salt, bytes, length, hash);
    return status;
}
