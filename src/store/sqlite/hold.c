/* hold.c - the lock that a server has for its life: flock on a file beside the database, FILE-serve (sqlite.h).
 *
 * The lock goes away with the process, however it ends; the file may stay, and means nothing then. It is not on the
 * database itself: closing any descriptor of that would take SQLite's own locks away from the whole process. */
#include "store/sqlite/sqlite.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Is the open file still the one at the path? Its last owner may have removed it between open and lock. */
static bool still_there(int fd, const char *path)
{
    struct stat ours, there;
    return fstat(fd, &ours) == 0 && stat(path, &there) == 0 && ours.st_ino == there.st_ino &&
           ours.st_dev == there.st_dev;
}

static void write_owner(int fd)
{
    char text[32];
    int length = snprintf(text, sizeof text, "%ld\n", (long)getpid());
    bool written = ftruncate(fd, 0) == 0 && pwrite(fd, text, (size_t)length, 0) == length;
    if (!written && ftruncate(fd, 0) != 0)
        return; /* the number is only for a message: a wrong one is no number (fail_held) */
}

static spar_status fail_held(const spar__sqlite *self, int fd, spar_error *err)
{
    char text[32] = "";
    ssize_t length = pread(fd, text, sizeof text - 1, 0);
    long owner = length > 0 ? strtol(text, NULL, 10) : 0;
    if (owner > 0)
        return spar__fail(err, SPAR_BUSY, "%s: is served already, by process %ld", self->base.name, owner);
    return spar__fail(err, SPAR_BUSY, "%s: is served already", self->base.name);
}

/* *again: the file was removed meanwhile. */
static spar_status try_hold(spar__sqlite *self, const char *path, bool *again, spar_error *err)
{
    *again = false;
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return spar__fail_file(err, path, "make");
    spar_status status = SPAR_OK;
    if (flock(fd, LOCK_EX | LOCK_NB) != 0)
        status = errno == EWOULDBLOCK ? fail_held(self, fd, err) : spar__fail_file(err, path, "lock");
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
    spar__buf name = {0};
    bool again = true;
    if (self->held)
        return SPAR_OK;
    spar__buf_printf(&name, "%s-serve", self->path);
    spar_status status = name.failed ? spar__fail_memory(err) : SPAR_OK;
    while (!status && again)
        status = try_hold(self, name.text, &again, err);
    if (status)
        spar__buf_free(&name);
    else
        self->held = name.text;
    return status;
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
