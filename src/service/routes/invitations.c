/* invitations.c - pages with links for those who may vote: made, listed, revoked. */
#include "base/alloc.h"
#include "base/clock.h"
#include "service/server.h"

#include <stdio.h>
#include <string.h>

enum { LISTED = 200, MAX_MADE = 1000, DAY = 86400 };

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

static void add_fresh(const spar__call *call, const fresh_links *fresh, spar__json *json)
{
    spar__json_begin_member(json, "fresh");
    spar__json_begin_list(json, "links");
    for (size_t i = 0; i < fresh->n; i++) {
        spar__json_begin_object(json);
        spar__json_add_string(json, "label", fresh->invitation[i].label);
        const char *code = fresh->code[i];
        spar__buf link = {0};
        spar__manage_base(call, &link);
        spar__buf_printf(&link, "/i/%s", code);
        spar__json_add_buf(json, "link", &link);
        spar__json_end_object(json);
    }
    spar__json_end_array(json);
    spar__json_end_object(json);
}

static spar_status show(spar__call *call, spar_experiment *experiment, unsigned status, const char *error,
                        const fresh_links *fresh, spar_error *err)
{
    spar__page page;
    spar__manage_begin(&page, call, experiment);
    spar__json_add_string(&page.json, "error", error);
    spar__json_add_boolean(&page.json, "on_invitations", true);
    if (fresh)
        add_fresh(call, fresh, &page.json);
    /* Those of this experiment, the newest first. */
    spar__invitations *all = &call->service->invitations;
    const char *name = spar__hosted_name(call->hosted);
    size_t n = 0;
    spar__json_begin_list(&page.json, "invitations");
    (void)pthread_mutex_lock(&all->lock);
    for (size_t i = all->n; i > 0; i--)
        if (strcmp(all->invitation[i - 1].experiment, name) == 0 && n++ < LISTED)
            add_invitation(&all->invitation[i - 1], &page.json);
    (void)pthread_mutex_unlock(&all->lock);
    spar__json_end_array(&page.json);
    spar__json_add_boolean(&page.json, "has_invitations", n > 0);
    spar__json_add_unsigned(&page.json, "unlisted", n > LISTED ? n - LISTED : 0);
    return spar__page_end(&page, "invitations", status, err);
}

spar_status spar__route_page_invitations(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    return show(call, experiment, 200, NULL, NULL, err);
}

/* --- new ones --- */

static spar_status read_form(spar__call *call, fresh_links *fresh, spar_error *err)
{
    uint64_t count = 1, voters = 1, days = 30;
    const char *label = spar__form_text(call, "label");
    if (spar__body_number(call, "count", MAX_MADE, &count, NULL) || count < 1 ||
        spar__body_number(call, "voters", 1000000000, &voters, NULL) ||
        spar__body_number(call, "days", 36500, &days, NULL))
        return spar__fail(err, SPAR_INVALID, "expected 1 to %d links, and at most 36500 days", MAX_MADE);
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
        (void)snprintf(one->experiment, sizeof one->experiment, "%s", spar__hosted_name(call->hosted));
        (void)snprintf(one->label, sizeof one->label, "%s", label);
    }
    return SPAR_OK;
}

spar_status spar__route_page_invite(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    spar__service *service = call->service;
    fresh_links fresh = {0};
    spar_error why = {0};
    spar_status status = read_form(call, &fresh, &why);
    if (!status)
        status = spar__invitation_new(service->store, fresh.n, fresh.invitation, fresh.code, &why);
    if (!status)
        status = spar__invitations_load(&service->invitations, service->store, &why);
    if (!status)
        status = show(call, experiment, 200, NULL, &fresh, err);
    else if (status == SPAR_INVALID)
        status = show(call, experiment, 400, why.text, NULL, err);
    else
        (void)spar__fail(err, status, "%s", why.text);
    spar__free(fresh.invitation);
    spar__free(fresh.code);
    return status;
}

/* --- the end of one --- */

/* Only of this experiment; one that is gone is as it was asked to be. */
spar_status spar__route_page_revoke(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    spar__service *service = call->service;
    spar__invitation one;
    uint64_t number = 0;
    (void)experiment;
    spar_status status = spar__body_number(call, "number", UINT64_MAX, &number, err);
    if (!status && spar__invitations_get(&service->invitations, number, &one) &&
        strcmp(one.experiment, spar__hosted_name(call->hosted)) == 0)
        status = spar__invitation_revoke(service->store, number, err);
    if (!status || status == SPAR_UNKNOWN)
        status = spar__invitations_load(&service->invitations, service->store, err);
    return status ? status : spar__page_go(call, "/manage/", call->hosted->name, "/invitations");
}
