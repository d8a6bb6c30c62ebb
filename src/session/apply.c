/* apply.c - events: may one be applied, and what it changes. Points of a space that has axes are made and checked here.
 *
 * A check changes nothing that can be seen, and an event that was checked can fail for lack of memory only. Both cost
 * about what the event is long, but for the policy that learns an answer or takes an option. */
#include "base/alloc.h"
#include "session/session.h"
#include "types/answer.h"
#include "types/event.h"

#include <inttypes.h>
#include <string.h>

/* --- Questions in a space that has axes: every slot shows a point that people can read, and no two are equal ---
 *
 * Slots are points, never arms by number: so an answer can be left out of a replay, and all later events keep their
 * meaning. */

enum { DRAWS = 9 }; /* a question with equal points is drawn again 8 times */

spar_status spar__session_choose_points(spar_session *session, spar_rng *rng, spar_error *err)
{
    spar_round *round = session->round;
    size_t dim = 0;
    for (int i = 0; i < DRAWS; i++) {
        spar_status status = spar_policy_choose(session->policy, session->scratch, rng, round, err);
        if (status)
            return status;
        /* As people see them. */
        dim = round->dim;
        if (session->against_last && session->has_last && round->m == 2) {
            memcpy(round->x + dim, session->last, dim * sizeof *round->x);
            round->prob[1] = 1;
        }
        for (size_t j = 0; j < round->m; j++) {
            round->arm[j] = SPAR_FRESH;
            spar__axes_round(session->axes, round->x + j * dim);
        }
        bool differ = true;
        for (size_t j = 1; j < round->m; j++)
            for (size_t k = 0; k < j; k++)
                differ &= memcmp(round->x + j * dim, round->x + k * dim, dim * sizeof *round->x) != 0;
        if (differ)
            return SPAR_OK;
    }
    /* Points that are equal move to the nearest free ones. The last slot of two stays where it is: it may have to. */
    const spar_axes *axes = session->axes;
    bool there = true;
    if (round->m == 2)
        there = spar__axes_separate(axes, 1, round->x + dim, round->x);
    for (size_t j = 1; there && j < round->m; j++)
        there = spar__axes_separate(axes, j, round->x, round->x + j * dim);
    return there ? SPAR_OK
                 : spar__fail(err, SPAR_UNSUPPORTED, "the space has fewer points than the %zu that are to be shown",
                              round->m);
}

static spar_status check_point(const spar_session *session, const spar_round *round, size_t slot, spar_error *err)
{
    size_t dim = session->axes->dim, value[SPAR__AXES_MOST];
    if (round->arm[slot] != SPAR_FRESH || round->dim != dim)
        return spar__fail(err, SPAR_INVALID, "slot %zu shows an option by its number, expected a point of the space",
                          slot);
    double *x = spar__alloc(dim, sizeof *x);
    spar_status status = x ? SPAR_OK : spar__fail_memory(err);
    if (!status) {
        spar_axes_nearest(session->axes, round->x + slot * dim, value);
        spar_axes_point(session->axes, value, x);
        if (memcmp(x, round->x + slot * dim, dim * sizeof *x) != 0)
            status =
                spar__fail(err, SPAR_INVALID, "slot %zu shows a point that is none of the settings of the space", slot);
    }
    spar__free(x);
    return status;
}

/* What was kept of the space, behind all the rest. */
void spar__session_archive_axes(spar_session *session, spar__archive *ar)
{
    char *text = ar->loading ? NULL : session->axes->text;
    spar__archive_text(ar, &text);
    spar__archive_bool(ar, &session->against_last);
    spar__archive_bool(ar, &session->has_last);
    if (ar->loading && !ar->failed)
        spar__archive_step(ar, text ? spar_axes_new(text, &session->axes, NULL) : SPAR_INVALID);
    if (ar->loading)
        spar__free(text);
    if (ar->loading && !ar->failed && session->against_last) {
        session->last = spar__alloc(session->axes->dim, sizeof *session->last);
        spar__archive_step(ar, session->last ? SPAR_OK : SPAR_NOMEM);
    }
    spar__archive_check(ar, !session->has_last || session->against_last);
    if (!ar->failed && session->has_last)
        spar__archive_f64s(ar, session->last, session->axes->dim);
    const spar_arms *arms = spar__session_arms(session);
    spar__archive_check(ar, ar->failed || (arms && arms->dim == session->axes->dim));
}

/* --- May an event be applied? --- */

enum { MOST_SLOTS = 4096 }; /* of a question, as for policies: feedback is quadratic in them */

static spar_status refuse(spar_error *err, spar_status status, const char *why, uint64_t number)
{
    return spar__fail(err, status, "question %" PRIu64 " %s", number, why);
}

static spar_status check_option(const spar_session *session, const spar_event *event, spar_error *err)
{
    const spar_arms *arms = spar__session_arms(session);
    size_t arm = event->is.arm, dim = event->is.dim;
    uint32_t version = arm < session->n_versions ? session->version[arm] : 0;
    if (arm > arms->n || event->is.version != version + 1)
        return spar__fail(err, SPAR_INVALID,
                          "option %zu cannot be added in version %" PRIu32
                          ": there are %zu options, and it has %" PRIu32,
                          arm, event->is.version, arms->n, version);
    if (dim != arms->dim)
        return spar__fail(err, SPAR_INVALID, "an option has %zu features, expected %zu", dim, arms->dim);
    if (dim && !spar_arms_admit(arms, event->x))
        return spar__fail(err, SPAR_INVALID, "the features of an option are not in the space, or not finite");
    if (dim && arm < arms->n && memcmp(arms->x + arm * dim, event->x, dim * sizeof *arms->x) != 0)
        return spar__fail(err, SPAR_UNSUPPORTED, "the features of option %zu cannot change", arm);
    return SPAR_OK;
}

/* The text of the space says the same as its points. */
static spar_status check_axes(const spar_event *created, spar_error *err)
{
    spar_axes *axes = NULL;
    spar_arms *arms = NULL;
    spar_status status = spar_axes_new(created->axes, &axes, err);
    if (!status && spar_axes_arms(axes, &arms))
        status = spar__fail_memory(err);
    const spar_arms *b = created->space;
    bool same = arms && b && arms->dim == b->dim && arms->space.n_axes == b->space.n_axes;
    for (size_t i = 0; same && i < arms->space.n_axes; i++) {
        const spar__space_axis *x = &arms->space.axis[i], *y = &b->space.axis[i];
        same = x->kind == y->kind && x->lo == y->lo && x->hi == y->hi && x->n == y->n;
    }
    if (!status && !same)
        status = spar__fail(err, SPAR_INVALID, "the space '%.80s' is not that of the points", created->axes);
    spar_arms_free(arms);
    spar_axes_free(axes);
    return status;
}

spar_status spar__session_check_round(const spar_session *session, const spar_event *event, spar_error *err)
{
    const spar_round *round = event->round;
    bool screen = event->kind == SPAR_EVENT_SCREEN;
    /* A screen may show one option alone if the policy chooses how many it shows. */
    size_t least = screen && session->policy->cls->own_size ? 1 : 2;
    if (round->m < least || round->m > MOST_SLOTS)
        return spar__fail(err, SPAR_INVALID, "%s has %zu slots, expected %zu to %d", screen ? "a screen" : "an import",
                          round->m, least, MOST_SLOTS);
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
        spar_status status = session->axes ? check_point(session, round, j, err) : SPAR_OK;
        if (status)
            return status;
    }
    return SPAR_OK;
}

/* The question of an answer or an undo, in the revision that the event names. */
static spar_status check_question(const spar_session *session, const spar_event *event, spar_error *err)
{
    uint64_t number = event->is.number;
    bool undo = event->kind == SPAR_EVENT_UNDO;
    const spar__question *question = spar__questions_find(&session->questions, number);
    if (!question && undo && spar__questions_too_old(&session->questions, number))
        return refuse(err, SPAR_UNSUPPORTED, "is forgotten, and cannot be undone", number);
    if (!question)
        return refuse(err, SPAR_UNKNOWN, "was never asked", number);
    if (event->is.revision != question->revision)
        return refuse(err, SPAR_CONFLICT,
                      event->is.revision < question->revision ? "was answered and undone since"
                                                              : "was not undone as often as this says",
                      number);
    if (undo && !session->axes && spar__arms_continuous(spar__session_arms(session)))
        return refuse(err, SPAR_UNSUPPORTED,
                      "cannot be undone: in a continuous space answers make options, on which later events depend",
                      number);
    if (undo && question->revision == UINT16_MAX)
        return refuse(err, SPAR_UNSUPPORTED, "was undone too often", number);
    if (question->open)
        return SPAR_OK;
    return undo ? refuse(err, SPAR_UNSUPPORTED,
                         "was learned, which cannot be undone: replay the log without its answer", number)
                : refuse(err, SPAR_CONFLICT, "was answered before", number);
}

spar_status spar__session_check(spar_session *session, const spar_event *event, spar_error *err)
{
    if (event->kind == SPAR_EVENT_NONE)
        return spar__fail(err, SPAR_INVALID, "the event has no kind");
    if (!session->spec && event->kind != SPAR_EVENT_CREATED)
        return spar__fail(err, SPAR_INVALID, "the first event of a log is 'created', not '%s'",
                          spar_event_kind_name(event->kind));
    if (event->sequence <= session->sequence)
        return spar__fail(err, SPAR_INVALID, "event %" PRIu64 " cannot follow event %" PRIu64, event->sequence,
                          session->sequence);
    bool imported = event->kind == SPAR_EVENT_IMPORTED, option = event->kind == SPAR_EVENT_OPTION;
    const spar_arms *arms = spar__session_arms(session);
    spar_status status = SPAR_OK;
    switch (event->kind) {
    case SPAR_EVENT_CREATED:
        if (session->spec)
            return spar__fail(err, SPAR_CONFLICT, "a session is created once");
        return event->axes ? check_axes(event, err) : SPAR_OK;
    case SPAR_EVENT_SETTINGS:
        if (session->arms || event->is.m == session->m)
            return SPAR_OK;
        return spar__fail(err, SPAR_UNSUPPORTED,
                          "the number of slots is fixed once a question was asked or answered: it is %" PRIu32,
                          session->m);
    case SPAR_EVENT_OPTION:
    case SPAR_EVENT_RETIRED:
        if (session->axes)
            return spar__fail(err, SPAR_UNSUPPORTED,
                              "the options are the settings of a space, whose axes are fixed: none are added, "
                              "changed or retired; make a new experiment");
        if (!option && !spar_arms_alive(arms, event->is.arm))
            return spar__fail(err, SPAR_INVALID, "there is no live option %zu to retire", (size_t)event->is.arm);
        if (!option && arms->live <= 1)
            return spar__fail(err, SPAR_INVALID, "option %zu is the last one and cannot retire", (size_t)event->is.arm);
        return option ? check_option(session, event, err) : SPAR_OK;
    case SPAR_EVENT_ANSWER:
    case SPAR_EVENT_UNDO:
        return check_question(session, event, err);
    case SPAR_EVENT_SCREEN:
    case SPAR_EVENT_IMPORTED:
        status = spar__session_build(session, err);
        if (!status && !imported && spar__questions_find(&session->questions, event->is.number))
            return refuse(err, SPAR_CONFLICT, "was asked before", event->is.number);
        if (!status)
            status = spar__session_check_round(session, event, err);
        return status || !imported ? status : spar_answer_check(event->answer, event->round->m, err);
    default:
        return SPAR_OK;
    }
}

spar_status spar__session_try(spar_session *session, const spar_event *event, spar_error *err)
{
    bool more = event->kind == SPAR_EVENT_OPTION && event->is.version == 1;
    if ((!more && event->kind != SPAR_EVENT_RETIRED) || (session->arms && !session->m))
        return SPAR_OK;
    /* To try costs as much as to make a policy: with many options this is done only where the policy may refuse. Before
     * it is built for good, it may also be because there are too few options or too many. */
    if (session->arms ? session->sure && (more || session->arms->live > 2) : spar__policy_takes_arms(session->policy))
        return SPAR_OK;
    spar_policy *policy = NULL;
    /* The policy as it would be with the options changed. */
    spar_arms *arms = NULL;
    spar_status status = SPAR_OK;
    if (!session->arms) {
        status = spar_policy_dup(session->policy, &policy, err);
        if (!status)
            status = more ? spar_policy_add_arm(policy, event->x, NULL, NULL, err)
                          : spar_policy_retire_arm(policy, event->is.arm, err);
    } else {
        status = spar_arms_dup(session->arms, &arms);
        if (!status)
            status = more ? spar_arms_add(arms, event->x, NULL, NULL) : spar_arms_retire(arms, event->is.arm);
        status = status ? spar__fail(err, status, "%s", spar_status_text(status))
                        : spar__session_policy(session, arms, &policy, err);
    }
    spar_arms_free(arms);
    if (!status)
        session->sure = spar__policy_takes_arms(policy) && !policy->cls->pairs;
    spar_policy_free(policy);
    return status;
}

/* --- Events into state: each function changes everything or, when it fails, nothing --- */

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

static spar_status apply_option(spar_session *session, const spar_event *event, spar_error *err)
{
    size_t arm = event->is.arm;
    uint32_t *version = spar__grow(session->version, &session->n_versions, arm + 1, 0, sizeof *version);
    if (!version)
        return spar__fail_memory(err);
    session->version = version;
    if (arm == spar__session_arms(session)->n && !session->arms) {
        spar_status status = spar_policy_add_arm(session->policy, event->x, NULL, NULL, err);
        if (status)
            return status;
    } else if (arm == spar__session_arms(session)->n) {
        if (spar_arms_add(session->arms, event->x, NULL, NULL))
            return spar__fail_memory(err);
        drop_policy(session);
    }
    version[arm] = event->is.version;
    return SPAR_OK;
}

/* From now on the policy owns the options. */
static void fix_policy(spar_session *session)
{
    spar_arms_free(session->arms);
    session->arms = NULL;
}

static spar_status apply_screen(spar_session *session, const spar_event *event, spar_error *err)
{
    unsigned char *bytes = NULL, *encoded = NULL;
    size_t length = 0;
    spar_status status = spar_event_encode(event, &encoded, &length);
    if (!status) {
        bytes = spar__alloc(length, 1); /* no more memory than is needed */
        status = bytes ? SPAR_OK : SPAR_NOMEM;
    }
    if (!status) {
        memcpy(bytes, encoded, length);
        status = spar__questions_open(&session->questions, event->is.number, bytes, length);
    }
    spar_bytes_free(encoded);
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
    if (status)
        return status;
    if (session->last) {
        memcpy(session->last, screen->round->x, screen->round->dim * sizeof *session->last);
        session->has_last = true;
    }
    spar__question_close(question, told, spar_round_arm(screen->round, spar_answer_winner(event->answer)));
    spar__questions_trim(&session->questions);
    return SPAR_OK;
}

spar_status spar__session_change(spar_session *session, const spar_event *event, spar_error *unlearned, spar_error *err)
{
    spar_status status = SPAR_OK;
    switch (event->kind) {
    case SPAR_EVENT_CREATED:
        status = apply_created(session, event, err);
        break;
    case SPAR_EVENT_SETTINGS:
        if (session->arms && session->m != event->is.m) {
            drop_policy(session);
            session->m = event->is.m;
            session->sure = false;
        }
        break;
    case SPAR_EVENT_OPTION:
        status = apply_option(session, event, err);
        break;
    case SPAR_EVENT_RETIRED:
        if (session->arms)
            drop_policy(session);
        status = session->arms ? spar_arms_retire(session->arms, event->is.arm)
                               : spar_policy_retire_arm(session->policy, event->is.arm, err);
        break;
    case SPAR_EVENT_SCREEN:
        status = apply_screen(session, event, err);
        break;
    case SPAR_EVENT_ANSWER:
        status = apply_answer(session, event, unlearned, err);
        break;
    case SPAR_EVENT_UNDO:
        spar__questions_find(&session->questions, event->is.number)->revision++;
        break;
    case SPAR_EVENT_IMPORTED:
        status = learn(session, event->round, event->answer, unlearned, err);
        if (!status)
            fix_policy(session);
        break;
    case SPAR_EVENT_CLOSED:
    case SPAR_EVENT_REOPENED:
        session->closed = event->kind == SPAR_EVENT_CLOSED;
        break;
    default:
        break;
    }
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
    if (!status && event->kind == SPAR_EVENT_SCREEN) { /* an open question is kept as bytes */
        unsigned char *bytes = NULL;
        size_t length = 0;
        status = spar_event_encode(event, &bytes, &length);
        spar_bytes_free(bytes);
        if (status)
            return spar__fail(err, status, "question %" PRIu64 ": %s", event->is.number, spar_status_text(status));
    }
    return status ? status : spar__session_try(session, event, err);
}
