/* Does regret follow the number of arms, or the kernel's dimension?
 *
 * KernelSelfSparring on functions drawn from its own prior: the number of points varies at a fixed length, then the
 * length at a fixed number of points. Compared with it is the effective rank
 *
 *     sum_i  a l_i / (a l_i + noise),    l_i the eigenvalues of the kernel matrix, a = answers / points,
 *
 * the number of directions that this many answers, spread evenly over the points, would determine. */
#include "base/alloc.h"
#include "num/basis.h"
#include "paper/paper.h"

#include <stdio.h>

enum { STUDIES = 2, CASES = 5, POLICIES = 2, ROUNDS = 500 };

static const struct {
    const char *title, *x_label;
    double points[CASES], length[CASES];
} studies[STUDIES] = {
    {"Number of points, at length 0.2", "points", {30, 100, 300, 1000, 3000}, {0.2, 0.2, 0.2, 0.2, 0.2}},
    {"Length, at 300 points", "length", {300, 300, 300, 300, 300}, {0.05, 0.1, 0.15, 0.2, 0.4}},
};

/* By length, in the order of the second study; the first has the length of FIRST. */
enum { FIRST = 3 };
static const spar__paper_policy policies[CASES][POLICIES] = {
    {{"KernelSelfSparring", "kernel_self_sparring(length=0.05)"}, {"IndSelfSparring", "ind_self_sparring"}},
    {{"KernelSelfSparring", "kernel_self_sparring(length=0.1)"}, {"IndSelfSparring", "ind_self_sparring"}},
    {{"KernelSelfSparring", "kernel_self_sparring(length=0.15)"}, {"IndSelfSparring", "ind_self_sparring"}},
    {{"KernelSelfSparring", "kernel_self_sparring(length=0.2)"}, {"IndSelfSparring", "ind_self_sparring"}},
    {{"KernelSelfSparring", "kernel_self_sparring(length=0.4)"}, {"IndSelfSparring", "ind_self_sparring"}},
};

static void name_setting(size_t s, size_t c, char *out, size_t size)
{
    (void)snprintf(out, size, "dimension/%.0f-%g", studies[s].points[c], studies[s].length[c]);
}

static spar_status plan(const void *data, spar__paper *paper, spar_error *err)
{
    (void)data;
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < STUDIES * CASES; i++) {
        size_t s = i / CASES, c = i % CASES;
        double points = studies[s].points[c], length = studies[s].length[c];
        char name[64], title[64], env[80];
        name_setting(s, c, name, sizeof name);
        (void)snprintf(title, sizeof title, "%.0f points, length %g", points, length);
        (void)snprintf(env, sizeof env, "function(name=gp,points=%.0f,length=%g)", points, length);
        spar__paper_setting wanted = {.name = name,
                                      .title = title,
                                      .env = env,
                                      .m = 2,
                                      .rounds = ROUNDS,
                                      .runs = 100,
                                      .quick_runs = 30,
                                      .policy = policies[s == 0 ? FIRST : c],
                                      .n_policies = POLICIES,
                                      .nanoseconds = 3000 + 25 * points};
        status = spar__paper_add(paper, &wanted, err);
    }
    return status;
}

static spar_status effective_rank(size_t n, double length, double *rank)
{
    const double noise = 0.025, answers = 2 * ROUNDS;
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
static spar_status measure(const spar__paper *paper, size_t s, study_result *out, bool *complete, spar_error *err)
{
    *complete = false;
    out->runs = (spar__run_count){0};
    for (size_t c = 0; c < CASES; c++) {
        char name[64];
        name_setting(s, c, name, sizeof name);
        const spar__paper_setting *setting = spar__paper_find(paper, name);
        for (size_t p = 0; p < POLICIES; p++) {
            const spar__cell *cell = spar__paper_cell(setting, policies[c][p].label);
            if (!cell)
                return SPAR_OK;
            out->regret[p][c] = spar__mean_of(cell->regret, cell->runs, 1);
            spar__run_count_add(&out->runs, cell);
        }
        if (effective_rank((size_t)studies[s].points[c], studies[s].length[c], &out->rank[c]))
            return spar__fail_memory(err);
    }
    *complete = true;
    return SPAR_OK;
}

static spar_status judge(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    (void)data;
    study_result by_points, by_length;
    bool complete[STUDIES];
    spar_status status = measure(paper, 0, &by_points, &complete[0], err);
    if (!status)
        status = measure(paper, 1, &by_length, &complete[1], err);
    if (status || !complete[0] || !complete[1])
        return status;
    const spar__estimate *own = by_points.regret[0], *ind = by_points.regret[1];
    spar__estimate points = spar__fit_power(CASES, studies[0].points, own);
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
    const double *x = s == 0 ? studies[s].points : studies[s].length;
    for (size_t p = 0; p < POLICIES; p++)
        series[p] = spar__estimate_series(policies[0][p].label, CASES, x, r->regret[p], y[p]);
    series[POLICIES] = (spar__series){"", CASES, x, r->rank, zero, r->rank, 9, true};
    panel[0] = (spar__figure){.title = studies[s].title,
                              .subtitle = "regret of 500 rounds, m = 2",
                              .x_label = studies[s].x_label,
                              .y_label = "regret",
                              .log_x = true,
                              .n_series = POLICIES,
                              .series = series,
                              .width = 450,
                              .height = 340,
                              .band_note = spar__run_count_note(&r->runs, note)};
    panel[1] = (spar__figure){.title = " ",
                              .subtitle = "effective rank of the kernel",
                              .x_label = studies[s].x_label,
                              .y_label = "rank",
                              .log_x = true,
                              .n_series = 1,
                              .series = series + POLICIES,
                              .width = 450,
                              .height = 340};
}

static spar_status draw(const void *data, const spar__paper *paper, spar__drawing *to, spar_error *err)
{
    (void)data;
    study_result r[STUDIES];
    double y[STUDIES][POLICIES][3 * CASES];
    spar__series series[STUDIES][POLICIES + 1];
    spar__figure panel[STUDIES][2];
    char note[STUDIES][SPAR__NOTE_SIZE];
    for (size_t s = 0; s < STUDIES; s++) {
        bool complete;
        spar_status status = measure(paper, s, &r[s], &complete, err);
        if (!status && !complete)
            status = spar__fail(err, SPAR_INVALID, "dimension: not all settings were run");
        if (status)
            return status;
        draw_study(s, &r[s], y[s], note[s], series[s], panel[s]);
    }
    return spar__draw_panels(panel[0], 2 * STUDIES, 2, to);
}

const spar__claim spar__claim_dimension = {
    .name = "dimension",
    .title = "Kernelised regret follows the kernel's dimension (conjecture)",
    .says = "It should be possible to prove regret that scales with the dimension of the kernel, not with the number "
            "of arms.",
    .test = "KernelSelfSparring on draws of its own prior. Exponents fitted in logarithms: of regret in the number of "
            "points at a fixed length, below 0.15 by 2 standard errors; and in the effective rank of the kernel as its "
            "length changes, above 0 by 2 standard errors. Holds with both, in part with one, and only if with 3000 "
            "points regret is less than half of that with independent arms. (A trend is not a proof.)",
    .plan = plan,
    .judge = judge,
    .draw = draw,
};
