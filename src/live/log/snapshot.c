/* snapshot.c - see squeeze.h. A match is looked for by the hash of 8 bytes, then of 4: states are full of zeros, of
 * which the last 4 have nothing to say, while 8 bytes find the record that is like this one. */
#include "live/log/snapshot.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/clock.h"
#include "live/live.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>

enum { HEAD = 8, LEAST = 4, TAIL = 16, FARTHEST = 65535, BITS = 16, MOST_EXPANSION = 256 };

typedef struct squeezer {
    const unsigned char *in;
    size_t n;
    unsigned char *out;
    size_t at;               /* bytes written */
    uint32_t *long8, *long4; /* where a hash was last; 1 more, 0: nowhere */
    const atomic_bool *stop; /* NULL: never */
} squeezer;

static spar_status snapshot_squeeze(const spar__fold_parts *parts, const atomic_bool *stop, unsigned char **bytes,
                                    size_t *length);

static size_t hash8(const unsigned char *p)
{
    return (size_t)(spar__get_u64(p) * UINT64_C(0x9E3779B97F4A7C15) >> (64 - BITS));
}

static size_t hash4(const unsigned char *p)
{
    return (size_t)(spar__get_u32(p) * UINT32_C(2654435761) >> (32 - BITS));
}

/* How many bytes are the same from a and b on, b later; the last ones of all are left alone. */
static size_t common(const squeezer *s, size_t a, size_t b)
{
    size_t n = 0, most = s->n - TAIL / 2 - b;
    while (n + 8 <= most && spar__get_u64(s->in + a + n) == spar__get_u64(s->in + b + n))
        n += 8;
    while (n < most && s->in[a + n] == s->in[b + n])
        n++;
    return n;
}

/* The length of a match for position i, and where it is; 0: none. */
static size_t find(const squeezer *s, size_t i, size_t *where)
{
    const uint32_t at[] = {s->long8[hash8(s->in + i)], s->long4[hash4(s->in + i)]};
    for (int k = 0; k < 2; k++) {
        *where = at[k] - (size_t)1;
        if (!at[k] || i - *where > FARTHEST)
            continue;
        size_t length = common(s, *where, i);
        if (length >= LEAST)
            return length;
    }
    return 0;
}

static void note(squeezer *s, size_t i)
{
    s->long8[hash8(s->in + i)] = s->long4[hash4(s->in + i)] = (uint32_t)(i + 1);
}

static void put_more(squeezer *s, size_t length)
{
    for (; length >= 255; length -= 255)
        s->out[s->at++] = 255;
    s->out[s->at++] = (unsigned char)length;
}

/* Literals from .. to - 1 and a match of that length; 0: the end. */
static void squeeze_put(squeezer *s, size_t from, size_t to, size_t length, size_t back)
{
    size_t literals = to - from, rest = length ? length - LEAST : 0;
    s->out[s->at++] = (unsigned char)((literals < 15 ? literals : 15) << 4 | (rest < 15 ? rest : 15));
    if (literals >= 15)
        put_more(s, literals - 15);
    memcpy(s->out + s->at, s->in + from, literals);
    s->at += literals;
    if (!length)
        return;
    s->out[s->at++] = (unsigned char)back;
    s->out[s->at++] = (unsigned char)(back >> 8);
    if (rest >= 15)
        put_more(s, rest - 15);
}

static bool is_stopped(const squeezer *s)
{
    return s->stop && atomic_load_explicit(s->stop, memory_order_relaxed);
}

/* False: it was stopped. */
static bool squeeze(squeezer *s)
{
    size_t from = 0;
    for (size_t i = 0; i + TAIL < s->n;) {
        if (is_stopped(s))
            return false;
        size_t where, length = find(s, i, &where);
        note(s, i);
        if (!length) {
            i++;
            continue;
        }
        squeeze_put(s, from, i, length, i - where);
        for (size_t k = i + 1; k < i + length && k + TAIL < s->n; k += 3)
            note(s, k);
        from = i += length;
    }
    squeeze_put(s, from, s->n, 0, 0);
    return true;
}

spar_status spar__squeeze(const unsigned char *bytes, size_t length, const atomic_bool *stop, unsigned char **out,
                          size_t *squeezed)
{
    squeezer s = {.in = bytes, .n = length, .at = HEAD, .stop = stop};
    spar_status status = SPAR_NOMEM;
    *out = NULL;
    if (length >= UINT32_MAX)
        return SPAR_UNSUPPORTED;
    s.long8 = spar__alloc((size_t)1 << BITS, sizeof *s.long8);
    s.long4 = spar__alloc((size_t)1 << BITS, sizeof *s.long4);
    s.out = spar__grow_bytes(NULL, HEAD + length + length / 255 + TAIL); /* most is never touched */
    if (s.out && s.long8 && s.long4) {
        spar__put_u64(s.out, length);
        status = squeeze(&s) ? SPAR_OK : SPAR_INTERRUPTED;
    }
    if (!status) {
        unsigned char *shorter = spar__grow_bytes(s.out, s.at);
        *out = shorter ? shorter : s.out;
        *squeezed = s.at;
    } else {
        spar__free(s.out);
    }
    spar__free(s.long8);
    spar__free(s.long4);
    return status;
}

typedef struct expander {
    const unsigned char *in;
    size_t left;
    unsigned char *out;
    size_t at, n;
} expander;

/* A length whose first part, 4 bits, is given; false: the input ends. */
static bool get_length(expander *e, size_t nibble, size_t *length)
{
    *length = nibble;
    unsigned char more = nibble == 15 ? 255 : 0;
    while (more == 255) {
        if (!e->left || *length > e->n)
            return false;
        more = *e->in++;
        e->left--;
        *length += more;
    }
    return true;
}

static bool copy_literals(expander *e, size_t length)
{
    if (length > e->left || length > e->n - e->at)
        return false;
    memcpy(e->out + e->at, e->in, length);
    e->in += length;
    e->left -= length;
    e->at += length;
    return true;
}

static bool copy_match(expander *e, size_t nibble)
{
    size_t length;
    if (e->left < 2)
        return false;
    size_t back = (size_t)e->in[0] | (size_t)e->in[1] << 8;
    e->in += 2;
    e->left -= 2;
    if (!get_length(e, nibble, &length))
        return false;
    length += LEAST;
    if (!back || back > e->at || length > e->n - e->at)
        return false;
    unsigned char *to = e->out + e->at;
    if (back >= length)
        memcpy(to, to - back, length);
    else
        for (size_t i = 0; i < length; i++) /* it repeats itself */
            to[i] = to[i - back];
    e->at += length;
    return true;
}

static bool expand(expander *e)
{
    while (e->left) {
        unsigned char token = *e->in++;
        size_t literals;
        e->left--;
        if (!get_length(e, token >> 4, &literals) || !copy_literals(e, literals))
            return false;
        if (!e->left)
            return e->at == e->n && !(token & 15);
        if (!copy_match(e, token & 15))
            return false;
    }
    return false;
}

spar_status spar__unsqueeze(const unsigned char *bytes, size_t length, unsigned char **out, size_t *expanded)
{
    *out = NULL;
    if (length < HEAD + 1 || spar__get_u64(bytes) / MOST_EXPANSION > length)
        return SPAR_CORRUPT;
    expander e = {.in = bytes + HEAD, .left = length - HEAD, .n = (size_t)spar__get_u64(bytes)};
    e.out = spar__alloc(e.n, 1);
    if (!e.out)
        return SPAR_NOMEM;
    if (!expand(&e)) {
        spar__free(e.out);
        return SPAR_CORRUPT;
    }
    *out = e.out;
    *expanded = e.n;
    return SPAR_OK;
}

/* See snapshot_work.h. The thread has the parts to itself until it says that it is done. */

struct spar__snapshot_work {
    spar__store_snapshot about;
    spar__fold_parts parts;
    unsigned char *bytes; /* squeezed; NULL: that failed */
    size_t length;
    bool dropped;
    pthread_t thread;
    atomic_bool done, stop;
};

/* Each has a thread and the copy of a large state: not one for every experiment of a server. */
enum { MOST_AT_ONCE = 2 };

static atomic_int at_once; /* in the whole process */

static bool enter(void)
{
    if (atomic_fetch_add(&at_once, 1) < MOST_AT_ONCE)
        return true;
    (void)atomic_fetch_sub(&at_once, 1);
    return false;
}

static void leave(void)
{
    (void)atomic_fetch_sub(&at_once, 1);
}

/* It can wait for those whose requests are answered, which have work for all cores. */
static void yield_to_others(void)
{
#ifdef __linux__ /* where this is about the thread; elsewhere it is about the process */
    (void)setpriority(PRIO_PROCESS, 0, 19);
#endif
}

static void *run(void *context)
{
    spar__snapshot_work *work = context;
    yield_to_others();
    (void)snapshot_squeeze(&work->parts, &work->stop, &work->bytes, &work->length);
    atomic_store(&work->done, true);
    return NULL;
}

spar__snapshot_work *spar__snapshot_work_new(const spar__store_snapshot *about, const spar__fold_parts *parts)
{
    if (!enter())
        return NULL;
    spar__snapshot_work *work = spar__alloc(1, sizeof *work);
    if (!work)
        goto fail;
    *work = (spar__snapshot_work){.about = *about, .parts = *parts};
    if (pthread_create(&work->thread, NULL, run, work))
        goto fail;
    return work;
fail:
    spar__free(work);
    leave();
    return NULL;
}

void spar__snapshot_work_free(spar__snapshot_work *work)
{
    if (!work)
        return;
    atomic_store(&work->stop, true); /* with its low priority it could take long */
    (void)pthread_join(work->thread, NULL);
    spar__fold_parts_free(&work->parts);
    spar__free(work->bytes);
    spar__free(work);
    leave();
}

/* False while the thread works. *bytes is what it has made, borrowed; NULL: it failed, or the snapshot was dropped. */
static bool snapshot_work_done(const spar__snapshot_work *work, spar__store_snapshot *about,
                               const unsigned char **bytes, size_t *length)
{
    if (!atomic_load(&work->done))
        return false;
    *about = work->about;
    *bytes = work->dropped ? NULL : work->bytes;
    *length = work->length;
    return true;
}

/* Not wanted any more if it is one of events from .. to - 1. */
static void snapshot_work_drop(spar__snapshot_work *work, uint64_t from, uint64_t to)
{
    work->dropped |= work->about.sequence >= from && work->about.sequence < to;
}

/* States kept in the store, so that opening an experiment need not fold the whole log.
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

static spar_status snapshot_squeeze(const spar__fold_parts *parts, const atomic_bool *stop, unsigned char **bytes,
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
    status = snapshot_squeeze(&parts, NULL, bytes, length);
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

static void snapshot_put(spar_experiment *experiment, const spar__store_snapshot *about, const unsigned char *bytes,
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
    if (!snapshot_squeeze(&parts, NULL, &bytes, &length))
        snapshot_put(experiment, &about, bytes, length);
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
    if (!work || !snapshot_work_done(work, &about, &bytes, &length))
        return;
    if (bytes) {
        snapshot_put(experiment, &about, bytes, length);
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
        snapshot_work_drop(experiment->work, from, to);
    if (spar__store_snapshot_list(experiment->store, experiment->id, MOST, sequence, &n, NULL))
        return;
    for (size_t i = 0; i < n; i++)
        if (sequence[i] < from || (sequence[i] >= to && sequence[i] <= INT64_MAX))
            keep[kept++] = sequence[i];
    if (kept < n || n == MOST) /* those that were not listed go, too: they may be among them */
        (void)spar__store_snapshot_keep(experiment->store, experiment->id, kept, keep, NULL);
}
