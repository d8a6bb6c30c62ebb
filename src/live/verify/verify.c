/* verify.c - is a log what it says it is?
 *
 * First the log is read from end to end: chain, form, and what the events say about each other; then the texts are
 * compared with their hashes; then the log is folded once, and on the way every screen of this engine is drawn again at
 * its basis and every snapshot compared. What is wrong is a finding; only what keeps it from being looked for is an
 * error. Costs a fold of the log and one choice a screen. */
#include "base/alloc.h"
#include "base/buf.h"
#include "base/order.h"
#include "live/exchange/history.h"
#include "live/live.h"
#include "store/digest.h"
#include "store/store.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FINDINGS = 100 };

struct spar_verification {
    char **finding;
    size_t n_findings, more; /* of which there are texts, and not */
    uint64_t events, screens, other, removed;
    unsigned char head[SPAR_HASH_SIZE];
};

/* A screen to be drawn again: by basis, then by its own number in the log. */
typedef struct redrawn_screen {
    uint64_t basis, sequence;
} redrawn_screen;

/* A text that an event has the hash of. */
typedef struct hashed_text {
    spar__text_kind kind;
    uint32_t version;
    uint64_t owner, sequence;
    unsigned char hash[SPAR_HASH_SIZE];
    bool met; /* it is in the store */
} hashed_text;

typedef struct verify_run {
    spar_verification *report;
    spar__store *store;
    uint64_t experiment;
    spar_event *event, *drawn;
    const unsigned char *noted; /* the head of an earlier time, or NULL */
    bool noted_found;
    spar_progress_fn progress;
    void *context;
    uint64_t end;                       /* the last event */
    unsigned char last[SPAR_HASH_SIZE]; /* what the store has for the event before */

    spar__key_table asked;   /* screens: number of the screen event */
    spar__key_table answers; /* (screen, revision): number of the answer event */
    spar__key_table undos;   /* the same: number of the undo event */
    spar__key_table keys;    /* of imports */
    uint32_t settings;
    redrawn_screen *redraw;
    size_t n_redraw, redraw_room;
    hashed_text *text;
    size_t n_text, text_room;
    hashed_text *stray; /* texts that no event knows of, so far */
    size_t n_stray, stray_room;
    bool texts_unread; /* not all could be read: which of them are missing is not known */
} verify_run;

/* --- findings --- */

static SPAR__PRINTF(3, 4) spar_status find_fault(verify_run *verify, spar_error *err, const char *format, ...)
{
    spar_verification *report = verify->report;
    spar_error sentence = {0};
    char text[sizeof sentence.text];
    va_list args;
    if (report->n_findings == MAX_FINDINGS) {
        report->more++;
        return SPAR_OK;
    }
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    (void)spar__fail(&sentence, SPAR_CORRUPT, "%s", text); /* what acts on a terminal is escaped */
    report->finding[report->n_findings] = spar__strdup(sentence.text);
    if (!report->finding[report->n_findings])
        return spar__fail_memory(err);
    report->n_findings++;
    return SPAR_OK;
}

static spar_status report_progress(const verify_run *verify, double share, spar_error *err)
{
    if (!verify->progress || verify->progress(verify->context, share))
        return SPAR_OK;
    return spar__fail(err, SPAR_INTERRUPTED, "%s", spar_status_text(SPAR_INTERRUPTED));
}

/* --- the log from end to end --- */

enum { PROGRESS_EVERY_EVENTS = 4096, MAX_UNDOS = 3, UNDO_MAX_EVENTS = 100000 };

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

/* The text that the event has the hash of, if it has one. */
static spar_status add_text(verify_run *verify, uint64_t sequence, spar_error *err)
{
    const unsigned char *hash = spar_event_hash(verify->event);
    spar__store_text of = spar__history_text_of(verify->event, verify->settings);
    if (!hash)
        return SPAR_OK;
    if (!spar__reserve(&verify->text, &verify->text_room, verify->n_text + 1, 64, sizeof *verify->text))
        return spar__fail_memory(err);
    hashed_text *text = &verify->text[verify->n_text++];
    *text = (hashed_text){of.kind, of.version, of.owner, sequence, {0}, false};
    memcpy(text->hash, hash, sizeof text->hash);
    return SPAR_OK;
}

static spar_status scan_screen(verify_run *verify, uint64_t sequence, spar_error *err)
{
    uint64_t basis = spar_event_basis(verify->event), number = spar_event_number(verify->event), before = 0;
    spar_status status = add_once(&verify->asked, number, 0, sequence, &before, err);
    if (!status && before)
        status = find_fault(verify, err, "event %" PRIu64 ": screen %" PRIu64 " was asked before, by event %" PRIu64,
                            sequence, number, before);
    if (status)
        return status;
    if (basis >= sequence)
        return find_fault(verify, err, "event %" PRIu64 ": screen %" PRIu64 " knows a later event, %" PRIu64, sequence,
                          number, basis);
    if (spar_event_engine(verify->event) != spar_session_engine()) {
        verify->report->other++;
        return SPAR_OK;
    }
    if (!spar__reserve(&verify->redraw, &verify->redraw_room, verify->n_redraw + 1, 64, sizeof *verify->redraw))
        return spar__fail_memory(err);
    verify->redraw[verify->n_redraw++] = (redrawn_screen){basis, sequence};
    return SPAR_OK;
}

static spar_status scan_undo(verify_run *verify, uint64_t sequence, spar_error *err)
{
    uint64_t number = spar_event_number(verify->event), before = 0;
    uint32_t revision = spar_event_revision(verify->event);
    size_t i = spar__key_find(&verify->answers, number, revision);
    uint64_t answer = i == SPAR__NO_KEY ? 0 : verify->answers.entry[i].count;
    spar_status status = add_once(&verify->undos, number, revision, sequence, &before, err);
    if (status)
        return status;
    const char *wrong = before                                ? "was undone before"
                        : !answer                             ? "has no answer to undo"
                        : revision >= MAX_UNDOS               ? "was undone more than 3 times"
                        : sequence - answer > UNDO_MAX_EVENTS ? "was undone more than 100,000 events late"
                                                              : NULL;
    return wrong ? find_fault(verify, err, "event %" PRIu64 ": screen %" PRIu64 " %s", sequence, number, wrong)
                 : SPAR_OK;
}

static spar_status scan(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                        const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    verify_run *verify = context;
    const spar_event *event = verify->event;
    spar_error why = {0};
    unsigned char next[SPAR_HASH_SIZE];
    uint64_t word[2], before = 0;
    spar_status status = sequence % PROGRESS_EVERY_EVENTS
                             ? SPAR_OK
                             : report_progress(verify, 0.2 * (double)sequence / (double)verify->end, err);
    verify->report->events = sequence;
    if (status)
        return status;
    spar__chain_next(verify->last, bytes, length, next);
    memcpy(verify->last, hash, sizeof verify->last); /* so that one change is one finding */
    memcpy(verify->report->head, next, sizeof next);
    if (verify->noted && memcmp(verify->noted, next, sizeof next) == 0)
        verify->noted_found = true;
    if (memcmp(next, hash, sizeof next) != 0)
        status = find_fault(verify, err,
                            "event %" PRIu64 " does not fit the chain: it was changed, or one before it was removed",
                            sequence);
    if (status)
        return status;
    status = spar__live_decode(verify->event, sequence, bytes, length, &why);
    if (status)
        return status == SPAR_NOMEM ? spar__fail_memory(err) : find_fault(verify, err, "%s", why.text);
    spar_event_kind kind = spar_event_kind_of(event);
    verify->settings += kind == SPAR_EVENT_SETTINGS;
    if (kind == SPAR_EVENT_SCREEN)
        status = scan_screen(verify, sequence, err);
    else if (kind == SPAR_EVENT_ANSWER) {
        uint64_t number = spar_event_number(event);
        status = add_once(&verify->answers, number, spar_event_revision(event), sequence, &before, err);
        if (!status && before)
            status =
                find_fault(verify, err, "event %" PRIu64 ": screen %" PRIu64 " was answered before, by event %" PRIu64,
                           sequence, number, before);
    } else if (kind == SPAR_EVENT_UNDO)
        status = scan_undo(verify, sequence, err);
    else if (kind == SPAR_EVENT_IMPORTED) {
        spar__hash_words(spar_event_key(event), SPAR_HASH_SIZE, word);
        status = add_once(&verify->keys, word[0], word[1], sequence, &before, err);
        if (!status && before)
            status = find_fault(verify, err, "event %" PRIu64 " has the key of event %" PRIu64 ": it counts twice",
                                sequence, before);
    }
    return status ? status : add_text(verify, sequence, err);
}

static spar_status scan_log(verify_run *verify, spar_error *err)
{
    spar_error why = {0};
    spar_status status = spar__store_head(verify->store, verify->experiment, &verify->end, verify->last, err);
    if (status)
        return status;
    memset(verify->last, 0, sizeof verify->last);
    status = spar__store_read(verify->store, verify->experiment, 1, verify->end, scan, verify, &why);
    if (status == SPAR_CORRUPT) {
        verify->end = verify->report->events; /* what comes after cannot be trusted */
        return find_fault(verify, err, "%s", why.text);
    }
    return status ? spar__fail(err, status, "%s", why.text) : SPAR_OK;
}

/* --- texts --- */

static const char *kind_name(spar__text_kind kind)
{
    static const char *const name[] = {
        [SPAR__TEXT_QUESTION] = "question", [SPAR__TEXT_ARM] = "option",  [SPAR__TEXT_ITEM] = "item",
        [SPAR__TEXT_COMMENT] = "comment",   [SPAR__TEXT_VOTER] = "voter", [SPAR__TEXT_SOURCE] = "source"};
    return kind > 0 && kind < sizeof name / sizeof *name ? name[kind] : "text";
}

static int compare(const void *a, const void *b)
{
    const hashed_text *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->owner != y->owner)
        return x->owner < y->owner ? -1 : 1;
    return (x->version > y->version) - (x->version < y->version);
}

static spar_status check(void *context, const spar__store_text *text, spar_error *err)
{
    verify_run *verify = context;
    unsigned char hash[SPAR_HASH_SIZE];
    hashed_text key = {.kind = text->kind, .owner = text->owner, .version = text->version};
    if (text->kind == SPAR__TEXT_VOTER || text->kind == SPAR__TEXT_SOURCE) /* no event speaks of those */
        return SPAR_OK;
    hashed_text *hashed = verify->n_text ? bsearch(&key, verify->text, verify->n_text, sizeof key, compare) : NULL;
    if (!hashed) {
        /* No event knows of it, unless one was added after the log was read. */
        if (!spar__reserve(&verify->stray, &verify->stray_room, verify->n_stray + 1, 64, sizeof key))
            return spar__fail_memory(err);
        verify->stray[verify->n_stray++] = key;
        return SPAR_OK;
    }
    hashed->met = true;
    verify->report->removed--;
    spar__hmac(text->salt, text->bytes, text->length, hash);
    if (memcmp(hash, hashed->hash, sizeof hash) == 0)
        return SPAR_OK;
    return find_fault(verify, err,
                      "the text of %s %" PRIu64 ", version %" PRIu32 ", is not the one that event %" PRIu64
                      " was made with",
                      kind_name(text->kind), text->owner, text->version, hashed->sequence);
}

/* An event that was added meanwhile: the text that it knows of is no stray. */
static spar_status meet_stray(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                              const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    verify_run *verify = context;
    (void)sequence;
    (void)hash;
    spar_status status = spar_event_decode(verify->event, bytes, length, NULL);
    if (status)
        return status == SPAR_NOMEM ? spar__fail_memory(err) : SPAR_OK; /* said when the log is verified next */
    verify->settings += spar_event_kind_of(verify->event) == SPAR_EVENT_SETTINGS;
    spar__store_text text = spar__history_text_of(verify->event, verify->settings);
    const hashed_text key = {.kind = text.kind, .owner = text.owner, .version = text.version};
    for (size_t i = 0; i < verify->n_stray; i++)
        verify->stray[i].met = verify->stray[i].met || compare(&key, &verify->stray[i]) == 0;
    return SPAR_OK;
}

static spar_status check_texts(verify_run *verify, spar_error *err)
{
    spar_error why = {0};
    if (verify->n_text)
        qsort(verify->text, verify->n_text, sizeof *verify->text, compare);
    verify->report->removed = verify->n_text; /* less those that are met */
    spar_status status =
        spar__store_text_each(verify->store, verify->experiment, (spar__text_kind)0, check, verify, &why);
    if (status && status != SPAR_CORRUPT)
        return spar__fail(err, status, "%s", why.text);
    if (status) {
        verify->texts_unread = true;
        verify->report->removed = 0; /* unknown */
        status = find_fault(verify, err, "%s", why.text);
    }
    if (!status && verify->n_stray)
        status = spar__store_read(verify->store, verify->experiment, verify->end + 1, 0, meet_stray, verify, &why);
    if (status && status != SPAR_CORRUPT)
        return spar__fail(err, status, "%s", why.text);
    status = SPAR_OK;
    for (size_t i = 0; i < verify->n_stray && !status; i++) {
        const hashed_text *text = &verify->stray[i];
        if (!text->met)
            status = find_fault(verify, err, "%s %" PRIu64 ", version %" PRIu32 ", has a text that no event knows of",
                                kind_name(text->kind), text->owner, text->version);
    }
    return status;
}

/* Comments go with their voter; options that are retired can be redacted, and items in all versions but the last. */
static spar_status find_missing(verify_run *verify, const spar__fold *state, spar_error *err)
{
    spar_status status = SPAR_OK;
    for (size_t i = 0; i < verify->n_text && !verify->texts_unread && !status; i++) {
        const hashed_text *text = &verify->text[i];
        bool may = text->kind == SPAR__TEXT_COMMENT;
        if (text->kind == SPAR__TEXT_ITEM) /* redacted, or there is a newer version */
            may = text->owner < state->items.n && text->version < state->items.item[text->owner].version;
        if (text->kind == SPAR__TEXT_ARM)
            may = text->owner >= state->n_options || !spar_decision_is_live(state->decision, (size_t)text->owner);
        if (!text->met && !may)
            status = find_fault(verify, err,
                                "the text of %s %" PRIu64 ", version %" PRIu32 ", which event %" PRIu64
                                " was made with, is missing, and no command removes such a text",
                                kind_name(text->kind), text->owner, text->version, text->sequence);
    }
    return status;
}

/* --- events by number, in any order: a stretch of them is kept in memory --- */

enum { WINDOW_EVENTS = 1024 }; /* events that are read at once */

typedef struct window_event {
    size_t at, length; /* in the bytes of the window */
    unsigned char hash[SPAR_HASH_SIZE];
} window_event;

typedef struct log_window {
    spar__store *store;
    uint64_t experiment;
    uint64_t first; /* the number of the first event in it */
    size_t n;
    spar__buf bytes;
    window_event event[WINDOW_EVENTS];
} log_window;

static spar_status add(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                       const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    log_window *window = context;
    (void)sequence;
    if (window->n == WINDOW_EVENTS)
        return SPAR_OK;
    window_event *event = &window->event[window->n++];
    event->at = window->bytes.length;
    event->length = length;
    memcpy(event->hash, hash, sizeof event->hash);
    spar__buf_add(&window->bytes, (const char *)bytes, length);
    return window->bytes.failed ? spar__fail_memory(err) : SPAR_OK;
}

/* Borrowed until the next call. SPAR_UNKNOWN: the log has no such event, or cannot be read so far. */
static spar_status window_get(log_window *window, uint64_t sequence, const unsigned char **bytes, size_t *length,
                              const unsigned char **hash, spar_error *err)
{
    spar_status status = SPAR_OK;
    if (sequence < window->first || sequence >= window->first + window->n) {
        spar__buf_clear(&window->bytes);
        window->bytes.failed = false;
        window->first = sequence;
        window->n = 0;
        status = spar__store_read(window->store, window->experiment, sequence, sequence + WINDOW_EVENTS - 1, add,
                                  window, err);
        if (status == SPAR_CORRUPT && window->n)
            status = SPAR_OK; /* those before the damage can be had */
    }
    if (!status && !window->n)
        status = spar__fail(err, SPAR_UNKNOWN, "there is no event %" PRIu64, sequence);
    if (status)
        return status;
    const window_event *event = &window->event[sequence - window->first];
    *bytes = (const unsigned char *)window->bytes.text + event->at;
    *length = event->length;
    *hash = event->hash;
    return SPAR_OK;
}

/* --- the log folded once ---
 *
 * State(n) has the answers that were undone after n, and not those that were undone up to n. Which answers will be
 * undone is known by now, so a copy of the state is saved before such an answer; when its undo comes, the copy is taken
 * and the events since are folded again without it. */

enum { CHECKPOINT_MIN_EVENTS = 256, MAX_SNAPSHOTS = 64 };

/* A state that was saved. */
typedef struct checkpoint {
    uint64_t at;
    unsigned char *bytes;
    size_t length;
} checkpoint;

typedef struct refold {
    verify_run *verify;
    log_window *window;
    spar__fold *state;
    uint64_t at;       /* the state is State(at) */
    checkpoint *saved; /* rising */
    size_t n_saved, room;
    uint64_t until; /* the last undo of an answer that is part of the state; 0: none is to come */
    size_t next;    /* screens that were drawn */
    uint64_t snapshot[MAX_SNAPSHOTS + 1];
    size_t n_snapshots;
} refold;

static void drop_saved(refold *fold, uint64_t from)
{
    while (fold->n_saved && fold->saved[fold->n_saved - 1].at >= from)
        spar__free(fold->saved[--fold->n_saved].bytes);
}

/* A checkpoint here, unless there is one a little earlier. */
static spar_status save(refold *fold, spar_error *err)
{
    if (fold->n_saved && fold->at - fold->saved[fold->n_saved - 1].at < CHECKPOINT_MIN_EVENTS)
        return SPAR_OK;
    if (!spar__reserve(&fold->saved, &fold->room, fold->n_saved + 1, 64, sizeof *fold->saved))
        return spar__fail_memory(err);
    checkpoint *to = &fold->saved[fold->n_saved];
    to->at = fold->at;
    spar_status status = spar__fold_save(fold->state, &to->bytes, &to->length, err);
    fold->n_saved += !status;
    return status;
}

static uint64_t find(const spar__key_table *table, const spar_event *event)
{
    size_t i = spar__key_find(table, spar_event_number(event), spar_event_revision(event));
    return i == SPAR__NO_KEY ? 0 : table->entry[i].count;
}

/* The next event, where the undos up to `now` are known. again: it was applied before. */
static spar_status step(refold *fold, uint64_t now, bool again, spar_error *err)
{
    verify_run *verify = fold->verify;
    const unsigned char *bytes, *hash;
    size_t length;
    spar_status status = window_get(fold->window, fold->at + 1, &bytes, &length, &hash, err);
    if (status)
        return status;
    status = spar_event_decode(verify->event, bytes, length, NULL);
    if (status) {
        fold->at++;
        return status == SPAR_NOMEM ? spar__fail_memory(err) : SPAR_OK; /* said before */
    }
    bool answer = spar_event_kind_of(verify->event) == SPAR_EVENT_ANSWER;
    uint64_t undo = answer ? find(&verify->undos, verify->event) : 0;
    if (undo <= spar_event_sequence(verify->event)) /* the answer stays */
        undo = 0;
    if (undo > now) {
        fold->until = undo > fold->until ? undo : fold->until;
        status = save(fold, err);
    }
    fold->at++;
    if (status || (undo && undo <= now))
        return status;
    spar_error why = {0};
    status = spar__fold_apply(fold->state, verify->event, hash, &why);
    if (status == SPAR_NOMEM)
        return spar__fail_memory(err);
    if (!status || again) /* what the rules do not allow is a finding, said once, and left out */
        return SPAR_OK;
    return find_fault(verify, err, "event %" PRIu64 " (%s) is against the rules: %s",
                      spar_event_sequence(verify->event), spar_event_kind_name(spar_event_kind_of(verify->event)),
                      why.text);
}

static bool is_looked_at(const refold *fold, uint64_t at)
{
    for (size_t i = 0; i < fold->n_snapshots; i++)
        if (fold->snapshot[i] == at)
            return true;
    return fold->next < fold->verify->n_redraw && fold->verify->redraw[fold->next].basis == at;
}

/* Event number `sequence`: which answer does it undo? 0: none that is part of the state. */
static spar_status undone_by(refold *fold, uint64_t sequence, uint64_t *answer, spar_error *err)
{
    verify_run *verify = fold->verify;
    const unsigned char *bytes, *hash;
    size_t length;
    *answer = 0;
    spar_status status = window_get(fold->window, sequence, &bytes, &length, &hash, err);
    if (status || length < 2 || bytes[1] != SPAR_EVENT_UNDO)
        return status;
    status = spar_event_decode(verify->event, bytes, length, NULL);
    if (status)
        return status == SPAR_NOMEM ? spar__fail_memory(err) : SPAR_OK;
    uint64_t undo = find(&verify->undos, verify->event), at = find(&verify->answers, verify->event);
    *answer = undo == sequence && at < sequence ? at : 0;
    return SPAR_OK;
}

/* From State(at) to State(at + 1); undos that follow each other, with nothing to look at between, are one step. */
static spar_status advance(refold *fold, spar_error *err)
{
    uint64_t first = 0, answer = 0, before = fold->at, now = fold->at;
    spar_status status = undone_by(fold, now + 1, &answer, err);
    while (!status && answer) {
        first = first && first < answer ? first : answer;
        now++;
        if (now == fold->verify->end || is_looked_at(fold, now))
            break;
        status = undone_by(fold, now + 1, &answer, err);
    }
    if (status || !first)
        return status ? status : step(fold, fold->at + 1, false, err);
    /* The state before that answer, or a little earlier. */
    drop_saved(fold, first);
    spar__fold *state = NULL;
    const checkpoint *from = fold->n_saved ? &fold->saved[fold->n_saved - 1] : NULL;
    status = from                     ? spar__fold_load(from->bytes, from->length, &state, err)
             : spar__fold_new(&state) ? spar__fail_memory(err)
                                      : SPAR_OK;
    if (status)
        return status;
    spar__fold_free(fold->state);
    fold->state = state;
    fold->at = from ? from->at : 0;
    while (!status && fold->at < now)
        status = step(fold, now, fold->at < before, err);
    if (fold->until <= now) {
        drop_saved(fold, 0);
        fold->until = 0;
    }
    return status;
}

/* Is the screen what the policy shows here? It is drawn again as it would be asked. */
static spar_status draw(refold *fold, uint64_t sequence, spar_error *err)
{
    verify_run *verify = fold->verify;
    const spar__fold *state = fold->state;
    const spar_event *event = verify->event;
    spar_event *drawn = verify->drawn;
    const unsigned char *stored, *hash;
    unsigned char *bytes = NULL;
    size_t length, again = 0;
    spar_error why = {0};
    spar_status status = window_get(fold->window, sequence, &stored, &length, &hash, err);
    if (!status)
        status = spar__live_decode(verify->event, sequence, stored, length, err);
    if (status)
        return status;
    status = spar_session_draft(state->session, spar_event_number(event), drawn, &why);
    if (!status) {
        spar_event_set_stamp(drawn, spar_event_sequence(event), spar_event_time(event));
        spar_event_set_voter(drawn, spar_event_voter(event));
        spar_event_set_shown_item(drawn, spar__items_choose(&state->items, state->seed, drawn));
        status = spar_event_encode(drawn, &bytes, &again);
    }
    bool same = !status && again == length && memcmp(bytes, stored, length) == 0;
    spar_bytes_free(bytes);
    if (status == SPAR_NOMEM)
        return spar__fail_memory(err);
    verify->report->screens++;
    const char *wrong = status                                        ? "could not have been asked: "
                        : same && spar_session_closed(state->session) ? "was asked while the experiment was closed"
                        : state->items.n && spar_event_item(event) == SPAR_NO_ITEM ? "shows no item"
                        : same                                                     ? NULL
                        : spar_event_item(event) == spar_event_item(drawn)
                            ? "is not what the policy would have shown"
                            : "is not what would have been shown: the voter's next item was another";
    if (!wrong)
        return SPAR_OK;
    return find_fault(verify, err, "event %" PRIu64 ": screen %" PRIu64 " %s%s", sequence, spar_event_number(event),
                      wrong, status ? why.text : "");
}

/* Is the snapshot of this moment the state? */
static spar_status compare_snapshot(refold *fold, spar_error *err)
{
    verify_run *verify = fold->verify;
    spar__store_snapshot about;
    unsigned char *stored = NULL;
    size_t length = 0;
    bool same = false;
    spar_status status = spar__store_snapshot_get(verify->store, verify->experiment, fold->at, spar_session_engine(),
                                                  &about, &stored, &length, NULL);
    if (status == SPAR_UNKNOWN || (!status && about.sequence != fold->at)) {
        spar__free(stored);
        return SPAR_OK; /* of another engine */
    }
    if (!status)
        status = spar__snapshot_compare(fold->state, stored, length, &same, err);
    same = same && memcmp(about.hash, fold->state->hash, SPAR_HASH_SIZE) == 0;
    spar__free(stored);
    if (status == SPAR_NOMEM)
        return spar__fail_memory(err);
    return same ? SPAR_OK
                : find_fault(verify, err, "the snapshot of event %" PRIu64 " is not the state there", fold->at);
}

static spar_status look_here(refold *fold, spar_error *err)
{
    verify_run *verify = fold->verify;
    spar_status status = SPAR_OK;
    for (size_t i = 0; i < fold->n_snapshots && !status; i++)
        if (fold->snapshot[i] == fold->at)
            status = compare_snapshot(fold, err);
    while (!status && fold->next < verify->n_redraw && verify->redraw[fold->next].basis == fold->at)
        status = draw(fold, verify->redraw[fold->next++].sequence, err);
    if (!status && fold->at % PROGRESS_EVERY_EVENTS == 0)
        status = report_progress(verify, 0.2 + 0.8 * (double)fold->at / (double)(verify->end + 1), err);
    return status;
}

/* All snapshots are listed, or it is said that there are too many: more than a program keeps. Those before the first
 * event or behind the last one are of no log. */
static spar_status list_snapshots(refold *fold, spar_error *err)
{
    verify_run *verify = fold->verify;
    unsigned char hash[SPAR_HASH_SIZE];
    uint64_t end = 0;
    spar_status status = spar__store_snapshot_list(verify->store, verify->experiment, MAX_SNAPSHOTS + 1, fold->snapshot,
                                                   &fold->n_snapshots, err);
    if (!status && fold->n_snapshots > MAX_SNAPSHOTS)
        status = find_fault(verify, err,
                            "there are more than %d snapshots, and no program keeps so many: the older ones "
                            "were not compared",
                            MAX_SNAPSHOTS);
    if (!status) /* others may have written since the log was read */
        status = spar__store_head(verify->store, verify->experiment, &end, hash, err);
    for (size_t i = 0; i < fold->n_snapshots && !status; i++)
        if (fold->snapshot[i] < 1 || fold->snapshot[i] > end)
            status = find_fault(verify, err, "there is a snapshot of event %" PRId64 ", but no such event",
                                (int64_t)fold->snapshot[i]);
    return status;
}

static int by_basis(const void *a, const void *b)
{
    const redrawn_screen *x = a, *y = b;
    if (x->basis != y->basis)
        return x->basis < y->basis ? -1 : 1;
    return (x->sequence > y->sequence) - (x->sequence < y->sequence);
}

static spar_status fold_log(verify_run *verify, spar_error *err)
{
    refold fold = {.verify = verify, .window = spar__alloc(1, sizeof *fold.window)};
    if (!fold.window)
        return spar__fail_memory(err);
    fold.window->store = verify->store;
    fold.window->experiment = verify->experiment;
    if (verify->n_redraw)
        qsort(verify->redraw, verify->n_redraw, sizeof *verify->redraw, by_basis);
    spar_status status = list_snapshots(&fold, err);
    if (!status && spar__fold_new(&fold.state))
        status = spar__fail_memory(err);
    while (!status && fold.at < verify->end) {
        status = look_here(&fold, err);
        if (!status)
            status = advance(&fold, err);
    }
    if (!status)
        status = look_here(&fold, err);
    if (!status)
        status = find_missing(verify, fold.state, err);
    drop_saved(&fold, 0);
    spar__free(fold.saved);
    spar__fold_free(fold.state);
    spar__buf_free(&fold.window->bytes);
    spar__free(fold.window);
    return status;
}

/* --- a verification from its beginning to its report --- */

typedef struct damage_list {
    verify_run *verify;
    spar_status status;
} damage_list;

static void note_damage(void *context, const char *sentence)
{
    damage_list *list = context;
    if (!list->status)
        list->status = find_fault(list->verify, NULL, "%s", sentence);
}

/* Below the events: pages and indices. */
static spar_status check_store(verify_run *verify, spar_error *err)
{
    damage_list list = {verify, SPAR_OK};
    spar_error why = {0};
    spar_status status = spar__store_check(verify->store, note_damage, &list, &why);
    if (status == SPAR_CORRUPT) { /* the rest can be looked at nevertheless */
        note_damage(&list, why.text);
        status = SPAR_OK;
    }
    if (status)
        return spar__fail(err, status, "%s", why.text);
    return list.status ? spar__fail_memory(err) : SPAR_OK;
}

static spar_status run(verify_run *verify, const char *place, spar_error *err)
{
    char *name = NULL;
    spar_status status = spar__location_open(place, SPAR__STORE_READ, &verify->store, &name, err);
    if (!status)
        status = spar__store_find(verify->store, name, &verify->experiment, err);
    spar__free(name);
    if (!status && (spar_event_new(&verify->event) || spar_event_new(&verify->drawn)))
        status = spar__fail_memory(err);
    if (!status)
        status = check_store(verify, err);
    if (!status)
        status = scan_log(verify, err);
    if (!status && verify->noted && !verify->noted_found)
        status =
            find_fault(verify, err, "the log does not contain the head that was noted: it was rewritten, or cut off");
    if (!status)
        status = check_texts(verify, err);
    return status ? status : fold_log(verify, err);
}

spar_status spar_experiment_verify(const char *place, const unsigned char *head, spar_progress_fn progress,
                                   void *context, spar_verification **out, spar_error *err)
{
    verify_run verify = {.noted = head, .progress = progress, .context = context};
    spar_error local = {0};
    err = err ? err : &local;
    if (!out)
        return spar__fail(err, SPAR_INVALID, "there is no place for the verification");
    *out = NULL;
    if (!place)
        return spar__fail(err, SPAR_INVALID, "no place of an experiment was given");
    spar_verification *report = verify.report = spar__alloc(1, sizeof *report);
    if (report)
        report->finding = spar__alloc(MAX_FINDINGS + 1, sizeof(char *));
    spar_status status = report && report->finding ? run(&verify, place, err) : spar__fail_memory(err);
    if (status == SPAR_CORRUPT) /* so damaged that looking stops here */
        status = find_fault(&verify, err, "%s", err->text);
    if (!status && report->more) {
        char text[64];
        (void)snprintf(text, sizeof text, "and %zu findings more", report->more);
        report->finding[report->n_findings] = spar__strdup(text);
        status = report->finding[report->n_findings] ? SPAR_OK : spar__fail_memory(err);
        report->n_findings += !status;
    }
    spar__store_close(verify.store);
    spar_event_free(verify.event);
    spar_event_free(verify.drawn);
    spar__key_table_fini(&verify.asked);
    spar__key_table_fini(&verify.answers);
    spar__key_table_fini(&verify.undos);
    spar__key_table_fini(&verify.keys);
    spar__free(verify.redraw);
    spar__free(verify.text);
    spar__free(verify.stray);
    if (status)
        spar_verification_free(report);
    else
        *out = report;
    return status;
}

void spar_verification_free(spar_verification *verification)
{
    if (!verification)
        return;
    for (size_t i = 0; i < verification->n_findings; i++)
        spar__free(verification->finding[i]);
    spar__free(verification->finding);
    spar__free(verification);
}

bool spar_verification_holds(const spar_verification *verification)
{
    return verification && verification->n_findings == 0;
}

size_t spar_verification_findings(const spar_verification *verification)
{
    return verification ? verification->n_findings : 0;
}

const char *spar_verification_finding(const spar_verification *verification, size_t i)
{
    return verification && i < verification->n_findings ? verification->finding[i] : NULL;
}

uint64_t spar_verification_events(const spar_verification *verification)
{
    return verification ? verification->events : 0;
}

uint64_t spar_verification_screens(const spar_verification *verification)
{
    return verification ? verification->screens : 0;
}

uint64_t spar_verification_other(const spar_verification *verification)
{
    return verification ? verification->other : 0;
}

uint64_t spar_verification_removed(const spar_verification *verification)
{
    return verification ? verification->removed : 0;
}

void spar_verification_head(const spar_verification *verification, unsigned char hash[SPAR_HASH_SIZE])
{
    if (verification && hash)
        memcpy(hash, verification->head, SPAR_HASH_SIZE);
}
