/* run.c - cells on disk are read, missing ones are computed and kept one by one, so that a command that is killed loses
 * only the cell that it was computing; then the claims are judged. */
#include "base/error.h"
#include "paper/paper.h"

/* How much of all the work is done, in nanoseconds of its estimated time. */
struct paper_progress {
    const spar__paper_options *options;
    double before, cell, total;
};

static double work_of(const spar__paper_setting *setting)
{
    return setting->nanoseconds * (double)setting->rounds * (double)setting->runs + 1e6;
}

static bool show_progress(void *context, uint64_t done, uint64_t total)
{
    const struct paper_progress *p = context;
    double now = p->before + (double)done / (double)total * p->cell;
    return !p->options->progress || p->options->progress(p->options->context, (uint64_t)now, (uint64_t)p->total);
}

static spar_status load_cell(spar__paper *paper, spar__cell *cell)
{
    spar_error why = {0};
    if (spar__cell_load(cell, paper->options.cells, &why))
        return SPAR_NOMEM;
    if (why.status && paper->ignored++ == 0)
        paper->reason = why;
    return SPAR_OK;
}

static spar_status load_cells(spar__paper *paper, struct paper_progress *progress)
{
    for (size_t s = 0; s < paper->n_settings; s++) {
        const spar__paper_setting *setting = paper->setting[s];
        for (size_t i = 0; i < setting->n_policies; i++) {
            if (load_cell(paper, &setting->cell[i]))
                return SPAR_NOMEM;
            paper->found += setting->cell[i].done;
            progress->total += setting->cell[i].done ? 0 : work_of(setting);
        }
    }
    return SPAR_OK;
}

static spar_status compute_cell(const spar__paper *paper, const spar_env *env, spar__cell *cell,
                                struct paper_progress *progress, spar_error *err)
{
    const char *dir = paper->options.cells;
    if (spar__cell_load(cell, dir, NULL)) /* a cell of another setting may have the same key */
        return spar__fail_memory(err);
    if (cell->done)
        return SPAR_OK;
    spar_status status = spar__cell_play(cell, env, paper->options.threads, show_progress, progress, err);
    return !status && cell->done ? spar__cell_save(cell, dir, err) : status;
}

/* The environment is made once for all cells of a setting: that of rankers may take long. */
static spar_status compute_setting(spar__paper *paper, const spar__paper_setting *setting,
                                   struct paper_progress *progress, spar_error *err)
{
    spar_env *env = NULL;
    spar_error why = {0};
    spar_status status = setting->custom ? SPAR_OK : spar_env_new(setting->env, &env, &why);
    for (size_t i = 0; !status && !paper->interrupted && i < setting->n_policies; i++) {
        spar__cell *cell = &setting->cell[i];
        if (cell->done)
            continue;
        progress->cell = work_of(setting);
        status = compute_cell(paper, env, cell, progress, &why);
        progress->before += progress->cell;
        paper->interrupted = !status && !cell->done;
    }
    spar_env_free(env);
    return status ? spar__fail(err, status, "%s: %s", setting->name, why.text) : SPAR_OK;
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
}

/* With few runs, what is not shown to hold is not shown to fail. */
static spar_status judge(const spar__paper *paper, const spar__claim *claim, spar__finding *out, spar_error *err)
{
    spar_status status = claim->judge(claim->data, paper, out, err);
    if (!status && out->numbers.failed)
        status = spar__fail_memory(err);
    if (paper->options.quick && !claim->exact && out->verdict == SPAR__DOES_NOT_HOLD)
        out->verdict = SPAR__UNDECIDED;
    return status;
}

spar_status spar__paper_run(spar__paper *paper, spar_error *err)
{
    struct paper_progress progress = {.options = &paper->options};
    spar_status status = load_cells(paper, &progress) ? spar__fail_memory(err) : SPAR_OK;
    for (size_t s = 0; !status && !paper->interrupted && s < paper->n_settings; s++)
        if (!spar__paper_find(paper, paper->setting[s]->name))
            status = compute_setting(paper, paper->setting[s], &progress, err);
    count_done(paper);
    for (size_t i = 0; !status && i < paper->n_claims; i++)
        status = judge(paper, paper->claim[i], &paper->finding[i], err);
    return status;
}
