/* auth.c - who asks, and whether it may.
 *
 * A manager brings "Authorization: Bearer TOKEN", or a session cookie and, where it changes something, the form token.
 * A voter brings "Authorization: Voter SECRET" or the voter cookie. A manager's program may also ask and tell for
 * others: it names the voter in the body. */
#include "service/identity.h"
#include "service/server.h"

#include "base/clock.h"
#include "store/digest.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

double spar__seconds(void)
{
    return 1e-9 * spar__clock_wall();
}

int64_t spar__now(void)
{
    return (int64_t)time(NULL);
}

const char *spar__cookie_name(const spar__service *service, const char *plain)
{
    static const char *const host[] = {"__Host-spar_voter", "__Host-spar_session", "__Host-spar_invitation"};
    for (size_t i = 0; service->https && i < sizeof host / sizeof *host; i++)
        if (strcmp(host[i] + strlen("__Host-"), plain) == 0)
            return host[i];
    return plain;
}

/* Pages are for browsers, which bring cookies. */
static const char *bearer(const spar__call *call, const char *scheme)
{
    const char *value = call->shape->page ? NULL : spar__call_header(call, "Authorization");
    size_t n = strlen(scheme);
    return value && strncmp(value, scheme, n) == 0 && value[n] == ' ' ? value + n + 1 : NULL;
}

/* Programs send it as a header, forms as a field, which is looked at when the body is there. */
static bool has_form_token(spar__call *call, const spar__keyring *keys, const char *session)
{
    bool good = true;
    if (call->route->method == SPAR__GET || (call->shape->page && !call->whole))
        return true;
    const char *form =
        call->shape->page ? spar__body_text(call, "csrf", &good) : spar__call_header(call, "X-CSRF-Token");
    return good && form && spar__form_check(keys, session, spar__now(), form);
}

static bool by_session(spar__call *call)
{
    char session[SPAR__SESSION_LENGTH + 1];
    uint64_t token = 0;
    spar__service *service = call->service;
    spar__keyring keys = spar__service_keys(service);
    if (!spar__call_cookie(call, spar__cookie_name(service, "spar_session"), session, sizeof session) ||
        !spar__login_check(&keys, session, spar__now(), &token) ||
        !spar__tokens_alive(&service->tokens, token, spar__now()) || !spar__login_id(session, call->caller.session) ||
        spar__logouts_has(&service->logouts, call->caller.session))
        return true; /* an old cookie is none */
    if (!has_form_token(call, &keys, session))
        return call->route->role != SPAR__ROLE_MANAGER || /* to log in again, or to vote, it is not needed */
               spar__refuse(call, 403, "csrf", "the form token of this session is missing or wrong");
    call->caller.manager = true;
    call->caller.token = token;
    call->caller.until = spar__login_end(session);
    return true;
}

static bool find_manager(spar__call *call)
{
    const char *token = bearer(call, "Bearer");
    if (!token)
        return by_session(call);
    double wait = 0;
    call->caller.token = spar__service_token(call->service, token);
    if (call->caller.token) {
        call->caller.manager = call->caller.program = true;
        return true;
    }
    if (!spar__limit_take(&call->service->logins, call->address.byte, spar__seconds(), &wait))
        return spar__refuse_rate(call, wait);
    return spar__refuse(call, 401, "token", "this token is wrong, has expired or was revoked");
}

void spar__voter_cookie_name(const spar__service *service, const spar__place *place, char out[SPAR__COOKIE_NAME])
{
    unsigned char hash[SPAR_HASH_SIZE];
    const char *stored = spar__place_stored(place);
    spar__sha256(stored, strlen(stored), hash);
    (void)snprintf(out, SPAR__COOKIE_NAME, "%sspar_voter_%02x%02x%02x%02x", service->https ? "__Host-" : "", hash[0],
                   hash[1], hash[2], hash[3]);
}

/* That of the experiment, else that of all. */
static bool voter_cookie(const spar__call *call, const spar__place *place, char *out, size_t size)
{
    char name[SPAR__COOKIE_NAME] = "";
    if (!spar__call_header(call, "Cookie"))
        return false;
    if (place)
        spar__voter_cookie_name(call->service, place, name);
    return (place && spar__call_cookie(call, name, out, size)) ||
           spar__call_cookie(call, spar__cookie_name(call->service, "spar_voter"), out, size);
}

static bool find_voter(spar__call *call)
{
    char cookie[SPAR__VOTER_LENGTH + 1];
    const char *secret = bearer(call, "Voter"), *name = spar__call_param(call, 0);
    const spar__place *place = name ? spar__places_find(&call->service->places, name) : NULL;
    bool by_cookie = !secret && voter_cookie(call, place, cookie, sizeof cookie);
    if (by_cookie)
        secret = cookie;
    if (!secret || !place)
        return true;
    spar__keyring keys = spar__service_keys(call->service);
    if (!spar__voter_check(&keys, secret, spar__now(), &call->caller.invitation))
        return by_cookie || spar__refuse(call, 401, "voter", "this voter secret is not from here");
    return !spar__voter_name(call->service->voter_key, spar__place_stored(place), secret, call->caller.voter) ||
           spar__refuse(call, 503, "out_of_memory", "out of memory");
}

/* A manager's program names the voter. */
static bool name_voter(spar__call *call)
{
    bool good = true;
    const char *name = call->caller.program ? spar__body_text(call, "voter", &good) : NULL;
    if (!name)
        return good;
    if (strlen(name) >= sizeof call->caller.voter)
        return spar__refuse(call, 400, "invalid", "voter: the name is too long");
    memcpy(call->caller.voter, name, strlen(name) + 1);
    return true;
}

static bool check_rate(spar__call *call)
{
    unsigned char key[SPAR_HASH_SIZE];
    double wait = 0;
    if (call->route->rate != SPAR__RATE_VOTER || !*call->caller.voter || call->caller.program)
        return true;
    spar__sha256(call->caller.voter, strlen(call->caller.voter), key);
    return spar__limit_take(&call->service->voters, key, spar__seconds(), &wait) || spar__refuse_rate(call, wait);
}

bool spar__auth_check(spar__call *call)
{
    if (!find_manager(call) || !find_voter(call) || !name_voter(call))
        return false;
    const spar__caller *caller = &call->caller;
    if (call->route->role == SPAR__ROLE_MANAGER && !caller->manager)
        return spar__refuse(call, 401, "manager", "this is for managers; send a manage token");
    if (call->route->role == SPAR__ROLE_VOTER && !*caller->voter && !caller->program)
        return spar__refuse(call, 401, "voter", "this is for voters; start with POST .../voters");
    return check_rate(call);
}

bool spar__auth_still(spar__call *call)
{
    return spar__tokens_alive(&call->service->tokens, call->caller.token, spar__now()) ||
           spar__refuse(call, 401, "token", "this token is wrong, has expired or was revoked");
}

static bool is_invited(spar__service *service, const spar__place *place, const spar__caller *caller,
                       const spar_experiment *experiment)
{
    return spar_experiment_access(experiment) != SPAR_ACCESS_INVITED ||
           spar__invitations_good(&service->invitations, caller->invitation, spar__place_stored(place), spar__now());
}

bool spar__may_vote(spar__service *service, const spar__place *place, const spar__caller *caller,
                    const spar_experiment *experiment)
{
    return caller->manager || is_invited(service, place, caller, experiment);
}

bool spar__may_see_results(spar__service *service, const spar__place *place, const spar__caller *caller,
                           const spar_experiment *experiment)
{
    spar_results_for results = spar_experiment_results(experiment);
    if (caller->manager || results == SPAR_RESULTS_PUBLIC)
        return true;
    return results == SPAR_RESULTS_AFTER_VOTE && *caller->voter && is_invited(service, place, caller, experiment) &&
           spar_experiment_last_answered(experiment, caller->voter);
}

/* With the experiment at hand: what its settings say. */
bool spar__auth_check_here(spar__call *call, const spar_experiment *experiment)
{
    const spar__caller *caller = &call->caller;
    if (call->route->role == SPAR__ROLE_VOTER && !spar__may_vote(call->service, call->place, caller, experiment))
        return spar__refuse(call, 403, "not_invited", "only those who were invited can vote here");
    if (call->route->role == SPAR__ROLE_RESULTS &&
        !spar__may_see_results(call->service, call->place, caller, experiment))
        return spar__refuse(call, 403, "results", "the results of this experiment are not for everybody");
    return true;
}
