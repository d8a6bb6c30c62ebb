#include "paper/claims/ranks.h"

#include "paper/scenarios.h"
#include "sim/stats.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BY_MEDIAN, BY_MEAN, WAYS };

/* A policy beside the best of the others, by one number of each. */
struct own_and_best {
    double own, lowest;     /* lowest of the others */
    size_t better;          /* others that are lower */
    const spar__cell *best; /* of the others */
};

/* Over all scenarios, by median and by mean. */
struct rank_counts {
    size_t scenarios, near[WAYS], first[WAYS], second[WAYS]; /* near: at most twice the lowest of the others */
    double worst[WAYS];                                      /* the largest own / lowest of the others */
    char where[WAYS][64];
};

static void compare_one(struct own_and_best *r, const spar__cell *cell, double other)
{
    r->better += other < r->own;
    if (other < r->lowest) {
        r->lowest = other;
        r->best = cell;
    }
}

static spar_status compare_all(const spar__paper_setting *setting, const spar__cell *own, struct own_and_best by[WAYS])
{
    spar__summary of;
    if (spar__cell_summary(own, own->regret, &of))
        return SPAR_NOMEM;
    by[BY_MEDIAN] = (struct own_and_best){of.median, HUGE_VAL, 0, own};
    by[BY_MEAN] = (struct own_and_best){of.mean, HUGE_VAL, 0, own};
    for (size_t c = 0; c < setting->n_policies; c++) {
        const spar__cell *cell = &setting->cell[c];
        if (cell == own)
            continue;
        if (spar__cell_summary(cell, cell->regret, &of))
            return SPAR_NOMEM;
        compare_one(&by[BY_MEDIAN], cell, of.median);
        compare_one(&by[BY_MEAN], cell, of.mean);
    }
    return SPAR_OK;
}

static void count_ranks(struct rank_counts *s, const struct own_and_best by[WAYS], const char *title)
{
    s->scenarios++;
    for (size_t i = 0; i < WAYS; i++) {
        double times = by[i].own / by[i].lowest;
        s->near[i] += times <= 2;
        s->first[i] += by[i].better == 0;
        s->second[i] += by[i].better == 1;
        if (times > s->worst[i]) {
            s->worst[i] = times;
            (void)snprintf(s->where[i], sizeof s->where[i], "%s", title);
        }
    }
}

static void write_counts(const struct rank_counts *s, const char *label, spar__buf *out)
{
    static const char *const what[WAYS] = {"median", "mean"};
    for (size_t i = 0; i < WAYS; i++)
        spar__buf_printf(out,
                         "%sBy %s %s is within twice the best other policy in %zu of %zu scenarios (at worst %.2f "
                         "times, on %s), first in %zu and second in %zu.",
                         out->length ? " " : "", what[i], label, s->near[i], s->scenarios, s->worst[i], s->where[i],
                         s->first[i], s->second[i]);
}

/* The scenario of the paper's figure, with the difference of means, run by run. */
static void write_figure(const spar__cell *own, const struct own_and_best by[WAYS], spar__buf *out)
{
    spar__difference d;
    spar__compare(own->regret, by[BY_MEAN].best->regret, own->runs, &d);
    spar__buf_printf(out,
                     "On logit / arith, the paper's figure: median %.0f where the best other has %.0f, mean %.0f where "
                     "the best other has %.0f (difference %+.0f +- %.0f).",
                     by[BY_MEDIAN].own, by[BY_MEDIAN].lowest, by[BY_MEAN].own, by[BY_MEAN].lowest, d.mean, d.se);
}

spar_status spar__rank_judge(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    const spar__scenario_rank *claimed = data;
    struct rank_counts s = {0};
    for (size_t i = 0; i < SPAR__SCENARIO_LINKS * SPAR__SCENARIO_SETS; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "grid/%s-%s", spar__scenario_links[i / SPAR__SCENARIO_SETS],
                       spar__scenario_sets[i % SPAR__SCENARIO_SETS]);
        const spar__paper_setting *setting = spar__paper_find(paper, name);
        const spar__cell *own = spar__paper_cell(setting, claimed->policy);
        struct own_and_best by[WAYS];
        if (!own)
            continue;
        if (compare_all(setting, own, by))
            return spar__fail_memory(err);
        count_ranks(&s, by, setting->title);
        if (strcmp(name, "grid/logit-arith") == 0)
            write_figure(own, by, &out->numbers);
    }
    if (!s.scenarios)
        return SPAR_OK;
    write_counts(&s, claimed->policy, &out->numbers);
    spar__buf_printf(
        &out->brief,
        "We find that with two arms a round the median regret of %s is within twice that of the best other "
        "policy in %zu of %zu scenarios, and the lowest of all in %zu.",
        claimed->policy, s.near[BY_MEDIAN], s.scenarios, s.first[BY_MEDIAN]);
    bool lowest = !claimed->mostly_lowest || 2 * s.first[BY_MEDIAN] > s.scenarios;
    out->verdict = 5 * s.near[BY_MEDIAN] >= 4 * s.scenarios && lowest ? SPAR__HOLDS
                   : 2 * s.near[BY_MEDIAN] >= s.scenarios             ? SPAR__HOLDS_IN_PART
                                                                      : SPAR__DOES_NOT_HOLD;
    return SPAR_OK;
}
