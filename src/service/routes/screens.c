/* screens.c - asking: a screen that is on disk, with the token that its answer must bring back. */
#include "service/screen_token.h"
#include "service/server.h"

#include "live/log/batch.h"
#include "live/screen.h"
#include "text/json.h"

bool spar__screen_members(spar__call *call, spar_experiment *experiment, const spar_screen *screen, spar__json *json)
{
    char token[SPAR__SCREEN_TOKEN_LENGTH + 1];
    spar_error err = {0};
    spar__keyring keys = spar__service_keys(call->service);
    spar_status status =
        spar__screen_token_write(&keys, spar__place_stored(call->place), screen, call->caller.voter, token);
    if (!status)
        status = spar__screen_json(experiment, screen, json, &err);
    if (status) {
        spar__reply_failure(&call->reply, status, &err);
        return false;
    }
    spar__json_add_string(json, "token", token);
    return true;
}

bool spar__screen_is_old(const spar_screen *screen)
{
    return spar__now() >= spar_screen_time(screen) / 1000000 + SPAR__SCREEN_SECONDS;
}

size_t spar__voter_open(const spar__call *call, spar_experiment *experiment, uint64_t *first)
{
    enum { LOOKED_AT = 64 };
    uint64_t open[LOOKED_AT] = {0};
    size_t n = spar_experiment_open_screens(experiment, call->caller.voter, LOOKED_AT, open), good = 0;
    *first = 0;
    for (size_t i = 0; i < n && i < LOOKED_AT; i++) {
        spar_screen *screen = NULL;
        if (spar__screen_get(experiment, open[i], &screen, NULL) || !spar__screen_is_old(screen)) {
            *first = *first ? *first : open[i];
            good++;
        }
        spar_screen_free(screen);
    }
    return good;
}

/* Takes the screen, or the reason why there is none. */
static void reply_screen(spar__call *call, spar_experiment *experiment, spar_screen *screen, unsigned code,
                         spar_status status, const spar_error *err)
{
    spar__json json = {.out = &call->reply.body};
    if (status) {
        spar__reply_failure(&call->reply, status, err);
        return;
    }
    spar__json_begin_object(&json);
    if (spar__screen_members(call, experiment, screen, &json)) {
        spar__json_end_object(&json);
        spar__reply_json(&call->reply, code);
    }
    spar_screen_free(screen);
}

void spar__prepare_ask(spar__call *call, spar_experiment *experiment)
{
    uint64_t first = 0;
    spar__batch *batch = NULL;
    spar_screen *screen = NULL;
    spar_error err = {0};
    if (!spar__call_batch(call, &batch))
        return;
    /* A program may ask for as many as it likes. */
    bool full = !call->caller.program && spar__voter_open(call, experiment, &first) >= SPAR__OPEN_MOST;
    if (full) {
        spar_status status = spar__screen_get(experiment, first, &screen, &err);
        reply_screen(call, experiment, screen, 200, status, &err);
    } else
        (void)spar__call_batched(call, spar__batch_ask(batch, call->caller.voter, &call->ticket[0], &err), &err);
}

void spar__finish_ask(spar__call *call, spar_experiment *experiment)
{
    spar_screen *screen = NULL;
    spar_error err = {0};
    spar_status status = spar__batch_screen(call->place->batch, call->ticket[0], &screen, &err);
    atomic_fetch_add(&call->service->metrics.asks, !status);
    reply_screen(call, experiment, screen, 201, status, &err);
}

void spar__read_open_screens(spar__call *call, spar_experiment *experiment)
{
    uint64_t open[16] = {0};
    spar_error err = {0};
    spar__json json = {.out = &call->reply.body};
    size_t n = spar_experiment_open_screens(experiment, call->caller.voter, 16, open);
    spar__json_begin_object(&json);
    spar__json_key(&json, "screens");
    spar__json_begin_array(&json);
    for (size_t i = 0; i < n && i < 16; i++) {
        spar_screen *screen = NULL;
        spar_status status = spar_experiment_screen(experiment, open[i], &screen, &err);
        if (status) {
            spar__reply_failure(&call->reply, status, &err);
            return;
        }
        spar__json_begin_object(&json);
        bool good = spar__screen_members(call, experiment, screen, &json);
        spar__json_end_object(&json);
        spar_screen_free(screen);
        if (!good)
            return;
    }
    spar__json_end_array(&json);
    spar__json_end_object(&json);
    spar__reply_json(&call->reply, 200);
}
