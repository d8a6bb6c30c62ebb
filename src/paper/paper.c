/* paper.c - the settings that figures and claims need, as cells of one sweep: those that are kept are read, missing
 * ones are computed, the longest first, and kept one by one, so that a command that is killed loses only the cells that
 * it was computing. Cells of the same key are computed once. Then the claims are judged. */
#include "paper/paper.h"

#include "base/alloc.h"
#include "base/error.h"
#include "env/env.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* The settings that figures and claims need, each with its cells. */

const char *spar__verdict_text(spar__verdict verdict)
{
    static const char *const text[] = {"not judged", "holds", "holds in part", "does not hold",
                                       "undecided (quick form)"};
    return text[verdict];
}

void spar__paper_totals(const spar__paper *paper, size_t count[SPAR__VERDICTS])
{
    memset(count, 0, SPAR__VERDICTS * sizeof *count);
    for (size_t i = 0; i < paper->n_claims; i++)
        count[paper->finding[i].verdict]++;
}

void spar__finding_free(spar__finding *finding)
{
    spar__buf_free(&finding->numbers);
    spar__buf_free(&finding->brief);
}

static void free_setting(spar__paper_setting *setting)
{
    if (!setting)
        return;
    for (size_t i = 0; setting->cell && i < setting->n_policies; i++)
        spar__cell_fini(&setting->cell[i]);
    for (size_t i = 0; i < sizeof setting->own / sizeof *setting->own; i++)
        spar__free(setting->own[i]);
    spar__free(setting->cell);
    spar__free(setting);
}

static spar__paper_setting *find_setting(const spar__paper *paper, const char *name)
{
    for (size_t i = 0; i < paper->n_settings; i++)
        if (strcmp(paper->setting[i]->name, name) == 0)
            return paper->setting[i];
    return NULL;
}

/* Is this policy, whatever its parameters, the one that is to be swapped? */
static bool is_swapped(const spar__paper_options *options, const char *policy)
{
    size_t length = options->swap_from ? strlen(options->swap_from) : 0;
    return length && strncmp(policy, options->swap_from, length) == 0 && (!policy[length] || policy[length] == '(');
}

/* `setting` is a copy of what was asked for, whose texts are still borrowed. */
static spar_status complete_setting(const spar__paper_options *options, spar__paper_setting *setting)
{
    const char **const text[] = {&setting->name, &setting->title, &setting->env, &setting->shown, &setting->feedback};
    if (!setting->shown)
        setting->shown = setting->env;
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        if (*text[i] && !(setting->own[i] = spar__strdup(*text[i])))
            return SPAR_NOMEM;
        *text[i] = setting->own[i];
    }
    if (options->quick && setting->quick_rounds)
        setting->rounds = setting->quick_rounds;
    if (options->quick)
        setting->runs = setting->quick_runs;
    if (setting->nanoseconds <= 0)
        setting->nanoseconds = 300;
    size_t marks = 0; /* those beyond the rounds are left out */
    while (setting->probe && marks < setting->n_marks && setting->mark[marks] <= setting->rounds)
        marks++;
    setting->n_marks = marks;
    setting->cell = spar__alloc(setting->n_policies, sizeof *setting->cell);
    for (size_t i = 0; setting->cell && i < setting->n_policies; i++) {
        const spar__paper_policy *policy = &setting->policy[i];
        spar__cell_spec spec = {.env = setting->env,
                                .env_key = setting->shown,
                                .feedback = setting->feedback,
                                .policy = is_swapped(options, policy->spec) ? options->swap_to : policy->spec,
                                .label = policy->label,
                                .m = setting->m,
                                .rounds = setting->rounds,
                                .horizon = setting->rounds,
                                .seed = options->seed,
                                .runs = setting->runs,
                                .probe = setting->probe,
                                .mark = setting->mark,
                                .n_marks = setting->n_marks,
                                .custom = setting->custom,
                                .custom_name = setting->custom_name};
        if (spar__cell_init(&setting->cell[i], &spec))
            return SPAR_NOMEM;
    }
    return setting->cell ? SPAR_OK : SPAR_NOMEM;
}

spar_status spar__paper_add(spar__paper *paper, const spar__paper_setting *wanted, spar_error *err)
{
    if (find_setting(paper, wanted->name))
        return SPAR_OK;
    spar__paper_setting **grown =
        spar__grow(paper->setting, &paper->capacity, paper->n_settings + 1, 64, sizeof *grown);
    if (!grown)
        return spar__fail_memory(err);
    paper->setting = grown;
    spar__paper_setting *setting = spar__alloc(1, sizeof *setting);
    if (setting)
        *setting = *wanted;
    if (!setting || complete_setting(&paper->options, setting)) {
        free_setting(setting);
        return spar__fail_memory(err);
    }
    paper->n_cells += setting->n_policies;
    paper->setting[paper->n_settings++] = setting;
    return SPAR_OK;
}

static spar_status unknown_figure(const char *name, spar_error *err)
{
    spar__buf list = {0};
    spar__nearest nearest = spar__nearest_to(name);
    for (size_t i = 0; i < spar__n_paper_figures; i++) {
        spar__buf_printf(&list, "%s%s", i ? ", " : "", spar__paper_figures[i].name);
        spar__nearest_offer(&nearest, spar__paper_figures[i].name);
    }
    spar_status status = list.failed || !list.text
                             ? spar__fail_memory(err)
                             : spar__fail(err, SPAR_INVALID, "--figure %.80s: no such figure; there are %s%s%s%s", name,
                                          list.text, nearest.best ? "; did you mean '" : "",
                                          nearest.best ? nearest.best : "", nearest.best ? "'?" : "");
    spar__buf_free(&list);
    return status;
}

static spar_status plan_figures(spar__paper *paper, spar_error *err)
{
    const char *only = paper->options.figure;
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < spar__n_paper_figures; i++) {
        const spar__paper_figure *figure = &spar__paper_figures[i];
        if (only && strcmp(only, figure->name) != 0)
            continue;
        paper->figure[paper->n_figures++] = figure;
        status = spar__paper_need(paper, figure->needs, err);
    }
    return !status && !paper->n_figures ? unknown_figure(only, err) : status;
}

/* A swap of a policy that is not there would look like one that changes nothing. */
static spar_status check_swap(const spar__paper *paper, spar_error *err)
{
    const spar__paper_options *options = &paper->options;
    if (!options->swap_from)
        return SPAR_OK;
    spar__nearest nearest = spar__nearest_to(options->swap_from);
    for (size_t s = 0; s < paper->n_settings; s++)
        for (size_t i = 0; i < paper->setting[s]->n_policies; i++) {
            if (is_swapped(options, paper->setting[s]->policy[i].spec))
                return SPAR_OK;
            spar__nearest_offer(&nearest, paper->setting[s]->policy[i].spec);
        }
    if (nearest.best)
        return spar__fail(err, SPAR_INVALID, "--swap %.80s=...: no setting has this policy; did you mean '%s'?",
                          options->swap_from, nearest.best);
    return spar__fail(err, SPAR_INVALID, "--swap %.80s=...: no setting has this policy; results.csv lists the policies",
                      options->swap_from);
}

spar_status spar__paper_new(const spar__paper_options *options, spar__paper **out, spar_error *err)
{
    *out = NULL;
    spar__paper *paper = spar__alloc(1, sizeof *paper);
    if (!paper)
        return spar__fail_memory(err);
    paper->options = *options;
    paper->figure = spar__alloc(spar__n_paper_figures, sizeof *paper->figure);
    paper->claim = spar__alloc(spar__n_claims, sizeof *paper->claim);
    paper->finding = spar__alloc(spar__n_claims, sizeof *paper->finding);
    bool room = paper->figure && paper->claim && paper->finding;
    spar_status status = room ? plan_figures(paper, err) : spar__fail_memory(err);
    if (!status) {
        status = SPAR_OK;
        for (size_t i = 0; !status && i < spar__n_claims; i++) {
            const spar__claim *claim = &spar__claims[i];
            paper->claim[paper->n_claims++] = claim;
            if (!paper->options.figure)
                status = spar__paper_need(paper, claim->needs, err);
        }
    }
    if (!status)
        status = check_swap(paper, err);
    if (status) {
        spar__paper_free(paper);
        return status;
    }
    *out = paper;
    return SPAR_OK;
}

void spar__paper_free(spar__paper *paper)
{
    if (!paper)
        return;
    for (size_t i = 0; i < paper->n_settings; i++)
        free_setting(paper->setting[i]);
    for (size_t i = 0; i < paper->n_claims; i++)
        spar__finding_free(&paper->finding[i]);
    spar__free(paper->setting);
    spar__free(paper->figure);
    spar__free(paper->claim);
    spar__free(paper->finding);
    spar__free(paper);
}

const spar__paper_setting *spar__paper_find(const spar__paper *paper, const char *name)
{
    const spar__paper_setting *setting = find_setting(paper, name);
    for (size_t i = 0; setting && i < setting->n_policies; i++)
        if (!setting->cell[i].done)
            return NULL;
    return setting;
}

const spar__paper_setting *spar__paper_each(const spar__paper *paper, const char *begin, size_t *at)
{
    while (*at < paper->n_settings) {
        const char *name = paper->setting[(*at)++]->name;
        const spar__paper_setting *setting = strncmp(name, begin, strlen(begin)) ? NULL : spar__paper_find(paper, name);
        if (setting)
            return setting;
    }
    return NULL;
}

const spar__cell *spar__paper_cell(const spar__paper_setting *setting, const char *label)
{
    for (size_t i = 0; setting && i < setting->n_policies; i++)
        if (strcmp(setting->policy[i].label, label) == 0)
            return &setting->cell[i];
    return NULL;
}

/* --- the cells of all settings as one sweep --- */

/* A cell of a setting. */
typedef struct paper_cell {
    spar__paper_setting *setting;
    spar__cell *cell;
    spar__shared_env *env;
    size_t same; /* the first one with the same key: only that is computed */
} paper_cell;

/* The cells of all settings. */
typedef struct paper_cells {
    spar__paper *paper;
    spar__shared_env *env; /* one per setting */
    paper_cell *all;
    size_t n;
    size_t *unique, n_unique; /* those that are computed */
    size_t *order;            /* of these, the longest first: the last to end are short */
} paper_cells;

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
    const spar__paper_setting *setting = get(self, i)->setting;
    return (uint64_t)(setting->nanoseconds * (double)setting->rounds * (double)setting->runs + 1e6);
}

static spar_status play(void *self, size_t i, size_t worker, spar_progress *progress, void *context, bool *complete,
                        spar_error *err)
{
    const paper_cell *of = get(self, i);
    const spar_env *env = NULL;
    spar_error why = {0};
    (void)worker;
    spar_status status = of->setting->custom ? SPAR_OK : spar__shared_env_get(of->env, &env, &why);
    if (!status)
        status = spar__cell_play(of->cell, env, progress, context, &why);
    spar__shared_env_put(of->env);
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

static void fill(paper_cells *cells)
{
    const spar__paper *paper = cells->paper;
    for (size_t s = 0; s < paper->n_settings; s++)
        for (size_t i = 0; i < paper->setting[s]->n_policies; i++) {
            size_t n = cells->n++;
            cells->all[n] = (paper_cell){paper->setting[s], &paper->setting[s]->cell[i], &cells->env[s], 0};
            size_t *same = &cells->all[n].same;
            while (strcmp(cells->all[*same].cell->key, cells->all[n].cell->key) != 0)
                ++*same;
            if (cells->all[n].same == n) {
                cells->unique[cells->n_unique++] = n;
                cells->env[s].waiting++;
            }
        }
    /* Insertion sort: it is stable. */
    for (size_t i = 0; i < cells->n_unique; i++) {
        size_t at = i;
        for (; at > 0 && work(cells, cells->order[at - 1]) < work(cells, i); at--)
            cells->order[at] = cells->order[at - 1];
        cells->order[at] = i;
    }
}

static spar_status init(paper_cells *cells, spar__paper *paper)
{
    size_t n = paper->n_cells ? paper->n_cells : 1;
    *cells = (paper_cells){.paper = paper};
    cells->all = spar__alloc(n, sizeof *cells->all);
    cells->unique = spar__alloc(n, sizeof *cells->unique);
    cells->order = spar__alloc(n, sizeof *cells->order);
    cells->env = spar__alloc(paper->n_settings + 1, sizeof *cells->env);
    if (!cells->all || !cells->unique || !cells->order || !cells->env)
        return SPAR_NOMEM;
    for (size_t s = 0; s < paper->n_settings; s++)
        if (spar__shared_env_init(&cells->env[s], paper->setting[s]->env))
            return SPAR_NOMEM;
    fill(cells);
    return SPAR_OK;
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
    for (size_t s = 0; cells.env && s < cells.paper->n_settings; s++)
        spar__shared_env_fini(&cells.env[s]);
    spar__free(cells.all);
    spar__free(cells.unique);
    spar__free(cells.order);
    spar__free(cells.env);
    paper->seconds = 0;
    paper->n_done = 0;
    for (size_t s = 0; s < paper->n_settings; s++)
        for (size_t i = 0; i < paper->setting[s]->n_policies; i++)
            if (paper->setting[s]->cell[i].done) {
                paper->seconds += paper->setting[s]->cell[i].seconds;
                paper->n_done++;
            }
    paper->interrupted = paper->n_done < paper->n_cells;
    for (size_t i = 0; !status && !paper->interrupted && i < paper->n_claims; i++) {
        /* With few runs, what is not shown to hold is not shown to fail. */
        const spar__claim *claim = paper->claim[i];
        spar__finding *out = &paper->finding[i];
        status = claim->judge(claim->data, paper, out, err);
        if (!status && (out->numbers.failed || out->brief.failed))
            status = spar__fail_memory(err);
        if (paper->options.quick && !claim->exact && out->verdict == SPAR__DOES_NOT_HOLD)
            out->verdict = SPAR__UNDECIDED;
    }
    return status;
}
