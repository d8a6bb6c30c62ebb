/* machine.c - a machine that misbehaves, for LD_PRELOAD: the clock jumps, the disk fills up or fails. The file that
 * SPAR_TEST_MACHINE names says how, in numbers that a test may change at any time: seconds to add to the time of day,
 * the bytes that are free (negative: as many as there are), and what is wrong with the disk (below; none: nothing). Of
 * what is written by position, which is how SQLite writes, every third piece fails. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

enum { NO_FAULT, FULL, WRITES_FAIL, WRITES_TORN, SYNCS_FAIL, EVERY = 3 };

static int look(long long *seconds, long long *space)
{
    char text[80] = "";
    int fault = NO_FAULT;
    const char *path = getenv("SPAR_TEST_MACHINE");
    *seconds = 0;
    *space = -1;
    int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return fault;
    if (read(fd, text, sizeof text - 1) > 0)
        (void)sscanf(text, "%lld %lld %d", seconds, space, &fault);
    (void)close(fd);
    return fault;
}

/* What is wrong with the disk this time? */
static int strike(void)
{
    static atomic_uint calls;
    long long seconds, space;
    int fault = look(&seconds, &space);
    return fault && atomic_fetch_add(&calls, 1) % EVERY == EVERY - 1 ? fault : NO_FAULT;
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off_t at)
{
    static ssize_t (*next)(int, const void *, size_t, off_t);
    if (!next)
        next = (ssize_t(*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, "pwrite64");
    int fault = strike();
    if (fault == WRITES_TORN)
        (void)next(fd, bytes, length / 2, at);
    if (fault == NO_FAULT || fault == SYNCS_FAIL)
        return next(fd, bytes, length, at);
    errno = fault == FULL ? ENOSPC : EIO;
    return -1;
}

int fdatasync(int fd)
{
    static int (*next)(int);
    if (!next)
        next = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    if (strike() != SYNCS_FAIL)
        return next(fd);
    errno = EIO;
    return -1;
}

int clock_gettime(clockid_t clock, struct timespec *out)
{
    static int (*next)(clockid_t, struct timespec *);
    long long seconds, space;
    if (!next)
        next = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int status = next(clock, out);
    if (clock == CLOCK_REALTIME) {
        (void)look(&seconds, &space);
        out->tv_sec += seconds;
    }
    return status;
}

time_t time(time_t *out)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    if (out)
        *out = now.tv_sec;
    return now.tv_sec;
}

int statvfs(const char *path, struct statvfs *out)
{
    static int (*next)(const char *, struct statvfs *);
    long long seconds, space;
    if (!next)
        next = (int (*)(const char *, struct statvfs *))dlsym(RTLD_NEXT, "statvfs");
    int status = next(path, out);
    (void)look(&seconds, &space);
    if (status == 0 && space >= 0)
        out->f_bavail = (fsblkcnt_t)space / out->f_frsize;
    return status;
}
