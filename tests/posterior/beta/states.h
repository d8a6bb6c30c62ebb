/* states.h - beliefs in given states, the law of their best arm by quadrature, and counts against it.
 *
 * Arms come in kinds: `count` arms with Beta(a,b) each. P(a given arm of kind g is best) is the integral of
 * f_g F_g^(n_g - 1) prod over h != g of F_h^n_h; on the scale s = log(x / (1 - x)) the integrand is smooth and falls to
 * nothing on both sides, so the trapezoid sum is exact but for rounding. The distribution functions are GSL's. */
#ifndef SPAR_TESTS_POSTERIOR_BETA_STATES_H
#define SPAR_TESTS_POSTERIOR_BETA_STATES_H

#include "posterior/belief.h"
#include "posterior/beta/beta.h"
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

/* A belief in this state, settled often enough that it has found its way; distinct: to different arms. */
__attribute__((unused)) static belief state_belief_for(const state *s, bool distinct)
{
    belief b = plain_arms("beta", state_arms(s));
    b.self->distinct = distinct;
    size_t arm = 0;
    for (size_t g = 0; g < s->kinds; g++)
        for (size_t i = 0; i < s->kind[g].count; i++, arm++) {
            tell(&b, arm, s->kind[g].a - 1, s->kind[g].b - 1);
            if (arm % 16 == 15)
                b.self->cls->settle(b.self);
        }
    for (int t = 0; t < 300; t++) {
        size_t shown[2];
        if (distinct &&
            (b.self->cls->reserve(b.self, 2) || b.self->cls->best_distinct(b.self, b.scratch, &b.rng, 2, shown)))
            abort();
        for (size_t j = 0; distinct && j < 2; j++)
            b.self->cls->observe(b.self, shown[j], 1, 0);
        b.self->cls->settle(b.self);
    }
    return b;
}

__attribute__((unused)) static belief state_belief(const state *s)
{
    return state_belief_for(s, false);
}

/* Chosen arms in that many draws against the law, in sigmas: single arms if there are few, else 16 parts of each kind
 * in turn; the pairs of neighbouring slots, over up to 24 classes of arms (kinds, where there are several), against the
 * product; and how often both hold the same arm, which classes of many arms do not show. */
typedef struct fit {
    double arms, pairs, twins;
} fit;

__attribute__((unused)) static bool fits(fit f)
{
    return f.arms < 5 && f.pairs < 5 && f.twins < 5;
}

enum { SLOTS = 4, CLASSES = 24, PARTS = 16 };

typedef struct cells {
    size_t n, classes;
    size_t *cell, *class;
    double *law, share[CLASSES], twins; /* twins: P(two slots hold the same arm) */
} cells;

static cells make_cells(const state *s, const double *p)
{
    size_t arms = state_arms(s);
    bool single = arms <= MOST_KINDS;
    cells c = {.n = single ? arms : s->kinds * PARTS};
    c.classes = s->kinds > 1 && s->kinds < CLASSES ? s->kinds : arms < CLASSES ? arms : CLASSES;
    c.cell = calloc(arms, sizeof *c.cell);
    c.class = calloc(arms, sizeof *c.class);
    c.law = calloc(c.n, sizeof *c.law);
    if (!c.cell || !c.class || !c.law)
        abort();
    for (size_t g = 0, i = 0; g < s->kinds; g++)
        for (size_t k = 0; k < s->kind[g].count; k++, i++) {
            c.cell[i] = single ? i : g * PARTS + k * PARTS / s->kind[g].count;
            c.class[i] = (s->kinds > 1 ? g : i) % c.classes;
            c.law[c.cell[i]] += p[g];
            c.share[c.class[i]] += p[g];
            c.twins += p[g] * p[g];
        }
    return c;
}

__attribute__((unused)) static fit state_fit(const state *s, belief *b, const double *p, size_t draws)
{
    cells c = make_cells(s, p);
    size_t arm[SLOTS], n = c.classes;
    double *count = calloc(c.n, sizeof *count), joint[CLASSES * CLASSES] = {0}, product[CLASSES * CLASSES];
    double same[2] = {0}, twins[2] = {1 - c.twins, c.twins};
    for (size_t k = 0; k < n * n; k++)
        product[k] = c.share[k / n] * c.share[k % n];
    for (size_t t = 0; t < draws / SLOTS; t++) {
        if (!count || b->self->cls->best(b->self, b->scratch, &b->rng, SLOTS, arm, NULL))
            abort();
        for (size_t j = 0; j < SLOTS; j++)
            count[c.cell[arm[j]]]++;
        joint[c.class[arm[0]] * n + c.class[arm[1]]]++;
        joint[c.class[arm[2]] * n + c.class[arm[3]]]++;
        same[arm[0] == arm[1]]++;
        same[arm[2] == arm[3]]++;
    }
    fit f = {fit_sigma(c.n, count, c.law), fit_sigma(n * n, joint, product), fit_sigma(2, same, twins)};
    free(c.cell);
    free(c.class);
    free(c.law);
    free(count);
    return f;
}

#endif
