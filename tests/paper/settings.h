/* settings.h - cells that were not run but filled with numbers that are easy to find again. */
#ifndef SPAR_TESTS_PAPER_SETTINGS_H
#define SPAR_TESTS_PAPER_SETTINGS_H

#include "workspace.h"

#include <math.h>

/* The regret of policy number i in run r after t rounds is (i + 1) sqrt(t) + r. */
static inline double made_regret(size_t i, size_t r, double t)
{
    return (double)(i + 1) * sqrt(t) + (double)r;
}

static inline void fill_cell(spar__paper_setting *setting, size_t i)
{
    spar__cell *cell = &setting->cell[i];
    ok(spar__cell_reset(cell) == SPAR_OK, "%s: room for %s", setting->name, cell->spec.label);
    for (size_t r = 0; r < cell->runs; r++) {
        for (size_t c = 0; c < cell->n_checkpoints; c++)
            cell->curve[r * cell->n_checkpoints + c] = made_regret(i, r, (double)cell->checkpoint[c]);
        cell->regret[r] = made_regret(i, r, (double)setting->rounds);
        cell->per_slot[r] = i == 2 ? cell->regret[r] / 2 : cell->regret[r];
        cell->set_size[r] = (double)setting->m;
        cell->best_share[r] = 0.25 * (double)(i + 1);
    }
    for (size_t k = 0; k < cell->runs * cell->n_marks * cell->width; k++)
        cell->probe[k] = 0.1 + 0.01 * (double)(k % 30);
    cell->done = true;
}

static inline void fill_setting(spar__paper_setting *setting)
{
    for (size_t i = 0; i < setting->n_policies; i++)
        fill_cell(setting, i);
}

/* A setting of two policies with texts of the test's own. */
static inline spar__paper_setting *add_setting(spar__paper *paper, const char *name, const char *title,
                                               const spar__paper_policy *policy, size_t n)
{
    spar__paper_setting wanted = {.name = name,
                                  .title = title,
                                  .env = "utility(set=arith,link=linear)",
                                  .m = 4,
                                  .rounds = 400,
                                  .runs = 5,
                                  .policy = policy,
                                  .n_policies = n};
    spar_error err = {0};
    ok(spar__paper_add(paper, &wanted, &err) == SPAR_OK, "%s is planned", name);
    return paper->setting[paper->n_settings - 1];
}

#endif
