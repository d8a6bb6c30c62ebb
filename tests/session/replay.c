/* Logs that were undone, cut, or do not fit: what spar_session_apply and _replay make of them. */
#include "session/log.h"

static spar_error err;

static spar_session *make(test_log *log)
{
    spar_arms *arms = NULL;
    spar_session *session = NULL;
    if (spar_arms_new(4, 1, (double[]){0, 0.3, 0.6, 1}, NULL, &arms) ||
        spar_session_new("self_sparring/thompson/beta", arms, 2, 0, 9, &session, &err) ||
        spar_session_log(session, log_write, log, &err))
        abort();
    spar_arms_free(arms);
    return session;
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

/* The log as events, with `extra` behind. */
static spar_event **events(const test_log *log, const spar_event *const *extra, size_t n_extra)
{
    spar_event **list = calloc(log->n + n_extra, sizeof *list);
    for (size_t i = 0; list && i < log->n; i++)
        if (spar_event_new(&list[i]) || spar_event_decode(list[i], log->bytes[i], log->length[i], &err))
            abort();
    for (size_t i = 0; list && i < n_extra; i++) {
        if (spar_event_dup(extra[i], &list[log->n + i]))
            abort();
        spar_event_set_stamp(list[log->n + i], log->n + i + 1, 0);
    }
    return list;
}

static void events_free(spar_event **list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        spar_event_free(list[i]);
    free(list);
}

static void undone(void)
{
    test_log log = {0}, plain = {0};
    spar_session *a = make(&log), *b = make(&plain), *again = NULL;
    spar_event *undo = NULL, *answer = NULL;
    uint64_t n;
    for (int i = 0; i < 3; i++)
        if (spar_session_ask(a, &n, NULL) || spar_session_ask(b, &n, NULL))
            abort();
    tell(a, 1, 0);
    tell(a, 2, 1);
    tell(a, 3, 0);
    tell(b, 1, 0);
    tell(b, 3, 0);
    if (spar_event_new(&undo) || spar_event_new(&answer) ||
        spar_event_decode(answer, log.bytes[log.n - 2], log.length[log.n - 2], &err))
        abort();
    spar_event_set_undo(undo, 2, 0);
    spar_event_set_stamp(undo, log.n + 1, 0);
    ok(spar_session_apply(a, undo, &err) == SPAR_UNSUPPORTED, "refused: %s", err.text);
    spar_event **list = events(&log, (const spar_event *const[]){undo}, 1);
    ok(!spar_session_replay(log.n + 1, (const spar_event *const *)list, &again, &err), "a log with an undo");
    unsigned char *x = NULL, *y = NULL;
    size_t nx = 0, ny = 0;
    ok(!spar_policy_save(spar_session_policy(again), &x, &nx) && !spar_policy_save(spar_session_policy(b), &y, &ny) &&
           nx == ny && memcmp(x, y, nx) == 0,
       "an undone answer leaves no trace in the policy");
    ok(spar_session_next_open(again, 0) == 2 && spar_session_revision(again, 2) == 1, "the question is open again");
    spar_event_set_stamp(answer, log.n + 2, 0);
    ok(spar_session_apply(again, answer, &err) == SPAR_CONFLICT, "a late copy of the undone answer is refused: %s",
       err.text);
    tell(again, 2, 1);
    ok(spar_session_revision(again, 2) == 1 && spar_session_next_open(again, 0) == 0, "and can be answered again");
    events_free(list, log.n + 1);
    spar_bytes_free(x);
    spar_bytes_free(y);
    spar_event_free(undo);
    spar_event_free(answer);
    spar_session_free(a);
    spar_session_free(b);
    spar_session_free(again);
    log_free(&log);
    log_free(&plain);
}

static void undone_in_a_box(void)
{
    test_log log = {0};
    spar_arms *box = NULL;
    spar_session *s = NULL, *again = NULL;
    spar_event *undo = NULL;
    uint64_t n;
    if (spar_arms_new_box(2, (double[]){0, -1}, (double[]){1, 1}, &box) || spar_event_new(&undo) ||
        spar_session_new("self_sparring/thompson/gp", box, 2, 0, 1, &s, &err) ||
        spar_session_log(s, log_write, &log, &err) || spar_session_ask(s, &n, &err))
        abort();
    spar_event_set_undo(undo, 1, 0);
    spar_event_set_stamp(undo, log.n + 1, 0);
    ok(spar_session_apply(s, undo, &err) == SPAR_UNSUPPORTED, "open, in a continuous space: %s", err.text);
    tell(s, 1, 0);
    spar_event_set_stamp(undo, log.n + 1, 0);
    ok(spar_session_apply(s, undo, &err) == SPAR_UNSUPPORTED, "answered: %s", err.text);
    if (spar_session_add_arm(s, (double[]){0.5, 0.5}, NULL, NULL, &err))
        abort();
    spar_event **list = events(&log, (const spar_event *const[]){undo}, 1);
    ok(spar_session_replay(log.n + 1, (const spar_event *const *)list, &again, &err) == SPAR_UNSUPPORTED && !again,
       "replayed: %s", err.text);
    events_free(list, log.n + 1);
    spar_event_free(undo);
    spar_arms_free(box);
    spar_session_free(s);
    log_free(&log);
}

/* Applies one more event to a session that was replayed; nothing may have changed if it is refused. */
static void refuses(const test_log *log, spar_event *event, spar_status status, const char *what)
{
    spar_session *session = log_replay(log), *before = log_replay(log);
    spar_event_set_stamp(event, log->n + 1, 0);
    spar_status checked = spar_session_check(session, event, NULL), got = spar_session_apply(session, event, &err);
    if (!ok(got == status && checked == status && same_sessions(session, before), "%s: %s", what, err.text))
        printf("# %s, checked %s\n", spar_status_text(got), spar_status_text(checked));
    spar_session_free(session);
    spar_session_free(before);
}

static void does_not_fit(void)
{
    test_log log = {0};
    spar_session *s = make(&log);
    spar_event *e = NULL;
    spar_round *round = NULL;
    spar_answer *answer = NULL;
    uint64_t n;
    if (spar_session_ask(s, &n, NULL) || spar_session_ask(s, &n, NULL) || spar_event_new(&e) ||
        spar_round_new(2, &round) || spar_answer_new(&answer))
        abort();
    tell(s, 1, 0);
    refuses(&log, e, SPAR_INVALID, "no kind");
    (void)spar_event_set_created(e, "random", 1, SPAR_ANSWER_WINNER);
    refuses(&log, e, SPAR_CONFLICT, "created twice");
    (void)spar_event_set_settings(e, 3, SPAR_RESULTS_PUBLIC, SPAR_ACCESS_OPEN);
    refuses(&log, e, SPAR_UNSUPPORTED, "other slots");
    (void)spar_event_set_option(e, 5, 1, 1, (double[]){0.5});
    refuses(&log, e, SPAR_INVALID, "an option that leaves one out");
    (void)spar_event_set_option(e, 4, 2, 1, (double[]){0.5});
    refuses(&log, e, SPAR_INVALID, "a new option in version 2");
    (void)spar_event_set_option(e, 4, 1, 0, NULL);
    refuses(&log, e, SPAR_INVALID, "an option without features");
    (void)spar_event_set_option(e, 1, 2, 1, (double[]){0.5});
    refuses(&log, e, SPAR_UNSUPPORTED, "an option with other features");
    (void)spar_event_set_retired(e, 4);
    refuses(&log, e, SPAR_INVALID, "no such option");
    (void)spar_round_set(round, 2, (size_t[]){0, 4});
    (void)spar_event_set_screen(e, 3, round, NULL);
    refuses(&log, e, SPAR_INVALID, "a screen of another table");
    (void)spar_round_set_points(round, 2, 1, (double[]){0, 1});
    (void)spar_event_set_screen(e, 3, round, NULL);
    refuses(&log, e, SPAR_INVALID, "points where there is no space");
    (void)spar_round_set(round, 1, (size_t[]){0});
    (void)spar_event_set_screen(e, 3, round, NULL);
    refuses(&log, e, SPAR_INVALID, "a screen of one slot");
    size_t many[4097] = {0};
    (void)spar_round_set(round, 4097, many);
    (void)spar_event_set_screen(e, 3, round, NULL);
    refuses(&log, e, SPAR_INVALID, "a screen of too many slots");
    (void)spar_event_set_imported(e, NULL, round, answer);
    refuses(&log, e, SPAR_INVALID, "an import of too many slots");
    (void)spar_round_set(round, 2, (size_t[]){0, 3});
    (void)spar_event_set_screen(e, 1, round, NULL);
    refuses(&log, e, SPAR_CONFLICT, "a number twice");
    (void)spar_event_set_screen(e, 3, round, (size_t[]){1, 1});
    refuses(&log, e, SPAR_INVALID, "two slots in one place");
    (void)spar_event_set_screen(e, 0, round, NULL);
    refuses(&log, e, SPAR_INVALID, "a screen without a number");
    spar_answer_set_winner(answer, 2);
    (void)spar_event_set_answer(e, 2, 0, answer);
    refuses(&log, e, SPAR_INVALID, "an answer for a slot that was not shown");
    (void)spar_event_set_answer(e, 1, 0, answer);
    refuses(&log, e, SPAR_CONFLICT, "a second answer");
    (void)spar_event_set_answer(e, 9, 0, answer);
    refuses(&log, e, SPAR_UNKNOWN, "an answer to nothing");
    (void)spar_event_set_answer(e, 2, 1, answer);
    refuses(&log, e, SPAR_CONFLICT, "an answer of another revision");
    (void)spar_event_set_imported(e, NULL, round, answer);
    refuses(&log, e, SPAR_INVALID, "an imported answer for a slot that was not shown");
    spar_event_set_undo(e, 1, 0);
    refuses(&log, e, SPAR_UNSUPPORTED, "an undo of what was learned");
    spar_event_set_closed(e);
    spar_event_set_stamp(e, log.n, 0);
    ok(spar_session_apply(s, e, &err) == SPAR_INVALID, "a sequence number twice: %s", err.text);
    spar_event_free(e);
    spar_round_free(round);
    spar_answer_free(answer);
    spar_session_free(s);
    log_free(&log);
}

/* A session whose policy cannot be built: check and apply agree. */
static void no_policy(void)
{
    spar_session *s = NULL;
    spar_event *e = NULL;
    spar_round *round = NULL;
    if (spar_session_new_empty(&s) || spar_event_new(&e) || spar_round_new(2, &round) ||
        spar_round_set(round, 2, (size_t[]){0, 1}))
        abort();
    for (uint64_t i = 1; i <= 4; i++) {
        if (i == 1   ? spar_event_set_created(e, "nonsense", 1, SPAR_ANSWER_WINNER)
            : i == 2 ? spar_event_set_settings(e, 2, SPAR_RESULTS_PUBLIC, SPAR_ACCESS_OPEN)
                     : spar_event_set_option(e, i - 3, 1, 0, NULL))
            abort();
        spar_event_set_stamp(e, i, 0);
        if (spar_session_apply(s, e, &err))
            abort();
    }
    if (spar_event_set_screen(e, 1, round, NULL))
        abort();
    spar_event_set_stamp(e, 5, 0);
    ok(spar_session_check(s, e, &err) == SPAR_UNKNOWN && spar_session_apply(s, e, &err) == SPAR_UNKNOWN,
       "a screen of a policy that there is not: %s", err.text);
    spar_session_free(s);
    spar_event_free(e);
    spar_round_free(round);
}

static void other_events(void)
{
    test_log log = {0};
    spar_session *s = make(&log);
    spar_event *e = NULL;
    uint64_t n;
    if (spar_event_new(&e) || spar_session_ask(s, &n, NULL) || spar_session_log(s, NULL, NULL, NULL))
        abort();
    uint64_t at = spar_session_sequence(s);
    spar_event_set_closed(e);
    spar_event_set_stamp(e, ++at, 0);
    ok(!spar_session_apply(s, e, &err) && spar_session_closed(s) && spar_session_ask(s, &n, &err) == SPAR_UNSUPPORTED,
       "closed: %s", err.text);
    tell(s, 1, 0);
    at = spar_session_sequence(s);
    ok(spar_session_next_open(s, 0) == 0, "open questions can still be answered");
    spar_event_set_reopened(e);
    spar_event_set_stamp(e, ++at, 0);
    ok(!spar_session_apply(s, e, &err) && !spar_session_closed(s) && !spar_session_ask(s, &n, &err), "reopened");
    at = spar_session_sequence(s);
    spar_event_set_item(e, 0);
    spar_event_set_stamp(e, at + 5, 0);
    ok(!spar_session_apply(s, e, &err) && spar_session_sequence(s) == at + 5, "items are no matter of the policy");
    (void)spar_event_set_option(e, 1, 2, 1, (double[]){0.3});
    spar_event_set_stamp(e, at + 6, 0);
    ok(!spar_session_apply(s, e, &err) && spar_arms_count(spar_session_arms(s)) == 4, "an option in a new version");
    (void)spar_event_set_settings(e, 2, SPAR_RESULTS_PUBLIC, SPAR_ACCESS_INVITED);
    spar_event_set_stamp(e, at + 7, 0);
    ok(!spar_session_apply(s, e, &err), "settings with the same number of slots");
    ok(spar_session_draft(s, 0, e, &err) == SPAR_INVALID, "refused: %s", err.text);
    ok(!spar_session_draft(s, 77, e, &err) && !spar_session_check(s, e, &err) && spar_session_slots(s, 77) == 0 &&
           !spar_session_apply(s, e, &err) && spar_session_slots(s, 77) == 2,
       "a screen of any number, made and then applied");
    ok(!spar_session_ask(s, &n, &err) && n == 78, "questions go on behind it");
    spar_event_free(e);
    spar_session_free(s);
    log_free(&log);
}

static void bad_logs(void)
{
    test_log log = {0};
    spar_session *s = make(&log), *again = NULL;
    spar_event **list = events(&log, NULL, 0);
    ok(spar_session_replay(1, (const spar_event *const *)list + 1, &again, &err) == SPAR_CORRUPT && !again,
       "a log without its beginning: %s", err.text);
    spar_event_set_stamp(list[1], 1, 0);
    ok(spar_session_replay(1, (const spar_event *const *)list + 1, &again, &err) == SPAR_INVALID && !again,
       "a log that begins otherwise: %s", err.text);
    ok(!spar_session_replay(0, NULL, &again, &err) && again, "an empty log is an empty session");
    spar_session_free(again);
    events_free(list, log.n);
    spar_session_free(s);
    log_free(&log);
}

int main(void)
{
    undone();
    undone_in_a_box();
    does_not_fit();
    no_policy();
    other_events();
    bad_logs();
    return done();
}
