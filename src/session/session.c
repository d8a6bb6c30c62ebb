/* session.c - what a caller can do: each verb makes an event, and the event changes the session. */
#include "session/session.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "types/answer.h"
#include "types/event.h"

#include <inttypes.h>
#include <string.h>

enum { PURPOSE_SESSION = 0x5e5510, ENGINE = 2 };

uint32_t spar_session_engine(void)
{
    return ENGINE;
}

spar_rng spar__session_stream(const spar_session *session, uint64_t number)
{
    spar_rng rng;
    spar_rng_seed(&rng, session->seed, number, PURPOSE_SESSION);
    return rng;
}

spar_status spar_session_new_empty(spar_session **out)
{
    if (!SPAR__CLEAR(out))
        return SPAR_INVALID;
    spar_session *session = spar__alloc(1, sizeof *session);
    if (!session || spar_event_new(&session->event) || spar_event_new(&session->screen) ||
        spar_scratch_new(&session->scratch) || spar_round_new(4, &session->round) ||
        spar_feedback_new(4, &session->feedback) || spar_answer_new(&session->answer)) {
        spar_session_free(session);
        return SPAR_NOMEM;
    }
    *out = session;
    return SPAR_OK;
}

void spar_session_free(spar_session *session)
{
    if (!session)
        return;
    for (size_t i = 0; i < session->n_names; i++)
        spar__free(session->name[i]);
    spar__free(session->name);
    spar__free(session->version);
    spar__free(session->place);
    spar__free(session->spec);
    spar__free(session->last);
    spar_axes_free(session->axes);
    spar__questions_free(&session->questions);
    spar_policy_free(session->policy);
    spar_arms_free(session->arms);
    spar_event_free(session->event);
    spar_event_free(session->screen);
    spar_scratch_free(session->scratch);
    spar_round_free(session->round);
    spar_feedback_free(session->feedback);
    spar_answer_free(session->answer);
    spar__free(session);
}

void spar_session_set_memory(spar_session *session, size_t answers)
{
    if (session)
        session->questions.memory = answers;
}

const spar_arms *spar__session_arms(const spar_session *session)
{
    return session->arms ? session->arms : session->policy ? session->policy->arms : NULL;
}

spar_status spar__session_policy(const spar_session *session, const spar_arms *arms, spar_policy **out, spar_error *err)
{
    spar_rng rng = spar__session_stream(session, 0);
    if (!session->spec || !session->m)
        return spar__fail(err, SPAR_INVALID, "the session has no policy or no settings yet");
    spar_status status = spar_policy_new(session->spec, arms, session->m, session->horizon, &rng, out, err);
    if (!status && (*out)->cls->plain) {
        spar_policy_free(*out);
        *out = NULL;
        return spar__fail(err, SPAR_UNSUPPORTED, "%s: learns rewards, but a session asks for comparisons",
                          session->spec);
    }
    return status;
}

spar_status spar__session_build(spar_session *session, spar_error *err)
{
    return session->policy ? SPAR_OK : spar__session_policy(session, session->arms, &session->policy, err);
}

/* The event is made: checked, logged, applied. */
static spar_status commit(spar_session *session, spar_error *unlearned, spar_error *err)
{
    spar_event_set_stamp(session->event, session->sequence + 1, session->utc);
    spar_status status = spar__session_check(session, session->event, err);
    if (!status)
        status = spar__session_try(session, session->event, err);
    if (!status && session->sink)
        status = session->sink(session->context, session->event, err);
    if (status)
        return status;
    status = spar__session_change(session, session->event, unlearned, err);
    session->pending = status == SPAR_NOMEM && session->sink;
    if (!status || session->sink)
        session->births = 0;
    return status;
}

/* The same for answers: if the policy did not learn it, the caller is told so. */
static spar_status commit_answer(spar_session *session, spar_error *err)
{
    spar_error unlearned = {0};
    spar_status status = commit(session, &unlearned, err);
    if (status || !unlearned.status)
        return status;
    return spar__fail(err, unlearned.status, "%s", unlearned.text);
}

/* The event was set, or there was no memory or the values do not fit into it. */
static spar_status made(spar_status status, spar_error *err)
{
    return status ? spar__fail(err, status, "%s", spar_status_text(status)) : SPAR_OK;
}

static spar_status reserve_places(spar_session *session, size_t m)
{
    if (m <= session->n_places)
        return SPAR_OK;
    size_t *place = spar__realloc(session->place, session->n_places, m, sizeof *place);
    if (!place)
        return SPAR_NOMEM;
    session->place = place;
    session->n_places = m;
    return SPAR_OK;
}

spar_status spar_session_draft(spar_session *session, uint64_t number, spar_event *event, spar_error *err)
{
    if (!session || !event)
        return spar__fail_null(err);
    spar_rng rng = spar__session_stream(session, number);
    spar_status status = spar__session_settle(session, err);
    if (!status && number == 0)
        status = spar__fail(err, SPAR_INVALID, "questions are numbered from 1");
    if (!status)
        status = spar__session_build(session, err);
    if (!status)
        status = session->axes ? spar__session_choose_points(session, &rng, err)
                               : spar_policy_choose(session->policy, session->scratch, &rng, session->round, err);
    size_t m = session->round->m;
    if (!status && reserve_places(session, m))
        status = spar__fail_memory(err);
    if (status)
        return status;
    for (size_t j = 0; j < m; j++)
        session->place[j] = j;
    if (session->shuffle)
        spar_rng_shuffle(&rng, session->place, m);
    status = made(spar_event_set_screen(event, number, session->round, session->place), err);
    spar_event_set_stamp(event, session->sequence + 1, session->utc);
    spar_event_set_basis(event, session->sequence, ENGINE);
    return status;
}

spar_status spar_session_ask(spar_session *session, uint64_t *number, spar_error *err)
{
    if (!session || !number)
        return spar__fail_null(err);
    *number = 0;
    spar_status status = spar__session_settle(session, err);
    if (status)
        return status;
    if (session->closed)
        return spar__fail(err, SPAR_UNSUPPORTED, "the session is closed: there are no new questions");
    uint64_t next = spar__questions_last(&session->questions) + 1;
    status = spar_session_draft(session, next, session->event, err);
    if (!status)
        status = commit(session, NULL, err);
    if (!status)
        *number = next;
    return status;
}

/* A question that was answered: is it the same answer? */
static spar_status tell_again(const spar__question *question, const spar_answer *answer, spar_error *err)
{
    uint64_t told[2];
    spar_status status = made(spar__answer_hash(answer, told), err);
    if (status)
        return status;
    if (told[0] == question->is.told[0] && told[1] == question->is.told[1])
        return SPAR_OK;
    return spar__fail(err, SPAR_CONFLICT, "question %" PRIu64 " was answered before, with another answer",
                      question->number);
}

spar_status spar_session_tell(spar_session *session, uint64_t number, const spar_answer *answer, spar_error *err)
{
    if (!session || !answer)
        return spar__fail_null(err);
    spar_status status = spar__session_settle(session, err);
    if (status)
        return status;
    const spar__question *question = spar__questions_find(&session->questions, number);
    if (!question)
        return spar__fail(err, SPAR_UNKNOWN, "question %" PRIu64 " was never asked%s", number,
                          number && number < spar__questions_last(&session->questions) ? ", or is forgotten" : "");
    if (!question->open)
        return tell_again(question, answer, err);
    const spar_round *round = spar_session_round(session, number);
    status = round ? spar_answer_check(answer, round->m, err) : spar__fail_memory(err);
    if (!status)
        status = made(spar_event_set_answer(session->event, number, question->revision, answer), err);
    return status ? status : commit_answer(session, err);
}

spar_status spar_session_import(spar_session *session, size_t n, const size_t *arm, const spar_answer *answer,
                                spar_error *err)
{
    if (!session || (n && !arm) || !answer)
        return spar__fail_null(err);
    spar_status status = spar__session_settle(session, err);
    if (!status)
        status = made(spar_round_set(session->round, n, arm), err);
    if (!status)
        status = spar__session_build(session, err);
    unsigned char key[SPAR_HASH_SIZE] = {0};
    spar__put_u64(key, session->sequence + 1);
    if (!status)
        status = made(spar_event_set_imported(session->event, key, session->round, answer), err);
    return status ? status : commit_answer(session, err);
}

spar_status spar_session_add_arm(spar_session *session, const double *x, const char *name, size_t *arm, spar_error *err)
{
    if (!session)
        return spar__fail_null(err);
    spar_status status = spar__session_settle(session, err);
    const spar_arms *arms = spar__session_arms(session);
    if (status || !arms)
        return status ? status : spar__fail(err, SPAR_INVALID, "the session has no policy yet");
    if (x && !arms->dim)
        return spar__fail(err, SPAR_INVALID, "an option has features, but the others have none");
    size_t at = arms->n;
    char *copy = name ? spar__strdup(name) : NULL;
    if ((name && !copy) || spar__session_reserve_names(session, at + 1))
        status = SPAR_NOMEM;
    if (!status)
        status = spar_event_set_option(session->event, at, 1, x ? arms->dim : 0, x);
    status = status ? made(status, err) : commit(session, NULL, err);
    if (status && !session->pending) {
        spar__free(copy);
        return status;
    }
    spar__free(session->name[at]);
    session->name[at] = copy;
    if (arm)
        *arm = at;
    return status;
}

spar_status spar_session_retire_arm(spar_session *session, size_t arm, spar_error *err)
{
    if (!session)
        return spar__fail_null(err);
    spar_status status = spar__session_settle(session, err);
    if (!status && arm >= UINT32_MAX)
        status = spar__fail(err, SPAR_INVALID, "there is no option %zu to retire", arm);
    if (!status)
        status = made(spar_event_set_retired(session->event, arm), err);
    return status ? status : commit(session, NULL, err);
}
