/* counted.h - a policy beside the counts that a plain transcription of its rule needs, and the comparison of what it
 * plays with the law of the rule, pair by pair. */
#ifndef SPAR_TESTS_POLICY_DIRECT_COUNTED_H
#define SPAR_TESTS_POLICY_DIRECT_COUNTED_H

#include "policy/setup.h"

enum { MOST = 40 };

typedef struct counted {
    setup setup;
    size_t k;
    double w[MOST][MOST]; /* wins, by the test's own counting */
    double t, weight;     /* the current round; what a win counts */
} counted;

__attribute__((unused)) static counted counted_new(const char *spec, size_t k, double weight, uint64_t seed)
{
    return (counted){.setup = setup_new(spec, k, 2, 0, seed), .k = k, .t = 1, .weight = weight};
}

__attribute__((unused)) static void counted_free(counted *d)
{
    setup_free(&d->setup);
}

static void ask(counted *d)
{
    (void)setup_choose(&d->setup);
}

/* Learns the round; `answer` is how slot 0 did. */
static void tell(counted *d, spar_outcome answer)
{
    size_t i = d->setup.round->arm[0], j = d->setup.round->arm[1];
    if (spar_feedback_reset(d->setup.feedback, 2) || spar_feedback_set(d->setup.feedback, 0, 1, answer) ||
        spar_policy_learn(d->setup.policy, d->setup.round, d->setup.feedback, NULL))
        abort();
    if (answer == SPAR_MISSING)
        return;
    double reward = answer == SPAR_WIN ? 1 : answer == SPAR_TIE ? 0.5 : 0;
    d->t += 1;
    if (i != j) {
        d->w[i][j] += d->weight * reward;
        d->w[j][i] += d->weight * (1 - reward);
    }
}

/* A duel that the policy did not ask for. */
__attribute__((unused)) static void tell_of(counted *d, size_t i, size_t j, spar_outcome answer)
{
    d->setup.round->m = 2;
    d->setup.round->arm[0] = i;
    d->setup.round->arm[1] = j;
    memset(d->setup.round->memo, 0, sizeof d->setup.round->memo);
    tell(d, answer);
}

static spar_outcome draw_answer(double p, double ties, spar_rng *luck)
{
    if (spar_rng_uniform(luck) < ties)
        return SPAR_TIE;
    return spar_rng_uniform(luck) < p ? SPAR_WIN : SPAR_LOSS;
}

/* Does the policy, which keeps up to date what it needs, go on as one that makes it anew of what was saved? */
__attribute__((unused)) static bool plays_as_saved(const counted *d, size_t times)
{
    unsigned char *bytes = NULL;
    size_t length = 0;
    setup copy = d->setup;
    spar_rng rng = d->setup.rng;
    bool same = true;
    if (spar_policy_save(d->setup.policy, &bytes, &length) || spar_policy_load(bytes, length, &copy.policy, NULL))
        abort();
    for (size_t r = 0; same && r < times; r++) {
        size_t m, arm[MOST];
        (void)setup_choose(&copy);
        m = copy.round->m;
        memcpy(arm, copy.round->arm, m * sizeof *arm);
        int64_t memo = copy.round->memo[0];
        if (spar_policy_choose(d->setup.policy, copy.scratch, &rng, copy.round, NULL))
            abort();
        same = m == copy.round->m && memcmp(arm, copy.round->arm, m * sizeof *arm) == 0 &&
               memo == copy.round->memo[0] && memcmp(&rng, &copy.rng, sizeof rng) == 0;
    }
    spar_policy_free(copy.policy);
    spar_bytes_free(bytes);
    return same;
}

/* Preferences of some kind: an order of random gaps, all equal, a circle, or 0 and 1. */
__attribute__((unused)) static void make_matrix(size_t kind, size_t k, spar_rng *luck, double p[MOST][MOST])
{
    double value[MOST];
    for (size_t i = 0; i < k; i++)
        value[i] = spar_rng_uniform(luck);
    for (size_t i = 0; i < k; i++) {
        for (size_t j = 0; j < k; j++) {
            double circle = (j + k - i) % k == 1 ? 0.9 : (i + k - j) % k == 1 ? 0.1 : 0.5;
            double made[] = {0.5 + 0.5 * (value[i] - value[j]), 0.5, circle, value[i] > value[j] ? 1 : 0};
            p[i][j] = i == j ? 0.5 : made[kind % 4];
        }
    }
}

static double played(const counted *d, size_t i, size_t j)
{
    return d->w[i][j] + d->w[j][i];
}

__attribute__((unused)) static double upper(const counted *d, size_t i, size_t j, double alpha)
{
    double n = played(d, i, j);
    return i == j ? 0.5 : n == 0 ? 2 : d->w[i][j] / n + sqrt(alpha * log(d->t) / n);
}

__attribute__((unused)) static double lower(const counted *d, size_t i, size_t j, double alpha)
{
    double n = played(d, i, j);
    return i == j ? 0.5 : n == 0 ? 0 : d->w[i][j] / n - sqrt(alpha * log(d->t) / n);
}

/* Chi-square over many states, and how often something was played that has no probability. */
typedef struct tally {
    double chi, df;
    size_t forbidden, states;
} tally;

__attribute__((unused)) static void compare_law(counted *d, double law[MOST][MOST], size_t draws, tally *sum)
{
    double seen[MOST][MOST] = {{0}}, cells = 0;
    for (size_t r = 0; r < draws; r++) {
        ask(d);
        seen[d->setup.round->arm[0]][d->setup.round->arm[1]]++;
    }
    for (size_t i = 0; i < d->k; i++) {
        for (size_t j = 0; j < d->k; j++) {
            double wanted = law[i][j] * (double)draws;
            if (wanted > 0) {
                sum->chi += (seen[i][j] - wanted) * (seen[i][j] - wanted) / wanted;
                cells++;
            } else {
                sum->forbidden += seen[i][j] > 0;
            }
        }
    }
    sum->df += cells - 1;
    sum->states++;
}

__attribute__((unused)) static void judge(const tally *sum, const char *what)
{
    double z = sum->df > 0 ? (sum->chi - sum->df) / sqrt(2 * sum->df) : 0;
    ok(sum->forbidden == 0, "%s: plays only what the rule allows (%zu states, %zu forbidden pairs)", what, sum->states,
       sum->forbidden);
    ok(sum->df > 20 && fabs(z) < 5, "%s: with the probabilities of the rule (z = %.2f, %.0f degrees)", what, z,
       sum->df);
}

/* Long histories of many arms, with duels that the policy did not ask for, ties, and answers that never come: now and
 * then what is kept is compared with what the counts say. */
__attribute__((unused)) static void keeps_books(const char *spec, double weight)
{
    static const size_t sizes[] = {2, 5, 8, 16, 21, 40};
    size_t wrong = 0, looks = 0;
    for (size_t trial = 0; trial < 24; trial++) {
        size_t k = sizes[trial % 6];
        counted d = counted_new(spec, k, weight, trial);
        double p[MOST][MOST];
        spar_rng luck;
        spar_rng_seed(&luck, trial, 7, 3);
        make_matrix(trial / 6, k, &luck, p);
        for (size_t r = 0; r < 3000; r++) {
            ask(&d);
            size_t i = d.setup.round->arm[0], j = d.setup.round->arm[1];
            if (spar_rng_below(&luck, 8) == 0) {
                i = (size_t)spar_rng_below(&luck, k);
                j = (size_t)spar_rng_below(&luck, k);
                tell_of(&d, i, j, draw_answer(p[i][j], 0.2, &luck));
            } else {
                tell(&d, spar_rng_below(&luck, 8) == 0 ? SPAR_MISSING : draw_answer(p[i][j], 0.1, &luck));
            }
            if (r < 50 || r % 29 == 0) {
                wrong += !plays_as_saved(&d, 4);
                looks++;
            }
        }
        counted_free(&d);
    }
    ok(wrong == 0, "%s: plays as if all were made anew of the counts (%zu looks, %zu wrong)", spec, looks, wrong);
}

/* 1e5 rounds of every kind of preferences with half of the answers missing, and as many with answers that come late,
 * twice, or with a foreign memo. */
__attribute__((unused)) static void endures(const char *spec)
{
    enum { ROUNDS = 100000, QUEUE = 8 };
    static const size_t sizes[] = {2, 3, 7};
    for (size_t s = 0; s < 3; s++) {
        bool good = true;
        for (size_t kind = 0; kind < 4; kind++) {
            counted d = counted_new(spec, sizes[s], 1, 100 + kind);
            double p[MOST][MOST], value[MOST];
            spar_round late[QUEUE];
            size_t arm[QUEUE][2], waiting = 0;
            spar_rng luck;
            spar_rng_seed(&luck, kind, s, 3);
            make_matrix(kind, d.k, &luck, p);
            for (size_t r = 0; r < ROUNDS; r++) {
                ask(&d);
                size_t i = d.setup.round->arm[0], j = d.setup.round->arm[1];
                good &= i < d.k && j < d.k;
                if (r < ROUNDS / 2) { /* promptly, or never */
                    tell(&d, spar_rng_next(&luck) & 1 ? SPAR_MISSING : draw_answer(p[i][j], 0.1, &luck));
                    continue;
                }
                arm[waiting][0] = i;
                arm[waiting][1] = j;
                late[waiting++] = *d.setup.round;
                while (waiting == QUEUE || (waiting && spar_rng_below(&luck, 3) == 0)) {
                    size_t at = (size_t)spar_rng_below(&luck, waiting), *pair = arm[at];
                    memcpy(d.setup.round->memo, late[at].memo, sizeof late[at].memo);
                    d.setup.round->arm[0] = pair[0];
                    d.setup.round->arm[1] = pair[1];
                    if (spar_rng_below(&luck, 20) == 0)
                        d.setup.round->memo[0] = (int64_t)spar_rng_next(&luck);
                    tell(&d, draw_answer(p[pair[0]][pair[1]], 0, &luck));
                    if (spar_rng_below(&luck, 10) == 0)
                        continue; /* stays in the queue: it comes once more */
                    waiting--;
                    late[at] = late[waiting];
                    memcpy(arm[at], arm[waiting], sizeof arm[at]);
                }
            }
            good &= spar_policy_rounds(d.setup.policy) > ROUNDS * 2 / 3 &&
                    d.t == (double)spar_policy_rounds(d.setup.policy) + 1;
            good &= spar_policy_score(d.setup.policy, d.setup.scratch,
                                      spar_arms_count(spar_policy_arms(d.setup.policy)), value, NULL) == SPAR_OK;
            for (size_t i = 0; i < d.k; i++)
                good &= isfinite(value[i]) != 0;
            counted_free(&d);
        }
        ok(good,
           "%s, %zu arms: 1e5 rounds of order, equality, circles and certainty with half of the answers missing, "
           "late or repeated",
           spec, sizes[s]);
    }
}

#endif
