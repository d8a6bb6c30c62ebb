/* Options and settings that change; texts that are removed; imports, once only. */
#include "live/world.h"

#include "base/file.h"

static void test_settings(const spar__store_class *cls)
{
    spar_experiment *a = new_experiment(new_place(cls), 4, 1), *b;
    must(spar_experiment_set_slots(a, 3, &err));
    must(spar_experiment_set_access(a, SPAR_ACCESS_INVITED, &err));
    must(spar_experiment_set_results(a, SPAR_RESULTS_AFTER_VOTE, &err));
    same_text(spar_experiment_question(a), "Which tea?", "%s: the question stays", cls->name);
    must(spar_experiment_set_question(a, "Which now?", &err));
    b = open_at(spar_experiment_place(a), SPAR_EXPERIMENT_WRITE);
    ok(spar_experiment_slots(b) == 3 && spar_experiment_access(b) == SPAR_ACCESS_INVITED &&
           spar_experiment_results(b) == SPAR_RESULTS_AFTER_VOTE &&
           strcmp(spar_experiment_question(b), "Which now?") == 0,
       "settings");
    ok(spar_experiment_set_slots(a, 1, &err) == SPAR_INVALID && spar_experiment_set_slots(a, 99, &err), "m: %s",
       err.text);
    ok(spar_experiment_set_access(a, (spar_access)9, &err) == SPAR_INVALID &&
           spar_experiment_set_results(a, (spar_results_for)9, &err) == SPAR_INVALID,
       "others: %s", err.text);
    (void)ask(b, NULL);
    ok(spar_experiment_set_slots(a, 2, &err) == SPAR_UNSUPPORTED, "too late: %s", err.text);
    must(spar_experiment_set_slots(a, 3, &err));
    must(spar_experiment_set_question(a, NULL, &err));
    must(spar_experiment_refresh(b, &err));
    ok(!spar_experiment_question(b), "no question");
    uint64_t events = spar_experiment_sequence(a);
    must(spar_experiment_set_question(a, NULL, &err));
    must(spar_experiment_set_access(a, SPAR_ACCESS_INVITED, &err));
    must(spar_experiment_set_results(a, SPAR_RESULTS_AFTER_VOTE, &err));
    ok(spar_experiment_sequence(a) == events, "what is so already is not written");
    must(spar_experiment_set_question(a, "Which?", &err));
    must(spar_experiment_set_question(b, "Which?", &err));
    must(spar_experiment_set_question(b, "Which one?", &err));
    ok(spar_experiment_sequence(b) == events + 2, "what is not, is");
    ok(nothing_lost(b) && verifies(spar_experiment_place(a), NULL), "it holds");
    spar_experiment_close(a);
    spar_experiment_close(b);
}

static void test_options(const spar__store_class *cls)
{
    spar_experiment *a = new_experiment(new_place(cls), 3, 1), *b;
    spar_option *option = new_option("tea1");
    size_t arm = 0;
    b = open_at(spar_experiment_place(a), SPAR_EXPERIMENT_WRITE);
    ok(strcmp(spar_option_title(spar_experiment_option(b, 1)), "tea1") == 0, "%s: an option", cls->name);
    must(spar_option_set_title(option, "Green", &err));
    must(spar_experiment_add(a, option, &arm, &err));
    must(spar_experiment_refresh(b, &err));
    ok(arm == 1 && spar_experiment_options(b) == 3 &&
           strcmp(spar_option_title(spar_experiment_option(b, 1)), "Green") == 0,
       "a new version is seen by others");
    uint64_t events = spar_experiment_sequence(b);
    must(spar_experiment_add(b, option, &arm, &err));
    ok(arm == 1 && spar_experiment_sequence(b) == events, "the same again is no version");
    must(tell(a, ask(a, "ann"), "ann", 0));
    spar_option_free(option);
    option = new_option("tea9");
    must(spar_experiment_add(b, option, &arm, &err));
    must(spar_experiment_refresh(a, &err));
    ok(arm == 3 && spar_experiment_find(a, "tea9") == 3 && spar_experiment_is_live(a, 3), "one more");
    must(spar_option_set_features(option, 1, (double[]){1}, &err));
    ok(spar_experiment_add(b, option, &arm, &err) == SPAR_INVALID && arm == SPAR_NO_ARM, "features: %s", err.text);
    ok(spar_experiment_add(b, NULL, NULL, &err) == SPAR_INVALID && spar_experiment_retire(b, NULL, &err) &&
           spar_experiment_retire(b, "coffee", &err) == SPAR_UNKNOWN,
       "no such option: %s", err.text);
    spar_option_free(option);
    ok(nothing_lost(a) && verifies(spar_experiment_place(a), NULL), "it holds");
    spar_experiment_close(a);
    spar_experiment_close(b);
}

/* Is the word anywhere in the files of this place? */
static bool on_disk(const char *place, const char *word)
{
    const char *path = strchr(place, ':') + 1;
    static const char *const tail[] = {"", "-wal", "-shm", "-journal"};
    for (size_t i = 0; i < 4; i++) {
        char name[300];
        spar__buf bytes = {0};
        (void)snprintf(name, sizeof name, "%s%s", path, tail[i]);
        bool found = false;
        if (access(name, R_OK) == 0 && !spar__file_read(name, 0, &bytes, &err))
            for (size_t at = 0; at + strlen(word) <= bytes.length && !found; at++)
                found = memcmp(bytes.text + at, word, strlen(word)) == 0;
        spar__buf_free(&bytes);
        if (found)
            return true;
    }
    return false;
}

static void test_forget(const spar__store_class *cls)
{
    const char *place = new_place(cls);
    bool file = strcmp(cls->name, "memory") != 0;
    spar__snapshot_every = 4;
    spar_experiment *a = new_experiment(place, 3, 1);
    spar_option *option = new_option("secret-option");
    spar_answer *answer = NULL;
    spar_remarks *remarks = NULL;
    size_t removed = 0;
    char *text = NULL;
    must(spar_option_set_body(option, "wicked-words", &err));
    must(spar_experiment_add(a, option, NULL, &err));
    must(spar_answer_new(&answer));
    must(spar_remarks_new(&remarks));
    must(spar_remarks_set_comment(remarks, "because-of-reasons", &err));
    for (int i = 0; i < 5; i++) {
        uint64_t number = ask(a, i % 2 ? "ann-the-voter" : "bob");
        must(spar_experiment_tell(a, number, NULL, answer, remarks, NULL, &err));
    }
    spar_screen *screen = NULL;
    must(spar_experiment_screen(a, 2, &screen, &err));
    uint64_t ann = spar_screen_voter(screen);
    spar_screen_free(screen);
    must(spar_experiment_voter_name(a, ann, &text, &err));
    same_text(text ? text : "", "ann-the-voter", "%s: a name", cls->name);
    spar_text_free(text);
    must(spar_experiment_comment(a, 2, 0, &text, &err));
    same_text(text ? text : "", "because-of-reasons", "a comment");
    spar_text_free(text);
    ok(!file || (on_disk(place, "ann-the-voter") && on_disk(place, "wicked-words")), "they are on disk");

    must(spar_experiment_forget(a, "ann-the-voter", &removed, &err));
    ok(removed == 3, "a name and two comments are removed, not %zu texts", removed);
    must(spar_experiment_voter_name(a, ann, &text, &err));
    ok(!text, "the name is gone");
    must(spar_experiment_comment(a, 2, 0, &text, &err));
    ok(!text, "and the comment");
    must(spar_experiment_comment(a, 1, 0, &text, &err));
    ok(text != NULL, "bob's is there");
    spar_text_free(text);
    ok(spar_experiment_forget(a, "ann-the-voter", &removed, &err) == SPAR_UNKNOWN, "nobody left: %s", err.text);
    ok(spar_experiment_redact(a, "secret-option", &removed, &err) == SPAR_UNSUPPORTED, "live: %s", err.text);
    must(spar_experiment_retire(a, "secret-option", &err));
    must(spar_experiment_redact(a, "secret-option", &removed, &err));
    ok(removed == 1 && !spar_experiment_option(a, 3) && spar_experiment_find(a, "secret-option") == SPAR_NO_ARM,
       "the option is gone");
    ok(spar_experiment_redact(a, "secret-option", &removed, &err) == SPAR_UNKNOWN, "really: %s", err.text);
    must(spar_experiment_screen(a, 1, &screen, &err));
    spar_screen_free(screen);
    ok(nothing_lost(a) && verifies(place, NULL), "the log still verifies");
    spar_experiment_close(a);
    ok(!file || (!on_disk(place, "ann-the-voter") && !on_disk(place, "wicked-words") &&
                 !on_disk(place, "secret-option") && on_disk(place, "because-of-reasons")),
       "nothing of it is on disk");
    spar_verification *verification = NULL;
    must(spar_experiment_verify(place, NULL, NULL, NULL, &verification, &err));
    ok(spar_verification_removed(verification) == 3, "3 texts were removed");
    spar_verification_free(verification);
    spar_option_free(option);
    spar_answer_free(answer);
    spar_remarks_free(remarks);
}

static void comment_on(spar_experiment *experiment, uint64_t number, const char *voter, const char *comment)
{
    spar_answer *answer = NULL;
    spar_remarks *remarks = NULL;
    must(spar_answer_new(&answer));
    must(spar_remarks_new(&remarks));
    must(spar_remarks_set_comment(remarks, comment, &err));
    must(spar_experiment_tell(experiment, number, voter, answer, remarks, NULL, &err));
    spar_answer_free(answer);
    spar_remarks_free(remarks);
}

static uint64_t drops_of(const spar_experiment *experiment)
{
    uint64_t drops = 0;
    must(spar__store_text_drops(experiment->store, experiment->id, &drops, &err));
    return drops;
}

/* Two people answered the same screen, one after the other: each has a comment of their own. */
static void test_forget_one(const spar__store_class *cls)
{
    const char *place = new_place(cls);
    spar_experiment *a = new_experiment(place, 3, 1);
    char *text = NULL;
    size_t removed = 0;
    uint64_t number = ask(a, NULL), start, one, many;
    comment_on(a, number, "ann", "words of ann");
    must(spar_experiment_undo(a, number, NULL, SPAR_ANY_REVISION, NULL, &err));
    comment_on(a, number, "bob", "words of bob");
    for (int i = 0; i < 20; i++)
        comment_on(a, ask(a, "bob"), "bob", "more words");
    start = drops_of(a);
    must(spar_experiment_forget(a, "ann", &removed, &err));
    one = drops_of(a);
    must(spar_experiment_comment(a, number, 1, &text, &err));
    same_text(text ? text : "", "words of bob", "%s: the comment of somebody else stays", cls->name);
    spar_text_free(text);
    must(spar_experiment_comment(a, number, 0, &text, &err));
    ok(removed == 2 && !text, "that of the voter goes, with the name: %zu texts", removed);
    must(spar_experiment_forget(a, "bob", &removed, &err));
    many = drops_of(a);
    ok(removed == 22 && many - one == one - start, "many texts are dropped in as many steps as few");
    ok(verifies(place, NULL), "it holds");
    spar_experiment_close(a);
}

/* Who has the experiment open does not show what others have redacted. */
static void test_redacted_elsewhere(const spar__store_class *cls)
{
    const char *place = new_place(cls);
    spar_experiment *a = new_experiment(place, 3, 1), *b = open_at(place, SPAR_EXPERIMENT_WRITE);
    ok(spar_experiment_option(a, 0) && spar_experiment_option(a, 1), "%s: both are looked up", cls->name);
    must(spar_experiment_retire(b, "tea1", &err));
    must(spar_experiment_refresh(a, &err));
    ok(spar_experiment_option(a, 1) != NULL, "a retired option has a text");
    must(spar_experiment_redact(b, "tea1", NULL, &err));
    must(spar_experiment_refresh(a, &err));
    ok(!spar_experiment_option(a, 1) && spar_experiment_option(a, 0), "a redacted one has none");
    spar_experiment_close(a);
    spar_experiment_close(b);
}

/* What is done while somebody reads the file: twice, for it cannot be completed then. */
static spar_status forget_while_reading(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                                        const unsigned char hash[SPAR_HASH_SIZE], spar_error *why)
{
    spar_experiment *experiment = context;
    size_t removed = 9;
    (void)sequence, (void)bytes, (void)length, (void)hash;
    spar_status status = spar_experiment_forget(experiment, "ann-the-voter", &removed, why);
    ok(status == SPAR_BUSY && removed == 2 && strstr(why->text, "is removed, but"), "busy: %s", why->text);
    status = spar_experiment_forget(experiment, "ann-the-voter", &removed, why);
    ok(status == SPAR_BUSY && removed == 0, "still busy: %s", why->text);
    return SPAR_INTERRUPTED;
}

static void test_forget_busy(const spar__store_class *cls)
{
    const char *place = new_place(cls);
    spar_experiment *a = new_experiment(place, 3, 1);
    spar__store *reader = NULL;
    size_t removed = 9;
    if (strcmp(cls->name, "sqlite") != 0) { /* elsewhere readers keep no old bytes alive */
        spar_experiment_close(a);
        return;
    }
    comment_on(a, ask(a, "ann-the-voter"), NULL, "because-of-reasons");
    must(spar__store_open(place, SPAR__STORE_READ, &reader, &err));
    spar__store_patience = 50;
    ok(spar__store_read(reader, a->id, 1, 0, forget_while_reading, a, &err) == SPAR_INTERRUPTED, "read");
    spar__store_patience = 10000;
    ok(on_disk(place, "because-of-reasons"), "old bytes remain, as the sentence says");
    spar_experiment_close(a); /* the reader stays: closing does not empty the log */
    a = open_at(place, SPAR_EXPERIMENT_WRITE);
    ok(!spar_experiment_forget(a, "ann-the-voter", &removed, &err) && removed == 0, "completed: %s", err.text);
    ok(!on_disk(place, "because-of-reasons") && !on_disk(place, "ann-the-voter"), "nothing is left on disk");
    ok(spar_experiment_forget(a, "ann-the-voter", &removed, &err) == SPAR_UNKNOWN, "only once: %s", err.text);
    spar__store_close(reader);
    spar_experiment_close(a);
}

static void import(spar_experiment *experiment, size_t from, size_t to, const char *voter, uint64_t *added,
                   uint64_t *known)
{
    spar_import *rows = NULL;
    spar_answer *answer = NULL;
    must(spar_answer_new(&answer));
    must(spar_import_new(experiment, &rows, &err));
    for (size_t i = from; i < to; i++) {
        unsigned char key[SPAR_HASH_SIZE];
        char name[40], source[40];
        (void)snprintf(name, sizeof name, "%s%zu", voter, i % 3);
        (void)snprintf(source, sizeof source, "row %zu", i);
        spar_import_key(&i, sizeof i, key);
        spar_answer_set_winner(answer, i % 2);
        must(spar_import_add(rows, key, 2, (size_t[]){i % 4, (i + 1) % 4}, answer, name, 5, source, &err));
    }
    must(spar_import_finish(rows, added, known, &err));
    spar_import_free(rows);
    spar_answer_free(answer);
}

/* The same key with something else: refused, and the rows around it are counted as what they are. */
static void test_import_otherwise(const spar__store_class *cls)
{
    static const struct {
        size_t arm, winner;
        const char *voter, *what;
    } row[] = {{1, 0, "ann", "same"},  {1, 1, "ann", "answer"}, {2, 0, "ann", "option"},
               {1, 0, "bob", "voter"}, {1, 0, "new", "voter"},  {1, 0, NULL, "voter"}};
    spar_experiment *a = new_experiment(new_place(cls), 4, 1);
    unsigned char key[SPAR_HASH_SIZE];
    spar_answer *answer = NULL;
    must(spar_answer_new(&answer));
    must(tell(a, ask(a, "bob"), "bob", 0));
    spar_import_key("row", 3, key);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        spar_import *rows = NULL;
        uint64_t added, known, before = spar_experiment_sequence(a);
        must(spar_import_new(a, &rows, &err));
        spar_answer_set_winner(answer, 0);
        must(spar_import_add(rows, key, 2, (size_t[]){0, 1}, answer, "ann", 0, NULL, &err));
        spar_answer_set_winner(answer, row[i].winner);
        must(spar_import_add(rows, key, 2, (size_t[]){0, row[i].arm}, answer, row[i].voter, 0, NULL, &err));
        err = (spar_error){0};
        spar_status status = spar_import_finish(rows, &added, &known, &err);
        must(spar_experiment_refresh(a, &err));
        ok(status == (i ? SPAR_CONFLICT : SPAR_OK) && added == (i == 0) && known == 1 &&
               spar_experiment_sequence(a) == before + (i == 0),
           "%s: a key again, another %s: %s", cls->name, row[i].what, err.text);
        spar_import_free(rows);
    }
    spar_answer_free(answer);
    ok(nothing_lost(a) && verifies(spar_experiment_place(a), NULL), "it holds");
    spar_experiment_close(a);
}

static void test_import(const spar__store_class *cls)
{
    spar_experiment *a = new_experiment(new_place(cls), 4, 1);
    uint64_t added, known, before, imported;
    import(a, 0, 5000, "v", &added, &known);
    ok(added == 5000 && known == 0, "%s: 5000 rows", cls->name);
    before = spar_experiment_sequence(a);
    saved_bytes state = state_of(a);
    import(a, 0, 5000, "v", &added, &known);
    ok(added == 0 && known == 5000 && spar_experiment_sequence(a) == before && same_bytes(state, state_of(a)),
       "the same again changes nothing");
    must(spar_experiment_forget(a, "v0", NULL, &err));
    import(a, 4990, 5010, "v", &added, &known);
    ok(added == 10 && known == 10, "10 new ones");
    spar_experiment_counts(a, NULL, NULL, NULL, &imported);
    uint64_t voter = 0;
    ok(imported == 5010 && !spar__live_known_voter(a, "v0", &voter, &err) && voter &&
           !spar__live_known_voter(a, "v2", &voter, &err) && voter,
       "voters whose first rows were known have their names");
    spar_import *rows = NULL;
    spar_answer *answer = NULL;
    unsigned char key[SPAR_HASH_SIZE] = {0};
    must(spar_answer_new(&answer));
    must(spar_import_new(a, &rows, &err));
    spar_answer_set_winner(answer, 2);
    ok(spar_import_add(rows, key, 2, (size_t[]){0, 1}, answer, NULL, 0, NULL, &err) == SPAR_INVALID,
       "an answer for what was not shown: %s", err.text);
    spar_answer_set_winner(answer, 1);
    ok(spar_import_add(rows, key, 2, (size_t[]){0, 4}, answer, NULL, 0, NULL, &err) == SPAR_INVALID,
       "an option that is not there: %s", err.text);
    ok(spar_import_add(rows, key, 1, (size_t[]){0}, answer, NULL, 0, NULL, &err) == SPAR_INVALID &&
           spar_import_add(rows, NULL, 2, (size_t[]){0, 1}, answer, NULL, 0, NULL, &err) == SPAR_INVALID &&
           spar_import_add(NULL, key, 2, (size_t[]){0, 1}, answer, NULL, 0, NULL, &err) == SPAR_INVALID &&
           spar_import_add(rows, key, 2, (size_t[]){0, 1}, answer, "\n", 0, NULL, &err) == SPAR_INVALID &&
           spar_import_finish(NULL, NULL, NULL, &err),
       "arguments: %s", err.text);
    spar_import_free(rows);
    ok(spar_import_new(NULL, &rows, &err) == SPAR_INVALID && !rows, "no experiment: %s", err.text);
    spar_answer_free(answer);
    ok(nothing_lost(a) && verifies(spar_experiment_place(a), NULL), "it holds");
    spar_experiment_close(a);
}

static void test_backup(const spar__store_class *cls)
{
    const char *place = new_place(cls);
    char path[128];
    (void)snprintf(path, sizeof path, "%s/backup-%s", folder, cls->name);
    spar_experiment *a = new_experiment(place, 3, 1), *b = NULL;
    must(tell(a, ask(a, "ann"), "ann", 1));
    spar_status status = spar_experiment_backup(a, path, &err);
    if (status != SPAR_UNSUPPORTED) {
        must(status);
        must(spar_experiment_open(path, SPAR_EXPERIMENT_READ, &b, &err));
        ok(same_bytes(state_of(a), state_of(b)), "%s: a backup", cls->name);
        ok(spar_experiment_backup(a, path, &err) != SPAR_OK, "never over another one: %s", err.text);
    }
    spar_experiment_close(a);
    spar_experiment_close(b);
}

int main(void)
{
    for (const spar__store_class *const *cls = stores_here(); *cls; cls++) {
        spar__snapshot_every = 4096;
        test_settings(*cls);
        test_options(*cls);
        test_import(*cls);
        test_import_otherwise(*cls);
        test_backup(*cls);
        test_forget(*cls);
        test_forget_one(*cls);
        test_redacted_elsewhere(*cls);
        test_forget_busy(*cls);
    }
    close_places();
    return done();
}
