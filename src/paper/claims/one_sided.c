/* one_sided.c - Thompson sampling picks one arm a round, and an opponent the other: "one-sided/fixed-linear". */
#include "base/alloc.h"
#include "base/error.h"
#include "num/elementary.h"
#include "paper/paper.h"
#include "plot/plot.h"
#include "sampler/rng.h"
#include "types/arms.h"
#include "types/round.h"

#include <math.h>
#include <stdio.h>

/* The opponent: the data of the claims below. */
typedef struct spar__opponent {
    const char *name, *title;
    bool fixed; /* it draws an arm uniformly in every round; otherwise it does so with a probability that falls like
                   1 / sqrt(1 + t / 1000), and else takes the best arm */
    spar__custom_run *run;
} spar__opponent;

extern const spar__opponent spar__opponent_fixed, spar__opponent_moving;

#define SPAR__ONE_SIDED_TEST                                                                                           \
    "The player's own regret, sum over rounds of phi(b_1, b_t), mean over runs, on arith with three links (quick: "    \
    "linear), a million rounds. "

#define PURPOSE_PLAYER UINT64_C(0x706c61796572) /* "player" */
#define PURPOSE_DUELS UINT64_C(0x6475656c73)    /* "duels": the opponent's arms and the outcomes */

/* All that a run needs. */
struct one_sided_run {
    spar_env *env;
    spar_world *world;
    spar_policy *policy;
    spar_scratch *scratch;
    spar_round *round;
    spar_feedback *feedback;
    spar_rng player, duels;
};

static spar_status begin(struct one_sided_run *g, const spar__cell_spec *spec, uint64_t run, spar_error *err)
{
    spar_rng_seed(&g->player, spec->seed, run, PURPOSE_PLAYER);
    spar_rng_seed(&g->duels, spec->seed, run, PURPOSE_DUELS);
    spar_status status = spar_env_new(spec->env, &g->env, err);
    if (!status)
        status = spar_world_new(g->env, spec->seed, run, &g->world, err);
    if (!status)
        status = spar_policy_new(spec->policy, spar_world_arms(g->world), 1, 0, &g->player, &g->policy, err);
    if (status)
        return status;
    if (spar_scratch_new(&g->scratch) || spar_round_new(1, &g->round) || spar_feedback_new(1, &g->feedback))
        return spar__fail_memory(err);
    return SPAR_OK;
}

static void end(struct one_sided_run *g)
{
    spar_feedback_free(g->feedback);
    spar_round_free(g->round);
    spar_scratch_free(g->scratch);
    spar_policy_free(g->policy);
    spar_world_free(g->world);
    spar_env_free(g->env);
}

/* A round against an arm drawn uniformly with probability `mixed`, else against the best; *cost grows by phi(b_1, b_t).
 */
static spar_status play(struct one_sided_run *g, uint64_t t, double mixed, double *cost)
{
    spar_status status = spar_policy_choose(g->policy, g->scratch, &g->player, g->round, NULL);
    if (status)
        return status;
    size_t arm = g->round->arm[0], other = spar_world_best(g->world, t);
    if (spar_rng_uniform(&g->duels) < mixed)
        other = (size_t)spar_rng_below(&g->duels, spar_world_arms(g->world)->n);
    double won = spar_rng_uniform(&g->duels) < spar_world_prefer(g->world, t, arm, other) ? 1 : 0;
    status = spar_feedback_reset(g->feedback, 1);
    if (!status)
        status = spar_feedback_reward(g->feedback, 0, won);
    if (!status)
        status = spar_policy_learn(g->policy, g->round, g->feedback, NULL);
    *cost += spar_world_gap(g->world, t, arm);
    return status;
}

static double always(uint64_t t)
{
    (void)t;
    return 1;
}

static double falling(uint64_t t)
{
    return 1 / sqrt(1 + (double)t / 1000);
}

static spar_status play_all(const spar__cell_spec *spec, uint64_t run, size_t n, const uint64_t *checkpoint,
                            double *curve, double (*mixed)(uint64_t t), spar_error *err)
{
    struct one_sided_run g = {0};
    spar_status status = begin(&g, spec, run, err);
    double cost = 0;
    uint64_t t = 0;
    for (size_t c = 0; !status && c < n; c++) {
        while (!status && t < checkpoint[c]) {
            t++;
            status = play(&g, t, mixed(t), &cost);
            if (status)
                (void)spar__fail(err, status, "round %llu: %s", (unsigned long long)t, spar_status_text(status));
        }
        curve[c] = cost;
    }
    end(&g);
    return status;
}

static spar_status one_sided_fixed(const spar__cell_spec *spec, uint64_t run, size_t n, const uint64_t *checkpoint,
                                   double *curve, spar_error *err)
{
    return play_all(spec, run, n, checkpoint, curve, always, err);
}

static spar_status one_sided_moving(const spar__cell_spec *spec, uint64_t run, size_t n, const uint64_t *checkpoint,
                                    double *curve, spar_error *err)
{
    return play_all(spec, run, n, checkpoint, curve, falling, err);
}

enum { LINKS = SPAR__SCENARIO_LINKS };

const spar__opponent spar__opponent_fixed = {"fixed", "Thompson sampling against arms drawn uniformly", true,
                                             one_sided_fixed};
const spar__opponent spar__opponent_moving = {
    "moving", "Thompson sampling against an opponent that moves to the best arm", false, one_sided_moving};

static void one_sided_name_setting(const spar__opponent *opponent, size_t link, char *out, size_t size)
{
    (void)snprintf(out, size, "one-sided/%s-%s", opponent->name, spar__scenario_links[link]);
}

static spar_status one_sided_plan(const void *data, spar__paper *paper, spar_error *err)
{
    static const spar__paper_policy policies[] = {{"Thompson", "thompson/beta"}};
    const spar__opponent *opponent = data;
    size_t n = paper->options.quick ? 1 : LINKS;
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < n; i++) {
        char name[64], title[64], env[64];
        one_sided_name_setting(opponent, i, name, sizeof name);
        (void)snprintf(title, sizeof title, "%s / arith", spar__scenario_links[i]);
        (void)snprintf(env, sizeof env, "utility(set=arith,link=%s)", spar__scenario_links[i]);
        spar__paper_setting wanted = {.name = name,
                                      .title = title,
                                      .env = env,
                                      .m = 1,
                                      .rounds = 1000000,
                                      .runs = 20,
                                      .quick_runs = 10,
                                      .policy = policies,
                                      .n_policies = 1,
                                      .custom = opponent->run,
                                      .custom_name = opponent->name};
        status = spar__paper_add(paper, &wanted, err);
    }
    return status;
}

/* The least slope in the long run: sum over arms of phi(1,i) / d(mu_i, mu_1), mu the chances against the opponent. */
static spar_status bound_of(const spar__paper_setting *setting, const spar__opponent *opponent, double *bound,
                            spar_error *err)
{
    double *p;
    size_t n, best;
    spar_status status = spar__env_arms(setting->env, &n, &p, &best, err);
    double top = 0.5;
    for (size_t j = 0; !status && opponent->fixed && j < n; j++)
        top += (p[best * n + j] - 0.5) / (double)n;
    *bound = 0;
    for (size_t i = 0; !status && i < n; i++) {
        double mu = p[i * n + best];
        for (size_t j = 0; opponent->fixed && j < n; j++)
            mu = (j ? mu : 0) + p[i * n + j] / (double)n;
        if (i != best)
            *bound += (p[best * n + i] - 0.5) / spar__coin_divergence(mu, top);
    }
    spar__free(p);
    return status;
}

static spar_status one_sided_judge(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    const spar__opponent *opponent = data;
    size_t good = 0, some = 0, all = 0;
    spar__range rate = SPAR__RANGE_EMPTY, falls = SPAR__RANGE_EMPTY;
    for (size_t i = 0; i < LINKS; i++) {
        char name[64];
        one_sided_name_setting(opponent, i, name, sizeof name);
        const spar__paper_setting *setting = spar__paper_find(paper, name);
        const spar__cell *cell = spar__paper_cell(setting, "Thompson");
        double bound;
        if (!cell)
            continue;
        spar_status status = bound_of(setting, opponent, &bound, err);
        if (status)
            return status;
        spar__estimate regret = spar__mean_of(cell->regret, cell->runs, 1);
        spar__estimate slope = spar__cell_slope(cell, 100000, 1000000);
        spar__estimate more = spar__cell_steepening(cell, 10000, 100000, 1000000);
        double fall = 10 * (slope.mean - more.mean) / slope.mean; /* of the regret of a round, from decade to decade */
        bool level = spar__cell_levels(cell, 10000, 100000, 1000000), optimal = spar__slope_near(slope, bound, 1.5);
        spar__range_add(&rate, slope.mean / bound);
        spar__range_add(&falls, fall);
        good += level && (opponent->fixed ? optimal : fall > 5);
        some += cell->runs > 1 && !opponent->fixed && fall > 5;
        spar__finding_item(
            &out->numbers, all++,
            "The player's regret after 1e6 rounds, its slope d regret / d ln t in the last decade (change since the "
            "decade before; least possible in the long run), and how far the regret of a round fell:");
        spar__buf_printf(&out->numbers, "%s %.0f +- %.0f, %.1f +- %.1f (%+.1f +- %.1f; %.1f), %.1f-fold",
                         setting->title, regret.mean, regret.se, slope.mean, slope.se, more.mean, more.se, bound, fall);
    }
    spar__finding_close(out, good, all);
    if (all) {
        spar__buf_adds(&out->brief, opponent->fixed
                                        ? "We find that in the last decade regret grows with ln t at "
                                        : "We find that from decade to decade the regret of a round falls ");
        spar__finding_range(&out->brief, opponent->fixed ? rate : falls);
        spar__buf_adds(&out->brief, opponent->fixed ? " times the least possible rate." : "-fold; 10 would be ideal.");
    }
    if (some && out->verdict == SPAR__DOES_NOT_HOLD)
        out->verdict = SPAR__HOLDS_IN_PART;
    return SPAR_OK;
}

enum { MOST = 200 }; /* checkpoints */

/* The mean curve of a cell. */
static spar__series curve_of(const spar__cell *cell, const char *title, double *x, double *room)
{
    spar__estimate regret[MOST];
    size_t n = cell->n_checkpoints < MOST ? cell->n_checkpoints : MOST;
    for (size_t c = 0; c < n; c++) {
        regret[c] = spar__mean_of(cell->curve + c, cell->runs, cell->n_checkpoints);
        x[c] = (double)cell->checkpoint[c];
    }
    spar__series series = spar__estimate_series(title, n, x, regret, room);
    series.dots = false;
    return series;
}

static spar_status one_sided_draw(const void *data, const spar__paper *paper, spar__drawing *to, spar_error *err)
{
    const spar__opponent *opponent = data;
    double x[LINKS][MOST], y[LINKS][3 * MOST];
    spar__series series[LINKS];
    spar__run_count runs = {0};
    char note[SPAR__NOTE_SIZE];
    size_t n = 0;
    (void)err;
    for (size_t i = 0; i < LINKS; i++) {
        char name[64];
        one_sided_name_setting(opponent, i, name, sizeof name);
        const spar__paper_setting *setting = spar__paper_find(paper, name);
        const spar__cell *cell = spar__paper_cell(setting, "Thompson");
        if (cell) {
            series[n] = curve_of(cell, setting->title, x[n], y[n]);
            spar__run_count_add(&runs, cell);
            n++;
        }
    }
    spar__figure figure = {.title = opponent->title,
                           .subtitle = "a straight line is growth like ln t",
                           .x_label = "round t",
                           .y_label = "the player's regret",
                           .log_x = true,
                           .n_series = n,
                           .series = series,
                           .band_note = spar__run_count_note(&runs, note)};
    return spar__draw_panels(&figure, 1, 1, to);
}

/* Thompson sampling on a plain bandit: one arm better than all others by Delta. */

enum { CASES = 5 };
static const struct {
    size_t arms;
    double delta;
} cases[CASES] = {{2, 0.1}, {10, 0.1}, {50, 0.1}, {10, 0.05}, {10, 0.2}};

static void lemma_1_name_setting(size_t i, char *out, size_t size)
{
    (void)snprintf(out, size, "plain/%zu-%g", cases[i].arms, cases[i].delta);
}

static spar_status lemma_1_plan(const void *data, spar__paper *paper, spar_error *err)
{
    (void)data;
    static const spar__paper_policy policies[] = {{"Thompson", "thompson/beta"}};
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < CASES; i++) {
        char name[64], title[64];
        spar__buf env = {0};
        lemma_1_name_setting(i, name, sizeof name);
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

static spar_status lemma_1_judge(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    (void)data, (void)err;
    size_t good = 0, all = 0;
    for (size_t i = 0; i < CASES; i++) {
        char name[64];
        lemma_1_name_setting(i, name, sizeof name);
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
    .plan = lemma_1_plan,
    .judge = lemma_1_judge,
};

const spar__claim spar__claim_lemma_3 = {
    .name = "lemma-3",
    .title = "Thompson sampling against a fixed opponent (Lemma 3)",
    .says =
        "Under approximate linearity, choosing one arm by Thompson sampling against a fixed distribution of arms has "
        "optimal regret.",
    .test = SPAR__ONE_SIDED_TEST
    "The opponent draws an arm uniformly in every round. The slope d regret / d ln t of the "
    "last decade must, with 2 standard errors, be less than 1.5 times as steep as the decade before, and "
    "below 1.5 times the bound of Lai and Robbins for the probabilities to win against that opponent, and not below "
    "half "
    "of it. Holds when all of this is true for every link, in part for some.",
    .plan = one_sided_plan,
    .judge = one_sided_judge,
    .draw = one_sided_draw,
    .data = &spar__opponent_fixed,
};

const spar__claim spar__claim_corollary = {
    .name = "corollary",
    .title = "Thompson sampling against an opponent that converges (Corollary 1)",
    .says = "Under approximate linearity, Thompson sampling against a drifting but converging distribution of arms "
            "converges to the best arm.",
    .test = SPAR__ONE_SIDED_TEST
    "The opponent draws uniformly with probability 1 / sqrt(1 + t / 1000), else it takes the best "
    "arm. The regret of a round must fall more than five-fold from the decade up to 1e5 to the decade up "
    "to 1e6 (growth like ln t: ten-fold, like sqrt t: three-fold), and regret over ln t must level "
    "off: with 2 standard errors the last decade is less than 1.5 times as steep as the decade before. Holds "
    "when both are true for every link, in part when only the first is or only for some links. No rate is "
    "claimed: the slope stays far above the bound, because what was learned from the opponent's first "
    "arms has to be unlearned.",
    .plan = one_sided_plan,
    .judge = one_sided_judge,
    .draw = one_sided_draw,
    .data = &spar__opponent_moving,
};

/* The experiments with two arms a round count every answer 3.5 times. Does regret still grow like ln T? */

static const char *const settings[] = {"eta/linear-arith", "eta/logit-arith", "eta/natural-arith"};
static const char *const titles[] = {"linear / arith", "logit / arith", "natural / arith"};
static const char *const envs[] = {"utility(set=arith,link=linear)", "utility(set=arith,link=logit)",
                                   "utility(set=arith,link=natural)"};
enum { SETTINGS = 3, DECADE = 100000, ROUNDS = 1000000 };

/* Not with --quick: a few runs in a hundred go wrong, and a small number of runs does not show them. */
static spar_status learning_rate_plan(const void *data, spar__paper *paper, spar_error *err)
{
    (void)data;
    static const spar__paper_policy policies[] = {{"IndSelfSparring", "ind_self_sparring(eta=3.5)"}};
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && !paper->options.quick && i < SETTINGS; i++) {
        spar__paper_setting wanted = {.name = settings[i],
                                      .title = titles[i],
                                      .env = envs[i],
                                      .m = 2,
                                      .rounds = ROUNDS,
                                      .runs = 60,
                                      .policy = policies,
                                      .n_policies = 1,
                                      .nanoseconds = 600};
        status = spar__paper_add(paper, &wanted, err);
    }
    return status;
}

/* Runs that hardly show the best arm even at the end. */
static size_t count_lost(const spar__cell *cell)
{
    size_t lost = 0;
    for (size_t r = 0; r < cell->runs; r++)
        lost += cell->best_share[r] < 0.5;
    return lost;
}

static spar_status learning_rate_judge(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    (void)data;
    size_t good = 0, all = 0;
    for (size_t i = 0; i < SETTINGS; i++) {
        const spar__cell *cell = spar__paper_cell(spar__paper_find(paper, settings[i]), "IndSelfSparring");
        spar__summary regret;
        if (!cell)
            continue;
        if (spar__cell_summary(cell, cell->regret, &regret))
            return spar__fail_memory(err);
        spar__estimate slope = spar__cell_slope(cell, DECADE, ROUNDS);
        size_t lost = count_lost(cell);
        good += lost == 0 && spar__cell_levels(cell, DECADE / 10, DECADE, ROUNDS);
        spar__finding_item(
            &out->numbers, all++,
            "Regret after 1e6 rounds, its median, its slope d regret / d ln t in the last decade, and the "
            "runs that have not found the best arm:");
        spar__buf_printf(&out->numbers, "%s %.0f +- %.0f, %.0f, %.0f +- %.0f, %zu of %zu", titles[i], regret.mean,
                         regret.se, regret.median, slope.mean, slope.se, lost, cell->runs);
    }
    spar__finding_close(out, good, all);
    return SPAR_OK;
}

const spar__claim spar__claim_learning_rate = {
    .name = "learning-rate",
    .title = "Regret grows like ln T at the learning rate of the experiments, too",
    .says = "The experiments with two arms a round set the learning rate to 3.5; the theorems do not cover it.",
    .test = "As for Theorem 2, with eta = 3.5 and without a bound: with 2 standard errors the last decade must be less "
            "than 1.5 times as steep as the decade before, and in the last tenth of the rounds every run must show the "
            "best "
            "arm in at least half of its slots. Holds when both are true for every link, in part for some. Not with "
            "--quick.",
    .plan = learning_rate_plan,
    .judge = learning_rate_judge,
};
