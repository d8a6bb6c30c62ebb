/* invite.c - the parts of spar invite. */
#include "base/alloc.h"
#include "base/file.h"
#include "cli/common.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "service/invitations.h"
#include "service/service.h"
#include "text/csv.h"
#include "text/utc.h"

#include <spar/experiment.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SPAR__INVITE_MOST 100000 /* links at once */

/* new.c */
static spar_status invite_new(const spar__verb_call *call, spar__buf *out, spar_error *err);

/* As JSON or CSV. link: the text of each, or NULL: they are not known any more. */
static void invitations_print(const spar__verb_call *call, size_t n, const spar__invitation *invitation,
                              char *const *link, spar__buf *out);

/* Invitations for programs: JSON, and CSV for mail merges. */

static void print_json(size_t n, const spar__invitation *invitation, char *const *link, spar__buf *out)
{
    spar__json json = {.out = out};
    spar__json_begin_array(&json);
    for (size_t i = 0; i < n; i++) {
        spar__json_begin_object(&json);
        spar__json_add_unsigned(&json, "number", invitation[i].number);
        spar__json_add_string(&json, "label", invitation[i].label);
        spar__json_add_string(&json, "experiment", invitation[i].experiment);
        spar__json_add_unsigned(&json, "voters", invitation[i].used);
        spar__json_add_unsigned(&json, "most_voters", invitation[i].most);
        spar__verb_time(&json, "created", invitation[i].created);
        spar__verb_time(&json, "expires", invitation[i].expires);
        if (link)
            spar__json_add_string(&json, "link", link[i]);
        spar__json_end_object(&json);
    }
    spar__json_end_array(&json);
    spar__buf_adds(out, "\n");
}

static void add_time(spar__csv_writer *csv, int64_t seconds)
{
    char utc[SPAR__UTC_SIZE];
    spar__utc_print(utc, seconds * 1000000);
    spar__csv_text(csv, seconds ? utc : "");
}

static void print_csv(size_t n, const spar__invitation *invitation, char *const *link, spar__buf *out)
{
    spar__csv_writer csv = {.out = out};
    spar__buf_printf(out, "number,label,experiment,voters,most_voters,created,expires%s\n", link ? ",link" : "");
    for (size_t i = 0; i < n; i++) {
        spar__csv_integer(&csv, (int64_t)invitation[i].number);
        spar__csv_text(&csv, invitation[i].label);
        spar__csv_text(&csv, invitation[i].experiment);
        spar__csv_integer(&csv, invitation[i].used);
        spar__csv_integer(&csv, invitation[i].most);
        add_time(&csv, invitation[i].created);
        add_time(&csv, invitation[i].expires);
        if (link)
            spar__csv_text(&csv, link[i]);
        spar__csv_end_row(&csv);
    }
}

void invitations_print(const spar__verb_call *call, size_t n, const spar__invitation *invitation, char *const *link,
                       spar__buf *out)
{
    (call->json ? print_json : print_csv)(n, invitation, link, out);
}

/* Spar invite: new links. */

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
        invitations_print(call, batch->n, batch->invitation, batch->link, out);
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

spar_status invite_new(const spar__verb_call *call, spar__buf *out, spar_error *err)
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

/* Spar invite: links for those who may vote. */

/* --- list --- */

static int by_number(const void *a, const void *b)
{
    const spar__invitation *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

/* Keeps those of one experiment, or all (name NULL), sorted. */
static void choose(spar__invitations *all, const char *name)
{
    size_t kept = 0;
    for (size_t i = 0; i < all->n; i++)
        if (!name || strcmp(all->invitation[i].experiment, name) == 0)
            all->invitation[kept++] = all->invitation[i];
    all->n = kept;
    if (kept)
        qsort(all->invitation, kept, sizeof *all->invitation, by_number);
}

static void add_row(spar__text_table *table, const spar__invitation *one)
{
    char created[SPAR__EXPIRY_SIZE], expires[SPAR__EXPIRY_SIZE];
    bool over = one->expires && one->expires <= (int64_t)time(NULL);
    spar__expiry_text(one->created, created);
    spar__expiry_text(one->expires, expires);
    spar__text_table_add(table, "%" PRIu64, one->number);
    spar__text_table_add(table, "%s", one->label);
    spar__text_table_add(table, "%s", one->experiment);
    if (one->most)
        spar__text_table_add(table, "%" PRIu32 " of %" PRIu32, one->used, one->most);
    else
        spar__text_table_add(table, "%" PRIu32, one->used);
    spar__text_table_add(table, "%s", created);
    spar__text_table_add(table, "%s%s", expires, over ? " (over)" : "");
}

static void list_text(const spar__invitations *all, spar__buf *out)
{
    static const char *const head[] = {"number", "label", "experiment", "voters", "created", "expires"};
    spar__text_table table = {.columns = sizeof head / sizeof *head, .left = sizeof head / sizeof *head};
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        spar__text_table_add(&table, "%s", head[i]);
    for (size_t i = 0; i < all->n; i++)
        add_row(&table, &all->invitation[i]);
    if (all->n)
        spar__text_table_print(&table, spar__output_styled(), out);
    else
        spar__buf_adds(out, "no invitations\n");
    out->failed |= table.failed;
    spar__text_table_free(&table);
}

static spar_status list(const spar__verb_call *call, spar__buf *out, spar_error *err)
{
    spar__invitations all;
    uint64_t experiment;
    spar_status status = call->name ? spar__store_find(call->store, call->name, &experiment, err) : SPAR_OK;
    if (status)
        return status;
    spar__invitations_init(&all);
    status = spar__invitations_load(&all, call->store, err);
    if (!status) {
        choose(&all, call->name);
        if (call->json || spar__setting_number(call->settings, "csv"))
            invitations_print(call, all.n, all.invitation, NULL, out);
        else
            list_text(&all, out);
    }
    spar__invitations_fini(&all);
    return status;
}

static spar_status revoke(const spar__verb_call *call, spar__buf *out, spar_error *err)
{
    return spar__verb_revoke(call, spar__invitation_revoke, "invitation", out, err);
}

static const spar__verb verbs[] = {
    {"new", false, false, SPAR__STORE_WRITE, invite_new, "voters count label labels expires base-url csv"},
    {"list", false, false, SPAR__STORE_READ, list, "csv"},
    {"revoke", true, true, SPAR__STORE_WRITE, revoke, ""},
    {.name = NULL},
};

static spar_status invite(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    return spar__verb_run(settings, verbs, "new", out, err);
}

static const spar__option options[] = {
    SPAR__COUNT_OPTION("voters", "N", "1", 0, 1000000000, "how many voters may come by each link; 0 is any number"),
    SPAR__COUNT_OPTION("count", "K", "1", 1, SPAR__INVITE_MOST, "how many links"),
    SPAR__TEXT_OPTION("label", "L", "what they are for, or whom, at most 80 bytes"),
    SPAR__TEXT_OPTION("labels", "F",
                      "a link for each line of this file, with the line as its label; - is standard input"),
    SPAR__TEXT_OPTION("expires", "TIME", "they are good for that long, such as 12h, 30d or 8w (default: never end)"),
    SPAR__TEXT_OPTION("base-url", "URL", "the address of the server that people use, such as https://vote.example.org"),
    SPAR__SWITCH_OPTION("csv", "print CSV, for mail merges"),
    SPAR__SWITCH_OPTION("json", "print JSON"),
    {.name = NULL},
};

const spar__command spar__command_invite = {
    .name = "invite",
    .brief = "Invite voters to a served experiment: make, list and revoke links",
    .operands = "[new|list|revoke] FILE[#NAME] [NUMBER ...]",
    .max_operands = 1000,
    .options = options,
    .notes = "Without a word before FILE new links are made. A link is printed once; the file has only its hash. By a\n"
             "link for one voter the same voter can come again, from another device too. 'spar set FILE --access\n"
             "invited' lets only the invited vote. Voters of a link that was revoked or is over cannot vote any more;\n"
             "what they answered stays. A running server follows within a second.",
    .example = "spar invite tea.db --count 20 --expires 30d --base-url https://vote.example.org",
    .run = invite,
};
