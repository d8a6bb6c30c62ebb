/* told_words.c - answers in words (told.h). A name is the id of an option, or, on a screen, a place; where both are
 * possible it is the id. */
#include "live/told.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "live/screen_json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Names of slots, and the room for those that are made. */
typedef struct slot_names {
    const char **name;
    char (*made)[SPAR__PLACE_SIZE];
    size_t n;
} slot_names;

static const char NO_NAME[] = "\x01"; /* what nobody can write: no id has a control character */

static spar_status make_names(slot_names *names, size_t n, spar_error *err)
{
    names->name = spar__alloc(n, sizeof *names->name);
    names->made = spar__alloc(n, sizeof *names->made);
    names->n = n;
    return names->name && names->made ? SPAR_OK : spar__fail_memory(err);
}

static void free_names(slot_names *names)
{
    spar__free(names->name);
    spar__free(names->made);
}

static void name_by_id(slot_names *names, const spar_screen *screen)
{
    for (size_t j = 0; j < names->n; j++)
        names->name[j] = spar__option_id_or(spar_screen_option(screen, j), NO_NAME);
}

/* By places, but for those that are the id of an option, on the screen or not. Looking for an id takes long where there
 * are many options, so it is done for those places only that may be meant by the text; NULL: for all. Without an
 * experiment all places are. */
static void name_by_place(slot_names *names, const spar_experiment *experiment, const char *text)
{
    for (size_t j = 0; j < names->n; j++) {
        spar__place_name(j, names->made[j]);
        names->name[j] = names->made[j];
        if (!experiment)
            continue;
        bool is_meant = !text || strstr(text, names->made[j]);
        bool is_id = is_meant && spar_experiment_find(experiment, names->made[j]) != SPAR_NO_ARM;
        names->name[j] = is_id ? NO_NAME : names->made[j];
    }
}

/* The slot of that name, or SPAR_NO_SLOT. */
static size_t find_name(const slot_names *names, const char *text)
{
    for (size_t j = 0; j < names->n; j++)
        if (strcmp(names->name[j], text) == 0)
            return j;
    return SPAR_NO_SLOT;
}

/* The errors of answers have numbers of slots, which nobody has seen. */
static spar_status refuse_twice(const spar__told *told, spar_error *err)
{
    return spar__fail(err, SPAR_INVALID, "'%.80s': an option or a pair is in it twice, or is compared with itself",
                      told->ranking ? told->ranking : told->pairs);
}

static spar_status refuse_winner(const spar__told *told, spar_error *err)
{
    return spar__fail(err, SPAR_UNKNOWN, "the question has no option '%.80s'", told->winner);
}

static spar_status read_words(const slot_names *names, const spar__told *told, spar_answer *answer, spar_error *err)
{
    spar_status status = SPAR_OK;
    if (told->ranking)
        status = spar_answer_parse_ranking(answer, told->ranking, names->n, names->name, err);
    else if (told->pairs)
        status = spar_answer_parse_pairs(answer, told->pairs, names->n, names->name, err);
    if (!told->winner)
        return status == SPAR_INVALID || status == SPAR_CONFLICT ? refuse_twice(told, err) : status;
    size_t slot = find_name(names, told->winner);
    if (slot == SPAR_NO_SLOT)
        return refuse_winner(told, err);
    spar_answer_set_winner(answer, slot);
    return SPAR_OK;
}

static bool is_shown(const spar_screen *screen, const char *id)
{
    for (size_t j = 0; j < spar_screen_slots(screen); j++)
        if (strcmp(spar__option_id_or(spar_screen_option(screen, j), NO_NAME), id) == 0)
            return true;
    return false;
}

/* Places and options. What is the id of an option is no place: names has NO_NAME there. */
static void list_shown(const slot_names *names, const spar_screen *screen, spar__buf *out)
{
    char place[SPAR__PLACE_SIZE];
    for (size_t j = 0; j < names->n; j++) {
        bool usable = names->name[j] != NO_NAME;
        spar__buf_printf(out, "%s%s%s%.60s", j ? ", " : "", usable ? names->name[j] : "", usable ? " " : "",
                         spar__option_id_or(spar_screen_option(screen, j), "(removed)"));
    }
    for (size_t j = 0; j < names->n; j++) {
        spar__place_name(j, place);
        if (names->name[j] == NO_NAME && !is_shown(screen, place))
            spar__buf_printf(out, "; '%s' is the id of an option that it does not show", place);
    }
}

/* With what the screen shows. */
static spar_status refuse_words(const slot_names *names, const spar_screen *screen, const char *why, spar_error *err)
{
    spar__buf shown = {0};
    list_shown(names, screen, &shown);
    spar_status status = shown.failed ? spar__fail_memory(err)
                                      : spar__fail(err, SPAR_UNKNOWN, "%s; screen %" PRIu64 " shows %s", why,
                                                   spar_screen_number(screen), shown.text ? shown.text : "");
    spar__buf_free(&shown);
    return status;
}

static spar_status read_names(const spar_experiment *experiment, const spar_screen *screen, const spar__told *told,
                              slot_names *names, spar_answer *answer, spar_error *err)
{
    spar_error by_id = {0}, by_place = {0};
    name_by_id(names, screen);
    /* Most name a place: no sentence that nobody reads. */
    spar_status status = read_words(names, told, answer, told->winner ? NULL : &by_id);
    if (status != SPAR_UNKNOWN)
        return status ? spar__fail(err, status, "%s", by_id.text) : SPAR_OK;
    name_by_place(names, experiment, told->winner ? told->winner : told->ranking ? told->ranking : told->pairs);
    status = read_words(names, told, answer, told->winner ? NULL : &by_place);
    if (status == SPAR_UNKNOWN) {
        if (told->winner)
            (void)refuse_winner(told, &by_id);
        name_by_place(names, experiment, NULL);
        return refuse_words(names, screen, by_id.text, err);
    }
    return status ? spar__fail(err, status, "%s", by_place.text) : SPAR_OK;
}

/* Answers that name nothing; false: it is another one. */
static bool is_whole(const spar__told *told, spar_answer *answer)
{
    if (told->tie)
        spar_answer_set_tie(answer);
    if (told->bad)
        spar_answer_set_bad(answer);
    if (told->skip)
        spar_answer_set_skip(answer);
    return told->tie || told->bad || told->skip;
}

spar_status spar__answer_to_places(const spar__told *told, size_t m, spar_answer *answer, spar_error *err)
{
    slot_names names = {0};
    if (is_whole(told, answer))
        return SPAR_OK;
    spar_status status = make_names(&names, m, err);
    if (!status) {
        name_by_place(&names, NULL, NULL);
        status = read_words(&names, told, answer, err);
    }
    free_names(&names);
    return status;
}

spar_status spar__answer_to_screen(const spar_experiment *experiment, const spar_screen *screen, const spar__told *told,
                                   spar_answer *answer, spar_error *err)
{
    slot_names names = {0};
    if (told->places)
        return spar__answer_to_places(told, spar_screen_slots(screen), answer, err);
    if (is_whole(told, answer))
        return SPAR_OK;
    spar_status status = make_names(&names, spar_screen_slots(screen), err);
    if (!status)
        status = read_names(experiment, screen, told, &names, answer, err);
    free_names(&names);
    return status;
}

/* The slots that an answer names, in the order in which it does, become 0, 1, 2, ... */
typedef struct slot_map {
    size_t *to;  /* of each slot: its new number, SPAR_NO_SLOT if it is not named */
    size_t *arm; /* the other way round */
    size_t n;
} slot_map;

static size_t renumber(slot_map *map, size_t slot)
{
    if (map->to[slot] == SPAR_NO_SLOT) {
        map->to[slot] = map->n;
        map->arm[map->n++] = slot;
    }
    return map->to[slot];
}

static spar_status rebuild_ranking(slot_map *map, spar_answer *answer, spar_error *err)
{
    size_t n = spar_answer_count(answer), *slot = spar__alloc(n, 2 * sizeof *slot);
    if (!slot)
        return spar__fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        slot[i] = renumber(map, spar_answer_slot(answer, i));
        slot[n + i] = spar_answer_level(answer, i);
    }
    spar_status status = spar_answer_set_ranking(answer, n, slot, slot + n, err);
    spar__free(slot);
    return status;
}

static spar_status rebuild_pairs(slot_map *map, spar_answer *answer, spar_error *err)
{
    spar_answer *fresh = NULL;
    spar_status status = spar_answer_new(&fresh) ? spar__fail_memory(err) : SPAR_OK;
    for (size_t i = 0; i < spar_answer_count(answer) && !status; i++) {
        size_t j = 0, k = 0;
        spar_outcome outcome = SPAR_TIE;
        (void)spar_answer_pair(answer, i, &j, &k, &outcome);
        j = renumber(map, j);
        k = renumber(map, k);
        status = spar_answer_add_pair(fresh, j, k, outcome, err);
    }
    if (!status && spar_answer_copy(fresh, answer))
        status = spar__fail_memory(err);
    spar_answer_free(fresh);
    return status;
}

static spar_status name_options(const spar_experiment *experiment, slot_names *names, spar_error *err)
{
    spar_status status = make_names(names, spar_experiment_options(experiment), err);
    for (size_t j = 0; j < names->n && !status; j++)
        names->name[j] = spar__option_id_or(spar_experiment_option(experiment, j), NO_NAME);
    return status;
}

spar_status spar__answer_to_options(const spar_experiment *experiment, const spar__told *told, spar_answer *answer,
                                    size_t *n, size_t **arm, spar_error *err)
{
    slot_names names = {0};
    slot_map map = {0};
    spar_status status = name_options(experiment, &names, err);
    if (!status)
        status = read_words(&names, told, answer, err);
    map.to = spar__alloc(names.n, sizeof *map.to);
    map.arm = spar__alloc(names.n, sizeof *map.arm);
    if (!status && !(map.to && map.arm))
        status = spar__fail_memory(err);
    for (size_t j = 0; j < names.n && map.to; j++)
        map.to[j] = SPAR_NO_SLOT;
    if (!status)
        status = told->ranking ? rebuild_ranking(&map, answer, err) : rebuild_pairs(&map, answer, err);
    if (!status && map.n < 2)
        status = spar__fail(err, SPAR_INVALID, "an answer without a screen names two options at least");
    *n = map.n;
    *arm = status ? NULL : map.arm;
    if (status)
        spar__free(map.arm);
    spar__free(map.to);
    free_names(&names);
    return status;
}
