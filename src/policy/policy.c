/* policy.c - the frame around every policy: builds it, owns arms and players, asks it for the next round. */
#include "policy/policy.h"

#include "base/alloc.h"

#include <string.h>

enum { PURPOSE_INNER = 0x1e77e4 }; /* of the stream that gives an inner policy its key */

static size_t players_wanted(const spar_policy *self)
{
    switch (self->cls->players) {
    case SPAR__PLAYERS_ONE:
        return 1;
    case SPAR__PLAYERS_M:
        return self->m;
    case SPAR__PLAYERS_PER_ARM:
        return self->arms->n;
    default:
        return 0;
    }
}

spar_status spar__policy_add_players(spar_policy *self, spar_error *err)
{
    size_t n = players_wanted(self);
    if (n <= self->n_players)
        return SPAR_OK;
    spar__mab **player = spar__realloc(self->player, self->n_players, n, sizeof *player);
    if (!player)
        return spar__fail_memory(err);
    self->player = player;
    while (self->n_players < n) {
        spar_status status =
            spar__mab_new(&self->recipe, self->arms, self->horizon, &self->player[self->n_players], err);
        if (status)
            return status;
        self->n_players++;
    }
    return SPAR_OK;
}

/* What every policy gets when it is born. */
typedef struct birth {
    const char *spec;
    spar_arms *arms; /* to be taken over, or borrowed */
    bool borrow;
    size_t m;
    uint64_t horizon, key;
} birth;

static spar_status build(const birth *b, spar__stack *stack, spar_policy **out, spar_error *err);

static spar_status build_inner(spar_policy *self, spar__stack *stack, spar_error *err)
{
    spar_rng rng = spar__policy_stream(self, PURPOSE_INNER);
    birth b = {self->spec, self->arms, true, self->m, self->horizon, spar_rng_next(&rng)};
    return build(&b, stack, &self->inner, err);
}

/* All but the class's own part. */
static spar_status build_frame(spar_policy *self, const birth *b, spar__stack *stack, spar_error *err)
{
    self->recipe = stack->mab; /* takes its values over */
    stack->mab = (spar__mab_recipe){0};
    self->spec = spar__strdup(b->spec);
    if (!self->spec || (spar__arms_continuous(self->arms) && spar_round_new(self->m, &self->told)))
        return spar__fail_memory(err);
    spar_status status = spar__policy_add_players(self, err);
    return status || !stack->inner ? status : build_inner(self, stack->inner, err);
}

/* Takes the arms over, whatever happens, unless they are borrowed. */
static spar_status build(const birth *b, spar__stack *stack, spar_policy **out, spar_error *err)
{
    spar_policy *self = spar__alloc(1, stack->policy->size);
    if (!self) {
        if (!b->borrow)
            spar_arms_free(b->arms);
        return spar__fail_memory(err);
    }
    self->cls = stack->policy;
    self->arms = b->arms;
    self->borrows = b->borrow;
    self->m = b->m;
    self->horizon = b->horizon;
    self->key = b->key;
    spar_status status = build_frame(self, b, stack, err);
    if (!status)
        status = self->cls->init(self, &stack->values, err);
    if (status) {
        spar_policy_free(self);
        return status;
    }
    *out = self;
    return SPAR_OK;
}

spar_status spar__policy_build(const char *spec, const spar_arms *arms, size_t m, uint64_t horizon, uint64_t key,
                               spar_policy **out, spar_error *err)
{
    *out = NULL;
    spar__stack stack;
    spar_status status = spar__stack_resolve(spec, &stack, err);
    if (status)
        return status;
    status = spar__stack_check(&stack, spec, arms, m, horizon, err);
    birth b = {.spec = spec, .m = m, .horizon = horizon, .key = key};
    if (!status && (status = spar_arms_dup(arms, &b.arms)))
        (void)spar__fail(err, status, "%s: %s", spec, spar_status_text(status));
    if (!status)
        status = build(&b, &stack, out, err);
    spar__stack_free(&stack);
    return status;
}

spar_status spar_policy_new(const char *spec, const spar_arms *arms, size_t m, uint64_t horizon, spar_rng *rng,
                            spar_policy **out, spar_error *err)
{
    if (!SPAR__CLEAR(out) || !spec || !arms || !rng)
        return spar__fail_null(err);
    return spar__policy_build(spec, arms, m, horizon, spar_rng_next(rng), out, err);
}

void spar_policy_free(spar_policy *self)
{
    if (!self)
        return;
    if (self->cls->fini)
        self->cls->fini(self);
    for (size_t i = 0; i < self->n_players; i++)
        spar__mab_free(self->player[i]);
    spar__free(self->player);
    spar__values_free(&self->recipe.values);
    spar__values_free(&self->recipe.posterior_values);
    spar_policy_free(self->inner);
    spar_round_free(self->told);
    spar_round_free(self->pair);
    spar_feedback_free(self->pair_feedback);
    if (!self->borrows)
        spar_arms_free(self->arms);
    spar__free(self->spec);
    spar__free(self);
}

/* Slots of the next round; an own_size policy sets them itself and needs room for all live arms. */
static size_t slots_to_show(const spar_policy *self)
{
    size_t live = self->arms->live;
    if (self->cls->own_size)
        return live;
    return self->told || live >= self->m ? self->m : live;
}

static spar_status too_few(const spar_policy *self, spar_error *err)
{
    return spar__fail(err, SPAR_UNSUPPORTED, "%s: one live arm is left, and a comparison needs two", self->spec);
}

spar_status spar_policy_choose(const spar_policy *self, spar_scratch *scratch, spar_rng *rng, spar_round *out,
                               spar_error *err)
{
    if (!self || !scratch || !rng || !out)
        return spar__fail_null(err);
    size_t m = slots_to_show(self), dim = self->told ? self->arms->dim : 0;
    if (m < self->cls->min_m)
        return too_few(self, err);
    if ((m > out->capacity && spar__round_reserve(out, m)) || ((dim || out->dim) && spar__round_set_dim(out, dim)))
        return spar__fail_memory(err);
    out->m = m;
    out->asked = true;
    memset(out->memo, 0, sizeof out->memo);
    for (size_t j = 0; j < m; j++)
        out->prob[j] = 1;
    if (self->cls->outside)
        return self->cls->outside->choose(self, rng, out, err);
    spar_status status = self->cls->choose(self, scratch, rng, out);
    return status ? spar__policy_fail(self, status, err) : SPAR_OK;
}

const char *spar_policy_spec(const spar_policy *self)
{
    return self ? self->spec : NULL;
}

const spar_arms *spar_policy_arms(const spar_policy *self)
{
    return self ? self->arms : NULL;
}

size_t spar_policy_slots(const spar_policy *self)
{
    return self ? self->m : 0;
}

uint64_t spar_policy_rounds(const spar_policy *self)
{
    return self ? self->learned : 0;
}

bool spar_policy_distinct(const spar_policy *self)
{
    return self && self->distinct;
}

bool spar_policy_live_arms(const spar_policy *self)
{
    return self && (self->cls->live_arms && (!self->inner || spar_policy_live_arms(self->inner)));
}

spar_status spar__policy_fail(const spar_policy *self, spar_status status, spar_error *err)
{
    return status ? spar__fail(err, status, "%s: %s", self->spec, spar_status_text(status)) : SPAR_OK;
}

size_t spar__random_arm(const spar_arms *arms, spar_rng *rng)
{
    size_t skip = (size_t)spar_rng_below(rng, arms->live);
    if (arms->live == arms->n)
        return skip;
    size_t i = 0;
    while (!arms->alive[i] || skip-- > 0)
        i++;
    return i;
}

spar_rng spar__policy_stream(const spar_policy *policy, uint64_t purpose)
{
    spar_rng rng;
    spar_rng_seed(&rng, policy->key, 0, purpose);
    return rng;
}
