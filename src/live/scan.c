/* scan.c - the log from end to end: the chain, the form of each event, and what events say about each other. */
#include "live/verify.h"

#include "base/hash.h"
#include "store/digest.h"

#include <inttypes.h>
#include <string.h>

enum { OFTEN = 4096, MOST_UNDOS = 3, LATEST_UNDO = 100000 };

static spar_status check_chain(spar__verify *verify, uint64_t sequence, const unsigned char *bytes, size_t length,
                               const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    unsigned char next[SPAR_HASH_SIZE];
    spar__chain_next(verify->last, bytes, length, next);
    memcpy(verify->last, hash, sizeof verify->last); /* so that one change is one finding */
    memcpy(verify->report->head, next, sizeof next);
    if (verify->noted && memcmp(verify->noted, next, sizeof next) == 0)
        verify->noted_found = true;
    if (memcmp(next, hash, sizeof next) == 0)
        return SPAR_OK;
    return spar__verify_find(verify, err,
                             "event %" PRIu64 " does not fit the chain: it was changed, or one before it was removed",
                             sequence);
}

/* What may be there once; *before is the number of the event that was first, else 0. */
static spar_status add_once(spar__key_table *table, uint64_t high, uint64_t low, uint64_t sequence, uint64_t *before,
                            spar_error *err)
{
    if (spar__key_table_reserve(table, 1))
        return spar__fail_memory(err);
    spar__keyed *entry = &table->entry[spar__key_get(table, high, low)];
    *before = entry->count;
    entry->count = *before ? *before : sequence;
    return SPAR_OK;
}

static spar_status add_text(spar__verify *verify, spar__text_kind kind, uint64_t owner, uint32_t version,
                            spar_error *err)
{
    const unsigned char *hash = spar_event_hash(verify->event);
    if (!hash)
        return SPAR_OK;
    void *items = verify->text;
    spar_status status = spar__verify_reserve(&items, verify->n_text, &verify->text_room, sizeof *verify->text, err);
    verify->text = items;
    if (status)
        return status;
    spar__hashed_text *text = &verify->text[verify->n_text++];
    *text = (spar__hashed_text){kind, version, owner, spar_event_sequence(verify->event), {0}, false};
    memcpy(text->hash, hash, sizeof text->hash);
    return SPAR_OK;
}

static spar_status scan_screen(spar__verify *verify, uint64_t sequence, spar_error *err)
{
    uint64_t basis = spar_event_basis(verify->event), number = spar_event_number(verify->event), before = 0;
    spar_status status = add_once(&verify->asked, number, 0, sequence, &before, err);
    if (!status && before)
        status =
            spar__verify_find(verify, err, "event %" PRIu64 ": screen %" PRIu64 " was asked before, by event %" PRIu64,
                              sequence, number, before);
    if (status)
        return status;
    if (basis >= sequence)
        return spar__verify_find(verify, err, "event %" PRIu64 ": screen %" PRIu64 " knows a later event, %" PRIu64,
                                 sequence, number, basis);
    if (spar_event_engine(verify->event) != spar_session_engine()) {
        verify->report->other++;
        return SPAR_OK;
    }
    void *items = verify->redraw;
    status = spar__verify_reserve(&items, verify->n_redraw, &verify->redraw_room, sizeof *verify->redraw, err);
    verify->redraw = items;
    if (!status)
        verify->redraw[verify->n_redraw++] = (spar__redraw){basis, sequence};
    return status;
}

static spar_status scan_answer(spar__verify *verify, uint64_t sequence, spar_error *err)
{
    uint64_t number = spar_event_number(verify->event), before = 0;
    uint32_t revision = spar_event_revision(verify->event);
    spar_status status = add_once(&verify->answers, number, revision, sequence, &before, err);
    if (!status && before)
        status = spar__verify_find(verify, err,
                                   "event %" PRIu64 ": screen %" PRIu64 " was answered before, by event %" PRIu64,
                                   sequence, number, before);
    return status ? status : add_text(verify, SPAR__TEXT_COMMENT, number, revision + 1, err);
}

static spar_status scan_undo(spar__verify *verify, uint64_t sequence, spar_error *err)
{
    uint64_t number = spar_event_number(verify->event), before = 0;
    uint32_t revision = spar_event_revision(verify->event);
    size_t i = spar__key_find(&verify->answers, number, revision);
    uint64_t answer = i == SPAR__NO_KEY ? 0 : verify->answers.entry[i].count;
    spar_status status = add_once(&verify->undos, number, revision, sequence, &before, err);
    if (status)
        return status;
    const char *wrong = before                            ? "was undone before"
                        : !answer                         ? "has no answer to undo"
                        : revision >= MOST_UNDOS          ? "was undone more than 3 times"
                        : sequence - answer > LATEST_UNDO ? "was undone more than 100,000 events late"
                                                          : NULL;
    return wrong ? spar__verify_find(verify, err, "event %" PRIu64 ": screen %" PRIu64 " %s", sequence, number, wrong)
                 : SPAR_OK;
}

static spar_status scan_imported(spar__verify *verify, uint64_t sequence, spar_error *err)
{
    unsigned char hash[SPAR_HASH_SIZE];
    uint64_t before = 0;
    spar__sha256(spar_event_key(verify->event), SPAR_HASH_SIZE, hash);
    spar_status status = add_once(&verify->keys, spar__get_u64(hash), spar__get_u64(hash + 8), sequence, &before, err);
    if (!status && before)
        status = spar__verify_find(verify, err, "event %" PRIu64 " has the key of event %" PRIu64 ": it counts twice",
                                   sequence, before);
    return status;
}

static spar_status scan_event(spar__verify *verify, uint64_t sequence, spar_error *err)
{
    const spar_event *event = verify->event;
    switch (spar_event_kind_of(event)) {
    case SPAR_EVENT_SETTINGS:
        return add_text(verify, SPAR__TEXT_QUESTION, 0, ++verify->settings, err);
    case SPAR_EVENT_OPTION:
        return add_text(verify, SPAR__TEXT_ARM, spar_event_arm(event), spar_event_version(event), err);
    case SPAR_EVENT_ITEM:
        return add_text(verify, SPAR__TEXT_ITEM, spar_event_item(event), spar_event_version(event), err);
    case SPAR_EVENT_SCREEN:
        return scan_screen(verify, sequence, err);
    case SPAR_EVENT_ANSWER:
        return scan_answer(verify, sequence, err);
    case SPAR_EVENT_UNDO:
        return scan_undo(verify, sequence, err);
    case SPAR_EVENT_IMPORTED:
        return scan_imported(verify, sequence, err);
    default:
        return SPAR_OK;
    }
}

static spar_status scan(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                        const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    spar__verify *verify = context;
    spar_error why = {0};
    spar_status status =
        sequence % OFTEN ? SPAR_OK : spar__verify_progress(verify, 0.2 * (double)sequence / (double)verify->end, err);
    verify->report->events = sequence;
    if (!status)
        status = check_chain(verify, sequence, bytes, length, hash, err);
    if (status)
        return status;
    status = spar__live_decode(verify->event, sequence, bytes, length, &why);
    if (status)
        return status == SPAR_NOMEM ? spar__fail_memory(err) : spar__verify_find(verify, err, "%s", why.text);
    return scan_event(verify, sequence, err);
}

spar_status spar__verify_scan(spar__verify *verify, spar_error *err)
{
    spar_error why = {0};
    spar_status status = spar__store_head(verify->store, verify->experiment, &verify->end, verify->last, err);
    if (status)
        return status;
    memset(verify->last, 0, sizeof verify->last);
    status = spar__store_read(verify->store, verify->experiment, 1, verify->end, scan, verify, &why);
    if (status == SPAR_CORRUPT) {
        verify->end = verify->report->events; /* what comes after cannot be trusted */
        return spar__verify_find(verify, err, "%s", why.text);
    }
    return status ? spar__fail(err, status, "%s", why.text) : SPAR_OK;
}
