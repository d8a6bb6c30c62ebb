/* prefer.c - what can be said about a preference matrix but its von Neumann winner (game.c): who wins in which sense,
 * how far it is transitive, and all of it in one report. At most O(n^3). */
#include "prefer/prefer.h"

#include "base/alloc.h"
#include "base/error.h"

#include <math.h>
#include <stdint.h>

static const double rounding = 1e-12;

static bool beats(size_t n, const double *p, size_t i, size_t j)
{
    return p[i * n + j] > 0.5;
}

static size_t wins(size_t n, const double *p, size_t i)
{
    size_t count = 0;
    for (size_t j = 0; j < n; j++)
        count += j != i && beats(n, p, i, j);
    return count;
}

bool spar__condorcet(size_t n, const double *p, size_t *winner)
{
    if (n == 0)
        return false;
    /* An arm that the candidate does not beat takes its place, so only the last candidate can beat all. */
    size_t candidate = 0;
    for (size_t j = 1; j < n; j++)
        if (!beats(n, p, candidate, j))
            candidate = j;
    if (wins(n, p, candidate) != n - 1)
        return false;
    if (winner)
        *winner = candidate;
    return true;
}

static void swap(size_t *arm, size_t a, size_t b)
{
    size_t kept = arm[a];
    arm[a] = arm[b];
    arm[b] = kept;
}

size_t spar__top_cycle(size_t n, const double *p, size_t *members)
{
    if (n == 0)
        return 0;
    /* A member beats all n - size arms outside, an outsider fewer: an arm with most wins is inside. From it the set
     * grows by every arm that some member does not beat. Members come first in the array, the others after them. */
    size_t first = 0, most = 0, size = 1;
    for (size_t i = 0; i < n; i++) {
        size_t count = wins(n, p, i);
        if (count > most) {
            most = count;
            first = i;
        }
        members[i] = i;
    }
    swap(members, 0, first);
    for (size_t done = 0; done < size; done++)
        for (size_t a = size; a < n; a++)
            if (!beats(n, p, members[done], members[a]))
                swap(members, a, size++);
    for (size_t a = 1; a < size; a++) {
        size_t moving = members[a], b = a;
        for (; b > 0 && members[b - 1] > moving; b--)
            members[b] = members[b - 1];
        members[b] = moving;
    }
    return size;
}

size_t spar__copeland(size_t n, const double *p, size_t *members, size_t *score)
{
    size_t size = 0;
    *score = 0;
    for (size_t i = 0; i < n; i++) {
        size_t count = wins(n, p, i);
        if (count > *score) {
            *score = count;
            size = 0;
        }
        if (count == *score)
            members[size++] = i;
    }
    return size;
}

static double mean_against_others(size_t n, const double *p, size_t i)
{
    double sum = 0;
    for (size_t j = 0; j < n; j++)
        if (j != i)
            sum += p[i * n + j];
    return n > 1 ? sum / (double)(n - 1) : 0.5;
}

size_t spar__borda(size_t n, const double *p, size_t *members, double *score)
{
    size_t size = 0;
    *score = 0;
    for (size_t i = 0; i < n; i++) {
        double mean = mean_against_others(n, p, i);
        if (mean > *score)
            *score = mean;
    }
    for (size_t i = 0; i < n; i++)
        if (mean_against_others(n, p, i) >= *score - rounding)
            members[size++] = i;
    return size;
}

bool spar__total_order(size_t n, const double *p, size_t *order)
{
    /* Of all matrices those of a strict order, with win counts 0, 1, .. n-1, have the largest sum of squared counts: a
     * tie wastes a win, and a cycle evens the counts out. */
    size_t squares = 0;
    for (size_t i = 0; i < n; i++) {
        size_t count = wins(n, p, i);
        squares += count * count;
    }
    if (n == 0 || squares != (n - 1) * n * (2 * n - 1) / 6)
        return false;
    for (size_t i = 0; i < n; i++)
        order[n - 1 - wins(n, p, i)] = i;
    return true;
}

/* How far a preference matrix is from an order with well-behaved gaps, triple by triple.
 *
 * Strong transitivity and the triangle inequality: Yue, Broder, Kleinberg, Joachims 2012 (Interleaved Filter). Relaxed
 * transitivity: Yue, Joachims 2011 (Beat the Mean). Approximate linearity: Sui, Zhuang, Burdick, Yue 2017.
 * Cost: a few operations for each of at most n^3/4 chains. */

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

static void chain(spar__transitivity *sum, bool from_best, double ij, double jk, double ik)
{
    sum->chains++;
    check(&sum->weak, -ik);
    check(&sum->strong, larger(ij, jk) - ik);
    if (ik > rounding) {
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
    spar__violations *laws[] = {&sum.weak, &sum.strong, &sum.triangle};
    for (size_t l = 0; l < sizeof laws / sizeof *laws; l++) /* 0 for what does not exist */
        laws[l]->worst = laws[l]->count ? laws[l]->worst : 0;
    sum.has_linearity = sum.triples > 0;
    sum.linearity = sum.has_linearity ? sum.linearity : 0;
    sum.relaxed = sum.has_relaxed ? sum.relaxed : 0;
    *out = sum;
    status = SPAR_OK;
fail:
    spar__free(under);
    spar__free(over);
    return status;
}

/* All properties of one matrix in one struct. */

static spar_status check_matrix(size_t n, const double *p, spar_error *err)
{
    const double tolerance = 1e-9;
    if (n == 0)
        return spar__fail(err, SPAR_INVALID, "a preference matrix needs at least one arm");
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double value = p[i * n + j], other = p[j * n + i];
            if (!(value >= 0 && value <= 1))
                return spar__fail(err, SPAR_INVALID, "preference (%zu, %zu) is %g, not a probability", i + 1, j + 1,
                                  value);
            if (j > i || fabs(value + other - 1) <= tolerance) /* each pair once, when both are probabilities */
                continue;
            if (i == j)
                return spar__fail(err, SPAR_INVALID, "preference (%zu, %zu) is %g, not 1/2", i + 1, j + 1, value);
            return spar__fail(err, SPAR_INVALID, "preferences (%zu, %zu) and (%zu, %zu) add up to %.12g, not 1", i + 1,
                              j + 1, j + 1, i + 1, value + other);
        }
    return SPAR_OK;
}

spar_status spar__prefer_analyse(size_t n, const double *p, spar__prefer_report *report, spar_error *err)
{
    *report = (spar__prefer_report){.n = n};
    spar__arm_list *lists[] = {&report->order, &report->top_cycle, &report->copeland, &report->borda,
                               &report->von_neumann_support};
    spar_status status = check_matrix(n, p, err);
    if (status)
        goto fail;
    status = SPAR_NOMEM;
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
        if (!(lists[l]->arm = spar__alloc(n, sizeof *lists[l]->arm)))
            goto fail;
    if (!(report->von_neumann = spar__alloc(n, sizeof *report->von_neumann)))
        goto fail;
    report->has_condorcet = spar__condorcet(n, p, &report->condorcet);
    report->condorcet_gap = report->has_condorcet ? 0.5 : 0;
    for (size_t j = 0; j < n && report->has_condorcet; j++)
        if (j != report->condorcet)
            report->condorcet_gap = fmin(report->condorcet_gap, p[report->condorcet * n + j] - 0.5);
    report->has_order = spar__total_order(n, p, report->order.arm);
    report->order.count = report->has_order ? n : 0;
    report->top_cycle.count = spar__top_cycle(n, p, report->top_cycle.arm);
    report->copeland.count = spar__copeland(n, p, report->copeland.arm, &report->copeland_score);
    report->borda.count = spar__borda(n, p, report->borda.arm, &report->borda_score);
    if ((status = spar__von_neumann(n, p, report->von_neumann, &report->exploitability)) != SPAR_OK)
        goto fail;
    const double negligible = 1e-9;
    spar__arm_list *support = &report->von_neumann_support;
    for (size_t i = 0; i < report->n; i++)
        if (report->von_neumann[i] > negligible)
            support->arm[support->count++] = i;
    if ((status = spar__transitivity_measure(n, p, &report->transitivity)) != SPAR_OK)
        goto fail;
    return SPAR_OK;
fail:
    if (status == SPAR_NOMEM)
        (void)spar__fail_memory(err);
    spar__prefer_report_free(report);
    return status;
}

void spar__prefer_report_free(spar__prefer_report *report)
{
    if (!report)
        return;
    spar__free(report->order.arm);
    spar__free(report->top_cycle.arm);
    spar__free(report->copeland.arm);
    spar__free(report->borda.arm);
    spar__free(report->von_neumann_support.arm);
    spar__free(report->von_neumann);
    *report = (spar__prefer_report){0};
}
