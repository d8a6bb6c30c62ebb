/* answer_summary.c - the answers of an experiment summed up: standings, of all or by the groups of items, and when they
 * came. Standings are computed from the whole log, which is read twice; the histogram is read on from where it was. */
#include "live/answer_summary.h"

#include "base/alloc.h"
#include "live/exchange/history.h"
#include "live/exchange/rows.h"
#include "live/live.h"

#include <string.h>

/* --- standings, of all answers or by the groups of their items --- */

/* A tie is an alternative of every answer if there is one: where the first shows, all is done again. */
typedef struct summary_fold {
    const spar__items *items;
    spar__group_answers *group; /* the last one has what belongs to no other */
    size_t n;
    bool decides;       /* each has a decision, too */
    bool may_tie, tied; /* a tie is an alternative; there was one though it was not */
    bool without;       /* answers with flags */
    spar__key_table flagged;
    size_t *place; /* 0, 1, 2, ... */
    size_t room;
} summary_fold;

void spar__group_answers_free(spar__group_answers *group)
{
    spar_decision_free(group->decision);
    spar_standings_free(group->standings);
    *group = (spar__group_answers){0};
}

static void clear(summary_fold *f)
{
    for (size_t g = 0; g < f->n; g++)
        spar__group_answers_free(&f->group[g]);
}

static spar__group_answers *group_of(const summary_fold *f, uint32_t item)
{
    uint32_t group = item < f->items->n ? f->items->item[item].group : SPAR_NO_GROUP;
    return &f->group[group < f->n - 1 ? group : f->n - 1];
}

static spar_status begin(summary_fold *f, spar_error *err)
{
    static const spar_decision_settings live = {.size = sizeof live, .live = 1};
    spar_status status = SPAR_OK;
    clear(f);
    for (size_t g = 0; g < f->n && !status; g++) {
        status = f->decides ? spar_decision_new(0, &live, &f->group[g].decision, err) : SPAR_OK;
        if (!status)
            status = spar_standings_new(0, &f->group[g].standings, err);
    }
    for (uint32_t i = 0; i < f->items->n && !status; i++)
        group_of(f, i)->items++;
    return status;
}

static spar_status take_event(void *context, const spar__history_entry *entry, spar_error *err)
{
    summary_fold *f = context;
    const spar_event *event = entry->event;
    bool added = spar_event_kind_of(event) == SPAR_EVENT_OPTION && spar_event_version(event) == 1;
    bool retired = spar_event_kind_of(event) == SPAR_EVENT_RETIRED;
    spar_status status = SPAR_OK;
    for (size_t g = 0; g < f->n && (added || retired) && !status; g++) {
        spar__group_answers *to = &f->group[g];
        if (f->decides)
            status = added ? spar_decision_add(to->decision, NULL, err)
                           : spar_decision_retire(to->decision, spar_event_arm(event), err);
        if (!status)
            status = added ? spar_standings_add(to->standings, NULL, err)
                           : spar_standings_retire(to->standings, spar_event_arm(event), err);
    }
    return status;
}

/* What was imported has an order, but who knows whether it was that of the places. */
static spar_status take_answer(void *context, const spar__answered *a, spar_error *err)
{
    summary_fold *f = context;
    const spar_event *event = a->entry->event;
    spar__group_answers *to = group_of(f, a->item);
    spar_status status = SPAR_OK;
    if (f->without && (spar_event_flags(event) || spar__key_find(&f->flagged, a->entry->sequence, 0) != SPAR__NO_KEY))
        return SPAR_OK;
    if (a->point)
        return spar__fail(err, SPAR_UNSUPPORTED, "standings are about a list of options, not about points");
    f->tied = !f->may_tie && spar_answer_kind_of(a->given) == SPAR_ANSWER_TIE;
    if (f->tied)
        return spar__fail(err, SPAR_INTERRUPTED, "ties are possible");
    if (spar__places_reserve(&f->place, &f->room, a->m))
        return spar__fail_memory(err);
    to->answers++;
    if (f->decides)
        status = spar_decision_tell(to->decision, a->round, a->given, spar_event_voter(event), a->item, err);
    return status ? status
                  : spar_standings_answer(to->standings, a->m, a->arm, a->screen ? f->place : NULL, a->placed,
                                          f->may_tie, 1, err);
}

/* out: n of them. *lost: answers to screens that the log does not have. */
static spar_status summarize(spar_experiment *experiment, summary_fold *f, uint64_t *lost, spar_error *err)
{
    spar__answers answers = {.event = take_event, .answer = take_answer, .context = f};
    f->items = &experiment->state->items;
    memset(f->group, 0, f->n * sizeof *f->group);
    spar_status status = f->without ? spar__source_flagged(experiment, &f->flagged, err) : SPAR_OK;
    do {
        f->may_tie = f->tied;
        f->tied = false;
        if (!status || status == SPAR_INTERRUPTED)
            status = begin(f, err);
        if (!status)
            status = spar__live_answers_each(experiment, &answers, err);
    } while (status == SPAR_INTERRUPTED && f->tied);
    if (status)
        clear(f);
    *lost = answers.lost;
    spar__key_table_fini(&f->flagged);
    spar__free(f->place);
    return status;
}

spar_status spar_experiment_standings(spar_experiment *experiment, bool without_flagged, spar_standings **out,
                                      spar_error *err)
{
    if (out)
        *out = NULL;
    if (!experiment || !out || !experiment->state)
        return spar__fail(err, SPAR_INVALID, "standings are those of an experiment, and need a place to go");
    spar__group_answers all;
    summary_fold f = {.group = &all, .n = 1, .without = without_flagged};
    uint64_t lost = 0;
    spar_status status = summarize(experiment, &f, &lost, err);
    if (!status && lost) {
        clear(&f);
        status = spar__fail(err, SPAR_CORRUPT, "the log has answers to screens that it does not have");
    }
    *out = all.standings;
    return status;
}

spar_status spar__live_groups(spar_experiment *experiment, bool without_flagged, spar__group_answers *out,
                              spar_error *err)
{
    summary_fold f = {.group = out, .n = spar__live_group_count(experiment) + 1, .decides = true};
    uint64_t lost;
    f.without = without_flagged;
    return summarize(experiment, &f, &lost, err);
}

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

/* --- when answers came --- */

/* Widths of a column in seconds, a minute to a year of 52 weeks: each is a multiple of the one before, so that columns
 * are joined exactly. */
static const int64_t widths[] = {60, 300, 900, 3600, 10800, 21600, 43200, 86400, 604800, 2419200, 31449600};

static int64_t floor_to(int64_t time, int64_t width)
{
    int64_t rest = time % width;
    return time - rest - (rest < 0 ? width : 0);
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
    while ((time - pace->begin) / pace->width >= SPAR__PACE_COLUMNS) {
        uint64_t count[SPAR__PACE_COLUMNS] = {0};
        size_t last = 0, i = 0;
        while (i < sizeof widths / sizeof *widths && widths[i] <= pace->width)
            i++;
        int64_t width = i < sizeof widths / sizeof *widths ? widths[i] : 2 * pace->width;
        int64_t begin = floor_to(pace->begin, width);
        for (i = 0; i < pace->n; i++) {
            last = (size_t)((pace->begin + (int64_t)i * pace->width - begin) / width);
            count[last] += pace->count[i];
        }
        memcpy(pace->count, count, sizeof count);
        pace->begin = begin;
        pace->width = width;
        pace->n = last + 1;
    }
    size_t column = (size_t)((time - pace->begin) / pace->width);
    pace->count[column]++;
    pace->n = column + 1 > pace->n ? column + 1 : pace->n;
}

typedef struct pace_reading {
    spar__pace *pace;
    uint64_t most;
} pace_reading;

static spar_status note(void *context, const spar_event *event, const unsigned char *hash, spar_error *err)
{
    pace_reading *reading = context;
    spar__pace *pace = reading->pace;
    spar__key_table *hasty = &pace->hasty;
    (void)hash;
    if (!reading->most--)
        return SPAR_INTERRUPTED;
    if (spar_event_kind_of(event) == SPAR_EVENT_ANSWER) {
        spar__pace_add(pace, spar_event_time(event));
        if (spar_event_flags(event) && spar__key_table_reserve(hasty, 1))
            return spar__fail_memory(err);
        if (spar_event_flags(event))
            (void)spar__key_get(hasty, spar_event_number(event), spar_event_revision(event));
        pace->flagged += spar_event_flags(event) != 0;
    } else if (spar_event_kind_of(event) == SPAR_EVENT_UNDO) {
        size_t at = spar__key_find(hasty, spar_event_number(event), spar_event_revision(event));
        if (at != SPAR__NO_KEY && !hasty->entry[at].count) {
            hasty->entry[at].count = 1;
            pace->flagged--;
        }
    }
    pace->read = spar_event_sequence(event);
    return SPAR_OK;
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
