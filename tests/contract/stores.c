/* Every kind of store keeps the rules of store/store.h. stores [NAME]: of that kind only. PostgreSQL is tried where
 * SPAR_POSTGRES has the URL of a database (tests/fleet/postgres.py starts one): each place is a schema of its own. */
#include "base/alloc.h"
#include "store/class.h"
#include "store/digest.h"
#include "tap.h"

#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MOST_PLACE = 400 };

static char folder[64]; /* for stores that are files */
static unsigned n_places;

static bool is_postgres(const spar__store_class *cls)
{
    return strcmp(cls->name, "postgres") == 0;
}

/* A place where nothing is yet. */
static const char *new_place(const spar__store_class *cls)
{
    static char place[MOST_PLACE];
    bool file = strcmp(cls->name, "memory") != 0;
    if (is_postgres(cls)) {
        const char *url = getenv("SPAR_POSTGRES");
        (void)snprintf(place, sizeof place, "%s%cschema=contract_%u", url, strchr(url, '?') ? '&' : '?', ++n_places);
        return place;
    }
    (void)snprintf(place, sizeof place, "%s:%s%s%u", cls->scheme[0], file ? folder : "", file ? "/" : "contract-",
                   ++n_places);
    return place;
}

static void remove_folder(void)
{
    DIR *entries = opendir(folder);
    const struct dirent *entry;
    while (entries && (entry = readdir(entries))) {
        char path[MOST_PLACE];
        (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        (void)unlink(path);
    }
    if (entries)
        (void)closedir(entries);
    (void)rmdir(folder);
}

static spar__store *open_at(const char *place, spar__store_mode mode)
{
    spar__store *store = NULL;
    spar_error err = {0};
    if (spar__store_open(place, mode, &store, &err))
        printf("# %s: %s\n", place, err.text);
    return store;
}

static spar_event *new_event(void)
{
    spar_event *event;
    if (spar_event_new(&event))
        abort();
    return event;
}

static spar_round *new_round(size_t m)
{
    static const size_t arm[] = {0, 1, 2, 3};
    spar_round *round;
    if (spar_round_new(m, &round) || spar_round_set(round, m, arm))
        abort();
    return round;
}

static spar_answer *new_answer(size_t winner)
{
    spar_answer *answer;
    if (spar_answer_new(&answer))
        abort();
    spar_answer_set_winner(answer, winner);
    return answer;
}

static spar_event *screen_event(uint64_t number)
{
    spar_event *event = new_event();
    spar_round *round = new_round(3);
    if (spar_event_set_screen(event, number, round, NULL))
        abort();
    spar_round_free(round);
    return event;
}

static spar_event *answer_event(uint64_t number, uint32_t revision, size_t winner)
{
    spar_event *event = new_event();
    spar_answer *answer = new_answer(winner);
    if (spar_event_set_answer(event, number, revision, answer))
        abort();
    spar_answer_free(answer);
    return event;
}

static spar_event *undo_event(uint64_t number, uint32_t revision)
{
    spar_event *event = new_event();
    spar_event_set_undo(event, number, revision);
    return event;
}

/* Keys that differ in their last byte only, so that a store that looks at the first ones is found out. */
static spar_event *import_event(unsigned char key)
{
    unsigned char bytes[SPAR_HASH_SIZE] = {0};
    spar_event *event = new_event();
    spar_round *round = new_round(2);
    spar_answer *answer = new_answer(1);
    bytes[SPAR_HASH_SIZE - 1] = key;
    if (spar_event_set_imported(event, bytes, round, answer))
        abort();
    spar_answer_free(answer);
    spar_round_free(round);
    return event;
}

static spar_event *closed_event(void)
{
    spar_event *event = new_event();
    spar_event_set_closed(event);
    return event;
}

/* Appends one event, frees it, gives its status or that of the append. */
static spar_status append_one(spar__store *store, uint64_t experiment, spar_event *event, const spar__store_text *text,
                              size_t n_texts)
{
    spar__store_entry entry = {event, text, n_texts, SPAR_OK, {0}};
    spar_error err = {0};
    spar_status status = spar__store_append(store, experiment, 1, &entry, &err);
    if (status)
        printf("# append: %s\n", err.text);
    spar_event_free(event);
    return status ? status : entry.status;
}

typedef struct reading {
    uint64_t next, stop; /* stop: the event at which it gives up, 0: none */
    unsigned char hash[SPAR_HASH_SIZE];
    bool good;
    char kinds[64]; /* a letter each: which came */
} reading;

static spar_status read_one(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                            const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    reading *r = context;
    spar_event *event = new_event();
    if (sequence == r->stop)
        r->good = r->good && sequence == r->next;
    else {
        spar__chain_next(r->hash, bytes, length, r->hash);
        r->good = r->good && sequence == r->next && !memcmp(hash, r->hash, SPAR_HASH_SIZE) &&
                  !spar_event_decode(event, bytes, length, err) && spar_event_sequence(event) == sequence;
        size_t used = strlen(r->kinds);
        if (r->good && used + 1 < sizeof r->kinds)
            r->kinds[used] = spar_event_kind_name(spar_event_kind_of(event))[0];
    }
    r->next++;
    spar_event_free(event);
    return sequence == r->stop ? SPAR_INTERRUPTED : SPAR_OK;
}

/* The kinds of all events of a log whose chain holds, else "broken". */
static const char *kinds_of(spar__store *store, uint64_t experiment)
{
    static reading r;
    spar_error err = {0};
    r = (reading){.next = 1, .good = true};
    if (spar__store_read(store, experiment, 1, 0, read_one, &r, &err) || !r.good) {
        printf("# read: %s\n", err.text);
        return "broken";
    }
    return r.kinds;
}

static void test_modes(const spar__store_class *cls)
{
    const char *place = new_place(cls);
    spar__store *store = (spar__store *)&store;
    spar_error err = {0};
    uint64_t experiment;
    ok(spar__store_open(place, SPAR__STORE_WRITE, &store, &err) == SPAR_IO && !store && err.text[0],
       "%s: writing needs a store that is there: %s", cls->name, err.text);
    ok(spar__store_open(place, SPAR__STORE_READ, &store, &err) == SPAR_IO && !store, "so does reading");
    spar__store *first = open_at(place, SPAR__STORE_CREATE);
    ok(first && strcmp(spar__store_class_name(first), cls->name) == 0, "it is created");
    ok(first && !spar__store_create(first, "", &experiment, &err) && experiment > 0, "with an experiment");
    spar__store *reader = open_at(place, SPAR__STORE_READ), *again = open_at(place, SPAR__STORE_CREATE);
    ok(reader && again, "opened again");
    spar_event *event = closed_event();
    spar__store_entry entry = {event, NULL, 0, SPAR_OK, {0}};
    ok(spar__store_append(reader, experiment, 1, &entry, &err) == SPAR_INVALID && strstr(err.text, "reading"),
       "a reader does not append: %s", err.text);
    ok(spar__store_create(reader, "x", &experiment, &err) == SPAR_INVALID &&
           spar__store_secret_put(reader, "s", (const unsigned char *)"", 0, NULL) == SPAR_INVALID &&
           spar__store_secret_add(reader, 0, NULL, NULL) == SPAR_INVALID &&
           spar__store_secret_drop(reader, "s", NULL) == SPAR_INVALID && spar__store_hold(reader, NULL) == SPAR_INVALID,
       "nor does it write anything else");
    spar_event_free(event);
    spar__store_close(again);
    spar__store_close(reader);
    spar__store_close(first);
    spar__store_close(NULL);
}

static spar_status count_one(void *context, uint64_t experiment, const char *name)
{
    (void)name;
    size_t *n = context;
    return ++*n == experiment ? SPAR_OK : SPAR_CORRUPT; /* numbered as they were made */
}

static void test_experiments(const spar__store_class *cls)
{
    spar__store *store = open_at(new_place(cls), SPAR__STORE_CREATE);
    spar_error err = {0};
    uint64_t a = 0, b = 0, found = 9;
    size_t n = 0;
    ok(spar__store_find(store, NULL, &found, &err) == SPAR_UNKNOWN && found == 0, "%s: none: %s", cls->name, err.text);
    ok(!spar__store_create(store, "tea", &a, &err), "one is made");
    ok(!spar__store_find(store, NULL, &found, &err) && found == a, "the only one is found without its name");
    ok(!spar__store_create(store, "caf\xc3\xa9", &b, &err) && b != a, "another one");
    ok(spar__store_create(store, "tea", &found, &err) == SPAR_CONFLICT && found == 0, "names are unique: %s", err.text);
    ok(!spar__store_find(store, "caf\xc3\xa9", &found, &err) && found == b, "found by its name");
    ok(spar__store_find(store, NULL, &found, &err) == SPAR_UNKNOWN && strstr(err.text, "tea, caf"), "%s", err.text);
    ok(spar__store_find(store, "milk", &found, &err) == SPAR_UNKNOWN && strstr(err.text, "'milk'"), "%s", err.text);
    ok(!spar__store_experiments(store, count_one, &n, &err) && n == 2, "both are listed");
    static const char *const bad[] = {"a#b", "a/b", "a\nb", "\xff"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ok(spar__store_create(store, bad[i], &found, &err) == SPAR_INVALID, "%s", err.text);
    ok(append_one(store, a, closed_event(), NULL, 0) == SPAR_OK &&
           append_one(store, b, screen_event(1), NULL, 0) == 0 && append_one(store, a, screen_event(1), NULL, 0) == 0,
       "each has a log of its own");
    same_text(kinds_of(store, a), "cs", "the first");
    same_text(kinds_of(store, b), "s", "the second");
    spar__store_entry entry = {.event = closed_event()};
    unsigned char hash[SPAR_HASH_SIZE];
    reading r = {0};
    ok(spar__store_append(store, 77, 1, &entry, &err) == SPAR_UNKNOWN &&
           spar__store_head(store, 77, &found, hash, &err) == SPAR_UNKNOWN &&
           spar__store_read(store, 77, 1, 0, read_one, &r, &err) == SPAR_UNKNOWN,
       "no experiment 77: %s", err.text);
    spar_event_free(entry.event);
    spar__store_close(store);
}

static uint64_t located(spar__store *store, uint64_t experiment, spar_event_kind kind, uint64_t number,
                        uint32_t revision)
{
    uint64_t sequence = 99;
    spar_error err = {0};
    if (spar__store_locate(store, experiment, kind, number, revision, &sequence, &err))
        printf("# %s\n", err.text);
    return sequence;
}

static void test_once(const spar__store_class *cls)
{
    const char *place = new_place(cls);
    spar__store *store = open_at(place, SPAR__STORE_CREATE), *other = open_at(place, SPAR__STORE_WRITE);
    uint64_t experiment;
    spar_error err = {0};
    if (!store || !other || spar__store_create(store, "", &experiment, &err))
        abort();
    spar_event *events[] = {screen_event(1),  screen_event(2),       answer_event(1, 0, 0), answer_event(1, 0, 1),
                            undo_event(1, 0), undo_event(1, 0),      answer_event(1, 1, 2), answer_event(1, 1, 2),
                            import_event(1),  import_event(2),       import_event(1),       screen_event(1),
                            closed_event(),   answer_event(2, 0, 0), new_event(),           undo_event(1, 1)};
    enum { N = sizeof events / sizeof *events };
    static const spar_status wanted[N] = {0,
                                          0,
                                          0,
                                          SPAR_CONFLICT,
                                          0,
                                          SPAR_CONFLICT,
                                          0,
                                          SPAR_CONFLICT,
                                          0,
                                          0,
                                          SPAR_CONFLICT,
                                          SPAR_CONFLICT,
                                          0,
                                          0,
                                          SPAR_INVALID,
                                          0};
    spar__store_entry entry[N];
    uint64_t sequence = 0, last = 0;
    bool good = true;
    for (size_t i = 0; i < N; i++)
        entry[i] = (spar__store_entry){events[i], NULL, 0, SPAR_IO, {0}};
    ok(!spar__store_append(store, experiment, N, entry, &err), "%s: a batch with repetitions %s", cls->name, err.text);
    for (size_t i = 0; i < N; i++) {
        sequence = wanted[i] ? sequence : sequence + 1;
        good = good && ok(entry[i].status == wanted[i] && spar_event_sequence(events[i]) == (wanted[i] ? 0 : sequence),
                          "entry %zu: %s", i, spar_status_text(wanted[i]));
    }
    same_text(kinds_of(store, experiment), "ssauaiicau", "only the first of each is there");
    for (size_t i = 0; i < N; i++) { /* and all of them again, by another one */
        bool twice = i != 12 && i != 14 && append_one(other, experiment, events[i], NULL, 0) != SPAR_CONFLICT;
        if (i == 12 || i == 14)
            spar_event_free(events[i]);
        good = good && !twice;
    }
    ok(good, "all are refused the second time, alone");
    unsigned char hash[SPAR_HASH_SIZE];
    ok(!spar__store_head(other, experiment, &last, hash, &err) && last == sequence, "the log did not grow");
    ok(located(other, experiment, SPAR_EVENT_SCREEN, 2, 0) == 2 &&
           located(other, experiment, SPAR_EVENT_ANSWER, 1, 0) == 3 &&
           located(other, experiment, SPAR_EVENT_UNDO, 1, 0) == 4 &&
           located(other, experiment, SPAR_EVENT_ANSWER, 1, 1) == 5,
       "what is there once can be located");
    ok(located(other, experiment, SPAR_EVENT_SCREEN, 3, 0) == 0 &&
           located(other, experiment, SPAR_EVENT_ANSWER, 2, 1) == 0 &&
           located(other, experiment, SPAR_EVENT_CLOSED, 0, 0) == 0,
       "and what is not, is not");
    ok(!spar__store_append(store, experiment, 0, NULL, &err), "an empty batch");
    spar__store_close(other);
    spar__store_close(store);
}

static void test_read(const spar__store_class *cls)
{
    const char *place = new_place(cls);
    spar__store *store = open_at(place, SPAR__STORE_CREATE);
    uint64_t experiment, sequence = 9;
    unsigned char hash[SPAR_HASH_SIZE] = {1}, zeros[SPAR_HASH_SIZE] = {0};
    spar_error err = {0};
    if (!store || spar__store_create(store, "", &experiment, &err))
        abort();
    ok(!spar__store_head(store, experiment, &sequence, hash, &err) && sequence == 0 &&
           !memcmp(hash, zeros, sizeof hash),
       "%s: an empty log has head 0", cls->name);
    reading r = {.next = 1, .good = true};
    ok(!spar__store_read(store, experiment, 1, 0, read_one, &r, &err) && r.next == 1, "and nothing to read");
    for (uint64_t i = 1; i <= 20; i++)
        (void)append_one(store, experiment, screen_event(i), NULL, 0);
    spar__store *reader = open_at(place, SPAR__STORE_READ);
    ok(!spar__store_read(reader, experiment, 1, 7, read_one, &r, &err) && r.good && r.next == 8, "up to 7");
    ok(!spar__store_read(reader, experiment, 8, 0, read_one, &r, &err) && r.good && r.next == 21, "and from there on");
    ok(!spar__store_head(reader, experiment, &sequence, hash, &err) && sequence == 20 &&
           !memcmp(hash, r.hash, sizeof hash),
       "the head is the last event");
    ok(!spar__store_read(reader, experiment, 21, 0, read_one, &r, &err) && r.next == 21, "nothing after the last");
    ok(!spar__store_read(reader, experiment, 25, 99, read_one, &r, &err) && r.next == 21, "nor far behind it");
    r = (reading){.next = 1, .good = true, .stop = 5};
    ok(spar__store_read(reader, experiment, 1, 0, read_one, &r, &err) == SPAR_INTERRUPTED && r.good && r.next == 6,
       "reading stops when it is told to");
    r = (reading){.next = 1, .good = true};
    ok(!spar__store_read(reader, experiment, 1, 1000, read_one, &r, &err) && r.good && r.next == 21,
       "and the store still works");
    ok(!append_one(store, experiment, closed_event(), NULL, 0) &&
           !spar__store_head(reader, experiment, &sequence, hash, &err) && sequence == 21,
       "another store sees what is appended");
    spar__store_close(reader);
    spar__store_close(store);
}

static spar__store_text text_of(spar__text_kind kind, uint64_t owner, uint32_t version, const char *bytes)
{
    spar__store_text text = {kind, owner, version, {0}, (const unsigned char *)bytes, strlen(bytes)};
    (void)spar__random_bytes(text.salt, sizeof text.salt, NULL);
    return text;
}

static bool has_text(spar__store *store, uint64_t experiment, const spar__store_text *wanted)
{
    unsigned char salt[SPAR__SALT_SIZE], *bytes;
    size_t length;
    spar_error err = {0};
    spar_status status = spar__store_text_get(store, experiment, wanted->kind, wanted->owner, wanted->version, salt,
                                              &bytes, &length, &err);
    bool good = !status && length == wanted->length && !memcmp(bytes, wanted->bytes, length) && bytes[length] == 0 &&
                !memcmp(salt, wanted->salt, sizeof salt);
    if (status && (status != SPAR_UNKNOWN || bytes || !err.text[0]))
        printf("# text: %s\n", err.text);
    spar__free(bytes);
    return good;
}

typedef struct text_list {
    char text[256];
} text_list;

static spar_status list_text(void *context, const spar__store_text *text, spar_error *err)
{
    text_list *list = context;
    size_t used = strlen(list->text);
    (void)err;
    (void)snprintf(list->text + used, sizeof list->text - used, "%d.%llu.%u ", (int)text->kind,
                   (unsigned long long)text->owner, text->version);
    return text->length == 7 && !memcmp(text->bytes, "stop it", 7) ? SPAR_INTERRUPTED : SPAR_OK;
}

static void test_texts(const spar__store_class *cls)
{
    spar__store *store = open_at(new_place(cls), SPAR__STORE_CREATE);
    uint64_t e, other, voter = 1, big = UINT64_MAX - 5;
    spar_error err = {0};
    spar__text_dropped dropped;
    const spar__text_key arm0 = {SPAR__TEXT_ARM, 0, 0};
    if (!store || spar__store_create(store, "", &e, &err) || spar__store_create(store, "2", &other, &err))
        abort();
    const spar__store_text comment = text_of(SPAR__TEXT_COMMENT, 7, 1, "nice"),
                           options[] = {text_of(SPAR__TEXT_ARM, 0, 1, "Assam"), text_of(SPAR__TEXT_ARM, 1, 1, "")},
                           again = text_of(SPAR__TEXT_ARM, 1, 1, "x"), newer = text_of(SPAR__TEXT_ARM, 0, 2, "As"),
                           ann = text_of(SPAR__TEXT_VOTER, big, 1, "ann"), eve = text_of(SPAR__TEXT_VOTER, 5, 1, "ann"),
                           source = text_of(SPAR__TEXT_SOURCE, 0, 1, "row"),
                           bob = text_of(SPAR__TEXT_VOTER, 5, 1, "bob");
    ok(!append_one(store, e, closed_event(), options, 2) && has_text(store, e, &options[0]) &&
           has_text(store, e, &options[1]),
       "%s: texts come with their event", cls->name);
    ok(!has_text(store, other, &options[0]), "of their own experiment only");
    const spar__store_text mixed[] = {comment, again};
    ok(append_one(store, e, closed_event(), mixed, 2) == SPAR_CONFLICT && !has_text(store, e, &comment),
       "a text that is there already: refused, and nothing of the entry stays");
    ok(!append_one(store, e, screen_event(7), &comment, 1), "the first of them alone is fine");
    ok(append_one(store, e, screen_event(7), &newer, 1) == SPAR_CONFLICT && !has_text(store, e, &newer),
       "a refused event leaves no text");
    ok(!append_one(store, e, import_event(1), &source, 1), "an imported event");
    spar__store_text found = source;
    found.owner = 3;
    ok(has_text(store, e, &found), "its source is known by its sequence number");
    same_text(kinds_of(store, e), "csi", "the log");
    ok(!spar__store_text_put(store, e, &ann, &err) && !spar__store_voter(store, e, "ann", 3, &voter, &err) &&
           voter == big,
       "a voter is found by name");
    ok(!spar__store_voter(store, e, "an", 2, &voter, &err) && voter == 0, "not by half of it");
    ok(!spar__store_voter(store, other, "ann", 3, &voter, &err) && voter == 0, "not in another experiment");
    ok(spar__store_text_put(store, e, &eve, &err) == SPAR_CONFLICT && err.text[0], "a name has one voter: %s",
       err.text);
    ok(append_one(store, e, screen_event(8), &eve, 1) == SPAR_CONFLICT, "in an append, too");
    ok(spar__store_text_put(store, e, &ann, &err) == SPAR_CONFLICT, "a text is put once");
    ok(!append_one(store, e, screen_event(9), &bob, 1) && !append_one(store, e, closed_event(), &newer, 1), "more");
    text_list list = {""};
    ok(!spar__store_text_each(store, e, (spar__text_kind)0, list_text, &list, &err), "all texts");
    same_text(list.text, "2.0.1 2.0.2 2.1.1 4.7.1 5.5.1 5.18446744073709551610.1 6.3.1 ", "in order");
    list.text[0] = '\0';
    ok(!spar__store_text_each(store, e, SPAR__TEXT_ARM, list_text, &list, &err), "of one kind");
    same_text(list.text, "2.0.1 2.0.2 2.1.1 ", "in order");
    ok(!spar__store_text_drop(store, e, 1, &arm0, &dropped, &err) && dropped.n == 2 &&
           !has_text(store, e, &options[0]) && !has_text(store, e, &newer) && has_text(store, e, &options[1]),
       "all versions are dropped, and only they %s", err.text);
    ok(!spar__store_text_drop(store, e, 1, &arm0, NULL, &err), "nothing left to drop");
    ok(!spar__store_text_drop(store, e, 1, &(spar__text_key){SPAR__TEXT_VOTER, big, 0}, NULL, &err) &&
           !spar__store_voter(store, e, "ann", 3, &voter, &err) && voter == 0,
       "a dropped voter is not found");
    const spar__store_text halt = text_of(SPAR__TEXT_ITEM, 1, 1, "stop it");
    list.text[0] = '\0';
    ok(!spar__store_text_put(store, e, &halt, &err) &&
           spar__store_text_each(store, e, (spar__text_kind)0, list_text, &list, &err) == SPAR_INTERRUPTED,
       "listing stops when it is told to");
    same_text(list.text, "2.1.1 3.1.1 ", "there");
    spar__store_close(store);
}

/* A list of texts is dropped at once, by version or all versions, also under the lock, which is given up. */
static void test_drop_list(const spar__store_class *cls)
{
    const char *place = new_place(cls);
    spar__store *a = open_at(place, SPAR__STORE_CREATE), *b;
    uint64_t e, before, after, seen;
    spar_error err = {0};
    if (!a || spar__store_create(a, "", &e, &err) || !(b = open_at(place, SPAR__STORE_WRITE)))
        abort();
    const spar__store_text first = text_of(SPAR__TEXT_COMMENT, 7, 1, "ann's"),
                           second = text_of(SPAR__TEXT_COMMENT, 7, 2, "bob's"),
                           name = text_of(SPAR__TEXT_VOTER, 5, 1, "ann"), arm = text_of(SPAR__TEXT_ARM, 7, 1, "Assam");
    const spar__store_text all[] = {first, second, name, arm};
    const spar__text_key list[] = {
        {SPAR__TEXT_COMMENT, 7, 1}, {SPAR__TEXT_COMMENT, 8, 1}, {SPAR__TEXT_COMMENT, 7, 3}, {SPAR__TEXT_VOTER, 5, 0}};
    spar__text_dropped dropped;
    ok(!append_one(a, e, closed_event(), all, 4) && !spar__store_text_drops(a, e, &before, &err), "%s: texts",
       cls->name);
    ok(!spar__store_text_drop(a, e, 2, list + 1, &dropped, &err) && dropped.n == 0 && !dropped.completed &&
           !spar__store_text_drops(a, e, &after, &err) && after == before,
       "of those that are not there none is dropped");
    ok(!spar__store_lock(a, e, &err) && !spar__store_text_drop(a, e, 4, list, &dropped, &err) && dropped.n == 2 &&
           !dropped.completed,
       "a list under the lock: %s", err.text);
    ok(!has_text(b, e, &first) && has_text(b, e, &second) && !has_text(b, e, &name) && has_text(b, e, &arm),
       "what it names, and nothing else");
    ok(!spar__store_text_drops(a, e, &after, &err) && after != before && !spar__store_text_drops(b, e, &seen, &err) &&
           seen == after,
       "both stores see that something was dropped");
    ok(!append_one(b, e, screen_event(1), NULL, 0), "the lock was given up");
    ok(!spar__store_lock(a, e, &err) && !spar__store_text_drop(a, e, 0, NULL, &dropped, &err) && dropped.n == 0 &&
           !append_one(b, e, screen_event(2), NULL, 0),
       "also after an empty list");
    spar__store_close(a);
    spar__store_close(b);
}

static bool get_snapshot(spar__store *store, uint64_t e, uint64_t limit, uint32_t engine, uint64_t wanted)
{
    spar__store_snapshot about = {0};
    unsigned char *bytes;
    size_t length;
    spar_error err = {0};
    spar_status status = spar__store_snapshot_get(store, e, limit, engine, &about, &bytes, &length, &err);
    bool good = wanted ? !status && about.sequence == wanted && about.engine == engine && length == wanted &&
                             about.hash[0] == wanted && bytes[wanted - 1] == wanted
                       : status == SPAR_UNKNOWN && !bytes && err.text[0];
    spar__free(bytes);
    return good;
}

static void test_snapshots(const spar__store_class *cls)
{
    spar__store *store = open_at(new_place(cls), SPAR__STORE_CREATE);
    uint64_t e, list[8], keep[] = {20, 99};
    spar_error err = {0};
    size_t n;
    bool good = true;
    if (!store || spar__store_create(store, "", &e, &err))
        abort();
    ok(get_snapshot(store, e, UINT64_MAX, 1, 0), "%s: no snapshot yet", cls->name);
    static const unsigned sequences[] = {20, 10, 30, 20};
    for (size_t i = 0; i < 4; i++) {
        unsigned char bytes[64];
        spar__store_snapshot about = {.sequence = sequences[i], .engine = i == 2 ? 2 : 1};
        memset(bytes, (int)sequences[i], sizeof bytes);
        memset(about.hash, (int)sequences[i], sizeof about.hash);
        good = good && !spar__store_snapshot_put(store, e, &about, bytes, sequences[i], &err);
    }
    ok(good, "four are put, one replaces another");
    ok(get_snapshot(store, e, UINT64_MAX, 1, 20) && get_snapshot(store, e, 19, 1, 10) &&
           get_snapshot(store, e, 10, 1, 10) && get_snapshot(store, e, 9, 1, 0) && get_snapshot(store, e, 99, 2, 30) &&
           get_snapshot(store, e, 99, 3, 0),
       "the newest that is allowed, of that engine");
    ok(!spar__store_snapshot_list(store, e, 8, list, &n, &err) && n == 3 && list[0] == 10 && list[1] == 20 &&
           list[2] == 30,
       "listed in order");
    ok(!spar__store_snapshot_list(store, e, 2, list, &n, &err) && n == 2 && list[0] == 20 && list[1] == 30,
       "at most as many as fit, the newest");
    ok(!spar__store_snapshot_keep(store, e, 2, keep, &err) && !spar__store_snapshot_list(store, e, 8, list, &n, &err) &&
           n == 1 && list[0] == 20,
       "others are dropped");
    spar__store_close(store);
}

static bool has_secret(spar__store *store, const char *name, const char *wanted)
{
    unsigned char *bytes;
    size_t length;
    spar_status status = spar__store_secret_get(store, name, &bytes, &length, NULL);
    bool good = wanted ? !status && length == strlen(wanted) && !memcmp(bytes, wanted, length)
                       : status == SPAR_UNKNOWN && !bytes;
    spar__free(bytes);
    return good;
}

static void test_secrets(const spar__store_class *cls)
{
    spar__store *store = open_at(new_place(cls), SPAR__STORE_CREATE);
    ok(has_secret(store, "key", NULL), "%s: no secret yet", cls->name);
    ok(!spar__store_secret_put(store, "key", (const unsigned char *)"one", 3, NULL) && has_secret(store, "key", "one"),
       "put");
    ok(!spar__store_secret_put(store, "old", (const unsigned char *)"", 0, NULL) &&
           !spar__store_secret_put(store, "key", (const unsigned char *)"three", 5, NULL) &&
           has_secret(store, "key", "three") && has_secret(store, "old", ""),
       "replaced");
    spar__store_close(store);
}

typedef struct secret_list {
    char text[200];
    size_t most; /* fn fails after that many */
} secret_list;

static spar_status list_secret(void *context, const char *name, const unsigned char *bytes, size_t length)
{
    secret_list *list = context;
    size_t used = strlen(list->text);
    (void)snprintf(list->text + used, sizeof list->text - used, "%s=%.*s;", name, (int)length, (const char *)bytes);
    return list->most-- > 1 ? SPAR_OK : SPAR_INTERRUPTED;
}

static const char *secrets_of(spar__store *store, const char *prefix)
{
    static secret_list list;
    list = (secret_list){.most = SIZE_MAX};
    return spar__store_secret_each(store, prefix, list_secret, &list, NULL) ? "failed" : list.text;
}

static void test_secret_list(const spar__store_class *cls)
{
    static const char *const name[] = {"token:2", "token:10", "token", "toke\xc3\xa9", "key", "token:1"};
    const char *place = new_place(cls);
    spar__store *store = open_at(place, SPAR__STORE_CREATE), *other = open_at(place, SPAR__STORE_WRITE);
    secret_list list = {.most = 2};
    spar_error err = {0};
    uint64_t e = 0;
    same_text(secrets_of(store, ""), "", "no secrets");
    for (size_t i = 0; i < sizeof name / sizeof *name; i++)
        if (spar__store_secret_put(store, name[i], (const unsigned char *)"x:y" + i % 3, i % 4, &err))
            abort();
    same_text(secrets_of(other, "token:"), "token:1=y;token:10=:;token:2=;", "by prefix, sorted by name");
    same_text(secrets_of(store, "tokens"), "", "none of that prefix");
    ok(spar__store_secret_each(store, "t", list_secret, &list, &err) == SPAR_INTERRUPTED, "fn may stop it");
    same_text(list.text, "token=y;token:1=y;", "at once");
    ok(spar__store_create(store, "", &e, &err) == SPAR_OK && !spar__store_lock(store, e, &err) &&
           spar__store_secret_drop(store, "key", &err) == SPAR_INVALID,
       "not under the lock: %s", err.text);
    same_text(secrets_of(store, "key"), "key=;", "which does not stop a reader");
    spar__store_unlock(store);
    ok(!spar__store_secret_drop(other, "token:10", &err) && !spar__store_secret_drop(store, "token:10", &err) &&
           !spar__store_secret_drop(store, "nobody", &err),
       "dropped, and again");
    same_text(secrets_of(store, ""), "key=;token=y;token:1=y;token:2=;toke\xc3\xa9=x:y;", "the others are there");
    ok(!spar__store_secret_put(store, "token:10", (const unsigned char *)"z", 1, &err) &&
           has_secret(other, "token:10", "z"),
       "put again");
    spar__store_close(other);
    spar__store_close(store);
}

static void test_secret_add(const spar__store_class *cls)
{
    const unsigned char *x = (const unsigned char *)"xyz";
    const spar__store_secret two[] = {{"a", x, 1}, {"b", x + 1, 2}}, more[] = {{"c", x, 3}, {"b", x, 1}, {"d", x, 1}};
    const spar__store_secret own[] = {{"e", x, 1}, {"spar:x", x, 1}};
    const char *place = new_place(cls);
    spar__store *store = open_at(place, SPAR__STORE_CREATE), *other = open_at(place, SPAR__STORE_WRITE);
    spar_error err = {0};
    ok(!spar__store_secret_add(store, 2, two, &err) && !spar__store_secret_add(store, 0, NULL, &err), "%s: added",
       cls->name);
    ok(spar__store_secret_add(other, 3, more, &err) == SPAR_CONFLICT && strstr(err.text, "'b'"), "one is there: %s",
       err.text);
    ok(spar__store_secret_add(store, 2, own, &err) == SPAR_INVALID, "%s", err.text);
    same_text(secrets_of(store, ""), "a=x;b=yz;", "then none is added");
    const spar__store_secret swap[] = {{"a", x, 1}, {"a", x + 1, 2}}, missing[] = {{"q", x, 0}, {"q", x, 1}};
    const spar__store_secret names[] = {{"a", x, 1}, {"b", x, 1}};
    ok(!spar__store_secret_swap(other, swap, &err) && has_secret(store, "a", "yz"), "%s: swapped", cls->name);
    ok(spar__store_secret_swap(store, swap, &err) == SPAR_CONFLICT && strstr(err.text, "'a'"), "once: %s", err.text);
    ok(spar__store_secret_swap(store, missing, &err) == SPAR_CONFLICT, "what is not there is not swapped");
    ok(spar__store_secret_swap(store, names, &err) == SPAR_INVALID, "%s", err.text);
    same_text(secrets_of(store, ""), "a=yz;b=yz;", "and nothing else has changed");
    spar__store_close(other);
    spar__store_close(store);
}

/* Drops a text while another store reads: an engine that cannot complete that notes it among the secrets. */
static spar_status drop_meanwhile(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                                  const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    const spar__text_key key = {SPAR__TEXT_ARM, 1, 1};
    spar__text_dropped dropped;
    (void)bytes;
    (void)length;
    (void)hash;
    spar_status status = spar__store_text_drop(context, 1, 1, &key, &dropped, err);
    return (status && status != SPAR_BUSY) || dropped.n != 1 ? SPAR_CORRUPT : sequence ? SPAR_OK : SPAR_INVALID;
}

static void test_own_secrets(const spar__store_class *cls)
{
    const char *place = new_place(cls);
    spar__store *store = open_at(place, SPAR__STORE_CREATE), *other = open_at(place, SPAR__STORE_WRITE);
    spar_error err = {0};
    const spar__store_text text = text_of(SPAR__TEXT_ARM, 1, 1, "Assam");
    uint64_t e = 0;
    ok(spar__store_secret_put(store, "spar:x", (const unsigned char *)"", 0, &err) == SPAR_INVALID, "%s: %s", cls->name,
       err.text);
    ok(spar__store_secret_drop(store, "spar:truncate", &err) == SPAR_INVALID, "%s", err.text);
    if (spar__store_create(store, "", &e, &err) || append_one(store, e, closed_event(), &text, 1))
        abort();
    spar__store_patience = 50;
    ok(!spar__store_read(other, e, 1, 1, drop_meanwhile, store, &err), "a text is dropped");
    spar__store_patience = 10000;
    same_text(secrets_of(store, ""), "", "what the store notes for itself is not listed");
    spar__store_close(other);
    spar__store_close(store);
}

typedef struct rival {
    spar__store *store;
    uint64_t experiment;
    spar_status status;
} rival;

static void *append_later(void *context)
{
    rival *r = context;
    r->status = append_one(r->store, r->experiment, closed_event(), NULL, 0);
    return NULL;
}

static void test_lock(const spar__store_class *cls)
{
    const char *place = new_place(cls);
    spar__store *a = open_at(place, SPAR__STORE_CREATE), *b = open_at(place, SPAR__STORE_WRITE);
    spar_error err = {0};
    uint64_t e, n1 = 0, n2 = 0, n3 = 0;
    if (!a || !b || spar__store_create(a, "", &e, &err))
        abort();
    spar__store_patience = 200;
    ok(!spar__store_lock(a, e, &err) && !spar__store_lock(a, e, &err), "%s: locked, and again: %s", cls->name,
       err.text);
    ok(spar__store_lock(b, e, &err) == SPAR_BUSY && err.text[0], "not by two: %s", err.text);
    ok(append_one(b, e, closed_event(), NULL, 0) == SPAR_BUSY, "nobody else appends");
    spar__store_patience = 10000;
    ok(!spar__store_next_screen(a, e, &n1, &err) && !spar__store_next_screen(a, e, &n2, &err) && n1 == 1 && n2 == 2,
       "screens 1 and 2");
    const spar__store_text text = text_of(SPAR__TEXT_VOTER, 1, 1, "ann");
    ok(spar__store_text_put(a, e, &text, &err) == SPAR_INVALID && strstr(err.text, "lock"), "%s", err.text);
    same_text(kinds_of(b, e), "", "others still read");
    ok(!append_one(a, e, screen_event(n1), NULL, 0) && !append_one(b, e, closed_event(), NULL, 0),
       "an append gives up the lock");
    ok(!spar__store_lock(a, e, &err), "locked");
    spar__store_unlock(a);
    spar__store_unlock(a);
    ok(!spar__store_lock(b, e, &err), "unlock gives it up");
    rival r = {a, e, SPAR_IO};
    pthread_t thread;
    if (pthread_create(&thread, NULL, append_later, &r))
        abort();
    (void)nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    ok(!append_one(b, e, screen_event(100), NULL, 0) && !pthread_join(thread, NULL) && !r.status,
       "who waits gets it in time");
    same_text(kinds_of(a, e), "scsc", "the log");
    ok(!spar__store_next_screen(a, e, &n3, &err) && n3 > 100, "no number of a screen that is there");
    ok(!spar__store_next_screen(b, e, &n1, &err) && n1 > n3, "nor one that another got");
    ok(!spar__store_lock(b, e, &err), "locked");
    spar__store_close(b);
    ok(!append_one(a, e, closed_event(), NULL, 0), "closing gives it up, too");
    spar__store_close(a);
}

enum { THREADS = 4, EACH = 20 };

typedef struct appender {
    const char *place;
    uint64_t experiment, first;
    size_t good;
} appender;

static void *append_many(void *context)
{
    appender *a = context;
    spar__store *store = open_at(a->place, SPAR__STORE_WRITE);
    for (uint64_t i = 0; store && i < EACH; i++)
        a->good += append_one(store, a->experiment, answer_event(a->first + i, 0, 0), NULL, 0) == SPAR_OK;
    spar__store_close(store);
    return NULL;
}

/* Several threads, each with a store of its own on one place. */
static void test_threads(const spar__store_class *cls)
{
    const char *place = new_place(cls);
    spar__store *store = open_at(place, SPAR__STORE_CREATE);
    pthread_t thread[THREADS];
    appender a[THREADS];
    uint64_t e, last;
    unsigned char hash[SPAR_HASH_SIZE];
    size_t good = 0;
    if (!store || spar__store_create(store, "", &e, NULL))
        abort();
    for (size_t t = 0; t < THREADS; t++) {
        a[t] = (appender){place, e, 1 + t * EACH, 0};
        if (pthread_create(&thread[t], NULL, append_many, &a[t]))
            abort();
    }
    for (size_t t = 0; t < THREADS; t++) {
        (void)pthread_join(thread[t], NULL);
        good += a[t].good;
    }
    ok(good == THREADS * EACH && !spar__store_head(store, e, &last, hash, NULL) && last == THREADS * EACH &&
           strcmp(kinds_of(store, e), "broken") != 0,
       "%s: %d threads append, and the chain holds", cls->name, THREADS);
    spar__store_close(store);
}

static void test_hold(const spar__store_class *cls)
{
    const char *place = new_place(cls);
    spar__store *a = open_at(place, SPAR__STORE_CREATE), *b = open_at(place, SPAR__STORE_WRITE);
    spar_error err = {0};
    uint64_t e;
    ok(!spar__store_hold(a, &err) && !spar__store_hold(a, &err), "%s: held %s", cls->name, err.text);
    if (!cls->hold)
        ok(!spar__store_hold(b, &err), "by any number");
    else
        ok(spar__store_hold(b, &err) == SPAR_BUSY && err.text[0], "by one: %s", err.text);
    ok(!spar__store_create(a, "", &e, &err) && !append_one(a, e, closed_event(), NULL, 0), "who holds it appends");
    spar__store_close(a);
    ok(!spar__store_hold(b, &err), "closing gives it up %s", err.text);
    spar__store_close(b);
}

static void count_finding(void *context, const char *sentence)
{
    printf("# found: %s\n", sentence);
    ++*(size_t *)context;
}

static void test_backup(const spar__store_class *cls)
{
    char copy[MOST_PLACE];
    spar__store *store = open_at(new_place(cls), SPAR__STORE_CREATE), *other;
    spar_error err = {0};
    uint64_t e;
    size_t findings = 0;
    const spar__store_text text = text_of(SPAR__TEXT_ARM, 3, 1, "Sencha");
    if (!store || spar__store_create(store, "tea", &e, &err))
        abort();
    (void)append_one(store, e, import_event(3), &text, 1);
    ok(!spar__store_check(store, count_finding, &findings, &err) && findings == 0, "%s: no damage", cls->name);
    (void)snprintf(copy, sizeof copy, "%s/copy-%s", folder, cls->name);
    spar_status status = spar__store_backup(store, copy, &err);
    if (status == SPAR_UNSUPPORTED) {
        ok(err.text[0], "no backup: %s", err.text);
        spar__store_close(store);
        return;
    }
    ok(!status, "a backup %s", err.text);
    (void)append_one(store, e, closed_event(), NULL, 0);
    struct stat info;
    ok(stat(copy, &info) == 0 && (info.st_mode & 0777) == 0600, "readable by its owner only");
    ok(spar__store_backup(store, copy, &err) == SPAR_IO && strstr(err.text, copy), "not over another: %s", err.text);
    other = open_at(copy, SPAR__STORE_READ);
    ok(other && !spar__store_find(other, "tea", &e, &err) && has_text(other, e, &text), "it opens and has the texts");
    same_text(kinds_of(other, e), "i", "and the log as it was");
    spar__store_close(other);
    spar__store_close(store);
}

static spar_status count_event(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                               const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    (void)bytes, (void)length, (void)hash, (void)err;
    *(uint64_t *)context = sequence;
    return SPAR_OK;
}

/* Everything that a store does, once. The status of the first call that fails. */
static spar_status whole_life(const char *place, spar__store_entry *entry, const spar__store_text *text,
                              spar_error *err)
{
    static const spar__store_snapshot about = {.sequence = 1};
    static const uint64_t keep[1] = {1};
    spar__store *store = NULL;
    spar__store_snapshot got;
    unsigned char *bytes = NULL, salt[SPAR__SALT_SIZE];
    uint64_t e, number;
    size_t length;
    text_list list = {""};
    spar_status s = spar__store_open(place, SPAR__STORE_CREATE, &store, err);
#define THEN(call) s = s ? s : (call)
    THEN(spar__store_create(store, "a", &e, err));
    THEN(spar__store_find(store, "a", &e, err));
    THEN(spar__store_next_screen(store, e, &number, err));
    THEN(spar__store_lock(store, e, err));
    THEN(spar__store_next_screen(store, e, &number, err));
    THEN(spar__store_append(store, e, 3, entry, err));
    THEN(entry[0].status ? SPAR_CORRUPT : SPAR_OK);
    THEN(spar__store_text_put(store, e, &text[1], err));
    THEN(spar__store_text_get(store, e, text[0].kind, text[0].owner, 1, salt, &bytes, &length, err));
    spar__free(bytes);
    THEN(spar__store_text_each(store, e, (spar__text_kind)0, list_text, &list, err));
    THEN(spar__store_voter(store, e, "eve", 3, &number, err));
    const spar__text_key key = {text[0].kind, text[0].owner, 1};
    THEN(spar__store_text_drop(store, e, 1, &key, NULL, err));
    THEN(spar__store_text_drops(store, e, &number, err));
    THEN(spar__store_snapshot_put(store, e, &about, salt, sizeof salt, err));
    bytes = NULL;
    THEN(spar__store_snapshot_get(store, e, 9, 0, &got, &bytes, &length, err));
    spar__free(bytes);
    THEN(spar__store_snapshot_keep(store, e, 1, keep, err));
    THEN(spar__store_secret_put(store, "key", salt, sizeof salt, err));
    bytes = NULL;
    THEN(spar__store_secret_get(store, "key", &bytes, &length, err));
    spar__free(bytes);
    THEN(spar__store_secret_each(store, "k", list_secret, &(secret_list){.most = 2}, err));
    THEN(spar__store_secret_drop(store, "key", err));
    const spar__store_secret secrets[] = {{"k1", salt, sizeof salt}, {"k2", salt, 1}};
    THEN(spar__store_secret_add(store, 2, secrets, err));
    THEN(spar__store_read(store, e, 1, 0, count_event, &number, err));
    THEN(spar__store_hold(store, err));
#undef THEN
    spar__store_close(store);
    return s;
}

/* What a life that broke off left behind works. */
static bool still_good(const char *place)
{
    spar__store *store = open_at(place, SPAR__STORE_CREATE);
    uint64_t e;
    bool good = store && (!spar__store_find(store, "a", &e, NULL) || !spar__store_create(store, "a", &e, NULL));
    const char *kinds = good ? kinds_of(store, e) : "broken";
    good = good && (strcmp(kinds, "") == 0 || strcmp(kinds, "aca") == 0) &&
           !append_one(store, e, answer_event(50, 0, 0), NULL, 0);
    spar__store_close(store);
    return good;
}

static void test_memory(const spar__store_class *cls)
{
    const spar__store_text text[] = {text_of(SPAR__TEXT_ARM, 1, 1, "Assam"), text_of(SPAR__TEXT_VOTER, 2, 1, "eve")};
    spar_status status = SPAR_NOMEM;
    bool good = true;
    size_t k = 0;
    while (status && good && k++ < 500) {
        spar__store_entry entry[] = {{answer_event(1, 0, 0), text, 1, SPAR_OK, {0}},
                                     {closed_event(), NULL, 0, SPAR_OK, {0}},
                                     {answer_event(2, 0, 0), NULL, 0, SPAR_OK, {0}}};
        const char *place = new_place(cls);
        spar__store *keep = strcmp(cls->name, "memory") == 0 ? open_at(place, SPAR__STORE_CREATE) : NULL;
        spar_error err = {0};
        spar__alloc_fail_at(k);
        status = whole_life(place, entry, text, &err);
        bool reached = spar__alloc_count() >= k;
        spar__alloc_fail_at(0);
        good =
            reached == (status != SPAR_OK) && (!status || (status == SPAR_NOMEM && err.text[0])) && still_good(place);
        if (!good)
            printf("# allocation %zu: %s %s\n", k, spar_status_text(status), err.text);
        for (size_t i = 0; i < 3; i++)
            spar_event_free(entry[i].event);
        spar__store_close(keep);
    }
    ok(good && !status && k > 10, "%s: each of %zu allocations may fail", cls->name, k - 1);
}

static void test_split(void)
{
    static const char *const cases[][3] = {{"tea.db", "tea.db", NULL},
                                           {"tea.db#green", "tea.db", "green"},
                                           {"a#b/tea.db", "a#b/tea.db", NULL},
                                           {"a#b/tea#1.db#", "a#b/tea#1.db", ""},
                                           {"#x", "", "x"},
                                           {"memory:m#y", "memory:m", "y"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *store, *name;
        bool good = !spar__store_split(cases[i][0], &store, &name, NULL) && strcmp(store, cases[i][1]) == 0 &&
                    (cases[i][2] ? name && strcmp(name, cases[i][2]) == 0 : !name);
        ok(good, "%s is split", cases[i][0]);
        spar__free(store);
        spar__free(name);
    }
    spar__store *none = (spar__store *)&none;
    spar_error err = {0};
    ok(spar__store_open("mysql://x", SPAR__STORE_READ, &none, &err) == SPAR_UNKNOWN && !none, "%s", err.text);
    ok(spar__store_open("memory:", SPAR__STORE_READ, &none, &err) == SPAR_INVALID && !none, "%s", err.text);
}

/* Is this kind to be tried, and can it be? */
static bool is_wanted(const spar__store_class *cls, const char *name)
{
    if (name)
        return strcmp(cls->name, name) == 0;
    return !is_postgres(cls) || getenv("SPAR_POSTGRES");
}

static void test_shown(void)
{
    static const char *const cases[][2] = {{"tea.db#green", "tea.db#green"},
                                           {"postgresql://u:secret@h/d#two", "postgresql://u@h/d#two"},
                                           {"postgresql://u:se@cr/et@h/d", "postgresql://u@h/d"},
                                           {"postgresql://u:se/cr@et@h/d", "postgresql://u@h/d"},
                                           {"postgresql://u:s#e?t@h:1/d?a=b#two", "postgresql://u@h:1/d?a=b#two"},
                                           {"postgresql://h/d?password=x&a=b@c#two", "postgresql://h/d?a=b@c#two"},
                                           {"postgresql://h/d?a=b&sslpassword=x#y", "postgresql://h/d?a=b"},
                                           {"postgresql://[::1]:5/d", "postgresql://[::1]:5/d"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *shown = spar__store_shown(cases[i][0]);
        same_text(shown ? shown : "", cases[i][1], "%s is shown without its password", cases[i][1]);
        spar__free(shown);
    }
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : NULL;
    (void)snprintf(folder, sizeof folder, "/tmp/spar-stores-XXXXXX");
    if (!mkdtemp(folder))
        return 1;
    test_split();
    test_shown();
    for (const spar__store_class *const *cls = spar__store_classes; *cls; cls++) {
        if (!is_wanted(*cls, name))
            continue;
        test_modes(*cls);
        test_experiments(*cls);
        test_once(*cls);
        test_read(*cls);
        test_texts(*cls);
        test_drop_list(*cls);
        test_snapshots(*cls);
        test_secrets(*cls);
        test_secret_list(*cls);
        test_secret_add(*cls);
        test_own_secrets(*cls);
        test_lock(*cls);
        test_threads(*cls);
        test_hold(*cls);
        test_backup(*cls);
        test_memory(*cls);
    }
    remove_folder();
    return done();
}
