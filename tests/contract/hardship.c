/* Worlds that no paper promises anything for. Every policy refuses them with a sentence, or plays on: arms in range,
 * probabilities in (0,1], scores that are numbers, every answered round counted. hardship_long.c plays longer. */
#include "contract/stacks.h"

#ifndef HARDSHIP_ROUNDS
#define HARDSHIP_ROUNDS 2000
#endif

enum { MOST_ARMS = 6 };

static double even(size_t i, size_t j)
{
    (void)i;
    (void)j;
    return 0.5;
}

static double gradual(size_t i, size_t j)
{
    return 0.5 + ((double)j - (double)i) / (2 * MOST_ARMS);
}

static double strict(size_t i, size_t j)
{
    return i == j ? 0.5 : i < j;
}

/* Arms 0, 1, 2 beat each other in a circle, and the others more often than not. */
static double cyclic(size_t i, size_t j)
{
    if (i < 3 && j < 3)
        return i == j ? 0.5 : (i + 1) % 3 == j ? 0.8 : 0.2;
    return i < 3 ? 0.7 : j < 3 ? 0.3 : 0.5;
}

typedef struct world {
    const char *name;
    size_t n;
    double (*prefer)(size_t i, size_t j); /* P(i beats j) */
    double silent;                        /* share of the rounds without any answer */
    double unseen;                        /* share of the pairs without one */
    double ties;                          /* share of the answers */
    uint64_t horizon;                     /* as told to the policy */
} world;

static const world worlds[] = {
    {"one arm", 1, even, 0, 0, 0, HARDSHIP_ROUNDS},
    {"two arms", 2, gradual, 0, 0, 0, HARDSHIP_ROUNDS},
    {"equal arms", 6, even, 0, 0, 0, HARDSHIP_ROUNDS},
    {"a sure order", 6, strict, 0, 0, 0, HARDSHIP_ROUNDS},
    {"a circle of three", 6, cyclic, 0, 0, 0, HARDSHIP_ROUNDS},
    {"half of the rounds unanswered", 6, gradual, 0.5, 0, 0, HARDSHIP_ROUNDS},
    {"half of the pairs unseen", 6, gradual, 0, 0.5, 0, HARDSHIP_ROUNDS},
    {"nothing but ties", 6, gradual, 0, 0, 1, HARDSHIP_ROUNDS},
    {"many more rounds than foretold", 6, gradual, 0, 0, 0, 10},
    {"an unknown number of rounds", 6, gradual, 0, 0, 0, 0},
};

/* A plain bandit's reward is the outcome of a duel with a random arm. */
static void answer_in(const world *w, player *p, spar_rng *luck)
{
    size_t m = p->round->m;
    bool silent = spar_rng_uniform(luck) < w->silent;
    (void)spar_feedback_reset(p->feedback, m);
    if (p->policy->cls->plain) {
        double win = w->prefer(p->round->arm[0], (size_t)spar_rng_below(luck, w->n));
        double u = spar_rng_uniform(luck), v = spar_rng_uniform(luck);
        if (!silent && spar_rng_uniform(luck) >= w->unseen)
            (void)spar_feedback_reward(p->feedback, 0, v < w->ties ? 0.5 : u < win);
    }
    for (size_t j = 0; j < m; j++) {
        for (size_t k = j + 1; k < m; k++) {
            double u = spar_rng_uniform(luck), v = spar_rng_uniform(luck);
            spar_outcome said = v < w->ties                                         ? SPAR_TIE
                                : u < w->prefer(p->round->arm[j], p->round->arm[k]) ? SPAR_WIN
                                                                                    : SPAR_LOSS;
            if (!silent && spar_rng_uniform(luck) >= w->unseen)
                (void)spar_feedback_set(p->feedback, j, k, said);
        }
    }
}

static bool round_is_sound(const stack_case *c, const world *w, const spar_round *round)
{
    bool sound = c->policy->own_size ? round->m >= 1 && round->m <= w->n : round->m == (w->n < c->m ? w->n : c->m);
    for (size_t j = 0; j < round->m; j++)
        sound &= round->arm[j] < w->n && round->prob[j] > 0 && round->prob[j] <= 1;
    return sound;
}

static bool scores_are_numbers(const player *p, size_t n)
{
    double score[MOST_ARMS];
    bool finite =
        spar_policy_score(p->policy, p->scratch, spar_arms_count(spar_policy_arms(p->policy)), score, NULL) == SPAR_OK;
    for (size_t i = 0; i < n; i++)
        finite &= isfinite(score[i]) != 0;
    return finite;
}

/* Tries to build the policy; its refusal goes to err. */
static spar_status try_build(const stack_case *c, const spar_arms *arms, size_t m, uint64_t horizon, spar_error *err)
{
    *err = (spar_error){0};
    spar_policy *policy = NULL;
    spar_rng birth;
    spar_rng_seed(&birth, 1, 1, 1);
    spar_status status = spar_policy_new(c->spec, arms, m, horizon, &birth, &policy, err);
    if ((status == SPAR_OK) != (policy != NULL))
        abort();
    spar_policy_free(policy);
    return status;
}

/* One arm cannot be compared: the policy can be built, since others may join, but has nothing to show. */
static bool refuses_one_arm(const stack_case *c, const spar_arms *arms)
{
    player p = player_new(c, arms, 21, 1000);
    spar_error err = {0};
    bool refused = spar_policy_choose(p.policy, p.scratch, &p.rng, p.round, &err) == SPAR_UNSUPPORTED &&
                   strstr(err.text, "two") != NULL;
    player_free(&p);
    return refused;
}

static void endures(const stack_case *c, const world *w, const spar_arms *arms)
{
    player p = player_new(c, arms, 21, w->horizon);
    spar_rng luck;
    spar_rng_seed(&luck, 22, 1, 1);
    bool went = true, sound = true, finite = true;
    uint64_t answered = 0;
    for (uint64_t t = 1; t <= HARDSHIP_ROUNDS; t++) {
        went &= choose(&p);
        sound &= round_is_sound(c, w, p.round);
        answer_in(w, &p, &luck);
        answered += !spar_feedback_empty(p.feedback) || (c->policy->own_size && p.round->m == 1);
        went &= spar_policy_learn(p.policy, p.round, p.feedback, NULL) == SPAR_OK;
        if (t % 97 == 0 || t <= 20)
            finite &= scores_are_numbers(&p, w->n);
    }
    uint64_t counted = spar_policy_rounds(p.policy);
    if (!ok(went && sound && finite && counted == answered && counted > HARDSHIP_ROUNDS / 3, "%s m=%zu: %s", c->spec,
            c->m, w->name))
        printf("# went %d, in range %d, scores %d, counted %llu of %llu answered\n", went, sound, finite,
               (unsigned long long)counted, (unsigned long long)answered);
    player_free(&p);
}

static void meets(const stack_case *c, const world *w)
{
    spar_arms *arms = make_arms(w->n);
    spar_error err;
    spar_status status = try_build(c, arms, c->m, w->horizon, &err);
    bool untold = c->policy->needs_horizon && w->horizon == 0;
    if (untold)
        ok(status == SPAR_UNSUPPORTED && strstr(err.text, "horizon"), "%s m=%zu: refuses %s: %s", c->spec, c->m,
           w->name, err.text);
    else if (w->n < c->policy->min_m)
        ok(refuses_one_arm(c, arms), "%s m=%zu: nothing to compare with %s", c->spec, c->m, w->name);
    else if (status)
        ok(status == err.status && w->horizon && *err.text, "%s m=%zu: refuses %s: %s", c->spec, c->m, w->name,
           err.text);
    else
        endures(c, w, arms);
    spar_arms_free(arms);
}

static void shows_two_at_most(const stack_case *c)
{
    spar_arms *arms = make_arms(MOST_ARMS);
    spar_error err;
    spar_status status = try_build(c, arms, 3, 1000, &err);
    if (c->policy->max_m && c->policy->max_m < 3)
        ok(status == SPAR_UNSUPPORTED && strstr(err.text, "m = 3"), "%s: refuses three arms: %s", c->spec, err.text);
    else
        ok(status == SPAR_OK, "%s: takes three arms", c->spec);
    spar_arms_free(arms);
}

int main(void)
{
    find_cases();
    for (size_t i = 0; i < n_cases; i++) {
        shows_two_at_most(&cases[i]);
        for (size_t w = 0; w < sizeof worlds / sizeof *worlds; w++)
            meets(&cases[i], &worlds[w]);
    }
    return done();
}
