/* voters.c - becoming a voter: a secret that the browser or program keeps. */
#include "service/identity.h"
#include "service/server.h"

#include "text/json.h"

static void refuse(spar__call *call, unsigned status, const char *code, const char *sentence)
{
    spar__reply_problem(&call->reply, status, code, "%s", sentence);
}

/* The invitation of a code, if it is good here. */
static bool find(spar__call *call, const char *code, spar__invitation *out)
{
    spar__invitations *all = &call->service->invitations;
    return spar__invitations_find(all, code, out) &&
           spar__invitations_good(all, out->number, spar__place_stored(call->place), spar__now());
}

/* By an invitation, whose use is on disk before the secret goes out. *done: the call was answered with a refusal. */
static spar_status invited(spar__call *call, const char *code, char secret[SPAR__VOTER_LENGTH + 1], bool *done,
                           spar_error *err)
{
    spar__service *service = call->service;
    spar__invitation invitation;
    spar__keyring keys = spar__service_keys(service);
    bool found = find(call, code, &invitation), only = found && invitation.most == 1, full = false;
    spar_status status = SPAR_OK;
    if (found && !(only && invitation.used))
        status = spar__invitation_use(&service->invitations, service->store, invitation.number, &full, err);
    if (status && status != SPAR_UNKNOWN)
        return status;
    *done = !found || status || (full && !only);
    if (!found || status)
        refuse(call, 403, "not_invited", "this invitation is not for this experiment, has expired or was revoked");
    else if (*done)
        refuse(call, 403, "invitation_used", "as many voters as this invitation is for have come");
    if (*done)
        return SPAR_OK;
    return only ? spar__voter_invited(&keys, service->voter_key, invitation.number, secret)
                : spar__voter_new(&keys, invitation.number, secret, err);
}

static void reply(spar__call *call, const char *secret)
{
    char name[SPAR__VOTER_NAME_LENGTH + 1];
    if (spar__voter_name(call->service->voter_key, spar__place_stored(call->place), secret, name)) {
        refuse(call, 503, "out_of_memory", "out of memory");
        return;
    }
    enum { YEAR = 365 * 86400 };
    call->reply.cookie[0] = spar__cookie(call->service, "spar_voter", secret, YEAR, "Lax");
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
    if (!code && spar_experiment_access(experiment) == SPAR_ACCESS_INVITED) {
        refuse(call, 403, "not_invited", "only those who were invited can vote here");
        return;
    }
    spar__keyring keys = spar__service_keys(call->service);
    spar_status status = code ? invited(call, code, secret, &done, &err) : spar__voter_new(&keys, 0, secret, &err);
    if (status)
        spar__reply_failure(&call->reply, status, &err);
    else if (!done)
        reply(call, secret);
}
