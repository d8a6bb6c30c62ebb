/* shown.c - what becomes of regret as more arms are shown a round: settings that differ in m only, named like
 * "shown/linear-arith-8". */
#include "paper/paper.h"
#include "plot/plot.h"

#include <math.h>
#include <stdio.h>

enum { SPAR__SHOWN_STEPS = 4, SPAR__SHOWN_CASES = 2 };

extern const double spar__shown_m[SPAR__SHOWN_STEPS]; /* 2, 4, 8, 16 */

typedef struct spar__shown_case {
    const char *name, *title, *env;
    const spar__paper_policy *policy; /* SelfSparring first, then its rivals */
    size_t n_policies;
    uint64_t rounds, quick_runs;
} spar__shown_case;

/* The data of the claims below. */
typedef struct spar__shown_cases {
    size_t n;
    spar__shown_case item[SPAR__SHOWN_CASES];
} spar__shown_cases;

extern const spar__shown_cases spar__shown_independent, spar__shown_kernel;

/* The regret of the rivals over that of SelfSparring. */
#define SPAR__ADVANTAGE_TEST                                                                                           \
    "Regret of the rival over regret of SelfSparring at m = 2, 4, 8, 16. The advantage grows when the exponent b of "  \
    "ratio ~ m^b, fitted in logarithms, is above 0 by 2 standard errors and the ratio at m = 16 is above 1 by 2 "      \
    "standard errors. Holds when that is true for every rival in every setting and no step goes down by 2 standard "   \
    "errors, in part when it is true for some."

/* SelfSparring's own regret. */
#define SPAR__SHOWN_TEST                                                                                               \
    "The exponent b of regret ~ m^b over m = 2, 4, 8, 16, fitted in logarithms; playing at random has b = 1. Holds "   \
    "when b is below 1/4 by 2 standard errors in every setting, in part when it is "                                   \
    "in some, or when it is below 1/2 in all."

const double spar__shown_m[SPAR__SHOWN_STEPS] = {2, 4, 8, 16};

const spar__shown_cases spar__shown_independent = {
    2,
    {{"linear-1good", "linear / 1good", "utility(set=1good,link=linear)", spar__multi_policies, 3, 20000, 5},
     {"linear-arith", "linear / arith", "utility(set=arith,link=linear)", spar__multi_policies, 3, 20000, 5}}};

const spar__shown_cases spar__shown_kernel = {
    1, {{"forrester", "Forrester", "function(name=forrester,points=30)", spar__kernel_policies, 2, 100, 50}}};

static void name_setting(const spar__shown_case *one, double m, char *out, size_t size)
{
    (void)snprintf(out, size, "shown/%s-%.0f", one->name, m);
}

static spar_status add_one(const spar__shown_case *one, double m, spar__paper *paper, spar_error *err)
{
    bool shared = m == 4 && one->rounds > 1000; /* with a figure, which has this many runs */
    char name[64], title[80];
    name_setting(one, m, name, sizeof name);
    (void)snprintf(title, sizeof title, "%s, m = %.0f", one->title, m);
    spar__paper_setting wanted = {.name = name,
                                  .title = title,
                                  .env = one->env,
                                  .m = (size_t)m,
                                  .rounds = one->rounds,
                                  .runs = shared ? 100 : 50,
                                  .quick_runs = shared ? 10 : one->quick_runs,
                                  .policy = one->policy,
                                  .n_policies = one->n_policies,
                                  .nanoseconds = one->rounds > 1000 ? 200 * m : 3000 * m};
    return spar__paper_add(paper, &wanted, err);
}

static spar_status shown_plan(const void *data, spar__paper *paper, spar_error *err)
{
    const spar__shown_cases *cases = data;
    spar_status status = SPAR_OK;
    for (size_t c = 0; !status && c < cases->n; c++)
        for (size_t i = 0; !status && i < SPAR__SHOWN_STEPS; i++)
            status = add_one(&cases->item[c], spar__shown_m[i], paper, err);
    return status;
}

/* The cell of a policy of a case with m arms a round, or NULL. */
static const spar__cell *shown_cell(const spar__paper *paper, const spar__shown_case *one, double m, size_t policy)
{
    char name[64];
    name_setting(one, m, name, sizeof name);
    return spar__paper_cell(spar__paper_find(paper, name), one->policy[policy].label);
}

/* false: not all was run. */
static bool trend_own_measure(const spar__paper *paper, const spar__shown_case *one,
                              spar__estimate out[SPAR__SHOWN_STEPS])
{
    for (size_t i = 0; i < SPAR__SHOWN_STEPS; i++) {
        const spar__cell *cell = shown_cell(paper, one, spar__shown_m[i], 0);
        if (!cell)
            return false;
        out[i] = spar__mean_of(cell->regret, cell->runs, 1);
    }
    return true;
}

static spar_status shown_judge(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    (void)err;
    const spar__shown_cases *cases = data;
    size_t good = 0, fair = 0, all = 0;
    spar__range times = SPAR__RANGE_EMPTY;
    for (const spar__shown_case *one = cases->item; one < cases->item + cases->n; one++) {
        spar__estimate r[SPAR__SHOWN_STEPS];
        if (!trend_own_measure(paper, one, r))
            continue;
        spar__estimate exponent = spar__fit_power(SPAR__SHOWN_STEPS, spar__shown_m, r);
        spar__finding_item(&out->numbers, all++, "Mean regret at m = 2, 4, 8, 16:");
        spar__range_add(&times, r[SPAR__SHOWN_STEPS - 1].mean / r[0].mean);
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

static spar_status shown_draw(const void *data, const spar__paper *paper, spar__drawing *to, spar_error *err)
{
    const spar__shown_cases *cases = data;
    double y[SPAR__SHOWN_CASES][3 * SPAR__SHOWN_STEPS];
    char label[SPAR__SHOWN_CASES][80];
    spar__series series[SPAR__SHOWN_CASES];
    spar__run_count runs = {0};
    char note[SPAR__NOTE_SIZE];
    for (size_t c = 0; c < cases->n; c++) {
        const spar__shown_case *one = &cases->item[c];
        spar__estimate r[SPAR__SHOWN_STEPS];
        if (!trend_own_measure(paper, one, r))
            return spar__fail(err, SPAR_INVALID, "shown-arms: not all settings were run");
        (void)snprintf(label[c], sizeof label[c], "%s, %llu rounds", one->title, (unsigned long long)one->rounds);
        series[c] = spar__estimate_series(label[c], SPAR__SHOWN_STEPS, spar__shown_m, r, y[c]);
        for (size_t i = 0; i < SPAR__SHOWN_STEPS; i++)
            spar__run_count_add(&runs, shown_cell(paper, one, spar__shown_m[i], 0));
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

typedef struct trend {
    spar__estimate times[SPAR__SHOWN_STEPS]; /* the rival's regret over SelfSparring's */
    spar__estimate exponent;                 /* times ~ m^exponent */
    bool grows, falls;                       /* over all steps; at some step */
} trend;

/* false: not all was run. */
static bool trend_advantage_measure(const spar__paper *paper, const spar__shown_case *one, size_t rival, trend *out,
                                    spar_status *status)
{
    for (size_t i = 0; i < SPAR__SHOWN_STEPS; i++) {
        const spar__cell *a = shown_cell(paper, one, spar__shown_m[i], 0);
        const spar__cell *b = shown_cell(paper, one, spar__shown_m[i], rival);
        spar__regret_comparison comparison;
        if (!a || !b || (*status = spar__regret_compare(a, a->regret, b->regret, &comparison)))
            return false;
        out->times[i] = comparison.times;
    }
    const spar__estimate *last = &out->times[SPAR__SHOWN_STEPS - 1];
    out->exponent = spar__fit_power(SPAR__SHOWN_STEPS, spar__shown_m, out->times);
    out->grows = out->exponent.mean > 2 * out->exponent.se && last->mean - 2 * last->se > 1;
    out->falls = false;
    for (size_t i = 1; i < SPAR__SHOWN_STEPS; i++) {
        const spar__estimate *a = &out->times[i - 1], *b = &out->times[i];
        out->falls |= b->mean < a->mean - 2 * sqrt(a->se * a->se + b->se * b->se);
    }
    return true;
}

enum { MOST_RIVALS = 2 };

/* The ratios at the smallest and the largest m, of each rival over all cases. */
struct advantage_ends {
    const char *label[MOST_RIVALS];
    spar__range first[MOST_RIVALS], last[MOST_RIVALS];
};

static void add_ends(struct advantage_ends *ends, size_t rival, const char *label, const trend *t)
{
    if (!ends->label[rival]) {
        ends->label[rival] = label;
        ends->first[rival] = ends->last[rival] = SPAR__RANGE_EMPTY;
    }
    spar__range_add(&ends->first[rival], t->times[0].mean);
    spar__range_add(&ends->last[rival], t->times[SPAR__SHOWN_STEPS - 1].mean);
}

static void write_brief(const struct advantage_ends *ends, const char *own, spar__buf *out)
{
    for (size_t i = 0; i < MOST_RIVALS && ends->label[i]; i++) {
        spar__buf_printf(out, "%s %s is ", i ? ", and that of" : "We find that the regret of", ends->label[i]);
        spar__finding_range(out, ends->first[i]);
        spar__buf_printf(out, " times%s%s at m = 2 and ", i ? "" : " that of ", i ? "" : own);
        spar__finding_range(out, ends->last[i]);
        spar__buf_adds(out, " times at m = 16");
    }
    if (ends->label[0])
        spar__buf_adds(out, ".");
}

static spar_status advantage_judge(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    const spar__shown_cases *cases = data;
    size_t good = 0, some = 0, all = 0;
    struct advantage_ends ends = {0};
    spar_status status = SPAR_OK;
    for (const spar__shown_case *one = cases->item; one < cases->item + cases->n; one++)
        for (size_t rival = 1; rival < one->n_policies; rival++) {
            trend t;
            if (!trend_advantage_measure(paper, one, rival, &t, &status)) {
                if (status)
                    return spar__fail_memory(err);
                continue;
            }
            spar__finding_item(&out->numbers, all++, "Regret of a rival over that of SelfSparring at m = 2, 4, 8, 16:");
            add_ends(&ends, rival - 1, one->policy[rival].label, &t);
            good += t.grows && !t.falls;
            some += t.grows;
            spar__buf_printf(&out->numbers, "%s on %s %.3g, %.3g, %.3g, %.3g (m to the power %.2f +- %.2f)",
                             one->policy[rival].label, one->title, t.times[0].mean, t.times[1].mean, t.times[2].mean,
                             t.times[3].mean, t.exponent.mean, t.exponent.se);
        }
    write_brief(&ends, cases->item[0].policy[0].label, &out->brief);
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

static spar_status advantage_draw(const void *data, const spar__paper *paper, spar__drawing *to, spar_error *err)
{
    const spar__shown_cases *cases = data;
    double y[SPAR__SHOWN_CASES][MOST_RIVALS][3 * SPAR__SHOWN_STEPS];
    spar__series series[SPAR__SHOWN_CASES][MOST_RIVALS];
    spar__figure panel[SPAR__SHOWN_CASES];
    spar__run_count runs = {0};
    char note[SPAR__NOTE_SIZE];
    spar_status status = SPAR_OK;
    for (size_t c = 0; c < cases->n; c++) {
        const spar__shown_case *one = &cases->item[c];
        for (size_t rival = 1; rival < one->n_policies; rival++) {
            double *room = y[c][rival - 1];
            trend t;
            if (!trend_advantage_measure(paper, one, rival, &t, &status))
                return spar__fail(err, status ? status : SPAR_INVALID, "advantage: not all settings were run");
            series[c][rival - 1] =
                spar__estimate_series(one->policy[rival].label, SPAR__SHOWN_STEPS, spar__shown_m, t.times, room);
            for (size_t i = 0; i < SPAR__SHOWN_STEPS; i++)
                room[SPAR__SHOWN_STEPS + i] = fmax(room[SPAR__SHOWN_STEPS + i], 0);
        }
        for (size_t i = 0; i < SPAR__SHOWN_STEPS; i++)
            spar__run_count_add(&runs, shown_cell(paper, one, spar__shown_m[i], 0));
        panel[c] = advantage_panel(one, series[c], note);
    }
    (void)spar__run_count_note(&runs, note);
    panel[0].y_label = "regret over SelfSparring's";
    return spar__draw_panels(panel, cases->n, cases->n, to);
}

const spar__claim spar__claim_advantage = {
    .name = "advantage",
    .title = "The advantage grows with the number of arms shown",
    .says =
        "The benefit of IndSelfSparring over MultiSparring and MDB increases with the number of arms compared at once.",
    .test = SPAR__ADVANTAGE_TEST
    " MDB itself chooses how many arms it shows, and its regret is the same at every m: against it "
    "only what IndSelfSparring gains counts.",
    .plan = shown_plan,
    .judge = advantage_judge,
    .draw = advantage_draw,
    .data = &spar__shown_independent,
};

const spar__claim spar__claim_advantage_kernel = {
    .name = "advantage-kernel",
    .title = "The advantage grows with the number of dependent arms shown",
    .says = "The benefit of KernelSelfSparring over GP-Sparring increases with the number of arms compared at once.",
    .test = SPAR__ADVANTAGE_TEST,
    .plan = shown_plan,
    .judge = advantage_judge,
    .draw = advantage_draw,
    .data = &spar__shown_kernel,
};

const spar__claim spar__claim_shown_arms = {
    .name = "shown-arms",
    .title = "Regret hardly grows with the number of arms shown",
    .says = "IndSelfSparring's regret, though summed over all arms shown, does not increase substantially as their "
            "number does.",
    .test = SPAR__SHOWN_TEST,
    .plan = shown_plan,
    .judge = shown_judge,
    .draw = shown_draw,
    .data = &spar__shown_independent,
};

const spar__claim spar__claim_shown_arms_kernel = {
    .name = "shown-arms-kernel",
    .title = "Regret hardly grows with the number of dependent arms shown",
    .says = "KernelSelfSparring's regret, though summed over all arms shown, does not increase substantially as their "
            "number does.",
    .test =
        SPAR__SHOWN_TEST " A run has only 100 rounds here, so that the first ones, before anything is known, have much "
                         "weight.",
    .plan = shown_plan,
    .judge = shown_judge,
    .draw = shown_draw,
    .data = &spar__shown_kernel,
};

/* Regret as the number of independent arms grows. */

enum { STEPS = 4, QUICK_STEPS = 3 };
static const double arms[STEPS] = {16, 64, 256, 1024};
static const spar__paper_policy policies[] = {{"IndSelfSparring", "ind_self_sparring"}, {"random", "random"}};

static spar_status plan(const void *data, spar__paper *paper, spar_error *err)
{
    (void)data;
    size_t steps = paper->options.quick ? QUICK_STEPS : STEPS;
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < steps; i++) {
        char name[64], title[64], env[64];
        (void)snprintf(name, sizeof name, "offered/linear-arith-%.0f", arms[i]);
        (void)snprintf(title, sizeof title, "linear / arith, K = %.0f", arms[i]);
        (void)snprintf(env, sizeof env, "utility(set=arith,link=linear,k=%.0f)", arms[i]);
        spar__paper_setting wanted = {.name = name,
                                      .title = title,
                                      .env = env,
                                      .m = 4,
                                      .rounds = 20000,
                                      .runs = arms[i] > 256 ? 10 : 20,
                                      .quick_runs = 4,
                                      .policy = policies,
                                      .n_policies = 2,
                                      .nanoseconds = 25 * arms[i]};
        status = spar__paper_add(paper, &wanted, err);
    }
    return status;
}

/* Mean regrets of both; returns how many sizes were run. */
static size_t offered_arms_measure(const spar__paper *paper, spar__estimate own[STEPS], spar__estimate chance[STEPS],
                                   spar__run_count *runs)
{
    size_t i = 0;
    for (; i < STEPS; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "offered/linear-arith-%.0f", arms[i]);
        const spar__paper_setting *setting = spar__paper_find(paper, name);
        const spar__cell *a = spar__paper_cell(setting, policies[0].label),
                         *b = spar__paper_cell(setting, policies[1].label);
        if (!a || !b)
            break;
        own[i] = spar__mean_of(a->regret, a->runs, 1);
        chance[i] = spar__mean_of(b->regret, b->runs, 1);
        spar__run_count_add(runs, a);
    }
    return i;
}

static spar_status judge(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    (void)data, (void)err;
    spar__estimate own[STEPS], chance[STEPS];
    double others[STEPS]; /* arms that are not the best: each must be tried */
    size_t learned = 0;   /* sizes at which the rounds were enough to learn */
    spar__run_count runs = {0};
    size_t n = offered_arms_measure(paper, own, chance, &runs);
    if (n < QUICK_STEPS)
        return SPAR_OK;
    for (size_t i = 0; i < n; i++) {
        others[i] = arms[i] - 1;
        if (learned == i && own[i].mean < chance[i].mean / 3)
            learned++;
        spar__finding_item(&out->numbers, i, "Mean regret of 20000 rounds:");
        spar__buf_printf(&out->numbers, "%.0f with %.0f arms (at random %.0f)", own[i].mean, arms[i], chance[i].mean);
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

static spar_status draw(const void *data, const spar__paper *paper, spar__drawing *to, spar_error *err)
{
    (void)data;
    spar__estimate own[STEPS], chance[STEPS];
    double y[2][3 * STEPS], line[STEPS];
    spar__run_count runs = {0};
    char note[SPAR__NOTE_SIZE];
    size_t n = offered_arms_measure(paper, own, chance, &runs);
    (void)err;
    for (size_t i = 0; i < n; i++)
        line[i] = own[0].mean * (arms[i] - 1) / (arms[0] - 1);
    spar__series series[] = {
        spar__estimate_series("IndSelfSparring", n, arms, own, y[0]),
        spar__estimate_series("random", n, arms, chance, y[1]),
        {.label = "in proportion to K - 1", .n = n, .x = arms, .y = line, .color = 17},
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

const spar__claim spar__claim_offered_arms = {
    .name = "offered-arms",
    .title = "Regret is in proportion to the number of independent arms",
    .says = "Where arms give no information about each other, regret scales linearly with their number K: each must be "
            "tried.",
    .test = "The exponent b of regret ~ (K - 1)^b on linear/arith with K = 16, 64, 256, 1024 arms (quick: not the "
            "last), m = 4, fitted over the sizes at which regret after 20000 rounds is below a third of that of random "
            "play. "
            "Holds when b, with 2 standard errors, is within 1/4 of 1 over at least three sizes, in part over two.",
    .plan = plan,
    .judge = judge,
    .draw = draw,
};
