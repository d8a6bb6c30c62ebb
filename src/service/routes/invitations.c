/* invitations.c - links for those who may vote: made, listed, revoked. */
#include "base/alloc.h"
#include "service/server.h"
#include "text/utc.h"

#include <stdio.h>
#include <string.h>

enum { LISTED = 200, MADE_MOST = 1000, DAY = 86400 };

typedef char link_code[SPAR__INVITATION_LENGTH + 1];

/* What was made: its links are shown once. */
typedef struct fresh_links {
    size_t n;
    spar__invitation *invitation;
    link_code *code;
} fresh_links;

/* --- the page --- */

static void add_invitation(const spar__invitation *one, spar__json *json)
{
    char until[SPAR__UTC_SIZE] = "";
    enum { MINUTE = 16 };
    if (one->expires) {
        spar__utc_print(until, one->expires * 1000000);
        until[10] = ' ';
        until[MINUTE] = '\0';
    }
    spar__json_begin_object(json);
    spar__json_add_unsigned(json, "number", one->number);
    spar__json_add_string(json, "label", one->label);
    spar__json_add_unsigned(json, "used", one->used);
    spar__json_add_unsigned(json, "most", one->most);
    spar__json_add_string(json, "until", until);
    spar__json_add_boolean(json, "over", one->expires && one->expires <= spar__now());
    spar__json_end_object(json);
}

/* Those of this experiment, the newest first. */
static void add_list(spar__call *call, spar__json *json)
{
    spar__invitations *all = &call->service->invitations;
    const char *name = spar__place_stored(call->place);
    size_t n = 0;
    spar__json_key(json, "invitations");
    spar__json_begin_array(json);
    (void)pthread_mutex_lock(&all->lock);
    for (size_t i = all->n; i > 0; i--)
        if (strcmp(all->invitation[i - 1].experiment, name) == 0 && n++ < LISTED)
            add_invitation(&all->invitation[i - 1], json);
    (void)pthread_mutex_unlock(&all->lock);
    spar__json_end_array(json);
    spar__json_add_boolean(json, "has_invitations", n > 0);
    spar__json_add_unsigned(json, "unlisted", n > LISTED ? n - LISTED : 0);
}

static void add_link(const spar__call *call, const char *code, spar__json *json)
{
    spar__buf link = {0};
    spar__manage_base(call, &link);
    spar__buf_printf(&link, "/i/%s", code);
    json->out->failed |= link.failed;
    spar__json_add_string(json, "link", link.failed ? "" : link.text);
    spar__buf_free(&link);
}

static void add_fresh(const spar__call *call, const fresh_links *fresh, spar__json *json)
{
    spar__json_key(json, "fresh");
    spar__json_begin_object(json);
    spar__json_key(json, "links");
    spar__json_begin_array(json);
    for (size_t i = 0; i < fresh->n; i++) {
        spar__json_begin_object(json);
        spar__json_add_string(json, "label", fresh->invitation[i].label);
        add_link(call, fresh->code[i], json);
        spar__json_end_object(json);
    }
    spar__json_end_array(json);
    spar__json_end_object(json);
}

static void show(spar__call *call, spar_experiment *experiment, unsigned status, const char *error,
                 const fresh_links *fresh)
{
    spar__page page;
    spar__manage_begin(&page, call, experiment);
    spar__json_add_string(&page.json, "error", error);
    spar__json_add_boolean(&page.json, "on_invitations", true);
    if (fresh)
        add_fresh(call, fresh, &page.json);
    add_list(call, &page.json);
    spar__page_end(&page, "invitations", status);
}

void spar__read_page_invitations(spar__call *call, spar_experiment *experiment)
{
    show(call, experiment, 200, NULL, NULL);
}

/* --- new ones --- */

static spar_status plan(spar__call *call, fresh_links *fresh, spar_error *err)
{
    bool good = true;
    uint64_t count = spar__body_number(call, "count", UINT32_MAX, 1, &good);
    uint64_t voters = spar__body_number(call, "voters", UINT32_MAX, 1, &good);
    uint64_t days = spar__body_number(call, "days", UINT32_MAX, 30, &good);
    const char *label = spar__manage_text(call, "label");
    if (!good || count < 1 || count > MADE_MOST || voters > 1000000000 || days > 36500)
        return spar__fail(err, SPAR_INVALID, "expected 1 to %d links, and at most 36500 days", MADE_MOST);
    if (strlen(label) > SPAR__INVITATION_LABEL)
        return spar__fail(err, SPAR_INVALID, "the label has more than %d bytes", SPAR__INVITATION_LABEL);
    fresh->invitation = spar__alloc(count, sizeof *fresh->invitation);
    fresh->code = spar__alloc(count, sizeof *fresh->code);
    if (!fresh->invitation || !fresh->code)
        return spar__fail_memory(err);
    fresh->n = count;
    for (size_t i = 0; i < count; i++) {
        spar__invitation *one = &fresh->invitation[i];
        *one = (spar__invitation){.created = spar__now(), .most = (uint32_t)voters};
        one->expires = days ? one->created + (int64_t)days * DAY : 0;
        (void)snprintf(one->experiment, sizeof one->experiment, "%s", spar__place_stored(call->place));
        (void)snprintf(one->label, sizeof one->label, "%s", label);
    }
    return SPAR_OK;
}

void spar__change_page_invite(spar__call *call, spar_experiment *experiment)
{
    spar__service *service = call->service;
    fresh_links fresh = {0};
    spar_error err = {0};
    spar_status status = plan(call, &fresh, &err);
    if (!status)
        status = spar__invitation_new(service->store, fresh.n, fresh.invitation, fresh.code, &err);
    if (!status)
        status = spar__invitations_load(&service->invitations, service->store, &err);
    if (!status)
        show(call, experiment, 200, NULL, &fresh);
    else if (status == SPAR_INVALID)
        show(call, experiment, 400, err.text, NULL);
    else
        spar__reply_failure(&call->reply, status, &err);
    spar__free(fresh.invitation);
    spar__free(fresh.code);
}

/* --- the end of one --- */

/* Only of this experiment; one that is gone is as it was asked to be. */
void spar__change_page_revoke(spar__call *call, spar_experiment *experiment)
{
    spar__service *service = call->service;
    spar__invitation one;
    spar_error err = {0};
    bool good = true;
    uint64_t number = spar__body_number(call, "number", UINT64_MAX, 0, &good);
    (void)experiment;
    spar_status status = SPAR_OK;
    if (spar__invitations_get(&service->invitations, number, &one) &&
        strcmp(one.experiment, spar__place_stored(call->place)) == 0)
        status = spar__invitation_revoke(service->store, number, &err);
    if (!status || status == SPAR_UNKNOWN)
        status = spar__invitations_load(&service->invitations, service->store, &err);
    if (status)
        spar__reply_failure(&call->reply, status, &err);
    else
        spar__manage_go(call, "/invitations");
}
