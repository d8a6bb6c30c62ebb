/* growth.c - claims about how regret grows with the rounds: like ln t, and at what rate.
 *
 * The long runs of IndSelfSparring are measured once a decade by a probe. Thompson sampling plays alone on a plain
 * bandit, and against an opponent that picks the other arm. What is claimed for infinity is judged by the last decades
 * of a million rounds. */
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

enum { MARKS = SPAR__LONG_MARKS, MOST_LINES = 3, MOST_POINTS = 200, DECADE = 100000, ROUNDS = 1000000 };

/* --- the long runs --- */

/* What the probe writes. */
enum {
    LEAST, /* plays of the arm with the fewest */
    BEST,  /* plays of the best arm */
    ALL,   /* plays of all arms */
    ERROR, /* the largest |mean of belief - P(arm beats best)|; NaN: the policy has no belief */
    WIDTH
};

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
    out[LEAST] = (double)least;
    out[BEST] = (double)s->tally[spar_world_best(s->world, s->t)].plays;
    out[ALL] = (double)all;
    return belief_error(s, &out[ERROR]);
}

const spar__cell_probe spar__long_probe = {"least-best-all-error", WIDTH, measure};

/* The next of the long runs, with all marks; NULL: there is none. */
static const spar__cell *next_long(const spar__paper *paper, const spar__paper_setting **setting, size_t *at)
{
    while ((*setting = spar__paper_each(paper, "long/", at))) {
        const spar__cell *cell = spar__paper_cell(*setting, "IndSelfSparring");
        if (cell && cell->n_marks == MARKS)
            return cell;
    }
    return NULL;
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

/* In every decade, and over all of them slower than the square root of the rounds. */
static bool grows_slowly(const spar__cell *cell)
{
    for (size_t mark = 1; mark < MARKS; mark++)
        if (!(long_change(cell, mark - 1, mark, LEAST).mean >= 1))
            return false;
    double first = long_at(cell, 0, LEAST).mean;
    double last = long_at(cell, MARKS - 1, LEAST).mean;
    return last * last < 1000 * first * first; /* a thousand times the rounds between them */
}

spar_status spar__judge_least_played(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    (void)data, (void)err;
    size_t good = 0, all = 0, at = 0;
    const spar__paper_setting *setting;
    for (const spar__cell *cell; (cell = next_long(paper, &setting, &at));) {
        good += grows_slowly(cell);
        spar__finding_item(&out->numbers, all++,
                           "Plays of the least played arm after 1e3, 1e4, 1e5, 1e6 rounds, mean over runs:");
        spar__buf_printf(&out->numbers, "%s %.1f, %.1f, %.1f, %.1f", setting->title, long_at(cell, 0, LEAST).mean,
                         long_at(cell, 1, LEAST).mean, long_at(cell, 2, LEAST).mean, long_at(cell, 3, LEAST).mean);
    }
    spar__finding_close(out, good, all);
    return SPAR_OK;
}

/* The share of the best arm among the plays of a decade; decade 0 ends at the first mark. */
static double best_share(const spar__cell *cell, size_t decade)
{
    double best = long_at(cell, decade, BEST).mean;
    double all = long_at(cell, decade, ALL).mean;
    if (decade) {
        best -= long_at(cell, decade - 1, BEST).mean;
        all -= long_at(cell, decade - 1, ALL).mean;
    }
    return best / all;
}

/* It rises from decade to decade, to nearly 1. */
static bool takes_over(const spar__cell *cell)
{
    for (size_t decade = 1; decade < MARKS; decade++)
        if (!(best_share(cell, decade) > best_share(cell, decade - 1)))
            return false;
    return best_share(cell, MARKS - 1) > 0.98;
}

spar_status spar__judge_convergence(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    (void)data, (void)err;
    size_t good = 0, all = 0, at = 0;
    double fall = 0, variance = 0; /* of the error, summed over settings */
    const spar__paper_setting *setting;
    for (const spar__cell *cell; (cell = next_long(paper, &setting, &at));) {
        spar__estimate change = long_change(cell, 1, MARKS - 1, ERROR);
        fall -= change.mean;
        variance += change.se * change.se;
        good += takes_over(cell);
        size_t item = all++;
        spar__finding_item(
            &out->numbers, item,
            "The best arm's share of plays up to 1e3, then to 1e4, 1e5, 1e6 rounds (and the largest error "
            "of belief after 1e4, 1e5, 1e6):");
        spar__buf_printf(&out->numbers, "%s %.3f, %.3f, %.4f, %.4f (%.3f, %.3f, %.3f)", setting->title,
                         best_share(cell, 0), best_share(cell, 1), best_share(cell, 2), best_share(cell, 3),
                         long_at(cell, 1, ERROR).mean, long_at(cell, 2, ERROR).mean, long_at(cell, 3, ERROR).mean);
    }
    if (all == 0)
        return SPAR_OK;
    bool learns = fall > 2 * sqrt(variance) && variance > 0; /* false for NaN: no belief */
    spar__buf_printf(&out->numbers, ". From 1e4 to 1e6 rounds that error falls by %.3f +- %.3f", fall / (double)all,
                     sqrt(variance) / (double)all);
    spar__finding_close(out, good + learns, all + 1);
    return SPAR_OK;
}

/* --- the rate, beside the least possible one --- */

/* The least regret per unit of ln T of a policy that shows two arms a round and finds the best one in all such
 * problems: sum over arms i of the least (phi(1,i) + phi(1,j)) / d(P_ij, 1/2) over arms j that beat i. (Komiyama,
 * Honda, Kashima, Nakagawa 2015; there a round costs the mean of its two slots, here their sum.) */
static spar_status duel_rate(const spar__paper_setting *setting, double *rate, spar_error *err)
{
    double *p;
    size_t n, best;
    spar_status status = spar__env_arms(setting->env, &n, &p, &best, err);
    *rate = 0;
    for (size_t i = 0; !status && i < n; i++) {
        double least = HUGE_VAL;
        for (size_t j = 0; j < n; j++)
            if (p[i * n + j] < 0.5) {
                double cost = p[best * n + i] - 0.5 + p[best * n + j] - 0.5;
                least = fmin(least, cost / spar__coin_divergence(p[i * n + j], 0.5));
            }
        *rate += least < HUGE_VAL ? least : 0;
    }
    spar__free(p);
    return status;
}

spar_status spar__judge_growth(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    (void)data;
    size_t good = 0, all = 0, at = 0;
    spar__range rates = SPAR__RANGE_EMPTY;
    const spar__paper_setting *setting;
    for (const spar__cell *cell; (cell = next_long(paper, &setting, &at));) {
        double least = 0;
        if (setting->m != 2)
            continue;
        spar_status status = duel_rate(setting, &least, err);
        if (status)
            return status;
        spar__estimate slope = spar__cell_slope(cell, DECADE, ROUNDS);
        spar__estimate more = spar__cell_steepening(cell, DECADE / 10, DECADE, ROUNDS);
        spar__range_add(&rates, slope.mean / least);
        good += spar__cell_levels(cell, DECADE / 10, DECADE, ROUNDS) && spar__slope_near(slope, least, 2);
        spar__finding_item(&out->numbers, all++,
                           "Slope d regret / d ln t from 1e5 to 1e6 rounds (change since the decade before; least "
                           "possible in the long run; round from which it is within 20 % of the last):");
        spar__buf_printf(&out->numbers, "%s %.1f +- %.1f (%+.1f +- %.1f; %.1f; %llu)", setting->title, slope.mean,
                         slope.se, more.mean, more.se, least, (unsigned long long)spar__cell_settled(cell));
    }
    spar__finding_close(out, good, all);
    if (all) {
        spar__buf_adds(&out->brief,
                       "We find that from round 1e5 to 1e6 the regret of IndSelfSparring grows with ln t at ");
        spar__finding_range(&out->brief, rates);
        spar__buf_adds(&out->brief, " times the least possible rate.");
    }
    return SPAR_OK;
}

/* The slope over half a decade, in units of the least possible. */
static spar__series slope_line(const spar__cell *cell, const char *title, double least, double *x, double *y)
{
    size_t n = 0;
    for (size_t c = 0; n < MOST_POINTS && c < cell->n_checkpoints; c++)
        if (cell->checkpoint[c] >= 100) {
            x[n] = (double)cell->checkpoint[c];
            spar__estimate slope = spar__cell_local_slope(cell, c);
            y[n] = slope.mean / least;
            y[MOST_POINTS + n] = (slope.mean - 2 * slope.se) / least;
            y[2 * MOST_POINTS + n] = (slope.mean + 2 * slope.se) / least;
            n++;
        }
    return (spar__series){
        .label = title, .n = n, .x = x, .y = y, .lo = y + MOST_POINTS, .hi = y + (size_t)2 * MOST_POINTS};
}

spar_status spar__draw_growth(const void *data, const spar__paper *paper, spar__drawing *to, spar_error *err)
{
    (void)data;
    static const double ends[] = {100, 1000000}, one[] = {1, 1};
    double x[MOST_LINES][MOST_POINTS], y[MOST_LINES][3 * MOST_POINTS];
    spar__series series[MOST_LINES + 1];
    spar__run_count runs = {0};
    char note[SPAR__NOTE_SIZE];
    size_t n = 0, at = 0;
    const spar__paper_setting *setting;
    for (const spar__cell *cell; n < MOST_LINES && (cell = next_long(paper, &setting, &at));) {
        double least;
        if (setting->m != 2)
            continue;
        spar_status status = duel_rate(setting, &least, err);
        if (status)
            return status;
        series[n] = slope_line(cell, setting->title, least, x[n], y[n]);
        spar__run_count_add(&runs, cell);
        n++;
    }
    series[n] = (spar__series){.label = "least possible in the long run", .n = 2, .x = ends, .y = one, .color = 17};
    spar__figure figure = {.title = "How fast IndSelfSparring's regret grows, m = 2",
                           .x_label = "round t",
                           .y_label = "d regret / d ln t, over the lower bound",
                           .log_x = true,
                           .n_series = n + 1,
                           .series = series,
                           .band_note = spar__run_count_note(&runs, note)};
    return spar__draw_panels(&figure, 1, 1, to);
}

/* --- the experiments with two arms a round count every answer 3.5 times --- */

spar_status spar__judge_learning_rate(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    (void)data;
    size_t good = 0, all = 0, at = 0;
    for (const spar__paper_setting *setting; (setting = spar__paper_each(paper, "eta/", &at));) {
        const spar__cell *cell = &setting->cell[0];
        spar__summary regret;
        if (spar__cell_summary(cell, cell->regret, &regret))
            return spar__fail_memory(err);
        spar__estimate slope = spar__cell_slope(cell, DECADE, ROUNDS);
        /* Runs that hardly show the best arm even at the end. */
        size_t lost = 0;
        for (size_t r = 0; r < cell->runs; r++)
            lost += cell->best_share[r] < 0.5;
        good += lost == 0 && spar__cell_levels(cell, DECADE / 10, DECADE, ROUNDS);
        spar__finding_item(
            &out->numbers, all++,
            "Regret after 1e6 rounds, its median, its slope d regret / d ln t in the last decade, and the "
            "runs that have not found the best arm:");
        spar__buf_printf(&out->numbers, "%s %.0f +- %.0f, %.0f, %.0f +- %.0f, %zu of %zu", setting->title, regret.mean,
                         regret.se, regret.median, slope.mean, slope.se, lost, cell->runs);
    }
    spar__finding_close(out, good, all);
    return SPAR_OK;
}

/* --- Thompson sampling on a plain bandit: one arm better than all others by Delta --- */

spar_status spar__judge_plain(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    (void)data, (void)err;
    size_t good = 0, all = 0;
    for (size_t i = 0; i < SPAR__PLAIN_CASES; i++) {
        const spar__plain_case *one = &spar__plain_cases[i];
        char name[64];
        (void)snprintf(name, sizeof name, "plain/%zu-%g", one->arms, one->delta);
        const spar__paper_setting *setting = spar__paper_find(paper, name);
        if (!setting)
            continue;
        const spar__cell *cell = &setting->cell[0];
        double form = (double)one->arms * spar__log((double)setting->rounds) / one->delta;
        double least =
            (double)(one->arms - 1) * one->delta / spar__coin_divergence(0.5, 0.5 + one->delta); /* Lai and Robbins */
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

/* --- Thompson sampling picks one arm a round, and an opponent the other --- */

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

static spar_status play_all(const spar__cell_spec *spec, uint64_t run, size_t n, const uint64_t *checkpoint,
                            double *curve, bool fixed, spar_error *err)
{
    struct one_sided_run g = {0};
    spar_rng_seed(&g.player, spec->seed, run, PURPOSE_PLAYER);
    spar_rng_seed(&g.duels, spec->seed, run, PURPOSE_DUELS);
    spar_status status = spar_env_new(spec->env, &g.env, err);
    if (!status)
        status = spar_world_new(g.env, spec->seed, run, &g.world, err);
    if (!status)
        status = spar_policy_new(spec->policy, spar_world_arms(g.world), 1, 0, &g.player, &g.policy, err);
    if (!status && (spar_scratch_new(&g.scratch) || spar_round_new(1, &g.round) || spar_feedback_new(1, &g.feedback)))
        status = spar__fail_memory(err);
    double cost = 0;
    uint64_t t = 0;
    for (size_t c = 0; !status && c < n; c++) {
        while (!status && t < checkpoint[c]) {
            t++;
            status = play(&g, t, fixed ? 1 : 1 / sqrt(1 + (double)t / 1000), &cost);
            if (status)
                (void)spar__fail(err, status, "round %llu: %s", (unsigned long long)t, spar_status_text(status));
        }
        curve[c] = cost;
    }
    spar_feedback_free(g.feedback);
    spar_round_free(g.round);
    spar_scratch_free(g.scratch);
    spar_policy_free(g.policy);
    spar_world_free(g.world);
    spar_env_free(g.env);
    return status;
}

static spar_status one_sided_fixed(const spar__cell_spec *spec, uint64_t run, size_t n, const uint64_t *checkpoint,
                                   double *curve, spar_error *err)
{
    return play_all(spec, run, n, checkpoint, curve, true, err);
}

static spar_status one_sided_moving(const spar__cell_spec *spec, uint64_t run, size_t n, const uint64_t *checkpoint,
                                    double *curve, spar_error *err)
{
    return play_all(spec, run, n, checkpoint, curve, false, err);
}

const spar__opponent spar__opponents[SPAR__OPPONENTS] = {
    [SPAR__OPPONENT_FIXED] = {"fixed", "one-sided/fixed-", "Thompson sampling against arms drawn uniformly", true,
                              one_sided_fixed},
    [SPAR__OPPONENT_MOVING] = {"moving", "one-sided/moving-",
                               "Thompson sampling against an opponent that moves to the best arm", false,
                               one_sided_moving},
};

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

static void write_one_sided(spar__buf *out, size_t item, const spar__paper_setting *setting, double bound, double fall)
{
    const spar__cell *cell = &setting->cell[0];
    spar__estimate regret = spar__mean_of(cell->regret, cell->runs, 1);
    spar__estimate slope = spar__cell_slope(cell, DECADE, ROUNDS);
    spar__estimate more = spar__cell_steepening(cell, DECADE / 10, DECADE, ROUNDS);
    spar__finding_item(
        out, item,
        "The player's regret after 1e6 rounds, its slope d regret / d ln t in the last decade (change since the "
        "decade before; least possible in the long run), and how far the regret of a round fell:");
    spar__buf_printf(out, "%s %.0f +- %.0f, %.1f +- %.1f (%+.1f +- %.1f; %.1f), %.1f-fold", setting->title, regret.mean,
                     regret.se, slope.mean, slope.se, more.mean, more.se, bound, fall);
}

spar_status spar__judge_one_sided(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    const spar__opponent *opponent = data;
    size_t good = 0, some = 0, all = 0, at = 0;
    spar__range rate = SPAR__RANGE_EMPTY, falls = SPAR__RANGE_EMPTY;
    for (const spar__paper_setting *setting; (setting = spar__paper_each(paper, opponent->settings, &at));) {
        const spar__cell *cell = &setting->cell[0];
        double bound;
        spar_status status = bound_of(setting, opponent, &bound, err);
        if (status)
            return status;
        spar__estimate slope = spar__cell_slope(cell, DECADE, ROUNDS);
        spar__estimate more = spar__cell_steepening(cell, DECADE / 10, DECADE, ROUNDS);
        double fall = 10 * (slope.mean - more.mean) / slope.mean; /* of the regret of a round, from decade to decade */
        bool level = spar__cell_levels(cell, DECADE / 10, DECADE, ROUNDS),
             optimal = spar__slope_near(slope, bound, 1.5);
        spar__range_add(&rate, slope.mean / bound);
        spar__range_add(&falls, fall);
        good += level && (opponent->fixed ? optimal : fall > 5);
        some += cell->runs > 1 && !opponent->fixed && fall > 5;
        write_one_sided(&out->numbers, all++, setting, bound, fall);
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

/* The mean curve of a cell. */
static spar__series curve_of(const spar__cell *cell, const char *title, double *x, double *room)
{
    spar__estimate regret[MOST_POINTS];
    size_t n = cell->n_checkpoints < MOST_POINTS ? cell->n_checkpoints : MOST_POINTS;
    for (size_t c = 0; c < n; c++) {
        regret[c] = spar__mean_of(cell->curve + c, cell->runs, cell->n_checkpoints);
        x[c] = (double)cell->checkpoint[c];
    }
    spar__series series = spar__estimate_series(title, n, x, regret, room);
    series.dots = false;
    return series;
}

spar_status spar__draw_one_sided(const void *data, const spar__paper *paper, spar__drawing *to, spar_error *err)
{
    const spar__opponent *opponent = data;
    double x[MOST_LINES][MOST_POINTS], y[MOST_LINES][3 * MOST_POINTS];
    spar__series series[MOST_LINES];
    spar__run_count runs = {0};
    char note[SPAR__NOTE_SIZE];
    size_t n = 0, at = 0;
    (void)err;
    for (const spar__paper_setting *setting;
         n < MOST_LINES && (setting = spar__paper_each(paper, opponent->settings, &at)); n++) {
        series[n] = curve_of(&setting->cell[0], setting->title, x[n], y[n]);
        spar__run_count_add(&runs, &setting->cell[0]);
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
