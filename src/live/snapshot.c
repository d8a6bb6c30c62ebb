/* snapshot.c - states kept in the store, so that opening an experiment need not fold the whole log. */
#include "live/live.h"

#include "base/alloc.h"

#include <string.h>

/* The hash that the log has for an event. */
typedef struct hash_at {
    unsigned char hash[SPAR_HASH_SIZE];
    bool found;
} hash_at;

static spar_status note_hash(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                             const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    hash_at *at = context;
    (void)sequence;
    (void)bytes;
    (void)length;
    (void)err;
    memcpy(at->hash, hash, sizeof at->hash);
    at->found = true;
    return SPAR_OK;
}

/* Is it a snapshot of this log? */
static bool belongs(spar_experiment *experiment, const spar__store_snapshot *snapshot, const spar__fold *state)
{
    hash_at at = {.found = false};
    if (spar__store_read(experiment->store, experiment->id, snapshot->sequence, snapshot->sequence, note_hash, &at,
                         NULL))
        return false;
    return at.found && state->sequence == snapshot->sequence && memcmp(at.hash, snapshot->hash, sizeof at.hash) == 0 &&
           memcmp(at.hash, state->hash, sizeof at.hash) == 0;
}

spar_status spar__snapshot_load(spar_experiment *experiment, uint64_t limit, spar__fold **out, spar_error *err)
{
    *out = NULL;
    limit = limit ? limit : UINT64_MAX / 2;
    while (!*out && limit) {
        spar__store_snapshot snapshot;
        unsigned char *bytes = NULL;
        size_t length = 0;
        spar_status status = spar__store_snapshot_get(experiment->store, experiment->id, limit, spar_session_engine(),
                                                      &snapshot, &bytes, &length, err);
        if (status)
            return status == SPAR_UNKNOWN ? SPAR_OK : status;
        status = spar__fold_load(bytes, length, out, err);
        spar__free(bytes);
        if (status == SPAR_NOMEM)
            return status;
        if (!status && !belongs(experiment, &snapshot, *out)) {
            spar__fold_free(*out);
            *out = NULL;
        }
        limit = snapshot.sequence - 1;
    }
    return SPAR_OK;
}

void spar__snapshot_take(spar_experiment *experiment)
{
    (void)experiment;
}
