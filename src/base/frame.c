#include "base/frame.h"

#include "base/bytes.h"

#include <assert.h>
#include <string.h>

enum { HEAD = 16, SUM = 8, END = HEAD + SUM }; /* of the file and of each section; the checksum; the last section */

static const char mark[4] = {'s', 'p', 'a', 'r'}, end_tag[4] = {'e', 'n', 'd', ' '};

static size_t padding(uint64_t length)
{
    return (8 - length % 8) % 8;
}

static void put(spar__frame_writer *w, const void *bytes, size_t length)
{
    spar__hash_add(&w->hash, bytes, length);
    if (w->buf)
        spar__buf_add(w->buf, bytes, length);
    else
        (void)fwrite(bytes, 1, length, w->file);
}

static void make_section_head(const char *tag, uint32_t cache, uint64_t length, unsigned char head[HEAD])
{
    memcpy(head, tag, 4);
    spar__put_u32(head + 4, cache);
    spar__put_u64(head + 8, length);
}

static void put_section_head(spar__frame_writer *w, const char *tag, uint32_t cache, uint64_t length)
{
    unsigned char head[HEAD];
    make_section_head(tag, cache, length, head);
    put(w, head, sizeof head);
}

static void finish_section(spar__frame_writer *w)
{
    static const char zeros[8];
    assert(w->left == 0);
    put(w, zeros, padding(w->hash.length));
}

static void make_head(const spar__frame_kind *kind, unsigned char head[HEAD])
{
    memset(head, 0, HEAD);
    memcpy(head, mark, 4);
    memcpy(head + 4, kind->tag, 4);
    spar__put_u32(head + 8, kind->version);
}

void spar__frame_begin(spar__frame_writer *w, const spar__frame_kind *kind, spar__buf *buf, FILE *file)
{
    unsigned char head[HEAD];
    assert(!buf != !file);
    *w = (spar__frame_writer){buf, file, kind, spar__hash_start(), 0};
    make_head(kind, head);
    put(w, head, sizeof head);
}

void spar__frame_wrap(spar__frame_writer *w, const spar__frame_kind *kind, spar__buf *buf)
{
    unsigned char heads[2 * HEAD];
    size_t length = buf->length;
    *w = (spar__frame_writer){buf, NULL, kind, spar__hash_start(), 0};
    make_head(kind, heads);
    make_section_head(kind->section[0].tag, kind->section[0].cache, length, heads + HEAD);
    spar__buf_add(buf, (const char *)heads, sizeof heads); /* for the room */
    if (buf->failed)
        return;
    memmove(buf->text + sizeof heads, buf->text, length);
    memcpy(buf->text, heads, sizeof heads);
    spar__hash_add(&w->hash, buf->text, buf->length);
}

void spar__frame_section(spar__frame_writer *w, size_t i, uint64_t length)
{
    finish_section(w);
    put_section_head(w, w->kind->section[i].tag, w->kind->section[i].cache, length);
    w->left = length;
}

void spar__frame_add(spar__frame_writer *w, const void *bytes, size_t length)
{
    assert(length <= w->left);
    w->left -= length;
    put(w, bytes, length);
}

void spar__frame_end(spar__frame_writer *w)
{
    unsigned char sum[SUM];
    finish_section(w);
    put_section_head(w, end_tag, 0, sizeof sum);
    spar__put_u64(sum, spar__hash_end(&w->hash));
    put(w, sum, sizeof sum);
}

static spar_status damaged(const spar__frame_kind *kind, const char *what, spar_error *err)
{
    return spar__fail(err, SPAR_CORRUPT, "%s: %s", kind->name, what);
}

static bool begins(const spar__frame_kind *kind, const unsigned char *bytes, size_t length)
{
    char head[8];
    memcpy(head, mark, 4);
    memcpy(head + 4, kind->tag, 4);
    return memcmp(bytes, head, length < sizeof head ? length : sizeof head) == 0;
}

bool spar__frame_is(const spar__frame_kind *kind, const void *bytes, size_t length)
{
    return length >= 8 && begins(kind, bytes, length);
}

size_t spar__frame_size(const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    if (length < HEAD || memcmp(at, mark, sizeof mark) != 0)
        return 0;
    for (size_t used = HEAD; length - used >= HEAD;) {
        uint64_t contents = spar__get_u64(at + used + 8), left = length - used - HEAD;
        bool last = memcmp(at + used, end_tag, sizeof end_tag) == 0;
        if (contents > left || padding(contents) > left - contents || (last && contents != SUM))
            return 0;
        used += HEAD + (size_t)contents + padding(contents);
        if (last)
            return used;
    }
    return 0;
}

static spar_status check(const spar__frame_kind *kind, const unsigned char *bytes, size_t length, uint32_t *version,
                         spar_error *err)
{
    if (!begins(kind, bytes, length))
        return spar__fail(err, SPAR_CORRUPT, "not a %s of spar", kind->name);
    if (length < HEAD + END)
        return damaged(kind, "it is cut short", err);
    *version = spar__get_u32(bytes + 8);
    if (*version > kind->version)
        return spar__fail(err, SPAR_UNSUPPORTED,
                          "%s: written by version %lu of the format, this program reads up to %lu", kind->name,
                          (unsigned long)*version, (unsigned long)kind->version);
    const unsigned char *end = bytes + length - END;
    if (length % 8 || memcmp(end, end_tag, 4) != 0 || spar__get_u64(end + 8) != SUM)
        return damaged(kind, "it is cut short", err);
    if (spar__get_u64(end + HEAD) != spar__hash_of(bytes, length - SUM))
        return damaged(kind, "its checksum is wrong", err);
    return *version ? SPAR_OK : damaged(kind, "its version is 0", err);
}

/* The section of this tag that the program knows; SPAR__FRAME_SECTIONS if none. */
static size_t find_section(const spar__frame_kind *kind, const unsigned char *tag)
{
    size_t i = 0;
    while (i < SPAR__FRAME_SECTIONS && (!kind->section[i].tag[0] || memcmp(kind->section[i].tag, tag, 4) != 0))
        i++;
    return i;
}

/* Takes the section at `at`, of which `left` bytes are there; gives its size, or 0 when it is not right. */
static uint64_t take_section(const spar__frame_kind *kind, const unsigned char *at, uint64_t left, spar__frame *out)
{
    uint64_t length = left < HEAD ? 0 : spar__get_u64(at + 8);
    if (left < HEAD || length > left - HEAD || padding(length) > left - HEAD - length)
        return 0;
    uint32_t cache = spar__get_u32(at + 4);
    size_t i = find_section(kind, at);
    bool known = i < SPAR__FRAME_SECTIONS && kind->section[i].cache == cache;
    if ((!known && !cache) || (known && out->section[i].bytes))
        return 0;
    if (known) {
        out->section[i].bytes = at + HEAD;
        out->section[i].length = (size_t)length;
    }
    return HEAD + length + padding(length);
}

spar_status spar__frame_read(const spar__frame_kind *kind, const void *bytes, size_t length, spar__frame *out,
                             spar_error *err)
{
    *out = (spar__frame){0};
    spar_status status = check(kind, bytes, length, &out->version, err);
    if (status)
        return status;
    const unsigned char *at = (const unsigned char *)bytes + HEAD;
    for (uint64_t left = length - HEAD - END; left;) {
        uint64_t size = take_section(kind, at, left, out);
        if (!size)
            return damaged(kind, "its sections make no sense", err);
        at += size;
        left -= size;
    }
    return SPAR_OK;
}
