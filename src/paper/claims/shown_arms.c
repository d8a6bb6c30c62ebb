/* SelfSparring's own regret, as more and more arms are shown at once. */
#include "paper/claims/shown.h"
#include "plot/plot.h"

#include <stdio.h>

/* false: not all was played. */
static bool measure(const spar__paper *paper, const spar__shown_cast *cast, spar__estimate out[SPAR__SHOWN_STEPS])
{
    for (size_t i = 0; i < SPAR__SHOWN_STEPS; i++) {
        const spar__scene *scene = spar__shown_scene(paper, cast, spar__shown_m[i]);
        const spar__cell *cell = spar__scene_cell(scene, cast->role[0].label);
        if (!cell)
            return false;
        out[i] = spar__mean_of(cell->regret, cell->runs, 1);
    }
    return true;
}

static spar_status judge(const spar__paper *paper, spar__finding *out, spar_error *err)
{
    (void)err;
    size_t good = 0, all = 0;
    for (const spar__shown_cast *cast = spar__shown_casts; cast < spar__shown_casts + SPAR__SHOWN_CASTS; cast++) {
        spar__estimate r[SPAR__SHOWN_STEPS];
        if (!measure(paper, cast, r))
            continue;
        spar__estimate exponent = spar__fit_power(SPAR__SHOWN_STEPS, spar__shown_m, r);
        spar__item(&out->numbers, all++, "Mean regret at m = 2, 4, 8, 16:");
        good += exponent.mean + 2 * exponent.se < 0.25;
        spar__buf_printf(&out->numbers, "%s on %s %.1f, %.1f, %.1f, %.1f (m to the power %.2f +- %.2f)",
                         cast->role[0].label, cast->title, r[0].mean, r[1].mean, r[2].mean, r[3].mean, exponent.mean,
                         exponent.se);
    }
    spar__close(out, good, all);
    return SPAR_OK;
}

static spar_status draw(const spar__paper *paper, spar__buf *svg, spar_error *err)
{
    double y[SPAR__SHOWN_CASTS][3][SPAR__SHOWN_STEPS];
    char label[SPAR__SHOWN_CASTS][80];
    spar__series series[SPAR__SHOWN_CASTS];
    for (size_t c = 0; c < SPAR__SHOWN_CASTS; c++) {
        const spar__shown_cast *cast = &spar__shown_casts[c];
        spar__estimate r[SPAR__SHOWN_STEPS];
        if (!measure(paper, cast, r))
            return spar__fail(err, SPAR_INVALID, "shown-arms: not all scenes were played");
        for (size_t i = 0; i < SPAR__SHOWN_STEPS; i++) {
            y[c][0][i] = r[i].mean;
            y[c][1][i] = r[i].mean - 2 * r[i].se;
            y[c][2][i] = r[i].mean + 2 * r[i].se;
        }
        (void)snprintf(label[c], sizeof label[c], "%s, %llu rounds", cast->title, (unsigned long long)cast->rounds);
        series[c] = (spar__series){.label = label[c],
                                   .n = SPAR__SHOWN_STEPS,
                                   .x = spar__shown_m,
                                   .y = y[c][0],
                                   .lo = y[c][1],
                                   .hi = y[c][2],
                                   .dots = true};
    }
    spar__figure figure = {.title = "SelfSparring's regret",
                           .x_label = "arms shown a round, m",
                           .y_label = "final regret, summed over all slots",
                           .log_x = true,
                           .log_y = true,
                           .n_series = SPAR__SHOWN_CASTS,
                           .series = series,
                           .band_note = "bands: \xC2\xB1 2 standard errors"};
    return spar__plot_lines(&figure, svg);
}

const spar__claim spar__claim_shown_arms = {
    .name = "shown-arms",
    .title = "Regret hardly grows with the number of arms shown",
    .says = "SelfSparring's regret, though summed over all arms shown, does not increase substantially as their number "
            "does.",
    .test = "The exponent b of regret ~ m^b over m = 2, 4, 8, 16, fitted in logarithms: below 1/4 by 2 standard errors "
            "(playing at random has 1). Holds when that is so in every scene, in part in some.",
    .stage = spar__shown_stage,
    .judge = judge,
    .draw = draw,
};
