/* How a file that has changed is recognised: by size, time and hash. */
#include "rank/stream.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Times of files come in steps: of a clock tick, or of up to two seconds where there are no parts of a second. */
static bool is_fresh(const struct stat *info)
{
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now))
        return true;
    double age = (double)(now.tv_sec - info->st_mtim.tv_sec) + 1e-9 * (double)(now.tv_nsec - info->st_mtim.tv_nsec);
    return age < (info->st_mtim.tv_nsec ? 0.05 : 2.0);
}

spar_status spar__source_look(const char *path, spar__source *out, spar_error *err)
{
    *out = (spar__source){.path = path};
    if (strcmp(path, "-") == 0)
        return SPAR_OK;
    struct stat info;
    if (stat(path, &info))
        return spar__fail(err, SPAR_IO, "%s: cannot open: %s", path, strerror(errno));
    if (S_ISDIR(info.st_mode))
        return spar__fail(err, SPAR_IO, "%s: is a directory, expected a file", path);
    out->regular = S_ISREG(info.st_mode);
    out->size = out->regular ? (uint64_t)info.st_size : 0;
    out->seconds = info.st_mtim.tv_sec;
    out->nanoseconds = info.st_mtim.tv_nsec;
    out->fresh = is_fresh(&info);
    return SPAR_OK;
}

spar_status spar__source_hash(const char *path, spar__progress *progress, void *context, uint64_t total, uint64_t *hash,
                              spar_error *err)
{
    enum { PIECE = 1 << 20 };
    spar_status status = SPAR_OK;
    spar__hash state = spar__hash_start();
    ssize_t got;
    char *piece = spar__alloc(PIECE, 1);
    if (!piece)
        return spar__fail_memory(err);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        status = spar__fail(err, SPAR_IO, "%s: cannot open: %s", path, strerror(errno));
        goto fail;
    }
    while ((got = read(fd, piece, PIECE)) != 0) {
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            status = spar__fail(err, SPAR_IO, "%s: cannot read: %s", path, strerror(errno));
            goto fail;
        }
        spar__hash_add(&state, piece, (size_t)got);
        if (progress && !progress(context, state.length, total)) {
            status = spar__fail(err, SPAR_INTERRUPTED, "%s: interrupted while it was read", path);
            goto fail;
        }
    }
    *hash = spar__hash_end(&state);
fail:
    if (fd >= 0)
        (void)close(fd);
    spar__free(piece);
    return status;
}
