/* learn.c - what every policy does with an answer before its class sees it.
 *
 * The round is checked, points of a continuous space become arms, room is made for all that may be needed, and only
 * then does anything change: learning either fails and changes nothing, or cannot fail any more. */
#include "policy/policy.h"

#include "types/arms.h"

static bool fresh(const spar_policy *self, const spar_round *round, size_t j)
{
    return self->told && round->arm[j] == SPAR_FRESH;
}

static spar_status check_slot(const spar_policy *self, const spar_round *round, size_t j, spar_error *err)
{
    if (!fresh(self, round, j)) {
        if (round->arm[j] < self->arms->n)
            return SPAR_OK;
        return spar__fail(err, SPAR_INVALID, "%s: slot %zu shows arm %zu, but there are %zu arms", self->spec, j,
                          round->arm[j], self->arms->n);
    }
    if (round->dim == self->arms->dim && round->m <= round->x_room / round->dim &&
        spar_arms_admit(self->arms, round->x + j * round->dim))
        return SPAR_OK;
    return spar__fail(err, SPAR_INVALID, "%s: slot %zu shows no point of the space", self->spec, j);
}

/* May this policy learn a round of this size and origin? */
static spar_status check_kind(const spar_policy *self, const spar_round *round, spar_error *err)
{
    const spar__policy_class *cls = self->cls;
    bool alone = cls->own_size && round->asked;
    if (cls->plain ? round->m != 1 : round->m < 2 && !(alone && round->m == 1))
        return spar__fail(err, SPAR_INVALID, "%s: the round has %zu slots, expected %s", self->spec, round->m,
                          cls->plain ? "1" : "at least 2");
    if (cls->players == SPAR__PLAYERS_M && round->m > self->m)
        return spar__fail(err, SPAR_UNSUPPORTED,
                          "%s: the round has %zu slots, but there is a bandit for each of %zu only", self->spec,
                          round->m, self->m);
    if (cls->asked_only && !(round->asked && round->m == self->m))
        return spar__fail(err, SPAR_UNSUPPORTED, "%s: learns only from rounds that it chose itself: %s", self->spec,
                          cls->asked_only);
    return self->inner ? check_kind(self->inner, round, err) : SPAR_OK;
}

/* The usual case, looked at first because it is quick: a round of m slots that the policy chose, in a finite space. */
static bool fits(const spar_policy *self, const spar_round *round, const spar_feedback *feedback)
{
    bool good = round->asked && round->m == self->m && feedback->m == round->m && !self->told && !self->inner &&
                !self->cls->own_size;
    for (size_t j = 0; good && j < round->m; j++)
        good = round->arm[j] < self->arms->n;
    return good;
}

static spar_status check_round(const spar_policy *self, const spar_round *round, const spar_feedback *feedback,
                               spar_error *err)
{
    if (round->m != feedback->m || round->m > round->capacity)
        return spar__fail(err, SPAR_INVALID, "%s: the round has %zu slots, but its feedback %zu", self->spec, round->m,
                          feedback->m);
    spar_status status = check_kind(self, round, err);
    for (size_t j = 0; !status && j < round->m; j++)
        status = check_slot(self, round, j, err);
    return status;
}

/* Is there anything that this class learns from? A reward says nothing about a duel. An arm that the policy chose to
 * show alone is compared with nothing: no answer is missing, and time goes on. */
static bool says_something(const spar_policy *self, const spar_round *round, const spar_feedback *feedback)
{
    if (self->cls->plain)
        return feedback->rewarded[0];
    if (round->m == 1)
        return true;
    for (size_t i = 0; i < feedback->m * feedback->m; i++)
        if (feedback->outcome[i] != SPAR_MISSING)
            return true;
    return false;
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
        status = spar__policy_arms_changed(self, NULL);
    if (status && arms->n > *index)
        spar__policy_take_back(self);
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

/* Does this policy learn the round pair by pair? */
static bool splits(const spar_policy *self, const spar_round *round)
{
    return self->cls->max_m == 2 && round->m > 2;
}

/* Room for all that learning the round needs, here and in the inner policy. */
static spar_status reserve(spar_policy *self, const spar_round *round)
{
    if (splits(self, round) && ((!self->pair && spar_round_new(2, &self->pair)) ||
                                (!self->pair_feedback && spar_feedback_new(2, &self->pair_feedback))))
        return SPAR_NOMEM;
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < self->n_players && players_reserve(self); i++)
        status = spar__mab_reserve(self->player[i], round->m);
    if (!status && self->inner)
        status = reserve(self->inner, round);
    if (!status && self->cls->reserve)
        status = self->cls->reserve(self, round);
    return status;
}

static void learn_whole(spar_policy *self, const spar_round *round, const spar_feedback *feedback)
{
    self->cls->learn(self, round, feedback);
    for (size_t i = 0; i < self->n_players && players_settle(self); i++)
        spar__mab_settle(self->player[i]);
    self->learned++;
}

/* The answered pairs of different arms, each as a round that the policy did not choose. */
static void learn_pairs(spar_policy *self, const spar_round *round, const spar_feedback *feedback)
{
    for (size_t j = 0; j < round->m; j++)
        for (size_t k = j + 1; k < round->m; k++) {
            unsigned char outcome = feedback->outcome[j * round->m + k];
            if (outcome == SPAR_MISSING || round->arm[j] == round->arm[k])
                continue;
            (void)spar_round_set(self->pair, 2, (size_t[]){round->arm[j], round->arm[k]}); /* there is room */
            (void)spar_feedback_reset(self->pair_feedback, 2);
            (void)spar_feedback_set(self->pair_feedback, 0, 1, (spar_outcome)outcome);
            learn_whole(self, self->pair, self->pair_feedback);
        }
}

void spar__policy_learn_inner(spar_policy *self, const spar_round *round, const spar_feedback *feedback)
{
    if (splits(self, round))
        learn_pairs(self, round, feedback);
    else
        learn_whole(self, round, feedback);
}

spar_status spar_policy_learn(spar_policy *self, const spar_round *round, const spar_feedback *feedback,
                              spar_error *err)
{
    if (!self || !round || !feedback)
        return spar__fail_null(err);
    spar_status status = fits(self, round, feedback) ? SPAR_OK : check_round(self, round, feedback, err);
    if (status || !says_something(self, round, feedback))
        return status;
    if (self->learned >= SPAR__MOST_ROUNDS)
        return spar__fail(err, SPAR_UNSUPPORTED, "%s: has learned 2^43 rounds, and more cannot be counted exactly",
                          self->spec);
    if (self->cls->outside)
        return self->cls->outside->learn(self, round, feedback, err);
    size_t known = self->arms->n;
    status = self->told ? make_arms(self, round) : SPAR_OK;
    if (!status)
        status = reserve(self, self->told ? self->told : round);
    if (status) {
        while (self->arms->n > known)
            spar__policy_take_back(self);
        return spar__policy_fail(self, status, err);
    }
    spar__policy_learn_inner(self, self->told ? self->told : round, feedback);
    return SPAR_OK;
}
