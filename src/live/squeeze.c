/* squeeze.c - see squeeze.h. A match is looked for by the hash of 8 bytes, then of 4: states are full of zeros, of
 * which the last 4 have nothing to say, while 8 bytes find the record that is like this one. */
#include "live/squeeze.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <stdbool.h>
#include <string.h>

enum { HEAD = 8, LEAST = 4, TAIL = 16, FARTHEST = 65535, BITS = 16, MOST_EXPANSION = 256 };

typedef struct squeezer {
    const unsigned char *in;
    size_t n;
    unsigned char *out;
    size_t at;               /* bytes written */
    uint32_t *long8, *long4; /* where a hash was last; 1 more, 0: nowhere */
    const atomic_bool *stop; /* NULL: never */
} squeezer;

static size_t hash8(const unsigned char *p)
{
    return (size_t)(spar__get_u64(p) * UINT64_C(0x9E3779B97F4A7C15) >> (64 - BITS));
}

static size_t hash4(const unsigned char *p)
{
    return (size_t)(spar__get_u32(p) * UINT32_C(2654435761) >> (32 - BITS));
}

/* How many bytes are the same from a and b on, b later; the last ones of all are left alone. */
static size_t common(const squeezer *s, size_t a, size_t b)
{
    size_t n = 0, most = s->n - TAIL / 2 - b;
    while (n + 8 <= most && spar__get_u64(s->in + a + n) == spar__get_u64(s->in + b + n))
        n += 8;
    while (n < most && s->in[a + n] == s->in[b + n])
        n++;
    return n;
}

/* The length of a match for position i, and where it is; 0: none. */
static size_t find(const squeezer *s, size_t i, size_t *where)
{
    const uint32_t at[] = {s->long8[hash8(s->in + i)], s->long4[hash4(s->in + i)]};
    for (int k = 0; k < 2; k++) {
        *where = at[k] - (size_t)1;
        if (!at[k] || i - *where > FARTHEST)
            continue;
        size_t length = common(s, *where, i);
        if (length >= LEAST)
            return length;
    }
    return 0;
}

static void note(squeezer *s, size_t i)
{
    s->long8[hash8(s->in + i)] = s->long4[hash4(s->in + i)] = (uint32_t)(i + 1);
}

static void put_more(squeezer *s, size_t length)
{
    for (; length >= 255; length -= 255)
        s->out[s->at++] = 255;
    s->out[s->at++] = (unsigned char)length;
}

/* Literals from .. to - 1 and a match of that length; 0: the end. */
static void put(squeezer *s, size_t from, size_t to, size_t length, size_t back)
{
    size_t literals = to - from, rest = length ? length - LEAST : 0;
    s->out[s->at++] = (unsigned char)((literals < 15 ? literals : 15) << 4 | (rest < 15 ? rest : 15));
    if (literals >= 15)
        put_more(s, literals - 15);
    memcpy(s->out + s->at, s->in + from, literals);
    s->at += literals;
    if (!length)
        return;
    s->out[s->at++] = (unsigned char)back;
    s->out[s->at++] = (unsigned char)(back >> 8);
    if (rest >= 15)
        put_more(s, rest - 15);
}

static bool is_stopped(const squeezer *s)
{
    return s->stop && atomic_load_explicit(s->stop, memory_order_relaxed);
}

/* False: it was stopped. */
static bool squeeze(squeezer *s)
{
    size_t from = 0;
    for (size_t i = 0; i + TAIL < s->n;) {
        if (is_stopped(s))
            return false;
        size_t where, length = find(s, i, &where);
        note(s, i);
        if (!length) {
            i++;
            continue;
        }
        put(s, from, i, length, i - where);
        for (size_t k = i + 1; k < i + length && k + TAIL < s->n; k += 3)
            note(s, k);
        from = i += length;
    }
    put(s, from, s->n, 0, 0);
    return true;
}

spar_status spar__squeeze(const unsigned char *bytes, size_t length, const atomic_bool *stop, unsigned char **out,
                          size_t *squeezed)
{
    squeezer s = {.in = bytes, .n = length, .at = HEAD, .stop = stop};
    spar_status status = SPAR_NOMEM;
    *out = NULL;
    if (length >= UINT32_MAX)
        return SPAR_UNSUPPORTED;
    s.long8 = spar__alloc((size_t)1 << BITS, sizeof *s.long8);
    s.long4 = spar__alloc((size_t)1 << BITS, sizeof *s.long4);
    s.out = spar__grow_bytes(NULL, HEAD + length + length / 255 + TAIL); /* most is never touched */
    if (s.out && s.long8 && s.long4) {
        spar__put_u64(s.out, length);
        status = squeeze(&s) ? SPAR_OK : SPAR_INTERRUPTED;
    }
    if (!status) {
        unsigned char *shorter = spar__grow_bytes(s.out, s.at);
        *out = shorter ? shorter : s.out;
        *squeezed = s.at;
    } else {
        spar__free(s.out);
    }
    spar__free(s.long8);
    spar__free(s.long4);
    return status;
}

typedef struct expander {
    const unsigned char *in;
    size_t left;
    unsigned char *out;
    size_t at, n;
} expander;

/* A length whose first part, 4 bits, is given; false: the input ends. */
static bool get_length(expander *e, size_t nibble, size_t *length)
{
    *length = nibble;
    unsigned char more = nibble == 15 ? 255 : 0;
    while (more == 255) {
        if (!e->left || *length > e->n)
            return false;
        more = *e->in++;
        e->left--;
        *length += more;
    }
    return true;
}

static bool copy_literals(expander *e, size_t length)
{
    if (length > e->left || length > e->n - e->at)
        return false;
    memcpy(e->out + e->at, e->in, length);
    e->in += length;
    e->left -= length;
    e->at += length;
    return true;
}

static bool copy_match(expander *e, size_t nibble)
{
    size_t length;
    if (e->left < 2)
        return false;
    size_t back = (size_t)e->in[0] | (size_t)e->in[1] << 8;
    e->in += 2;
    e->left -= 2;
    if (!get_length(e, nibble, &length))
        return false;
    length += LEAST;
    if (!back || back > e->at || length > e->n - e->at)
        return false;
    unsigned char *to = e->out + e->at;
    if (back >= length)
        memcpy(to, to - back, length);
    else
        for (size_t i = 0; i < length; i++) /* it repeats itself */
            to[i] = to[i - back];
    e->at += length;
    return true;
}

static bool expand(expander *e)
{
    while (e->left) {
        unsigned char token = *e->in++;
        size_t literals;
        e->left--;
        if (!get_length(e, token >> 4, &literals) || !copy_literals(e, literals))
            return false;
        if (!e->left)
            return e->at == e->n && !(token & 15);
        if (!copy_match(e, token & 15))
            return false;
    }
    return false;
}

spar_status spar__unsqueeze(const unsigned char *bytes, size_t length, unsigned char **out, size_t *expanded)
{
    *out = NULL;
    if (length < HEAD + 1 || spar__get_u64(bytes) / MOST_EXPANSION > length)
        return SPAR_CORRUPT;
    expander e = {.in = bytes + HEAD, .left = length - HEAD, .n = (size_t)spar__get_u64(bytes)};
    e.out = spar__alloc(e.n, 1);
    if (!e.out)
        return SPAR_NOMEM;
    if (!expand(&e)) {
        spar__free(e.out);
        return SPAR_CORRUPT;
    }
    *out = e.out;
    *expanded = e.n;
    return SPAR_OK;
}
