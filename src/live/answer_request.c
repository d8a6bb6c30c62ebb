/* answer_request.c - an answer as the shell and programs say it, in words or JSON: parsed, and brought into the log.
 *
 * A name is the id of an option, or, on a screen, a place; where both are possible it is the id. An answer goes to the
 * screen that it names or to the voter's only open one; one that names its own options needs no screen. */
#include "live/answer_request.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "live/exchange/rows.h"
#include "live/screen.h"
#include "live/text_limits.h"
#include "store/digest.h"
#include "text/json_read.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

spar_status spar_remarks_new(spar_remarks **out)
{
    if (!out)
        return SPAR_INVALID;
    *out = spar__alloc(1, sizeof **out);
    return *out ? SPAR_OK : SPAR_NOMEM;
}

void spar_remarks_free(spar_remarks *remarks)
{
    if (!remarks)
        return;
    spar__free(remarks->comment);
    spar__free(remarks);
}

spar_status spar_remarks_set_comment(spar_remarks *remarks, const char *comment, spar_error *err)
{
    static const spar__text_limits limits = {"comment", 0, SPAR__MOST_COMMENT, true};
    if (!remarks)
        return spar__fail(err, SPAR_INVALID, "there are no remarks for a comment");
    return spar__text_set(&remarks->comment, &limits, comment && *comment ? comment : NULL, err);
}

void spar_remarks_set_taken(spar_remarks *remarks, uint32_t milliseconds)
{
    if (remarks)
        remarks->taken = milliseconds;
}

void spar_remarks_set_flags(spar_remarks *remarks, uint32_t flags)
{
    if (remarks)
        remarks->flags = flags;
}

void spar_remarks_set_revision(spar_remarks *remarks, uint32_t revision)
{
    if (!remarks)
        return;
    remarks->revision = revision;
    remarks->revised = true;
}

/* --- answers in words --- */

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
        /* the errors of answers have numbers of slots, which nobody has seen */
        return status == SPAR_INVALID || status == SPAR_CONFLICT
                   ? spar__fail(err, SPAR_INVALID,
                                "'%.80s': an option or a pair is in it twice, or is compared with itself",
                                told->ranking ? told->ranking : told->pairs)
                   : status;
    for (size_t j = 0; j < names->n; j++)
        if (strcmp(names->name[j], told->winner) == 0) {
            spar_answer_set_winner(answer, j);
            return SPAR_OK;
        }
    return refuse_winner(told, err);
}

static bool is_shown(const spar_screen *screen, const char *id)
{
    for (size_t j = 0; j < spar_screen_slots(screen); j++)
        if (strcmp(spar__option_id_or(spar_screen_option(screen, j), NO_NAME), id) == 0)
            return true;
    return false;
}

/* With what the screen shows. */
static spar_status refuse_words(const slot_names *names, const spar_screen *screen, const char *why, spar_error *err)
{
    spar__buf shown = {0};
    /* Places and options. What is the id of an option is no place: names has NO_NAME there. */
    char place[SPAR__PLACE_SIZE];
    for (size_t j = 0; j < names->n; j++) {
        bool usable = names->name[j] != NO_NAME;
        spar__buf_printf(&shown, "%s%s%s%.60s", j ? ", " : "", usable ? names->name[j] : "", usable ? " " : "",
                         spar__option_id_or(spar_screen_option(screen, j), "(removed)"));
    }
    for (size_t j = 0; j < names->n; j++) {
        spar__place_name(j, place);
        if (names->name[j] == NO_NAME && !is_shown(screen, place))
            spar__buf_printf(&shown, "; '%s' is the id of an option that it does not show", place);
    }
    spar_status status = shown.failed ? spar__fail_memory(err)
                                      : spar__fail(err, SPAR_UNKNOWN, "%s; screen %" PRIu64 " shows %s", why,
                                                   spar_screen_number(screen), shown.text ? shown.text : "");
    spar__buf_free(&shown);
    return status;
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
    spar_error by_id = {0}, by_place = {0};
    if (told->places)
        return spar__answer_to_places(told, spar_screen_slots(screen), answer, err);
    if (is_whole(told, answer))
        return SPAR_OK;
    spar_status status = make_names(&names, spar_screen_slots(screen), err);
    if (!status) {
        for (size_t j = 0; j < names.n; j++)
            names.name[j] = spar__option_id_or(spar_screen_option(screen, j), NO_NAME);
        /* Most name a place: no sentence that nobody reads. */
        status = read_words(&names, told, answer, told->winner ? NULL : &by_id);
        if (status && status != SPAR_UNKNOWN)
            (void)spar__fail(err, status, "%s", by_id.text);
    }
    if (status == SPAR_UNKNOWN) {
        name_by_place(&names, experiment, told->winner ? told->winner : told->ranking ? told->ranking : told->pairs);
        status = read_words(&names, told, answer, told->winner ? NULL : &by_place);
        if (status && status != SPAR_UNKNOWN)
            (void)spar__fail(err, status, "%s", by_place.text);
    }
    if (status == SPAR_UNKNOWN) {
        if (told->winner)
            (void)refuse_winner(told, &by_id);
        name_by_place(&names, experiment, NULL);
        status = refuse_words(&names, screen, by_id.text, err);
    }
    free_names(&names);
    return status;
}

/* The slots that an answer names, in the order in which it does, become 0, 1, 2, ... */
typedef struct slot_map {
    size_t *to;  /* of each slot: its new number, SPAR_NO_SLOT if it is not named */
    size_t *arm; /* the other way round */
    size_t n;
} slot_map;

static size_t renumber(void *context, size_t slot)
{
    slot_map *map = context;
    if (map->to[slot] == SPAR_NO_SLOT) {
        map->to[slot] = map->n;
        map->arm[map->n++] = slot;
    }
    return map->to[slot];
}

/* --- into the log --- */

enum { FAST = 300 }; /* milliseconds */

static const char *who(const spar__told *told)
{
    return told->voter ? told->voter : "";
}

/* Their name in quotes, or that they have none. */
static void describe_voter(const spar__told *told, char text[100])
{
    if (told->voter)
        (void)snprintf(text, 100, "'%.80s'", told->voter);
    else
        (void)snprintf(text, 100, "a voter that is not known");
}

void spar__remarks_time(spar_remarks *remarks, uint32_t milliseconds)
{
    spar_remarks_set_taken(remarks, milliseconds);
    if (milliseconds < FAST)
        spar_remarks_set_flags(remarks, SPAR_FLAG_FAST);
}

spar_status spar__told_remarks(const spar__told *told, spar_remarks **out, spar_error *err)
{
    spar_status status = spar_remarks_new(out) ? spar__fail_memory(err) : SPAR_OK;
    if (!status && told->comment)
        status = spar_remarks_set_comment(*out, told->comment, err);
    if (!status && told->has_taken)
        spar__remarks_time(*out, told->taken);
    if (!status && told->has_revision)
        spar_remarks_set_revision(*out, told->revision);
    return status;
}

static spar_status tell_screen(spar_experiment *experiment, uint64_t number, const spar__told *told,
                               spar_answer *answer, spar__told_reply *reply, spar_error *err)
{
    spar_screen *screen = NULL;
    spar_remarks *remarks = NULL;
    spar_status status = spar_experiment_screen(experiment, number, &screen, err);
    if (!status)
        status = spar__answer_to_screen(experiment, screen, told, answer, err);
    if (!status)
        status = spar__told_remarks(told, &remarks, err);
    if (!status)
        status = spar_experiment_tell(experiment, number, who(told), answer, remarks, &reply->again, err);
    reply->screen = number;
    spar_remarks_free(remarks);
    spar_screen_free(screen);
    return status;
}

/* An answer without a screen: with a key of its own, where the caller has none, and what comes with it as rows of a
 * file have it. */
static spar_status tell_options(spar_experiment *experiment, const spar__told *told, spar_answer *answer,
                                spar__told_reply *reply, spar_error *err)
{
    spar_import *import = NULL;
    spar__buf text = {0};
    spar__row_source source = {.taken = told->taken, .comment = told->comment && *told->comment ? told->comment : NULL};
    unsigned char key[SPAR_HASH_SIZE];
    uint64_t known = 0;
    size_t n = 0, *arm = NULL;
    source.flags = told->has_taken && told->taken < FAST ? SPAR_FLAG_FAST : 0;
    spar__source_print(&source, &text);
    spar_status status = text.failed ? spar__fail_memory(err) : SPAR_OK;
    if (!status) {
        slot_names names = {0};
        slot_map map = {0};
        spar_answer *named = NULL;
        status = make_names(&names, spar_experiment_options(experiment), err);
        for (size_t j = 0; j < names.n && !status; j++)
            names.name[j] = spar__option_id_or(spar_experiment_option(experiment, j), NO_NAME);
        if (!status)
            status = spar_answer_new(&named) ? spar__fail_memory(err) : read_words(&names, told, named, err);
        map.to = spar__alloc(names.n, sizeof *map.to);
        map.arm = spar__alloc(names.n, sizeof *map.arm);
        if (!status && !(map.to && map.arm))
            status = spar__fail_memory(err);
        for (size_t j = 0; j < names.n && map.to; j++)
            map.to[j] = SPAR_NO_SLOT;
        if (!status)
            status = spar__answer_map(named, renumber, &map, answer, err);
        if (!status && map.n < 2)
            status = spar__fail(err, SPAR_INVALID, "an answer without a screen names two options at least");
        n = map.n;
        arm = status ? NULL : map.arm;
        if (status)
            spar__free(map.arm);
        spar__free(map.to);
        spar_answer_free(named);
        free_names(&names);
    }
    if (!status)
        status = spar_import_new(experiment, &import, err);
    if (!status && !told->key)
        status = spar__random_bytes(key, sizeof key, err);
    else if (!status)
        spar_import_key(told->key, strlen(told->key), key);
    if (!status)
        status = spar_import_add(import, key, n, arm, answer, who(told), 0, text.text, err);
    if (!status)
        status = spar_import_finish(import, NULL, &known, err);
    if (status == SPAR_CONFLICT)
        status = spar__fail(err, status, "the key '%.80s' was told before, with another answer or by another voter",
                            told->key ? told->key : "");
    reply->again = known > 0;
    spar_import_free(import);
    spar__buf_free(&text);
    spar__free(arm);
    return status;
}

static spar_status undo(spar_experiment *experiment, const spar__told *told, spar__told_reply *reply, spar_error *err)
{
    spar_screen *screen = NULL;
    char voter[100];
    uint64_t number = told->screen ? told->screen : spar_experiment_last_answered(experiment, who(told));
    uint32_t revision = told->has_revision ? told->revision : SPAR_ANY_REVISION;
    describe_voter(told, voter);
    if (!number)
        return spar__fail(err, SPAR_INVALID, "%s has given no answer that could be taken back", voter);
    *reply = (spar__told_reply){.screen = number, .undone = true};
    spar_status status = spar_experiment_undo(experiment, number, told->voter, revision, &reply->again, err);
    if (!status)
        status = spar_experiment_screen(experiment, number, &screen, err);
    reply->revision = status ? 0 : spar_screen_revision(screen);
    spar_screen_free(screen);
    return status;
}

spar_status spar__told_check(const spar__told *told, spar_error *err)
{
    int kinds = (told->winner != NULL) + (told->ranking != NULL) + (told->pairs != NULL) + told->tie + told->bad +
                told->skip + told->undo;
    return kinds == 1
               ? SPAR_OK
               : spar__fail(err, SPAR_INVALID, "%s; expected one of winner, ranking, pairs, tie, bad, skip and undo",
                            kinds ? "there is more than one answer" : "there is no answer");
}

spar_status spar__told_do(spar_experiment *experiment, const spar__told *told, spar__told_reply *reply, spar_error *err)
{
    spar_answer *answer = NULL;
    char voter[100];
    uint64_t number = told->screen;
    *reply = (spar__told_reply){0};
    spar_status status = spar__told_check(told, err);
    /* A key is for an answer without a screen: it never falls to a screen, so that it counts once. */
    if (!status && told->key && (told->screen || !(told->ranking || told->pairs)))
        status = spar__fail(err, SPAR_INVALID, "%s",
                            told->screen ? "there are a key and a screen; an answer to a screen needs no key"
                                         : "a key goes with a ranking or pairs that name options");
    if (!status)
        status = spar_experiment_refresh(experiment, err);
    if (status)
        return status;
    if (told->undo)
        return undo(experiment, told, reply, err);
    if (!number && !told->key) {
        /* The voter's only open screen; or, if it names its own options, it becomes an answer without a screen. */
        uint64_t open[2] = {0};
        size_t n = spar_experiment_open_screens(experiment, who(told), 2, open);
        bool names_options = (told->ranking || told->pairs) && !spar_experiment_axes(experiment); /* a space has none */
        number = n == 1 ? open[0] : 0;
        describe_voter(told, voter);
        if (!number && !names_options)
            status =
                told->voter || n
                    ? spar__fail(err, SPAR_INVALID, "%s has %s open screen; name the screen that this is the answer to",
                                 voter, n ? "more than one" : "no")
                    : spar__fail(err, SPAR_INVALID,
                                 "no open screen was asked without a voter; ask for one, or name the voter or "
                                 "the screen");
    }
    if (!status && spar_answer_new(&answer))
        status = spar__fail_memory(err);
    if (!status)
        status = number ? tell_screen(experiment, number, told, answer, reply, err)
                        : tell_options(experiment, told, answer, reply, err);
    spar_answer_free(answer);
    return status;
}

/* --- JSON --- */

spar_status spar__told_read(const spar__json_tree *tree, spar__told *told, spar_error *err)
{
    const char **const out[] = {&told->winner, &told->ranking, &told->pairs, &told->comment, &told->key};
    static const char *const key[] = {"winner", "ranking", "pairs", "comment", "key"};
    spar_status status = SPAR_OK;
    for (size_t i = 0; i < sizeof key / sizeof *key && !status; i++)
        status = spar__json_read_text(tree, key[i], out[i], err);
    if (!status) {
        uint64_t taken = 0, revision = 0;
        bool has_screen;
        status = spar__json_read_number(tree, "screen", UINT64_MAX, &has_screen, &told->screen, err);
        if (!status && has_screen && !told->screen)
            status = spar__fail(err, SPAR_PARSE, "'screen' is 0, and screens are numbered from 1");
        if (!status)
            status = spar__json_read_number(tree, "taken", UINT32_MAX, &told->has_taken, &taken, err);
        if (!status)
            status = spar__json_read_number(tree, "revision", UINT32_MAX - 1, &told->has_revision, &revision, err);
        told->taken = (uint32_t)taken;
        told->revision = (uint32_t)revision;
    }
    if (!status)
        status = spar__json_read_flag(tree, "tie", &told->tie, err);
    if (!status)
        status = spar__json_read_flag(tree, "bad", &told->bad, err);
    if (status)
        return status;
    /* true and false; a text is a skip that says why. */
    const char *why = spar__json_text(tree, spar__json_member(tree, spar__json_root(tree), "skip"));
    if (!why)
        return spar__json_read_flag(tree, "skip", &told->skip, err);
    told->skip = true;
    if (told->comment)
        return spar__fail(err, SPAR_PARSE, "'skip' says why, and there is a 'comment', too");
    told->comment = why;
    return SPAR_OK;
}

void spar__told_json(const spar__told_reply *reply, spar__json *json)
{
    if (reply->screen)
        spar__json_add_unsigned(json, "screen", reply->screen);
    else
        spar__json_add_boolean(json, "imported", true);
    if (reply->undone) {
        spar__json_add_boolean(json, "undone", true);
        spar__json_add_boolean(json, "again", reply->again);
        spar__json_add_unsigned(json, "revision", reply->revision);
    } else {
        spar__json_add_boolean(json, "saved", true);
        spar__json_add_boolean(json, "again", reply->again);
    }
}
