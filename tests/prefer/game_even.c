#include "prefer/prefer.h"

#include "base/alloc.h"
#include "matrix.h"
#include "tap.h"

enum { MOST = 24 };

/* Arms of one ring, each of which beats the next with probability p and ties with the rest. */
static void ring(size_t n, double value, double *p)
{
    for (size_t i = 0; i < n * n; i++)
        p[i] = 0.5;
    for (size_t i = 0; i < n; i++)
        matrix_set(n, p, i, (i + 1) % n, value);
}

/* What the best opponent wins. */
static double loss(size_t n, const double *p, const double *w)
{
    double most = 0;
    for (size_t j = 0; j < n; j++) {
        double won = 0;
        for (size_t i = 0; i < n; i++)
            won += w[i] * (p[j * n + i] - 0.5);
        most = fmax(most, won);
    }
    return most;
}

static double entropy(size_t n, const double *w)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum -= w[i] > 0 ? w[i] * log(w[i]) : 0;
    return sum;
}

static void by_hand(void)
{
    double p[36], w[6];
    for (size_t n = 3; n <= 6; n++) { /* an even ring has many optimal strategies, an odd one this one only */
        ring(n, 0.7, p);
        ok(spar__von_neumann_even(n, p, w) == SPAR_OK, "a ring of %zu", n);
        double off = 0;
        for (size_t i = 0; i < n; i++)
            off = fmax(off, fabs(w[i] - 1.0 / (double)n));
        ok(off < 1e-7, "is played evenly (%g off)", off);
    }
    /* Rock, paper, scissors and a second rock: the two rocks share their third. */
    const double twice[] = {0.5,      0.8, 0.2, 0.5, /**/ 0.2, 0.5, 0.8, 0.2,
                            /**/ 0.8, 0.2, 0.5, 0.8, /**/ 0.5, 0.8, 0.2, 0.5};
    (void)spar__von_neumann_even(4, twice, w);
    near(w[0], 1.0 / 6, 1e-6, "one of two equal arms has half the weight");
    near(w[3], 1.0 / 6, 1e-6, "so has the other");
    near(w[1], 1.0 / 3, 1e-6, "the others keep theirs");
    const double order[] = {0.5, 0.6, 0.9, /**/ 0.4, 0.5, 0.7, /**/ 0.1, 0.3, 0.5};
    (void)spar__von_neumann_even(3, order, w);
    ok(w[0] == 1 && w[1] == 0 && w[2] == 0, "a Condorcet winner is played alone");
    const double two_best[] = {0.5, 0.5, 0.9, /**/ 0.5, 0.5, 0.7, /**/ 0.1, 0.3, 0.5};
    (void)spar__von_neumann_even(3, two_best, w);
    near(w[0], 0.5, 1e-7, "two best that tie share it");
    near(w[2], 0, 1e-9, "and leave nothing to the third");
}

/* Few levels make many optimal strategies. None that the simplex method finds, with the arms in any order, nor a mix of
 * two, has more entropy. */
static void random_matrices(void)
{
    double p[MOST * MOST], q[MOST * MOST], w[MOST], v[MOST], back[MOST], other;
    size_t name[MOST], several = 0;
    double lost = 0, more = 0, moved = 0;
    for (int trial = 0; trial < 300; trial++) {
        size_t n = 2 + matrix_below(MOST - 1);
        matrix_random(n, p, (size_t)trial % 4 + (trial % 4 == 3));
        (void)spar__von_neumann_even(n, p, w);
        lost = fmax(lost, loss(n, p, w));
        matrix_shuffle(n, name);
        matrix_rename(n, p, name, q);
        (void)spar__von_neumann(n, q, v, &other);
        for (size_t i = 0; i < n; i++)
            back[i] = (v[name[i]] + w[i]) / 2;
        more = fmax(more, entropy(n, v) - entropy(n, w));
        more = fmax(more, entropy(n, back) - entropy(n, w));
        double differs = 0;
        for (size_t i = 0; i < n; i++)
            differs = fmax(differs, fabs(v[name[i]] - w[i]));
        several += differs > 1e-3;
        (void)spar__von_neumann_even(n, q, v);
        for (size_t i = 0; i < n; i++)
            moved = fmax(moved, fabs(v[name[i]] - w[i]));
    }
    ok(lost < 1e-8, "300 random matrices: the strategy loses nothing (%g)", lost);
    ok(more < 1e-6, "no other optimal one has more entropy (%g)", more);
    ok(moved < 1e-5, "renamed arms have the same weights (%g)", moved);
    ok(several >= 20, "in %zu of them there are several", several);
}

static void without_memory(void)
{
    double p[16], w[4];
    ring(4, 0.7, p);
    spar__alloc_fail_at(0);
    (void)spar__von_neumann_even(4, p, w);
    size_t calls = spar__alloc_count();
    for (size_t k = 1; k <= calls; k++) {
        spar__alloc_fail_at(k);
        ok(spar__von_neumann_even(4, p, w) == SPAR_NOMEM, "allocation %zu of %zu fails", k, calls);
    }
    spar__alloc_fail_at(0);
}

int main(void)
{
    by_hand();
    random_matrices();
    without_memory();
    return done();
}
