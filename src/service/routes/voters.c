/* voters.c - becoming a voter: a secret that the browser or program keeps; by Start, or by a link with an invitation.
 */
#include "service/server.h"

#include <string.h>

/* The invitation of a code, if it is good here. */
static bool find(const spar__call *call, const char *code, spar__invitation *out)
{
    spar__invitations *all = &call->service->invitations;
    return spar__invitations_find(all, code, out) &&
           spar__invitations_good(all, out->number, spar__hosted_name(call->hosted), spar__now());
}

static spar_status make(const spar__call *call, uint64_t invitation, const char *start, char *secret, spar_error *err)
{
    spar__keyring keys = spar__service_keys(call->service);
    return start ? spar__voter_derived(&keys, call->service->voter_key, invitation, start, secret)
                 : spar__voter_new(&keys, invitation, secret, err);
}

/* The use of an invitation is on disk before the secret goes out. */
static spar_status use(spar__call *call, const spar__invitation *invitation, bool only, bool *done, spar_error *err)
{
    spar__service *service = call->service;
    bool full = false;
    spar_status status = spar__invitation_use(&service->invitations, service->store, invitation->number, &full, err);
    *done = status == SPAR_UNKNOWN || (!status && full && !only);
    if (status == SPAR_UNKNOWN)
        (void)spar__refuse(call, 403, "not_invited",
                           "this invitation is not for this experiment, has expired or was revoked");
    else if (*done)
        (void)spar__refuse(call, 403, "invitation_used", "as many voters as this invitation is for have come");
    return status == SPAR_UNKNOWN ? SPAR_OK : status;
}

/* A new voter, by the code of an invitation unless that is NULL; *done: it was refused, and the call answered. With the
 * text `start` of a page it is the same voter each time, who uses one invitation up once. */
static spar_status make_voter(spar__call *call, const spar_experiment *experiment, const char *code, const char *start,
                              char *secret, bool *done, spar_error *err)
{
    *done = false;
    if (code) {
        spar__invitation invitation;
        spar__keyring keys = spar__service_keys(call->service);
        *done = !find(call, code, &invitation);
        if (*done) {
            (void)spar__refuse(call, 403, "not_invited",
                               "this invitation is not for this experiment, has expired or was revoked");
            return SPAR_OK;
        }
        bool only = invitation.most == 1;
        spar_status status = only
                                 ? spar__voter_derived(&keys, call->service->voter_key, invitation.number, NULL, secret)
                                 : make(call, invitation.number, start, secret, err);
        char name[SPAR__VOTER_NAME_LENGTH + 1];
        bool come = start && !status && /* has this voter been asked anything here? */
                    !spar__voter_name(call->service->voter_key, spar__hosted_name(call->hosted), secret, name) &&
                    (spar_experiment_open_screens(experiment, name, 0, NULL) ||
                     spar_experiment_last_answered(experiment, name));
        if (status || (only && invitation.used) || come)
            return status;
        return use(call, &invitation, only, done, err);
    }
    *done = spar_experiment_access(experiment) == SPAR_ACCESS_INVITED && !call->caller.manager;
    if (*done)
        (void)spar__refuse(call, 403, "not_invited", "only those who were invited can vote here");
    return *done ? SPAR_OK : make(call, 0, start, secret, err);
}

static char *make_cookie(const spar__call *call, const char *secret)
{
    enum { YEAR = 365 * 86400 };
    char name[SPAR__COOKIE_NAME] = "spar_voter";
    bool invited = strspn(secret, "0") < 16; /* the first 8 bytes are the number of the invitation */
    if (invited && call->shape->page)
        spar__voter_cookie_name(call->service, call->hosted, name);
    return spar__cookie(call->service, name, secret, YEAR, "Lax");
}

spar_status spar__route_new_voter(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    char secret[SPAR__VOTER_LENGTH + 1], name[SPAR__VOTER_NAME_LENGTH + 1];
    bool done = false;
    spar_status status = make_voter(call, experiment, spar__body_text(call, "invitation"), NULL, secret, &done, err);
    if (!status && !done)
        status = spar__voter_name(call->service->voter_key, spar__hosted_name(call->hosted), secret, name);
    if (status || done)
        return status;
    call->reply.cookie[0] = make_cookie(call, secret);
    spar__json json = {.out = &call->reply.body};
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "voter", name);
    spar__json_add_string(&json, "secret", secret);
    spar__json_end_object(&json);
    return spar__reply_json(&call->reply, 201);
}

/* --- invitations --- */

bool spar__invitation_cookie(const spar__call *call, char code[SPAR__INVITATION_LENGTH + 1], spar__invitation *out)
{
    return spar__call_cookie(call, spar__cookie_name(call->service, "spar_invitation"), code,
                             SPAR__INVITATION_LENGTH + 1) &&
           find(call, code, out);
}

/* The link that was sent around: whoever opens it, a person or a program that shows previews, uses nothing up. The code
 * goes into a cookie, out of the address. */
spar_status spar__route_page_invitation(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    enum { HOUR = 3600 };
    spar__invitation invitation;
    spar__service *service = call->service;
    const char *code = spar__call_param(call, 0);
    bool found = spar__invitations_find(&service->invitations, code, &invitation);
    spar__hosted *hosted = NULL;
    (void)experiment;
    for (size_t i = 0; found && !hosted && i < spar__hosting_count(&service->hosting); i++) {
        hosted = spar__hosting_get(&service->hosting, i);
        if (strcmp(spar__hosted_name(hosted), invitation.experiment) != 0)
            hosted = NULL;
    }
    if (!hosted ||
        !spar__invitations_good(&service->invitations, invitation.number, invitation.experiment, spar__now()))
        return spar__reply_problem(&call->reply, 403, "invitation", "this invitation has expired or was revoked");
    call->reply.cookie[0] = spar__cookie(service, "spar_invitation", code, HOUR, "Lax");
    return call->reply.cookie[0] ? spar__page_go(call, "/e/", hosted->name, "") : spar__fail_memory(err);
}

/* --- Start --- */

/* Who votes: the caller, or somebody new, whose cookie goes into the reply. *done: the call was answered. */
static spar_status find_voter(spar__call *call, const spar_experiment *experiment, bool *done, spar_error *err)
{
    char secret[SPAR__VOTER_LENGTH + 1], code[SPAR__INVITATION_LENGTH + 1];
    spar__invitation invitation;
    if (*call->caller.voter && spar__may_vote(call->service, call->hosted, &call->caller, experiment))
        return SPAR_OK;
    bool opened = spar__invitation_cookie(call, code, &invitation);
    spar_status status =
        make_voter(call, experiment, opened ? code : NULL, spar__body_text(call, "start"), secret, done, err);
    if (!status && !*done)
        status =
            spar__voter_name(call->service->voter_key, spar__hosted_name(call->hosted), secret, call->caller.voter);
    if (!status && !*done)
        call->reply.cookie[0] = make_cookie(call, secret);
    return status;
}

/* Asks a screen, unless there is one. Where none can be asked the page says why. */
spar_status spar__route_page_start(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    spar_screen *screen = NULL;
    bool done = false;
    spar_status status = find_voter(call, experiment, &done, err);
    if (!status && !done)
        status = spar_experiment_refresh(experiment, err);
    if (!status && !done)
        status = spar__voter_screen(call, experiment, &screen, NULL, err);
    if (status || done)
        return status;
    if (!screen) {
        status = spar_experiment_ask(experiment, call->caller.voter, &screen, err);
        atomic_fetch_add(&call->service->metrics.asks, !status);
    }
    spar_screen_free(screen);
    if (status && status != SPAR_UNSUPPORTED && status != SPAR_CONFLICT && status != SPAR_ALL_SEEN)
        return status;
    return spar__go_vote(call, status == SPAR_ALL_SEEN ? "all_seen" : NULL);
}
