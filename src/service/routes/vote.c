/* vote.c - the page of an experiment: the question and Start, or the voter's open screen with its cards. Looking
 * changes nothing. A ranking, or pairs, that a voter puts together by clicks is kept in the address until it is sent.
 */
#include "live/screen.h"
#include "live/space/space.h"
#include "service/auth/auth.h"
#include "service/pages/pages.h"
#include "service/server.h"
#include "store/digest.h"

#include <string.h>

static void add_letter(spar__buf *out, size_t position)
{
    char letter = (char)('A' + position);
    spar__buf_add(out, &letter, 1);
}

/* --- rankings --- */

static size_t levels(const spar__order *order)
{
    size_t most = 0;
    for (size_t j = 0; j < order->m; j++)
        most = order->level[j] > most ? order->level[j] : most;
    return most;
}

static size_t ranked(const spar__order *order)
{
    size_t n = 0;
    for (size_t j = 0; j < order->m; j++)
        n += order->level[j] > 0;
    return n;
}

void spar__order_read(spar__order *order, size_t m, const char *text)
{
    size_t level = 1;
    *order = (spar__order){.m = m < SPAR__MAX_ORDER_POSITIONS ? m : SPAR__MAX_ORDER_POSITIONS};
    for (; *text; text++) {
        size_t position = (size_t)(*text - 'A');
        if (*text >= 'A' && position < order->m && !order->level[position])
            order->level[position] = level;
        else if (*text == ',' && levels(order) == level)
            level++;
    }
}

/* "B,A=C". */
static spar__buf text_of(const spar__order *order)
{
    spar__buf out = {0};
    spar__buf_adds(&out, "");
    for (size_t level = 1, before = 0; level <= levels(order); level++) {
        const char *join = before ? "," : "";
        for (size_t j = 0; j < order->m; j++)
            if (order->level[j] == level) {
                spar__buf_adds(&out, join);
                add_letter(&out, j);
                join = "=";
                before++;
            }
    }
    return out;
}

/* The order with another level of one place; 0 takes it out. */
static spar__buf text_with(const spar__order *order, size_t position, size_t level)
{
    spar__order other = *order;
    other.level[position] = level;
    return text_of(&other);
}

/* Of one place that is left it is clear where it stands. */
void spar__order_json(const spar__order *order, spar__json *json)
{
    spar__order whole = *order;
    size_t n = ranked(order), last = levels(order) + 1;
    for (size_t j = 0; j < whole.m && n + 1 == whole.m; j++)
        whole.level[j] = whole.level[j] ? whole.level[j] : last;
    spar__buf text = text_of(&whole);
    spar__json_add_buf(json, "ranking", &text);
    spar__json_add_boolean(json, "ranked_some", n > 0);
    spar__json_add_boolean(json, "ranked_all", n + 1 >= order->m);
}

void spar__order_card_json(const spar__order *order, size_t position, spar__json *json)
{
    size_t last = levels(order);
    bool is_ranked = position < order->m && order->level[position] > 0;
    spar__buf next = is_ranked ? text_with(order, position, 0) : text_with(order, position, last + 1);
    spar__buf same = is_ranked || !last ? (spar__buf){0} : text_with(order, position, last);
    size_t rank = is_ranked; /* one more than there are before it */
    for (size_t j = 0; is_ranked && j < order->m; j++)
        rank += order->level[j] > 0 && order->level[j] < order->level[position];
    spar__json_add_unsigned(json, "position", rank);
    spar__json_add_unsigned(json, "next_position", ranked(order) + 1);
    spar__json_add_buf(json, "order_next", &next);
    spar__json_add_buf(json, "order_same", &same);
}

/* --- pairs --- */

void spar__pair_marks_read(spar__pair_marks *pairs, size_t m, const char *text)
{
    *pairs = (spar__pair_marks){.m = m < SPAR__MAX_ORDER_POSITIONS ? m : SPAR__MAX_ORDER_POSITIONS};
    for (; *text; text += strcspn(text, ","), text += *text == ',') {
        size_t j = (size_t)(text[0] - 'A'), k = text[0] && text[1] && text[2] ? (size_t)(text[2] - 'A') : pairs->m;
        if (text[0] >= 'A' && j < pairs->m && text[2] >= 'A' && k < pairs->m && j < k)
            pairs->mark[j][k] = text[1] == '>'   ? SPAR__PAIR_FIRST
                                : text[1] == '=' ? SPAR__PAIR_EQUAL
                                : text[1] == '<' ? SPAR__PAIR_SECOND
                                                 : SPAR__PAIR_OPEN;
    }
}

/* "A>B,B=C"; "B>A" where the second is better. */
static spar__buf pairs_text(const spar__pair_marks *pairs, bool to_send)
{
    spar__buf out = {0};
    spar__buf_adds(&out, "");
    for (size_t j = 0; j < pairs->m; j++)
        for (size_t k = j + 1; k < pairs->m; k++) {
            spar__pair_mark mark = (spar__pair_mark)pairs->mark[j][k];
            bool turned = to_send && mark == SPAR__PAIR_SECOND;
            if (mark == SPAR__PAIR_OPEN)
                continue;
            spar__buf_adds(&out, out.length ? "," : "");
            add_letter(&out, turned ? k : j);
            spar__buf_adds(&out, mark == SPAR__PAIR_EQUAL ? "=" : mark == SPAR__PAIR_FIRST || turned ? ">" : "<");
            add_letter(&out, turned ? j : k);
        }
    return out;
}

/* A button: what the address is after a click on it. One that is pressed already is taken back. */
static void add_button(const spar__pair_marks *pairs, size_t j, size_t k, spar__pair_mark mark, const char *name,
                       spar__json *json)
{
    spar__pair_marks other = *pairs;
    bool pressed = pairs->mark[j][k] == mark;
    other.mark[j][k] = (unsigned char)(pressed ? SPAR__PAIR_OPEN : mark);
    spar__buf text = pairs_text(&other, false);
    spar__json_begin_member(json, name);
    spar__json_add_buf(json, "value", &text);
    spar__json_add_boolean(json, "pressed", pressed);
    spar__json_end_object(json);
}

void spar__pair_marks_json(const spar__pair_marks *pairs, const char *const *title, spar__json *json)
{
    spar__buf send = pairs_text(pairs, true);
    spar__json_add_buf(json, "pairs", &send);
    spar__json_begin_list(json, "rows");
    for (size_t j = 0; j < pairs->m; j++)
        for (size_t k = j + 1; k < pairs->m; k++) {
            const char a[] = {(char)('A' + j), '\0'}, b[] = {(char)('A' + k), '\0'};
            spar__json_begin_object(json);
            spar__json_add_string(json, "a", a);
            spar__json_add_string(json, "b", b);
            spar__json_add_string(json, "a_name", title[j]);
            spar__json_add_string(json, "b_name", title[k]);
            add_button(pairs, j, k, SPAR__PAIR_FIRST, "first", json);
            add_button(pairs, j, k, SPAR__PAIR_EQUAL, "equal", json);
            add_button(pairs, j, k, SPAR__PAIR_SECOND, "second", json);
            spar__json_end_object(json);
        }
    spar__json_end_array(json);
}

/* A screen as a page shows it: cards with Markdown or images, in their places. */

enum { LONG_TEXT = 1600, LONG_LINES = 30 }; /* bytes and lines of a prompt or output that is not folded */

static void add_body(spar__json *json, const char *body)
{
    spar__buf html = {0};
    if (body && *body)
        spar__markdown_html(body, strlen(body), &html);
    spar__json_add_buf(json, "body_html", &html);
}

/* Of an item, where code scrolls. Other cards are buttons as a whole: there it cannot, and wraps. */
static void add_html(spar__json *json, const char *key, const char *text, size_t length)
{
    spar__buf html = {0}, shown = {0};
    if (length)
        spar__markdown_html(text, length, &html);
    if (html.text && !html.failed)
        spar__markdown_focus_code(html.text, &shown);
    shown.failed |= html.failed;
    spar__json_add_buf(json, key, &shown);
    spar__buf_free(&html);
}

/* How much of a text is shown at first: whole lines, or words of a long one; all of it where that is not much more. */
static size_t shown_length(const char *text)
{
    size_t length = strlen(text), lines = 0, at = 0, end = 0;
    while (at < length && at < LONG_TEXT && lines < LONG_LINES) {
        lines += text[at] == '\n';
        end = text[at] == '\n' || (text[at] == ' ' && !lines) ? at : end;
        at++;
    }
    if (at == length || length - at < LONG_TEXT / 4)
        return length;
    for (end = end ? end : at; end > 0 && ((unsigned char)text[end] & 0xC0) == 0x80;)
        end--; /* not within a character */
    return end;
}

/* A prompt or an output; where it is long, its beginning, and the whole in a fold. */
static void add_folded(spar__json *json, const char *text)
{
    size_t length = text ? strlen(text) : 0, shown = text ? shown_length(text) : 0;
    spar__json_add_boolean(json, "gone", !text);
    spar__json_add_boolean(json, "empty", text && !length);
    add_html(json, "body_html", text, shown);
    if (shown < length)
        add_html(json, "whole_html", text, length);
}

/* order: NULL where no ranking is asked for. */
static void add_card(spar__page *page, spar_experiment *experiment, const spar_screen *screen, const spar__order *order,
                     size_t position)
{
    spar__json *json = &page->json;
    const spar_option *option = spar_screen_option(screen, position);
    const size_t *setting = spar_screen_setting(screen, position);
    char name[SPAR__PLACE_SIZE];
    spar__place_name(position, name);
    spar__json_begin_object(json);
    spar__json_add_string(json, "place", name);
    spar__json_add_unsigned(json, "key", position + 1);
    bool blind = spar_screen_item(screen) != SPAR_NO_ITEM; /* whose output it is must not be known */
    spar__json_add_boolean(json, "blind", blind);
    if (blind) {
        add_folded(json, spar_screen_body(screen, position));
    } else if (setting) {
        /* Its values, all of them in the name, and in the language of the page what else its body says. */
        const spar_axes *axes = spar_experiment_axes(experiment);
        bool kept = spar__screen_is_kept(screen, position);
        spar__buf words = {0};
        spar__space_words(axes, setting, &words);
        spar__json_add_buf(json, "name", &words);
        add_body(json, NULL);
        spar__json_begin_member(json, "settings");
        spar__json_key(json, "axes");
        spar__space_json(axes, setting, json);
        spar__json_add_boolean(json, "kept", kept);
        spar__json_end_object(json);
    } else {
        spar__json_add_string(json, "name", option ? spar_option_title(option) : NULL);
        add_body(json, option ? spar_option_body(option) : NULL);
    }
    if (!blind && option && spar_option_image_type(option))
        spar__image_url_json(page->call->hosted, experiment, spar_screen_arm(screen, position), spar_option_id(option),
                             json);
    if (order)
        spar__order_card_json(order, position, json);
    spar__json_end_object(json);
}

/* What was put together so far belongs to this screen, or it is of no use. */
static const char *chosen(const spar__call *call, const spar_screen *screen, const char *name)
{
    const char *number = spar__call_query(call, "screen"), *text = spar__call_query(call, name);
    char own[24];
    (void)snprintf(own, sizeof own, "%llu", (unsigned long long)spar_screen_number(screen));
    return text && number && strcmp(number, own) == 0 ? text : "";
}

/* Of two options one is the winner, however it is asked. */
static void add_cards(spar__page *page, spar_experiment *experiment, const spar_screen *screen)
{
    size_t m = spar_screen_slots(screen);
    spar_answer_kind kind = spar_experiment_asks(experiment);
    bool ranking = kind == SPAR_ANSWER_RANKING && m > 2, pairs = kind == SPAR_ANSWER_PAIRS && m > 2;
    spar__order order;
    spar__json_add_boolean(&page->json, "asks_winner", !ranking && !pairs);
    spar__json_add_boolean(&page->json, "asks_ranking", ranking);
    spar__json_add_boolean(&page->json, "asks_pairs", pairs);
    spar__order_read(&order, m, chosen(page->call, screen, "order"));
    if (ranking)
        spar__order_json(&order, &page->json);
    if (pairs) {
        const char *title[SPAR__MAX_ORDER_POSITIONS] = {0};
        spar__pair_marks marks;
        for (size_t j = 0; j < spar_screen_slots(screen) && j < SPAR__MAX_ORDER_POSITIONS; j++)
            if (spar_screen_option(screen, j) && spar_screen_item(screen) == SPAR_NO_ITEM)
                title[j] = spar_option_title(spar_screen_option(screen, j));
        spar__pair_marks_read(&marks, spar_screen_slots(screen), chosen(page->call, screen, "pairs"));
        spar__pair_marks_json(&marks, title, &page->json);
    }
    spar__json_begin_list(&page->json, "cards");
    for (size_t position = 0; position < m; position++)
        add_card(page, experiment, screen, ranking ? &order : NULL, position);
    spar__json_end_array(&page->json);
}

/* A screen with its cards, and what was chosen of a ranking or of pairs so far, as members. */
static spar_status add_screen(spar__page *page, spar_experiment *experiment, const spar_screen *screen)
{
    spar__call *call = page->call;
    char token[SPAR__SCREEN_TOKEN_LENGTH + 1];
    spar__keyring keys = spar__service_keys(call->service);
    spar_status status =
        spar__screen_token_write(&keys, spar__hosted_name(call->hosted), screen, call->caller.voter, token);
    if (status)
        return status;
    spar__json_add_string(&page->json, "token", token);
    spar__json_add_unsigned(&page->json, "number", spar_screen_number(screen));
    spar__json_add_unsigned(&page->json, "m", spar_screen_slots(screen));
    bool images = false;
    for (size_t i = 0; i < spar_screen_slots(screen) && spar_screen_item(screen) == SPAR_NO_ITEM; i++)
        images |= spar_screen_option(screen, i) && spar_option_image_type(spar_screen_option(screen, i));
    spar__json_add_boolean(&page->json, "images", images);
    if (spar_screen_item(screen) != SPAR_NO_ITEM) {
        spar__json_begin_member(&page->json, "item");
        add_folded(&page->json, spar_screen_prompt(screen));
        spar__json_end_object(&page->json);
    }
    add_cards(page, experiment, screen);
    return SPAR_OK;
}

/* The page of an experiment: question and Start, or the voter's open screen. Looking changes nothing. */

enum { MAX_LISTED_SCREENS = 16, LONG_QUESTION = 200 };

/* --- which screen --- */

spar_status spar__voter_screen(const spar__call *call, spar_experiment *experiment, spar_screen **out, bool *old,
                               spar_error *err)
{
    uint64_t open[MAX_LISTED_SCREENS] = {0};
    *out = NULL;
    if (!*call->caller.voter)
        return SPAR_OK;
    size_t n = spar_experiment_open_screens(experiment, call->caller.voter, MAX_LISTED_SCREENS, open);
    for (size_t i = 0; i < n && i < MAX_LISTED_SCREENS; i++) {
        spar_screen *screen = NULL;
        spar_status status = spar__screen_get(experiment, open[i], &screen, err);
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

spar_status spar__go_vote(spar__call *call, const char *said)
{
    char query[40] = "";
    if (said)
        (void)snprintf(query, sizeof query, "?said=%.20s", said);
    return spar__page_go(call, "/e/", spar__call_param(call, 0), query);
}

/* Whoever opens the address of a form by hand. */
spar_status spar__route_page_start_again(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    (void)experiment;
    (void)err;
    return spar__go_vote(call, NULL);
}

spar_status spar__route_page_answer_again(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    return spar__route_page_start_again(call, experiment, err);
}

spar_status spar__route_page_undo_again(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    return spar__route_page_start_again(call, experiment, err);
}

/* --- the page --- */

/* The token of the last answer, where that can be taken back. */
static void add_undo(spar__page *page, spar_experiment *experiment)
{
    enum { MAX_UNDOS = 3 };
    spar__call *call = page->call;
    char token[SPAR__SCREEN_TOKEN_LENGTH + 1] = "";
    spar_screen *screen = NULL;
    uint64_t first;
    spar__keyring keys = spar__service_keys(call->service);
    uint64_t last = *call->caller.voter ? spar_experiment_last_answered(experiment, call->caller.voter) : 0;
    if (last && !spar__screen_get(experiment, last, &screen, NULL) && !spar__screen_is_old(screen) &&
        spar_screen_revision(screen) < MAX_UNDOS &&
        spar__voter_open(call, experiment, &first) < SPAR__MAX_OPEN_SCREENS &&
        spar__answer_age(experiment, last, spar_screen_revision(screen)) <= SPAR__UNDO_SECONDS &&
        spar__screen_token_write(&keys, spar__hosted_name(call->hosted), screen, call->caller.voter, token))
        *token = '\0';
    spar_screen_free(screen);
    spar__json_add_boolean(&page->json, "answered", last != 0);
    spar__json_add_string(&page->json, "undo", token);
    spar__json_add_boolean(&page->json, "results",
                           (last || call->caller.manager) &&
                               spar__may_see_results(call->service, call->hosted, &call->caller, experiment));
}

/* Why there is no screen to show, or that one may be asked for. */
static const char *state_of(const spar__call *call, const spar_experiment *experiment)
{
    char code[SPAR__INVITATION_LENGTH + 1];
    spar__invitation invitation;
    bool may = spar__may_vote(call->service, call->hosted, &call->caller, experiment);
    bool opened = !may && spar__invitation_cookie(call, code, &invitation);
    if (!may && !opened)
        return "not_invited";
    if (opened && invitation.most > 1 && invitation.used >= invitation.most)
        return "full";
    if (spar_experiment_is_closed(experiment))
        return "closed";
    size_t live = spar_experiment_axes(experiment) ? 2 : 0;
    for (size_t arm = 0; arm < spar_experiment_options(experiment) && live < 2; arm++)
        live += spar_experiment_is_live(experiment, arm);
    if (live < 2)
        return "few";
    /* No item is left for this voter, or none was found when a screen was asked for. */
    const char *said = spar__call_query(call, "said"), *voter = call->caller.voter;
    bool seen = spar_experiment_items(experiment) && *voter &&
                (spar_experiment_items_left(experiment, voter) == 0 || (said && strcmp(said, "all_seen") == 0));
    return seen ? "all_seen" : "start";
}

spar_status spar__route_page_vote(spar__call *call, spar_experiment *experiment, spar_error *err)
{
    static const char *const states[] = {"start", "few", "closed", "all_seen", "full", "not_invited", "screen"};
    spar__page page;
    spar_screen *screen = NULL;
    bool old = false, may = spar__may_vote(call->service, call->hosted, &call->caller, experiment);
    spar_status status = may ? spar__voter_screen(call, experiment, &screen, &old, err) : SPAR_OK;
    if (status)
        return status;
    spar__page_begin(&page, call);
    /* The first line of the question, for the window. */
    const char *question = spar_experiment_question(experiment);
    spar__buf title = {0};
    spar__buf_add(&title, question ? question : "", question ? strcspn(question, "\n") : 0);
    spar__json_add_buf(&page.json, "title", &title);
    spar__json_add_string(&page.json, "question", question);
    spar__json_add_boolean(&page.json, "long", question && strlen(question) > LONG_QUESTION);
    /* What became of what the voter did; a stranger who was sent such an address has done nothing. */
    const char *said = spar__call_query(page.call, "said");
    bool known = said && *page.call->caller.voter && spar__word_among("saved|skipped|undone|all_seen", said);
    spar__json_add_boolean(&page.json, "saved", known && strcmp(said, "saved") == 0);
    spar__json_add_boolean(&page.json, "skipped", known && strcmp(said, "skipped") == 0);
    spar__json_add_boolean(&page.json, "undone", known && strcmp(said, "undone") == 0);
    add_undo(&page, experiment);
    spar__json_add_boolean(&page.json, "old", old && !screen);
    const char *state = screen ? "screen" : state_of(call, experiment);
    spar__json_add_string(&page.json, "state", state);
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        spar__json_add_boolean(&page.json, states[i], strcmp(states[i], state) == 0);
    /* Two clicks on Start are one voter. */
    unsigned char bytes[16];
    char text[2 * sizeof bytes + 1];
    status = spar__random_bytes(bytes, sizeof bytes, err);
    if (!status) {
        spar__hex_write(bytes, sizeof bytes, text);
        spar__json_add_string(&page.json, "start_text", text);
    }
    if (!status && screen)
        status = add_screen(&page, experiment, screen);
    if (!status)
        status = spar__page_end(&page, "vote", 200, err);
    else
        spar__buf_free(&page.data);
    spar_screen_free(screen);
    return status;
}
