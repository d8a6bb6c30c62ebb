/* doubler - in epochs of doubling length one bandit plays against what it played in the epoch before.
 *
 * Ailon, Karnin, Joachims, Reducing Dueling Bandits to Cardinal Bandits, ICML 2014, Algorithm Doubler.
 *
 *     epoch i = 1, 2, ... has 2^i rounds; before it the bandit forgets everything (reset=1)
 *     left  ~ uniform over the right arms of the epoch before (of the first epoch: one random arm)
 *     right = pick of the bandit, which learns whether right won
 *
 * The multiset of right arms is kept as counts, so memory is O(K) however long the epoch. The memo holds the epoch of
 * the question: an answer that comes an epoch late does not teach the new bandit. Cost O(K). */
#include "policy/policy.h"

#include "base/alloc.h"
#include "types/arms.h"

#include <math.h>

enum { PURPOSE_FIRST_ARM = 1 };

typedef struct doubler {
    spar_policy base;
    bool reset;
    uint64_t epoch, left_in_epoch;
    double *before, *now; /* times each arm was right in the epoch before, and in this one */
    spar__per_arm size;
} doubler;

static spar_status resize(spar_policy *base, spar_error *err)
{
    doubler *self = (doubler *)base;
    double **const arrays[] = {&self->before, &self->now};
    return spar__per_arm_fit(&self->size, base->arms, 2, arrays) ? spar__fail_memory(err) : SPAR_OK;
}

static spar_status init(spar_policy *base, const spar__values *values, spar_error *err)
{
    doubler *self = (doubler *)base;
    self->reset = spar__number(values, "reset") == 1;
    self->epoch = 1;
    self->left_in_epoch = 2;
    spar_status status = resize(base, err);
    if (status)
        return status;
    spar_rng rng = spar__policy_stream(base, PURPOSE_FIRST_ARM);
    self->before[spar__random_arm(base->arms, &rng)] = 1;
    return SPAR_OK;
}

static void fini(spar_policy *base)
{
    doubler *self = (doubler *)base;
    spar__free(self->before);
    spar__free(self->now);
}

static size_t left_arm(const doubler *self, spar_rng *rng)
{
    const spar_arms *arms = self->base.arms;
    double total = 0;
    for (size_t i = 0; i < self->size.n; i++)
        total += arms->alive[i] ? self->before[i] : 0;
    if (total == 0) /* all of them have retired */
        return spar__random_arm(arms, rng);
    double skip = (double)spar_rng_below(rng, (uint64_t)total);
    size_t i = 0;
    while (!arms->alive[i] || (skip -= self->before[i]) >= 0)
        i++;
    return i;
}

static spar_status choose(const spar_policy *base, spar_scratch *scratch, spar_rng *rng, spar_round *out)
{
    const doubler *self = (const doubler *)base;
    const spar__mab *bandit = base->player[0];
    out->memo[0] = (int64_t)self->epoch;
    out->arm[0] = left_arm(self, rng);
    return bandit->cls->pick(bandit, scratch, rng, 1, false, &out->arm[1], &out->prob[1], NULL);
}

static void learn(spar_policy *base, const spar_round *round, const spar_feedback *feedback)
{
    doubler *self = (doubler *)base;
    spar__mab *bandit = base->player[0];
    if (round->memo[0] != (int64_t)self->epoch)
        return;
    double reward = spar__reward(feedback->outcome[1 * 2 + 0]); /* slot 1 against slot 0 */
    bandit->cls->learn(bandit, round->arm[1], reward, 1, round->prob[1]);
    self->now[round->arm[1]] += 1;
    if (--self->left_in_epoch == 0) {
        double *spent = self->before;
        self->before = self->now;
        self->now = spent;
        for (size_t i = 0; i < self->size.n; i++)
            self->now[i] = 0;
        self->epoch++;
        self->left_in_epoch = UINT64_C(1) << (self->epoch < 63 ? self->epoch : 63);
        if (self->reset)
            spar__mab_forget(self->base.player[0]);
    }
}

/* How often the arm was right in the epoch before and in this one: the bandit alone would know nothing at the start of
 * an epoch. */
static spar_status score(const spar_policy *base, spar_scratch *scratch, double *value)
{
    (void)scratch;
    const doubler *self = (const doubler *)base;
    for (size_t i = 0; i < self->size.n; i++)
        value[i] = self->before[i] + self->now[i];
    return SPAR_OK;
}

/* Whole numbers whose sum is exact: left_arm relies on it. */
static bool are_counts(const double *count, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(count[i] >= 0 && count[i] == floor(count[i])))
            return false;
        sum += count[i];
    }
    return sum < 0x1p53;
}

static void archive(spar_policy *base, spar__archive *ar)
{
    doubler *self = (doubler *)base;
    spar__archive_u64(ar, &self->epoch);
    spar__archive_u64(ar, &self->left_in_epoch);
    spar__archive_f64s(ar, self->before, self->size.n);
    spar__archive_f64s(ar, self->now, self->size.n);
    spar__archive_check(ar, self->left_in_epoch > 0 && self->epoch > 0 && self->epoch < INT64_MAX);
    spar__archive_check(ar, are_counts(self->before, self->size.n) && are_counts(self->now, self->size.n));
}

static const spar_param params[] = {
    {"reset", SPAR_PARAM_INTEGER, "1", 0, 1, NULL, "1: the bandit forgets everything when an epoch begins"},
    {0},
};

const spar__policy_class spar__policy_doubler = {
    .entry = {"doubler", "one bandit against its own past, in epochs of doubling length",
              "Ailon, Karnin, Joachims, ICML 2014", params},
    .size = sizeof(doubler),
    .players = SPAR__PLAYERS_ONE,
    .min_m = 2,
    .max_m = 2,
    .live_arms = true,
    .asked_only = "its left arm must be drawn from those of the epoch before",
    .init = init,
    .fini = fini,
    .resize = resize,
    .choose = choose,
    .learn = learn,
    .score = score,
    .archive = archive,
};
