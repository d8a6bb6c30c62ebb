#include "base/archive.h"

#include "base/alloc.h"
#include "base/bytes.h"

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
    if (!ar->loading) {
        spar__buf_add(&ar->out, *text, length);
        spar__archive_step(ar, ar->out.failed ? SPAR_NOMEM : SPAR_OK);
        return;
    }
    if (!spar__archive_holds(ar, length))
        return;
    *text = spar__alloc(length + 1, 1);
    spar__archive_step(ar, *text ? SPAR_OK : SPAR_NOMEM);
    if (ar->failed)
        return;
    memcpy(*text, ar->in, length);
    ar->in += length;
    ar->left -= length;
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
