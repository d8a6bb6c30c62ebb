/* vanilla.c - two arms a round, one scenario: the mean with its sd as in the paper, and the median, which a few runs
 * that never recover do not change. */
#include "paper/claims/judge.h"
#include "paper/panels.h"
#include "paper/scenarios.h"

#include "base/error.h"

#include <math.h>

static const char NAME[] = "grid/logit-arith";

static spar_status plan(const void *data, spar__paper *paper, spar_error *err)
{
    (void)data;
    return spar__paper_add_scenario(paper, "logit", "arith", err);
}

static spar_status draw(const void *data, const spar__paper *paper, spar__drawing *to, spar_error *err)
{
    (void)data;
    const spar__paper_setting *setting = spar__paper_find(paper, NAME);
    if (!setting)
        return SPAR_OK;
    spar__panel mean = {0}, median = {0};
    spar_status status = spar__panel_make(setting, SPAR__PANEL_MEAN, &mean);
    if (!status)
        status = spar__panel_make(setting, SPAR__PANEL_MEDIAN, &median);
    if (!status) {
        spar__figure figure[] = {mean.figure, median.figure};
        figure[0].title = "Mean and one standard deviation";
        figure[1].title = "Median and 5 to 95 %";
        figure[1].y_label = NULL;
        for (size_t i = 0; i < 2; i++) {
            figure[i].width = 480;
            figure[i].height = 420;
            figure[i].same_y = true;
            figure[i].band_note = NULL;
        }
        status = spar__draw_panels(figure, 2, 2, to);
    }
    spar__panel_free(&mean);
    spar__panel_free(&median);
    return status ? spar__fail(err, status, "vanilla: %s", spar_status_text(status)) : SPAR_OK;
}

/* The two that the paper speaks of. */
static spar_status find(const void *data, const spar__paper *paper, spar__buf *out)
{
    (void)data;
    const spar__paper_setting *setting = spar__paper_find(paper, NAME);
    const spar__cell *own = spar__paper_cell(setting, "IndSelfSparring"), *dts = spar__paper_cell(setting, "DTS");
    spar__regret_comparison c;
    if (!own || !dts)
        return SPAR_OK;
    if (spar__regret_compare(own, own->regret, dts->regret, &c))
        return SPAR_NOMEM;
    bool chance = fabs(c.difference.mean) <= 2 * c.difference.se;
    spar__buf_printf(out,
                     "We find a mean regret of %.0f for IndSelfSparring and of %.0f for DTS, a difference of %+.0f +- "
                     "%.0f%s; the medians are %.0f and %.0f.",
                     c.mean[0], c.mean[1], c.difference.mean, c.difference.se, chance ? ", which may be chance" : "",
                     c.median[0], c.median[1]);
    return SPAR_OK;
}

const spar__paper_figure spar__figure_vanilla = {
    .name = "vanilla",
    .title = "Dueling bandits on logit / arith",
    .says = "Nine policies that show two arms a round. IndSelfSparring competes with the best; DTS has the lowest "
            "mean, but both vary so much from run to run that they are about equal.",
    .plan = plan,
    .draw = draw,
    .find = find,
    .claim = "dts-best",
    .settings = (const char *const[]){NAME, NULL},
};
