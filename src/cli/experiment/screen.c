/* A screen for people and for programs. */
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

static void add_option_json(const spar_option *option, size_t place, spar__json *json)
{
    char name[SPAR__PLACE_SIZE];
    spar__place_name(place, name);
    spar__json_begin_object(json);
    spar__json_add_string(json, "place", name);
    spar__json_add_string(json, "id", spar__option_id_or(option, NULL));
    spar__json_add_string(json, "title", option ? spar_option_title(option) : NULL);
    if (option && spar_option_body(option))
        spar__json_add_string(json, "body", spar_option_body(option));
    if (option && spar_option_image_type(option))
        spar__json_add_string(json, "image", spar_option_image_type(option));
    spar__json_end_object(json);
}

spar_status spar__screen_json(spar_experiment *experiment, const spar_screen *screen, spar__json *json, spar_error *err)
{
    char *voter = NULL;
    spar_status status = SPAR_OK;
    if (spar_screen_voter(screen))
        status = spar_experiment_voter_name(experiment, spar_screen_voter(screen), &voter, err);
    if (status)
        return status;
    spar__json_add_unsigned(json, "screen", spar_screen_number(screen));
    spar__json_add_unsigned(json, "revision", spar_screen_revision(screen));
    spar__json_add_string(json, "voter", voter);
    spar__json_add_string(json, "question", spar_experiment_question(experiment));
    spar__json_add_string(json, "answer", spar_answer_kind_name(spar_experiment_asks(experiment)));
    spar__json_key(json, "options");
    spar__json_begin_array(json);
    for (size_t place = 0; place < spar_screen_slots(screen); place++)
        add_option_json(spar_screen_option(screen, place), place, json);
    spar__json_end_array(json);
    spar_text_free(voter);
    return SPAR_OK;
}
