/* scan_texts.c - every text beside the log against the hash that an event has of it. */
#include "live/verify.h"

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
        return spar__verify_find(verify, err, "%s %" PRIu64 ", version %" PRIu32 ", has a text that no event knows of",
                                 kind_name(text->kind), text->owner, text->version);
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

spar_status spar__verify_texts(spar__verify *verify, spar_error *err)
{
    if (verify->n_text)
        qsort(verify->text, verify->n_text, sizeof *verify->text, compare);
    verify->report->removed = verify->n_text; /* less those that are met */
    spar_error why = {0};
    spar_status status =
        spar__store_text_each(verify->store, verify->experiment, (spar__text_kind)0, check, verify, &why);
    if (status != SPAR_CORRUPT)
        return status ? spar__fail(err, status, "%s", why.text) : SPAR_OK;
    verify->texts_unread = true;
    verify->report->removed = 0; /* unknown */
    return spar__verify_find(verify, err, "%s", why.text);
}

/* Comments go with their voter, and options that are retired can be redacted. */
static bool may_be_missing(const spar__hashed_text *text, const spar__fold *state)
{
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
