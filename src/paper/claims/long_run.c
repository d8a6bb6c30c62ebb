/* long_run.c - IndSelfSparring for a million rounds, measured once a decade: "long/linear-arith". */
#include "base/alloc.h"
#include "paper/paper.h"
#include "plot/plot.h"
#include "types/arms.h"

#include <math.h>

enum { SPAR__LONG_DUELS = 3, SPAR__LONG_RUNS = 4, SPAR__LONG_MARKS = 4 };

/* What the probe writes. */
enum {
    SPAR__LONG_LEAST, /* plays of the arm with the fewest */
    SPAR__LONG_BEST,  /* plays of the best arm */
    SPAR__LONG_ALL,   /* plays of all arms */
    SPAR__LONG_ERROR, /* the largest |mean of belief - P(arm beats best)|; NaN: the policy has no belief */
    SPAR__LONG_WIDTH
};

extern const char *const spar__long_runs[SPAR__LONG_RUNS]; /* names of settings; those with m = 2 come first */

const char *const spar__long_runs[SPAR__LONG_RUNS] = {"long/linear-arith", "long/logit-arith", "long/natural-arith",
                                                      "long/linear-arith-4"};

/* The largest distance of the belief from its limit according to the proof. */
static spar_status belief_error(const spar_snapshot *s, double *out)
{
    size_t n = spar_policy_arms(s->policy)->n, best = spar_world_best(s->world, s->t);
    double *mean = spar__alloc(n, sizeof *mean);
    spar_scratch *scratch = NULL;
    spar_status status = mean ? spar_scratch_new(&scratch) : SPAR_NOMEM;
    if (!status)
        status = spar_policy_belief(s->policy, scratch, spar_arms_count(spar_policy_arms(s->policy)), mean, NULL, NULL);
    *out = 0;
    for (size_t i = 0; !status && i < n; i++)
        *out = fmax(*out, fabs(mean[i] - spar_world_prefer(s->world, s->t, i, best)));
    if (status == SPAR_UNSUPPORTED) {
        *out = NAN;
        status = SPAR_OK;
    }
    spar_scratch_free(scratch);
    spar__free(mean);
    return status;
}

static spar_status measure(const spar_snapshot *s, double *out)
{
    size_t n = spar_policy_arms(s->policy)->n;
    uint64_t least = UINT64_MAX, all = 0;
    for (size_t i = 0; i < n; i++) {
        least = s->tally[i].plays < least ? s->tally[i].plays : least;
        all += s->tally[i].plays;
    }
    out[SPAR__LONG_LEAST] = (double)least;
    out[SPAR__LONG_BEST] = (double)s->tally[spar_world_best(s->world, s->t)].plays;
    out[SPAR__LONG_ALL] = (double)all;
    return belief_error(s, &out[SPAR__LONG_ERROR]);
}

static const spar__cell_probe probe = {"least-best-all-error", SPAR__LONG_WIDTH, measure};

static spar_status long_plan(const void *data, spar__paper *paper, spar_error *err)
{
    (void)data;
    static const spar__paper_policy policies[] = {{"IndSelfSparring", "ind_self_sparring"}};
    static const uint64_t marks[SPAR__LONG_MARKS] = {1000, 10000, 100000, 1000000};
    static const char *const titles[SPAR__LONG_RUNS] = {"linear / arith", "logit / arith", "natural / arith",
                                                        "linear / arith with m = 4"};
    static const char *const envs[SPAR__LONG_RUNS] = {"utility(set=arith,link=linear)", "utility(set=arith,link=logit)",
                                                      "utility(set=arith,link=natural)",
                                                      "utility(set=arith,link=linear)"};
    size_t n = paper->options.quick ? SPAR__LONG_DUELS : SPAR__LONG_RUNS;
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < n; i++) {
        spar__paper_setting wanted = {.name = spar__long_runs[i],
                                      .title = titles[i],
                                      .env = envs[i],
                                      .m = i < SPAR__LONG_DUELS ? 2 : 4,
                                      .rounds = 1000000,
                                      .runs = 60,
                                      .quick_runs = 6,
                                      .policy = policies,
                                      .n_policies = 1,
                                      .probe = &probe,
                                      .mark = marks,
                                      .n_marks = SPAR__LONG_MARKS};
        status = spar__paper_add(paper, &wanted, err);
    }
    return status;
}

/* IndSelfSparring's cell of setting number i, with all marks; NULL: not run. */
static const spar__cell *long_cell(const spar__paper *paper, size_t i, const spar__paper_setting **setting)
{
    *setting = spar__paper_find(paper, spar__long_runs[i]);
    const spar__cell *cell = spar__paper_cell(*setting, "IndSelfSparring");
    return cell && cell->n_marks == SPAR__LONG_MARKS ? cell : NULL;
}

static spar__estimate long_at(const spar__cell *cell, size_t mark, size_t number)
{
    return spar__mean_of(cell->probe + mark * cell->width + number, cell->runs, cell->n_marks * cell->width);
}

/* A number of the probe, over runs; at a mark, or what changed since an earlier one (the later minus the earlier). */
static spar__estimate long_change(const spar__cell *cell, size_t from, size_t to, size_t number)
{
    double mean = 0, squares = 0, n = (double)cell->runs;
    for (int pass = 0; pass < 2; pass++)
        for (size_t r = 0; r < cell->runs; r++) {
            const double *run = cell->probe + r * cell->n_marks * cell->width + number;
            double change = run[to * cell->width] - run[from * cell->width];
            if (pass == 0)
                mean += change / n;
            else
                squares += (change - mean) * (change - mean);
        }
    return (spar__estimate){mean, cell->runs > 1 ? sqrt(squares / (n - 1) / n) : 0};
}

/* Every arm is sampled infinitely often. What runs can show is that even the arm with the fewest plays gets more. */

/* In every decade, and over all of them slower than the square root of the rounds. */
static bool grows_slowly(const spar__cell *cell)
{
    for (size_t mark = 1; mark < SPAR__LONG_MARKS; mark++)
        if (!(long_change(cell, mark - 1, mark, SPAR__LONG_LEAST).mean >= 1))
            return false;
    double first = long_at(cell, 0, SPAR__LONG_LEAST).mean;
    double last = long_at(cell, SPAR__LONG_MARKS - 1, SPAR__LONG_LEAST).mean;
    return last * last < 1000 * first * first; /* a thousand times the rounds between them */
}

static spar_status lemma_2_judge(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    (void)data, (void)err;
    size_t good = 0, all = 0;
    for (size_t i = 0; i < SPAR__LONG_RUNS; i++) {
        const spar__paper_setting *setting;
        const spar__cell *cell = long_cell(paper, i, &setting);
        if (!cell)
            continue;
        good += grows_slowly(cell);
        spar__finding_item(&out->numbers, all++,
                           "Plays of the least played arm after 1e3, 1e4, 1e5, 1e6 rounds, mean over runs:");
        spar__buf_printf(&out->numbers, "%s %.1f, %.1f, %.1f, %.1f", setting->title,
                         long_at(cell, 0, SPAR__LONG_LEAST).mean, long_at(cell, 1, SPAR__LONG_LEAST).mean,
                         long_at(cell, 2, SPAR__LONG_LEAST).mean, long_at(cell, 3, SPAR__LONG_LEAST).mean);
    }
    spar__finding_close(out, good, all);
    return SPAR_OK;
}

const spar__claim spar__claim_lemma_2 = {
    .name = "lemma-2",
    .title = "Every arm is played infinitely often (Lemma 2)",
    .says = "IndSelfSparring never gives up an arm: in infinite time each is sampled infinitely often.",
    .test =
        "Plays of the least played arm after 1e3, 1e4, 1e5 and 1e6 rounds, mean over runs. In each decade it must "
        "get at least one more; and, since random play does that too, the growth must be slower than the square "
        "root of the rounds. Holds when that is true in every setting, in part in some. (No run can show infinity.)",
    .plan = long_plan,
    .judge = lemma_2_judge,
};

/* Convergence: the share of the best arm goes to 1, and the belief about an arm to its probability to beat the best. */

/* The share of the best arm among the plays of a decade; decade 0 ends at the first mark. */
static double best_share(const spar__cell *cell, size_t decade)
{
    double best = long_at(cell, decade, SPAR__LONG_BEST).mean;
    double all = long_at(cell, decade, SPAR__LONG_ALL).mean;
    if (decade) {
        best -= long_at(cell, decade - 1, SPAR__LONG_BEST).mean;
        all -= long_at(cell, decade - 1, SPAR__LONG_ALL).mean;
    }
    return best / all;
}

/* It rises from decade to decade, to nearly 1. */
static bool takes_over(const spar__cell *cell)
{
    for (size_t decade = 1; decade < SPAR__LONG_MARKS; decade++)
        if (!(best_share(cell, decade) > best_share(cell, decade - 1)))
            return false;
    return best_share(cell, SPAR__LONG_MARKS - 1) > 0.98;
}

static void write_item(const spar__paper_setting *setting, const spar__cell *cell, size_t item, spar__buf *out)
{
    spar__finding_item(out, item,
                       "The best arm's share of plays up to 1e3, then to 1e4, 1e5, 1e6 rounds (and the largest error "
                       "of belief after 1e4, 1e5, 1e6):");
    spar__buf_printf(out, "%s %.3f, %.3f, %.4f, %.4f (%.3f, %.3f, %.3f)", setting->title, best_share(cell, 0),
                     best_share(cell, 1), best_share(cell, 2), best_share(cell, 3),
                     long_at(cell, 1, SPAR__LONG_ERROR).mean, long_at(cell, 2, SPAR__LONG_ERROR).mean,
                     long_at(cell, 3, SPAR__LONG_ERROR).mean);
}

static spar_status theorem_1_judge(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    (void)data, (void)err;
    size_t good = 0, all = 0;
    double fall = 0, variance = 0; /* of the error, summed over settings */
    for (size_t i = 0; i < SPAR__LONG_RUNS; i++) {
        const spar__paper_setting *setting;
        const spar__cell *cell = long_cell(paper, i, &setting);
        if (!cell)
            continue;
        spar__estimate change = long_change(cell, 1, SPAR__LONG_MARKS - 1, SPAR__LONG_ERROR);
        fall -= change.mean;
        variance += change.se * change.se;
        good += takes_over(cell);
        write_item(setting, cell, all++, &out->numbers);
    }
    if (all == 0)
        return SPAR_OK;
    bool learns = fall > 2 * sqrt(variance) && variance > 0; /* false for NaN: no belief */
    spar__buf_printf(&out->numbers, ". From 1e4 to 1e6 rounds that error falls by %.3f +- %.3f", fall / (double)all,
                     sqrt(variance) / (double)all);
    spar__finding_close(out, good + learns, all + 1);
    return SPAR_OK;
}

const spar__claim spar__claim_theorem_1 = {
    .name = "theorem-1",
    .title = "IndSelfSparring converges to the best arm (Theorem 1)",
    .says = "Under approximate linearity the share of plays of the best arm goes to 1, and the belief about each "
            "arm to its probability to beat the best one.",
    .test = "The share of the best arm must rise from decade to decade of rounds and be above 0.98 in the last (1e5 to "
            "1e6), in every setting; and the largest error of the Beta means, max_i |mean_i - P(b_i beats b_1)|, "
            "averaged over settings, must fall from 1e4 to 1e6 rounds by more than 2 standard errors of the paired "
            "difference. Holds when all of that is true, in part when some is.",
    .plan = long_plan,
    .judge = theorem_1_judge,
};

/* Regret grows like ln T, with a factor near the least possible. */

/* The least regret per unit of ln T of a policy that shows two arms a round and finds the best one in all such
 * problems: sum over arms i of the least (phi(1,i) + phi(1,j)) / d(P_ij, 1/2) over arms j that beat i. (Komiyama,
 * Honda, Kashima, Nakagawa 2015; there a round costs the mean of its two slots, here their sum.) */
static double duel_bound(size_t n, const double *p, size_t best)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double least = HUGE_VAL;
        for (size_t j = 0; j < n; j++)
            if (p[i * n + j] < 0.5) {
                double cost = p[best * n + i] - 0.5 + p[best * n + j] - 0.5;
                least = fmin(least, cost / spar__coin_divergence(p[i * n + j], 0.5));
            }
        sum += least < HUGE_VAL ? least : 0;
    }
    return sum;
}

static spar_status bound_of(const spar__paper_setting *setting, double *bound, spar_error *err)
{
    double *p;
    size_t n, best;
    spar_status status = spar__env_arms(setting->env, &n, &p, &best, err);
    if (!status)
        *bound = duel_bound(n, p, best);
    spar__free(p);
    return status;
}

static spar_status theorem_2_judge(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    (void)data;
    size_t good = 0, all = 0;
    spar__range rate = SPAR__RANGE_EMPTY;
    for (size_t i = 0; i < SPAR__LONG_DUELS; i++) {
        const spar__paper_setting *setting;
        const spar__cell *cell = long_cell(paper, i, &setting);
        double bound = 0;
        if (!cell)
            continue;
        spar_status status = bound_of(setting, &bound, err);
        if (status)
            return status;
        spar__estimate slope = spar__cell_slope(cell, 100000, 1000000);
        spar__estimate more = spar__cell_steepening(cell, 10000, 100000, 1000000);
        spar__range_add(&rate, slope.mean / bound);
        good += spar__cell_levels(cell, 10000, 100000, 1000000) && spar__slope_near(slope, bound, 2);
        spar__finding_item(&out->numbers, all++,
                           "Slope d regret / d ln t from 1e5 to 1e6 rounds (change since the decade before; least "
                           "possible in the long run; round from which it is within 20 % of the last):");
        spar__buf_printf(&out->numbers, "%s %.1f +- %.1f (%+.1f +- %.1f; %.1f; %llu)", setting->title, slope.mean,
                         slope.se, more.mean, more.se, bound, (unsigned long long)spar__cell_settled(cell));
    }
    spar__finding_close(out, good, all);
    if (all) {
        spar__buf_adds(&out->brief,
                       "We find that from round 1e5 to 1e6 the regret of IndSelfSparring grows with ln t at ");
        spar__finding_range(&out->brief, rate);
        spar__buf_adds(&out->brief, " times the least possible rate.");
    }
    return SPAR_OK;
}

enum { MOST = 200 }; /* checkpoints */

/* The slope over half a decade, in units of the bound. */
static spar_status fill(const spar__paper *paper, size_t i, double x[MOST], double y[3 * MOST], spar__run_count *runs,
                        spar__series *series, spar_error *err)
{
    const spar__paper_setting *setting;
    const spar__cell *cell = long_cell(paper, i, &setting);
    double bound;
    if (!cell)
        return spar__fail(err, SPAR_INVALID, "theorem-2: not all settings were run");
    size_t n = 0;
    spar_status status = bound_of(setting, &bound, err);
    for (size_t c = 0; !status && n < MOST && c < cell->n_checkpoints; c++)
        if (cell->checkpoint[c] >= 100) {
            x[n] = (double)cell->checkpoint[c];
            spar__estimate slope = spar__cell_local_slope(cell, c);
            y[n] = slope.mean / bound;
            y[MOST + n] = (slope.mean - 2 * slope.se) / bound;
            y[2 * MOST + n] = (slope.mean + 2 * slope.se) / bound;
            n++;
        }
    spar__run_count_add(runs, cell);
    series[i] =
        (spar__series){.label = setting->title, .n = n, .x = x, .y = y, .lo = y + MOST, .hi = y + (size_t)2 * MOST};
    return status;
}

static spar_status draw(const void *data, const spar__paper *paper, spar__drawing *to, spar_error *err)
{
    (void)data;
    static const double ends[] = {100, 1000000}, one[] = {1, 1};
    double x[SPAR__LONG_DUELS][MOST], y[SPAR__LONG_DUELS][3 * MOST];
    spar__series series[SPAR__LONG_DUELS + 1];
    spar__run_count runs = {0};
    char note[SPAR__NOTE_SIZE];
    for (size_t i = 0; i < SPAR__LONG_DUELS; i++) {
        spar_status status = fill(paper, i, x[i], y[i], &runs, series, err);
        if (status)
            return status;
    }
    series[SPAR__LONG_DUELS] =
        (spar__series){.label = "least possible in the long run", .n = 2, .x = ends, .y = one, .color = 17};
    spar__figure figure = {.title = "How fast IndSelfSparring's regret grows, m = 2",
                           .x_label = "round t",
                           .y_label = "d regret / d ln t, over the lower bound",
                           .log_x = true,
                           .n_series = SPAR__LONG_DUELS + 1,
                           .series = series,
                           .band_note = spar__run_count_note(&runs, note)};
    return spar__draw_panels(&figure, 1, 1, to);
}

const spar__claim spar__claim_theorem_2 = {
    .name = "theorem-2",
    .title = "Regret grows like ln T, at an optimal rate (Theorem 2)",
    .says = "Under approximate linearity the regret of IndSelfSparring is O(K ln T / Delta), which up to constant "
            "factors matches information-theoretic bounds.",
    .test =
        "Slopes d regret / d ln t, mean over runs, on arith with three links, m = 2, eta = 1, a million rounds. With 2 "
        "standard errors the last decade must be less than 1.5 times as steep as the decade before (a power of t would "
        "steepen) and below twice the lower bound, sum over arms i of min over j that beat i of (phi_1i + phi_1j) / "
        "d(P_ij, 1/2), in the scale of this regret; and not below half of that bound, as it is for policies that "
        "sometimes never find the best arm (with eta = 3.5, for instance). Holds when all of this is true for every "
        "link, in part for "
        "some.",
    .plan = long_plan,
    .judge = theorem_2_judge,
    .draw = draw,
};
