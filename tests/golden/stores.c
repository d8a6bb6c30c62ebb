/* A file of every version of the schema of src/store/sqlite, which must open for ever: tests/golden/store-VERSION.db.
 *
 *     test_golden_stores           opens copies of them, for reading and for writing, and compares
 *     test_golden_stores --write   writes the file of the present version, if it is missing */
#include "base/alloc.h"
#include "base/file.h"
#include "store/events.h"

enum { NEWEST = 1, IMPORTS = 20 };

static const unsigned char salt[SPAR__SALT_SIZE] = "0123456789abcdef0123456789abcde";

/* The hash of the last event: a file that was changed, or events that are encoded in another way, have another one. */
static const char head_wanted[] = "633ef380c87f04174797c596e0dba936fc7dbfeb6478c5dbce80ac83d879b461";

static spar__store_text text_of(spar__text_kind kind, uint64_t owner, uint32_t version, const char *words)
{
    spar__store_text text = {kind, owner, version, {0}, (const unsigned char *)words, strlen(words)};
    memcpy(text.salt, salt, sizeof salt);
    return text;
}

static void append(spar__store *store, uint64_t e, spar_event *event, const spar__store_text *text, size_t n_texts)
{
    spar__store_entry entry = {event, text, n_texts, SPAR_OK, {0}};
    spar_event_set_stamp(event, 0, 1700000000000000);
    need(!spar__store_append(store, e, 1, &entry, NULL) && !entry.status);
    spar_event_free(event);
}

static spar_event *made(void (*set)(spar_event *, uint64_t, size_t), uint64_t number, size_t m)
{
    spar_event *event = new_event();
    set(event, number, m);
    return event;
}

static spar_event *answer(uint64_t number, uint32_t revision)
{
    spar_event *event = new_event();
    set_answer(event, number, revision);
    return event;
}

static spar_event *undo(uint64_t number, uint32_t revision)
{
    spar_event *event = new_event();
    spar_event_set_undo(event, number, revision);
    return event;
}

static void write_it(const char *path)
{
    spar__store *store;
    uint64_t e, other;
    spar_error err = {0};
    const spar__store_text comment = text_of(SPAR__TEXT_COMMENT, 1, 1, "fine"),
                           name = text_of(SPAR__TEXT_VOTER, UINT64_MAX, 1, "ann"),
                           source = text_of(SPAR__TEXT_SOURCE, 0, 1, "row 1");
    const spar__store_snapshot about = {.sequence = 3, .engine = 7, .hash = "a hash"};
    if (access(path, F_OK) == 0) {
        skip("it is there already");
        return;
    }
    spar__sqlite_most_recent = 4; /* so that some keys are in their table, and some are not */
    need(!spar__store_open(path, SPAR__STORE_CREATE, &store, &err) && !spar__store_create(store, "tea", &e, &err) &&
         !spar__store_create(store, "", &other, &err));
    append(store, e, made(set_screen, 1, 4), NULL, 0);
    append(store, e, answer(1, 0), &comment, 1);
    append(store, e, undo(1, 0), NULL, 0);
    append(store, e, answer(1, 1), &name, 1);
    append(store, e, made(set_import, 0, 2), &source, 1);
    for (uint64_t i = 1; i < IMPORTS; i++)
        append(store, e, made(set_import, i, 2), NULL, 0);
    append(store, other, made(set_screen, 9, 2), NULL, 0);
    need(!spar__store_snapshot_put(store, e, &about, salt, sizeof salt, &err) &&
         !spar__store_secret_put(store, "key", salt, sizeof salt, &err));
    spar__store_close(store);
    need(chmod(path, 0644) == 0);
    ok(true, "%s is written", path);
}

static bool has_text(spar__store *store, uint64_t e, spar__text_kind kind, uint64_t owner, const char *words)
{
    unsigned char kept[SPAR__SALT_SIZE], *bytes;
    size_t length;
    bool good = !spar__store_text_get(store, e, kind, owner, 1, kept, &bytes, &length, NULL) &&
                strcmp((char *)bytes, words) == 0 && !memcmp(kept, salt, sizeof salt);
    spar__free(bytes);
    return good;
}

static void look(spar__store *store, const char *path)
{
    uint64_t e = 0, other = 0, voter = 0;
    follower f = {.event = new_event(), .whole = true}, g = f;
    spar__store_snapshot about;
    unsigned char *bytes = NULL;
    size_t length;
    char head[2 * SPAR_HASH_SIZE + 1];
    g.event = new_event();
    ok(!spar__store_find(store, "tea", &e, NULL) && !spar__store_find(store, "", &other, NULL), "%s opens", path);
    ok(!spar__store_read(store, e, 1, 0, follow, &f, NULL) && f.whole && f.n == 4 + IMPORTS &&
           !spar__store_read(store, other, 1, 0, follow, &g, NULL) && g.whole && g.n == 1,
       "its logs are whole");
    for (size_t i = 0; i < SPAR_HASH_SIZE; i++)
        (void)snprintf(head + 2 * i, 3, "%02x", f.hash[i]);
    same_text(head, head_wanted, "the last hash");
    ok(has_text(store, e, SPAR__TEXT_COMMENT, 1, "fine") && has_text(store, e, SPAR__TEXT_VOTER, UINT64_MAX, "ann") &&
           has_text(store, e, SPAR__TEXT_SOURCE, 5, "row 1") && !spar__store_voter(store, e, "ann", 3, &voter, NULL) &&
           voter == UINT64_MAX,
       "its texts are there");
    ok(!spar__store_snapshot_get(store, e, 99, 7, &about, &bytes, &length, NULL) && about.sequence == 3 && length == 32,
       "its snapshot is there");
    spar__free(bytes);
    ok(!spar__store_secret_get(store, "key", &bytes, &length, NULL) && length == 32, "its secret is there");
    spar__free(bytes);
    spar_event_free(f.event);
    spar_event_free(g.event);
}

static spar_status try_append(spar__store *store, spar_event *event)
{
    spar__store_entry entry = {event, NULL, 0, SPAR_OK, {0}};
    uint64_t e;
    need(!spar__store_find(store, "tea", &e, NULL));
    spar_status status = spar__store_append(store, e, 1, &entry, NULL);
    spar_event_free(event);
    return status ? status : entry.status;
}

static void read_it(const char *path)
{
    char folder[64], copy[100];
    spar__buf bytes = {0};
    spar__store *store = NULL;
    spar_error err = {0};
    (void)snprintf(copy, sizeof copy, "%s/copy.db", new_folder(folder));
    need(!spar__file_read(path, 0, &bytes, &err) && !spar__file_write(copy, bytes.text, bytes.length, &err));
    spar__buf_free(&bytes);
    if (ok(!spar__store_open(copy, SPAR__STORE_WRITE, &store, &err), "%s opens for writing %s", path, err.text)) {
        look(store, path);
        ok(try_append(store, made(set_import, 0, 2)) == SPAR_CONFLICT &&
               try_append(store, made(set_import, IMPORTS - 1, 2)) == SPAR_CONFLICT &&
               try_append(store, answer(1, 1)) == SPAR_CONFLICT && try_append(store, undo(1, 0)) == SPAR_CONFLICT &&
               try_append(store, made(set_screen, 1, 4)) == SPAR_CONFLICT,
           "what is there once is not taken again");
        ok(!try_append(store, made(set_import, IMPORTS, 2)) && !try_append(store, answer(1, 2)), "it goes on");
        spar__store_close(store);
    }
    remove_folder(folder);
    if (ok(!spar__store_open(path, SPAR__STORE_READ, &store, &err), "%s opens for reading %s", path, err.text)) {
        look(store, path);
        spar__store_close(store);
    }
}

int main(int argc, char **argv)
{
    const char *tests = getenv("SPAR_TESTS");
    bool writes = argc > 1 && strcmp(argv[1], "--write") == 0;
    for (int version = writes ? NEWEST : 1; version <= NEWEST; version++) {
        char path[4096];
        (void)snprintf(path, sizeof path, "%s/golden/store-%d.db", tests ? tests : "tests", version);
        if (writes)
            write_it(path);
        else
            read_it(path);
    }
    return done();
}
