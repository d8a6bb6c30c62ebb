#include "base/pool.h"

#include "base/alloc.h"
#include "tap.h"

#include <stdatomic.h>
#include <stdint.h>
#include <sys/resource.h>

enum { JOBS = 1000, WORKERS = 64 };

typedef struct ledger {
    unsigned char times[JOBS]; /* not atomic: a job that ran twice at once is a data race */
    size_t last[WORKERS];      /* the last job of each worker, plus one */
    atomic_bool busy[WORKERS];
    atomic_size_t clashes, disorder, bad_workers, workers_used;
    size_t workers;
} ledger;

static void job(void *context, size_t index, size_t worker)
{
    ledger *book = context;
    if (worker >= book->workers) {
        atomic_fetch_add(&book->bad_workers, 1);
        return;
    }
    if (atomic_exchange(&book->busy[worker], true))
        atomic_fetch_add(&book->clashes, 1);
    book->times[index]++;
    if (book->last[worker] == 0)
        atomic_fetch_add(&book->workers_used, 1);
    else if (index < book->last[worker])
        atomic_fetch_add(&book->disorder, 1);
    book->last[worker] = index + 1;
    uint64_t spin = index;
    for (int i = 0; i < 2000; i++)
        spin = spin * 6364136223846793005u + 1442695040888963407u;
    if (spin == 1)
        atomic_fetch_add(&book->bad_workers, 1);
    atomic_store(&book->busy[worker], false);
}

static ledger run(size_t threads, size_t jobs)
{
    ledger book = {.workers = spar__pool_workers(threads, jobs)};
    spar__pool_run(threads, jobs, job, &book);
    return book;
}

static bool each_once(const ledger *book, size_t jobs)
{
    for (size_t i = 0; i < JOBS; i++)
        if (book->times[i] != (i < jobs))
            return false;
    return true;
}

/* No address space is left for a stack: every job must run on the caller's thread. Comes first, since the C library
 * keeps the stacks of threads that ended. */
static void without_threads(void)
{
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
    skip("the sanitizer needs its address space");
#else
    struct rlimit before, none;
    (void)getrlimit(RLIMIT_AS, &before);
    none = before;
    none.rlim_cur = 1;
    ledger book = {.workers = 4};
    spar__free(spar__alloc(1000, 1)); /* the heap has room: only stacks are missing */
    (void)setrlimit(RLIMIT_AS, &none);
    spar__pool_run(4, JOBS, job, &book);
    (void)setrlimit(RLIMIT_AS, &before);
    ok(each_once(&book, JOBS) && book.workers_used == 1 && book.last[0] == JOBS, "works when no thread can be made");
#endif
}

enum { MANY = 1000000 };
static unsigned char times[MANY];

static void tiny_job(void *context, size_t index, size_t worker)
{
    (void)context;
    (void)worker;
    times[index]++;
}

/* Jobs so small that the threads meet at the counter. */
static void crowd(void)
{
    enum { REPEATS = 10 };
    for (int i = 0; i < REPEATS; i++)
        spar__pool_run(4, MANY, tiny_job, NULL);
    size_t wrong = 0;
    for (size_t i = 0; i < MANY; i++)
        wrong += times[i] != REPEATS;
    ok(wrong == 0, "a million tiny jobs run once each, ten times over");
}

/* A pool inside a pool: each on the thread that asked, as its worker 0. */
typedef struct nested {
    atomic_size_t inner, strays;
} nested;

static void inner_job(void *context, size_t index, size_t worker)
{
    nested *book = context;
    (void)index;
    atomic_fetch_add(&book->inner, 1);
    if (worker)
        atomic_fetch_add(&book->strays, 1);
}

static void outer_job(void *context, size_t index, size_t worker)
{
    nested *book = context;
    (void)index;
    (void)worker;
    if (spar__pool_workers(4, 10) != 1)
        atomic_fetch_add(&book->strays, 1);
    spar__pool_run(4, 10, inner_job, book);
}

static void pools_in_pools(void)
{
    nested book = {0};
    spar__pool_run(4, 20, outer_job, &book);
    ok(book.inner == 200 && book.strays == 0, "a pool inside a pool runs on the thread that asked");
    ok(spar__pool_workers(4, 10) == 4, "and after it there are as many workers as before");
    ledger one = {.workers = 4};
    spar__pool_run(1, 1, (spar__job *)job, &one);
    ok(spar__pool_workers(4, 10) == 4, "a pool of one worker is none");
}

int main(void)
{
    without_threads();
    crowd();
    for (size_t threads = 0; threads <= 7; threads++) {
        ledger book = run(threads, JOBS);
        ok(each_once(&book, JOBS), "%zu threads: every job runs once", threads);
        ok(!book.clashes && !book.bad_workers, "%zu threads: a worker does one job at a time", threads);
        ok(!book.disorder, "%zu threads: jobs are taken in order", threads);
    }
    ledger few = run(64, 3), one = run(1, 5), none = run(4, 0);
    ok(each_once(&few, 3) && few.workers == 3, "no more workers than jobs");
    ok(each_once(&one, 5) && one.last[0] == 5, "one thread is the caller's own");
    ok(each_once(&none, 0), "no job, nothing done");
    ok(spar__pool_workers(0, 1000) >= 1 && spar__pool_workers(5, 0) == 1, "the number of workers is sensible");

    spar__alloc_fail_at(1);
    ledger poor = run(4, JOBS);
    spar__alloc_fail_at(0);
    ok(each_once(&poor, JOBS) && poor.workers_used == 1, "works without memory");
    pools_in_pools();
    return done();
}
