#include "live/answers.h"

#include "base/alloc.h"
#include "base/order.h"

/* A screen is kept as its number of slots, its item and, for each slot, arm and place. */
typedef struct answers_fold {
    spar__answers *answers;
    spar__key_table undone;  /* (screen, revision) */
    spar__key_table screens; /* by number; the count is where its slots begin */
    uint32_t *shown;
    size_t n_shown, room;
    spar_round *round;
    spar_answer *placed;
    size_t *arm, *place, slots;
} answers_fold;

static const uint32_t POINT = UINT32_MAX;

static spar_status note_undone(void *context, const spar__history_entry *entry, spar_error *err)
{
    answers_fold *f = context;
    const spar_event *event = entry->event;
    if (spar_event_kind_of(event) != SPAR_EVENT_UNDO)
        return SPAR_OK;
    if (spar__key_table_reserve(&f->undone, 1))
        return spar__fail_memory(err);
    size_t known = f->undone.n;
    (void)spar__key_get(&f->undone, spar_event_number(event), spar_event_revision(event));
    f->answers->undone += f->undone.n > known;
    return SPAR_OK;
}

static spar_status reserve_shown(answers_fold *f, size_t more)
{
    uint32_t *shown = spar__grow(f->shown, &f->room, f->n_shown + more, 1024, sizeof *shown);
    if (!shown)
        return SPAR_NOMEM;
    f->shown = shown;
    return SPAR_OK;
}

static spar_status keep_screen(answers_fold *f, const spar_event *event)
{
    const spar_round *round = spar_event_round(event);
    size_t m = spar_round_slots(round);
    if (reserve_shown(f, 2 + 2 * m) || spar__key_table_reserve(&f->screens, 1))
        return SPAR_NOMEM;
    size_t at = spar__key_get(&f->screens, spar_event_number(event), 0);
    f->screens.entry[at].count = f->n_shown;
    f->shown[f->n_shown++] = (uint32_t)m;
    f->shown[f->n_shown++] = spar_event_item(event);
    for (size_t j = 0; j < m; j++) {
        size_t arm = spar_round_arm(round, j);
        f->shown[f->n_shown++] = arm == SPAR_FRESH ? POINT : (uint32_t)arm;
        f->shown[f->n_shown++] = (uint32_t)spar_event_place(event, j);
    }
    return SPAR_OK;
}

static spar_status reserve_slots(answers_fold *f, size_t m)
{
    if (m <= f->slots)
        return SPAR_OK;
    size_t *arm = spar__realloc(f->arm, f->slots, 2 * m, sizeof *arm);
    f->arm = arm ? arm : f->arm;
    size_t *place = arm ? spar__realloc(f->place, f->slots, 2 * m, sizeof *place) : NULL;
    f->place = place ? place : f->place;
    if (!place)
        return SPAR_NOMEM;
    f->slots = 2 * m; /* both have that many */
    return SPAR_OK;
}

/* The answer in terms of places. */
static spar_status place_answer(const spar_answer *given, const size_t *place, size_t m, spar_answer *out)
{
    size_t n = spar_answer_count(given), winner = spar_answer_winner(given);
    if (spar_answer_copy(given, out))
        return SPAR_NOMEM;
    if (winner < m)
        spar_answer_set_winner(out, place[winner]);
    if (spar_answer_kind_of(given) == SPAR_ANSWER_RANKING && n <= m) {
        size_t *slot = spar__alloc(2 * n, sizeof *slot);
        for (size_t i = 0; slot && i < n; i++) {
            slot[i] = place[spar_answer_slot(given, i)];
            slot[n + i] = spar_answer_level(given, i);
        }
        spar_status status = slot ? spar_answer_set_ranking(out, n, slot, slot + n, NULL) : SPAR_NOMEM;
        spar__free(slot);
        return status;
    }
    if (spar_answer_kind_of(given) != SPAR_ANSWER_PAIRS)
        return SPAR_OK;
    spar_answer_set_skip(out);
    spar_status status = SPAR_OK;
    for (size_t i = 0, j, k; i < n && !status; i++) {
        spar_outcome outcome;
        status = spar_answer_pair(given, i, &j, &k, &outcome);
        if (!status)
            status = spar_answer_add_pair(out, place[j], place[k], outcome, NULL);
    }
    return status;
}

/* Slots that the question does not have? */
static bool fits(const spar_answer *answer, size_t m)
{
    bool good = spar_answer_winner(answer) == SPAR_NO_SLOT || spar_answer_winner(answer) < m;
    bool pairs = spar_answer_kind_of(answer) == SPAR_ANSWER_PAIRS;
    for (size_t i = 0, j = 0, k = 0; i < spar_answer_count(answer) && good; i++) {
        spar_outcome outcome;
        if (pairs)
            good = !spar_answer_pair(answer, i, &j, &k, &outcome) && j < m && k < m;
        else
            good = spar_answer_slot(answer, i) < m;
    }
    return good;
}

/* Round, arms and places from the slots that were kept. */
static spar_status show(answers_fold *f, const uint32_t *slot, size_t m, spar__answered *out)
{
    if (reserve_slots(f, m))
        return SPAR_NOMEM;
    for (size_t j = 0; j < m; j++) {
        f->arm[j] = slot[2 * j] == POINT ? SPAR_FRESH : slot[2 * j];
        f->place[j] = slot[2 * j + 1];
        out->point = out->point || slot[2 * j] == POINT;
    }
    if (spar_round_set(f->round, m, f->arm))
        return SPAR_NOMEM;
    for (size_t j = 0; j < m; j++)
        f->arm[f->place[j]] = slot[2 * j] == POINT ? SPAR_FRESH : slot[2 * j];
    out->round = f->round;
    out->m = m;
    out->arm = f->arm;
    return SPAR_OK;
}

static spar_status give(answers_fold *f, spar__answered *answered, spar_error *err)
{
    const spar_event *event = answered->entry->event;
    answered->given = spar_event_answer(event);
    if (!fits(answered->given, answered->m)) {
        f->answers->lost++;
        return SPAR_OK;
    }
    if (place_answer(answered->given, f->place, answered->m, f->placed))
        return spar__fail_memory(err);
    answered->placed = f->placed;
    return f->answers->answer(f->answers->context, answered, err);
}

static spar_status take_answer(answers_fold *f, const spar__history_entry *entry, spar_error *err)
{
    uint64_t number = spar_event_number(entry->event);
    if (spar__key_find(&f->undone, number, spar_event_revision(entry->event)) != SPAR__NO_KEY)
        return SPAR_OK;
    size_t at = spar__key_find(&f->screens, number, 0);
    if (at == SPAR__NO_KEY) {
        f->answers->lost++;
        return SPAR_OK;
    }
    const uint32_t *kept = f->shown + f->screens.entry[at].count;
    spar__answered answered = {.entry = entry, .id = entry->hash, .screen = number, .item = kept[1]};
    return show(f, kept + 2, kept[0], &answered) ? spar__fail_memory(err) : give(f, &answered, err);
}

static spar_status take_imported(answers_fold *f, const spar__history_entry *entry, spar_error *err)
{
    const spar_round *round = spar_event_round(entry->event);
    size_t m = spar_round_slots(round);
    spar__answered answered = {.entry = entry, .id = spar_event_key(entry->event), .item = SPAR_NO_ITEM};
    if (reserve_slots(f, m))
        return spar__fail_memory(err);
    for (size_t j = 0; j < m; j++) {
        f->arm[j] = spar_round_arm(round, j);
        f->place[j] = j;
        answered.point = answered.point || f->arm[j] == SPAR_FRESH;
    }
    answered.round = round;
    answered.m = m;
    answered.arm = f->arm;
    return give(f, &answered, err);
}

static spar_status take(void *context, const spar__history_entry *entry, spar_error *err)
{
    answers_fold *f = context;
    spar_status status = f->answers->event ? f->answers->event(f->answers->context, entry, err) : SPAR_OK;
    if (status)
        return status;
    switch (spar_event_kind_of(entry->event)) {
    case SPAR_EVENT_SCREEN:
        return keep_screen(f, entry->event) ? spar__fail_memory(err) : SPAR_OK;
    case SPAR_EVENT_ANSWER:
        return take_answer(f, entry, err);
    case SPAR_EVENT_IMPORTED:
        return take_imported(f, entry, err);
    default:
        return SPAR_OK;
    }
}

spar_status spar__answers_each(spar__history *history, spar__answers *answers, spar_error *err)
{
    answers_fold f = {.answers = answers};
    answers->undone = answers->lost = 0;
    spar_status status = spar_round_new(4, &f.round) || spar_answer_new(&f.placed) ? spar__fail_memory(err) : SPAR_OK;
    if (!status)
        status = spar__history_each(history, note_undone, &f, err);
    if (!status)
        status = spar__history_each(history, take, &f, err);
    spar__key_table_fini(&f.undone);
    spar__key_table_fini(&f.screens);
    spar__free(f.shown);
    spar__free(f.arm);
    spar__free(f.place);
    spar_round_free(f.round);
    spar_answer_free(f.placed);
    return status;
}

spar_status spar__places_reserve(size_t **place, size_t *room, size_t m)
{
    if (m <= *room)
        return SPAR_OK;
    size_t *more = spar__realloc(*place, *room, 2 * m, sizeof *more);
    if (!more)
        return SPAR_NOMEM;
    *place = more;
    for (; *room < 2 * m; (*room)++)
        more[*room] = *room;
    return SPAR_OK;
}
