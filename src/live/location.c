/* location.c - an experiment is opened at its location, refreshed and closed. A location is FILE or a URL of a store,
 * with #NAME of the experiment where the store holds several. */
#include "base/alloc.h"
#include "live/live.h"
#include "live/log/batch.h"

spar_status spar__location_open(const char *place, spar__store_mode mode, spar__store **store, char **name,
                                spar_error *err)
{
    char *path = NULL;
    *store = NULL;
    *name = NULL;
    spar_status status = spar__store_split(place, &path, name, err);
    if (!status)
        status = spar__store_open(path, mode, store, err);
    spar__free(path);
    if (status) {
        spar__free(*name);
        *name = NULL;
    }
    return status;
}

/* An experiment without a store. */
static spar_status new_at(const char *place, bool writes, spar_experiment **out, spar_error *err)
{
    *out = NULL;
    spar_experiment *experiment = spar__alloc(1, sizeof *experiment);
    if (!experiment)
        return spar__fail_memory(err);
    experiment->place = spar__store_shown(place);
    experiment->writes = writes;
    if (!experiment->place || spar_event_new(&experiment->event)) {
        spar_experiment_close(experiment);
        return spar__fail_memory(err);
    }
    *out = experiment;
    return SPAR_OK;
}

spar_status spar__live_new(const char *place, spar__store_mode mode, spar_experiment **out, char **name,
                           spar_error *err)
{
    *name = NULL;
    spar_status status = new_at(place, mode != SPAR__STORE_READ, out, err);
    if (!status)
        status = spar__location_open(place, mode, &(*out)->store, name, err);
    if (status) {
        spar_experiment_close(*out);
        *out = NULL;
    }
    return status;
}

/* On an open store. After a failure *out is NULL. */
static spar_status complete(spar_experiment **out, const char *name, spar_error *err)
{
    spar_experiment *experiment = *out;
    spar_status status = spar__store_find(experiment->store, name, &experiment->id, err);
    if (!status)
        status = spar__live_refresh(experiment, err);
    if (!status && !experiment->state->m)
        status = spar__fail(err, SPAR_CORRUPT, "%s: the experiment was never completely made", experiment->place);
    if (status) {
        spar_experiment_close(experiment);
        *out = NULL;
    }
    return status;
}

spar_status spar__live_open_on(spar__store *store, const char *place, const char *name, bool writes,
                               spar__shared_fold *shared, spar_experiment **out, spar_error *err)
{
    spar_status status = new_at(place, writes, out, err);
    if (status)
        return status;
    (*out)->store = store;
    (*out)->borrowed = true;
    (*out)->shared = shared;
    if (shared)
        spar__live_take_state(*out);
    return complete(out, name, err);
}

spar_status spar_experiment_open(const char *place, spar_experiment_mode mode, spar_experiment **out, spar_error *err)
{
    if (!out)
        return spar__fail(err, SPAR_INVALID, "there is no place for the experiment");
    *out = NULL;
    if (!place)
        return spar__fail(err, SPAR_INVALID, "no place of an experiment was given");
    if (mode != SPAR_EXPERIMENT_READ && mode != SPAR_EXPERIMENT_WRITE)
        return spar__fail(err, SPAR_INVALID, "an experiment is opened to read or to write, not with mode %d",
                          (int)mode);
    char *name = NULL;
    spar_status status =
        spar__live_new(place, mode == SPAR_EXPERIMENT_WRITE ? SPAR__STORE_WRITE : SPAR__STORE_READ, out, &name, err);
    if (!status)
        status = complete(out, name, err);
    spar__free(name);
    return status;
}

void spar_experiment_close(spar_experiment *experiment)
{
    if (!experiment)
        return;
    spar__snapshot_stop(experiment);
    for (size_t i = 0; i < experiment->n_options; i++)
        spar_option_free(experiment->option[i].text);
    spar__free(experiment->option);
    spar_item_free(experiment->item.text);
    if (!experiment->borrowed)
        spar__store_close(experiment->store);
    spar__batch_free_spare(experiment);
    if (!experiment->shared)
        spar__fold_free(experiment->state);
    spar_event_free(experiment->event);
    spar__free(experiment->question);
    spar__free(experiment->place);
    spar__free(experiment);
}

spar_status spar_experiment_refresh(spar_experiment *experiment, spar_error *err)
{
    if (!experiment)
        return spar__fail(err, SPAR_INVALID, "no experiment was given");
    return spar__live_refresh(experiment, err);
}
