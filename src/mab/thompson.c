/* thompson - plays an arm with the probability that it is the best.
 *
 * W. R. Thompson, Biometrika 1933; regret: Agrawal and Goyal, COLT 2012; Kaufmann, Korda, Munos, ALT 2012.
 *
 *     theta ~ belief, play argmax_i theta_i over the live arms
 *
 * Everything it knows is its belief. Cost: that of the belief's best(). */
#include "mab/mab.h"
#include "posterior/posterior.h"

#include <math.h>

/* Slot j draws a fresh sample and takes its best live arm not yet taken. */
static spar_status pick_distinct(const spar__mab *self, spar_scratch *scratch, spar_rng *rng, size_t m, size_t *arm)
{
    const spar__posterior *belief = self->posterior;
    if (belief->cls->best_distinct)
        return belief->cls->best_distinct(belief, scratch, rng, m, arm);
    size_t n = self->arms->n, mark = spar__scratch_mark(scratch);
    double *theta = spar__scratch_take(scratch, n, sizeof *theta);
    spar_status status = theta ? SPAR_OK : SPAR_NOMEM;
    for (size_t j = 0; !status && j < m; j++) {
        status = belief->cls->draw(belief, scratch, rng, theta);
        if (status)
            break;
        for (size_t i = 0; i < n; i++)
            if (!self->arms->alive[i])
                theta[i] = -INFINITY;
        for (size_t k = 0; k < j; k++)
            theta[arm[k]] = -INFINITY;
        arm[j] = spar__argmax(rng, n, theta);
    }
    spar__scratch_release(scratch, mark);
    return status;
}

static spar_status pick(const spar__mab *self, spar_scratch *scratch, spar_rng *rng, size_t m, bool distinct,
                        size_t *arm, double *prob, double *x)
{
    for (size_t j = 0; j < m; j++)
        prob[j] = 1;
    if (distinct)
        return pick_distinct(self, scratch, rng, m, arm);
    return self->posterior->cls->best(self->posterior, scratch, rng, m, arm, x);
}

static void learn(spar__mab *self, size_t arm, double reward, double weight, double prob)
{
    (void)prob;
    self->posterior->cls->observe(self->posterior, arm, reward, weight);
}

static void learn_round(spar__mab *self, const spar_round *round, const spar_feedback *feedback, double weight)
{
    self->posterior->cls->observe_round(self->posterior, round, feedback, weight);
}

static spar_status score(const spar__mab *self, spar_scratch *scratch, double *value)
{
    return self->posterior->cls->moments(self->posterior, scratch, value, NULL);
}

extern const spar__mab_class spar__mab_thompson;
const spar__mab_class spar__mab_thompson = {
    .entry = {"thompson", "plays an arm with the probability that it is best", "Thompson, Biometrika 1933", NULL},
    .size = sizeof(spar__mab),
    .wants_posterior = true,
    .standard_posterior = "beta",
    .randomised = true,
    .distinct = true,
    .box = true,
    .pick = pick,
    .learn = learn,
    .learn_round = learn_round,
    .score = score,
};
