/* sweep.c - what is done, what is missing, and where both are. sweep_run.c plays. */
#include "sim/sweep_run.h"

#include "base/alloc.h"
#include "base/file.h"
#include "spar_version.h"
#include "text/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool is_mine(const spar__sweep *sweep, size_t cell)
{
    return !sweep->parts || cell % sweep->parts == sweep->part;
}

/* "spar run --rounds 100 ..." */
static void write_words(const spar__sweep_head *head, spar__buf *out)
{
    spar__buf_adds(out, "spar");
    for (size_t i = 0; i < head->n_words; i++)
        spar__buf_printf(out, strpbrk(head->word[i], " ()'\"*") ? " '%s'" : " %s", head->word[i]);
}

static spar_status refuse(const spar__cell_file *file, const char *what, spar_error *err)
{
    spar__buf words = {0};
    write_words(&file->head, &words);
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

/* The hash of the plan is that of the first list of cells. */
static void hash_plan(spar__sweep *sweep, spar__sweep_run *run, spar__hash *hash)
{
    unsigned char number[8];
    if (sweep->opened)
        return;
    for (size_t i = 0; i < run->cells->n; i++) {
        spar__put_u64(number, run->key[i]);
        spar__hash_add(hash, number, sizeof number);
    }
    sweep->plan = spar__hash_end(hash);
}

/* The keys of all cells. */
static spar_status make_keys(spar__sweep *sweep, spar__sweep_run *run)
{
    const spar__cell_list *cells = run->cells;
    const char *about = sweep->about ? sweep->about : "";
    spar__hash hash = spar__hash_start();
    spar__buf text = {0};
    spar__hash_add(&hash, about, strlen(about));
    for (size_t i = 0; i < cells->n && !text.failed; i++) {
        spar__buf_clear(&text);
        cells->text(cells->self, i, &text);
        run->key[i] = text.failed ? 0 : spar__hash_of(text.text, text.length);
    }
    hash_plan(sweep, run, &hash);
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
        spar_status status = bytes ? spar__sweep_load(run, i, text.text, bytes, length, &why) : SPAR_OK;
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

static spar_status list_cells(const spar__sweep *sweep, const spar__sweep_run *run, spar_error *err)
{
    char plan[20];
    (void)snprintf(plan, sizeof plan, "%016" PRIx64, sweep->plan);
    if (sweep->list_json)
        list_json(sweep, run, plan);
    else
        list_text(sweep, run, plan);
    return sweep->list->failed ? spar__fail_memory(err) : SPAR_OK;
}

/* Those that are not done and are ours, in the order in which they are played. */
static void find_missing(const spar__sweep *sweep, spar__sweep_run *run)
{
    const spar__cell_list *cells = run->cells;
    for (size_t k = 0; k < cells->n; k++) {
        size_t i = cells->order ? cells->order[k] : k;
        if (run->done[i] || !is_mine(sweep, i) || sweep->only_read)
            continue;
        run->missing[run->n_missing++] = i;
        run->total += cells->work(cells->self, i);
    }
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
        status = spar__sweep_begin_file(sweep, err);
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
    find_missing(sweep, run);
    if (cells->prepare && run->n_missing && !helps)
        status = cells->prepare(cells->self, run->done, err);
    if (!status && (run->n_missing || sweep->runner))
        status = sweep->runner ? sweep->runner->run(run, err) : spar__sweep_by_threads(run);
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
    spar_status status = spar__sweep_run_init(&run) || make_keys(sweep, &run) ? spar__fail_memory(err) : SPAR_OK;
    if (!status && sweep->list) {
        status = list_cells(sweep, &run, err);
        spar__sweep_run_fini(&run);
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
    spar__sweep_run_fini(&run);
    return status;
}

/* Did a process write this that played the whole of this sweep? */
static bool is_whole(const spar__sweep *sweep, const spar__cell_file *file)
{
    return file->has_head && !file->head.parts && file->head.plan == sweep->plan &&
           strcmp(file->head.version, SPAR_VERSION) == 0;
}

void spar__sweep_close(spar__sweep *sweep, bool finished)
{
    finished = finished && !sweep->parts && !sweep->only_read;
    for (size_t i = 0; finished && i < sweep->files.n_files; i++)
        if (is_whole(sweep, &sweep->files.file[i]))
            (void)unlink(sweep->files.file[i].path);
    if (finished && sweep->out.path)
        (void)unlink(sweep->out.path);
    if (finished && sweep->dir)
        (void)rmdir(sweep->dir); /* unless there is something else in it */
    spar__append_end(&sweep->out);
    spar__cell_files_free(&sweep->files);
    sweep->opened = false;
}

spar_status spar__sweep_copy(spar__sweep *sweep, const char *dir, spar_error *err)
{
    spar__append out = {0};
    spar__buf head = {0};
    spar__sweep_write_head(sweep, &head);
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
