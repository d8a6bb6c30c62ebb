#include "base/file.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "tap.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char dir[80];

static off_t size_of(const char *path)
{
    struct stat info = {0};
    return stat(path, &info) == 0 ? info.st_size : -1;
}

static void check_growth(void)
{
    spar__append file = {0}, other = {0};
    spar_error err = {0};
    spar__buf text = {0};
    ok(spar__append_begin(&file, dir, ".x", &err) == SPAR_OK && strncmp(file.path, dir, strlen(dir)) == 0, "begun");
    ok(strlen(file.path) == strlen(dir) + 1 + 16 + 2 && size_of(file.path) == 0, "a new file");
    ok(spar__append_begin(&other, dir, ".x", &err) == SPAR_OK && strcmp(file.path, other.path), "and another one");
    double begun = file.written;
    ok(!spar__append_add(&file, "one", 3, &err) &&
           (size_of(file.path) == 0 || spar__clock_wall() - begun > 5e7), /* this machine was away meanwhile */
       "pieces wait");
    struct timespec t = {0, 60000000};
    (void)nanosleep(&t, NULL);
    ok(!spar__append_add(&file, "two", 3, &err) && size_of(file.path) == 6, "but not for long");
    char large[70000];
    memset(large, 'x', sizeof large);
    ok(!spar__append_add(&file, large, sizeof large, &err) && size_of(file.path) == 70006, "nor if there are many");
    ok(!spar__append_add(&file, "end", 3, &err) && !spar__append_flush(&file, true, &err), "flushed");
    ok(!spar__file_read(file.path, 0, &text, &err) && text.length == 70009 && !memcmp(text.text, "onetwox", 7) &&
           !memcmp(text.text + 70006, "end", 3),
       "all in order");
    (void)remove(file.path);
    (void)remove(other.path);
    spar__append_end(&file);
    spar__append_end(&other);
    ok(!file.path, "closed");
    spar__append_end(&file);
    spar__buf_free(&text);
}

static void check_failures(void)
{
    spar__append file = {0};
    spar_error err = {0};
    ok(spar__append_begin(&file, "/no/such/place", ".x", &err) == SPAR_IO && strstr(err.text, "/no/such/place"), "%s",
       err.text);
    ok(!file.path, "no file");
    size_t failed = 0, wrong = 0;
    for (size_t k = 1, more = 1; more; k++) {
        spar__alloc_fail_at(k);
        spar_status status = spar__append_begin(&file, dir, ".x", &err);
        if (!status)
            status = spar__append_add(&file, "bytes", 5, &err);
        more = spar__alloc_count() >= k;
        spar__alloc_fail_at(0);
        failed += status != SPAR_OK;
        wrong += status && status != SPAR_NOMEM;
        if (file.path)
            (void)remove(file.path);
        spar__append_end(&file);
    }
    ok(failed && !wrong, "%zu allocations fail", failed);
}

int main(void)
{
    const char *tmp = getenv("TMPDIR");
    (void)snprintf(dir, sizeof dir, "%s/spar-append-XXXXXX", tmp && strlen(tmp) < 40 ? tmp : "/tmp");
    if (!mkdtemp(dir))
        return 1;
    strcat(dir, "/new"); /* is made */
    check_growth();
    check_failures();
    ok(rmdir(dir) == 0, "nothing is left");
    dir[strlen(dir) - 4] = '\0';
    (void)rmdir(dir);
    return done();
}
