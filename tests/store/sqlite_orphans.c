/* What somebody else put into the file, or took out of it, is found; what this program does is not. */
#include "store/events.h"

static char folder[64], path[100];

static void run_sql(const char *sql)
{
    sqlite3 *db;
    need(sqlite3_open(path, &db) == SQLITE_OK && sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK &&
         sqlite3_close(db) == SQLITE_OK);
}

static void keep_first(void *context, const char *sentence)
{
    if (!*(char *)context)
        (void)snprintf(context, 200, "%s", sentence);
}

/* A new store with a screen, a text that was dropped, a reserved number. */
static spar__store *make(uint64_t *e)
{
    static const spar__store_text text = {SPAR__TEXT_COMMENT, 1, 1, {1}, (const unsigned char *)"fine", 4};
    spar__store *store;
    spar__store_entry entry = {new_event(), &text, 1, SPAR_OK, {0}};
    uint64_t number;
    spar__text_key key = {SPAR__TEXT_COMMENT, 1, 0};
    spar__text_dropped dropped;
    empty_folder(folder);
    set_screen(entry.event, 1, 4);
    need(!spar__store_open(path, SPAR__STORE_CREATE, &store, NULL) && !spar__store_create(store, "", e, NULL) &&
         !spar__store_append(store, *e, 1, &entry, NULL) && !entry.status &&
         !spar__store_next_screen(store, *e, &number, NULL) && number == 2 &&
         !spar__store_text_drop(store, *e, 1, &key, &dropped, NULL));
    spar_event_free(entry.event);
    return store;
}

/* words NULL: there is nothing to find. */
static void finds(const char *sql, const char *words)
{
    char first[200] = "";
    uint64_t e;
    spar_error err = {0};
    spar__store *store = make(&e);
    spar__store_close(store);
    run_sql(sql);
    need(!spar__store_open(path, SPAR__STORE_READ, &store, &err));
    spar_status status = spar__store_check(store, keep_first, first, &err);
    ok(words ? strstr(first, words) != NULL : !status && !first[0], "%.60s: %s %s", sql, first, err.text);
    spar__store_close(store);
}

static void test_overflow(void)
{
    uint64_t e, number = 1;
    spar_error err = {0};
    spar__store *store = make(&e);
    spar__store_close(store);
    run_sql("UPDATE experiment SET screens = 9223372036854775806");
    need(!spar__store_open(path, SPAR__STORE_WRITE, &store, &err) && !spar__store_lock(store, e, &err));
    ok(!spar__store_next_screen(store, e, &number, &err) && number == INT64_MAX, "the last number");
    ok(spar__store_next_screen(store, e, &number, &err) == SPAR_CORRUPT && !number, "%s", err.text);
    spar__store_unlock(store);
    ok(!spar__store_next_screen(store, e, &number, &err) && number == INT64_MAX, "the same without the lock");
    ok(spar__store_next_screen(store, e, &number, &err) == SPAR_CORRUPT && !number && strstr(err.text, path), "%s",
       err.text);
    spar__store_close(store);
}

int main(void)
{
    (void)snprintf(path, sizeof path, "%s/stray.db", new_folder(folder));
    finds("SELECT 1", NULL);
    finds("ANALYZE", NULL);
    finds("VACUUM", NULL);
    finds("CREATE TRIGGER t AFTER INSERT ON event BEGIN DELETE FROM text; END", "the trigger 't' was not made");
    finds("CREATE VIEW v AS SELECT * FROM event", "the view 'v' was not made");
    finds("CREATE TABLE more (x)", "the table 'more' was not made");
    finds("CREATE INDEX slow ON event (hash)", "the index 'slow' was not made");
    finds("DROP INDEX voter", "the index 'voter' is missing");
    finds("DROP INDEX voter; CREATE INDEX voter ON text (experiment, bytes) WHERE kind = 5",
          "the index 'voter' is missing, or was changed");
    finds("DROP TABLE secret", "the table 'secret' is missing");
    finds("INSERT INTO event VALUES (5, x'00', x'00')", "'event' that belong to no experiment: 1");
    finds("INSERT INTO event VALUES (-5, x'00', x'00')", "'event' that belong to no experiment: 1");
    finds("INSERT INTO event VALUES ((1 << 40), x'00', x'00')", "'event' that belong to no experiment: 1");
    finds("INSERT INTO event VALUES ((7 << 40) + 1, x'00', x'00')", "'event' that belong to no experiment: 1");
    finds("INSERT INTO answer VALUES (7, 1, 0, 1)", "'answer' that belong to no experiment: 1");
    finds("INSERT INTO text VALUES (7, 1, 1, 1, x'00', x'00')", "'text' that belong to no experiment: 1");
    finds("UPDATE experiment SET screens = 9223372036854775807", "reserved");
    finds("UPDATE experiment SET screens = -1", "reserved");
    test_overflow();
    remove_folder(folder);
    return done();
}
