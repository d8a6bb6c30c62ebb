/* stacks.h - every policy that can be built from the registries, and a small world to play them in. */
#ifndef SPAR_TESTS_CONTRACT_STACKS_H
#define SPAR_TESTS_CONTRACT_STACKS_H

#include "policy/policy.h"

#include "tap.h"

#include <spar/spar.h>
#include <stdlib.h>

/* What a test may ask of a policy follows from the flags of its classes, never from their names. */
typedef struct stack_case {
    char spec[128];
    size_t m;
    const spar__policy_class *policy;
} stack_case;

enum { MOST_CASES = 256 };
static stack_case cases[MOST_CASES];
static size_t n_cases;

static void offer(const char *spec)
{
    spar__stack stack;
    spar_error err;
    spar_status status = spar__stack_resolve(spec, &stack, &err);
    if (status == SPAR_UNSUPPORTED)
        return; /* a composition that is refused on purpose */
    if (!ok(status == SPAR_OK, "%s resolves", spec)) {
        printf("# %s\n", err.text);
        return;
    }
    const spar__policy_class *cls = stack.policy;
    size_t sizes[] = {1, 2, 4};
    for (size_t k = 0; k < 3; k++) {
        size_t m = sizes[k];
        if (m < cls->min_m || (cls->max_m && m > cls->max_m) || n_cases == MOST_CASES)
            continue;
        stack_case *c = &cases[n_cases++];
        (void)snprintf(c->spec, sizeof c->spec, "%s", spec);
        c->m = m;
        c->policy = cls;
    }
    spar__stack_free(&stack);
}

static void find_cases(void)
{
    char spec[128];
    for (size_t p = 0; p < spar__n_policy_classes; p++) {
        const spar__policy_class *cls = spar__policy_classes[p];
        if (cls->players == SPAR__PLAYERS_NONE) {
            offer(cls->entry.name);
            continue;
        }
        if (cls->players == SPAR__PLAYERS_POLICY) {
            (void)snprintf(spec, sizeof spec, "%s/self_sparring(distinct=1)/thompson/beta", cls->entry.name);
            offer(spec);
            continue;
        }
        for (size_t b = 0; b < spar__n_mab_classes; b++) {
            const spar__mab_class *mab = spar__mab_classes[b];
            if (!mab->wants_posterior) {
                (void)snprintf(spec, sizeof spec, "%s/%s", cls->entry.name, mab->entry.name);
                offer(spec);
            }
            for (size_t q = 0; mab->wants_posterior && q < spar__n_posterior_classes; q++) {
                (void)snprintf(spec, sizeof spec, "%s/%s/%s", cls->entry.name, mab->entry.name,
                               spar__posterior_classes[q]->entry.name);
                offer(spec);
            }
        }
    }
    for (size_t i = 0; i < spar__n_policy_aliases; i++)
        offer(spar__policy_aliases[i].name);
}

/* n arms with one feature each, so that every kind of belief can be built over them. */
__attribute__((unused)) static spar_arms *make_arms(size_t n)
{
    double x[64];
    spar_arms *arms = NULL;
    for (size_t i = 0; i < n; i++)
        x[i] = (double)i / (double)(n > 1 ? n - 1 : 1);
    if (spar_arms_new(n, 1, x, NULL, &arms))
        abort();
    return arms;
}

typedef struct player {
    spar_policy *policy;
    spar_scratch *scratch;
    spar_round *round;
    spar_feedback *feedback;
    spar_rng rng; /* the policy's luck */
} player;

__attribute__((unused)) static player player_new(const stack_case *c, const spar_arms *arms, uint64_t seed,
                                                 uint64_t horizon)
{
    player p = {0};
    spar_error err = {0};
    spar_rng birth;
    spar_rng_seed(&birth, seed, 0, 1);
    spar_rng_seed(&p.rng, seed, 0, 2);
    if (spar_policy_new(c->spec, arms, c->m, horizon, &birth, &p.policy, &err) || spar_scratch_new(&p.scratch) ||
        spar_round_new(c->m, &p.round) || spar_feedback_new(c->m, &p.feedback)) {
        printf("Bail out! %s: %s\n", c->spec, err.text);
        abort();
    }
    return p;
}

__attribute__((unused)) static void player_free(player *p)
{
    spar_policy_free(p->policy);
    spar_scratch_free(p->scratch);
    spar_round_free(p->round);
    spar_feedback_free(p->feedback);
}

/* The belief of the policy's bandits, or NULL. */
__attribute__((unused)) static const spar__posterior *belief_of(const spar_policy *policy)
{
    return policy->n_players ? policy->player[0]->posterior : NULL;
}

/* The share of the slots that the best of some easy arms must have: `least` of those it can have. */
__attribute__((unused)) static double best_share(const stack_case *c, const spar_policy *policy, double least)
{
    if (c->policy->best_share > 0)
        return c->policy->best_share;
    return spar_policy_distinct(policy) && !c->policy->own_size ? least / (double)c->m : least; /* one slot at most */
}

/* P(i beats j) = 1/2 + (value_i - value_j) / 2; a plain bandit is rewarded with probability value_i. A policy that
 * chooses to show one arm alone gets no answer at all. */
__attribute__((unused)) static void answer(player *p, spar_rng *luck, const double *value, double ties)
{
    size_t m = p->round->m;
    (void)spar_feedback_reset(p->feedback, m);
    if (p->policy->cls->plain)
        (void)spar_feedback_reward(p->feedback, 0, spar_rng_uniform(luck) < value[p->round->arm[0]]);
    for (size_t j = 0; j < m; j++) {
        for (size_t k = j + 1; k < m; k++) {
            double u = spar_rng_uniform(luck), v = spar_rng_uniform(luck);
            double win = 0.5 + (value[p->round->arm[j]] - value[p->round->arm[k]]) / 2;
            (void)spar_feedback_set(p->feedback, j, k, v < ties ? SPAR_TIE : u < win ? SPAR_WIN : SPAR_LOSS);
        }
    }
}

static bool choose(player *p)
{
    return spar_policy_choose(p->policy, p->scratch, &p->rng, p->round, NULL) == SPAR_OK;
}

__attribute__((unused)) static bool play(player *p, spar_rng *luck, const double *value, double ties)
{
    if (!choose(p))
        return false;
    answer(p, luck, value, ties);
    return spar_policy_learn(p->policy, p->round, p->feedback, NULL) == SPAR_OK;
}

typedef struct bytes {
    unsigned char *at;
    size_t length;
} bytes;

__attribute__((unused)) static bytes state_of(const spar_policy *policy)
{
    bytes b = {0};
    if (spar_policy_save(policy, &b.at, &b.length))
        abort();
    return b;
}

__attribute__((unused)) static bool same_bytes(bytes a, bytes b)
{
    bool same = a.length == b.length && memcmp(a.at, b.at, a.length) == 0;
    spar_bytes_free(a.at);
    spar_bytes_free(b.at);
    return same;
}

/* Chi-square of two samples of equal size; with few choices per cell those are pooled with the next. */
__attribute__((unused)) static double chi_square_excess(const double *x, const double *y, size_t n)
{
    double chi = 0, cells = 0, px = 0, py = 0;
    for (size_t i = 0; i < n; i++) {
        px += x[i];
        py += y[i];
        if (px + py < 20 && i + 1 < n)
            continue;
        if (px + py > 0) {
            chi += (px - py) * (px - py) / (px + py);
            cells += 1;
        }
        px = py = 0;
    }
    double df = cells > 1 ? cells - 1 : 1;
    return (chi - df) / sqrt(2 * df); /* about standard normal */
}

#endif
