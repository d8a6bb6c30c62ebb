/* event_log.c - how an experiment reads and writes its log: lock, fold, check, append, fold.
 *
 * An event is encoded once, by the store that appends it. What was appended under the lock follows what was folded
 * under it, so the state takes the event itself, with the number and the hash that the store gave it, and only after
 * the commit; where that does not work out the log is read, as it is for events of others.
 *
 * A state cannot unlearn. Where an undo names an answer that the state has, an older state is taken (a snapshot from
 * before that answer, or none) and the events after it are folded again without all answers that were undone since. */
#include "live/live.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "store/digest.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

/* --- single events --- */

int64_t spar__live_now(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

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

static spar_status take(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                        const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    (void)hash;
    return spar__live_decode(context, sequence, bytes, length, err);
}

spar_status spar__live_read(spar_experiment *experiment, uint64_t sequence, spar_event *out, spar_error *err)
{
    return spar__store_read(experiment->store, experiment->id, sequence, sequence, take, out, err);
}

spar_status spar__live_find(spar_experiment *experiment, spar_event_kind kind, uint64_t number, uint32_t revision,
                            spar_event *out, spar_error *err)
{
    uint64_t at = 0;
    spar_status status = spar__store_locate(experiment->store, experiment->id, kind, number, revision, &at, err);
    if (!status && !at)
        status = spar__fail(err, SPAR_UNKNOWN, "screen %" PRIu64 " was never %s", number,
                            kind == SPAR_EVENT_SCREEN ? "asked" : "answered");
    return status ? status : spar__live_read(experiment, at, out, err);
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

static spar_status take_hash(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                             const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    (void)sequence;
    (void)bytes;
    (void)length;
    (void)err;
    memcpy(context, hash, SPAR_HASH_SIZE);
    return SPAR_OK;
}

spar_status spar__log_hash_at(spar__store *store, uint64_t experiment, uint64_t sequence,
                              unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    memset(hash, 0, SPAR_HASH_SIZE);
    return spar__store_read(store, experiment, sequence, sequence, take_hash, hash, err);
}

/* --- folding --- */

enum { PROGRESS_EVERY_EVENTS = 4096, KEPT_MAX_EVENTS = 1024 };

typedef struct log_fold {
    spar_experiment *experiment;
    spar__key_table undone; /* (screen, revision); the count is the number of the undo event */
    bool too_new;           /* an undo names an answer that was in the state from the start */
    uint64_t from, to;
    bool keeps;                /* few events: they are read once, and kept for the second look */
    spar__buf kept;            /* one after the other: a kept_event, its bytes */
    spar_progress_fn progress; /* NULL: none */
    void *context;
} log_fold;

typedef struct kept_event {
    size_t length;
    unsigned char hash[SPAR_HASH_SIZE];
} kept_event;

/* Which answers are undone? */
static spar_status note_undo(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                             const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    log_fold *fold = context;
    spar_event *event = fold->experiment->event;
    if (fold->keeps) {
        kept_event kept = {.length = length};
        memcpy(kept.hash, hash, sizeof kept.hash);
        spar__buf_add(&fold->kept, (const char *)&kept, sizeof kept);
        spar__buf_add(&fold->kept, (const char *)bytes, length);
    }
    if (fold->kept.failed)
        return spar__fail_memory(err);
    if (length < 2 || bytes[1] != SPAR_EVENT_UNDO)
        return SPAR_OK;
    spar_status status = spar__live_decode(event, sequence, bytes, length, err);
    if (status || spar__key_table_reserve(&fold->undone, 1))
        return status ? status : spar__fail_memory(err);
    size_t at = spar__key_get(&fold->undone, spar_event_number(event), spar_event_revision(event));
    fold->undone.entry[at].count = sequence;
    return SPAR_OK;
}

static bool is_undone(const log_fold *fold, const spar_event *event)
{
    if (!fold->undone.n || spar_event_kind_of(event) != SPAR_EVENT_ANSWER)
        return false;
    size_t at = spar__key_find(&fold->undone, spar_event_number(event), spar_event_revision(event));
    return at != SPAR__NO_KEY && fold->undone.entry[at].count > spar_event_sequence(event);
}

static spar_status apply(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                         const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    log_fold *fold = context;
    spar_event *event = fold->experiment->event;
    spar_error why = {0};
    uint64_t done = sequence - fold->from;
    if (fold->progress && done % PROGRESS_EVERY_EVENTS == 0 &&
        !fold->progress(fold->context, (double)done / (double)(fold->to - fold->from + 1)))
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

/* Folds the events after the state up to `to`, without the answers that were undone among them. After a failure the
 * state is somewhere between. *too_new: an undo names an answer that the state had before, so one of fewer events is
 * needed. */
static spar_status fold_to(spar_experiment *experiment, uint64_t to, spar_progress_fn progress, void *context,
                           bool *too_new, spar_error *err)
{
    uint64_t from = experiment->state->sequence + 1;
    double start = spar__clock_thread();
    log_fold fold = {.experiment = experiment, .from = from, .to = to, .progress = progress, .context = context};
    fold.keeps = to >= from && to - from < KEPT_MAX_EVENTS;
    spar_status status = spar__store_read(experiment->store, experiment->id, from, to, note_undo, &fold, err);
    if (!status && !fold.keeps)
        status = spar__store_read(experiment->store, experiment->id, from, to, apply, &fold, err);
    for (size_t at = 0, n = 0; fold.keeps && at < fold.kept.length && !status; n++) {
        kept_event kept;
        memcpy(&kept, fold.kept.text + at, sizeof kept);
        at += sizeof kept;
        status = apply(&fold, from + n, (const unsigned char *)fold.kept.text + at, kept.length, kept.hash, err);
        at += kept.length;
    }
    spar__buf_free(&fold.kept);
    spar__key_table_fini(&fold.undone);
    *too_new = fold.too_new;
    spar__snapshot_note(experiment, experiment->state->sequence + 1 - from, start);
    return status;
}

/* A state to start from: the newest that is kept of fewer events than `limit` (0: of any number), or an empty one. */
static spar_status start_before(spar_experiment *experiment, uint64_t limit, spar_error *err)
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

static void lock_state(spar_experiment *experiment)
{
    if (!experiment->shared || experiment->locks++)
        return;
    (void)pthread_rwlock_wrlock(&experiment->shared->lock);
    spar__live_take_state(experiment);
}

static void unlock_state(spar_experiment *experiment)
{
    if (!experiment->shared || --experiment->locks)
        return;
    experiment->shared->state = experiment->state;
    experiment->shared->snapshot = experiment->snapshot;
    (void)pthread_rwlock_unlock(&experiment->shared->lock);
}

spar_status spar__live_refresh(spar_experiment *experiment, spar_error *err)
{
    spar__store_mark mark;
    const spar__fold *state = experiment->state;
    spar_status status = spar__store_look(experiment->store, experiment->id, &mark, err);
    if (status)
        return status;
    spar__live_heed_drops(experiment, mark.drops);
    if (state && !state->broken && state->sequence == mark.sequence) {
        status = check_end(experiment, &mark, err);
    } else {
        lock_state(experiment);
        if (!experiment->state || experiment->state->broken)
            status = start_before(experiment, 0, err);
        if (!status)
            status = check_end(experiment, &mark, err);
        while (!status && experiment->state->sequence < mark.sequence) {
            uint64_t first = experiment->state->sequence;
            bool too_new = false;
            status = fold_to(experiment, mark.sequence, NULL, NULL, &too_new, err);
            if (status && too_new && first)
                status = start_before(experiment, first, err);
            else if (!status)
                break;
        }
        unlock_state(experiment);
    }
    if (!status)
        experiment->folded = spar__clock_wall();
    return status;
}

/* --- writing --- */

spar_status spar__live_check(const spar_experiment *experiment, spar_error *err)
{
    if (!experiment)
        return spar__fail(err, SPAR_INVALID, "no experiment was given");
    if (!experiment->writes)
        return spar__fail(err, SPAR_UNSUPPORTED, "%s was opened for reading only", experiment->place);
    return SPAR_OK;
}

static const double RECENT = 2e9; /* nanoseconds */

/* What others have added is folded before the lock as well, unless it cannot be much: under it others wait. */
spar_status spar__live_begin(spar_experiment *experiment, spar_error *err)
{
    spar_status status = spar__live_check(experiment, err);
    if (!status && spar__clock_wall() - experiment->folded > RECENT)
        status = spar__live_refresh(experiment, err);
    if (!status)
        status = spar__store_lock(experiment->store, experiment->id, err);
    if (status)
        return status;
    status = spar__live_refresh(experiment, err);
    if (status)
        spar__live_end(experiment);
    return status;
}

void spar__live_end(spar_experiment *experiment)
{
    spar__store_unlock(experiment->store);
}

/* Folds events as they are on disk now; false: one is not the next one of the state, or cannot be folded like this. */
static bool fold_appended(spar_experiment *experiment, size_t n, const spar__store_entry *entry)
{
    static const unsigned char unknown[SPAR_HASH_SIZE];
    spar__fold *state = experiment->state;
    bool good = state != NULL;
    double start = spar__clock_thread();
    for (size_t i = 0; i < n && good; i++)
        good = entry[i].status || (spar_event_sequence(entry[i].event) == state->sequence + 1 &&
                                   memcmp(entry[i].hash, unknown, sizeof unknown) != 0 &&
                                   !spar__fold_apply(state, entry[i].event, entry[i].hash, NULL));
    spar__snapshot_note(experiment, n, start);
    return good;
}

spar_status spar__live_append(spar_experiment *experiment, size_t n, spar__store_entry *entry, uint64_t undone,
                              spar_error *err)
{
    spar_status status = spar__store_append(experiment->store, experiment->id, n, entry, err);
    if (status)
        return status;
    lock_state(experiment);
    if (undone) /* the state has that answer */
        status = start_before(experiment, undone, err);
    bool folded = !undone && fold_appended(experiment, n, entry);
    if (!status && !folded)
        status = spar__live_refresh(experiment, err);
    unlock_state(experiment);
    return status;
}

spar_status spar__live_commit(spar_experiment *experiment, spar_event *event, size_t n_texts,
                              const spar__store_text *text, spar_error *err)
{
    spar__store_entry entry = {.event = event, .text = text, .n_texts = n_texts};
    spar_event_set_stamp(event, 0, spar__live_now());
    spar_status status = spar__live_append(experiment, 1, &entry, 0, err);
    if (!status && entry.status)
        status = spar__fail(err, entry.status, "another program has written the same before: %s",
                            spar_status_text(entry.status));
    if (!status)
        spar__snapshot_take(experiment);
    return status;
}

spar_status spar__live_text(spar__text_kind kind, uint64_t owner, uint32_t version, const void *bytes, size_t length,
                            spar__store_text *text, unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    *text = (spar__store_text){.kind = kind, .owner = owner, .version = version, .bytes = bytes, .length = length};
    spar_status status = spar__random_bytes(text->salt, sizeof text->salt, err);
    if (!status && hash)
        spar__hmac(text->salt, bytes, length, hash);
    return status;
}

/* --- the whole log once more, without snapshots --- */

spar_status spar_experiment_replay(spar_experiment *experiment, spar_progress_fn progress, void *context,
                                   spar_error *err)
{
    unsigned char *before = NULL, *after = NULL;
    size_t length = 0, again = 0;
    spar__fold *fresh = NULL;
    if (!experiment)
        return spar__fail(err, SPAR_INVALID, "no experiment was given");
    spar_status status = spar__live_refresh(experiment, err);
    if (!status)
        status = spar__fold_save(experiment->state, &before, &length, err);
    if (!status && spar__fold_new(&fresh))
        status = spar__fail_memory(err);
    if (!status) { /* a new state from the first event to the last one that the present state has */
        bool too_new;
        spar__fold *now = experiment->state;
        experiment->state = fresh;
        status = fold_to(experiment, now->sequence, progress, context, &too_new, err);
        experiment->state = status ? now : fresh;
        spar__fold_free(status ? fresh : now);
    }
    if (!status)
        status = spar__fold_save(experiment->state, &after, &again, err);
    bool same = !status && length == again && memcmp(before, after, length) == 0;
    spar__free(before);
    spar__free(after);
    if (status)
        return status;
    spar__snapshot_drop(experiment, 0, UINT64_MAX);
    spar__snapshot_write(experiment);
    return same ? SPAR_OK
                : spar__fail(err, SPAR_CORRUPT,
                             "%s: the state differs from the fold of the log; the log was taken, and old snapshots "
                             "were removed",
                             experiment->place);
}
