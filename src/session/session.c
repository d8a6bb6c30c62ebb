/* session.c - what a caller can do and read. Each verb makes an event, and the event changes the session (apply.c).
 *
 * Parts: asking and telling; a session made from arms; one from its log; what can be read; answers by name; saving. The
 * cost of a question is that of the policy, and of encoding its event. */
#include "session/session.h"

#include "base/alloc.h"
#include "base/archive.h"
#include "base/hash.h"
#include "types/answer.h"
#include "types/arms.h"
#include "types/event.h"

#include <inttypes.h>
#include <stdlib.h>
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

/* Space for the names of n options. */
static spar_status reserve_names(spar_session *session, size_t n)
{
    char **name = spar__grow(session->name, &session->n_names, n, 0, sizeof *name);
    session->name = name ? name : session->name;
    return name ? SPAR_OK : SPAR_NOMEM;
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
    if (status)
        return status;
    size_t *place = spar__grow(session->place, &session->n_places, m, 0, sizeof *place);
    if (!place)
        return spar__fail_memory(err);
    session->place = place;
    for (size_t j = 0; j < m; j++)
        place[j] = j;
    if (session->shuffle)
        spar_rng_shuffle(&rng, place, m);
    status = made(spar_event_set_screen(event, number, session->round, place), err);
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
    if (!question->open) {
        uint64_t told[2];
        status = made(spar__answer_hash(answer, told), err);
        if (status || memcmp(told, question->is.told, sizeof told) == 0)
            return status;
        return spar__fail(err, SPAR_CONFLICT, "question %" PRIu64 " was answered before, with another answer", number);
    }
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
    if ((name && !copy) || reserve_names(session, at + 1))
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

/* --- A session made from arms: the events that describe it, applied and, once there is a sink, logged --- */

enum { CREATED, SETTINGS, OPTIONS }; /* the first events */

typedef struct session_birth {
    const char *spec;
    const spar_arms *arms;
    size_t m;
    uint64_t seed, horizon;
    bool shuffle;
} session_birth;

/* Event number i: created, settings, the options, those that are retired. */
static spar_status make(const session_birth *birth, size_t i, spar_event *event)
{
    const spar_arms *arms = birth->arms;
    if (i == CREATED) {
        spar_status status = spar_event_set_created(event, birth->spec, birth->seed, SPAR_ANSWER_WINNER);
        spar_event_set_horizon(event, birth->horizon);
        spar_event_set_shuffle(event, birth->shuffle);
        return status ? status : spar_event_set_space(event, birth->arms);
    }
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

spar_status spar_session_new(const char *spec, const spar_arms *arms, size_t m, uint64_t horizon, uint64_t seed,
                             spar_session **out, spar_error *err)
{
    if (!SPAR__CLEAR(out) || !spec || !arms)
        return spar__fail_null(err);
    spar_session *session = NULL;
    if (spar_session_new_empty(&session))
        return spar__fail_memory(err);
    session_birth birth = {spec, arms, m, seed, horizon, false};
    uint64_t count = OPTIONS + arms->n + (arms->n - arms->live);
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < count; i++) {
        status = make(&birth, i, session->event);
        spar_event_set_stamp(session->event, i + 1, 0);
        if (status)
            (void)spar__fail(err, status, "%s: %s", spec, spar_status_text(status));
        else
            status = spar_session_apply(session, session->event, err);
    }
    for (size_t i = 0; !status && arms->name && i < arms->n; i++)
        if (arms->name[i] && spar_session_set_name(session, i, arms->name[i]))
            status = spar__fail_memory(err);
    session->births = session->sequence;
    if (!status)
        status = spar__session_build(session, err);
    if (status)
        spar_session_free(session);
    else
        *out = session;
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

/* --- A session from its whole log, without the answers that were undone --- */

/* What an undo names. */
typedef struct undone_answer {
    uint64_t number;
    uint32_t revision;
} undone_answer;

static int compare(const void *a, const void *b)
{
    const undone_answer *x = a, *y = b;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return (x->revision > y->revision) - (x->revision < y->revision);
}

spar_status spar_session_replay(size_t n, const spar_event *const *event, spar_session **out, spar_error *err)
{
    if (!SPAR__CLEAR(out) || (n && !event))
        return spar__fail_null(err);
    size_t n_undone = 0;
    for (size_t i = 0; i < n; i++) {
        if (!event[i])
            return spar__fail_null(err);
        n_undone += event[i]->kind == SPAR_EVENT_UNDO;
    }
    spar_session *session = NULL;
    undone_answer *undone = spar__alloc(n_undone, sizeof *undone);
    spar_status status = undone && !spar_session_new_empty(&session) ? SPAR_OK : spar__fail_memory(err);
    for (size_t i = 0, at = 0; !status && i < n; i++)
        if (event[i]->kind == SPAR_EVENT_UNDO)
            undone[at++] = (undone_answer){event[i]->is.number, event[i]->is.revision};
    if (!status)
        qsort(undone, n_undone, sizeof *undone, compare);
    for (size_t i = 0; !status && i < n; i++) {
        /* In a continuous space an answer makes options: later events count them, so all are applied, and the undo is
         * refused. Where it has axes they never do. */
        const spar_arms *arms = spar__session_arms(session);
        bool leave_out = event[i]->kind == SPAR_EVENT_ANSWER && arms && (session->axes || !spar__arms_continuous(arms));
        undone_answer key = {event[i]->is.number, event[i]->is.revision};
        if (event[i]->sequence != i + 1)
            status = spar__fail(err, SPAR_CORRUPT, "event %zu of the log has the number %" PRIu64, i + 1,
                                event[i]->sequence);
        else if (!leave_out || !bsearch(&key, undone, n_undone, sizeof key, compare))
            status = spar_session_apply(session, event[i], err);
    }
    spar__free(undone);
    if (status)
        spar_session_free(session);
    else
        *out = session;
    return status;
}

/* --- What can be read of a session: questions, names, what the policy thinks --- */

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
    const spar_event *screen = spar_session_screen(session, number);
    return screen ? screen->round : NULL;
}

size_t spar_session_slots(spar_session *session, uint64_t number)
{
    const spar_round *round = spar_session_round(session, number);
    return round ? round->m : 0;
}

size_t spar_session_slot(spar_session *session, uint64_t number, size_t place)
{
    const spar_event *screen = spar_session_screen(session, number);
    size_t slot = 0, m = screen ? screen->round->m : 0;
    while (slot < m && screen->place[slot] != place)
        slot++;
    return slot < m ? slot : SPAR_NO_SLOT;
}

size_t spar_session_slot_arm(spar_session *session, uint64_t number, size_t slot)
{
    const spar_round *round = spar_session_round(session, number);
    return round ? spar_round_arm(round, slot) : SPAR_NO_ARM;
}

const char *spar_session_slot_name(spar_session *session, uint64_t number, size_t slot)
{
    return spar_session_name(session, spar_session_slot_arm(session, number, slot));
}

spar_status spar_session_set_name(spar_session *session, size_t arm, const char *name)
{
    if (!session || !name)
        return SPAR_INVALID;
    const spar_arms *arms = spar__session_arms(session);
    if (!arms || arm >= arms->n)
        return SPAR_INVALID;
    char *copy = spar__strdup(name);
    if (!copy || reserve_names(session, arm + 1)) {
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

/* --- Answers by the names of options --- */

spar_status spar_session_tell_winner(spar_session *session, uint64_t number, const char *name, spar_error *err)
{
    if (!session || !name)
        return spar__fail_null(err);
    spar_status status = spar__session_settle(session, err);
    if (status)
        return status;
    const spar__question *question = spar__questions_find(&session->questions, number);
    if (question && !question->open) {
        /* Of an answered question the arm that won is known, but not which slots it was in. */
        const char *won = question->length == SPAR__NO_WINNER ? NULL : spar_session_name(session, question->length);
        if (won && strcmp(won, name) == 0)
            return SPAR_OK;
        return spar__fail(err, SPAR_CONFLICT, "question %" PRIu64 " was answered before, with another answer",
                          question->number);
    }
    /* The slot of the option of this name; refused if there is none, or if two options have the name. */
    size_t slot = SPAR_NO_SLOT;
    for (size_t j = 0; question && j < spar_session_slots(session, number); j++) {
        const char *shown = spar_session_slot_name(session, number, j);
        if (!shown || strcmp(shown, name) != 0)
            continue;
        if (slot == SPAR_NO_SLOT)
            slot = j;
        else if (spar_session_slot_arm(session, number, slot) != spar_session_slot_arm(session, number, j))
            return spar__fail(err, SPAR_INVALID, "question %" PRIu64 " shows two options called '%s'", number, name);
    }
    if (question && slot == SPAR_NO_SLOT)
        return spar__fail(err, SPAR_UNKNOWN, "question %" PRIu64 " shows no option called '%s'", number, name);
    spar_answer_set_winner(session->answer, slot);
    return spar_session_tell(session, number, session->answer, err);
}

/* --- A session to bytes and back: a frame (base/frame.h) with one section --- */

static const spar__frame_kind kind = {.name = "saved session", .tag = "sess", .version = 1, .section = {{"stat", 0}}};

/* The options while they are not the policy's, else the policy. */
static void archive_state(spar_session *session, spar__archive *ar)
{
    bool built = session->policy && !session->arms;
    spar__archive_bool(ar, &built);
    if (ar->failed || !session->spec)
        return;
    if (!built) {
        spar__arms_archive(&session->arms, ar);
        return;
    }
    unsigned char *bytes = NULL;
    size_t length = 0;
    if (!ar->loading)
        spar__archive_step(ar, spar_policy_save(session->policy, &bytes, &length));
    spar__archive_size(ar, &length);
    if (!ar->loading && !ar->failed)
        spar__archive_bytes(ar, bytes, length);
    spar_bytes_free(bytes);
    if (!ar->loading || !spar__archive_holds(ar, length))
        return;
    spar__archive_step(ar, spar_policy_load(ar->in, length, &session->policy, NULL));
    ar->in += length;
    ar->left -= length;
    spar__archive_check(ar, ar->failed || session->policy->m == session->m);
}

static void archive(spar_session *session, spar__archive *ar)
{
    spar__archive_text(ar, &session->spec);
    spar__archive_u64(ar, &session->seed);
    spar__archive_u64(ar, &session->horizon);
    spar__archive_u32(ar, &session->m);
    spar__archive_u8(ar, &session->asks);
    spar__archive_bool(ar, &session->shuffle);
    spar__archive_bool(ar, &session->closed);
    spar__archive_u64(ar, &session->sequence);
    spar__archive_check(ar, session->spec || !session->sequence);
    archive_state(session, ar);
    size_t versions = session->n_versions;
    while (versions > 0 && !ar->loading && !session->version[versions - 1])
        versions--;
    spar__archive_size(ar, &versions);
    if (!spar__archive_holds(ar, versions))
        return;
    if (ar->loading && versions) {
        session->version = spar__alloc(versions, sizeof *session->version);
        spar__archive_step(ar, session->version ? SPAR_OK : SPAR_NOMEM);
        session->n_versions = ar->failed ? 0 : versions;
    }
    for (size_t i = 0; i < versions && !ar->failed; i++)
        spar__archive_u32(ar, &session->version[i]);
    size_t n = session->n_names;
    while (n > 0 && !ar->loading && !session->name[n - 1])
        n--;
    spar__archive_size(ar, &n);
    if (spar__archive_holds(ar, n) && ar->loading)
        spar__archive_step(ar, reserve_names(session, n));
    for (size_t i = 0; i < n && !ar->failed; i++)
        spar__archive_text(ar, &session->name[i]);
    spar__questions_archive(&session->questions, ar);
    if (!ar->failed && (ar->loading ? ar->left > 0 : session->axes != NULL))
        spar__session_archive_axes(session, ar);
}

spar_status spar_session_save(spar_session *session, unsigned char **bytes, size_t *length, spar_error *err)
{
    if (!SPAR__CLEAR(bytes) || !session || !length)
        return spar__fail_null(err);
    *length = 0;
    spar_status status = spar__session_settle(session, err);
    if (status)
        return status;
    spar__archive ar = {.loading = false};
    archive(session, &ar);
    status = spar__saved_write(&kind, &ar, bytes, length);
    return status ? spar__fail(err, status, "saved session: %s", spar_status_text(status)) : SPAR_OK;
}

spar_status spar_session_load(const unsigned char *bytes, size_t length, spar_session **out, spar_error *err)
{
    if (!SPAR__CLEAR(out) || !bytes)
        return spar__fail_null(err);
    spar__archive ar;
    spar_status status = spar__saved_open(&kind, bytes, length, &ar, err);
    if (status)
        return status;
    if (spar_session_new_empty(out))
        return spar__fail_memory(err);
    archive(*out, &ar);
    if (!ar.failed) {
        /* Does every open question have an event that can be read, and that could have been applied? */
        spar_session *session = *out;
        uint64_t number = 0;
        spar__archive_check(&ar, !session->questions.n || (session->policy && !session->arms));
        while (!ar.failed && (number = spar_session_next_open(session, number))) {
            const spar__question *question = spar__questions_find(&session->questions, number);
            spar__archive_step(&ar, spar_event_decode(session->screen, question->is.bytes, question->length, NULL));
            spar__archive_check(&ar,
                                session->screen->kind == SPAR_EVENT_SCREEN && session->screen->is.number == number);
            if (!ar.failed)
                spar__archive_step(&ar, spar__session_check_round(session, session->screen, NULL));
        }
    }
    status = spar__saved_close(&kind, &ar, err);
    if (status) {
        spar_session_free(*out);
        *out = NULL;
    }
    return status;
}
