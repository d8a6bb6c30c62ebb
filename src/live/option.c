/* option.c - what people see and choose from: checked, copied, to bytes and back. */
#include "live/option.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "live/text_limits.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

struct spar_option {
    char *id, *title, *body, *type;
    unsigned char *image;
    size_t length; /* of the image */
    double *x;
    size_t n;
    atomic_size_t others; /* that have it, too, and will free it: it must not change any more */
};

static spar_status no_option(spar_error *err)
{
    return spar__fail(err, SPAR_INVALID, "no option was given");
}

spar_status spar_option_new(const char *id, spar_option **out, spar_error *err)
{
    static const spar__prose words = {"id of an option", SPAR__MOST_TITLE, 0, false};
    if (!out)
        return spar__fail(err, SPAR_INVALID, "there is no place for the new option");
    *out = NULL;
    if (!id)
        return spar__fail(err, SPAR_INVALID, "an option needs an id");
    spar_status status = spar__prose_check(&words, id, err);
    if (status)
        return status;
    spar_option *option = spar__alloc(1, sizeof *option);
    if (option)
        option->id = spar__strdup(id);
    if (!option || !option->id) {
        spar_option_free(option);
        return spar__fail_memory(err);
    }
    *out = option;
    return SPAR_OK;
}

void spar_option_free(spar_option *option)
{
    if (!option || atomic_fetch_sub(&option->others, 1))
        return;
    spar__free(option->id);
    spar__free(option->title);
    spar__free(option->body);
    spar__free(option->type);
    spar__free(option->image);
    spar__free(option->x);
    spar__free(option);
}

spar_option *spar__option_share(const spar_option *option)
{
    spar_option *shared = (spar_option *)(uintptr_t)option; /* what it says stays the same */
    (void)atomic_fetch_add(&shared->others, 1);
    return shared;
}

static bool copy_text(const char *text, char **out)
{
    *out = text ? spar__strdup(text) : NULL;
    return !text || *out;
}

static bool copy_bytes(const void *from, size_t count, size_t size, void **out)
{
    *out = count ? spar__alloc(count, size) : NULL;
    if (*out)
        memcpy(*out, from, count * size);
    return !count || *out;
}

spar_status spar_option_dup(const spar_option *from, spar_option **out)
{
    if (!out)
        return SPAR_INVALID;
    *out = NULL;
    if (!from)
        return SPAR_INVALID;
    spar_option *to = spar__alloc(1, sizeof *to);
    void *image = NULL, *x = NULL;
    bool good = to && copy_text(from->id, &to->id) && copy_text(from->title, &to->title) &&
                copy_text(from->body, &to->body) && copy_text(from->type, &to->type) &&
                copy_bytes(from->image, from->length, 1, &image) && copy_bytes(from->x, from->n, sizeof(double), &x);
    if (!good) {
        spar__free(image);
        spar_option_free(to);
        return SPAR_NOMEM;
    }
    to->image = image;
    to->length = from->length;
    to->x = x;
    to->n = from->n;
    *out = to;
    return SPAR_OK;
}

/* Replaces one of the texts, NULL takes it away. */
static spar_status set_text(char **field, const spar__prose *words, const char *text, spar_error *err)
{
    char *copy = NULL;
    spar_status status = text ? spar__prose_check(words, text, err) : SPAR_OK;
    if (status)
        return status;
    if (!copy_text(text, &copy))
        return spar__fail_memory(err);
    spar__free(*field);
    *field = copy;
    return SPAR_OK;
}

spar_status spar_option_set_title(spar_option *option, const char *title, spar_error *err)
{
    static const spar__prose words = {"title of an option", SPAR__MOST_TITLE, 0, false};
    return option ? set_text(&option->title, &words, title, err) : no_option(err);
}

spar_status spar_option_set_body(spar_option *option, const char *body, spar_error *err)
{
    static const spar__prose words = {"body of an option", 0, SPAR__MOST_BODY, true};
    return option ? set_text(&option->body, &words, body, err) : no_option(err);
}

static bool is_image_type(const char *type)
{
    static const char *const known[] = {"image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(type, known[i]) == 0)
            return true;
    return false;
}

static spar_status check_image(const spar_option *option, const char *type, const unsigned char *bytes, size_t length,
                               spar_error *err)
{
    if (!type || !bytes || !length)
        return spar__fail(err, SPAR_INVALID, "the image of option '%s' needs a type and at least one byte", option->id);
    if (!is_image_type(type))
        return spar__fail(err, SPAR_INVALID,
                          "the image of option '%s' has the type '%.40s', expected image/png, image/jpeg, image/gif, "
                          "image/webp or image/svg+xml",
                          option->id, type);
    if (length > SPAR__MOST_IMAGE)
        return spar__fail(err, SPAR_INVALID, "the image of option '%s' has %zu bytes, at most %d are allowed",
                          option->id, length, SPAR__MOST_IMAGE);
    return SPAR_OK;
}

spar_status spar_option_set_image(spar_option *option, const char *type, const unsigned char *bytes, size_t length,
                                  spar_error *err)
{
    bool some = type || bytes || length;
    char *name = NULL;
    void *copy = NULL;
    spar_status status = !option ? no_option(err) : some ? check_image(option, type, bytes, length, err) : SPAR_OK;
    if (status)
        return status;
    if (!copy_text(type, &name) || !copy_bytes(bytes, length, 1, &copy)) {
        spar__free(name);
        return spar__fail_memory(err);
    }
    spar__free(option->type);
    spar__free(option->image);
    option->type = name;
    option->image = copy;
    option->length = length;
    return SPAR_OK;
}

spar_status spar_option_set_features(spar_option *option, size_t n, const double *x, spar_error *err)
{
    void *copy = NULL;
    if (!option)
        return no_option(err);
    n = x ? n : 0;
    if (n > SPAR__FEATURES_MOST)
        return spar__fail(err, SPAR_INVALID, "option '%s' has %zu features, at most %d are allowed", option->id, n,
                          SPAR__FEATURES_MOST);
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return spar__fail(err, SPAR_INVALID, "feature %zu of option '%s' is not a finite number", i + 1,
                              option->id);
    if (!copy_bytes(x, n, sizeof *x, &copy))
        return spar__fail_memory(err);
    spar__free(option->x);
    option->x = copy;
    option->n = n;
    return SPAR_OK;
}

const char *spar_option_id(const spar_option *option)
{
    return option ? option->id : NULL;
}

const char *spar_option_title(const spar_option *option)
{
    return !option ? NULL : option->title ? option->title : option->id;
}

const char *spar_option_body(const spar_option *option)
{
    return option ? option->body : NULL;
}

const char *spar_option_image_type(const spar_option *option)
{
    return option ? option->type : NULL;
}

const unsigned char *spar_option_image(const spar_option *option, size_t *length)
{
    if (length)
        *length = option ? option->length : 0;
    return option ? option->image : NULL;
}

const double *spar_option_features(const spar_option *option, size_t *n)
{
    if (n)
        *n = option ? option->n : 0;
    return option ? option->x : NULL;
}

static void add_u32(spar__buf *out, size_t value)
{
    unsigned char bytes[4];
    spar__put_u32(bytes, (uint32_t)value);
    spar__buf_add(out, (const char *)bytes, sizeof bytes);
}

static void add_part(spar__buf *out, const void *bytes, size_t length)
{
    spar__buf_add(out, bytes ? "\1" : "\0", 1);
    if (!bytes)
        return;
    add_u32(out, length);
    spar__buf_add(out, bytes, length);
}

static void add_text(spar__buf *out, const char *text)
{
    add_part(out, text, text ? strlen(text) : 0);
}

spar_status spar__option_record(const spar_option *option, spar__buf *out)
{
    spar__buf_add(out, "\1", 1);
    add_text(out, option->id);
    add_text(out, option->title);
    add_text(out, option->body);
    add_text(out, option->type);
    add_part(out, option->image, option->length);
    add_u32(out, option->n);
    for (size_t i = 0; i < option->n; i++) {
        unsigned char bytes[8];
        uint64_t word;
        memcpy(&word, &option->x[i], sizeof word);
        spar__put_u64(bytes, word);
        spar__buf_add(out, (const char *)bytes, sizeof bytes);
    }
    return out->failed ? SPAR_NOMEM : SPAR_OK;
}

/* The record of an option (option.h), read. What it holds goes through the same checks as what people set.
 */

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
