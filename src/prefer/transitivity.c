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

static void check(spar__violations *law, double excess)
{
    if (excess > rounding) {
        law->count++;
        law->worst = fmax(law->worst, excess);
    }
}

static void ordered_triple(spar__transitivity *out, bool from_best, double ij, double jk, double ik)
{
    double linearity = (ik - jk) / ij, relaxed = fmax(ij, jk) / ik;
    out->triples++;
    check(&out->triangle, ik - ij - jk);
    out->linearity = fmin(out->linearity, linearity);
    out->relaxed_all = fmax(out->relaxed_all, relaxed);
    if (from_best)
        out->relaxed = fmax(out->relaxed, relaxed);
}

static void chain(spar__transitivity *out, bool from_best, double ij, double jk, double ik)
{
    out->chains++;
    check(&out->weak, -ik);
    check(&out->strong, fmax(ij, jk) - ik);
    if (ik > rounding)
        ordered_triple(out, from_best, ij, jk, ik);
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
    out->has_relaxed = spar__condorcet(n, p, &best);
    out->linearity = INFINITY;
    out->relaxed = out->relaxed_all = 1;
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
                chain(out, over[a] == best, row[j] - 0.5, p[j * n + under[b]] - 0.5, row[under[b]] - 0.5);
        }
    }
    out->has_linearity = out->triples > 0;
    if (!out->has_linearity)
        out->linearity = 0;
    if (!out->has_relaxed)
        out->relaxed = 0;
    status = SPAR_OK;
fail:
    spar__free(under);
    spar__free(over);
    return status;
}
