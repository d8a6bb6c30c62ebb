#include "sim/sweep_run.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/pool.h"
#include "spar_version.h"

#include <string.h>

enum { QUIET = 20000000, HEAD = 16 }; /* nanoseconds between two reports; bytes before a cell that is handed over */

spar_status spar__sweep_run_init(spar__sweep_run *run)
{
    size_t n = run->cells->n;
    run->n_workers = spar__pool_workers(run->sweep->threads, SIZE_MAX) + 1;
    run->key = spar__alloc(n, sizeof *run->key);
    run->done = spar__alloc(n, sizeof *run->done);
    run->missing = spar__alloc(n, sizeof *run->missing);
    run->worker = spar__alloc(run->n_workers, sizeof *run->worker);
    if (!run->key || !run->done || !run->missing || !run->worker || pthread_mutex_init(&run->lock, NULL))
        return SPAR_NOMEM;
    if (pthread_mutex_init(&run->reporting, NULL)) {
        (void)pthread_mutex_destroy(&run->lock);
        return SPAR_NOMEM;
    }
    run->locks = true;
    for (size_t i = 0; i < run->n_workers; i++)
        run->worker[i].run = run;
    return SPAR_OK;
}

void spar__sweep_run_fini(spar__sweep_run *run)
{
    if (run->locks) {
        (void)pthread_mutex_destroy(&run->lock);
        (void)pthread_mutex_destroy(&run->reporting);
    }
    for (size_t i = 0; run->worker && i < run->n_workers; i++) {
        spar__buf_free(&run->worker[i].text);
        spar__buf_free(&run->worker[i].frame);
    }
    spar__free(run->key);
    spar__free(run->done);
    spar__free(run->missing);
    spar__free(run->worker);
}

void spar__sweep_write_head(const spar__sweep *sweep, spar__buf *out)
{
    const spar__sweep_head head = {.version = (char *)(uintptr_t)SPAR_VERSION,
                                   .plan = sweep->plan,
                                   .cells = sweep->cells,
                                   .part = sweep->part,
                                   .parts = sweep->parts,
                                   .n_words = sweep->n_words,
                                   .word = (char **)(uintptr_t)sweep->word};
    spar__sweep_head_write(&head, out);
}

spar_status spar__sweep_begin_file(spar__sweep *sweep, spar_error *err)
{
    spar__buf head = {0};
    if (sweep->out.path)
        return SPAR_OK;
    spar_status status = spar__append_begin(&sweep->out, sweep->dir, ".cells", err);
    spar__sweep_write_head(sweep, &head);
    if (!status)
        status = head.failed ? spar__fail_memory(err) : spar__append_add(&sweep->out, head.text, head.length, err);
    spar__buf_free(&head);
    return status;
}

/* Under the lock. */
static spar_status append(spar__sweep *sweep, const char *bytes, size_t length, spar_error *err)
{
    spar_status status = spar__sweep_begin_file(sweep, err);
    return status ? status : spar__append_add(&sweep->out, bytes, length, err);
}

/* Keeps a cell. What cannot be kept is said once; it need not be a failure. */
static void keep(spar__sweep_run *run, size_t cell, const char *bytes, size_t length)
{
    spar__sweep *sweep = run->sweep;
    spar_error why = {0};
    bool helps = sweep->runner && sweep->runner->helps;
    if (!sweep->dir || helps || sweep->unkept.status || !append(sweep, bytes, length, &why))
        return;
    sweep->unkept = why;
    if (sweep->must_keep && !run->failure.status) {
        run->failed_cell = cell;
        run->failure = why;
        atomic_store(&run->stop, true);
    }
}

void spar__sweep_fail(spar__sweep_run *run, size_t cell, const spar_error *err)
{
    (void)pthread_mutex_lock(&run->lock);
    if (!run->failure.status || cell < run->failed_cell) {
        run->failed_cell = cell;
        run->failure = *err;
    }
    (void)pthread_mutex_unlock(&run->lock);
    atomic_store(&run->stop, true);
}

spar_status spar__sweep_failed(const spar__sweep_run *run, spar_error *err)
{
    return run->failure.status ? spar__fail(err, run->failure.status, "%s", run->failure.text) : SPAR_OK;
}

bool spar__sweep_stopped(const spar__sweep_run *run)
{
    return atomic_load_explicit(&run->stop, memory_order_relaxed);
}

void spar__sweep_stop(spar__sweep_run *run)
{
    atomic_store(&run->stop, true);
}

uint64_t spar__sweep_partial(const spar__sweep_run *run)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < run->n_workers; i++)
        sum += atomic_load_explicit(&run->worker[i].part, memory_order_relaxed);
    return sum;
}

/* Unless another thread is just doing that, or did a moment ago. */
static void report(spar__sweep_run *run, double quiet)
{
    const spar__sweep *sweep = run->sweep;
    if (!sweep->progress || pthread_mutex_trylock(&run->reporting))
        return;
    if (spar__clock_wall() - run->reported >= quiet && !spar__sweep_stopped(run)) {
        uint64_t done = atomic_load_explicit(&run->finished, memory_order_relaxed) + spar__sweep_partial(run) +
                        atomic_load_explicit(&run->elsewhere, memory_order_relaxed);
        if (!sweep->progress(sweep->context, done < run->total ? done : run->total, run->total))
            spar__sweep_stop(run);
        run->reported = spar__clock_wall();
    }
    (void)pthread_mutex_unlock(&run->reporting);
}

void spar__sweep_tell(spar__sweep_run *run, uint64_t elsewhere)
{
    atomic_store_explicit(&run->elsewhere, elsewhere, memory_order_relaxed);
    report(run, QUIET);
}

/* A spar_progress within a cell. */
static bool pulse(void *context, uint64_t done, uint64_t total)
{
    spar__sweep_worker *worker = context;
    uint64_t part = total ? (uint64_t)((double)done / (double)total * (double)worker->work) : 0;
    atomic_store_explicit(&worker->part, part, memory_order_relaxed);
    report(worker->run, QUIET);
    return !spar__sweep_stopped(worker->run);
}

/* The frame of a cell that was played, into worker->frame. */
static spar_status make_frame(spar__sweep_run *run, size_t cell, size_t number)
{
    spar__sweep_worker *worker = &run->worker[number];
    spar__archive time = {0}, ar = {.cache = &time};
    spar__buf_clear(&worker->text);
    spar__buf_clear(&worker->frame);
    run->cells->text(run->cells->self, cell, &worker->text);
    run->cells->archive(run->cells->self, cell, number, &ar);
    if (!worker->text.failed)
        spar__cell_frame_write(worker->text.text, &ar, &worker->frame);
    spar__buf_free(&ar.out);
    spar__buf_free(&time.out);
    return worker->text.failed || worker->frame.failed ? SPAR_NOMEM : SPAR_OK;
}

static void hand_over(size_t cell, const spar__buf *bytes, spar__buf *out)
{
    unsigned char head[HEAD];
    spar__put_u64(head, cell);
    spar__put_u64(head + 8, bytes->length);
    spar__buf_add(out, (const char *)head, sizeof head);
    spar__buf_add(out, bytes->text, bytes->length);
}

/* Makes it part of the whole. */
static void take(spar__sweep_run *run, size_t cell, size_t number, const char *bytes, size_t length)
{
    const spar__cell_list *cells = run->cells;
    (void)pthread_mutex_lock(&run->lock);
    if (!run->done[cell] && cells->take)
        cells->take(cells->self, cell, number);
    if (!run->done[cell] && bytes)
        keep(run, cell, bytes, length);
    run->done[cell] = true;
    (void)pthread_mutex_unlock(&run->lock);
}

void spar__sweep_cell(spar__sweep_run *run, size_t cell, size_t number, spar__buf *frame)
{
    const spar__cell_list *cells = run->cells;
    spar__sweep_worker *worker = &run->worker[number];
    bool complete = false;
    spar_error err = {0};
    worker->work = cells->work(cells->self, cell);
    spar_status status = cells->play(cells->self, cell, number, pulse, worker, &complete, &err);
    if (!status && complete && (frame || run->sweep->dir) && make_frame(run, cell, number))
        status = spar__fail_memory(&err);
    if (status)
        spar__sweep_fail(run, cell, &err);
    else if (complete && frame)
        hand_over(cell, &worker->frame, frame);
    else if (complete)
        take(run, cell, number, run->sweep->dir ? worker->frame.text : NULL, worker->frame.length);
    if (complete)
        (void)atomic_fetch_add_explicit(&run->finished, worker->work, memory_order_relaxed);
    atomic_store_explicit(&worker->part, 0, memory_order_relaxed);
    report(run, 0);
}

static spar_status open_loaded(spar__sweep_run *run, size_t cell, size_t number, const char *text,
                               const unsigned char *bytes, size_t length, spar_error *err)
{
    spar__archive ar, time;
    spar_status status = spar__cell_frame_open(text, bytes, length, &ar, &time, err);
    if (status)
        return status;
    run->cells->archive(run->cells->self, cell, number, &ar);
    if (ar.no_memory || time.no_memory)
        return spar__fail_memory(err);
    return ar.failed || time.failed || ar.left ? spar__fail(err, SPAR_CORRUPT, "cell: it has another number of numbers")
                                               : SPAR_OK;
}

spar_status spar__sweep_load(spar__sweep_run *run, size_t cell, const char *text, const unsigned char *bytes,
                             size_t length, spar_error *err)
{
    size_t number = run->n_workers - 1;
    spar_status status = open_loaded(run, cell, number, text, bytes, length, err);
    if (!status)
        take(run, cell, number, NULL, 0);
    return status;
}

/* One cell of those that were handed over. */
static spar_status take_one(spar__sweep_run *run, size_t cell, const unsigned char *bytes, size_t length,
                            spar_error *err)
{
    size_t number = run->n_workers - 1;
    spar__sweep_worker *worker = &run->worker[number];
    spar__buf_clear(&worker->text);
    run->cells->text(run->cells->self, cell, &worker->text);
    spar_status status = worker->text.failed ? spar__fail_memory(err)
                                             : open_loaded(run, cell, number, worker->text.text, bytes, length, err);
    if (status)
        return status;
    if (!run->done[cell])
        (void)atomic_fetch_add_explicit(&run->finished, run->cells->work(run->cells->self, cell), memory_order_relaxed);
    take(run, cell, number, (const char *)bytes, length);
    return SPAR_OK;
}

spar_status spar__sweep_take(spar__sweep_run *run, const unsigned char *bytes, size_t length, spar_error *err)
{
    spar_status status = SPAR_OK;
    while (!status && length) {
        uint64_t cell = length < HEAD ? UINT64_MAX : spar__get_u64(bytes);
        uint64_t size = length < HEAD ? 0 : spar__get_u64(bytes + 8);
        if (cell >= run->cells->n || size > length - HEAD)
            return spar__fail(err, SPAR_CORRUPT, "cells from elsewhere make no sense");
        status = take_one(run, (size_t)cell, bytes + HEAD, (size_t)size, err);
        bytes += HEAD + size;
        length -= HEAD + (size_t)size;
    }
    report(run, QUIET);
    return status;
}

bool spar__sweep_shared(const spar__sweep_run *run)
{
    return run->cells->shared;
}

spar_status spar__sweep_give(spar__sweep_run *run, spar__buf *out)
{
    size_t number = run->n_workers - 1;
    for (size_t i = 0; i < run->cells->n; i++) {
        if (!run->done[i])
            continue;
        if (make_frame(run, i, number))
            return SPAR_NOMEM;
        hand_over(i, &run->worker[number].frame, out);
    }
    return out->failed ? SPAR_NOMEM : SPAR_OK;
}

size_t spar__sweep_missing(const spar__sweep_run *run, const size_t **cell)
{
    *cell = run->missing;
    return run->n_missing;
}

size_t spar__sweep_threads(const spar__sweep_run *run)
{
    return run->n_workers - 1;
}

const spar__sweep *spar__sweep_of(const spar__sweep_run *run)
{
    return run->sweep;
}

size_t spar__sweep_secure(spar__sweep_run *run)
{
    spar__sweep *sweep = run->sweep;
    size_t n = 0;
    (void)pthread_mutex_lock(&run->lock);
    for (size_t i = 0; i < run->cells->n; i++)
        n += run->done[i];
    if (sweep->out.path && !sweep->unkept.status)
        (void)spar__append_flush(&sweep->out, false, &sweep->unkept);
    (void)pthread_mutex_unlock(&run->lock);
    return n;
}

static void run_job(void *context, size_t job, size_t worker)
{
    spar__sweep_run *run = context;
    if (!spar__sweep_stopped(run))
        spar__sweep_cell(run, run->missing[job], worker, NULL);
}

spar_status spar__sweep_by_threads(spar__sweep_run *run)
{
    report(run, 0); /* here it begins */
    spar__pool_run(run->n_workers - 1, run->n_missing, run_job, run);
    report(run, 0);
    return SPAR_OK;
}
