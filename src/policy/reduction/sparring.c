/* sparring - one bandit per slot; each learns how its arm did against the others'.
 *
 * Ailon, Karnin, Joachims, Reducing Dueling Bandits to Cardinal Bandits, ICML 2014; with m > 2 slots it is the
 * MultiSparring of Sui, Zhuang, Burdick, Yue, UAI 2017.
 *
 *     slot j shows the pick of bandit j
 *     reward=mean:  bandit j learns the mean of its slot's answered duels, once
 *     reward=each:  bandit j learns every answered duel of its slot
 *
 * Cost: m picks and m (or m (m - 1)) updates. */
#include "policy/policy.h"

enum { MEAN, EACH };

typedef struct sparring {
    spar_policy base;
    bool each;
} sparring;

static spar_status init(spar_policy *base, const spar__values *values, spar_error *err)
{
    (void)err;
    sparring *self = (sparring *)base;
    self->each = spar__given(values, "reward") ? spar__choice(values, "reward") == EACH : base->recipe.cls->each_duel;
    return SPAR_OK;
}

static spar_status choose(const spar_policy *base, spar_scratch *scratch, spar_rng *rng, spar_round *out)
{
    for (size_t j = 0; j < out->m; j++) {
        const spar__mab *bandit = base->player[j];
        double *x = out->dim ? out->x + j * out->dim : NULL;
        spar_status status = bandit->cls->pick(bandit, scratch, rng, 1, false, &out->arm[j], &out->prob[j], x);
        if (status)
            return status;
    }
    return SPAR_OK;
}

static void learn(spar_policy *base, const spar_round *round, const spar_feedback *feedback)
{
    bool each = ((sparring *)base)->each;
    size_t m = round->m;
    for (size_t j = 0; j < m; j++) {
        spar__mab *bandit = base->player[j];
        double sum = 0, answered = 0;
        for (size_t k = 0; k < m; k++) {
            unsigned char answer = feedback->outcome[j * m + k];
            if (answer == SPAR_MISSING)
                continue;
            if (each)
                bandit->cls->learn(bandit, round->arm[j], spar__reward(answer), 1, round->prob[j]);
            sum += spar__reward(answer);
            answered++;
        }
        if (!each && answered > 0)
            bandit->cls->learn(bandit, round->arm[j], sum / answered, 1, round->prob[j]);
    }
}

/* The mean of what the bandits think. */
static spar_status score(const spar_policy *base, spar_scratch *scratch, double *value)
{
    size_t n = base->arms->n, mark = spar__scratch_mark(scratch);
    double *one = spar__scratch_take(scratch, n, sizeof *one);
    if (!one)
        return SPAR_NOMEM;
    for (size_t i = 0; i < n; i++)
        value[i] = 0;
    spar_status status = SPAR_OK;
    for (size_t j = 0; !status && j < base->n_players; j++) {
        status = base->player[j]->cls->score(base->player[j], scratch, one);
        for (size_t i = 0; !status && i < n; i++)
            value[i] += one[i] / (double)base->n_players;
    }
    spar__scratch_release(scratch, mark);
    return status;
}

static const spar_param params[] = {
    {"reward", SPAR_PARAM_CHOICE, "mean", 0, 0, "mean|each",
     "what a bandit learns: the mean of its slot's duels, or each of them"},
    {0},
};

const spar__policy_class spar__policy_sparring = {
    .entry = {"sparring", "one bandit per slot, each learning how its arm did", "Ailon, Karnin, Joachims, ICML 2014",
              params},
    .size = sizeof(sparring),
    .players = SPAR__PLAYERS_M,
    .min_m = 2,
    .live_arms = true,
    .box = true,
    .init = init,
    .choose = choose,
    .learn = learn,
    .score = score,
};
