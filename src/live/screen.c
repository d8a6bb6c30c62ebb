/* screen.c - a screen as it is handed out, and answers to it. People answer in places, from left to right or top to
 * bottom; the log has slots. */
#include "live/screen.h"

#include "base/alloc.h"
#include "live/items/items.h"
#include "live/option.h"
#include "live/space/space.h"

#include <inttypes.h>
#include <string.h>

spar_status spar__answer_map(const spar_answer *from, spar__slot_map *map, void *context, spar_answer *to,
                             spar_error *err)
{
    spar_answer_kind kind = spar_answer_kind_of(from);
    size_t n = spar_answer_count(from), *slot = NULL;
    bool good = true;
    spar_status status = SPAR_OK;
    if (kind == SPAR_ANSWER_RANKING) {
        slot = spar__alloc(2 * n, sizeof *slot);
        if (!slot)
            return spar__fail_memory(err);
        for (size_t i = 0; i < n && good; i++) {
            slot[i] = map(context, spar_answer_slot(from, i));
            slot[n + i] = spar_answer_level(from, i);
            good = slot[i] != SPAR_NO_SLOT;
        }
        status = good ? spar_answer_set_ranking(to, n, slot, slot + n, err) : SPAR_INVALID;
    } else if (kind == SPAR_ANSWER_PAIRS) {
        spar_answer_set_skip(to);
        for (size_t i = 0, j, k; i < n && !status; i++) {
            spar_outcome outcome;
            status = spar_answer_pair(from, i, &j, &k, &outcome);
            j = status ? SPAR_NO_SLOT : map(context, j);
            k = j == SPAR_NO_SLOT ? SPAR_NO_SLOT : map(context, k);
            status = k == SPAR_NO_SLOT ? SPAR_INVALID : spar_answer_add_pair(to, j, k, outcome, err);
        }
    } else if (kind == SPAR_ANSWER_WINNER) {
        size_t winner = map(context, spar_answer_winner(from));
        status = winner == SPAR_NO_SLOT ? SPAR_INVALID : SPAR_OK;
        if (!status)
            spar_answer_set_winner(to, winner);
    } else
        status = spar_answer_copy(from, to);
    spar__free(slot);
    return status == SPAR_NOMEM ? spar__fail_memory(err) : status;
}

/* The places of a screen; `wrong` is one that it does not have. */
typedef struct screen_places {
    const spar_event *screen;
    size_t wrong;
} screen_places;

static size_t slot_at(void *context, size_t place)
{
    screen_places *places = context;
    for (size_t slot = 0; slot < spar_event_slots(places->screen); slot++)
        if (spar_event_place(places->screen, slot) == place)
            return slot;
    places->wrong = place;
    return SPAR_NO_SLOT;
}

spar_status spar__answer_to_slots(const spar_event *screen, const spar_answer *answer, spar_answer *to, spar_error *err)
{
    screen_places places = {screen, SPAR_NO_SLOT};
    spar_status status = spar__answer_map(answer, slot_at, &places, to, err);
    if (places.wrong == SPAR_NO_SLOT)
        return status;
    return spar__fail(err, SPAR_INVALID, "screen %" PRIu64 " shows %zu options, but the answer names number %zu",
                      spar_event_number(screen), spar_event_slots(screen), places.wrong + 1);
}

/* --- a screen as it is handed out --- */

struct spar_screen {
    uint64_t number, voter;
    int64_t time;
    uint32_t revision;
    bool open;
    size_t m;
    size_t *arm;          /* by place */
    spar_option **option; /* NULL: redacted */
    size_t axes;          /* of a space */
    size_t *value;        /* the value of each, by place; NULL: the options are a list */
    size_t kept;          /* the place of the setting that was on the screen before; SPAR_NO_SLOT: none */
    uint32_t item;
    spar_item *text; /* of the item; NULL: none, or redacted */
};

static bool shows(const spar_event *event, const double *point, size_t dim)
{
    for (size_t slot = 0; slot < spar_event_slots(event); slot++)
        if (memcmp(spar_round_point(spar_event_round(event), slot), point, dim * sizeof *point) == 0)
            return true;
    return false;
}

/* Whoever has one device need not change the setting that was on the screen before, if that is one of the last few.
 * That is seen in the log alone: a screen is the same whenever it is shown. */
static spar_status find_kept(spar_experiment *experiment, const spar_event *event, spar_screen *screen, spar_error *err)
{
    enum { FEW = 16 };
    const spar_session *session = experiment->state->session;
    uint64_t number = spar_event_number(event), least = number > FEW ? number - FEW : 1;
    spar_event *before = NULL;
    bool found = false;
    if (!spar_session_against_last(session))
        return SPAR_OK;
    spar_status status = spar_event_new(&before) ? spar__fail_memory(err) : SPAR_OK;
    while (!status && !found && --number >= least) {
        status = spar__live_find(experiment, SPAR_EVENT_SCREEN, number, 0, before, err);
        found = !status && spar_event_voter(before) == spar_event_voter(event);
        status = status == SPAR_UNKNOWN ? SPAR_OK : status; /* numbers may have gaps */
    }
    for (size_t slot = 0; !status && found && slot < screen->m; slot++)
        if (shows(before, spar_round_point(spar_event_round(event), slot), spar_axes_dim(spar_session_axes(session))))
            screen->kept = spar_event_place(event, slot);
    spar_event_free(before);
    return status;
}

static spar_status fill(spar_experiment *experiment, const spar_event *event, spar_screen *screen, spar_error *err)
{
    const spar_session *session = experiment->state->session;
    if (spar_session_axes(session)) {
        /* In a space the options are settings. */
        const spar_axes *axes = spar_session_axes(experiment->state->session);
        size_t n = spar_axes_count(axes);
        screen->axes = n;
        screen->value = spar__alloc(screen->m * n, sizeof *screen->value);
        spar_status status = screen->value ? find_kept(experiment, event, screen, err) : spar__fail_memory(err);
        for (size_t slot = 0; slot < screen->m && !status; slot++) {
            size_t place = spar_event_place(event, slot), *value = screen->value + place * n;
            spar_axes_nearest(axes, spar_round_point(spar_event_round(event), slot), value);
            screen->arm[place] = SPAR_NO_ARM;
            status = spar__space_option(axes, value, screen->kept == place, &screen->option[place], err);
        }
        return status;
    }
    for (size_t slot = 0; slot < screen->m; slot++) {
        size_t place = spar_event_place(event, slot), arm = spar_round_arm(spar_event_round(event), slot);
        const spar_option *option = NULL;
        spar_status status = spar__live_option_get(experiment, arm, &option, err);
        if (status)
            return status;
        screen->arm[place] = arm;
        screen->option[place] = option ? spar__option_share(option) : NULL;
    }
    return SPAR_OK;
}

spar_status spar__screen_new(spar_experiment *experiment, const spar_event *event, spar_screen **out, spar_error *err)
{
    spar_screen *screen = spar__alloc(1, sizeof *screen);
    *out = NULL;
    if (!screen)
        return spar__fail_memory(err);
    screen->number = spar_event_number(event);
    screen->voter = spar_event_voter(event);
    screen->time = spar_event_time(event);
    screen->m = spar_event_slots(event);
    screen->kept = SPAR_NO_SLOT;
    screen->item = spar_event_item(event);
    screen->open = spar__fold_find_open(experiment->state, screen->number) < experiment->state->n_open;
    screen->arm = spar__alloc(screen->m, sizeof *screen->arm);
    screen->option = spar__alloc(screen->m, sizeof(*screen->option));
    spar_status status = screen->arm && screen->option ? fill(experiment, event, screen, err) : spar__fail_memory(err);
    if (!status)
        status = spar__live_revision(experiment, screen->number, &screen->revision, err);
    if (!status)
        status = spar__live_question_get(experiment, err); /* whoever shows the screen needs it */
    if (!status && screen->item != SPAR_NO_ITEM)
        status = spar__live_item_get(experiment, screen->item, &screen->text, err);
    if (status)
        spar_screen_free(screen);
    else
        *out = screen;
    return status;
}

spar_status spar__screen_find(spar_experiment *experiment, uint64_t number, const spar_event **out, spar_error *err)
{
    *out = spar_session_screen(experiment->state->session, number);
    if (*out)
        return SPAR_OK;
    *out = experiment->event;
    return spar__live_find(experiment, SPAR_EVENT_SCREEN, number, 0, experiment->event, err);
}

spar_status spar__screen_get(spar_experiment *experiment, uint64_t number, spar_screen **out, spar_error *err)
{
    const spar_event *event = NULL;
    *out = NULL;
    spar_status status = spar__screen_find(experiment, number, &event, err);
    return status ? status : spar__screen_new(experiment, event, out, err);
}

spar_status spar_experiment_screen(spar_experiment *experiment, uint64_t number, spar_screen **out, spar_error *err)
{
    if (out)
        *out = NULL;
    if (!experiment || !out)
        return spar__fail(err, SPAR_INVALID, "a screen is looked up in an experiment, and needs a place to go");
    spar_status status = spar__live_refresh(experiment, err);
    return status ? status : spar__screen_get(experiment, number, out, err);
}

void spar_screen_free(spar_screen *screen)
{
    if (!screen)
        return;
    for (size_t place = 0; place < screen->m && screen->option; place++)
        spar_option_free(screen->option[place]);
    spar_item_free(screen->text);
    spar__free(screen->option);
    spar__free(screen->value);
    spar__free(screen->arm);
    spar__free(screen);
}

uint64_t spar_screen_number(const spar_screen *screen)
{
    return screen ? screen->number : 0;
}

uint32_t spar_screen_revision(const spar_screen *screen)
{
    return screen ? screen->revision : 0;
}

bool spar_screen_is_open(const spar_screen *screen)
{
    return screen && screen->open;
}

int64_t spar_screen_time(const spar_screen *screen)
{
    return screen ? screen->time : 0;
}

uint64_t spar_screen_voter(const spar_screen *screen)
{
    return screen ? screen->voter : 0;
}

size_t spar_screen_slots(const spar_screen *screen)
{
    return screen ? screen->m : 0;
}

size_t spar_screen_arm(const spar_screen *screen, size_t place)
{
    return screen && place < screen->m ? screen->arm[place] : SPAR_NO_ARM;
}

const spar_option *spar_screen_option(const spar_screen *screen, size_t place)
{
    return screen && place < screen->m ? screen->option[place] : NULL;
}

bool spar__screen_is_kept(const spar_screen *screen, size_t place)
{
    return screen->kept == place;
}

const size_t *spar_screen_setting(const spar_screen *screen, size_t place)
{
    return screen && screen->value && place < screen->m ? screen->value + place * screen->axes : NULL;
}

uint32_t spar_screen_item(const spar_screen *screen)
{
    return screen ? screen->item : SPAR_NO_ITEM;
}

const char *spar_screen_item_id(const spar_screen *screen)
{
    return screen ? spar_item_id(screen->text) : NULL;
}

const char *spar_screen_prompt(const spar_screen *screen)
{
    return screen ? spar_item_prompt(screen->text) : NULL;
}

const char *spar_screen_group(const spar_screen *screen)
{
    return screen ? spar_item_group(screen->text) : NULL;
}

const char *spar_screen_body(const spar_screen *screen, size_t place)
{
    if (!screen || place >= screen->m)
        return NULL;
    return screen->item == SPAR_NO_ITEM ? spar_option_body(screen->option[place])
                                        : spar__item_body(screen->text, screen->arm[place]);
}

/* --- for programs --- */

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
    if (spar_screen_item(screen) != SPAR_NO_ITEM) {
        spar__json_key(json, "item");
        spar__json_begin_object(json);
        spar__json_add_string(json, "id", spar_screen_item_id(screen));
        spar__json_add_string(json, "prompt", spar_screen_prompt(screen));
        if (spar_screen_group(screen))
            spar__json_add_string(json, "group", spar_screen_group(screen));
        spar__json_end_object(json);
    }
    spar__json_key(json, "options");
    spar__json_begin_array(json);
    for (size_t shown = 0; shown < m; shown++) {
        size_t place = reversed ? m - 1 - shown : shown;
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
    spar__json_end_array(json);
    spar__screen_settings_json(experiment, screen, reversed, json);
    spar_text_free(voter);
    return SPAR_OK;
}
