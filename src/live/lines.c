#include "live/lines.h"

#include "base/alloc.h"
#include "live/export.h"
#include "live/live.h"
#include "store/digest.h"

#include <string.h>

typedef struct log_lines {
    spar_experiment *experiment;
    spar_event *event;
    spar__line_fn fn;
    void *context;
    spar__buf line;
    size_t given, most, bytes, room;
    uint64_t next;
} log_lines;

/* --- questions: which version belongs to a settings event is told by its hash --- */

typedef struct question_search {
    const unsigned char *hash;
    spar__store_text text;
    unsigned char *bytes; /* NULL: not found */
} question_search;

static spar_status try_question(void *context, const spar__store_text *text, spar_error *err)
{
    question_search *search = context;
    unsigned char hash[SPAR_HASH_SIZE];
    spar__hmac(text->salt, text->bytes, text->length, hash);
    if (search->bytes || memcmp(hash, search->hash, sizeof hash) != 0)
        return SPAR_OK;
    search->text = *text;
    search->bytes = spar__alloc(text->length + 1, 1);
    if (!search->bytes)
        return spar__fail_memory(err);
    memcpy(search->bytes, text->bytes, text->length);
    return SPAR_OK;
}

static spar_status find_question(const log_lines *l, spar__store_text *text, unsigned char **bytes, spar_error *err)
{
    question_search search = {.hash = spar_event_hash(l->event)};
    if (!search.hash)
        return SPAR_OK;
    spar_status status =
        spar__store_text_each(l->experiment->store, l->experiment->id, SPAR__TEXT_QUESTION, try_question, &search, err);
    *text = search.text;
    *bytes = search.bytes;
    return status;
}

/* The text of the event; *bytes NULL if it has none, or none any more. */
static spar_status find_text(const log_lines *l, spar__store_text *text, unsigned char **bytes, spar_error *err)
{
    *bytes = NULL;
    if (spar_event_kind_of(l->event) == SPAR_EVENT_SETTINGS)
        return find_question(l, text, bytes, err);
    *text = spar__history_text_of(l->event, 0);
    if (!text->kind)
        return SPAR_OK;
    spar_status status = spar__store_text_get(l->experiment->store, l->experiment->id, text->kind, text->owner,
                                              text->version, text->salt, bytes, &text->length, err);
    text->bytes = *bytes;
    return status == SPAR_UNKNOWN ? SPAR_OK : status;
}

static spar_status take(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                        const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    log_lines *l = context;
    spar__store_text text;
    unsigned char *found = NULL;
    spar_error why = {0};
    if (l->given && (l->given == l->most || l->bytes >= l->room))
        return SPAR_INTERRUPTED;
    spar_status status = spar__live_decode(l->event, sequence, bytes, length, err);
    if (!status)
        status = find_text(l, &text, &found, &why) ? spar__fail(err, SPAR_IO, "%s", why.text) : SPAR_OK;
    text.bytes = found;
    const spar__history_entry entry = {sequence, l->event, bytes, length, hash, found ? &text : NULL, 0};
    spar__buf_clear(&l->line);
    if (!status)
        status = spar__event_line(&entry, &l->line, err);
    if (!status && l->line.failed)
        status = spar__fail_memory(err);
    spar__free(found);
    if (status)
        return status;
    l->fn(l->context, sequence, &l->line);
    l->bytes += l->line.length;
    l->given++;
    l->next = sequence + 1;
    return SPAR_OK;
}

spar_status spar__live_lines(spar_experiment *experiment, uint64_t from, size_t most, size_t bytes, spar__line_fn fn,
                             void *context, uint64_t *next, spar_error *err)
{
    log_lines l = {.experiment = experiment, .fn = fn, .context = context, .most = most, .room = bytes};
    l.next = from ? from : 1;
    spar_status status = spar_event_new(&l.event) ? spar__fail_memory(err) : SPAR_OK;
    if (!status)
        status = spar__store_read(experiment->store, experiment->id, l.next, 0, take, &l, err);
    spar__buf_free(&l.line);
    spar_event_free(l.event);
    *next = l.next;
    return status == SPAR_INTERRUPTED ? SPAR_OK : status;
}
