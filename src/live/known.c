/* known.c - see known.h. The store knows which keys there are, not which event has one: the log is read once, when the
 * first key comes again. */
#include "live/known.h"

#include "base/hash.h"
#include "live/labels.h"
#include "store/digest.h"

#include <inttypes.h>
#include <string.h>

void spar__known_keys_fini(spar__known_keys *known)
{
    spar__key_table_fini(&known->key);
    spar_event_free(known->event);
    *known = (spar__known_keys){0};
}

/* A key may be any bytes, so it is looked up by a part of its SHA-256. */
static void words_of(const spar_event *event, uint64_t *high, uint64_t *low)
{
    unsigned char hash[SPAR_HASH_SIZE];
    spar__sha256(spar_event_key(event), SPAR_HASH_SIZE, hash);
    *high = spar__get_u64(hash);
    *low = spar__get_u64(hash + 8);
}

static spar_status note_key(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                            const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    spar__known_keys *known = context;
    uint64_t high, low;
    (void)hash;
    spar_status status = spar__live_decode(known->event, sequence, bytes, length, err);
    if (!status && spar_event_kind_of(known->event) == SPAR_EVENT_IMPORTED) {
        if (spar__key_table_reserve(&known->key, 1))
            return spar__fail_memory(err);
        words_of(known->event, &high, &low);
        known->key.entry[spar__key_get(&known->key, high, low)].count = sequence;
    }
    known->upto = status ? known->upto : sequence;
    return status;
}

static spar_status take_event(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                              const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    (void)hash;
    return spar__live_decode(context, sequence, bytes, length, err);
}

/* Reads the event with the key of `wanted` into known->event. */
static spar_status find_event(spar_experiment *experiment, spar__known_keys *known, const spar_event *wanted,
                              spar_error *err)
{
    spar__store *store = experiment->store;
    uint64_t high, low;
    if (!known->event && spar_event_new(&known->event))
        return spar__fail_memory(err);
    words_of(wanted, &high, &low);
    size_t i = spar__key_find(&known->key, high, low);
    spar_status status =
        i == SPAR__NO_KEY ? spar__store_read(store, experiment->id, known->upto + 1, 0, note_key, known, err) : SPAR_OK;
    if (status)
        return status;
    i = spar__key_find(&known->key, high, low);
    if (i == SPAR__NO_KEY)
        return spar__fail(err, SPAR_CORRUPT, "%s has noted the key of an import that its log does not have",
                          experiment->place);
    uint64_t at = known->key.entry[i].count;
    return spar__store_read(store, experiment->id, at, at, take_event, known->event, err);
}

static bool same_answer(const spar_event *a, const spar_event *b)
{
    const spar_round *x = spar_event_round(a), *y = spar_event_round(b);
    bool same =
        spar_answer_equal(spar_event_answer(a), spar_event_answer(b)) && spar_round_slots(x) == spar_round_slots(y);
    for (size_t slot = 0; same && slot < spar_round_slots(x); slot++)
        same = spar_round_arm(x, slot) == spar_round_arm(y, slot);
    return same;
}

static spar_status check_voter(spar_experiment *experiment, const spar_event *event, const spar__known_row *row,
                               bool *same, spar_error *err)
{
    uint64_t there = spar_event_voter(event), voter = spar_event_voter(row->event);
    char *name = NULL;
    *same = there == voter;
    if (*same || !there || !voter)
        return SPAR_OK;
    spar_status status = spar_experiment_voter_name(experiment, there, &name, err);
    *same = !name || spar__label_is_made(name) != row->labelled;
    spar_text_free(name);
    return status;
}

spar_status spar__known_compare(spar_experiment *experiment, spar__known_keys *known, const spar__known_row *row,
                                spar_error *err)
{
    bool same_voter = true;
    spar_status status = find_event(experiment, known, row->event, err);
    if (!status)
        status = check_voter(experiment, known->event, row, &same_voter, err);
    if (status)
        return status;
    bool same = same_answer(known->event, row->event);
    if (same && same_voter)
        return SPAR_OK;
    return spar__fail(err, SPAR_CONFLICT,
                      "answer %" PRIu64 " of the import has the key of event %" PRIu64 ", but %s differs", row->number,
                      spar_event_sequence(known->event), same ? "its voter" : "what it says");
}
