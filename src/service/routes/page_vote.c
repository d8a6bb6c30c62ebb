/* page_vote.c - the page of an experiment: question and Start, or the voter's open screen. Looking changes nothing. */
#include "service/routes/page_vote.h"

#include "service/screen_token.h"
#include "store/digest.h"

#include <string.h>

enum { OPEN_MOST = 16, LONG_QUESTION = 200 };

/* --- which screen --- */

spar_status spar__voter_screen(const spar__call *call, spar_experiment *experiment, spar_screen **out, bool *old,
                               spar_error *err)
{
    uint64_t open[OPEN_MOST] = {0};
    *out = NULL;
    if (!*call->caller.voter)
        return SPAR_OK;
    size_t n = spar_experiment_open_screens(experiment, call->caller.voter, OPEN_MOST, open);
    for (size_t i = 0; i < n && i < OPEN_MOST; i++) {
        spar_screen *screen = NULL;
        spar_status status = spar_experiment_screen(experiment, open[i], &screen, err);
        if (status)
            return status;
        if (!spar__screen_is_old(screen)) {
            *out = screen;
            return SPAR_OK;
        }
        spar_screen_free(screen);
        if (old)
            *old = true;
    }
    return SPAR_OK;
}

void spar__go_vote(spar__call *call, const char *said)
{
    spar__buf path = {0};
    spar__buf_adds(&path, "/e/");
    spar__url_encode(spar__call_param(call, 0), &path);
    if (said)
        spar__buf_printf(&path, "?said=%s", said);
    if (path.failed)
        spar__reply_problem(&call->reply, 503, "out_of_memory", "out of memory");
    else
        spar__page_go(call, path.text);
    spar__buf_free(&path);
}

/* --- the page --- */

/* What became of what the voter did; a stranger who was sent such an address has done nothing. */
static void add_said(spar__page *page)
{
    const char *said = spar__call_query(page->call, "said");
    bool known = said && *page->call->caller.voter && spar__word_among("saved|skipped|undone|all_seen", said);
    spar__json_add_boolean(&page->json, "saved", known && strcmp(said, "saved") == 0);
    spar__json_add_boolean(&page->json, "skipped", known && strcmp(said, "skipped") == 0);
    spar__json_add_boolean(&page->json, "undone", known && strcmp(said, "undone") == 0);
}

/* The token of the last answer, where that can be taken back. */
static void add_undo(spar__page *page, spar_experiment *experiment)
{
    enum { MOST_UNDOS = 3 };
    spar__call *call = page->call;
    char token[SPAR__SCREEN_TOKEN_LENGTH + 1] = "";
    spar_screen *screen = NULL;
    uint64_t first;
    spar__keyring keys = spar__service_keys(call->service);
    uint64_t last = *call->caller.voter ? spar_experiment_last_answered(experiment, call->caller.voter) : 0;
    if (last && !spar_experiment_screen(experiment, last, &screen, NULL) && !spar__screen_is_old(screen) &&
        spar_screen_revision(screen) < MOST_UNDOS && spar__voter_open(call, experiment, &first) < SPAR__OPEN_MOST &&
        spar__answer_age(experiment, last, spar_screen_revision(screen)) <= SPAR__UNDO_SECONDS &&
        spar__screen_token_write(&keys, spar__place_stored(call->place), screen, call->caller.voter, token))
        *token = '\0';
    spar_screen_free(screen);
    spar__json_add_boolean(&page->json, "answered", last != 0);
    spar__json_add_string(&page->json, "undo", token);
    spar__json_add_boolean(&page->json, "results",
                           (last || call->caller.manager) &&
                               spar__may_see_results(call->service, call->place, &call->caller, experiment));
}

static bool has_two(const spar_experiment *experiment)
{
    size_t live = spar_experiment_axes(experiment) ? 2 : 0;
    for (size_t arm = 0; arm < spar_experiment_options(experiment) && live < 2; arm++)
        live += spar_experiment_is_live(experiment, arm);
    return live >= 2;
}

/* No item is left for this voter, or none was found when a screen was asked for. */
static bool has_seen_all(const spar__call *call, const spar_experiment *experiment)
{
    const char *said = spar__call_query(call, "said");
    if (!spar_experiment_items(experiment) || !*call->caller.voter)
        return false;
    return spar_experiment_items_left(experiment, call->caller.voter) == 0 || (said && strcmp(said, "all_seen") == 0);
}

/* Why there is no screen to show, or that one may be asked for. */
static const char *state_of(const spar__call *call, const spar_experiment *experiment)
{
    char code[SPAR__INVITATION_LENGTH + 1];
    spar__invitation invitation;
    bool may = spar__may_vote(call->service, call->place, &call->caller, experiment);
    bool opened = !may && spar__invitation_cookie(call, code, &invitation);
    if (!may && !opened)
        return "not_invited";
    if (opened && invitation.most > 1 && invitation.used >= invitation.most)
        return "full";
    if (spar_experiment_is_closed(experiment))
        return "closed";
    if (!has_two(experiment))
        return "few";
    return has_seen_all(call, experiment) ? "all_seen" : "start";
}

static void add_state(spar__page *page, const char *state)
{
    static const char *const all[] = {"start", "few", "closed", "all_seen", "full", "not_invited", "screen"};
    spar__json_add_string(&page->json, "state", state);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        spar__json_add_boolean(&page->json, all[i], strcmp(all[i], state) == 0);
}

/* Two clicks on Start are one voter. */
static spar_status add_start(spar__page *page, spar_error *err)
{
    unsigned char bytes[16];
    char text[2 * sizeof bytes + 1];
    spar_status status = spar__random_bytes(bytes, sizeof bytes, err);
    if (!status) {
        spar__hex_write(bytes, sizeof bytes, text);
        spar__json_add_string(&page->json, "start_text", text);
    }
    return status;
}

/* The first line of the question, for the window. */
static void add_title(spar__page *page, const spar_experiment *experiment)
{
    const char *question = spar_experiment_question(experiment);
    spar__buf title = {0};
    spar__buf_add(&title, question ? question : "", question ? strcspn(question, "\n") : 0);
    page->data.failed |= title.failed;
    spar__json_add_string(&page->json, "title", title.failed ? "" : title.text);
    spar__json_add_string(&page->json, "question", question);
    spar__json_add_boolean(&page->json, "long", question && strlen(question) > LONG_QUESTION);
    spar__buf_free(&title);
}

void spar__read_page_vote(spar__call *call, spar_experiment *experiment)
{
    spar__page page;
    spar_screen *screen = NULL;
    spar_error err = {0};
    bool old = false, may = spar__may_vote(call->service, call->place, &call->caller, experiment);
    spar_status status = may ? spar__voter_screen(call, experiment, &screen, &old, &err) : SPAR_OK;
    if (status) {
        spar__reply_failure(&call->reply, status, &err);
        return;
    }
    spar__page_begin(&page, call);
    add_title(&page, experiment);
    add_said(&page);
    add_undo(&page, experiment);
    spar__json_add_boolean(&page.json, "old", old && !screen);
    add_state(&page, screen ? "screen" : state_of(call, experiment));
    status = add_start(&page, &err);
    if (status)
        spar__reply_failure(&call->reply, status, &err);
    if (!status && (!screen || spar__page_screen(&page, experiment, screen)))
        spar__page_end(&page, "vote", 200);
    else
        spar__page_drop(&page);
    spar_screen_free(screen);
}
