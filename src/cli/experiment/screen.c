/* A screen, and what became of an answer to it, for people. */
#include "cli/experiment/experiment.h"
#include "cli/wrap.h"

#include <inttypes.h>

enum { BODY_LINES = 12, TITLE_LINES = 4, QUESTION_LINES = 8 };

/* Two columns further in than its title; an image cannot be shown here. */
static void add_body(const spar_option *option, size_t width, size_t indent, spar__buf *out)
{
    const char *body = spar_option_body(option), *type = spar_option_image_type(option);
    size_t length = 0;
    if (type) {
        (void)spar_option_image(option, &length);
        spar__buf_printf(out, "%*s(%s, %zu KB)\n", (int)indent, "", type, (length + 1023) / 1024);
    }
    if (body) {
        spar__buf_printf(out, "%*s", (int)indent, "");
        spar__wrap(body, width ? width : 80, indent, indent, BODY_LINES, out);
        spar__buf_adds(out, "\n");
    }
}

static void add_option(const spar_screen *screen, size_t place, size_t width, bool styled, spar__buf *out)
{
    const spar_option *option = spar_screen_option(screen, place);
    char name[SPAR__PLACE_SIZE];
    spar__place_name(place, name);
    spar__buf_printf(out, "  %s%-2s%s ", styled ? "\033[1m" : "", name, styled ? "\033[0m" : "");
    spar__wrap(option ? spar_option_title(option) : "(removed)", width, 5, 5, TITLE_LINES, out);
    spar__buf_adds(out, "\n");
    if (option)
        add_body(option, width, 5, out);
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
