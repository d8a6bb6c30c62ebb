/* answers.c - screens are asked, answers told and taken back: by programs, and from pages, which then lead back.
 *
 * A screen is on disk before it goes out, with a token that its answer must bring back: the token says which screen and
 * revision the answer is about. A program with a manage token may give the number of the screen instead. The reply
 * follows from the log alone: the same answer told again, by another connection, or after a restart, gets the same
 * reply. All events of one round of the writer share a commit (hosting/writer.c). */
#include "live/answer_request.h"
#include "live/live.h"
#include "live/log/batch.h"
#include "live/screen.h"
#include "service/server.h"

enum { FAST_MILLISECONDS = 300 };

/* --- screens --- */

static spar_status screen_members(spar__call *call, spar_experiment *experiment, const spar_screen *screen,
                                  spar__json *json, spar_error *err)
{
    char token[SPAR__SCREEN_TOKEN_LENGTH + 1];
    spar__keyring keys = spar__service_keys(call->service);
    spar_status status =
        spar__screen_token_write(&keys, spar__hosted_name(call->hosted), screen, call->caller.voter, token);
    if (!status)
        status = spar__screen_json(experiment, screen, json, err);
    if (!status)
        spar__json_add_string(json, "token", token);
    return status;
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

/* Takes the screen. */
static spar_status reply_screen(spar__call *call, spar_experiment *experiment, spar_screen *screen, bool undone,
                                unsigned code, spar_error *err)
{
    spar__json json = {.out = &call->reply.body};
    spar__json_begin_object(&json);
    if (undone)
        spar__json_add_boolean(&json, "undone", true);
    spar_status status = screen_members(call, experiment, screen, &json, err);
    spar__json_end_object(&json);
    spar_screen_free(screen);
    return status ? status : spar__reply_json(&call->reply, code);
}

spar_status spar__route_ask(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    uint64_t first = 0;
    spar__batch *batch = NULL;
    spar_screen *screen = NULL;
    spar_status status = spar__call_batch(call, &batch, err);
    if (status)
        return status;
    /* A program may ask for as many as it likes. */
    if (call->caller.program || spar__voter_open(call, experiment, &first) < SPAR__MAX_OPEN_SCREENS)
        return spar__call_batched(call, spar__batch_ask(batch, call->caller.voter, &call->ticket[0], err));
    status = spar__screen_get(experiment, first, &screen, err);
    return status ? status : reply_screen(call, experiment, screen, false, 200, err);
}

spar_status spar__finish_ask(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    spar_screen *screen = NULL;
    spar_status status = spar__batch_screen(call->hosted->batch, call->ticket[0], &screen, err);
    atomic_fetch_add(&call->service->metrics.asks, !status);
    return status ? status : reply_screen(call, experiment, screen, false, 201, err);
}

spar_status spar__route_open_screens(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    uint64_t open[16] = {0};
    spar__json json = {.out = &call->reply.body};
    size_t n = spar_experiment_open_screens(experiment, call->caller.voter, 16, open);
    spar_status status = SPAR_OK;
    spar__json_begin_object(&json);
    spar__json_begin_list(&json, "screens");
    for (size_t i = 0; i < n && i < 16 && !status; i++) {
        spar_screen *screen = NULL;
        spar__json_begin_object(&json);
        status = spar__screen_get(experiment, open[i], &screen, err);
        if (!status)
            status = screen_members(call, experiment, screen, &json, err);
        spar__json_end_object(&json);
        spar_screen_free(screen);
    }
    spar__json_end_array(&json);
    spar__json_end_object(&json);
    return status ? status : spar__reply_json(&call->reply, 200);
}

/* --- which screen an answer is about --- */

/* The screen that the body names, new, and its revision there (SPAR_ANY_REVISION: not said). *out NULL, without a
 * failure: the call was refused. */
static spar_status find_screen(spar__call *call, spar_experiment *experiment, spar_screen **out, uint32_t *revision,
                               spar_error *err)
{
    spar__screen_token token = {.revision = SPAR_ANY_REVISION};
    const char *text = spar__body_text(call, "token");
    uint64_t number = 0, said = SPAR_ANY_REVISION;
    *out = NULL;
    spar_status status = spar__body_number(call, "screen", UINT64_MAX, &number, err);
    if (!status)
        status = spar__body_number(call, "revision", UINT32_MAX - 1, &said, err);
    if (status)
        return status;
    if (!text && !(call->caller.program && number))
        return spar__reply_problem(&call->reply, 400, "invalid", "the body has no 'token' of a screen");
    if (text && !spar__screen_token_read(text, &token))
        return spar__reply_problem(&call->reply, 403, "token", "this is not the token of a screen");
    if (text && number && number != token.screen)
        return spar__reply_problem(&call->reply, 400, "invalid", "'screen' and 'token' are about different screens");
    if (!call->hosted->batch) /* with a batch there is nothing new */
        status = spar_experiment_refresh(experiment, err);
    if (!status)
        status = spar__screen_get(experiment, text ? token.screen : number, out, err);
    if (status == SPAR_UNKNOWN && text)
        return spar__reply_problem(&call->reply, 403, "token", "this token is not from here");
    *revision = text ? token.revision : (uint32_t)said;
    if (status || !text)
        return status;
    spar__keyring keys = spar__service_keys(call->service);
    bool ours =
        spar__screen_token_check(&keys, spar__hosted_name(call->hosted), *out, call->caller.voter, spar__now(), &token);
    if (ours && spar__now() < token.expires)
        return SPAR_OK;
    spar_screen_free(*out);
    *out = NULL;
    return ours ? spar__reply_problem(&call->reply, 410, "expired",
                                      "this screen was asked more than 24 hours ago; ask for a new one")
                : spar__reply_problem(&call->reply, 403, "token",
                                      "this token is not from here, or for another screen or voter");
}

/* --- telling --- */

/* What follows an answer in the log: the screen that was asked with it, if there is one. */
typedef struct next_search {
    uint64_t voter, number;
    bool later; /* the screen had a batch of its own: what others did may come before it */
} next_search;

static spar_status see_event(void *context, const spar_event *event, const unsigned char hash[SPAR_HASH_SIZE],
                             spar_error *err)
{
    next_search *search = context;
    (void)hash;
    (void)err;
    bool own = spar_event_voter(event) == search->voter;
    if (spar_event_kind_of(event) == SPAR_EVENT_SCREEN && own)
        search->number = spar_event_number(event);
    return own || !search->later ? SPAR_INTERRUPTED : SPAR_OK; /* one is enough */
}

static spar_status find_next(spar_experiment *experiment, uint64_t screen, uint32_t revision, uint64_t *number,
                             spar_error *err)
{
    spar_event *event = NULL;
    spar_status status = spar_event_new(&event) ? spar__fail_memory(err) : SPAR_OK;
    if (!status)
        status = spar__live_find(experiment, SPAR_EVENT_ANSWER, screen, revision, event, err);
    if (!status) {
        next_search search = {spar_event_voter(event), 0, spar_experiment_against_last(experiment)};
        status = spar_experiment_each(experiment, spar_event_sequence(event) + 1, see_event, &search, err);
        *number = search.number;
    }
    spar_event_free(event);
    return status == SPAR_INTERRUPTED ? SPAR_OK : status;
}

/* next: the screen that goes with the reply where that is wanted, 0: there is none. */
static spar_status reply_saved(spar__call *call, spar_experiment *experiment, uint64_t next, spar_error *err)
{
    spar__json json = {.out = &call->reply.body};
    spar_screen *screen = NULL;
    spar_status status = SPAR_OK;
    spar__json_begin_object(&json);
    spar__json_add_unsigned(&json, "screen", call->screen);
    spar__json_add_unsigned(&json, "revision", call->revision);
    spar__json_add_boolean(&json, "saved", true);
    if (call->wants_next && next) {
        spar__json_begin_member(&json, "next");
        status = spar__screen_get(experiment, next, &screen, err);
        if (!status)
            status = screen_members(call, experiment, screen, &json, err);
        spar__json_end_object(&json);
        spar_screen_free(screen);
    } else if (call->wants_next) {
        spar__json_add_string(&json, "next", NULL);
    }
    spar__json_end_object(&json);
    return status ? status : spar__reply_json(&call->reply, 200);
}

/* The answer, and the next screen with it where that was wanted and can be asked. All screens of a batch are drawn from
 * the state before it; where one slot is the new setting of the last answered screen, the answer has to be in it. */
static spar_status add_answer(spar__call *call, spar_experiment *experiment, const spar_screen *screen,
                              const spar_answer *answer, const spar_remarks *remarks, spar_error *err)
{
    spar__batch *batch = NULL;
    uint64_t next = 0;
    bool again = false;
    spar_status status = spar__call_batch(call, &batch, err);
    if (status)
        return status;
    call->screen = spar_screen_number(screen);
    call->revision = spar_screen_revision(screen);
    status = spar__batch_tell(batch, call->screen, call->caller.voter, answer, remarks, &again, &call->ticket[0], err);
    if (!status && again) {
        atomic_fetch_add(&call->service->metrics.again, 1);
        if (call->wants_next)
            status = find_next(experiment, call->screen, call->revision, &next, err);
        return status ? status : reply_saved(call, experiment, next, err);
    }
    if (!status && call->wants_next) {
        call->asks_later = spar_experiment_against_last(experiment);
        call->asked = !call->asks_later && !spar__batch_ask(batch, call->caller.voter, &call->ticket[1], NULL);
    }
    return spar__call_batched(call, status);
}

spar_status spar__route_tell(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    spar__told told = {.places = call->shape->page};
    uint32_t revision = SPAR_ANY_REVISION;
    spar_screen *screen = NULL;
    spar_answer *answer = NULL;
    spar_remarks *remarks = NULL;
    if (call->saved) { /* the answer is on disk: where no screen can be asked there is none */
        spar__batch *batch = NULL;
        spar_status status = spar__call_batch(call, &batch, err);
        if (status)
            return status;
        status = spar__batch_ask(batch, call->caller.voter, &call->ticket[1], err);
        call->asked = status == SPAR_OK;
        return !status || status == SPAR_BUSY ? spar__call_batched(call, status)
                                              : reply_saved(call, experiment, 0, err);
    }
    if (!call->shape->page) /* else the page has said so */
        call->wants_next = spar__body_flag(call, "next");
    spar_status status = find_screen(call, experiment, &screen, &revision, err);
    if (status || !screen)
        return status;
    status = spar__told_read(&call->json, &told, err);
    if (!status)
        status = spar__told_check(&told, err);
    if (!status)
        status = spar_answer_new(&answer) ? spar__fail_memory(err) : SPAR_OK;
    if (!status)
        status = spar__answer_to_screen(experiment, screen, &told, answer, err);
    if (!status) {
        /* Flagged if it came too fast to have been looked at, by our clock or theirs. */
        int64_t passed = (spar__live_now() - spar_screen_time(screen)) / 1000;
        if (!told.has_taken && passed >= 0 && passed <= UINT32_MAX) {
            told.has_taken = true;
            told.taken = (uint32_t)passed;
        }
        status = spar__told_remarks(&told, &remarks, err);
        if (!status && passed >= 0 && passed < FAST_MILLISECONDS)
            spar_remarks_set_flags(remarks, SPAR_FLAG_FAST);
        if (!status && revision != SPAR_ANY_REVISION)
            spar_remarks_set_revision(remarks, revision);
    }
    if (!status)
        status = add_answer(call, experiment, screen, answer, remarks, err);
    spar_remarks_free(remarks);
    spar_answer_free(answer);
    spar_screen_free(screen);
    return status;
}

spar_status spar__finish_tell(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    uint64_t next = 0;
    const spar__batch *batch = call->hosted->batch;
    spar_status status = call->saved ? SPAR_OK : spar__batch_result(batch, call->ticket[0], NULL, err);
    if (status)
        return status;
    atomic_fetch_add(&call->service->metrics.answers, !call->saved);
    if (call->asks_later && !call->saved) {
        call->saved = call->deferred = true;
        return SPAR_OK;
    }
    if (call->asked && !spar__batch_result(batch, call->ticket[1], &next, NULL))
        atomic_fetch_add(&call->service->metrics.asks, 1);
    return reply_saved(call, experiment, next, err);
}

/* --- taking back --- */

static spar_status reply_undone(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    spar_screen *screen = NULL;
    spar_status status = spar_experiment_screen(experiment, call->screen, &screen, err);
    return status ? status : reply_screen(call, experiment, screen, true, 200, err);
}

int64_t spar__answer_age(spar_experiment *experiment, uint64_t screen, uint32_t revision)
{
    spar_event *event = NULL;
    if (spar_event_new(&event))
        return -1;
    spar_status status = spar__live_find(experiment, SPAR_EVENT_ANSWER, screen, revision, event, NULL);
    int64_t passed = status ? 0 : spar__live_now() - spar_event_time(event);
    spar_event_free(event);
    return status == SPAR_NOMEM ? -1 : passed > 0 ? passed / 1000000 : 0;
}

/* A voter takes back the last answer only, for a while. */
static bool may_undo(spar__call *call, spar_experiment *experiment, uint32_t revision)
{
    uint64_t first;
    if (call->caller.program)
        return true;
    if (spar_experiment_last_answered(experiment, call->caller.voter) != call->screen)
        return spar__refuse(call, 409, "too_late", "only the last answer can be taken back");
    if (spar__voter_open(call, experiment, &first) >= SPAR__MAX_OPEN_SCREENS)
        return spar__refuse(call, 409, "open", "this would leave three open screens; at most two are allowed");
    int64_t age = spar__answer_age(experiment, call->screen, revision);
    if (age < 0)
        return spar__refuse(call, 503, "out_of_memory", "out of memory");
    return age <= SPAR__UNDO_SECONDS ||
           spar__refuse(call, 409, "too_late", "an answer can be taken back for 5 minutes");
}

spar_status spar__route_undo(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    spar_screen *screen = NULL;
    spar__batch *batch = NULL;
    uint32_t revision = SPAR_ANY_REVISION;
    bool again = false;
    spar_status status = find_screen(call, experiment, &screen, &revision, err);
    if (status || !screen)
        return status;
    call->screen = spar_screen_number(screen);
    bool undone = revision < spar_screen_revision(screen); /* already: told again */
    spar_screen_free(screen);
    if (!undone && !may_undo(call, experiment, revision))
        return SPAR_OK;
    status = spar__call_batch(call, &batch, err);
    if (status)
        return status;
    status = spar__batch_undo(batch, call->screen, call->caller.voter, revision, &again, &call->ticket[0], err);
    return !status && again ? reply_undone(call, experiment, err) : spar__call_batched(call, status);
}

spar_status spar__finish_undo(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    spar_status status = spar__batch_result(call->hosted->batch, call->ticket[0], NULL, err);
    if (status)
        return status;
    atomic_fetch_add(&call->service->metrics.undos, 1);
    return reply_undone(call, experiment, err);
}

/* --- from pages --- */

/* What the program's route has answered with success leads back to the page, which says so; NULL: what became of an
 * answer. */
static spar_status go_back(spar__call *call, spar_status status, const char *said)
{
    if (status || call->reply.status < 200 || call->reply.status >= 300)
        return status;
    if (!said)
        said = spar__json_member(&call->json, spar__json_root(&call->json), "skip") ? "skipped" : "saved";
    return spar__go_vote(call, said);
}

/* The next screen is asked with the answer, if the voter has no other open one: after an undo there is. */
spar_status spar__route_page_answer(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    uint64_t first;
    call->wants_next = spar__voter_open(call, experiment, &first) < SPAR__MAX_OPEN_SCREENS;
    return go_back(call, spar__route_tell(call, experiment, err), NULL);
}

spar_status spar__finish_page_answer(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    call->wants_next = false; /* the page that follows shows it */
    return go_back(call, spar__finish_tell(call, experiment, err), NULL);
}

spar_status spar__route_page_undo(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    return go_back(call, spar__route_undo(call, experiment, err), "undone");
}

spar_status spar__finish_page_undo(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    return go_back(call, spar__finish_undo(call, experiment, err), "undone");
}
