/* cell_play.c - the runs of a cell: by spar_simulate, or one by one by the cell's own function. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/pool.h"
#include "sim/cell.h"

#include <stdatomic.h>
#include <string.h>

static spar_status measure(void *context, const spar_snapshot *snapshot, spar_error *err)
{
    (void)err;
    const spar__cell *cell = context;
    size_t run = (size_t)(snapshot->run - cell->spec.first_run), mark = 0;
    while (cell->spec.mark[mark] != snapshot->t)
        mark++;
    return cell->spec.probe->measure(snapshot, cell->probe + (run * cell->n_marks + mark) * cell->width);
}

static spar_status copy_results(const spar_results *results, spar__cell *cell)
{
    for (size_t r = 0; r < cell->runs; r++) {
        const spar__run_numbers *run = &results->run[r];
        memcpy(cell->curve + r * cell->n_checkpoints, run->curve, cell->n_checkpoints * sizeof *cell->curve);
        cell->regret[r] = run->regret;
        cell->per_slot[r] = run->per_slot;
        cell->best_share[r] = run->best_share;
        cell->best_pulls[r] = run->best_pulls;
        cell->set_size[r] = run->set_size;
        cell->seconds += run->seconds;
    }
    cell->note = results->note ? spar__strdup(results->note) : NULL;
    return cell->note || !results->note ? SPAR_OK : SPAR_NOMEM;
}

static spar_status simulate(spar__cell *cell, const spar_env *env, size_t threads, spar_progress *progress,
                            void *context, spar_error *err)
{
    const spar__cell_spec *spec = &cell->spec;
    spar_plan plan = {.size = sizeof(spar_plan),
                      .env = spec->env,
                      .made = env,
                      .feedback = spec->feedback,
                      .policies = &spec->policy,
                      .n_policies = 1,
                      .m = spec->m,
                      .rounds = spec->rounds,
                      .runs = spec->runs,
                      .first_run = spec->first_run,
                      .seed = spec->seed,
                      .threads = threads,
                      .horizon = spec->horizon,
                      .progress = progress,
                      .context = context,
                      .snapshot = spec->mark,
                      .n_snapshots = cell->n_marks,
                      .every_run = true,
                      .observer = measure,
                      .observer_context = cell};
    spar_results *results = NULL;
    spar_status status = spar_simulate(&plan, &results, err);
    if (status)
        return status;
    cell->done = !results->interrupted;
    if (cell->done && copy_results(results, cell))
        status = spar__fail_memory(err);
    spar_results_free(results);
    return status;
}

/* What the threads of a custom run share. */
struct custom_runs {
    spar__cell *cell;
    spar_progress *progress;
    void *context;
    double *seconds;     /* one per run */
    spar_error *failure; /* one per run */
    atomic_bool stop;
    atomic_size_t done;
};

static void play_run(void *context, size_t r, size_t worker)
{
    struct custom_runs *all = context;
    const spar__cell *cell = all->cell;
    const spar__cell_spec *spec = &cell->spec;
    if (atomic_load(&all->stop))
        return;
    double *curve = cell->curve + r * cell->n_checkpoints, start = spar__clock_thread();
    if (spec->custom(spec, spec->first_run + r, cell->n_checkpoints, cell->checkpoint, curve, &all->failure[r]))
        atomic_store(&all->stop, true);
    all->seconds[r] = 1e-9 * (spar__clock_thread() - start);
    cell->regret[r] = curve[cell->n_checkpoints - 1];
    size_t done = atomic_fetch_add(&all->done, 1) + 1;
    if (worker == 0 && all->progress && !all->progress(all->context, done * spec->rounds, cell->runs * spec->rounds))
        atomic_store(&all->stop, true);
}

static spar_status play_custom(spar__cell *cell, size_t threads, spar_progress *progress, void *context,
                               spar_error *err)
{
    struct custom_runs all = {.cell = cell, .progress = progress, .context = context};
    all.seconds = spar__alloc(cell->runs, sizeof *all.seconds);
    all.failure = spar__alloc(cell->runs, sizeof *all.failure);
    spar_status status = all.seconds && all.failure ? SPAR_OK : spar__fail_memory(err);
    if (!status)
        spar__pool_run(threads, cell->runs, play_run, &all);
    for (size_t r = 0; !status && r < cell->runs; r++) {
        cell->seconds += all.seconds[r];
        if (all.failure[r].status)
            status = spar__fail(err, all.failure[r].status, "%s", all.failure[r].text);
    }
    cell->done = !status && atomic_load(&all.done) == cell->runs;
    spar__free(all.seconds);
    spar__free(all.failure);
    return status;
}

spar_status spar__cell_play(spar__cell *cell, const spar_env *env, size_t threads, spar_progress *progress,
                            void *context, spar_error *err)
{
    if (spar__cell_reset(cell))
        return spar__fail_memory(err);
    return cell->spec.custom ? play_custom(cell, threads, progress, context, err)
                             : simulate(cell, env, threads, progress, context, err);
}
