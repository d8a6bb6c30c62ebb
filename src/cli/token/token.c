/* token.c - spar token: who may manage what is served. */
#include "cli/common.h"
#include "cli/expiry.h"
#include "cli/table.h"
#include "cli/verbs.h"
#include "service/auth/auth.h"

#include "base/alloc.h"
#include "text/json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { KEEP_SECONDS = 24 * 3600 }; /* the old signing key, after a rotation */

/* --- new --- */

static void token_json(spar__json *json, const spar__token *token, const char *text)
{
    spar__json_begin_object(json);
    spar__json_add_unsigned(json, "number", token->number);
    spar__json_add_string(json, "label", token->label);
    spar__verb_time(json, "created", token->created);
    spar__verb_time(json, "expires", token->expires);
    if (text)
        spar__json_add_string(json, "token", text);
    spar__json_end_object(json);
}

static spar_status new_token(const spar__verb_call *call, spar__buf *out, spar_error *err)
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
        memcpy(token.label, label ? label : "", label ? strlen(label) + 1 : 1);
        token_json(&json, &token, text);
        spar__buf_adds(out, "\n");
    } else {
        spar__buf_printf(out, "%s\n", text);
    }
    spar__note("this is token %" PRIu64 ", shown once: keep it as you keep passwords", token.number);
    return SPAR_OK;
}

/* --- list --- */

static int by_number(const void *a, const void *b)
{
    const spar__token *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

static void list_text(const spar__tokens *tokens, spar__buf *out)
{
    spar__text_table table = {.columns = 4, .left = 4};
    char created[SPAR__EXPIRY_SIZE], expires[SPAR__EXPIRY_SIZE];
    static const char *const head[] = {"number", "label", "created", "expires"};
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        spar__text_table_add(&table, "%s", head[i]);
    for (size_t i = 0; i < tokens->n; i++) {
        const spar__token *token = &tokens->token[i];
        spar__expiry_text(token->created, created);
        spar__expiry_text(token->expires, expires);
        bool over = token->expires && token->expires <= (int64_t)time(NULL);
        spar__text_table_add(&table, "%" PRIu64, token->number);
        spar__text_table_add(&table, "%s", token->label);
        spar__text_table_add(&table, "%s", created);
        spar__text_table_add(&table, "%s%s", expires, over ? " (over)" : "");
    }
    if (tokens->n)
        spar__text_table_print(&table, spar__output_styled(), out);
    else
        spar__buf_adds(out, "no tokens\n");
    out->failed |= table.failed;
    spar__text_table_free(&table);
}

static void list_json(const spar__tokens *tokens, spar__buf *out)
{
    spar__json json = {.out = out};
    spar__json_begin_array(&json);
    for (size_t i = 0; i < tokens->n; i++)
        token_json(&json, &tokens->token[i], NULL);
    spar__json_end_array(&json);
    spar__buf_adds(out, "\n");
}

static spar_status list_tokens(const spar__verb_call *call, spar__buf *out, spar_error *err)
{
    spar__tokens tokens;
    spar_status status = spar__tokens_init(&tokens, err);
    if (status)
        return status;
    status = spar__tokens_load(&tokens, call->store, err);
    if (!status) {
        if (tokens.n)
            qsort(tokens.token, tokens.n, sizeof *tokens.token, by_number);
        (call->json ? list_json : list_text)(&tokens, out);
    }
    spar__tokens_fini(&tokens);
    return status;
}

/* --- revoke, rotate --- */

static spar_status revoke(const spar__verb_call *call, spar__buf *out, spar_error *err)
{
    return spar__verb_revoke(call, spar__token_revoke, "token", out, err);
}

static spar_status rotate(const spar__verb_call *call, spar__buf *out, spar_error *err)
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
        spar__verb_time(&json, "old_key_until", until);
        spar__json_end_object(&json);
        spar__buf_adds(out, "\n");
    } else {
        spar__buf_printf(out, "there is a new signing key; the old one %s\n",
                         now ? "is no longer good" : "is good for another 24 hours");
    }
    return SPAR_OK;
}

static const spar__verb verbs[] = {
    {"new", true, false, SPAR__STORE_WRITE, new_token, "label expires"},
    {"list", true, false, SPAR__STORE_READ, list_tokens, ""},
    {"revoke", true, true, SPAR__STORE_WRITE, revoke, ""},
    {"rotate", true, false, SPAR__STORE_WRITE, rotate, "now"},
    {.name = NULL},
};

static spar_status token(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    return spar__verb_run(settings, verbs, NULL, out, err);
}

static const spar__option options[] = {
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
    .options = options,
    .notes = "  new     makes a token and prints it, once; the file has only its hash\n"
             "  list    shows number, label, start and end of each, never the token\n"
             "  revoke  ends tokens, with all sessions that began with them\n"
             "  rotate  makes a new key for what the server signs: sessions, voters' secrets, screens; the old key is "
             "good for another 24 hours\n"
             "A running server follows within a second.",
    .example = "spar token new tea.db --label ann --expires 30d",
    .run = token,
};
