/* The regret of the rivals over that of SelfSparring, as more and more arms are shown at once. */
#include "paper/claims/shown.h"
#include "paper/panels.h"

#include <math.h>

typedef struct trend {
    spar__estimate times[SPAR__SHOWN_STEPS]; /* rival's regret over the hero's */
    spar__estimate exponent;                 /* times ~ m^exponent */
    bool grows;
} trend;

/* false: not all was played. */
static bool measure(const spar__paper *paper, const spar__shown_cast *cast, size_t rival, trend *out,
                    spar_status *status)
{
    for (size_t i = 0; i < SPAR__SHOWN_STEPS; i++) {
        const spar__scene *scene = spar__shown_scene(paper, cast, spar__shown_m[i]);
        const spar__cell *a = spar__scene_cell(scene, cast->role[0].label);
        const spar__cell *b = spar__scene_cell(scene, cast->role[rival].label);
        spar__contest contest;
        if (!a || !b || (*status = spar__contest_judge(a, a->regret, b->regret, &contest)))
            return false;
        out->times[i] = contest.times;
    }
    const spar__estimate *last = &out->times[SPAR__SHOWN_STEPS - 1];
    out->exponent = spar__fit_power(SPAR__SHOWN_STEPS, spar__shown_m, out->times);
    out->grows = out->exponent.mean > 2 * out->exponent.se && last->mean - 2 * last->se > 1;
    return true;
}

static spar_status judge(const spar__paper *paper, spar__finding *out, spar_error *err)
{
    size_t good = 0, all = 0;
    spar_status status = SPAR_OK;
    for (const spar__shown_cast *cast = spar__shown_casts; cast < spar__shown_casts + SPAR__SHOWN_CASTS; cast++)
        for (size_t rival = 1; rival < cast->n_roles; rival++) {
            trend t;
            if (!measure(paper, cast, rival, &t, &status)) {
                if (status)
                    return spar__fail_memory(err);
                continue;
            }
            spar__item(&out->numbers, all++, "How many times more than SelfSparring a rival pays at m = 2, 4, 8, 16:");
            good += t.grows;
            spar__buf_printf(&out->numbers, "%s on %s %.3g, %.3g, %.3g, %.3g (m to the power %.2f +- %.2f)",
                             cast->role[rival].label, cast->title, t.times[0].mean, t.times[1].mean, t.times[2].mean,
                             t.times[3].mean, t.exponent.mean, t.exponent.se);
        }
    spar__close(out, good, all);
    return SPAR_OK;
}

enum { MOST_RIVALS = 2 };

static spar_status draw(const spar__paper *paper, spar__buf *svg, spar_error *err)
{
    double y[SPAR__SHOWN_CASTS][MOST_RIVALS][3][SPAR__SHOWN_STEPS]; /* the ratio, and its band */
    spar__series series[SPAR__SHOWN_CASTS][MOST_RIVALS];
    spar__figure panel[SPAR__SHOWN_CASTS];
    spar_status status = SPAR_OK;
    for (size_t c = 0; c < SPAR__SHOWN_CASTS; c++) {
        const spar__shown_cast *cast = &spar__shown_casts[c];
        for (size_t rival = 1; rival < cast->n_roles; rival++) {
            double(*line)[SPAR__SHOWN_STEPS] = y[c][rival - 1];
            trend t;
            if (!measure(paper, cast, rival, &t, &status))
                return spar__fail(err, status ? status : SPAR_INVALID, "advantage: not all scenes were played");
            for (size_t i = 0; i < SPAR__SHOWN_STEPS; i++) {
                line[0][i] = t.times[i].mean;
                line[1][i] = fmax(t.times[i].mean - 2 * t.times[i].se, 0);
                line[2][i] = t.times[i].mean + 2 * t.times[i].se;
            }
            series[c][rival - 1] = (spar__series){.label = cast->role[rival].label,
                                                  .n = SPAR__SHOWN_STEPS,
                                                  .x = spar__shown_m,
                                                  .y = line[0],
                                                  .lo = line[1],
                                                  .hi = line[2],
                                                  .color = spar__policy_color(cast->role[rival].label),
                                                  .dots = true};
        }
        panel[c] = (spar__figure){.title = cast->title,
                                  .x_label = "arms shown a round, m",
                                  .y_label = c == 0 ? "regret over SelfSparring's" : NULL,
                                  .log_x = true,
                                  .log_y = true,
                                  .n_series = cast->n_roles - 1,
                                  .series = series[c],
                                  .width = 320,
                                  .height = 330,
                                  .legend_below = true,
                                  .band_note = "bands: \xC2\xB1 2 standard errors"};
    }
    return spar__plot_panels(panel, SPAR__SHOWN_CASTS, SPAR__SHOWN_CASTS, svg);
}

const spar__claim spar__claim_advantage = {
    .name = "advantage",
    .title = "The advantage grows with the number of arms shown",
    .says = "Relative benefits over other policies increase with the number of arms compared at once.",
    .test = "Regret of the rival over regret of SelfSparring at m = 2, 4, 8, 16. The advantage grows when the exponent "
            "b of ratio ~ m^b, fitted in logarithms, is above 2 standard errors and the ratio at m = 16 is above 1 by "
            "as much. Holds when that is so for every rival in every scene, in part for some.",
    .stage = spar__shown_stage,
    .judge = judge,
    .draw = draw,
};
