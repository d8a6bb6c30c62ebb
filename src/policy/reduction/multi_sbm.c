/* multi_sbm - one bandit per arm: the bandit of the left arm looks for one that beats it.
 *
 * Ailon, Karnin, Joachims, Reducing Dueling Bandits to Cardinal Bandits, ICML 2014, Algorithm MultiSBM.
 *
 *     left = the right arm of the round before (at first any arm),  right = pick of the left arm's bandit
 *     that bandit learns whether right won
 *
 * The score of an arm is how often it was chosen on the right. Cost: one pick and one update; memory O(K^2). */
#include "policy/policy.h"

#include "base/alloc.h"
#include "types/arms.h"

typedef struct multi_sbm {
    spar_policy base;
    size_t left;   /* the right arm of the last round, or NO_LEFT_ARM */
    double *plays; /* times an arm was chosen on the right */
    spar__per_arm size;
} multi_sbm;

#define NO_LEFT_ARM SIZE_MAX

static spar_status resize(spar_policy *base, spar_error *err)
{
    multi_sbm *self = (multi_sbm *)base;
    double **const arrays[] = {&self->plays};
    return spar__per_arm_fit(&self->size, base->arms, 1, arrays) ? spar__fail_memory(err) : SPAR_OK;
}

static spar_status init(spar_policy *base, const spar__values *values, spar_error *err)
{
    (void)err;
    (void)values;
    ((multi_sbm *)base)->left = NO_LEFT_ARM;
    return SPAR_OK;
}

static void fini(spar_policy *base)
{
    spar__free(((multi_sbm *)base)->plays);
}

static spar_status choose(const spar_policy *base, spar_scratch *scratch, spar_rng *rng, spar_round *out)
{
    const multi_sbm *self = (const multi_sbm *)base;
    bool known = self->left != NO_LEFT_ARM && base->arms->alive[self->left];
    out->arm[0] = known ? self->left : spar__random_arm(base->arms, rng);
    const spar__mab *bandit = base->player[out->arm[0]];
    return bandit->cls->pick(bandit, scratch, rng, 1, false, &out->arm[1], &out->prob[1], NULL);
}

static void learn(spar_policy *base, const spar_round *round, const spar_feedback *feedback)
{
    multi_sbm *self = (multi_sbm *)base;
    spar__mab *bandit = base->player[round->arm[0]];
    double reward = spar__reward(feedback->outcome[1 * 2 + 0]); /* slot 1 against slot 0 */
    bandit->cls->learn(bandit, round->arm[1], reward, 1, round->prob[1]);
    self->plays[round->arm[1]] += 1;
    if (round->asked)
        self->left = round->arm[1];
}

static spar_status score(const spar_policy *base, spar_scratch *scratch, double *value)
{
    (void)scratch;
    const multi_sbm *self = (const multi_sbm *)base;
    for (size_t i = 0; i < self->size.n; i++)
        value[i] = self->plays[i];
    return SPAR_OK;
}

static void archive(spar_policy *base, spar__archive *ar)
{
    multi_sbm *self = (multi_sbm *)base;
    spar__archive_size(ar, &self->left);
    spar__archive_check(ar, self->left == NO_LEFT_ARM || self->left < self->size.n);
    spar__archive_f64s(ar, self->plays, self->size.n);
    for (size_t i = 0; i < self->size.n; i++)
        spar__archive_check(ar, self->plays[i] >= 0 && self->plays[i] <= 0x1p53);
}

const spar__policy_class spar__policy_multi_sbm = {
    .entry = {"multi_sbm", "one bandit per arm, looking for one that beats it", "Ailon, Karnin, Joachims, ICML 2014",
              NULL},
    .size = sizeof(multi_sbm),
    .players = SPAR__PLAYERS_PER_ARM,
    .min_m = 2,
    .max_m = 2,
    .live_arms = true,
    .init = init,
    .fini = fini,
    .resize = resize,
    .choose = choose,
    .learn = learn,
    .score = score,
    .archive = archive,
};
