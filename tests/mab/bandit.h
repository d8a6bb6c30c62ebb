/* bandit.h - a bandit over n arms, for tests of one bandit or of all. */
#ifndef SPAR_TESTS_MAB_BANDIT_H
#define SPAR_TESTS_MAB_BANDIT_H

#include "mab/mab.h"
#include "posterior/belief.h"

typedef struct bandit {
    spar_arms *arms;
    spar_scratch *scratch;
    spar__mab *self;
    spar_rng rng;
} bandit;

__attribute__((unused)) static void bandit_close(bandit *b)
{
    spar__mab_free(b->self);
    spar_scratch_free(b->scratch);
    spar_arms_free(b->arms);
    *b = (bandit){0};
}

/* What "ucb1(alpha=1)" or "thompson/beta(a=2)" says; a belief that is wanted must be named. */
__attribute__((unused)) static spar_status recipe_parse(const char *spec, spar__mab_recipe *out)
{
    spar__spec parsed;
    *out = (spar__mab_recipe){0};
    spar_status status = spar__spec_parse(spec, &parsed, NULL);
    if (status)
        return status;
    out->cls = spar__mab_find(parsed.stage[0].name);
    out->posterior = parsed.n > 1 ? spar__posterior_find(parsed.stage[1].name) : NULL;
    status = out->cls ? spar__values_bind(&out->cls->entry, &parsed.stage[0], &out->values, NULL) : SPAR_UNKNOWN;
    if (!status && out->posterior)
        status = spar__values_bind(&out->posterior->entry, &parsed.stage[1], &out->posterior_values, NULL);
    spar__spec_free(&parsed);
    return status;
}

__attribute__((unused)) static spar_status bandit_try(bandit *b, const char *spec, size_t n, uint64_t horizon,
                                                      const size_t *renamed)
{
    *b = (bandit){0};
    spar_rng_seed(&b->rng, 12, 1, 1);
    spar__mab_recipe recipe;
    spar_status status = recipe_parse(spec, &recipe);
    if (!status)
        status = featured_arms(n < 64 ? n : 64, renamed, &b->arms); /* more than these are only counted */
    for (size_t i = 64; !status && i < n; i++)
        status = spar_arms_add(b->arms, &(double){0.5}, NULL, NULL);
    if (!status)
        status = spar_scratch_new(&b->scratch);
    if (!status)
        status = spar__mab_new(&recipe, b->arms, horizon, &b->self, NULL);
    spar__values_free(&recipe.values);
    spar__values_free(&recipe.posterior_values);
    if (status)
        bandit_close(b);
    return status;
}

__attribute__((unused)) static bandit bandit_renamed(const char *spec, size_t n, uint64_t horizon,
                                                     const size_t *renamed)
{
    bandit b;
    if (bandit_try(&b, spec, n, horizon, renamed)) {
        printf("Bail out! no bandit %s\n", spec);
        exit(1);
    }
    return b;
}

__attribute__((unused)) static bandit bandit_open(const char *spec, size_t n, uint64_t horizon)
{
    return bandit_renamed(spec, n, horizon, NULL);
}

__attribute__((unused)) static void bandit_pick(bandit *b, size_t m, bool distinct, size_t *arm, double *prob)
{
    if (b->self->cls->pick(b->self, b->scratch, &b->rng, m, distinct, arm, prob, NULL))
        abort();
}

/* One arm. */
__attribute__((unused)) static size_t bandit_next(bandit *b)
{
    size_t arm = SIZE_MAX;
    double prob = -1;
    bandit_pick(b, 1, false, &arm, &prob);
    return arm;
}

__attribute__((unused)) static void bandit_learn(bandit *b, size_t arm, double reward, double weight, double prob)
{
    if (spar__mab_reserve(b->self, 1))
        abort();
    b->self->cls->learn(b->self, arm, reward, weight, prob);
    spar__mab_settle(b->self);
}

/* A duel of two arms in a round of two slots, for a bandit whose belief learns whole rounds; slot: the arm's. */
__attribute__((unused)) static void bandit_duel(bandit *b, size_t arm, size_t other, spar_outcome outcome, size_t slot)
{
    spar_round *round = NULL;
    spar_feedback *feedback = NULL;
    if (spar_round_new(2, &round) || spar_feedback_new(2, &feedback) || spar__mab_reserve(b->self, 2))
        abort();
    round->m = 2;
    round->arm[slot] = arm;
    round->arm[1 - slot] = other;
    (void)spar_feedback_set(feedback, slot, 1 - slot, outcome);
    b->self->cls->learn_round(b->self, round, feedback, 1);
    spar__mab_settle(b->self);
    spar_round_free(round);
    spar_feedback_free(feedback);
}

__attribute__((unused)) static void bandit_retire(bandit *b, size_t arm)
{
    if (spar_arms_retire(b->arms, arm) || spar__mab_resize(b->self))
        abort();
}

__attribute__((unused)) static size_t bandit_add(bandit *b)
{
    double x = 0.5;
    size_t index = 0;
    if (spar_arms_add(b->arms, &x, NULL, &index) || spar__mab_resize(b->self))
        abort();
    return index;
}

/* Saved and loaded into a new bandit over the same arms. */
__attribute__((unused)) static void bandit_reload(bandit *b, const char *spec, uint64_t horizon)
{
    spar__mab_recipe recipe;
    spar__archive out = {0};
    spar__mab *again = NULL;
    spar__mab_archive(b->self, &out);
    if (recipe_parse(spec, &recipe) || spar__mab_new(&recipe, b->arms, horizon, &again, NULL))
        abort();
    spar__archive in = {.loading = true, .in = (const unsigned char *)out.out.text, .left = out.out.length};
    spar__mab_archive(again, &in);
    if (in.failed || in.left)
        abort();
    spar__mab_free(b->self);
    b->self = again;
    spar__buf_free(&out.out);
    spar__values_free(&recipe.values);
    spar__values_free(&recipe.posterior_values);
}

/* What a bandit and its belief write down. ucb1: total, pulls, sums; exp3: learned, weights; thompson/beta: a, b. */
__attribute__((unused)) static size_t mab_numbers(spar__mab *mab, size_t room, double *out)
{
    spar__archive ar = {0};
    spar__mab_archive(mab, &ar);
    size_t n = saved_numbers(&ar, room, out);
    spar__buf_free(&ar.out);
    return n;
}

#endif
