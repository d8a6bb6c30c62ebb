/* item_groups.c - see item_groups.h. */
#include "live/item_groups.h"

#include "base/alloc.h"
#include "live/answers.h"
#include "live/live.h"
#include "live/source.h"

#include <string.h>

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

static spar_status take_event(void *context, const spar__history_entry *entry, spar_error *err)
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

static spar_status take_answer(void *context, const spar__answered *a, spar_error *err)
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
    spar__answers answers = {.event = take_event, .answer = take_answer, .context = &f};
    memset(out, 0, f.n * sizeof *out);
    f.without = without_flagged;
    spar_status status = without_flagged ? spar__source_flagged(experiment, &f.flagged, err) : SPAR_OK;
    do { /* a tie is an alternative of every answer if there is one: where the first shows, all is done again */
        f.may_tie = f.tied;
        f.tied = false;
        if (!status || status == SPAR_INTERRUPTED)
            status = begin(&f, err);
        if (!status)
            status = spar__live_answers_each(experiment, &answers, err);
    } while (status == SPAR_INTERRUPTED && f.tied);
    if (status)
        clear(&f);
    spar__key_table_fini(&f.flagged);
    spar__free(f.place);
    return status;
}
