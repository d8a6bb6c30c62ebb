/* invite.c - spar invite: links for those who may vote. */
#include "cli/invite/invite.h"

#include "base/alloc.h"
#include "cli/common.h"
#include "cli/expiry.h"
#include "cli/table.h"
#include "cli/verbs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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
            spar__invitations_print(call, all.n, all.invitation, NULL, out);
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
    {"new", false, false, SPAR__STORE_WRITE, spar__invite_new, "voters count label labels expires base-url csv"},
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
