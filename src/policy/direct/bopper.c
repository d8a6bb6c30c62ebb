/* bopper - preferential Bayesian optimisation: the winner of a draw beside the rival about which least is known.
 *
 * Gonzalez, Dai, Damianou, Lawrence, Preferential Bayesian Optimization, ICML 2017 (dueling Thompson sampling).
 *
 *     P(x beats x') = sigma(f(x, x')),   f a Gaussian process over ordered pairs (posterior/gp/pair_gp.c)
 *     first  = argmax_x of the mean over live x' of sigma(f(x, x')), for one f drawn from the posterior
 *     second = argmax_x' of the variance of sigma(f(first, x')); within 1e-9 they are equal
 *
 * A duel is one observation of (slot 0's arm, slot 1's arm), a tie half a win and half a loss. The score is the
 * posterior mean of what the first arm maximises. The second slot explores for ever.
 *
 * Cost with p distinct pairs seen, r of them in the basis and q functions for n points: O(p r^2) to learn, O(n^2 q + n
 * r^2) to choose, O(n^2 r^2) to score. 100 rounds over 30 arms on a line take 3 ms, 500 over an 8 x 8 grid 0.3 s. */
#include "policy/policy.h"

#include "posterior/gp/gp.h"

typedef struct bopper {
    spar_policy base;
    spar__posterior *belief;
} bopper;

static spar_status init(spar_policy *base, const spar__values *values, spar_error *err)
{
    bopper *self = (bopper *)base;
    if (base->arms->dim == 0)
        return spar__fail(err, SPAR_UNSUPPORTED, "%s: needs arms with features, and these have none", base->spec);
    return spar__posterior_new(&spar__posterior_pair_gp, values, base->arms, &self->belief, err);
}

static void fini(spar_policy *base)
{
    spar__posterior_free(((bopper *)base)->belief);
}

static spar_status resize(spar_policy *base, spar_error *err)
{
    spar__posterior *belief = ((bopper *)base)->belief;
    spar_status status = belief->cls->resize(belief);
    return status ? spar__fail(err, status, "%s: %s", base->spec, spar_status_text(status)) : SPAR_OK;
}

static spar_status choose(const spar_policy *base, spar_scratch *scratch, spar_rng *rng, spar_round *out)
{
    const spar__posterior *belief = ((const bopper *)base)->belief;
    const spar_arms *arms = base->arms;
    size_t mark = spar__scratch_mark(scratch);
    double *variance = spar__scratch_take(scratch, arms->n, sizeof *variance);
    spar_status status = variance ? belief->cls->best(belief, scratch, rng, 1, out->arm, NULL) : SPAR_NOMEM;
    if (!status)
        status = spar__pair_gp_variances(belief, scratch, out->arm[0], variance);
    if (!status)
        out->arm[1] = spar__argmax_within(rng, arms->n, variance, arms->alive, 1e-9);
    spar__scratch_release(scratch, mark);
    return status;
}

static spar_status score(const spar_policy *base, spar_scratch *scratch, double *value)
{
    const spar__posterior *belief = ((const bopper *)base)->belief;
    return belief->cls->moments(belief, scratch, value, NULL);
}

static spar_status reserve(spar_policy *base, const spar_round *round)
{
    spar__posterior *belief = ((bopper *)base)->belief;
    return belief->cls->reserve(belief, round->m);
}

static void learn(spar_policy *base, const spar_round *round, const spar_feedback *feedback)
{
    spar__posterior *belief = ((bopper *)base)->belief;
    belief->cls->observe_round(belief, round, feedback, 1);
    belief->cls->settle(belief);
}

static void archive(spar_policy *base, spar__archive *ar)
{
    spar__posterior *belief = ((bopper *)base)->belief;
    belief->cls->archive(belief, ar);
}

const spar__policy_class spar__policy_bopper = {
    .entry = {"bopper", "a Gaussian process over pairs: a draw's winner beside its most uncertain rival",
              "Gonzalez, Dai, Damianou, Lawrence, ICML 2017", spar__pair_gp_params},
    .size = sizeof(bopper),
    .min_m = 2,
    .max_m = 2,
    .live_arms = true,
    .pairs = true,
    .features = true,
    .recomputed = true,
    .best_share = 0.65, /* its second slot explores for ever */
    .init = init,
    .fini = fini,
    .refuses_arms = true,
    .resize = resize,
    .choose = choose,
    .reserve = reserve,
    .learn = learn,
    .score = score,
    .archive = archive,
};
