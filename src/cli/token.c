/* token.c - spar token and spar invite: the secrets of a store that is served, "spar token VERB FILE ...". A secret is
 * printed once, when it is made, and the store has its hash: who may manage what is served, and links for those who may
 * vote. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/common.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "service/auth/auth.h"
#include "service/service.h"
#include "store/store.h"
#include "text/csv.h"
#include "text/json.h"

#include <spar/experiment.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define INVITE_MOST 100000 /* links at once */

enum {
    KEEP_SECONDS = 24 * 3600,
    LABELS_BYTES = 16 << 20
}; /* the old signing key, after a rotation; a file of labels */

/* --- verbs --- */

/* What a verb works on. */
typedef struct verb_call {
    const spar__settings *settings;
    spar__store *store;
    const char *name;           /* of the experiment, NULL: none was given */
    const char *const *operand; /* after the file */
    size_t n_operands;
    bool json;
} verb_call;

/* A table ends with a name of NULL. */
typedef struct command_verb {
    const char *name;
    bool whole;   /* it is about the whole store: FILE#NAME is refused */
    bool numbers; /* operands follow the file, else none do */
    spar__store_mode mode;
    spar_status (*run)(const verb_call *call, spar__buf *out, spar_error *err);
    const char *options; /* those that it takes, beside --json, separated by blanks */
} command_verb;

static const command_verb *find_verb(const command_verb *verbs, const char *name)
{
    for (const command_verb *verb = verbs; verb->name && name; verb++)
        if (strcmp(verb->name, name) == 0)
            return verb;
    return NULL;
}

/* Is the word among those of the list, separated by blanks? */
static bool lists(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* Finds the verb and checks operands and options: one of another verb would have no effect, so it is better to say so;
 * what the environment has may be for another. standard: the verb that is meant where none is given; NULL: one is
 * needed. */
static spar_status choose_verb(const spar__settings *settings, const command_verb *verbs, const char *standard,
                               const command_verb **out, size_t *file, spar_error *err)
{
    const spar__command *command = settings->command;
    size_t n = settings->n_operands;
    const command_verb *verb = find_verb(verbs, n ? settings->operand[0] : NULL);
    *file = verb ? 1 : 0;
    if (!verb)
        verb = find_verb(verbs, standard);
    if (!verb && n)
        return spar__fail(err, SPAR_INVALID, "%s: unknown word '%.80s'; usage: spar %s %s", command->name,
                          settings->operand[0], command->name, command->operands);
    if (!verb || n <= *file + verb->numbers)
        return spar__fail_missing(command, verb ? verb->name : "", n - *file, err);
    if (!verb->numbers && n > *file + 1)
        return spar__fail(err, SPAR_INVALID, "%s %s: did not expect '%.80s'", command->name, verb->name,
                          settings->operand[*file + 1]);
    for (size_t i = 0; i < settings->n; i++) {
        const spar__setting *setting = &settings->setting[i];
        const char *name = setting->option->name;
        if (setting->source == SPAR__SOURCE_FLAG && strcmp(name, "json") != 0 && !lists(verb->options, name))
            return spar__fail(err, SPAR_INVALID, "%s %s: --%s does not go with it", command->name, verb->name, name);
    }
    *out = verb;
    return SPAR_OK;
}

static spar_status run_verb(const spar__settings *settings, const command_verb *verbs, const char *standard,
                            spar__buf *out, spar_error *err)
{
    const command_verb *verb = NULL;
    size_t at;
    char *path = NULL, *name = NULL;
    spar_status status = choose_verb(settings, verbs, standard, &verb, &at, err);
    if (!status)
        status = spar__store_split(settings->operand[at], &path, &name, err);
    if (!status && verb->whole && name)
        status = spar__fail(err, SPAR_INVALID, "%s: %s is about all experiments of a file; expected %s",
                            settings->operand[at], settings->command->name, path);
    if (!status) {
        verb_call call = {.settings = settings,
                          .name = name,
                          .operand = settings->operand + at + 1,
                          .n_operands = settings->n_operands - at - 1,
                          .json = spar__setting_number(settings, "json") != 0};
        status = spar__store_open(path, verb->mode, &call.store, err);
        if (!status)
            status = verb->run(&call, out, err);
        spar__store_close(call.store);
    }
    spar__free(path);
    spar__free(name);
    return status;
}

static spar_status read_number(const char *text, const char *what, uint64_t *out, spar_error *err)
{
    char *end = NULL;
    *out = *text >= '1' && *text <= '9' ? strtoull(text, &end, 10) : 0;
    if (!end || *end || end - text > 19)
        return spar__fail(err, SPAR_INVALID, "'%.80s': expected the number of a %s, as the list shows it", text, what);
    return SPAR_OK;
}

/* Ends those whose numbers are the operands. what: "token". */
static spar_status revoke(const verb_call *call, spar_status (*end)(spar__store *, uint64_t, spar_error *),
                          const char *what, spar__buf *out, spar_error *err)
{
    uint64_t number = 0;
    spar_status status = SPAR_OK;
    spar__buf ended = {0};
    for (size_t i = 0; i < call->n_operands && !status; i++) /* all are read before the first is ended */
        status = read_number(call->operand[i], what, &number, err);
    for (size_t i = 0; i < call->n_operands && !status; i++) {
        (void)read_number(call->operand[i], what, &number, err);
        status = end(call->store, number, err);
        if (!status && call->json)
            spar__buf_printf(&ended, "%s%" PRIu64, ended.length ? "," : "", number);
        else if (!status)
            spar__buf_printf(out, "%s %" PRIu64 " is revoked\n", what, number);
    }
    if (call->json)
        spar__buf_printf(out, "{\"revoked\":[%s]}\n", ended.text ? ended.text : "");
    out->failed |= ended.failed;
    spar__buf_free(&ended);
    return status;
}

/* --- what lists show; of a token, too, which has no experiment and no voters --- */

static void add_time(spar__json *json, const char *key, int64_t seconds)
{
    char utc[SPAR__UTC_SIZE];
    spar__utc_print(utc, seconds * 1000000);
    spar__json_add_string(json, key, seconds ? utc : NULL);
}

/* text: the secret, NULL where it is not known any more. */
static void add_secret(spar__json *json, const spar__invitation *one, bool invitation, const char *text)
{
    spar__json_begin_object(json);
    spar__json_add_unsigned(json, "number", one->number);
    spar__json_add_string(json, "label", one->label);
    if (invitation) {
        spar__json_add_string(json, "experiment", one->experiment);
        spar__json_add_unsigned(json, "voters", one->used);
        spar__json_add_unsigned(json, "most_voters", one->most);
    }
    add_time(json, "created", one->created);
    add_time(json, "expires", one->expires);
    if (text)
        spar__json_add_string(json, invitation ? "link" : "token", text);
    spar__json_end_object(json);
}

/* text: of each, or NULL. */
static void list_json(size_t n, const spar__invitation *all, bool invitations, char *const *text, spar__buf *out)
{
    spar__json json = {.out = out};
    spar__json_begin_array(&json);
    for (size_t i = 0; i < n; i++)
        add_secret(&json, &all[i], invitations, text ? text[i] : NULL);
    spar__json_end_array(&json);
    spar__buf_adds(out, "\n");
}

/* For mail merges. */
static void list_csv(size_t n, const spar__invitation *all, char *const *text, spar__buf *out)
{
    spar__csv_writer csv = {.out = out};
    spar__buf_printf(out, "number,label,experiment,voters,most_voters,created,expires%s\n", text ? ",link" : "");
    for (size_t i = 0; i < n; i++) {
        char created[SPAR__UTC_SIZE], expires[SPAR__UTC_SIZE];
        spar__utc_print(created, all[i].created * 1000000);
        spar__utc_print(expires, all[i].expires * 1000000);
        spar__csv_integer(&csv, (int64_t)all[i].number);
        spar__csv_text(&csv, all[i].label);
        spar__csv_text(&csv, all[i].experiment);
        spar__csv_integer(&csv, all[i].used);
        spar__csv_integer(&csv, all[i].most);
        spar__csv_text(&csv, all[i].created ? created : "");
        spar__csv_text(&csv, all[i].expires ? expires : "");
        if (text)
            spar__csv_text(&csv, text[i]);
        spar__csv_end_row(&csv);
    }
}

static void list_text(size_t n, const spar__invitation *all, bool invitations, spar__buf *out)
{
    static const char *const head[] = {"number", "label", "experiment", "voters", "created", "expires"};
    spar__text_table table = {.columns = invitations ? 6 : 4, .left = invitations ? 6 : 4};
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        if (invitations || (i != 2 && i != 3))
            spar__text_table_add(&table, "%s", head[i]);
    for (size_t i = 0; i < n; i++) {
        const spar__invitation *one = &all[i];
        char created[SPAR__EXPIRY_SIZE], expires[SPAR__EXPIRY_SIZE];
        bool over = one->expires && one->expires <= (int64_t)time(NULL);
        spar__expiry_text(one->created, created);
        spar__expiry_text(one->expires, expires);
        spar__text_table_add(&table, "%" PRIu64, one->number);
        spar__text_table_add(&table, "%s", one->label);
        if (invitations)
            spar__text_table_add(&table, "%s", one->experiment);
        if (invitations && one->most)
            spar__text_table_add(&table, "%" PRIu32 " of %" PRIu32, one->used, one->most);
        else if (invitations)
            spar__text_table_add(&table, "%" PRIu32, one->used);
        spar__text_table_add(&table, "%s", created);
        spar__text_table_add(&table, "%s%s", expires, over ? " (over)" : "");
    }
    if (n)
        spar__text_table_print(&table, spar__output_styled(), out);
    else
        spar__buf_printf(out, "no %s\n", invitations ? "invitations" : "tokens");
    out->failed |= table.failed;
    spar__text_table_free(&table);
}

static int by_number(const void *a, const void *b)
{
    const spar__invitation *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

/* --- spar token --- */

static spar__invitation shown_token(const spar__token *token)
{
    spar__invitation shown = {.number = token->number, .created = token->created, .expires = token->expires};
    (void)snprintf(shown.label, sizeof shown.label, "%s", token->label);
    return shown;
}

static spar_status token_new(const verb_call *call, spar__buf *out, spar_error *err)
{
    char text[SPAR__TOKEN_LENGTH + 1];
    const char *label = spar__setting_text(call->settings, "label");
    spar__token token = {.created = (int64_t)time(NULL)};
    spar_status status = spar__expiry_parse(spar__setting_text(call->settings, "expires"), "--expires", token.created,
                                            &token.expires, err);
    if (!status)
        status =
            spar__token_new(call->store, label ? label : "", token.created, token.expires, text, &token.number, err);
    if (status)
        return status;
    if (call->json) {
        spar__json json = {.out = out};
        (void)snprintf(token.label, sizeof token.label, "%s", label ? label : "");
        spar__invitation shown = shown_token(&token);
        add_secret(&json, &shown, false, text);
        spar__buf_adds(out, "\n");
    } else {
        spar__buf_printf(out, "%s\n", text);
    }
    spar__note("this is token %" PRIu64 ", shown once: keep it as you keep passwords", token.number);
    return SPAR_OK;
}

static spar_status token_list(const verb_call *call, spar__buf *out, spar_error *err)
{
    spar__tokens tokens;
    spar__invitation *shown = NULL;
    spar_status status = spar__tokens_init(&tokens, err);
    if (status)
        return status;
    status = spar__tokens_load(&tokens, call->store, err);
    if (!status && tokens.n && !(shown = spar__alloc(tokens.n, sizeof *shown)))
        status = spar__fail_memory(err);
    if (!status) {
        for (size_t i = 0; i < tokens.n; i++)
            shown[i] = shown_token(&tokens.token[i]);
        if (tokens.n)
            qsort(shown, tokens.n, sizeof *shown, by_number);
        if (call->json)
            list_json(tokens.n, shown, false, NULL, out);
        else
            list_text(tokens.n, shown, false, out);
    }
    spar__free(shown);
    spar__tokens_fini(&tokens);
    return status;
}

static spar_status token_revoke(const verb_call *call, spar__buf *out, spar_error *err)
{
    return revoke(call, spar__token_revoke, "token", out, err);
}

static spar_status token_rotate(const verb_call *call, spar__buf *out, spar_error *err)
{
    spar__keyring keys;
    bool now = spar__setting_number(call->settings, "now");
    int64_t until = now ? 0 : (int64_t)time(NULL) + KEEP_SECONDS;
    spar_status status = spar__keyring_load(call->store, &keys, err);
    if (!status)
        status = spar__keyring_rotate(&keys, until, err);
    if (!status)
        status = spar__keyring_store(call->store, &keys, err);
    if (status)
        return status;
    if (call->json) {
        spar__json json = {.out = out};
        spar__json_begin_object(&json);
        add_time(&json, "old_key_until", until);
        spar__json_end_object(&json);
        spar__buf_adds(out, "\n");
    } else {
        spar__buf_printf(out, "there is a new signing key; the old one %s\n",
                         now ? "is no longer good" : "is good for another 24 hours");
    }
    return SPAR_OK;
}

static const command_verb token_verbs[] = {
    {"new", true, false, SPAR__STORE_WRITE, token_new, "label expires"},
    {"list", true, false, SPAR__STORE_READ, token_list, ""},
    {"revoke", true, true, SPAR__STORE_WRITE, token_revoke, ""},
    {"rotate", true, false, SPAR__STORE_WRITE, token_rotate, "now"},
    {.name = NULL},
};

static spar_status token(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    return run_verb(settings, token_verbs, NULL, out, err);
}

static const spar__option token_options[] = {
    SPAR__TEXT_OPTION("label", "L", "new: what it is for, at most 80 bytes"),
    SPAR__TEXT_OPTION("expires", "TIME", "new: it is good for that long, such as 12h, 30d or 8w (default: never ends)"),
    SPAR__SWITCH_OPTION("now", "rotate: the old key is no longer good at once"),
    SPAR__SWITCH_OPTION("json", "print JSON"),
    {.name = NULL},
};

const spar__command spar__command_token = {
    .name = "token",
    .brief = "Manage tokens: who may manage the experiments of a served file",
    .operands = "new|list|revoke|rotate FILE [NUMBER ...]",
    .max_operands = 1000,
    .options = token_options,
    .notes = "  new     makes a token and prints it, once; the file has only its hash\n"
             "  list    shows number, label, start and end of each, never the token\n"
             "  revoke  ends tokens, with all sessions that began with them\n"
             "  rotate  makes a new key for what the server signs: sessions, voters' secrets, screens; the old key is "
             "good for another 24 hours\n"
             "A running server follows within a second.",
    .example = "spar token new tea.db --label ann --expires 30d",
    .run = token,
};

/* --- spar invite new --- */

/* What is made. */
typedef struct invite_batch {
    spar__invitation *invitation;
    char (*code)[SPAR__INVITATION_LENGTH + 1];
    char **link;
    size_t n;
} invite_batch;

static spar_status set_label(spar__invitation *invitation, const char *label, size_t length, spar_error *err)
{
    if (length > SPAR__INVITATION_LABEL)
        return spar__fail(err, SPAR_INVALID, "label '%.40s...': expected at most %d bytes", label,
                          SPAR__INVITATION_LABEL);
    memcpy(invitation->label, label, length);
    invitation->label[length] = '\0';
    return SPAR_OK;
}

/* Of each line that is not empty; counts them only, where invitation is NULL. */
static spar_status take_lines(const spar__buf *text, spar__invitation *invitation, size_t *n, spar_error *err)
{
    spar_status status = SPAR_OK;
    *n = 0;
    for (size_t at = 0, whole; at < text->length && !status; at += whole + 1) {
        const char *line = text->text + at, *end = memchr(line, '\n', text->length - at);
        whole = end ? (size_t)(end - line) : text->length - at;
        size_t length = whole && line[whole - 1] == '\r' ? whole - 1 : whole;
        if (length && invitation)
            status = set_label(&invitation[*n], line, length, err);
        *n += length > 0;
    }
    return status;
}

static spar_status make_room(invite_batch *batch, size_t n, spar_error *err)
{
    batch->invitation = spar__alloc(n, sizeof *batch->invitation);
    batch->code = spar__alloc(n, sizeof *batch->code);
    batch->link = spar__alloc(n, sizeof *batch->link);
    batch->n = n;
    return batch->invitation && batch->code && batch->link ? SPAR_OK : spar__fail_memory(err);
}

/* Labels: one for all, or a file with one a line. */
static spar_status plan_batch(const spar__settings *settings, invite_batch *batch, spar_error *err)
{
    const char *path = spar__setting_text(settings, "labels"), *label = spar__setting_text(settings, "label");
    if (path && (label || spar__setting_of(settings, "count")->source == SPAR__SOURCE_FLAG))
        return spar__fail(err, SPAR_INVALID, "invite: --labels does not go with --label or --count");
    spar_status status = SPAR_OK;
    if (!path) {
        status = make_room(batch, (size_t)spar__setting_number(settings, "count"), err);
        for (size_t i = 0; i < batch->n && label && !status; i++)
            status = set_label(&batch->invitation[i], label, strlen(label), err);
        return status;
    }
    spar__buf text = {0};
    size_t n = 0;
    status = spar__file_read(path, LABELS_BYTES, &text, err);
    if (!status)
        status = take_lines(&text, NULL, &n, err);
    if (!status && (n == 0 || n > INVITE_MOST))
        status = spar__fail(err, SPAR_INVALID, "%s: %zu labels; expected 1 to %d, a line each", path, n, INVITE_MOST);
    if (!status)
        status = make_room(batch, n, err);
    if (!status)
        status = take_lines(&text, batch->invitation, &n, err);
    spar__buf_free(&text);
    return status;
}

static spar_status take_name(void *context, uint64_t experiment, const char *name)
{
    spar__invitation *model = context;
    if (experiment == model->number)
        (void)snprintf(model->experiment, sizeof model->experiment, "%s", name);
    return SPAR_OK;
}

/* What they are for: the name of the experiment in the store, which may be the only one there. */
static spar_status fill_batch(const verb_call *call, invite_batch *batch, spar_error *err)
{
    spar__invitation model = {.created = (int64_t)time(NULL),
                              .most = (uint32_t)spar__setting_number(call->settings, "voters")};
    spar_status status = spar__expiry_parse(spar__setting_text(call->settings, "expires"), "--expires", model.created,
                                            &model.expires, err);
    if (!status)
        status = spar__store_find(call->store, call->name, &model.number, err);
    if (!status)
        status = spar__store_experiments(call->store, take_name, &model, err);
    for (size_t i = 0; i < batch->n && !status; i++) {
        memcpy(model.label, batch->invitation[i].label, sizeof model.label);
        batch->invitation[i] = model;
    }
    return status;
}

/* Whoever sends links around believes that nobody else can vote. */
static void warn_if_open(const verb_call *call, const char *name)
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

static spar_status invite_new(const verb_call *call, spar__buf *out, spar_error *err)
{
    invite_batch batch = {.n = 0};
    const char *base = spar__setting_text(call->settings, "base-url");
    spar_status status = base ? spar__base_url_check(base, err) : SPAR_OK;
    if (!status)
        status = plan_batch(call->settings, &batch, err);
    if (!status)
        status = fill_batch(call, &batch, err);
    if (!status)
        status = spar__invitation_new(call->store, batch.n, batch.invitation, batch.code, err);
    for (size_t i = 0; i < batch.n && !status; i++) {
        spar__buf link = {0};
        spar__buf_printf(&link, "%s/i/%s", base ? base : "", batch.code[i]);
        batch.link[i] = link.text;
        status = link.failed ? spar__fail_memory(err) : SPAR_OK;
    }
    if (!status) {
        if (call->json)
            list_json(batch.n, batch.invitation, true, batch.link, out);
        else if (spar__setting_number(call->settings, "csv"))
            list_csv(batch.n, batch.invitation, batch.link, out);
        else
            for (size_t i = 0; i < batch.n; i++)
                spar__buf_printf(out, "%s\n", batch.link[i]);
        if (!base)
            spar__note("the links lack the address of the server; give it by --base-url or SPAR_BASE_URL");
        warn_if_open(call, batch.invitation[0].experiment);
    }
    for (size_t i = 0; i < batch.n && batch.link; i++)
        spar__free(batch.link[i]);
    spar__free(batch.link);
    spar__free(batch.code);
    spar__free(batch.invitation);
    return status;
}

/* --- spar invite --- */

/* Those of one experiment, or all. */
static spar_status invite_list(const verb_call *call, spar__buf *out, spar_error *err)
{
    spar__invitations all;
    uint64_t experiment;
    size_t n = 0;
    spar_status status = call->name ? spar__store_find(call->store, call->name, &experiment, err) : SPAR_OK;
    if (status)
        return status;
    spar__invitations_init(&all);
    status = spar__invitations_load(&all, call->store, err);
    if (!status) {
        for (size_t i = 0; i < all.n; i++)
            if (!call->name || strcmp(all.invitation[i].experiment, call->name) == 0)
                all.invitation[n++] = all.invitation[i];
        if (n)
            qsort(all.invitation, n, sizeof *all.invitation, by_number);
        if (call->json)
            list_json(n, all.invitation, true, NULL, out);
        else if (spar__setting_number(call->settings, "csv"))
            list_csv(n, all.invitation, NULL, out);
        else
            list_text(n, all.invitation, true, out);
    }
    spar__invitations_fini(&all);
    return status;
}

static spar_status invite_revoke(const verb_call *call, spar__buf *out, spar_error *err)
{
    return revoke(call, spar__invitation_revoke, "invitation", out, err);
}

static const command_verb invite_verbs[] = {
    {"new", false, false, SPAR__STORE_WRITE, invite_new, "voters count label labels expires base-url csv"},
    {"list", false, false, SPAR__STORE_READ, invite_list, "csv"},
    {"revoke", true, true, SPAR__STORE_WRITE, invite_revoke, ""},
    {.name = NULL},
};

static spar_status invite(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    return run_verb(settings, invite_verbs, "new", out, err);
}

static const spar__option invite_options[] = {
    SPAR__COUNT_OPTION("voters", "N", "1", 0, 1000000000, "how many voters may come by each link; 0 is any number"),
    SPAR__COUNT_OPTION("count", "K", "1", 1, INVITE_MOST, "how many links"),
    SPAR__TEXT_OPTION("label", "L", "what they are for, or whom, at most 80 bytes"),
    SPAR__TEXT_OPTION("labels", "FILE",
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
    .options = invite_options,
    .notes = "Without a word before FILE new links are made. A link is printed once; the file has only its hash. By a\n"
             "link for one voter the same voter can come again, from another device too. 'spar set FILE --access\n"
             "invited' lets only the invited vote. Voters of a link that was revoked or is over cannot vote any more;\n"
             "what they answered stays. A running server follows within a second.",
    .example = "spar invite tea.db --count 20 --expires 30d --base-url https://vote.example.org",
    .run = invite,
};
