#include "live/text_json.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "live/item.h"
#include "live/option.h"
#include "text/escape.h"

#include <string.h>

/* Would a JSON string give these bytes back? */
static bool is_text(const unsigned char *bytes, size_t length)
{
    const char *text = (const char *)bytes;
    for (size_t size; length > 0; text += size, length -= size) {
        uint32_t code;
        size = spar__utf8_next(text, length, &code);
        if (code == 0 || (code == SPAR__UTF8_BAD && size == 1))
            return false;
    }
    return true;
}

static void add_base64(spar__json *json, const char *key, const void *bytes, size_t length)
{
    spar__buf text = {0};
    spar__buf_adds(&text, "");
    spar__base64_add(&text, bytes, length);
    spar__json_add_string(json, key, text.text);
    json->out->failed = json->out->failed || text.failed;
    spar__buf_free(&text);
}

static void add_hex(spar__json *json, const char *key, const void *bytes, size_t length)
{
    spar__buf text = {0};
    spar__hex_add(&text, bytes, length);
    spar__json_add_string(json, key, text.text);
    json->out->failed = json->out->failed || text.failed;
    spar__buf_free(&text);
}

static void add_image(spar__json *json, const spar_option *option)
{
    size_t length = 0;
    const unsigned char *image = spar_option_image(option, &length);
    if (!image)
        return;
    spar__json_key(json, "image");
    spar__json_begin_object(json);
    spar__json_add_string(json, "type", spar_option_image_type(option));
    add_base64(json, "base64", image, length);
    spar__json_end_object(json);
}

void spar__features_json(spar__json *json, const spar_option *option)
{
    size_t n = 0;
    const double *x = spar_option_features(option, &n);
    if (!n)
        return;
    spar__json_key(json, "features");
    spar__json_begin_array(json);
    for (size_t i = 0; i < n; i++)
        spar__json_number(json, x[i]);
    spar__json_end_array(json);
}

static void add_parts(spar__json *json, const spar_option *option)
{
    spar__json_add_string(json, "id", spar_option_id(option));
    if (strcmp(spar_option_title(option), spar_option_id(option)) != 0)
        spar__json_add_string(json, "title", spar_option_title(option));
    if (spar_option_body(option))
        spar__json_add_string(json, "body", spar_option_body(option));
    add_image(json, option);
    spar__features_json(json, option);
}

/* One whose title was set to its id, or a record of another version, would come back with other bytes. */
static spar_status add_option(spar__json *json, const spar__store_text *text)
{
    spar_option *option = NULL;
    spar__buf record = {0};
    spar_status status = spar__option_read(text->bytes, text->length, &option, NULL);
    if (status == SPAR_NOMEM)
        return status;
    bool same = false;
    if (option) {
        add_parts(json, option);
        if (strcmp(spar_option_title(option), spar_option_id(option)) == 0)
            (void)spar_option_set_title(option, NULL, NULL);
        status = spar__option_record(option, &record);
        same = !status && record.length == text->length && memcmp(record.text, text->bytes, record.length) == 0;
    }
    if (!same)
        add_base64(json, "base64", text->bytes, text->length);
    spar_option_free(option);
    spar__buf_free(&record);
    return status == SPAR_NOMEM ? status : SPAR_OK;
}

static void add_item_parts(spar__json *json, const spar_item *item)
{
    spar__json_add_string(json, "id", spar_item_id(item));
    if (spar_item_prompt(item))
        spar__json_add_string(json, "prompt", spar_item_prompt(item));
    if (spar_item_group(item))
        spar__json_add_string(json, "group", spar_item_group(item));
    spar__json_key(json, "outputs");
    spar__json_begin_array(json);
    for (size_t i = 0; i < spar_item_outputs(item); i++) {
        spar__json_begin_object(json);
        spar__json_add_unsigned(json, "arm", spar__item_arm(item, i));
        spar__json_add_string(json, "text", spar_item_output(item, i));
        spar__json_end_object(json);
    }
    spar__json_end_array(json);
}

/* Of a record there is one form only: what can be read comes back. */
static spar_status add_item(spar__json *json, const spar__store_text *text)
{
    spar_item *item = NULL;
    spar_status status = spar__item_read(text->bytes, text->length, &item, NULL);
    if (status == SPAR_NOMEM)
        return status;
    if (item)
        add_item_parts(json, item);
    else
        add_base64(json, "base64", text->bytes, text->length);
    spar_item_free(item);
    return SPAR_OK;
}

spar_status spar__text_json_add(spar__json *json, const char *key, const spar__store_text *text)
{
    spar_status status = SPAR_OK;
    spar__json_key(json, key);
    spar__json_begin_object(json);
    add_hex(json, "salt", text->salt, sizeof text->salt);
    if (text->kind == SPAR__TEXT_ARM)
        status = add_option(json, text);
    else if (text->kind == SPAR__TEXT_ITEM)
        status = add_item(json, text);
    else if (is_text(text->bytes, text->length)) /* a zero byte follows */
        spar__json_add_string(json, "text", (const char *)text->bytes);
    else
        add_base64(json, "base64", text->bytes, text->length);
    spar__json_end_object(json);
    return status || json->out->failed ? SPAR_NOMEM : SPAR_OK;
}

/* And back. */

static const char *member_text(const spar__json_tree *tree, const spar__json_node *node, const char *key)
{
    return spar__json_text(tree, spar__json_member(tree, node, key));
}

static spar_status read_base64(const spar__json_tree *tree, const spar__json_node *node, spar__buf *out,
                               spar_error *err)
{
    const spar__json_node *member = spar__json_member(tree, node, "base64");
    const char *text = spar__json_text(tree, member);
    if (!text || !spar__base64_read(text, member->length, out))
        return spar__fail(err, SPAR_PARSE, "'base64' is not there or not base64");
    return out->failed ? spar__fail_memory(err) : SPAR_OK;
}

static spar_status read_image(const spar__json_tree *tree, const spar__json_node *node, spar_option *option,
                              spar_error *err)
{
    const spar__json_node *image = spar__json_member(tree, node, "image");
    spar__buf bytes = {0};
    if (!image)
        return SPAR_OK;
    spar_status status = read_base64(tree, image, &bytes, err);
    if (!status)
        status = spar_option_set_image(option, member_text(tree, image, "type"), (const unsigned char *)bytes.text,
                                       bytes.length, err);
    spar__buf_free(&bytes);
    return status;
}

static spar_status read_features(const spar__json_tree *tree, const spar__json_node *node, spar_option *option,
                                 spar_error *err)
{
    const spar__json_node *list = spar__json_member(tree, node, "features"), *item = spar__json_first(tree, list);
    if (!list)
        return SPAR_OK;
    double *x = spar__alloc(list->count, sizeof *x);
    spar_status status = x ? SPAR_OK : spar__fail_memory(err);
    for (size_t i = 0; item && !status; i++, item = spar__json_next(tree, item))
        if (!spar__json_get_number(tree, item, &x[i]))
            status = spar__fail(err, SPAR_PARSE, "'features' is not a list of numbers");
    if (!status)
        status = spar_option_set_features(option, list->count, x, err);
    spar__free(x);
    return status;
}

static spar_status read_option(const spar__json_tree *tree, const spar__json_node *node, spar__buf *out,
                               spar_error *err)
{
    spar_option *option = NULL;
    const char *id = member_text(tree, node, "id");
    spar_status status = id ? spar_option_new(id, &option, err)
                            : spar__fail(err, SPAR_PARSE, "the 'id' of the option is not there or no text");
    if (!status)
        status = spar_option_set_title(option, member_text(tree, node, "title"), err);
    if (!status)
        status = spar_option_set_body(option, member_text(tree, node, "body"), err);
    if (!status)
        status = read_image(tree, node, option, err);
    if (!status)
        status = read_features(tree, node, option, err);
    if (!status && spar__option_record(option, out))
        status = spar__fail_memory(err);
    spar_option_free(option);
    return status == SPAR_INVALID ? SPAR_PARSE : status;
}

static spar_status read_outputs(const spar__json_tree *tree, const spar__json_node *node, spar_item *item,
                                spar_error *err)
{
    const spar__json_node *list = spar__json_member(tree, node, "outputs"), *output = spar__json_first(tree, list);
    spar_status status = SPAR_OK;
    for (; output && !status; output = spar__json_next(tree, output)) {
        const char *text = member_text(tree, output, "text");
        uint64_t arm = 0;
        if (!text || !spar__json_get_unsigned(tree, spar__json_member(tree, output, "arm"), &arm))
            return spar__fail(err, SPAR_PARSE, "an output of the item has no 'arm' or no 'text'");
        status = spar__item_add_output(item, (size_t)arm, text, err);
    }
    return status;
}

static spar_status read_item(const spar__json_tree *tree, const spar__json_node *node, spar__buf *out, spar_error *err)
{
    spar_item *item = NULL;
    const char *id = member_text(tree, node, "id");
    spar_status status = id ? spar_item_new(id, &item, err)
                            : spar__fail(err, SPAR_PARSE, "the 'id' of the item is not there or no text");
    if (!status)
        status = spar_item_set_prompt(item, member_text(tree, node, "prompt"), err);
    if (!status)
        status = spar_item_set_group(item, member_text(tree, node, "group"), err);
    if (!status)
        status = read_outputs(tree, node, item, err);
    if (!status && spar__item_record(item, out))
        status = spar__fail_memory(err);
    spar_item_free(item);
    return status == SPAR_INVALID ? SPAR_PARSE : status;
}

spar_status spar__text_json_read(const spar__json_tree *tree, const spar__json_node *node, spar__store_text *text,
                                 spar__buf *out, spar_error *err)
{
    const char *salt = member_text(tree, node, "salt"), *plain = member_text(tree, node, "text");
    spar_status status = SPAR_OK;
    spar__buf_clear(out);
    spar__buf_add(out, "", 0);
    if (!salt || !spar__hex_read(salt, text->salt, sizeof text->salt))
        return spar__fail(err, SPAR_PARSE, "'salt' is not there or not right, expected 64 hexadecimal digits");
    if (spar__json_member(tree, node, "base64"))
        status = read_base64(tree, node, out, err);
    else if (text->kind == SPAR__TEXT_ARM)
        status = read_option(tree, node, out, err);
    else if (text->kind == SPAR__TEXT_ITEM)
        status = read_item(tree, node, out, err);
    else if (plain)
        spar__buf_adds(out, plain);
    else
        status = spar__fail(err, SPAR_PARSE, "the text is neither in 'text' nor in 'base64'");
    if (!status && out->failed)
        status = spar__fail_memory(err);
    text->bytes = (const unsigned char *)out->text;
    text->length = out->length;
    return status;
}
