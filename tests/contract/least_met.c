/* least_met - the arm that is least behind any other, beside the rival that it met least often: a policy for the
 * contract tests alone.
 *
 * It is the smallest one that is direct, has two slots, never shows an arm twice and lets arms come and go.
 * scripts/check-contributing puts it into a copy of the registry, where every contract must hold for it. */
#include "policy/direct/direct.h"
#include "posterior/posterior.h"

typedef struct least_met {
    spar_policy base;
    spar_pair_counts counts;
} least_met;

static spar_status resize(spar_policy *base, spar_error *err)
{
    return spar__pair_counts_fit(&((least_met *)base)->counts, base->arms->n) ? spar__fail_memory(err) : SPAR_OK;
}

static spar_status init(spar_policy *base, const spar__values *values, spar_error *err)
{
    (void)values;
    base->distinct = true;
    return resize(base, err);
}

static void fini(spar_policy *base)
{
    spar__pair_counts_fini(&((least_met *)base)->counts);
}

static spar_status choose(const spar_policy *base, spar_scratch *scratch, spar_rng *rng, spar_round *out)
{
    const least_met *self = (const least_met *)base;
    size_t n = base->arms->n, mark = spar__scratch_mark(scratch);
    double *value = spar__scratch_take(scratch, n, sizeof *value);
    if (!value)
        return SPAR_NOMEM;
    spar__most_behind_all(&self->counts, base->arms->alive, value);
    for (size_t i = 0; i < n; i++)
        value[i] = -value[i];
    size_t leader = spar__argmax_within(rng, n, value, base->arms->alive, 0);
    for (size_t i = 0; i < n; i++)
        value[i] = i == leader ? -INFINITY : -spar__played(&self->counts, leader, i);
    out->arm[0] = leader;
    out->arm[1] = spar__argmax_within(rng, n, value, base->arms->alive, 0);
    spar__scratch_release(scratch, mark);
    return SPAR_OK;
}

static void learn(spar_policy *base, const spar_round *round, const spar_feedback *feedback)
{
    spar__pair_counts_learn(&((least_met *)base)->counts, round, feedback, 1);
}

static void archive(spar_policy *base, spar__archive *ar)
{
    spar__pair_counts_archive(&((least_met *)base)->counts, ar);
}

const spar__policy_class spar__policy_least_met = {
    .entry = {"least_met", "who is least behind, beside the rival it met least often", NULL, NULL},
    .size = sizeof(least_met),
    .min_m = 2,
    .max_m = 2,
    .pairs = true,
    .counts = offsetof(least_met, counts),
    .live_arms = true,
    .init = init,
    .fini = fini,
    .resize = resize,
    .choose = choose,
    .learn = learn,
    .score = spar__counts_score,
    .archive = archive,
};
