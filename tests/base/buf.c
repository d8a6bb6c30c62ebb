#include "base/buf.h"

#include "base/alloc.h"
#include "tap.h"

int main(void)
{
    spar__buf buf = {0};
    spar__buf_adds(&buf, "one");
    spar__buf_printf(&buf, " %d", 2);
    same_text(buf.text, "one 2", "text is added and formatted");
    for (int i = 0; i < 1000; i++)
        spar__buf_printf(&buf, "%d,", i);
    ok(!buf.failed && buf.length == strlen(buf.text), "it grows");

    spar__buf_clear(&buf);
    spar__buf_adds(&buf, "a ");
    spar__buf_add_printable(&buf, "\x1b[1m\xc3\xa4\n");
    same_text(buf.text, "a \\x1b[1m\xc3\xa4\\n", "what acts on a terminal is escaped");
    ok(buf.length == strlen(buf.text), "and counted");
    spar__buf_free(&buf);
    spar__alloc_fail_at(1);
    spar__buf_adds(&buf, "x");
    ok(buf.failed, "failed growth sticks");
    spar__buf_adds(&buf, "y");
    ok(buf.length == 0, "and later calls do nothing");
    spar__alloc_fail_at(0);
    spar__buf_free(&buf);
    return done();
}
