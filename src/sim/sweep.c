/* sweep.c - plays a list of cells: looks for those that are kept, hands the others to threads or to a runner (MPI), and
 * keeps each when it is complete. Handing out and keeping a cell costs some microseconds. */
#include "sim/sweep.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/pool.h"
#include "spar_version.h"
#include "text/json.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What one thread is doing. No two share a cache line. */
typedef struct spar__sweep_worker {
    alignas(64) _Atomic(uint64_t) part; /* work of its cell that is done */
    uint64_t work;                      /* of its cell */
    spar__sweep_run *run;
    spar__buf text, frame; /* used again for every cell */
} spar__sweep_worker;

struct spar__sweep_run {
    spar__sweep *sweep;
    const spar__cell_list *cells;
    uint64_t *key;
    bool *done;
    size_t *missing, n_missing;
    uint64_t total; /* work of all that is missing */
    spar__sweep_worker *worker;
    size_t n_workers;                       /* the last one only takes what comes from elsewhere */
    bool locks;                             /* the mutexes are there */
    alignas(64) _Atomic(uint64_t) finished; /* work */
    _Atomic(uint64_t) elsewhere;            /* work of cells that other processes have begun */
    atomic_bool stop;
    pthread_mutex_t lock;      /* guards what is taken, kept and failed */
    pthread_mutex_t reporting; /* guards the caller's progress function */
    double reported;           /* when it was last called */
    uint64_t told;             /* and with what */
    size_t failed_cell;
    spar_error failure; /* of the first cell that failed */
};

enum { QUIET = 20000000, HEAD = 16 }; /* nanoseconds between two reports; bytes before a cell that is handed over */

/* SPAR_NOMEM; fini it also then */
static spar_status sweep_run_init(spar__sweep_run *run)
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

static void sweep_run_fini(spar__sweep_run *run)
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

/* The first frame of a file of this sweep. */
static void sweep_write_head(const spar__sweep *sweep, spar__buf *out)
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

/* Makes the file of cells, unless it is there. */
static spar_status sweep_begin_file(spar__sweep *sweep, spar_error *err)
{
    spar__buf head = {0};
    if (sweep->out.path)
        return SPAR_OK;
    spar_status status = spar__append_begin(&sweep->out, sweep->dir, ".cells", err);
    sweep_write_head(sweep, &head);
    if (!status)
        status = head.failed ? spar__fail_memory(err) : spar__append_add(&sweep->out, head.text, head.length, err);
    spar__buf_free(&head);
    return status;
}

/* Keeps a cell, under the lock. What cannot be kept is said once; it need not be a failure. */
static void keep(spar__sweep_run *run, size_t cell, const char *bytes, size_t length)
{
    spar__sweep *sweep = run->sweep;
    spar_error why = {0};
    bool helps = sweep->runner && sweep->runner->helps;
    if (!sweep->dir || helps || sweep->unkept.status ||
        (!sweep_begin_file(sweep, &why) && !spar__append_add(&sweep->out, bytes, length, &why)))
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
        done = done < run->total ? done : run->total;
        run->told = done > run->told ? done : run->told; /* what a worker has just finished may count twice, or not */
        if (!sweep->progress(sweep->context, run->told, run->total))
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

/* --- what is done, what is missing, and where both are --- */

static bool is_mine(const spar__sweep *sweep, size_t cell)
{
    return !sweep->parts || cell % sweep->parts == sweep->part;
}

static spar_status refuse(const spar__cell_file *file, const char *what, spar_error *err)
{
    spar__buf words = {0};
    /* "spar run --rounds 100 ..." */
    spar__buf_adds(&words, "spar");
    for (size_t i = 0; i < file->head.n_words; i++)
        spar__buf_printf(&words, strpbrk(file->head.word[i], " ()'\"*") ? " '%s'" : " %s", file->head.word[i]);
    spar_status status = words.failed ? spar__fail_memory(err)
                                      : spar__fail(err, SPAR_INVALID, "%s: %s (%.300s)", file->path, what, words.text);
    spar__buf_free(&words);
    return status;
}

/* Is it the same command, whose data have changed? */
static bool same_words(const spar__sweep *sweep, const spar__sweep_head *head)
{
    bool same = sweep->n_words == head->n_words;
    for (size_t i = 0; same && i < head->n_words; i++)
        same = strcmp(sweep->word[i], head->word[i]) == 0;
    return same;
}

/* Files of another plan or version cannot be joined with ours. */
static spar_status check_heads(const spar__sweep *sweep, spar_error *err)
{
    for (size_t i = 0; i < sweep->files.n_files; i++) {
        const spar__cell_file *file = &sweep->files.file[i];
        if (!file->has_head)
            continue;
        if (strcmp(file->head.version, SPAR_VERSION) != 0)
            return spar__fail(err, SPAR_INVALID, "%s: written by spar %.40s, and this is spar " SPAR_VERSION,
                              file->path, file->head.version);
        if (file->head.plan != sweep->plan)
            return refuse(file,
                          same_words(sweep, &file->head)
                              ? "was made from other data: a file that the command reads has changed"
                              : "has cells of another plan; each sweep needs a directory of its own",
                          err);
    }
    return sweep->files.differ.status ? spar__fail(err, sweep->files.differ.status, "%s", sweep->files.differ.text)
                                      : SPAR_OK;
}

/* The keys of all cells, where somebody asks for them. */
static spar_status make_keys(spar__sweep *sweep, spar__sweep_run *run)
{
    const spar__cell_list *cells = run->cells;
    const char *about = sweep->about ? sweep->about : "";
    if (!sweep->dir && !sweep->n_from && !sweep->list && !sweep->runner)
        return SPAR_OK;
    spar__hash hash = spar__hash_start();
    spar__buf text = {0};
    spar__hash_add(&hash, about, strlen(about));
    for (size_t i = 0; i < cells->n && !text.failed; i++) {
        spar__buf_clear(&text);
        cells->text(cells->self, i, &text);
        run->key[i] = text.failed ? 0 : spar__hash_of(text.text, text.length);
    }
    for (size_t i = 0; i < cells->n && !sweep->opened; i++) {
        unsigned char number[8];
        spar__put_u64(number, run->key[i]);
        spar__hash_add(&hash, number, sizeof number);
    }
    if (!sweep->opened) /* the hash of the plan is that of the first list of cells */
        sweep->plan = spar__hash_end(&hash);
    bool failed = text.failed;
    spar__buf_free(&text);
    return failed ? SPAR_NOMEM : SPAR_OK;
}

static spar_status open_files(spar__sweep *sweep, spar_error *err)
{
    spar_status status = SPAR_OK;
    if (sweep->opened)
        return SPAR_OK;
    sweep->opened = true;
    bool helps = sweep->runner && sweep->runner->helps;
    if (sweep->dir && !helps)
        status = spar__cell_files_add(&sweep->files, sweep->dir, err);
    for (size_t i = 0; !status && !helps && i < sweep->n_from; i++)
        status = spar__cell_files_add(&sweep->files, sweep->from[i], err);
    return !status && sweep->strict ? check_heads(sweep, err) : status;
}

/* Takes the cells that are in the files. */
static spar_status load(spar__sweep *sweep, spar__sweep_run *run)
{
    const spar__cell_list *cells = run->cells;
    spar__buf text = {0};
    for (size_t i = 0; i < cells->n && !text.failed && sweep->files.keys.n; i++) {
        size_t length;
        spar_error why = {0};
        spar__buf_clear(&text);
        cells->text(cells->self, i, &text);
        if (text.failed)
            break;
        const unsigned char *bytes = spar__cell_files_find(&sweep->files, text.text, &length);
        size_t number = run->n_workers - 1;
        spar_status status = bytes ? open_loaded(run, i, number, text.text, bytes, length, &why) : SPAR_OK;
        if (bytes && !status)
            take(run, i, number, NULL, 0);
        if (status == SPAR_NOMEM) {
            text.failed = true;
        } else if (status && sweep->files.damaged++ == 0) {
            sweep->files.reason = why;
        }
    }
    bool failed = text.failed;
    spar__buf_free(&text);
    return failed ? SPAR_NOMEM : SPAR_OK;
}

static void list_text(const spar__sweep *sweep, const spar__sweep_run *run, const char *plan)
{
    const spar__cell_list *cells = run->cells;
    spar__buf *out = sweep->list;
    spar__buf_printf(out, "# plan %s: %zu cells\n", plan, cells->n);
    for (size_t i = 0; i < cells->n && !out->failed; i++)
        if (is_mine(sweep, i)) {
            spar__buf_printf(out, "%zu\t%016" PRIx64 "\t", i + 1, run->key[i]);
            cells->text(cells->self, i, out);
            spar__buf_adds(out, "\n");
        }
}

static void list_json(const spar__sweep *sweep, const spar__sweep_run *run, const char *plan)
{
    const spar__cell_list *cells = run->cells;
    spar__json json = {.out = sweep->list};
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "plan", plan);
    spar__json_add_unsigned(&json, "of", cells->n);
    spar__json_key(&json, "cells");
    spar__json_begin_array(&json);
    for (size_t i = 0; i < cells->n && !sweep->list->failed; i++) {
        char key[20];
        spar__buf text = {0};
        if (!is_mine(sweep, i))
            continue;
        (void)snprintf(key, sizeof key, "%016" PRIx64, run->key[i]);
        cells->text(cells->self, i, &text);
        sweep->list->failed |= text.failed;
        spar__json_begin_object(&json);
        spar__json_add_unsigned(&json, "cell", i + 1);
        spar__json_add_string(&json, "key", key);
        spar__json_add_string(&json, "text", text.failed ? "" : text.text);
        spar__json_end_object(&json);
        spar__buf_free(&text);
    }
    spar__json_end_array(&json);
    spar__json_end_object(&json);
    spar__buf_adds(sweep->list, "\n");
}

static void count_done(spar__sweep *sweep, const spar__sweep_run *run)
{
    for (size_t i = 0; i < run->cells->n; i++)
        sweep->done += run->done[i];
}

/* Does a file say that this part was played here? */
static bool is_known(const spar__sweep *sweep)
{
    for (size_t i = 0; i < sweep->files.n_files; i++)
        if (sweep->files.file[i].has_head && sweep->files.file[i].head.parts == sweep->parts &&
            sweep->files.file[i].head.part == sweep->part)
            return true;
    return false;
}

/* Writes what is left. A part without cells leaves a file, too, so that it can be told from one that was not played. */
static spar_status flush(spar__sweep *sweep, spar_error *err)
{
    bool helps = sweep->runner && sweep->runner->helps;
    spar_status status = SPAR_OK;
    if (sweep->parts && !helps && !is_known(sweep))
        status = sweep_begin_file(sweep, err);
    if (!status && sweep->out.path && spar__append_flush(&sweep->out, sweep->parts > 0, &sweep->unkept) &&
        sweep->must_keep)
        status = spar__fail(err, sweep->unkept.status, "%s", sweep->unkept.text);
    return status;
}

static spar_status play_missing(spar__sweep *sweep, spar__sweep_run *run, spar_error *err)
{
    const spar__cell_list *cells = run->cells;
    bool helps = sweep->runner && sweep->runner->helps;
    spar_status status = SPAR_OK;
    /* Those that are not done and are ours, in the order in which they are played. */
    for (size_t k = 0; k < cells->n; k++) {
        size_t i = cells->order ? cells->order[k] : k;
        if (run->done[i] || !is_mine(sweep, i) || sweep->only_read)
            continue;
        run->missing[run->n_missing++] = i;
        run->total += cells->work(cells->self, i);
    }
    if (cells->prepare && run->n_missing && !helps)
        status = cells->prepare(cells->self, run->done, err);
    if (!status && sweep->runner)
        status = sweep->runner->run(run, err);
    if (!status && run->n_missing && !sweep->runner) {
        report(run, 0); /* here it begins */
        spar__pool_run(run->n_workers - 1, run->n_missing, run_job, run);
        report(run, 0);
    }
    if (!status)
        status = spar__sweep_failed(run, err);
    sweep->interrupted |= spar__sweep_stopped(run);
    spar_error why = {0};
    if (flush(sweep, &why) && !status)
        status = spar__fail(err, why.status, "%s", why.text);
    return status;
}

spar_status spar__sweep_play(spar__sweep *sweep, const spar__cell_list *cells, spar_error *err)
{
    spar__sweep_run run = {.sweep = sweep, .cells = cells};
    spar_status status = sweep_run_init(&run) || make_keys(sweep, &run) ? spar__fail_memory(err) : SPAR_OK;
    if (!status && sweep->list) {
        char plan[20];
        (void)snprintf(plan, sizeof plan, "%016" PRIx64, sweep->plan);
        if (sweep->list_json)
            list_json(sweep, &run, plan);
        else
            list_text(sweep, &run, plan);
        status = sweep->list->failed ? spar__fail_memory(err) : SPAR_OK;
        sweep_run_fini(&run);
        return status;
    }
    if (!status)
        status = open_files(sweep, err);
    if (!status && load(sweep, &run))
        status = spar__fail_memory(err);
    size_t before = sweep->done;
    if (!status) {
        sweep->cells += cells->n;
        count_done(sweep, &run);
        sweep->found += sweep->done - before;
        sweep->done = before;
        status = play_missing(sweep, &run, err);
        count_done(sweep, &run);
    }
    sweep_run_fini(&run);
    return status;
}

void spar__sweep_close(spar__sweep *sweep, bool finished)
{
    finished = finished && !sweep->parts && !sweep->only_read;
    for (size_t i = 0; finished && i < sweep->files.n_files; i++) {
        const spar__cell_file *file = &sweep->files.file[i];
        /* Did a process write this that played the whole of this sweep? */
        if (file->has_head && !file->head.parts && file->head.plan == sweep->plan &&
            strcmp(file->head.version, SPAR_VERSION) == 0)
            (void)unlink(file->path);
    }
    if (finished && sweep->out.path)
        (void)unlink(sweep->out.path);
    if (finished && sweep->dir)
        (void)rmdir(sweep->dir); /* unless there is something else in it */
    if (sweep->out.path)
        spar__append_end(&sweep->out);
    spar__cell_files_free(&sweep->files);
    sweep->opened = false;
}

spar_status spar__sweep_copy(spar__sweep *sweep, const char *dir, spar_error *err)
{
    spar__append out = {0};
    spar__buf head = {0};
    sweep_write_head(sweep, &head);
    spar_status status = head.failed ? spar__fail_memory(err) : spar__append_begin(&out, dir, ".cells", err);
    if (!status)
        status = spar__append_add(&out, head.text, head.length, err);
    for (size_t i = 0; !status && i < sweep->files.keys.n; i++) {
        const spar__kept_cell *cell = &sweep->files.cell[i];
        status = spar__append_add(&out, sweep->files.file[cell->file].bytes.text + cell->at, cell->length, err);
    }
    if (!status)
        status = spar__append_flush(&out, true, err);
    spar__append_end(&out);
    spar__buf_free(&head);
    return status;
}
