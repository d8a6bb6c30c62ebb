/* each.c - the log and the texts beside it, to be read by others. */
#include "live/live.h"

#include "base/alloc.h"

typedef struct event_listener {
    spar_event *event;
    spar_experiment_event_fn fn;
    void *context;
} event_listener;

static spar_status pass_on(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                           const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    const event_listener *to = context;
    spar_status status = spar__live_decode(to->event, sequence, bytes, length, err);
    return status ? status : to->fn(to->context, to->event, hash, err);
}

spar_status spar_experiment_each(spar_experiment *experiment, uint64_t from, spar_experiment_event_fn fn, void *context,
                                 spar_error *err)
{
    event_listener to = {NULL, fn, context};
    if (!experiment || !fn)
        return spar__fail(err, SPAR_INVALID, "events are read from an experiment, and need somebody to take them");
    if (spar_event_new(&to.event))
        return spar__fail_memory(err);
    spar_status status = spar__store_read(experiment->store, experiment->id, from ? from : 1, 0, pass_on, &to, err);
    spar_event_free(to.event);
    return status;
}

static spar_status text(spar_experiment *experiment, spar__text_kind kind, uint64_t owner, uint32_t version, char **out,
                        spar_error *err)
{
    unsigned char salt[SPAR__SALT_SIZE], *bytes = NULL;
    size_t length = 0;
    if (out)
        *out = NULL;
    if (!experiment || !out)
        return spar__fail(err, SPAR_INVALID, "a text is looked up in an experiment, and needs a place to go");
    spar_status status =
        spar__store_text_get(experiment->store, experiment->id, kind, owner, version, salt, &bytes, &length, err);
    *out = status ? NULL : (char *)bytes;
    return status == SPAR_UNKNOWN ? SPAR_OK : status;
}

spar_status spar_experiment_voter_name(spar_experiment *experiment, uint64_t voter, char **name, spar_error *err)
{
    return text(experiment, SPAR__TEXT_VOTER, voter, 1, name, err);
}

spar_status spar_experiment_comment(spar_experiment *experiment, uint64_t screen, uint32_t revision, char **comment,
                                    spar_error *err)
{
    return text(experiment, SPAR__TEXT_COMMENT, screen, revision + 1, comment, err);
}

void spar_text_free(char *words)
{
    spar__free(words);
}

spar_status spar_experiment_backup(spar_experiment *experiment, const char *path, spar_error *err)
{
    if (!experiment || !path)
        return spar__fail(err, SPAR_INVALID, "a backup is made of an experiment, and needs a path");
    return spar__store_backup(experiment->store, path, err);
}
