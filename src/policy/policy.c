/* policy.c - the frame around every policy: builds it, owns arms and players, asks it for the next round, checks what
 * it learns, lets arms come and go, saves and loads.
 *
 * A class sees only rounds that fit. The frame itself costs O(m^2) a round, for the look at the answers. */
#include "policy/policy.h"

#include "base/alloc.h"
#include "base/archive.h"
#include "types/arms.h"

#include <math.h>
#include <string.h>

enum { PURPOSE_INNER = 0x1e77e4 }; /* of the stream that gives an inner policy its key */

/* Bandits that are missing. */
static spar_status add_players(spar_policy *self, spar_error *err)
{
    spar__players kind = self->cls->players;
    size_t n = kind == SPAR__PLAYERS_PER_ARM ? self->arms->n
               : kind == SPAR__PLAYERS_M     ? self->m
                                             : kind == SPAR__PLAYERS_ONE;
    if (n <= self->n_players)
        return SPAR_OK;
    spar__mab **player = spar__realloc(self->player, self->n_players, n, sizeof *player);
    if (!player)
        return spar__fail_memory(err);
    self->player = player;
    for (; self->n_players < n; self->n_players++) {
        spar_status status = spar__mab_new(&self->recipe, self->arms, self->horizon, &player[self->n_players], err);
        if (status)
            return status;
    }
    return SPAR_OK;
}

/* Makes a policy of what every one has, `birth`: spec, arms, m, horizon, key. Takes the arms over, whatever happens,
 * unless they are borrowed. */
static spar_status build(const spar_policy *birth, spar__stack *stack, spar_policy **out, spar_error *err)
{
    spar_policy *self = spar__alloc(1, stack->policy->size);
    if (!self) {
        if (!birth->borrows)
            spar_arms_free(birth->arms);
        return spar__fail_memory(err);
    }
    *self = *birth;
    self->cls = stack->policy;
    self->recipe = stack->mab; /* takes its values over */
    stack->mab = (spar__mab_recipe){0};
    self->spec = spar__strdup(birth->spec);
    spar_status status = SPAR_OK;
    if (!self->spec || (spar__arms_continuous(self->arms) && spar_round_new(self->m, &self->told)))
        status = spar__fail_memory(err);
    if (!status)
        status = add_players(self, err);
    if (!status && stack->inner) {
        spar_policy inner = {
            .spec = self->spec, .arms = self->arms, .borrows = true, .m = self->m, .horizon = self->horizon};
        spar_rng rng = spar__policy_stream(self, PURPOSE_INNER);
        inner.key = spar_rng_next(&rng);
        status = build(&inner, stack->inner, &self->inner, err);
    }
    if (!status && self->cls->init)
        status = self->cls->init(self, &stack->values, err);
    if (!status && self->cls->resize)
        status = self->cls->resize(self, err);
    if (status)
        spar_policy_free(self);
    else
        *out = self;
    return status;
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
    spar_policy birth = {.m = m, .horizon = horizon, .key = key};
    birth.spec = (char *)(uintptr_t)spec; /* to be copied */
    if (!status && (status = spar_arms_dup(arms, &birth.arms)))
        (void)spar__fail(err, status, "%s: %s", spec, spar_status_text(status));
    if (!status)
        status = build(&birth, &stack, out, err);
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

/* The sentence for a status; none for SPAR_OK. */
static spar_status fail(const spar_policy *self, spar_status status, spar_error *err)
{
    return status ? spar__fail(err, status, "%s: %s", self->spec, spar_status_text(status)) : SPAR_OK;
}

spar_status spar_policy_choose(const spar_policy *self, spar_scratch *scratch, spar_rng *rng, spar_round *out,
                               spar_error *err)
{
    if (!self || !scratch || !rng || !out)
        return spar__fail_null(err);
    /* An own_size policy sets the number of slots itself and needs room for all live arms. */
    size_t live = self->arms->live, dim = self->told ? self->arms->dim : 0;
    size_t m = self->cls->own_size || (!self->told && live < self->m) ? live : self->m;
    if (m < self->cls->min_m)
        return spar__fail(err, SPAR_UNSUPPORTED, "%s: one live arm is left, and a comparison needs two", self->spec);
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
    return fail(self, status, err);
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

spar_status spar__player_score(const spar_policy *self, spar_scratch *scratch, double *score)
{
    return self->player[0]->cls->score(self->player[0], scratch, score);
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

/* --- Arms that come and go, for every policy that allows it --- */

/* Everything that keeps something per arm follows the change: players, inner policy, class. */
static spar_status arms_changed(spar_policy *self, spar_error *err)
{
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < self->n_players; i++)
        status = spar__mab_resize(self->player[i]);
    if (status)
        return spar__fail(err, status, "%s: its belief cannot take the change of arms: %s", self->spec,
                          spar_status_text(status));
    status = add_players(self, err);
    if (!status && self->inner)
        status = arms_changed(self->inner, err);
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
static void take_back(spar_policy *self)
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
    (void)arms_changed(self, NULL);
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
    if (!self)
        return spar__fail_null(err);
    if (!spar_policy_live_arms(self))
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

/* --- What every policy does with an answer before its class sees it ---
 *
 * The round is checked, points of a continuous space become arms, room is made for all that may be needed, and only
 * then does anything change: learning either fails and changes nothing, or cannot fail any more. */

static bool fresh(const spar_policy *self, const spar_round *round, size_t j)
{
    return self->told && round->arm[j] == SPAR_FRESH;
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

static spar_status check_round(const spar_policy *self, const spar_round *round, const spar_feedback *feedback,
                               spar_error *err)
{
    /* The usual case, looked at first because it is quick: a round of m slots that the policy chose, in a finite space.
     */
    bool good = round->asked && round->m == self->m && feedback->m == round->m && !self->told && !self->inner &&
                !self->cls->own_size;
    for (size_t j = 0; good && j < round->m; j++)
        good = round->arm[j] < self->arms->n;
    if (good)
        return SPAR_OK;
    if (round->m != feedback->m || round->m > round->capacity)
        return spar__fail(err, SPAR_INVALID, "%s: the round has %zu slots, but its feedback %zu", self->spec, round->m,
                          feedback->m);
    spar_status status = check_kind(self, round, err);
    if (status)
        return status;
    for (size_t j = 0; j < round->m; j++) {
        if (!fresh(self, round, j) && round->arm[j] >= self->arms->n)
            return spar__fail(err, SPAR_INVALID, "%s: slot %zu shows arm %zu, but there are %zu arms", self->spec, j,
                              round->arm[j], self->arms->n);
        if (fresh(self, round, j) && !(round->dim == self->arms->dim && round->m <= round->x_room / round->dim &&
                                       spar_arms_admit(self->arms, round->x + j * round->dim)))
            return spar__fail(err, SPAR_INVALID, "%s: slot %zu shows no point of the space", self->spec, j);
    }
    return SPAR_OK;
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

/* The round with its fresh points made arms: the arm at the point, new if there is none. */
static spar_status make_arms(spar_policy *self, const spar_round *round)
{
    spar_status status = spar_round_copy(round, self->told);
    for (size_t j = 0; !status && j < round->m; j++) {
        const double *x = round->x + j * round->dim;
        size_t *index = &self->told->arm[j], known = self->arms->n;
        if (!fresh(self, round, j) || (*index = spar__arm_at(self->arms, 0, x)) < known)
            continue;
        status = spar_arms_add(self->arms, x, NULL, index);
        if (!status)
            status = arms_changed(self, NULL);
        if (status && self->arms->n > known)
            take_back(self);
    }
    return status;
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
    /* The players are all of one kind, and there may be many: if the first has nothing to do, none has. */
    const spar__posterior *belief = self->n_players ? self->player[0]->posterior : NULL;
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && belief && belief->cls->reserve && i < self->n_players; i++)
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
    const spar__mab *first = self->n_players ? self->player[0] : NULL;
    bool settle = first && (first->cls->settle || (first->posterior && first->posterior->cls->settle));
    for (size_t i = 0; settle && i < self->n_players; i++)
        spar__mab_settle(self->player[i]);
    self->learned++;
}

void spar__policy_learn_inner(spar_policy *self, const spar_round *round, const spar_feedback *feedback)
{
    if (!splits(self, round)) {
        learn_whole(self, round, feedback);
        return;
    }
    /* The answered pairs of different arms, each as a round that the policy did not choose. */
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

spar_status spar_policy_learn(spar_policy *self, const spar_round *round, const spar_feedback *feedback,
                              spar_error *err)
{
    if (!self || !round || !feedback)
        return spar__fail_null(err);
    spar_status status = check_round(self, round, feedback, err);
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
            take_back(self);
        return fail(self, status, err);
    }
    spar__policy_learn_inner(self, self->told ? self->told : round, feedback);
    return SPAR_OK;
}

/* --- What a policy thinks of its arms: scores, its belief, the arm or point that it takes for the best --- */

enum { PURPOSE_BEST = 0xbe57 }; /* of the stream that orders equal scores */

static spar_status check_length(const spar_policy *self, size_t n, spar_error *err)
{
    if (n == self->arms->n)
        return SPAR_OK;
    return spar__fail(err, SPAR_INVALID, "%s: room for %zu numbers, expected one for each of %zu arms", self->spec, n,
                      self->arms->n);
}

spar_status spar_policy_score(const spar_policy *self, spar_scratch *scratch, size_t n, double *score, spar_error *err)
{
    if (!self || !scratch || (n && !score))
        return spar__fail_null(err);
    spar_status status = check_length(self, n, err);
    if (status)
        return status;
    status = self->cls->score(self, scratch, score);
    return fail(self, status, err);
}

/* The belief that speaks for the policy. */
static const spar__posterior *belief(const spar_policy *self)
{
    if (self->inner)
        return belief(self->inner);
    bool one = self->cls->players == SPAR__PLAYERS_ONE || self->cls->players == SPAR__PLAYERS_M;
    return one ? self->player[0]->posterior : NULL;
}

static spar_status no_belief(const spar_policy *self, spar_error *err)
{
    return spar__fail(err, SPAR_UNSUPPORTED, "%s: keeps no belief that could say this", self->spec);
}

spar_status spar_policy_belief(const spar_policy *self, spar_scratch *scratch, size_t n, double *mean, double *sd,
                               spar_error *err)
{
    if (!self || !scratch)
        return spar__fail_null(err);
    const spar__posterior *posterior = belief(self);
    if (!posterior)
        return no_belief(self, err);
    spar_status status = check_length(self, n, err);
    if (status)
        return status;
    status = posterior->cls->moments(posterior, scratch, mean, sd);
    return fail(self, status, err);
}

static spar_status check_dim(const spar_policy *self, size_t dim, spar_error *err)
{
    if (dim == self->arms->dim)
        return SPAR_OK;
    return spar__fail(err, SPAR_INVALID, "%s: a point of %zu numbers, expected %zu", self->spec, dim, self->arms->dim);
}

spar_status spar_policy_belief_at(const spar_policy *self, spar_scratch *scratch, size_t dim, const double *x,
                                  double *mean, double *sd, spar_error *err)
{
    if (!self || !scratch || (dim && !x))
        return spar__fail_null(err);
    const spar__posterior *posterior = belief(self);
    if (!posterior || !posterior->cls->moments_at || !self->told)
        return no_belief(self, err);
    spar_status status = check_dim(self, dim, err);
    if (status)
        return status;
    if (!spar_arms_admit(self->arms, x))
        return spar__fail(err, SPAR_INVALID, "%s: the point is not in the space", self->spec);
    status = posterior->cls->moments_at(posterior, scratch, x, mean, sd);
    return fail(self, status, err);
}

spar_status spar_policy_best(const spar_policy *self, spar_scratch *scratch, size_t *arm, size_t dim, double *x,
                             spar_error *err)
{
    if (!self || !scratch || !arm)
        return spar__fail_null(err);
    *arm = SPAR_NO_ARM;
    spar_status status = x || self->told ? check_dim(self, x ? dim : 0, err) : SPAR_OK;
    if (status)
        return status;
    size_t n = self->arms->n, mark = spar__scratch_mark(scratch);
    spar_rng rng = spar__policy_stream(self, PURPOSE_BEST);
    if (self->told) {
        const spar__posterior *posterior = belief(self);
        if (!posterior || !posterior->cls->peak)
            return no_belief(self, err);
        status = posterior->cls->peak(posterior, scratch, &rng, x);
        size_t known = status ? n : spar__arm_at(self->arms, 0, x);
        if (!status)
            *arm = known < n ? known : SPAR_FRESH;
        return fail(self, status, err);
    }
    double *score = spar__scratch_take(scratch, n, sizeof *score);
    status = score ? self->cls->score(self, scratch, score) : SPAR_NOMEM;
    if (!status)
        *arm = spar__argmax_within(&rng, n, score, self->arms->alive, 0);
    spar__scratch_release(scratch, mark);
    if (!status && x && dim)
        memcpy(x, self->arms->x + *arm * dim, dim * sizeof *x);
    return fail(self, status, err);
}

double spar_policy_accuracy(const spar_policy *self)
{
    if (!self)
        return NAN;
    double worst = 0;
    for (size_t i = 0; i < self->n_players; i++) {
        const spar__posterior *posterior = self->player[i]->posterior;
        if (posterior && posterior->cls->accuracy)
            worst = fmax(worst, posterior->cls->accuracy(posterior));
    }
    return self->inner ? fmax(worst, spar_policy_accuracy(self->inner)) : worst;
}

/* --- To bytes and back: a frame (base/frame.h) of two sections ---
 *
 *     stat   the recipe (spec, arms, m, horizon, key), then counts and beliefs. Later versions of the program go on
 *            reading it: a change of what stands here raises the version of the kind, and what an older version wrote
 *            (spar__frame.version) is still understood; tests/golden has files of every version.
 *     fast   the caches of the fast samplers (spar__archive.cache), which make the next choices the same to the bit.
 *            A change of these raises the version of the section. A file without them, or with others, gives a policy
 *            of the same law: they are computed again. */

static const spar__frame_kind kind = {
    .name = "saved policy", .tag = "poli", .version = 1, .section = {{"stat", 0}, {"fast", 1}}};

static void archive_state(spar_policy *self, spar__archive *ar)
{
    spar__archive_u64(ar, &self->learned);
    spar__archive_check(ar, self->learned <= SPAR__MOST_ROUNDS);
    for (size_t i = 0; i < self->n_players; i++)
        spar__mab_archive(self->player[i], ar);
    if (self->inner)
        archive_state(self->inner, ar);
    if (self->cls->archive)
        self->cls->archive(self, ar);
}

spar_status spar_policy_save(const spar_policy *policy, unsigned char **bytes, size_t *length)
{
    if (!SPAR__CLEAR(bytes) || !policy || !length)
        return SPAR_INVALID;
    if (policy->cls->outside)
        return SPAR_UNSUPPORTED;
    spar_policy *self = (spar_policy *)(uintptr_t)policy; /* the archive only reads when it saves */
    spar__archive cache = {.loading = false}, ar = {.loading = false, .cache = &cache};
    uint64_t m = self->m;
    spar__archive_text(&ar, &self->spec);
    spar__arms_archive(&self->arms, &ar);
    spar__archive_u64(&ar, &m);
    spar__archive_u64(&ar, &self->horizon);
    spar__archive_u64(&ar, &self->key);
    archive_state(self, &ar);
    return spar__saved_write(&kind, &ar, bytes, length);
}

spar_status spar_policy_load(const unsigned char *bytes, size_t length, spar_policy **out, spar_error *err)
{
    if (!SPAR__CLEAR(out) || !bytes)
        return spar__fail_null(err);
    spar__archive ar, cache;
    spar_policy *policy = NULL;
    spar_status status = spar__saved_open_both(&kind, bytes, length, &ar, &cache, err);
    if (!status) {
        /* The policy, with nothing learned. NULL where the archive fails. */
        char *spec = NULL;
        spar_arms *arms = NULL;
        size_t m = 0;
        uint64_t horizon = 0, key = 0;
        spar__archive_text(&ar, &spec);
        spar__arms_archive(&arms, &ar);
        spar__archive_size(&ar, &m);
        spar__archive_u64(&ar, &horizon);
        spar__archive_u64(&ar, &key);
        spar__archive_check(&ar, spec && arms);
        status = ar.failed ? SPAR_OK : spar__policy_build(spec, arms, m, horizon, key, &policy, err);
        spar__free(spec);
        spar_arms_free(arms);
    }
    if (policy)
        archive_state(policy, &ar);
    if (!status)
        status = spar__saved_close(&kind, &ar, err);
    if (status) {
        spar_policy_free(policy);
        return status;
    }
    *out = policy;
    return SPAR_OK;
}

spar_status spar_policy_dup(const spar_policy *policy, spar_policy **out, spar_error *err)
{
    if (!SPAR__CLEAR(out) || !policy)
        return spar__fail_null(err);
    unsigned char *bytes = NULL;
    size_t length = 0;
    spar_status status = spar_policy_save(policy, &bytes, &length);
    status = status ? fail(policy, status, err) : spar_policy_load(bytes, length, out, err);
    spar_bytes_free(bytes);
    return status;
}
