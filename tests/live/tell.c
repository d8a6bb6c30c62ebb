/* Answers once only, undos, late answers, other voters: every rule, in every kind of store. */
#include "live/world.h"

static spar_status tell_as(spar_experiment *experiment, uint64_t number, const char *voter, size_t place,
                           uint32_t revision, bool *again)
{
    spar_answer *answer = NULL;
    spar_remarks *remarks = NULL;
    must(spar_answer_new(&answer));
    must(spar_remarks_new(&remarks));
    spar_answer_set_winner(answer, place);
    spar_remarks_set_revision(remarks, revision);
    spar_status status = spar_experiment_tell(experiment, number, voter, answer, remarks, again, &err);
    spar_answer_free(answer);
    spar_remarks_free(remarks);
    return status;
}

static uint64_t count(const spar_experiment *experiment)
{
    uint64_t answers;
    spar_experiment_counts(experiment, NULL, &answers, NULL, NULL);
    return answers;
}

static void test_once(const spar__store_class *cls)
{
    spar_experiment *a = new_experiment(new_place(cls), 4, 1);
    spar_experiment *b = open_at(spar_experiment_place(a), SPAR_EXPERIMENT_WRITE);
    bool again = true;
    uint64_t number = ask(a, "ann"), other = ask(b, "bob"), open[4];
    ok(number == 1 && other == 2 && spar_experiment_open_screens(b, NULL, 4, open) == 2 &&
           spar_experiment_open_screens(b, "ann", 4, open) == 1 && open[0] == 1 &&
           spar_experiment_open_screens(b, "nobody", 4, open) == 0 && spar_experiment_open_screens(b, "", 4, open) == 0,
       "%s: open screens", cls->name);
    must(spar_experiment_refresh(a, &err));
    ok(tell(a, 3, "ann", 0) == SPAR_UNKNOWN, "a screen that was never asked: %s", err.text);
    ok(tell(a, 2, "ann", 0) == SPAR_CONFLICT, "another voter's screen: %s", err.text);
    ok(tell(a, 2, "nobody", 0) == SPAR_CONFLICT, "nor that of a voter whom nobody knows");
    ok(tell(a, 1, "ann", 4) == SPAR_INVALID, "a place that was not shown: %s", err.text);
    ok(!tell_as(a, 1, "ann", 2, 0, &again) && !again, "an answer");
    ok(!tell_as(b, 1, "ann", 2, 0, &again) && again, "the same again, elsewhere");
    ok(!tell_as(b, 1, NULL, 2, 0, &again) && again, "and without a name");
    ok(tell(b, 1, "ann", 1) == SPAR_CONFLICT, "another one: %s", err.text);
    ok(tell(b, 1, "bob", 2) == SPAR_CONFLICT, "the same by another voter: %s", err.text);
    ok(count(b) == 1 && spar_experiment_last_answered(b, "ann") == 1 && !spar_experiment_last_answered(b, "bob") &&
           spar_experiment_last_answered(b, NULL) == 1,
       "it counts once");
    must(tell(a, ask(a, "ann"), "ann", 0));
    must(tell(a, 2, "bob", 0));
    ok(spar_experiment_last_answered(a, NULL) == 2 && spar_experiment_last_answered(a, "ann") == 3, "who was last");
    must(spar_experiment_undo(a, 2, NULL, SPAR_ANY_REVISION, NULL, &err));
    must(spar_experiment_undo(a, 3, NULL, SPAR_ANY_REVISION, NULL, &err));
    ok(spar_experiment_last_answered(a, NULL) == 1 && !spar_experiment_last_answered(a, "bob") &&
           spar_experiment_last_answered(a, "ann") == 1,
       "and who is last without them");
    spar_experiment_close(a);
    spar_experiment_close(b);
}

static void test_undo(const spar__store_class *cls)
{
    spar_experiment *a = new_experiment(new_place(cls), 4, 1);
    saved_bytes before = (must(spar_experiment_refresh(a, &err)), decision_of(a->state));
    uint64_t number = ask(a, "ann");
    bool again;
    ok(spar_experiment_undo(a, number, NULL, SPAR_ANY_REVISION, NULL, &err) == SPAR_CONFLICT, "%s: nothing to undo: %s",
       cls->name, err.text);
    ok(spar_experiment_undo(a, 77, NULL, SPAR_ANY_REVISION, NULL, &err) == SPAR_UNKNOWN,
       "nor where nothing was asked: %s", err.text);
    for (uint32_t revision = 0; revision < 3; revision++) {
        must(tell_as(a, number, "ann", revision, revision, &again));
        must(spar_experiment_undo(a, number, NULL, SPAR_ANY_REVISION, NULL, &err));
        ok(tell_as(a, number, "ann", revision, revision, &again) == SPAR_CONFLICT, "a late copy: %s", err.text);
        ok(spar_experiment_open_screens(a, "ann", 0, NULL) == 1, "the screen is open again");
    }
    ok(same_bytes(before, decision_of(a->state)), "the decision is as it was before");
    must(tell(a, number, "ann", 3));
    ok(spar_experiment_undo(a, number, NULL, SPAR_ANY_REVISION, NULL, &err) == SPAR_UNSUPPORTED,
       "not a fourth time: %s", err.text);
    spar_screen *screen = NULL;
    must(spar_experiment_screen(a, number, &screen, &err));
    ok(spar_screen_revision(screen) == 3 && !spar_screen_is_open(screen) && spar_screen_slots(screen) == 4 &&
           spar_screen_option(screen, 3) && spar_screen_arm(screen, 4) == SPAR_NO_ARM,
       "a screen of the log");
    spar_screen_free(screen);
    ok(count(a) == 1 && nothing_lost(a) && leaves_no_trace(a) && verifies(spar_experiment_place(a), NULL), "it holds");
    spar_experiment_close(a);
}

/* Only the voter's own answer, and only the one that was meant. */
static void test_undo_whose(const spar__store_class *cls)
{
    spar_experiment *a = new_experiment(new_place(cls), 4, 1);
    uint64_t number = ask(a, "ann"), other = ask(a, NULL);
    bool again = true;
    must(tell(a, number, "ann", 0));
    must(tell(a, other, NULL, 0));
    must(tell(a, ask(a, "bob"), "bob", 0));
    uint64_t before = spar_experiment_sequence(a);
    ok(spar_experiment_undo(a, number, "bob", 0, &again, &err) == SPAR_CONFLICT && !again, "%s: another voter: %s",
       cls->name, err.text);
    ok(spar_experiment_undo(a, number, "nobody", 0, NULL, &err) == SPAR_CONFLICT, "nobody: %s", err.text);
    ok(spar_experiment_undo(a, other, "ann", 0, NULL, &err) == SPAR_CONFLICT, "no voter's answer: %s", err.text);
    ok(spar_experiment_undo(a, number, "ann", 1, NULL, &err) == SPAR_CONFLICT, "not yet: %s", err.text);
    ok(spar_experiment_sequence(a) == before, "nothing changed");
    ok(!spar_experiment_undo(a, number, "ann", 0, &again, &err) && !again, "the voter's own");
    ok(!spar_experiment_undo(a, number, "ann", 0, &again, &err) && again, "again, while it is open");
    must(tell(a, number, "ann", 1));
    ok(!spar_experiment_undo(a, number, "ann", 0, &again, &err) && again, "a late copy of the undo");
    ok(spar_experiment_undo(a, number, "bob", 0, &again, &err) == SPAR_CONFLICT, "of another voter");
    ok(spar_experiment_last_answered(a, "ann") == number && spar_experiment_sequence(a) == before + 2,
       "leaves the new answer");
    ok(!spar_experiment_undo(a, other, "", SPAR_ANY_REVISION, &again, &err) && !again, "anybody, whatever it is");
    ok(nothing_lost(a) && leaves_no_trace(a) && verifies(spar_experiment_place(a), NULL), "it holds");
    spar_experiment_close(a);
}

static bool is_there(spar_experiment *experiment, uint64_t number, size_t place, uint32_t revision)
{
    spar_screen *screen = NULL;
    bool again = false;
    must(spar_experiment_screen(experiment, number, &screen, &err));
    bool same = spar_screen_revision(screen) == revision && !spar_screen_is_open(screen);
    spar_screen_free(screen);
    return same && !tell_as(experiment, number, "ann", place, revision, &again) && again &&
           tell(experiment, number, "ann", place ^ 1) == SPAR_CONFLICT &&
           (!revision || tell_as(experiment, number, "ann", place, revision - 1, &again) == SPAR_CONFLICT);
}

/* Answers are forgotten, and the log knows them: told again, undone or looked at they are as ever. */
static void test_old(const spar__store_class *cls)
{
    enum { SCREENS = 30, UNDONE = 5 };
    spar_experiment *a = new_experiment(new_place(cls), 4, 1), *b = NULL;
    bool same = true, again = true;
    spar__snapshot_every = 16;
    for (uint64_t i = 1; i <= SCREENS; i++) {
        must(tell(a, ask(a, "ann"), "ann", i % 2));
        if (i % UNDONE == 0) {
            must(spar_experiment_undo(a, i, "ann", 0, NULL, &err));
            must(tell(a, i, "ann", i % 2));
        }
    }
    b = open_at(spar_experiment_place(a), SPAR_EXPERIMENT_WRITE);
    uint64_t end = spar_experiment_sequence(a);
    for (uint64_t i = 1; i <= SCREENS; i++)
        same = is_there(i % 3 ? a : b, i, i % 2, i % UNDONE == 0) && same;
    ok(same && spar_experiment_sequence(b) == end && count(a) == SCREENS, "%s: old answers again", cls->name);
    ok(spar_session_questions(a->state->session) <= 2, "though the session has forgotten them");
    ok(!spar_experiment_undo(b, UNDONE, "ann", 0, &again, &err) && again, "a late copy of an old undo");
    must(spar_experiment_undo(b, 2, "ann", 0, &again, &err));
    must(spar_experiment_undo(b, UNDONE, "ann", 1, &again, &err));
    ok(!again && tell_as(a, UNDONE, "ann", 1, 1, &again) == SPAR_CONFLICT && !tell_as(a, UNDONE, "ann", 0, 2, &again) &&
           !again && tell(a, 2, "ann", 1) == SPAR_OK && is_there(a, UNDONE, 0, 2),
       "old answers taken back, and given anew");
    ok(nothing_lost(a) && leaves_no_trace(a) && verifies(spar_experiment_place(a), NULL), "it holds");
    spar__snapshot_every = 4096;
    spar_experiment_close(a);
    spar_experiment_close(b);
}

/* Options that go, experiments that end: answers to open screens are kept. */
static void test_late(const spar__store_class *cls)
{
    spar_experiment *a = new_experiment(new_place(cls), 4, 1);
    uint64_t first = ask(a, "ann"), second = ask(a, NULL);
    must(spar_experiment_retire(a, "tea0", &err));
    must(tell(a, first, "ann", 0));
    must(spar_experiment_end(a, &err));
    must(spar_experiment_end(a, &err));
    spar_screen *screen = NULL;
    ok(spar_experiment_ask(a, "ann", &screen, &err) == SPAR_UNSUPPORTED, "%s: closed: %s", cls->name, err.text);
    must(tell(a, second, "bob", 1));
    ok(count(a) == 2 && spar_experiment_last_answered(a, "bob") == second,
       "answers to a retired option, after the end, and by anybody where nobody was asked");
    must(spar_experiment_reopen(a, &err));
    must(spar_experiment_retire(a, "tea1", &err));
    must(spar_experiment_ask(a, "ann", &screen, &err));
    ok(spar_screen_slots(screen) == 2, "a screen shows what is live");
    spar_screen_free(screen);
    must(spar_experiment_retire(a, "tea2", &err));
    ok(spar_experiment_ask(a, "ann", &screen, &err) == SPAR_UNSUPPORTED && !screen, "one is not enough: %s", err.text);
    ok(spar_experiment_retire(a, "tea3", &err) == SPAR_UNSUPPORTED, "the last one stays: %s", err.text);
    ok(spar_experiment_retire(a, "tea2", &err) == SPAR_CONFLICT, "retired once: %s", err.text);
    ok(nothing_lost(a) && verifies(spar_experiment_place(a), NULL), "it holds");
    spar_experiment_close(a);
}

/* A screen that was drawn before an option retired and the experiment ended is legal: nobody waits for anybody. */
static void test_basis(const spar__store_class *cls)
{
    spar_experiment *a = new_experiment(new_place(cls), 4, 1), *b;
    b = open_at(spar_experiment_place(a), SPAR_EXPERIMENT_WRITE);
    spar_event *event = NULL;
    must(tell(a, ask(a, NULL), NULL, 0));
    must(spar_event_new(&event));
    must(spar_session_draft(a->state->session, 2, event, &err));
    must(spar_experiment_retire(b, "tea2", &err));
    must(tell(b, ask(b, "bob"), "bob", 1));
    must(spar_experiment_undo(b, 1, NULL, SPAR_ANY_REVISION, NULL, &err));
    must(spar_experiment_end(b, &err));
    spar__store_entry entry = {event, NULL, 0, SPAR_OK, {0}};
    must(spar__store_append(a->store, a->id, 1, &entry, &err));
    ok(entry.status == SPAR_CONFLICT, "%s: another program took the number", cls->name);
    must(spar_session_draft(a->state->session, 3, event, &err));
    must(spar__store_append(a->store, a->id, 1, &entry, &err));
    must(entry.status);
    must(spar_experiment_refresh(b, &err));
    must(tell(b, 3, "cid", 2));
    ok(nothing_lost(a) && leaves_no_trace(b) && verifies(spar_experiment_place(a), NULL),
       "a screen that knew less than the log is legal");
    spar_event_free(event);
    spar_experiment_close(a);
    spar_experiment_close(b);
}

/* Every kind of answer goes from places to slots. */
static void test_places(const spar__store_class *cls)
{
    spar_experiment *a = new_experiment(new_place(cls), 4, 3);
    spar_answer *answer = NULL;
    spar_screen *screen = NULL;
    double before, behind, ties;
    must(spar_answer_new(&answer));
    must(spar_experiment_ask(a, NULL, &screen, &err));
    size_t arm[4];
    for (size_t p = 0; p < 4; p++)
        arm[p] = spar_screen_arm(screen, p);
    must(spar_answer_set_ranking(answer, 3, (size_t[]){2, 0, 1}, (size_t[]){0, 1, 1}, &err));
    must(spar_experiment_tell(a, spar_screen_number(screen), NULL, answer, NULL, NULL, &err));
    must(spar_decision_pair(spar_experiment_decision(a), arm[2], arm[0], &before, &behind, &ties));
    ok(before == 1 && behind == 0 && ties == 0, "%s: a ranking", cls->name);
    must(spar_decision_pair(spar_experiment_decision(a), arm[0], arm[1], &before, &behind, &ties));
    ok(before == 0 && behind == 0 && ties == 1, "with a tie");
    must(spar_decision_pair(spar_experiment_decision(a), arm[1], arm[3], &before, &behind, &ties));
    ok(before == 1, "before what was not ranked");
    spar_screen_free(screen);
    must(spar_experiment_ask(a, NULL, &screen, &err));
    for (size_t p = 0; p < 4; p++)
        arm[p] = spar_screen_arm(screen, p);
    spar_answer_set_skip(answer);
    must(spar_answer_add_pair(answer, 3, 1, SPAR_WIN, &err));
    double was;
    must(spar_decision_pair(spar_experiment_decision(a), arm[3], arm[1], &was, NULL, NULL));
    must(spar_experiment_tell(a, spar_screen_number(screen), NULL, answer, NULL, NULL, &err));
    must(spar_decision_pair(spar_experiment_decision(a), arm[3], arm[1], &before, NULL, NULL));
    ok(before == was + 1, "pairs");
    spar_screen_free(screen);
    for (size_t p = 0; p < 4; p++) {
        uint64_t chosen, now;
        must(spar_experiment_ask(a, NULL, &screen, &err));
        must(spar_decision_record(spar_experiment_decision(a), spar_screen_arm(screen, p), NULL, &chosen));
        must(tell(a, spar_screen_number(screen), NULL, p));
        must(spar_decision_record(spar_experiment_decision(a), spar_screen_arm(screen, p), NULL, &now));
        ok(now == chosen + 1, "a winner in place %zu", p);
        spar_screen_free(screen);
    }
    spar_answer_free(answer);
    spar_experiment_close(a);
}

static void test_arguments(const spar__store_class *cls)
{
    spar_experiment *a = new_experiment(new_place(cls), 3, 1), *reader;
    spar_screen *screen = NULL;
    spar_answer *answer = NULL;
    must(spar_answer_new(&answer));
    uint64_t number = ask(a, "ann");
    reader = open_at(spar_experiment_place(a), SPAR_EXPERIMENT_READ);
    ok(spar_experiment_ask(reader, NULL, &screen, &err) == SPAR_UNSUPPORTED && tell(reader, number, "ann", 0) &&
           spar_experiment_undo(reader, 1, NULL, SPAR_ANY_REVISION, NULL, &err) && spar_experiment_end(reader, &err) &&
           spar_experiment_forget(reader, "ann", NULL, &err) && spar_experiment_redact(reader, "tea0", NULL, &err) &&
           spar_experiment_set_question(reader, "a", &err) && spar_experiment_retire(reader, "tea0", &err),
       "%s: a reader cannot write: %s", cls->name, err.text);
    char name[300] = "";
    memset(name, 'n', 201);
    ok(spar_experiment_ask(a, name, &screen, &err) == SPAR_INVALID && !screen, "a long name: %s", err.text);
    ok(spar_experiment_ask(a, "a\nb", &screen, &err) == SPAR_INVALID, "a name of two lines: %s", err.text);
    ok(spar_experiment_ask(NULL, "a", &screen, &err) == SPAR_INVALID && spar_experiment_ask(a, "a", NULL, &err) &&
           spar_experiment_tell(NULL, 1, "a", answer, NULL, NULL, &err) == SPAR_INVALID &&
           spar_experiment_tell(a, 1, "a", NULL, NULL, NULL, &err) == SPAR_INVALID &&
           spar_experiment_undo(NULL, 1, NULL, SPAR_ANY_REVISION, NULL, &err) &&
           spar_experiment_screen(NULL, 1, &screen, &err) && spar_experiment_refresh(NULL, &err) &&
           spar_experiment_each(a, 1, NULL, NULL, &err) && spar_experiment_replay(NULL, NULL, NULL, &err) &&
           spar_experiment_backup(a, NULL, &err),
       "NULL: %s", err.text);
    ok(!spar_experiment_place(NULL) && !spar_experiment_question(NULL) && !spar_experiment_policy(NULL) &&
           !spar_experiment_slots(NULL) && !spar_experiment_options(NULL) && !spar_experiment_option(NULL, 0) &&
           spar_experiment_find(NULL, "a") == SPAR_NO_ARM && !spar_experiment_decision(NULL) &&
           !spar_experiment_sentence(NULL, NULL, 0) && !spar_experiment_sequence(NULL) &&
           !spar_experiment_open_screens(NULL, NULL, 0, NULL) && !spar_experiment_last_answered(NULL, NULL),
       "nothing to look at");
    ok(!spar_experiment_option(a, 3) && spar_experiment_find(a, "tea2") == 2 && !spar_experiment_is_live(a, 3),
       "what is not there");
    spar_answer_free(answer);
    spar_experiment_close(a);
    spar_experiment_close(reader);
}

int main(void)
{
    for (const spar__store_class *const *cls = stores_here(); *cls; cls++) {
        test_once(*cls);
        test_undo(*cls);
        test_undo_whose(*cls);
        test_old(*cls);
        test_late(*cls);
        test_basis(*cls);
        test_places(*cls);
        test_arguments(*cls);
    }
    close_places();
    return done();
}
