/* page_order.c - see page_order.h. */
#include "service/routes/page_order.h"

#include <string.h>

static void add_text(spar__json *json, const char *key, spar__buf *text)
{
    json->out->failed |= text->failed;
    spar__json_add_string(json, key, text->failed || !text->text ? "" : text->text);
    spar__buf_free(text);
}

static void add_letter(spar__buf *out, size_t place)
{
    char letter = (char)('A' + place);
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
    *order = (spar__order){.m = m < SPAR__ORDER_MOST ? m : SPAR__ORDER_MOST};
    for (; *text; text++) {
        size_t place = (size_t)(*text - 'A');
        if (*text >= 'A' && place < order->m && !order->level[place])
            order->level[place] = level;
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
static spar__buf text_with(const spar__order *order, size_t place, size_t level)
{
    spar__order other = *order;
    other.level[place] = level;
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
    add_text(json, "ranking", &text);
    spar__json_add_boolean(json, "ranked_some", n > 0);
    spar__json_add_boolean(json, "ranked_all", n + 1 >= order->m);
}

/* Which position a place has: one more than there are before it. */
static size_t position(const spar__order *order, size_t place)
{
    size_t before = 0;
    for (size_t j = 0; j < order->m; j++)
        before += order->level[j] > 0 && order->level[j] < order->level[place];
    return before + 1;
}

void spar__order_card_json(const spar__order *order, size_t place, spar__json *json)
{
    size_t last = levels(order);
    bool is_ranked = place < order->m && order->level[place] > 0;
    spar__buf next = is_ranked ? text_with(order, place, 0) : text_with(order, place, last + 1);
    spar__buf same = is_ranked || !last ? (spar__buf){0} : text_with(order, place, last);
    spar__json_add_unsigned(json, "position", is_ranked ? position(order, place) : 0);
    spar__json_add_unsigned(json, "next_position", ranked(order) + 1);
    add_text(json, "order_next", &next);
    add_text(json, "order_same", &same);
}

/* --- pairs --- */

static spar__pair_mark mark_of(char sign)
{
    return sign == '>'   ? SPAR__PAIR_FIRST
           : sign == '=' ? SPAR__PAIR_EQUAL
           : sign == '<' ? SPAR__PAIR_SECOND
                         : SPAR__PAIR_OPEN;
}

void spar__pair_marks_read(spar__pair_marks *pairs, size_t m, const char *text)
{
    *pairs = (spar__pair_marks){.m = m < SPAR__ORDER_MOST ? m : SPAR__ORDER_MOST};
    for (; *text; text += strcspn(text, ","), text += *text == ',') {
        size_t j = (size_t)(text[0] - 'A'), k = text[0] && text[1] && text[2] ? (size_t)(text[2] - 'A') : pairs->m;
        if (text[0] >= 'A' && j < pairs->m && text[2] >= 'A' && k < pairs->m && j < k)
            pairs->mark[j][k] = (unsigned char)mark_of(text[1]);
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
    spar__json_key(json, name);
    spar__json_begin_object(json);
    add_text(json, "value", &text);
    spar__json_add_boolean(json, "pressed", pressed);
    spar__json_end_object(json);
}

static void add_pair(const spar__pair_marks *pairs, size_t j, size_t k, const char *const *title, spar__json *json)
{
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

void spar__pair_marks_json(const spar__pair_marks *pairs, const char *const *title, spar__json *json)
{
    spar__buf send = pairs_text(pairs, true);
    add_text(json, "pairs", &send);
    spar__json_key(json, "rows");
    spar__json_begin_array(json);
    for (size_t j = 0; j < pairs->m; j++)
        for (size_t k = j + 1; k < pairs->m; k++)
            add_pair(pairs, j, k, title, json);
    spar__json_end_array(json);
}
