/* policy.c - the frame around every policy: owns arms and players, guards the class against what does not fit. */
#include "policy/policy.h"

#include "base/alloc.h"
#include "types/points.h"

#include <math.h>
#include <string.h>

static spar_status add_players(spar_policy *self, spar_error *err)
{
    size_t wanted[] = {0, 1, self->m, self->arms->n}; /* by spar__players */
    size_t n = wanted[self->cls->players];
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

static spar_status build(const char *spec, spar__stack *stack, const spar_arms *arms, size_t m, uint64_t horizon,
                         uint64_t key, spar_policy **out, spar_error *err)
{
    spar_policy *self = spar__alloc(1, stack->policy->size);
    if (!self)
        return spar__fail_memory(err);
    self->cls = stack->policy;
    self->m = m;
    self->horizon = horizon;
    self->key = key;
    self->recipe = stack->mab; /* takes its values over */
    stack->mab = (spar__mab_recipe){0};
    self->spec = spar__strdup(spec);
    spar_status status = self->spec ? spar_arms_copy(arms, &self->arms) : SPAR_NOMEM;
    if (status)
        (void)spar__fail(err, status, "%s", spar_status_text(status));
    else
        status = add_players(self, err);
    if (!status && self->arms->space.kind == SPAR_SPACE_BOX && spar_round_new(m, &self->told))
        status = spar__fail_memory(err);
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
    if (!status)
        status = build(spec, &stack, arms, m, horizon, key, out, err);
    spar__stack_free(&stack);
    return status;
}

spar_status spar_policy_new(const char *spec, const spar_arms *arms, size_t m, uint64_t horizon, spar_rng *rng,
                            spar_policy **out, spar_error *err)
{
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
    spar_round_free(self->told);
    spar_arms_free(self->arms);
    spar__free(self->spec);
    spar__free(self);
}

spar_status spar_policy_choose(const spar_policy *self, spar_scratch *scratch, spar_rng *rng, spar_round *out)
{
    size_t room = self->cls->own_size ? self->arms->live : self->m;
    if (room > out->capacity && spar_round_reserve(out, room))
        return SPAR_NOMEM;
    size_t dim = self->told ? self->arms->dim : 0;
    if ((dim || out->dim) && spar_round_set_dim(out, dim))
        return SPAR_NOMEM;
    out->m = self->m;
    memset(out->memo, 0, sizeof out->memo);
    for (size_t j = 0; j < room; j++)
        out->prob[j] = 1;
    return self->cls->choose(self, scratch, rng, out);
}

/* Is there anything that this class learns from? A reward says nothing about a duel. An arm that the policy chose to
 * show alone has nobody to be compared with: nothing is missing, and time goes on. */
static bool says_something(const spar_policy *self, const spar_feedback *feedback)
{
    if (self->cls->plain)
        return feedback->rewarded[0];
    if (self->cls->own_size && feedback->m == 1)
        return true;
    for (size_t i = 0; i < feedback->m * feedback->m; i++)
        if (feedback->outcome[i] != SPAR_MISSING)
            return true;
    return false;
}

spar_status spar_policy_score(const spar_policy *self, spar_scratch *scratch, double *score)
{
    return self->cls->score(self, scratch, score);
}

/* Everyone who keeps something per arm hears of the change: first the players, then the class. */
static spar_status arms_changed(spar_policy *self, spar_error *err)
{
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < self->n_players; i++)
        status = spar__mab_resize(self->player[i]);
    if (status)
        return spar__fail(err, status, "%s: its belief can not take the change of arms: %s", self->spec,
                          spar_status_text(status));
    status = add_players(self, err);
    if (!status && self->cls->resize)
        status = self->cls->resize(self, err);
    return status;
}

/* The newest arm leaves without a trace: not everyone had room for it. Those who had keep the room, so this cannot
 * fail. */
static void take_back(spar_policy *self)
{
    spar_arms *arms = self->arms;
    arms->n--;
    arms->live--;
    if (arms->name) {
        spar__free(arms->name[arms->n]);
        arms->name[arms->n] = NULL;
    }
    while (self->cls->players == SPAR__PLAYERS_PER_ARM && self->n_players > arms->n)
        spar__mab_free(self->player[--self->n_players]);
    (void)arms_changed(self, NULL);
}

static bool fresh(const spar_policy *self, const spar_round *round, size_t j)
{
    return self->told && round->arm[j] == SPAR_FRESH;
}

static bool fits(const spar_policy *self, const spar_round *round, const spar_feedback *feedback)
{
    if (round->m != feedback->m || round->m > round->capacity || (!self->cls->own_size && round->m != self->m))
        return false;
    if (self->told && round->dim && round->m > round->x_room / round->dim)
        return false;
    for (size_t j = 0; j < round->m; j++) {
        if (fresh(self, round, j)) {
            if (round->dim != self->arms->dim || !spar_arms_admit(self->arms, round->x + j * round->dim))
                return false;
        } else if (round->arm[j] >= self->arms->n) {
            return false;
        }
    }
    return true;
}

/* The arm at a point, new if there is none. */
static spar_status arm_at(spar_policy *self, const double *x, size_t *index)
{
    const spar_arms *arms = self->arms;
    *index = spar__arm_at(arms, 0, x);
    if (*index < arms->n)
        return SPAR_OK;
    spar_status status = spar_arms_add(self->arms, x, NULL, index);
    if (!status)
        status = arms_changed(self, NULL);
    if (status && arms->n > *index)
        take_back(self);
    return status;
}

/* The round with its fresh points made arms. */
static spar_status make_arms(spar_policy *self, const spar_round *round)
{
    spar_status status = spar_round_copy(round, self->told);
    for (size_t j = 0; !status && j < round->m; j++)
        if (fresh(self, round, j))
            status = arm_at(self, round->x + j * round->dim, &self->told->arm[j]);
    return status;
}

/* The players are all of one kind, and there may be many: if the first has nothing to do, none has. */
static bool players_reserve(const spar_policy *self)
{
    const spar__posterior *belief = self->n_players ? self->player[0]->posterior : NULL;
    return belief && belief->cls->reserve;
}

static bool players_settle(const spar_policy *self)
{
    const spar__mab *player = self->n_players ? self->player[0] : NULL;
    return player && (player->cls->settle || (player->posterior && player->posterior->cls->settle));
}

static spar_status reserve(spar_policy *self, const spar_round *round)
{
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < self->n_players && players_reserve(self); i++)
        status = spar__mab_reserve(self->player[i], round->m);
    if (!status && self->cls->reserve)
        status = self->cls->reserve(self, round);
    return status;
}

spar_status spar_policy_learn(spar_policy *self, const spar_round *round, const spar_feedback *feedback)
{
    if (!fits(self, round, feedback))
        return SPAR_INVALID;
    if (!says_something(self, feedback))
        return SPAR_OK;
    size_t known = self->arms->n;
    spar_status status = self->told ? make_arms(self, round) : SPAR_OK;
    if (!status)
        status = reserve(self, self->told ? self->told : round);
    if (status) {
        while (self->arms->n > known)
            take_back(self);
        return status;
    }
    self->cls->learn(self, self->told ? self->told : round, feedback);
    for (size_t i = 0; i < self->n_players && players_settle(self); i++)
        spar__mab_settle(self->player[i]);
    self->learned++;
    return SPAR_OK;
}

static spar_status refuse_change(const spar_policy *self, spar_error *err)
{
    return spar__fail(err, SPAR_UNSUPPORTED, "%s: the arms of %s are fixed when it is built", self->spec,
                      self->cls->entry.name);
}

spar_status spar_policy_add_arm(spar_policy *self, const double *x, const char *name, size_t *index, spar_error *err)
{
    if (!self->cls->live_arms)
        return refuse_change(self, err);
    size_t at;
    spar_status status = spar_arms_add(self->arms, x, name, &at);
    if (status)
        return spar__fail(err, status, "%s: cannot add an arm: %s (the arms have %zu features each)", self->spec,
                          spar_status_text(status), self->arms->dim);
    status = arms_changed(self, err);
    if (status) {
        take_back(self);
        return status;
    }
    if (index)
        *index = at;
    return SPAR_OK;
}

spar_status spar_policy_retire_arm(spar_policy *self, size_t index, spar_error *err)
{
    if (!self->cls->live_arms)
        return refuse_change(self, err);
    if (index >= self->arms->n || !self->arms->alive[index])
        return spar__fail(err, SPAR_INVALID, "%s: no live arm %zu to retire", self->spec, index);
    if (self->arms->live == 1)
        return spar__fail(err, SPAR_INVALID, "%s: arm %zu is the last one and cannot retire", self->spec, index);
    (void)spar_arms_retire(self->arms, index);
    spar_status status = arms_changed(self, err);
    if (status) {
        self->arms->alive[index] = true;
        self->arms->live++;
        (void)arms_changed(self, NULL);
    }
    return status;
}

/* The belief that speaks for the policy. */
static const spar__posterior *belief(const spar_policy *self)
{
    bool one = self->cls->players == SPAR__PLAYERS_ONE || self->cls->players == SPAR__PLAYERS_M;
    return one ? self->player[0]->posterior : NULL;
}

spar_status spar_policy_belief(const spar_policy *self, spar_scratch *scratch, double *mean, double *sd)
{
    const spar__posterior *posterior = belief(self);
    return posterior ? posterior->cls->moments(posterior, scratch, mean, sd) : SPAR_UNSUPPORTED;
}

double spar_policy_accuracy(const spar_policy *self)
{
    double worst = 0;
    for (size_t i = 0; i < self->n_players; i++) {
        const spar__posterior *posterior = self->player[i]->posterior;
        if (posterior && posterior->cls->accuracy)
            worst = fmax(worst, posterior->cls->accuracy(posterior));
    }
    return worst;
}

const char *spar_policy_spec(const spar_policy *self)
{
    return self->spec;
}

const spar_arms *spar_policy_arms(const spar_policy *self)
{
    return self->arms;
}

size_t spar_policy_m(const spar_policy *self)
{
    return self->m;
}

uint64_t spar_policy_rounds(const spar_policy *self)
{
    return self->learned;
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
