/* Verification finds what was done to a log: bits, events, answers, screens, texts, snapshots; and finds nothing wrong
 * with a log that nobody touched. Events are changed in the memory of a store, where a file would be changed on disk.
 */
#include "live/tamper.h"

#include "base/hash.h"

static const char *place;

static void chat(spar_experiment *experiment, size_t screens)
{
    spar_answer *answer = NULL;
    spar_remarks *remarks = NULL;
    must(spar_answer_new(&answer));
    must(spar_remarks_new(&remarks));
    must(spar_remarks_set_comment(remarks, "because", &err));
    for (size_t i = 0; i < screens; i++) {
        uint64_t number = ask(experiment, i % 2 ? "ann" : "bob");
        spar_answer_set_winner(answer, i % 3);
        must(spar_experiment_tell(experiment, number, NULL, answer, i % 4 ? NULL : remarks, NULL, &err));
        if (i % 5 == 4) {
            uint64_t next = ask(experiment, "cid");
            must(spar_experiment_undo(experiment, number, NULL, SPAR_ANY_REVISION, NULL, &err));
            (void)ask(experiment, "cid");
            must(tell(experiment, next, "cid", 0));
        }
    }
    spar_remarks_free(remarks);
    spar_answer_free(answer);
}

/* A log of about 60 events in a new place. */
static void make(void)
{
    leave_log();
    place = new_place(&spar__store_memory);
    spar__snapshot_every = 20;
    spar_experiment *experiment = new_experiment(place, 4, n_places);
    chat(experiment, 12);
    must(spar_experiment_retire(experiment, "tea3", &err));
    chat(experiment, 7);
    spar_experiment_close(experiment);
}

/* How many findings, and is this word in one of them? */
static size_t findings(const unsigned char *head, const char *word, bool *said)
{
    spar_verification *verification = NULL;
    *said = false;
    save_log();
    must(spar_experiment_verify(place, head, NULL, NULL, &verification, &err));
    size_t n = spar_verification_findings(verification);
    for (size_t i = 0; i < n; i++)
        *said = *said || strstr(spar_verification_finding(verification, i), word);
    if (n && !*said)
        printf("# found: %s\n", spar_verification_finding(verification, 0));
    spar_verification_free(verification);
    return n;
}

static bool verifies_now(const unsigned char *head)
{
    save_log();
    return verifies(place, head);
}

static bool finds(const char *word)
{
    bool said;
    return findings(NULL, word, &said) > 0 && said;
}

/* The chain as somebody would make it who has changed the log and knows how. */
static void chain_again(void)
{
    tampered_log *log = log_of();
    unsigned char hash[SPAR_HASH_SIZE] = {0};
    for (size_t i = 0; i < log->n; i++) {
        spar__put_u64(log->event[i].bytes + 6, i + 1);
        spar__chain_next(hash, log->event[i].bytes, log->event[i].length, hash);
        memcpy(log->event[i].hash, hash, sizeof hash);
    }
}

static void test_bits(void)
{
    make();
    tampered_log *log = log_of();
    ok(verifies_now(NULL), "a log that nobody touched");
    size_t missed = 0, tried = 0;
    for (size_t i = 0; i < log->n; i++)
        for (size_t at = 0; at < log->event[i].length; at += 1 + at / 9) {
            bool said;
            unsigned char bit = (unsigned char)(1u << (i + at) % 8);
            log->event[i].bytes[at] ^= bit;
            missed += !findings(NULL, "event", &said) || !said;
            tried++;
            log->event[i].bytes[at] ^= bit;
        }
    ok(missed == 0 && tried > 500, "%zu flipped bits, %zu of them not found", tried, missed);
    log->event[7].hash[5] ^= 1;
    ok(finds("event 8"), "a flipped bit in a hash");
    log->event[7].hash[5] ^= 1;
    ok(verifies_now(NULL), "and all is well again");
}

static void test_events(void)
{
    make();
    tampered_log *log = log_of();
    size_t n = log->n, missed = 0;
    for (size_t i = 1; i + 1 < n; i++) { /* removed */
        tampered_event gone = log->event[i];
        memmove(log->event + i, log->event + i + 1, (n - i - 1) * sizeof gone);
        log->n = n - 1;
        missed += !finds("event");
        memmove(log->event + i + 1, log->event + i, (n - i - 1) * sizeof gone);
        log->event[i] = gone;
        log->n = n;
    }
    ok(missed == 0, "any removed event");
    for (size_t i = 1; i + 2 < n; i++) { /* reordered */
        tampered_event first = log->event[i];
        log->event[i] = log->event[i + 1];
        log->event[i + 1] = first;
        missed += !finds("event");
        log->event[i + 1] = log->event[i];
        log->event[i] = first;
    }
    ok(missed == 0, "any two events that changed places");
    for (size_t i = 1; i + 1 < n; i++) { /* one that is there twice */
        tampered_event last = log->event[n - 1];
        log->event[n - 1] = log->event[i];
        missed += !finds("event");
        log->event[n - 1] = last;
    }
    ok(missed == 0, "any added event");
    unsigned char head[SPAR_HASH_SIZE];
    memcpy(head, log->event[n / 2].hash, sizeof head);
    ok(verifies_now(head), "a head that was noted at half of the log");
    log->n = n / 2;
    bool said;
    ok(findings(head, "noted", &said) && said, "a log that was cut off before the noted head");
    log->n = n;
    head[0] ^= 1;
    ok(findings(head, "noted", &said) && said, "a head that never was");
}

/* Finds the i-th event of a kind, from 0. */
static tampered_event *event_of(spar_event_kind kind, size_t i)
{
    tampered_log *log = log_of();
    for (size_t k = 0; k < log->n; k++)
        if (log->event[k].bytes[1] == (unsigned char)kind && i-- == 0)
            return &log->event[k];
    abort();
}

enum { BODY = 22, ANSWER = BODY + 8 + 4 + 8 + 4 + 4 }; /* the hash of an answer event */

static void test_rules(void)
{
    make();
    unsigned char head[SPAR_HASH_SIZE];
    memcpy(head, log_of()->event[log_of()->n - 1].hash, sizeof head);
    tampered_event *answer = event_of(SPAR_EVENT_ANSWER, 1);
    unsigned char *slot = answer->bytes + ANSWER + 1 + 1;
    if (answer->bytes[ANSWER] != 0 || answer->bytes[ANSWER + 1] != SPAR_ANSWER_WINNER)
        abort();
    unsigned char was = *slot;
    *slot = 77;
    chain_again();
    ok(finds("against the rules"), "an answer for an option that was not shown");
    *slot = was == 0 ? 1 : 0;
    chain_again();
    ok(finds("would have shown"), "another answer, in a chain that fits: the screens after it do not");
    bool said;
    ok(findings(head, "noted", &said) && said, "and the head that was noted is not there");
    *slot = was;
    chain_again();
    ok(verifies_now(head), "and all is well again");

    tampered_event *screen = event_of(SPAR_EVENT_SCREEN, 3);
    unsigned char *arm = screen->bytes + BODY + 8 + 8 + 8 + 4 + 4 + 4 + 4; /* place, arm, prob of each slot */
    unsigned char first = arm[4], second = arm[4 + 16];
    arm[4] = second;
    arm[4 + 16] = first;
    chain_again();
    ok(finds("would have shown"), "a screen that the policy would not have made");
    arm[4] = first;
    arm[4 + 16] = second;
    first = arm[0];
    second = arm[16];
    arm[0] = second;
    arm[16] = first;
    chain_again();
    ok(finds("would have shown"), "and one that was shuffled in another way");
    arm[0] = first;
    arm[16] = second;
    screen->bytes[BODY + 16] ^= 1;
    chain_again();
    ok(finds("event"), "another basis");
    screen->bytes[BODY + 16] ^= 1;
    unsigned char number = screen->bytes[BODY];
    screen->bytes[BODY] = 1;
    chain_again();
    ok(finds("screen 1 was asked before"), "a screen that was asked and answered before");
    screen->bytes[BODY] = number;
    tampered_event *undo = event_of(SPAR_EVENT_UNDO, 0);
    undo->bytes[BODY + 8] ^= 2;
    chain_again();
    ok(finds("no answer to undo"), "an undo of an answer that never was");
    undo->bytes[BODY + 8] ^= 2;
    chain_again();
    ok(verifies_now(NULL), "and all is well again");
}

static void test_texts(void)
{
    make();
    tampered_log *log = log_of();
    size_t missed = 0, hashed = 0;
    for (size_t i = 0; i < log->n_texts; i++) {
        unsigned char *bytes = (unsigned char *)(uintptr_t)log->text[i].bytes;
        if (log->text[i].kind == SPAR__TEXT_VOTER)
            continue;
        bytes[0] ^= 1;
        missed += !finds("text");
        bytes[0] ^= 1;
        hashed++;
    }
    ok(missed == 0 && hashed > 6, "a change in any of %zu texts", hashed);
    log->text[1].version += 5;
    ok(finds("no event knows"), "a text that no event knows");
    log->text[1].version -= 5;
    ok(verifies_now(NULL), "and all is well again");
}

static bool is_missed(spar__text_kind kind, uint64_t owner)
{
    make();
    spar__text_key key = {kind, owner, 0};
    spar__text_dropped dropped;
    must(spar__store_text_drop(keeper[n_places - 1], 1, 1, &key, &dropped, &err));
    return finds("is missing");
}

static void test_missing_texts(void)
{
    ok(is_missed(SPAR__TEXT_ARM, 0), "a live option without its text");
    ok(is_missed(SPAR__TEXT_QUESTION, 0), "an experiment without its question");
    ok(!is_missed(SPAR__TEXT_ARM, 3) && verifies_now(NULL), "a retired option may be redacted");
    ok(!is_missed(SPAR__TEXT_COMMENT, 1) && verifies_now(NULL), "and a comment forgotten");
}

/* A copy from farther back may be of the same bytes: then the flip changes nothing. */
static bool expands_to(const tampered_snapshot *blob, const unsigned char *whole, size_t n)
{
    unsigned char *bytes = NULL;
    size_t length = 0;
    bool same = !spar__lz4_decompress(blob->bytes, blob->length, &bytes, &length) && length == n &&
                memcmp(bytes, whole, n) == 0;
    spar__free(bytes);
    return same;
}

static void test_snapshots(void)
{
    make();
    tampered_log *log = log_of();
    ok(log->n_snapshots > 0, "there are snapshots");
    spar_experiment *experiment = open_at(place, SPAR_EXPERIMENT_READ);
    saved_bytes state = state_of(experiment);
    spar_experiment_close(experiment);
    size_t missed = 0, wrong = 0;
    for (size_t i = 0; i < log->n_snapshots; i++) {
        unsigned char *whole = NULL;
        size_t n = 0;
        must(spar__lz4_decompress(log->snapshot[i].bytes, log->snapshot[i].length, &whole, &n));
        for (size_t at = 20; at < log->snapshot[i].length; at += 97) {
            log->snapshot[i].bytes[at] ^= 4;
            missed += !finds("snapshot") && !expands_to(&log->snapshot[i], whole, n);
            experiment = open_at(place, SPAR_EXPERIMENT_READ);
            saved_bytes now = state_of(experiment);
            wrong += now.length != state.length || memcmp(now.bytes, state.bytes, now.length) != 0;
            spar_bytes_free(now.bytes);
            spar_experiment_close(experiment);
            log->snapshot[i].bytes[at] ^= 4;
        }
        spar__free(whole);
    }
    ok(missed == 0, "a flipped bit in a snapshot is found");
    ok(wrong == 0, "and never gets into the state");
    log->snapshot[0].about.hash[0] ^= 1;
    ok(finds("snapshot"), "a snapshot of another log is found");
    log->snapshot[0].about.hash[0] ^= 1;
    spar_bytes_free(state.bytes);
    ok(verifies_now(NULL), "and all is well again");
}

static void replace_snapshot(const spar__store_snapshot *about, const unsigned char *state, size_t n)
{
    unsigned char *bytes = NULL;
    size_t length = 0;
    must(spar__lz4_compress(state, n, &bytes, &length));
    must(spar__store_snapshot_put(keeper[n_places - 1], 1, about, bytes, length, &err));
    spar__free(bytes);
}

/* A snapshot of an older program is not loaded, and so need not be the state; a damaged one is damaged. */
static void test_old_snapshot(void)
{
    make();
    const tampered_snapshot *last = &log_of()->snapshot[log_of()->n_snapshots - 1];
    const spar__store_snapshot about = last->about;
    unsigned char *state = NULL;
    size_t n = 0;
    must(spar__lz4_decompress(last->bytes, last->length, &state, &n));
    leave_log();
    state[8] = 1; /* the version of the format */
    replace_snapshot(&about, state, n);
    ok(finds("is not the state there"), "a snapshot with another version and a wrong checksum");
    spar__put_u64(state + n - 8, spar__hash_of(state, n - 8));
    replace_snapshot(&about, state, n);
    spar_experiment *experiment = open_at(place, SPAR_EXPERIMENT_READ);
    ok(nothing_lost(experiment) && experiment->snapshot < about.sequence && verifies_now(NULL),
       "one of an older program is passed over");
    spar_experiment_close(experiment);
    spar__free(state);
}

static void put_snapshot(uint64_t sequence, uint32_t engine)
{
    const spar__store_snapshot about = {.sequence = sequence, .engine = engine};
    must(spar__store_snapshot_put(keeper[n_places - 1], 1, &about, about.hash, sizeof about.hash, &err));
}

/* Nothing that is put beside a forged snapshot hides it. */
static void test_snapshot_numbers(void)
{
    make();
    size_t n = log_of()->n;
    leave_log();
    put_snapshot(n + 1, spar_session_engine());
    ok(finds("no such event"), "a snapshot behind the end");
    make();
    put_snapshot(0, 99);
    ok(finds("of event 0,"), "a snapshot before the first event");
    make();
    tampered_log *log = log_of();
    log->snapshot[log->n_snapshots - 1].bytes[30] ^= 4;
    uint64_t forged = log->snapshot[log->n_snapshots - 1].about.sequence;
    n = log->n;
    leave_log();
    for (uint64_t i = 1; i <= 70; i++)
        if (i != forged && i <= n)
            put_snapshot(i, 99);
    ok(finds("is not the state there"), "a forged one among %zu of another engine", log_of()->n_snapshots);
    make();
    spar_experiment *experiment = open_at(place, SPAR_EXPERIMENT_WRITE);
    chat(experiment, 40);
    spar_experiment_close(experiment);
    for (uint64_t i = 1; i <= 80; i++)
        put_snapshot(i, 99);
    ok(finds("more than 64 snapshots"), "too many");
    experiment = open_at(place, SPAR_EXPERIMENT_WRITE);
    must(spar_experiment_replay(experiment, NULL, NULL, &err));
    spar_experiment_close(experiment);
    ok(log_of()->n_snapshots == 1 && verifies_now(NULL), "a replay leaves one");
}

/* What another version of the program drew cannot be drawn again; its snapshots are of no use. */
static void test_engines(void)
{
    make();
    tampered_log *log = log_of();
    for (size_t i = 0; i < log->n_snapshots; i++)
        log->snapshot[i].about.engine = 99;
    save_log();
    spar_experiment *experiment = open_at(place, SPAR_EXPERIMENT_READ);
    ok(experiment->snapshot == 0 && nothing_lost(experiment) && verifies_now(NULL),
       "snapshots of another engine are ignored");
    spar_experiment_close(experiment);
    uint64_t screens = 0, other = 0;
    event_of(SPAR_EVENT_SCREEN, 2)->bytes[BODY + 24] = 99;
    chain_again();
    save_log();
    spar_verification *verification = NULL;
    must(spar_experiment_verify(place, NULL, NULL, NULL, &verification, &err));
    screens = spar_verification_screens(verification);
    other = spar_verification_other(verification);
    ok(spar_verification_holds(verification) && other == 1 && screens > 20,
       "%d screens were drawn again, %d of another engine were not", (int)screens, (int)other);
    spar_verification_free(verification);
}

static bool stop(void *context, double share)
{
    *(double *)context = share;
    return false;
}

/* Somebody comments, adds an option and asks something else while the log is read. */
static bool meddle(void *context, double share)
{
    spar_experiment **experiment = context;
    if (!*experiment)
        return share >= 0;
    spar_option *option = new_option("late");
    chat(*experiment, 1);
    must(spar_experiment_add(*experiment, option, NULL, &err));
    must(spar_experiment_set_question(*experiment, "Which, then?", &err));
    spar_option_free(option);
    spar__snapshot_write(*experiment);
    spar_experiment_close(*experiment);
    *experiment = NULL;
    return true;
}

static void test_meanwhile(void)
{
    make();
    spar__snapshot_every = 1000;
    spar_experiment *experiment = open_at(place, SPAR_EXPERIMENT_WRITE);
    for (int i = 0; i < 4100; i++)
        (void)ask(experiment, "ann");
    spar_verification *verification = NULL;
    must(spar_experiment_verify(place, NULL, meddle, &experiment, &verification, &err));
    ok(!experiment && spar_verification_holds(verification), "a log that grows meanwhile holds: %s",
       spar_verification_findings(verification) ? spar_verification_finding(verification, 0) : "");
    spar_verification_free(verification);
    spar__snapshot_every = 20;
}

int main(void)
{
    test_bits();
    test_events();
    test_rules();
    test_texts();
    test_missing_texts();
    test_snapshots();
    test_old_snapshot();
    test_snapshot_numbers();
    test_engines();
    test_meanwhile();
    spar_verification *verification = NULL;
    double share = -1;
    ok(spar_experiment_verify(place, NULL, stop, &share, &verification, &err) == SPAR_INTERRUPTED && !verification &&
           share >= 0 && share <= 1,
       "progress can stop it");
    ok(spar_experiment_verify("memory:nowhere", NULL, NULL, NULL, &verification, &err) && !verification,
       "nothing there: %s", err.text);
    leave_log();
    close_places();
    return done();
}
