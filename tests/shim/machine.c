/* machine.c - a machine that misbehaves, for LD_PRELOAD: the clock jumps, the disk fills up. The file that
 * SPAR_TEST_MACHINE names says how, in two numbers that a test may change at any time: seconds to add to the time of
 * day, and the bytes that are free (negative: as many as there are). */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

static void look(long long *seconds, long long *space)
{
    char text[80] = "";
    const char *path = getenv("SPAR_TEST_MACHINE");
    *seconds = 0;
    *space = -1;
    int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return;
    if (read(fd, text, sizeof text - 1) > 0)
        (void)sscanf(text, "%lld %lld", seconds, space);
    (void)close(fd);
}

int clock_gettime(clockid_t clock, struct timespec *out)
{
    static int (*next)(clockid_t, struct timespec *);
    long long seconds, space;
    if (!next)
        next = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int status = next(clock, out);
    if (clock == CLOCK_REALTIME) {
        look(&seconds, &space);
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
    look(&seconds, &space);
    if (status == 0 && space >= 0)
        out->f_bavail = (fsblkcnt_t)space / out->f_frsize;
    return status;
}
