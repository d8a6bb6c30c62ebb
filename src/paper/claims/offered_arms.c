/* Regret as the number of independent arms grows. */
#include "paper/claims/judge.h"
#include "plot/plot.h"

#include <math.h>
#include <stdio.h>

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
static size_t measure(const spar__paper *paper, spar__estimate own[STEPS], spar__estimate chance[STEPS],
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
    size_t n = measure(paper, own, chance, &runs);
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
    size_t n = measure(paper, own, chance, &runs);
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
