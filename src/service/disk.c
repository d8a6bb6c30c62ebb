/* disk.c - is there space, and is the file still the one that was opened? SQLite would go on writing to a file that was
 * deleted, and all of it would be lost. */
#include "service/server.h"

#include "base/buf.h"
#include "base/error.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

static const uint64_t SPACE = (uint64_t)64 << 20; /* below that nothing is written any more */

static spar_status check_space(const char *path, spar_error *err)
{
    struct statvfs fs;
    if (statvfs(path, &fs) || (uint64_t)fs.f_bavail * fs.f_frsize >= SPACE)
        return SPAR_OK;
    return spar__fail(err, SPAR_FULL, "less than 64 MiB are free where %s is; nothing is stored until there is more",
                      path);
}

spar_status spar__disk_space(const spar__service *service, spar_error *err)
{
    return service->file ? check_space(service->file, err) : SPAR_OK;
}

/* The file that SQLite keeps beside the database, 0: there is none. */
static uint64_t log_inode(const char *path)
{
    spar__buf name = {0};
    struct stat now;
    spar__buf_printf(&name, "%s-wal", path);
    bool found = !name.failed && stat(name.text, &now) == 0;
    spar__buf_free(&name);
    return found ? (uint64_t)now.st_ino : 0;
}

/* Another file is there now: everything is read again from it. Not if what SQLite kept beside the old one is still
 * there: it would be taken for a part of the new one. */
static spar_status change_file(spar__service *service, const struct stat *now, spar_error *err)
{
    spar__store *store = NULL;
    if (service->log_inode && log_inode(service->file) == service->log_inode)
        return spar__fail(err, SPAR_IO,
                          "%s: is another file now, but %s-wal still belongs to the old one; stop the server, remove "
                          "%s-wal, and start it again",
                          service->file, service->file, service->file);
    spar_status status = spar__store_open(service->settings.place, SPAR__STORE_WRITE, &store, err);
    if (status)
        return status;
    spar__store_close(service->store); /* gives up the lock, which the new one takes */
    service->store = store;
    status = spar__store_hold(store, err);
    if (status)
        return status;
    (void)atomic_fetch_add(&service->places.era, 1);
    service->device = (uint64_t)now->st_dev;
    service->inode = (uint64_t)now->st_ino;
    service->has_voter_key = false;
    return spar__secrets_load(service, err);
}

spar_status spar__disk_check(spar__service *service, spar_error *err)
{
    const char *path = service->file;
    struct stat now;
    if (!path)
        return SPAR_OK; /* not a file */
    if (stat(path, &now))
        return spar__fail(err, SPAR_IO, "%s: cannot be found any more: %s", path, strerror(errno));
    bool same = (uint64_t)now.st_dev == service->device && (uint64_t)now.st_ino == service->inode;
    spar_status status = same ? SPAR_OK : change_file(service, &now, err);
    if (!status)
        service->log_inode = log_inode(path);
    return status ? status : check_space(path, err);
}
