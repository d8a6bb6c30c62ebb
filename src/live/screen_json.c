/* screen_json.c - see screen_json.h. */
#include "live/screen_json.h"

void spar__place_name(size_t place, char name[SPAR__PLACE_SIZE])
{
    char turned[SPAR__PLACE_SIZE];
    size_t n = 0;
    for (place++; place; place = (place - 1) / 26)
        turned[n++] = (char)('A' + (place - 1) % 26);
    for (size_t i = 0; i < n; i++)
        name[i] = turned[n - 1 - i];
    name[n] = '\0';
}

const char *spar__option_id_or(const spar_option *option, const char *otherwise)
{
    return option ? spar_option_id(option) : otherwise;
}

/* What stands in `place`, called as if it stood in `shown`. */
static void add_option_json(const spar_screen *screen, size_t place, size_t shown, spar__json *json)
{
    const spar_option *option = spar_screen_option(screen, place);
    const char *body = spar_screen_body(screen, place);
    char name[SPAR__PLACE_SIZE];
    spar__place_name(shown, name);
    spar__json_begin_object(json);
    spar__json_add_string(json, "place", name);
    spar__json_add_string(json, "id", spar__option_id_or(option, NULL));
    spar__json_add_string(json, "title", option ? spar_option_title(option) : NULL);
    if (body)
        spar__json_add_string(json, "body", body);
    if (option && spar_option_image_type(option) && spar_screen_item(screen) == SPAR_NO_ITEM)
        spar__json_add_string(json, "image", spar_option_image_type(option));
    spar__json_end_object(json);
}

static void add_item_json(const spar_screen *screen, spar__json *json)
{
    spar__json_key(json, "item");
    spar__json_begin_object(json);
    spar__json_add_string(json, "id", spar_screen_item_id(screen));
    spar__json_add_string(json, "prompt", spar_screen_prompt(screen));
    if (spar_screen_group(screen))
        spar__json_add_string(json, "group", spar_screen_group(screen));
    spar__json_end_object(json);
}

spar_status spar__screen_json(spar_experiment *experiment, const spar_screen *screen, spar__json *json, spar_error *err)
{
    return spar__screen_json_placed(experiment, screen, false, json, err);
}

spar_status spar__screen_json_placed(spar_experiment *experiment, const spar_screen *screen, bool reversed,
                                     spar__json *json, spar_error *err)
{
    size_t m = spar_screen_slots(screen);
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
    if (spar_screen_item(screen) != SPAR_NO_ITEM)
        add_item_json(screen, json);
    spar__json_key(json, "options");
    spar__json_begin_array(json);
    for (size_t place = 0; place < m; place++)
        add_option_json(screen, reversed ? m - 1 - place : place, place, json);
    spar__json_end_array(json);
    spar__screen_settings_json(experiment, screen, reversed, json);
    spar_text_free(voter);
    return SPAR_OK;
}
