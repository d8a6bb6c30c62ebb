/* vanilla.c - two arms a round, one scenario: the mean with its sd as in the paper, and the median, which a few runs
 * that never recover do not change. */
#include "paper/panels.h"
#include "paper/scenarios.h"

#include "base/error.h"

static const char NAME[] = "grid/logit-arith";

static spar_status plan(const void *data, spar__paper *paper, spar_error *err)
{
    (void)data;
    return spar__paper_add_scenario(paper, "logit", "arith", err);
}

static spar_status draw(const void *data, const spar__paper *paper, spar__buf *svg, spar_error *err)
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
            figure[i].width = 450;
            figure[i].height = 420;
            figure[i].band_note = NULL;
        }
        status = spar__plot_panels(figure, 2, 2, svg);
    }
    spar__panel_free(&mean);
    spar__panel_free(&median);
    return status ? spar__fail(err, status, "vanilla: %s", spar_status_text(status)) : SPAR_OK;
}

const spar__paper_figure spar__figure_vanilla = {
    .name = "vanilla",
    .title = "Dueling bandits on logit / arith",
    .says = "Nine policies that show two arms a round. IndSelfSparring competes with the best; DTS has the lowest "
            "mean, but both vary so much from run to run that they are about equal.",
    .plan = plan,
    .draw = draw,
    .settings = (const char *const[]){NAME, NULL},
};
