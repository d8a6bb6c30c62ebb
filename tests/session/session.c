#include "session/session.h"

#include "session/log.h"

#include "base/alloc.h"

static const char *const names[] = {"Assam", "Darjeeling", "Earl Grey", "Sencha"};
static const char spec[] = "self_sparring/thompson/beta";
static spar_error err;

static spar_arms *make_arms(size_t n)
{
    spar_arms *arms = NULL;
    if (spar_arms_new(n, 0, NULL, names, &arms))
        abort();
    return arms;
}

static spar_session *make(size_t n, size_t m)
{
    spar_arms *arms = make_arms(n);
    spar_session *session = NULL;
    if (spar_session_new(spec, arms, m, 0, 5, &session, &err))
        abort();
    spar_arms_free(arms);
    return session;
}

static uint64_t ask(spar_session *session)
{
    uint64_t number = 0;
    if (spar_session_ask(session, &number, &err))
        abort();
    return number;
}

static spar_answer *winner(size_t slot)
{
    static spar_answer *answer;
    if (!answer && spar_answer_new(&answer))
        abort();
    spar_answer_set_winner(answer, slot);
    return answer;
}

static uint64_t rounds(spar_session *session)
{
    return spar_policy_rounds(spar_session_policy(session));
}

static void asks(void)
{
    spar_session *a = make(4, 3), *b = make(4, 3);
    ok(ask(a) == 1 && ask(a) == 2 && ask(a) == 3 && spar_session_questions(a) == 3, "questions are numbered from 1");
    const spar_round *round = spar_session_round(a, 2);
    ok(round && spar_session_slots(a, 2) == 3 && spar_session_slot_arm(a, 2, 1) == spar_round_arm(round, 1) &&
           strcmp(spar_session_slot_name(a, 2, 1), names[spar_round_arm(round, 1)]) == 0 &&
           spar_session_slot(a, 2, 1) == 1,
       "a question can be read");
    ok(!spar_session_round(a, 4) && spar_session_slots(a, 4) == 0 && spar_session_slot(a, 4, 0) == SPAR_NO_SLOT &&
           spar_session_slot_arm(a, 4, 0) == SPAR_NO_ARM && !spar_session_slot_name(a, 4, 0) &&
           spar_session_slot(a, 2, 3) == SPAR_NO_SLOT && spar_session_slot_arm(a, 2, 3) == SPAR_NO_ARM,
       "one that was not asked has nothing to read");
    ok(spar_session_next_open(a, 0) == 1 && spar_session_next_open(a, 1) == 2 && spar_session_next_open(a, 3) == 0,
       "all are open");
    spar_rng rng = spar__session_stream(b, 3);
    spar_round *expected = NULL;
    if (spar_round_new(3, &expected) || spar_policy_choose(spar_session_policy(b), b->scratch, &rng, expected, NULL))
        abort();
    bool same = true;
    for (size_t j = 0; j < 3; j++)
        same &= spar_session_slot_arm(a, 3, j) == expected->arm[j];
    ok(same, "question 3 is drawn from the stream (seed, 3)");
    ok(spar_event_basis(spar_session_screen(a, 3)) == spar_session_sequence(a) - 1 &&
           spar_event_engine(spar_session_screen(a, 3)) == spar_session_engine(),
       "and says what it was drawn from");
    spar_round_free(expected);
    spar_session_free(a);
    spar_session_free(b);
}

static void tells(void)
{
    spar_session *s = make(4, 2);
    ask(s);
    ask(s);
    ask(s);
    ok(!spar_session_tell(s, 3, winner(0), &err) && rounds(s) == 1, "the last question is answered first");
    ok(!spar_session_tell(s, 3, winner(0), &err) && rounds(s) == 1, "the same answer again changes nothing");
    ok(spar_session_tell(s, 3, winner(1), &err) == SPAR_CONFLICT && rounds(s) == 1, "refused: %s", err.text);
    ok(spar_session_tell(s, 4, winner(1), &err) == SPAR_UNKNOWN, "refused: %s", err.text);
    ok(spar_session_tell(s, 1, winner(2), &err) == SPAR_INVALID && rounds(s) == 1, "refused: %s", err.text);
    ok(!spar_session_round(s, 3) && spar_session_next_open(s, 2) == 0, "an answered question is not open");
    spar_answer *skip = NULL;
    uint64_t before = spar_session_sequence(s);
    ok(!spar_answer_new(&skip) && !spar_session_tell(s, 1, skip, &err) && rounds(s) == 1 &&
           spar_session_sequence(s) == before + 1 && spar_session_next_open(s, 0) == 2,
       "a skip answers the question and teaches nothing");
    spar_answer_set_bad(skip);
    ok(spar_session_tell(s, 1, skip, &err) == SPAR_CONFLICT, "and is an answer like others: %s", err.text);
    spar_answer_set_tie(skip);
    ok(!spar_session_tell(s, 2, skip, &err) && rounds(s) == 2, "a tie teaches");
    spar_answer_free(skip);
    spar_session_free(s);
}

static void tells_by_name(void)
{
    spar_session *s = make(4, 2);
    uint64_t n = ask(s);
    while (spar_session_slot_arm(s, n, 0) == spar_session_slot_arm(s, n, 1))
        n = ask(s);
    char won[32], lost[32];
    (void)snprintf(won, sizeof won, "%s", spar_session_slot_name(s, n, 1));
    (void)snprintf(lost, sizeof lost, "%s", spar_session_slot_name(s, n, 0));
    ok(spar_session_tell_winner(s, n, "Coffee", &err) == SPAR_UNKNOWN, "refused: %s", err.text);
    ok(!spar_session_tell_winner(s, n, won, &err) && rounds(s) == 1, "the winner by name");
    ok(!spar_session_tell_winner(s, n, won, &err) && rounds(s) == 1, "once only");
    ok(!spar_session_tell(s, n, winner(1), &err) && rounds(s) == 1, "the same by slot is the same answer");
    ok(spar_session_tell_winner(s, n, lost, &err) == SPAR_CONFLICT, "refused: %s", err.text);
    ok(spar_session_tell_winner(s, n + 1, lost, &err) == SPAR_UNKNOWN, "refused: %s", err.text);
    size_t best = 0;
    double score[4];
    ok(!spar_session_best(s, &best, 0, NULL, &err) && strcmp(spar_session_name(s, best), won) == 0 &&
           spar_session_find(s, won) == best && spar_session_find(s, "Coffee") == SPAR_NO_ARM,
       "the winner is the believed best");
    ok(!spar_session_score(s, 4, score, &err) && score[best] > score[spar_session_find(s, lost)] &&
           spar_session_score(s, 3, score, &err) == SPAR_INVALID && !spar_session_belief(s, 4, score, NULL, &err) &&
           spar_session_belief_at(s, 0, score, score, score, &err) == SPAR_UNSUPPORTED,
       "scores and beliefs are the policy's");
    n = ask(s);
    while (spar_session_slot_arm(s, n, 0) == spar_session_slot_arm(s, n, 1))
        n = ask(s);
    ok(!spar_session_set_name(s, spar_session_slot_arm(s, n, 0), "tea") &&
           !spar_session_set_name(s, spar_session_slot_arm(s, n, 1), "tea") &&
           spar_session_tell_winner(s, n, "tea", &err) == SPAR_INVALID,
       "refused: %s", err.text);
    spar_session_free(s);
}

static void imports(void)
{
    spar_session *s = make(4, 2);
    spar_answer *answer = NULL;
    if (spar_answer_new(&answer) || spar_answer_set_ranking(answer, 2, (size_t[]){2, 0}, NULL, NULL))
        abort();
    ok(!spar_session_import(s, 4, (size_t[]){3, 0, 1, 2}, answer, &err) && rounds(s) > 0, "a larger answer");
    ok(spar_session_import(s, 2, (size_t[]){3, 0}, answer, &err) == SPAR_INVALID, "refused: %s", err.text);
    ok(spar_session_import(s, 4, (size_t[]){3, 0, 1, 4}, answer, &err) == SPAR_INVALID, "refused: %s", err.text);
    ok(spar_session_import(s, 1, (size_t[]){3}, winner(0), &err) == SPAR_INVALID, "refused: %s", err.text);
    spar_session_free(s);
    test_log log = {0};
    size_t many[4097] = {0};
    s = make(4, 2);
    ok(!spar_session_log(s, log_write, &log, &err) &&
           spar_session_import(s, 4097, many, winner(1), &err) == SPAR_INVALID && log.n == 6 && ask(s) == 1,
       "refused before it is logged: %s", err.text);
    spar_event *event = NULL;
    if (spar_event_new(&event) || spar_session_import(s, 2, (size_t[]){1, 0}, winner(0), &err) ||
        spar_event_decode(event, log.bytes[7], log.length[7], &err))
        abort();
    ok(spar_event_key(event)[0] == 8 && spar_event_key(event)[1] == 0, "the key of an import is its sequence number");
    spar_event_free(event);
    log_free(&log);
    spar_session_free(s);
    spar_arms *arms = make_arms(4);
    ok(!spar_session_new("interleaved_filter", arms, 2, 100, 1, &s, &err),
       "a policy that learns only its own questions");
    uint64_t before = spar_session_sequence(s);
    ok(spar_session_import(s, 2, (size_t[]){1, 0}, winner(0), &err) == SPAR_UNSUPPORTED &&
           spar_session_sequence(s) == before + 1 && rounds(s) == 0,
       "keeps the event and says why: %s", err.text);
    spar_arms_free(arms);
    spar_session_free(s);
    spar_answer_free(answer);
}

static void options(void)
{
    spar_session *s = make(2, 2);
    size_t arm = 9;
    ok(!spar_session_add_arm(s, NULL, "Sencha", &arm, &err) && arm == 2 && spar_session_find(s, "Sencha") == 2 &&
           !spar_session_retire_arm(s, 0, &err) && spar_arms_live(spar_session_arms(s)) == 2,
       "options come and go before the first question");
    ask(s);
    ok(!spar_session_add_arm(s, NULL, NULL, &arm, &err) && arm == 3 && !spar_session_name(s, 3) &&
           !spar_session_retire_arm(s, 1, &err) && spar_arms_live(spar_session_arms(s)) == 2,
       "and after it");
    ok(spar_session_retire_arm(s, 0, &err) == SPAR_INVALID, "refused: %s", err.text);
    ok(spar_session_add_arm(s, (double[]){1}, NULL, NULL, &err) == SPAR_INVALID, "refused: %s", err.text);
    ok(!spar_session_retire_arm(s, 2, &err) && spar_session_retire_arm(s, 3, &err) == SPAR_INVALID, "refused: %s",
       err.text);
    uint64_t number;
    ok(spar_session_ask(s, &number, &err) == SPAR_UNSUPPORTED && number == 0, "refused: %s", err.text);
    spar_session_free(s);
    spar_arms *arms = make_arms(3);
    ok(!spar_session_new("savage", arms, 2, 100, 1, &s, &err), "a policy whose arms are fixed");
    ok(!spar_session_add_arm(s, NULL, "late", NULL, &err), "can get more before the first question");
    ask(s);
    uint64_t before = spar_session_sequence(s);
    spar_status status = spar_session_add_arm(s, NULL, "later", NULL, &err);
    if (spar_policy_live_arms(spar_session_policy(s)))
        ok(status == SPAR_OK, "and after it");
    else
        ok(status == SPAR_UNSUPPORTED && spar_session_sequence(s) == before && !spar_session_name(s, 4),
           "but not after it: %s", err.text);
    spar_session_free(s);
    spar_arms_free(arms);
}

static void refusals(void)
{
    spar_arms *arms = make_arms(4);
    spar_session *s = NULL;
    uint64_t number;
    ok(spar_session_new("nonsense", arms, 2, 0, 1, &s, &err) == SPAR_UNKNOWN && !s, "refused: %s", err.text);
    ok(spar_session_new("thompson/beta", arms, 1, 0, 1, &s, &err) == SPAR_UNSUPPORTED && !s, "refused: %s", err.text);
    ok(spar_session_new("rucb", arms, 3, 0, 1, &s, &err) == SPAR_UNSUPPORTED && !s, "refused: %s", err.text);
    ok(spar_session_new(spec, arms, 0, 0, 1, &s, &err) == SPAR_INVALID && !s, "refused: %s", err.text);
    ok(!spar_session_new_empty(&s) && spar_session_ask(s, &number, &err) == SPAR_INVALID && !spar_session_policy(s) &&
           !spar_session_arms(s) && spar_session_add_arm(s, NULL, NULL, NULL, &err) == SPAR_INVALID &&
           spar_session_tell(s, 1, winner(0), &err) == SPAR_UNKNOWN &&
           spar_session_retire_arm(s, 0, &err) == SPAR_INVALID &&
           spar_session_import(s, 2, (size_t[]){0, 1}, winner(0), &err) == SPAR_INVALID &&
           spar_session_set_shuffle(s, true, &err) == SPAR_UNSUPPORTED,
       "an empty session can do nothing");
    spar_session_free(s);
    spar_session_free(NULL);
    spar_arms_free(arms);
}

static void logs(void)
{
    spar_session *s = make(4, 3), *again = NULL;
    test_log log = {.refuse = true};
    ok(spar_session_log(s, log_write, &log, &err) == SPAR_IO && spar_session_sequence(s) == 6, "refused: %s", err.text);
    log.refuse = false;
    ok(!spar_session_set_shuffle(s, true, &err) && !spar_session_log(s, log_write, &log, &err) && log.n == 6,
       "a new session is described by its first events");
    ok(spar_session_set_shuffle(s, false, &err) == SPAR_UNSUPPORTED, "refused: %s", err.text);
    spar_session_set_time(s, 1234567);
    ask(s);
    ok(log.n == 7 && spar_event_time(spar_session_screen(s, 1)) == 1234567, "then comes what happens");
    log.refuse = true;
    uint64_t number;
    spar_session *before = log_replay(&log);
    ok(spar_session_ask(s, &number, &err) == SPAR_IO && number == 0 &&
           spar_session_tell(s, 1, winner(0), &err) == SPAR_IO &&
           spar_session_import(s, 2, (size_t[]){0, 1}, winner(0), &err) == SPAR_IO &&
           spar_session_add_arm(s, NULL, "x", NULL, &err) == SPAR_IO && spar_session_retire_arm(s, 0, &err) == SPAR_IO,
       "what cannot be logged does not happen: %s", err.text);
    for (size_t i = 0; i < 4; i++)
        if (spar_session_set_name(before, i, names[i]))
            abort();
    ok(before && same_sessions(s, before), "and nothing changed");
    log.refuse = false;
    ok(!spar_session_tell(s, 1, winner(0), &err) && ask(s) == 2 && (again = log_replay(&log)) != NULL,
       "then it goes on");
    bool moved = false, same = true;
    for (int i = 0; i < 20; i++) {
        uint64_t n = ask(s);
        same &= n == ask(again);
        for (size_t j = 0; j < 3; j++) {
            moved |= spar_session_slot(s, n, j) != j;
            same &= spar_session_slot(s, n, j) == spar_session_slot(again, n, j) &&
                    spar_session_slot_arm(s, n, j) == spar_session_slot_arm(again, n, j);
        }
    }
    ok(same && moved, "a replayed session asks the same, in the same shuffled places");
    log_free(&log);
    spar_session_free(s);
    spar_session_free(again);
    spar_session_free(before);
}

/* A call that fails without a log leaves the session new: a log gets its first events. */
static void stays_new(void)
{
    bool good = true;
    spar_status status = SPAR_NOMEM;
    for (size_t k = 1; status && k < 100; k++) {
        spar_session *s = make(4, 2);
        test_log log = {0};
        uint64_t n;
        spar__alloc_fail_at(k);
        status = spar_session_ask(s, &n, &err);
        spar__alloc_fail_at(0);
        good &= !status || (!spar_session_log(s, log_write, &log, &err) && log.n == 6);
        spar_session_free(s);
        log_free(&log);
    }
    ok(good && !status, "a session that could not ask is still new");
}

/* Every allocation fails once, at every step of a short life with a log: in the end session and log agree. */
static void memory(void)
{
    spar_arms *arms = make_arms(3);
    bool good = true, over = false;
    size_t k = 0;
    while (!over && k < 3000) {
        spar_session *s = NULL;
        test_log log = {0};
        uint64_t n = 0;
        spar__alloc_fail_at(++k);
        spar_status made = spar_session_new(spec, arms, 2, 0, 5, &s, &err);
        if (!made)
            made = spar_session_log(s, log_write, &log, &err);
        if (!made) {
            bool failed = spar_session_ask(s, &n, NULL) != SPAR_OK;
            failed |= spar_session_ask(s, &n, NULL) != SPAR_OK;
            failed |= spar_session_tell(s, 1, winner(0), NULL) != SPAR_OK;
            failed |= spar_session_import(s, 3, (size_t[]){0, 1, 2}, winner(0), NULL) != SPAR_OK;
            failed |= spar_session_add_arm(s, NULL, NULL, NULL, NULL) != SPAR_OK;
            failed |= spar_session_retire_arm(s, 1, NULL) != SPAR_OK;
            over = !failed && spar__alloc_count() < k;
            spar__alloc_fail_at(0);
            spar_session *again = log_replay(&log);
            good &= again != NULL;
            for (size_t i = 0; again && i < 3; i++)
                good &= !spar_session_set_name(again, i, names[i]);
            good &= again && same_sessions(s, again);
            spar_session_free(again);
        } else
            good &= made == SPAR_NOMEM;
        spar__alloc_fail_at(0);
        spar_session_free(s);
        log_free(&log);
    }
    spar_arms_free(arms);
    ok(good && over, "each of %zu allocations fails once, and the log still tells the session", k);
}

int main(void)
{
    asks();
    tells();
    tells_by_name();
    imports();
    options();
    refusals();
    logs();
    stays_new();
    memory();
    spar_answer_free(winner(0));
    return done();
}
