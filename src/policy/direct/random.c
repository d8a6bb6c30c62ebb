/* random - m uniform arms, whatever was answered: the base line of every comparison, and plain uniform exploration.
 *
 * The score of an arm is the share of its duels that it won (a tie is half a win). Cost O(m^2). */
#include "policy/policy.h"

#include "base/alloc.h"
#include "types/arms.h"

typedef struct random_policy {
    spar_policy base;
    double *won, *duels; /* per arm */
    spar__per_arm size;
} random_policy;

static spar_status resize(spar_policy *base, spar_error *err)
{
    random_policy *self = (random_policy *)base;
    double **const arrays[] = {&self->won, &self->duels};
    return spar__per_arm_fit(&self->size, base->arms, 2, arrays) ? spar__fail_memory(err) : SPAR_OK;
}

static void fini(spar_policy *base)
{
    random_policy *self = (random_policy *)base;
    spar__free(self->won);
    spar__free(self->duels);
}

static spar_status choose(const spar_policy *base, spar_scratch *scratch, spar_rng *rng, spar_round *out)
{
    (void)scratch;
    for (size_t j = 0; j < out->m; j++)
        out->arm[j] = spar__random_arm(base->arms, rng);
    return SPAR_OK;
}

static void learn(spar_policy *base, const spar_round *round, const spar_feedback *feedback)
{
    random_policy *self = (random_policy *)base;
    size_t m = round->m;
    for (size_t j = 0; j < m; j++) {
        for (size_t k = 0; k < m; k++) {
            unsigned char answer = feedback->outcome[j * m + k];
            if (answer == SPAR_MISSING || round->arm[j] == round->arm[k])
                continue;
            self->won[round->arm[j]] += spar__reward(answer);
            self->duels[round->arm[j]] += 1;
        }
    }
}

static spar_status score(const spar_policy *base, spar_scratch *scratch, double *value)
{
    (void)scratch;
    const random_policy *self = (const random_policy *)base;
    for (size_t i = 0; i < self->size.n; i++)
        value[i] = self->duels[i] > 0 ? self->won[i] / self->duels[i] : 0.5;
    return SPAR_OK;
}

static void archive(spar_policy *base, spar__archive *ar)
{
    random_policy *self = (random_policy *)base;
    spar__archive_f64s(ar, self->won, self->size.n);
    spar__archive_f64s(ar, self->duels, self->size.n);
    for (size_t i = 0; i < self->size.n; i++)
        spar__archive_check(ar, self->won[i] >= 0 && self->won[i] <= self->duels[i] && self->duels[i] <= 0x1p53);
}

const spar__policy_class spar__policy_random = {
    .entry = {"random", "uniform arms, whatever was answered", NULL, NULL},
    .size = sizeof(random_policy),
    .min_m = 2,
    .live_arms = true,
    .baseline = true,
    .after_change = SPAR__SAME_RANK,
    .fini = fini,
    .resize = resize,
    .choose = choose,
    .learn = learn,
    .score = score,
    .archive = archive,
};
