/* item.c - an item: checked, put together, to bytes and back.
 *
 * Outputs belong to options by id, as people name them, or by arm, as the log has them; resolve makes the second of the
 * first. The record is written and read by one list of its parts; what was read goes through the same checks as what
 * people set. */
#include "base/alloc.h"
#include "base/hash.h"
#include "live/items/items.h"
#include "live/option.h"
#include "live/text_limits.h"

#include <spar/arms.h>

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct item_output {
    char *option; /* NULL: only the arm is known */
    size_t arm;   /* SPAR_NO_ARM: only the option is known */
    char *text;
} item_output;

struct spar_item {
    char *id, *prompt, *group;
    item_output *output;
    size_t n, room;
    atomic_size_t others; /* that have it, too, and will free it: it must not change any more */
};

static const spar__text_limits id_limits = {"id of an item", SPAR__MOST_TITLE, 0, false};
static const spar__text_limits prompt_limits = {"prompt", 0, SPAR__MOST_BODY, true};
static const spar__text_limits group_limits = {"group", SPAR__MOST_TITLE, 0, false};
static const spar__text_limits option_limits = {"id of an option", SPAR__MOST_TITLE, 0, false};
static const spar__text_limits output_limits = {"output", 0, SPAR__MOST_BODY, true};

static spar_status no_item(spar_error *err)
{
    return spar__fail(err, SPAR_INVALID, "no item was given");
}

spar_status spar_item_new(const char *id, spar_item **out, spar_error *err)
{
    if (!out)
        return spar__fail(err, SPAR_INVALID, "there is no place for the new item");
    *out = NULL;
    if (!id)
        return spar__fail(err, SPAR_INVALID, "an item needs an id");
    spar_item *item = spar__alloc(1, sizeof *item);
    spar_status status = item ? spar__text_set(&item->id, &id_limits, id, err) : spar__fail_memory(err);
    if (status)
        spar_item_free(item);
    else
        *out = item;
    return status;
}

void spar_item_free(spar_item *item)
{
    if (!item || atomic_fetch_sub(&item->others, 1))
        return;
    for (size_t i = 0; i < item->n; i++) {
        spar__free(item->output[i].option);
        spar__free(item->output[i].text);
    }
    spar__free(item->output);
    spar__free(item->id);
    spar__free(item->prompt);
    spar__free(item->group);
    spar__free(item);
}

spar_item *spar__item_share(const spar_item *item)
{
    spar_item *shared = (spar_item *)(uintptr_t)item; /* what it says stays the same */
    (void)atomic_fetch_add(&shared->others, 1);
    return shared;
}

spar_status spar_item_set_prompt(spar_item *item, const char *prompt, spar_error *err)
{
    return item ? spar__text_set(&item->prompt, &prompt_limits, prompt, err) : no_item(err);
}

spar_status spar_item_set_group(spar_item *item, const char *group, spar_error *err)
{
    return item ? spar__text_set(&item->group, &group_limits, group, err) : no_item(err);
}

static spar_status check_output(const char *text, spar_error *err)
{
    return *text ? spar__text_check(&output_limits, text, err) : SPAR_OK; /* a model may say nothing */
}

/* One more output, of an option or of an arm. */
static spar_status append_output(spar_item *item, const char *option, size_t arm, const char *text, spar_error *err)
{
    if (!spar__reserve(&item->output, &item->room, item->n + 1, 4, sizeof *item->output))
        return spar__fail_memory(err);
    item_output output = {option ? spar__strdup(option) : NULL, arm, spar__strdup(text)};
    if ((option && !output.option) || !output.text) {
        spar__free(output.option);
        spar__free(output.text);
        return spar__fail_memory(err);
    }
    item->output[item->n++] = output;
    return SPAR_OK;
}

spar_status spar_item_set_output(spar_item *item, const char *option, const char *text, spar_error *err)
{
    if (!item || !option)
        return item ? spar__fail(err, SPAR_INVALID, "an output belongs to an option") : no_item(err);
    spar_status status = spar__text_check(&option_limits, option, err);
    if (!status && text)
        status = check_output(text, err);
    size_t i = 0;
    while (i < item->n && strcmp(item->output[i].option ? item->output[i].option : "", option) != 0)
        i++;
    if (status || (i == item->n && !text))
        return status;
    if (i == item->n)
        return append_output(item, option, SPAR_NO_ARM, text, err);
    if (!text) {
        spar__free(item->output[i].option);
        spar__free(item->output[i].text);
        memmove(&item->output[i], &item->output[i + 1], (item->n - i - 1) * sizeof *item->output);
        item->n--;
        return SPAR_OK;
    }
    char *copy = spar__strdup(text);
    if (!copy)
        return spar__fail_memory(err);
    spar__free(item->output[i].text);
    item->output[i].text = copy;
    return SPAR_OK;
}

spar_status spar__item_add_output(spar_item *item, size_t arm, const char *text, spar_error *err)
{
    if (arm >= UINT32_MAX || (item->n && arm <= item->output[item->n - 1].arm))
        return spar__fail(err, SPAR_INVALID, "the outputs of an item are not in the order of the options");
    spar_status status = check_output(text, err);
    return status ? status : append_output(item, NULL, arm, text, err);
}

const char *spar_item_id(const spar_item *item)
{
    return item ? item->id : NULL;
}

const char *spar_item_prompt(const spar_item *item)
{
    return item ? item->prompt : NULL;
}

const char *spar_item_group(const spar_item *item)
{
    return item ? item->group : NULL;
}

size_t spar_item_outputs(const spar_item *item)
{
    return item ? item->n : 0;
}

const char *spar_item_option(const spar_item *item, size_t i)
{
    return item && i < item->n ? item->output[i].option : NULL;
}

const char *spar_item_output(const spar_item *item, size_t i)
{
    return item && i < item->n ? item->output[i].text : NULL;
}

size_t spar__item_arm(const spar_item *item, size_t i)
{
    return i < item->n ? item->output[i].arm : SPAR_NO_ARM;
}

const char *spar__item_body(const spar_item *item, size_t arm)
{
    for (size_t i = 0; item && i < item->n; i++)
        if (item->output[i].arm == arm)
            return item->output[i].text;
    return NULL;
}

/* Without outputs. */
static spar_status copy_head(const spar_item *from, spar_item **out, spar_error *err)
{
    spar_status status = spar_item_new(from->id, out, err);
    if (!status)
        status = spar_item_set_prompt(*out, from->prompt, err);
    return status ? status : spar_item_set_group(*out, from->group, err);
}

static int by_arm(const void *a, const void *b)
{
    const item_output *x = a, *y = b;
    return (x->arm > y->arm) - (x->arm < y->arm);
}

static spar_status done(spar_status status, spar_item **out)
{
    if (status) {
        spar_item_free(*out);
        *out = NULL;
    }
    return status;
}

spar_status spar__item_resolve(const spar_item *item, spar__option_finder *find, const void *context, spar_item **out,
                               spar_error *err)
{
    spar_status status = copy_head(item, out, err);
    for (size_t i = 0; i < item->n && !status; i++) {
        const item_output *output = &item->output[i];
        size_t arm = output->option ? find(context, output->option) : output->arm;
        status = arm == SPAR_NO_ARM
                     ? spar__fail(err, SPAR_UNKNOWN, "item '%s' has an output of '%s', which is no option", item->id,
                                  output->option)
                     : append_output(*out, NULL, arm, output->text, err);
    }
    if (!status && (*out)->n)
        qsort((*out)->output, (*out)->n, sizeof *(*out)->output, by_arm);
    return done(status, out);
}

static spar_status check_same(const spar_item *old, const char *what, const char *there, const char *now,
                              spar_error *err)
{
    if (!now || (there && strcmp(there, now) == 0))
        return SPAR_OK;
    return spar__fail(err, SPAR_CONFLICT, "item '%s' is there with another %s; what people may have seen cannot change",
                      old->id, what);
}

spar_status spar__item_merge(const spar_item *old, const spar_item *more, spar_item **out, spar_error *err)
{
    bool news = false;
    *out = NULL;
    spar_status status = check_same(old, "prompt", old->prompt, more->prompt, err);
    if (!status)
        status = check_same(old, "group", old->group, more->group, err);
    if (!status)
        status = copy_head(old, out, err);
    if (!status) {
        /* Outputs of both, by arm. */
        for (size_t i = 0, j = 0; (i < old->n || j < more->n) && !status;) {
            const item_output *a = i < old->n ? &old->output[i] : NULL, *b = j < more->n ? &more->output[j] : NULL;
            bool first = a && (!b || a->arm <= b->arm), both = first && b && a->arm == b->arm;
            if (both)
                status = check_same(old, "output of an option", a->text, b->text, err);
            if (!status)
                status = append_output(*out, NULL, first ? a->arm : b->arm, first ? a->text : b->text, err);
            news = news || !first;
            i += first;
            j += !first || both;
        }
    }
    (void)done(status ? status : news ? SPAR_OK : SPAR_UNKNOWN, out); /* nothing new: nothing to write */
    return status;
}

spar_status spar__item_without(const spar_item *item, size_t arm, spar_item **out)
{
    spar_status status = copy_head(item, out, NULL);
    for (size_t i = 0; i < item->n && !status; i++)
        if (item->output[i].arm != arm)
            status = append_output(*out, NULL, item->output[i].arm, item->output[i].text, NULL);
    return done(status, out);
}

/* --- records --- */

static void archive(spar_item *item, spar__archive *ar)
{
    uint8_t version = 1;
    spar__archive_u8(ar, &version);
    spar__archive_check(ar, version == 1);
    spar__record_part(ar, &item->id);
    spar__record_part(ar, &item->prompt);
    spar__record_part(ar, &item->group);
    /* Of `n` outputs, by arm; when read, one after the other. */
    uint32_t n = (uint32_t)item->n;
    spar__archive_u32(ar, &n);
    for (uint32_t i = 0; i < n && !ar->failed; i++) {
        uint32_t arm = ar->loading ? 0 : (uint32_t)item->output[i].arm;
        char *text = ar->loading ? NULL : item->output[i].text;
        spar__archive_u32(ar, &arm);
        spar__record_text(ar, &text);
        if (ar->loading && !ar->failed)
            spar__archive_step(ar, spar__item_add_output(item, arm, text, NULL));
        if (ar->loading)
            spar__free(text);
    }
}

spar_status spar__item_record(const spar_item *item, spar__buf *out)
{
    spar__archive ar = {.out = *out};
    archive((spar_item *)(uintptr_t)item, &ar); /* the archive only reads when it saves */
    *out = ar.out;
    return ar.failed ? SPAR_NOMEM : SPAR_OK;
}

spar_status spar__item_read(const unsigned char *bytes, size_t length, spar_item **out, spar_error *err)
{
    spar__archive ar = {.loading = true, .in = bytes, .left = length};
    *out = NULL;
    if (length && *bytes > 1)
        return spar__fail(err, SPAR_UNSUPPORTED, "the item was written by a newer version");
    spar_item *item = spar__alloc(1, sizeof *item);
    if (!item)
        return spar__fail_memory(err);
    archive(item, &ar);
    if (!ar.failed && !ar.left && item->id && !spar__text_check(&id_limits, item->id, NULL) &&
        (!item->prompt || !spar__text_check(&prompt_limits, item->prompt, NULL)) &&
        (!item->group || !spar__text_check(&group_limits, item->group, NULL))) {
        *out = item;
        return SPAR_OK;
    }
    spar_item_free(item);
    return ar.no_memory ? spar__fail_memory(err) : spar__fail(err, SPAR_CORRUPT, "the text of an item is damaged");
}

/* A part that is only looked at. */
static spar__piece peek_part(spar__archive *ar)
{
    spar__piece piece = {0};
    uint32_t n = 0;
    if (!spar__record_has(ar, false))
        return piece;
    spar__archive_u32(ar, &n);
    if (spar__archive_holds(ar, n)) {
        piece = (spar__piece){(const char *)ar->in, n};
        ar->in += n;
        ar->left -= n;
    }
    return piece;
}

bool spar__item_peek(const unsigned char *bytes, size_t length, spar__piece *id, spar__piece *group)
{
    spar__archive ar = {.loading = true, .in = bytes, .left = length};
    uint8_t version = 0;
    spar__archive_u8(&ar, &version);
    *id = peek_part(&ar);
    (void)peek_part(&ar);
    *group = peek_part(&ar);
    return version == 1 && !ar.failed && id->text && !memchr(id->text, 0, id->length);
}
