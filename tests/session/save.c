#include "session/session.h"

#include "base/alloc.h"
#include "session/log.h"

static spar_error err;
static const char *const names[] = {"a", "b", "c"};

static spar_session *make(bool used)
{
    spar_arms *arms = NULL;
    spar_session *session = NULL;
    spar_answer *answer = NULL;
    uint64_t n;
    if (spar_arms_new(3, 0, NULL, names, &arms) || spar_session_new("rucb", arms, 2, 0, 4, &session, &err) ||
        spar_answer_new(&answer))
        abort();
    for (int i = 0; used && i < 9; i++)
        if (spar_session_ask(session, &n, &err) || (i % 3 && spar_session_tell(session, n, answer, &err)) ||
            (i % 2 && spar_session_tell_winner(
                          session, n - 1,
                          spar_session_slot_name(session, n - 1, 0) ? spar_session_slot_name(session, n - 1, 0) : "a",
                          NULL) == SPAR_NOMEM))
            abort();
    spar_arms_free(arms);
    spar_answer_free(answer);
    return session;
}

static void goes_on(bool used)
{
    spar_session *a = make(used), *b = NULL;
    unsigned char *bytes = NULL;
    size_t length = 0;
    uint64_t x, y;
    ok(!spar_session_save(a, &bytes, &length, &err) && !spar_session_load(bytes, length, &b, &err) &&
           same_sessions(a, b),
       "a session %s is loaded as it was saved", used ? "in use" : "that is new");
    bool same = spar_session_find(b, "c") == 2 && spar_session_questions(a) == spar_session_questions(b);
    for (int i = 0; i < 10 && same; i++) {
        same = !spar_session_ask(a, &x, &err) && !spar_session_ask(b, &y, &err) && x == y;
        const char *name = spar_session_slot_name(a, x, 0);
        same = same && !spar_session_tell_winner(a, x, name, &err) && !spar_session_tell_winner(b, x, name, &err);
    }
    ok(same && same_sessions(a, b), "and goes on the same");
    spar_session_free(b);
    bool clean = true;
    spar_status status = SPAR_NOMEM;
    for (size_t k = 1; status && k < 1000; k++) {
        spar__alloc_fail_at(k);
        status = spar_session_load(bytes, length, &b, &err);
        spar__alloc_fail_at(0);
        clean &= status ? status == SPAR_NOMEM && !b : b != NULL;
    }
    ok(clean && !status, "every allocation fails once");
    spar_session_free(b);
    for (size_t i = 0; i < length; i += 3) {
        bytes[i] ^= 16;
        clean &= spar_session_load(bytes, length, &b, &err) != SPAR_OK && !b;
        bytes[i] ^= 16;
    }
    ok(clean, "damage is found: %s", err.text);
    spar_bytes_free(bytes);
    spar_session_free(a);
}

static void step(spar_session *session, uint64_t i)
{
    spar_answer *answer = NULL;
    uint64_t number;
    if (spar_answer_new(&answer) || spar_session_ask(session, &number, &err) || number != i)
        abort();
    spar_answer_set_winner(answer, i % 2);
    if (i % 5 && spar_session_tell(session, i, answer, &err))
        abort();
    if (i > 40 && i % 7 == 0 && (i - 35) % 5 == 0 && spar_session_tell(session, i - 35, answer, &err))
        abort();
    spar_answer_free(answer);
}

static spar_session *make_forgetful(void)
{
    spar_session *session = make(false);
    spar_session_set_memory(session, 10);
    return session;
}

/* What a session has forgotten follows from its questions, not from when it was saved and loaded. */
static void forgets(void)
{
    spar_session *a = make_forgetful(), *b = make_forgetful(), *loaded = NULL;
    spar_event *undo = NULL;
    bool same = !spar_event_new(&undo);
    for (uint64_t i = 1; i <= 300 && same; i++) {
        unsigned char *bytes = NULL;
        size_t length = 0;
        step(a, i);
        step(b, i);
        same = i % 11 == 0 ? same_sessions(a, b) : !spar_session_save(b, &bytes, &length, &err);
        if (i % 13 == 0 && bytes && !spar_session_load(bytes, length, &loaded, &err)) {
            spar_session_free(b);
            b = loaded;
            spar_session_set_memory(b, 10);
        }
        spar_bytes_free(bytes);
    }
    ok(same && same_sessions(a, b), "what is forgotten does not depend on saving and loading");
    spar_event_set_undo(undo, 1, 0);
    spar_event_set_stamp(undo, spar_session_sequence(a) + 1, 0);
    ok(spar_session_check(a, undo, &err) == SPAR_UNSUPPORTED, "%s", err.text);
    spar_event_set_undo(undo, 301, 0);
    ok(spar_session_check(a, undo, &err) == SPAR_UNKNOWN, "%s", err.text);
    spar_event_free(undo);
    spar_session_free(a);
    spar_session_free(b);
}

/* A save with an open question that no session would have asked. */
static void refuses_screen(size_t m, const char *what)
{
    size_t arm[4097] = {0}, length = 0;
    spar_session *s = make(true), *back = NULL;
    spar_event *event = NULL;
    spar_round *round = NULL;
    unsigned char *bytes = NULL, *copy = NULL;
    uint64_t number = spar_session_questions(s) + 1;
    if (spar_event_new(&event) || spar_round_new(1, &round) || spar_round_set(round, m, arm) ||
        spar_event_set_screen(event, number, round, NULL))
        abort();
    spar_event_set_stamp(event, 100, 0);
    if (spar_event_encode(event, &bytes, &length) || !(copy = spar__alloc(length, 1)))
        abort();
    memcpy(copy, bytes, length);
    spar_bytes_free(bytes);
    if (spar__questions_open(&s->questions, number, copy, length) || spar_session_save(s, &bytes, &length, &err))
        abort();
    ok(spar_session_load(bytes, length, &back, &err) == SPAR_CORRUPT && !back, "%s: %s", what, err.text);
    spar_bytes_free(bytes);
    spar_event_free(event);
    spar_round_free(round);
    spar_session_free(s);
}

/* An option that the policy refuses leaves nothing in a save. */
static void refused_option(void)
{
    spar_arms *arms = NULL;
    spar_session *s = NULL;
    spar_event *event = NULL;
    unsigned char *before = NULL, *after = NULL;
    size_t n = 0, m = 0;
    uint64_t number;
    if (spar_arms_new(4, 0, NULL, NULL, &arms) || spar_session_new("interleaved_filter", arms, 2, 100, 1, &s, &err) ||
        spar_session_ask(s, &number, &err) || spar_event_new(&event) || spar_event_set_option(event, 4, 1, 0, NULL))
        abort();
    spar_event_set_stamp(event, spar_session_sequence(s) + 1, 0);
    ok(!spar_session_save(s, &before, &n, &err) && spar_session_apply(s, event, &err) == SPAR_UNSUPPORTED &&
           !spar_session_save(s, &after, &m, NULL) && n == m && memcmp(before, after, n) == 0,
       "the same bytes after it was refused: %s", err.text);
    spar_bytes_free(before);
    spar_bytes_free(after);
    spar_event_free(event);
    spar_session_free(s);
    spar_arms_free(arms);
}

int main(void)
{
    forgets();
    refused_option();
    refuses_screen(1, "an open question with one slot");
    refuses_screen(4097, "an open question with too many slots");
    goes_on(false);
    goes_on(true);
    spar_session *empty = NULL;
    unsigned char *bytes = NULL;
    size_t length = 0;
    ok(!spar_session_new_empty(&empty) && !spar_session_save(empty, &bytes, &length, &err), "an empty session");
    spar_session_free(empty);
    ok(!spar_session_load(bytes, length, &empty, &err) && spar_session_sequence(empty) == 0, "is loaded, too");
    spar_session_free(empty);
    spar_bytes_free(bytes);
    return done();
}
