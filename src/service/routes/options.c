/* options.c - options come, change and retire; their images. */
#include "base/alloc.h"
#include "base/buf.h"
#include "live/exchange/exchange.h"
#include "live/live.h"
#include "service/pages/pages.h"
#include "service/server.h"
#include "text/escape.h"
#include "text/option_rows.h"

#include <stdio.h>
#include <string.h>

/* --- from JSON --- */

static const char *text_of(const spar__json_tree *tree, const spar__json_node *object, const char *name)
{
    return spar__json_text(tree, spar__json_member(tree, object, name));
}

static spar_status set_image(const spar__json_tree *tree, const spar__json_node *object, spar_option *option,
                             spar_error *err)
{
    const spar__json_node *node = spar__json_member(tree, object, "image");
    const char *text = spar__json_text(tree, node), *said = text_of(tree, object, "image_type");
    spar__buf bytes = {0};
    if (!text)
        return said ? spar__fail(err, SPAR_INVALID, "'image_type' is there, but no 'image'") : SPAR_OK;
    spar_status status = SPAR_OK;
    if (!spar__base64_read(text, node->length, &bytes))
        status = bytes.failed ? spar__fail_memory(err) : spar__fail(err, SPAR_INVALID, "'image' is not base64");
    const char *type = status ? NULL : spar__image_type(bytes.text ? bytes.text : "", bytes.length);
    if (!status && !type)
        status = spar__fail(err, SPAR_INVALID, "'image' is no PNG, JPEG, GIF, WebP or SVG image");
    else if (!status && said && strcmp(said, type) != 0)
        status = spar__fail(err, SPAR_INVALID, "'image' is %s, not %s", type, said);
    if (!status)
        status = spar_option_set_image(option, type, (const unsigned char *)bytes.text, bytes.length, err);
    spar__buf_free(&bytes);
    return status;
}

static spar_status set_features(const spar__json_tree *tree, const spar__json_node *object, spar_option *option,
                                spar_error *err)
{
    const spar__json_node *list = spar__json_member(tree, object, "features");
    size_t i = 0;
    if (!list || list->kind != SPAR__JSON_LIST)
        return SPAR_OK;
    double *x = spar__alloc(list->count + 1, sizeof *x);
    if (!x)
        return spar__fail_memory(err);
    for (const spar__json_node *node = spar__json_first(tree, list); node; node = spar__json_next(tree, node))
        (void)spar__json_get_number(tree, node, &x[i++]);
    spar_status status = spar_option_set_features(option, i, x, err);
    spar__free(x);
    return status;
}

spar_status spar__option_of_json(const spar__json_tree *tree, const spar__json_node *object, spar_option **out,
                                 spar_error *err)
{
    const char *title = text_of(tree, object, "title"), *body = text_of(tree, object, "body");
    spar_status status = spar_option_new(text_of(tree, object, "id"), out, err);
    if (!status && title)
        status = spar_option_set_title(*out, title, err);
    if (!status && body)
        status = spar_option_set_body(*out, body, err);
    if (!status)
        status = set_features(tree, object, *out, err);
    return status ? status : set_image(tree, object, *out, err);
}

/* --- to JSON --- */

void spar__image_url_json(const spar__hosted *hosted, spar_experiment *experiment, size_t arm, const char *id,
                          spar__json *json)
{
    const unsigned char *hash = spar__live_image_hash(experiment, arm);
    spar__buf url = {0};
    if (!hash)
        return;
    spar__buf_adds(&url, "/v1/experiments/");
    spar__url_encode(hosted->name, &url);
    spar__buf_adds(&url, "/options/");
    spar__url_encode(id, &url);
    spar__buf_adds(&url, "/image?content=");
    spar__hex_add(&url, hash, SPAR_HASH_SIZE);
    spar__json_add_buf(json, "image_url", &url);
}

void spar__option_json(const spar__hosted *hosted, spar_experiment *experiment, size_t arm, bool manager,
                       spar__json *json)
{
    const spar_option *option = spar_experiment_option(experiment, arm);
    bool live = spar_experiment_is_live(experiment, arm);
    if (!option || (!live && !manager))
        return; /* redacted, or retired */
    spar__json_begin_object(json);
    spar__json_add_string(json, "id", spar_option_id(option));
    spar__json_add_string(json, "title", spar_option_title(option));
    if (spar_option_body(option))
        spar__json_add_string(json, "body", spar_option_body(option));
    if (spar_option_image_type(option)) {
        spar__json_add_string(json, "image", spar_option_image_type(option));
        spar__image_url_json(hosted, experiment, arm, spar_option_id(option), json);
    }
    if (manager)
        spar__features_json(json, option);
    spar__json_add_boolean(json, "live", live);
    spar__json_end_object(json);
}

/* --- adding and retiring --- */

static spar_status reply_option(spar__call *call, spar_experiment *experiment, size_t arm, unsigned status)
{
    spar__json json = {.out = &call->reply.body};
    spar__option_json(call->hosted, experiment, arm, true, &json);
    return spar__reply_json(&call->reply, status);
}

spar_status spar__route_add_option(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    spar_option *option = NULL;
    size_t arm = SPAR_NO_ARM, before = spar_experiment_options(experiment);
    spar_status status = spar__option_of_json(&call->json, spar__json_root(&call->json), &option, err);
    if (!status)
        status = spar_experiment_add(experiment, option, &arm, err);
    spar_option_free(option);
    return status ? status : reply_option(call, experiment, arm, arm < before ? 200 : 201);
}

/* One that is retired already is as it was asked to be. */
spar_status spar__route_retire_option(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    const char *id = spar__call_param(call, 1);
    size_t arm = spar_experiment_find(experiment, id);
    if (arm == SPAR_NO_ARM)
        return spar__reply_problem(&call->reply, 404, "unknown", "there is no option '%.80s'", id);
    spar_status status =
        spar_experiment_is_live(experiment, arm) ? spar_experiment_retire(experiment, id, err) : SPAR_OK;
    return status ? status : reply_option(call, experiment, arm, 200);
}

/* --- images --- */

/* Nothing in an SVG image runs or loads anything, also when it is opened by itself. */
static const char image_policy[] = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
                                   "sandbox; frame-ancestors 'none'";

static spar_status reply_image(spar__call *call, const spar_experiment *experiment, const spar_option *option,
                               const char *content)
{
    spar__reply *reply = &call->reply;
    const char *named = spar__call_query(call, "content");
    char etag[2 * SPAR_HASH_SIZE + 3];
    size_t length = 0;
    const unsigned char *bytes = spar_option_image(option, &length);
    (void)snprintf(etag, sizeof etag, "\"%s\"", content);
    if (named && strcmp(named, content) != 0)
        return spar__reply_problem(reply, 404, "unknown", "the image has another content now");
    reply->etag = spar__strdup(etag);
    reply->cacheable = named != NULL;
    reply->personal = spar_experiment_access(experiment) == SPAR_ACCESS_INVITED;
    reply->revalidate = !named;
    reply->policy = image_policy;
    reply->type = spar_option_image_type(option);
    const char *known = spar__call_header(call, "If-None-Match"); /* a list */
    reply->status = known && (strstr(known, etag) || strcmp(known, "*") == 0) ? 304 : 200;
    if (reply->status == 200)
        spar__buf_add(&reply->body, (const char *)bytes, length);
    return SPAR_OK;
}

spar_status spar__route_option_image(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    const char *id = spar__call_param(call, 1);
    char content[2 * SPAR_HASH_SIZE + 1];
    (void)err;
    if (!spar__may_vote(call->service, call->hosted, &call->caller, experiment))
        return spar__reply_problem(&call->reply, 403, "not_invited", "only those who were invited can see the options");
    size_t arm = spar_experiment_find(experiment, id);
    const unsigned char *hash = arm == SPAR_NO_ARM ? NULL : spar__live_image_hash(experiment, arm);
    if (!hash)
        return spar__reply_problem(&call->reply, 404, "unknown", "there is no image of an option '%.80s'", id);
    spar__hex_write(hash, SPAR_HASH_SIZE, content);
    return reply_image(call, experiment, spar_experiment_option(experiment, arm), content);
}

/* --- the page --- */

enum { LISTED = 50 }; /* options on a page */

static void add_option(const spar__call *call, spar_experiment *experiment, size_t arm, spar__json *json)
{
    const spar_option *option = spar_experiment_option(experiment, arm);
    if (!option)
        return; /* redacted */
    const char *id = spar_option_id(option), *title = spar_option_title(option);
    spar__json_begin_object(json);
    spar__json_add_unsigned(json, "number", arm + 1);
    spar__json_add_string(json, "id", id);
    spar__json_add_url(json, "url_id", "", id);
    spar__json_add_string(json, "title", title);
    spar__json_add_string(json, "other_id", strcmp(id, title) == 0 ? "" : id);
    spar__json_add_boolean(json, "live", spar_experiment_is_live(experiment, arm));
    spar__image_url_json(call->hosted, experiment, arm, id, json);
    spar__json_end_object(json);
}

/* The option that is to be changed; nothing where there is none. */
static void add_change(const spar__call *call, const spar_experiment *experiment, spar__json *json)
{
    const char *id = spar__call_query(call, "option");
    size_t arm = id ? spar_experiment_find(experiment, id) : SPAR_NO_ARM;
    const spar_option *option = arm == SPAR_NO_ARM ? NULL : spar_experiment_option(experiment, arm);
    if (!option || !spar_experiment_is_live(experiment, arm))
        return;
    spar__json_begin_member(json, "change");
    spar__json_add_string(json, "id", id);
    spar__json_add_string(json, "title", spar_option_title(option));
    spar__json_add_string(json, "body", spar_option_body(option) ? spar_option_body(option) : "");
    spar__json_add_boolean(json, "has_image", spar_option_image_type(option) != NULL);
    spar__json_end_object(json);
}

static spar_status show(spar__call *call, spar_experiment *experiment, unsigned status, const char *error,
                        spar_error *err)
{
    spar__page page;
    spar__buf query = {0};
    spar__manage_begin(&page, call, experiment);
    if (spar__call_query(call, "lang"))
        spar__buf_printf(&query, "&lang=%s", spar__page_language(call));
    spar__json_add_buf(&page.json, "more_query", &query);
    spar__json_add_string(&page.json, "error", error);
    spar__json_add_string(&page.json, "lines", error ? spar__form_text(call, "lines") : "");
    spar__json_add_boolean(&page.json, "on_options", true);
    const char *from = spar__call_query(call, "from");
    uint64_t number = 1;
    size_t n = spar_experiment_options(experiment), live = 0;
    size_t first = from && spar__parse_u64(from, &number) && number > 0 && number <= n ? (size_t)number - 1 : 0;
    for (size_t arm = 0; arm < n; arm++)
        live += spar_experiment_is_live(experiment, arm);
    spar__json_add_unsigned(&page.json, "live_count", live);
    spar__json_add_unsigned(&page.json, "gone_count", n - live);
    spar__json_add_unsigned(&page.json, "before", first == 0 ? 0 : first > LISTED ? first - LISTED + 1 : 1);
    spar__json_add_unsigned(&page.json, "after", first + LISTED < n ? first + LISTED + 1 : 0);
    spar__json_begin_list(&page.json, "options");
    for (size_t arm = first; arm < n && arm < first + LISTED; arm++)
        add_option(call, experiment, arm, &page.json);
    spar__json_end_array(&page.json);
    add_change(call, experiment, &page.json);
    return spar__page_end(&page, "options", status, err);
}

spar_status spar__route_page_options(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    return show(call, experiment, 200, NULL, err);
}

/* --- options of a form: a line each, an image each --- */

void spar__form_options(const spar__call *call, spar__json *json)
{
    const spar__json_tree *tree = &call->json;
    const spar__json_node *images = spar__json_member(tree, spar__json_root(tree), "images");
    for (const char *line = spar__form_text(call, "lines"); *line;) {
        const char *end = line + strcspn(line, "\n"), *next = end + (*end != '\0');
        while (end > line && strchr(" \t\r", end[-1]))
            end--;
        line += strspn(line, " \t");
        spar__buf text = {0};
        if (end > line) {
            spar__buf_add(&text, line, (size_t)(end - line));
            spar__json_begin_object(json);
            spar__json_add_buf(json, "id", &text);
            spar__json_end_object(json);
        }
        line = next;
    }
    for (const spar__json_node *node = spar__json_first(tree, images); node; node = spar__json_next(tree, node)) {
        /* The name of the file, without folders and ending. */
        const char *given = text_of(tree, node, "file"), *file = given ? given : "";
        const char *slash = strrchr(file, '/'), *back = strrchr(file, '\\');
        file = slash ? slash + 1 : file;
        file = back && back >= file ? back + 1 : file;
        const char *dot = strrchr(file, '.');
        char *name = spar__strdup(*file ? file : "image");
        if (name && dot && dot > file)
            name[dot - file] = '\0';
        json->out->failed |= !name;
        spar__json_begin_object(json);
        spar__json_add_string(json, "id", name);
        spar__json_add_string(json, "image", text_of(tree, node, "bytes"));
        spar__json_end_object(json);
        spar__free(name);
    }
}

/* One that is there already would be changed: that is another form. All are looked at before the first is added. */
static bool are_new(spar__call *call, const spar_experiment *experiment, const spar__json_tree *tree)
{
    size_t n = 0;
    for (const spar__json_node *node = spar__json_first(tree, spar__json_root(tree)); node;
         node = spar__json_next(tree, node), n++) {
        const char *id = text_of(tree, node, "id");
        if (id && spar_experiment_find(experiment, id) != SPAR_NO_ARM) {
            spar__reply_problem(&call->reply, 409, "conflict", "there is an option '%.80s' already", id);
            return false;
        }
    }
    return n > 0 || spar__refuse(call, 400, "invalid", "there is no option to add");
}

spar_status spar__route_page_add_options(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    spar__buf list = {0};
    spar__json json = {.out = &list};
    spar__json_tree tree = {0};
    spar__json_begin_array(&json);
    spar__form_options(call, &json);
    spar__json_end_array(&json);
    spar_status status =
        list.failed ? spar__fail_memory(err) : spar__json_tree_parse(&tree, list.text, list.length, "form", 1, err);
    if (!status && are_new(call, experiment, &tree)) {
        status = SPAR_OK;
        for (const spar__json_node *node = spar__json_first(&tree, spar__json_root(&tree)); node && !status;
             node = spar__json_next(&tree, node)) {
            spar_option *option = NULL;
            status = spar__option_of_json(&tree, node, &option, err);
            if (!status)
                status = spar_experiment_add(experiment, option, NULL, err);
            spar_option_free(option);
        }
    }
    if (status)
        spar__reply_failure(&call->reply, status, err);
    spar__json_tree_free(&tree);
    spar__buf_free(&list);
    return spar__manage_end(call, experiment, !call->reply.status, "/options", show, err);
}

/* --- changing and retiring --- */

/* The body of POST .../options: a new version of the option, with the features that it has. */
static void write_body(const spar__call *call, const spar_option *option, spar__buf *out)
{
    spar__json json = {.out = out};
    const char *title = spar__form_text(call, "title"), *body = spar__form_text(call, "body");
    size_t n = 0, length = 0;
    const double *x = spar_option_features(option, &n);
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "id", spar_option_id(option));
    if (*title)
        spar__json_add_string(&json, "title", title);
    if (*body)
        spar__json_add_string(&json, "body", body);
    spar__json_begin_list(&json, "features");
    for (size_t i = 0; i < n; i++)
        spar__json_number(&json, x[i]);
    spar__json_end_array(&json);
    const spar__json_tree *tree = &call->json;
    const spar__json_node *file = spar__json_first(tree, spar__json_member(tree, spar__json_root(tree), "images"));
    const unsigned char *bytes = spar_option_image(option, &length);
    spar__buf image = {0};
    if (file) {
        spar__json_add_string(&json, "image", text_of(tree, file, "bytes"));
    } else if (bytes && spar__body_flag(call, "keep_image")) {
        spar__base64_add(&image, bytes, length);
        spar__json_add_buf(&json, "image", &image);
    }
    spar__json_end_object(&json);
}

/* The live option that the form names, or NULL with a reply. */
static const spar_option *named(spar__call *call, const spar_experiment *experiment, const char *field)
{
    const char *id = spar__form_text(call, field);
    size_t arm = spar_experiment_find(experiment, id);
    const spar_option *option =
        arm != SPAR_NO_ARM && spar_experiment_is_live(experiment, arm) ? spar_experiment_option(experiment, arm) : NULL;
    if (!option)
        spar__reply_problem(&call->reply, 409, "conflict", "there is no option '%.80s' any more", id);
    return option;
}

spar_status spar__route_page_change_option(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    spar__buf body = {0};
    const spar_option *option = named(call, experiment, "id");
    if (option)
        write_body(call, option, &body);
    bool done = option && spar__manage_do(call, experiment, &body, spar__route_add_option);
    spar__buf_free(&body);
    return spar__manage_end(call, experiment, done, "/options", show, err);
}

spar_status spar__route_page_retire(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    const spar_option *option = named(call, experiment, "option");
    spar_status status = option ? spar_experiment_retire(experiment, spar_option_id(option), err) : SPAR_OK;
    if (status)
        spar__reply_failure(&call->reply, status, err);
    return spar__manage_end(call, experiment, !call->reply.status, "/options", show, err);
}
