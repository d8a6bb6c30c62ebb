#include "sim/sim.h"

#include "tap.h"

#include <stdlib.h>

static double drawn[1001], copy[1001];

static void draw(size_t n)
{
    uint64_t state = 42;
    for (size_t i = 0; i < n; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        copy[i] = drawn[i] = (double)(state >> 40) / 1048576.0;
    }
}

/* The slow obvious version: moments in long double from the definition, quantiles by counting ranks. */
static double kth(const double *x, size_t n, size_t k)
{
    for (size_t i = 0; i < n; i++) {
        size_t less = 0, equal = 0;
        for (size_t j = 0; j < n; j++) {
            less += x[j] < x[i];
            equal += x[j] == x[i];
        }
        if (less <= k && k < less + equal)
            return x[i];
    }
    return NAN;
}

static double slow_quantile(const double *x, size_t n, double p)
{
    double place = p * (double)(n - 1), below = floor(place);
    double low = kth(x, n, (size_t)below), high = kth(x, n, (size_t)fmin(below + 1, (double)(n - 1)));
    return low + (place - below) * (high - low);
}

static void against_the_definition(size_t n)
{
    draw(n);
    long double mean = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        mean += drawn[i] / (long double)n;
    for (size_t i = 0; i < n; i++)
        squares += (drawn[i] - mean) * (drawn[i] - mean);
    double sd = (double)sqrtl(squares / (long double)(n - 1));
    spar__summary s;
    spar__summarize(copy, n, &s);
    ok(s.n == n, "%zu values are counted", n);
    near(s.mean, (double)mean, 1e-14, "mean of %zu", n);
    near(s.sd, sd, 1e-13, "sd of %zu", n);
    near(s.se, sd / sqrt((double)n), 1e-13, "se of %zu", n);
    near(s.median, slow_quantile(drawn, n, 0.5), 1e-15, "median of %zu", n);
    near(s.q05, slow_quantile(drawn, n, 0.05), 1e-14, "5 %% quantile of %zu", n);
    near(s.q25, slow_quantile(drawn, n, 0.25), 1e-14, "25 %% quantile of %zu", n);
    near(s.q75, slow_quantile(drawn, n, 0.75), 1e-14, "75 %% quantile of %zu", n);
    near(s.q95, slow_quantile(drawn, n, 0.95), 1e-14, "95 %% quantile of %zu", n);
}

static void by_hand(void)
{
    double x[] = {7, 1, 4, 2};
    spar__summary s;
    spar__summarize(x, 4, &s);
    ok(s.mean == 3.5 && s.median == 3, "mean 3.5 and median 3 of 1, 2, 4, 7");
    near(s.sd, sqrt(7), 1e-15, "sd sqrt((6.25 + 2.25 + 0.25 + 12.25) / 3)");
    near(s.se, sqrt(7) / 2, 1e-15, "se is sd / 2");
    ok(s.q25 == 1.75 && s.q75 == 4.75, "quartiles 1.75 and 4.75");
    near(s.q05, 1.15, 1e-15, "5 %% quantile 1.15");
    near(s.q95, 6.55, 1e-15, "95 %% quantile 6.55");

    spar__summarize(x, 0, &s);
    ok(s.n == 0 && s.mean == 0 && s.sd == 0 && s.median == 0, "nothing is all zeros");
    double one = 3;
    spar__summarize(&one, 1, &s);
    ok(s.n == 1 && s.mean == 3 && s.sd == 0 && s.se == 0 && s.median == 3 && s.q05 == 3 && s.q95 == 3, "one value");
    double far[] = {1e9 + 1, 1e9 + 2, 1e9 + 3};
    spar__summarize(far, 3, &s);
    ok(s.mean == 1e9 + 2 && s.sd == 1, "a large mean does not spoil the sd");
}

/* The differences from the definition, in long double, over the pairs that are whole. */
static void pairs(size_t n, size_t holes)
{
    static double other[1001];
    draw(n);
    for (size_t i = 0; i < n; i++) {
        other[i] = i % 7 == 3 ? drawn[i] : 0.5 * drawn[i] + drawn[(3 * i + 1) % n];
        if (holes && i % holes == 1)
            (i % 2 ? drawn : other)[i] = NAN;
    }
    long double sum = 0, squares = 0, worse = 0;
    size_t whole = 0;
    for (size_t i = 0; i < n; i++)
        if (drawn[i] == drawn[i] && other[i] == other[i]) {
            whole++;
            sum += (long double)drawn[i] - other[i];
            worse += drawn[i] > other[i] ? 1.0L : drawn[i] < other[i] ? 0.0L : 0.5L;
        }
    long double mean = sum / (long double)whole;
    for (size_t i = 0; i < n; i++)
        if (drawn[i] == drawn[i] && other[i] == other[i])
            squares += (drawn[i] - other[i] - mean) * (drawn[i] - other[i] - mean);
    spar__difference d;
    spar__compare(drawn, other, n, &d);
    ok(d.n == whole, "%zu of %zu pairs are whole", whole, n);
    near(d.mean, (double)mean, 1e-13, "mean difference of %zu pairs", whole);
    near(d.se, (double)sqrtl(squares / (long double)(whole - 1) / (long double)whole), 1e-13, "its standard error");
    near(d.worse, (double)(worse / (long double)whole), 1e-15, "the share that is worse");
    spar__difference back;
    spar__compare(other, drawn, n, &back);
    near(back.mean, -d.mean, 1e-13, "the other way round it is the opposite");
    near(back.worse, 1 - d.worse, 1e-15, "in its share, too");
}

static void pairs_by_hand(void)
{
    const double a[] = {3, 5, NAN, 4}, b[] = {1, 1, 7, 4}, none[] = {NAN, NAN, 1, NAN};
    spar__difference d;
    spar__compare(a, b, 4, &d);
    ok(d.n == 3 && d.mean == 2, "differences 2, 4, 0 have mean 2");
    near(d.se, sqrt(4.0 / 3), 1e-15, "and standard error sqrt(4 / 3)");
    near(d.worse, 2.5 / 3, 1e-15, "two are worse and one is equal");
    spar__compare(a, a, 4, &d);
    ok(d.n == 3 && d.mean == 0 && d.se == 0 && d.worse == 0.5, "nothing differs from itself");
    spar__compare(a, b, 1, &d);
    ok(d.n == 1 && d.mean == 2 && d.se == 0 && d.worse == 1, "one pair");
    spar__compare(a, none, 4, &d);
    ok(d.n == 0 && d.mean == 0 && d.se == 0 && d.worse == 0, "no pair");
    const spar__difference cases[] = {{.n = 9, .mean = 2.01, .se = 1},
                                      {.n = 9, .mean = 2, .se = 1},
                                      {.n = 1, .mean = 9},
                                      {.n = 9, .mean = 0, .se = 0},
                                      {.n = 9, .mean = -9, .se = 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ok(spar__difference_sure(&cases[i]) == (i == 0), "only above two standard errors, %zu", i);
}

static void sums(void)
{
    spar__sum sum = {0};
    double plain = 0;
    for (int i = 0; i < 10000000; i++) {
        spar__sum_add(&sum, 0.1);
        plain += 0.1;
    }
    near(spar__sum_value(sum), 1e6, 1e-9, "ten million tenths make a million (plainly: %.9f)", plain);
    spar__sum cancel = {0};
    spar__sum_add(&cancel, 1);
    spar__sum_add(&cancel, 1e100);
    spar__sum_add(&cancel, -1e100);
    ok(spar__sum_value(cancel) == 1, "a small number survives a large one");
}

int main(void)
{
    by_hand();
    against_the_definition(2);
    against_the_definition(10);
    against_the_definition(1001);
    pairs_by_hand();
    pairs(10, 0);
    pairs(1001, 0);
    pairs(1001, 5);
    sums();
    return done();
}
