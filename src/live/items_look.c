/* items_look.c - the items of an experiment, looked at. */
#include "live/live.h"

size_t spar_experiment_items(const spar_experiment *experiment)
{
    return experiment && experiment->state ? experiment->state->items.n : 0;
}

spar_status spar_experiment_item(spar_experiment *experiment, size_t index, spar_item **out, spar_error *err)
{
    if (out)
        *out = NULL;
    if (!experiment || !out || index >= spar_experiment_items(experiment))
        return spar__fail(err, experiment && out ? SPAR_UNKNOWN : SPAR_INVALID, "there is no item %zu", index + 1);
    return spar__live_item_get(experiment, (uint32_t)index, out, err);
}

size_t spar_experiment_items_left(const spar_experiment *experiment, const char *voter)
{
    spar_experiment *self = (spar_experiment *)(uintptr_t)experiment; /* looking a name up changes nothing */
    uint64_t number = 0;
    if (!spar_experiment_items(experiment))
        return 0;
    if (voter && *voter) /* who is not known yet has seen nothing */
        (void)spar__live_known_voter(self, voter, &number, NULL);
    const spar_arms *arms = spar_session_arms(experiment->state->session);
    size_t live = spar_arms_live(arms), m = experiment->state->m < live ? experiment->state->m : live;
    return spar__items_left(&experiment->state->items, number, arms, m);
}
