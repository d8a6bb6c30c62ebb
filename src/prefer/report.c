/* report.c - all properties of one matrix in one struct. */
#include "prefer/prefer.h"

#include "base/alloc.h"
#include "base/error.h"

#include <math.h>

static spar_status check_pair(size_t n, const double *p, size_t i, size_t j, spar_error *err)
{
    const double rounding = 1e-9;
    double value = p[i * n + j], other = p[j * n + i];
    if (!(value >= 0 && value <= 1))
        return spar__fail(err, SPAR_INVALID, "preference (%zu, %zu) is %g, not a probability", i + 1, j + 1, value);
    if (j > i || fabs(value + other - 1) <= rounding) /* every pair once, when both are known to be probabilities */
        return SPAR_OK;
    if (i == j)
        return spar__fail(err, SPAR_INVALID, "preference (%zu, %zu) is %g, not 1/2", i + 1, j + 1, value);
    return spar__fail(err, SPAR_INVALID, "preferences (%zu, %zu) and (%zu, %zu) add up to %.12g, not 1", i + 1, j + 1,
                      j + 1, i + 1, value + other);
}

static spar_status check_matrix(size_t n, const double *p, spar_error *err)
{
    if (n == 0)
        return spar__fail(err, SPAR_INVALID, "a preference matrix needs at least one arm");
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < n; i++)
        for (size_t j = 0; !status && j < n; j++)
            status = check_pair(n, p, i, j, err);
    return status;
}

static double least_gap(size_t n, const double *p, size_t winner)
{
    double least = 0.5;
    for (size_t j = 0; j < n; j++)
        if (j != winner)
            least = fmin(least, p[winner * n + j] - 0.5);
    return least;
}

static void fill_winners(const double *p, spar__prefer_report *report)
{
    size_t n = report->n;
    report->has_condorcet = spar__condorcet(n, p, &report->condorcet);
    if (report->has_condorcet)
        report->condorcet_gap = least_gap(n, p, report->condorcet);
    report->has_order = spar__total_order(n, p, report->order.arm);
    report->order.count = report->has_order ? n : 0;
    report->top_cycle.count = spar__top_cycle(n, p, report->top_cycle.arm);
    report->copeland.count = spar__copeland(n, p, report->copeland.arm, &report->copeland_score);
    report->borda.count = spar__borda(n, p, report->borda.arm, &report->borda_score);
}

static void fill_support(spar__prefer_report *report)
{
    const double negligible = 1e-9;
    spar__arm_list *support = &report->von_neumann_support;
    for (size_t i = 0; i < report->n; i++)
        if (report->von_neumann[i] > negligible)
            support->arm[support->count++] = i;
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
    fill_winners(p, report);
    if ((status = spar__von_neumann(n, p, report->von_neumann, &report->exploitability)) != SPAR_OK)
        goto fail;
    fill_support(report);
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
