/* A saved policy that lost its caches is the same policy: same counts and beliefs, same scores, and it learns on. */
#include "contract/stacks.h"

#include "policy/saved.h"

enum { ARMS = 6, MANY = 80, BEFORE = 60, AFTER = 30 };

static double value[MANY];

/* Of what is computed again in another order, without the caches. */
static double tolerance(const spar_policy *policy)
{
    const spar__posterior *belief = belief_of(policy);
    bool recomputed = policy->cls->recomputed || (belief && belief->cls->recomputed);
    return recomputed ? 1e-9 : policy->inner ? tolerance(policy->inner) : 0;
}

static bool same_scores(player *a, player *b, double off)
{
    double x[2 * MANY], y[2 * MANY];
    size_t n = spar_policy_arms(a->policy)->n;
    bool same = spar_policy_score(a->policy, a->scratch, n, x, NULL) == SPAR_OK &&
                spar_policy_score(b->policy, b->scratch, n, y, NULL) == SPAR_OK;
    for (size_t i = 0; same && i < n; i++)
        same = fabs(x[i] - y[i]) <= off * (1 + fabs(x[i]));
    return same;
}

static bool same_counts(const spar_policy *a, const spar_policy *b)
{
    bytes x = state_of(a), y = state_of(b);
    x.length = saved_drop_cache(x.at, x.length);
    y.length = saved_drop_cache(y.at, y.length);
    return same_bytes(x, y);
}

static bool shows_live_arms(const player *p)
{
    const spar_arms *arms = spar_policy_arms(p->policy);
    bool good = true;
    for (size_t j = 0; j < p->round->m; j++)
        good &= spar__arms_continuous(arms) ? spar_arms_admit(arms, p->round->x + j * arms->dim)
                                            : p->round->arm[j] < arms->n && arms->alive[p->round->arm[j]];
    return good;
}

/* In a continuous space the first feature is the value. */
static void answer_any(player *p, spar_rng *luck)
{
    double near_by[MANY];
    const spar_arms *arms = spar_policy_arms(p->policy);
    size_t m = p->round->m, arm[MANY];
    if (!spar__arms_continuous(arms)) {
        answer(p, luck, value, 0.1);
        return;
    }
    memcpy(arm, p->round->arm, m * sizeof *arm);
    for (size_t j = 0; j < m; j++) {
        near_by[j] = p->round->x[j * arms->dim];
        p->round->arm[j] = j;
    }
    answer(p, luck, near_by, 0.1);
    memcpy(p->round->arm, arm, m * sizeof *arm);
}

static bool play_on(player *p, spar_rng *luck, int rounds)
{
    bool good = true;
    for (int t = 0; good && t < rounds; t++) {
        good = choose(p) && shows_live_arms(p);
        if (good)
            answer_any(p, luck);
        good = good && spar_policy_learn(p->policy, p->round, p->feedback, NULL) == SPAR_OK;
    }
    return good;
}

/* The same rounds and answers to both. */
static bool learn_alike(player *a, player *b, spar_rng *luck, int rounds)
{
    bool good = true;
    for (int t = 0; good && t < rounds; t++) {
        good = choose(a) && choose(b) && shows_live_arms(b);
        if (good)
            answer_any(a, luck);
        good = good && spar_policy_learn(a->policy, a->round, a->feedback, NULL) == SPAR_OK &&
               spar_policy_learn(b->policy, a->round, a->feedback, NULL) == SPAR_OK;
    }
    return good;
}

static void try(const stack_case *c, const spar_arms *arms, int before, int after)
{
    player a = player_new(c, arms, 10, 10000), b = player_new(c, arms, 11, 10000);
    spar_rng luck;
    spar_rng_seed(&luck, 3, 1, 1);
    bool went = play_on(&a, &luck, before);
    if (spar_policy_live_arms(a.policy) && !spar__arms_continuous(arms))
        went &= spar_policy_retire_arm(a.policy, 1, NULL) == SPAR_OK;
    bytes saved = state_of(a.policy);
    spar_error err = {0};
    size_t length = saved_drop_cache(saved.at, saved.length);
    spar_policy_free(b.policy);
    went &= spar_policy_load(saved.at, length, &b.policy, &err) == SPAR_OK;
    if (ok(went, "%s m=%zu K=%zu: loads without caches (%zu of %zu bytes) %s", c->spec, c->m, arms->n, length,
           saved.length, err.text)) {
        ok(same_counts(a.policy, b.policy), "%s m=%zu: with the same counts and beliefs", c->spec, c->m);
        ok(same_scores(&a, &b, tolerance(a.policy)), "%s m=%zu: and the same scores", c->spec, c->m);
        ok(learn_alike(&a, &b, &luck, after) && same_counts(a.policy, b.policy) &&
               same_scores(&a, &b, tolerance(a.policy)),
           "%s m=%zu: learns the same", c->spec, c->m);
        ok(play_on(&b, &luck, after), "%s m=%zu: and plays on", c->spec, c->m);
    }
    spar_bytes_free(saved.at);
    player_free(&a);
    player_free(&b);
}

static spar_arms *square(void)
{
    static const double lo[2] = {0, -1}, hi[2] = {1, 1};
    spar_arms *arms = NULL;
    if (spar_arms_new_box(2, lo, hi, &arms))
        abort();
    return arms;
}

static spar_arms *many(void)
{
    double x[MANY];
    spar_arms *arms = NULL;
    for (size_t i = 0; i < MANY; i++)
        x[i] = (double)(i % (MANY / 2)) / MANY; /* two arms a point */
    if (spar_arms_new(MANY, 1, x, NULL, &arms))
        abort();
    return arms;
}

int main(void)
{
    static const stack_case large[] = {{"self_sparring", 4, NULL},
                                       {"self_sparring(eta=2.5)", 2, NULL},
                                       {"self_sparring/exp3", 2, NULL},
                                       {"sparring/ucb1", 4, NULL},
                                       {"kernel_self_sparring(backing=basis)", 4, NULL},
                                       {"kernel_self_sparring(backing=grid)", 4, NULL},
                                       {"kernel_self_sparring(backing=matheron,kernel=matern32)", 4, NULL},
                                       {"kernel_self_sparring(backing=matheron,kernel=linear)", 2, NULL},
                                       {"kernel_self_sparring(fit=10)", 2, NULL},
                                       {"gp_sparring(backing=dense)", 2, NULL}};
    static const stack_case boxed[] = {{"kernel_self_sparring", 4, NULL},
                                       {"sparring/thompson/gp(kernel=matern52)", 2, NULL},
                                       {"kernel_self_sparring(duels=1,fit=4)", 2, NULL}};
    spar_arms *few = make_arms(ARMS), *more = many(), *box = square();
    for (size_t i = 0; i < MANY; i++)
        value[i] = (double)(i * 7 % MANY) / MANY;
    find_cases();
    for (size_t i = 0; i < n_cases; i++)
        try(&cases[i], few, BEFORE, AFTER);
    for (size_t i = 0; i < sizeof large / sizeof *large; i++)
        try(&large[i], more, 4 * BEFORE, AFTER);
    for (size_t i = 0; i < sizeof boxed / sizeof *boxed; i++)
        try(&boxed[i], box, 8, 4);
    spar_arms_free(few);
    spar_arms_free(more);
    spar_arms_free(box);
    return done();
}
