/* auth.c - who asks, and whether it may; and what the store keeps for that: keys, manage tokens, invitations.
 *
 * A manager brings "Authorization: Bearer TOKEN", or a session cookie and, where it changes something, the form token.
 * A voter brings "Authorization: Voter SECRET" or the voter cookie. A manager's program may also ask and tell for
 * others: it names the voter in the body. Another program may have changed the secrets of the store: they are read
 * again when it says so, and now and then. */
#include "service/auth/auth.h"

#include "base/clock.h"
#include "service/server.h"
#include "store/digest.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

spar__keyring spar__service_keys(spar__service *service)
{
    (void)pthread_mutex_lock(&service->keys_lock);
    spar__keyring keys = service->keys;
    (void)pthread_mutex_unlock(&service->keys_lock);
    return keys;
}

uint64_t spar__service_token(spar__service *service, const char *text)
{
    /* Tokens are read again now and then, but a shell command may have made this one just now. Strangers may send
     * anything: the store is not asked more often than this. */
    static const double LOOK_EVERY_SECONDS = 0.1;
    uint64_t number = spar__tokens_check(&service->tokens, text, spar__now());
    double now = spar__seconds();
    if (number || !service->file)
        return number;
    (void)pthread_mutex_lock(&service->token_lock);
    bool look = now - service->token_looked > LOOK_EVERY_SECONDS;
    if (look) {
        service->token_looked = now;
        if (!service->token_store)
            (void)spar__store_open(service->settings.place, SPAR__STORE_READ, &service->token_store, NULL);
        look = service->token_store && !spar__tokens_load(&service->tokens, service->token_store, NULL);
    }
    (void)pthread_mutex_unlock(&service->token_lock);
    return look ? spar__tokens_check(&service->tokens, text, spar__now()) : 0;
}

spar_status spar__secrets_load(spar__service *service, spar_error *err)
{
    double start = spar__seconds();
    uint64_t version;
    spar__keyring keys;
    spar_status status = spar__store_secret_version(service->store, &version, err);
    if (!status)
        status = spar__keyring_load(service->store, &keys, err);
    if (!status) {
        (void)pthread_mutex_lock(&service->keys_lock);
        service->keys = keys;
        (void)pthread_mutex_unlock(&service->keys_lock);
    }
    if (!status && !service->has_voter_key) {
        status = spar__random_bytes(service->voter_key, SPAR_HASH_SIZE, err);
        if (!status)
            status = spar__secret_settle(service->store, "voters", service->voter_key, SPAR_HASH_SIZE, err);
        service->has_voter_key = !status;
    }
    if (!status)
        status = spar__tokens_load(&service->tokens, service->store, err);
    if (!status)
        status = spar__invitations_load(&service->invitations, service->store, err);
    if (!status)
        status = spar__logouts_load(&service->logouts, service->store, spar__now(), err);
    if (!status)
        service->secrets_version = version;
    service->secrets_loaded = spar__seconds();
    service->secrets_took = spar__seconds() - start;
    return status;
}

/* --- who asks --- */

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

/* One cookie, for the whole site and for no other one; `seconds` 0 ends it. */
char *spar__cookie(const spar__service *service, const char *name, const char *value, long seconds,
                   const char *same_site)
{
    spar__buf out = {0};
    spar__buf_printf(&out, "%s=%s; Path=/; HttpOnly; SameSite=%s; Max-Age=%ld%s", spar__cookie_name(service, name),
                     value, same_site, seconds, service->https ? "; Secure" : "");
    if (out.failed)
        spar__buf_free(&out);
    return out.text;
}

/* Pages are for browsers, which bring cookies. */
static const char *bearer(const spar__call *call, const char *scheme)
{
    const char *value = call->shape->page ? NULL : spar__call_header(call, "Authorization");
    size_t n = strlen(scheme);
    return value && strncmp(value, scheme, n) == 0 && value[n] == ' ' ? value + n + 1 : NULL;
}

static bool by_session(spar__call *call)
{
    char session[SPAR__SESSION_LENGTH + 1];
    spar__login login;
    spar__service *service = call->service;
    spar__keyring keys = spar__service_keys(service);
    if (!spar__call_cookie(call, spar__cookie_name(service, "spar_session"), session, sizeof session) ||
        !spar__login_check(&keys, session, spar__now(), &login) ||
        !spar__tokens_alive(&service->tokens, login.token, spar__now()) ||
        spar__logouts_has(&service->logouts, login.id))
        return true; /* an old cookie is none */
    /* Programs send the form token as a header, forms as a field, which is looked at when the body is there. */
    bool later = call->route->method == SPAR__GET || (call->shape->page && !call->whole);
    const char *form = call->shape->page ? spar__body_text(call, "csrf") : spar__call_header(call, "X-CSRF-Token");
    if (!later && !(form && spar__form_check(&keys, session, spar__now(), form)))
        return call->route->role != SPAR__ROLE_MANAGER || /* to log in again, or to vote, it is not needed */
               spar__refuse(call, 403, "csrf", "the form token of this session is missing or wrong");
    call->caller.manager = true;
    call->caller.token = login.token;
    call->caller.until = login.end;
    memcpy(call->caller.session, login.id, sizeof login.id);
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

void spar__voter_cookie_name(const spar__service *service, const spar__hosted *hosted, char out[SPAR__COOKIE_NAME])
{
    unsigned char hash[SPAR_HASH_SIZE];
    const char *stored = spar__hosted_name(hosted);
    spar__sha256(stored, strlen(stored), hash);
    (void)snprintf(out, SPAR__COOKIE_NAME, "%sspar_voter_%02x%02x%02x%02x", service->https ? "__Host-" : "", hash[0],
                   hash[1], hash[2], hash[3]);
}

static bool find_voter(spar__call *call)
{
    char cookie[SPAR__VOTER_LENGTH + 1], cookie_name[SPAR__COOKIE_NAME];
    const char *secret = bearer(call, "Voter"), *name = spar__call_param(call, 0);
    const spar__hosted *hosted = name ? spar__hosting_find(&call->service->hosting, name) : NULL;
    if (!hosted)
        return true;
    bool by_cookie = !secret && spar__call_header(call, "Cookie");
    if (by_cookie) { /* that of the experiment, else that of all */
        spar__voter_cookie_name(call->service, hosted, cookie_name);
        if (spar__call_cookie(call, cookie_name, cookie, sizeof cookie) ||
            spar__call_cookie(call, spar__cookie_name(call->service, "spar_voter"), cookie, sizeof cookie))
            secret = cookie;
    }
    if (!secret)
        return true;
    spar__keyring keys = spar__service_keys(call->service);
    if (!spar__voter_check(&keys, secret, spar__now(), &call->caller.invitation))
        return by_cookie || spar__refuse(call, 401, "voter", "this voter secret is not from here");
    return !spar__voter_name(call->service->voter_key, spar__hosted_name(hosted), secret, call->caller.voter) ||
           spar__refuse(call, 503, "out_of_memory", "out of memory");
}

bool spar__auth_check(spar__call *call)
{
    unsigned char key[SPAR_HASH_SIZE];
    double wait = 0;
    spar__caller *caller = &call->caller;
    if (!find_manager(call) || !find_voter(call))
        return false;
    const char *name = caller->program ? spar__body_text(call, "voter") : NULL; /* a manager's program names it */
    if (name && strlen(name) >= sizeof caller->voter)
        return spar__refuse(call, 400, "invalid", "voter: the name is too long");
    if (name)
        memcpy(caller->voter, name, strlen(name) + 1);
    if (call->route->role == SPAR__ROLE_MANAGER && !caller->manager)
        return spar__refuse(call, 401, "manager", "this is for managers; send a manage token");
    if (call->route->role == SPAR__ROLE_VOTER && !*caller->voter && !caller->program)
        return spar__refuse(call, 401, "voter", "this is for voters; start with POST .../voters");
    if (call->route->rate != SPAR__RATE_VOTER || !*caller->voter || caller->program)
        return true;
    spar__sha256(caller->voter, strlen(caller->voter), key);
    return spar__limit_take(&call->service->voters, key, spar__seconds(), &wait) || spar__refuse_rate(call, wait);
}

bool spar__auth_still(spar__call *call)
{
    return spar__tokens_alive(&call->service->tokens, call->caller.token, spar__now()) ||
           spar__refuse(call, 401, "token", "this token is wrong, has expired or was revoked");
}

static bool is_invited(spar__service *service, const spar__hosted *hosted, const spar__caller *caller,
                       const spar_experiment *experiment)
{
    return spar_experiment_access(experiment) != SPAR_ACCESS_INVITED ||
           spar__invitations_good(&service->invitations, caller->invitation, spar__hosted_name(hosted), spar__now());
}

bool spar__may_vote(spar__service *service, const spar__hosted *hosted, const spar__caller *caller,
                    const spar_experiment *experiment)
{
    return caller->manager || is_invited(service, hosted, caller, experiment);
}

bool spar__may_see_results(spar__service *service, const spar__hosted *hosted, const spar__caller *caller,
                           const spar_experiment *experiment)
{
    spar_results_for results = spar_experiment_results(experiment);
    if (caller->manager || results == SPAR_RESULTS_PUBLIC)
        return true;
    return results == SPAR_RESULTS_AFTER_VOTE && *caller->voter && is_invited(service, hosted, caller, experiment) &&
           spar_experiment_last_answered(experiment, caller->voter);
}

/* With the experiment at hand: what its settings say. */
bool spar__auth_check_here(spar__call *call, const spar_experiment *experiment)
{
    const spar__caller *caller = &call->caller;
    if (call->route->role == SPAR__ROLE_VOTER && !spar__may_vote(call->service, call->hosted, caller, experiment))
        return spar__refuse(call, 403, "not_invited", "only those who were invited can vote here");
    if (call->route->role == SPAR__ROLE_RESULTS &&
        !spar__may_see_results(call->service, call->hosted, caller, experiment))
        return spar__refuse(call, 403, "results", "the results of this experiment are not for everybody");
    return true;
}
