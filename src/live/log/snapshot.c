/* snapshot.c - states kept in the store, so that opening an experiment need not fold the whole log.
 *
 * One is written every 4,096 events, or less often where it is large: about one event for each KiB of it, and writing
 * takes a small share of the time. It is written sooner if some policy learned slowly and it took SLOW nanoseconds
 * to fold what came since the last one: every command would do that again. A few are kept, at distances from the end
 * that grow by factors of 4, since an undo needs one from before its answer; together they are not much larger than the
 * log.
 *
 * Where others wait for the thread of the experiment, a large one takes it as long as the state needs to be copied;
 * another thread compresses the copy, and when it is ready it is written. It is one of the log as it was, so it does
 * not matter what was appended meanwhile; but for an undo, which makes it useless. Few are compressed at once in a
 * process; an experiment that finds no thread tries again.
 *
 * Compressing takes about a nanosecond a byte. */
#include "live/live.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/hash.h"

#include <limits.h>
#include <lz4.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>

/* --- compression: a u64, the length of the whole, then one block of LZ4 --- */

enum { LZ4_HEAD = 8, LZ4_MAX_EXPANSION = 256 };

spar_status spar__lz4_compress(const unsigned char *bytes, size_t length, unsigned char **out, size_t *compressed)
{
    *out = NULL;
    if (length > LZ4_MAX_INPUT_SIZE)
        return SPAR_UNSUPPORTED;
    int most = LZ4_compressBound((int)length);
    unsigned char *to = spar__grow_bytes(NULL, LZ4_HEAD + (size_t)most); /* most is never touched */
    if (!to)
        return SPAR_NOMEM;
    spar__put_u64(to, length);
    int n = LZ4_compress_default((const char *)bytes, (char *)to + LZ4_HEAD, (int)length, most);
    *compressed = LZ4_HEAD + (size_t)n;
    *out = spar__grow_bytes(to, *compressed);
    *out = *out ? *out : to;
    return SPAR_OK;
}

spar_status spar__lz4_decompress(const unsigned char *bytes, size_t length, unsigned char **out, size_t *expanded)
{
    *out = NULL;
    if (length <= LZ4_HEAD || length > INT_MAX || spar__get_u64(bytes) / LZ4_MAX_EXPANSION > length ||
        spar__get_u64(bytes) > INT_MAX)
        return SPAR_CORRUPT;
    *expanded = (size_t)spar__get_u64(bytes);
    *out = spar__alloc(*expanded, 1);
    if (!*out)
        return SPAR_NOMEM;
    int n = LZ4_decompress_safe((const char *)bytes + LZ4_HEAD, (char *)*out, (int)length - LZ4_HEAD, (int)*expanded);
    if (n >= 0 && (size_t)n == *expanded)
        return SPAR_OK;
    spar__free(*out);
    *out = NULL;
    return SPAR_CORRUPT;
}

static spar_status compress_parts(const spar__fold_parts *parts, unsigned char **bytes, size_t *length)
{
    unsigned char *joined = NULL;
    size_t n = 0;
    *bytes = NULL;
    spar_status status = spar__fold_join(parts, &joined, &n);
    if (!status)
        status = spar__lz4_compress(joined, n, bytes, length);
    spar__free(joined);
    return status;
}

/* --- a snapshot that another thread compresses, while the experiment goes on --- */

/* The thread has the parts to itself until it says that it is done. */
struct spar__snapshot_work {
    spar__store_snapshot about;
    spar__fold_parts parts;
    unsigned char *bytes; /* compressed; NULL: that failed */
    size_t length;
    bool dropped; /* not wanted any more */
    pthread_t thread;
    atomic_bool done;
};

/* Each has a thread and the copy of a large state: not one for every experiment of a server. */
enum { MAX_THREADS = 2 };

static atomic_int threads; /* in the whole process, from their making to their freeing */

static void *run(void *context)
{
    struct spar__snapshot_work *work = context;
#ifdef __linux__ /* where this is about the thread, which can wait for those whose requests are answered */
    (void)setpriority(PRIO_PROCESS, 0, 19);
#endif
    (void)compress_parts(&work->parts, &work->bytes, &work->length);
    atomic_store(&work->done, true);
    return NULL;
}

/* Takes the parts of a state. NULL: there are enough threads, or there is no memory, or no thread; the parts are still
 * the caller's. */
static struct spar__snapshot_work *work_new(const spar__store_snapshot *about, const spar__fold_parts *parts)
{
    struct spar__snapshot_work *work =
        atomic_fetch_add(&threads, 1) < MAX_THREADS ? spar__alloc(1, sizeof *work) : NULL;
    if (work) {
        work->about = *about;
        work->parts = *parts;
        if (!pthread_create(&work->thread, NULL, run, work))
            return work;
    }
    spar__free(work);
    (void)atomic_fetch_sub(&threads, 1);
    return NULL;
}

void spar__snapshot_stop(spar_experiment *experiment)
{
    struct spar__snapshot_work *work = experiment->work;
    if (!work)
        return;
    (void)pthread_join(work->thread, NULL);
    spar__fold_parts_free(&work->parts);
    spar__free(work->bytes);
    spar__free(work);
    experiment->work = NULL;
    (void)atomic_fetch_sub(&threads, 1);
}

/* --- reading --- */

/* A damaged one, or one of an older program, is as good as none: *out is NULL. */
static spar_status load(spar_experiment *experiment, const spar__store_snapshot *snapshot, const unsigned char *bytes,
                        size_t length, spar__fold **out, spar_error *err)
{
    unsigned char *state = NULL, hash[SPAR_HASH_SIZE];
    size_t n = 0;
    if (spar__log_hash_at(experiment->store, experiment->id, snapshot->sequence, hash, NULL) ||
        memcmp(hash, snapshot->hash, sizeof hash) != 0) /* of another log */
        return SPAR_OK;
    spar_status status = spar__lz4_decompress(bytes, length, &state, &n);
    if (!status)
        status = spar__fold_load(state, n, out, err);
    spar__free(state);
    if (status)
        return status == SPAR_NOMEM ? spar__fail_memory(err) : SPAR_OK;
    if ((*out)->sequence != snapshot->sequence || memcmp((*out)->hash, snapshot->hash, SPAR_HASH_SIZE) != 0) {
        spar__fold_free(*out);
        *out = NULL;
    }
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
        status = load(experiment, &snapshot, bytes, length, out, err);
        spar__free(bytes);
        if (status)
            return status;
        experiment->snapshot_size = length;
        limit = snapshot.sequence - 1;
    }
    return SPAR_OK;
}

/* Nobody loads what an older program has written, so it need not be the state. Compressed bytes may differ with the
 * version of the library: what they expand to is compared. */
spar_status spar__snapshot_compare(spar__fold *state, const unsigned char *bytes, size_t length, bool *same,
                                   spar_error *err)
{
    unsigned char *now = NULL, *then = NULL;
    size_t n = 0, m = 0;
    spar__fold *loaded = NULL;
    spar_status status = spar__fold_save(state, &now, &n, err), damage = SPAR_OK;
    if (!status)
        damage = spar__lz4_decompress(bytes, length, &then, &m);
    *same = !status && !damage && n == m && memcmp(now, then, n) == 0;
    if (!status && !damage && !*same) {
        damage = spar__fold_load(then, m, &loaded, NULL);
        *same = damage == SPAR_UNSUPPORTED;
        spar__fold_free(loaded);
    }
    spar__free(now);
    spar__free(then);
    return damage == SPAR_NOMEM ? spar__fail_memory(err) : status;
}

/* --- writing --- */

uint64_t spar__snapshot_every = 4096;
size_t spar__snapshot_large = 1 << 16;

enum {
    MAX_LISTED = 32,
    PAUSE_FACTOR = 100,
    LARGE_BYTES = 1 << 16,
    MAX_INTERVAL_EVENTS = 65536,
    DISTANCE_FACTOR = 4,
    BYTES_PER_EVENT = 32,
    FREE_BYTES = 4 << 20
};

static const double MAX_PAUSE = 60e9, SLOW = 20e6, SLOW_EVENT = 2e5; /* nanoseconds */

static uint64_t interval(const spar_experiment *experiment)
{
    uint64_t events = experiment->snapshot_size >> 10;
    return events < spar__snapshot_every  ? spar__snapshot_every
           : events > MAX_INTERVAL_EVENTS ? MAX_INTERVAL_EVENTS
                                          : events;
}

static void drop_some(spar_experiment *experiment)
{
    uint64_t sequence[MAX_LISTED], keep[MAX_LISTED];
    size_t n = 0;
    if (spar__store_snapshot_list(experiment->store, experiment->id, MAX_LISTED, sequence, &n, NULL) || !n)
        return;
    /* Of those in `sequence`, which rise, the ones to keep: the newest, and going back the first at each distance, as
     * long as there is room for them. */
    uint64_t end = sequence[n - 1], least = interval(experiment), size = experiment->snapshot_size;
    uint64_t room = FREE_BYTES + BYTES_PER_EVENT * end;
    size_t kept = 0;
    keep[kept++] = end;
    for (size_t i = n - 1; i-- > 0 && (kept + 1) * size <= room;) {
        uint64_t newer = end - keep[kept - 1], far = i ? end - sequence[i - 1] : UINT64_MAX;
        if (far < (newer ? DISTANCE_FACTOR * newer : least) && i) /* an older one will do */
            continue;
        keep[kept++] = sequence[i];
    }
    if (kept < n || n == MAX_LISTED) /* there may be more than were listed */
        (void)spar__store_snapshot_keep(experiment->store, experiment->id, kept, keep, NULL);
}

/* Everybody waits while one is copied and written: with a large state under load for a hundredth of the time, so that
 * few requests meet it, until that would make them so rare that it takes long to fold what came since. */
static void rest(spar_experiment *experiment, bool large, double start)
{
    double now = spar__clock_wall(), pause = PAUSE_FACTOR * (now - start);
    experiment->snapshot_after = large ? now + (pause < MAX_PAUSE ? pause : MAX_PAUSE) : 0;
}

static void put(spar_experiment *experiment, const spar__store_snapshot *about, const unsigned char *bytes,
                size_t length)
{
    if (spar__store_snapshot_put(experiment->store, experiment->id, about, bytes, length, NULL))
        return;
    experiment->snapshot_size = length;
    drop_some(experiment);
}

/* later: another thread compresses it where that takes a while; if there is none, it stays due. */
static void make(spar_experiment *experiment, bool later)
{
    double start = spar__clock_wall();
    const spar__fold *state = experiment->state;
    spar__store_snapshot about = {.sequence = state->sequence, .engine = spar_session_engine()};
    memcpy(about.hash, state->hash, sizeof about.hash);
    spar__fold_parts parts;
    unsigned char *bytes = NULL;
    size_t length = 0;
    if (!experiment->writes || spar__fold_save_parts(experiment->state, &parts, NULL))
        return;
    later = later && spar__fold_parts_size(&parts) > spar__snapshot_large;
    if (later)
        experiment->work = work_new(&about, &parts);
    if (experiment->work || !later) {
        experiment->snapshot = about.sequence; /* the next one is due when enough has come since; also if this fails */
        experiment->slow = 0;
    }
    if (experiment->work) {
        experiment->snapshot_took = spar__clock_wall() - start;
        return;
    }
    if (!later && !compress_parts(&parts, &bytes, &length))
        put(experiment, &about, bytes, length);
    spar__fold_parts_free(&parts);
    spar__free(bytes);
    rest(experiment, later || experiment->snapshot_size > LARGE_BYTES, start);
}

void spar__snapshot_write(spar_experiment *experiment)
{
    spar__snapshot_stop(experiment); /* this one is newer */
    make(experiment, false);
}

void spar__snapshot_collect(spar_experiment *experiment)
{
    double start = spar__clock_wall();
    const struct spar__snapshot_work *work = experiment->work;
    if (!work || !atomic_load(&work->done))
        return;
    if (work->bytes && !work->dropped) {
        put(experiment, &work->about, work->bytes, work->length);
        rest(experiment, experiment->snapshot_size > LARGE_BYTES, start - experiment->snapshot_took);
    }
    spar__snapshot_stop(experiment);
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
    uint64_t sequence[MAX_LISTED];
    size_t n = 0;
    spar__snapshot_collect(experiment);
    if (experiment->work || !is_due(experiment) || spar__clock_wall() < experiment->snapshot_after)
        return;
    /* Another program may have written one meanwhile. */
    if (!spar__store_snapshot_list(experiment->store, experiment->id, MAX_LISTED, sequence, &n, NULL) && n &&
        sequence[n - 1] > experiment->snapshot && sequence[n - 1] <= experiment->state->sequence)
        experiment->snapshot = sequence[n - 1];
    if (is_due(experiment))
        make(experiment, experiment->served);
}

void spar__snapshot_drop(spar_experiment *experiment, uint64_t from, uint64_t to)
{
    uint64_t sequence[MAX_LISTED], keep[MAX_LISTED];
    size_t n = 0, kept = 0;
    struct spar__snapshot_work *work = experiment->work;
    if (work)
        work->dropped |= work->about.sequence >= from && work->about.sequence < to;
    if (spar__store_snapshot_list(experiment->store, experiment->id, MAX_LISTED, sequence, &n, NULL))
        return;
    for (size_t i = 0; i < n; i++)
        if (sequence[i] < from || (sequence[i] >= to && sequence[i] <= INT64_MAX))
            keep[kept++] = sequence[i];
    if (kept < n || n == MAX_LISTED) /* those that were not listed go, too: they may be among them */
        (void)spar__store_snapshot_keep(experiment->store, experiment->id, kept, keep, NULL);
}
