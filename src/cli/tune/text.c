/* The table of the candidates and the sentences below it. */
#include "base/number.h"
#include "cli/common.h"
#include "cli/terminal.h"
#include "cli/tune/tune.h"
#include "sim/stats.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

spar__tune_verdict spar__tune_judge(const spar__tune_trial *trial, spar__tune_by by)
{
    const spar__tuning *tuning = &trial->tuning;
    spar__tune_verdict v = {.best = spar__tuning_best(tuning, by, SIZE_MAX), .next = tuning->n, .standard = tuning->n};
    if (v.best == tuning->n)
        return v;
    v.next = spar__tuning_best(tuning, by, v.best);
    if (v.next < tuning->n)
        spar__tuning_compare(tuning, v.next, v.best, &v.to_next);
    v.standard = trial->values.standard;
    if (v.standard < tuning->n)
        spar__tuning_compare(tuning, v.standard, v.best, &v.to_standard);
    return v;
}

static int places_for(const spar__tuning *tuning)
{
    double largest = 0;
    for (size_t i = 0; i < tuning->n; i++)
        largest = fmax(largest, fabs(tuning->candidate[i].summary.mean));
    return spar__text_table_places(largest);
}

/* Above two standard errors. */
static bool is_sure(const spar__difference *d, spar__tune_by by)
{
    return by == SPAR__TUNE_MEDIAN ? d->n && d->worse - 0.5 > 1 / sqrt((double)d->n) : spar__difference_sure(d);
}

/* By the statistic of the search: the mean difference, or the share of the runs. */
static void add_comparison(const spar__tune_trial *trial, size_t i, size_t best, int places, spar__text_table *table)
{
    spar__difference worse = {0};
    if (best < trial->tuning.n)
        spar__tuning_compare(&trial->tuning, i, best, &worse);
    bool sure = is_sure(&worse, trial->by);
    if (i == best)
        spar__text_table_add(table, "lowest");
    else if (!worse.n)
        spar__text_table_add(table, "-");
    else if (trial->by == SPAR__TUNE_MEDIAN)
        spar__text_table_add(table, "%s %.0f %%", sure ? "worse in" : "may be chance:", 100 * worse.worse);
    else
        spar__text_table_add(table, "%s %.*f +- %.*f", sure ? "worse by" : "may be chance:", places, worse.mean, places,
                             worse.se);
}

static void add_row(const spar__tune_trial *trial, size_t i, size_t best, int places, spar__text_table *table)
{
    char value[SPAR__NUMBER_SIZE];
    (void)spar__number_print(value, trial->values.value[i]);
    const spar__candidate *candidate = &trial->tuning.candidate[i];
    const spar__summary *s = &candidate->summary;
    spar__text_table_add(table, "%s%s", value, i == trial->values.standard ? " (default)" : "");
    const double numbers[] = {s->mean, s->se, s->median, s->q05, s->q95};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        if (!s->n)
            spar__text_table_add(table, "-");
        else
            spar__text_table_add(table, "%.*f", k == 1 ? places + 1 : places, numbers[k]);
        if (k == 1)
            add_comparison(trial, i, best, places, table);
    }
    spar__text_table_add(table, "%zu", s->n);
    spar__text_table_add(table, "%zu of %zu", candidate->rung, trial->tuning.rungs);
}

static void add_table(const spar__tune_trial *trial, int places, bool styled, spar__buf *out)
{
    const char *heads[] = {"regret", "se", "against the best", "median", "5 %", "95 %", "runs", "rung"};
    static const size_t drop[] = {8, 5, 6, 4, 2}; /* rung, quantiles, median, error */
    spar__text_table table = {.columns = 9, .left = 1, .width = spar__output_width(), .n_drop = 5, .drop = drop};
    spar__text_table_add(&table, "%s", trial->param->name);
    for (size_t k = 0; k < sizeof heads / sizeof *heads; k++)
        spar__text_table_add(&table, "%s", heads[k]);
    size_t best = spar__tuning_best(&trial->tuning, trial->by, SIZE_MAX);
    for (size_t i = 0; i < trial->values.n; i++)
        add_row(trial, i, best, places, &table);
    spar__text_table_print(&table, styled, out);
    spar__text_table_free(&table);
    size_t start = out->length;
    if (trial->by == SPAR__TUNE_MEAN)
        spar__buf_adds(out, spar__chance_note);
    else
        spar__buf_adds(out, "worse in: share of the runs; within two standard errors of 50 % it may be chance\n");
    spar__fit(out, start, spar__output_width());
}

/* "it beats 2, the next, by 3.1 +- 1.2 (400 runs)"; by median: "in 61 % of 400 runs". Below two standard errors it says
 * that it may be chance. */
static void add_clause(const spar__tune_trial *trial, size_t other, const char *who, const spar__difference *d,
                       spar__tune_by by, int places, spar__buf *out)
{
    char value[SPAR__NUMBER_SIZE];
    (void)spar__number_print(value, trial->values.value[other]);
    bool median = by == SPAR__TUNE_MEDIAN;
    bool sure = is_sure(d, by);
    spar__buf_printf(out, sure ? "it beats %s, %s, " : "it is hardly ahead of %s, %s, ", value, who);
    if (median)
        spar__buf_printf(out, "in %.0f %% of %zu run%s", 100 * d->worse, d->n, spar__plural(d->n));
    else
        spar__buf_printf(out, "by %.*f +- %.*f (%zu run%s)", places, d->mean, places, d->se, d->n, spar__plural(d->n));
    spar__buf_adds(out, sure ? "" : ", which may be chance");
}

static void add_verdict(const spar__tune_trial *trial, const spar__tune_verdict *v, spar__tune_by by, int places,
                        spar__buf *out)
{
    char value[SPAR__NUMBER_SIZE];
    size_t n = trial->values.n;
    (void)spar__number_print(value, trial->values.value[v->best]);
    const spar__summary *s = &trial->tuning.candidate[v->best].summary;
    bool median = by == SPAR__TUNE_MEDIAN;
    bool sure = v->next == n || is_sure(&v->to_next, by);
    spar__buf_printf(out, "By %s %s%s is %s (%.*f)", median ? "median" : "mean", value,
                     v->best == v->standard ? ", the default," : "", sure ? "best" : "lowest", places,
                     median ? s->median : s->mean);
    if (v->next < n) {
        spar__buf_adds(out, ": ");
        bool both = v->next == v->standard;
        add_clause(trial, v->next, both ? "the next and the default" : "the next", &v->to_next, by, places, out);
    }
    if (v->standard < n && v->standard != v->best && v->standard != v->next) {
        spar__buf_adds(out, ";\n  ");
        add_clause(trial, v->standard, "the default", &v->to_standard, by, places, out);
    }
    spar__buf_adds(out, ".\n");
    if (n > 1 && v->best == n - 1 && trial->values.value[n - 1] < trial->param->high)
        spar__buf_adds(out, "  It is the largest value tried; a larger one may be better.\n");
    if (n > 1 && v->best == 0 && trial->values.value[0] > trial->param->low)
        spar__buf_adds(out, "  It is the smallest value tried; a smaller one may be better.\n");
}

void spar__tune_text(const spar__tune_trial *trial, bool styled, spar__buf *out)
{
    const spar_plan *plan = &trial->plan;
    int places = places_for(&trial->tuning);
    spar__buf_printf(out, "%s of ", trial->param->name);
    spar__buf_add_printable(out, trial->policy);
    spar__buf_adds(out, ", ");
    spar__plan_text(plan, out);
    spar__buf_printf(out, "up to %" PRIu64 " run%s, seed %" PRIu64 "\n\n", plan->runs, spar__plural(plan->runs),
                     plan->seed);
    add_table(trial, places, styled, out);
    spar__tune_verdict mean = spar__tune_judge(trial, SPAR__TUNE_MEAN);
    spar__tune_verdict median = spar__tune_judge(trial, SPAR__TUNE_MEDIAN);
    if (mean.best == trial->values.n)
        return;
    spar__buf_adds(out, "\n");
    size_t start = out->length;
    add_verdict(trial, &mean, SPAR__TUNE_MEAN, places, out);
    add_verdict(trial, &median, SPAR__TUNE_MEDIAN, places, out);
    if (mean.best != median.best)
        spar__buf_adds(out,
                       "Mean and median disagree: the regret has a heavy tail, a few runs that go wrong. The median "
                       "shows the\nusual run, the mean pays for the others.\n");
    spar__fit(out, start, spar__output_width());
}
