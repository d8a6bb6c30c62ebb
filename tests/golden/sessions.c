/* A log and the saved session that it makes, of every version of their formats: tests/golden/session-VERSION/log and
 * /state. Both must be read for ever, and say the same.
 *
 *     test_golden_sessions --write   writes the files of the present version */
#include "base/hash.h"
#include "base/file.h"
#include "session/log.h"

#include <sys/stat.h>

enum { VERSION = 1, ARMS = 3 };

static spar_error err;

/* One of each kind of answer, an import, an arm that comes and one that goes, and a question left open. */
static void live(spar_session *session)
{
    static const size_t arm[] = {3, 0};
    spar_answer *answer = NULL;
    uint64_t number;
    bool good = !spar_answer_new(&answer);
    for (int i = 0; good && i < 7; i++) {
        good = !spar_session_ask(session, &number, &err);
        if (i == 1)
            spar_answer_set_winner(answer, 1);
        if (i == 2)
            good &= !spar_answer_set_ranking(answer, 2, (size_t[]){1, 0}, (size_t[]){0, 0}, &err);
        if (i == 3)
            good &= !spar_answer_add_pair(answer, 0, 1, SPAR_WIN, &err);
        if (i == 4)
            spar_answer_set_tie(answer);
        if (i == 5)
            spar_answer_set_bad(answer);
        if (i < 6)
            good &= !spar_session_tell(session, number, answer, &err);
    }
    spar_answer_set_winner(answer, 0);
    good &= !spar_session_add_arm(session, (double[]){0.5}, "late", NULL, &err) &&
            !spar_session_import(session, 2, arm, answer, &err) && !spar_session_retire_arm(session, 1, &err);
    spar_answer_free(answer);
    ok(good, "a short life %s", err.text);
}

static void write_them(const char *folder)
{
    char path[4200];
    test_log log = {0};
    spar__buf text = {0};
    spar_arms *arms = NULL;
    spar_session *session = NULL;
    unsigned char *bytes = NULL, size[4];
    size_t length = 0;
    (void)mkdir(folder, 0777);
    if (spar_arms_new(ARMS, 1, (double[]){0, 0.3, 1}, (const char *const[]){"a", "b", "c"}, &arms) ||
        spar_session_new("self_sparring/thompson/beta", arms, 2, 0, 12, &session, &err) ||
        spar_session_set_shuffle(session, true, &err) || spar_session_log(session, log_write, &log, &err))
        abort();
    live(session);
    for (size_t i = 0; i < log.n; i++) { /* each event behind its length */
        spar__put_u32(size, (uint32_t)log.length[i]);
        spar__buf_add(&text, (const char *)size, sizeof size);
        spar__buf_add(&text, (const char *)log.bytes[i], log.length[i]);
    }
    (void)snprintf(path, sizeof path, "%s/log", folder);
    ok(!spar__file_write(path, text.text, text.length, &err), "%s is written", path);
    (void)snprintf(path, sizeof path, "%s/state", folder);
    ok(!spar_session_save(session, &bytes, &length, &err) && !spar__file_write(path, (const char *)bytes, length, &err),
       "%s is written", path);
    spar_bytes_free(bytes);
    spar__buf_free(&text);
    spar_session_free(session);
    spar_arms_free(arms);
    log_free(&log);
}

/* The session that the log makes; every event must be encoded as it was. */
static spar_session *replay(const spar__buf *text)
{
    spar_event *event = NULL;
    spar_session *session = NULL;
    if (spar_event_new(&event) || spar_session_new_empty(&session))
        abort();
    const unsigned char *at = (const unsigned char *)text->text, *end = at + text->length;
    bool good = true, same = true;
    while (good && at < end) {
        size_t length = spar__get_u32(at), again_length = 0;
        unsigned char *again = NULL;
        good = !spar_event_decode(event, at + 4, length, &err) && !spar_session_apply(session, event, &err);
        same &= good && !spar_event_encode(event, &again, &again_length) && again_length == length &&
                memcmp(again, at + 4, length) == 0;
        spar_bytes_free(again);
        at += 4 + length;
    }
    ok(good && spar_session_questions(session) == 7, "the log makes a session %s", err.text);
    ok(same, "and its events are encoded as they were");
    spar_event_free(event);
    return session;
}

static bool same_scores(spar_session *a, spar_session *b)
{
    double x[ARMS + 1], y[ARMS + 1];
    return !spar_session_score(a, ARMS + 1, x, &err) && !spar_session_score(b, ARMS + 1, y, &err) &&
           memcmp(x, y, sizeof x) == 0;
}

/* The same open questions, showing the same in the same places. */
static bool same_questions(spar_session *a, spar_session *b)
{
    uint64_t n = 0;
    bool same = spar_session_questions(a) == spar_session_questions(b);
    do {
        n = spar_session_next_open(a, n);
        for (size_t j = 0; n && j < 2; j++)
            same &= spar_session_slot_arm(a, n, j) == spar_session_slot_arm(b, n, j) &&
                    spar_session_slot(a, n, j) == spar_session_slot(b, n, j);
    } while (n);
    return same && spar_session_next_open(b, 0) == 7 && spar_session_sequence(a) == spar_session_sequence(b);
}

static void read_them(const char *folder)
{
    char path[4200];
    spar__buf log = {0}, state = {0};
    spar_session *loaded = NULL;
    (void)snprintf(path, sizeof path, "%s/log", folder);
    bool read = !spar__file_read(path, 0, &log, &err);
    (void)snprintf(path, sizeof path, "%s/state", folder);
    if (!ok(read && !spar__file_read(path, 0, &state, &err), "%s is there", folder)) {
        printf("# %s\n", err.text);
        return;
    }
    spar_session *replayed = replay(&log);
    ok(!spar_session_load((unsigned char *)state.text, state.length, &loaded, &err), "the saved session loads %s",
       err.text);
    ok(loaded && same_questions(loaded, replayed) && same_scores(loaded, replayed), "and is what the log makes");
    ok(loaded && spar_session_find(loaded, "late") == 3 && !spar_arms_alive(spar_session_arms(loaded), 1),
       "with its names and arms");
    spar_session_free(loaded);
    spar_session_free(replayed);
    spar__buf_free(&log);
    spar__buf_free(&state);
}

int main(int argc, char **argv)
{
    const char *tests = getenv("SPAR_TESTS");
    bool writes = argc > 1 && strcmp(argv[1], "--write") == 0;
    for (int version = writes ? VERSION : 1; version <= VERSION; version++) {
        char folder[4096];
        (void)snprintf(folder, sizeof folder, "%s/golden/session-%d", tests ? tests : "tests", version);
        if (writes)
            write_them(folder);
        else
            read_them(folder);
    }
    return done();
}
