#include "paper/claims/standing.h"

#include "paper/scenarios.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A policy beside the best of the others, by one number of each. */
typedef struct rank {
    double own, least;      /* least of the others */
    size_t better;          /* others that are better */
    const spar__cell *best; /* of the others */
} rank;

static void rank_add(rank *r, const spar__cell *cell, double other)
{
    r->better += other < r->own;
    if (other < r->least) {
        r->least = other;
        r->best = cell;
    }
}

static spar_status rank_scene(const spar__scene *scene, const spar__cell *own, rank by[2])
{
    spar_summary of;
    if (spar__cell_summary(own, own->regret, &of))
        return SPAR_NOMEM;
    by[0] = (rank){of.median, HUGE_VAL, 0, own};
    by[1] = (rank){of.mean, HUGE_VAL, 0, own};
    for (size_t c = 0; c < scene->n_cells; c++) {
        const spar__cell *cell = &scene->cell[c];
        if (cell == own)
            continue;
        if (spar__cell_summary(cell, cell->regret, &of))
            return SPAR_NOMEM;
        rank_add(&by[0], cell, of.median);
        rank_add(&by[1], cell, of.mean);
    }
    return SPAR_OK;
}

static void standing_add(spar__standing *s, const rank by[2], const char *title)
{
    s->scenes++;
    for (size_t i = 0; i < 2; i++) {
        double times = by[i].own / by[i].least;
        s->near[i] += times <= 2;
        s->first[i] += by[i].better == 0;
        s->second[i] += by[i].better == 1;
        if (times > s->worst[i]) {
            s->worst[i] = times;
            (void)snprintf(s->where[i], sizeof s->where[i], "%s", title);
        }
    }
}

static void tell(const spar__standing *s, const char *label, spar__buf *out)
{
    static const char *const what[] = {"median", "mean"};
    for (size_t i = 0; i < 2; i++)
        spar__buf_printf(out,
                         "%sBy %s %s is within twice the best other policy in %zu of %zu scenarios (at worst %.2f "
                         "times, on %s), first in %zu and second in %zu.",
                         out->length ? " " : "", what[i], label, s->near[i], s->scenes, s->worst[i], s->where[i],
                         s->first[i], s->second[i]);
}

/* The scenario that the paper shows, with the difference of means, run by run. */
static void tell_shown(const spar__cell *own, const rank by[2], spar__buf *out)
{
    spar_difference d;
    spar__cell_compare(own, own->regret, by[1].best->regret, &d);
    spar__buf_printf(out,
                     "On logit / arith, the paper's figure: median %.0f where the best other has %.0f, mean %.0f where "
                     "the best other has %.0f (difference %+.0f +- %.0f).",
                     by[0].own, by[0].least, by[1].own, by[1].least, d.mean, d.se);
}

spar_status spar__standing_measure(const char *label, const spar__paper *paper, spar__standing *out, spar__buf *numbers,
                                   spar_error *err)
{
    *out = (spar__standing){0};
    for (size_t i = 0; i < SPAR__SCENARIO_LINKS * SPAR__SCENARIO_SETS; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "grid/%s-%s", spar__scenario_links[i / SPAR__SCENARIO_SETS],
                       spar__scenario_sets[i % SPAR__SCENARIO_SETS]);
        const spar__scene *scene = spar__paper_scene(paper, name);
        const spar__cell *own = spar__scene_cell(scene, label);
        rank by[2];
        if (!own)
            continue;
        if (rank_scene(scene, own, by))
            return spar__fail_memory(err);
        standing_add(out, by, scene->title);
        if (strcmp(name, "grid/logit-arith") == 0)
            tell_shown(own, by, numbers);
    }
    if (out->scenes)
        tell(out, label, numbers);
    return SPAR_OK;
}
