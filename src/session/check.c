/* check.c - may an event be applied to a session? */
#include "session/session.h"

#include "types/answer.h"
#include "types/event.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_SLOTS = 4096 }; /* of a question, as for policies: feedback is quadratic in them */

static spar_status refuse(spar_error *err, spar_status status, const char *why, uint64_t number)
{
    return spar__fail(err, status, "question %" PRIu64 " %s", number, why);
}

static spar_status check_created(const spar_session *session, const spar_event *event, spar_error *err)
{
    if (session->spec)
        return spar__fail(err, SPAR_CONFLICT, "a session is created once");
    return event->axes ? spar__session_check_axes(event, err) : SPAR_OK;
}

static spar_status check_settings(const spar_session *session, const spar_event *event, spar_error *err)
{
    if (session->arms || event->is.m == session->m)
        return SPAR_OK;
    return spar__fail(err, SPAR_UNSUPPORTED,
                      "the number of slots is fixed once a question was asked or answered: it is %" PRIu32, session->m);
}

/* A point, or no features at all, as the table of options wants them. */
static spar_status check_features(const spar_arms *arms, size_t dim, const double *x, spar_error *err)
{
    if (dim != arms->dim)
        return spar__fail(err, SPAR_INVALID, "an option has %zu features, expected %zu", dim, arms->dim);
    if (dim && !spar_arms_admit(arms, x))
        return spar__fail(err, SPAR_INVALID, "the features of an option are not in the space, or not finite");
    return SPAR_OK;
}

/* The options of a space are its points, for good. */
static spar_status check_finite(const spar_session *session, spar_error *err)
{
    return session->axes ? spar__fail(err, SPAR_UNSUPPORTED,
                                      "the options are the settings of a space, whose axes are fixed: none are added, "
                                      "changed or retired; make a new experiment")
                         : SPAR_OK;
}

static spar_status check_option(const spar_session *session, const spar_event *event, spar_error *err)
{
    spar_status finite = check_finite(session, err);
    if (finite)
        return finite;
    const spar_arms *arms = spar__session_arms(session);
    size_t arm = event->is.arm;
    uint32_t version = arm < session->n_versions ? session->version[arm] : 0;
    if (arm > arms->n || event->is.version != version + 1)
        return spar__fail(err, SPAR_INVALID,
                          "option %zu cannot be added in version %" PRIu32
                          ": there are %zu options, and it has %" PRIu32,
                          arm, event->is.version, arms->n, version);
    spar_status status = check_features(arms, event->is.dim, event->x, err);
    if (status || arm == arms->n || event->is.dim == 0)
        return status;
    return memcmp(arms->x + arm * arms->dim, event->x, arms->dim * sizeof *arms->x) == 0
               ? SPAR_OK
               : spar__fail(err, SPAR_UNSUPPORTED, "the features of option %zu cannot change", arm);
}

static spar_status check_retired(const spar_session *session, const spar_event *event, spar_error *err)
{
    const spar_arms *arms = spar__session_arms(session);
    size_t arm = event->is.arm;
    spar_status finite = check_finite(session, err);
    if (finite)
        return finite;
    if (!spar_arms_alive(arms, arm))
        return spar__fail(err, SPAR_INVALID, "there is no live option %zu to retire", arm);
    return arms->live > 1 ? SPAR_OK
                          : spar__fail(err, SPAR_INVALID, "option %zu is the last one and cannot retire", arm);
}

/* A screen may show one option alone if the policy chooses how many it shows. */
static spar_status check_slots(const spar_session *session, const spar_event *event, spar_error *err)
{
    size_t m = event->round->m, least = event->kind == SPAR_EVENT_SCREEN && session->policy->cls->own_size ? 1 : 2;
    return m >= least && m <= MOST_SLOTS
               ? SPAR_OK
               : spar__fail(err, SPAR_INVALID, "%s has %zu slots, expected %zu to %d",
                            event->kind == SPAR_EVENT_SCREEN ? "a screen" : "an import", m, least, MOST_SLOTS);
}

spar_status spar__session_check_round(const spar_session *session, const spar_event *event, spar_error *err)
{
    const spar_round *round = event->round;
    spar_status status = check_slots(session, event, err);
    if (status)
        return status;
    const spar_arms *arms = spar__session_arms(session);
    size_t dim = spar__arms_continuous(arms) ? arms->dim : 0;
    for (size_t j = 0; j < round->m; j++) {
        bool fresh = round->arm[j] == SPAR_FRESH;
        if (fresh && !(dim && round->dim))
            return spar__fail(err, SPAR_INVALID, "slot %zu shows a new point, but %s", j,
                              dim ? "does not say which" : "the options are a finite set");
        if (!fresh && round->arm[j] >= arms->n)
            return spar__fail(err, SPAR_INVALID, "slot %zu shows option %zu, but there are %zu", j, round->arm[j],
                              arms->n);
        if (round->dim && (round->dim != dim || (fresh && !spar_arms_admit(arms, round->x + j * dim))))
            return spar__fail(err, SPAR_INVALID, "slot %zu shows no point of the space", j);
        status = session->axes ? spar__session_check_point(session, round, j, err) : SPAR_OK;
        if (status)
            return status;
    }
    return SPAR_OK;
}

static spar_status check_screen(const spar_session *session, const spar_event *event, spar_error *err)
{
    if (spar__questions_find(&session->questions, event->is.number))
        return refuse(err, SPAR_CONFLICT, "was asked before", event->is.number);
    return spar__session_check_round(session, event, err);
}

static spar_status find(const spar_session *session, const spar_event *event, const spar__question **out,
                        spar_error *err)
{
    *out = spar__questions_find(&session->questions, event->is.number);
    if (!*out && event->kind == SPAR_EVENT_UNDO && spar__questions_too_old(&session->questions, event->is.number))
        return refuse(err, SPAR_UNSUPPORTED, "is forgotten, and cannot be undone", event->is.number);
    if (!*out)
        return refuse(err, SPAR_UNKNOWN, "was never asked", event->is.number);
    if (event->is.revision == (*out)->revision)
        return SPAR_OK;
    return refuse(err, SPAR_CONFLICT,
                  event->is.revision < (*out)->revision ? "was answered and undone since"
                                                        : "was not undone as often as this says",
                  event->is.number);
}

static spar_status check_answer(const spar_session *session, const spar_event *event, spar_error *err)
{
    const spar__question *question = NULL;
    spar_status status = find(session, event, &question, err);
    if (status)
        return status;
    return question->open ? SPAR_OK : refuse(err, SPAR_CONFLICT, "was answered before", event->is.number);
}

static spar_status check_undo(const spar_session *session, const spar_event *event, spar_error *err)
{
    const spar__question *question = NULL;
    spar_status status = find(session, event, &question, err);
    if (status)
        return status;
    if (!session->axes && spar__arms_continuous(spar__session_arms(session)))
        return refuse(err, SPAR_UNSUPPORTED,
                      "cannot be undone: in a continuous space answers make options, on which later events depend",
                      event->is.number);
    if (question->revision == UINT16_MAX)
        return refuse(err, SPAR_UNSUPPORTED, "was undone too often", event->is.number);
    return question->open
               ? SPAR_OK
               : refuse(err, SPAR_UNSUPPORTED, "was learned, which cannot be undone: replay the log without its answer",
                        event->is.number);
}

static spar_status check_imported(const spar_session *session, const spar_event *event, spar_error *err)
{
    spar_status status = spar__session_check_round(session, event, err);
    return status ? status : spar_answer_check(event->answer, event->round->m, err);
}

static spar_status check_nothing(const spar_session *session, const spar_event *event, spar_error *err)
{
    (void)session;
    (void)event;
    (void)err;
    return SPAR_OK;
}

spar_status spar__session_check(spar_session *session, const spar_event *event, spar_error *err)
{
    static spar_status (*const check[])(const spar_session *, const spar_event *, spar_error *) = {
        [SPAR_EVENT_CREATED] = check_created,   [SPAR_EVENT_SETTINGS] = check_settings,
        [SPAR_EVENT_OPTION] = check_option,     [SPAR_EVENT_RETIRED] = check_retired,
        [SPAR_EVENT_ITEM] = check_nothing,      [SPAR_EVENT_SCREEN] = check_screen,
        [SPAR_EVENT_ANSWER] = check_answer,     [SPAR_EVENT_UNDO] = check_undo,
        [SPAR_EVENT_CLOSED] = check_nothing,    [SPAR_EVENT_REOPENED] = check_nothing,
        [SPAR_EVENT_IMPORTED] = check_imported,
    };
    if (event->kind == SPAR_EVENT_NONE)
        return spar__fail(err, SPAR_INVALID, "the event has no kind");
    if (!session->spec && event->kind != SPAR_EVENT_CREATED)
        return spar__fail(err, SPAR_INVALID, "the first event of a log is 'created', not '%s'",
                          spar_event_kind_name(event->kind));
    if (event->sequence <= session->sequence)
        return spar__fail(err, SPAR_INVALID, "event %" PRIu64 " cannot follow event %" PRIu64, event->sequence,
                          session->sequence);
    bool shows = event->kind == SPAR_EVENT_SCREEN || event->kind == SPAR_EVENT_IMPORTED;
    spar_status status = shows ? spar__session_build(session, err) : SPAR_OK;
    return status ? status : check[event->kind](session, event, err);
}

/* The policy as it would be with the options changed. */
static spar_status changed_policy(const spar_session *session, const spar_event *event, spar_policy **out,
                                  spar_error *err)
{
    if (!session->arms) {
        spar_status status = spar_policy_dup(session->policy, out, err);
        if (status)
            return status;
        return event->kind == SPAR_EVENT_OPTION ? spar_policy_add_arm(*out, event->x, NULL, NULL, err)
                                                : spar_policy_retire_arm(*out, event->is.arm, err);
    }
    spar_arms *arms = NULL;
    spar_status status = spar_arms_dup(session->arms, &arms);
    if (!status)
        status = event->kind == SPAR_EVENT_OPTION ? spar_arms_add(arms, event->x, NULL, NULL)
                                                  : spar_arms_retire(arms, event->is.arm);
    status = status ? spar__fail(err, status, "%s", spar_status_text(status))
                    : spar__session_policy(session, arms, out, err);
    spar_arms_free(arms);
    return status;
}

/* To try costs as much as to make a policy: with many options this is done only where the policy may refuse. Before it
 * is built for good, it may also be because there are too few options or too many. */
static bool surely(const spar_session *session, bool more)
{
    if (!session->arms)
        return spar__policy_takes_arms(session->policy);
    return session->sure && (more || session->arms->live > 2);
}

spar_status spar__session_try(spar_session *session, const spar_event *event, spar_error *err)
{
    bool more = event->kind == SPAR_EVENT_OPTION && event->is.version == 1;
    if ((!more && event->kind != SPAR_EVENT_RETIRED) || (session->arms && !session->m) || surely(session, more))
        return SPAR_OK;
    spar_policy *policy = NULL;
    spar_status status = changed_policy(session, event, &policy, err);
    if (!status)
        session->sure = spar__policy_takes_arms(policy) && !policy->cls->pairs;
    spar_policy_free(policy);
    return status;
}
