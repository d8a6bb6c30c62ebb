/* A library to preload: allocation number SPAR_TEST_FAIL_AT of the command fails, counted from main on; how many there
 * were goes to descriptor SPAR_TEST_COUNT at the end. Counted are those of the command and of libyaml; those that the
 * C library makes for itself are left alone. The children of the command are, too. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *p, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static atomic_long calls = 0;
static long fail_at = -1; /* before main: nothing is counted */
static int count_to = -1;

static long number_of(const char *name, long otherwise)
{
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : otherwise;
}

__attribute__((constructor)) static void begin(void)
{
    count_to = (int)number_of("SPAR_TEST_COUNT", -1);
    (void)unsetenv("LD_PRELOAD");
    (void)dladdr(&calls, &(Dl_info){0}); /* what it needs it gets now */
    fail_at = number_of("SPAR_TEST_FAIL_AT", 0);
}

__attribute__((destructor)) static void end(void)
{
    char text[32];
    int length = snprintf(text, sizeof text, "%ld\n", atomic_load(&calls));
    fail_at = -1;
    if (count_to >= 0 && write(count_to, text, (size_t)length) < 0)
        _exit(99);
}

static int fails(void *caller)
{
    Dl_info info;
    if (fail_at < 0 || (dladdr(caller, &info) && info.dli_fname &&
                        (strstr(info.dli_fname, "/libc.so") || strstr(info.dli_fname, "/ld-linux"))))
        return 0;
    if (atomic_fetch_add(&calls, 1) + 1 != fail_at)
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *p, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(p, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    if (fails(__builtin_return_address(0)))
        return ENOMEM;
    *out = __libc_memalign(alignment, size);
    return *out ? 0 : ENOMEM;
}
