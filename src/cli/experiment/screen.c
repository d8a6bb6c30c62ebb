/* A screen, and what became of an answer to it, for people. */
#include "cli/experiment/experiment.h"
#include "cli/wrap.h"

#include <inttypes.h>

enum { BODY_LINES = 12, TITLE_LINES = 4, QUESTION_LINES = 8 };

enum { INDENT = 5 };

/* An image cannot be shown here. */
static void add_image(const spar_option *option, spar__buf *out)
{
    const char *type = spar_option_image_type(option);
    size_t length = 0;
    if (!type)
        return;
    (void)spar_option_image(option, &length);
    spar__buf_printf(out, "%*s(%s, %zu KB)\n", INDENT, "", type, (length + 1023) / 1024);
}

/* Two columns further in than its title. */
static void add_body(const char *body, size_t width, spar__buf *out)
{
    if (!body)
        return;
    spar__buf_printf(out, "%*s", INDENT, "");
    spar__wrap(*body ? body : "(empty)", width ? width : 80, INDENT, INDENT, BODY_LINES, out);
    spar__buf_adds(out, "\n");
}

static void add_option(const spar_screen *screen, size_t place, size_t width, bool styled, spar__buf *out)
{
    const spar_option *option = spar_screen_option(screen, place);
    char name[SPAR__PLACE_SIZE];
    spar__place_name(place, name);
    spar__buf_printf(out, "  %s%-2s%s ", styled ? "\033[1m" : "", name, styled ? "\033[0m" : "");
    spar__wrap(option ? spar_option_title(option) : "(removed)", width, INDENT, INDENT, TITLE_LINES, out);
    spar__buf_adds(out, "\n");
    if (option && spar_screen_item(screen) == SPAR_NO_ITEM)
        add_image(option, out);
    add_body(spar_screen_body(screen, place), width, out);
}

static void add_item(const spar_screen *screen, size_t width, spar__buf *out)
{
    const char *id = spar_screen_item_id(screen), *prompt = spar_screen_prompt(screen);
    spar__buf_adds(out, "item ");
    spar__buf_add_printable(out, id ? id : "(removed)");
    spar__buf_adds(out, "\n");
    if (prompt) {
        spar__wrap(prompt, width ? width : 80, 0, 0, BODY_LINES, out);
        spar__buf_adds(out, "\n");
    }
}

void spar__screen_text(const spar_experiment *experiment, const spar_screen *screen, size_t width, bool styled,
                       spar__buf *out)
{
    const char *question = spar_experiment_question(experiment);
    spar__buf_printf(out, "screen %" PRIu64 "\n", spar_screen_number(screen));
    if (question) {
        spar__wrap(question, width, 0, 0, QUESTION_LINES, out);
        spar__buf_adds(out, "\n");
    }
    if (spar_screen_item(screen) != SPAR_NO_ITEM)
        add_item(screen, width, out);
    for (size_t place = 0; place < spar_screen_slots(screen); place++)
        add_option(screen, place, width, styled, out);
}

void spar__told_text(const spar__told_reply *reply, spar__buf *out)
{
    if (reply->undone)
        spar__buf_printf(out, "screen %" PRIu64 ": %s\n", reply->screen,
                         reply->again ? "the answer was taken back already, nothing changed"
                                      : "the answer is taken back; the screen can be answered again");
    else if (reply->screen)
        spar__buf_printf(out, "screen %" PRIu64 ": %s\n", reply->screen,
                         reply->again ? "saved already, nothing changed" : "saved");
    else
        spar__buf_printf(out, "%s\n",
                         reply->again ? "imported already, nothing changed" : "imported: an answer without a screen");
}
