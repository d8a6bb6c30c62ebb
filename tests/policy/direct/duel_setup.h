/* duel_setup.h - one policy under a test: questions, answers made by hand or by a matrix, and its whole state as bytes.
 */
#ifndef SPAR_TESTS_POLICY_DIRECT_DUEL_SETUP_H
#define SPAR_TESTS_POLICY_DIRECT_DUEL_SETUP_H

#include "policy/policy.h"
#include "sampler/stats.h"
#include "tap.h"

#include <spar/spar.h>

enum { MOST_ARMS = 16 };

typedef struct duel_setup {
    size_t k;
    spar_policy *policy;
    spar_scratch *scratch;
    spar_round *round;
    spar_feedback *feedback;
    spar_rng rng, luck;
} duel_setup;

static duel_setup duel_setup_new(const char *spec, size_t k, uint64_t horizon, uint64_t seed)
{
    duel_setup s = {.k = k};
    spar_arms *arms = NULL;
    spar_error err = {0};
    spar_rng birth;
    spar_rng_seed(&birth, seed, 1, 1);
    spar_rng_seed(&s.rng, seed, 1, 2);
    spar_rng_seed(&s.luck, seed, 1, 3);
    if (spar_arms_new(k, 0, NULL, NULL, &arms) || spar_policy_new(spec, arms, 2, horizon, &birth, &s.policy, &err) ||
        spar_scratch_new(&s.scratch) || spar_round_new(2, &s.round) || spar_feedback_new(2, &s.feedback)) {
        printf("Bail out! %s: %s\n", spec, err.text);
        exit(1);
    }
    spar_arms_free(arms);
    return s;
}

static void duel_setup_free(duel_setup *s)
{
    spar_policy_free(s->policy);
    spar_scratch_free(s->scratch);
    spar_round_free(s->round);
    spar_feedback_free(s->feedback);
}

/* A second policy in the same state. */
__attribute__((unused)) static duel_setup duel_setup_copy(const duel_setup *s)
{
    duel_setup copy = duel_setup_new(spar_policy_spec(s->policy), s->k, s->policy->horizon, 0);
    unsigned char *bytes = NULL;
    size_t n = 0;
    spar_policy_free(copy.policy);
    if (spar_policy_save(s->policy, &bytes, &n) || spar_policy_load(bytes, n, &copy.policy, NULL))
        abort();
    spar_bytes_free(bytes);
    return copy;
}

static void ask(duel_setup *s)
{
    if (spar_policy_choose(s->policy, s->scratch, &s->rng, s->round, NULL))
        abort();
}

/* The answer of slot 0 against slot 1 to the question that was asked. */
__attribute__((unused)) static void tell(duel_setup *s, spar_outcome answer)
{
    if (spar_feedback_reset(s->feedback, 2) || spar_feedback_set(s->feedback, 0, 1, answer) ||
        spar_policy_learn(s->policy, s->round, s->feedback, NULL))
        abort();
}

/* As if `first` and `second` had been asked about. */
__attribute__((unused)) static void tell_about(duel_setup *s, size_t first, size_t second, spar_outcome answer)
{
    s->round->m = 2;
    s->round->asked = true;
    s->round->arm[0] = first;
    s->round->arm[1] = second;
    tell(s, answer);
}

/* Answers all pairs by the matrix p, k x k, each unseen with probability `missing`, and learns. */
static void play(duel_setup *s, const double *p, double missing)
{
    ask(s);
    size_t m = s->round->m;
    (void)spar_feedback_reset(s->feedback, m);
    for (size_t j = 0; j < m; j++)
        for (size_t i = 0; i < j; i++) {
            double win = p[s->round->arm[i] * s->k + s->round->arm[j]], u = spar_rng_uniform(&s->luck);
            if (spar_rng_uniform(&s->luck) >= missing)
                (void)spar_feedback_set(s->feedback, i, j, u < win ? SPAR_WIN : SPAR_LOSS);
        }
    if (spar_policy_learn(s->policy, s->round, s->feedback, NULL))
        abort();
}

__attribute__((unused)) static double score_of(const duel_setup *s, size_t arm)
{
    double value[MOST_ARMS];
    if (spar_policy_score(s->policy, s->scratch, spar_arms_count(spar_policy_arms(s->policy)), value, NULL))
        abort();
    return value[arm];
}

/* Asks `draws` times without answering; true when only the ordered pairs in `allowed` (k x k) come, all as often. */
__attribute__((unused)) static bool asks_uniformly(duel_setup *s, const bool *allowed, size_t draws)
{
    double count[MOST_ARMS * MOST_ARMS] = {0}, seen[MOST_ARMS * MOST_ARMS], p[MOST_ARMS * MOST_ARMS];
    size_t cells = 0;
    for (size_t t = 0; t < draws; t++) {
        ask(s);
        count[s->round->arm[0] * s->k + s->round->arm[1]]++;
    }
    for (size_t i = 0; i < s->k * s->k; i++) {
        if (allowed[i])
            seen[cells++] = count[i];
        else if (count[i] > 0)
            return false;
    }
    for (size_t i = 0; i < cells; i++)
        p[i] = 1 / (double)cells;
    return cells == 1 || fabs(chi_square(draws, cells, seen, p)) < 5;
}

/* Of all ordered pairs those of two different arms (and of one with itself), except where an arm is in `not`. */
__attribute__((unused)) static void pairs_among(size_t k, const bool * not, bool self, bool *allowed)
{
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < k; j++)
            allowed[i * k + j] = !not [i] && !not [j] && (i != j || self);
}

/* The same state, but for the number of rounds learned? */
__attribute__((unused)) static bool same_state(duel_setup *a, duel_setup *b)
{
    unsigned char *x = NULL, *y = NULL;
    size_t n = 0, n_y = 0;
    uint64_t learned = b->policy->learned;
    b->policy->learned = a->policy->learned;
    if (spar_policy_save(a->policy, &x, &n) || spar_policy_save(b->policy, &y, &n_y))
        abort();
    b->policy->learned = learned;
    bool same = n == n_y && memcmp(x, y, n) == 0;
    spar_bytes_free(x);
    spar_bytes_free(y);
    return same;
}

/* A copy of the question, to be answered later. */
typedef struct note {
    size_t arm[2];
    int64_t memo[SPAR__MEMO];
} note;

__attribute__((unused)) static note note_of(const duel_setup *s)
{
    note n = {.arm = {s->round->arm[0], s->round->arm[1]}};
    memcpy(n.memo, s->round->memo, sizeof n.memo);
    return n;
}

__attribute__((unused)) static void tell_late(duel_setup *s, const note *n, spar_outcome answer)
{
    s->round->m = 2;
    s->round->asked = true;
    memcpy(s->round->arm, n->arm, sizeof n->arm);
    memcpy(s->round->memo, n->memo, sizeof n->memo);
    tell(s, answer);
}

typedef enum { WORLD_EQUAL, WORLD_ORDER, WORLD_CYCLE, WORLDS } hard_world;

static double hard_preference(hard_world world, size_t k, size_t i, size_t j)
{
    if (i == j || world == WORLD_EQUAL)
        return 0.5;
    if (world == WORLD_ORDER)
        return i < j;
    size_t ahead = (j + k - i) % k; /* i beats the arms that follow it round the circle, up to half way */
    return 2 * ahead == k ? 0.5 : 2 * ahead < k;
}

/* A hundred thousand rounds of one hard world; in a strict order arm 0 must be the one that is left. */
static bool survives(const char *spec, hard_world world, size_t k, double missing)
{
    enum { ROUNDS = 100000 };
    double p[MOST_ARMS * MOST_ARMS];
    for (size_t i = 0; i < k * k; i++)
        p[i] = hard_preference(world, k, i / k, i % k);
    duel_setup s = duel_setup_new(spec, k, ROUNDS, 17);
    bool good = true;
    double best = 0, slots = 0;
    for (int t = 0; t < ROUNDS; t++) {
        play(&s, p, missing);
        for (size_t j = 0; j < s.round->m; j++) {
            good &= s.round->arm[j] < k;
            best += t >= ROUNDS / 2 && s.round->arm[j] == 0;
        }
        slots += t >= ROUNDS / 2 ? (double)s.round->m : 0;
    }
    for (size_t i = 0; i < k; i++)
        good &= isfinite(score_of(&s, i)) != 0;
    good &= world != WORLD_ORDER || best / slots > 0.99;
    duel_setup_free(&s);
    return good;
}

static void survives_hard_worlds(const char *spec)
{
    static const char *const name[WORLDS] = {"equal arms", "strict order of certain wins", "cycle of certain wins"};
    for (int w = 0; w < WORLDS; w++) {
        ok(survives(spec, (hard_world)w, 5, 0), "%s: %s", spec, name[w]);
        ok(survives(spec, (hard_world)w, 4, 0.5), "%s: %s, half of the answers missing", spec, name[w]);
    }
    ok(survives(spec, WORLD_ORDER, 2, 0) && survives(spec, WORLD_ORDER, 2, 0.5), "%s: two arms", spec);
}

#endif
