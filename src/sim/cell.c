/* cell.c - a cell with a spec of its own: one policy in one environment over a range of runs, as the paper has them.
 *
 * Its key is a line of text with all that decides its numbers. A path says nothing about what is in a file: the key has
 * a hash of that, so that the same name with other data is another cell. It is played by the chain (run.c), or run by
 * run by a function of its own. */
#include "base/alloc.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/pool.h"
#include "base/spec.h"
#include "env/env.h"
#include "sim/sim.h"
#include "sim/sweep.h"
#include "spar_version.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

/* To be raised when the same key gives other numbers than before: older cells are then computed again. */
enum { EDITION = 1 };

void spar__cell_key(const spar__cell_spec *spec, spar__buf *out)
{
    spar__buf_printf(out, "spar %s edition %d; env %s; feedback %s; policy %s; m %zu; rounds %" PRIu64, SPAR_VERSION,
                     EDITION, spec->env_key ? spec->env_key : spec->env, spec->feedback ? spec->feedback : "-",
                     spec->policy, spec->m, spec->rounds);
    spar__buf_printf(out, "; horizon %" PRIu64 "; seed %" PRIu64 "; runs %" PRIu64 " from %" PRIu64, spec->horizon,
                     spec->seed, spec->runs, spec->first_run);
    if (spec->custom)
        spar__buf_printf(out, "; custom %s", spec->custom_name);
    if (spec->probe)
        spar__buf_printf(out, "; probe %s", spec->probe->name);
    for (size_t i = 0; i < spec->n_marks; i++)
        spar__buf_printf(out, " %" PRIu64, spec->mark[i]);
    if (spec->more)
        spar__buf_adds(out, spec->more);
}

spar_status spar__cell_init(spar__cell *cell, const spar__cell_spec *spec)
{
    spar__buf key = {0};
    cell->spec = *spec;
    spar__cell_key(spec, &key);
    cell->key = key.text;
    return key.failed ? SPAR_NOMEM : SPAR_OK;
}

static void free_numbers(spar__cell *cell)
{
    spar__free(cell->checkpoint);
    spar__free(cell->numbers);
    spar__free(cell->note);
    *cell = (spar__cell){.spec = cell->spec, .key = cell->key};
}

void spar__cell_fini(spar__cell *cell)
{
    free_numbers(cell);
    spar__free(cell->key);
}

static size_t count_numbers(const spar__cell *cell)
{
    return cell->runs * (cell->n_checkpoints + 5 + cell->n_marks * cell->width);
}

spar_status spar__cell_reset(spar__cell *cell)
{
    const spar__cell_spec *spec = &cell->spec;
    free_numbers(cell);
    cell->runs = (size_t)spec->runs;
    cell->n_marks = spec->probe ? spec->n_marks : 0;
    cell->width = spec->probe ? spec->probe->width : 0;
    cell->n_checkpoints = spar__checkpoints(spec->rounds, NULL);
    cell->checkpoint = spar__alloc(cell->n_checkpoints, sizeof *cell->checkpoint);
    cell->numbers = spar__alloc(count_numbers(cell), sizeof *cell->numbers);
    if (!cell->checkpoint || !cell->numbers)
        return SPAR_NOMEM;
    (void)spar__checkpoints(spec->rounds, cell->checkpoint);
    cell->curve = cell->numbers;
    double **const per_run[] = {&cell->regret,     &cell->per_slot, &cell->best_share,
                                &cell->best_pulls, &cell->set_size, &cell->probe};
    double *at = cell->curve + cell->runs * cell->n_checkpoints;
    for (size_t i = 0; i < sizeof per_run / sizeof *per_run; i++, at += cell->runs)
        *per_run[i] = at;
    return SPAR_OK;
}

/* Of value[0], value[step], ...: one per run. */
static spar_status summarize(const spar__cell *cell, const double *value, size_t step, spar__summary *out)
{
    *out = (spar__summary){0};
    double *copy = spar__alloc(cell->runs, sizeof *copy);
    if (!copy)
        return SPAR_NOMEM;
    for (size_t r = 0; r < cell->runs; r++)
        copy[r] = value[r * step];
    spar__summarize(copy, cell->runs, out);
    spar__free(copy);
    return SPAR_OK;
}

spar_status spar__cell_summary(const spar__cell *cell, const double *per_run, spar__summary *out)
{
    return summarize(cell, per_run, 1, out);
}

spar_status spar__cell_curve(const spar__cell *cell, size_t checkpoint, spar__summary *out)
{
    return summarize(cell, cell->curve + checkpoint, cell->n_checkpoints, out);
}

void spar__cell_archive(spar__cell *cell, spar__archive *ar)
{
    spar__archive_f64s(ar, cell->numbers, count_numbers(cell));
    spar__archive_f64(ar->cache ? ar->cache : ar, &cell->seconds);
    spar__archive_text(ar, &cell->note);
    if (ar->loading)
        cell->done = !ar->failed && !ar->left;
}

/* What an environment is called in keys. A path says nothing about what is in the file: the key has a hash
 * of that, so that the same name with other data is another cell. */

static const spar_entry *entry(size_t i)
{
    return i < spar__n_env_classes ? &spar__env_classes[i]->entry : NULL;
}

static spar_status hash_file(const char *path, spar__hash *hash, spar_error *err)
{
    char block[1 << 16];
    FILE *file = fopen(path, "rbe");
    if (!file)
        return spar__fail_file(err, path, "open");
    size_t n;
    errno = EIO;
    while ((n = fread(block, 1, sizeof block, file)) > 0)
        spar__hash_add(hash, block, n);
    spar_status status = ferror(file) ? spar__fail_file(err, path, "read") : SPAR_OK;
    (void)fclose(file);
    return status;
}

/* Paths are separated by colons where there may be several. */
static spar_status hash_paths(const char *paths, bool several, spar__hash *hash, spar_error *err)
{
    char *copy = spar__strdup(paths);
    spar_status status = copy ? SPAR_OK : spar__fail_memory(err);
    for (char *path = copy; !status && path;) {
        char *end = several ? strchr(path, ':') : NULL;
        if (end)
            *end = '\0';
        status = hash_file(path, hash, err);
        path = end ? end + 1 : NULL;
    }
    spar__free(copy);
    return status;
}

/* A cache holds nothing that its data do not say. */
static bool is_data(const spar_param *param)
{
    return (param->kind == SPAR_PARAM_PATH || param->kind == SPAR_PARAM_PATHS) && strcmp(param->name, "cache") != 0;
}

spar_status spar__cell_env_key(const char *env, spar__buf *out, spar_error *err)
{
    size_t index;
    spar__values values;
    bool any = false;
    spar__hash hash = spar__hash_start();
    spar__buf_adds(out, env);
    spar_status status = spar__bind_one(env, "environment", entry, &index, &values, NULL);
    if (status == SPAR_NOMEM)
        return spar__fail_memory(err);
    if (status)
        return SPAR_OK; /* whoever makes it says why it cannot be */
    const spar_param *params = spar__env_classes[index]->entry.params;
    for (size_t i = 0; params && params[i].name && !status; i++) {
        const spar__value *value = &values.value[i];
        if (!is_data(&params[i]) || !value->given)
            continue;
        any = true;
        status = hash_paths(value->text, params[i].kind == SPAR_PARAM_PATHS, &hash, err);
    }
    spar__values_free(&values);
    if (any)
        spar__buf_printf(out, " [%016" PRIx64 "]", spar__hash_end(&hash));
    return !status && out->failed ? spar__fail_memory(err) : status;
}

/* The runs of a cell: by spar_simulate, or one by one by the cell's own function. */

static spar_status measure(void *context, const spar_snapshot *snapshot, spar_error *err)
{
    (void)err;
    const spar__cell *cell = context;
    size_t run = (size_t)(snapshot->run - cell->spec.first_run), mark = 0;
    while (cell->spec.mark[mark] != snapshot->t)
        mark++;
    return cell->spec.probe->measure(snapshot, cell->probe + (run * cell->n_marks + mark) * cell->width);
}

static spar_status copy_numbers(spar__cell *cell, const spar__run_numbers *run, const char *said)
{
    for (size_t r = 0; r < cell->runs; r++) {
        cell->regret[r] = run[r].regret;
        cell->per_slot[r] = run[r].per_slot;
        cell->best_share[r] = run[r].best_share;
        cell->best_pulls[r] = run[r].best_pulls;
        cell->set_size[r] = run[r].set_size;
        cell->seconds += run[r].seconds;
    }
    return spar__runs_note(run, cell->runs, said, &cell->note);
}

/* The runs write their curves to where they belong. */
static spar_status play_ready(spar__cell *cell, const spar__ready_plan *ready, spar_progress *progress, void *context,
                              spar_error *err)
{
    spar__run_numbers *run = spar__alloc(cell->runs, sizeof *run);
    if (!run)
        return spar__fail_memory(err);
    for (size_t r = 0; r < cell->runs; r++)
        run[r].curve = cell->curve + r * cell->n_checkpoints;
    const spar__cell_runs runs = {.ready = ready,
                                  .runs = cell->runs,
                                  .checkpoint = cell->checkpoint,
                                  .run = run,
                                  .progress = progress,
                                  .context = context};
    spar_status status = spar__cell_runs_play(&runs, &cell->done, err);
    if (!status && cell->done && copy_numbers(cell, run, spar_env_note(ready->env)))
        status = spar__fail_memory(err);
    spar__free(run);
    return status;
}

static spar_status play_custom(spar__cell *cell, spar_progress *progress, void *context, spar_error *err)
{
    const spar__cell_spec *spec = &cell->spec;
    double start = spar__clock_thread();
    bool stopped = false;
    spar_status status = SPAR_OK;
    for (size_t r = 0; !status && !stopped && r < cell->runs; r++) {
        double *curve = cell->curve + r * cell->n_checkpoints;
        status = spec->custom(spec, spec->first_run + r, cell->n_checkpoints, cell->checkpoint, curve, err);
        cell->regret[r] = curve[cell->n_checkpoints - 1];
        cell->done = !status && r + 1 == cell->runs;
        stopped = progress && !progress(context, (r + 1) * spec->rounds, cell->runs * spec->rounds);
    }
    cell->seconds = 1e-9 * (spar__clock_thread() - start);
    return status;
}

spar_status spar__cell_play(spar__cell *cell, const spar_env *env, spar_progress *progress, void *context,
                            spar_error *err)
{
    if (spar__cell_reset(cell))
        return spar__fail_memory(err);
    if (cell->spec.custom)
        return play_custom(cell, progress, context, err);
    const spar__cell_spec *spec = &cell->spec;
    const spar_plan plan = {.size = sizeof(spar_plan),
                            .env = spec->env,
                            .feedback = spec->feedback,
                            .policies = &spec->policy,
                            .n_policies = 1,
                            .m = spec->m,
                            .rounds = spec->rounds,
                            .runs = spec->runs,
                            .first_run = spec->first_run,
                            .seed = spec->seed,
                            .horizon = spec->horizon,
                            .snapshot = spec->mark,
                            .n_snapshots = cell->n_marks,
                            .every_run = true,
                            .observer = measure,
                            .observer_context = cell};
    spar__ready_plan ready = {0};
    uint64_t total;
    spar_status status = spar__plan_check(&plan, &total, err);
    if (!status)
        status = spar__plan_ready(&plan, env, &ready, err);
    if (!status)
        status = spar__plan_check_policies(&ready, err);
    if (!status)
        status = play_ready(cell, &ready, progress, context, err);
    spar__plan_unready(&ready);
    return status;
}
