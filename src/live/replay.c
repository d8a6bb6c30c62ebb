/* replay.c - the whole log folded once more, without snapshots, and compared with the state. */
#include "live/live.h"

#include "base/alloc.h"

#include <string.h>

/* A new state from the first event to the last one that the present state has. */
static spar_status fold_again(spar_experiment *experiment, spar_progress_fn progress, void *context, spar_error *err)
{
    bool too_new;
    spar__fold *fresh = NULL, *now = experiment->state;
    uint64_t end = now->sequence;
    if (spar__fold_new(&fresh))
        return spar__fail_memory(err);
    experiment->state = fresh;
    spar_status status = spar__live_fold(experiment, end, progress, context, &too_new, err);
    if (status) {
        experiment->state = now;
        spar__fold_free(fresh);
    } else {
        spar__fold_free(now);
    }
    return status;
}

spar_status spar_experiment_replay(spar_experiment *experiment, spar_progress_fn progress, void *context,
                                   spar_error *err)
{
    unsigned char *before = NULL, *after = NULL;
    size_t length = 0, again = 0;
    if (!experiment)
        return spar__fail(err, SPAR_INVALID, "no experiment was given");
    spar_status status = spar__live_refresh(experiment, err);
    if (!status)
        status = spar__fold_save(experiment->state, &before, &length, err);
    if (!status)
        status = fold_again(experiment, progress, context, err);
    if (!status)
        status = spar__fold_save(experiment->state, &after, &again, err);
    bool same = !status && length == again && memcmp(before, after, length) == 0;
    spar__free(before);
    spar__free(after);
    if (status)
        return status;
    spar__snapshot_drop(experiment, 0, UINT64_MAX);
    spar__snapshot_write(experiment);
    return same ? SPAR_OK
                : spar__fail(err, SPAR_CORRUPT,
                             "%s: the state differs from the fold of the log; the log was taken, and old snapshots "
                             "were removed",
                             experiment->place);
}
