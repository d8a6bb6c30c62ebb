/* archive.c - state to bytes and back: numbers one after the other (archive), the one form of binary files around them
 * (frame), and both together (saved). Cost: one copy of the state, and its checksum. */
#include "base/archive.h"

#include "base/alloc.h"

#include <assert.h>
#include <string.h>

static void save(spar__archive *ar, const void *bytes, size_t n)
{
    spar__buf_add(&ar->out, bytes, n);
    ar->failed |= ar->out.failed;
    ar->no_memory |= ar->out.failed;
}

/* The same for a number, of which large states have millions: most find room, and n is known to the compiler. */
static inline void save_number(spar__archive *ar, const unsigned char *bytes, size_t n)
{
    spar__buf *out = &ar->out;
    if (out->failed || n >= out->capacity - out->length) {
        save(ar, bytes, n);
        return;
    }
    memcpy(out->text + out->length, bytes, n);
    out->length += n;
    out->text[out->length] = '\0';
}

void spar__archive_bytes(spar__archive *ar, void *bytes, size_t n)
{
    if (!ar->loading) {
        save(ar, bytes, n);
    } else if (ar->failed || ar->left < n) {
        ar->failed = true;
        memset(bytes, 0, n);
    } else {
        memcpy(bytes, ar->in, n);
        ar->in += n;
        ar->left -= n;
    }
}

void spar__archive_u8(spar__archive *ar, uint8_t *value)
{
    spar__archive_bytes(ar, value, 1);
}

void spar__archive_u32(spar__archive *ar, uint32_t *value)
{
    unsigned char bytes[4];
    if (ar->loading) {
        spar__archive_bytes(ar, bytes, sizeof bytes);
        *value = spar__get_u32(bytes);
    } else {
        spar__put_u32(bytes, *value);
        save_number(ar, bytes, sizeof bytes);
    }
}

void spar__archive_u64(spar__archive *ar, uint64_t *value)
{
    unsigned char bytes[8];
    if (ar->loading) {
        spar__archive_bytes(ar, bytes, sizeof bytes);
        *value = spar__get_u64(bytes);
    } else {
        spar__put_u64(bytes, *value);
        save_number(ar, bytes, sizeof bytes);
    }
}

void spar__archive_size(spar__archive *ar, size_t *value)
{
    uint64_t v = *value;
    spar__archive_u64(ar, &v);
    spar__archive_check(ar, v <= SIZE_MAX);
    if (ar->loading)
        *value = ar->failed ? 0 : (size_t)v;
}

void spar__archive_bool(spar__archive *ar, bool *value)
{
    uint64_t v = *value;
    spar__archive_u64(ar, &v);
    spar__archive_check(ar, v <= 1);
    if (ar->loading)
        *value = v == 1;
}

void spar__archive_f64(spar__archive *ar, double *value)
{
    uint64_t bits;
    memcpy(&bits, value, sizeof bits);
    spar__archive_u64(ar, &bits);
    if (ar->loading)
        memcpy(value, &bits, sizeof bits);
}

void spar__archive_sizes(spar__archive *ar, size_t *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        spar__archive_size(ar, &values[i]);
}

void spar__archive_f64s(spar__archive *ar, double *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        spar__archive_f64(ar, &values[i]);
}

void spar__archive_bools(spar__archive *ar, bool *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        spar__archive_bool(ar, &values[i]);
}

void spar__archive_text(spar__archive *ar, char **text)
{
    bool present = *text != NULL;
    size_t length = present ? strlen(*text) : 0;
    spar__archive_bool(ar, &present);
    if (ar->failed || !present)
        return;
    spar__archive_size(ar, &length);
    if (ar->loading && spar__archive_holds(ar, length)) {
        *text = spar__alloc(length + 1, 1);
        spar__archive_step(ar, *text ? SPAR_OK : SPAR_NOMEM);
    }
    if (ar->failed)
        return;
    spar__archive_bytes(ar, *text, length);
    spar__archive_check(ar, strlen(*text) == length);
}

void spar__archive_check(spar__archive *ar, bool good)
{
    if (!good)
        ar->failed = true;
}

void spar__archive_step(spar__archive *ar, spar_status status)
{
    spar__archive_check(ar, status == SPAR_OK);
    ar->no_memory |= status == SPAR_NOMEM;
}

bool spar__archive_holds(spar__archive *ar, size_t count)
{
    if (ar->loading && count > ar->left)
        ar->failed = true;
    return !ar->failed;
}

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

spar_status spar__frame_read(const spar__frame_kind *kind, const void *bytes, size_t length, spar__frame *out,
                             spar_error *err)
{
    *out = (spar__frame){0};
    spar_status status = check(kind, bytes, length, &out->version, err);
    if (status)
        return status;
    const unsigned char *at = (const unsigned char *)bytes + HEAD;
    for (uint64_t left = length - HEAD - END; left;) {
        uint64_t contents = left < HEAD ? 0 : spar__get_u64(at + 8);
        if (left < HEAD || contents > left - HEAD || padding(contents) > left - HEAD - contents)
            return damaged(kind, "its sections make no sense", err);
        uint32_t cache = spar__get_u32(at + 4);
        size_t i = 0; /* the section of this tag that the program knows; SPAR__FRAME_SECTIONS if none */
        while (i < SPAR__FRAME_SECTIONS && (!kind->section[i].tag[0] || memcmp(kind->section[i].tag, at, 4) != 0))
            i++;
        bool known = i < SPAR__FRAME_SECTIONS && kind->section[i].cache == cache;
        if ((!known && !cache) || (known && out->section[i].bytes))
            return damaged(kind, "its sections make no sense", err);
        if (known) {
            out->section[i].bytes = at + HEAD;
            out->section[i].length = (size_t)contents;
        }
        at += HEAD + contents + padding(contents);
        left -= HEAD + contents + padding(contents);
    }
    return SPAR_OK;
}

/* The state, which may be large, becomes the first section of the frame in its own buffer. */
static spar_status write_frame(const spar__frame_kind *kind, spar__archive *ar)
{
    if (ar->failed)
        return ar->no_memory ? SPAR_NOMEM : SPAR_INVALID;
    if (ar->cache && ar->cache->failed)
        return SPAR_NOMEM;
    spar__frame_writer frame = {&ar->out, NULL, kind, spar__hash_start(), 0};
    unsigned char heads[2 * HEAD];
    size_t length = ar->out.length;
    make_head(kind, heads);
    make_section_head(kind->section[0].tag, kind->section[0].cache, length, heads + HEAD);
    spar__buf_add(&ar->out, (const char *)heads, sizeof heads); /* for the room */
    if (ar->out.failed)
        return SPAR_NOMEM;
    memmove(ar->out.text + sizeof heads, ar->out.text, length);
    memcpy(ar->out.text, heads, sizeof heads);
    spar__hash_add(&frame.hash, ar->out.text, ar->out.length);
    if (ar->cache && ar->cache->out.length) {
        spar__frame_section(&frame, 1, ar->cache->out.length);
        spar__frame_add(&frame, ar->cache->out.text, ar->cache->out.length);
    }
    spar__frame_end(&frame);
    return ar->out.failed ? SPAR_NOMEM : SPAR_OK;
}

spar_status spar__saved_write(const spar__frame_kind *kind, spar__archive *ar, unsigned char **bytes, size_t *length)
{
    *bytes = NULL;
    *length = 0;
    spar_status status = write_frame(kind, ar);
    if (ar->cache)
        spar__buf_free(&ar->cache->out);
    if (status) {
        spar__buf_free(&ar->out);
        return status;
    }
    *bytes = (unsigned char *)ar->out.text;
    *length = ar->out.length;
    ar->out = (spar__buf){0};
    return SPAR_OK;
}

spar_status spar__saved_open_both(const spar__frame_kind *kind, const unsigned char *bytes, size_t length,
                                  spar__archive *ar, spar__archive *cache, spar_error *err)
{
    spar__frame frame;
    spar_status status = spar__frame_read(kind, bytes, length, &frame, err);
    if (!status && !frame.section[0].bytes)
        status = spar__fail(err, SPAR_CORRUPT, "%s: it is empty", kind->name);
    *ar = (spar__archive){.loading = true};
    if (status)
        return status;
    ar->in = frame.section[0].bytes;
    ar->left = frame.section[0].length;
    if (cache && frame.section[1].bytes) {
        *cache = (spar__archive){.loading = true, .in = frame.section[1].bytes, .left = frame.section[1].length};
        ar->cache = cache;
    }
    return SPAR_OK;
}

spar_status spar__saved_open(const spar__frame_kind *kind, const unsigned char *bytes, size_t length, spar__archive *ar,
                             spar_error *err)
{
    return spar__saved_open_both(kind, bytes, length, ar, NULL, err);
}

spar_status spar__saved_close(const spar__frame_kind *kind, const spar__archive *ar, spar_error *err)
{
    const spar__archive *cache = ar->cache;
    if (ar->no_memory || (cache && cache->no_memory))
        return spar__fail_memory(err);
    if (ar->failed || ar->left || (cache && (cache->failed || cache->left)))
        return spar__fail(err, SPAR_CORRUPT, "%s: its contents make no sense", kind->name);
    return SPAR_OK;
}
