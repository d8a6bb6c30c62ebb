/* ask.c - a new screen: drawn from the state at the end of the log, handed out when its event is on disk. */
#include "live/pending.h"

#include "live/item.h"

#include <spar/arms.h>

enum { TRIES = 16, DRAWS = 64 }; /* another program may take a number first; some options have no item in common */

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

static spar_status check_item(spar_experiment *experiment, const spar_event *event, spar_error *err)
{
    uint32_t index = spar_event_item(event);
    spar_item *item = NULL;
    spar_status status = index == SPAR_NO_ITEM ? SPAR_OK : spar__live_item_get(experiment, index, &item, err);
    for (size_t slot = 0; slot < spar_event_slots(event) && !status && index != SPAR_NO_ITEM; slot++)
        if (!spar__item_body(item, spar_round_arm(spar_event_round(event), slot)))
            status = spar__fail(err, SPAR_CORRUPT, "%s: the text of item %zu, or an output in it, is missing",
                                experiment->place, (size_t)index + 1);
    spar_item_free(item);
    return status;
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
    return status ? status : check_item(experiment, event, err);
}

static bool may_follow(const spar__pending *last)
{
    return spar_event_kind_of(last->event) == SPAR_EVENT_ANSWER && !last->next;
}

/* One screen: what the policy shows under the next number, and the voter's next item with outputs of all of it. */
static spar_status draw_once(spar_experiment *experiment, spar__pending *item, spar_error *err)
{
    uint64_t number = 0;
    spar_status status = spar__store_next_screen(experiment->store, experiment->id, &number, err);
    if (!status)
        status = spar_session_draft(experiment->state->session, number, item->event, err);
    if (status)
        return status;
    spar_event_set_voter(item->event, item->voter);
    spar_event_set_shown_item(item->event,
                              spar__items_choose(&experiment->state->items, experiment->state->seed, item->event));
    return SPAR_OK;
}

/* Options that have no item left in common are drawn again, under another number: other voters are not concerned, and
 * the screen can still be computed from the log. */
static spar_status draw(spar_experiment *experiment, spar__pending *item, spar_error *err)
{
    const spar__items *items = &experiment->state->items;
    const spar_arms *arms = spar_session_arms(experiment->state->session);
    spar_status status = draw_once(experiment, item, err);
    if (status || !items->n || spar_event_item(item->event) != SPAR_NO_ITEM)
        return status;
    size_t left = spar__items_left(items, item->voter, arms, spar_event_slots(item->event));
    for (int i = 1; i < DRAWS && left && !status && spar_event_item(item->event) == SPAR_NO_ITEM; i++)
        status = draw_once(experiment, item, err);
    if (status || spar_event_item(item->event) != SPAR_NO_ITEM)
        return status;
    bool some = spar__items_left(items, 0, arms, spar_event_slots(item->event)) > 0; /* whoever saw them */
    return spar__fail(err, SPAR_ALL_SEEN, "%s: %s", experiment->place,
                      left   ? "all seen; no item that is left has an output for each of the options to be shown"
                      : some ? "all seen; this voter was shown every item"
                             : "no item has outputs of enough live options");
}

/* The event of a new screen. */
static spar_status draft(spar__batch *batch, spar__pending *item, const char *voter, spar_error *err)
{
    spar_experiment *experiment = batch->experiment;
    spar_status status = check(experiment, err);
    if (!status)
        status = spar__pending_voter(batch, item, voter, err);
    spar__pending *last = status ? NULL : spar__pending_of(batch, item->voter);
    if (last && !may_follow(last))
        status = spar__pending_check_voter(batch, item->voter, err);
    if (!status)
        status = draw(experiment, item, err);
    if (!status)
        status = check_texts(experiment, item->event, err);
    if (status)
        return status;
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
    for (int i = 0; i < TRIES && status == SPAR_CONFLICT; i++)
        status = try(experiment, voter, out, err);
    return status;
}
