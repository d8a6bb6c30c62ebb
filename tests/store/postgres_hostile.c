/* A database that others changed: what they did is found or refused with a sentence, and nothing worse happens. */
#include "store/damage.h"

#include "store/database.h"

/* After that SQL: a check finds something with those words (NULL: nothing), and every call works or says why not. */
static void finds(const char *change, const char *words)
{
    const char *place = new_place();
    char first[300] = "";
    spar_error err = {0};
    spar__store *store = NULL;
    make_whole(place);
    (void)sql(change);
    spar_status status = spar__store_open(place_as(NULL), SPAR__STORE_READ, &store, &err);
    if (!status)
        status = spar__store_check(store, keep_first, first, &err);
    spar__store_close(store);
    ok(words ? strstr(first, words) || strstr(err.text, words) : !status && !first[0], "%.70s: %s %s", change, first,
       err.text);
    for (int mode = SPAR__STORE_READ; mode <= SPAR__STORE_WRITE; mode++) {
        damage_visit v = visit(place_as(NULL), (spar__store_mode)mode);
        if (!v.good)
            ok(false, "a failure without its sentence: %s", v.why);
    }
}

/* Reading fails at that event; those before it can be read. */
static void read_stops(const char *change, uint64_t at, const char *words)
{
    const char *place = new_place();
    follower f = {.event = new_event(), .whole = true};
    spar_error err = {0};
    make_whole(place);
    (void)sql(change);
    spar__store *store = open_store(place_as(NULL), SPAR__STORE_WRITE);
    spar_status status = spar__store_read(store, 1, 1, 0, follow, &f, &err);
    ok(status == SPAR_CORRUPT && f.n == at - 1 && strstr(err.text, words), "%.60s: %s", change, err.text);
    spar_event_free(f.event);
    spar__store_close(store);
}

static void test_versions(void)
{
    spar__store *store = NULL;
    spar_error err = {0};
    make_whole(new_place());
    (void)sql("UPDATE @.version SET number = 2");
    ok(spar__store_open(place_as(NULL), SPAR__STORE_WRITE, &store, &err) == SPAR_UNSUPPORTED &&
           strstr(err.text, "newer spar"),
       "%s", err.text);
    (void)sql("DELETE FROM @.version");
    ok(spar__store_open(place_as(NULL), SPAR__STORE_CREATE, &store, &err) == SPAR_CORRUPT &&
           strstr(err.text, "version"),
       "%s", err.text);
    (void)sql("DROP TABLE @.version");
    ok(spar__store_open(place_as(NULL), SPAR__STORE_CREATE, &store, &err) == SPAR_UNSUPPORTED &&
           strstr(err.text, "another program"),
       "%s", err.text);
}

static void test_rows(void)
{
    finds("SELECT 1", NULL);
    finds("CREATE INDEX more ON @.event (hash)", NULL);
    finds("ANALYZE @.event", NULL);
    read_stops("DELETE FROM @.event WHERE sequence = 7", 7, "event 7 is missing");
    read_stops("DELETE FROM @.event WHERE sequence > 20", 21, "event 21 is missing");
    read_stops("UPDATE @.event SET hash = 'x' WHERE sequence = 3", 3, "event 3 is damaged");
    finds("DELETE FROM @.event WHERE sequence = 7", "event 7 is missing");
    finds("DELETE FROM @.event WHERE sequence > 20", "event 21 is missing");
    finds("UPDATE @.event SET body = 'nothing' WHERE sequence = 9", "event 9 is damaged");
    finds("UPDATE @.event SET low = 77 WHERE sequence = 9", "event 9 is not the one that its row names");
    finds("UPDATE @.event SET once = 0 WHERE sequence = 2", "event 2 is not the one that its row names");
    finds("UPDATE @.experiment SET sequence = 20", "the hash of the head is not that of the last event, 20");
    finds("UPDATE @.experiment SET sequence = 31", "event 31 is missing");
    finds("UPDATE @.experiment SET sequence = -1", "damaged");
    finds("UPDATE @.experiment SET hash = '\\x00'", "damaged");
    finds("UPDATE @.experiment SET screens = -5", "numbers for screens");
    finds("INSERT INTO @.event SELECT 1, 99, 5, 5, 0, body, hash FROM @.event WHERE sequence = 1", "not between");
    finds("DELETE FROM @.experiment", "belong to no experiment");
    finds("UPDATE @.text SET salt = ''", NULL); /* verify finds it: its hash does not fit */
    finds("UPDATE @.experiment SET number = -9223372036854775808", "belong to no experiment");
    finds("UPDATE @.experiment SET screens = 9223372036854775807", "out of range");
}

static void test_tables(void)
{
    finds("DROP TABLE @.event", "not as spar made them");
    finds("DROP TABLE @.text", "text");
    finds("DROP TABLE @.secret", "secret");
    finds("DROP SEQUENCE @.screens", "screens");
    finds("DROP INDEX @.once", "is missing");
    finds("DROP INDEX @.voter", "is missing");
    finds("ALTER TABLE @.event DROP COLUMN hash", "hash");
    finds("ALTER TABLE @.event ALTER body TYPE text USING encode(body, 'hex')", "event.body");
    finds("ALTER TABLE @.event ALTER sequence TYPE text", "event.sequence");
    finds("ALTER TABLE @.experiment ALTER number TYPE numeric", "experiment.number");
    finds("ALTER TABLE @.experiment ALTER hash DROP NOT NULL; UPDATE @.experiment SET hash = NULL", "or null");
    finds("ALTER TABLE @.event ALTER body DROP NOT NULL; UPDATE @.event SET body = NULL WHERE sequence = 5", "or null");
    finds("ALTER TABLE @.event ADD COLUMN more text", "event.more");
    finds("ALTER TABLE @.event SET UNLOGGED", "unlogged");
    finds("ALTER TABLE @.event ENABLE ROW LEVEL SECURITY", "row security");
    finds("CREATE TABLE @.other (x int)", "other");
    finds("CREATE VIEW @.seen AS SELECT 1 AS x", "seen");
    finds("CREATE FUNCTION @.nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'; CREATE TRIGGER "
          "swallow BEFORE INSERT ON @.event FOR EACH ROW EXECUTE FUNCTION @.nothing()",
          "trigger swallow");
    finds("CREATE RULE deaf AS ON INSERT TO @.event DO INSTEAD NOTHING", "rule deaf");
    finds("ALTER TABLE @.event RENAME TO incident; CREATE VIEW @.event AS SELECT * FROM @.incident", "incident");
}

/* Rows that a trigger swallowed were never acknowledged. */
static void test_swallowed(void)
{
    spar_error err = {0};
    make_whole(new_place());
    (void)sql("CREATE RULE deaf AS ON INSERT TO @.event DO INSTEAD NOTHING");
    spar__store *store = open_store(place_as(NULL), SPAR__STORE_WRITE);
    spar_status status = append_answer(store, 1, 500, &err);
    ok(status == SPAR_CORRUPT && err.text[0], "an insert without effect is no success: %s", err.text);
    spar__store_close(store);
    (void)sql("DROP RULE deaf ON @.event; INSERT INTO @.event SELECT 1, 31, 5, 5, 0, body, hash FROM @.event WHERE "
              "sequence = 1");
    store = open_store(place_as(NULL), SPAR__STORE_WRITE);
    ok(append_answer(store, 1, 501, &err) == SPAR_CORRUPT && strstr(err.text, "not as spar left them"),
       "an event in the way: %s", err.text);
    spar__store_close(store);
}

int main(void)
{
    spar__store_patience = 2000;
    test_versions();
    test_rows();
    test_tables();
    test_swallowed();
    return done();
}
