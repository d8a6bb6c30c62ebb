/* pl.c - self-sparring with strengths in the law of Plackett and Luce: after every answer the mode of the posterior by
 * Newton's method over all answers so far, and draws from the normal law with the curvature there. */
#include "reference/pl.h"

#include "reference/parts.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 8 };

/* One of n was chosen, `times` times: the first. */
typedef struct choice {
    size_t n, arm[MOST];
    double times;
} choice;

typedef struct belief {
    size_t k, n, room;
    double sd, *theta, *hessian;
    choice *choice;
} belief;

static bool same(const choice *a, const choice *b)
{
    return a->n == b->n && memcmp(a->arm, b->arm, a->n * sizeof *a->arm) == 0;
}

static void add(belief *b, const choice *c)
{
    for (size_t i = 0; i < b->n; i++)
        if (same(&b->choice[i], c)) {
            b->choice[i].times += c->times;
            return;
        }
    if (b->n == b->room) {
        b->room = 2 * b->room + 16;
        b->choice = realloc(b->choice, b->room * sizeof *b->choice);
        if (!b->choice)
            abort();
    }
    b->choice[b->n++] = *c;
}

/* Solves the k equations a x = g; x is g afterwards. */
static void solve(size_t k, double *a, double *g)
{
    for (size_t p = 0; p < k; p++)
        for (size_t i = p + 1; i < k; i++) {
            double by = a[i * k + p] / a[p * k + p];
            for (size_t j = p; j < k; j++)
                a[i * k + j] -= by * a[p * k + j];
            g[i] -= by * g[p];
        }
    for (size_t i = k; i-- > 0;) {
        for (size_t j = i + 1; j < k; j++)
            g[i] -= a[i * k + j] * g[j];
        g[i] /= a[i * k + i];
    }
}

static void slope(belief *b, double *g)
{
    size_t k = b->k;
    for (size_t i = 0; i < k; i++) {
        g[i] = -b->theta[i] / (b->sd * b->sd);
        for (size_t j = 0; j < k; j++)
            b->hessian[i * k + j] = i == j ? 1 / (b->sd * b->sd) : 0;
    }
    for (size_t e = 0; e < b->n; e++) {
        const choice *c = &b->choice[e];
        double p[MOST], sum = 0;
        for (size_t j = 0; j < c->n; j++)
            sum += p[j] = exp(b->theta[c->arm[j]]);
        for (size_t j = 0; j < c->n; j++) {
            p[j] /= sum;
            g[c->arm[j]] += c->times * ((j == 0) - p[j]);
        }
        for (size_t i = 0; i < c->n; i++)
            for (size_t j = 0; j < c->n; j++)
                b->hessian[c->arm[i] * k + c->arm[j]] += c->times * p[i] * ((i == j) - p[j]);
    }
}

static void fit(belief *b)
{
    double *g = ref_zeros(b->k), *h = ref_zeros(b->k * b->k), size = 1;
    for (int step = 0; step < 50 && size > 1e-9; step++) {
        slope(b, g);
        memcpy(h, b->hessian, b->k * b->k * sizeof *h);
        solve(b->k, h, g);
        size = 0;
        for (size_t i = 0; i < b->k; i++)
            size = fmax(size, fabs(g[i]));
        for (size_t i = 0; i < b->k; i++)
            b->theta[i] += size > 1 ? g[i] / size : g[i];
    }
    slope(b, g);
    free(g);
    free(h);
}

/* theta + L^-T z with L L^T the Hessian. */
static void draw(const belief *b, gsl_rng *rng, double *out)
{
    size_t k = b->k;
    double *l = ref_zeros(k * k);
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = b->hessian[i * k + j];
            for (size_t p = 0; p < j; p++)
                sum -= l[i * k + p] * l[j * k + p];
            l[i * k + j] = i == j ? sqrt(sum) : sum / l[j * k + j];
        }
    for (size_t i = k; i-- > 0;) {
        double sum = gsl_ran_gaussian(rng, 1);
        for (size_t j = i + 1; j < k; j++)
            sum -= l[j * k + i] * out[j];
        out[i] = sum / l[i * k + i];
    }
    for (size_t i = 0; i < k; i++)
        out[i] += b->theta[i];
    free(l);
}

static void learn_pairs(belief *b, const ref_round *round)
{
    for (size_t j = 0; j < round->m; j++)
        for (size_t k = 0; k < round->m; k++)
            if (j != k && ref_answered(round, j, k) && round->arm[j] != round->arm[k] && ref_answer(round, j, k) > 0) {
                choice c = {2, {round->arm[j], round->arm[k]}, ref_answer(round, j, k)};
                add(b, &c);
            }
}

/* A slot with an answer is chosen from itself and all that it beat. */
static void learn_ranking(belief *b, const ref_round *round)
{
    for (size_t j = 0; j < round->m; j++) {
        choice c = {1, {round->arm[j]}, 1};
        for (size_t k = 0; k < round->m; k++)
            if (k != j && ref_answered(round, j, k) && ref_answer(round, j, k) == 1)
                c.arm[c.n++] = round->arm[k];
        if (c.n > 1)
            add(b, &c);
    }
}

static void choose(const belief *b, ref_round *round, bool distinct, gsl_rng *rng)
{
    double *theta = ref_zeros(b->k);
    for (size_t j = 0; j < round->m; j++) {
        draw(b, rng, theta);
        for (size_t k = 0; distinct && k < j; k++)
            theta[round->arm[k]] = -INFINITY;
        round->arm[j] = ref_pick_best(theta, b->k, rng);
    }
    free(theta);
}

ref_result ref_pl(const ref_world *world, size_t m, size_t rounds, double sd, bool distinct, uint64_t seed)
{
    gsl_rng *rng = ref_rng_open(seed);
    belief b = {.k = world->k, .sd = sd, .theta = ref_zeros(world->k), .hessian = ref_zeros(world->k * world->k)};
    ref_round round = ref_round_open(m);
    ref_result total = {0, 0};
    fit(&b);
    for (size_t t = 0; t < rounds; t++) {
        choose(&b, &round, distinct, rng);
        ref_users_answer(world, &round, rng);
        ref_arms_once(world, &round);
        (world->feedback == REF_RANKING ? learn_ranking : learn_pairs)(&b, &round);
        fit(&b);
        ref_count_round(world, &round, &total);
    }
    ref_round_close(&round);
    free(b.theta);
    free(b.hessian);
    free(b.choice);
    gsl_rng_free(rng);
    return total;
}
