/* item_record.c - the record of an item (item.h). What it holds goes through the same checks as what people set. */
#include "live/item.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "live/record.h"

#include <spar/arms.h>

#include <string.h>

static void add_u32(spar__buf *out, size_t value)
{
    unsigned char bytes[4];
    spar__put_u32(bytes, (uint32_t)value);
    spar__buf_add(out, (const char *)bytes, sizeof bytes);
}

static void add_text(spar__buf *out, const char *text)
{
    add_u32(out, strlen(text));
    spar__buf_adds(out, text);
}

static void add_part(spar__buf *out, const char *text)
{
    spar__buf_add(out, text ? "\1" : "\0", 1);
    if (text)
        add_text(out, text);
}

spar_status spar__item_record(const spar_item *item, spar__buf *out)
{
    spar__buf_add(out, "\1", 1);
    add_part(out, spar_item_id(item));
    add_part(out, spar_item_prompt(item));
    add_part(out, spar_item_group(item));
    add_u32(out, spar_item_outputs(item));
    for (size_t i = 0; i < spar_item_outputs(item); i++) {
        add_u32(out, spar__item_arm(item, i));
        add_text(out, spar_item_output(item, i));
    }
    return out->failed ? SPAR_NOMEM : SPAR_OK;
}

/* New; NULL after a failure. */
static char *take_text(spar__record_reader *in)
{
    size_t length = spar__record_u32(in);
    const unsigned char *bytes = spar__record_take(in, length);
    in->failed = in->failed || (length && memchr(bytes, 0, length));
    char *text = in->failed ? NULL : spar__alloc(length + 1, 1);
    in->no_memory = in->no_memory || (!in->failed && !text);
    if (text && length)
        memcpy(text, bytes, length);
    return text;
}

static char *take_part(spar__record_reader *in)
{
    const unsigned char *some = spar__record_take(in, 1);
    in->failed = in->failed || *some > 1;
    return in->failed || !*some ? NULL : take_text(in);
}

static spar__piece peek_part(spar__record_reader *in)
{
    const unsigned char *some = spar__record_take(in, 1);
    in->failed = in->failed || *some > 1;
    size_t length = in->failed || !*some ? 0 : spar__record_u32(in);
    const unsigned char *bytes = in->failed || !*some ? NULL : spar__record_take(in, length);
    return (spar__piece){(const char *)bytes, in->failed ? 0 : length};
}

bool spar__item_peek(const unsigned char *bytes, size_t length, spar__piece *id, spar__piece *group)
{
    spar__record_reader in = {.at = bytes, .left = length};
    const unsigned char *version = spar__record_take(&in, 1);
    in.failed = in.failed || *version != 1;
    *id = peek_part(&in);
    (void)peek_part(&in);
    *group = peek_part(&in);
    return !in.failed && id->text && !memchr(id->text, 0, id->length);
}

static spar_status read_outputs(spar__record_reader *in, spar_item *item, spar_error *err)
{
    spar_status status = SPAR_OK;
    for (size_t n = spar__record_u32(in); n > 0 && !status && !in->failed; n--) {
        size_t arm = spar__record_u32(in);
        char *text = take_text(in);
        if (text)
            status = spar__item_add_output(item, arm, text, err);
        else
            status = in->no_memory ? spar__fail_memory(err) : SPAR_OK;
        spar__free(text);
    }
    return status;
}

static spar_status read_head(spar__record_reader *in, spar_item **out, spar_error *err)
{
    char *id = take_part(in), *prompt = take_part(in), *group = take_part(in);
    spar_status status = in->no_memory       ? spar__fail_memory(err)
                         : in->failed || !id ? SPAR_CORRUPT
                                             : spar_item_new(id, out, err);
    if (!status)
        status = spar_item_set_prompt(*out, prompt, err);
    if (!status)
        status = spar_item_set_group(*out, group, err);
    spar__free(id);
    spar__free(prompt);
    spar__free(group);
    return status;
}

spar_status spar__item_read(const unsigned char *bytes, size_t length, spar_item **out, spar_error *err)
{
    spar__record_reader in = {.at = bytes, .left = length};
    const unsigned char *version = spar__record_take(&in, 1);
    *out = NULL;
    if (version && *version > 1)
        return spar__fail(err, SPAR_UNSUPPORTED, "the item was written by a newer version");
    in.failed = in.failed || *version != 1;
    spar_status status = read_head(&in, out, err);
    if (!status)
        status = read_outputs(&in, *out, err);
    if (status == SPAR_NOMEM || (!status && !in.failed && !in.left)) {
        if (status)
            spar_item_free(*out);
        *out = status ? NULL : *out;
        return status;
    }
    spar_item_free(*out);
    *out = NULL;
    return spar__fail(err, SPAR_CORRUPT, "the text of an item is damaged");
}
