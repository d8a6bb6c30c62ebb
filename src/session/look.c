/* look.c - what can be read of a session: questions, names, what the policy thinks. */
#include "session/session.h"

#include "base/alloc.h"
#include "types/event.h"

#include <string.h>

const spar_event *spar_session_screen(spar_session *session, uint64_t number)
{
    if (!session)
        return NULL;
    const spar__question *question = spar__questions_find(&session->questions, number);
    if (!question || !question->open)
        return NULL;
    if (session->screen->kind == SPAR_EVENT_SCREEN && session->screen->is.number == number)
        return session->screen;
    return spar_event_decode(session->screen, question->is.bytes, question->length, NULL) ? NULL : session->screen;
}

const spar_round *spar_session_round(spar_session *session, uint64_t number)
{
    if (!session)
        return NULL;
    const spar_event *screen = spar_session_screen(session, number);
    return screen ? screen->round : NULL;
}

size_t spar_session_slots(spar_session *session, uint64_t number)
{
    if (!session)
        return 0;
    const spar_round *round = spar_session_round(session, number);
    return round ? round->m : 0;
}

size_t spar_session_slot(spar_session *session, uint64_t number, size_t place)
{
    if (!session)
        return SPAR_NO_SLOT;
    const spar_event *screen = spar_session_screen(session, number);
    size_t slot = 0, m = screen ? screen->round->m : 0;
    while (slot < m && screen->place[slot] != place)
        slot++;
    return slot < m ? slot : SPAR_NO_SLOT;
}

size_t spar_session_slot_arm(spar_session *session, uint64_t number, size_t slot)
{
    if (!session)
        return SPAR_NO_ARM;
    const spar_round *round = spar_session_round(session, number);
    return round ? spar_round_arm(round, slot) : SPAR_NO_ARM;
}

const char *spar_session_slot_name(spar_session *session, uint64_t number, size_t slot)
{
    return session ? spar_session_name(session, spar_session_slot_arm(session, number, slot)) : NULL;
}

spar_status spar__session_reserve_names(spar_session *session, size_t n)
{
    if (n <= session->n_names)
        return SPAR_OK;
    n = n < 2 * session->n_names ? 2 * session->n_names : n;
    char **name = spar__realloc(session->name, session->n_names, n, sizeof *name);
    if (!name)
        return SPAR_NOMEM;
    session->name = name;
    session->n_names = n;
    return SPAR_OK;
}

spar_status spar_session_set_name(spar_session *session, size_t arm, const char *name)
{
    if (!session || !name)
        return SPAR_INVALID;
    const spar_arms *arms = spar__session_arms(session);
    if (!arms || arm >= arms->n)
        return SPAR_INVALID;
    char *copy = spar__strdup(name);
    if (!copy || spar__session_reserve_names(session, arm + 1)) {
        spar__free(copy);
        return SPAR_NOMEM;
    }
    spar__free(session->name[arm]);
    session->name[arm] = copy;
    return SPAR_OK;
}

const char *spar_session_name(const spar_session *session, size_t arm)
{
    return session && arm < session->n_names ? session->name[arm] : NULL;
}

size_t spar_session_find(const spar_session *session, const char *name)
{
    if (!session || !name)
        return SPAR_NO_ARM;
    for (size_t i = 0; i < session->n_names; i++)
        if (session->name[i] && strcmp(session->name[i], name) == 0)
            return i;
    return SPAR_NO_ARM;
}

uint64_t spar_session_questions(const spar_session *session)
{
    return session ? session->questions.n : 0;
}

uint64_t spar_session_next_open(const spar_session *session, uint64_t number)
{
    if (!session)
        return 0;
    const spar__question *question = spar__questions_after(&session->questions, number);
    return question ? question->number : 0;
}

uint32_t spar_session_revision(const spar_session *session, uint64_t number)
{
    if (!session)
        return 0;
    const spar__question *question = spar__questions_find(&session->questions, number);
    return question ? question->revision : 0;
}

uint64_t spar_session_sequence(const spar_session *session)
{
    return session ? session->sequence : 0;
}

bool spar_session_closed(const spar_session *session)
{
    return session && session->closed;
}

void spar_session_set_time(spar_session *session, int64_t microseconds)
{
    if (!session)
        return;
    session->utc = microseconds;
}

const spar_axes *spar_session_axes(const spar_session *session)
{
    return session ? session->axes : NULL;
}

bool spar_session_against_last(const spar_session *session)
{
    return session && session->against_last;
}

const double *spar_session_last(const spar_session *session)
{
    return session && session->has_last ? session->last : NULL;
}

const spar_arms *spar_session_arms(const spar_session *session)
{
    return session ? spar__session_arms(session) : NULL;
}

/* The policy is up to date with the log. */
static spar_status ready(spar_session *session, spar_error *err)
{
    spar_status status = spar__session_settle(session, err);
    return status ? status : spar__session_build(session, err);
}

const spar_policy *spar_session_policy(spar_session *session)
{
    if (!session)
        return NULL;
    return ready(session, NULL) ? NULL : session->policy;
}

spar_status spar_session_score(spar_session *session, size_t n, double *score, spar_error *err)
{
    if (!session || (n && !score))
        return spar__fail_null(err);
    spar_status status = ready(session, err);
    return status ? status : spar_policy_score(session->policy, session->scratch, n, score, err);
}

spar_status spar_session_belief(spar_session *session, size_t n, double *mean, double *sd, spar_error *err)
{
    if (!session)
        return spar__fail_null(err);
    spar_status status = ready(session, err);
    return status ? status : spar_policy_belief(session->policy, session->scratch, n, mean, sd, err);
}

spar_status spar_session_belief_at(spar_session *session, size_t dim, const double *x, double *mean, double *sd,
                                   spar_error *err)
{
    if (!session || (dim && !x))
        return spar__fail_null(err);
    spar_status status = ready(session, err);
    return status ? status : spar_policy_belief_at(session->policy, session->scratch, dim, x, mean, sd, err);
}

spar_status spar_session_best(spar_session *session, size_t *arm, size_t dim, double *x, spar_error *err)
{
    if (!session || !arm)
        return spar__fail_null(err);
    *arm = SPAR_NO_ARM;
    spar_status status = ready(session, err);
    return status ? status : spar_policy_best(session->policy, session->scratch, arm, dim, x, err);
}
