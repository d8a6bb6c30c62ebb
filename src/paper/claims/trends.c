/* trends.c - claims about how regret changes with one number: arms shown a round, arms to choose from, how hard answers
 * are to give, and the dimension of the kernel. Settings of a trend differ in that number only and end with it
 * ("shown/linear-arith-8"); exponents are fitted in logarithms. */
#include "base/alloc.h"
#include "num/kernel.h"
#include "paper/paper.h"
#include "plot/plot.h"

#include <math.h>
#include <stdio.h>

enum { STEPS = SPAR__SHOWN_STEPS, MOST_CASES = SPAR__SHOWN_CASES, MOST_RIVALS = 2 };

/* The cell of a policy in setting FAMILY-X, or NULL. */
static const spar__cell *cell_at(const spar__paper *paper, const char *family, double x, const char *label)
{
    char name[64];
    (void)snprintf(name, sizeof name, "%s-%g", family, x);
    return spar__paper_cell(spar__paper_find(paper, name), label);
}

/* Mean regrets of a policy at x[0], x[1], ...; returns at how many of them it was run, one after the other. */
static size_t regrets(const spar__paper *paper, const char *family, size_t n, const double *x, const char *label,
                      spar__estimate *out, spar__run_count *runs)
{
    size_t i = 0;
    for (const spar__cell *cell; i < n && (cell = cell_at(paper, family, x[i], label)); i++) {
        out[i] = spar__mean_of(cell->regret, cell->runs, 1);
        spar__run_count_add(runs, cell);
    }
    return i;
}

/* --- more arms a round: SelfSparring's own regret --- */

const spar__shown_cases spar__shown_independent = {
    2,
    {{"shown/linear-1good", "linear / 1good", spar__multi_policies, 3, 20000},
     {"shown/linear-arith", "linear / arith", spar__multi_policies, 3, 20000}}};
const spar__shown_cases spar__shown_kernel = {1, {{"shown/forrester", "Forrester", spar__kernel_policies, 2, 100}}};

spar_status spar__judge_shown(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    (void)err;
    const spar__shown_cases *cases = data;
    size_t good = 0, fair = 0, all = 0;
    spar__range times = SPAR__RANGE_EMPTY;
    spar__run_count runs = {0};
    for (const spar__shown_case *one = cases->item; one < cases->item + cases->n; one++) {
        spar__estimate r[STEPS];
        if (regrets(paper, one->settings, STEPS, spar__shown_m, one->policy[0].label, r, &runs) < STEPS)
            continue;
        spar__estimate exponent = spar__fit_power(STEPS, spar__shown_m, r);
        spar__finding_item(&out->numbers, all++, "Mean regret at m = 2, 4, 8, 16:");
        spar__range_add(&times, r[STEPS - 1].mean / r[0].mean);
        good += exponent.mean + 2 * exponent.se < 0.25;
        fair += exponent.mean + 2 * exponent.se < 0.5;
        spar__buf_printf(&out->numbers, "%s on %s %.1f, %.1f, %.1f, %.1f (m to the power %.2f +- %.2f)",
                         one->policy[0].label, one->title, r[0].mean, r[1].mean, r[2].mean, r[3].mean, exponent.mean,
                         exponent.se);
    }
    spar__finding_close(out, good, all);
    if (all) {
        spar__buf_printf(&out->brief, "We find that with 16 arms a round instead of 2 the regret of %s is ",
                         cases->item[0].policy[0].label);
        spar__finding_range(&out->brief, times);
        spar__buf_adds(&out->brief, " times as high; that of random play would be 8 times as high.");
    }
    if (all && out->verdict == SPAR__DOES_NOT_HOLD && fair == all)
        out->verdict = SPAR__HOLDS_IN_PART;
    return SPAR_OK;
}

spar_status spar__draw_shown(const void *data, const spar__paper *paper, spar__drawing *to, spar_error *err)
{
    const spar__shown_cases *cases = data;
    double y[MOST_CASES][3 * STEPS];
    char label[MOST_CASES][80];
    spar__series series[MOST_CASES];
    spar__run_count runs = {0};
    char note[SPAR__NOTE_SIZE];
    for (size_t c = 0; c < cases->n; c++) {
        const spar__shown_case *one = &cases->item[c];
        spar__estimate r[STEPS];
        if (regrets(paper, one->settings, STEPS, spar__shown_m, one->policy[0].label, r, &runs) < STEPS)
            return spar__fail(err, SPAR_INVALID, "shown-arms: not all settings were run");
        (void)snprintf(label[c], sizeof label[c], "%s, %llu rounds", one->title, (unsigned long long)one->rounds);
        series[c] = spar__estimate_series(label[c], STEPS, spar__shown_m, r, y[c]);
    }
    spar__figure figure = {.title = "SelfSparring's regret",
                           .x_label = "arms shown a round, m",
                           .y_label = "final regret, summed over all slots",
                           .log_x = true,
                           .log_y = true,
                           .n_series = cases->n,
                           .series = series,
                           .band_note = spar__run_count_note(&runs, note)};
    return spar__draw_panels(&figure, 1, 1, to);
}

/* --- and that of its rivals over its own --- */

typedef struct trend {
    spar__estimate times[STEPS]; /* the rival's regret over SelfSparring's */
    spar__estimate exponent;     /* times ~ m^exponent */
    bool grows, falls;           /* over all steps; at some step */
} trend;

/* false: not all was run. */
static bool measure_advantage(const spar__paper *paper, const spar__shown_case *one, size_t rival, trend *out,
                              spar_status *status)
{
    for (size_t i = 0; i < STEPS; i++) {
        const spar__cell *a = cell_at(paper, one->settings, spar__shown_m[i], one->policy[0].label);
        const spar__cell *b = cell_at(paper, one->settings, spar__shown_m[i], one->policy[rival].label);
        spar__regret_comparison comparison;
        if (!a || !b || (*status = spar__regret_compare(a, a->regret, b->regret, &comparison)))
            return false;
        out->times[i] = comparison.times;
    }
    const spar__estimate *last = &out->times[STEPS - 1];
    out->exponent = spar__fit_power(STEPS, spar__shown_m, out->times);
    out->grows = out->exponent.mean > 2 * out->exponent.se && last->mean - 2 * last->se > 1;
    out->falls = false;
    for (size_t i = 1; i < STEPS; i++) {
        const spar__estimate *a = &out->times[i - 1], *b = &out->times[i];
        out->falls |= b->mean < a->mean - 2 * sqrt(a->se * a->se + b->se * b->se);
    }
    return true;
}

/* The ratios at the smallest and the largest m, of each rival over all cases. */
struct advantage_ends {
    const char *label[MOST_RIVALS];
    spar__range first[MOST_RIVALS], last[MOST_RIVALS];
};

spar_status spar__judge_advantage(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    const spar__shown_cases *cases = data;
    size_t good = 0, some = 0, all = 0;
    struct advantage_ends ends = {0};
    spar_status status = SPAR_OK;
    for (const spar__shown_case *one = cases->item; one < cases->item + cases->n; one++)
        for (size_t rival = 1; rival < one->n_policies; rival++) {
            trend t;
            if (!measure_advantage(paper, one, rival, &t, &status)) {
                if (status)
                    return spar__fail_memory(err);
                continue;
            }
            spar__finding_item(&out->numbers, all++, "Regret of a rival over that of SelfSparring at m = 2, 4, 8, 16:");
            size_t r = rival - 1;
            if (!ends.label[r]) {
                ends.label[r] = one->policy[rival].label;
                ends.first[r] = ends.last[r] = SPAR__RANGE_EMPTY;
            }
            spar__range_add(&ends.first[r], t.times[0].mean);
            spar__range_add(&ends.last[r], t.times[STEPS - 1].mean);
            good += t.grows && !t.falls;
            some += t.grows;
            spar__buf_printf(&out->numbers, "%s on %s %.3g, %.3g, %.3g, %.3g (m to the power %.2f +- %.2f)",
                             one->policy[rival].label, one->title, t.times[0].mean, t.times[1].mean, t.times[2].mean,
                             t.times[3].mean, t.exponent.mean, t.exponent.se);
        }
    const char *own = cases->item[0].policy[0].label;
    for (size_t i = 0; i < MOST_RIVALS && ends.label[i]; i++) {
        spar__buf_printf(&out->brief, "%s %s is ", i ? ", and that of" : "We find that the regret of", ends.label[i]);
        spar__finding_range(&out->brief, ends.first[i]);
        spar__buf_printf(&out->brief, " times%s%s at m = 2 and ", i ? "" : " that of ", i ? "" : own);
        spar__finding_range(&out->brief, ends.last[i]);
        spar__buf_adds(&out->brief, " times at m = 16");
    }
    if (ends.label[0])
        spar__buf_adds(&out->brief, ".");
    spar__finding_close(out, good, all);
    if (some && out->verdict == SPAR__DOES_NOT_HOLD)
        out->verdict = SPAR__HOLDS_IN_PART;
    return SPAR_OK;
}

/* One case. */
static spar__figure advantage_panel(const spar__shown_case *one, const spar__series *series, const char *note)
{
    return (spar__figure){.title = one->title,
                          .x_label = "arms shown a round, m",
                          .log_x = true,
                          .log_y = true,
                          .n_series = one->n_policies - 1,
                          .series = series,
                          .width = 420,
                          .height = 340,
                          .legend_below = true,
                          .same_y = true,
                          .band_note = note};
}

spar_status spar__draw_advantage(const void *data, const spar__paper *paper, spar__drawing *to, spar_error *err)
{
    const spar__shown_cases *cases = data;
    double y[MOST_CASES][MOST_RIVALS][3 * STEPS];
    spar__series series[MOST_CASES][MOST_RIVALS];
    spar__figure panel[MOST_CASES];
    spar__run_count runs = {0};
    char note[SPAR__NOTE_SIZE];
    spar_status status = SPAR_OK;
    for (size_t c = 0; c < cases->n; c++) {
        const spar__shown_case *one = &cases->item[c];
        for (size_t rival = 1; rival < one->n_policies; rival++) {
            double *room = y[c][rival - 1];
            trend t;
            if (!measure_advantage(paper, one, rival, &t, &status))
                return spar__fail(err, status ? status : SPAR_INVALID, "advantage: not all settings were run");
            series[c][rival - 1] = spar__estimate_series(one->policy[rival].label, STEPS, spar__shown_m, t.times, room);
            for (size_t i = 0; i < STEPS; i++)
                room[STEPS + i] = fmax(room[STEPS + i], 0);
        }
        for (size_t i = 0; i < STEPS; i++)
            spar__run_count_add(&runs, cell_at(paper, one->settings, spar__shown_m[i], one->policy[0].label));
        panel[c] = advantage_panel(one, series[c], note);
    }
    (void)spar__run_count_note(&runs, note);
    panel[0].y_label = "regret over SelfSparring's";
    return spar__draw_panels(panel, cases->n, cases->n, to);
}

/* --- more independent arms to choose from --- */

/* Mean regrets of IndSelfSparring and of random play; returns how many sizes were run. */
static size_t measure_offered(const spar__paper *paper, spar__estimate *own, spar__estimate *chance,
                              spar__run_count *runs)
{
    static const char family[] = "offered/linear-arith";
    spar__run_count same = {0};
    size_t n = regrets(paper, family, SPAR__OFFERED_STEPS, spar__offered_arms, "IndSelfSparring", own, runs);
    return regrets(paper, family, n, spar__offered_arms, "random", chance, &same);
}

spar_status spar__judge_offered(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    enum { FEWEST = 3 };
    (void)data, (void)err;
    spar__estimate own[SPAR__OFFERED_STEPS], chance[SPAR__OFFERED_STEPS];
    double others[SPAR__OFFERED_STEPS]; /* arms that are not the best: each must be tried */
    size_t learned = 0;                 /* sizes at which the rounds were enough to learn */
    spar__run_count runs = {0};
    size_t n = measure_offered(paper, own, chance, &runs);
    if (n < FEWEST)
        return SPAR_OK;
    for (size_t i = 0; i < n; i++) {
        others[i] = spar__offered_arms[i] - 1;
        if (learned == i && own[i].mean < chance[i].mean / 3)
            learned++;
        spar__finding_item(&out->numbers, i, "Mean regret of 20000 rounds:");
        spar__buf_printf(&out->numbers, "%.0f with %.0f arms (at random %.0f)", own[i].mean, spar__offered_arms[i],
                         chance[i].mean);
    }
    out->verdict = SPAR__DOES_NOT_HOLD;
    if (learned < 2) {
        spar__buf_adds(&out->numbers, ". It does not learn enough to fit an exponent.");
        spar__buf_adds(&out->brief, "We find that 20000 rounds are too few to tell how regret grows with the number of "
                                    "arms.");
        return SPAR_OK;
    }
    spar__estimate b = spar__fit_power(learned, others, own);
    spar__buf_printf(&out->numbers, ". Over the first %zu sizes regret grows as K - 1 to the power %.2f +- %.2f.",
                     learned, b.mean, b.se);
    spar__buf_printf(
        &out->brief,
        "We find that the regret of IndSelfSparring grows as the number of other arms, K - 1, to the power "
        "%.2f +- %.2f.",
        b.mean, b.se);
    if (fabs(b.mean - 1) + 2 * b.se < 0.25)
        out->verdict = learned > 2 ? SPAR__HOLDS : SPAR__HOLDS_IN_PART;
    return SPAR_OK;
}

spar_status spar__draw_offered(const void *data, const spar__paper *paper, spar__drawing *to, spar_error *err)
{
    (void)data;
    spar__estimate own[SPAR__OFFERED_STEPS], chance[SPAR__OFFERED_STEPS];
    double y[2][3 * SPAR__OFFERED_STEPS], line[SPAR__OFFERED_STEPS];
    spar__run_count runs = {0};
    char note[SPAR__NOTE_SIZE];
    size_t n = measure_offered(paper, own, chance, &runs);
    (void)err;
    for (size_t i = 0; i < n; i++)
        line[i] = own[0].mean * (spar__offered_arms[i] - 1) / (spar__offered_arms[0] - 1);
    spar__series series[] = {
        spar__estimate_series("IndSelfSparring", n, spar__offered_arms, own, y[0]),
        spar__estimate_series("random", n, spar__offered_arms, chance, y[1]),
        {.label = "in proportion to K - 1", .n = n, .x = spar__offered_arms, .y = line, .color = 17},
    };
    series[1].color = 9;
    spar__figure figure = {.title = "linear / arith with K arms, m = 4, 20000 rounds",
                           .x_label = "arms to choose from, K",
                           .y_label = "final regret",
                           .log_x = true,
                           .log_y = true,
                           .n_series = 3,
                           .series = series,
                           .band_note = spar__run_count_note(&runs, note)};
    return spar__draw_panels(&figure, 1, 1, to);
}

/* --- answers that are missing, or coin flips, with a probability that grows with the distance of the two arms --- */

enum { QUARTER = 2, SCALES = SPAR__CONFUSABLE_STEPS, MODES = SPAR__CONFUSABLE_MODES };
static const char *const families[MODES] = {"confusable/missing", "confusable/coin"};
static const char *const titles[MODES] = {"Confused answers are missing", "Confused answers are coin flips"};

spar_status spar__judge_confusable(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    (void)data;
    const spar__paper_setting *clear = spar__paper_find(paper, "confusable/none");
    const spar__cell *base = spar__paper_cell(clear, spar__kernel_policies[0].label);
    size_t good = 0;
    for (size_t mode = 0; base && mode < MODES; mode++) {
        const spar__cell *some = cell_at(paper, families[mode], spar__confusable_scales[QUARTER], base->spec.label);
        const spar__cell *most = cell_at(paper, families[mode], spar__confusable_scales[0], base->spec.label);
        spar__regret_comparison less, worst; /* the worlds and random numbers are the same as with clear answers */
        if (!some || !most)
            return SPAR_OK;
        if (spar__regret_compare(base, base->regret, some->regret, &less) ||
            spar__regret_compare(base, base->regret, most->regret, &worst))
            return spar__fail_memory(err);
        good += less.beats && worst.beats;
        spar__buf_printf(&out->brief, "%s %.2g to %.2g times as high",
                         mode ? ", and where they are coin flips"
                              : "We find that where answers about different arms are missing the regret of "
                                "KernelSelfSparring is",
                         less.times.mean, worst.times.mean);
        if (mode == 0)
            spar__buf_printf(&out->numbers, "Mean regret of KernelSelfSparring: %.1f (median %.1f) with clear answers.",
                             less.mean[0], less.median[0]);
        spar__buf_printf(&out->numbers,
                         " %s: %.1f (median %.1f) at scale 0.25, %.1f (median %.1f) at 0.05, that is %.2f +- %.2f and "
                         "%.2f +- %.2f times as much.",
                         titles[mode], less.mean[1], less.median[1], worst.mean[1], worst.median[1], less.times.mean,
                         less.times.se, worst.times.mean, worst.times.se);
    }
    spar__buf_adds(&out->brief, out->brief.length ? "." : "");
    out->verdict = base ? spar__verdict_of(good, MODES) : SPAR__NOT_JUDGED;
    return SPAR_OK;
}

spar_status spar__draw_confusable(const void *data, const spar__paper *paper, spar__drawing *to, spar_error *err)
{
    (void)data;
    double y[MODES][2][3 * SCALES];
    spar__series series[MODES][2];
    spar__figure panel[MODES];
    spar__run_count runs = {0};
    char note[SPAR__NOTE_SIZE];
    for (size_t mode = 0; mode < MODES; mode++) {
        for (size_t p = 0; p < 2; p++) {
            spar__estimate regret[SCALES];
            if (regrets(paper, families[mode], SCALES, spar__confusable_scales, spar__kernel_policies[p].label, regret,
                        &runs) < SCALES)
                return spar__fail(err, SPAR_INVALID, "confusable: not all settings were run");
            series[mode][p] = spar__estimate_series(spar__kernel_policies[p].label, SCALES, spar__confusable_scales,
                                                    regret, y[mode][p]);
        }
        panel[mode] = (spar__figure){.title = titles[mode],
                                     .x_label = "scale: distance at which 63 % are confused",
                                     .y_label = mode ? NULL : "regret of 500 rounds",
                                     .log_x = true,
                                     .n_series = 2,
                                     .series = series[mode],
                                     .width = 450,
                                     .height = 370,
                                     .same_y = true,
                                     .band_note = note};
    }
    (void)spar__run_count_note(&runs, note);
    return spar__draw_panels(panel, MODES, MODES, to);
}

/* --- does regret follow the number of arms, or the kernel's dimension? ---
 *
 * KernelSelfSparring on functions drawn from its own prior: the number of points varies at a fixed length, then the
 * length at a fixed number of points. Compared with it is the effective rank
 *
 *     sum_i  a l_i / (a l_i + noise),    l_i the eigenvalues of the kernel matrix, a = answers / points,
 *
 * the number of directions that this many answers, spread evenly over the points, would determine. */

enum { STUDIES = SPAR__DIMENSION_STUDIES, CASES = SPAR__DIMENSION_CASES, POLICIES = 2 };
static const char *const compared[POLICIES] = {"KernelSelfSparring", "IndSelfSparring"};

static spar_status effective_rank(size_t n, double length, double *rank)
{
    const double noise = 0.025, answers = 2 * SPAR__DIMENSION_ROUNDS;
    spar__kernel kernel = {SPAR__KERNEL_SE, 1, &length, 1};
    spar__basis basis = {0};
    double *x = spar__alloc(n, sizeof *x);
    for (size_t i = 0; x && i < n; i++)
        x[i] = (double)i / (double)(n - 1);
    spar_status status = x ? spar__basis_make(&kernel, n, x, 1e-14, n, &basis) : SPAR_NOMEM;
    *rank = 0;
    for (size_t j = 0; !status && j < basis.r; j++) { /* columns are orthogonal: squared lengths are eigenvalues */
        double l = 0;
        for (size_t i = 0; i < n; i++)
            l += basis.phi[i * basis.r + j] * basis.phi[i * basis.r + j];
        l *= answers / (double)n;
        *rank += l / (l + noise);
    }
    spar__basis_free(&basis);
    spar__free(x);
    return status;
}

/* Mean regrets of both policies and the rank, in all cases of a study. */
typedef struct study_result {
    spar__estimate regret[POLICIES][CASES];
    double rank[CASES];
    spar__run_count runs;
} study_result;

/* SPAR_OK and *complete false: not all was run. */
static spar_status measure_study(const spar__paper *paper, size_t s, study_result *out, bool *complete, spar_error *err)
{
    *complete = false;
    out->runs = (spar__run_count){0};
    for (size_t c = 0; c < CASES; c++) {
        char name[64];
        (void)snprintf(name, sizeof name, "dimension/%.0f-%g", spar__dimension_studies[s].points[c],
                       spar__dimension_studies[s].length[c]);
        const spar__paper_setting *setting = spar__paper_find(paper, name);
        for (size_t p = 0; p < POLICIES; p++) {
            const spar__cell *cell = spar__paper_cell(setting, compared[p]);
            if (!cell)
                return SPAR_OK;
            out->regret[p][c] = spar__mean_of(cell->regret, cell->runs, 1);
            spar__run_count_add(&out->runs, cell);
        }
        if (effective_rank((size_t)spar__dimension_studies[s].points[c], spar__dimension_studies[s].length[c],
                           &out->rank[c]))
            return spar__fail_memory(err);
    }
    *complete = true;
    return SPAR_OK;
}

spar_status spar__judge_dimension(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    (void)data;
    study_result by_points, by_length;
    bool complete[STUDIES];
    spar_status status = measure_study(paper, 0, &by_points, &complete[0], err);
    if (!status)
        status = measure_study(paper, 1, &by_length, &complete[1], err);
    if (status || !complete[0] || !complete[1])
        return status;
    const spar__estimate *own = by_points.regret[0], *ind = by_points.regret[1];
    spar__estimate points = spar__fit_power(CASES, spar__dimension_studies[0].points, own);
    spar__estimate rank = spar__fit_power(CASES, by_length.rank, by_length.regret[0]);
    bool flat = 0.15 > points.mean + 2 * points.se, follows = rank.mean > 2 * rank.se;
    bool gains = 2 * own[CASES - 1].mean < ind[CASES - 1].mean;
    spar__buf_printf(&out->numbers,
                     "From 30 to 3000 points at length 0.2 the rank stays near %.1f and regret goes from %.1f to %.1f, "
                     "as points to the power %.2f +- %.2f (independent arms: %.1f to %.1f).",
                     by_points.rank[CASES - 1], own[0].mean, own[CASES - 1].mean, points.mean, points.se, ind[0].mean,
                     ind[CASES - 1].mean);
    spar__buf_printf(&out->numbers,
                     " From length 0.4 to 0.05 at 300 points the rank goes from %.1f to %.1f and regret from %.1f to "
                     "%.1f, as rank to the power %.2f +- %.2f.",
                     by_length.rank[CASES - 1], by_length.rank[0], by_length.regret[0][CASES - 1].mean,
                     by_length.regret[0][0].mean, rank.mean, rank.se);
    spar__buf_printf(
        &out->brief,
        "We find that 100 times as many points multiply the regret of KernelSelfSparring by %.2f, and %.1f "
        "times the rank of the kernel by %.2f.",
        own[CASES - 1].mean / own[0].mean, by_length.rank[0] / by_length.rank[CASES - 1],
        by_length.regret[0][0].mean / by_length.regret[0][CASES - 1].mean);
    out->verdict = !gains ? SPAR__DOES_NOT_HOLD : spar__verdict_of((size_t)flat + follows, 2);
    return SPAR_OK;
}

/* One study: regrets at the left, the rank at the right. */
static void draw_study(size_t s, const study_result *r, double y[POLICIES][3 * CASES], char note[SPAR__NOTE_SIZE],
                       spar__series series[POLICIES + 1], spar__figure panel[2])
{
    static const double zero[CASES] = {0}; /* the area down to 0 shows how little or much it changes */
    const double *x = s == 0 ? spar__dimension_studies[s].points : spar__dimension_studies[s].length;
    for (size_t p = 0; p < POLICIES; p++)
        series[p] = spar__estimate_series(compared[p], CASES, x, r->regret[p], y[p]);
    series[POLICIES] = (spar__series){"", CASES, x, r->rank, zero, r->rank, 9, true};
    panel[0] = (spar__figure){.title = spar__dimension_studies[s].title,
                              .subtitle = "regret of 500 rounds, m = 2",
                              .x_label = spar__dimension_studies[s].x_label,
                              .y_label = "regret",
                              .log_x = true,
                              .n_series = POLICIES,
                              .series = series,
                              .width = 450,
                              .height = 340,
                              .band_note = spar__run_count_note(&r->runs, note)};
    panel[1] = (spar__figure){.title = " ",
                              .subtitle = "effective rank of the kernel",
                              .x_label = spar__dimension_studies[s].x_label,
                              .y_label = "rank",
                              .log_x = true,
                              .n_series = 1,
                              .series = series + POLICIES,
                              .width = 450,
                              .height = 340};
}

spar_status spar__draw_dimension(const void *data, const spar__paper *paper, spar__drawing *to, spar_error *err)
{
    (void)data;
    study_result r[STUDIES];
    double y[STUDIES][POLICIES][3 * CASES];
    spar__series series[STUDIES][POLICIES + 1];
    spar__figure panel[STUDIES][2];
    char note[STUDIES][SPAR__NOTE_SIZE];
    for (size_t s = 0; s < STUDIES; s++) {
        bool complete;
        spar_status status = measure_study(paper, s, &r[s], &complete, err);
        if (!status && !complete)
            status = spar__fail(err, SPAR_INVALID, "dimension: not all settings were run");
        if (status)
            return status;
        draw_study(s, &r[s], y[s], note[s], series[s], panel[s]);
    }
    return spar__draw_panels(panel[0], 2 * STUDIES, 2, to);
}
