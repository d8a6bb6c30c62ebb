/* Approximate linearity of the links over all utilities they take, not only those of the experiments. */
#include "env/env.h"
#include "num/elementary.h"
#include "paper/paper.h"

#include <math.h>

/* The least (phi(x,z) - phi(y,z)) / phi(x,y) over x > y > z on an even grid from lo to hi. */
static double least_on_grid(spar__link link, double lo, double hi)
{
    enum { POINTS = 120 };
    double u[POINTS], least = HUGE_VAL;
    for (size_t i = 0; i < POINTS; i++)
        u[i] = lo + (hi - lo) * (double)i / (POINTS - 1);
    for (size_t x = 2; x < POINTS; x++)
        for (size_t y = 1; y < x; y++) {
            double phi = spar__link_prefer(link, u[x], u[y]) - 0.5;
            for (size_t z = 0; phi > 0 && z < y; z++) {
                double gain = spar__link_prefer(link, u[x], u[z]) - spar__link_prefer(link, u[y], u[z]);
                least = fmin(least, gain / phi);
            }
        }
    return least;
}

/* Where x and y meet the ratio becomes 4 s(D) (1 - s(D)), s the logistic function: the limit on any range of width D.
 */
static double logit_limit(double width)
{
    double s = spar__logistic(width);
    return 4 * s * (1 - s);
}

static spar_status judge(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    (void)data, (void)paper, (void)err;
    double linear = least_on_grid(SPAR__LINK_LINEAR, 0, 1), logit = least_on_grid(SPAR__LINK_LOGIT, 0, 20);
    double natural = least_on_grid(SPAR__LINK_NATURAL, 1e-6, 1);
    int failing = (linear < 0.01) + (logit < 0.01);
    spar__buf_printf(&out->numbers,
                     "linear: gamma = %.3f on [0, 1], and beyond that it is not a probability, so it is linear on "
                     "its whole domain; logit: %.3f on [0, 1] (%.3f in the limit), but %.1e on [0, 20], so none on all "
                     "utilities; natural (in the supplement): %.3f on [0.2, 0.8], but %.1e on [1e-6, 1].",
                     linear, least_on_grid(SPAR__LINK_LOGIT, 0, 1), logit_limit(1), logit,
                     least_on_grid(SPAR__LINK_NATURAL, 0.2, 0.8), natural);
    out->verdict = failing == 2 ? SPAR__HOLDS : failing ? SPAR__HOLDS_IN_PART : SPAR__DOES_NOT_HOLD;
    return SPAR_OK;
}

const spar__claim spar__claim_gamma_domain = {
    .name = "gamma-domain",
    .title = "Over their whole domains the links are not approximately linear",
    .says = "The linear and the logit link do not satisfy approximate linearity over their entire domains, only on the "
            "utilities of the experiments.",
    .test = "The least (phi(x,z) - phi(y,z)) / phi(x,y) over utilities x > y > z of a fine grid. A link fails when "
            "that falls below 0.01 as the range of utilities grows. Holds when both links fail, in part when one does.",
    .figure = "linearity",
    .exact = true,
    .judge = judge,
};
