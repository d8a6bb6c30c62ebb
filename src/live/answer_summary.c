/* answer_summary.c - the answers of an experiment as standings. */
#include "live/answer_summary.h"

#include "base/alloc.h"
#include "live/exchange/history.h"
#include "live/exchange/rows.h"
#include "live/live.h"

#include <string.h>

/* The log as this experiment has folded it, without texts. */
typedef struct own_history {
    spar__history base; /* must come first */
    spar_experiment *experiment;
    spar__history_fn fn;
    void *context;
} own_history;

static spar_status pass_on(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                           const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    own_history *own = context;
    spar_status status = spar__live_decode(own->base.event, sequence, bytes, length, err);
    spar__history_entry entry = {sequence, own->base.event, bytes, length, hash, NULL, 0};
    return status ? status : own->fn(own->context, &entry, err);
}

static spar_status each(spar__history *history, spar__history_fn fn, void *context, spar_error *err)
{
    own_history *own = (own_history *)history;
    own->fn = fn;
    own->context = context;
    uint64_t to = own->experiment->state->sequence; /* others may have added more since */
    return to ? spar__store_read(own->experiment->store, own->experiment->id, 1, to, pass_on, own, err) : SPAR_OK;
}

static const spar__history_class OWN = {.each = each};

/* standings.c: those of the log as this experiment has folded it, without texts. */
static spar_status live_answers_each(spar_experiment *experiment, spar__answers *answers, spar_error *err)
{
    own_history own = {.base = {.cls = &OWN}, .experiment = experiment};
    spar_status status = spar_event_new(&own.base.event) ? spar__fail_memory(err) : SPAR_OK;
    if (!status)
        status = spar__answers_each(&own.base, answers, err);
    spar_event_free(own.base.event);
    return status;
}

typedef struct standings_fold {
    spar_standings *standings;
    bool may_tie, tied; /* a tie is an alternative; there was one though it was not */
    bool without;       /* answers with flags */
    spar__key_table flagged;
    size_t *place; /* 0, 1, 2, ... */
    size_t room;
} standings_fold;

static spar_status standings_take_event(void *context, const spar__history_entry *entry, spar_error *err)
{
    standings_fold *f = context;
    const spar_event *event = entry->event;
    if (spar_event_kind_of(event) == SPAR_EVENT_OPTION && spar_event_version(event) == 1)
        return spar_standings_add(f->standings, NULL, err);
    if (spar_event_kind_of(event) == SPAR_EVENT_RETIRED)
        return spar_standings_retire(f->standings, spar_event_arm(event), err);
    return SPAR_OK;
}

static bool is_flagged(const standings_fold *f, const spar__answered *a)
{
    return f->without &&
           (spar_event_flags(a->entry->event) || spar__key_find(&f->flagged, a->entry->sequence, 0) != SPAR__NO_KEY);
}

/* What was imported has an order, but who knows whether it was that of the places. */
static spar_status standings_take_answer(void *context, const spar__answered *a, spar_error *err)
{
    standings_fold *f = context;
    if (is_flagged(f, a))
        return SPAR_OK;
    if (a->point)
        return spar__fail(err, SPAR_UNSUPPORTED, "standings are about a list of options, not about points");
    f->tied = !f->may_tie && spar_answer_kind_of(a->given) == SPAR_ANSWER_TIE;
    if (f->tied)
        return spar__fail(err, SPAR_INTERRUPTED, "ties are possible");
    if (spar__places_reserve(&f->place, &f->room, a->m))
        return spar__fail_memory(err);
    return spar_standings_answer(f->standings, a->m, a->arm, a->screen ? f->place : NULL, a->placed, f->may_tie, 1,
                                 err);
}

/* A tie is an alternative of every answer if there is one: where the first shows, all is done again. */
static spar_status fold(spar_experiment *experiment, standings_fold *f, spar_error *err)
{
    spar__answers answers = {.event = standings_take_event, .answer = standings_take_answer, .context = f};
    spar_status status = SPAR_OK;
    do {
        f->may_tie = f->tied;
        f->tied = false;
        spar_standings_free(f->standings);
        f->standings = NULL;
        if (!status || status == SPAR_INTERRUPTED)
            status = spar_standings_new(0, &f->standings, err);
        if (!status)
            status = live_answers_each(experiment, &answers, err);
    } while (status == SPAR_INTERRUPTED && f->tied);
    if (!status && answers.lost)
        status = spar__fail(err, SPAR_CORRUPT, "the log has answers to screens that it does not have");
    return status;
}

spar_status spar_experiment_standings(spar_experiment *experiment, bool without_flagged, spar_standings **out,
                                      spar_error *err)
{
    if (out)
        *out = NULL;
    if (!experiment || !out || !experiment->state)
        return spar__fail(err, SPAR_INVALID, "standings are those of an experiment, and need a place to go");
    standings_fold f = {.without = without_flagged};
    spar_status status = without_flagged ? spar__source_flagged(experiment, &f.flagged, err) : SPAR_OK;
    if (!status)
        status = fold(experiment, &f, err);
    if (status)
        spar_standings_free(f.standings);
    else
        *out = f.standings;
    spar__key_table_fini(&f.flagged);
    spar__free(f.place);
    return status;
}

/* See item_groups.h. */

typedef struct groups_fold {
    const spar__items *items;
    spar__group_answers *group;
    size_t n;
    bool may_tie, tied; /* a tie is an alternative; there was one though it was not */
    bool without;       /* answers with flags */
    spar__key_table flagged;
    size_t *place; /* 0, 1, 2, ... */
    size_t room;
} groups_fold;

size_t spar__live_group_count(const spar_experiment *experiment)
{
    return experiment->state->items.groups;
}

spar_status spar__live_group_name(spar_experiment *experiment, size_t group, char **out, spar_error *err)
{
    const spar__items *items = &experiment->state->items;
    spar_status status = SPAR_OK;
    *out = NULL;
    for (uint32_t i = 0; i < items->n && !*out && !status; i++) {
        spar_item *item = NULL;
        if (items->item[i].group != group || !items->item[i].has)
            continue;
        status = spar__live_item_get(experiment, i, &item, err);
        if (item && spar_item_group(item)) {
            *out = spar__strdup(spar_item_group(item));
            status = *out ? SPAR_OK : spar__fail_memory(err);
        }
        spar_item_free(item);
    }
    return status;
}

void spar__group_answers_free(spar__group_answers *group)
{
    spar_decision_free(group->decision);
    spar_standings_free(group->standings);
    *group = (spar__group_answers){0};
}

static spar_status item_groups_take_event(void *context, const spar__history_entry *entry, spar_error *err)
{
    groups_fold *f = context;
    const spar_event *event = entry->event;
    bool added = spar_event_kind_of(event) == SPAR_EVENT_OPTION && spar_event_version(event) == 1;
    bool retired = spar_event_kind_of(event) == SPAR_EVENT_RETIRED;
    spar_status status = SPAR_OK;
    for (size_t g = 0; g < f->n && (added || retired) && !status; g++) {
        status = added ? spar_decision_add(f->group[g].decision, NULL, err)
                       : spar_decision_retire(f->group[g].decision, spar_event_arm(event), err);
        if (!status)
            status = added ? spar_standings_add(f->group[g].standings, NULL, err)
                           : spar_standings_retire(f->group[g].standings, spar_event_arm(event), err);
    }
    return status;
}

static spar__group_answers *group_of(const groups_fold *f, uint32_t item)
{
    uint32_t group = item < f->items->n ? f->items->item[item].group : SPAR_NO_GROUP;
    return &f->group[group < f->n - 1 ? group : f->n - 1];
}

static spar_status item_groups_take_answer(void *context, const spar__answered *a, spar_error *err)
{
    groups_fold *f = context;
    const spar_event *event = a->entry->event;
    spar__group_answers *to = group_of(f, a->item);
    if (f->without && (spar_event_flags(event) || spar__key_find(&f->flagged, a->entry->sequence, 0) != SPAR__NO_KEY))
        return SPAR_OK;
    f->tied = !f->may_tie && spar_answer_kind_of(a->given) == SPAR_ANSWER_TIE;
    if (f->tied || a->point)
        return spar__fail(err, SPAR_INTERRUPTED, "%s", f->tied ? "ties are possible" : "points have no groups");
    if (spar__places_reserve(&f->place, &f->room, a->m))
        return spar__fail_memory(err);
    to->answers++;
    spar_status status = spar_decision_tell(to->decision, a->round, a->given, spar_event_voter(event), a->item, err);
    return status ? status
                  : spar_standings_answer(to->standings, a->m, a->arm, a->screen ? f->place : NULL, a->placed,
                                          f->may_tie, 1, err);
}

static void clear(groups_fold *f)
{
    for (size_t g = 0; g < f->n; g++)
        spar__group_answers_free(&f->group[g]);
}

static spar_status begin(groups_fold *f, spar_error *err)
{
    static const spar_decision_settings live = {.size = sizeof live, .live = 1};
    spar_status status = SPAR_OK;
    clear(f);
    for (size_t g = 0; g < f->n && !status; g++) {
        status = spar_decision_new(0, &live, &f->group[g].decision, err);
        if (!status)
            status = spar_standings_new(0, &f->group[g].standings, err);
    }
    for (uint32_t i = 0; i < f->items->n && !status; i++)
        group_of(f, i)->items++;
    return status;
}

spar_status spar__live_groups(spar_experiment *experiment, bool without_flagged, spar__group_answers *out,
                              spar_error *err)
{
    groups_fold f = {.items = &experiment->state->items, .group = out, .n = spar__live_group_count(experiment) + 1};
    spar__answers answers = {.event = item_groups_take_event, .answer = item_groups_take_answer, .context = &f};
    memset(out, 0, f.n * sizeof *out);
    f.without = without_flagged;
    spar_status status = without_flagged ? spar__source_flagged(experiment, &f.flagged, err) : SPAR_OK;
    do { /* a tie is an alternative of every answer if there is one: where the first shows, all is done again */
        f.may_tie = f.tied;
        f.tied = false;
        if (!status || status == SPAR_INTERRUPTED)
            status = begin(&f, err);
        if (!status)
            status = live_answers_each(experiment, &answers, err);
    } while (status == SPAR_INTERRUPTED && f.tied);
    if (status)
        clear(&f);
    spar__key_table_fini(&f.flagged);
    spar__free(f.place);
    return status;
}

/* Widths of a column in seconds, a minute to a year of 52 weeks: each is a multiple of the one before, so that columns
 * are joined exactly. */
static const int64_t widths[] = {60, 300, 900, 3600, 10800, 21600, 43200, 86400, 604800, 2419200, 31449600};

static int64_t floor_to(int64_t time, int64_t width)
{
    int64_t rest = time % width;
    return time - rest - (rest < 0 ? width : 0);
}

static int64_t wider(int64_t width)
{
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        if (widths[i] > width)
            return widths[i];
    return 2 * width;
}

static void widen(spar__pace *pace)
{
    uint64_t count[SPAR__PACE_COLUMNS] = {0};
    int64_t width = wider(pace->width), begin = floor_to(pace->begin, width);
    size_t last = 0;
    for (size_t i = 0; i < pace->n; i++) {
        last = (size_t)((pace->begin + (int64_t)i * pace->width - begin) / width);
        count[last] += pace->count[i];
    }
    for (size_t i = 0; i < SPAR__PACE_COLUMNS; i++)
        pace->count[i] = count[i];
    pace->begin = begin;
    pace->width = width;
    pace->n = last + 1;
}

void spar__pace_add(spar__pace *pace, int64_t microseconds)
{
    int64_t time = floor_to(microseconds, 1000000) / 1000000;
    if (!pace->width) {
        pace->width = widths[0];
        pace->begin = floor_to(time, pace->width);
    }
    if (time < pace->begin)
        time = pace->begin; /* a clock that was set back */
    while ((time - pace->begin) / pace->width >= SPAR__PACE_COLUMNS)
        widen(pace);
    size_t column = (size_t)((time - pace->begin) / pace->width);
    pace->count[column]++;
    pace->n = column + 1 > pace->n ? column + 1 : pace->n;
}

typedef struct pace_reading {
    spar__pace *pace;
    uint64_t most;
} pace_reading;

static spar_status note_answer(spar__pace *pace, const spar_event *event, spar_error *err)
{
    spar__pace_add(pace, spar_event_time(event));
    if (!spar_event_flags(event))
        return SPAR_OK;
    if (spar__key_table_reserve(&pace->hasty, 1))
        return spar__fail_memory(err);
    (void)spar__key_get(&pace->hasty, spar_event_number(event), spar_event_revision(event));
    pace->flagged++;
    return SPAR_OK;
}

static void note_undo(spar__pace *pace, const spar_event *event)
{
    size_t at = spar__key_find(&pace->hasty, spar_event_number(event), spar_event_revision(event));
    if (at == SPAR__NO_KEY || pace->hasty.entry[at].count)
        return;
    pace->hasty.entry[at].count = 1;
    pace->flagged--;
}

static spar_status note(void *context, const spar_event *event, const unsigned char *hash, spar_error *err)
{
    pace_reading *reading = context;
    spar_status status = SPAR_OK;
    (void)hash;
    if (!reading->most--)
        return SPAR_INTERRUPTED;
    if (spar_event_kind_of(event) == SPAR_EVENT_ANSWER)
        status = note_answer(reading->pace, event, err);
    else if (spar_event_kind_of(event) == SPAR_EVENT_UNDO)
        note_undo(reading->pace, event);
    if (!status)
        reading->pace->read = spar_event_sequence(event);
    return status;
}

spar_status spar__pace_read(spar__pace *pace, spar_experiment *experiment, uint64_t most, spar_error *err)
{
    pace_reading reading = {pace, most};
    if (pace->seed != spar_experiment_seed(experiment) || pace->read > spar_experiment_sequence(experiment))
        spar__pace_fini(pace);
    pace->seed = spar_experiment_seed(experiment);
    if (pace->read >= spar_experiment_sequence(experiment))
        return SPAR_OK;
    spar_status status = spar_experiment_each(experiment, pace->read + 1, note, &reading, err);
    return status == SPAR_INTERRUPTED ? SPAR_OK : status;
}

void spar__pace_fini(spar__pace *pace)
{
    spar__key_table_fini(&pace->hasty);
    *pace = (spar__pace){0};
}
