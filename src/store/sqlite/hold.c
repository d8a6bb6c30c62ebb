/* hold.c - the lock that a server has for its life: flock on a file beside the database, FILE-serve (sqlite.h).
 *
 * The lock goes away with the process, however it ends; the file may stay, and means nothing then. It is not on the
 * database itself: closing any descriptor of that would take SQLite's own locks away from the whole process.
 *
 * Who opens a file to write to it asks whether another process has the lock: then it writes through that process. */
#include "store/sqlite/sqlite.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/file.h"
#include "store/served/socket.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAUSE = 10000000 /* nanoseconds */, TRIES = 10 };

/* The locks that this process has. */
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static spar__sqlite *holders;

static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_ino == b->st_ino && a->st_dev == b->st_dev;
}

static bool is_ours(const struct stat *info)
{
    struct stat held;
    bool ours = false;
    (void)pthread_mutex_lock(&guard);
    for (const spar__sqlite *one = holders; one && !ours; one = one->next_holder)
        ours = fstat(one->hold, &held) == 0 && same_file(&held, info);
    (void)pthread_mutex_unlock(&guard);
    return ours;
}

static void enlist(spar__sqlite *self)
{
    (void)pthread_mutex_lock(&guard);
    self->next_holder = holders;
    holders = self;
    (void)pthread_mutex_unlock(&guard);
}

static void strike(spar__sqlite *self)
{
    (void)pthread_mutex_lock(&guard);
    spar__sqlite **at = &holders;
    while (*at && *at != self)
        at = &(*at)->next_holder;
    if (*at)
        *at = self->next_holder;
    (void)pthread_mutex_unlock(&guard);
}

/* FILE-serve, new; NULL: out of memory. */
static char *lock_of(const char *path)
{
    spar__buf name = {0};
    char *real = spar__served_path(path);
    if (real)
        spar__buf_printf(&name, "%s-serve", real);
    if (name.failed)
        spar__buf_free(&name);
    spar__free(real);
    return name.text;
}

/* --- taking it --- */

/* Is the open file still the one at the path? Its last owner may have removed it between open and lock. */
static bool still_there(int fd, const char *path)
{
    struct stat ours, there;
    return fstat(fd, &ours) == 0 && stat(path, &there) == 0 && same_file(&ours, &there);
}

static void write_owner(int fd)
{
    char text[32];
    int length = snprintf(text, sizeof text, "%ld\n", (long)getpid());
    bool written = ftruncate(fd, 0) == 0 && pwrite(fd, text, (size_t)length, 0) == length;
    if (!written && ftruncate(fd, 0) != 0)
        return; /* the number is only for a message: a wrong one is no number (fail_held) */
}

/* Who has the lock; 0: not known. */
static long owner_of(int fd)
{
    char text[32] = "";
    ssize_t length = fd < 0 ? 0 : pread(fd, text, sizeof text - 1, 0);
    return length > 0 ? strtol(text, NULL, 10) : 0;
}

static spar_status fail_held(const char *name, int fd, spar_error *err)
{
    long owner = owner_of(fd);
    if (owner > 0)
        return spar__fail(err, SPAR_BUSY, "%s: is served already, by process %ld", name, owner);
    return spar__fail(err, SPAR_BUSY, "%s: is served already", name);
}

/* Who asks whether there is a server (find_server) has the lock for a moment: not the first refusal counts. */
static bool lock_soon(int fd)
{
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
    write_owner(fd);
    self->hold = fd;
    return SPAR_OK;
}

spar_status spar__sqlite_hold(spar__store *store, spar_error *err)
{
    spar__sqlite *self = (spar__sqlite *)store;
    bool again = true;
    if (self->held)
        return SPAR_OK;
    char *name = lock_of(self->path);
    spar_status status = name ? SPAR_OK : spar__fail_memory(err);
    while (!status && again)
        status = try_hold(self, name, &again, err);
    if (status) {
        spar__free(name);
        return status;
    }
    self->held = name;
    enlist(self);
    return SPAR_OK;
}

void spar__sqlite_unhold(spar__sqlite *self)
{
    if (!self->held)
        return;
    strike(self);
    (void)unlink(self->held); /* while it is locked: who waits for it looks again */
    (void)close(self->hold);
    spar__free(self->held);
    self->held = NULL;
}

/* --- asking for it --- */

typedef enum spar__server_state { SPAR__SERVER_NONE, SPAR__SERVER_OURS, SPAR__SERVER_OTHER } spar__server_state;

/* What is no file was never locked; whatever is wrong with the path, the database has it, too. */
static bool is_absent(int error)
{
    return error == ENOENT || error == ENOTDIR || error == ELOOP || error == ENAMETOOLONG;
}

/* *fd: the lock's file if another process has it, to be closed; -1: it cannot be opened, so it is another user's. */
static spar_status find_server(const char *lock, spar__server_state *state, int *fd, spar_error *err)
{
    struct stat info;
    *state = SPAR__SERVER_NONE;
    *fd = open(lock, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (*fd < 0 && errno == EACCES) {
        *state = SPAR__SERVER_OTHER;
        return SPAR_OK;
    }
    if (*fd < 0)
        return is_absent(errno) ? SPAR_OK : spar__fail_file(err, lock, "open");
    if (fstat(*fd, &info) == 0 && is_ours(&info))
        *state = SPAR__SERVER_OURS;
    else if (flock(*fd, LOCK_SH | LOCK_NB) != 0)
        *state = SPAR__SERVER_OTHER;
    if (*state == SPAR__SERVER_OTHER)
        return SPAR_OK;
    (void)close(*fd);
    *fd = -1;
    return SPAR_OK;
}

/* Is there somebody behind the socket, now or soon? *gone: no. */
static spar_status try_server(const char *path, const char *name, bool *gone, spar_error *err)
{
    int fd;
    char *real = spar__served_path(path);
    spar_status status = real ? spar__socket_connect(real, name, &fd, gone, err) : spar__fail_memory(err);
    spar__free(real);
    if (!status)
        (void)close(fd);
    return status;
}

/* A server that begins or ends has the lock, but no socket. */
static spar_status choose(const char *path, const char *lock, const spar__store_class **cls, bool *again,
                          spar_error *err)
{
    spar__server_state state;
    int fd;
    *again = false;
    spar_status status = find_server(lock, &state, &fd, err);
    if (status || state != SPAR__SERVER_OTHER)
        return status;
    spar_error why = {0};
    status = try_server(path, path, again, &why);
    if (!status)
        *cls = &spar__store_served;
    else if (*again && fd < 0) { /* another user's, and nobody there: it was left behind */
        *again = false;
        status = SPAR_OK;
    } else if (*again)
        status = spar__fail(err, SPAR_BUSY, "%s: is served by process %ld, which does not answer at its socket", path,
                            owner_of(fd));
    else
        status = spar__fail(err, status, "%s", why.text);
    if (fd >= 0)
        (void)close(fd);
    return status;
}

spar_status spar__sqlite_stand_in(const char *path, const spar__store_class **cls, spar_error *err)
{
    double until = spar__clock_wall() + 1e6 * spar__store_patience;
    char *lock = lock_of(path);
    bool again = lock != NULL;
    spar_status status = lock ? SPAR_OK : spar__fail_memory(err);
    while (again) {
        status = choose(path, lock, cls, &again, err);
        again = again && spar__clock_wall() < until;
        if (again)
            (void)nanosleep(&(struct timespec){.tv_nsec = PAUSE}, NULL);
    }
    spar__free(lock);
    return status;
}

spar_status spar__sqlite_fail_held(const char *path, spar_error *err)
{
    char *lock = lock_of(path);
    int fd = lock ? open(lock, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) : -1;
    spar_status status = lock ? fail_held(path, fd, err) : spar__fail_memory(err);
    if (fd >= 0)
        (void)close(fd);
    spar__free(lock);
    return status;
}
