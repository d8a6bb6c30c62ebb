/* snapshot_work.c - see snapshot_work.h. The thread has the parts to itself until it says that it is done. */
#include "live/snapshot_work.h"

#include "base/alloc.h"
#include "live/live.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/resource.h>

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
    (void)spar__snapshot_squeeze(&work->parts, &work->stop, &work->bytes, &work->length);
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

bool spar__snapshot_work_done(const spar__snapshot_work *work, spar__store_snapshot *about, const unsigned char **bytes,
                              size_t *length)
{
    if (!atomic_load(&work->done))
        return false;
    *about = work->about;
    *bytes = work->dropped ? NULL : work->bytes;
    *length = work->length;
    return true;
}

void spar__snapshot_work_drop(spar__snapshot_work *work, uint64_t from, uint64_t to)
{
    work->dropped |= work->about.sequence >= from && work->about.sequence < to;
}
