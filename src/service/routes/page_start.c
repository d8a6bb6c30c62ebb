/* page_start.c - becoming a voter in a browser: by Start, or by a link with an invitation. */
#include "service/routes/page_vote.h"

#include "base/alloc.h"
#include "service/identity.h"

#include <string.h>

/* --- invitations --- */

bool spar__invitation_cookie(const spar__call *call, char code[SPAR__INVITATION_LENGTH + 1], spar__invitation *out)
{
    spar__invitations *all = &call->service->invitations;
    return spar__call_cookie(call, spar__cookie_name(call->service, "spar_invitation"), code,
                             SPAR__INVITATION_LENGTH + 1) &&
           spar__invitations_find(all, code, out) &&
           spar__invitations_good(all, out->number, spar__place_stored(call->place), spar__now());
}

static spar__place *place_of(spar__places *places, const char *stored)
{
    for (size_t i = 0; i < spar__places_count(places); i++) {
        spar__place *place = spar__places_get(places, i);
        if (strcmp(spar__place_stored(place), stored) == 0)
            return place;
    }
    return NULL;
}

/* The link that was sent around: whoever opens it, a person or a program that shows previews, uses nothing up. The code
 * goes into a cookie, out of the address. */
void spar__here_page_invitation(spar__call *call)
{
    enum { HOUR = 3600 };
    spar__invitation invitation;
    spar__service *service = call->service;
    const char *code = spar__call_param(call, 0);
    bool found = spar__invitations_find(&service->invitations, code, &invitation);
    spar__place *place = found ? place_of(&service->places, invitation.experiment) : NULL;
    spar__buf path = {0};
    if (!place ||
        !spar__invitations_good(&service->invitations, invitation.number, invitation.experiment, spar__now())) {
        spar__reply_problem(&call->reply, 403, "invitation", "this invitation has expired or was revoked");
        return;
    }
    call->reply.cookie[0] = spar__cookie(service, "spar_invitation", code, HOUR, "Lax");
    spar__buf_adds(&path, "/e/");
    spar__url_encode(place->name, &path);
    if (path.failed || !call->reply.cookie[0])
        spar__reply_problem(&call->reply, 503, "out_of_memory", "out of memory");
    else
        spar__page_go(call, path.text);
    spar__buf_free(&path);
}

/* --- Start --- */

/* Who votes: the caller, or somebody new, whose cookie goes into the reply. False: the call was answered. */
static bool find_voter(spar__call *call, const spar_experiment *experiment)
{
    char secret[SPAR__VOTER_LENGTH + 1], code[SPAR__INVITATION_LENGTH + 1];
    spar__invitation invitation;
    spar_error err = {0};
    bool done = false, good = true;
    const char *start = spar__body_text(call, "start", &good);
    if (!good || (*call->caller.voter && spar__may_vote(call->service, call->place, &call->caller, experiment)))
        return good;
    bool opened = spar__invitation_cookie(call, code, &invitation);
    spar_status status = spar__voter_make(call, experiment, opened ? code : NULL, start, secret, &done, &err);
    if (!status && done)
        return false;
    if (!status)
        status =
            spar__voter_name(call->service->voter_key, spar__place_stored(call->place), secret, call->caller.voter);
    if (status)
        spar__reply_failure(&call->reply, status, &err);
    else
        call->reply.cookie[0] = spar__voter_cookie(call, secret);
    return !status;
}

/* Asks a screen, unless there is one. Where none can be asked the page says why. */
void spar__change_page_start(spar__call *call, spar_experiment *experiment)
{
    spar_screen *screen = NULL;
    spar_error err = {0};
    if (!find_voter(call, experiment))
        return;
    spar_status status = spar__voter_screen(call, experiment, &screen, NULL, &err);
    if (!status && !screen) {
        status = spar_experiment_ask(experiment, call->caller.voter, &screen, &err);
        if (!status)
            atomic_fetch_add(&call->service->metrics.asks, 1);
    }
    if (status && status != SPAR_UNSUPPORTED && status != SPAR_CONFLICT && status != SPAR_ALL_SEEN)
        spar__reply_failure(&call->reply, status, &err);
    else
        spar__go_vote(call, status == SPAR_ALL_SEEN ? "all_seen" : NULL);
    spar_screen_free(screen);
}
