/* order.h - what a policy's runs cost when its arms stand in another order: nothing more, nothing less. The policy is
 * driven by hand, past the environments, which would shuffle the arms themselves. */
#ifndef SPAR_TESTS_POLICY_ORDER_H
#define SPAR_TESTS_POLICY_ORDER_H

#include "policy/setup.h"

enum { MOST_ARMS = 256, ORDERS = 3 };

static const char *const order_name[ORDERS] = {"best first", "best last", "shuffled"};

/* Regrets are compared after one round in 20, while most is unknown and ties abound, and at the end. */
enum { MOMENTS = 2, EARLY = 20 };

/* k arms, the best first and then by what they lose to it; p[i * k + j] = P(i beats j). */
typedef struct ladder {
    size_t k;
    const double *p;
} ladder;

/* Place `at` of the policy's arms holds rung rung[at] of the ladder. */
static void make_order(size_t order, size_t k, size_t *rung)
{
    for (size_t i = 0; i < k; i++)
        rung[i] = order == 1 ? k - 1 - i : i;
    spar_rng rng;
    spar_rng_seed(&rng, 5, 1, 1);
    if (order == 2)
        spar_rng_shuffle(&rng, rung, k);
}

static void regrets_of_run(const char *spec, const ladder *world, const size_t *rung, uint64_t rounds, uint64_t seed,
                           double *out)
{
    setup d = setup_new(spec, world->k, 2, rounds, seed);
    spar_rng luck;
    spar_rng_seed(&luck, seed, 0, 3);
    double regret = 0, early = 0;
    for (uint64_t t = 0; t < rounds; t++) {
        const size_t *arm = setup_choose(&d);
        (void)spar_feedback_reset(d.feedback, d.round->m);
        for (size_t j = 0; j < d.round->m; j++) {
            regret += world->p[rung[arm[j]]] - 0.5;
            for (size_t k = j + 1; k < d.round->m; k++) {
                bool win = spar_rng_uniform(&luck) < world->p[rung[arm[j]] * world->k + rung[arm[k]]];
                (void)spar_feedback_set(d.feedback, j, k, win ? SPAR_WIN : SPAR_LOSS);
            }
        }
        if (spar_policy_learn(d.policy, d.round, d.feedback, NULL))
            abort();
        if (t + 1 == rounds / EARLY)
            early = regret;
    }
    out[0] = early;
    out[1] = regret;
    setup_free(&d);
}

typedef struct sample {
    double n, sum, squares;
} sample;

static void sample_add(sample *s, double x)
{
    s->n += 1;
    s->sum += x;
    s->squares += x * x;
}

static double mean_of(const sample *s)
{
    return s->sum / s->n;
}

static double variance_of_mean(const sample *s)
{
    return (s->squares - s->sum * mean_of(s)) / (s->n - 1) / s->n;
}

static void same_means(const char *what, const sample *of_order)
{
    for (size_t a = 0; a < ORDERS; a++) {
        for (size_t b = a + 1; b < ORDERS; b++) {
            const sample *x = &of_order[a], *y = &of_order[b];
            double sigma = (mean_of(x) - mean_of(y)) / sqrt(variance_of_mean(x) + variance_of_mean(y));
            ok(fabs(sigma) < 5, "%s: %s costs the same as %s (%.1f and %.1f, %.1f sigma)", what, order_name[a],
               order_name[b], mean_of(x), mean_of(y), sigma);
        }
    }
}

/* Independent runs in each order; their means must agree. */
static void order_does_not_matter(const char *spec, const ladder *world, uint64_t rounds, size_t runs)
{
    sample regret[MOMENTS][ORDERS] = {0};
    size_t rung[MOST_ARMS];
    for (size_t o = 0; o < ORDERS; o++) {
        make_order(o, world->k, rung);
        for (size_t r = 0; r < runs; r++) {
            double x[MOMENTS];
            regrets_of_run(spec, world, rung, rounds, 1000 * (o + 1) + r, x);
            for (size_t i = 0; i < MOMENTS; i++)
                sample_add(&regret[i][o], x[i]);
        }
    }
    for (size_t i = 0; i < MOMENTS; i++) {
        char what[96];
        (void)snprintf(what, sizeof what, "%s, %zu arms, %llu rounds", spec, world->k,
                       (unsigned long long)(i ? rounds : rounds / EARLY));
        same_means(what, regret[i]);
    }
}

#endif
