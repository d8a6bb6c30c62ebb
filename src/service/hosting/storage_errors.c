/* storage_errors.c - what is wrong with the storage is said once (hosting.h); is there space, and is the file still the
 * one that was opened? SQLite would go on writing to a file that was deleted, and all of it would be lost. */
#include "base/buf.h"
#include "base/error.h"
#include "service/hosting/hosting.h"
#include "service/server.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

void spar__storage_errors_init(spar__storage_errors *errors)
{
    errors->n = 0;
    (void)pthread_mutex_init(&errors->lock, NULL);
}

void spar__storage_errors_fini(spar__storage_errors *errors)
{
    (void)pthread_mutex_destroy(&errors->lock);
}

/* times 0: it is new; else it is over. */
static void tell(const char *sentence, uint64_t times)
{
    spar__buf shown = {0};
    if (times)
        spar__buf_printf(&shown, "is over, after %" PRIu64 " time%s: ", times, spar__plural(times));
    spar__buf_add_printable(&shown, sentence);
    if (!shown.failed)
        (void)fprintf(stderr, "spar: warning: %s\n", shown.text);
    spar__buf_free(&shown);
}

void spar__storage_errors_add(spar__storage_errors *errors, spar_status status, const spar_error *err, double now)
{
    bool of_storage = status == SPAR_IO || status == SPAR_FULL || status == SPAR_CORRUPT || status == SPAR_BUSY ||
                      status == SPAR_NOMEM;
    if (!errors || !of_storage || !err->text[0])
        return;
    (void)pthread_mutex_lock(&errors->lock);
    size_t i = 0;
    while (i < errors->n && strcmp(errors->error[i].what.text, err->text) != 0)
        i++;
    if (i < errors->n) {
        errors->error[i].last = now;
        errors->error[i].times++;
    } else if (i < SPAR__MAX_STORAGE_ERRORS) {
        errors->error[errors->n++] = (spar__storage_error){*err, now, 1};
        tell(err->text, 0);
    }
    (void)pthread_mutex_unlock(&errors->lock);
}

void spar__storage_errors_good(spar__storage_errors *errors, double now)
{
    size_t kept = 0;
    (void)pthread_mutex_lock(&errors->lock);
    for (size_t i = 0; i < errors->n; i++)
        if (now - errors->error[i].last > SPAR__STORAGE_ERROR_SECONDS)
            tell(errors->error[i].what.text, errors->error[i].times);
        else
            errors->error[kept++] = errors->error[i];
    errors->n = kept;
    (void)pthread_mutex_unlock(&errors->lock);
}

/* --- the disk --- */

static const uint64_t SPACE = (uint64_t)64 << 20; /* below that nothing is written any more */

/* SQLite keeps what was committed last beside the file, as long as somebody has it open. 0: it is not there. */
uint64_t spar__disk_log(const char *path)
{
    spar__buf name = {0};
    struct stat now;
    spar__buf_printf(&name, "%s-wal", path);
    bool found = !name.failed && stat(name.text, &now) == 0;
    spar__buf_free(&name);
    return found ? (uint64_t)now.st_ino : 0;
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
    if (!same) /* what SQLite keeps beside the old one would be taken for a part of it */
        return spar__fail(err, SPAR_IO, "%s: is another file now; stop the server, and start it for that one", path);
    if (service->log_inode && spar__disk_log(path) != service->log_inode)
        return spar__fail(err, SPAR_IO,
                          "%s-wal: was removed; end the server with SIGTERM, so that what it has is kept, and start it "
                          "again",
                          path);
    struct statvfs fs;
    if (statvfs(path, &fs) || (uint64_t)fs.f_bavail * fs.f_frsize >= SPACE)
        return SPAR_OK;
    return spar__fail(err, SPAR_FULL, "less than 64 MiB are free where %s is; nothing is stored until there is more",
                      path);
}
