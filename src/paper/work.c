/* work.c - what is on disk is read, what is missing is computed and kept: cell by cell, so that a start that was killed
 * loses no more than the one it was at. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/pool.h"
#include "paper/cell.h"

#include <stdatomic.h>
#include <string.h>

/* How far all the work is, in nanoseconds of its guessed time. */
struct gauge {
    const spar__paper_wish *wish;
    double before, cell, total;
};

static double work_of(const spar__scene *scene)
{
    return scene->nanoseconds * (double)scene->rounds * (double)scene->runs + 1e6;
}

static bool advance(const struct gauge *gauge, double share)
{
    const spar__paper_wish *wish = gauge->wish;
    return !wish->progress ||
           wish->progress(wish->context, (uint64_t)(gauge->before + share * gauge->cell), (uint64_t)gauge->total);
}

static bool within_cell(void *context, uint64_t done, uint64_t total)
{
    return advance(context, (double)done / (double)total);
}

/* The probe of a cell, while its plan is simulated. */
struct gaze {
    const spar__scene *scene;
    spar__cell *cell;
};

static spar_status look(void *context, const spar_snapshot *snapshot, spar_error *err)
{
    (void)err;
    const struct gaze *gaze = context;
    const spar__cell *cell = gaze->cell;
    size_t mark = 0;
    while (gaze->scene->mark[mark] != snapshot->t)
        mark++;
    return gaze->scene->probe->look(snapshot, cell->probe + (snapshot->run * cell->n_marks + mark) * cell->width);
}

static spar_status copy_results(const spar_results *results, spar__cell *cell)
{
    for (size_t r = 0; r < cell->runs; r++) {
        const spar_run *run = &results->run[r];
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

static spar_status simulate(const spar__scene *scene, const spar_env *env, spar__cell *cell, struct gauge *gauge,
                            spar_error *err)
{
    struct gaze gaze = {scene, cell};
    spar_plan plan = {.env = scene->env,
                      .made = env,
                      .feedback = scene->feedback,
                      .policies = (const char *const *)&cell->policy,
                      .n_policies = 1,
                      .m = scene->m,
                      .rounds = scene->rounds,
                      .runs = scene->runs,
                      .seed = gauge->wish->seed,
                      .threads = gauge->wish->threads,
                      .horizon_known = true,
                      .progress = within_cell,
                      .context = gauge,
                      .snapshot = scene->mark,
                      .n_snapshots = scene->n_marks,
                      .every_run = true,
                      .witness = look,
                      .witness_context = &gaze};
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

/* The runs of a feat, each with a place of its own. */
struct arena {
    const spar__scene *scene;
    spar__cell *cell;
    const struct gauge *gauge;
    double *seconds;
    spar_error *trouble; /* one per run */
    atomic_bool stop;
    atomic_size_t done;
};

static void play_run(void *context, size_t run, size_t worker)
{
    struct arena *arena = context;
    const spar__scene *scene = arena->scene;
    const spar__cell *cell = arena->cell;
    if (atomic_load(&arena->stop))
        return;
    double *curve = cell->curve + run * cell->n_checkpoints, start = spar__clock_thread();
    if (scene->feat(scene, cell->policy, arena->gauge->wish->seed, run, cell->n_checkpoints, cell->checkpoint, curve,
                    &arena->trouble[run]))
        atomic_store(&arena->stop, true);
    arena->seconds[run] = 1e-9 * (spar__clock_thread() - start);
    cell->regret[run] = curve[cell->n_checkpoints - 1];
    size_t done = atomic_fetch_add(&arena->done, 1) + 1;
    if (worker == 0 && !advance(arena->gauge, (double)done / (double)cell->runs))
        atomic_store(&arena->stop, true);
}

static spar_status perform(const spar__scene *scene, spar__cell *cell, const struct gauge *gauge, spar_error *err)
{
    struct arena arena = {.scene = scene, .cell = cell, .gauge = gauge};
    arena.seconds = spar__alloc(cell->runs, sizeof *arena.seconds);
    arena.trouble = spar__alloc(cell->runs, sizeof *arena.trouble);
    spar_status status = arena.seconds && arena.trouble ? SPAR_OK : spar__fail_memory(err);
    if (!status)
        spar__pool_run(gauge->wish->threads, cell->runs, play_run, &arena);
    for (size_t r = 0; !status && r < cell->runs; r++) {
        cell->seconds += arena.seconds[r];
        if (arena.trouble[r].status)
            status = spar__fail(err, arena.trouble[r].status, "%s: %s", scene->name, arena.trouble[r].text);
    }
    cell->done = !status && atomic_load(&arena.done) == cell->runs;
    spar__free(arena.seconds);
    spar__free(arena.trouble);
    return status;
}

/* The environment is made once for all cells of a scene: that of rankers may take long. */
static spar_status compute_scene(spar__paper *paper, spar__scene *scene, struct gauge *gauge, spar_error *err)
{
    spar_env *env = NULL;
    spar_status status = scene->feat ? SPAR_OK : spar_env_new(scene->env, &env, err);
    for (size_t i = 0; !status && !paper->interrupted && i < scene->n_cells; i++) {
        spar__cell *cell = &scene->cell[i];
        if (cell->done)
            continue;
        gauge->cell = work_of(scene);
        status = spar__cell_load(cell, scene, paper->wish.cells); /* another scene may have asked the same */
        if (!status && !cell->done) {
            status = spar__cell_clear(cell, scene);
            if (status)
                status = spar__fail_memory(err);
            else
                status = scene->feat ? perform(scene, cell, gauge, err) : simulate(scene, env, cell, gauge, err);
            if (!status && cell->done)
                status = spar__cell_keep(cell, paper->wish.cells, err);
        }
        gauge->before += gauge->cell;
        paper->interrupted = !status && !cell->done;
    }
    spar_env_free(env);
    return status;
}

static spar_status load_cells(spar__paper *paper, struct gauge *gauge)
{
    for (size_t s = 0; s < paper->n_scenes; s++) {
        spar__scene *scene = paper->scene[s];
        for (size_t i = 0; i < scene->n_cells; i++) {
            if (spar__cell_load(&scene->cell[i], scene, paper->wish.cells))
                return SPAR_NOMEM;
            paper->found += scene->cell[i].done;
            gauge->total += scene->cell[i].done ? 0 : work_of(scene);
        }
    }
    return SPAR_OK;
}

static bool is_complete(const spar__scene *scene)
{
    for (size_t i = 0; i < scene->n_cells; i++)
        if (!scene->cell[i].done)
            return false;
    return true;
}

spar_status spar__paper_run(spar__paper *paper, spar_error *err)
{
    struct gauge gauge = {.wish = &paper->wish};
    spar_status status = load_cells(paper, &gauge) ? spar__fail_memory(err) : SPAR_OK;
    for (size_t s = 0; !status && !paper->interrupted && s < paper->n_scenes; s++)
        if (!is_complete(paper->scene[s]))
            status = compute_scene(paper, paper->scene[s], &gauge, err);
    paper->seconds = 0;
    for (size_t s = 0; s < paper->n_scenes; s++)
        for (size_t i = 0; i < paper->scene[s]->n_cells; i++)
            paper->seconds += paper->scene[s]->cell[i].seconds;
    for (size_t i = 0; !status && i < paper->n_claims; i++) {
        status = paper->claim[i]->judge(paper, &paper->finding[i], err);
        if (!status && paper->finding[i].numbers.failed)
            status = spar__fail_memory(err);
    }
    return status;
}
