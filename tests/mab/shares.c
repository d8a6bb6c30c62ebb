#include "mab/mab.h"

#include "sampler/rng.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 1000 };

static double weight[MOST];
static bool alive[MOST];
static const spar_arms arms = {.alive = alive};
static spar_rng rng;

static spar__shares new_shares(size_t n)
{
    spar__shares shares = {0};
    if (spar__shares_fit(&shares, n))
        abort();
    for (size_t i = 0; i < n; i++) {
        weight[i] = 1 + (double)spar_rng_below(&rng, 9);
        alive[i] = true;
    }
    spar__shares_build(&shares, n, weight, &arms);
    return shares;
}

/* Whole weights, so that every sum is exact: each u belongs to one arm. */
static void test_places(size_t n, size_t retired)
{
    spar__shares shares = new_shares(n);
    for (size_t i = 0; i < retired; i++)
        alive[spar_rng_below(&rng, n)] = false;
    alive[n / 2] = true; /* one has to be */
    spar__shares_build(&shares, n, weight, &arms);
    size_t wrong = 0, live = 0;
    double start = 0;
    for (size_t i = 0; i < n; i++) {
        if (!alive[i])
            continue;
        wrong += spar__shares_at(&shares, start) != i;
        start += weight[i];
        wrong += spar__shares_at(&shares, start - 0.5) != i || spar__shares_live(&shares, live++) != i;
    }
    ok(wrong == 0 && start == spar__shares_total(&shares), "%zu arms, some of %zu retired: every place has its arm", n,
       retired);
    size_t last = n - 1;
    while (!alive[last])
        last--;
    ok(spar__shares_at(&shares, start) == last, "what rounding left over goes to the last live arm");
    spar__shares_free(&shares);
}

/* A million changes over 300 orders of magnitude, against a sum made anew. */
static void test_drift(size_t n)
{
    spar__shares shares = new_shares(n), fresh = {0};
    double off = 0;
    bool same = true;
    if (spar__shares_fit(&fresh, n))
        abort();
    for (int t = 0; t < 1000000; t++) {
        size_t i = (size_t)spar_rng_below(&rng, n);
        weight[i] *= spar_rng_uniform(&rng) < 0.5 || weight[i] > 1e150 ? 1e-3 * spar_rng_uniform(&rng) : 2e3;
        weight[i] = fmax(weight[i], 1e-150);
        spar__shares_change(&shares, i);
        if (t % 10000)
            continue;
        long double sum = 0;
        for (size_t k = 0; k < n; k++)
            sum += weight[k];
        off = fmax(off, (double)fabsl(spar__shares_total(&shares) / sum - 1));
        spar__shares_build(&fresh, n, weight, &arms);
        for (size_t k = 1; k < 2 * fresh.leaves; k++)
            same &= fresh.sum[k] == shares.sum[k];
    }
    ok(same, "%zu arms: after 1e6 changes the tree is that of the weights, to the bit", n);
    ok(off < 1e-14, "and its total theirs (off by %.1e)", off);
    spar__shares_free(&shares);
    spar__shares_free(&fresh);
}

int main(void)
{
    static const size_t sizes[] = {1, 2, 15, 16, 17, 64, 100, 999};
    spar_rng_seed(&rng, 35, 1, 1);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        test_places(sizes[i], 0);
        test_places(sizes[i], sizes[i]);
    }
    test_drift(16);
    test_drift(1000);
    return done();
}
