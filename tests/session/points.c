/* Questions in a space that has axes: different settings, within the limits, that can be undone and saved. */
#include "session/axes.h"
#include "tap.h"

#include <spar/session.h>

#include <stdlib.h>

static spar_error err;

static const char policy[] = "kernel_self_sparring(mean=0.5,length=0.3,variance=0.1,noise=0.25)";

static void apply(spar_session *session, spar_event *event, uint64_t sequence)
{
    spar_event_set_stamp(event, sequence, 0);
    if (spar_session_apply(session, event, &err)) {
        printf("Bail out! %s\n", err.text);
        abort();
    }
}

static spar_session *make(const char *space, bool against_last, size_t m)
{
    spar_session *session = NULL;
    spar_event *event = NULL;
    spar_axes *axes = NULL;
    spar_arms *arms = NULL;
    if (spar_session_new_empty(&session) || spar_event_new(&event) || spar_axes_new(space, &axes, &err) ||
        spar_axes_arms(axes, &arms) || spar_event_set_created(event, policy, 7, SPAR_ANSWER_WINNER) ||
        spar_event_set_space(event, arms) || spar_event_set_axes(event, space, against_last))
        abort();
    apply(session, event, 1);
    if (spar_event_set_settings(event, m, SPAR_RESULTS_MANAGERS, SPAR_ACCESS_OPEN))
        abort();
    apply(session, event, 2);
    spar_event_free(event);
    spar_axes_free(axes);
    spar_arms_free(arms);
    return session;
}

static uint64_t ask(spar_session *session)
{
    uint64_t number = 0;
    if (spar_session_ask(session, &number, &err)) {
        printf("Bail out! %s\n", err.text);
        abort();
    }
    return number;
}

static void tell(spar_session *session, uint64_t number, size_t slot)
{
    spar_answer *answer = NULL;
    if (spar_answer_new(&answer))
        abort();
    spar_answer_set_winner(answer, slot);
    if (spar_session_tell(session, number, answer, &err))
        abort();
    spar_answer_free(answer);
}

/* All slots differ, and are settings to the bit. */
static bool is_good(spar_session *session, uint64_t number)
{
    const spar_axes *axes = spar_session_axes(session);
    const spar_round *round = spar_session_round(session, number);
    size_t size = spar_axes_dim(axes) * sizeof(double), value[SPAR__AXES_MOST];
    double x[64];
    bool good = true;
    for (size_t j = 0; j < spar_round_slots(round); j++) {
        spar_axes_nearest(axes, spar_round_point(round, j), value);
        spar_axes_point(axes, value, x);
        good = good && spar_round_arm(round, j) == SPAR_FRESH && memcmp(x, spar_round_point(round, j), size) == 0;
        for (size_t k = 0; k < j; k++)
            good = good && memcmp(spar_round_point(round, j), spar_round_point(round, k), size) != 0;
    }
    return good;
}

static void test_settings(const char *space, size_t m)
{
    spar_session *session = make(space, false, m);
    size_t bad = 0;
    for (size_t i = 0; i < 40; i++) {
        uint64_t number = ask(session);
        bad += !is_good(session, number);
        tell(session, number, i % m);
    }
    ok(bad == 0, "'%s', m = %zu: every slot of 40 questions shows another setting", space, m);
    spar_session_free(session);
}

static bool same_bytes(spar_session *a, spar_session *b)
{
    unsigned char *x = NULL, *y = NULL;
    size_t n = 0, k = 0;
    if (spar_session_save(a, &x, &n, &err) || spar_session_save(b, &y, &k, &err))
        abort();
    bool same = n == k && memcmp(x, y, n) == 0;
    spar_bytes_free(x);
    spar_bytes_free(y);
    return same;
}

/* The new setting is compared with that of the question before, whatever was answered. */
static void test_against_last(void)
{
    spar_session *session = make("a 0..1, b {1,2,3}", true, 2), *again = NULL;
    size_t bad = 0;
    double last[2] = {0};
    for (size_t i = 0; i < 30; i++) {
        uint64_t number = ask(session);
        const spar_round *round = spar_session_round(session, number);
        bad += !is_good(session, number) || (i && memcmp(spar_round_point(round, 1), last, sizeof last) != 0);
        memcpy(last, spar_round_point(round, 0), sizeof last);
        tell(session, number, i % 2);
    }
    ok(bad == 0, "the second slot is the first one of the question before");
    unsigned char *bytes = NULL;
    size_t length = 0;
    if (spar_session_save(session, &bytes, &length, &err))
        abort();
    ok(!spar_session_load(bytes, length, &again, &err), "it is saved and loaded: %s", err.text);
    ok(again && same_bytes(session, again), "and is the same");
    uint64_t a = ask(session), b = again ? ask(again) : 0;
    ok(a == b && same_bytes(session, again), "and asks the same");
    spar_bytes_free(bytes);
    spar_session_free(session);
    spar_session_free(again);
}

static spar_event *kept[16];
static size_t n_kept;

static spar_status keep(void *context, const spar_event *event, spar_error *why)
{
    (void)context;
    (void)why;
    return spar_event_dup(event, &kept[n_kept++]);
}

/* A log with an answer that was undone is the log without it, but for the revision. */
static void test_undo(void)
{
    spar_session *session = make("a 0..1, b 1..10 log", false, 2), *plain = make("a 0..1, b 1..10 log", false, 2);
    spar_event *undo = NULL;
    if (spar_session_log(session, keep, NULL, &err) || spar_event_new(&undo))
        abort();
    for (size_t i = 0; i < 5; i++)
        tell(session, ask(session), i % 2);
    spar_event_set_undo(undo, 2, 0);
    spar_event_set_stamp(undo, 3 + n_kept, 0);
    ok(spar_session_apply(session, undo, &err) == SPAR_UNSUPPORTED, "what was learned is not unlearned in place");
    size_t refused = 0;
    for (size_t i = 0; i < n_kept; i++)
        if (i != 3) /* the answer to question 2 */
            refused += spar_session_apply(plain, kept[i], &err) != SPAR_OK;
    ok(refused == 0, "all later events can be applied without an answer: %s", err.text);
    ok(!spar_session_apply(plain, undo, &err), "and so can the undo: %s", err.text);
    tell(plain, 2, 0);
    ok(is_good(plain, ask(plain)), "and asking goes on");
    for (size_t i = 0; i < n_kept; i++)
        spar_event_free(kept[i]);
    spar_event_free(undo);
    spar_session_free(session);
    spar_session_free(plain);
}

/* Events that do not fit are refused. */
static void test_refused(void)
{
    spar_session *session = make("a 0..1", false, 2);
    spar_event *event = NULL;
    spar_round *round = NULL;
    spar_answer *answer = NULL;
    if (spar_event_new(&event) || spar_round_new(2, &round) || spar_answer_new(&answer))
        abort();
    tell(session, ask(session), 0);
    ok(spar_session_add_arm(session, (double[]){0.5}, NULL, NULL, &err) == SPAR_UNSUPPORTED &&
           strstr(err.text, "axes are fixed"),
       "no option is added: %s", err.text);
    ok(spar_session_retire_arm(session, 0, &err) == SPAR_UNSUPPORTED, "and none retired: %s", err.text);
    if (spar_round_set_points(round, 2, 1, (double[]){0.5, 0.123456789}) ||
        spar_event_set_screen(event, 9, round, NULL))
        abort();
    spar_event_set_stamp(event, 9, 0);
    ok(spar_session_apply(session, event, &err) == SPAR_INVALID && strstr(err.text, "none of the settings"),
       "a point that nobody could read: %s", err.text);
    spar_session *other = NULL;
    spar_arms *arms = NULL;
    if (spar_session_new_empty(&other) || spar_arms_new_box(2, (double[]){0, 0}, (double[]){1, 1}, &arms) ||
        spar_event_set_created(event, policy, 7, SPAR_ANSWER_WINNER) || spar_event_set_space(event, arms) ||
        spar_event_set_axes(event, "a 0..1", false))
        abort();
    spar_event_set_stamp(event, 1, 0);
    ok(spar_session_apply(other, event, &err) == SPAR_INVALID, "a text that is not that of the points: %s", err.text);
    spar_session_free(other);
    spar_arms_free(arms);
    spar_event_free(event);
    spar_round_free(round);
    spar_answer_free(answer);
    spar_session_free(session);
}

int main(void)
{
    test_settings("speed 0.1..2 m/s, gain 1..10 log, level {1,2,5}, mode {a,b,c}", 2);
    test_settings("a {x,y}", 2);
    test_settings("a {1,2}, b {x,y}", 4);
    test_settings("a 0..1", 6);
    test_against_last();
    test_undo();
    test_refused();
    return done();
}
