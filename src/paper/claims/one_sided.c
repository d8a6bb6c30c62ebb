#include "paper/claims/one_sided.h"

#include "base/alloc.h"
#include "paper/claims/judge.h"
#include "paper/scenarios.h"
#include "plot/plot.h"

#include <stdio.h>

enum { LINKS = SPAR__SCENARIO_LINKS };

const spar__opponent spar__opponent_fixed = {"fixed", "Thompson sampling against arms drawn uniformly", true,
                                             spar__one_sided_fixed};
const spar__opponent spar__opponent_moving = {
    "moving", "Thompson sampling against an opponent that moves to the best arm", false, spar__one_sided_moving};

static void name_setting(const spar__opponent *opponent, size_t link, char *out, size_t size)
{
    (void)snprintf(out, size, "one-sided/%s-%s", opponent->name, spar__scenario_links[link]);
}

spar_status spar__one_sided_plan(const void *data, spar__paper *paper, spar_error *err)
{
    static const spar__paper_policy policies[] = {{"Thompson", "thompson/beta"}};
    const spar__opponent *opponent = data;
    size_t n = paper->options.quick ? 1 : LINKS;
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < n; i++) {
        char name[64], title[64], env[64];
        name_setting(opponent, i, name, sizeof name);
        (void)snprintf(title, sizeof title, "%s / arith", spar__scenario_links[i]);
        (void)snprintf(env, sizeof env, "utility(set=arith,link=%s)", spar__scenario_links[i]);
        spar__paper_setting wanted = {.name = name,
                                      .title = title,
                                      .env = env,
                                      .m = 1,
                                      .rounds = 1000000,
                                      .runs = 20,
                                      .quick_runs = 10,
                                      .policy = policies,
                                      .n_policies = 1,
                                      .custom = opponent->run,
                                      .custom_name = opponent->name};
        status = spar__paper_add(paper, &wanted, err);
    }
    return status;
}

/* The least slope in the long run: sum over arms of phi(1,i) / d(mu_i, mu_1), mu the chances against the opponent. */
static spar_status bound_of(const spar__paper_setting *setting, const spar__opponent *opponent, double *bound,
                            spar_error *err)
{
    double *p;
    size_t n, best;
    spar_status status = spar__env_arms(setting->env, &n, &p, &best, err);
    double top = 0.5;
    for (size_t j = 0; !status && opponent->fixed && j < n; j++)
        top += (p[best * n + j] - 0.5) / (double)n;
    *bound = 0;
    for (size_t i = 0; !status && i < n; i++) {
        double mu = p[i * n + best];
        for (size_t j = 0; opponent->fixed && j < n; j++)
            mu = (j ? mu : 0) + p[i * n + j] / (double)n;
        if (i != best)
            *bound += (p[best * n + i] - 0.5) / spar__coin_divergence(mu, top);
    }
    spar__free(p);
    return status;
}

spar_status spar__one_sided_judge(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    const spar__opponent *opponent = data;
    size_t good = 0, some = 0, all = 0;
    spar__range rate = SPAR__RANGE_EMPTY, falls = SPAR__RANGE_EMPTY;
    for (size_t i = 0; i < LINKS; i++) {
        char name[64];
        name_setting(opponent, i, name, sizeof name);
        const spar__paper_setting *setting = spar__paper_find(paper, name);
        const spar__cell *cell = spar__paper_cell(setting, "Thompson");
        double bound;
        if (!cell)
            continue;
        spar_status status = bound_of(setting, opponent, &bound, err);
        if (status)
            return status;
        spar__estimate regret = spar__mean_of(cell->regret, cell->runs, 1);
        spar__estimate slope = spar__cell_slope(cell, 100000, 1000000);
        spar__estimate more = spar__cell_steepening(cell, 10000, 100000, 1000000);
        double fall = 10 * (slope.mean - more.mean) / slope.mean; /* of the regret of a round, from decade to decade */
        bool level = spar__cell_levels(cell, 10000, 100000, 1000000), optimal = spar__slope_near(slope, bound, 1.5);
        spar__range_add(&rate, slope.mean / bound);
        spar__range_add(&falls, fall);
        good += level && (opponent->fixed ? optimal : fall > 5);
        some += cell->runs > 1 && !opponent->fixed && fall > 5;
        spar__finding_item(
            &out->numbers, all++,
            "The player's regret after 1e6 rounds, its slope d regret / d ln t in the last decade (change since the "
            "decade before; least possible in the long run), and how far the regret of a round fell:");
        spar__buf_printf(&out->numbers, "%s %.0f +- %.0f, %.1f +- %.1f (%+.1f +- %.1f; %.1f), %.1f-fold",
                         setting->title, regret.mean, regret.se, slope.mean, slope.se, more.mean, more.se, bound, fall);
    }
    spar__finding_close(out, good, all);
    if (all) {
        spar__buf_adds(&out->brief, opponent->fixed
                                        ? "We find that in the last decade regret grows with ln t at "
                                        : "We find that from decade to decade the regret of a round falls ");
        spar__finding_range(&out->brief, opponent->fixed ? rate : falls);
        spar__buf_adds(&out->brief, opponent->fixed ? " times the least possible rate." : "-fold; 10 would be ideal.");
    }
    if (some && out->verdict == SPAR__DOES_NOT_HOLD)
        out->verdict = SPAR__HOLDS_IN_PART;
    return SPAR_OK;
}

enum { MOST = 200 }; /* checkpoints */

/* The mean curve of a cell. */
static spar__series curve_of(const spar__cell *cell, const char *title, double *x, double *room)
{
    spar__estimate regret[MOST];
    size_t n = cell->n_checkpoints < MOST ? cell->n_checkpoints : MOST;
    for (size_t c = 0; c < n; c++) {
        regret[c] = spar__mean_of(cell->curve + c, cell->runs, cell->n_checkpoints);
        x[c] = (double)cell->checkpoint[c];
    }
    spar__series series = spar__estimate_series(title, n, x, regret, room);
    series.dots = false;
    return series;
}

spar_status spar__one_sided_draw(const void *data, const spar__paper *paper, spar__drawing *to, spar_error *err)
{
    const spar__opponent *opponent = data;
    double x[LINKS][MOST], y[LINKS][3 * MOST];
    spar__series series[LINKS];
    spar__run_count runs = {0};
    char note[SPAR__NOTE_SIZE];
    size_t n = 0;
    (void)err;
    for (size_t i = 0; i < LINKS; i++) {
        char name[64];
        name_setting(opponent, i, name, sizeof name);
        const spar__paper_setting *setting = spar__paper_find(paper, name);
        const spar__cell *cell = spar__paper_cell(setting, "Thompson");
        if (cell) {
            series[n] = curve_of(cell, setting->title, x[n], y[n]);
            spar__run_count_add(&runs, cell);
            n++;
        }
    }
    spar__figure figure = {.title = opponent->title,
                           .subtitle = "a straight line is growth like ln t",
                           .x_label = "round t",
                           .y_label = "the player's regret",
                           .log_x = true,
                           .n_series = n,
                           .series = series,
                           .band_note = spar__run_count_note(&runs, note)};
    return spar__draw_panels(&figure, 1, 1, to);
}
