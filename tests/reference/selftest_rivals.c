/* selftest_rivals.c - the policies with their own pair counts against runs that can be worked out by hand. */
#include "tap.h"

#include "reference/ks.h"
#include "reference/parts.h"
#include "reference/share.h"
#include "reference/worlds.h"

#include <stdlib.h>

enum { MANY = 4000 };

typedef ref_result play_fn(const ref_world *world, size_t rounds, uint64_t seed);

static ref_result filter1(const ref_world *world, size_t rounds, uint64_t seed)
{
    return ref_interleaved_filter(world, rounds, 1, seed);
}
static ref_result filter2(const ref_world *world, size_t rounds, uint64_t seed)
{
    return ref_interleaved_filter(world, rounds, 2, seed);
}
static ref_result mean3(const ref_world *world, size_t rounds, uint64_t seed)
{
    return ref_beat_the_mean(world, rounds, 1, 3, true, seed);
}
static ref_result mean1(const ref_world *world, size_t rounds, uint64_t seed)
{
    return ref_beat_the_mean(world, rounds, 1, 1, false, seed);
}
static ref_result rucb(const ref_world *world, size_t rounds, uint64_t seed)
{
    return ref_rucb(world, rounds, 0.51, seed);
}
static ref_result merge_rucb(const ref_world *world, size_t rounds, uint64_t seed)
{
    return ref_merge_rucb(world, rounds, 0.51, 4, 0, seed);
}
static ref_result rmed1(const ref_world *world, size_t rounds, uint64_t seed)
{
    return ref_rmed1(world, rounds, 0.3, 1.01, seed);
}
static ref_result dts(const ref_world *world, size_t rounds, uint64_t seed)
{
    return ref_dts(world, rounds, 0.51, 1, seed);
}
static ref_result mdb(const ref_world *world, size_t rounds, uint64_t seed)
{
    return ref_mdb(world, rounds, 0.5, 1.5, seed);
}

/* fast: regret that 16000 rounds of a sure order of six arms stay below (chance costs 13333) */
static const struct {
    const char *name;
    play_fn *play;
    double fast;
} POLICIES[] = {
    {"interleaved_filter(1)", filter1, 3195},
    {"interleaved_filter", filter2, 3195},
    {"beat_the_mean", mean3, 8000},
    {"beat_the_mean(factor=1)", mean1, 600},
    {"savage", ref_savage, 600},
    {"rucb", rucb, 250},
    {"merge_rucb", merge_rucb, 150},
    {"rmed1", rmed1, 100},
    {"dts", dts, 100},
    {"mdb", mdb, 200},
};
enum { POLICY_COUNT = sizeof POLICIES / sizeof *POLICIES };

static const double SURE[] = {0.5, 1, 0, 0.5};
static const double ORDER[] = {0.5, 1, 1, 0, 0.5, 1, 0, 0, 0.5};

/* A mean of n values within 5 standard errors. */
static void average(const double *value, size_t n, double wanted, const char *name, const char *what)
{
    near(ks_mean(value, n), wanted, 5 * sqrt(ks_variance(value, n) / (double)n), "%s: %s, mean %.5f", name, what,
         wanted);
}

static void test_every_policy(void)
{
    enum { ARMS = 6 };
    static const double one[] = {0.5};
    static double regret[MANY], pulls[MANY];
    double equal[ARMS * ARMS], order[ARMS * ARMS];
    for (size_t i = 0; i < ARMS; i++) {
        for (size_t j = 0; j < ARMS; j++) {
            equal[i * ARMS + j] = 0.5;
            order[i * ARMS + j] = i == j ? 0.5 : i > j;
        }
    }
    ref_world single = {.k = 1, .p = one}, same = {.k = ARMS, .p = equal, .best = 2};
    ref_world sure = {.k = ARMS, .p = order, .best = ARMS - 1}, blind = sure;
    blind.feedback = REF_MISSING;
    blind.param = 1;
    for (size_t i = 0; i < POLICY_COUNT; i++) {
        play_fn *play = POLICIES[i].play;
        const char *name = POLICIES[i].name;
        double slots = play == mdb ? 1 : 2, shown = play == mdb ? ARMS : 2;
        ref_result result = play(&single, 100, i);
        ok(result.regret == 0 && result.best_pulls == 100 * slots, "%s: one arm", name);
        for (size_t run = 0; run < 200; run++) {
            result = play(&same, 60, 10000 + run);
            regret[run] = result.regret;
            pulls[run] = result.best_pulls;
        }
        ok(ks_mean(regret, 200) == 0 && ks_variance(regret, 200) == 0, "%s: equal arms, no regret", name);
        if (play != mdb)
            average(pulls, 200, 60 * 2.0 / ARMS, name, "no arm preferred");
        double worst = 0, played = 0;
        for (size_t run = 0; run < 10; run++) {
            result = play(&sure, 16000, 20000 + run);
            worst = fmax(worst, result.regret);
            played = fmax(played, 2 * result.regret + result.best_pulls); /* a slot costs 1/2 or shows the best */
        }
        ok(worst < POLICIES[i].fast, "%s: a sure order costs %.1f at most", name, worst);
        ok(play == mdb ? played > 16000 : played == 32000, "%s: every slot counts", name);
        for (size_t run = 0; run < MANY; run++)
            regret[run] = play(&blind, 3, 30000 + run).regret;
        average(regret, MANY, 3 * shown / ARMS * (ARMS - 1) / 2, name, "without answers every round is the first");
    }
}

/* The shares of three regrets among MANY runs on three arms; there is no other regret. */
static void three_regrets(play_fn *play, const double *p, const double *wanted, const double *shares, const char *what)
{
    ref_world world = {.k = 3, .p = p, .best = 0};
    size_t hits[3] = {0};
    for (size_t run = 0; run < MANY / 4; run++) {
        double regret = play(&world, 1000, 40000 + run).regret;
        for (size_t i = 0; i < 3; i++)
            hits[i] += fabs(regret - wanted[i]) < 1e-9;
    }
    for (size_t i = 0; i < 3; i++)
        share(hits[i], MANY / 4, shares[i], what);
}

/* Duels 01 and 02 cost 1/2, 12 costs 1. */
static void test_three_arms(void)
{
    static const double thirds[] = {1. / 3, 1. / 3, 1. / 3};
    /* A challenger is beaten or wins when 16 log(9 T) < n, so after 146 passes. The candidate 0 leaves after one stage.
     * With 1 both duels decide. With 2 either of the winners follows, and has one more stage against the other. */
    static const double filter[] = {146, 219, 292};
    three_regrets(filter1, ORDER, filter, thirds, "interleaved_filter(1), a sure order");
    three_regrets(filter2, ORDER, filter, thirds, "interleaved_filter(2), a sure order");
    /* 1 beats 2 with 0.7: of 146 surely more than half, surely not enough to remove it. With candidate 1 the second
     * variant drops 2 when 0 takes over. */
    static const double lead[] = {0.5, 1, 1, 0, 0.5, 0.7, 0, 0.3, 0.5};
    static const double kept[] = {1. / 3, 0, 2. / 3};
    three_regrets(filter1, lead, filter, kept, "interleaved_filter(1) keeps who was behind");
    three_regrets(filter2, lead, filter, thirds, "interleaved_filter(2) drops who was behind");
    /* savage: 32 wins suffice (see selftest_steps). After 31 duels of every pair the next removes one arm and the one
     * after it another; the cost is higher when 12 comes first. */
    static const double savage[] = {63, 63.5, 64}, shares[] = {2. / 3, 1. / 3, 0};
    three_regrets(ref_savage, ORDER, savage, shares, "savage, a sure order");
    /* rmed1 and its first pass */
    ref_world world = {.k = 3, .p = ORDER, .best = 0};
    size_t whole = 0;
    for (size_t run = 0; run < 100; run++)
        whole += rmed1(&world, 3, run).regret == 2;
    share(whole, 100, 1, "rmed1: every pair once");
}

static void test_two_arms(void)
{
    ref_world world = {.k = 2, .p = SURE, .best = 0};
    size_t hits[3] = {0};
    near(filter2(&world, 1000, 1).regret, 133 / 2.0, 1e-9, "interleaved_filter: 16 log(4 T) = 132.7");
    near(ref_savage(&world, 1000, 1).regret, 30 / 2.0, 1e-9, "savage: 2 log(2 T^2) = 29.02");
    near(ref_beat_the_mean(&world, 1000, 1, 1, false, 1).regret, 34, 1e-9, "beat_the_mean: 4 log(4 T) = 33.18 each");
    near(ref_beat_the_mean(&world, 1000, 1, 3, false, 1).regret, 299, 1e-9, "beat_the_mean: factor 3, 298.6 each");
    near(ref_beat_the_mean(&world, 1000, 1.2, 1, false, 1).regret, 69, 1e-9, "beat_the_mean: gamma 1.2, 68.8 each");
    for (size_t run = 0; run < MANY; run++)
        hits[(size_t)mean3(&world, 1, run).best_pulls]++;
    share(hits[0], MANY, 0.25, "beat_the_mean(self=1): an arm may meet itself");
    share(hits[1], MANY, 0.5, "beat_the_mean(self=1): or the other");
    /* The loser's bound is sqrt(0.5 log t / n) after n duels: below 1/2 at t = 4 (n = 3), 6 and 7 (n = 4). */
    static const double cost[] = {0.5, 1, 1.5, 1.5, 2, 2, 2, 2.5};
    for (size_t t = 1; t <= 8; t++) {
        ref_result result = mdb(&world, t, t);
        ok(result.regret == cost[t - 1] && result.best_pulls == (double)t, "mdb: two sure arms, round %zu", t);
    }
    /* rucb: sqrt(0.51 log t / n) is below 1/2 at t = 4 (n = 3, 0.485), 6 and 7 (n = 4, 0.498); merge_rucb the first
     * time for good. */
    for (size_t t = 1; t <= 8; t++) {
        near(rucb(&world, t, t).regret, cost[t - 1], 0, "rucb: two sure arms, round %zu", t);
        near(merge_rucb(&world, t, t).regret, fmin(cost[t - 1], 1.5), 0, "merge_rucb: two sure arms, round %zu", t);
    }
}

/* Three sure arms, 45 duels each until 2 leaves (4 log(6 T) = 44.01); what 0 and 1 did against each other counts, and
 * they go on to 45 each. Without the sum 45 of that: 0's duels with 2 cost 11.25, 1's 22.5, 2's 33.75. */
static void test_forgetting(void)
{
    static double regret[MANY];
    ref_world world = {.k = 3, .p = ORDER, .best = 0};
    for (size_t run = 0; run < MANY; run++)
        regret[run] = mean1(&world, 10000, run).regret;
    average(regret, 400, 112.5, "beat_the_mean", "duels with who left are forgotten");
}

/* On two sure arms rucb and merge_rucb play a fixed list of costs. With half of the answers missing, round r plays the
 * cost after Binomial(r - 1, 1/2) learned rounds: neither wins nor time moved otherwise. */
static void test_missing(void)
{
    enum { ROUNDS = 60 };
    static play_fn *const timed[] = {rucb, merge_rucb}, *const ending[] = {filter2, ref_savage, mean1};
    static const char *const names[] = {"rucb", "merge_rucb", "interleaved_filter", "savage", "beat_the_mean"};
    static double regret[MANY];
    ref_world world = {.k = 2, .p = SURE, .best = 0}, half = world;
    half.feedback = REF_MISSING;
    half.param = 0.5;
    for (size_t i = 0; i < 2; i++) {
        double wanted = 0, at[ROUNDS + 1] = {1}; /* at[s]: probability of s learned rounds before round r */
        for (size_t r = 1; r <= ROUNDS; r++) {
            for (size_t s = 0; s < r; s++)
                wanted += at[s] * (timed[i](&world, s + 1, 1).regret - timed[i](&world, s, 1).regret);
            for (size_t s = r; s > 0; s--)
                at[s] = at[s] / 2 + at[s - 1] / 2;
            at[0] /= 2;
        }
        for (size_t run = 0; run < MANY; run++)
            regret[run] = timed[i](&half, ROUNDS, 50000 + run).regret;
        average(regret, MANY, wanted, names[i], "half of the answers missing");
    }
    for (size_t i = 0; i < 3; i++) { /* these stop learning long before the last round */
        double wanted = 2 * ending[i](&world, 1000, 1).regret;
        for (size_t run = 0; run < MANY / 4; run++)
            regret[run] = ending[i](&half, 1000, 60000 + run).regret;
        average(regret, MANY / 4, wanted, names[2 + i], "half of the answers missing");
    }
}

/* Two arms that always tie have means of 1/2: nobody leaves and no mean allows the best to meet itself, except in the
 * samples of dts. */
static void test_ties(void)
{
    static const double p[] = {0.5, 0.9, 0.1, 0.5};
    ref_world world = {.k = 2, .p = p, .best = 0, .ties = 1e12};
    for (size_t i = 0; i < POLICY_COUNT; i++)
        if (POLICIES[i].play != dts && POLICIES[i].play != mean3)
            near(POLICIES[i].play(&world, 1000, i).regret, 400, 1e-9, "%s: ties decide nothing", POLICIES[i].name);
    double w[4] = {0};
    ref_game game = ref_game_open(&world, 10, 1);
    ref_game_count(&game, w, 0, 1, 0.5, 2.5);
    ref_game_count(&game, w, 1, 0, 1, 2.5);
    ref_game_count(&game, w, 1, 1, 1, 2.5);
    ok(w[0] == 0 && w[1] == 1.25 && w[2] == 3.75 && w[3] == 0, "a tie is half a win to each side");
    (void)ref_game_close(&game);
}

/* The 16 arms of arith; chance costs 2 * 0.164 a round. */
static void test_magnitude(void)
{
    enum { RUNS = 4, ROUNDS = 6000 };
    double utility[WORLD_ARMS], p[WORLD_ARMS * WORLD_ARMS], mean[POLICY_COUNT] = {0}, chance = 0;
    set_arith(utility);
    linear_preferences(utility, WORLD_ARMS, p);
    for (size_t i = 0; i < WORLD_ARMS; i++)
        chance += 2 * ROUNDS * (p[i] - 0.5) / WORLD_ARMS;
    ref_world world = {.k = WORLD_ARMS, .p = p, .best = 0};
    for (size_t i = 0; i < POLICY_COUNT; i++) {
        for (size_t run = 0; run < RUNS; run++)
            mean[i] += POLICIES[i].play(&world, ROUNDS, run).regret / RUNS;
        printf("# arith, %d rounds: %s %.1f\n", ROUNDS, POLICIES[i].name, mean[i]);
    }
    enum { IF1, IF2, BTM, BTM1, SAVAGE, RUCB, MERGE, RMED, DTS, MDB };
    near(mean[BTM], chance, 0.02 * chance, "beat_the_mean(factor=3) is uniform play");
    ok(mean[DTS] < mean[RMED] && mean[RMED] < mean[MERGE] && mean[MERGE] < mean[RUCB], "dts, rmed1, merge_rucb, rucb");
    ok(mean[RUCB] < 0.9 * mean[IF2] && mean[RUCB] < 0.9 * mean[SAVAGE], "rucb before those that wait to be sure");
    ok(mean[MDB] < 0.5 * chance, "mdb learns from all pairs");
}

int main(void)
{
    test_every_policy();
    test_two_arms();
    test_three_arms();
    test_forgetting();
    test_missing();
    test_ties();
    test_magnitude();
    return done();
}
