/* run.c - the cells of all settings as one sweep: those that are there are read, missing ones are computed and kept one
 * by one, so that a command that is killed loses only the cells that it was computing; then the claims are judged. */
#include "paper/paper.h"

#include "base/alloc.h"
#include "base/error.h"

#include <pthread.h>
#include <string.h>

/* A setting, and its environment while cells need it: that of rankers may take long to make. */
typedef struct paper_place {
    spar_env *env;
    size_t waiting; /* cells that still need it */
    pthread_mutex_t lock;
    bool locked; /* the lock is there */
} paper_place;

/* A cell of a setting. */
typedef struct paper_cell {
    spar__paper_setting *setting;
    spar__cell *cell;
    size_t place;
    size_t same; /* the first one with the same key: only that is computed */
} paper_cell;

/* The cells of all settings. */
typedef struct paper_cells {
    spar__paper *paper;
    paper_place *place; /* one per setting */
    paper_cell *all;
    size_t n;
    size_t *unique, n_unique; /* those that are computed */
    size_t *order;            /* of these, the longest first: the last to end are short */
} paper_cells;

static double work_of(const spar__paper_setting *setting)
{
    return setting->nanoseconds * (double)setting->rounds * (double)setting->runs + 1e6;
}

static const paper_cell *get(const void *self, size_t i)
{
    const paper_cells *cells = self;
    return &cells->all[cells->unique[i]];
}

static void text(const void *self, size_t i, spar__buf *out)
{
    spar__buf_adds(out, get(self, i)->cell->key);
}

static uint64_t work(const void *self, size_t i)
{
    return (uint64_t)work_of(get(self, i)->setting);
}

static spar_status get_env(paper_place *place, const spar__paper_setting *setting, spar_error *err)
{
    (void)pthread_mutex_lock(&place->lock);
    spar_status status = setting->custom || place->env ? SPAR_OK : spar_env_new(setting->env, &place->env, err);
    (void)pthread_mutex_unlock(&place->lock);
    return status;
}

static void put_env(paper_place *place)
{
    (void)pthread_mutex_lock(&place->lock);
    if (--place->waiting == 0) {
        spar_env_free(place->env);
        place->env = NULL;
    }
    (void)pthread_mutex_unlock(&place->lock);
}

static spar_status play(void *self, size_t i, size_t worker, spar_progress *progress, void *context, bool *complete,
                        spar_error *err)
{
    const paper_cell *of = get(self, i);
    paper_place *place = &((paper_cells *)self)->place[of->place];
    spar_error why = {0};
    (void)worker;
    spar_status status = get_env(place, of->setting, &why);
    if (!status)
        status = spar__cell_play(of->cell, place->env, 1, progress, context, &why);
    put_env(place);
    *complete = !status && of->cell->done;
    return status ? spar__fail(err, status, "%s: %s", of->setting->name, why.text) : SPAR_OK;
}

static void archive(void *self, size_t i, size_t worker, spar__archive *ar)
{
    spar__cell *cell = get(self, i)->cell;
    (void)worker;
    if (ar->loading)
        spar__archive_step(ar, spar__cell_reset(cell));
    if (!ar->failed)
        spar__cell_archive(cell, ar);
}

/* How much was there already? */
static spar_status prepare(void *self, const bool *done, spar_error *err)
{
    const paper_cells *cells = self;
    (void)err;
    for (size_t i = 0; i < cells->n_unique; i++)
        for (size_t k = 0; k < cells->n && !done[i]; k++)
            cells->paper->found -= cells->all[k].same == cells->unique[i];
    return SPAR_OK;
}

static size_t first_same(const paper_cells *cells, size_t i)
{
    size_t k = 0;
    while (strcmp(cells->all[k].cell->key, cells->all[i].cell->key) != 0)
        k++;
    return k;
}

/* Insertion sort: it is stable. */
static void sort(paper_cells *cells)
{
    for (size_t i = 0; i < cells->n_unique; i++) {
        size_t at = i;
        for (; at > 0 && work(cells, cells->order[at - 1]) < work(cells, i); at--)
            cells->order[at] = cells->order[at - 1];
        cells->order[at] = i;
    }
}

static void fill(paper_cells *cells)
{
    const spar__paper *paper = cells->paper;
    for (size_t s = 0; s < paper->n_settings; s++)
        for (size_t i = 0; i < paper->setting[s]->n_policies; i++) {
            size_t n = cells->n++;
            cells->all[n] = (paper_cell){paper->setting[s], &paper->setting[s]->cell[i], s, 0};
            cells->all[n].same = first_same(cells, n);
            if (cells->all[n].same == n) {
                cells->unique[cells->n_unique++] = n;
                cells->place[s].waiting++;
            }
        }
    sort(cells);
}

static spar_status init(paper_cells *cells, spar__paper *paper)
{
    size_t n = paper->n_cells ? paper->n_cells : 1;
    *cells = (paper_cells){.paper = paper};
    cells->all = spar__alloc(n, sizeof *cells->all);
    cells->unique = spar__alloc(n, sizeof *cells->unique);
    cells->order = spar__alloc(n, sizeof *cells->order);
    cells->place = spar__alloc(paper->n_settings + 1, sizeof *cells->place);
    if (!cells->all || !cells->unique || !cells->order || !cells->place)
        return SPAR_NOMEM;
    for (size_t s = 0; s < paper->n_settings; s++) {
        cells->place[s].locked = !pthread_mutex_init(&cells->place[s].lock, NULL);
        if (!cells->place[s].locked)
            return SPAR_NOMEM;
    }
    fill(cells);
    return SPAR_OK;
}

static void fini(paper_cells *cells)
{
    for (size_t s = 0; cells->place && s < cells->paper->n_settings; s++) {
        spar_env_free(cells->place[s].env);
        if (cells->place[s].locked)
            (void)pthread_mutex_destroy(&cells->place[s].lock);
    }
    spar__free(cells->all);
    spar__free(cells->unique);
    spar__free(cells->order);
    spar__free(cells->place);
}

/* Cells with the key of another one get its numbers. */
static spar_status copy_same(const paper_cells *cells)
{
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < cells->n; i++) {
        spar__cell *from = cells->all[cells->all[i].same].cell, *to = cells->all[i].cell;
        if (from == to || !from->done)
            continue;
        spar__archive out = {0};
        spar__cell_archive(from, &out);
        spar__archive in = {.loading = true, .in = (const unsigned char *)out.out.text, .left = out.out.length};
        status = out.failed ? SPAR_NOMEM : spar__cell_reset(to);
        if (!status)
            spar__cell_archive(to, &in);
        spar__buf_free(&out.out);
        status = status || in.failed ? SPAR_NOMEM : SPAR_OK;
    }
    return status;
}

static void count_done(spar__paper *paper)
{
    paper->seconds = 0;
    paper->n_done = 0;
    for (size_t s = 0; s < paper->n_settings; s++)
        for (size_t i = 0; i < paper->setting[s]->n_policies; i++)
            if (paper->setting[s]->cell[i].done) {
                paper->seconds += paper->setting[s]->cell[i].seconds;
                paper->n_done++;
            }
    paper->interrupted = paper->n_done < paper->n_cells;
}

/* The usual way: on threads, with cells in their directory. */
static spar_status play_here(spar__paper *paper, const spar__cell_list *cells, spar_error *err)
{
    const spar__paper_options *options = &paper->options;
    spar__sweep sweep = {.dir = options->cells,
                         .must_keep = true,
                         .threads = options->threads,
                         .progress = options->progress,
                         .context = options->context};
    spar_status status = spar__sweep_play(&sweep, cells, err);
    paper->ignored = sweep.files.damaged;
    spar__sweep_close(&sweep, false);
    return status;
}

/* With few runs, what is not shown to hold is not shown to fail. */
static spar_status judge(const spar__paper *paper, const spar__claim *claim, spar__finding *out, spar_error *err)
{
    spar_status status = claim->judge(claim->data, paper, out, err);
    if (!status && (out->numbers.failed || out->brief.failed))
        status = spar__fail_memory(err);
    if (paper->options.quick && !claim->exact && out->verdict == SPAR__DOES_NOT_HOLD)
        out->verdict = SPAR__UNDECIDED;
    return status;
}

spar_status spar__paper_run(spar__paper *paper, spar_error *err)
{
    paper_cells cells;
    const spar__paper_options *options = &paper->options;
    spar_status status = init(&cells, paper) ? spar__fail_memory(err) : SPAR_OK;
    const spar__cell_list list = {.n = cells.n_unique,
                                  .self = &cells,
                                  .text = text,
                                  .work = work,
                                  .prepare = prepare,
                                  .play = play,
                                  .archive = archive,
                                  .order = cells.order};
    paper->found = paper->n_cells;
    if (!status)
        status = options->player ? options->player(options->context, &list, err) : play_here(paper, &list, err);
    if (!status && copy_same(&cells))
        status = spar__fail_memory(err);
    fini(&cells);
    count_done(paper);
    for (size_t i = 0; !status && !paper->interrupted && i < paper->n_claims; i++)
        status = judge(paper, paper->claim[i], &paper->finding[i], err);
    return status;
}
