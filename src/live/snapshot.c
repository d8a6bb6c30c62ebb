/* snapshot.c - states kept in the store, so that opening an experiment need not fold the whole log.
 *
 * One is written every 4,096 events, or less often where it is large: about one event for each KiB of it, and writing
 * takes a small share of the time. It is written sooner if some policy learned slowly and it took SLOW nanoseconds
 * to fold what came since the last one: every command would do that again. A few are kept, at distances from the end
 * that grow by factors of 4, since an undo needs one from before its answer; together they are not much larger than the
 * log.
 *
 * Where others wait for the thread of the experiment, a large one takes it as long as the state needs to be copied;
 * another thread squeezes the copy, and when it is ready it is written. It is one of the log as it was, so it does not
 * matter what was appended meanwhile; but for an undo, which makes it useless. Few are squeezed at once in a process;
 * an experiment that finds no thread tries again. */
#include "live/live.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "live/snapshot_work.h"
#include "live/squeeze.h"

#include <string.h>

/* The hash that the log has for an event. */
typedef struct hash_at {
    unsigned char hash[SPAR_HASH_SIZE];
    bool found;
} hash_at;

static spar_status note_hash(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                             const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    hash_at *at = context;
    (void)sequence;
    (void)bytes;
    (void)length;
    (void)err;
    memcpy(at->hash, hash, sizeof at->hash);
    at->found = true;
    return SPAR_OK;
}

/* Is it a snapshot of this log? */
static bool belongs(spar_experiment *experiment, const spar__store_snapshot *snapshot)
{
    hash_at at = {.found = false};
    if (spar__store_read(experiment->store, experiment->id, snapshot->sequence, snapshot->sequence, note_hash, &at,
                         NULL))
        return false;
    return at.found && memcmp(at.hash, snapshot->hash, sizeof at.hash) == 0;
}

spar_status spar__snapshot_read(const unsigned char *bytes, size_t length, spar__fold **out, spar_error *err)
{
    unsigned char *state = NULL;
    size_t n = 0;
    *out = NULL;
    spar_status status = spar__unsqueeze(bytes, length, &state, &n);
    status = status ? spar__fail(err, status, "a snapshot: %s", spar_status_text(status))
                    : spar__fold_load(state, n, out, err);
    spar__free(state);
    return status;
}

/* A damaged one, or one of an older program, is as good as none: *out is NULL. */
static spar_status load(const spar__store_snapshot *snapshot, const unsigned char *bytes, size_t length,
                        spar__fold **out, spar_error *err)
{
    spar_status status = spar__snapshot_read(bytes, length, out, err);
    if (status)
        return status == SPAR_NOMEM ? spar__fail_memory(err) : SPAR_OK;
    if ((*out)->sequence == snapshot->sequence && memcmp((*out)->hash, snapshot->hash, SPAR_HASH_SIZE) == 0)
        return SPAR_OK;
    spar__fold_free(*out);
    *out = NULL;
    return SPAR_OK;
}

spar_status spar__snapshot_load(spar_experiment *experiment, uint64_t limit, spar__fold **out, spar_error *err)
{
    *out = NULL;
    limit = limit ? limit : INT64_MAX;
    while (!*out && limit) {
        spar__store_snapshot snapshot;
        unsigned char *bytes = NULL;
        size_t length = 0;
        spar_status status = spar__store_snapshot_get(experiment->store, experiment->id, limit, spar_session_engine(),
                                                      &snapshot, &bytes, &length, err);
        if (status)
            return status == SPAR_UNKNOWN ? SPAR_OK : status;
        if (belongs(experiment, &snapshot))
            status = load(&snapshot, bytes, length, out, err);
        spar__free(bytes);
        if (status)
            return status;
        experiment->snapshot_size = length;
        limit = snapshot.sequence - 1;
    }
    return SPAR_OK;
}

uint64_t spar__snapshot_every = 4096;
size_t spar__snapshot_large = 1 << 16;

enum {
    MOST = 32,
    SHARE = 100,
    LARGE = 1 << 16,
    LEAST_OFTEN = 65536,
    FARTHER = 4,
    BYTES_PER_EVENT = 32,
    FREE_BYTES = 4 << 20
};

static uint64_t interval(const spar_experiment *experiment)
{
    uint64_t events = experiment->snapshot_size >> 10;
    return events < spar__snapshot_every ? spar__snapshot_every : events > LEAST_OFTEN ? LEAST_OFTEN : events;
}

/* Of those in `sequence`, which rise, the ones to keep: the newest, and going back the first at each distance, as long
 * as there is room for them. They go to keep; returns how many. */
static size_t thin(const spar_experiment *experiment, size_t n, const uint64_t *sequence, uint64_t *keep)
{
    uint64_t end = sequence[n - 1], least = interval(experiment), size = experiment->snapshot_size;
    uint64_t room = FREE_BYTES + BYTES_PER_EVENT * end;
    size_t kept = 0;
    keep[kept++] = end;
    for (size_t i = n - 1; i-- > 0 && (kept + 1) * size <= room;) {
        uint64_t newer = end - keep[kept - 1], far = i ? end - sequence[i - 1] : UINT64_MAX;
        if (far < (newer ? FARTHER * newer : least) && i) /* an older one will do */
            continue;
        keep[kept++] = sequence[i];
    }
    return kept;
}

static void drop_some(spar_experiment *experiment)
{
    uint64_t sequence[MOST], keep[MOST];
    size_t n = 0;
    if (spar__store_snapshot_list(experiment->store, experiment->id, MOST, sequence, &n, NULL) || !n)
        return;
    size_t kept = thin(experiment, n, sequence, keep);
    if (kept < n || n == MOST) /* there may be more than were listed */
        (void)spar__store_snapshot_keep(experiment->store, experiment->id, kept, keep, NULL);
}

spar_status spar__snapshot_squeeze(const spar__fold_parts *parts, const atomic_bool *stop, unsigned char **bytes,
                                   size_t *length)
{
    unsigned char *joined = NULL;
    size_t n = 0;
    *bytes = NULL;
    spar_status status = spar__fold_join(parts, &joined, &n);
    if (!status)
        status = spar__squeeze(joined, n, stop, bytes, length);
    spar__free(joined);
    return status;
}

spar_status spar__snapshot_bytes(spar__fold *state, unsigned char **bytes, size_t *length, spar_error *err)
{
    spar__fold_parts parts;
    *bytes = NULL;
    spar_status status = spar__fold_save_parts(state, &parts, err);
    if (status)
        return status;
    status = spar__snapshot_squeeze(&parts, NULL, bytes, length);
    spar__fold_parts_free(&parts);
    return status ? spar__fail(err, status, "a snapshot: %s", spar_status_text(status)) : SPAR_OK;
}

static const double LONGEST = 60e9, SLOW = 20e6, SLOW_EVENT = 2e5;

/* Everybody waits while one is copied and written: with a large state under load for a hundredth of the time, so that
 * few requests meet it, until that would make them so rare that it takes long to fold what came since. */
static void rest(spar_experiment *experiment, bool large, double start)
{
    double now = spar__clock_wall(), pause = SHARE * (now - start);
    experiment->snapshot_after = large ? now + (pause < LONGEST ? pause : LONGEST) : 0;
}

static spar__store_snapshot describe(const spar__fold *state)
{
    spar__store_snapshot about = {.sequence = state->sequence, .engine = spar_session_engine()};
    memcpy(about.hash, state->hash, sizeof about.hash);
    return about;
}

static void put(spar_experiment *experiment, const spar__store_snapshot *about, const unsigned char *bytes,
                size_t length)
{
    if (spar__store_snapshot_put(experiment->store, experiment->id, about, bytes, length, NULL))
        return;
    experiment->snapshot_size = length;
    drop_some(experiment);
}

/* The next one is due when enough has come since this one; also if this one fails. */
static void count_from(spar_experiment *experiment, uint64_t sequence)
{
    experiment->snapshot = sequence;
    experiment->slow = 0;
}

/* Takes the parts. Another thread squeezes them; if there is none, the snapshot stays due. */
static void begin(spar_experiment *experiment, const spar__store_snapshot *about, spar__fold_parts *parts, double start)
{
    experiment->work = spar__snapshot_work_new(about, parts);
    if (experiment->work) {
        experiment->snapshot_took = spar__clock_wall() - start;
        count_from(experiment, about->sequence);
        return;
    }
    spar__fold_parts_free(parts);
    rest(experiment, true, start);
}

/* later: another thread squeezes it where that takes a while. */
static void make(spar_experiment *experiment, bool later)
{
    double start = spar__clock_wall();
    spar__store_snapshot about = describe(experiment->state);
    spar__fold_parts parts;
    unsigned char *bytes = NULL;
    size_t length = 0;
    if (!experiment->writes || spar__fold_save_parts(experiment->state, &parts, NULL))
        return;
    if (later && spar__fold_parts_size(&parts) > spar__snapshot_large) {
        begin(experiment, &about, &parts, start);
        return;
    }
    count_from(experiment, about.sequence);
    if (!spar__snapshot_squeeze(&parts, NULL, &bytes, &length))
        put(experiment, &about, bytes, length);
    spar__fold_parts_free(&parts);
    spar__free(bytes);
    rest(experiment, experiment->snapshot_size > LARGE, start);
}

void spar__snapshot_write(spar_experiment *experiment)
{
    spar__snapshot_work_free(experiment->work); /* this one is newer */
    experiment->work = NULL;
    make(experiment, false);
}

void spar__snapshot_collect(spar_experiment *experiment)
{
    double start = spar__clock_wall();
    spar__snapshot_work *work = experiment->work;
    spar__store_snapshot about;
    const unsigned char *bytes;
    size_t length;
    if (!work || !spar__snapshot_work_done(work, &about, &bytes, &length))
        return;
    if (bytes) {
        put(experiment, &about, bytes, length);
        rest(experiment, experiment->snapshot_size > LARGE, start - experiment->snapshot_took);
    }
    spar__snapshot_work_free(work);
    experiment->work = NULL;
}

/* Another program may have written one meanwhile. */
static void look_for_newer(spar_experiment *experiment)
{
    uint64_t sequence[MOST];
    size_t n = 0;
    if (spar__store_snapshot_list(experiment->store, experiment->id, MOST, sequence, &n, NULL) || !n)
        return;
    if (sequence[n - 1] > experiment->snapshot && sequence[n - 1] <= experiment->state->sequence)
        experiment->snapshot = sequence[n - 1];
}

void spar__snapshot_note(spar_experiment *experiment, uint64_t events, double start)
{
    double took = spar__clock_thread() - start;
    experiment->slow += took > SLOW_EVENT * (double)events ? took : 0;
}

static bool is_due(const spar_experiment *experiment)
{
    return experiment->state->sequence - experiment->snapshot >= interval(experiment) || experiment->slow > SLOW;
}

void spar__snapshot_take(spar_experiment *experiment)
{
    spar__snapshot_collect(experiment);
    if (experiment->work || !is_due(experiment) || spar__clock_wall() < experiment->snapshot_after)
        return;
    look_for_newer(experiment);
    if (is_due(experiment))
        make(experiment, experiment->served);
}

void spar__snapshot_drop(spar_experiment *experiment, uint64_t from, uint64_t to)
{
    uint64_t sequence[MOST], keep[MOST];
    size_t n = 0, kept = 0;
    if (experiment->work)
        spar__snapshot_work_drop(experiment->work, from, to);
    if (spar__store_snapshot_list(experiment->store, experiment->id, MOST, sequence, &n, NULL))
        return;
    for (size_t i = 0; i < n; i++)
        if (sequence[i] < from || (sequence[i] >= to && sequence[i] <= INT64_MAX))
            keep[kept++] = sequence[i];
    if (kept < n || n == MOST) /* those that were not listed go, too: they may be among them */
        (void)spar__store_snapshot_keep(experiment->store, experiment->id, kept, keep, NULL);
}
