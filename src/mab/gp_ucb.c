/* gp_ucb - optimism over a belief: plays the arm whose mean and uncertainty together promise most.
 *
 * Srinivas, Krause, Kakade, Seeger, Gaussian process optimization in the bandit setting, ICML 2010; under sparring it
 * is the GP-Sparring of Sui, Zhuang, Burdick, Yue, UAI 2017.
 *
 *     argmax_i  mean_i + sqrt(beta_t) sd_i,     beta_t = 2 log(K t^2 pi^2 / (6 delta)) / scale
 *
 * with t = 1 + the rounds learned, K live arms, and scale = 5 as in the paper's experiments. Values within 1e-7 of the
 * largest are ties, broken at random. Cost: the belief's moments. */
#include "mab/mab.h"
#include "num/elementary.h"
#include "posterior/posterior.h"

#include <math.h>

static const double tie = 1e-7;

typedef struct gp_ucb {
    spar__mab base;
    double delta, scale;
    uint64_t rounds; /* learned so far */
    bool learning;   /* something of the current round came */
} gp_ucb;

static spar_status init(spar__mab *base, const spar__values *values, spar_error *err)
{
    (void)err;
    gp_ucb *self = (gp_ucb *)base;
    self->delta = spar__number(values, "delta");
    self->scale = spar__number(values, "scale");
    return SPAR_OK;
}

static void forget(spar__mab *base)
{
    gp_ucb *self = (gp_ucb *)base;
    self->rounds = 0;
    self->learning = false;
}

static spar_status pick(const spar__mab *base, spar_scratch *scratch, spar_rng *rng, size_t m, bool distinct,
                        size_t *arm, double *prob, double *x)
{
    (void)distinct, (void)x;
    const gp_ucb *self = (const gp_ucb *)base;
    const spar__posterior *belief = base->posterior;
    size_t n = base->arms->n, mark = spar__scratch_mark(scratch);
    double *bound = spar__scratch_take(scratch, n, sizeof *bound);
    double *sd = spar__scratch_take(scratch, n, sizeof *sd);
    spar_status status = bound && sd ? belief->cls->moments(belief, scratch, bound, sd) : SPAR_NOMEM;
    static const double pi_squared = 9.86960440108935861883;
    double t = (double)self->rounds + 1, k = (double)base->arms->live;
    double wide = sqrt(2 * (spar__log(k * pi_squared / (6 * self->delta)) + 2 * spar__log(t)) / self->scale);
    for (size_t i = 0; !status && i < n; i++)
        bound[i] += wide * sd[i];
    for (size_t j = 0; !status && j < m; j++) {
        arm[j] = spar__argmax_within(rng, n, bound, base->arms->alive, tie);
        prob[j] = 1;
    }
    spar__scratch_release(scratch, mark);
    return status;
}

static void learn(spar__mab *base, size_t arm, double reward, double weight, double prob)
{
    (void)prob;
    base->posterior->cls->observe(base->posterior, arm, reward, weight);
    ((gp_ucb *)base)->learning = true;
}

static void settle(spar__mab *base)
{
    gp_ucb *self = (gp_ucb *)base;
    self->rounds += self->learning;
    self->learning = false;
}

static spar_status score(const spar__mab *base, spar_scratch *scratch, double *value)
{
    return base->posterior->cls->moments(base->posterior, scratch, value, NULL);
}

static void archive(spar__mab *base, spar__archive *ar)
{
    spar__archive_u64(ar, &((gp_ucb *)base)->rounds);
}

static const spar_param params[] = {
    {"delta", SPAR_PARAM_NUMBER, "0.1", 1e-12, 1, NULL, "probability with which a bound may fail"},
    {"scale", SPAR_PARAM_NUMBER, "5", 0.01, 1e6, NULL, "beta_t is divided by this; 1 is the theory's"},
    {0},
};

extern const spar__mab_class spar__mab_gp_ucb;
const spar__mab_class spar__mab_gp_ucb = {
    .entry = {"gp_ucb", "plays the arm with the highest mean + sqrt(beta_t) sd of a belief",
              "Srinivas, Krause, Kakade, Seeger, ICML 2010", params},
    .size = sizeof(gp_ucb),
    .wants_posterior = true,
    .standard_posterior = "gp",
    .each_duel = true,
    .init = init,
    .forget = forget,
    .pick = pick,
    .learn = learn,
    .settle = settle,
    .score = score,
    .archive = archive,
};
