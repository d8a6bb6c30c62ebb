/* new.c - spar invite: new links. */
#include "cli/invite/invite.h"

#include "base/alloc.h"
#include "base/file.h"
#include "cli/common.h"
#include "cli/expiry.h"
#include "service/service.h"

#include <spar/experiment.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { LABELS_BYTES = 16 << 20 };

typedef char spar__invitation_code[SPAR__INVITATION_LENGTH + 1];

/* What is made. */
typedef struct spar__invite_batch {
    spar__invitation *invitation;
    spar__invitation_code *code;
    char **link;
    size_t n;
} spar__invite_batch;

/* --- labels: one for all, or a file with one a line --- */

static spar_status set_label(spar__invitation *invitation, const char *label, size_t length, spar_error *err)
{
    if (length > SPAR__INVITATION_LABEL)
        return spar__fail(err, SPAR_INVALID, "label '%.40s...': expected at most %d bytes", label,
                          SPAR__INVITATION_LABEL);
    memcpy(invitation->label, label, length);
    invitation->label[length] = '\0';
    return SPAR_OK;
}

static size_t line_length(const char *text, size_t left)
{
    const char *end = memchr(text, '\n', left);
    size_t length = end ? (size_t)(end - text) : left;
    return length && text[length - 1] == '\r' ? length - 1 : length;
}

/* Of each line that is not empty; counts them only, where invitation is NULL. */
static spar_status take_lines(const spar__buf *text, spar__invitation *invitation, size_t *n, spar_error *err)
{
    spar_status status = SPAR_OK;
    *n = 0;
    for (size_t at = 0; at < text->length && !status;) {
        size_t length = line_length(text->text + at, text->length - at);
        if (length) {
            if (invitation)
                status = set_label(&invitation[*n], text->text + at, length, err);
            ++*n;
        }
        const char *end = memchr(text->text + at, '\n', text->length - at);
        at = end ? (size_t)(end - text->text) + 1 : text->length;
    }
    return status;
}

static spar_status make_room(spar__invite_batch *batch, size_t n, spar_error *err)
{
    batch->invitation = spar__alloc(n, sizeof *batch->invitation);
    batch->code = spar__alloc(n, sizeof *batch->code);
    batch->link = spar__alloc(n, sizeof *batch->link);
    batch->n = n;
    return batch->invitation && batch->code && batch->link ? SPAR_OK : spar__fail_memory(err);
}

static spar_status read_labels(const char *path, spar__invite_batch *batch, spar_error *err)
{
    spar__buf text = {0};
    size_t n = 0;
    spar_status status = spar__file_read(path, LABELS_BYTES, &text, err);
    if (!status)
        status = take_lines(&text, NULL, &n, err);
    if (!status && (n == 0 || n > SPAR__INVITE_MOST))
        status =
            spar__fail(err, SPAR_INVALID, "%s: %zu labels; expected 1 to %d, a line each", path, n, SPAR__INVITE_MOST);
    if (!status)
        status = make_room(batch, n, err);
    if (!status)
        status = take_lines(&text, batch->invitation, &n, err);
    spar__buf_free(&text);
    return status;
}

static spar_status plan_batch(const spar__settings *settings, spar__invite_batch *batch, spar_error *err)
{
    const char *labels = spar__setting_text(settings, "labels"), *label = spar__setting_text(settings, "label");
    if (labels && (label || spar__setting_of(settings, "count")->source == SPAR__SOURCE_FLAG))
        return spar__fail(err, SPAR_INVALID, "invite: --labels does not go with --label or --count");
    if (labels)
        return read_labels(labels, batch, err);
    spar_status status = make_room(batch, (size_t)spar__setting_number(settings, "count"), err);
    for (size_t i = 0; i < batch->n && label && !status; i++)
        status = set_label(&batch->invitation[i], label, strlen(label), err);
    return status;
}

/* --- what they are for --- */

static spar_status take_name(void *context, uint64_t experiment, const char *name)
{
    spar__invitation *model = context;
    if (experiment == model->number)
        (void)snprintf(model->experiment, sizeof model->experiment, "%s", name);
    return SPAR_OK;
}

/* The name of the experiment in the store, which may be the only one there. */
static spar_status find_name(const spar__verb_call *call, spar__invitation *model, spar_error *err)
{
    spar_status status = spar__store_find(call->store, call->name, &model->number, err);
    return status ? status : spar__store_experiments(call->store, take_name, model, err);
}

static spar_status fill(const spar__verb_call *call, spar__invite_batch *batch, spar_error *err)
{
    spar__invitation model = {.created = (int64_t)time(NULL),
                              .most = (uint32_t)spar__setting_number(call->settings, "voters")};
    spar_status status = spar__expiry_parse(spar__setting_text(call->settings, "expires"), "--expires", model.created,
                                            &model.expires, err);
    if (!status)
        status = find_name(call, &model, err);
    for (size_t i = 0; i < batch->n && !status; i++) {
        memcpy(model.label, batch->invitation[i].label, sizeof model.label);
        batch->invitation[i] = model;
    }
    return status;
}

/* --- links --- */

static spar_status make_links(spar__invite_batch *batch, const char *base, spar_error *err)
{
    for (size_t i = 0; i < batch->n; i++) {
        spar__buf link = {0};
        spar__buf_printf(&link, "%s/i/%s", base ? base : "", batch->code[i]);
        if (link.failed) {
            spar__buf_free(&link);
            return spar__fail_memory(err);
        }
        batch->link[i] = link.text;
    }
    return SPAR_OK;
}

static void print(const spar__verb_call *call, const spar__invite_batch *batch, spar__buf *out)
{
    if (call->json || spar__setting_number(call->settings, "csv"))
        spar__invitations_print(call, batch->n, batch->invitation, batch->link, out);
    else
        for (size_t i = 0; i < batch->n; i++)
            spar__buf_printf(out, "%s\n", batch->link[i]);
}

/* Whoever sends links around believes that nobody else can vote. */
static void warn_if_open(const spar__verb_call *call, const char *name)
{
    spar__buf place = {0};
    spar_experiment *experiment = NULL;
    spar__buf_printf(&place, "%s#%s", spar__store_name(call->store), name);
    if (!place.failed && !spar_experiment_open(place.text, SPAR_EXPERIMENT_READ, &experiment, NULL) &&
        spar_experiment_access(experiment) == SPAR_ACCESS_OPEN)
        spar__note("anybody can vote here without an invitation; to change that: spar set FILE --access invited");
    spar_experiment_close(experiment);
    spar__buf_free(&place);
}

static void free_batch(spar__invite_batch *batch)
{
    for (size_t i = 0; i < batch->n && batch->link; i++)
        spar__free(batch->link[i]);
    spar__free(batch->link);
    spar__free(batch->code);
    spar__free(batch->invitation);
}

spar_status spar__invite_new(const spar__verb_call *call, spar__buf *out, spar_error *err)
{
    spar__invite_batch batch = {.n = 0};
    const char *base = spar__setting_text(call->settings, "base-url");
    spar_status status = base ? spar__base_url_check(base, err) : SPAR_OK;
    if (!status)
        status = plan_batch(call->settings, &batch, err);
    if (!status)
        status = fill(call, &batch, err);
    if (!status)
        status = spar__invitation_new(call->store, batch.n, batch.invitation, batch.code, err);
    if (!status)
        status = make_links(&batch, base, err);
    if (!status) {
        print(call, &batch, out);
        if (!base)
            spar__note("the links lack the address of the server; give it by --base-url or SPAR_BASE_URL");
        warn_if_open(call, batch.invitation[0].experiment);
    }
    free_batch(&batch);
    return status;
}
