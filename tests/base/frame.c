#include "base/archive.h"

#include "base/hash.h"
#include "tap.h"

enum { FACTS, CACHE };
static const spar__frame_kind kind = {"saved test", "test", 3, {{"fact", 0}, {"fast", 7}}};

static void write_both(const spar__frame_kind *as, spar__buf *buf, FILE *file)
{
    spar__frame_writer w;
    spar__frame_begin(&w, as, buf, file);
    spar__frame_section(&w, FACTS, 11);
    spar__frame_add(&w, "hello ", 6);
    spar__frame_add(&w, "world", 5);
    spar__frame_section(&w, CACHE, 8);
    spar__frame_add(&w, "12345678", 8);
    spar__frame_end(&w);
}

/* Writes the right checksum again, after a change. */
static void seal(spar__buf *buf)
{
    unsigned char *bytes = (unsigned char *)buf->text;
    spar__put_u64(bytes + buf->length - 8, spar__hash_of(bytes, buf->length - 8));
}

static void check_layout(const spar__buf *buf)
{
    static const char wanted[] = "spartest\3\0\0\0\0\0\0\0"
                                 "fact\0\0\0\0\x0b\0\0\0\0\0\0\0hello world\0\0\0\0\0"
                                 "fast\7\0\0\0\x08\0\0\0\0\0\0\0"
                                 "12345678"
                                 "end \0\0\0\0\x08\0\0\0\0\0\0";
    ok(buf->length == sizeof wanted + 8 && memcmp(buf->text, wanted, sizeof wanted) == 0,
       "the bytes are as documented");
    FILE *file = tmpfile();
    char back[256];
    write_both(&kind, NULL, file);
    rewind(file);
    size_t n = fread(back, 1, sizeof back, file);
    ok(n == buf->length && memcmp(back, buf->text, n) == 0, "a stream gets the same bytes");
    (void)fclose(file);
}

static void check_reading(const spar__buf *buf)
{
    spar__frame frame;
    spar_error err = {0};
    ok(spar__frame_read(&kind, buf->text, buf->length, &frame, &err) == SPAR_OK && frame.version == 3, "it is read");
    ok(frame.section[FACTS].length == 11 && memcmp(frame.section[FACTS].bytes, "hello world", 11) == 0,
       "first section");
    ok(frame.section[CACHE].length == 8 && memcmp(frame.section[CACHE].bytes, "12345678", 8) == 0, "second section");
    ok((uintptr_t)frame.section[CACHE].bytes % 8 == 0, "sections are aligned");
    ok(spar__frame_is(&kind, buf->text, buf->length) && !spar__frame_is(&kind, buf->text, 7), "it looks like one");
}

static void refuses(const spar__buf *buf, size_t length, spar_status status, const char *text, const char *what)
{
    spar__frame frame;
    spar_error err = {0};
    ok(spar__frame_read(&kind, buf->text, length, &frame, &err) == status, "refused: %s", what);
    same_text(err.text, text, "because: %s", what);
}

static void check_damage(spar__buf *buf)
{
    bool all = true;
    spar__frame frame;
    for (size_t n = 0; n < buf->length; n++)
        all &= spar__frame_read(&kind, buf->text, n, &frame, NULL) == SPAR_CORRUPT;
    ok(all, "every cut is noticed");
    refuses(buf, buf->length - 8, SPAR_CORRUPT, "saved test: it is cut short", "a cut");
    refuses(buf, 5, SPAR_CORRUPT, "saved test: it is cut short", "cut in the first word");
    refuses(buf, 0, SPAR_CORRUPT, "saved test: it is cut short", "empty");
    all = true;
    for (size_t i = 0; i < 8 * buf->length; i++) {
        buf->text[i / 8] = (char)(buf->text[i / 8] ^ 1 << i % 8);
        all &= spar__frame_read(&kind, buf->text, buf->length, &frame, NULL) != SPAR_OK;
        buf->text[i / 8] = (char)(buf->text[i / 8] ^ 1 << i % 8);
    }
    ok(all, "every flipped bit is noticed");
    buf->text[40] ^= 1;
    refuses(buf, buf->length, SPAR_CORRUPT, "saved test: its checksum is wrong", "a changed byte");
    buf->text[40] ^= 1;
    buf->text[4] = 'b';
    refuses(buf, buf->length, SPAR_CORRUPT, "not a saved test of spar", "another kind");
    buf->text[4] = 't';
    buf->text[8] = 4;
    refuses(buf, buf->length, SPAR_UNSUPPORTED,
            "saved test: written by version 4 of the format, this program reads up to 3", "a newer version");
    buf->text[8] = 3;
    buf->text[24] = 50;
    seal(buf);
    refuses(buf, buf->length, SPAR_CORRUPT, "saved test: its sections make no sense", "a length beyond the end");
    memset(buf->text + 24, 0xff, 8);
    seal(buf);
    refuses(buf, buf->length, SPAR_CORRUPT, "saved test: its sections make no sense", "an overflowing length");
}

static void check_sections(void)
{
    static const spar__frame_kind others[] = {
        {"", "test", 2, {{"fact", 0}, {"fast", 8}}}, /* the cache of another version */
        {"", "test", 3, {{"fact", 0}, {"more", 1}}}, /* a cache that is not known */
        {"", "test", 3, {{"fact", 0}, {"more", 0}}}, /* a section that is not known */
        {"", "test", 3, {{"fact", 0}, {"fact", 0}}},
    };
    spar__frame frame;
    for (size_t i = 0; i < 4; i++) {
        spar__buf buf = {0};
        write_both(&others[i], &buf, NULL);
        spar_status status = spar__frame_read(&kind, buf.text, buf.length, &frame, NULL);
        if (i < 2)
            ok(!status && frame.section[FACTS].bytes && !frame.section[CACHE].bytes, "an other cache is skipped");
        else
            ok(status == SPAR_CORRUPT, "a section that is %s is refused", i == 2 ? "unknown" : "there twice");
        if (i == 0)
            ok(frame.version == 2, "an older version is read, and said");
        spar__buf_free(&buf);
    }
}

/* Frames one after the other: the size of the first, or 0 where it is not all there. */
static void check_size(const spar__buf *buf)
{
    spar__buf two = {0};
    size_t wrong = 0;
    spar__buf_add(&two, buf->text, buf->length);
    spar__buf_add(&two, buf->text, buf->length);
    for (size_t n = 0; n <= two.length; n++)
        wrong += spar__frame_size(two.text, n) != (n < buf->length ? 0 : buf->length);
    ok(!wrong, "the size of the first of two frames");
    for (size_t i = 0; i < 4; i++)
        two.text[i] ^= 1, wrong += spar__frame_size(two.text, two.length) != 0, two.text[i] ^= 1;
    memset(two.text + 24, 0xff, 8); /* the length of the first section */
    ok(!wrong && spar__frame_size(two.text, two.length) == 0, "what is no frame has none");
    spar__buf_free(&two);
}

int main(void)
{
    spar__buf buf = {0};
    write_both(&kind, &buf, NULL);
    check_layout(&buf);
    check_reading(&buf);
    check_size(&buf);
    check_damage(&buf);
    check_sections();
    spar__buf_free(&buf);
    return done();
}
