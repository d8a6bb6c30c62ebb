/* cursor.h - the parts of frames. Reading: after a step beyond the end everything is 0, and `bad` is set. */
#ifndef SPAR_STORE_SERVED_CURSOR_H
#define SPAR_STORE_SERVED_CURSOR_H

#include "base/buf.h"
#include "base/hash.h"
#include "store/served/wire.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct spar__cursor {
    const unsigned char *at;
    size_t left;
    bool bad;
} spar__cursor;

/* The next bytes, NULL if there are not so many. */
static inline const unsigned char *spar__cursor_take(spar__cursor *in, size_t length)
{
    const unsigned char *at = in->at;
    if (in->bad || length > in->left) {
        in->bad = true;
        return NULL;
    }
    in->at += length;
    in->left -= length;
    return at;
}

static inline unsigned char spar__cursor_u8(spar__cursor *in)
{
    const unsigned char *at = spar__cursor_take(in, 1);
    return at ? *at : 0;
}

static inline uint32_t spar__cursor_u32(spar__cursor *in)
{
    const unsigned char *at = spar__cursor_take(in, 4);
    return at ? spar__get_u32(at) : 0;
}

static inline uint64_t spar__cursor_u64(spar__cursor *in)
{
    const unsigned char *at = spar__cursor_take(in, 8);
    return at ? spar__get_u64(at) : 0;
}

/* A byte that is 0 or 1. */
static inline bool spar__cursor_flag(spar__cursor *in)
{
    unsigned char value = spar__cursor_u8(in);
    in->bad = in->bad || value > 1;
    return value == 1;
}

/* A number of things that have at least `size` bytes each. */
static inline size_t spar__cursor_count(spar__cursor *in, size_t size)
{
    size_t n = spar__cursor_u32(in);
    in->bad = in->bad || n > in->left / size;
    return in->bad ? 0 : n;
}

static inline void spar__wire_add_u8(spar__buf *out, unsigned value)
{
    char byte = (char)(unsigned char)value;
    spar__buf_add(out, &byte, 1);
}

static inline void spar__wire_add_u32(spar__buf *out, uint32_t value)
{
    unsigned char bytes[4];
    spar__put_u32(bytes, value);
    spar__buf_add(out, (const char *)bytes, sizeof bytes);
}

static inline void spar__wire_add_u64(spar__buf *out, uint64_t value)
{
    unsigned char bytes[8];
    spar__put_u64(bytes, value);
    spar__buf_add(out, (const char *)bytes, sizeof bytes);
}

static inline void spar__wire_add_raw(spar__buf *out, const unsigned char *bytes, size_t length)
{
    spar__buf_add(out, (const char *)bytes, length);
}

static inline void spar__wire_add_bytes(spar__buf *out, const void *bytes, size_t length)
{
    spar__wire_add_u32(out, (uint32_t)length); /* whoever calls checks the whole frame */
    spar__buf_add(out, bytes, length);
}

static inline void spar__wire_add_head(spar__buf *out, unsigned op, unsigned flag, unsigned number)
{
    spar__wire_add_u32(out, 0);
    spar__wire_add_u8(out, SPAR__WIRE_VERSION);
    spar__wire_add_u8(out, op);
    spar__wire_add_u8(out, flag);
    spar__wire_add_u8(out, number);
}

static inline void spar__wire_set_length(spar__buf *out, size_t start)
{
    if (!out->failed)
        spar__put_u32((unsigned char *)out->text + start, (uint32_t)(out->length - start - SPAR__WIRE_HEAD));
}

#endif
