/* apply.c - events into state. Each function changes everything or, when it fails, nothing. */
#include "session/session.h"

#include "base/alloc.h"
#include "types/answer.h"
#include "types/event.h"

#include <inttypes.h>
#include <string.h>

static spar_status apply_created(spar_session *session, const spar_event *event, spar_error *err)
{
    spar_axes *axes = NULL;
    spar_status failed = event->axes ? spar_axes_new(event->axes, &axes, err) : SPAR_OK;
    if (failed)
        return failed;
    double *last = event->is.against_last ? spar__alloc(axes->dim, sizeof *last) : NULL;
    char *spec = spar__strdup(event->policy);
    spar_arms *arms = NULL;
    spar_status status = !spec || (event->is.against_last && !last) ? SPAR_NOMEM
                         : event->space                             ? spar_arms_dup(event->space, &arms)
                                                                    : spar_arms_new(0, 0, NULL, NULL, &arms);
    if (status) {
        spar__free(spec);
        spar__free(last);
        spar_axes_free(axes);
        return spar__fail_memory(err);
    }
    session->spec = spec;
    session->axes = axes;
    session->against_last = event->is.against_last;
    session->last = last;
    session->arms = arms;
    session->seed = event->is.seed;
    session->horizon = event->is.horizon;
    session->asks = event->is.asks;
    session->shuffle = event->is.shuffle;
    return SPAR_OK;
}

/* The options or slots changed before the policy was built for good. */
static void drop_policy(spar_session *session)
{
    spar_policy_free(session->policy);
    session->policy = NULL;
}

static spar_status apply_settings(spar_session *session, const spar_event *event)
{
    if (session->arms && session->m != event->is.m) {
        drop_policy(session);
        session->m = event->is.m;
        session->sure = false;
    }
    return SPAR_OK;
}

static spar_status reserve_versions(spar_session *session, size_t n)
{
    if (n <= session->n_versions)
        return SPAR_OK;
    n = n < 2 * session->n_versions ? 2 * session->n_versions : n;
    uint32_t *version = spar__realloc(session->version, session->n_versions, n, sizeof *version);
    if (!version)
        return SPAR_NOMEM;
    session->version = version;
    session->n_versions = n;
    return SPAR_OK;
}

static spar_status add_option(spar_session *session, const spar_event *event, spar_error *err)
{
    if (!session->arms)
        return spar_policy_add_arm(session->policy, event->x, NULL, NULL, err);
    if (spar_arms_add(session->arms, event->x, NULL, NULL))
        return spar__fail_memory(err);
    drop_policy(session);
    return SPAR_OK;
}

static spar_status apply_option(spar_session *session, const spar_event *event, spar_error *err)
{
    size_t arm = event->is.arm;
    if (reserve_versions(session, arm + 1))
        return spar__fail_memory(err);
    spar_status status = arm == spar__session_arms(session)->n ? add_option(session, event, err) : SPAR_OK;
    if (!status)
        session->version[arm] = event->is.version;
    return status;
}

static spar_status apply_retired(spar_session *session, const spar_event *event, spar_error *err)
{
    if (!session->arms)
        return spar_policy_retire_arm(session->policy, event->is.arm, err);
    drop_policy(session);
    return spar_arms_retire(session->arms, event->is.arm);
}

/* From now on the policy owns the options. */
static void fix_policy(spar_session *session)
{
    spar_arms_free(session->arms);
    session->arms = NULL;
}

/* The event as bytes, in no more memory than they need. */
static spar_status encode(const spar_event *event, unsigned char **out, size_t *length)
{
    unsigned char *bytes = NULL;
    spar_status status = spar_event_encode(event, &bytes, length);
    if (status)
        return status;
    *out = spar__alloc(*length, 1);
    if (*out)
        memcpy(*out, bytes, *length);
    spar_bytes_free(bytes);
    return *out ? SPAR_OK : SPAR_NOMEM;
}

static spar_status apply_screen(spar_session *session, const spar_event *event, spar_error *err)
{
    unsigned char *bytes = NULL;
    size_t length = 0;
    spar_status status = encode(event, &bytes, &length);
    if (!status)
        status = spar__questions_open(&session->questions, event->is.number, bytes, length);
    if (status) {
        spar__free(bytes);
        return spar__fail(err, status, "question %" PRIu64 ": %s", event->is.number, spar_status_text(status));
    }
    fix_policy(session);
    return SPAR_OK;
}

/* Teaches the policy, if the answer says something. What the policy refuses to learn is no failure. */
static spar_status learn(spar_session *session, const spar_round *round, const spar_answer *answer,
                         spar_error *unlearned, spar_error *err)
{
    spar_status status = spar_answer_feedback(answer, round->m, session->feedback, err);
    if (status || answer->kind == SPAR_ANSWER_SKIP || answer->kind == SPAR_ANSWER_BAD)
        return status;
    spar_error why = {0};
    status = spar_policy_learn(session->policy, round, session->feedback, &why);
    if (status == SPAR_UNSUPPORTED && unlearned)
        *unlearned = why;
    if (status && status != SPAR_UNSUPPORTED)
        return spar__fail(err, status, "%s", why.text);
    return SPAR_OK;
}

static spar_status apply_answer(spar_session *session, const spar_event *event, spar_error *unlearned, spar_error *err)
{
    spar__question *question = spar__questions_find(&session->questions, event->is.number);
    uint64_t told[2];
    spar_status status = spar__answer_hash(event->answer, told);
    if (status)
        return spar__fail(err, status, "%s", spar_status_text(status));
    const spar_event *screen = spar_session_screen(session, event->is.number);
    if (!screen)
        return spar__fail_memory(err);
    status = learn(session, screen->round, event->answer, unlearned, err);
    if (!status)
        spar__session_keep_last(session, screen->round);
    if (!status)
        spar__question_close(question, told, spar_round_arm(screen->round, spar_answer_winner(event->answer)));
    if (!status)
        spar__questions_trim(&session->questions);
    return status;
}

static spar_status apply_imported(spar_session *session, const spar_event *event, spar_error *unlearned,
                                  spar_error *err)
{
    spar_status status = learn(session, event->round, event->answer, unlearned, err);
    if (!status)
        fix_policy(session);
    return status;
}

static spar_status apply_undo(spar_session *session, const spar_event *event)
{
    spar__questions_find(&session->questions, event->is.number)->revision++;
    return SPAR_OK;
}

static spar_status apply_rest(spar_session *session, const spar_event *event)
{
    if (event->kind != SPAR_EVENT_ITEM)
        session->closed = event->kind == SPAR_EVENT_CLOSED;
    return SPAR_OK;
}

static spar_status apply(spar_session *session, const spar_event *event, spar_error *unlearned, spar_error *err)
{
    switch (event->kind) {
    case SPAR_EVENT_CREATED:
        return apply_created(session, event, err);
    case SPAR_EVENT_SETTINGS:
        return apply_settings(session, event);
    case SPAR_EVENT_OPTION:
        return apply_option(session, event, err);
    case SPAR_EVENT_RETIRED:
        return apply_retired(session, event, err);
    case SPAR_EVENT_SCREEN:
        return apply_screen(session, event, err);
    case SPAR_EVENT_ANSWER:
        return apply_answer(session, event, unlearned, err);
    case SPAR_EVENT_UNDO:
        return apply_undo(session, event);
    case SPAR_EVENT_IMPORTED:
        return apply_imported(session, event, unlearned, err);
    default:
        return apply_rest(session, event);
    }
}

spar_status spar__session_change(spar_session *session, const spar_event *event, spar_error *unlearned, spar_error *err)
{
    spar_status status = apply(session, event, unlearned, err);
    if (!status)
        session->sequence = event->sequence;
    return status;
}

spar_status spar__session_settle(spar_session *session, spar_error *err)
{
    if (!session->pending)
        return SPAR_OK;
    spar_status status = spar__session_change(session, session->event, NULL, err);
    session->pending = status == SPAR_NOMEM;
    return status;
}

spar_status spar_session_apply(spar_session *session, const spar_event *event, spar_error *err)
{
    if (!session || !event)
        return spar__fail_null(err);
    spar_status status = spar__session_settle(session, err);
    if (!status)
        status = spar__session_check(session, event, err);
    return status ? status : spar__session_change(session, event, NULL, err);
}

/* An open question is kept as bytes. */
static spar_status check_encoding(const spar_event *event, spar_error *err)
{
    unsigned char *bytes = NULL;
    size_t length = 0;
    spar_status status = spar_event_encode(event, &bytes, &length);
    spar_bytes_free(bytes);
    return status ? spar__fail(err, status, "question %" PRIu64 ": %s", event->is.number, spar_status_text(status))
                  : SPAR_OK;
}

spar_status spar_session_check(spar_session *session, const spar_event *event, spar_error *err)
{
    if (!session || !event)
        return spar__fail_null(err);
    spar_status status = spar__session_settle(session, err);
    if (!status)
        status = spar__session_check(session, event, err);
    if (!status && event->kind == SPAR_EVENT_ANSWER) {
        const spar_round *round = spar_session_round(session, event->is.number);
        status = round ? spar_answer_check(event->answer, round->m, err) : spar__fail_memory(err);
    }
    if (!status && event->kind == SPAR_EVENT_SCREEN)
        status = check_encoding(event, err);
    return status ? status : spar__session_try(session, event, err);
}
