/* What the class of a policy says about itself must be true: each flag that can be wrong is tried. The flag `box` is
 * tried in box.c, and that arms come and go (`live_arms`) in arms.c. */
#include "contract/stacks.h"

enum { ARMS = 5, ROUNDS = 600, EARLY = 100 };

static const double value[64] = {0.30, 0.45, 0.90, 0.20, 0.55};

static bool repeats(const spar_round *round)
{
    for (size_t j = 0; j < round->m; j++)
        for (size_t k = 0; k < j; k++)
            if (round->arm[j] == round->arm[k])
                return true;
    return false;
}

/* distinct: never shows an arm twice. own_size: only then is the number of slots another than m. randomised: without it
 * a deterministic bandit must not be drawn m times, which would compare an arm with itself for ever. */
static void shows_what_it_says(const stack_case *c)
{
    spar_arms *arms = make_arms(ARMS);
    player p = player_new(c, arms, 61, 10000);
    spar_rng luck;
    spar_rng_seed(&luck, 62, 1, 1);
    bool repeated = false, resized = false;
    size_t compared = 0;
    for (int t = 0; t < ROUNDS; t++) {
        if (!play(&p, &luck, value, 0))
            abort();
        repeated |= repeats(p.round);
        resized |= p.round->m != c->m;
        bool differ = false;
        for (size_t j = 1; j < p.round->m; j++)
            differ |= p.round->arm[j] != p.round->arm[0];
        compared += t < EARLY && differ;
    }
    ok(!spar_policy_distinct(p.policy) || !repeated, "%s m=%zu: distinct", c->spec, c->m);
    ok(resized == c->policy->own_size, "%s m=%zu: own_size", c->spec, c->m);
    ok(compared > EARLY / 20 || c->policy->plain, "%s m=%zu: randomised, or else different arms meet (%zu of %d)",
       c->spec, c->m, compared, EARLY);
    player_free(&p);
    spar_arms_free(arms);
}

static bytes state_but_for_time(player *p)
{
    uint64_t learned = p->policy->learned;
    p->policy->learned = 0;
    bytes state = state_of(p->policy);
    p->policy->learned = learned;
    return state;
}

/* asked_only: refuses a duel that it did not ask for, and only then has nothing learned from it. `rounds`: hands whole
 * rounds to a belief that wants them; without it that belief learns nothing. */
static void learns_what_it_says(const stack_case *c)
{
    spar_arms *arms = make_arms(ARMS);
    player p = player_new(c, arms, 63, 10000);
    size_t m = c->policy->plain ? 1 : 2;
    bytes before = state_but_for_time(&p);
    spar_error err = {0};
    if (spar_round_set(p.round, m, (size_t[]){1, 3}) || spar_feedback_reset(p.feedback, m))
        abort();
    (void)(m == 1 ? spar_feedback_reward(p.feedback, 0, 1) : spar_feedback_set(p.feedback, 0, 1, SPAR_WIN));
    spar_status status = spar_policy_learn(p.policy, p.round, p.feedback, &err);
    bool same = same_bytes(before, state_but_for_time(&p));
    if (c->policy->asked_only)
        ok(status == SPAR_UNSUPPORTED && same && strstr(err.text, c->policy->asked_only), "%s: asked_only: %s", c->spec,
           err.text);
    else
        ok(status == SPAR_OK && !same, "%s m=%zu: learns what it did not ask for", c->spec, c->m);
    player_free(&p);
    spar_arms_free(arms);
}

/* plain: learns a reward, and no duel; all others a duel, and no reward. */
static void is_plain_or_not(const stack_case *c)
{
    spar_arms *arms = make_arms(ARMS);
    player p = player_new(c, arms, 64, 10000);
    bytes before = state_of(p.policy);
    if (!choose(&p) || spar_feedback_reset(p.feedback, p.round->m))
        abort();
    (void)spar_feedback_reward(p.feedback, 0, 1);
    spar_status status = spar_policy_learn(p.policy, p.round, p.feedback, NULL);
    bool same = same_bytes(before, state_of(p.policy));
    ok(status == SPAR_OK && same != c->policy->plain, "%s m=%zu: plain", c->spec, c->m);
    player_free(&p);
    spar_arms_free(arms);
}

/* needs_horizon: refuses an unknown one (policy.c), and what it is told makes a difference. */
static void uses_the_horizon(const stack_case *c)
{
    if (!c->policy->needs_horizon)
        return;
    spar_arms *arms = make_arms(ARMS);
    player a = player_new(c, arms, 65, 10), b = player_new(c, arms, 65, 1000000000);
    spar_rng luck_a, luck_b;
    spar_rng_seed(&luck_a, 66, 1, 1);
    luck_b = luck_a;
    bool same = true;
    for (int t = 0; same && t < 20000; t++) {
        same = play(&a, &luck_a, value, 0) && play(&b, &luck_b, value, 0);
        same = same && memcmp(a.round->arm, b.round->arm, 2 * sizeof *a.round->arm) == 0;
    }
    ok(!same, "%s: needs_horizon", c->spec);
    player_free(&a);
    player_free(&b);
    spar_arms_free(arms);
}

static size_t size_of_state(const stack_case *c, size_t n)
{
    spar_arms *arms = make_arms(n);
    player p = player_new(c, arms, 67, 1000);
    bytes state = state_of(p.policy);
    spar_bytes_free(state.at);
    player_free(&p);
    spar_arms_free(arms);
    return state.length;
}

/* pairs: what grows with the square of the arms says so, and is refused where that is too much. */
static void says_that_it_keeps_pairs(const stack_case *c)
{
    size_t small = size_of_state(c, 16), large = size_of_state(c, 32), more = size_of_state(c, 64);
    bool square = (double)(more - large) > 3 * (double)(large - small);
    ok(!square || c->policy->pairs || c->policy->players == SPAR__PLAYERS_PER_ARM, "%s m=%zu: pairs", c->spec, c->m);
}

int main(void)
{
    find_cases();
    offer("self_sparring(distinct=1)");
    for (size_t i = 0; i < n_cases; i++) {
        shows_what_it_says(&cases[i]);
        learns_what_it_says(&cases[i]);
        is_plain_or_not(&cases[i]);
        uses_the_horizon(&cases[i]);
        says_that_it_keeps_pairs(&cases[i]);
    }
    return done();
}
