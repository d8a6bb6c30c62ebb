/* page_screen.c - a screen as a page shows it: cards with Markdown or images, in their places. */
#include "service/routes/page_vote.h"

#include "live/screen.h"
#include "live/space/space.h"
#include "service/routes/experiment_json.h"
#include "service/routes/page_order.h"
#include "service/screen_token.h"

#include <string.h>

enum { LONG_TEXT = 1600, LONG_LINES = 30 }; /* bytes and lines of a prompt or output that is not folded */

static void add_body(spar__json *json, const char *body)
{
    spar__buf html = {0};
    if (body && *body)
        spar__markdown_html(body, strlen(body), &html);
    json->out->failed |= html.failed;
    spar__json_add_string(json, "body_html", html.failed || !html.text ? "" : html.text);
    spar__buf_free(&html);
}

/* Of an item, where code scrolls. Other cards are buttons as a whole: there it cannot, and wraps. */
static void add_html(spar__json *json, const char *key, const char *text, size_t length)
{
    spar__buf html = {0}, shown = {0};
    if (length)
        spar__markdown_html(text, length, &html);
    if (html.text && !html.failed)
        spar__markdown_focus_code(html.text, &shown);
    json->out->failed |= html.failed || shown.failed;
    spar__json_add_string(json, key, shown.failed || !shown.text ? "" : shown.text);
    spar__buf_free(&html);
    spar__buf_free(&shown);
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

/* Its values, all of them in the name, and in the language of the page what else its body says. */
static void add_setting(spar__json *json, const spar_axes *axes, const size_t *value, bool kept)
{
    spar__buf words = {0};
    spar__space_words(axes, value, &words);
    json->out->failed |= words.failed;
    spar__json_add_string(json, "name", words.failed ? NULL : words.text);
    spar__buf_free(&words);
    add_body(json, NULL);
    spar__json_key(json, "settings");
    spar__json_begin_object(json);
    spar__json_key(json, "axes");
    spar__space_json(axes, value, json);
    spar__json_add_boolean(json, "kept", kept);
    spar__json_end_object(json);
}

/* order: NULL where no ranking is asked for. */
static void add_card(spar__page *page, spar_experiment *experiment, const spar_screen *screen, const spar__order *order,
                     size_t place)
{
    spar__json *json = &page->json;
    const spar_option *option = spar_screen_option(screen, place);
    const size_t *setting = spar_screen_setting(screen, place);
    char name[SPAR__PLACE_SIZE];
    spar__place_name(place, name);
    spar__json_begin_object(json);
    spar__json_add_string(json, "place", name);
    spar__json_add_unsigned(json, "key", place + 1);
    bool blind = spar_screen_item(screen) != SPAR_NO_ITEM; /* whose output it is must not be known */
    spar__json_add_boolean(json, "blind", blind);
    if (blind) {
        add_folded(json, spar_screen_body(screen, place));
    } else if (setting) {
        add_setting(json, spar_experiment_axes(experiment), setting, spar__screen_is_kept(screen, place));
    } else {
        spar__json_add_string(json, "name", option ? spar_option_title(option) : NULL);
        add_body(json, option ? spar_option_body(option) : NULL);
    }
    if (!blind && option && spar_option_image_type(option))
        spar__image_url_json(page->call->place, experiment, spar_screen_arm(screen, place), spar_option_id(option),
                             json);
    if (order)
        spar__order_card_json(order, place, json);
    spar__json_end_object(json);
}

static bool has_images(const spar_screen *screen)
{
    for (size_t place = 0; place < spar_screen_slots(screen); place++) {
        const spar_option *option = spar_screen_option(screen, place);
        if (option && spar_option_image_type(option) && spar_screen_item(screen) == SPAR_NO_ITEM)
            return true;
    }
    return false;
}

/* What was put together so far belongs to this screen, or it is of no use. */
static const char *chosen(const spar__call *call, const spar_screen *screen, const char *name)
{
    const char *number = spar__call_query(call, "screen"), *text = spar__call_query(call, name);
    char own[24];
    (void)snprintf(own, sizeof own, "%llu", (unsigned long long)spar_screen_number(screen));
    return text && number && strcmp(number, own) == 0 ? text : "";
}

static void add_pairs(spar__page *page, const spar_screen *screen)
{
    const char *title[SPAR__ORDER_MOST] = {0};
    spar__pair_marks marks;
    for (size_t j = 0; j < spar_screen_slots(screen) && j < SPAR__ORDER_MOST; j++)
        if (spar_screen_option(screen, j) && spar_screen_item(screen) == SPAR_NO_ITEM)
            title[j] = spar_option_title(spar_screen_option(screen, j));
    spar__pair_marks_read(&marks, spar_screen_slots(screen), chosen(page->call, screen, "pairs"));
    spar__pair_marks_json(&marks, title, &page->json);
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
    if (pairs)
        add_pairs(page, screen);
    spar__json_key(&page->json, "cards");
    spar__json_begin_array(&page->json);
    for (size_t place = 0; place < m; place++)
        add_card(page, experiment, screen, ranking ? &order : NULL, place);
    spar__json_end_array(&page->json);
}

bool spar__page_screen(spar__page *page, spar_experiment *experiment, const spar_screen *screen)
{
    spar__call *call = page->call;
    char token[SPAR__SCREEN_TOKEN_LENGTH + 1];
    spar__keyring keys = spar__service_keys(call->service);
    if (spar__screen_token_write(&keys, spar__place_stored(call->place), screen, call->caller.voter, token)) {
        spar__reply_problem(&call->reply, 503, "out_of_memory", "out of memory");
        return false;
    }
    spar__json_add_string(&page->json, "token", token);
    spar__json_add_unsigned(&page->json, "number", spar_screen_number(screen));
    spar__json_add_unsigned(&page->json, "m", spar_screen_slots(screen));
    spar__json_add_boolean(&page->json, "images", has_images(screen));
    if (spar_screen_item(screen) != SPAR_NO_ITEM) {
        spar__json_key(&page->json, "item");
        spar__json_begin_object(&page->json);
        add_folded(&page->json, spar_screen_prompt(screen));
        spar__json_end_object(&page->json);
    }
    add_cards(page, experiment, screen);
    return true;
}
