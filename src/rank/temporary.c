#include "rank/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

FILE *spar__temporary_beside(const char *path, spar__buf *name)
{
    static atomic_uint count; /* threads of one process may be at it at once */
    int fd = -1;
    do {
        spar__buf_clear(name);
        spar__buf_printf(name, "%s.%ld-%u.tmp", path, (long)getpid(), atomic_fetch_add(&count, 1u));
        if (name->failed) {
            errno = ENOMEM;
            return NULL;
        }
        fd = open(name->text, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (fd < 0 && errno == EEXIST); /* left behind by a process that was killed */
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w+b");
    if (fd >= 0 && !file) {
        (void)close(fd);
        (void)remove(name->text);
    }
    return file;
}

FILE *spar__temporary_hidden(const char *path)
{
    spar__buf name = {0};
    const char *folder = getenv("TMPDIR");
    spar__buf_printf(&name, "%s/spar-rank", folder && *folder ? folder : "/tmp");
    if (name.failed) {
        errno = ENOMEM;
        return NULL;
    }
    spar__buf made = {0};
    FILE *file = spar__temporary_beside(path ? path : name.text, &made);
    if (file)
        (void)remove(made.text);
    int error = errno;
    spar__buf_free(&made);
    spar__buf_free(&name);
    errno = error;
    return file;
}
