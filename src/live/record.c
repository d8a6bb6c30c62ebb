/* record.c - the record of an option (option.h), read. What it holds goes through the same checks as what people set.
 */
#include "live/option.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "live/prose.h"
#include "live/record.h"

#include <string.h>

const unsigned char *spar__record_take(spar__record_reader *in, size_t n)
{
    in->failed = in->failed || n > in->left;
    if (in->failed)
        return NULL;
    const unsigned char *bytes = in->at;
    in->at += n;
    in->left -= n;
    return bytes;
}

uint32_t spar__record_u32(spar__record_reader *in)
{
    const unsigned char *bytes = spar__record_take(in, 4);
    return bytes ? spar__get_u32(bytes) : 0;
}

/* A part of the record; NULL: none. */
static const unsigned char *take_part(spar__record_reader *in, size_t *length)
{
    const unsigned char *some = spar__record_take(in, 1);
    *length = 0;
    in->failed = in->failed || *some > 1;
    if (in->failed || !*some)
        return NULL;
    *length = spar__record_u32(in);
    return spar__record_take(in, *length);
}

/* The same as a text of its own. */
static spar_status take_text(spar__record_reader *in, char **out)
{
    size_t length;
    const unsigned char *bytes = take_part(in, &length);
    *out = NULL;
    if (!bytes)
        return SPAR_OK;
    in->failed = in->failed || memchr(bytes, 0, length);
    *out = spar__alloc(length + 1, 1);
    if (*out)
        memcpy(*out, bytes, length);
    return *out ? SPAR_OK : SPAR_NOMEM;
}

static spar_status set_features(spar_option *option, spar__record_reader *in, spar_error *err)
{
    size_t n = spar__record_u32(in);
    const unsigned char *bytes = n <= SPAR__FEATURES_MOST ? spar__record_take(in, 8 * n) : NULL;
    in->failed = in->failed || !bytes || in->left;
    if (in->failed || !n)
        return SPAR_OK;
    double *x = spar__alloc(n, sizeof *x);
    if (!x)
        return spar__fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        uint64_t word = spar__get_u64(bytes + 8 * i);
        memcpy(&x[i], &word, sizeof word);
    }
    spar_status status = spar_option_set_features(option, n, x, err);
    spar__free(x);
    return status;
}

enum { ID, TITLE, BODY, TYPE, TEXTS };

static spar_status fill(spar_option *option, spar__record_reader *in, char *const text[TEXTS], spar_error *err)
{
    size_t length;
    const unsigned char *image = take_part(in, &length);
    spar_status status = spar_option_set_title(option, text[TITLE], err);
    if (!status)
        status = spar_option_set_body(option, text[BODY], err);
    if (!status && (text[TYPE] || image))
        status = spar_option_set_image(option, text[TYPE], image, length, err);
    return status ? status : set_features(option, in, err);
}

spar_status spar__option_read(const unsigned char *bytes, size_t length, spar_option **out, spar_error *err)
{
    spar__record_reader in = {.at = bytes, .left = length};
    char *text[TEXTS] = {0};
    const unsigned char *version = spar__record_take(&in, 1);
    *out = NULL;
    if (version && *version > 1)
        return spar__fail(err, SPAR_UNSUPPORTED, "the option was written by a newer version");
    in.failed = in.failed || *version != 1;
    spar_status status = SPAR_OK;
    for (int i = 0; i < TEXTS && !status; i++)
        status = take_text(&in, &text[i]);
    status = status ? spar__fail_memory(err) : in.failed ? SPAR_OK : spar_option_new(text[ID], out, err);
    if (!status && *out)
        status = fill(*out, &in, text, err);
    if (!status && in.failed)
        status = spar__fail(err, SPAR_CORRUPT, "the text of an option is damaged");
    for (int i = 0; i < TEXTS; i++)
        spar__free(text[i]);
    if (status) {
        spar_option_free(*out);
        *out = NULL;
    }
    return status == SPAR_INVALID ? SPAR_CORRUPT : status;
}
