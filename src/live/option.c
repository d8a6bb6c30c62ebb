/* option.c - what people see and choose from: checked, copied, to bytes and back.
 *
 * The record of an option is written and read by one list of its parts; what was read goes through the same checks as
 * what people set. Whoever has an option may share it; then it does not change any more. */
#include "live/option.h"

#include "base/alloc.h"
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

static const spar__text_limits id_limits = {"id of an option", SPAR__MOST_TITLE, 0, false};
static const spar__text_limits title_limits = {"title of an option", SPAR__MOST_TITLE, 0, false};
static const spar__text_limits body_limits = {"body of an option", 0, SPAR__MOST_BODY, true};

static spar_status no_option(spar_error *err)
{
    return spar__fail(err, SPAR_INVALID, "no option was given");
}

spar_status spar_option_new(const char *id, spar_option **out, spar_error *err)
{
    if (!out)
        return spar__fail(err, SPAR_INVALID, "there is no place for the new option");
    *out = NULL;
    if (!id)
        return spar__fail(err, SPAR_INVALID, "an option needs an id");
    spar_option *option = spar__alloc(1, sizeof *option);
    spar_status status = option ? spar__text_set(&option->id, &id_limits, id, err) : spar__fail_memory(err);
    if (status)
        spar_option_free(option);
    else
        *out = option;
    return status;
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

spar_status spar_option_set_title(spar_option *option, const char *title, spar_error *err)
{
    return option ? spar__text_set(&option->title, &title_limits, title, err) : no_option(err);
}

spar_status spar_option_set_body(spar_option *option, const char *body, spar_error *err)
{
    return option ? spar__text_set(&option->body, &body_limits, body, err) : no_option(err);
}

static spar_status check_image(const spar_option *option, const char *type, const unsigned char *bytes, size_t length,
                               spar_error *err)
{
    static const char *const known[] = {"image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml"};
    enum { KNOWN = sizeof known / sizeof *known };
    size_t i = 0;
    if (!type || !bytes || !length)
        return spar__fail(err, SPAR_INVALID, "the image of option '%s' needs a type and at least one byte", option->id);
    while (i < KNOWN && strcmp(type, known[i]) != 0)
        i++;
    if (i == KNOWN)
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

static spar_status check_features(const spar_option *option, size_t n, const double *x, spar_error *err)
{
    if (n > SPAR__FEATURES_MOST)
        return spar__fail(err, SPAR_INVALID, "option '%s' has %zu features, at most %d are allowed", option->id, n,
                          SPAR__FEATURES_MOST);
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return spar__fail(err, SPAR_INVALID, "feature %zu of option '%s' is not a finite number", i + 1,
                              option->id);
    return SPAR_OK;
}

spar_status spar_option_set_features(spar_option *option, size_t n, const double *x, spar_error *err)
{
    void *copy = NULL;
    if (!option)
        return no_option(err);
    n = x ? n : 0;
    spar_status status = check_features(option, n, x, err);
    if (status)
        return status;
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

/* --- records --- */

static void record_bytes(spar__archive *ar, void **bytes, size_t *length)
{
    uint32_t n = (uint32_t)*length;
    spar__archive_u32(ar, &n);
    if (ar->loading && spar__archive_holds(ar, n)) {
        *bytes = spar__alloc((size_t)n + 1, 1);
        *length = *bytes ? n : 0;
        spar__archive_step(ar, *bytes ? SPAR_OK : SPAR_NOMEM);
    }
    if (!ar->failed && n)
        spar__archive_bytes(ar, *bytes, n);
}

bool spar__record_has(spar__archive *ar, bool some)
{
    uint8_t flag = some;
    spar__archive_u8(ar, &flag);
    spar__archive_check(ar, flag <= 1);
    return flag && !ar->failed;
}

void spar__record_text(spar__archive *ar, char **text)
{
    void *bytes = *text;
    size_t length = *text ? strlen(*text) : 0;
    record_bytes(ar, &bytes, &length);
    *text = bytes;
    spar__archive_check(ar, !ar->loading || (bytes && !memchr(bytes, 0, length)));
}

void spar__record_part(spar__archive *ar, char **text)
{
    if (spar__record_has(ar, *text != NULL))
        spar__record_text(ar, text);
}

static void archive(spar_option *option, spar__archive *ar)
{
    void *image = option->image;
    uint8_t version = 1;
    spar__archive_u8(ar, &version);
    spar__archive_check(ar, version == 1);
    spar__record_part(ar, &option->id);
    spar__record_part(ar, &option->title);
    spar__record_part(ar, &option->body);
    spar__record_part(ar, &option->type);
    if (spar__record_has(ar, image != NULL))
        record_bytes(ar, &image, &option->length);
    option->image = image;
    uint32_t n = (uint32_t)option->n;
    spar__archive_u32(ar, &n);
    spar__archive_check(ar, n <= SPAR__FEATURES_MOST);
    if (ar->loading && n && spar__archive_holds(ar, n)) {
        option->x = spar__alloc(n, sizeof *option->x);
        option->n = option->x ? n : 0;
        spar__archive_step(ar, option->x ? SPAR_OK : SPAR_NOMEM);
    }
    spar__archive_f64s(ar, option->x, option->n);
}

spar_status spar__option_record(const spar_option *option, spar__buf *out)
{
    spar__archive ar = {.out = *out};
    archive((spar_option *)(uintptr_t)option, &ar); /* the archive only reads when it saves */
    *out = ar.out;
    return ar.failed ? SPAR_NOMEM : SPAR_OK;
}

spar_status spar__option_read(const unsigned char *bytes, size_t length, spar_option **out, spar_error *err)
{
    spar__archive ar = {.loading = true, .in = bytes, .left = length};
    *out = NULL;
    if (length && *bytes > 1)
        return spar__fail(err, SPAR_UNSUPPORTED, "the option was written by a newer version");
    spar_option *option = spar__alloc(1, sizeof *option);
    if (!option)
        return spar__fail_memory(err);
    archive(option, &ar);
    spar_status status = ar.no_memory ? spar__fail_memory(err)
                         : ar.failed || ar.left || !option->id
                             ? spar__fail(err, SPAR_CORRUPT, "the text of an option is damaged")
                             : spar__text_check(&id_limits, option->id, err);
    if (!status && option->title)
        status = spar__text_check(&title_limits, option->title, err);
    if (!status && option->body)
        status = spar__text_check(&body_limits, option->body, err);
    if (!status && (option->type || option->image))
        status = check_image(option, option->type, option->image, option->length, err);
    if (!status)
        status = check_features(option, option->n, option->x, err);
    if (status)
        spar_option_free(option);
    else
        *out = option;
    return status == SPAR_INVALID ? SPAR_CORRUPT : status;
}
