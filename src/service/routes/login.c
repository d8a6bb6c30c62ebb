/* login.c - a session for a browser: a manage token once, then a cookie. */
#include "service/identity.h"
#include "service/server.h"
#include "text/json.h"

#include "base/alloc.h"

#include <stdio.h>

/* One cookie, for the whole site and for no other one; `seconds` 0 ends it. */
char *spar__cookie(const spar__service *service, const char *name, const char *value, long seconds,
                   const char *same_site)
{
    spar__buf out = {0};
    spar__buf_printf(&out, "%s=%s; Path=/; HttpOnly; SameSite=%s; Max-Age=%ld%s", spar__cookie_name(service, name),
                     value, same_site, seconds, service->https ? "; Secure" : "");
    char *text = out.failed ? NULL : spar__strdup(out.text);
    spar__buf_free(&out);
    return text;
}

void spar__here_login(spar__call *call)
{
    char session[SPAR__SESSION_LENGTH + 1], form[SPAR__FORM_LENGTH + 1];
    spar_error err = {0};
    bool good = true;
    const char *token = spar__body_text(call, "token", &good);
    if (!good)
        return;
    spar__keyring keys = spar__service_keys(call->service);
    uint64_t number = token ? spar__service_token(call->service, token) : 0;
    if (!number && token)
        number = spar__first_login_use(&call->service->first, token);
    if (!number) {
        spar__reply_problem(&call->reply, 401, "token", "this token is wrong, has expired or was revoked");
        return;
    }
    spar_status status = spar__login_new(&keys, number, spar__now(), session, &err);
    if (!status)
        status = spar__form_token(&keys, session, form);
    if (status) {
        spar__reply_failure(&call->reply, status, &err);
        return;
    }
    call->reply.cookie[0] = spar__cookie(call->service, "spar_session", session, SPAR__SESSION_SECONDS, "Strict");
    spar__json json = {.out = &call->reply.body};
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "csrf", form);
    spar__json_end_object(&json);
    spar__reply_json(&call->reply, 200);
}

void spar__here_logout(spar__call *call)
{
    if (call->caller.until) { /* by a session, which others may have seen */
        spar__logouts_add(&call->service->logouts, call->caller.session);
        spar__worker_nudge(&call->service->writer); /* which stores it */
    }
    call->reply.cookie[0] = spar__cookie(call->service, "spar_session", "", 0, "Strict");
    call->reply.status = 204;
}
