/* What only a store in a file does: whose file it is, modes, helpers, bytes that must go, locks between processes. */
#include "base/file.h"
#include "store/events.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

static char folder[64], place[100];

static const char *at(const char *name)
{
    (void)snprintf(place, sizeof place, "%s/%s", folder, name);
    return place;
}

/* A store with one experiment, "x". */
static spar__store *make(const char *path, uint64_t *e)
{
    spar__store *store;
    need(!spar__store_open(path, SPAR__STORE_CREATE, &store, NULL) && !spar__store_create(store, "x", e, NULL));
    return store;
}

static spar_status append_answer(spar__store *store, uint64_t e, uint64_t number, const spar__store_text *text,
                                 spar_error *err)
{
    spar__store_entry entry = {new_event(), text, text ? 1 : 0, SPAR_OK, {0}};
    set_answer(entry.event, number, 0);
    spar_status status = spar__store_append(store, e, 1, &entry, err);
    spar_event_free(entry.event);
    return status ? status : entry.status;
}

static void run_sql(const char *path, const char *sql)
{
    sqlite3 *db;
    char *why = NULL;
    need(sqlite3_open(path, &db) == SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, &why))
        printf("# %s\n", why);
    sqlite3_free(why);
    need(sqlite3_close(db) == SQLITE_OK);
}

static void write_file(const char *path, const char *bytes)
{
    need(!spar__file_write(path, bytes, strlen(bytes), NULL));
}

static bool same_bytes(const char *path, const char *bytes)
{
    spar__buf have = {0};
    bool same = !spar__file_read(path, 0, &have, NULL) && strcmp(have.text, bytes) == 0;
    spar__buf_free(&have);
    return same;
}

static unsigned mode_of(const char *path)
{
    struct stat info;
    return stat(path, &info) ? 0 : info.st_mode & 0777;
}

static bool is_there(const char *name)
{
    char path[120];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

static void refused(const char *path, spar__store_mode mode, spar_status wanted, const char *words)
{
    spar__store *store = (spar__store *)&store;
    spar_error err = {0};
    spar_status status = spar__store_open(path, mode, &store, &err);
    ok(status == wanted && !store && strstr(err.text, path) && strstr(err.text, words), "%s", err.text);
}

static void test_whose(void)
{
    uint64_t e;
    write_file(at("notes.txt"), "These are my notes, of more than a hundred bytes, so that they could be a database, "
                                "if they began as one does.\n");
    for (int mode = SPAR__STORE_READ; mode <= SPAR__STORE_CREATE; mode++)
        refused(at("notes.txt"), (spar__store_mode)mode, SPAR_UNSUPPORTED, "no database");
    ok(same_bytes(at("notes.txt"),
                  "These are my notes, of more than a hundred bytes, so that they could be a database, "
                  "if they began as one does.\n"),
       "and they are unharmed");
    run_sql(at("other.db"), "CREATE TABLE mine (x); INSERT INTO mine VALUES (1);");
    refused(at("other.db"), SPAR__STORE_CREATE, SPAR_UNSUPPORTED, "another program");
    run_sql(at("third.db"), "PRAGMA application_id = 7");
    refused(at("third.db"), SPAR__STORE_CREATE, SPAR_UNSUPPORTED, "another program");
    write_file(at("empty"), "");
    refused(at("empty"), SPAR__STORE_READ, SPAR_UNSUPPORTED, "empty");
    refused(at("empty"), SPAR__STORE_WRITE, SPAR_UNSUPPORTED, "empty");
    spar__store_close(make(at("empty"), &e));
    refused(folder, SPAR__STORE_CREATE, SPAR_IO, "is a directory");
    refused(at("no/such/folder"), SPAR__STORE_CREATE, SPAR_IO, "No such file");
    spar__store_close(make(at("newer.db"), &e));
    run_sql(at("newer.db"), "PRAGMA user_version = 7");
    for (int mode = SPAR__STORE_READ; mode <= SPAR__STORE_CREATE; mode++)
        refused(at("newer.db"), (spar__store_mode)mode, SPAR_UNSUPPORTED, "newer spar: its schema has version 7");
    spar__store_close(make(at("strange #%?.db"), &e));
    ok(is_there("strange #%?.db"), "a name is taken as it is");
}

static void test_modes(void)
{
    uint64_t e;
    spar__store *store = make(at("modes.db"), &e);
    spar_error err = {0};
    need(!append_answer(store, e, 1, NULL, &err));
    ok(mode_of(at("modes.db")) == 0600 && mode_of(at("modes.db-wal")) == 0600 && mode_of(at("modes.db-shm")) == 0600,
       "file and helpers are their owner's only");
    spar__store_close(store);
    write_file(at("modes 2.db"), "");
    need(chmod(at("modes 2.db"), 0644) == 0);
    store = make(at("modes 2.db"), &e);
    need(!append_answer(store, e, 1, NULL, &err));
    ok(mode_of(at("modes 2.db")) == 0600 && mode_of(at("modes 2.db-wal")) == 0600 &&
           mode_of(at("modes 2.db-shm")) == 0600,
       "so is an empty file that becomes a store");
    spar__store_close(store);
    need(chmod(at("modes 2.db"), 0640) == 0 && !spar__store_open(at("modes 2.db"), SPAR__STORE_CREATE, &store, &err));
    ok(mode_of(at("modes 2.db")) == 0640, "of a store it stays as it is");
    spar__store_close(store);
    need(!spar__store_open(at("modes.db"), SPAR__STORE_WRITE, &store, &err));
    ok(!spar__store_hold(store, &err) && mode_of(at("modes.db-serve")) == 0600, "so is the lock of a server");
    spar__store_close(store);
    ok(!is_there("modes.db-wal") && !is_there("modes.db-shm") && !is_there("modes.db-serve"), "closed: no helpers");
    need(!spar__store_open(at("modes.db"), SPAR__STORE_READ, &store, &err));
    follower f = {.event = new_event(), .whole = true};
    ok(!spar__store_read(store, e, 1, 0, follow, &f, &err) && f.n == 1, "read");
    spar__store_close(store);
    ok(!is_there("modes.db-wal") && !is_there("modes.db-shm"), "a reader leaves no helpers, either");
    spar_event_free(f.event);
}

/* In a child without privileges, for whom modes count. */
static int read_as_nobody(const char *path, uint64_t e)
{
    spar__store *store = NULL;
    spar_error err = {0};
    follower f = {.event = new_event(), .whole = true};
    if (geteuid() == 0 && (setgid(65534) || setuid(65534)))
        return 2;
    int result = spar__store_open(path, SPAR__STORE_READ, &store, &err) ||
                 spar__store_read(store, e, 1, 0, follow, &f, &err) || !f.whole || f.n != 1;
    if (result)
        printf("# %s\n", err.text);
    (void)fflush(stdout);
    spar__store_close(store);
    spar_event_free(f.event);
    spar__store *writer;
    return result || spar__store_open(path, SPAR__STORE_WRITE, &writer, &err) != SPAR_IO || !strstr(err.text, path);
}

static int write_as_nobody(const char *path, uint64_t e)
{
    char words[140];
    spar__store *store = NULL;
    spar_error err = {0};
    (void)e;
    if (geteuid() == 0 && (setgid(65534) || setuid(65534)))
        return 2;
    spar_status status = spar__store_open(path, SPAR__STORE_WRITE, &store, &err);
    spar__store_close(store);
    printf("# %s\n", err.text);
    (void)fflush(stdout);
    (void)snprintf(words, sizeof words, "its folder %s cannot", folder);
    return status != SPAR_IO || !strstr(err.text, path) || !strstr(err.text, words);
}

static int in_child(int (*fn)(const char *, uint64_t), const char *path, uint64_t e)
{
    int status = 0;
    (void)fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        _exit(fn(path, e));
    need(child > 0 && waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}

static void test_read_only(void)
{
    uint64_t e;
    spar__store *store = make(at("read #1.db"), &e);
    need(!append_answer(store, e, 1, NULL, NULL));
    spar__store_close(store);
    need(chmod(at("read #1.db"), 0444) == 0 && chmod(folder, 0777) == 0);
    ok(in_child(read_as_nobody, at("read #1.db"), e) == 0, "a file that cannot be written is read");
    ok(!is_there("read #1.db-wal") && !is_there("read #1.db-shm"), "and nothing is left beside it");
    need(chmod(folder, 0555) == 0);
    ok(in_child(read_as_nobody, at("read #1.db"), e) == 0, "in a folder that cannot be written, too");
    need(chmod(at("read #1.db"), 0666) == 0);
    ok(in_child(write_as_nobody, at("read #1.db"), e) == 0, "who cannot write for the folder's sake is told so");
    need(chmod(folder, 0700) == 0);
}

/* A writer that was killed leaves a log with the last events; a reader sees them, and leaves it as it is. */
static int write_and_die(const char *path, uint64_t e)
{
    spar__store *store;
    need(!spar__store_open(path, SPAR__STORE_WRITE, &store, NULL) && !append_answer(store, e, 2, NULL, NULL));
    _exit(0);
}

static int read_log_as_nobody(const char *path, uint64_t e)
{
    spar__store *store = NULL;
    spar_error err = {0};
    (void)e;
    if (geteuid() == 0 && (setgid(65534) || setuid(65534)))
        return 2;
    spar_status status = spar__store_open(path, SPAR__STORE_READ, &store, &err);
    spar__store_close(store);
    printf("# %s\n", err.text);
    (void)fflush(stdout);
    return status != SPAR_IO || !strstr(err.text, path) || !strstr(err.text, "-wal");
}

static void test_left_log(void)
{
    uint64_t e;
    struct stat before, after;
    spar__store *store = make(at("left.db"), &e);
    need(!append_answer(store, e, 1, NULL, NULL));
    spar__store_close(store);
    need(in_child(write_and_die, at("left.db"), e) == 0 && stat(at("left.db"), &before) == 0);
    follower f = {.event = new_event(), .whole = true};
    need(!spar__store_open(at("left.db"), SPAR__STORE_READ, &store, NULL));
    ok(!spar__store_read(store, e, 1, 0, follow, &f, NULL) && f.n == 2, "a reader sees what a dead writer committed");
    spar__store_close(store);
    ok(is_there("left.db-wal") && stat(at("left.db"), &after) == 0 && before.st_mtime == after.st_mtime &&
           before.st_size == after.st_size,
       "and leaves the file and its log as they are");
    spar_event_free(f.event);
    need(chmod(at("left.db"), 0444) == 0 && chmod(at("left.db-wal"), 0444) == 0 && unlink(at("left.db-shm")) == 0);
    need(chmod(folder, 0555) == 0);
    ok(in_child(read_log_as_nobody, at("left.db"), e) == 0, "where nothing can be written a log cannot be read");
    need(chmod(folder, 0700) == 0);
}

enum { N_TEXTS = 1500, PIECE = 20 /* bytes: secret-HASH-OWNER */ };

static void count_piece(const char *bytes, unsigned count[N_TEXTS])
{
    char piece[PIECE + 1];
    if (memcmp(bytes, "secret-", 7) != 0)
        return;
    unsigned owner = (unsigned)strtoul(bytes + 16, NULL, 10) % N_TEXTS; /* may be another number where a page ends */
    (void)snprintf(piece, sizeof piece, "secret-%08x-%04u", owner * 2654435761u, owner);
    count[owner] += memcmp(bytes, piece, PIECE) == 0;
}

/* How often the pieces of each owner are in the files of the store. */
static void count_pieces(const char *name, unsigned count[N_TEXTS])
{
    static const char *const tails[] = {"", "-wal", "-shm"};
    memset(count, 0, N_TEXTS * sizeof *count);
    for (size_t i = 0; i < 3; i++) {
        spar__buf bytes = {0};
        char path[140];
        (void)snprintf(path, sizeof path, "%s/%s%s", folder, name, tails[i]);
        if (!spar__file_read(path, 0, &bytes, NULL))
            for (size_t from = 0; from + PIECE <= bytes.length; from++)
                count_piece(bytes.text + from, count);
        spar__buf_free(&bytes);
    }
}

static size_t pieces_of(unsigned owner)
{
    static const size_t sizes[] = {1, 1, 1, 2, 8, 40, 300};
    return sizes[(owner * 2654435761u >> 20) % 7];
}

/* Puts texts first, first + 1, ... (in disorder) of n in all, in one append; of one to 300 pieces of 20 bytes. */
static void put_texts(spar__store *store, uint64_t e, uint64_t first, uint64_t n)
{
    enum { MANY = 100, LONGEST = 300 };
    static char bytes[MANY][LONGEST * 20 + 1];
    spar__store_text text[MANY];
    spar__store_entry entry[MANY];
    for (uint64_t i = 0; i < MANY; i++) {
        unsigned owner = (unsigned)((first + i) * 787 % n);
        size_t repeat = pieces_of(owner);
        for (size_t r = 0; r < repeat; r++)
            (void)snprintf(bytes[i] + 20 * r, 21, "secret-%08x-%04u", owner * 2654435761u, owner % 10000);
        text[i] = (spar__store_text){
            repeat == 1 ? SPAR__TEXT_VOTER : SPAR__TEXT_COMMENT, owner, 1, {1}, (unsigned char *)bytes[i], 20 * repeat};
        entry[i] = (spar__store_entry){new_event(), &text[i], 1, SPAR_OK, {0}};
        set_answer(entry[i].event, owner + 1, 0);
    }
    need(!spar__store_append(store, e, MANY, entry, NULL));
    for (size_t i = 0; i < MANY; i++) {
        need(!entry[i].status);
        spar_event_free(entry[i].event);
    }
}

/* Texts of mixed sizes in random order, so that SQLite moves rows about, and leaves copies of some. Those are dropped.
 */
static void test_drop(void)
{
    static unsigned count[N_TEXTS], after[N_TEXTS];
    uint64_t e;
    spar__store *store = make(at("drop.db"), &e);
    spar_error err = {0};
    size_t copied = 0, left = 0;
    bool good = true;
    for (uint64_t i = 0; i < N_TEXTS; i += 100)
        put_texts(store, e, i, N_TEXTS);
    spar__store_close(store); /* the write-ahead log is emptied */
    need(!spar__store_open(at("drop.db"), SPAR__STORE_WRITE, &store, &err));
    count_pieces("drop.db", count);
    for (unsigned owner = 0; owner < N_TEXTS; owner++) {
        size_t pieces = pieces_of(owner);
        spar__text_dropped dropped;
        spar__text_key key = {pieces == 1 ? SPAR__TEXT_VOTER : SPAR__TEXT_COMMENT, owner, 0};
        if (pieces > 8 || count[owner] <= (pieces == 1 ? 2 : pieces)) /* a name is in an index, too */
            continue;
        copied++;
        good = good && !spar__store_text_drop(store, e, 1, &key, &dropped, &err) && dropped.n == 1;
        count_pieces("drop.db", after);
        left += after[owner];
    }
    ok(good && copied > 0 && left == 0, "%zu texts that SQLite had copied are dropped, %zu pieces of them are left",
       copied, left);
    spar__store_close(store);
}

static void first_finding(void *context, const char *sentence)
{
    if (!*(char *)context)
        (void)snprintf(context, 200, "%s", sentence);
}

/* Imports [from, to); how many of them were refused? */
static size_t import_some(spar__store *store, uint64_t e, uint64_t from, uint64_t to)
{
    spar__store_entry entry[64] = {{0}};
    size_t n = (size_t)(to - from), refused_ones = 0;
    spar_error err = {0};
    for (size_t i = 0; i < n; i++) {
        entry[i].event = new_event();
        set_import(entry[i].event, from + i, 2);
    }
    if (spar__store_append(store, e, n, entry, &err))
        printf("# %s\n", err.text);
    for (size_t i = 0; i < n; i++) {
        refused_ones += entry[i].status == SPAR_CONFLICT;
        spar_event_free(entry[i].event);
    }
    return refused_ones;
}

/* Keys go to their table a few at a time: two who append find all of them, there or in the log. */
static void test_imports(void)
{
    uint64_t e;
    spar__sqlite_most_recent = 10;
    spar__store *a = make(at("imports.db"), &e), *b;
    need(!spar__store_open(at("imports.db"), SPAR__STORE_WRITE, &b, NULL));
    size_t wrong = 0;
    for (uint64_t i = 0; i < 200; i += 5) {
        spar__store *one = i % 2 ? a : b, *other = i % 2 ? b : a;
        wrong += import_some(one, e, i, i + 5);
        wrong += import_some(other, e, i, i + 5) != 5;
        wrong += import_some(other, e, 0, 50) != (i < 45 ? i + 5 : 50);
        i += i < 45 ? 45 - i : 0; /* they are there now */
    }
    ok(wrong == 0, "every import once");
    spar__store_close(b);
    need(!spar__store_open(at("imports.db"), SPAR__STORE_WRITE, &b, NULL));
    ok(import_some(b, e, 150, 200) == 50 && import_some(b, e, 0, 50) == 50, "also when it is opened again");
    sqlite3_stmt *count = NULL;
    sqlite3 *db = ((spar__sqlite *)b)->db;
    need(!sqlite3_prepare_v2(db, "SELECT count(*) FROM imported", -1, &count, NULL) &&
         sqlite3_step(count) == SQLITE_ROW);
    ok(sqlite3_column_int(count, 0) > 150, "%d of them are in the table", sqlite3_column_int(count, 0));
    (void)sqlite3_finalize(count);
    char first[200] = "";
    ok(!spar__store_check(b, first_finding, first, NULL) && !first[0], "no damage %s", first);
    spar__store_close(b);
    spar__store_close(a);
    spar__sqlite_most_recent = 16384;
}

static int hold_and_wait(const char *path, uint64_t ready)
{
    spar__store *store;
    if (spar__store_open(path, SPAR__STORE_WRITE, &store, NULL) || spar__store_hold(store, NULL))
        _exit(1);
    (void)!write((int)ready, "x", 1);
    for (;;)
        (void)pause();
}

static void test_hold(void)
{
    uint64_t e;
    int pipes[2];
    char c;
    spar_error err = {0};
    spar__store *store = make(at("hold.db"), &e);
    need(pipe(pipes) == 0);
    (void)fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        _exit(hold_and_wait(at("hold.db"), (uint64_t)pipes[1]));
    need(child > 0 && read(pipes[0], &c, 1) == 1);
    char number[32];
    (void)snprintf(number, sizeof number, "process %ld", (long)child);
    ok(spar__store_hold(store, &err) == SPAR_BUSY && strstr(err.text, number), "held by another: %s", err.text);
    ok(!append_answer(store, e, 1, NULL, &err), "that is no lock for writing");
    need(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
    ok(!spar__store_hold(store, &err), "its death gives it up %s", err.text);
    spar__store_close(store);
}

static void test_moved(void)
{
    char there[140];
    uint64_t e;
    spar_error err = {0};
    spar__store *store = make(at("moved.db"), &e);
    need(!append_answer(store, e, 1, NULL, &err));
    (void)snprintf(there, sizeof there, "%s/away.db", folder);
    need(rename(at("moved.db"), there) == 0);
    ok(append_answer(store, e, 2, NULL, &err) == SPAR_IO && strstr(err.text, "moved"), "%s", err.text);
    ok(append_answer(store, e, 2, NULL, &err) == SPAR_IO, "still: %s", err.text);
    spar__store_close(store);
}

/* The file is gone, its helpers are not, and a program still has them: no other file gets them. */
static void test_removed(void)
{
    uint64_t e;
    spar_error err = {0};
    spar__store *store = make(at("removed.db"), &e);
    need(!append_answer(store, e, 1, NULL, &err) && unlink(at("removed.db")) == 0);
    refused(at("removed.db"), SPAR__STORE_CREATE, SPAR_IO, "removed.db-wal is left");
    ok(!is_there("removed.db"), "and no file is made");
    spar__store_close(store);
    (void)unlink(at("removed.db-wal"));
    refused(at("removed.db"), SPAR__STORE_CREATE, SPAR_IO, "removed.db-shm is left");
    (void)unlink(at("removed.db-shm"));
    spar__store_close(make(at("removed.db"), &e));
    ok(is_there("removed.db"), "without them it is made");
}

/* Flips bytes in the middle of the file: what is before the damage is read, and the sentence says where it is. */
static void test_damage(void)
{
    enum { N = 3000 };
    uint64_t e;
    spar_error err = {0};
    spar__store *store = make(at("damage.db"), &e);
    static spar__store_entry entry[N];
    for (uint64_t i = 0; i < N; i++) {
        entry[i].event = new_event();
        set_answer(entry[i].event, i + 1, 0);
    }
    need(!spar__store_append(store, e, N, entry, &err));
    for (size_t i = 0; i < N; i++)
        spar_event_free(entry[i].event);
    spar__store_close(store);
    int fd = open(at("damage.db"), O_RDWR);
    struct stat info;
    unsigned char zeros[8192];
    memset(zeros, 0x5a, sizeof zeros);
    need(fd >= 0 && fstat(fd, &info) == 0);
    need(pwrite(fd, zeros, sizeof zeros, info.st_size / 2 / 4096 * 4096) == (ssize_t)sizeof zeros && close(fd) == 0);
    need(!spar__store_open(at("damage.db"), SPAR__STORE_READ, &store, &err));
    follower f = {.event = new_event(), .whole = true};
    spar_status status = spar__store_read(store, e, 1, 0, follow, &f, &err);
    char words[40];
    (void)snprintf(words, sizeof words, "event %llu ", (unsigned long long)f.n + 1);
    ok(status == SPAR_CORRUPT && f.whole && f.n > 0 && f.n < N && strstr(err.text, words), "after %llu events: %s",
       (unsigned long long)f.n, err.text);
    follower g = {.event = new_event(), .n = N - 1};
    ok(!spar__store_read(store, e, N, 0, follow, &g, &err) && g.n == N, "what is behind the damage can be read");
    spar_event_free(f.event);
    spar_event_free(g.event);
    spar__store_close(store);
}

static void finds(const char *sql, const char *words)
{
    char first[200] = "", name[32];
    static int n;
    uint64_t e;
    spar_error err = {0};
    (void)snprintf(name, sizeof name, "check%d.db", ++n);
    spar__store *store = make(at(name), &e);
    need(!append_answer(store, e, 1, NULL, &err) && !append_answer(store, e, 2, NULL, &err));
    spar__store_close(store);
    run_sql(at(name), sql);
    need(!spar__store_open(at(name), SPAR__STORE_READ, &store, &err));
    spar_status status = spar__store_check(store, first_finding, first, &err);
    ok(!status && strstr(first, words), "found: %s %s", first, err.text);
    spar__store_close(store);
}

/* Many make the same store at once: it is made, and of the experiment there is one. */
static int make_at_once(const char *path, uint64_t start)
{
    spar__store *store = NULL;
    spar_error err = {0};
    uint64_t e;
    char c;
    (void)!read((int)start, &c, 1); /* until the other end is closed */
    spar_status status = spar__store_open(path, SPAR__STORE_CREATE, &store, &err);
    if (!status)
        status = spar__store_create(store, "x", &e, &err);
    if (status && status != SPAR_CONFLICT) {
        printf("# %s\n", err.text);
        (void)fflush(stdout);
    }
    spar__store_close(store);
    return status == SPAR_CONFLICT ? 1 : status ? 2 : 0;
}

static void test_race(int round)
{
    enum { RUNNERS = 6 };
    pid_t child[RUNNERS];
    int pipes[2], result, winners = 0, losers = 0;
    char name[32];
    need(pipe(pipes) == 0);
    (void)snprintf(name, sizeof name, "race%d.db", round);
    (void)fflush(stdout);
    for (int i = 0; i < RUNNERS; i++)
        if ((child[i] = fork()) == 0) {
            (void)close(pipes[1]);
            _exit(make_at_once(at(name), (uint64_t)pipes[0]));
        }
    (void)close(pipes[0]);
    (void)close(pipes[1]);
    for (int i = 0; i < RUNNERS; i++) {
        need(waitpid(child[i], &result, 0) == child[i]);
        winners += WIFEXITED(result) && WEXITSTATUS(result) == 0;
        losers += WIFEXITED(result) && WEXITSTATUS(result) == 1;
    }
    ok(winners == 1 && losers == RUNNERS - 1, "one of %d made it", RUNNERS);
}

int main(void)
{
    (void)new_folder(folder);
    for (int i = 0; i < 5; i++)
        test_race(i);
    test_whose();
    test_modes();
    test_read_only();
    test_left_log();
    test_drop();
    test_imports();
    test_hold();
    test_moved();
    test_removed();
    test_damage();
    finds("DELETE FROM event WHERE id % 2 = 1", "event 1 is missing");
    finds("DELETE FROM answer WHERE screen = 1", "event 1 is not the one that its table names");
    finds("INSERT INTO undo VALUES (1, 1, 1, 1)", "0 events 'undo', the table of that name 1");
    finds("UPDATE event SET body = zeroblob(70) WHERE id % 2 = 1", "event 1 is damaged");
    finds("UPDATE event SET hash = x'00' WHERE id % 2 = 0", "event 2 is damaged");
    remove_folder(folder);
    return done();
}
