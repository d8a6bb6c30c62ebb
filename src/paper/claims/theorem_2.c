/* Regret grows like ln T, with a factor near the least possible. */
#include "base/alloc.h"
#include "paper/claims/long_run.h"
#include "paper/scenarios.h"
#include "plot/plot.h"

#include <math.h>

/* The least regret per unit of ln T of a policy that shows two arms a round and finds the best one in all such
 * problems: sum over arms i of the least (phi(1,i) + phi(1,j)) / d(P_ij, 1/2) over arms j that beat i. (Komiyama,
 * Honda, Kashima, Nakagawa 2015; there a round costs the mean of its two slots, here their sum.) */
static double duel_bound(size_t n, const double *p, size_t best)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double least = HUGE_VAL;
        for (size_t j = 0; j < n; j++)
            if (p[i * n + j] < 0.5) {
                double cost = p[best * n + i] - 0.5 + p[best * n + j] - 0.5;
                least = fmin(least, cost / spar__coin_divergence(p[i * n + j], 0.5));
            }
        sum += least < HUGE_VAL ? least : 0;
    }
    return sum;
}

static spar_status bound_of(const spar__paper_setting *setting, double *bound, spar_error *err)
{
    double *p;
    size_t n, best;
    spar_status status = spar__env_arms(setting->env, &n, &p, &best, err);
    if (!status)
        *bound = duel_bound(n, p, best);
    spar__free(p);
    return status;
}

static spar_status judge(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    (void)data;
    size_t good = 0, all = 0;
    spar__range rate = SPAR__RANGE_EMPTY;
    for (size_t i = 0; i < SPAR__LONG_DUELS; i++) {
        const spar__paper_setting *setting;
        const spar__cell *cell = spar__long_cell(paper, i, &setting);
        double bound = 0;
        if (!cell)
            continue;
        spar_status status = bound_of(setting, &bound, err);
        if (status)
            return status;
        spar__estimate slope = spar__cell_slope(cell, 100000, 1000000);
        spar__estimate more = spar__cell_steepening(cell, 10000, 100000, 1000000);
        spar__range_add(&rate, slope.mean / bound);
        good += spar__cell_levels(cell, 10000, 100000, 1000000) && spar__slope_near(slope, bound, 2);
        spar__finding_item(&out->numbers, all++,
                           "Slope d regret / d ln t from 1e5 to 1e6 rounds (change since the decade before; least "
                           "possible in the long run; round from which it is within 20 % of the last):");
        spar__buf_printf(&out->numbers, "%s %.1f +- %.1f (%+.1f +- %.1f; %.1f; %llu)", setting->title, slope.mean,
                         slope.se, more.mean, more.se, bound, (unsigned long long)spar__cell_settled(cell));
    }
    spar__finding_close(out, good, all);
    if (all) {
        spar__buf_adds(&out->brief,
                       "We find that from round 1e5 to 1e6 the regret of IndSelfSparring grows with ln t at ");
        spar__finding_range(&out->brief, rate);
        spar__buf_adds(&out->brief, " times the least possible rate.");
    }
    return SPAR_OK;
}

enum { MOST = 200 }; /* checkpoints */

/* The slope over half a decade, in units of the bound. */
static spar_status fill(const spar__paper *paper, size_t i, double x[MOST], double y[3 * MOST], spar__run_count *runs,
                        spar__series *series, spar_error *err)
{
    const spar__paper_setting *setting;
    const spar__cell *cell = spar__long_cell(paper, i, &setting);
    double bound;
    if (!cell)
        return spar__fail(err, SPAR_INVALID, "theorem-2: not all settings were run");
    size_t n = 0;
    spar_status status = bound_of(setting, &bound, err);
    for (size_t c = 0; !status && n < MOST && c < cell->n_checkpoints; c++)
        if (cell->checkpoint[c] >= 100) {
            x[n] = (double)cell->checkpoint[c];
            spar__estimate slope = spar__cell_local_slope(cell, c);
            y[n] = slope.mean / bound;
            y[MOST + n] = (slope.mean - 2 * slope.se) / bound;
            y[2 * MOST + n] = (slope.mean + 2 * slope.se) / bound;
            n++;
        }
    spar__run_count_add(runs, cell);
    series[i] =
        (spar__series){.label = setting->title, .n = n, .x = x, .y = y, .lo = y + MOST, .hi = y + (size_t)2 * MOST};
    return status;
}

static spar_status draw(const void *data, const spar__paper *paper, spar__drawing *to, spar_error *err)
{
    (void)data;
    static const double ends[] = {100, 1000000}, one[] = {1, 1};
    double x[SPAR__LONG_DUELS][MOST], y[SPAR__LONG_DUELS][3 * MOST];
    spar__series series[SPAR__LONG_DUELS + 1];
    spar__run_count runs = {0};
    char note[SPAR__NOTE_SIZE];
    for (size_t i = 0; i < SPAR__LONG_DUELS; i++) {
        spar_status status = fill(paper, i, x[i], y[i], &runs, series, err);
        if (status)
            return status;
    }
    series[SPAR__LONG_DUELS] =
        (spar__series){.label = "least possible in the long run", .n = 2, .x = ends, .y = one, .color = 17};
    spar__figure figure = {.title = "How fast IndSelfSparring's regret grows, m = 2",
                           .x_label = "round t",
                           .y_label = "d regret / d ln t, over the lower bound",
                           .log_x = true,
                           .n_series = SPAR__LONG_DUELS + 1,
                           .series = series,
                           .band_note = spar__run_count_note(&runs, note)};
    return spar__draw_panels(&figure, 1, 1, to);
}

const spar__claim spar__claim_theorem_2 = {
    .name = "theorem-2",
    .title = "Regret grows like ln T, at an optimal rate (Theorem 2)",
    .says = "Under approximate linearity the regret of IndSelfSparring is O(K ln T / Delta), which up to constant "
            "factors matches information-theoretic bounds.",
    .test =
        "Slopes d regret / d ln t, mean over runs, on arith with three links, m = 2, eta = 1, a million rounds. With 2 "
        "standard errors the last decade must be less than 1.5 times as steep as the decade before (a power of t would "
        "steepen) and below twice the lower bound, sum over arms i of min over j that beat i of (phi_1i + phi_1j) / "
        "d(P_ij, 1/2), in the scale of this regret; and not below half of that bound, as it is for policies that "
        "sometimes never find the best arm (with eta = 3.5, for instance). Holds when all of this is true for every "
        "link, in part for "
        "some.",
    .plan = spar__long_plan,
    .judge = judge,
    .draw = draw,
};
