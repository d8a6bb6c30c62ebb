/* ask.c - a new screen: drawn from the state at the end of the log, handed out when its event is on disk. */
#include "live/screen.h"

enum { TRIES = 16 }; /* another program may take a number first */

static spar_status check(const spar_experiment *experiment, spar_error *err)
{
    spar_session *session = experiment->state->session;
    size_t live = spar_arms_live(spar_session_arms(session));
    if (spar_session_closed(session))
        return spar__fail(err, SPAR_UNSUPPORTED, "%s is closed: there are no new screens", experiment->place);
    if (live < 2)
        return spar__fail(err, SPAR_UNSUPPORTED, "%s has %zu live option%s: there is nothing to compare",
                          experiment->place, live, live == 1 ? "" : "s");
    return SPAR_OK;
}

/* Nobody is asked about an option that cannot be shown. */
static spar_status check_texts(spar_experiment *experiment, spar_error *err)
{
    const spar_round *round = spar_event_round(experiment->event);
    spar_status status = spar__live_question_get(experiment, err);
    for (size_t slot = 0; slot < spar_event_slots(experiment->event) && !status; slot++) {
        const spar_option *option = NULL;
        size_t arm = spar_round_arm(round, slot);
        status = spar__live_option_get(experiment, arm, &option, err);
        if (!status && !option)
            status = spar__fail(err, SPAR_CORRUPT, "%s: the text of option %zu, which is live, is missing",
                                experiment->place, arm + 1);
    }
    return status;
}

/* The event of a new screen, under the lock. */
static spar_status draft(spar_experiment *experiment, const char *voter, spar__store_text *text, size_t *n_texts,
                         spar_error *err)
{
    uint64_t number = 0, whose = 0;
    spar_status status = check(experiment, err);
    if (!status)
        status = spar__live_voter(experiment, voter, &whose, text, n_texts, err);
    if (!status)
        status = spar__store_next_screen(experiment->store, experiment->id, &number, err);
    if (!status)
        status = spar_session_draft(experiment->state->session, number, experiment->event, err);
    if (!status)
        status = check_texts(experiment, err);
    spar_event_set_voter(experiment->event, whose);
    return status;
}

static spar_status try(spar_experiment *experiment, const char *voter, uint64_t *number, spar_error *err)
{
    spar__store_text text;
    size_t n_texts = 0;
    spar_status status = spar__live_begin(experiment, err);
    if (status)
        return status;
    status = draft(experiment, voter, &text, &n_texts, err);
    if (status) {
        spar__live_end(experiment);
        return status;
    }
    *number = spar_event_number(experiment->event);
    return spar__live_commit(experiment, experiment->event, n_texts, &text, err);
}

spar_status spar_experiment_ask(spar_experiment *experiment, const char *voter, spar_screen **out, spar_error *err)
{
    uint64_t number = 0;
    if (out)
        *out = NULL;
    if (!experiment || !out)
        return spar__fail(err, SPAR_INVALID, "a screen is asked of an experiment, and needs a place to go");
    spar_status status = SPAR_CONFLICT;
    for (int i = 0; i < TRIES && status == SPAR_CONFLICT; i++)
        status = try(experiment, voter, &number, err);
    if (!status)
        status = spar__screen_event(experiment, number, err);
    return status ? status : spar__screen_new(experiment, experiment->event, out, err);
}
