/* selftest.c - the references against cases that can be worked out by hand. */
#include "tap.h"

#include "reference/ks.h"
#include "reference/parts.h"
#include "reference/share.h"
#include "reference/worlds.h"

#include <stdlib.h>

enum { MANY = 30000, SOME = 1000 };

/* Arm 0 always beats arm 1; three equal arms. */
static const double SURE[] = {0.5, 1, 0, 0.5};
static const double EQUAL[] = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5};

/* A mean of n values within 5 standard errors. */
static void average(const double *value, size_t n, double wanted, const char *what)
{
    near(ks_mean(value, n), wanted, 5 * sqrt(ks_variance(value, n) / (double)n), "%s: mean %.5f", what, wanted);
}

/* ---- plain bandits ---- */

static double *many_plain(ref_result (*play)(const double *, size_t, size_t, uint64_t), const double *mu, size_t k,
                          size_t rounds)
{
    double *regret = ref_zeros(MANY);
    for (size_t i = 0; i < MANY; i++)
        regret[i] = play(mu, k, rounds, 20000000 + i).regret;
    return regret;
}

static void test_plain(void)
{
    static const double sure[] = {1, 0};
    double *regret = many_plain(ref_thompson_plain, sure, 2, 2);
    average(regret, MANY, 5.0 / 6, "thompson, two rounds"); /* then Beta(2,1) or Beta(1,2) against Beta(1,1) */
    free(regret);
    /* After one pull of the bad arm and n - 1 of the good one, bad comes again when sqrt(2 log n)(1 - 1/sqrt(n - 1)) >
     * 1, first so at n = 6. */
    ok(ref_ucb1_plain(sure, 2, 1, 3).regret + ref_ucb1_plain(sure, 2, 1, 3).best_pulls == 1, "ucb1, one round");
    ok(ref_ucb1_plain(sure, 2, 2, 1).regret == 1, "ucb1, each arm once");
    ok(ref_ucb1_plain(sure, 2, 6, 1).regret == 1, "ucb1, not before the seventh round");
    ok(ref_ucb1_plain(sure, 2, 7, 1).regret == 2, "ucb1, the seventh round");
}

/* Two rewards of arm 1 by hand: 3 arms, horizon 9. */
static void test_exp3(void)
{
    gsl_rng *rng = ref_rng_open(1);
    ref_player player = ref_player_open(REF_EXP3, 3, 2, 9);
    double g = sqrt(3 * log(3) / ((exp(1) - 1) * 9));
    (void)ref_player_choose(&player, rng);
    near(player.p[1], 1.0 / 3, 1e-15, "exp3: uniform at first");
    ref_player_learn(&player, 1, 0.5);
    double w = exp(g * 0.5); /* p K = 1 */
    (void)ref_player_choose(&player, rng);
    double p = (1 - g) * w / (w + 2) + g / 3;
    near(player.p[1], p, 1e-15, "exp3: after one reward");
    ref_player_learn(&player, 1, 1);
    w *= exp(g / (p * 3));
    (void)ref_player_choose(&player, rng);
    near(player.p[1], (1 - g) * w / (w + 2) + g / 3, 1e-15, "exp3: after two");
    near(player.p[0], (1 - g) / (w + 2) + g / 3, 1e-15, "exp3: the other arms");
    ref_player_close(&player);
    player = ref_player_open(REF_EXP3, 16, 2, 10);
    ref_player_learn(&player, ref_player_choose(&player, rng), 1);
    (void)ref_player_choose(&player, rng);
    near(player.p[5], 1.0 / 16, 1e-15, "exp3: a short horizon explores all the time");
    size_t hits = 0;
    for (size_t i = 0; i < MANY; i++) {
        static const double weight[] = {1, 0, 3};
        hits += ref_pick(weight, 3, rng) == 2;
    }
    share(hits, MANY, 0.75, "a draw by weight");
    ref_player_close(&player);
    gsl_rng_free(rng);
}

/* ---- dueling policies ---- */

typedef ref_result play_fn(const ref_world *world, size_t m, size_t rounds, uint64_t seed);

static ref_result self_count(const ref_world *world, size_t m, size_t rounds, uint64_t seed)
{
    return ref_ind_self_sparring(world, m, rounds, 3.5, REF_COUNT, seed);
}
static ref_result self_ignore(const ref_world *world, size_t m, size_t rounds, uint64_t seed)
{
    return ref_ind_self_sparring(world, m, rounds, 3.5, REF_IGNORE, seed);
}
static ref_result self_distinct(const ref_world *world, size_t m, size_t rounds, uint64_t seed)
{
    return ref_ind_self_sparring(world, m, rounds, 1, REF_DISTINCT, seed);
}
static ref_result self_one(const ref_world *world, size_t m, size_t rounds, uint64_t seed)
{
    return ref_ind_self_sparring(world, m, rounds, 1, REF_COUNT, seed);
}
static ref_result spar_thompson_mean(const ref_world *world, size_t m, size_t rounds, uint64_t seed)
{
    return ref_sparring(world, m, rounds, REF_THOMPSON, 2, REF_MEAN, seed);
}
static ref_result spar_thompson_each(const ref_world *world, size_t m, size_t rounds, uint64_t seed)
{
    return ref_sparring(world, m, rounds, REF_THOMPSON, 2, REF_EACH, seed);
}
static ref_result spar_ucb1(const ref_world *world, size_t m, size_t rounds, uint64_t seed)
{
    return ref_sparring(world, m, rounds, REF_UCB1, 2, REF_MEAN, seed);
}
static ref_result spar_exp3_each(const ref_world *world, size_t m, size_t rounds, uint64_t seed)
{
    return ref_sparring(world, m, rounds, REF_EXP3, 2, REF_EACH, seed);
}
static ref_result sbm_ucb1(const ref_world *world, size_t m, size_t rounds, uint64_t seed)
{
    (void)m;
    return ref_multi_sbm(world, rounds, REF_UCB1, 2, seed);
}
static ref_result doubler_ucb1(const ref_world *world, size_t m, size_t rounds, uint64_t seed)
{
    (void)m;
    return ref_doubler(world, rounds, REF_UCB1, 2, seed);
}

static const struct {
    const char *name;
    play_fn *play;
    bool two_only;
} POLICIES[] = {
    {"self_sparring(count)", self_count, false},
    {"self_sparring(ignore)", self_ignore, false},
    {"self_sparring(distinct)", self_distinct, false},
    {"sparring/thompson", spar_thompson_mean, false},
    {"sparring/thompson(each)", spar_thompson_each, false},
    {"sparring/ucb1", spar_ucb1, false},
    {"sparring/exp3(each)", spar_exp3_each, false},
    {"multi_sbm/ucb1", sbm_ucb1, true},
    {"doubler/ucb1", doubler_ucb1, true},
};
enum { POLICY_COUNT = sizeof POLICIES / sizeof *POLICIES };

/* What holds of every policy: nothing to lose with one arm or equal arms, and a blind first round. */
static void test_every_policy(void)
{
    enum { LAST = WORLD_ARMS - 1 };
    static const double one[] = {0.5};
    static double regret[SOME], pulls[SOME];
    double utility[WORLD_ARMS], p[WORLD_ARMS * WORLD_ARMS], gap = 0;
    set_arith(utility);
    utility[0] = utility[LAST]; /* so that the best arm is not the first one */
    utility[LAST] = 0.8;
    linear_preferences(utility, WORLD_ARMS, p);
    for (size_t i = 0; i < WORLD_ARMS; i++)
        gap += (p[LAST * WORLD_ARMS + i] - 0.5) / WORLD_ARMS;
    ref_world single = {.k = 1, .p = one}, equal = {.k = 3, .p = EQUAL};
    ref_world arith = {.k = WORLD_ARMS, .p = p, .best = LAST};
    ref_world blind = arith;
    blind.feedback = REF_MISSING;
    blind.param = 1;
    for (size_t i = 0; i < POLICY_COUNT; i++) {
        play_fn *play = POLICIES[i].play;
        const char *name = POLICIES[i].name;
        size_t m = POLICIES[i].two_only || play == self_distinct ? 2 : 3;
        size_t alone = play == self_distinct ? 1 : m;
        ref_result result = play(&single, alone, 100, i);
        ok(result.regret == 0 && result.best_pulls == 100 * (double)alone, "%s: one arm", name);
        for (size_t run = 0; run < SOME; run++) {
            result = play(&equal, m, 20, 30000000 + run);
            regret[run] = result.regret;
            pulls[run] = result.best_pulls;
        }
        ok(ks_mean(regret, SOME) == 0 && ks_variance(regret, SOME) == 0, "%s: equal arms, no regret", name);
        average(pulls, SOME, 20 * (double)m / 3, name);
        for (size_t run = 0; run < SOME; run++)
            regret[run] = play(&arith, m, 1, 20000000 + run).regret;
        average(regret, SOME, (double)m * gap, name);
        for (size_t run = 0; run < SOME; run++)
            regret[run] = play(&blind, m, 20, 50000000 + run).regret;
        average(regret, SOME, 20 * (double)m * gap, name);
    }
}

/* How often the best arm was shown: runs by that number, its mean and 5 standard errors. */
typedef struct shown {
    size_t runs[16];
    double mean, error;
} shown;

static shown best_pulls(play_fn *play, const ref_world *world, size_t m, size_t rounds)
{
    shown got = {0};
    double *pulls = ref_zeros(MANY);
    for (size_t run = 0; run < MANY; run++) {
        pulls[run] = play(world, m, rounds, 60000000 + run).best_pulls;
        got.runs[(size_t)pulls[run]]++;
    }
    got.mean = ks_mean(pulls, MANY);
    got.error = 5 * sqrt(ks_variance(pulls, MANY) / MANY);
    free(pulls);
    return got;
}

static void test_self_sparring(void)
{
    ref_world sure = {.k = 2, .p = SURE, .best = 0}, equal = {.k = 3, .p = EQUAL, .best = 0};
    /* After arms 0 and 1 met, Beta(1 + eta, 1) against Beta(1, 1 + eta): P(0 is the larger) = 1 - (1+eta) B(1+eta,
     * 2+eta). */
    shown got = best_pulls(self_one, &sure, 2, 2);
    near(got.mean, 1 + 2 * (0.5 * 0.5 + 0.5 * 5.0 / 6), got.error, "self_sparring(1): second round");
    got = best_pulls(self_count, &sure, 2, 2);
    double larger = 1 - 4.5 * exp(lgamma(4.5) + lgamma(5.5) - lgamma(10));
    near(got.mean, 1 + 2 * (0.5 * 0.5 + 0.5 * larger), got.error, "self_sparring(3.5): second round");
    /* Arm 0 in all four slots: it met itself once; then E[X^2] for X ~ Beta(4.5, 4.5), or uniform if that is ignored.
     */
    got = best_pulls(self_count, &equal, 2, 2);
    share(got.runs[4], MANY, 1.0 / 9 * 0.275 * 0.275, "self_sparring: a self-duel counts");
    got = best_pulls(self_ignore, &equal, 2, 2);
    share(got.runs[4], MANY, 1.0 / 81, "self_sparring(ignore): it does not");
    got = best_pulls(self_distinct, &equal, 3, 2);
    share(got.runs[2], MANY, 1, "self_sparring(distinct): three slots show three arms");
    got = best_pulls(self_distinct, &equal, 2, 2);
    share(got.runs[3] + got.runs[4], MANY, 0, "self_sparring(distinct): never twice in a round");
}

static void test_sparring(void)
{
    double utility[WORLD_ARMS], p[WORLD_ARMS * WORLD_ARMS], sum = 0;
    set_arith(utility);
    linear_preferences(utility, WORLD_ARMS, p);
    for (size_t i = 0; i < WORLD_ARMS; i++)
        sum += p[i] - 0.5;
    ref_world arith = {.k = WORLD_ARMS, .p = p, .best = 0}, sure = {.k = 2, .p = SURE, .best = 0};
    near(spar_ucb1(&arith, 4, WORLD_ARMS, 1).regret, 4 * sum, 1e-9, "sparring/ucb1: each player, each arm once");
    /* Thompson's second round at m = 3. An arm 0 expects 1.5 wins of 2, an arm 1 half a win; against an untried arm it
     * is chosen with probability (1 + wins) / (2 + duels), a mean being one duel. */
    shown got = best_pulls(spar_thompson_each, &sure, 3, 2);
    near(got.mean, 3 * (0.5 + 2.5 / 4), got.error, "sparring/thompson(each): second round");
    got = best_pulls(spar_thompson_mean, &sure, 3, 2);
    near(got.mean, 3 * (0.5 + 1.75 / 3), got.error, "sparring/thompson(mean): second round");
    /* EXP3 with 2 arms and horizon 2: the first choice has p = 1/2, so s wins multiply its weight by exp(g s). */
    double g = sqrt(2 * log(2) / ((exp(1) - 1) * 2)), again[3];
    for (int s = 0; s < 3; s++)
        again[s] = (1 - g) * exp(g * s) / (exp(g * s) + 1) + g / 2;
    /* With arm 0 first: 0, 1, 2 wins with probability 1/16, 6/16, 9/16 (each win has 3/4); with arm 1 the reverse. */
    double stay = (again[0] + 6 * again[1] + 9 * again[2]) / 16,
           leave = 1 - (9 * again[0] + 6 * again[1] + again[2]) / 16;
    got = best_pulls(spar_exp3_each, &sure, 3, 2);
    near(got.mean, 3 * (0.5 + (stay + leave) / 2), got.error, "sparring/exp3(each): second round");
}

static void test_ailon(void)
{
    ref_world sure = {.k = 2, .p = SURE, .best = 0};
    shown got = best_pulls(sbm_ucb1, &sure, 2, 2);
    share(got.runs[0] + got.runs[4], MANY, 0, "multi_sbm: the left arm's bandit tries the other arm");
    share(got.runs[1], MANY, 0.375, "multi_sbm: best once");
    share(got.runs[2], MANY, 0.25, "multi_sbm: best twice");
    share(got.runs[3], MANY, 0.375, "multi_sbm: best three times");
    got = best_pulls(doubler_ucb1, &sure, 2, 2);
    share(got.runs[1], MANY, 0.5, "doubler: one left arm in the first epoch");
    share(got.runs[3], MANY, 0.5, "doubler: one left arm in the first epoch");
    /* Then the left arm is 0 or 1 by a coin each round, and a new bandit again plays each arm once. */
    got = best_pulls(doubler_ucb1, &sure, 2, 4);
    static const double wanted[] = {0, 0, 0.125, 0.25, 0.25, 0.25, 0.125, 0, 0};
    for (size_t i = 0; i < 9; i++)
        share(got.runs[i], MANY, wanted[i], "doubler: second epoch");
    /* In the fifth round the right arm is the one that won: 0 wins with 3/4, 1 with 1/4, so 0 is right with 3/4. */
    got = best_pulls(doubler_ucb1, &sure, 2, 5);
    near(got.mean, 5 * 0.5 + 2.75, got.error, "doubler: fifth round");
    got = best_pulls(sbm_ucb1, &sure, 2, 7);
    ok(got.mean > 7 + got.error, "multi_sbm: learns whom the right arm beats");
}

/* On 1good a slot without the best arm costs 0.3; 1000 rounds of chance at m = 4 cost 0.3 * 4000 * 15/16 = 1125. */
static void test_magnitude(void)
{
    double utility[WORLD_ARMS], p[WORLD_ARMS * WORLD_ARMS], regret[40], sparring[40];
    set_1good(utility);
    linear_preferences(utility, WORLD_ARMS, p);
    ref_world world = {.k = WORLD_ARMS, .p = p, .best = 0};
    double worst = 0;
    for (size_t run = 0; run < 40; run++) {
        ref_result self = self_one(&world, 4, 1000, run), each = spar_ucb1(&world, 4, 1000, run);
        regret[run] = self.regret;
        sparring[run] = each.regret;
        worst = fmax(worst, fabs(self.regret - 0.3 * (4000 - self.best_pulls)));
        worst = fmax(worst, fabs(each.regret - 0.3 * (4000 - each.best_pulls)));
    }
    near(worst, 0, 1e-8, "1good: regret follows from the best pulls");
    printf("# 1good, m = 4, 1000 rounds: self_sparring %.1f, sparring/ucb1 %.1f\n", ks_mean(regret, 40),
           ks_mean(sparring, 40));
    ok(ks_mean(regret, 40) > 20 && ks_mean(regret, 40) < 200, "1good: self_sparring learns");
    ok(ks_mean(sparring, 40) > 3 * ks_mean(regret, 40), "1good: far better than sparring/ucb1");
    ok(ks_mean(sparring, 40) < 1125, "1good: sparring/ucb1 beats chance");
}

int main(void)
{
    test_plain();
    test_exp3();
    test_every_policy();
    test_self_sparring();
    test_sparring();
    test_ailon();
    test_magnitude();
    return done();
}
