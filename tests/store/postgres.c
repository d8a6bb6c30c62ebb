/* PostgreSQL: roles, migrations, lost connections, texts that look like SQL, large batches. */
#include "store/database.h"

#include "base/alloc.h"
#include "base/clock.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

static void rest(unsigned milliseconds)
{
    (void)nanosleep(&(struct timespec){milliseconds / 1000, (long)(milliseconds % 1000) * 1000000}, NULL);
}

static spar__store *new_store(uint64_t *e)
{
    spar__store *store = open_store(new_place(), SPAR__STORE_CREATE);
    need(store && !spar__store_create(store, "", e, NULL));
    return store;
}

static size_t findings(spar__store *store)
{
    char first[300] = "";
    spar_error err = {0};
    spar_status status = spar__store_check(store, keep_first, first, &err);
    if (status || first[0])
        printf("# %s %s\n", first, err.text);
    return status || first[0];
}

/* --- texts are never SQL --- */

static const char *const evil[] = {"'; DROP SCHEMA spar CASCADE; --",
                                   "\"; DELETE FROM event; --",
                                   "$1",
                                   "%s%n%d",
                                   "\\'; COMMIT; --",
                                   "@.event",
                                   "~",
                                   "E'\\\\'",
                                   "'||(SELECT version())||'",
                                   "$$; SELECT pg_sleep(100); $$",
                                   "\xc3\xa9\xf0\x9f\x8d\xb5"};

static bool same_bytes_as(spar__store *store, uint64_t e, uint64_t owner, const char *wanted)
{
    unsigned char salt[SPAR__SALT_SIZE], *bytes = NULL;
    size_t length = 0;
    bool good = !spar__store_text_get(store, e, SPAR__TEXT_VOTER, owner, 1, salt, &bytes, &length, NULL) &&
                length == strlen(wanted) && !memcmp(bytes, wanted, length);
    spar__free(bytes);
    return good;
}

static bool survives(spar__store *store, uint64_t i, const char *text)
{
    const spar__store_text name = {SPAR__TEXT_VOTER, i + 1, 1, {1}, (const unsigned char *)text, strlen(text)};
    spar__store_entry entry = {new_event(), &name, 1, SPAR_OK, {0}};
    uint64_t e = 0, found = 0;
    unsigned char *bytes = NULL;
    size_t length;
    spar_error err = {0};
    set_screen(entry.event, i + 1, 2);
    bool good =
        !spar__store_create(store, text, &e, &err) && !spar__store_find(store, text, &found, &err) && found == e;
    good =
        good && !spar__store_append(store, e, 1, &entry, &err) && !entry.status && same_bytes_as(store, e, i + 1, text);
    good = good && !spar__store_voter(store, e, text, strlen(text), &found, &err) && found == i + 1;
    good = good && !spar__store_secret_put(store, text, (const unsigned char *)text, strlen(text), &err) &&
           !spar__store_secret_get(store, text, &bytes, &length, &err) && length == strlen(text);
    spar__free(bytes);
    good = good && !spar__store_secret_drop(store, text, &err);
    spar_event_free(entry.event);
    return ok(good, "%s %s", text, err.text);
}

static void test_injection(void)
{
    spar__store *store = open_store(new_place(), SPAR__STORE_CREATE);
    need(store);
    for (uint64_t i = 0; i < sizeof evil / sizeof *evil; i++)
        (void)survives(store, i, evil[i]);
    ok(findings(store) == 0, "nothing was harmed");
    spar__store_close(store);
}

/* --- roles --- */

static const char grants[] =
    "DROP ROLE IF EXISTS server; CREATE ROLE server LOGIN; GRANT USAGE ON SCHEMA @ TO server; "
    "GRANT SELECT ON @.version TO server; GRANT SELECT, INSERT, UPDATE ON @.experiment TO server; "
    "GRANT SELECT, INSERT ON @.event TO server; GRANT SELECT, INSERT, DELETE ON @.text TO server; "
    "GRANT SELECT, INSERT, UPDATE, DELETE ON @.snapshot, @.secret TO server; "
    "GRANT USAGE, SELECT ON SEQUENCE @.screens TO server; "
    "DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA @ TO reader; "
    "GRANT SELECT ON @.version, @.experiment, @.event, @.text, @.snapshot, @.screens TO reader; "
    "DROP ROLE IF EXISTS nobody; CREATE ROLE nobody LOGIN; REVOKE CREATE ON SCHEMA public FROM PUBLIC";

static void test_server_role(void)
{
    static const spar__store_text text = {SPAR__TEXT_COMMENT, 1, 1, {1}, (const unsigned char *)"fine", 4};
    static const spar__store_snapshot about = {.sequence = 1};
    spar__store *store = open_store(place_as("server"), SPAR__STORE_CREATE);
    uint64_t e, number;
    spar_error err = {0};
    need(store);
    ok(!spar__store_create(store, "by the server", &e, &err), "a server makes an experiment %s", err.text);
    ok(!spar__store_next_screen(store, e, &number, &err) && !append_answer(store, e, number, &err), "appends %s",
       err.text);
    ok(!spar__store_text_put(store, e, &text, &err) &&
           !spar__store_text_drop(store, e, 1, &(spar__text_key){SPAR__TEXT_COMMENT, 1, 0}, NULL, &err),
       "keeps and drops texts %s", err.text);
    ok(!spar__store_secret_put(store, "k", about.hash, 4, &err) && !spar__store_secret_drop(store, "k", &err) &&
           !spar__store_snapshot_put(store, e, &about, about.hash, 8, &err) &&
           !spar__store_snapshot_keep(store, e, 0, NULL, &err),
       "secrets and snapshots, too %s", err.text);
    ok(whole_log(store, e) == 1, "reads");
    ok(findings(store) == 0, "and checks, without a right to make or change tables");
    spar__store_close(store);
}

static void test_roles(void)
{
    spar_error err = {0};
    unsigned char *bytes;
    size_t length;
    uint64_t e;
    spar__store *store = new_store(&e), *reader, *none = NULL;
    need(!append_answer(store, e, 1, &err) && !spar__store_secret_put(store, "key", (const void *)"x", 1, &err));
    (void)sql(grants);
    test_server_role();
    reader = open_store(place_as("reader"), SPAR__STORE_READ);
    ok(reader && whole_log(reader, e) == 1 && findings(reader) == 0, "a role that may read reads and checks");
    ok(spar__store_secret_get(reader, "key", &bytes, &length, &err) == SPAR_IO && strstr(err.text, "lacks a right"),
       "but no secrets: %s", err.text);
    spar__store_close(reader);
    reader = open_store(place_as("reader"), SPAR__STORE_WRITE);
    ok(append_answer(reader, e, 2, &err) == SPAR_IO && strstr(err.text, "lacks a right") && whole_log(reader, e) == 1,
       "nor does it write: %s", err.text);
    spar__store_close(reader);
    ok(spar__store_open(place_as("nobody"), SPAR__STORE_READ, &none, &err) == SPAR_IO && strstr(err.text, "lacks"),
       "a role without rights: %s", err.text);
    (void)new_place();
    ok(spar__store_open(place_as("server"), SPAR__STORE_CREATE, &none, &err) == SPAR_IO && strstr(err.text, "lacks"),
       "who may not make a schema is told: %s", err.text);
    ok(spar__store_open(place_as("absent"), SPAR__STORE_CREATE, &none, &err) == SPAR_IO && strstr(err.text, "absent"),
       "a role that is not there: %s", err.text);
    spar__store_close(store);
}

/* --- migrations --- */

static const char *const good_step[] = {"ALTER TABLE @.experiment ADD COLUMN note text", NULL},
                         *const bad_step[] = {"ALTER TABLE @.experiment ADD COLUMN more text", "SELECT 1/0", NULL};

static void test_migration(void)
{
    const char *const *const steps[] = {spar__pg_schema_now.step[0], good_step, bad_step};
    const spar__pg_schema two = {2, steps}, three = {3, steps};
    uint64_t e;
    spar_error err = {0};
    spar__store *store = new_store(&e), *none = NULL;
    need(!append_answer(store, e, 1, &err));
    ok(spar__pg_set_up((spar__postgres *)store, &three, &err) != SPAR_OK && strstr(err.text, "make its tables"),
       "a step fails: %s", err.text);
    same_text(sql("SELECT number FROM @.version"), "1", "nothing of the migration is left");
    same_text(
        sql("SELECT count(*) FROM information_schema.columns WHERE table_schema = '@' AND column_name IN ('note', "
            "'more')"),
        "0", "no step of it");
    ok(!append_answer(store, e, 2, &err), "and the store works");
    ok(!spar__pg_set_up((spar__postgres *)store, &two, &err) && !spar__pg_set_up((spar__postgres *)store, &two, &err),
       "a migration, once %s", err.text);
    same_text(sql("SELECT number FROM @.version"), "2", "is a new version");
    ok(whole_log(store, e) == 2, "with the same log");
    ok(spar__store_open(place_as(NULL), SPAR__STORE_READ, &none, &err) == SPAR_UNSUPPORTED, "%s", err.text);
    (void)sql("UPDATE @.version SET number = 1");
    ((struct spar__store *)store)->mode = SPAR__STORE_READ;
    ok(spar__pg_set_up((spar__postgres *)store, &two, &err) == SPAR_UNSUPPORTED && strstr(err.text, "older spar"), "%s",
       err.text);
    spar__store_close(store);
}

/* --- the lock --- */

/* Under the lock of one experiment another one is read. */
static void test_lock(void)
{
    uint64_t e, other, last = 9;
    unsigned char hash[SPAR_HASH_SIZE];
    spar_error err = {0};
    spar__store *store = new_store(&e);
    need(!spar__store_create(store, "other", &other, &err) && !append_answer(store, e, 1, &err));
    ok(!spar__store_lock(store, e, &err) && !spar__store_head(store, other, &last, hash, &err) && last == 0 &&
           whole_log(store, other) == 0 && !append_answer(store, e, 2, &err) && whole_log(store, e) == 2,
       "other experiments are read under the lock %s", err.text);
    spar__store_close(store);
}

/* --- connections that end --- */

static void end_connections(void)
{
    (void)sql("SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity WHERE usename = 'spar'");
    rest(50);
}

static void test_reconnect(void)
{
    uint64_t e;
    spar_error err = {0};
    spar__store *store = new_store(&e);
    need(!append_answer(store, e, 1, &err));
    end_connections();
    ok(!append_answer(store, e, 2, &err) && whole_log(store, e) == 2, "a connection that ended is made again %s",
       err.text);
    need(!spar__store_lock(store, e, &err));
    end_connections();
    ok(append_answer(store, e, 3, &err) == SPAR_IO && err.text[0], "not under the lock: %s", err.text);
    ok(!append_answer(store, e, 3, &err) && whole_log(store, e) == 3, "but afterwards %s", err.text);
    spar__store_close(store);
}

/* The connection ends while it commits: nothing is acknowledged, and the same again is fine. */
static void test_lost_commit(void)
{
    uint64_t e;
    spar_error err = {0};
    spar__store *store = new_store(&e);
    need(!append_answer(store, e, 1, &err));
    (void)sql(
        "CREATE FUNCTION @.die() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM "
        "pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(1); RETURN NULL; END'; CREATE CONSTRAINT TRIGGER "
        "die AFTER INSERT ON @.event DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION @.die(); "
        "GRANT EXECUTE ON FUNCTION @.die TO spar");
    ok(append_answer(store, e, 2, &err) == SPAR_IO && strstr(err.text, "append"), "lost while it commits: %s",
       err.text);
    (void)sql("DROP TRIGGER die ON @.event; DROP FUNCTION @.die");
    ok(whole_log(store, e) == 1 && !append_answer(store, e, 2, &err) && whole_log(store, e) == 2,
       "nothing was there, now it is %s", err.text);
    ok(append_answer(store, e, 2, &err) == SPAR_CONFLICT, "and only once");
    spar__store_close(store);
}

/* A server that says nothing more is given up, and found again. */
static void test_silence(void)
{
    uint64_t e;
    spar_error err = {0};
    spar__store *store = new_store(&e);
    need(!append_answer(store, e, 1, &err));
    pid_t process =
        (pid_t)strtol(sql("SELECT pid FROM pg_stat_activity WHERE usename = 'spar' AND application_name = 'spar'"
                          " ORDER BY backend_start DESC LIMIT 1"),
                      NULL, 10);
    if (kill(process, SIGSTOP) != 0) {
        skip("this user may not stop a process of the server");
        spar__store_close(store);
        return;
    }
    spar__store_patience = 200;
    spar__pg_silence = 300;
    double before = spar__clock_wall();
    spar_status status = append_answer(store, e, 2, &err);
    double seconds = (spar__clock_wall() - before) / 1e9;
    ok(status == SPAR_IO && strstr(err.text, "does not answer") && seconds < 60, "silence: %s", err.text);
    spar__store_patience = 10000;
    spar__pg_silence = 5000;
    ok(whole_log(store, e) == 1, "another connection reads %s", err.text);
    (void)kill(process, SIGCONT);
    status = append_answer(store, e, 2, &err);
    ok((status == SPAR_OK || status == SPAR_CONFLICT) && whole_log(store, e) == 2, "it is there once, whoever did it");
    spar__store_close(store);
}

/* --- durability --- */

/* What is acknowledged is on the disk, whatever the role says. */
static void test_durable(void)
{
    uint64_t e;
    spar__store *store = new_store(&e);
    spar__store_close(store);
    (void)sql(
        "ALTER ROLE spar SET synchronous_commit = off; CREATE TABLE @.seen (mode text); GRANT INSERT ON @.seen TO "
        "spar; CREATE FUNCTION @.look() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO @.seen VALUES "
        "(current_setting(''synchronous_commit'')); RETURN NULL; END'; GRANT EXECUTE ON FUNCTION @.look TO spar; "
        "CREATE TRIGGER look AFTER INSERT ON @.event FOR EACH ROW EXECUTE FUNCTION @.look()");
    store = open_store(place_as(NULL), SPAR__STORE_WRITE);
    ok(!append_answer(store, e, 1, NULL), "a role with synchronous_commit = off");
    same_text(sql("SELECT mode FROM @.seen"), "on", "appends with it on");
    (void)sql("ALTER ROLE spar RESET synchronous_commit");
    spar__store_close(store);
}

/* --- many rows at once --- */

enum { MANY = 2500, TEXTS = 600, TEXT_SIZE = 20000 };

static spar_status count_text(void *context, const spar__store_text *text, spar_error *err)
{
    uint64_t *n = context;
    (void)err;
    return text->owner == ++*n && text->length == TEXT_SIZE && text->bytes[0] == (unsigned char)*n ? SPAR_OK
                                                                                                   : SPAR_CORRUPT;
}

static void test_large(void)
{
    uint64_t e, n = 0;
    spar__store *store = new_store(&e);
    spar_error err = {0};
    spar__store_entry *entry = calloc(MANY + 1, sizeof *entry);
    spar__store_text *text = calloc(TEXTS, sizeof *text);
    unsigned char *bytes = calloc(TEXTS, TEXT_SIZE);
    need(entry && text && bytes);
    for (size_t i = 0; i <= MANY; i++) {
        entry[i].event = new_event();
        set_import(entry[i].event, i % MANY, 2);
    }
    for (size_t i = 0; i < TEXTS; i++) {
        memset(bytes + i * TEXT_SIZE, (int)(i + 1), TEXT_SIZE);
        text[i] = (spar__store_text){SPAR__TEXT_ARM, i + 1, 1, {1}, bytes + i * TEXT_SIZE, TEXT_SIZE};
        entry[i].text = &text[i];
        entry[i].n_texts = 1;
    }
    ok(!spar__store_append(store, e, MANY + 1, entry, &err) && entry[MANY].status == SPAR_CONFLICT &&
           entry[MANY - 1].status == SPAR_OK && whole_log(store, e) == MANY,
       "%d events in one append %s", MANY, err.text);
    ok(!spar__store_text_each(store, e, SPAR__TEXT_ARM, count_text, &n, &err) && n == TEXTS, "%d texts of %d bytes %s",
       TEXTS, TEXT_SIZE, err.text);
    ok(findings(store) == 0, "no damage");
    for (size_t i = 0; i <= MANY; i++)
        spar_event_free(entry[i].event);
    free(entry);
    free(text);
    free(bytes);
    spar__store_close(store);
}

int main(void)
{
    test_injection();
    test_roles();
    test_migration();
    test_lock();
    test_reconnect();
    test_lost_commit();
    test_silence();
    test_durable();
    test_large();
    return done();
}
