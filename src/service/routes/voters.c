/* voters.c - becoming a voter: a secret that the browser or program keeps. */
#include "service/identity.h"
#include "service/server.h"

#include "text/json.h"

#include <string.h>

/* The invitation of a code, if it is good here. */
static bool find(spar__call *call, const char *code, spar__invitation *out)
{
    spar__invitations *all = &call->service->invitations;
    return spar__invitations_find(all, code, out) &&
           spar__invitations_good(all, out->number, spar__place_stored(call->place), spar__now());
}

static spar_status make(const spar__call *call, uint64_t invitation, const char *start, char *secret, spar_error *err)
{
    spar__keyring keys = spar__service_keys(call->service);
    return start ? spar__voter_started(&keys, call->service->voter_key, invitation, start, secret)
                 : spar__voter_new(&keys, invitation, secret, err);
}

/* Has this voter been asked anything here? */
static bool has_come(const spar__call *call, const spar_experiment *experiment, const char *secret)
{
    char name[SPAR__VOTER_NAME_LENGTH + 1];
    return !spar__voter_name(call->service->voter_key, spar__place_stored(call->place), secret, name) &&
           (spar_experiment_open_screens(experiment, name, 0, NULL) || spar_experiment_last_answered(experiment, name));
}

/* The use of an invitation is on disk before the secret goes out. */
static spar_status use(spar__call *call, const spar__invitation *invitation, bool only, bool *done, spar_error *err)
{
    spar__service *service = call->service;
    bool full = false;
    spar_status status = spar__invitation_use(&service->invitations, service->store, invitation->number, &full, err);
    *done = status == SPAR_UNKNOWN || (!status && full && !only);
    if (status == SPAR_UNKNOWN)
        spar__refuse(call, 403, "not_invited",
                     "this invitation is not for this experiment, has expired or was revoked");
    else if (*done)
        spar__refuse(call, 403, "invitation_used", "as many voters as this invitation is for have come");
    return status == SPAR_UNKNOWN ? SPAR_OK : status;
}

static spar_status invited(spar__call *call, const spar_experiment *experiment, const char *code, const char *start,
                           char *secret, bool *done, spar_error *err)
{
    spar__invitation invitation;
    spar__keyring keys = spar__service_keys(call->service);
    *done = !find(call, code, &invitation);
    if (*done) {
        spar__refuse(call, 403, "not_invited",
                     "this invitation is not for this experiment, has expired or was revoked");
        return SPAR_OK;
    }
    bool only = invitation.most == 1;
    spar_status status = only ? spar__voter_invited(&keys, call->service->voter_key, invitation.number, secret)
                              : make(call, invitation.number, start, secret, err);
    if (status || (only && invitation.used) || (start && has_come(call, experiment, secret)))
        return status;
    return use(call, &invitation, only, done, err);
}

spar_status spar__voter_make(spar__call *call, const spar_experiment *experiment, const char *code, const char *start,
                             char *secret, bool *done, spar_error *err)
{
    *done = false;
    if (code)
        return invited(call, experiment, code, start, secret, done, err);
    *done = spar_experiment_access(experiment) == SPAR_ACCESS_INVITED && !call->caller.manager;
    if (*done)
        spar__refuse(call, 403, "not_invited", "only those who were invited can vote here");
    return *done ? SPAR_OK : make(call, 0, start, secret, err);
}

char *spar__voter_cookie(const spar__call *call, const char *secret)
{
    enum { YEAR = 365 * 86400 };
    char name[SPAR__COOKIE_NAME] = "spar_voter";
    bool invited = strspn(secret, "0") < 16; /* the first 8 bytes are the number of the invitation */
    if (invited && call->shape->page)
        spar__voter_cookie_name(call->service, call->place, name);
    return spar__cookie(call->service, name, secret, YEAR, "Lax");
}

static void reply(spar__call *call, const char *secret)
{
    char name[SPAR__VOTER_NAME_LENGTH + 1];
    if (spar__voter_name(call->service->voter_key, spar__place_stored(call->place), secret, name)) {
        spar__refuse(call, 503, "out_of_memory", "out of memory");
        return;
    }
    call->reply.cookie[0] = spar__voter_cookie(call, secret);
    spar__json json = {.out = &call->reply.body};
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "voter", name);
    spar__json_add_string(&json, "secret", secret);
    spar__json_end_object(&json);
    spar__reply_json(&call->reply, 201);
}

void spar__change_new_voter(spar__call *call, spar_experiment *experiment)
{
    char secret[SPAR__VOTER_LENGTH + 1];
    spar_error err = {0};
    bool good = true, done = false;
    const char *code = spar__body_text(call, "invitation", &good);
    if (!good)
        return;
    spar_status status = spar__voter_make(call, experiment, code, NULL, secret, &done, &err);
    if (status)
        spar__reply_failure(&call->reply, status, &err);
    else if (!done)
        reply(call, secret);
}
