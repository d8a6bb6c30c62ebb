/* refold.c - the log folded once, and on the way every screen of this engine drawn again at its basis.
 *
 * State(n) has the answers that were undone after n, and not those that were undone up to n. Which answers will be
 * undone is known by now, so a copy of the state is saved before such an answer; when its undo comes, the copy is taken
 * and the events since are folded again without it. */
#include "live/verify.h"

#include "base/alloc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { OFTEN = 4096, NEAR = 256, MOST_SNAPSHOTS = 64 };

/* A state that was saved. */
typedef struct checkpoint {
    uint64_t at;
    unsigned char *bytes;
    size_t length;
} checkpoint;

typedef struct refold {
    spar__verify *verify;
    spar__log_window *window;
    spar__fold *state;
    uint64_t at;       /* the state is State(at) */
    checkpoint *saved; /* rising */
    size_t n_saved, room;
    uint64_t until; /* the last undo of an answer that is part of the state; 0: none is to come */
    size_t next;    /* screens that were drawn */
    uint64_t snapshot[MOST_SNAPSHOTS + 1];
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
    if (fold->n_saved && fold->at - fold->saved[fold->n_saved - 1].at < NEAR)
        return SPAR_OK;
    void *items = fold->saved;
    spar_status status = spar__verify_reserve(&items, fold->n_saved, &fold->room, sizeof *fold->saved, err);
    fold->saved = items;
    if (status)
        return status;
    checkpoint *to = &fold->saved[fold->n_saved];
    to->at = fold->at;
    status = spar__fold_save(fold->state, &to->bytes, &to->length, err);
    fold->n_saved += !status;
    return status;
}

static uint64_t find(const spar__key_table *table, const spar_event *event)
{
    size_t i = spar__key_find(table, spar_event_number(event), spar_event_revision(event));
    return i == SPAR__NO_KEY ? 0 : table->entry[i].count;
}

/* The undo of an answer; 0: it stays. */
static uint64_t undo_of(const refold *fold, const spar_event *answer)
{
    uint64_t undo = find(&fold->verify->undos, answer);
    return undo > spar_event_sequence(answer) ? undo : 0;
}

/* Applies one event; what the rules do not allow is a finding, and left out. */
static spar_status apply(refold *fold, const unsigned char *hash, bool again, spar_error *err)
{
    const spar_event *event = fold->verify->event;
    spar_error why = {0};
    spar_status status = spar__fold_apply(fold->state, event, hash, &why);
    if (status == SPAR_NOMEM)
        return spar__fail_memory(err);
    if (!status || again) /* said before */
        return SPAR_OK;
    return spar__verify_find(fold->verify, err, "event %" PRIu64 " (%s) is against the rules: %s",
                             spar_event_sequence(event), spar_event_kind_name(spar_event_kind_of(event)), why.text);
}

/* The next event, where the undos up to `now` are known. again: it was applied before. */
static spar_status step(refold *fold, uint64_t now, bool again, spar_error *err)
{
    spar__verify *verify = fold->verify;
    const unsigned char *bytes, *hash;
    size_t length;
    spar_status status = spar__log_window_get(fold->window, fold->at + 1, &bytes, &length, &hash, err);
    if (status)
        return status;
    status = spar_event_decode(verify->event, bytes, length, NULL);
    if (status) {
        fold->at++;
        return status == SPAR_NOMEM ? spar__fail_memory(err) : SPAR_OK; /* said before */
    }
    bool answer = spar_event_kind_of(verify->event) == SPAR_EVENT_ANSWER;
    uint64_t undo = answer ? undo_of(fold, verify->event) : 0;
    if (undo > now) {
        fold->until = undo > fold->until ? undo : fold->until;
        status = save(fold, err);
    }
    if (!status && !(undo && undo <= now))
        status = apply(fold, hash, again, err);
    fold->at++;
    return status;
}

/* The state before event `answer`, or a little earlier. */
static spar_status go_back(refold *fold, uint64_t answer, spar_error *err)
{
    drop_saved(fold, answer);
    spar__fold *state = NULL;
    const checkpoint *from = fold->n_saved ? &fold->saved[fold->n_saved - 1] : NULL;
    spar_status status = from                     ? spar__fold_load(from->bytes, from->length, &state, err)
                         : spar__fold_new(&state) ? spar__fail_memory(err)
                                                  : SPAR_OK;
    if (status)
        return status;
    spar__fold_free(fold->state);
    fold->state = state;
    fold->at = from ? from->at : 0;
    return SPAR_OK;
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
    spar__verify *verify = fold->verify;
    const unsigned char *bytes, *hash;
    size_t length;
    *answer = 0;
    spar_status status = spar__log_window_get(fold->window, sequence, &bytes, &length, &hash, err);
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
    status = go_back(fold, first, err);
    while (!status && fold->at < now)
        status = step(fold, now, fold->at < before, err);
    if (fold->until <= now) {
        drop_saved(fold, 0);
        fold->until = 0;
    }
    return status;
}

/* The screen of verify->event, as it would be asked here, in verify->drawn. */
static spar_status draw_again(const refold *fold, spar_error *err)
{
    const spar_event *event = fold->verify->event;
    spar_event *drawn = fold->verify->drawn;
    spar_status status = spar_session_draft(fold->state->session, spar_event_number(event), drawn, err);
    if (status)
        return status;
    spar_event_set_stamp(drawn, spar_event_sequence(event), spar_event_time(event));
    spar_event_set_voter(drawn, spar_event_voter(event));
    spar_event_set_shown_item(drawn, spar__items_choose(&fold->state->items, fold->state->seed, drawn));
    return SPAR_OK;
}

/* What is wrong with it; NULL: nothing. same: it is what was drawn again. */
static const char *fault(const refold *fold, bool same)
{
    const spar__verify *verify = fold->verify;
    uint32_t item = spar_event_item(verify->event);
    if (same && spar_session_closed(fold->state->session))
        return "was asked while the experiment was closed";
    if (fold->state->items.n && item == SPAR_NO_ITEM)
        return "shows no item";
    if (same)
        return NULL;
    return item == spar_event_item(verify->drawn)
               ? "is not what the policy would have shown"
               : "is not what would have been shown: the voter's next item was another";
}

/* Is the screen what the policy shows here? */
static spar_status draw(refold *fold, uint64_t sequence, spar_error *err)
{
    spar__verify *verify = fold->verify;
    const unsigned char *stored, *hash;
    unsigned char *bytes = NULL;
    size_t length, drawn = 0;
    spar_error why = {0};
    spar_status status = spar__log_window_get(fold->window, sequence, &stored, &length, &hash, err);
    if (!status)
        status = spar__live_decode(verify->event, sequence, stored, length, err);
    if (status)
        return status;
    status = draw_again(fold, &why);
    if (!status)
        status = spar_event_encode(verify->drawn, &bytes, &drawn);
    bool same = !status && drawn == length && memcmp(bytes, stored, length) == 0;
    spar_bytes_free(bytes);
    if (status == SPAR_NOMEM)
        return spar__fail_memory(err);
    verify->report->screens++;
    const char *wrong = status ? "could not have been asked: " : fault(fold, same);
    if (!wrong)
        return SPAR_OK;
    return spar__verify_find(verify, err, "event %" PRIu64 ": screen %" PRIu64 " %s%s", sequence,
                             spar_event_number(verify->event), wrong, status ? why.text : "");
}

/* Nobody loads what an older program has written, so it need not be the state. */
static bool is_old(const unsigned char *bytes, size_t length)
{
    spar__fold *state = NULL;
    spar_status status = spar__snapshot_read(bytes, length, &state, NULL);
    spar__fold_free(state);
    return status == SPAR_UNSUPPORTED;
}

/* Is the snapshot of this moment the state? */
static spar_status compare_snapshot(refold *fold, spar_error *err)
{
    spar__verify *verify = fold->verify;
    spar__store_snapshot about;
    unsigned char *stored = NULL, *bytes = NULL;
    size_t length = 0, now = 0;
    spar_status status = spar__store_snapshot_get(verify->store, verify->experiment, fold->at, spar_session_engine(),
                                                  &about, &stored, &length, NULL);
    if (status == SPAR_UNKNOWN || (!status && about.sequence != fold->at)) {
        spar__free(stored);
        return SPAR_OK; /* of another engine */
    }
    if (!status)
        status = spar__snapshot_bytes(fold->state, &bytes, &now, err);
    bool same = !status && now == length && memcmp(bytes, stored, length) == 0 &&
                memcmp(about.hash, fold->state->hash, SPAR_HASH_SIZE) == 0;
    same = same || (!status && is_old(stored, length));
    spar__free(stored);
    spar__free(bytes);
    if (status == SPAR_NOMEM)
        return spar__fail_memory(err);
    return same ? SPAR_OK
                : spar__verify_find(verify, err, "the snapshot of event %" PRIu64 " is not the state there", fold->at);
}

static spar_status look_here(refold *fold, spar_error *err)
{
    spar__verify *verify = fold->verify;
    spar_status status = SPAR_OK;
    for (size_t i = 0; i < fold->n_snapshots && !status; i++)
        if (fold->snapshot[i] == fold->at)
            status = compare_snapshot(fold, err);
    while (!status && fold->next < verify->n_redraw && verify->redraw[fold->next].basis == fold->at)
        status = draw(fold, verify->redraw[fold->next++].sequence, err);
    if (!status && fold->at % OFTEN == 0)
        status = spar__verify_progress(verify, 0.2 + 0.8 * (double)fold->at / (double)(verify->end + 1), err);
    return status;
}

/* All snapshots are listed, or it is said that there are too many: more than a program keeps. Those before the first
 * event or behind the last one are of no log. */
static spar_status list_snapshots(refold *fold, spar_error *err)
{
    spar__verify *verify = fold->verify;
    unsigned char hash[SPAR_HASH_SIZE];
    uint64_t end = 0;
    spar_status status = spar__store_snapshot_list(verify->store, verify->experiment, MOST_SNAPSHOTS + 1,
                                                   fold->snapshot, &fold->n_snapshots, err);
    if (!status && fold->n_snapshots > MOST_SNAPSHOTS)
        status = spar__verify_find(verify, err,
                                   "there are more than %d snapshots, and no program keeps so many: the older ones "
                                   "were not compared",
                                   MOST_SNAPSHOTS);
    if (!status) /* others may have written since the log was read */
        status = spar__store_head(verify->store, verify->experiment, &end, hash, err);
    for (size_t i = 0; i < fold->n_snapshots && !status; i++)
        if (fold->snapshot[i] < 1 || fold->snapshot[i] > end)
            status = spar__verify_find(verify, err, "there is a snapshot of event %" PRId64 ", but no such event",
                                       (int64_t)fold->snapshot[i]);
    return status;
}

static int by_basis(const void *a, const void *b)
{
    const spar__redraw *x = a, *y = b;
    if (x->basis != y->basis)
        return x->basis < y->basis ? -1 : 1;
    return (x->sequence > y->sequence) - (x->sequence < y->sequence);
}

static spar_status run(refold *fold, spar_error *err)
{
    spar__verify *verify = fold->verify;
    if (verify->n_redraw)
        qsort(verify->redraw, verify->n_redraw, sizeof *verify->redraw, by_basis);
    spar_status status = list_snapshots(fold, err);
    if (!status && spar__fold_new(&fold->state))
        status = spar__fail_memory(err);
    while (!status && fold->at < verify->end) {
        status = look_here(fold, err);
        if (!status)
            status = advance(fold, err);
    }
    if (!status)
        status = look_here(fold, err);
    return status ? status : spar__verify_missing(verify, fold->state, err);
}

spar_status spar__verify_fold(spar__verify *verify, spar_error *err)
{
    refold fold = {.verify = verify};
    fold.window = spar__alloc(1, sizeof *fold.window);
    if (!fold.window)
        return spar__fail_memory(err);
    fold.window->store = verify->store;
    fold.window->experiment = verify->experiment;
    spar_status status = run(&fold, err);
    drop_saved(&fold, 0);
    spar__free(fold.saved);
    spar__fold_free(fold.state);
    spar__buf_free(&fold.window->bytes);
    spar__free(fold.window);
    return status;
}
