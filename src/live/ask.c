/* ask.c - a new screen: drawn from the state at the end of the log, handed out when its event is on disk. */
#include "live/pending.h"

#include <spar/arms.h>

enum { TRIES = 16 }; /* another program may take a number first */

static spar_status check(const spar_experiment *experiment, spar_error *err)
{
    spar_session *session = experiment->state->session;
    size_t live = spar_session_axes(session) ? 2 : spar_arms_live(spar_session_arms(session));
    if (spar_session_closed(session))
        return spar__fail(err, SPAR_UNSUPPORTED, "%s is closed: there are no new screens", experiment->place);
    if (live < 2)
        return spar__fail(err, SPAR_UNSUPPORTED, "%s has %zu live option%s: there is nothing to compare",
                          experiment->place, live, live == 1 ? "" : "s");
    return SPAR_OK;
}

/* Nobody is asked about an option that cannot be shown. */
static spar_status check_texts(spar_experiment *experiment, const spar_event *event, spar_error *err)
{
    const spar_round *round = spar_event_round(event);
    spar_status status = spar__live_question_get(experiment, err);
    bool space = spar_session_axes(experiment->state->session) != NULL;
    for (size_t slot = 0; slot < spar_event_slots(event) && !status && !space; slot++) {
        const spar_option *option = NULL;
        size_t arm = spar_round_arm(round, slot);
        status = spar__live_option_get(experiment, arm, &option, err);
        if (!status && !option)
            status = spar__fail(err, SPAR_CORRUPT, "%s: the text of option %zu, which is live, is missing",
                                experiment->place, arm + 1);
    }
    return status;
}

static bool may_follow(const spar__pending *last)
{
    return spar_event_kind_of(last->event) == SPAR_EVENT_ANSWER && !last->next;
}

/* The event of a new screen. */
static spar_status draft(spar__batch *batch, spar__pending *item, const char *voter, spar_error *err)
{
    spar_experiment *experiment = batch->experiment;
    uint64_t number = 0;
    spar_status status = check(experiment, err);
    if (!status)
        status = spar__pending_voter(batch, item, voter, err);
    spar__pending *last = status ? NULL : spar__pending_of(batch, item->voter);
    if (last && !may_follow(last))
        status = spar__pending_check_voter(batch, item->voter, err);
    if (!status)
        status = spar__store_next_screen(experiment->store, experiment->id, &number, err);
    if (!status)
        status = spar_session_draft(experiment->state->session, number, item->event, err);
    if (!status)
        status = check_texts(experiment, item->event, err);
    if (status)
        return status;
    spar_event_set_voter(item->event, item->voter);
    item->follows = last != NULL;
    if (last)
        last->next = batch->n;
    return SPAR_OK;
}

spar_status spar__batch_ask(spar__batch *batch, const char *voter, size_t *ticket, spar_error *err)
{
    spar__pending *item = NULL;
    spar_status status = spar__pending_new(batch, &item, err);
    if (status)
        return status;
    status = draft(batch, item, voter, err);
    if (status)
        spar__pending_drop(item);
    else
        *ticket = spar__pending_add(batch, spar_event_number(item->event));
    return status;
}

static spar_status try(spar_experiment *experiment, const char *voter, spar_screen **out, spar_error *err)
{
    spar__batch *batch = NULL;
    size_t ticket = 0;
    spar_status status = spar__batch_begin(experiment, &batch, err);
    if (!status)
        status = spar__batch_ask(batch, voter, &ticket, err);
    if (!status)
        status = spar__batch_commit(batch, err);
    if (!status)
        status = spar__batch_screen(batch, ticket, out, err);
    spar__batch_free(batch);
    return status;
}

spar_status spar_experiment_ask(spar_experiment *experiment, const char *voter, spar_screen **out, spar_error *err)
{
    if (out)
        *out = NULL;
    if (!experiment || !out)
        return spar__fail(err, SPAR_INVALID, "a screen is asked of an experiment, and needs a place to go");
    spar_status status = SPAR_CONFLICT;
    for (int i = 0; i < TRIES && (status == SPAR_CONFLICT || spar__live_lapsed(experiment, status)); i++)
        status = try(experiment, voter, out, err);
    return status;
}
