/* transitivity.c - how far a preference matrix is from an order with well-behaved gaps, triple by triple.
 *
 * Strong transitivity and the triangle inequality: Yue, Broder, Kleinberg, Joachims 2012 (Interleaved Filter). Relaxed
 * transitivity: Yue, Joachims 2011 (Beat the Mean). Approximate linearity: Sui, Zhuang, Burdick, Yue 2017.
 * Cost: a few operations for each of at most n^3/4 chains. */
#include "prefer/prefer.h"

#include "base/alloc.h"

#include <math.h>
#include <stdint.h>

static const double rounding = 1e-12;

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* The inner loop: branches are rarely taken, and it divides only for a new extreme. */

static void check(spar__violations *law, double excess)
{
    law->count += excess > rounding;
    if (excess > law->worst)
        law->worst = excess;
}

static void ordered_triple(spar__transitivity *sum, bool from_best, double ij, double jk, double ik)
{
    double strongest = larger(ij, jk);
    sum->triples++;
    check(&sum->triangle, ik - ij - jk);
    if (ik - jk < sum->linearity * ij)
        sum->linearity = (ik - jk) / ij;
    if (strongest > sum->relaxed_all * ik)
        sum->relaxed_all = strongest / ik;
    if (from_best && strongest > sum->relaxed * ik)
        sum->relaxed = strongest / ik;
}

static void chain(spar__transitivity *sum, bool from_best, double ij, double jk, double ik)
{
    sum->chains++;
    check(&sum->weak, -ik);
    check(&sum->strong, larger(ij, jk) - ik);
    if (ik > rounding)
        ordered_triple(sum, from_best, ij, jk, ik);
}

/* 0 for what does not exist. */
static spar__transitivity tidy(spar__transitivity sum)
{
    spar__violations *laws[] = {&sum.weak, &sum.strong, &sum.triangle};
    for (size_t l = 0; l < sizeof laws / sizeof *laws; l++)
        if (laws[l]->count == 0)
            laws[l]->worst = 0;
    sum.has_linearity = sum.triples > 0;
    if (!sum.has_linearity)
        sum.linearity = 0;
    if (!sum.has_relaxed)
        sum.relaxed = 0;
    return sum;
}

spar_status spar__transitivity_measure(size_t n, const double *p, spar__transitivity *out)
{
    *out = (spar__transitivity){.skipped = n > SPAR__TRIPLES_MAX_ARMS};
    if (out->skipped)
        return SPAR_OK;
    size_t *over = spar__alloc(n, sizeof *over), *under = spar__alloc(n, sizeof *under), best = SIZE_MAX;
    spar_status status = SPAR_NOMEM;
    if (!over || !under)
        goto fail;
    spar__transitivity sum = {.linearity = INFINITY, .relaxed = 1, .relaxed_all = 1};
    sum.has_relaxed = spar__condorcet(n, p, &best);
    for (size_t j = 0; j < n; j++) {
        size_t overs = 0, unders = 0;
        for (size_t i = 0; i < n; i++) {
            if (p[i * n + j] - 0.5 > rounding)
                over[overs++] = i;
            if (p[j * n + i] - 0.5 > rounding)
                under[unders++] = i;
        }
        for (size_t a = 0; a < overs; a++) {
            const double *row = p + over[a] * n;
            for (size_t b = 0; b < unders; b++)
                chain(&sum, over[a] == best, row[j] - 0.5, p[j * n + under[b]] - 0.5, row[under[b]] - 0.5);
        }
    }
    *out = tidy(sum);
    status = SPAR_OK;
fail:
    spar__free(under);
    spar__free(over);
    return status;
}
