/* sessions.c - managers come and go: a manage token once, then a session cookie. */
#include "service/server.h"

#include <string.h>

spar_status spar__route_login(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    char session[SPAR__SESSION_LENGTH + 1], form[SPAR__FORM_LENGTH + 1];
    spar__service *service = call->service;
    const char *token = spar__form_text(call, "token");
    (void)experiment;
    spar__keyring keys = spar__service_keys(service);
    uint64_t number = spar__service_token(service, token);
    (void)pthread_mutex_lock(&service->keys_lock);
    if (!number && *token)
        number = spar__first_login_use(&service->first, token);
    (void)pthread_mutex_unlock(&service->keys_lock);
    if (!number)
        return spar__reply_problem(&call->reply, 401, "token", "this token is wrong, has expired or was revoked");
    spar_status status = spar__login_new(&keys, number, spar__now(), session, err);
    if (!status)
        status = spar__form_token(&keys, session, form);
    if (status)
        return status;
    call->reply.cookie[0] = spar__cookie(service, "spar_session", session, SPAR__SESSION_SECONDS, "Strict");
    spar__json json = {.out = &call->reply.body};
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "csrf", form);
    spar__json_end_object(&json);
    return spar__reply_json(&call->reply, 200);
}

spar_status spar__route_logout(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    (void)experiment;
    (void)err;
    if (call->caller.until) { /* by a session, which others may have seen */
        spar__logouts_add(&call->service->logouts, call->caller.session);
        spar__worker_nudge(&call->service->writer); /* which stores it */
    }
    call->reply.cookie[0] = spar__cookie(call->service, "spar_session", "", 0, "Strict");
    call->reply.status = 204;
    return SPAR_OK;
}

/* --- pages --- */

/* Only pages of managers: an address from elsewhere leads nowhere else. */
static const char *next_of(const char *given)
{
    bool good = given && (strncmp(given, "/manage", 7) == 0 || strcmp(given, "/new") == 0) && !strstr(given, "//") &&
                !strpbrk(given, "\\\r\n");
    return good ? given : "/manage";
}

static spar_status show(spar__call *call, const char *next, unsigned status, spar_error *err)
{
    spar__page page;
    spar__page_begin(&page, call);
    spar__json_add_string(&page.json, "title", spar__page_text(call, "login.heading"));
    spar__json_add_string(&page.json, "next", next_of(next));
    spar__json_add_boolean(&page.json, "wrong", status != 200);
    return spar__page_end(&page, "login", status, err);
}

spar_status spar__route_page_login(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    (void)experiment;
    return show(call, spar__call_query(call, "next"), 200, err);
}

/* The check of /v1/login, and then on to where the manager wanted to go. */
spar_status spar__route_page_log_in(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    const char *next = spar__form_text(call, "next");
    spar_status status = spar__route_login(call, experiment, err);
    if (status || (call->reply.status != 200 && call->reply.status != 401))
        return status;
    return call->reply.status == 401 ? show(call, next, 401, err) : spar__page_go(call, next_of(next), NULL, "");
}

spar_status spar__route_page_log_out(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    (void)spar__route_logout(call, experiment, err);
    return spar__page_go(call, "/login", NULL, "");
}
