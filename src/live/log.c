/* log.c - the log of an experiment, folded into its state.
 *
 * A state cannot unlearn. Where an undo names an answer that the state has, an older state is taken (a snapshot from
 * before that answer, or none) and the events behind it are folded again without all answers that were undone since. */
#include "live/live.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/clock.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct undone_event {
    uint64_t screen, sequence;
    uint32_t revision;
} undone_event;

typedef struct log_fold {
    spar_experiment *experiment;
    undone_event *undone; /* by screen and revision */
    size_t n_undone, room;
    bool too_new; /* an undo names an answer that was in the state from the start */
    uint64_t from, to;
    bool keeps;                /* few events: they are read once, and kept for the second look */
    spar__buf kept;            /* one after the other: a kept_event, its bytes */
    spar_progress_fn progress; /* NULL: none */
    void *context;
} log_fold;

enum { OFTEN = 4096 /* events between two calls of progress */, FEW = 1024 };

typedef struct kept_event {
    size_t length;
    unsigned char hash[SPAR_HASH_SIZE];
} kept_event;

spar_status spar__live_decode(spar_event *event, uint64_t sequence, const unsigned char *bytes, size_t length,
                              spar_error *err)
{
    spar_error why = {0};
    spar_status status = spar_event_decode(event, bytes, length, &why);
    if (status)
        return spar__fail(err, status, "event %" PRIu64 ": %s", sequence, why.text);
    if (spar_event_sequence(event) != sequence)
        return spar__fail(err, SPAR_CORRUPT, "event %" PRIu64 " says that it is event %" PRIu64, sequence,
                          spar_event_sequence(event));
    return SPAR_OK;
}

static int compare(const void *a, const void *b)
{
    const undone_event *x = a, *y = b;
    if (x->screen != y->screen)
        return x->screen < y->screen ? -1 : 1;
    return (x->revision > y->revision) - (x->revision < y->revision);
}

static spar_status add_undone(log_fold *fold, const spar_event *event)
{
    undone_event *grown = spar__grow(fold->undone, &fold->room, fold->n_undone + 1, 16, sizeof *grown);
    if (!grown)
        return SPAR_NOMEM;
    fold->undone = grown;
    fold->undone[fold->n_undone++] =
        (undone_event){spar_event_number(event), spar_event_sequence(event), spar_event_revision(event)};
    return SPAR_OK;
}

static bool is_kind(const unsigned char *bytes, size_t length, spar_event_kind kind)
{
    return length > 1 && bytes[1] == (unsigned char)kind;
}

static void keep(log_fold *fold, const unsigned char *bytes, size_t length, const unsigned char *hash)
{
    kept_event kept = {.length = length};
    memcpy(kept.hash, hash, sizeof kept.hash);
    spar__buf_add(&fold->kept, (const char *)&kept, sizeof kept);
    spar__buf_add(&fold->kept, (const char *)bytes, length);
}

/* Which answers are undone? */
static spar_status look(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                        const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    log_fold *fold = context;
    if (fold->keeps)
        keep(fold, bytes, length, hash);
    if (fold->kept.failed)
        return spar__fail_memory(err);
    if (!is_kind(bytes, length, SPAR_EVENT_UNDO))
        return SPAR_OK;
    spar_status status = spar__live_decode(fold->experiment->event, sequence, bytes, length, err);
    if (!status && add_undone(fold, fold->experiment->event))
        status = spar__fail_memory(err);
    return status;
}

static bool is_undone(const log_fold *fold, const spar_event *event)
{
    if (!fold->n_undone || spar_event_kind_of(event) != SPAR_EVENT_ANSWER)
        return false;
    undone_event key = {spar_event_number(event), 0, spar_event_revision(event)};
    const undone_event *undo = bsearch(&key, fold->undone, fold->n_undone, sizeof key, compare);
    return undo && undo->sequence > spar_event_sequence(event);
}

static bool goes_on(const log_fold *fold, uint64_t sequence)
{
    if (!fold->progress || (sequence - fold->from) % OFTEN)
        return true;
    return fold->progress(fold->context, (double)(sequence - fold->from) / (double)(fold->to - fold->from + 1));
}

static spar_status apply(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                         const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    log_fold *fold = context;
    spar_event *event = fold->experiment->event;
    spar_error why = {0};
    if (!goes_on(fold, sequence))
        return spar__fail(err, SPAR_INTERRUPTED, "%s", spar_status_text(SPAR_INTERRUPTED));
    spar_status status = spar__live_decode(event, sequence, bytes, length, err);
    if (status || is_undone(fold, event))
        return status;
    status = spar__fold_apply(fold->experiment->state, event, hash, &why);
    if (!status)
        return SPAR_OK;
    fold->too_new = status == SPAR_UNSUPPORTED && spar_event_kind_of(event) == SPAR_EVENT_UNDO;
    return spar__fail(err, status == SPAR_NOMEM ? SPAR_NOMEM : SPAR_CORRUPT, "event %" PRIu64 " (%s): %s", sequence,
                      spar_event_kind_name(spar_event_kind_of(event)), why.text);
}

static spar_status apply_kept(log_fold *fold, spar_error *err)
{
    spar_status status = SPAR_OK;
    uint64_t sequence = fold->from;
    for (size_t at = 0; at < fold->kept.length && !status; sequence++) {
        kept_event kept;
        memcpy(&kept, fold->kept.text + at, sizeof kept);
        at += sizeof kept;
        status = apply(fold, sequence, (const unsigned char *)fold->kept.text + at, kept.length, kept.hash, err);
        at += kept.length;
    }
    return status;
}

spar_status spar__live_fold(spar_experiment *experiment, uint64_t to, spar_progress_fn progress, void *context,
                            bool *too_new, spar_error *err)
{
    uint64_t from = experiment->state->sequence + 1;
    double start = spar__clock_thread();
    log_fold fold = {.experiment = experiment, .from = from, .to = to, .progress = progress, .context = context};
    fold.keeps = to >= from && to - from < FEW;
    spar_status status = spar__store_read(experiment->store, experiment->id, from, to, look, &fold, err);
    if (fold.n_undone)
        qsort(fold.undone, fold.n_undone, sizeof *fold.undone, compare);
    if (!status)
        status = fold.keeps ? apply_kept(&fold, err)
                            : spar__store_read(experiment->store, experiment->id, from, to, apply, &fold, err);
    spar__buf_free(&fold.kept);
    spar__free(fold.undone);
    *too_new = fold.too_new;
    spar__snapshot_note(experiment, experiment->state->sequence + 1 - from, start);
    return status;
}

spar_status spar__live_start(spar_experiment *experiment, uint64_t limit, spar_error *err)
{
    spar__fold *state = NULL;
    spar_status status = limit == 1 ? SPAR_OK : spar__snapshot_load(experiment, limit ? limit - 1 : 0, &state, err);
    if (!status && !state && spar__fold_new(&state))
        status = spar__fail_memory(err);
    if (status)
        return status;
    spar__fold_free(experiment->state);
    experiment->state = state;
    experiment->snapshot = state->sequence;
    experiment->slow = 0;
    return SPAR_OK;
}

static spar_status check_end(const spar_experiment *experiment, const spar__store_mark *mark, spar_error *err)
{
    const spar__fold *state = experiment->state;
    bool same = mark->sequence != state->sequence || memcmp(mark->hash, state->hash, SPAR_HASH_SIZE) == 0;
    if (mark->sequence < state->sequence || !same)
        return spar__fail(err, SPAR_CORRUPT, "%s: the log ends with event %" PRIu64 ", and is not the one read before",
                          experiment->place, mark->sequence);
    return SPAR_OK;
}

void spar__live_take_state(spar_experiment *experiment)
{
    const spar__shared_fold *shared = experiment->shared;
    experiment->state = shared->state;
    experiment->snapshot = experiment->snapshot > shared->snapshot ? experiment->snapshot : shared->snapshot;
}

void spar__live_lock_state(spar_experiment *experiment)
{
    if (!experiment->shared || experiment->locks++)
        return;
    (void)pthread_rwlock_wrlock(&experiment->shared->lock);
    spar__live_take_state(experiment);
}

void spar__live_unlock_state(spar_experiment *experiment)
{
    if (!experiment->shared || --experiment->locks)
        return;
    experiment->shared->state = experiment->state;
    experiment->shared->snapshot = experiment->snapshot;
    (void)pthread_rwlock_unlock(&experiment->shared->lock);
}

static spar_status fold_to(spar_experiment *experiment, const spar__store_mark *mark, spar_error *err)
{
    spar_status status = SPAR_OK;
    if (!experiment->state || experiment->state->broken)
        status = spar__live_start(experiment, 0, err);
    if (!status)
        status = check_end(experiment, mark, err);
    while (!status && experiment->state->sequence < mark->sequence) {
        uint64_t first = experiment->state->sequence;
        bool too_new = false;
        status = spar__live_fold(experiment, mark->sequence, NULL, NULL, &too_new, err);
        if (status && too_new && first)
            status = spar__live_start(experiment, first, err);
        else if (!status)
            break;
    }
    return status;
}

spar_status spar__live_refresh(spar_experiment *experiment, spar_error *err)
{
    spar__store_mark mark;
    const spar__fold *state = experiment->state;
    spar_status status = spar__store_look(experiment->store, experiment->id, &mark, err);
    if (status)
        return status;
    spar__live_heed_drops(experiment, mark.drops);
    if (!state || state->broken || state->sequence != mark.sequence) {
        spar__live_lock_state(experiment);
        status = fold_to(experiment, &mark, err);
        spar__live_unlock_state(experiment);
    } else {
        status = check_end(experiment, &mark, err);
    }
    if (!status)
        experiment->folded = spar__clock_wall();
    return status;
}

static spar_status take(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                        const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    (void)hash;
    return spar__live_decode(context, sequence, bytes, length, err);
}

spar_status spar__live_find(spar_experiment *experiment, spar_event_kind kind, uint64_t number, uint32_t revision,
                            spar_event *out, spar_error *err)
{
    uint64_t at = 0;
    spar_status status = spar__store_locate(experiment->store, experiment->id, kind, number, revision, &at, err);
    if (!status && !at)
        status = spar__fail(err, SPAR_UNKNOWN, "screen %" PRIu64 " was never %s", number,
                            kind == SPAR_EVENT_SCREEN ? "asked" : "answered");
    return status ? status : spar__store_read(experiment->store, experiment->id, at, at, take, out, err);
}

spar_status spar__live_revision(spar_experiment *experiment, uint64_t number, uint32_t *revision, spar_error *err)
{
    const spar__fold *state = experiment->state;
    bool open = spar__fold_find_open(state, number) < state->n_open;
    *revision = open ? spar_session_revision(state->session, number) : 0;
    while (!open) {
        uint64_t at = 0;
        spar_status status =
            spar__store_locate(experiment->store, experiment->id, SPAR_EVENT_UNDO, number, *revision, &at, err);
        if (status || !at || at > state->sequence) /* others may have written since */
            return status;
        (*revision)++;
    }
    return SPAR_OK;
}
