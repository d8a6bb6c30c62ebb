/* paper.c - the settings that figures and claims need, each with its cells. */
#include "paper/paper.h"

#include "base/alloc.h"
#include "base/error.h"

#include <string.h>

#define SPAR_FIGURE(name) extern const spar__paper_figure spar__figure_##name;
#include "paper/figures.def"
#undef SPAR_FIGURE
#define SPAR_CLAIM(name) extern const spar__claim spar__claim_##name;
#include "paper/claims.def"
#undef SPAR_CLAIM

const spar__paper_figure *const spar__paper_figures[] = {
#define SPAR_FIGURE(name) &spar__figure_##name,
#include "paper/figures.def"
#undef SPAR_FIGURE
    NULL,
};
const size_t spar__n_paper_figures = sizeof spar__paper_figures / sizeof *spar__paper_figures - 1;

const spar__claim *const spar__claims[] = {
#define SPAR_CLAIM(name) &spar__claim_##name,
#include "paper/claims.def"
#undef SPAR_CLAIM
    NULL,
};
const size_t spar__n_claims = sizeof spar__claims / sizeof *spar__claims - 1;

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

static spar_status add_cells(const spar__paper_options *options, spar__paper_setting *setting)
{
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

static size_t marks_within(const spar__paper_setting *setting)
{
    size_t n = 0;
    while (n < setting->n_marks && setting->mark[n] <= setting->rounds)
        n++;
    return setting->probe ? n : 0;
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
    setting->n_marks = marks_within(setting);
    return add_cells(options, setting);
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
        spar__buf_printf(&list, "%s%s", i ? ", " : "", spar__paper_figures[i]->name);
        spar__nearest_offer(&nearest, spar__paper_figures[i]->name);
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
        const spar__paper_figure *figure = spar__paper_figures[i];
        if (only && strcmp(only, figure->name) != 0)
            continue;
        paper->figure[paper->n_figures++] = figure;
        status = figure->plan ? figure->plan(figure->data, paper, err) : SPAR_OK;
    }
    return !status && !paper->n_figures ? unknown_figure(only, err) : status;
}

static spar_status plan_claims(spar__paper *paper, spar_error *err)
{
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < spar__n_claims; i++) {
        const spar__claim *claim = spar__claims[i];
        paper->claim[paper->n_claims++] = claim;
        if (!paper->options.figure && claim->plan)
            status = claim->plan(claim->data, paper, err);
    }
    return status;
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
    if (!status)
        status = plan_claims(paper, err);
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

const spar__cell *spar__paper_cell(const spar__paper_setting *setting, const char *label)
{
    for (size_t i = 0; setting && i < setting->n_policies; i++)
        if (strcmp(setting->policy[i].label, label) == 0)
            return &setting->cell[i];
    return NULL;
}
