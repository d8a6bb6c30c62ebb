/* rewards - a plain bandit: a slot is worth 1 with its arm's probability mu, else 0. Slots are not compared. */
#include "base/alloc.h"
#include "env/env.h"

#include <string.h>

typedef struct rewards {
    size_t n;
    double *mu;
} rewards;

static const spar_param params[] = {
    {"mu", SPAR_PARAM_NUMBERS, NULL, 0, 1, NULL, "the mean reward of each arm"},
    {0},
};

static spar_status init(void *self, const spar__values *values, spar_error *err)
{
    rewards *r = self;
    const spar__value *mu = spar__value_of(values, "mu");
    if (!mu->given)
        return spar__fail(err, SPAR_INVALID, "rewards: mu= is needed, for example rewards(mu=0.8:0.5)");
    r->mu = spar__alloc(mu->n, sizeof *r->mu);
    if (!r->mu)
        return spar__fail_memory(err);
    r->n = mu->n;
    memcpy(r->mu, mu->numbers, mu->n * sizeof *r->mu);
    return SPAR_OK;
}

static void fini(void *self)
{
    spar__free(((rewards *)self)->mu);
}

static spar_status start(const void *self, uint64_t seed, uint64_t run, spar_world *world, spar_error *err)
{
    (void)err;
    const rewards *r = self;
    size_t *order = NULL;
    spar_status status = spar__world_set_values(world, seed, run, r->n, r->mu, &order);
    if (!status)
        status = spar__world_set_arms(world, order, r->n, 0, NULL, NULL);
    if (!status)
        status = spar__world_set_utilities(world);
    spar__free(order);
    return status;
}

const spar__env_class spar__env_rewards = {
    .entry = {"rewards", "a plain bandit: one slot, rewards of 0 or 1", NULL, params},
    .plain = true,
    .has_utilities = true,
    .size = sizeof(rewards),
    .init = init,
    .fini = fini,
    .start = start,
};
