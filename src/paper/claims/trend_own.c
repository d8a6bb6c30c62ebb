#include "paper/claims/shown.h"

#include "paper/claims/judge.h"

#include <stdio.h>

/* false: not all was run. */
static bool measure(const spar__paper *paper, const spar__shown_case *one, spar__estimate out[SPAR__SHOWN_STEPS])
{
    for (size_t i = 0; i < SPAR__SHOWN_STEPS; i++) {
        const spar__cell *cell = spar__shown_cell(paper, one, spar__shown_m[i], 0);
        if (!cell)
            return false;
        out[i] = spar__mean_of(cell->regret, cell->runs, 1);
    }
    return true;
}

spar_status spar__shown_judge(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    (void)err;
    const spar__shown_cases *cases = data;
    size_t good = 0, fair = 0, all = 0;
    spar__range times = SPAR__RANGE_EMPTY;
    for (const spar__shown_case *one = cases->item; one < cases->item + cases->n; one++) {
        spar__estimate r[SPAR__SHOWN_STEPS];
        if (!measure(paper, one, r))
            continue;
        spar__estimate exponent = spar__fit_power(SPAR__SHOWN_STEPS, spar__shown_m, r);
        spar__finding_item(&out->numbers, all++, "Mean regret at m = 2, 4, 8, 16:");
        spar__range_add(&times, r[SPAR__SHOWN_STEPS - 1].mean / r[0].mean);
        good += exponent.mean + 2 * exponent.se < 0.25;
        fair += exponent.mean + 2 * exponent.se < 0.5;
        spar__buf_printf(&out->numbers, "%s on %s %.1f, %.1f, %.1f, %.1f (m to the power %.2f +- %.2f)",
                         one->policy[0].label, one->title, r[0].mean, r[1].mean, r[2].mean, r[3].mean, exponent.mean,
                         exponent.se);
    }
    spar__finding_close(out, good, all);
    if (all) {
        spar__buf_printf(&out->brief, "We find that with 16 arms a round instead of 2 the regret of %s is ",
                         cases->item[0].policy[0].label);
        spar__finding_range(&out->brief, times);
        spar__buf_adds(&out->brief, " times as high; that of random play would be 8 times as high.");
    }
    if (all && out->verdict == SPAR__DOES_NOT_HOLD && fair == all)
        out->verdict = SPAR__HOLDS_IN_PART;
    return SPAR_OK;
}

spar_status spar__shown_draw(const void *data, const spar__paper *paper, spar__drawing *to, spar_error *err)
{
    const spar__shown_cases *cases = data;
    double y[SPAR__SHOWN_CASES][3 * SPAR__SHOWN_STEPS];
    char label[SPAR__SHOWN_CASES][80];
    spar__series series[SPAR__SHOWN_CASES];
    spar__run_count runs = {0};
    char note[SPAR__NOTE_SIZE];
    for (size_t c = 0; c < cases->n; c++) {
        const spar__shown_case *one = &cases->item[c];
        spar__estimate r[SPAR__SHOWN_STEPS];
        if (!measure(paper, one, r))
            return spar__fail(err, SPAR_INVALID, "shown-arms: not all settings were run");
        (void)snprintf(label[c], sizeof label[c], "%s, %llu rounds", one->title, (unsigned long long)one->rounds);
        series[c] = spar__estimate_series(label[c], SPAR__SHOWN_STEPS, spar__shown_m, r, y[c]);
        for (size_t i = 0; i < SPAR__SHOWN_STEPS; i++)
            spar__run_count_add(&runs, spar__shown_cell(paper, one, spar__shown_m[i], 0));
    }
    spar__figure figure = {.title = "SelfSparring's regret",
                           .x_label = "arms shown a round, m",
                           .y_label = "final regret, summed over all slots",
                           .log_x = true,
                           .log_y = true,
                           .n_series = cases->n,
                           .series = series,
                           .band_note = spar__run_count_note(&runs, note)};
    return spar__draw_panels(&figure, 1, 1, to);
}
