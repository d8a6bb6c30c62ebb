/* beta_states.h - beliefs in given states, the law of their best arm by quadrature, and counts against it.
 *
 * Arms come in kinds: `count` arms with Beta(a,b) each. P(a given arm of kind g is best) is the integral of
 * f_g F_g^(n_g - 1) prod over h != g of F_h^n_h; on the scale s = log(x / (1 - x)) the integrand is smooth and falls to
 * nothing on both sides, so the trapezoid sum is exact but for rounding. The distribution functions are GSL's. */
#ifndef SPAR_TESTS_POSTERIOR_BETA_STATES_H
#define SPAR_TESTS_POSTERIOR_BETA_STATES_H

#include "posterior/belief.h"
#include "posterior/beta.h"
#include "posterior/stat.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>

enum { MOST_KINDS = 1200 };

typedef struct kind {
    double a, b;
    size_t count;
} kind;

typedef struct state {
    const char *name;
    size_t kinds;
    kind kind[MOST_KINDS];
} state;

__attribute__((unused)) static size_t state_arms(const state *s)
{
    size_t n = 0;
    for (size_t g = 0; g < s->kinds; g++)
        n += s->kind[g].count;
    return n;
}

/* log of the distribution function of the largest at the point s of the logistic scale. */
static double largest(const state *s, double at)
{
    double x = 1 / (1 + exp(-at)), sum = 0;
    for (size_t g = 0; g < s->kinds; g++)
        sum += (double)s->kind[g].count * log(gsl_cdf_beta_P(x, s->kind[g].a, s->kind[g].b));
    return sum;
}

static double where(const state *s, double log_value)
{
    double low = -36, high = 36;
    for (int k = 0; k < 60; k++) {
        double middle = (low + high) / 2, value = largest(s, middle);
        if (value > log_value)
            high = middle;
        else
            low = middle;
    }
    return low;
}

/* p[g] = P(one given arm of kind g is best). */
__attribute__((unused)) static void state_law(const state *s, size_t points, double *p)
{
    double low = where(s, -40), high = where(s, -1e-13), step = (high - low) / (double)points, sum = 0;
    high += 3;
    points += (size_t)(3 / step);
    for (size_t g = 0; g < s->kinds; g++)
        p[g] = 0;
    for (size_t k = 0; k <= points; k++) {
        double at = low + step * (double)k, x = 1 / (1 + exp(-at)), y = 1 / (1 + exp(at)), all = largest(s, at);
        for (size_t g = 0; g < s->kinds && all > -700; g++) {
            double a = s->kind[g].a, b = s->kind[g].b;
            p[g] += step * exp(all) * x * y * gsl_ran_beta_pdf(x, a, b) / gsl_cdf_beta_P(x, a, b);
        }
    }
    for (size_t g = 0; g < s->kinds; g++)
        sum += p[g] * (double)s->kind[g].count;
    if (!(fabs(sum - 1) < 1e-6)) {
        printf("Bail out! %s: the law sums to %.9f\n", s->name, sum);
        exit(1);
    }
    for (size_t g = 0; g < s->kinds; g++)
        p[g] /= sum;
}

__attribute__((unused)) static belief plain_arms(const char *spec, size_t n)
{
    spar_arms *arms = NULL;
    belief b;
    if (spar_arms_new(n, 0, NULL, NULL, &arms) || belief_over(&b, spec, arms, NULL)) {
        printf("Bail out! no belief over %zu arms\n", n);
        exit(1);
    }
    return b;
}

__attribute__((unused)) static void tell(belief *b, size_t arm, double wins, double losses)
{
    const spar__posterior_class *cls = b->self->cls;
    if (cls->reserve(b->self, 1))
        abort();
    if (wins > 0)
        cls->observe(b->self, arm, 1, wins);
    if (losses > 0)
        cls->observe(b->self, arm, 0, losses);
}

/* A belief in this state, settled often enough that it has found its way. */
__attribute__((unused)) static belief state_belief(const state *s)
{
    belief b = plain_arms("beta", state_arms(s));
    size_t arm = 0;
    for (size_t g = 0; g < s->kinds; g++)
        for (size_t i = 0; i < s->kind[g].count; i++, arm++) {
            tell(&b, arm, s->kind[g].a - 1, s->kind[g].b - 1);
            if (arm % 16 == 15)
                b.self->cls->settle(b.self);
        }
    for (int t = 0; t < 300; t++)
        b.self->cls->settle(b.self);
    return b;
}

/* Chosen arms in so many draws against the law, in sigmas: single arms if there are few (up to 1200), else kinds; and
 * the pairs of neighbouring slots, over kinds, against the product. */
typedef struct fit {
    double arms, pairs;
} fit;

__attribute__((unused)) static fit state_fit(const state *s, belief *b, const double *p, size_t draws)
{
    enum { M = 4, CELLS = 24 };
    size_t n = state_arms(s), arm[M], kinds = s->kinds < CELLS ? s->kinds : CELLS;
    bool single = n <= MOST_KINDS;
    double *count = calloc(n, sizeof *count), *law = calloc(n, sizeof *law);
    double joint[CELLS * CELLS] = {0}, product[CELLS * CELLS], share[CELLS] = {0};
    size_t *of = calloc(n, sizeof *of);
    for (size_t g = 0, i = 0; g < s->kinds; g++)
        for (size_t k = 0; k < s->kind[g].count; k++, i++) {
            of[i] = g;
            law[single ? i : g] += p[g];
            share[g % kinds] += p[g];
        }
    for (size_t k = 0; k < kinds * kinds; k++)
        product[k] = share[k / kinds] * share[k % kinds];
    for (size_t t = 0; t < draws / M; t++) {
        if (b->self->cls->best(b->self, b->scratch, &b->rng, M, arm, NULL))
            abort();
        for (size_t j = 0; j < M; j++)
            count[single ? arm[j] : of[arm[j]]]++;
        joint[of[arm[0]] % kinds * kinds + of[arm[1]] % kinds]++;
        joint[of[arm[2]] % kinds * kinds + of[arm[3]] % kinds]++;
    }
    fit f = {fit_sigma(single ? n : s->kinds, count, law), kinds > 1 ? fit_sigma(kinds * kinds, joint, product) : 0};
    free(of);
    free(count);
    free(law);
    return f;
}

#endif
