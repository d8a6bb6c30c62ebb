#include "cli/run/report.h"

#include "base/alloc.h"
#include "base/number.h"
#include "cli/common.h"
#include "cli/terminal.h"
#include "sim/stats.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DROPS = 9 };

spar_status spar__score_at(const spar__trial *trial, size_t policy, size_t checkpoint, spar__summary *out)
{
    spar_status status = spar__results_summary(trial->results, policy, checkpoint, out);
    if (!status && out->n == 0)
        *out = (spar__summary){0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    return status;
}

static spar_status score_of(const spar__trial *trial, size_t policy, spar__score *out)
{
    const spar_results *results = trial->results;
    spar_status status = spar__score_at(trial, policy, results->n_checkpoints, &out->regret);
    if (status)
        return status;
    for (size_t r = 0; r < spar__results_reach(results); r++) {
        const spar__run_numbers *run = &results->run[policy * results->runs + r];
        if (!run->complete)
            continue;
        out->best_share += run->best_share;
        out->set_size += run->set_size;
        out->per_slot += run->per_slot;
        out->seconds += run->seconds;
        out->rounds += (double)run->played;
    }
    double n = (double)out->regret.n; /* without runs: 0 / 0, NaN */
    out->best_share /= n;
    out->set_size /= n;
    out->per_slot /= n;
    return SPAR_OK;
}

typedef struct mean_place {
    double mean;
    size_t policy;
} mean_place;

/* Policies without a complete run come last, equal ones stay in order. */
static int compare_means(const void *a, const void *b)
{
    const mean_place *x = a, *y = b;
    if (isnan(x->mean) != isnan(y->mean))
        return isnan(x->mean) ? 1 : -1;
    if (x->mean < y->mean || x->mean > y->mean)
        return x->mean < y->mean ? -1 : 1;
    return x->policy < y->policy ? -1 : x->policy > y->policy;
}

static spar_status sort_by_mean(const spar__score *score, size_t n, size_t *order)
{
    mean_place *place = spar__alloc(n, sizeof *place);
    if (!place)
        return SPAR_NOMEM;
    for (size_t i = 0; i < n; i++)
        place[i] = (mean_place){score[i].regret.mean, i};
    qsort(place, n, sizeof *place, compare_means);
    for (size_t i = 0; i < n; i++)
        order[i] = place[i].policy;
    spar__free(place);
    return SPAR_OK;
}

spar_status spar__scores_of(const spar__trial *trial, spar__score **score, size_t **order)
{
    size_t n = trial->plan.n_policies;
    *score = spar__alloc(n, sizeof **score);
    *order = spar__alloc(n, sizeof **order);
    spar_status status = *score && *order ? SPAR_OK : SPAR_NOMEM;
    for (size_t i = 0; !status && i < n; i++)
        status = score_of(trial, i, *score + i);
    if (!status)
        status = sort_by_mean(*score, n, *order);
    if (!status)
        (*score)[**order].best = true;
    for (size_t i = 0; !status && i < n; i++) {
        spar__difference *worse = &(*score)[i].worse;
        status = spar__results_difference(trial->results, i, **order, worse);
        if (!worse->n)
            worse->mean = worse->se = worse->worse = NAN;
    }
    if (status) {
        spar__free(*score);
        spar__free(*order);
        *score = NULL;
        *order = NULL;
    }
    return status;
}

static int places_for(const spar__score *score, size_t n)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++)
        if (score[i].regret.n)
            largest = fmax(largest, fmax(fabs(score[i].regret.mean), fabs(score[i].regret.q95)));
    return spar__text_table_places(largest);
}

static void add_number(spar__text_table *table, double value, int places)
{
    if (isnan(value))
        spar__text_table_add(table, "-");
    else
        spar__text_table_add(table, "%.*f", places, value);
}

/* Is every other policy shown to be worse than the one of least mean? */
static bool all_sure(const spar__score *score, size_t n)
{
    bool sure = true;
    for (size_t i = 0; i < n; i++)
        sure &= score[i].best || isnan(score[i].worse.mean) || spar__difference_sure(&score[i].worse);
    return sure;
}

static void add_comparison(spar__text_table *table, const spar__score *score, bool sure, int places)
{
    const spar__difference *d = &score->worse;
    if (isnan(d->mean))
        spar__text_table_add(table, "-");
    else if (score->best)
        spar__text_table_add(table, sure ? "best" : "lowest");
    else if (spar__difference_sure(d))
        spar__text_table_add(table, "worse by %.*f +- %.*f", places, d->mean, places, d->se);
    else if (d->n > 1)
        spar__text_table_add(table, "may be chance: %.*f +- %.*f", places, d->mean, places, d->se);
    else
        spar__text_table_add(table, "one run: %.*f", places, d->mean);
}

static double nanoseconds(const spar__score *score)
{
    return 1e9 * score->seconds / score->rounds;
}

static void add_heads(const spar__trial *trial, bool slow, spar__text_table *table)
{
    const char *heads[] = {"policy", "regret", "se",   "against the best", "median",
                           "sd",     "5 %",    "95 %", "best share",       "set size"};
    for (size_t k = 0; k < sizeof heads / sizeof *heads; k++)
        spar__text_table_add(table, "%s", heads[k]);
    spar__decision_heads(&trial->plan, table);
    spar__text_table_add(table, slow ? "us/round" : "ns/round");
    if (trial->results->interrupted)
        spar__text_table_add(table, "runs");
}

static spar_status add_rows(const spar__trial *trial, const spar__score *scores, const size_t *order,
                            spar__text_table *table)
{
    size_t n = trial->plan.n_policies;
    bool slow = false;
    spar_status status = SPAR_OK;
    for (size_t i = 0; i < n; i++)
        slow |= nanoseconds(&scores[i]) >= 9999.5;
    add_heads(trial, slow, table);
    int places = places_for(scores, n);
    bool sure = all_sure(scores, n);
    for (size_t i = 0; !status && i < n; i++) {
        const spar__score *score = &scores[order[i]];
        const spar__summary *regret = &score->regret;
        spar__text_table_add(table, "%s", trial->plan.policies[order[i]]);
        add_number(table, regret->mean, places);
        add_number(table, regret->n > 1 ? regret->se : NAN, places + 1); /* unknown after one run */
        add_comparison(table, score, sure, places);
        add_number(table, regret->median, places);
        add_number(table, regret->n > 1 ? regret->sd : NAN, places);
        add_number(table, regret->q05, places);
        add_number(table, regret->q95, places);
        add_number(table, score->best_share, 3);
        add_number(table, score->set_size, 2);
        status = spar__decision_cells(trial, order[i], table);
        double time = nanoseconds(score);
        add_number(table, slow ? time / 1000 : time, slow ? 1 : 0);
        if (trial->results->interrupted)
            spar__text_table_add(table, "%zu", regret->n);
    }
    return status;
}

static const char *const kinds[] = {[SPAR_REGRET_SUM] = "",
                                    [SPAR_REGRET_WEAK] = ", weak regret",
                                    [SPAR_REGRET_BEST_FIXED] = ", regret to the best arm in hindsight",
                                    [SPAR_REGRET_BORDA] = ", Borda regret",
                                    [SPAR_REGRET_COPELAND] = ", Copeland regret",
                                    [SPAR_REGRET_VON_NEUMANN] = ", von Neumann regret"};

/* What is left out first where a terminal is narrow: set size, sd, quantiles, time, median, share, error, and
 * beside decisions the comparison. */
static spar__text_table make_table(const spar__trial *trial, size_t drop[DROPS])
{
    size_t decisions = spar__decision_columns(&trial->plan), time = 10 + decisions;
    const size_t order[DROPS] = {9, 5, 6, 7, time, 4, 8, 2, 3};
    memcpy(drop, order, sizeof order);
    return (spar__text_table){.columns = time + (trial->results->interrupted ? 2 : 1),
                              .left = 1,
                              .width = spar__output_width(),
                              .n_drop = decisions ? DROPS : DROPS - 1,
                              .drop = drop};
}

spar_status spar__report_table(const spar__trial *trials, size_t n, bool styled, spar__buf *out)
{
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < n; i++) {
        const spar__trial *trial = &trials[i];
        const spar_plan *plan = &trial->plan;
        spar__buf_adds(out, i ? "\n" : "");
        size_t start = out->length;
        spar__plan_text(plan, out);
        spar__buf_printf(out, "%" PRIu64 " run%s, seed %" PRIu64 "%s%s%s\n\n", plan->runs, spar__plural(plan->runs),
                         plan->seed, kinds[plan->regret], plan->stop ? ", stop " : "", plan->stop ? plan->stop : "");
        spar__fit(out, start, spar__output_width());
        spar__score *scores = NULL;
        size_t *order = NULL;
        status = spar__scores_of(trial, &scores, &order);
        if (!status) {
            size_t drop[DROPS];
            spar__text_table table = make_table(trial, drop);
            status = add_rows(trial, scores, order, &table);
            spar__text_table_print(&table, styled, out);
            start = out->length;
            spar__buf_adds(out, plan->n_policies > 1 ? spar__chance_note : "");
            spar__fit(out, start, table.width);
            spar__text_table_free(&table);
        }
        spar__free(scores);
        spar__free(order);
    }
    return status;
}
