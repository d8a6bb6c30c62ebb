/* scan_texts.c - every text beside the log against the hash that an event has of it. */
#include "live/verify.h"

#include "live/history.h"
#include "store/digest.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *kind_name(spar__text_kind kind)
{
    static const char *const name[] = {
        [SPAR__TEXT_QUESTION] = "question", [SPAR__TEXT_ARM] = "option",  [SPAR__TEXT_ITEM] = "item",
        [SPAR__TEXT_COMMENT] = "comment",   [SPAR__TEXT_VOTER] = "voter", [SPAR__TEXT_SOURCE] = "source"};
    return kind > 0 && kind < sizeof name / sizeof *name ? name[kind] : "text";
}

static int compare(const void *a, const void *b)
{
    const spar__hashed_text *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->owner != y->owner)
        return x->owner < y->owner ? -1 : 1;
    return (x->version > y->version) - (x->version < y->version);
}

static bool is_hashed(spar__text_kind kind)
{
    return kind != SPAR__TEXT_VOTER && kind != SPAR__TEXT_SOURCE; /* no event speaks of those */
}

/* No event knows of it, unless one was added after the log was read. */
static spar_status note_stray(spar__verify *verify, const spar__store_text *text, spar_error *err)
{
    void *items = verify->stray;
    spar_status status = spar__verify_reserve(&items, verify->n_stray, &verify->stray_room, sizeof *verify->stray, err);
    verify->stray = items;
    if (!status)
        verify->stray[verify->n_stray++] =
            (spar__hashed_text){.kind = text->kind, .owner = text->owner, .version = text->version};
    return status;
}

static spar_status check(void *context, const spar__store_text *text, spar_error *err)
{
    spar__verify *verify = context;
    unsigned char hash[SPAR_HASH_SIZE];
    spar__hashed_text key = {.kind = text->kind, .owner = text->owner, .version = text->version};
    if (!is_hashed(text->kind))
        return SPAR_OK;
    spar__hashed_text *hashed =
        verify->n_text ? bsearch(&key, verify->text, verify->n_text, sizeof key, compare) : NULL;
    if (!hashed)
        return note_stray(verify, text, err);
    hashed->met = true;
    verify->report->removed--;
    spar__hmac(text->salt, text->bytes, text->length, hash);
    if (memcmp(hash, hashed->hash, sizeof hash) == 0)
        return SPAR_OK;
    return spar__verify_find(verify, err,
                             "the text of %s %" PRIu64 ", version %" PRIu32 ", is not the one that event %" PRIu64
                             " was made with",
                             kind_name(text->kind), text->owner, text->version, hashed->sequence);
}

/* An event that was added meanwhile: the text that it knows of is no stray. */
static spar_status meet_stray(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                              const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    spar__verify *verify = context;
    (void)sequence;
    (void)hash;
    spar_status status = spar_event_decode(verify->event, bytes, length, NULL);
    if (status)
        return status == SPAR_NOMEM ? spar__fail_memory(err) : SPAR_OK; /* said when the log is verified next */
    verify->settings += spar_event_kind_of(verify->event) == SPAR_EVENT_SETTINGS;
    spar__store_text text = spar__history_text_of(verify->event, verify->settings);
    const spar__hashed_text key = {.kind = text.kind, .owner = text.owner, .version = text.version};
    for (size_t i = 0; i < verify->n_stray; i++)
        verify->stray[i].met = verify->stray[i].met || compare(&key, &verify->stray[i]) == 0;
    return SPAR_OK;
}

static spar_status find_strays(spar__verify *verify, spar_error *err)
{
    spar_error why = {0};
    spar_status status = SPAR_OK;
    if (verify->n_stray)
        status = spar__store_read(verify->store, verify->experiment, verify->end + 1, 0, meet_stray, verify, &why);
    if (status && status != SPAR_CORRUPT)
        return spar__fail(err, status, "%s", why.text);
    status = SPAR_OK;
    for (size_t i = 0; i < verify->n_stray && !status; i++) {
        const spar__hashed_text *text = &verify->stray[i];
        if (!text->met)
            status =
                spar__verify_find(verify, err, "%s %" PRIu64 ", version %" PRIu32 ", has a text that no event knows of",
                                  kind_name(text->kind), text->owner, text->version);
    }
    return status;
}

spar_status spar__verify_texts(spar__verify *verify, spar_error *err)
{
    if (verify->n_text)
        qsort(verify->text, verify->n_text, sizeof *verify->text, compare);
    verify->report->removed = verify->n_text; /* less those that are met */
    spar_error why = {0};
    spar_status status =
        spar__store_text_each(verify->store, verify->experiment, (spar__text_kind)0, check, verify, &why);
    if (status && status != SPAR_CORRUPT)
        return spar__fail(err, status, "%s", why.text);
    if (!status)
        return find_strays(verify, err);
    verify->texts_unread = true;
    verify->report->removed = 0; /* unknown */
    status = spar__verify_find(verify, err, "%s", why.text);
    return status ? status : find_strays(verify, err);
}

/* Comments go with their voter; options that are retired can be redacted, and items in all versions but the last. */
static bool may_be_missing(const spar__hashed_text *text, const spar__fold *state)
{
    if (text->kind == SPAR__TEXT_ITEM) /* redacted, or there is a newer version */
        return text->owner < state->items.n && text->version < state->items.item[text->owner].version;
    return text->kind == SPAR__TEXT_COMMENT ||
           (text->kind == SPAR__TEXT_ARM &&
            (text->owner >= state->n_options || !spar_decision_is_live(state->decision, (size_t)text->owner)));
}

spar_status spar__verify_missing(spar__verify *verify, const spar__fold *state, spar_error *err)
{
    spar_status status = SPAR_OK;
    for (size_t i = 0; i < verify->n_text && !verify->texts_unread && !status; i++) {
        const spar__hashed_text *text = &verify->text[i];
        if (!text->met && !may_be_missing(text, state))
            status = spar__verify_find(verify, err,
                                       "the text of %s %" PRIu64 ", version %" PRIu32 ", which event %" PRIu64
                                       " was made with, is missing, and no command removes such a text",
                                       kind_name(text->kind), text->owner, text->version, text->sequence);
    }
    return status;
}
