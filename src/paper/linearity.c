/* linearity.c - approximate linearity: a link between two straight lines, and the links of the scenarios. */
#include "num/elementary.h"
#include "paper/paper.h"
#include "plot/plot.h"

#include <math.h>
#include <stdio.h>

enum { POINTS = 121, LINKS = SPAR__SCENARIO_LINKS };

static const double LOW = 0.2, HIGH = 0.8; /* the scenarios' utilities */

static double logit(double difference)
{
    return spar__logistic(difference) - 0.5;
}

static double logit_slope(double difference)
{
    double p = spar__logistic(difference);
    return p * (1 - p);
}

/* P(x beats y) - 1/2 = (x - y) / (2 (x + y)), of utilities with this difference, given the larger or the smaller one.
 */
static double natural_from(double larger, double difference)
{
    return difference / (2 * (2 * larger - fabs(difference)));
}

static double natural_above(double smaller, double difference)
{
    return difference / (2 * (2 * smaller + fabs(difference)));
}

/* -end ... end */
static void fill_x(double *x, double end)
{
    for (size_t i = 0; i < POINTS; i++)
        x[i] = end * (2 * (double)i / (POINTS - 1) - 1);
}

typedef struct link_panel {
    double x[POINTS], y[4][POINTS], lo[POINTS], hi[POINTS];
    char label[LINKS][64];
    spar__series series[LINKS];
} link_panel;

/* The logit link on [-1, 1]: it is steepest at 0, flattest at the ends, and gamma is how much flatter. */
static spar__figure draw_bound(link_panel *p)
{
    double steep = logit_slope(0), flat = logit_slope(1);
    fill_x(p->x, 1);
    for (size_t i = 0; i < POINTS; i++) {
        p->y[0][i] = logit(p->x[i]);
        p->y[1][i] = steep * p->x[i];
        p->y[2][i] = flat * p->x[i];
        p->lo[i] = fmin(p->y[1][i], p->y[2][i]);
        p->hi[i] = fmax(p->y[1][i], p->y[2][i]);
    }
    (void)snprintf(p->label[2], sizeof p->label[2], "\xCE\xB3 times that slope, \xCE\xB3 = %.3f", flat / steep);
    p->series[0] = (spar__series){"\xCE\xA6, the logit link", POINTS, p->x, p->y[0], NULL, NULL, 1, false};
    p->series[1] = (spar__series){"the slope of \xCE\xA6 at 0", POINTS, p->x, p->y[1], NULL, NULL, 29, false};
    p->series[2] = (spar__series){p->label[2], POINTS, p->x, p->y[2], p->lo, p->hi, 17, false};
    return (spar__figure){.title = "A link between two lines",
                          .subtitle = "\xCE\xA6(a + b) \xE2\x88\x92 \xCE\xA6(b) \xE2\x89\xA5 \xCE\xB3 \xCE\xA6(a)",
                          .x_label = "difference of utilities",
                          .y_label = "P(win) \xE2\x88\x92 \xC2\xBD",
                          .n_series = 3,
                          .series = p->series,
                          .width = 450,
                          .height = 400,
                          .legend_below = true};
}

/* The three links on the range of the scenarios. The natural link depends on more than the difference. */
static spar_status draw_links(link_panel *p, spar__figure *out, spar_error *err)
{
    fill_x(p->x, HIGH - LOW);
    for (size_t i = 0; i < POINTS; i++) {
        p->y[0][i] = p->x[i] / 2;
        p->y[1][i] = logit(p->x[i]);
        p->y[2][i] = natural_from(HIGH, p->x[i]);
        double other = natural_above(LOW, p->x[i]);
        p->lo[i] = fmin(p->y[2][i], other);
        p->hi[i] = fmax(p->y[2][i], other);
    }
    for (size_t i = 0; i < LINKS; i++) {
        const char *link = spar__scenario_links[i];
        spar__transitivity law; /* of arith; 2good, 6good and geom have the same gamma */
        spar_status status = spar__scenario_measure(link, "arith", &law, err);
        if (status)
            return status;
        (void)snprintf(p->label[i], sizeof p->label[i], "%s, \xCE\xB3 = %.3f", link, law.linearity);
        p->series[i] = (spar__series){.label = p->label[i], .n = POINTS, .x = p->x, .y = p->y[i]};
    }
    p->series[0].color = 3;
    p->series[1].color = 1;
    p->series[2].color = 2;
    p->series[2].lo = p->lo;
    p->series[2].hi = p->hi;
    *out = (spar__figure){.title = "The links of the scenarios",
                          .subtitle = "utilities from 0.2 to 0.8",
                          .x_label = "difference of utilities",
                          .n_series = LINKS,
                          .series = p->series,
                          .width = 450,
                          .height = 400,
                          .legend_below = true,
                          .band_note = "natural: the line is against the best arm, the band any two utilities"};
    return SPAR_OK;
}

static spar_status draw(const void *data, const spar__paper *paper, spar__drawing *to, spar_error *err)
{
    (void)data, (void)paper;
    link_panel bound, links;
    spar__figure figure[2] = {draw_bound(&bound)};
    spar_status status = draw_links(&links, &figure[1], err);
    if (!status && (status = spar__draw_panels(figure, 2, 2, to)))
        (void)spar__fail_memory(err);
    return status;
}

const spar__paper_figure spar__figure_linearity = {
    .name = "linearity",
    .title = "Approximate linearity",
    .says = "Differences of preferences are at least \xCE\xB3 times what a straight line gives; any increasing link on "
            "a bounded range satisfies this with some \xCE\xB3 > 0, and the linear one with \xCE\xB3 = 1.",
    .draw = draw,
};
