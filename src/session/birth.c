/* birth.c - a session made from arms: the events that describe it, applied and, once there is a sink, logged. */
#include "session/session.h"

#include "base/alloc.h"
#include "types/event.h"

enum { CREATED, SETTINGS, OPTIONS }; /* the first events */

typedef struct session_birth {
    const char *spec;
    const spar_arms *arms;
    size_t m;
    uint64_t seed, horizon;
    bool shuffle;
} session_birth;

static spar_status make_created(const session_birth *birth, spar_event *event)
{
    spar_status status = spar_event_set_created(event, birth->spec, birth->seed, SPAR_ANSWER_WINNER);
    spar_event_set_horizon(event, birth->horizon);
    spar_event_set_shuffle(event, birth->shuffle);
    return status ? status : spar_event_set_space(event, birth->arms);
}

/* Event number i: created, settings, the options, those that are retired. */
static spar_status make(const session_birth *birth, size_t i, spar_event *event)
{
    const spar_arms *arms = birth->arms;
    if (i == CREATED)
        return make_created(birth, event);
    if (i == SETTINGS)
        return spar_event_set_settings(event, birth->m, SPAR_RESULTS_MANAGERS, SPAR_ACCESS_OPEN);
    if (i < OPTIONS + arms->n)
        return spar_event_set_option(event, i - OPTIONS, 1, arms->dim,
                                     arms->dim ? arms->x + (i - OPTIONS) * arms->dim : NULL);
    size_t arm = 0, skip = i - OPTIONS - arms->n;
    while (arms->alive[arm] || skip-- > 0)
        arm++;
    return spar_event_set_retired(event, arm);
}

static uint64_t count(const spar_arms *arms)
{
    return OPTIONS + arms->n + (arms->n - arms->live);
}

static spar_status give_names(spar_session *session, const spar_arms *arms)
{
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && arms->name && i < arms->n; i++)
        if (arms->name[i])
            status = spar_session_set_name(session, i, arms->name[i]);
    return status;
}

static spar_status fill(spar_session *session, const session_birth *birth, spar_error *err)
{
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < count(birth->arms); i++) {
        status = make(birth, i, session->event);
        if (status)
            return spar__fail(err, status, "%s: %s", birth->spec, spar_status_text(status));
        spar_event_set_stamp(session->event, i + 1, 0);
        status = spar_session_apply(session, session->event, err);
    }
    if (!status && give_names(session, birth->arms))
        status = spar__fail_memory(err);
    session->births = session->sequence;
    return status ? status : spar__session_build(session, err);
}

spar_status spar_session_new(const char *spec, const spar_arms *arms, size_t m, uint64_t horizon, uint64_t seed,
                             spar_session **out, spar_error *err)
{
    if (!SPAR__CLEAR(out) || !spec || !arms)
        return spar__fail_null(err);
    session_birth birth = {spec, arms, m, seed, horizon, false};
    spar_status status = spar_session_new_empty(out) ? spar__fail_memory(err) : fill(*out, &birth, err);
    if (status) {
        spar_session_free(*out);
        *out = NULL;
    }
    return status;
}

/* Is the session as spar_session_new made it, and not logged? */
static bool is_new(const spar_session *session)
{
    return session->births && session->births == session->sequence;
}

spar_status spar_session_set_shuffle(spar_session *session, bool shuffle, spar_error *err)
{
    if (!session)
        return spar__fail_null(err);
    if (!is_new(session))
        return spar__fail(err, SPAR_UNSUPPORTED, "whether options are shuffled is fixed once a session is in use");
    session->shuffle = shuffle;
    return SPAR_OK;
}

spar_status spar_session_log(spar_session *session, spar_session_sink sink, void *context, spar_error *err)
{
    if (!session)
        return spar__fail_null(err);
    spar_status status = spar__session_settle(session, err);
    if (!status && sink && is_new(session)) {
        session_birth birth = {session->spec, session->arms,    session->m,
                               session->seed, session->horizon, session->shuffle};
        for (size_t i = 0; !status && i < session->births; i++) {
            if (make(&birth, i, session->event))
                return spar__fail_memory(err);
            spar_event_set_stamp(session->event, i + 1, session->utc);
            status = sink(context, session->event, err);
        }
        if (!status)
            session->births = 0;
    }
    if (status)
        return status;
    session->sink = sink;
    session->context = context;
    return SPAR_OK;
}
