/* options.c - options come, change and retire; their images. */
#include "service/routes/experiment_json.h"

#include "base/alloc.h"
#include "live/live.h"
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

/* --- adding and retiring --- */

static void reply_option(spar__call *call, spar_experiment *experiment, size_t arm, unsigned status)
{
    spar__json json = {.out = &call->reply.body};
    spar__option_json(call->place, experiment, arm, true, &json);
    spar__reply_json(&call->reply, status);
}

void spar__change_add_option(spar__call *call, spar_experiment *experiment)
{
    spar_option *option = NULL;
    spar_error err = {0};
    size_t arm = SPAR_NO_ARM, before = spar_experiment_options(experiment);
    spar_status status = spar__option_of_json(&call->json, spar__json_root(&call->json), &option, &err);
    if (!status)
        status = spar_experiment_add(experiment, option, &arm, &err);
    spar_option_free(option);
    if (status)
        spar__reply_failure(&call->reply, status, &err);
    else
        reply_option(call, experiment, arm, arm < before ? 200 : 201);
}

/* One that is retired already is as it was asked to be. */
void spar__change_retire_option(spar__call *call, spar_experiment *experiment)
{
    spar_error err = {0};
    const char *id = spar__call_param(call, 1);
    size_t arm = spar_experiment_find(experiment, id);
    if (arm == SPAR_NO_ARM) {
        spar__reply_problem(&call->reply, 404, "unknown", "there is no option '%.80s'", id);
        return;
    }
    spar_status status =
        spar_experiment_is_live(experiment, arm) ? spar_experiment_retire(experiment, id, &err) : SPAR_OK;
    if (status)
        spar__reply_failure(&call->reply, status, &err);
    else
        reply_option(call, experiment, arm, 200);
}

/* --- images --- */

/* Nothing in an SVG image runs or loads anything, also when it is opened by itself. */
static const char image_policy[] = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
                                   "sandbox; frame-ancestors 'none'";

/* In the list of If-None-Match? */
static bool is_known(const char *header, const char *etag)
{
    return header && (strstr(header, etag) || strcmp(header, "*") == 0);
}

static void reply_image(spar__call *call, const spar_experiment *experiment, const spar_option *option,
                        const char *content)
{
    spar__reply *reply = &call->reply;
    const char *named = spar__call_query(call, "content");
    char etag[2 * SPAR_HASH_SIZE + 3];
    size_t length = 0;
    const unsigned char *bytes = spar_option_image(option, &length);
    (void)snprintf(etag, sizeof etag, "\"%s\"", content);
    if (named && strcmp(named, content) != 0) {
        spar__reply_problem(reply, 404, "unknown", "the image has another content now");
        return;
    }
    reply->etag = spar__strdup(etag);
    reply->cacheable = named != NULL;
    reply->personal = spar_experiment_access(experiment) == SPAR_ACCESS_INVITED;
    reply->revalidate = !named;
    reply->policy = image_policy;
    reply->type = spar_option_image_type(option);
    reply->status = is_known(spar__call_header(call, "If-None-Match"), etag) ? 304 : 200;
    if (reply->status == 200)
        spar__buf_add(&reply->body, (const char *)bytes, length);
}

void spar__read_option_image(spar__call *call, spar_experiment *experiment)
{
    const char *id = spar__call_param(call, 1);
    char content[2 * SPAR_HASH_SIZE + 1];
    if (!spar__may_vote(call->service, call->place, &call->caller, experiment)) {
        spar__reply_problem(&call->reply, 403, "not_invited", "only those who were invited can see the options");
        return;
    }
    size_t arm = spar_experiment_find(experiment, id);
    const unsigned char *hash = arm == SPAR_NO_ARM ? NULL : spar__live_image_hash(experiment, arm);
    if (!hash) {
        spar__reply_problem(&call->reply, 404, "unknown", "there is no image of an option '%.80s'", id);
        return;
    }
    spar__hex_write(hash, SPAR_HASH_SIZE, content);
    reply_image(call, experiment, spar_experiment_option(experiment, arm), content);
}
