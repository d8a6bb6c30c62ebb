/* pl.c - the beliefs pl and linear_pl: strengths of the arms in the law of Plackett and Luce, with a normal belief
 * about them.
 *
 * R. D. Luce, Individual Choice Behavior, 1959; R. L. Plackett, Applied Statistics 1975.
 *
 *     theta_i ~ N(0, sd^2),   P(w is chosen from the set A) = exp(theta_w) / sum_{j in A} exp(theta_j)
 *
 * An answered pair of different arms is a choice between two, a winner one choice of all, a ranking one choice after
 * the other from what is left; best and worst are the choice of the best and then, from the rest, of the worst with
 * exp( -theta). A tied pair is half a win of each; arms tied in a ranking are left out of each other's choice. An arm
 * in several slots weighs as often. The posterior is approximated by a normal law at its mode (pl.h).
 *
 * Cost of a round with r arms that have answers: r^3 / 3 operations while r <= 64 and all answers are pairs, else about
 * m r^2 and, at the rounds of a refit, one pass over all answers and r^3 / 3. Drawing: m r^2 / 2.
 *
 * linear_pl is the same with strengths that are linear in the features of the arms,
 *
 *     theta_i = x_i . w,   w ~ N(0, sd^2 I)
 *
 * Only differences of strengths matter, so a constant feature says nothing. Cost of a round with d features: about
 * m d^2 and a product of the features with m draws, K m d; at the rounds of a refit a pass over all different answers
 * with d^2 each. */
#include "posterior/pl/pl.h"

#include "base/alloc.h"
#include "num/kernel.h"
#include "num/linear.h"
#include "sampler/sampler.h"

#include <math.h>
#include <string.h>

/* --- Memory, positions, answers --- */

static void prior_rows(spar__pl *self, size_t from)
{
    for (size_t k = from; k < self->stride; k++) {
        memset(self->R + k * self->stride, 0, self->stride * sizeof *self->R);
        self->R[k * self->stride + k] = 1 / self->sd;
        self->mean[k] = 0;
    }
}

static void fini(spar__posterior *base)
{
    spar__pl *self = (spar__pl *)base;
    void *const arrays[] = {self->position, self->arm,      self->R,      self->mean,      self->step,
                            self->spare,    self->strength, self->pull,   self->curvature, self->work,
                            self->rows,     self->target,   self->option, self->level,     self->screen};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        spar__free(arrays[i]);
    spar__choices_fini(&self->done);
    spar__choices_fini(&self->recent);
    spar__choices_fini(&self->round);
}

static bool grow(double **array, size_t old, size_t room)
{
    double *grown = spar__realloc(*array, old, room, sizeof *grown);
    *array = grown ? grown : *array;
    return grown;
}

/* Wider rows of R; what it held is kept. */
static spar_status more_parameters(spar__pl *self, size_t wanted)
{
    size_t stride = spar__padded(wanted < 2 * self->stride ? 2 * self->stride : wanted), old = self->stride;
    double *R = spar__alloc(stride, stride * sizeof *R), *curvature = spar__alloc(stride, stride * sizeof *curvature);
    double *work = spar__alloc(spar__cholesky_work(stride), sizeof *work);
    double *rows = spar__alloc(self->rows_room, stride * sizeof *rows);
    if (!R || !curvature || !work || !rows || !grow(&self->mean, old, stride) || !grow(&self->step, old, stride) ||
        !grow(&self->spare, old, stride)) {
        spar__free(R);
        spar__free(curvature);
        spar__free(work);
        spar__free(rows);
        return SPAR_NOMEM;
    }
    for (size_t k = 0; k < old; k++)
        memcpy(R + k * stride, self->R + k * old, old * sizeof *R);
    double *const gone[] = {self->R, self->curvature, self->work, self->rows};
    for (size_t i = 0; i < 4; i++)
        spar__free(gone[i]);
    self->R = R;
    self->curvature = curvature;
    self->work = work;
    self->rows = rows;
    self->stride = stride;
    prior_rows(self, old);
    return SPAR_OK;
}

/* Room for that many positions, and parameters; rows of R keep what they hold. */
static spar_status reserve_parameters(spar__pl *self, size_t seen)
{
    size_t old = self->seen_room, room = seen < 2 * old ? 2 * old : seen;
    if (seen > old) {
        size_t *arm = spar__realloc(self->arm, old, room, sizeof *arm);
        self->arm = arm ? arm : self->arm;
        if (!arm || !grow(&self->strength, old, room) || !grow(&self->pull, old, room))
            return SPAR_NOMEM;
        self->seen_room = room;
    }
    size_t wanted = self->linear ? self->base.arms->dim : seen;
    return wanted > self->stride ? more_parameters(self, wanted) : SPAR_OK;
}

static spar_status resize(spar__posterior *base)
{
    spar__pl *self = (spar__pl *)base;
    size_t room = base->arms->capacity;
    if (base->arms->n <= self->arms_room)
        return SPAR_OK;
    uint32_t *position = spar__realloc(self->position, self->arms_room, room, sizeof *position);
    if (!position)
        return SPAR_NOMEM;
    self->position = position;
    self->arms_room = room;
    return SPAR_OK;
}

static spar_status init(spar__posterior *base, const spar__values *values, spar_error *err)
{
    spar__pl *self = (spar__pl *)base;
    self->linear = base->cls->linear;
    if (self->linear && base->arms->dim == 0)
        return spar__fail(err, SPAR_UNSUPPORTED, "linear_pl needs arms with features, but these have none");
    self->sd = spar__number(values, "sd");
    self->r = self->linear ? base->arms->dim : 0;
    return resize(base) || reserve_parameters(self, 1) ? spar__fail_memory(err) : SPAR_OK;
}

static void forget(spar__posterior *base)
{
    spar__pl *self = (spar__pl *)base;
    memset(self->position, 0, self->arms_room * sizeof *self->position);
    spar__choices_clear(&self->done);
    spar__choices_clear(&self->recent);
    spar__choices_clear(&self->round);
    self->seen = 0;
    self->r = self->linear ? base->arms->dim : 0;
    self->rounds = self->refitted = 0;
    self->online = false;
    prior_rows(self, 0);
}

static spar_status reserve(spar__posterior *base, size_t m)
{
    spar__pl *self = (spar__pl *)base;
    size_t unseen = base->arms->n - self->seen, old = self->slots_room;
    if (reserve_parameters(self, self->seen + (m < unseen ? m : unseen)))
        return SPAR_NOMEM;
    if (m > old) {
        /* What one round needs of its own: m slots, and a row for each alternative of each choice. */
        size_t rows = m * (m + 1);
        uint32_t *option = spar__realloc(self->option, old, m, sizeof *option);
        self->option = option ? option : self->option;
        unsigned *level = option ? spar__realloc(self->level, old, m, sizeof *level) : NULL;
        self->level = level ? level : self->level;
        double *more = level ? spar__alloc(rows, self->stride * sizeof *more) : NULL;
        if (!more || !grow(&self->target, self->rows_room, rows) || !grow(&self->screen, old * (old + 1), rows)) {
            spar__free(more);
            return SPAR_NOMEM;
        }
        spar__free(self->rows);
        self->rows = more;
        self->rows_room = rows;
        self->slots_room = m;
    }
    bool failed = spar__choices_reserve(&self->round, 2, m * (m - 1) / 2) ||
                  spar__choices_reserve(&self->round, m, 1) ||
                  spar__choices_reserve_join(&self->recent, &self->round, m) ||
                  spar__choices_reserve_join(&self->done, &self->recent, m);
    return failed ? SPAR_NOMEM : SPAR_OK;
}

/* The position of an arm, given one if it has none; there is room. */
static uint32_t position_of(spar__pl *self, size_t arm)
{
    if (self->position[arm] == 0) {
        self->arm[self->seen++] = arm;
        self->position[arm] = (uint32_t)self->seen;
        self->r = self->linear ? self->r : self->seen;
    }
    return self->position[arm] - 1;
}

/* Answered pairs of different arms, each a choice between two; a tie is half a win of each. */
static void observe_pairs(spar__pl *self, const spar_round *round, const spar_feedback *feedback, double weight)
{
    static const unsigned first[2] = {0, 1};
    const spar__choice_answer choice = {SPAR__CHOICE_ORDER, 2, first, false};
    size_t m = round->m;
    for (size_t j = 0; j < m; j++)
        for (size_t k = j + 1; k < m; k++) {
            unsigned char outcome = feedback->outcome[j * m + k];
            if (outcome == SPAR_MISSING || round->arm[j] == round->arm[k])
                continue;
            uint32_t a = position_of(self, round->arm[j]), b = position_of(self, round->arm[k]);
            double won = spar__reward(outcome);
            if (won > 0)
                spar__choices_add(&self->round, &choice, (const uint32_t[]){a, b}, NULL, weight * won, true);
            if (won < 1)
                spar__choices_add(&self->round, &choice, (const uint32_t[]){b, a}, NULL, weight * (1 - won), true);
        }
}

/* One choice or ranking of all slots. */
static void observe_order(spar__pl *self, const spar_round *round, const spar_feedback *feedback, double weight)
{
    size_t m = feedback->m;
    bool best_worst = feedback->kind == SPAR_FEEDBACK_BEST_WORST && m > 2;
    unsigned *level = self->level, next = 0;
    spar__choice_answer choice = {best_worst ? SPAR__CHOICE_BEST_WORST : SPAR__CHOICE_ORDER, m, level, false};
    /* The levels of an order: how many different numbers of slots before it are smaller. */
    for (size_t j = 0; j < m; j++) {
        level[j] = 0;
        for (size_t k = 0; k < m; k++)
            level[j] += feedback->outcome[j * m + k] == SPAR_LOSS;
    }
    for (unsigned behind = 0; behind < m; behind++) { /* never below what is already numbered */
        bool any = false;
        for (size_t j = 0; j < m; j++)
            if (level[j] == behind) {
                level[j] = next;
                any = true;
            }
        next += any;
    }
    for (size_t j = 0; j < round->m; j++)
        self->option[j] = position_of(self, round->arm[j]);
    spar__choices_add(&self->round, &choice, self->option, NULL, weight, true);
}

static void observe_round(spar__posterior *base, const spar_round *round, const spar_feedback *feedback, double weight)
{
    spar__pl *self = (spar__pl *)base;
    bool pairs = feedback->kind == SPAR_FEEDBACK_PAIRS || feedback->kind == SPAR_FEEDBACK_TIE;
    (pairs ? observe_pairs : observe_order)(self, round, feedback, weight);
}

/* --- Learning ---
 *
 * The log posterior is strictly concave, so its mode is unique. A refit goes there by Newton steps, and leaves R as the
 * factor of the curvature at the mode. While every answer is a choice between two, and the parameters are few, every
 * round is a refit: one factorisation and a few passes over the pairs. Else a refit would cost a pass over all answers,
 * or r^3; then it is made in the first rounds and whenever the rounds have grown by 15 %, and the rounds between are
 * learned online, at r^2 an observation. */

enum { MOST_STEPS = 100, EARLY = 30, FEW = 64 };

static const double close_enough = 1e-18; /* of the squared length of a step, in standard deviations */
static const double growth = 1.15;

/* The features of a position. */
static const double *features_of(const spar__pl *self, size_t position)
{
    return self->base.arms->x + self->arm[position] * self->base.arms->dim;
}

/* The strengths of all positions, for these parameters. */
static const double *strengths_at(spar__pl *self, const double *at)
{
    if (!self->linear)
        return at;
    for (size_t i = 0; i < self->seen; i++) {
        const double *x = features_of(self, i);
        double sum = 0;
        for (size_t k = 0; k < self->r; k++)
            sum += x[k] * at[k];
        self->strength[i] = sum;
    }
    return self->strength;
}

/* row += by times the features of a position. */
static void add_position(const spar__pl *self, size_t position, double by, double *row)
{
    if (!self->linear) {
        row[position] += by;
        return;
    }
    const double *x = features_of(self, position);
    for (size_t k = 0; k < self->r; k++)
        row[k] += by * x[k];
}

static void add_square(const spar__pl *self, const double *row)
{
    for (size_t k = 0; k < self->r; k++)
        for (size_t j = k; j < self->r; j++)
            self->curvature[k * self->stride + j] += row[k] * row[j];
}

/* The curvature of the answers by the features: the sum of row row' over rows that stand for observations. */
static void linear_curvature(spar__pl *self, const double *theta)
{
    const spar__choices *l = &self->done;
    double *row = self->rows, *share = l->work;
    for (size_t i = 0; i < l->pairs; i++) {
        double pair[2] = {theta[l->a[i]], theta[l->b[i]]}, count = l->won[i] + l->lost[i];
        (void)spar__choice_shares(2, pair, pair);
        double root = sqrt(fmax(count * pair[0] * pair[1], 1e-30));
        memset(row, 0, self->stride * sizeof *row);
        add_position(self, l->a[i], root, row);
        add_position(self, l->b[i], -root, row);
        add_square(self, row);
    }
    for (size_t i = 0; i < l->stages; i++) {
        /* A choice of one from n is n observations: sqrt(p_j) (e_j - p). */
        const uint32_t *option = l->option + l->first[i];
        size_t n = l->first[i + 1] - l->first[i];
        double sign = l->kind[i] & SPAR__STAGE_WORST ? -1 : 1;
        for (size_t j = 0; j < n; j++)
            share[j] = sign * theta[option[j]];
        (void)spar__choice_shares(n, share, share);
        for (size_t j = 0; j < n; j++) {
            double root = sqrt(l->weight[i] * fmax(share[j], 1e-30));
            memset(row, 0, self->stride * sizeof *row);
            add_position(self, option[j], sign * root, row);
            for (size_t k = 0; k < n; k++)
                add_position(self, option[k], -sign * root * share[k], row);
            add_square(self, row);
        }
    }
}

/* The gradient of the log posterior into step, and with `bend` the curvature. */
static void find_slope(spar__pl *self, const double *at, bool bend)
{
    spar__choice_space space = {self->seen, 0, false};
    double *curvature = bend ? self->curvature : NULL, precision = 1 / (self->sd * self->sd);
    const double *theta = strengths_at(self, at);
    for (size_t k = 0; k < self->r; k++) {
        self->step[k] = -precision * at[k];
        if (bend) {
            memset(curvature + k * self->stride, 0, self->stride * sizeof *curvature);
            curvature[k * self->stride + k] = precision;
        }
    }
    if (!self->linear) {
        spar__choices_slope(&self->done, &space, theta, self->step, self->stride, curvature);
        return;
    }
    memset(self->pull, 0, self->seen * sizeof *self->pull);
    spar__choices_slope(&self->done, &space, theta, self->pull, 0, NULL);
    for (size_t i = 0; i < self->seen; i++)
        add_position(self, i, self->pull[i], self->step);
    if (bend)
        linear_curvature(self, theta);
}

static double log_posterior(spar__pl *self, const double *at)
{
    spar__choice_space space = {self->seen, 0, false};
    double value = 0;
    for (size_t k = 0; k < self->r; k++)
        value -= at[k] * at[k];
    value /= 2 * self->sd * self->sd;
    return value + spar__choices_value(&self->done, &space, strengths_at(self, at));
}

static void factor(spar__pl *self)
{
    find_slope(self, self->mean, true);
    /* R from the curvature, which is lost. */
    (void)spar__cholesky_factor(self->r, self->stride, self->curvature, self->work); /* at least 1 / sd^2 */
    for (size_t k = 0; k < self->r; k++)
        memcpy(self->R + k * self->stride + k, self->curvature + k * self->stride + k, (self->r - k) * sizeof *self->R);
}

/* step <- (R^T R)^-1 step; returns its squared length in standard deviations. */
static double turn_step(spar__pl *self)
{
    double length = 0;
    spar__triangle_forward(self->r, self->stride, self->R, 1, self->step);
    for (size_t k = 0; k < self->r; k++)
        length += self->step[k] * self->step[k];
    spar__triangle_back(self->r, self->stride, self->R, 1, self->step);
    return length;
}

/* Along the step. A short one climbs for sure; a long one is halved until it does. */
static void climb(spar__pl *self, double length)
{
    if (length < 0.25) {
        for (size_t k = 0; k < self->r; k++)
            self->mean[k] += self->step[k];
        return;
    }
    double from = log_posterior(self, self->mean), slack = 1e-13 * (1 + fabs(from));
    for (double part = 1; part > 1e-10; part /= 2) {
        for (size_t k = 0; k < self->r; k++)
            self->spare[k] = self->mean[k] + part * self->step[k];
        if (log_posterior(self, self->spare) >= from - slack)
            break;
    }
    memcpy(self->mean, self->spare, self->r * sizeof *self->mean);
}

/* The factor at hand serves as long as a step with it makes the next one ten times shorter. */
void spar__pl_refit(spar__pl *self)
{
    double last = INFINITY;
    for (size_t i = 0; i < MOST_STEPS; i++) {
        find_slope(self, self->mean, false);
        double length = turn_step(self);
        if (length > last / 100) {
            factor(self);
            find_slope(self, self->mean, false);
            length = turn_step(self);
        }
        climb(self, length);
        if (length < close_enough)
            break;
        last = length;
    }
    factor(self);
    self->refitted = self->rounds;
    self->online = false;
}

/* One round of a Plackett-Luce belief, learned at the old mean.
 *
 * A choice from A bends the log likelihood by sum over pairs of p_j p_k (e_j - e_k)(e_j - e_k)', so a round is a graph
 * on the arms of the screen with these weights, its curvature the Laplacian, of rank one less than the arms. Taking
 * them out one by one, which adds up positive numbers only,
 *
 *     W = sum_k w_jk,   row = sqrt(W) e_j - sum_k w_jk / sqrt(W) e_k,   w_kl += w_jk w_jl / W,   g_k += g_j w_jk / W
 *
 * leaves rows whose squares are the curvature, and targets g_j / sqrt(W) that give the gradient g: the fewest
 * observations that R can absorb, at r^2 each. A screen that has come down to two arms is one. */

/* The arms of a round: spots 0 .. n - 1. */
typedef struct graph {
    size_t n, room;
    uint32_t *position;
    double *weight; /* room x room, symmetric */
    double *pull;   /* the gradient */
} graph;

static size_t spot_of(graph *g, uint32_t position)
{
    size_t at = 0;
    while (at < g->n && g->position[at] != position)
        at++;
    if (at == g->n) {
        g->position[g->n++] = position;
        g->pull[at] = 0;
        for (size_t k = 0; k <= at; k++)
            g->weight[at * g->room + k] = g->weight[k * g->room + at] = 0;
    }
    return at;
}

static void add_weight(graph *g, size_t a, size_t b, double weight)
{
    if (a == b)
        return;
    g->weight[a * g->room + b] += weight;
    g->weight[b * g->room + a] += weight;
}

/* Takes out the last spot: its row and target. False where nothing holds it. */
static bool take_out(const spar__pl *self, graph *g, double *row, double *target)
{
    size_t last = --g->n;
    const double *weight = g->weight + last * g->room;
    double sum = 0;
    for (size_t k = 0; k < last; k++)
        sum += weight[k];
    if (sum < 1e-30)
        return false;
    double root = sqrt(sum);
    memset(row, 0, self->stride * sizeof *row);
    add_position(self, g->position[last], root, row);
    *target = g->pull[last] / root;
    for (size_t k = 0; k < last; k++) {
        double part = weight[k] / sum;
        add_position(self, g->position[k], -part * root, row);
        g->pull[k] += part * g->pull[last];
        for (size_t i = 0; i < k; i++)
            add_weight(g, i, k, part * weight[i]);
    }
    return true;
}

static void learn_online(spar__pl *self)
{
    const spar__choices *l = &self->round;
    const double *theta = strengths_at(self, self->mean);
    graph g = {0, self->slots_room, self->option, self->screen, self->screen + self->slots_room * self->slots_room};
    size_t count = 0;
    for (size_t i = 0; i < l->pairs; i++) {
        double share[2] = {theta[l->a[i]], theta[l->b[i]]};
        size_t a = spot_of(&g, l->a[i]), b = spot_of(&g, l->b[i]);
        (void)spar__choice_shares(2, share, share);
        double pull = l->won[i] * share[1] - l->lost[i] * share[0];
        add_weight(&g, a, b, (l->won[i] + l->lost[i]) * share[0] * share[1]);
        g.pull[a] += pull;
        g.pull[b] -= pull;
    }
    /* The first of the alternatives was chosen; an arm may be several of them. */
    for (size_t i = 0; i < l->stages; i++) {
        const uint32_t *option = l->option + l->first[i];
        size_t n = l->first[i + 1] - l->first[i];
        double sign = l->kind[i] & SPAR__STAGE_WORST ? -1 : 1, *share = l->work;
        for (size_t j = 0; j < n; j++)
            share[j] = sign * theta[option[j]];
        (void)spar__choice_shares(n, share, share);
        for (size_t j = 0; j < n; j++) {
            size_t a = spot_of(&g, option[j]);
            g.pull[a] += sign * l->weight[i] * ((j == 0) - share[j]);
            for (size_t k = 0; k < j; k++)
                add_weight(&g, a, spot_of(&g, option[k]), l->weight[i] * share[j] * share[k]);
        }
    }
    while (g.n > 1)
        count += take_out(self, &g, self->rows + count * self->stride, self->target + count);
    memset(self->step, 0, self->r * sizeof *self->step);
    spar__triangle_absorb(self->r, self->stride, self->R, self->step, count, self->rows, self->target);
    spar__triangle_back(self->r, self->stride, self->R, 1, self->step);
    for (size_t k = 0; k < self->r; k++)
        self->mean[k] += self->step[k];
    self->online = true;
}

static void settle(spar__posterior *base)
{
    spar__pl *self = (spar__pl *)base;
    if (self->round.pairs + self->round.stages == 0)
        return;
    self->rounds++;
    bool only_pairs = self->done.stages + self->recent.stages + self->round.stages == 0;
    bool due = self->rounds <= EARLY || (double)self->rounds >= growth * (double)self->refitted;
    if (due || (only_pairs && !self->linear && self->r <= FEW)) {
        spar__choices_join(&self->recent, &self->round);
        spar__choices_join(&self->done, &self->recent);
        spar__choices_clear(&self->recent);
        spar__pl_refit(self);
    } else {
        learn_online(self);
        spar__choices_join(&self->recent, &self->round);
    }
    spar__choices_clear(&self->round);
}

/* --- Questions: theta = mean + R^-1 z with standard normal z, 8 draws at a time --- */

/* `count` draws of the parameters, r x lanes, lanes = count padded; in place of standard normals. */
static void draw_parameters(const spar__pl *self, spar_rng *rng, size_t lanes, double *draw)
{
    spar__normal_batch(rng, self->r * lanes, draw);
    spar__triangle_back(self->r, self->stride, self->R, lanes, draw);
    for (size_t k = 0; k < self->r; k++)
        for (size_t j = 0; j < lanes; j++)
            draw[k * lanes + j] += self->mean[k];
}

/* The strengths of all arms in lane j. */
static void strengths_of(const spar__pl *self, spar_rng *rng, size_t lanes, const double *draw, size_t j, double *theta)
{
    const spar_arms *arms = self->base.arms;
    if (self->linear) {
        spar__product(arms->n, 1, self->r, arms->x, self->r, draw + j, lanes, theta, 1);
        return;
    }
    if (self->seen < arms->n)
        spar__normal_batch(rng, arms->n, theta);
    for (size_t i = 0; i < arms->n; i++)
        theta[i] = self->position[i] ? draw[(self->position[i] - 1) * lanes + j] : self->sd * theta[i];
}

static spar_status draw(const spar__posterior *base, spar_scratch *scratch, spar_rng *rng, double *theta)
{
    const spar__pl *self = (const spar__pl *)base;
    size_t mark = spar__scratch_mark(scratch);
    double *draw = spar__scratch_take(scratch, self->r + 1, sizeof *draw);
    if (!draw)
        return SPAR_NOMEM;
    draw_parameters(self, rng, 1, draw);
    strengths_of(self, rng, 1, draw, 0, theta);
    spar__scratch_release(scratch, mark);
    return SPAR_OK;
}

/* m draws, each with its best live arm; with `distinct`, that is in no slot before. */
static spar_status best_of(const spar__pl *self, spar_scratch *scratch, spar_rng *rng, size_t m, bool distinct,
                           size_t *arm)
{
    size_t n = self->base.arms->n, lanes = spar__padded(m), mark = spar__scratch_mark(scratch);
    double *draw = spar__scratch_take(scratch, (self->r + 1) * lanes, sizeof *draw);
    double *theta = spar__scratch_take(scratch, n, sizeof *theta);
    spar_status status = draw && theta ? SPAR_OK : SPAR_NOMEM;
    if (!status)
        draw_parameters(self, rng, lanes, draw);
    for (size_t j = 0; !status && j < m; j++) {
        strengths_of(self, rng, lanes, draw, j, theta);
        for (size_t i = 0; i < n; i++)
            theta[i] = self->base.arms->alive[i] ? theta[i] : -INFINITY;
        for (size_t k = 0; distinct && k < j; k++)
            theta[arm[k]] = -INFINITY;
        arm[j] = spar__argmax(rng, n, theta);
    }
    spar__scratch_release(scratch, mark);
    return status;
}

static spar_status best(const spar__posterior *base, spar_scratch *scratch, spar_rng *rng, size_t m, size_t *arm,
                        double *x)
{
    (void)x;
    return best_of((const spar__pl *)base, scratch, rng, m, false, arm);
}

static spar_status best_distinct(const spar__posterior *base, spar_scratch *scratch, spar_rng *rng, size_t m,
                                 size_t *arm)
{
    return best_of((const spar__pl *)base, scratch, rng, m, true, arm);
}

static spar_status moments(const spar__posterior *base, spar_scratch *scratch, double *mean, double *sd)
{
    const spar__pl *self = (const spar__pl *)base;
    const spar_arms *arms = base->arms;
    size_t mark = spar__scratch_mark(scratch);
    double *column = spar__scratch_take(scratch, self->r + 1, sizeof *column);
    if (!column)
        return SPAR_NOMEM;
    if (mean && self->linear)
        spar__product(arms->n, 1, self->r, arms->x, self->r, self->mean, 1, mean, 1);
    for (size_t i = 0; mean && !self->linear && i < arms->n; i++)
        mean[i] = self->position[i] ? self->mean[self->position[i] - 1] : 0;
    for (size_t i = 0; sd && i < arms->n; i++) {
        /* |R^-T x| */
        double square = 0;
        sd[i] = self->sd;
        if (!self->linear && !self->position[i])
            continue;
        for (size_t k = 0; k < self->r; k++)
            column[k] = self->linear ? arms->x[i * self->r + k] : k + 1 == self->position[i];
        spar__triangle_forward(self->r, self->stride, self->R, 1, column);
        for (size_t k = 0; k < self->r; k++)
            square += column[k] * column[k];
        sd[i] = sqrt(square);
    }
    spar__scratch_release(scratch, mark);
    return SPAR_OK;
}

/* What an arm is made of: a position, features, or nothing that answers speak of. Minus what is there already. */
static void put_column(const spar__pl *self, size_t arm, size_t lane, size_t lanes, double *columns)
{
    for (size_t k = 0; self->linear && k < self->r; k++)
        columns[k * lanes + lane] -= self->base.arms->x[arm * self->r + k];
    if (!self->linear && self->position[arm])
        columns[(self->position[arm] - 1) * lanes + lane] -= 1;
}

/* Of each arm |R^-T (x_arm - x_j)|^2, 8 arms at a time; an arm without answers adds its own variance. */
static spar_status gaps(const spar__posterior *base, spar_scratch *scratch, size_t arm, double *mean, double *variance)
{
    const spar__pl *self = (const spar__pl *)base;
    size_t n = base->arms->n, r = self->r, lanes = SPAR__WIDTH, mark = spar__scratch_mark(scratch);
    double *mine = spar__scratch_take(scratch, r + 1, sizeof *mine);
    double *columns = spar__scratch_take(scratch, (r + 1) * lanes, sizeof *columns);
    spar_status status = mine && columns ? moments(base, scratch, mean, NULL) : SPAR_NOMEM;
    if (status) {
        spar__scratch_release(scratch, mark);
        return status;
    }
    double top = mean[arm], prior = self->sd * self->sd, own = !self->linear && !self->position[arm] ? prior : 0;
    for (size_t i = 0; i < n; i++)
        mean[i] = top - mean[i];
    memset(mine, 0, r * sizeof *mine);
    put_column(self, arm, 0, 1, mine);
    for (size_t from = 0; from < n; from += lanes) {
        for (size_t k = 0; k < r; k++)
            for (size_t j = 0; j < lanes; j++)
                columns[k * lanes + j] = -mine[k];
        for (size_t j = 0; j < lanes && from + j < n; j++)
            put_column(self, from + j, j, lanes, columns);
        spar__triangle_forward(r, self->stride, self->R, lanes, columns);
        for (size_t j = 0; j < lanes && from + j < n; j++) {
            double sum = own + (self->linear || self->position[from + j] ? 0 : prior);
            for (size_t k = 0; k < r; k++)
                sum += columns[k * lanes + j] * columns[k * lanes + j];
            variance[from + j] = from + j == arm ? 0 : sum;
        }
    }
    spar__scratch_release(scratch, mark);
    return SPAR_OK;
}

/* --- To bytes and back ---
 *
 * The arms in the order of their positions, the answers, and what cannot be
 * computed from these. After a refit the mean is a cache (only its last bits are not a function of the answers) and R
 * follows from it; after rounds learned online both are state. */

static void archive_mean(spar__pl *self, spar__archive *ar)
{
    spar__archive_f64s(ar, self->mean, self->r);
    for (size_t k = 0; ar->loading && k < self->r; k++)
        spar__archive_check(ar, isfinite(self->mean[k]));
}

static void archive_belief(spar__pl *self, spar__archive *ar)
{
    if (self->online) {
        archive_mean(self, ar);
        for (size_t k = 0; k < self->r && !ar->failed; k++) {
            double *row = self->R + k * self->stride;
            spar__archive_f64s(ar, row + k, self->r - k);
            spar__archive_check(ar, !ar->loading || (row[k] > 0 && isfinite(row[k])));
            for (size_t j = k; ar->loading && j < self->r; j++)
                spar__archive_check(ar, isfinite(row[j]));
        }
        return;
    }
    if (ar->cache)
        archive_mean(self, ar->cache);
    if (!ar->loading || ar->failed || (ar->cache && ar->cache->failed))
        return;
    if (ar->cache || self->done.pairs + self->done.stages == 0) {
        factor(self);
        return;
    }
    uint64_t refitted = self->refitted;
    spar__pl_refit(self);
    self->refitted = refitted;
}

static void archive(spar__posterior *base, spar__archive *ar)
{
    spar__pl *self = (spar__pl *)base;
    if (ar->loading)
        forget(base);
    size_t n = self->seen;
    spar__archive_size(ar, &n);
    if (ar->loading) {
        spar__archive_check(ar, n <= base->arms->n);
        if (ar->failed || !spar__archive_holds(ar, n))
            return;
        spar__archive_step(ar, reserve_parameters(self, n > 1 ? n : 1));
    }
    for (size_t i = 0; i < n && !ar->failed; i++) {
        size_t arm = ar->loading ? 0 : self->arm[i];
        spar__archive_size(ar, &arm);
        if (!ar->loading)
            continue;
        spar__archive_check(ar, arm < base->arms->n && self->position[arm] == 0);
        if (!ar->failed)
            (void)position_of(self, arm);
    }
    if (ar->failed)
        return;
    spar__choices_archive(&self->done, ar, self->seen, 0);
    spar__choices_archive(&self->recent, ar, self->seen, 0);
    spar__archive_u64(ar, &self->rounds);
    spar__archive_u64(ar, &self->refitted);
    spar__archive_bool(ar, &self->online);
    spar__archive_check(ar, self->refitted <= self->rounds);
    for (size_t i = 0; ar->loading && !ar->failed && i < 2; i++) {
        const spar__choices *list = i ? &self->recent : &self->done;
        for (size_t k = 0; k < list->stages; k++)
            spar__archive_check(ar, (list->kind[k] & ~SPAR__STAGE_WORST) == 0);
    }
    /* Widths of choices: the rows of one must have a place when it is learned again. */
    size_t widest = self->done.widest > self->recent.widest ? self->done.widest : self->recent.widest;
    if (ar->loading && !ar->failed && widest > 1)
        spar__archive_step(ar, reserve(&self->base, widest));
    if (!ar->failed)
        archive_belief(self, ar);
}

static const spar_param pl_params[] = {
    {"sd", SPAR_PARAM_NUMBER, "1", 1e-3, 1e3, NULL, "prior standard deviation of a strength"},
    {0},
};

const spar__posterior_class spar__posterior_pl = {
    .entry = {"pl", "strengths in the Plackett-Luce law of choices, which learn whole rounds",
              "Plackett, Applied Statistics 1975", pl_params},
    .size = sizeof(spar__pl),
    .recomputed = true,
    .init = init,
    .fini = fini,
    .resize = resize,
    .forget = forget,
    .reserve = reserve,
    .observe_round = observe_round,
    .settle = settle,
    .draw = draw,
    .best = best,
    .best_distinct = best_distinct,
    .moments = moments,
    .gaps = gaps,
    .archive = archive,
};

static const spar_param linear_pl_params[] = {
    {"sd", SPAR_PARAM_NUMBER, "1", 1e-3, 1e3, NULL, "prior standard deviation of the weight of a feature"},
    {0},
};

const spar__posterior_class spar__posterior_linear_pl = {
    .entry = {"linear_pl", "Plackett-Luce strengths that are linear in the features, which learn whole rounds",
              "Plackett, Applied Statistics 1975", linear_pl_params},
    .size = sizeof(spar__pl),
    .recomputed = true,
    .linear = true,
    .init = init,
    .fini = fini,
    .resize = resize,
    .forget = forget,
    .reserve = reserve,
    .observe_round = observe_round,
    .settle = settle,
    .draw = draw,
    .best = best,
    .best_distinct = best_distinct,
    .moments = moments,
    .gaps = gaps,
    .archive = archive,
};
