/* vanilla.c - two arms a round, one scenario: the mean with its sd as in the paper, and beside it the median, which a
 * few runs that never recover do not move. */
#include "paper/figures/figures.h"
#include "paper/panels.h"

#include "base/error.h"

static const char NAME[] = "grid/logit-arith";

static spar_status stage(spar__paper *paper, spar_error *err)
{
    return spar__stage_grid(paper, "logit", "arith", err);
}

static spar_status draw(const spar__paper *paper, spar__buf *svg, spar_error *err)
{
    const spar__scene *scene = spar__paper_scene(paper, NAME);
    if (!scene)
        return SPAR_OK;
    spar__panel mean = {0}, median = {0};
    spar_status status = spar__panel_make(scene, SPAR__PANEL_MEAN, &mean);
    if (!status)
        status = spar__panel_make(scene, SPAR__PANEL_MEDIAN, &median);
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
    .stage = stage,
    .draw = draw,
    .scene = (const char *const[]){NAME, NULL},
};
