/* connect.c - opening the file, its tables, and the lock of a server (sqlite.h).
 *
 * The file is made by us, readable by its owner only, and an empty one that is there becomes so; SQLite gives its
 * helpers (-wal, -shm) the same mode. Before anything is written it is known to be ours.
 *
 * Reading only. A reader of a write-ahead log needs the two helpers, and leaves them behind where it may not write to
 * the file. So where file and folder can be written a reader connects as a writer would, and is kept from writing by
 * query_only; helpers that it made vanish when it closes, and a log that somebody left behind is left as it is.
 * Elsewhere nobody else can be expected to write: without a log the file is opened as one that never changes, else
 * SQLite tries its best.
 *
 * Tables. Version 1. Everything that counts is in `event`; screen, answer, undo (with the number of the event that has
 * it) and imported hold what may be there once only, and text what people wrote. experiment.screens is
 * the last number that was reserved for a screen. Owners and screens are unsigned numbers of 64 bits in SQLite's signed
 * ones.
 *
 * A change of the tables is a new step, from the last version to the next; steps that were released never change, and
 * tests/golden gets a file of the new version.
 *
 * A server has a lock for its life: flock on a file beside the database, FILE-serve. The lock goes away with the
 * process, however it ends; the file may stay, and means nothing then. It is not on the database itself: closing any
 * descriptor of that would take SQLite's own locks away from the whole process. */
#define _XOPEN_SOURCE 700 /* realpath */

#include "store/sqlite/sqlite.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

const char *spar__sqlite_vfs = NULL;

enum { CHECKPOINT_PAGES = 1000 };

static int wait_more(void *context, int count)
{
    spar__sqlite *self = context;
    double now = spar__clock(CLOCK_MONOTONIC);
    if (count == 0)
        self->busy_since = now;
    if (now - self->busy_since > 1e6 * spar__store_patience)
        return 0;
    long pause = count < 10 ? 1 + count : 10; /* milliseconds */
    (void)nanosleep(&(struct timespec){.tv_nsec = pause * 1000000}, NULL);
    return 1;
}

void spar__sqlite_patient(spar__sqlite *self)
{
    (void)sqlite3_busy_handler(self->db, wait_more, self);
}

/* The write-ahead log is moved to the file when it has become large for it: large imports write a page many times, and
 * need to move it but once. An error here is not one of the commit, which is on the disk; what was not moved stays. */
static int moderate_log(void *context, sqlite3 *db, const char *name, int pages)
{
    spar__sqlite *self = context;
    int64_t size = 0;
    if (pages < CHECKPOINT_PAGES)
        return SQLITE_OK;
    if (spar__sqlite_number(self, "PRAGMA page_count", &size, NULL) || pages < size / 2)
        return SQLITE_OK;
    int code = sqlite3_wal_checkpoint_v2(db, name, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    if (code != SQLITE_OK && code != SQLITE_BUSY)
        self->broken = true;
    return SQLITE_OK;
}

void spar__sqlite_disconnect(spar__sqlite *self)
{
    for (size_t i = 0; i < SPAR__SQL_COUNT; i++) {
        (void)sqlite3_finalize(self->statement[i]);
        self->statement[i] = NULL;
    }
    (void)sqlite3_close_v2(self->db);
    (void)sqlite3_close_v2(self->gate);
    self->db = self->gate = NULL;
}

/* Is PATH-wal or PATH-shm there? */
static spar_status find_helper(const spar__sqlite *self, const char **tail, spar_error *err)
{
    static const char *const tails[] = {"-wal", "-shm"};
    spar__buf name = {0};
    *tail = NULL;
    for (size_t i = 0; i < 2 && !*tail && !name.failed; i++) {
        spar__buf_clear(&name);
        spar__buf_printf(&name, "%s%s", self->path, tails[i]);
        if (!name.failed && access(name.text, F_OK) == 0)
            *tail = tails[i];
    }
    bool failed = name.failed;
    spar__buf_free(&name);
    return failed ? spar__fail_memory(err) : SPAR_OK;
}

/* Helpers without their file: it was removed, perhaps while a program has it open. They would become those of the new
 * one. But somebody else may have made the new one since we looked, with its helpers. */
static spar_status refuse_helpers(const spar__sqlite *self, spar_error *err)
{
    const char *tail;
    spar_status status = find_helper(self, &tail, err);
    if (status || !tail || access(self->path, F_OK) == 0)
        return status;
    return spar__fail(err, SPAR_IO,
                      "%s: cannot be made: %s%s is left of a file of this name that was removed, and may hold its last "
                      "changes; end the programs that use that file, then move %s-wal and %s-shm away",
                      self->base.name, self->base.name, tail, self->base.name, self->base.name);
}

static spar_status make_file(const spar__sqlite *self, spar_error *err)
{
    spar_status status = refuse_helpers(self, err);
    if (status)
        return status;
    int fd = open(self->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0 && errno != EEXIST)
        return spar__fail_file(err, self->base.name, "make");
    if (fd >= 0) /* nobody of this process has locks on a file that is new */
        (void)close(fd);
    return SPAR_OK;
}

/* What stands at the path: a regular file, or nothing that is made where that is wanted. */
static spar_status find_file(spar__sqlite *self, bool make, spar_error *err)
{
    struct stat info;
    if (stat(self->path, &info) == 0) {
        if (S_ISREG(info.st_mode))
            return SPAR_OK;
        return spar__fail(err, SPAR_IO, "%s: is %s, expected a file", self->base.name,
                          S_ISDIR(info.st_mode) ? "a directory" : "no regular file");
    }
    if (errno != ENOENT || !make)
        return spar__fail_file(err, self->base.name, "open");
    return make_file(self, err);
}

/* An empty file that somebody else made becomes ours. By its path: closing a descriptor of it would take SQLite's locks
 * away from the whole process. */
static spar_status restrict_mode(const spar__sqlite *self, spar_error *err)
{
    struct stat info;
    if (stat(self->path, &info) != 0)
        return spar__fail_file(err, self->base.name, "open");
    if ((info.st_mode & 0077) == 0 || chmod(self->path, 0600) == 0)
        return SPAR_OK;
    return spar__fail_file(err, self->base.name, "make it readable by its owner only");
}

/* How a file is opened: can it and its folder be written, and is there a write-ahead log that is not empty? */
typedef struct spar__sqlite_way {
    bool file, folder, log;
} spar__sqlite_way;

static void add_folder(const spar__sqlite *self, spar__buf *folder)
{
    size_t length = (size_t)(strrchr(self->path, '/') - self->path); /* there is one: ./NAME */
    spar__buf_add(folder, self->path, length ? length : 1);
}

static spar_status find_way(const spar__sqlite *self, spar__sqlite_way *way, spar_error *err)
{
    struct stat info;
    spar__buf folder = {0}, log = {0};
    add_folder(self, &folder);
    spar__buf_printf(&log, "%s-wal", self->path);
    bool failed = folder.failed || log.failed;
    if (!failed) {
        way->file = access(self->path, W_OK) == 0;
        way->folder = access(folder.text, W_OK) == 0;
        way->log = stat(log.text, &info) == 0 && info.st_size > 0;
    }
    spar__buf_free(&folder);
    spar__buf_free(&log);
    return failed ? spar__fail_memory(err) : SPAR_OK;
}

/* file:PATH?immutable=1 with what has a meaning in a URI escaped. */
static void add_uri(spar__buf *uri, const char *path)
{
    spar__buf_adds(uri, "file:");
    for (; *path; path++)
        if (strchr("?#%", *path))
            spar__buf_printf(uri, "%%%02x", (unsigned)(unsigned char)*path);
        else
            spar__buf_add(uri, path, 1);
    spar__buf_adds(uri, "?immutable=1");
}

static void guard(spar__sqlite *self)
{
    (void)sqlite3_extended_result_codes(self->db, 1);
    spar__sqlite_patient(self);
    (void)sqlite3_db_config(self->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL); /* files may come from anywhere */
    (void)sqlite3_db_config(self->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    (void)sqlite3_db_config(self->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    (void)sqlite3_db_config(self->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
}

static spar_status open_db(spar__sqlite *self, spar_error *err)
{
    bool reads = self->base.mode == SPAR__STORE_READ;
    spar__sqlite_way way = {true, true, false};
    spar_status status = reads ? find_way(self, &way, err) : SPAR_OK;
    if (status)
        return status;
    bool writes = way.file && way.folder;
    spar__buf name = {0};
    int flags = (writes ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY) | SQLITE_OPEN_NOMUTEX;
    if (writes || way.log)
        spar__buf_adds(&name, self->path);
    else {
        add_uri(&name, self->path);
        flags |= SQLITE_OPEN_URI;
    }
    int code = name.failed ? SQLITE_NOMEM : sqlite3_open_v2(name.text, &self->db, flags, spar__sqlite_vfs);
    spar__buf_free(&name);
    if (code)
        return spar__sqlite_fail(self, "open", err);
    guard(self);
    if (!reads && sqlite3_db_readonly(self->db, "main") != 0) /* SQLite makes do with less */
        return spar__fail(err, SPAR_IO, "%s: cannot be written: its permissions are for reading only", self->base.name);
    if (reads && writes && way.log)
        (void)sqlite3_db_config(self->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    return spar__sqlite_exec(self, reads ? "PRAGMA query_only = ON" : "PRAGMA query_only = OFF", "open", err);
}

/* SQLite keeps a database of that name for all connections of the process, until the last is closed. */
static spar_status open_memory(spar__sqlite *self, const char *what, sqlite3 **out, spar_error *err)
{
    spar__buf name = {0};
    spar__buf_printf(&name, "file:/%s/%s?vfs=memdb", what, self->path);
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI;
    int code = name.failed ? SQLITE_NOMEM : sqlite3_open_v2(name.text, out, flags, NULL);
    spar__buf_free(&name);
    if (!code)
        (void)sqlite3_busy_handler(*out, wait_more, self);
    return code ? spar__sqlite_fail(self, "open", err) : SPAR_OK;
}

static spar_status open_memories(spar__sqlite *self, spar_error *err)
{
    spar_status status = open_memory(self, "gate", &self->gate, err);
    if (!status)
        status = open_memory(self, "data", &self->db, err);
    if (!status)
        guard(self);
    return status;
}

static spar_status fail_foreign(spar__sqlite *self, const char *what, spar_error *err)
{
    return spar__fail(err, SPAR_UNSUPPORTED, "%s: is %s, expected a file of experiments made by spar init",
                      self->base.name, what);
}

static spar_status read_marks(spar__sqlite *self, int64_t *id, int64_t *version, int64_t *tables, spar_error *err)
{
    spar_status status = spar__sqlite_number(self, "PRAGMA application_id", id, err);
    if (status && (sqlite3_errcode(self->db) & 0xFF) == SQLITE_NOTADB)
        return fail_foreign(self, "no database", err);
    if (!status)
        status = spar__sqlite_number(self, "PRAGMA user_version", version, err);
    return status ? status : spar__sqlite_number(self, "SELECT count(*) FROM sqlite_schema", tables, err);
}

/* Whose file is it? *version 0: nobody's, it is empty. In one transaction: somebody else may just be making it. */
static spar_status identify(spar__sqlite *self, int *version, spar_error *err)
{
    int64_t id = 0, tables = 0, number = 0;
    spar_status status = spar__sqlite_exec(self, "BEGIN", "open", err);
    if (!status)
        status = read_marks(self, &id, &number, &tables, err);
    if (!sqlite3_get_autocommit(self->db))
        (void)sqlite3_exec(self->db, "ROLLBACK", NULL, NULL, NULL);
    if (status)
        return status;
    *version = (int)number;
    if (id == SPAR__SQLITE_ID && number > 0)
        return SPAR_OK;
    return id == 0 && number == 0 && tables == 0 ? SPAR_OK : fail_foreign(self, "a database of another program", err);
}

/* The settings of a connection; a write-ahead log is kept from now on. */
static spar_status configure(spar__sqlite *self, spar_error *err)
{
    spar_status status = spar__sqlite_exec(self,
                                           "PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON;"
                                           "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -8192;"
                                           "PRAGMA cell_size_check = ON; PRAGMA synchronous = FULL",
                                           "open", err);
    if (status || self->base.mode == SPAR__STORE_READ || self->memory)
        return status;
    sqlite3_stmt *statement;
    bool row = false;
    status = spar__sqlite_prepare(self, "PRAGMA journal_mode = WAL", &statement, err);
    if (!status)
        status = spar__sqlite_step(self, statement, &row, "open", err);
    const char *mode = row ? (const char *)sqlite3_column_text(statement, 0) : NULL;
    if (!status && (!mode || strcmp(mode, "wal") != 0))
        status =
            spar__fail(err, SPAR_UNSUPPORTED, "%s: no write-ahead log can be kept in this folder", self->base.name);
    (void)sqlite3_finalize(statement);
    (void)sqlite3_wal_hook(self->db, moderate_log, self);
    return status ? status : spar__sqlite_exec(self, "PRAGMA journal_size_limit = 16777216", "open", err);
}

/* --- the tables --- */

static const char *const steps[] = {
    "CREATE TABLE experiment (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, screens INTEGER NOT NULL, "
    "indexed INTEGER NOT NULL) STRICT;"
    "CREATE TABLE event (id INTEGER PRIMARY KEY, body BLOB NOT NULL, hash BLOB NOT NULL) STRICT;"
    "CREATE TABLE screen (experiment INTEGER NOT NULL, number INTEGER NOT NULL, event INTEGER NOT NULL, "
    "PRIMARY KEY (experiment, number)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE answer (experiment INTEGER NOT NULL, screen INTEGER NOT NULL, revision INTEGER NOT NULL, "
    "event INTEGER NOT NULL, "
    "PRIMARY KEY (experiment, screen, revision)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE undo (experiment INTEGER NOT NULL, screen INTEGER NOT NULL, revision INTEGER NOT NULL, "
    "event INTEGER NOT NULL, "
    "PRIMARY KEY (experiment, screen, revision)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE imported (experiment INTEGER NOT NULL, key BLOB NOT NULL, "
    "PRIMARY KEY (experiment, key)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE text (experiment INTEGER NOT NULL REFERENCES experiment, kind INTEGER NOT NULL, "
    "owner INTEGER NOT NULL, version INTEGER NOT NULL, salt BLOB NOT NULL, bytes BLOB NOT NULL, "
    "PRIMARY KEY (experiment, kind, owner, version)) STRICT, WITHOUT ROWID;"
    "CREATE UNIQUE INDEX voter ON text (experiment, bytes) WHERE kind = 5;"
    "CREATE TABLE snapshot (experiment INTEGER NOT NULL REFERENCES experiment, sequence INTEGER NOT NULL, "
    "engine INTEGER NOT NULL, hash BLOB NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (experiment, sequence)) STRICT;"
    "CREATE TABLE secret (name TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT, WITHOUT ROWID;",
};

const spar__sqlite_schema spar__sqlite_schema_now = {1, steps};

/* PATH.version-1.bak, or with -2, -3 ... behind the number if that is there. */
static spar_status save_old(spar__sqlite *self, int version, spar_error *err)
{
    spar__buf name = {0};
    for (int i = 1; i < 1000; i++) {
        spar__buf_clear(&name);
        spar__buf_printf(&name, "%s.version-%d", self->path, version);
        spar__buf_printf(&name, i > 1 ? "-%d.bak" : ".bak", i);
        if (name.failed || access(name.text, F_OK) != 0)
            break;
    }
    spar_status status = name.failed ? spar__fail_memory(err) : spar__sqlite_copy(self, name.text, err);
    spar__buf_free(&name);
    return status;
}

static spar_status run_steps(spar__sqlite *self, const spar__sqlite_schema *schema, int version, spar_error *err)
{
    char pragmas[96];
    spar_status status = SPAR_OK;
    for (int v = version; v < schema->version && !status; v++)
        status = spar__sqlite_exec(self, schema->step[v], "bring it up to date", err);
    (void)sqlite3_snprintf(sizeof pragmas, pragmas, "PRAGMA application_id = %d; PRAGMA user_version = %d",
                           SPAR__SQLITE_ID, schema->version);
    return status ? status : spar__sqlite_exec(self, pragmas, "bring it up to date", err);
}

spar_status spar__sqlite_upgrade(spar__sqlite *self, const spar__sqlite_schema *schema, int version, spar_error *err)
{
    int64_t now = 0;
    spar_status status = version > 0 ? save_old(self, version, err) : SPAR_OK;
    if (!status)
        status = spar__sqlite_begin(self, err);
    if (status)
        return status;
    status = spar__sqlite_number(self, "PRAGMA user_version", &now, err);
    if (!status && now == version) /* else somebody else was quicker */
        status = run_steps(self, schema, version, err);
    return spar__sqlite_end(self, status, err);
}

static spar_status set_up(spar__sqlite *self, spar_error *err)
{
    const spar__sqlite_schema *schema = &spar__sqlite_schema_now;
    int version = 0;
    spar_status status = identify(self, &version, err);
    if (status)
        return status;
    if (version > schema->version)
        return spar__fail(err, SPAR_UNSUPPORTED,
                          "%s: was made by a newer spar: its schema has version %d, this one knows %d", self->base.name,
                          version, schema->version);
    if (version == 0 && self->base.mode != SPAR__STORE_CREATE)
        return self->memory ? spar__fail(err, SPAR_IO, "%s: is not there", self->base.name)
                            : fail_foreign(self, "empty", err);
    if (version < schema->version && self->base.mode == SPAR__STORE_READ)
        return spar__fail(err, SPAR_UNSUPPORTED,
                          "%s: was made by an older spar; a command that writes brings it up to date", self->base.name);
    status = version == 0 && !self->memory ? restrict_mode(self, err) : SPAR_OK;
    if (!status)
        status = configure(self, err);
    if (!status && version < schema->version)
        status = spar__sqlite_upgrade(self, schema, version, err);
    return status;
}

/* --- the lock of a server --- */

static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_ino == b->st_ino && a->st_dev == b->st_dev;
}

/* FILE-serve, new; NULL: out of memory. */
static char *lock_of(const char *path)
{
    spar__buf name = {0};
    char *real = realpath(path, NULL); /* of a link, beside the file that it means */
    spar__buf_printf(&name, "%s-serve", real ? real : path);
    if (name.failed)
        spar__buf_free(&name);
    free(real);
    return name.text;
}

/* Is the open file still the one at the path? Its last owner may have removed it between open and lock. */
static bool still_there(int fd, const char *path)
{
    struct stat ours, there;
    return fstat(fd, &ours) == 0 && stat(path, &there) == 0 && same_file(&ours, &there);
}

/* Who has the lock, and which file is served; 0: not known. */
typedef struct lock_owner {
    long process;
    unsigned long long device, inode;
} lock_owner;

static void write_owner(int fd, const char *path)
{
    char text[80];
    struct stat file = {0};
    (void)stat(path, &file);
    int length = snprintf(text, sizeof text, "%ld %llu %llu\n", (long)getpid(), (unsigned long long)file.st_dev,
                          (unsigned long long)file.st_ino);
    bool written = ftruncate(fd, 0) == 0 && pwrite(fd, text, (size_t)length, 0) == length;
    if (!written && ftruncate(fd, 0) != 0)
        return; /* nothing is known then */
}

static lock_owner read_owner(int fd)
{
    char text[80] = "", *at = text;
    lock_owner owner = {0};
    if (pread(fd, text, sizeof text - 1, 0) <= 0)
        return owner;
    owner.process = strtol(at, &at, 10);
    owner.device = strtoull(at, &at, 10);
    owner.inode = strtoull(at, &at, 10);
    return owner;
}

static spar_status fail_held(const char *name, int fd, spar_error *err)
{
    lock_owner owner = read_owner(fd);
    if (owner.process > 0)
        return spar__fail(err, SPAR_BUSY, "%s: is served already, by process %ld", name, owner.process);
    return spar__fail(err, SPAR_BUSY, "%s: is served already", name);
}

/* Who asks whether there is a server (check_server) has the lock for a moment: not the first refusal counts. */
static bool lock_soon(int fd)
{
    enum { TRIES = 10, PAUSE = 10000000 /* nanoseconds */ };
    for (int i = 0; i < TRIES; i++) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0)
            return true;
        if (errno != EWOULDBLOCK)
            return false;
        (void)nanosleep(&(struct timespec){.tv_nsec = PAUSE}, NULL);
    }
    errno = EWOULDBLOCK;
    return false;
}

/* *again: the file was removed meanwhile. */
static spar_status try_hold(spar__sqlite *self, const char *path, bool *again, spar_error *err)
{
    *again = false;
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return spar__fail_file(err, path, "make");
    spar_status status = SPAR_OK;
    if (!lock_soon(fd))
        status = errno == EWOULDBLOCK ? fail_held(self->base.name, fd, err) : spar__fail_file(err, path, "lock");
    else
        *again = !still_there(fd, path);
    if (status || *again) {
        (void)close(fd);
        return status;
    }
    write_owner(fd, self->path);
    self->hold = fd;
    return SPAR_OK;
}

/* Who serves it now; nobody where there is no lock, or none that can be opened. */
static spar_status find_server(const spar__sqlite *self, lock_owner *owner, spar_error *err)
{
    *owner = (lock_owner){0};
    char *lock = lock_of(self->path);
    if (!lock)
        return spar__fail_memory(err);
    int fd = open(lock, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    spar__free(lock);
    if (fd < 0)
        return SPAR_OK;
    if (flock(fd, LOCK_SH | LOCK_NB) != 0)
        *owner = read_owner(fd);
    (void)close(fd);
    return SPAR_OK;
}

spar_status spar__sqlite_is_served(const spar__sqlite *self, bool *served, spar_error *err)
{
    lock_owner owner = {0};
    spar_status status = self->server ? find_server(self, &owner, err) : SPAR_OK;
    *served = self->server && owner.process == self->server;
    return status;
}

/* Is another file of this name served? What SQLite keeps beside the file belongs to that one, and would be taken for a
 * part of this one. */
static spar_status check_server(spar__sqlite *self, spar_error *err)
{
    struct stat file;
    lock_owner owner;
    spar_status status = find_server(self, &owner, err);
    if (status)
        return status;
    self->server = owner.process == (long)getpid() ? 0 : owner.process;
    if (!owner.inode || stat(self->path, &file) != 0 ||
        (file.st_ino == (ino_t)owner.inode && file.st_dev == (dev_t)owner.device))
        return SPAR_OK;
    return spar__fail(err, SPAR_IO,
                      "%s: is another file than the one that is served already, by process %ld; stop that server, or "
                      "move its file back",
                      self->base.name, owner.process);
}

spar_status spar__sqlite_hold(spar__store *store, spar_error *err)
{
    spar__sqlite *self = (spar__sqlite *)store;
    bool again = true;
    if (self->held)
        return SPAR_OK;
    char *name = lock_of(self->path);
    spar_status status = name ? spar__sqlite_settle(self, err) : spar__fail_memory(err); /* others rely on it */
    while (!status && again)
        status = try_hold(self, name, &again, err);
    if (status) {
        spar__free(name);
        return status;
    }
    self->held = name;
    return SPAR_OK;
}

void spar__sqlite_unhold(spar__sqlite *self)
{
    if (!self->held)
        return;
    (void)unlink(self->held); /* while it is locked: who waits for it looks again */
    (void)close(self->hold);
    spar__free(self->held);
    self->held = NULL;
}

/* --- connecting --- */

static spar_status fail_folder(const spar__sqlite *self, spar_error *err)
{
    spar__buf folder = {0};
    add_folder(self, &folder);
    spar_status status =
        folder.failed ? spar__fail_memory(err)
                      : spar__fail(err, SPAR_IO,
                                   "%s: cannot be written: new files are made beside it, and its folder %s cannot be "
                                   "written",
                                   self->base.name, folder.text);
    spar__buf_free(&folder);
    return status;
}

/* A write-ahead log needs a helper that cannot be made in such a folder. */
static spar_status explain(spar__sqlite *self, spar_status status, spar_error *err)
{
    spar__sqlite_way way;
    if (status != SPAR_IO || self->memory || find_way(self, &way, NULL) || (way.file && way.folder))
        return status;
    if (self->base.mode != SPAR__STORE_READ)
        return way.file ? fail_folder(self, err) : status;
    if (!way.log)
        return status;
    return spar__fail(
        err, status,
        "%s: its last changes are in %s-wal, which cannot be read in a folder that cannot be written; copy "
        "both files to another one",
        self->base.name, self->base.name);
}

static spar_status connect_once(spar__sqlite *self, spar_error *err)
{
    bool make = self->base.mode == SPAR__STORE_CREATE && !self->broken;
    spar_status status = self->memory ? SPAR_OK : find_file(self, make, err);
    if (!status && !self->memory && self->base.mode != SPAR__STORE_READ)
        status = check_server(self, err);
    if (status)
        return status;
    bool again = self->broken;
    self->broken = false;
    self->unsettled = self->unsettled ? self->unsettled : SPAR__SQLITE_NEW;
    status = self->memory ? open_memories(self, err) : open_db(self, err);
    if (!status)
        status = set_up(self, err);
    if (!status)
        return SPAR_OK;
    spar__sqlite_disconnect(self);
    self->broken = again || status != SPAR_BUSY;
    return explain(self, status, err);
}

/* A file that several make at once is busy in ways that SQLite does not wait for. */
spar_status spar__sqlite_connect(spar__sqlite *self, spar_error *err)
{
    double start = spar__clock(CLOCK_MONOTONIC);
    for (;;) {
        spar_status status = connect_once(self, err);
        if (status != SPAR_BUSY || spar__clock(CLOCK_MONOTONIC) > start + 1e6 * spar__store_patience)
            return status;
        (void)nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
}

spar_status spar__sqlite_ready(spar__sqlite *self, spar_error *err)
{
    if (!self->broken)
        return SPAR_OK;
    if (self->base.locked) /* what was read under the lock may not hold any more */
        return spar__fail(err, SPAR_IO, "%s: failed while it was locked", self->base.name);
    spar__sqlite_disconnect(self);
    return spar__sqlite_connect(self, err);
}
