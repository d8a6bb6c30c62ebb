#include "base/append.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FLUSH = 50000000, MOST = 1 << 16 }; /* nanoseconds; bytes that wait */

static int make(const char *dir, const char *suffix, spar__buf *path)
{
    for (int tries = 0; tries < 100; tries++) {
        uint64_t random;
        if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random)
            return -1;
        spar__buf_clear(path);
        spar__buf_printf(path, "%s/%016llx%s", dir, (unsigned long long)random, suffix);
        errno = ENOMEM;
        int fd = path->failed ? -1 : open(path->text, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

spar_status spar__append_begin(spar__append *file, const char *dir, const char *suffix, spar_error *err)
{
    spar__buf path = {0};
    *file = (spar__append){.fd = -1};
    int fd = mkdir(dir, 0777) == 0 || errno == EEXIST ? make(dir, suffix, &path) : -1;
    if (fd < 0) {
        spar__buf_free(&path);
        return spar__fail_file(err, dir, "write");
    }
    *file = (spar__append){.fd = fd, .path = path.text, .written = spar__clock_wall()};
    return SPAR_OK;
}

spar_status spar__append_flush(spar__append *file, bool sync, spar_error *err)
{
    const char *at = file->waiting.text;
    for (size_t left = file->waiting.length; left;) {
        ssize_t n = write(file->fd, at, left);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return spar__fail_file(err, file->path, "write");
        at += n;
        left -= (size_t)n;
    }
    spar__buf_clear(&file->waiting);
    file->written = spar__clock_wall();
    return sync && file->path && fsync(file->fd) != 0 ? spar__fail_file(err, file->path, "write") : SPAR_OK;
}

spar_status spar__append_add(spar__append *file, const char *bytes, size_t length, spar_error *err)
{
    spar__buf_add(&file->waiting, bytes, length);
    if (file->waiting.failed)
        return spar__fail_memory(err);
    bool due = file->waiting.length >= MOST || spar__clock_wall() - file->written >= FLUSH;
    return due ? spar__append_flush(file, false, err) : SPAR_OK;
}

void spar__append_end(spar__append *file)
{
    if (file->path)
        (void)close(file->fd);
    spar__free(file->path);
    spar__buf_free(&file->waiting);
    *file = (spar__append){0};
}
