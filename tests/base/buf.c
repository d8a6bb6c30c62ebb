#include "base/buf.h"

#include "base/alloc.h"
#include "tap.h"

#include <unistd.h>

int main(void)
{
    spar__buf buf = {0};
    spar__buf_adds(&buf, "one");
    spar__buf_printf(&buf, " %d", 2);
    same_text(buf.text, "one 2", "text is added and formatted");
    for (int i = 0; i < 1000; i++)
        spar__buf_printf(&buf, "%d,", i);
    ok(!buf.failed && buf.length == strlen(buf.text), "it grows");

    spar_error err = {0};
    char path[64];
    (void)snprintf(path, sizeof path, "test_buf.%ld.txt", (long)getpid());
    ok(spar__file_write(path, buf.text, buf.length, &err) == SPAR_OK, "a file is written");
    spar__buf back = {0};
    ok(spar__file_read(path, 0, &back, &err) == SPAR_OK && strcmp(back.text, buf.text) == 0, "and read back");
    spar__buf_clear(&back);
    ok(spar__file_read(path, 10, &back, &err) == SPAR_IO && !back.length && strstr(err.text, path),
       "a limit holds and names the file");
    (void)remove(path);
    ok(spar__file_read(path, 0, &back, &err) == SPAR_IO && strstr(err.text, path), "a missing file is named");
    ok(spar__file_read(".", 0, &back, &err) == SPAR_IO && strstr(err.text, "directory"), "a directory is refused");
    ok(spar__file_write("no/such/folder/x", "", 0, &err) == SPAR_IO && strstr(err.text, "no/such"), "so is a bad path");

    spar__buf_free(&buf);
    spar__alloc_fail_at(1);
    spar__buf_adds(&buf, "x");
    ok(buf.failed, "failed growth sticks");
    spar__buf_adds(&buf, "y");
    ok(buf.length == 0, "and later calls do nothing");
    spar__alloc_fail_at(0);
    spar__buf_free(&back);
    spar__buf_free(&buf);
    return done();
}
