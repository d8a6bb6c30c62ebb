/* gamma.c - claims about approximate linearity: the gamma of the 15 scenarios, of the links over all utilities that
 * they take, of any increasing link, and what gamma implies. Exact: nothing is simulated. */
#include "base/error.h"
#include "env/env.h"
#include "num/elementary.h"
#include "paper/paper.h"
#include "prefer/prefer.h"

#include <math.h>

enum { LINKS = SPAR__SCENARIO_LINKS, SETS = SPAR__SCENARIO_SETS };

spar_status spar__judge_gamma(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    (void)data, (void)paper;
    double least[LINKS] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    size_t good = 0;
    for (size_t i = 0; i < LINKS; i++) {
        spar__buf_printf(&out->numbers, "%s%s", i ? "" : "gamma: ", spar__scenario_links[i]);
        for (size_t s = 0; s < SETS; s++) {
            spar__transitivity t;
            spar_status status = spar__scenario_measure(spar__scenario_links[i], spar__scenario_sets[s], &t, err);
            if (status)
                return status;
            if (t.has_linearity) {
                spar__buf_printf(&out->numbers, " %s %.4f", spar__scenario_sets[s], t.linearity);
                least[i] = fmin(least[i], t.linearity);
            } else {
                spar__buf_printf(&out->numbers, " %s any", spar__scenario_sets[s]);
            }
            spar__buf_adds(&out->numbers, s + 1 < SETS ? "," : i + 1 < LINKS ? "; " : ".");
        }
        good += least[i] > 0;
    }
    spar__buf_printf(&out->brief,
                     "We find that the scenarios are approximately linear with gamma = %.3f (linear), %.3f (logit) and "
                     "%.3f (natural).",
                     least[0], least[1], least[2]);
    spar__buf_adds(&out->numbers, " (On 1good no three arms are ordered strictly, so any gamma will do.)");
    out->verdict = good == LINKS ? SPAR__HOLDS : good ? SPAR__HOLDS_IN_PART : SPAR__DOES_NOT_HOLD;
    return SPAR_OK;
}

/* Approximate linearity of the links over all utilities they take, not only those of the experiments. */

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

spar_status spar__judge_gamma_domain(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
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

/* Is every increasing link approximately linear on bounded utilities? */

enum { SIZES = 3, MOST = 1000 };
static const size_t sizes[SIZES] = {10, 100, MOST};

/* Continuous and strictly increasing from 0 to 1, and flat at 1. */
static double sine(double difference)
{
    return spar__sin(difference * 1.57079632679489661923) / 2;
}

static double logit(double difference)
{
    return spar__logistic(difference) - 0.5;
}

/* gamma of utilities 0, 1/n, ..., 1: the least (Phi(a + b) - Phi(b)) / Phi(a) over differences a, b > 0. */
static double gamma_of(double (*link)(double difference), size_t n)
{
    double phi[MOST + 1], least = HUGE_VAL;
    for (size_t i = 0; i <= n; i++)
        phi[i] = link((double)i / (double)n);
    for (size_t a = 1; a < n; a++)
        for (size_t b = 1; a + b <= n; b++)
            least = fmin(least, (phi[a + b] - phi[b]) / phi[a]);
    return least;
}

spar_status spar__judge_gamma_any(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    (void)data, (void)paper, (void)err;
    double flat[SIZES], steep[SIZES];
    for (size_t i = 0; i < SIZES; i++) {
        flat[i] = gamma_of(sine, sizes[i]);
        steep[i] = gamma_of(logit, sizes[i]);
    }
    spar__buf_printf(&out->numbers,
                     "gamma on 11, 101, 1001 utilities evenly over [0, 1]: Phi(d) = sin(pi d / 2) / 2 has %.4f, %.4f, "
                     "%.4f, so none on all of them; the logit link has %.4f, %.4f, %.4f. A slope bounded away from 0 "
                     "and infinity is enough; finitely many utilities always have some gamma.",
                     flat[0], flat[1], flat[2], steep[0], steep[1], steep[2]);
    bool vanishes = flat[1] < flat[0] / 5 && flat[2] < flat[1] / 5;
    out->verdict = vanishes ? SPAR__DOES_NOT_HOLD : SPAR__HOLDS;
    return SPAR_OK;
}

/* Does approximate linearity imply strong stochastic transitivity? */

spar_status spar__judge_gamma_strong(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    (void)data;
    static const double p[] = {0.5, 0.9, 0.7, 0.1, 0.5, 0.6, 0.3, 0.4, 0.5};
    spar__transitivity t;
    (void)paper;
    if (spar__transitivity_measure(3, p, &t))
        return spar__fail_memory(err);
    spar__buf_printf(
        &out->numbers,
        "With phi(1,2) = %.1f, phi(2,3) = %.1f, phi(1,3) = %.1f gamma is %.2f, but phi(1,3) < phi(1,2). It is "
        "stricter for gamma >= 1; and preferences that come from utilities by an increasing link are "
        "strongly transitive anyway.",
        p[1] - 0.5, p[5] - 0.5, p[2] - 0.5, t.linearity);
    bool refuted = t.has_linearity && t.linearity > 0 && t.strong.count > 0;
    out->verdict = refuted ? SPAR__DOES_NOT_HOLD : SPAR__HOLDS;
    return SPAR_OK;
}
