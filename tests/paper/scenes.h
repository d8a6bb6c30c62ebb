/* scenes.h - cells that nobody played: filled with numbers that are easy to find again. */
#ifndef SPAR_TESTS_PAPER_SCENES_H
#define SPAR_TESTS_PAPER_SCENES_H

#include "desk.h"

#include "paper/cell.h"

#include <math.h>

/* The regret of policy number i in run r after t rounds is (i + 1) sqrt(t) + r. */
static inline double scene_regret(size_t i, size_t r, double t)
{
    return (double)(i + 1) * sqrt(t) + (double)r;
}

static inline void fill_cell(spar__scene *scene, size_t i)
{
    spar__cell *cell = &scene->cell[i];
    ok(spar__cell_clear(cell, scene) == SPAR_OK, "%s: room for %s", scene->name, cell->label);
    for (size_t r = 0; r < cell->runs; r++) {
        for (size_t c = 0; c < cell->n_checkpoints; c++)
            cell->curve[r * cell->n_checkpoints + c] = scene_regret(i, r, (double)cell->checkpoint[c]);
        cell->regret[r] = scene_regret(i, r, (double)scene->rounds);
        cell->per_slot[r] = i == 2 ? cell->regret[r] / 2 : cell->regret[r];
        cell->set_size[r] = (double)scene->m;
        cell->best_share[r] = 0.25 * (double)(i + 1);
    }
    for (size_t k = 0; k < cell->runs * cell->n_marks * cell->width; k++)
        cell->probe[k] = 0.1 + 0.01 * (double)(k % 30);
    cell->done = true;
}

static inline void fill_scene(spar__scene *scene)
{
    for (size_t i = 0; i < scene->n_cells; i++)
        fill_cell(scene, i);
}

/* A scene of two policies with texts of the test's own. */
static inline spar__scene *add_scene(spar__paper *paper, const char *name, const char *title, const spar__role *role,
                                     size_t n)
{
    spar__setup setup = {.name = name,
                         .title = title,
                         .env = "utility(set=arith,link=linear)",
                         .m = 4,
                         .rounds = 400,
                         .runs = 5,
                         .role = role,
                         .n_roles = n};
    spar_error err = {0};
    ok(spar__paper_stage(paper, &setup, &err) == SPAR_OK, "%s is staged", name);
    return paper->scene[paper->n_scenes - 1];
}

#endif
