#include "cli/vote/vote.h"
#include "cli/wrap.h"

enum { MARGIN = 5, HELP_MARGIN = 10, TITLE_LINES = 3, QUESTION_LINES = 6, MOST_LINES = 100, ALL_LINES = 100000 };

static void add_style(const spar__vote_view *view, const char *code, spar__buf *out)
{
    if (view->styled)
        spar__buf_printf(out, "\033[%sm", code);
}

static void add_paragraph(const char *text, size_t width, size_t lines, spar__buf *out)
{
    spar__wrap(text, width, 0, 0, lines, out);
    spar__buf_adds(out, "\n");
}

/* Lines for the text of one option, so that all fit. */
static size_t body_lines(const spar__vote_view *view, size_t m)
{
    size_t other = QUESTION_LINES + 6 + m;
    size_t each = view->height > other ? (view->height - other) / m : 1;
    if (view->full)
        return ALL_LINES;
    return view->height == 0 || each > 12 ? 12 : each ? each : 1;
}

static void add_image(const spar_option *option, spar__buf *out)
{
    const char *type = spar_option_image_type(option);
    size_t length = 0;
    if (!type)
        return;
    (void)spar_option_image(option, &length);
    spar__buf_printf(out, "%*s(an image: %s, %zu KB)\n", MARGIN, "", type, (length + 1023) / 1024);
}

static void add_body(const char *body, const spar__vote_view *view, size_t lines, spar__buf *out)
{
    if (body) {
        spar__buf_printf(out, "%*s", MARGIN, "");
        add_style(view, "2", out);
        spar__wrap(body, view->width ? view->width : 80, MARGIN, MARGIN, lines, out);
        add_style(view, "0", out);
        spar__buf_adds(out, "\n");
    }
}

/* The key of a place, before what stands there. */
static void add_label(size_t m, size_t place, const spar__vote_view *view, spar__buf *out)
{
    spar__buf_adds(out, "  ");
    add_style(view, "1", out);
    spar__buf_printf(out, "%c", spar__vote_label(m, place));
    add_style(view, "0", out);
    spar__buf_adds(out, "  ");
}

static void add_option(const spar_screen *screen, size_t place, const spar__vote_view *view, spar__buf *out)
{
    const spar_option *option = spar_screen_option(screen, place);
    size_t m = spar_screen_slots(screen);
    add_label(m, place, view, out);
    spar__wrap(option ? spar_option_title(option) : "(removed)", view->width, MARGIN, MARGIN, TITLE_LINES, out);
    spar__buf_adds(out, "\n");
    if (option)
        add_image(option, out);
    add_body(spar_screen_body(screen, place), view, body_lines(view, m), out);
}

/* Of an item only the outputs are shown: whose they are is not. */
static void add_output(const spar_screen *screen, size_t place, const spar__vote_view *view, spar__buf *out)
{
    const char *body = spar_screen_body(screen, place);
    size_t m = spar_screen_slots(screen);
    add_label(m, place, view, out);
    spar__wrap(!body   ? "(removed)"
               : *body ? body
                       : "(empty)",
               view->width ? view->width : 80, MARGIN, MARGIN, body_lines(view, m), out);
    spar__buf_adds(out, "\n");
}

static void add_prompt(const spar_screen *screen, const spar__vote_view *view, spar__buf *out)
{
    const char *prompt = spar_screen_prompt(screen);
    spar__wrap(prompt ? prompt : "(removed)", view->width ? view->width : 80, 0, 0,
               view->full ? ALL_LINES : QUESTION_LINES, out);
    spar__buf_adds(out, "\n\n");
}

static void add_keys(const spar__vote_keys *keys, bool texts, const spar__vote_view *view, spar__buf *out)
{
    spar__buf line = {0};
    char first = spar__vote_label(keys->m, 0), last = spar__vote_label(keys->m, keys->m - 1);
    if (keys->asks == SPAR_ANSWER_RANKING)
        spar__buf_printf(&line, "%c-%c the best first, '=' between equals, then Enter; or ", first, last);
    else if (spar__vote_types(keys))
        spar__buf_printf(&line, "pairs as in %c>%c %c=%c, then Enter; or ", first, last, first, last);
    else
        spar__buf_printf(&line, "%c-%c the best, ", first, last);
    spar__buf_adds(&line, "0 all equal, b all bad, s skip, u undo, ");
    spar__buf_adds(&line, texts ? "f full, ? help, q quit" : "? help, q quit");
    out->failed |= line.failed;
    add_style(view, "2", out);
    if (!line.failed)
        spar__wrap(line.text, view->width, 0, 0, MOST_LINES, out);
    add_style(view, "0", out);
    spar__buf_adds(out, "\n");
    spar__buf_free(&line);
}

static bool has_texts(const spar_screen *screen)
{
    for (size_t place = 0; place < spar_screen_slots(screen); place++)
        if (spar_screen_body(screen, place))
            return true;
    return false;
}

static void add_key(const char *key, const char *what, size_t width, spar__buf *out)
{
    spar__buf_printf(out, "  %-8s", key);
    spar__wrap(what, width, HELP_MARGIN, HELP_MARGIN, MOST_LINES, out);
    spar__buf_adds(out, "\n");
}

static void add_help(const spar__vote_keys *keys, size_t width, spar__buf *out)
{
    char places[] = {spar__vote_label(keys->m, 0), ' ', '.', '.', ' ', spar__vote_label(keys->m, keys->m - 1), '\0'};
    if (keys->asks == SPAR_ANSWER_RANKING)
        add_key(places,
                "rank: the best first, as many as you like; those left out come behind, in no order; = puts two on "
                "one place; Backspace takes back a key; Enter ends",
                width, out);
    else if (spar__vote_types(keys))
        add_key(places, "pairs: > < or = between two places, a blank between pairs; Enter ends", width, out);
    else
        add_key(places, "this one is the best", width, out);
    add_key("A B ..", "the same, as capital letters", width, out);
    add_key("0", "all are equal", width, out);
    add_key("b", "bad: none is acceptable", width, out);
    add_key("s", "skip: no answer", width, out);
    add_key("u", "undo your last answer", width, out);
    add_key("f", "full texts: nothing is cut; once more cuts them again", width, out);
    add_key("q", "quit; everything is saved", width, out);
}

static void add_typed(const spar__vote_keys *keys, spar__buf *out)
{
    if (spar__vote_types(keys))
        spar__buf_printf(out, "%s: %s_\n", keys->asks == SPAR_ANSWER_RANKING ? "ranking" : "pairs", keys->typed);
}

void spar__vote_draw(const spar_experiment *experiment, const spar_screen *screen, const spar__vote_keys *keys,
                     const spar__vote_view *view, spar__buf *out)
{
    const char *question = spar_experiment_question(experiment);
    if (question) {
        add_style(view, "1", out);
        spar__wrap(question, view->width, 0, 0, QUESTION_LINES, out);
        add_style(view, "0", out);
        spar__buf_adds(out, "\n\n");
    }
    bool item = spar_screen_item(screen) != SPAR_NO_ITEM;
    if (item)
        add_prompt(screen, view, out);
    for (size_t place = 0; place < keys->m; place++)
        (item ? add_output : add_option)(screen, place, view, out);
    spar__buf_adds(out, "\n");
    if (view->help)
        add_help(keys, view->width, out);
    else
        add_keys(keys, has_texts(screen), view, out);
    if (view->width)
        add_typed(keys, out);
    if (keys->hint[0])
        add_paragraph(keys->hint, view->width, MOST_LINES, out);
    else if (view->message && view->message[0])
        add_paragraph(view->message, view->width, MOST_LINES, out);
}
