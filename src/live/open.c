/* open.c - an experiment is opened, refreshed and closed. */
#include "live/live.h"

#include "base/alloc.h"
#include "live/open.h"

static spar_status find(spar_experiment *experiment, const char *name, spar_error *err)
{
    return spar__store_find(experiment->store, name, &experiment->id, err);
}

spar_status spar__live_new(const char *place, spar__store_mode mode, spar_experiment **out, char **name,
                           spar_error *err)
{
    char *store = NULL;
    *out = NULL;
    *name = NULL;
    spar_experiment *experiment = spar__alloc(1, sizeof *experiment);
    spar_status status = experiment ? spar__store_split(place, &store, name, err) : spar__fail_memory(err);
    if (!status) {
        experiment->place = spar__strdup(place);
        experiment->writes = mode != SPAR__STORE_READ;
        if (!experiment->place || spar_event_new(&experiment->event))
            status = spar__fail_memory(err);
    }
    if (!status)
        status = spar__store_open(store, mode, &experiment->store, err);
    spar__free(store);
    if (status) {
        spar_experiment_close(experiment);
        spar__free(*name);
        *name = NULL;
        return status;
    }
    *out = experiment;
    return SPAR_OK;
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
        status = find(*out, name, err);
    if (!status)
        status = spar__live_refresh(*out, err);
    if (!status && !(*out)->state->m)
        status = spar__fail(err, SPAR_CORRUPT, "%s: the experiment was never completely made", place);
    spar__free(name);
    if (status) {
        spar_experiment_close(*out);
        *out = NULL;
    }
    return status;
}

static void free_options(spar_experiment *experiment)
{
    for (size_t i = 0; i < experiment->n_options; i++)
        spar_option_free(experiment->option[i].text);
    spar__free(experiment->option);
}

void spar_experiment_close(spar_experiment *experiment)
{
    if (!experiment)
        return;
    free_options(experiment);
    spar_item_free(experiment->item.text);
    spar__store_close(experiment->store);
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
