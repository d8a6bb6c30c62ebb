/* history.c - a log, wherever it is: in a store, or in an exported file (jsonl.c); and its answers, each with what was
 * shown.
 *
 * Where something in a store is damaged, the rest is still read: one event that cannot be read is told and left out,
 * and reading goes on after it. Answers are given in one pass over the log, after one that looks for undos. */
#include "live/exchange/history.h"

#include "base/alloc.h"
#include "base/order.h"
#include "live/live.h"
#include "live/screen.h"
#include "store/digest.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void spar__history_free(spar__history *history)
{
    if (!history)
        return;
    spar_event_free(history->event);
    history->cls->free(history);
}

spar_status spar__history_each(spar__history *history, spar__history_fn fn, void *context, spar_error *err)
{
    return history->cls->each(history, fn, context, err);
}

spar_status spar__history_voters(spar__history *history, spar__store_text_fn fn, void *context, spar_error *err)
{
    return history->cls->voters(history, fn, context, err);
}

spar_status spar__history_end(spar__history *history, uint64_t *sequence, unsigned char hash[SPAR_HASH_SIZE],
                              spar_error *err)
{
    return history->cls->end(history, sequence, hash, err);
}

spar__store_text spar__history_text_of(const spar_event *event, uint32_t settings)
{
    bool hashed = spar_event_hash(event) != NULL;
    switch (spar_event_kind_of(event)) {
    case SPAR_EVENT_SETTINGS:
        return (spar__store_text){.kind = hashed ? SPAR__TEXT_QUESTION : 0, .version = settings};
    case SPAR_EVENT_OPTION:
        return (spar__store_text){
            .kind = hashed ? SPAR__TEXT_ARM : 0, .owner = spar_event_arm(event), .version = spar_event_version(event)};
    case SPAR_EVENT_ITEM:
        return (spar__store_text){.kind = hashed ? SPAR__TEXT_ITEM : 0,
                                  .owner = spar_event_item(event),
                                  .version = spar_event_version(event)};
    case SPAR_EVENT_ANSWER:
        return (spar__store_text){.kind = hashed ? SPAR__TEXT_COMMENT : 0,
                                  .owner = spar_event_number(event),
                                  .version = spar_event_revision(event) + 1};
    case SPAR_EVENT_IMPORTED:
        return (spar__store_text){.kind = SPAR__TEXT_SOURCE, .owner = spar_event_sequence(event), .version = 1};
    default:
        return (spar__store_text){0};
    }
}

/* --- a log in a store --- */

enum { STEPS = 64 }; /* by one, where events cannot be read, before they become longer */

typedef struct stored_history {
    spar__history base; /* must come first */
    spar__store *store;
    uint64_t experiment;
    spar__history_fault fault;
    void *context;
    bool sources; /* some imports have a text */
    bool frozen;  /* the log ends with this event: */
    uint64_t last;
    unsigned char last_hash[SPAR_HASH_SIZE];
    /* While events are read: */
    spar__history_fn fn;
    void *fn_context;
    uint32_t settings;
    uint64_t next; /* the event that comes next */
    bool linked;   /* the hash of the one before is known */
    unsigned char hash[SPAR_HASH_SIZE];
    bool stopped; /* by fn, not by damage */
    bool told;    /* all was read before: damage is known */
} stored_history;

/* Tells what is damaged; without someone to tell it is an error. */
static SPAR__PRINTF(4, 5) spar_status
    tell(stored_history *h, spar_status status, spar_error *err, const char *format, ...)
{
    char sentence[sizeof err->text + 80];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    if (!h->fault || status == SPAR_NOMEM)
        return spar__fail(err, status, "%s", sentence);
    if (!h->told)
        h->fault(h->context, sentence);
    return SPAR_OK;
}

/* The text of the event, if it is still there and as it was. */
static spar_status get_text(stored_history *h, const spar_event *event, spar__store_text *text, unsigned char **bytes,
                            spar_error *err)
{
    spar_error why = {0};
    *text = spar__history_text_of(event, h->settings);
    if (!text->kind || (text->kind == SPAR__TEXT_SOURCE && !h->sources))
        return SPAR_OK;
    spar_status status = spar__store_text_get(h->store, h->experiment, text->kind, text->owner, text->version,
                                              text->salt, bytes, &text->length, &why);
    if (status == SPAR_UNKNOWN)
        return SPAR_OK;
    text->bytes = *bytes;
    const unsigned char *content = spar_event_hash(event);
    unsigned char hmac[SPAR_HASH_SIZE];
    if (!status && content) {
        spar__hmac(text->salt, *bytes, text->length, hmac);
        if (memcmp(hmac, content, sizeof hmac) != 0) {
            status = spar__fail(&why, SPAR_CORRUPT, "it is not the one that the event names");
            spar__free(*bytes);
            *bytes = NULL;
        }
    }
    return status ? tell(h, status, err, "event %" PRIu64 ": its text cannot be read: %s", spar_event_sequence(event),
                         why.text)
                  : SPAR_OK;
}

static spar_status history_store_take(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                                      const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    stored_history *h = context;
    spar_event *event = h->base.event;
    spar_error why = {0};
    h->next = sequence + 1;
    spar_status status = spar_event_decode(event, bytes, length, &why);
    if (!status && spar_event_sequence(event) != sequence)
        status = spar__fail(&why, SPAR_CORRUPT, "it says that it is event %" PRIu64, spar_event_sequence(event));
    if (status) {
        h->linked = false;
        status = tell(h, status, err, "event %" PRIu64 " is damaged: %s", sequence, why.text);
        h->stopped = status != SPAR_OK;
        return status;
    }
    h->settings += spar_event_kind_of(event) == SPAR_EVENT_SETTINGS;
    spar__store_text text;
    unsigned char *found = NULL;
    unsigned char now[SPAR_HASH_SIZE];
    spar__chain_next(h->hash, bytes, length, now);
    bool holds = !h->linked || memcmp(now, hash, sizeof now) == 0;
    memcpy(h->hash, hash, sizeof h->hash);
    h->linked = true;
    if (!holds)
        status =
            tell(h, SPAR_CORRUPT, err, "event %" PRIu64 ": its hash does not follow from the log before it", sequence);
    if (!status)
        status = get_text(h, event, &text, &found, err);
    spar__history_entry entry = {sequence, event, bytes, length, hash, found ? &text : NULL, 0};
    if (!status)
        status = h->fn(h->fn_context, &entry, err);
    spar__free(found);
    h->stopped = status != SPAR_OK;
    return status;
}

static spar_status note_source(void *context, const spar__store_text *text, spar_error *err)
{
    (void)text;
    ((stored_history *)context)->sources = true;
    return spar__fail(err, SPAR_INTERRUPTED, "one is enough");
}

typedef enum probe_result { PROBE_LOST, PROBE_EVENT, PROBE_END } probe_result;

static spar_status note_event(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                              const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    (void)bytes;
    (void)length;
    (void)hash;
    *(uint64_t *)context = sequence;
    return spar__fail(err, SPAR_INTERRUPTED, "one is enough");
}

/* Can event `at` be read, or is the log at its end before it? */
static probe_result probe(stored_history *h, uint64_t at)
{
    uint64_t found = 0;
    spar_status status = spar__store_read(h->store, h->experiment, at, 0, note_event, &found, NULL);
    return found == at ? PROBE_EVENT : status ? PROBE_LOST : PROBE_END;
}

/* The first event behind `lost` that can be read, or the end. Damage lies together: after some steps by one the steps
 * become longer, and the edge is then found between the last two. */
static uint64_t find_edge(stored_history *h, uint64_t lost, probe_result *result)
{
    uint64_t bad = lost, step = 1, good = lost + 1;
    for (size_t tries = 1; (*result = probe(h, good)) == PROBE_LOST; tries++) {
        if (good >> 48)
            return good;
        bad = good;
        step = tries < STEPS ? 1 : 2 * step;
        good += step;
    }
    while (good - bad > 1) {
        uint64_t middle = bad + (good - bad) / 2;
        probe_result found = probe(h, middle);
        if (found == PROBE_LOST)
            bad = middle;
        else {
            good = middle;
            *result = found;
        }
    }
    return good;
}

/* Reads on where reading broke off, behind what cannot be read. */
static spar_status read_on(stored_history *h, spar_status status, const spar_error *why, spar_error *err)
{
    spar_error last = *why;
    while (status && !h->stopped && status != SPAR_NOMEM) {
        uint64_t lost = h->next;
        probe_result result;
        h->next = find_edge(h, lost, &result);
        h->linked = false;
        if (result != PROBE_EVENT) /* nothing follows that can be read: how much is lost is not known */
            status = tell(h, status, err, "event %" PRIu64 " and what follows are lost: %s", lost, last.text);
        else if (h->next == lost + 1)
            status = tell(h, status, err, "event %" PRIu64 " is lost: %s", lost, last.text);
        else
            status =
                tell(h, status, err, "events %" PRIu64 " to %" PRIu64 " are lost: %s", lost, h->next - 1, last.text);
        if (status || result != PROBE_EVENT)
            return status;
        status = spar__store_read(h->store, h->experiment, h->next, 0, history_store_take, h, &last);
    }
    return status ? spar__fail(err, status, "%s", last.text) : SPAR_OK;
}

static spar_status each(spar__history *history, spar__history_fn fn, void *context, spar_error *err)
{
    stored_history *h = (stored_history *)history;
    spar_error why = {0};
    h->fn = fn;
    h->fn_context = context;
    h->settings = 0;
    h->next = 1;
    h->linked = true;
    h->stopped = false;
    memset(h->hash, 0, sizeof h->hash);
    /* Do imports have texts at all? Looking for each of a million takes seconds. Damaged: then each is tried. */
    spar_status status = spar__store_text_each(h->store, h->experiment, SPAR__TEXT_SOURCE, note_source, h, &why);
    h->sources = h->sources || status;
    status = status == SPAR_NOMEM ? status : SPAR_OK;
    if (!status && (h->last || !h->frozen))
        status = spar__store_read(h->store, h->experiment, 1, h->last, history_store_take, h, &why);
    if (status && !h->stopped && h->fault)
        status = read_on(h, status, &why, &why);
    h->told = true;
    return status ? spar__fail(err, status, "%s", why.text) : SPAR_OK;
}

static spar_status voters(spar__history *history, spar__store_text_fn fn, void *context, spar_error *err)
{
    stored_history *h = (stored_history *)history;
    return spar__store_text_each(h->store, h->experiment, SPAR__TEXT_VOTER, fn, context, err);
}

static spar_status end(spar__history *history, uint64_t *sequence, unsigned char *hash, spar_error *err)
{
    stored_history *h = (stored_history *)history;
    if (!h->frozen)
        return spar__store_head(h->store, h->experiment, sequence, hash, err);
    *sequence = h->last;
    memcpy(hash, h->last_hash, sizeof h->last_hash);
    return SPAR_OK;
}

spar_status spar__history_freeze(spar__history *history, spar_error *err)
{
    stored_history *h = (stored_history *)history;
    spar_status status = spar__store_head(h->store, h->experiment, &h->last, h->last_hash, err);
    h->frozen = !status;
    return status;
}

spar_status spar__history_name(spar__history *history, uint64_t voter, spar__store_text *text, unsigned char **bytes,
                               spar_error *err)
{
    stored_history *h = (stored_history *)history;
    spar_error why = {0};
    *text = (spar__store_text){.kind = SPAR__TEXT_VOTER, .owner = voter, .version = 1};
    spar_status status = spar__store_text_get(h->store, h->experiment, SPAR__TEXT_VOTER, voter, 1, text->salt, bytes,
                                              &text->length, &why);
    text->bytes = *bytes;
    return !status || status == SPAR_UNKNOWN ? SPAR_OK : spar__fail(err, status, "%s", why.text);
}

static void free_stored(spar__history *history)
{
    spar__store_close(((stored_history *)history)->store);
    spar__free(history);
}

static const spar__history_class STORED = {free_stored, each, voters, end};

spar_status spar__history_open(const char *place, spar__history_fault fault, void *context, spar__history **out,
                               spar_error *err)
{
    char *name = NULL;
    *out = NULL;
    stored_history *h = spar__alloc(1, sizeof *h);
    if (!h)
        return spar__fail_memory(err);
    h->base.cls = &STORED;
    h->fault = fault;
    h->context = context;
    spar_status status = spar_event_new(&h->base.event) ? spar__fail_memory(err) : SPAR_OK;
    if (!status)
        status = spar__location_open(place, SPAR__STORE_READ, &h->store, &name, err);
    if (!status)
        status = spar__store_find(h->store, name, &h->experiment, err);
    spar__free(name);
    if (status) {
        spar__history_free(&h->base);
        return status;
    }
    *out = &h->base;
    return SPAR_OK;
}

/* --- answers --- */

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
    size_t m; /* of the answer that is given */
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

static spar_status reserve_slots(answers_fold *f, size_t m)
{
    if (m <= f->slots)
        return SPAR_OK;
    if (!spar__resize(&f->arm, f->slots, 2 * m, sizeof *f->arm) ||
        !spar__resize(&f->place, f->slots, 2 * m, sizeof *f->place))
        return SPAR_NOMEM;
    f->slots = 2 * m; /* both have that many */
    return SPAR_OK;
}

static size_t place_of(void *context, size_t slot)
{
    const answers_fold *f = context;
    return slot < f->m ? f->place[slot] : SPAR_NO_SLOT;
}

static spar_status give(answers_fold *f, spar__answered *answered, spar_error *err)
{
    const spar_event *event = answered->entry->event;
    answered->given = spar_event_answer(event);
    f->m = answered->m;
    spar_status status = spar__answer_map(answered->given, place_of, f, f->placed, err);
    if (status) { /* slots that the screen does not have? */
        f->answers->lost += status != SPAR_NOMEM;
        return status == SPAR_NOMEM ? status : SPAR_OK;
    }
    answered->placed = f->placed;
    return f->answers->answer(f->answers->context, answered, err);
}

static spar_status keep_screen(answers_fold *f, const spar_event *event)
{
    const spar_round *round = spar_event_round(event);
    size_t m = spar_round_slots(round);
    if (!spar__reserve(&f->shown, &f->room, f->n_shown + 2 + 2 * m, 1024, sizeof *f->shown) ||
        spar__key_table_reserve(&f->screens, 1))
        return SPAR_NOMEM;
    f->screens.entry[spar__key_get(&f->screens, spar_event_number(event), 0)].count = f->n_shown;
    f->shown[f->n_shown++] = (uint32_t)m;
    f->shown[f->n_shown++] = spar_event_item(event);
    for (size_t j = 0; j < m; j++) {
        size_t arm = spar_round_arm(round, j);
        f->shown[f->n_shown++] = arm == SPAR_FRESH ? POINT : (uint32_t)arm;
        f->shown[f->n_shown++] = (uint32_t)spar_event_place(event, j);
    }
    return SPAR_OK;
}

/* Round, arms and places from the slots that were kept. */
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
    const uint32_t *kept = f->shown + f->screens.entry[at].count, *slot = kept + 2;
    size_t m = kept[0];
    if (reserve_slots(f, m))
        return spar__fail_memory(err);
    spar__answered answered = {.entry = entry, .id = entry->hash, .screen = number, .item = kept[1], .m = m};
    for (size_t j = 0; j < m; j++) {
        f->arm[j] = slot[2 * j] == POINT ? SPAR_FRESH : slot[2 * j];
        f->place[j] = slot[2 * j + 1];
        answered.point = answered.point || slot[2 * j] == POINT;
    }
    if (spar_round_set(f->round, m, f->arm))
        return spar__fail_memory(err);
    for (size_t j = 0; j < m; j++)
        f->arm[f->place[j]] = slot[2 * j] == POINT ? SPAR_FRESH : slot[2 * j];
    answered.round = f->round;
    answered.arm = f->arm;
    return give(f, &answered, err);
}

static spar_status take_imported(answers_fold *f, const spar__history_entry *entry, spar_error *err)
{
    const spar_round *round = spar_event_round(entry->event);
    size_t m = spar_round_slots(round);
    if (reserve_slots(f, m))
        return spar__fail_memory(err);
    spar__answered answered = {.entry = entry, .id = spar_event_key(entry->event), .item = SPAR_NO_ITEM, .m = m};
    for (size_t j = 0; j < m; j++) {
        f->arm[j] = spar_round_arm(round, j);
        f->place[j] = j;
        answered.point = answered.point || f->arm[j] == SPAR_FRESH;
    }
    answered.round = round;
    answered.arm = f->arm;
    return give(f, &answered, err);
}

static spar_status answers_take(void *context, const spar__history_entry *entry, spar_error *err)
{
    answers_fold *f = context;
    spar_event_kind kind = spar_event_kind_of(entry->event);
    spar_status status = f->answers->event ? f->answers->event(f->answers->context, entry, err) : SPAR_OK;
    if (!status && kind == SPAR_EVENT_SCREEN && keep_screen(f, entry->event))
        status = spar__fail_memory(err);
    else if (!status && kind == SPAR_EVENT_ANSWER)
        status = take_answer(f, entry, err);
    else if (!status && kind == SPAR_EVENT_IMPORTED)
        status = take_imported(f, entry, err);
    return status;
}

spar_status spar__answers_each(spar__history *history, spar__answers *answers, spar_error *err)
{
    answers_fold f = {.answers = answers};
    answers->undone = answers->lost = 0;
    spar_status status = spar_round_new(4, &f.round) || spar_answer_new(&f.placed) ? spar__fail_memory(err) : SPAR_OK;
    if (!status)
        status = spar__history_each(history, note_undone, &f, err);
    if (!status)
        status = spar__history_each(history, answers_take, &f, err);
    spar__key_table_fini(&f.undone);
    spar__key_table_fini(&f.screens);
    spar__free(f.shown);
    spar__free(f.arm);
    spar__free(f.place);
    spar_round_free(f.round);
    spar_answer_free(f.placed);
    return status;
}

/* The log as this experiment has folded it, without texts. */
typedef struct own_history {
    spar__history base; /* must come first */
    spar_experiment *experiment;
    spar__history_fn fn;
    void *context;
} own_history;

static spar_status own_take(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                            const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    own_history *own = context;
    spar_status status = spar__live_decode(own->base.event, sequence, bytes, length, err);
    spar__history_entry entry = {sequence, own->base.event, bytes, length, hash, NULL, 0};
    return status ? status : own->fn(own->context, &entry, err);
}

static spar_status own_each(spar__history *history, spar__history_fn fn, void *context, spar_error *err)
{
    own_history *own = (own_history *)history;
    own->fn = fn;
    own->context = context;
    uint64_t to = own->experiment->state->sequence; /* others may have added more since */
    return to ? spar__store_read(own->experiment->store, own->experiment->id, 1, to, own_take, own, err) : SPAR_OK;
}

static const spar__history_class OWN = {.each = own_each};

spar_status spar__live_answers_each(spar_experiment *experiment, spar__answers *answers, spar_error *err)
{
    own_history own = {.base = {.cls = &OWN}, .experiment = experiment};
    spar_status status = spar_event_new(&own.base.event) ? spar__fail_memory(err) : SPAR_OK;
    if (!status)
        status = spar__answers_each(&own.base, answers, err);
    spar_event_free(own.base.event);
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
