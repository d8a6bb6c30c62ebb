/* fold.c - events into state (fold.h). The session knows the policy and the questions, the decision what may be
 * concluded; the rest is counted here. */
#include "live/fold.h"

#include "base/alloc.h"
#include "base/error.h"

#include <inttypes.h>
#include <string.h>

spar_status spar__fold_new(spar__fold **out)
{
    static const spar_decision_settings live = {.size = sizeof live, .live = 1};
    spar__fold *state = spar__alloc(1, sizeof *state);
    *out = NULL;
    if (!state || spar_session_new_empty(&state->session) || spar_decision_new(0, &live, &state->decision, NULL)) {
        spar__fold_free(state);
        return SPAR_NOMEM;
    }
    spar_session_set_memory(state->session, SPAR__FOLD_REMEMBERS);
    *out = state;
    return SPAR_OK;
}

void spar__fold_free(spar__fold *state)
{
    if (!state)
        return;
    spar_session_free(state->session);
    spar_decision_free(state->decision);
    spar__key_table_fini(&state->voters);
    spar__key_table_fini(&state->asked);
    spar__items_fini(&state->items);
    spar__free(state->policy);
    spar__free(state->version);
    spar__free(state->open ? state->open - state->open_gap : NULL);
    spar__free(state);
}

static spar_status reserve_version(spar__fold *state)
{
    uint32_t *grown = spar__grow(state->version, &state->options_room, state->n_options + 1, 16, sizeof *grown);
    if (!grown)
        return SPAR_NOMEM;
    state->version = grown;
    return SPAR_OK;
}

/* The session has taken the event and the rest has not. */
static spar_status half_done(spar__fold *state, spar_status status)
{
    state->broken = status != SPAR_OK;
    return status;
}

static spar_status apply_created(spar__fold *state, const spar_event *event, spar_error *err)
{
    char *policy = spar__strdup(spar_event_policy(event));
    spar_status status = policy ? spar_session_apply(state->session, event, err) : spar__fail_memory(err);
    if (status) {
        spar__free(policy);
        return status;
    }
    state->policy = policy;
    state->seed = spar_event_seed(event);
    state->asks = (uint8_t)spar_event_asks(event);
    return SPAR_OK;
}

static spar_status apply_settings(spar__fold *state, const spar_event *event, spar_error *err)
{
    spar_status status = spar_session_apply(state->session, event, err);
    if (status)
        return status;
    state->m = (uint32_t)spar_event_slots(event);
    state->results = (uint8_t)spar_event_results(event);
    state->access = (uint8_t)spar_event_access(event);
    state->question = spar_event_hash(event) != NULL;
    state->settings++;
    return SPAR_OK;
}

static spar_status apply_option(spar__fold *state, const spar_event *event, spar_error *err)
{
    size_t arm = spar_event_arm(event);
    if (reserve_version(state))
        return spar__fail_memory(err);
    spar_status status = spar_session_apply(state->session, event, err);
    if (status)
        return status;
    if (arm == state->n_options) {
        status = half_done(state, spar_decision_add(state->decision, NULL, err));
        state->n_options += !status;
    }
    state->version[arm] = spar_event_version(event);
    return status;
}

static spar_status apply_retired(spar__fold *state, const spar_event *event, spar_error *err)
{
    spar_status status = spar_session_apply(state->session, event, err);
    return status ? status : half_done(state, spar_decision_retire(state->decision, spar_event_arm(event), err));
}

static spar_status apply_item(spar__fold *state, const spar_event *event, spar_error *err)
{
    spar_status status = spar_session_check(state->session, event, err);
    if (!status)
        status = spar__items_apply(&state->items, event, state->n_options, err);
    return status ? status : half_done(state, spar_session_apply(state->session, event, err));
}

static spar_status apply_screen(spar__fold *state, const spar_event *event, spar_error *err)
{
    spar_status status = spar__items_check_screen(&state->items, event, err);
    if (!status && spar__fold_reserve_open(state))
        status = spar__fail_memory(err);
    if (!status)
        status = spar_session_apply(state->session, event, err);
    if (status)
        return status;
    spar__items_note(&state->items, event);
    spar__fold_add_open(state, spar_event_number(event), spar_event_voter(event));
    state->screens++;
    return SPAR_OK;
}

/* What people have said goes to the decision as well; the session has agreed to take it. */
static spar_status learn(spar__fold *state, const spar_event *event, const spar_event *screen, spar_error *err)
{
    if (spar_session_axes(state->session)) /* a decision is about a list of options */
        return spar_session_apply(state->session, event, err);
    spar_status status = spar_decision_tell(state->decision, spar_event_round(screen), spar_event_answer(event),
                                            spar_event_voter(event), spar_event_item(screen), err);
    return status ? status : half_done(state, spar_session_apply(state->session, event, err));
}

static spar_status apply_answer(spar__fold *state, const spar_event *event, spar_error *err)
{
    uint64_t number = spar_event_number(event), voter = spar_event_voter(event);
    spar_status status = spar_session_check(state->session, event, err);
    if (!status && spar__key_table_reserve(&state->voters, 1))
        status = spar__fail_memory(err);
    const spar_event *screen = status ? NULL : spar_session_screen(state->session, number);
    if (!status)
        status = screen ? learn(state, event, screen, err) : spar__fail_memory(err);
    if (status)
        return status;
    spar__fold_remove_open(state, number);
    state->voters.entry[spar__key_get(&state->voters, voter, 0)].count = number;
    state->last = number;
    state->answers++;
    return SPAR_OK;
}

static spar_status apply_imported(spar__fold *state, const spar_event *event, spar_error *err)
{
    spar_status status = spar_session_check(state->session, event, err);
    if (!status)
        status = learn(state, event, event, err);
    state->answers += !status;
    state->imported += !status;
    return status;
}

static spar_status apply_undo(spar__fold *state, const spar_event *event, spar_error *err)
{
    spar_status status = spar_session_apply(state->session, event, err);
    state->undone += !status;
    return status;
}

static spar_status apply(spar__fold *state, const spar_event *event, spar_error *err)
{
    switch (spar_event_kind_of(event)) {
    case SPAR_EVENT_CREATED:
        return apply_created(state, event, err);
    case SPAR_EVENT_SETTINGS:
        return apply_settings(state, event, err);
    case SPAR_EVENT_OPTION:
        return apply_option(state, event, err);
    case SPAR_EVENT_RETIRED:
        return apply_retired(state, event, err);
    case SPAR_EVENT_ITEM:
        return apply_item(state, event, err);
    case SPAR_EVENT_SCREEN:
        return apply_screen(state, event, err);
    case SPAR_EVENT_ANSWER:
        return apply_answer(state, event, err);
    case SPAR_EVENT_UNDO:
        return apply_undo(state, event, err);
    case SPAR_EVENT_IMPORTED:
        return apply_imported(state, event, err);
    default:
        return spar_session_apply(state->session, event, err);
    }
}

spar_status spar__fold_apply(spar__fold *state, const spar_event *event, const unsigned char hash[SPAR_HASH_SIZE],
                             spar_error *err)
{
    if (state->broken)
        return spar__fail(err, SPAR_NOMEM, "memory ran out before; open the experiment again");
    spar_status status = apply(state, event, err);
    if (status)
        return status;
    state->sequence = spar_event_sequence(event);
    memcpy(state->hash, hash, sizeof state->hash);
    return SPAR_OK;
}
