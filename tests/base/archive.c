#include "base/archive.h"

#include "base/alloc.h"
#include "tap.h"

#include <stdint.h>

typedef struct thing {
    uint64_t count;
    bool flag;
    double x[3];
    size_t size;
    char *name, *nothing;
} thing;

static void archive_thing(thing *t, spar__archive *ar)
{
    spar__archive_u64(ar, &t->count);
    spar__archive_bool(ar, &t->flag);
    spar__archive_f64s(ar, t->x, 3);
    spar__archive_size(ar, &t->size);
    spar__archive_text(ar, &t->name);
    spar__archive_text(ar, &t->nothing);
}

int main(void)
{
    char name[] = "a name";
    thing saved = {UINT64_MAX - 5, true, {-0.0, 0x1p-1074, INFINITY}, 77, name, NULL};
    spar__archive out = {.loading = false};
    archive_thing(&saved, &out);
    ok(!out.failed, "saves");
    ok(out.out.length == 8 * 6 + 8 + 8 + 6 + 8, "in as many bytes as the fields need");
    ok((unsigned char)out.out.text[0] == 0xfa && (unsigned char)out.out.text[7] == 0xff, "little-endian");

    thing loaded = {0};
    spar__archive in = {.loading = true, .in = (const unsigned char *)out.out.text, .left = out.out.length};
    archive_thing(&loaded, &in);
    ok(!in.failed && in.left == 0, "loads, to the last byte");
    ok(loaded.count == saved.count && loaded.flag && loaded.size == 77, "whole numbers come back");
    ok(memcmp(loaded.x, saved.x, sizeof saved.x) == 0, "doubles come back to the bit");
    ok(loaded.name && strcmp(loaded.name, "a name") == 0 && !loaded.nothing, "text comes back, so does none");
    spar__free(loaded.name);

    bool all_failed = true;
    for (size_t cut = 0; cut < out.out.length; cut++) {
        thing t = {0};
        spar__archive part = {.loading = true, .in = (const unsigned char *)out.out.text, .left = cut};
        archive_thing(&t, &part);
        all_failed &= part.failed;
        spar__free(t.name);
    }
    ok(all_failed, "whatever is cut off, loading fails");
    out.out.text[8] = 2;
    thing t = {0};
    spar__archive bad = {.loading = true, .in = (const unsigned char *)out.out.text, .left = out.out.length};
    archive_thing(&t, &bad);
    ok(bad.failed, "a flag of 2 is refused");
    spar__free(t.name);
    spar__buf_free(&out.out);

    uint8_t small = 0x81, small_again = 0;
    uint32_t word = 0x01020384, word_again = 0;
    spar__archive narrow = {.loading = false};
    spar__archive_u8(&narrow, &small);
    spar__archive_u32(&narrow, &word);
    ok(narrow.out.length == 5 && (unsigned char)narrow.out.text[1] == 0x84, "narrow numbers take the bytes they need");
    spar__archive back = {.loading = true, .in = (const unsigned char *)narrow.out.text, .left = 5};
    spar__archive_u8(&back, &small_again);
    spar__archive_u32(&back, &word_again);
    ok(!back.failed && small == small_again && word == word_again, "and come back");
    spar__archive_u32(&back, &word_again);
    ok(back.failed && word_again == 0, "behind the end there is nothing");
    spar__buf_free(&narrow.out);
    return done();
}
