/* arms.c - arms that come and go, for every policy that allows it. */
#include "policy/policy.h"

#include "base/alloc.h"

/* Everything that keeps something per arm follows the change: players, inner policy, class. */
spar_status spar__policy_arms_changed(spar_policy *self, spar_error *err)
{
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < self->n_players; i++)
        status = spar__mab_resize(self->player[i]);
    if (status)
        return spar__fail(err, status, "%s: its belief cannot take the change of arms: %s", self->spec,
                          spar_status_text(status));
    status = spar__policy_add_players(self, err);
    if (!status && self->inner)
        status = spar__policy_arms_changed(self->inner, err);
    if (!status && self->cls->resize)
        status = self->cls->resize(self, err);
    return status;
}

bool spar__policy_takes_arms(const spar_policy *self)
{
    bool takes = self->cls->live_arms && !self->cls->refuses_arms;
    const spar__posterior *belief = self->n_players ? self->player[0]->posterior : NULL;
    return takes && (!belief || belief->cls->any_arms) && (!self->inner || spar__policy_takes_arms(self->inner));
}

/* Players of arms that are no more. */
static void drop_players(spar_policy *self)
{
    while (self->cls->players == SPAR__PLAYERS_PER_ARM && self->n_players > self->arms->n)
        spar__mab_free(self->player[--self->n_players]);
    if (self->inner)
        drop_players(self->inner);
}

/* The newest arm leaves without a trace: not everyone had room for it. Those who had keep the room, so this cannot
 * fail. */
void spar__policy_take_back(spar_policy *self)
{
    spar_arms *arms = self->arms;
    arms->n--;
    arms->live--;
    arms->turned = 0;
    if (arms->name) {
        spar__free(arms->name[arms->n]);
        arms->name[arms->n] = NULL;
    }
    drop_players(self);
    (void)spar__policy_arms_changed(self, NULL);
}

static spar_status refuse_change(const spar_policy *self, spar_error *err)
{
    return spar__fail(err, SPAR_UNSUPPORTED, "%s: the arms of %s are fixed when it is built", self->spec,
                      self->cls->entry.name);
}

spar_status spar_policy_add_arm(spar_policy *self, const double *x, const char *name, size_t *index, spar_error *err)
{
    if (!self)
        return spar__fail_null(err);
    if (!spar_policy_live_arms(self))
        return refuse_change(self, err);
    size_t at;
    spar_status status = spar_arms_add(self->arms, x, name, &at);
    if (status)
        return spar__fail(err, status, "%s: cannot add an arm: %s (the arms have %zu features each)", self->spec,
                          spar_status_text(status), self->arms->dim);
    status = spar__policy_arms_changed(self, err);
    if (status) {
        spar__policy_take_back(self);
        return status;
    }
    if (index)
        *index = at;
    return SPAR_OK;
}

spar_status spar_policy_retire_arm(spar_policy *self, size_t index, spar_error *err)
{
    if (!self)
        return spar__fail_null(err);
    if (!spar_policy_live_arms(self))
        return refuse_change(self, err);
    if (index >= self->arms->n || !self->arms->alive[index])
        return spar__fail(err, SPAR_INVALID, "%s: no live arm %zu to retire", self->spec, index);
    if (self->arms->live == 1)
        return spar__fail(err, SPAR_INVALID, "%s: arm %zu is the last one and cannot retire", self->spec, index);
    (void)spar_arms_retire(self->arms, index);
    spar_status status = spar__policy_arms_changed(self, err);
    if (status) {
        self->arms->alive[index] = true;
        self->arms->live++;
        (void)spar__policy_arms_changed(self, NULL);
    }
    return status;
}
