/* Batches: what goes together, what waits, what is refused alone, and that the log is the same as without them. */
#include "live/world.h"

#include "base/alloc.h"
#include "live/log/batch.h"

#include <time.h>

static spar_answer *winner[3]; /* by place */

static spar__batch *begin(spar_experiment *experiment)
{
    spar__batch *batch = NULL;
    must(spar__batch_begin(experiment, &batch, &err));
    return batch;
}

static void commit(spar__batch *batch)
{
    must(spar__batch_commit(batch, &err));
    spar__batch_free(batch);
}

static size_t add_ask(spar__batch *batch, const char *voter)
{
    size_t ticket = SIZE_MAX;
    must(spar__batch_ask(batch, voter, &ticket, &err));
    return ticket;
}

/* The status of an answer; *again as the batch says. */
static spar_status try_tell(spar__batch *batch, uint64_t number, const char *voter, size_t place, bool *again)
{
    size_t ticket = SIZE_MAX;
    spar_status status = spar__batch_tell(batch, number, voter, winner[place], NULL, again, &ticket, &err);
    bool added = !status && !*again;
    if (added != (ticket != SIZE_MAX))
        abort();
    return status;
}

static void add_tell(spar__batch *batch, uint64_t number, const char *voter, size_t place)
{
    bool again = true;
    must(try_tell(batch, number, voter, place, &again));
    if (again)
        abort();
}

static spar_status try_undo(spar__batch *batch, uint64_t number, const char *voter, bool *again)
{
    size_t ticket;
    return spar__batch_undo(batch, number, voter, SPAR_ANY_REVISION, again, &ticket, &err);
}

static void add_undo(spar__batch *batch, uint64_t number)
{
    bool again = true;
    must(try_undo(batch, number, NULL, &again));
    if (again)
        abort();
}

/* The log from an event on: 's1 a1 u1' for screen, answer and undo. */
typedef struct written_log {
    char text[400];
} written_log;

static spar_status write_event(void *context, const spar_event *event, const unsigned char *hash, spar_error *why)
{
    written_log *log = context;
    size_t used = strlen(log->text);
    char kind = spar_event_kind_of(event) == SPAR_EVENT_SCREEN   ? 's'
                : spar_event_kind_of(event) == SPAR_EVENT_ANSWER ? 'a'
                : spar_event_kind_of(event) == SPAR_EVENT_UNDO   ? 'u'
                                                                 : '?';
    (void)hash;
    (void)why;
    (void)snprintf(log->text + used, sizeof log->text - used, "%s%c%d", used ? " " : "", kind,
                   (int)spar_event_number(event));
    return SPAR_OK;
}

static const char *log_after(spar_experiment *experiment, uint64_t sequence)
{
    static written_log log;
    log.text[0] = '\0';
    must(spar_experiment_each(experiment, sequence + 1, write_event, &log, &err));
    return log.text;
}

static bool holds(spar_experiment *experiment)
{
    return nothing_lost(experiment) && leaves_no_trace(experiment) && verifies(spar_experiment_place(experiment), NULL);
}

static void test_order(const spar__store_class *cls)
{
    spar_experiment *a = new_experiment(new_place(cls), 4, 1);
    uint64_t start = spar_experiment_sequence(a), number = 0;
    spar_screen *screen = NULL;
    spar__batch *batch = begin(a);
    size_t first = add_ask(batch, "ann"), second = add_ask(batch, "bob"), third = add_ask(batch, NULL);
    ok(first == 0 && second == 1 && third == 2, "%s: tickets count", cls->name);
    ok(spar_experiment_sequence(a) == start && spar_experiment_open_screens(a, NULL, 0, NULL) == 0,
       "nothing is done before the commit");
    ok(spar__batch_result(batch, first, &number, &err) == SPAR_INVALID && number == 0, "nothing is told: %s", err.text);
    must(spar__batch_commit(batch, &err));
    ok(!spar__batch_result(batch, second, &number, &err) && number == 2 && !spar__batch_result(batch, 0, NULL, &err),
       "numbers by ticket");
    ok(!spar__batch_screen(batch, third, &screen, &err) && spar_screen_number(screen) == 3 &&
           spar_screen_slots(screen) == 4 && spar_screen_is_open(screen) && spar_screen_option(screen, 3),
       "and screens");
    ok(spar__batch_result(batch, 3, &number, &err) == SPAR_INVALID && spar__batch_commit(batch, &err) == SPAR_INVALID,
       "once only: %s", err.text);
    spar__batch_free(batch);
    same_text(log_after(a, start), "s1 s2 s3", "screens in the order they were asked");

    start = spar_experiment_sequence(a);
    batch = begin(a);
    add_tell(batch, 2, "bob", 0);
    add_tell(batch, 1, "ann", 1);
    add_tell(batch, 3, NULL, 2);
    (void)add_ask(batch, "cid");
    (void)add_ask(batch, "ann");
    (void)add_ask(batch, "bob");
    commit(batch);
    same_text(log_after(a, start), "a2 s6 a1 s5 a3 s4", "a voter's next screen goes right behind the answer");
    ok(spar_experiment_open_screens(a, "ann", 1, &number) == 1 && number == 5 &&
           spar_experiment_last_answered(a, "bob") == 2,
       "it is theirs");
    ok(holds(a), "it holds");
    spar_experiment_close(a);
    ok(strncmp(spar_option_id(spar_screen_option(screen, 0)), "tea", 3) == 0, "a screen outlives the experiment");
    spar_screen_free(screen);
}

static spar_status check_basis(void *context, const spar_event *event, const unsigned char *hash, spar_error *why)
{
    (void)hash;
    (void)why;
    return spar_event_kind_of(event) != SPAR_EVENT_SCREEN || spar_event_basis(event) == *(uint64_t *)context
               ? SPAR_OK
               : SPAR_CORRUPT;
}

static void test_refused(const spar__store_class *cls)
{
    spar_experiment *a = new_experiment(new_place(cls), 4, 1);
    uint64_t one = ask(a, "ann"), two = ask(a, "bob"), three = ask(a, "cid"), four = ask(a, NULL), start, voter;
    bool again = false;
    size_t ticket;
    must(tell(a, two, "bob", 0));
    must(tell(a, four, NULL, 0));
    start = spar_experiment_sequence(a);
    spar__batch *batch = begin(a);
    (void)add_ask(batch, NULL);
    ok(try_tell(batch, 77, "ann", 0, &again) == SPAR_UNKNOWN, "%s: %s", cls->name, err.text);
    ok(try_tell(batch, one, "bob", 0, &again) == SPAR_CONFLICT, "%s", err.text);
    ok(try_tell(batch, two, "bob", 1, &again) == SPAR_CONFLICT, "%s", err.text);
    ok(!try_tell(batch, two, "bob", 0, &again) && again, "the same answer again is no event");
    ok(try_undo(batch, one, NULL, &again) == SPAR_CONFLICT, "%s", err.text);
    ok(try_undo(batch, two, "ann", &again) == SPAR_CONFLICT && !again, "%s", err.text);
    ok(spar__batch_ask(batch, "a\nb", &ticket, &err) == SPAR_INVALID, "%s", err.text);
    ok(try_tell(batch, four, "zoe", 1, &again) == SPAR_CONFLICT, "by a new voter: %s", err.text);
    add_tell(batch, three, "cid", 1);
    spar_answer *wrong = NULL;
    must(spar_answer_new(&wrong));
    spar_answer_set_winner(wrong, 4);
    ok(spar__batch_tell(batch, one, "ann", wrong, NULL, &again, &ticket, &err) == SPAR_INVALID, "%s", err.text);
    add_tell(batch, one, "ann", 1); /* what was refused does not stand in its way */
    commit(batch);
    same_text(log_after(a, start), "s5 a3 a1", "the others are there");
    ok(spar__live_known_voter(a, "zoe", &voter, &err) == SPAR_UNKNOWN, "and nothing of what was refused");
    must(spar_experiment_end(a, &err));
    batch = begin(a);
    ok(spar__batch_ask(batch, NULL, &ticket, &err) == SPAR_UNSUPPORTED, "%s", err.text);
    add_tell(batch, 5, "dan", 0);
    commit(batch);
    ok(holds(a), "it holds");
    spar_answer_free(wrong);
    spar_experiment_close(a);
}

static void test_busy(const spar__store_class *cls)
{
    spar_experiment *a = new_experiment(new_place(cls), 4, 1);
    uint64_t one = ask(a, "ann"), two = ask(a, "ann"), three = ask(a, NULL), four = ask(a, "bob"), five = ask(a, "cid"),
             start;
    bool again;
    size_t ticket;
    must(tell(a, four, "bob", 0));
    must(tell(a, five, "cid", 0));
    start = spar_experiment_sequence(a);
    spar__batch *batch = begin(a);
    add_tell(batch, one, "ann", 0);
    ok(try_tell(batch, one, "ann", 0, &again) == SPAR_BUSY, "%s: the same answer: %s", cls->name, err.text);
    ok(try_tell(batch, one, NULL, 1, &again) == SPAR_BUSY, "another one of the same screen");
    ok(try_undo(batch, one, NULL, &again) == SPAR_BUSY, "its undo");
    ok(try_tell(batch, two, "ann", 0, &again) == SPAR_BUSY, "the same voter: %s", err.text);
    ok(try_tell(batch, two, NULL, 0, &again) == SPAR_BUSY, "also without the name");
    (void)add_ask(batch, "ann");
    ok(spar__batch_ask(batch, "ann", &ticket, &err) == SPAR_BUSY, "one next screen");
    add_undo(batch, four);
    ok(try_undo(batch, four, NULL, &again) == SPAR_BUSY && try_tell(batch, four, "bob", 1, &again) == SPAR_BUSY,
       "a screen that is undone");
    ok(spar__batch_ask(batch, "bob", &ticket, &err) == SPAR_BUSY, "no screen right behind an undo");
    (void)add_ask(batch, "cid");
    ok(spar__batch_ask(batch, "cid", &ticket, &err) == SPAR_BUSY && try_undo(batch, five, "cid", &again) == SPAR_BUSY,
       "nor behind a screen");
    (void)add_ask(batch, NULL);
    (void)add_ask(batch, "");
    add_tell(batch, three, NULL, 0);
    (void)add_ask(batch, NULL);
    commit(batch);
    same_text(log_after(a, start), "a1 s6 u4 s7 s8 s9 a3 s10", "nobody in particular never waits");
    batch = begin(a);
    ok(!try_tell(batch, one, "ann", 0, &again) && again, "after the commit it is the same answer");
    add_tell(batch, four, "bob", 1);
    commit(batch);
    ok(holds(a), "it holds");
    spar_experiment_close(a);
}

/* Voters who come for the first time. */
static void test_new_voters(const spar__store_class *cls)
{
    spar_experiment *a = new_experiment(new_place(cls), 4, 1);
    uint64_t one = ask(a, NULL), two = ask(a, NULL), number = 0;
    char *name = NULL, eve[] = "eve", comment[] = "because";
    spar_remarks *remarks = NULL;
    bool again;
    size_t ticket;
    must(spar_remarks_new(&remarks));
    must(spar_remarks_set_comment(remarks, comment, &err));
    spar__batch *batch = begin(a);
    must(spar__batch_tell(batch, one, eve, winner[0], remarks, &again, &ticket, &err));
    memset(eve, 'x', 3);
    must(spar_remarks_set_comment(remarks, "something else", &err));
    ok(try_tell(batch, two, "eve", 0, &again) == SPAR_BUSY, "%s: a new voter is known at once", cls->name);
    (void)add_ask(batch, "fay");
    ok(spar__batch_ask(batch, "fay", &ticket, &err) == SPAR_BUSY, "and made once");
    (void)add_ask(batch, "eve");
    (void)add_ask(batch, "gus");
    add_tell(batch, two, "hal", 1);
    commit(batch);
    ok(spar_experiment_open_screens(a, "eve", 1, &number) == 1 && number == 4 &&
           spar_experiment_last_answered(a, "eve") == one && spar_experiment_last_answered(a, "hal") == two &&
           spar_experiment_open_screens(a, "fay", 1, &number) == 1 && number == 3 &&
           spar_experiment_open_screens(a, "gus", 1, &number) == 1 && number == 5,
       "each has what is theirs");
    must(spar_experiment_voter_name(a, a->state->open[0].voter, &name, &err));
    same_text(name, "fay", "the name is kept");
    spar_text_free(name);
    must(spar_experiment_comment(a, one, 0, &name, &err));
    same_text(name, "because", "and the comment as it was");
    spar_text_free(name);
    spar_remarks_free(remarks);
    ok(holds(a), "it holds");
    spar_experiment_close(a);
}

/* Is there a snapshot of an event from .. to - 1? */
static bool has_snapshot(spar_experiment *experiment, uint64_t from, uint64_t to)
{
    uint64_t sequence[32];
    size_t n = 0;
    must(spar__store_snapshot_list(experiment->store, experiment->id, 32, sequence, &n, &err));
    for (size_t i = 0; i < n; i++)
        if (sequence[i] >= from && sequence[i] < to)
            return true;
    return false;
}

/* Undos share a batch with each other and with the rest. */
static void test_undos(const spar__store_class *cls)
{
    spar_experiment *a = new_experiment(new_place(cls), 4, 1);
    uint64_t undone, start;
    spar__snapshot_every = 7;
    for (uint64_t i = 1; i <= 20; i++) {
        (void)ask(a, NULL);
        must(tell(a, i, NULL, i % 3));
    }
    uint64_t open = ask(a, NULL), third = 6 + 6; /* the answer to screen 3: six events before the first screen */
    start = spar_experiment_sequence(a);
    bool kept = has_snapshot(a, third, start + 1);
    spar__batch *batch = begin(a);
    for (uint64_t i = 3; i <= 15; i += 4)
        add_undo(batch, i);
    add_tell(batch, open, "ann", 0);
    (void)add_ask(batch, "ann");
    commit(batch);
    same_text(log_after(a, start), "u3 u7 u11 u15 a21 s22", "%s: undos, an answer, a screen", cls->name);
    spar_experiment_counts(a, NULL, NULL, &undone, NULL);
    ok(undone == 4 && spar_experiment_open_screens(a, NULL, 0, NULL) == 5, "four are open again");
    ok(holds(a) && kept && !has_snapshot(a, third, start + 6) && has_snapshot(a, 1, third),
       "no trace of them, in no snapshot either");
    batch = begin(a);
    for (uint64_t i = 3; i <= 15; i += 4)
        add_tell(batch, i, NULL, 1);
    commit(batch);
    batch = begin(a);
    for (uint64_t i = 3; i <= 15; i += 4)
        add_undo(batch, i);
    commit(batch);
    ok(holds(a), "and again");
    spar__snapshot_every = 4096;
    spar_experiment_close(a);
}

/* A batch writes one snapshot, when it is freed, and none while the last one is to be recovered from. */
static void test_snapshots(const spar__store_class *cls)
{
    spar_experiment *a = new_experiment(new_place(cls), 4, 1);
    uint64_t start = spar_experiment_sequence(a);
    spar__snapshot_every = 3;
    spar__batch *batch = begin(a);
    for (int i = 0; i < 10; i++)
        (void)add_ask(batch, NULL);
    must(spar__batch_commit(batch, &err));
    bool before = has_snapshot(a, start + 1, UINT64_MAX);
    spar__batch_free(batch);
    ok(!before && has_snapshot(a, start + 10, start + 11) && !has_snapshot(a, start + 1, start + 10),
       "%s: one snapshot, after the commit", cls->name);
    a->snapshot_after = 1e30;
    for (uint64_t i = 1; i < 5; i++)
        must(tell(a, i, NULL, 0));
    ok(!has_snapshot(a, start + 11, UINT64_MAX), "no other one for a while");
    a->snapshot_after = 0;
    must(tell(a, 5, NULL, 0));
    ok(has_snapshot(a, start + 15, start + 16) && a->snapshot_after == 0, "which has passed; small ones take no time");
    spar__snapshot_every = 4096;
    spar_experiment_close(a);
}

/* Waits for the one that is under way, which is written. */
static void await_snapshot(spar_experiment *experiment)
{
    while (experiment->work) {
        (void)nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        spar__snapshot_collect(experiment);
    }
}

static void ask_ten(spar_experiment *experiment)
{
    spar__batch *batch = begin(experiment);
    for (int i = 0; i < 10; i++)
        (void)add_ask(batch, NULL);
    commit(batch);
}

/* Where others wait a batch begins a snapshot, which is written later; an undo meanwhile makes it useless. */
static void test_served(const spar__store_class *cls)
{
    spar_experiment *a = new_experiment(new_place(cls), 4, 1), *b;
    uint64_t start = spar_experiment_sequence(a);
    spar__snapshot_every = 3;
    spar__snapshot_large = 0;
    a->served = true;
    ask_ten(a);
    ok(a->work && !has_snapshot(a, 1, UINT64_MAX), "%s: a snapshot is begun, not written", cls->name);
    await_snapshot(a);
    ok(has_snapshot(a, start + 10, start + 11), "then it is");
    b = open_at(spar_experiment_place(a), SPAR_EXPERIMENT_WRITE);
    ok(b->snapshot == start + 10 && holds(b), "and can be read");
    spar_experiment_close(b);
    a->snapshot_after = 0;
    ask_ten(a);
    spar__snapshot_drop(a, start + 20, start + 21);
    await_snapshot(a);
    ok(!has_snapshot(a, start + 11, UINT64_MAX), "one that was dropped meanwhile is not written");
    for (uint64_t i = 1; i <= 9; i++) {
        a->snapshot_after = 0;
        must(tell(a, i, NULL, i % 3));
    }
    must(spar_experiment_undo(a, 2, NULL, SPAR_ANY_REVISION, NULL, &err));
    await_snapshot(a);
    ok(holds(a) && !has_snapshot(a, start + 22, start + 30), "nor one with an answer that was undone");
    a->snapshot_after = 0;
    ask_ten(a);
    spar__snapshot_every = 4096;
    spar__snapshot_large = 1 << 16;
    spar_experiment_close(a); /* with one under way */
}

/* However many experiments are due, few are compressed at once; one that finds no thread has its turn later. */
static void test_threads(const spar__store_class *cls)
{
    enum { N = 5 };
    spar_experiment *e[N];
    size_t begun = 0, again = 0, written = 0;
    for (size_t i = 0; i < N; i++) /* all before the first thread: a place may be served by a child */
        e[i] = new_experiment(new_place(cls), 4, i + 1);
    spar__snapshot_every = 3;
    spar__snapshot_large = 0;
    for (size_t i = 0; i < N; i++) {
        e[i]->served = true;
        ask_ten(e[i]);
        begun += e[i]->work != NULL;
        again += !e[i]->work && e[i]->snapshot == 0 && e[i]->snapshot_after > 0;
    }
    ok(begun == 2 && again == N - 2, "%s: of %d experiments %zu begin a snapshot", cls->name, N, begun);
    for (size_t i = 0; i < N; i++) {
        e[i]->snapshot_after = 0;
        spar__snapshot_take(e[i]);
        await_snapshot(e[i]);
        written += has_snapshot(e[i], 1, UINT64_MAX);
    }
    ok(written == N, "and all of them in turn, %zu", written);
    spar__snapshot_every = 4096;
    spar__snapshot_large = 1 << 16;
    for (size_t i = 0; i < N; i++)
        spar_experiment_close(e[i]);
}

/* Is what spar_experiment_open_screens says of each voter what the list of all says? */
static bool same_open(spar_experiment *experiment, size_t voters)
{
    const spar__fold *state = experiment->state;
    for (uint64_t v = 0; v <= voters; v++) {
        uint64_t listed[3] = {0}, found[3] = {0}, voter = 0;
        char name[24] = "";
        size_t n = 0;
        if (v)
            (void)snprintf(name, sizeof name, "voter %d", (int)v);
        must(spar__live_known_voter(experiment, name, &voter, &err));
        for (size_t i = 0; i < state->n_open; i++)
            if (state->open[i].voter == voter && n++ < 3)
                listed[n - 1] = state->open[i].number;
        if (spar_experiment_open_screens(experiment, name, 3, found) != n || memcmp(listed, found, sizeof found) != 0)
            return false;
    }
    return true;
}

/* Screens are asked, answered and taken back in any order; then they are asked of a state that was loaded. */
static void test_open(const spar__store_class *cls)
{
    enum { VOTERS = 4, TURNS = 400 };
    spar_experiment *a = new_experiment(new_place(cls), 4, 1), *b;
    uint64_t luck = 7;
    bool good = true;
    for (uint64_t v = 1; v <= VOTERS; v++) {
        char name[24];
        (void)snprintf(name, sizeof name, "voter %d", (int)v);
        (void)ask(a, name);
    }
    for (int turn = 0; turn < TURNS && good; turn++) {
        char name[24] = "";
        luck = luck * 6364136223846793005u + 1442695040888963407u;
        uint64_t v = (luck >> 33) % (VOTERS + 1), what = (luck >> 50) % 8;
        if (v)
            (void)snprintf(name, sizeof name, "voter %d", (int)v);
        if (what < 5)
            (void)ask(a, name);
        else if (what < 7 && a->state->n_open)
            must(tell(a, a->state->open[(luck >> 40) % a->state->n_open].number, NULL, 0));
        else if (spar_experiment_last_answered(a, NULL))
            (void)spar_experiment_undo(a, spar_experiment_last_answered(a, NULL), NULL, SPAR_ANY_REVISION, NULL, &err);
        good = same_open(a, VOTERS);
    }
    ok(good && a->state->n_open > 20, "%s: the open screens of each voter", cls->name);
    spar__snapshot_write(a);
    b = open_at(spar_experiment_place(a), SPAR_EXPERIMENT_WRITE);
    ok(b->snapshot == spar_experiment_sequence(a) && same_open(b, VOTERS), "also of a state that was loaded");
    while (b->state->n_open && good) {
        must(tell(b, b->state->open[b->state->n_open / 2].number, NULL, 1));
        good = same_open(b, VOTERS);
    }
    ok(good, "until none is left");
    spar_experiment_close(a);
    spar_experiment_close(b);
}

/* The lock is held by the batch and by nobody else; what is not committed was never there. */
static void test_lock(const spar__store_class *cls)
{
    spar_experiment *a = new_experiment(new_place(cls), 4, 1);
    spar_experiment *b = open_at(spar_experiment_place(a), SPAR_EXPERIMENT_WRITE), *reader;
    spar_screen *screen = NULL;
    spar__batch *batch = begin(a);
    uint64_t start = spar_experiment_sequence(a), number;
    (void)add_ask(batch, "ann");
    spar__store_patience = 50;
    ok(spar_experiment_ask(b, NULL, &screen, &err) == SPAR_BUSY, "%s: one batch at a time: %s", cls->name, err.text);
    spar__store_patience = 10000;
    spar__batch_free(batch);
    number = ask(b, "bob");
    ok(spar_experiment_sequence(b) == start + 1 && spar_experiment_open_screens(b, "ann", 0, NULL) == 0,
       "what was not committed is forgotten");
    batch = begin(a);
    ok(spar_experiment_sequence(a) == start + 1, "a batch begins with what others have written");
    must(spar__batch_commit(batch, &err));
    ok(spar_experiment_sequence(a) == start + 1 && ask(b, NULL) == number + 1, "an empty one writes nothing and ends");
    spar__batch_free(batch);
    spar__batch_free(NULL);
    reader = open_at(spar_experiment_place(a), SPAR_EXPERIMENT_READ);
    ok(spar__batch_begin(reader, &batch, &err) == SPAR_UNSUPPORTED && !batch, "%s", err.text);
    ok(spar__batch_begin(NULL, &batch, &err) == SPAR_INVALID && !batch, "%s", err.text);
    spar_experiment_close(a);
    spar_experiment_close(b);
    spar_experiment_close(reader);
}

/* A store whose lock holds nobody up: another program writes the same between check and commit. */
static void test_conflict(const spar__store_class *cls)
{
    spar_experiment *a = new_experiment(new_place(cls), 4, 1);
    spar_experiment *b = open_at(spar_experiment_place(a), SPAR_EXPERIMENT_WRITE);
    uint64_t one = ask(a, "ann"), two = ask(a, "bob"), start, number;
    must(spar_experiment_refresh(b, &err));
    start = spar_experiment_sequence(b);
    spar__batch *batch = begin(a);
    add_tell(batch, one, "ann", 0);
    add_tell(batch, two, "bob", 0);
    (void)add_ask(batch, "bob");
    (void)add_ask(batch, "eve");
    spar__store_unlock(a->store);
    must(tell(b, one, "ann", 1));
    (void)ask(b, "fay");
    must(spar__batch_commit(batch, &err));
    ok(spar__batch_result(batch, 0, &number, &err) == SPAR_CONFLICT && number == 0, "%s: %s", cls->name, err.text);
    ok(!spar__batch_result(batch, 1, &number, &err) && number == two, "the others are written");
    spar_status taken = spar__batch_result(batch, 2, NULL, &err);
    ok(taken == SPAR_CONFLICT && !spar__batch_result(batch, 3, &number, &err) && number == 4,
       "a number that was taken: %s", err.text);
    spar__batch_free(batch);
    same_text(log_after(a, start), "a1 s3 a2 s4", "once each");
    ok(holds(a), "it holds");
    spar_experiment_close(a);
    spar_experiment_close(b);
}

/* --- the same as without batches --- */

static void copy_log(spar_experiment *experiment, plain_fold *log)
{
    *log = (plain_fold){0};
    must(spar_experiment_each(experiment, 1, plain_add, log, &err));
}

/* The event without its time, and without the basis of a screen. */
static saved_bytes bare(spar_event *event)
{
    saved_bytes saved = {0};
    spar_event_set_stamp(event, spar_event_sequence(event), 0);
    if (spar_event_kind_of(event) == SPAR_EVENT_SCREEN)
        spar_event_set_basis(event, 0, spar_session_engine());
    must(spar_event_encode(event, &saved.bytes, &saved.length));
    return saved;
}

/* The options come first, and their texts have salts of their own. */
static bool same_log(spar_experiment *a, spar_experiment *b)
{
    plain_fold x, y;
    copy_log(a, &x);
    copy_log(b, &y);
    bool same = x.n == y.n;
    for (size_t i = 2 + spar_experiment_options(a); same && i < x.n; i++)
        same = same_bytes(bare(x.event[i]), bare(y.event[i]));
    for (size_t i = 0; i < x.n; i++)
        spar_event_free(x.event[i]);
    for (size_t i = 0; i < y.n; i++)
        spar_event_free(y.event[i]);
    free(x.event);
    free(y.event);
    return same;
}

/* Screens, answers and undos are the same events in the same order. Screens of a batch have the same basis. */
static void test_same(const spar__store_class *cls)
{
    enum { TURNS = 6, MANY = 9 };
    spar_setup *setup = new_setup(6, 3);
    spar_experiment *a = NULL, *b = NULL;
    must(spar_experiment_create(new_place(cls), setup, &a, &err));
    must(spar_experiment_create(new_place(cls), setup, &b, &err));
    bool based = true;
    for (uint64_t turn = 0; turn < TURNS; turn++) {
        uint64_t first = 1 + turn * MANY, basis = spar_experiment_sequence(b);
        spar__batch *batch = begin(b);
        for (uint64_t i = 0; i < MANY; i++) {
            (void)ask(a, NULL);
            (void)add_ask(batch, NULL);
        }
        commit(batch);
        based = based && !spar_experiment_each(b, basis + 1, check_basis, &basis, &err);
        batch = begin(b);
        for (uint64_t i = MANY; i-- > 0;) {
            must(tell(a, first + i, NULL, (i + turn) % 3));
            add_tell(batch, first + i, NULL, (i + turn) % 3);
        }
        commit(batch);
        batch = begin(b);
        for (uint64_t i = 0; i < turn && turn % 2; i++) {
            must(spar_experiment_undo(a, first + i, NULL, SPAR_ANY_REVISION, NULL, &err));
            add_undo(batch, first + i);
        }
        commit(batch);
    }
    ok(based, "%s: a batch is drawn from one state", cls->name);
    ok(same_log(a, b), "the same events as one by one");
    ok(same_bytes(policy_of(a->state), policy_of(b->state)) &&
           same_bytes(decision_of(a->state), decision_of(b->state)) && holds(a) && holds(b),
       "and the same state");
    spar_setup_free(setup);
    spar_experiment_close(a);
    spar_experiment_close(b);
}

int main(void)
{
    for (size_t place = 0; place < 3; place++) {
        must(spar_answer_new(&winner[place]));
        spar_answer_set_winner(winner[place], place);
    }
    for (const spar__store_class *const *cls = stores_here(); *cls; cls++) {
        test_order(*cls);
        test_refused(*cls);
        test_busy(*cls);
        test_new_voters(*cls);
        test_undos(*cls);
        test_snapshots(*cls);
        test_served(*cls);
        test_threads(*cls);
        test_open(*cls);
        test_lock(*cls);
        test_conflict(*cls);
        test_same(*cls);
    }
    for (size_t place = 0; place < 3; place++)
        spar_answer_free(winner[place]);
    close_places();
    return done();
}
