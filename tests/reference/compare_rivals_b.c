/* compare_rivals_b.c - interleaved_filter, beat_the_mean, savage and mdb of the library against the references. The
 * arms keep their places, best arm first, so that a preference for low indices would show. Gaps are wide enough for
 * arms to be removed in the rounds there are. */
#include "reference/ks.h"

#include "reference/reference.h"
#include "sampler/rng.h"
#include "tap.h"
#include "types/round.h"

#include <spar/spar.h>

#include <stdlib.h>

enum { K = 6, ROUNDS = 2000, RUNS = 400, WORLDS = 6 };

/* Two-sided 5 sigma, for the p-value and for z. */
static const double LEAST_P = 5.7e-7, MOST_Z = 5;

typedef enum { FILTER, MEAN, SAVAGE, MDB } family;

typedef struct rival {
    const char *spec;
    family family;
    double a, b;     /* variant; factor and gamma; alpha and beta */
    bool self;       /* of beat_the_mean */
    unsigned worlds; /* a bit for each in which it plays */
} rival;

static const rival rivals[] = {
    {"interleaved_filter", FILTER, 2, 0, false, 31},
    {"interleaved_filter(variant=1)", FILTER, 1, 0, false, 31},
    {"beat_the_mean", MEAN, 3, 1, true, 9},
    {"beat_the_mean(factor=0.6)", MEAN, 0.6, 1, true, 31},
    {"beat_the_mean(factor=0.5,gamma=1.2,self=0)", MEAN, 0.5, 1.2, false, 31},
    {"savage", SAVAGE, 0, 0, false, 31},
    {"mdb", MDB, 0.5, 1.5, false, 63},
    {"mdb(alpha=0.2,beta=3)", MDB, 0.2, 3, false, 63},
};

static const char *const world_name[WORLDS] = {"order",      "1good", "cyclic", "certain", "order, answers missing",
                                               "close order"};

static double prefer(size_t world, size_t i, size_t j)
{
    if (i == j)
        return 0.5;
    if (i > j)
        return 1 - prefer(world, j, i);
    switch (world) {
    case 1:
        return i == 0 ? 0.95 : 0.5;
    case 2: /* the losers beat the next two of five in a circle */
        return i == 0 ? 0.95 : j - i <= 2 ? 0.9 : 0.1;
    case 3:
        return 1;
    case 5:
        return 0.55 + 0.05 * (double)(j - i - 1);
    default:
        return 0.85 + 0.03 * (double)(j - i - 1);
    }
}

static double missing(size_t world)
{
    return world == 4 ? 0.3 : 0;
}

typedef struct sample {
    double regret[RUNS], best_pulls[RUNS];
} sample;

static void put(sample *s, size_t run, ref_result result)
{
    s->regret[run] = rint(result.regret * 1e6) * 1e-6; /* the order of a sum must not break ties */
    s->best_pulls[run] = result.best_pulls;
}

static ref_result reference_run(const rival *r, const ref_world *w, uint64_t seed)
{
    switch (r->family) {
    case FILTER:
        return ref_interleaved_filter(w, ROUNDS, (int)r->a, seed);
    case MEAN:
        return ref_beat_the_mean(w, ROUNDS, r->b, r->a, r->self, seed);
    case SAVAGE:
        return ref_savage(w, ROUNDS, seed);
    default:
        return ref_mdb(w, ROUNDS, r->a, r->b, seed);
    }
}

static void play_reference(const rival *r, size_t world, uint64_t seed, sample *out)
{
    double p[K * K];
    for (size_t i = 0; i < K * K; i++)
        p[i] = prefer(world, i / K, i % K);
    ref_world w = {
        .k = K, .p = p, .feedback = missing(world) > 0 ? REF_MISSING : REF_ALL_PAIRS, .param = missing(world)};
    for (size_t run = 0; run < RUNS; run++)
        put(out, run, reference_run(r, &w, seed + run));
}

typedef struct table {
    spar_arms *arms;
    spar_scratch *scratch;
    spar_round *round;
    spar_feedback *feedback;
} table;

static void answer(table *t, size_t world, spar_rng *luck)
{
    size_t m = t->round->m;
    if (spar_feedback_reset(t->feedback, m))
        abort();
    for (size_t j = 1; j < m; j++)
        for (size_t i = 0; i < j; i++) {
            bool win = spar_rng_uniform(luck) < prefer(world, t->round->arm[i], t->round->arm[j]);
            if (spar_rng_uniform(luck) >= missing(world))
                (void)spar_feedback_set(t->feedback, i, j, win ? SPAR_WIN : SPAR_LOSS);
        }
}

static ref_result library_run(const rival *r, table *t, size_t world, uint64_t seed, uint64_t run)
{
    ref_result total = {0, 0};
    spar_policy *policy = NULL;
    spar_error err = {0};
    spar_rng rng, luck;
    spar_rng_seed(&rng, seed, run, 1);
    spar_rng_seed(&luck, seed, run, 2);
    if (spar_policy_new(r->spec, t->arms, 2, ROUNDS, &rng, &policy, &err)) {
        printf("Bail out! %s\n", err.text);
        exit(1);
    }
    for (int i = 0; i < ROUNDS; i++) {
        if (spar_policy_choose(policy, t->scratch, &rng, t->round, NULL))
            abort();
        answer(t, world, &luck);
        if (spar_policy_learn(policy, t->round, t->feedback, NULL))
            abort();
        for (size_t j = 0; j < t->round->m; j++) {
            total.regret += prefer(world, 0, t->round->arm[j]) - 0.5;
            total.best_pulls += t->round->arm[j] == 0;
        }
    }
    spar_policy_free(policy);
    return total;
}

static void play_library(const rival *r, size_t world, uint64_t seed, sample *out)
{
    table t = {0};
    if (spar_arms_new(K, 0, NULL, NULL, &t.arms) || spar_scratch_new(&t.scratch) || spar_round_new(2, &t.round) ||
        spar_feedback_new(2, &t.feedback))
        abort();
    for (size_t run = 0; run < RUNS; run++)
        put(out, run, library_run(r, &t, world, seed, run));
    spar_feedback_free(t.feedback);
    spar_round_free(t.round);
    spar_scratch_free(t.scratch);
    spar_arms_free(t.arms);
}

static bool same(const double *a, const double *b, const char *what, const char *spec, const char *world, bool wanted)
{
    double d = ks_statistic(a, RUNS, b, RUNS), p = ks_p_value(d, RUNS, RUNS), z = ks_mean_z(a, RUNS, b, RUNS);
    bool alike = p > LEAST_P && fabs(z) < MOST_Z;
    if (wanted)
        ok(alike, "%s, %s: %s %.2f, reference %.2f (z %.2f), KS %.3f (p %.2g)", spec, world, what, ks_mean(a, RUNS),
           ks_mean(b, RUNS), z, d, p);
    return alike;
}

static void compare(size_t index, size_t world)
{
    static sample a, b;
    const rival *r = &rivals[index];
    uint64_t seed = 1000 * (10 * index + world);
    play_library(r, world, seed, &a);
    play_reference(r, world, seed, &b);
    (void)same(a.regret, b.regret, "regret", r->spec, world_name[world], true);
    (void)same(a.best_pulls, b.best_pulls, "best pulls", r->spec, world_name[world], true);
}

/* The comparison must see that two rules differ. */
static void tells_apart(size_t x, size_t y, size_t world)
{
    static sample a, b;
    play_library(&rivals[x], world, 1, &a);
    play_reference(&rivals[y], world, 1, &b);
    ok(!same(a.regret, b.regret, "", "", "", false) || !same(a.best_pulls, b.best_pulls, "", "", "", false),
       "%s is told from %s, %s", rivals[x].spec, rivals[y].spec, world_name[world]);
}

int main(void)
{
    for (size_t i = 0; i < sizeof rivals / sizeof *rivals; i++)
        for (size_t world = 0; world < WORLDS; world++)
            if (rivals[i].worlds >> world & 1)
                compare(i, world);
    tells_apart(0, 1, 0);
    tells_apart(3, 4, 2);
    tells_apart(6, 7, 0);
    return done();
}
