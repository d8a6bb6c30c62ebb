/* Thompson sampling on a plain bandit: one arm better than all others by Delta. */
#include "num/elementary.h"
#include "paper/claims/judge.h"

#include <stdio.h>

enum { CASES = 5 };
static const struct {
    size_t arms;
    double delta;
} cases[CASES] = {{2, 0.1}, {10, 0.1}, {50, 0.1}, {10, 0.05}, {10, 0.2}};

static void name_setting(size_t i, char *out, size_t size)
{
    (void)snprintf(out, size, "plain/%zu-%g", cases[i].arms, cases[i].delta);
}

static spar_status plan(const void *data, spar__paper *paper, spar_error *err)
{
    (void)data;
    static const spar__paper_policy policies[] = {{"Thompson", "thompson/beta"}};
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < CASES; i++) {
        char name[64], title[64];
        spar__buf env = {0};
        name_setting(i, name, sizeof name);
        (void)snprintf(title, sizeof title, "%zu arms, Delta = %g", cases[i].arms, cases[i].delta);
        spar__buf_printf(&env, "rewards(mu=%g", 0.5 + cases[i].delta);
        for (size_t k = 1; k < cases[i].arms; k++)
            spar__buf_adds(&env, ":0.5");
        spar__buf_adds(&env, ")");
        spar__paper_setting wanted = {.name = name,
                                      .title = title,
                                      .env = env.text,
                                      .m = 1,
                                      .rounds = 1000000,
                                      .runs = 20,
                                      .quick_runs = 12,
                                      .quick_rounds = 100000,
                                      .policy = policies,
                                      .n_policies = 1};
        status = env.failed ? spar__fail_memory(err) : spar__paper_add(paper, &wanted, err);
        spar__buf_free(&env);
    }
    return status;
}

static spar_status judge(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    (void)data, (void)err;
    size_t good = 0, all = 0;
    for (size_t i = 0; i < CASES; i++) {
        char name[64];
        name_setting(i, name, sizeof name);
        const spar__paper_setting *setting = spar__paper_find(paper, name);
        const spar__cell *cell = spar__paper_cell(setting, "Thompson");
        if (!cell)
            continue;
        double delta = cases[i].delta, others = (double)(cases[i].arms - 1);
        double form = (double)cases[i].arms * spar__log((double)setting->rounds) / delta;
        double least = others * delta / spar__coin_divergence(0.5, 0.5 + delta); /* Lai and Robbins */
        spar__estimate regret = spar__mean_of(cell->regret, cell->runs, 1);
        spar__estimate slope = spar__cell_slope(cell, setting->rounds / 10, setting->rounds);
        spar__finding_item(
            &out->numbers, all++,
            "Mean regret, its share of K ln T / Delta, and its slope d regret / d ln t in the last decade (bound for "
            "the long run):");
        good += regret.mean + 2 * regret.se < form && spar__slope_near(slope, least, 1.5);
        spar__buf_printf(&out->numbers, "%s: %.0f +- %.0f, %.2f, %.1f +- %.1f (%.1f)", setting->title, regret.mean,
                         regret.se, regret.mean / form, slope.mean, slope.se, least);
    }
    spar__finding_close(out, good, all);
    return SPAR_OK;
}

const spar__claim spar__claim_lemma_1 = {
    .name = "lemma-1",
    .title = "Thompson sampling on a plain bandit (Lemma 1)",
    .says = "On K arms with independent rewards Thompson sampling has an expected regret of O(K ln T / Delta).",
    .test =
        "One arm has mean reward 1/2 + Delta, the others 1/2; a million rounds (quick: 1e5). The mean regret plus 2 "
        "standard "
        "errors must be below K ln T / Delta, and its slope d regret / d ln t over the last decade, with 2 standard "
        "errors, below 1.5 times the least possible in the long run, sum of Delta / d(1/2, 1/2 + Delta) over the other "
        "arms, and not below half of it. Holds when both are true in every case, in part in some.",
    .plan = plan,
    .judge = judge,
};
