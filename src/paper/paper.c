/* paper.c - figures and claims ask for scenes; scenes are cells. */
#include "paper/paper.h"

#include "base/alloc.h"
#include "base/nearest.h"
#include "paper/cell.h"

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
    static const char *const text[] = {"not judged", "holds", "holds in part", "does not hold"};
    return text[verdict];
}

static void free_scene(spar__scene *scene)
{
    if (!scene)
        return;
    for (size_t i = 0; scene->cell && i < scene->n_cells; i++)
        spar__cell_fini(&scene->cell[i]);
    spar__free(scene->cell);
    spar__free(scene->name);
    spar__free(scene->title);
    spar__free(scene->env);
    spar__free(scene->shown);
    spar__free(scene->feedback);
    spar__free(scene);
}

static spar__scene *find_scene(const spar__paper *paper, const char *name)
{
    for (size_t i = 0; i < paper->n_scenes; i++)
        if (strcmp(paper->scene[i]->name, name) == 0)
            return paper->scene[i];
    return NULL;
}

/* Is this policy, its parameters aside, the one that is to be swapped? */
static bool is_swapped(const spar__paper_wish *wish, const char *policy)
{
    size_t length = wish->swap_from ? strlen(wish->swap_from) : 0;
    return length && strncmp(policy, wish->swap_from, length) == 0 && (!policy[length] || policy[length] == '(');
}

static spar_status cast(const spar__paper_wish *wish, const spar__setup *setup, spar__scene *scene)
{
    scene->n_cells = setup->n_roles;
    scene->cell = spar__alloc(setup->n_roles, sizeof *scene->cell);
    for (size_t i = 0; scene->cell && i < scene->n_cells; i++) {
        const spar__role *role = &setup->role[i];
        const char *policy = is_swapped(wish, role->policy) ? wish->swap_to : role->policy;
        if (spar__cell_init(&scene->cell[i], scene, role->label, policy, wish->seed))
            return SPAR_NOMEM;
    }
    return scene->cell ? SPAR_OK : SPAR_NOMEM;
}

static size_t marks_within(const spar__setup *setup, uint64_t rounds)
{
    size_t n = 0;
    while (n < setup->n_marks && setup->mark[n] <= rounds)
        n++;
    return setup->probe ? n : 0;
}

static spar_status fill_scene(const spar__paper_wish *wish, const spar__setup *setup, spar__scene *scene)
{
    scene->rounds = wish->quick && setup->quick_rounds ? setup->quick_rounds : setup->rounds;
    scene->runs = wish->quick ? setup->quick_runs : setup->runs;
    scene->m = setup->m;
    scene->probe = setup->probe;
    scene->mark = setup->mark;
    scene->n_marks = marks_within(setup, scene->rounds);
    scene->feat = setup->feat;
    scene->feat_name = setup->feat_name;
    scene->nanoseconds = setup->nanoseconds > 0 ? setup->nanoseconds : 300;
    scene->name = spar__strdup(setup->name);
    scene->title = spar__strdup(setup->title);
    scene->env = spar__strdup(setup->env);
    scene->shown = spar__strdup(setup->shown ? setup->shown : setup->env);
    scene->feedback = setup->feedback ? spar__strdup(setup->feedback) : NULL;
    bool complete = scene->name && scene->title && scene->env && scene->shown && (scene->feedback || !setup->feedback);
    return complete ? cast(wish, setup, scene) : SPAR_NOMEM;
}

spar_status spar__paper_stage(spar__paper *paper, const spar__setup *setup, spar_error *err)
{
    if (find_scene(paper, setup->name))
        return SPAR_OK;
    if (paper->n_scenes == paper->capacity) {
        size_t capacity = paper->capacity ? 2 * paper->capacity : 64;
        spar__scene **grown = spar__realloc(paper->scene, paper->capacity, capacity, sizeof *grown);
        if (!grown)
            return spar__fail_memory(err);
        paper->scene = grown;
        paper->capacity = capacity;
    }
    for (size_t i = 0; i < setup->n_roles; i++)
        paper->swapped |= is_swapped(&paper->wish, setup->role[i].policy);
    spar__scene *scene = spar__alloc(1, sizeof *scene);
    if (!scene || fill_scene(&paper->wish, setup, scene)) {
        free_scene(scene);
        return spar__fail_memory(err);
    }
    paper->scene[paper->n_scenes++] = scene;
    return SPAR_OK;
}

static spar_status unknown_figure(const char *name, spar_error *err)
{
    spar__buf list = {0};
    for (size_t i = 0; i < spar__n_paper_figures; i++)
        spar__buf_printf(&list, "%s%s", i ? ", " : "", spar__paper_figures[i]->name);
    spar_status status =
        list.failed || !list.text
            ? spar__fail_memory(err)
            : spar__fail(err, SPAR_INVALID, "--figure %s: no such figure; there are %s", name, list.text);
    spar__buf_free(&list);
    return status;
}

static spar_status stage_figures(spar__paper *paper, spar_error *err)
{
    const char *only = paper->wish.figure;
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < spar__n_paper_figures; i++) {
        const spar__paper_figure *figure = spar__paper_figures[i];
        if (only && strcmp(only, figure->name) != 0)
            continue;
        paper->figure[paper->n_figures++] = figure;
        status = figure->stage ? figure->stage(paper, err) : SPAR_OK;
    }
    return !status && !paper->n_figures ? unknown_figure(only, err) : status;
}

static spar_status stage_claims(spar__paper *paper, spar_error *err)
{
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < spar__n_claims; i++) {
        paper->claim[paper->n_claims++] = spar__claims[i];
        if (!paper->wish.figure && spar__claims[i]->stage)
            status = spar__claims[i]->stage(paper, err);
    }
    return status;
}

/* A swap that nobody notices would pass for one that changes nothing. */
static spar_status check_swap(const spar__paper *paper, spar_error *err)
{
    const spar__paper_wish *wish = &paper->wish;
    if (!wish->swap_from || paper->swapped)
        return SPAR_OK;
    spar__nearest nearest = spar__nearest_to(wish->swap_from);
    for (size_t s = 0; s < paper->n_scenes; s++)
        for (size_t i = 0; i < paper->scene[s]->n_cells; i++)
            spar__nearest_offer(&nearest, paper->scene[s]->cell[i].policy);
    if (nearest.best)
        return spar__fail(err, SPAR_INVALID, "--swap %.80s=...: nobody plays that here; did you mean '%s'?",
                          wish->swap_from, nearest.best);
    return spar__fail(err, SPAR_INVALID, "--swap %.80s=...: nobody plays that here; results.csv has who does",
                      wish->swap_from);
}

spar_status spar__paper_new(const spar__paper_wish *wish, spar__paper **out, spar_error *err)
{
    *out = NULL;
    spar__paper *paper = spar__alloc(1, sizeof *paper);
    if (!paper)
        return spar__fail_memory(err);
    paper->wish = *wish;
    paper->figure = spar__alloc(spar__n_paper_figures, sizeof *paper->figure);
    paper->claim = spar__alloc(spar__n_claims, sizeof *paper->claim);
    paper->finding = spar__alloc(spar__n_claims, sizeof *paper->finding);
    bool room = paper->figure && paper->claim && paper->finding;
    spar_status status = room ? stage_figures(paper, err) : spar__fail_memory(err);
    if (!status)
        status = stage_claims(paper, err);
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
    for (size_t i = 0; i < paper->n_scenes; i++)
        free_scene(paper->scene[i]);
    for (size_t i = 0; i < paper->n_claims; i++)
        spar__buf_free(&paper->finding[i].numbers);
    spar__free(paper->scene);
    spar__free(paper->figure);
    spar__free(paper->claim);
    spar__free(paper->finding);
    spar__free(paper);
}

const spar__scene *spar__paper_scene(const spar__paper *paper, const char *name)
{
    const spar__scene *scene = find_scene(paper, name);
    for (size_t i = 0; scene && i < scene->n_cells; i++)
        if (!scene->cell[i].done)
            return NULL;
    return scene;
}

const spar__cell *spar__scene_cell(const spar__scene *scene, const char *label)
{
    for (size_t i = 0; scene && i < scene->n_cells; i++)
        if (strcmp(scene->cell[i].label, label) == 0)
            return &scene->cell[i];
    return NULL;
}
