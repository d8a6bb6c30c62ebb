/* Learning of the Plackett-Luce beliefs.
 *
 * The log posterior is strictly concave, so its mode is unique. A refit goes there by Newton steps, and leaves R as the
 * factor of the curvature at the mode. While every answer is a choice between two, and the parameters are few, every
 * round is a refit: one factorisation and a few passes over the pairs. Else a refit would cost a pass over all answers,
 * or r^3; then it is made in the first rounds and whenever the rounds have grown by 15 %, and the rounds between are
 * learned online, at r^2 an observation. */
#include "num/cholesky.h"
#include "num/linear.h"
#include "posterior/pl/pl.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 100, EARLY = 30, FEW = 64 };

static const double close_enough = 1e-18; /* of the squared length of a step, in standard deviations */
static const double growth = 1.15;

static void pl_learn_online(spar__pl *self);

static spar__choice_space space_of(const spar__pl *self)
{
    return (spar__choice_space){self->seen, 0, false};
}

static const double *pl_strengths(spar__pl *self, const double *at)
{
    if (!self->linear)
        return at;
    for (size_t i = 0; i < self->seen; i++) {
        const double *x = spar__pl_features(self, i);
        double sum = 0;
        for (size_t k = 0; k < self->r; k++)
            sum += x[k] * at[k];
        self->strength[i] = sum;
    }
    return self->strength;
}

/* The strengths of all positions, for these parameters; row += by times the features of a position. */
static void pl_add_position(const spar__pl *self, size_t position, double by, double *row)
{
    if (!self->linear) {
        row[position] += by;
        return;
    }
    const double *x = spar__pl_features(self, position);
    for (size_t k = 0; k < self->r; k++)
        row[k] += by * x[k];
}

/* A pair as one observation: row row' is its curvature, and target times row its gradient. */
static void pair_row(const spar__pl *self, const spar__choices *l, size_t i, const double *theta, double *row,
                     double *target)
{
    double share[2] = {theta[l->a[i]], theta[l->b[i]]}, count = l->won[i] + l->lost[i];
    (void)spar__choice_shares(2, share, share);
    double bend = fmax(count * share[0] * share[1], 1e-30), root = sqrt(bend);
    memset(row, 0, self->stride * sizeof *row);
    pl_add_position(self, l->a[i], root, row);
    pl_add_position(self, l->b[i], -root, row);
    *target = (l->won[i] * share[1] - l->lost[i] * share[0]) / root;
}

/* A choice of one from n as n observations: sqrt(p_j) (e_j - p), seen as sqrt(p_j) ([j is chosen] / p_j - 1). share has
 * n places. Returns n. */
static size_t stage_rows(const spar__pl *self, const spar__choices *l, size_t i, const double *theta, double *share,
                         double *rows, double *target)
{
    size_t from = l->first[i], n = l->first[i + 1] - from;
    double sign = l->kind[i] & SPAR__STAGE_WORST ? -1 : 1;
    for (size_t j = 0; j < n; j++)
        share[j] = sign * theta[l->option[from + j]];
    (void)spar__choice_shares(n, share, share);
    for (size_t j = 0; j < n; j++) {
        double p = fmax(share[j], 1e-30), root = sqrt(l->weight[i] * p), *row = rows + j * self->stride;
        memset(row, 0, self->stride * sizeof *row);
        pl_add_position(self, l->option[from + j], sign * root, row);
        for (size_t k = 0; k < n; k++)
            pl_add_position(self, l->option[from + k], -sign * root * share[k], row);
        target[j] = root * ((j == 0) / p - 1);
    }
    return n;
}

static void add_square(const spar__pl *self, const double *row)
{
    for (size_t k = 0; k < self->r; k++)
        for (size_t j = k; j < self->r; j++)
            self->curvature[k * self->stride + j] += row[k] * row[j];
}

/* The curvature of the answers by the features, from rows. */
static void linear_curvature(spar__pl *self, const double *theta)
{
    const spar__choices *l = &self->done;
    double target[1];
    for (size_t i = 0; i < l->pairs; i++) {
        pair_row(self, l, i, theta, self->rows, target);
        add_square(self, self->rows);
    }
    for (size_t i = 0; i < l->stages; i++) {
        size_t n = stage_rows(self, l, i, theta, l->work, self->rows, self->target);
        for (size_t j = 0; j < n; j++)
            add_square(self, self->rows + j * self->stride);
    }
}

/* The gradient of the log posterior into step, and with `bend` the curvature. */
static void find_slope(spar__pl *self, const double *at, bool bend)
{
    spar__choice_space space = space_of(self);
    double *curvature = bend ? self->curvature : NULL, precision = 1 / (self->sd * self->sd);
    const double *theta = pl_strengths(self, at);
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
        pl_add_position(self, i, self->pull[i], self->step);
    if (bend)
        linear_curvature(self, theta);
}

static double log_posterior(spar__pl *self, const double *at)
{
    spar__choice_space space = space_of(self);
    double value = 0;
    for (size_t k = 0; k < self->r; k++)
        value -= at[k] * at[k];
    value /= 2 * self->sd * self->sd;
    return value + spar__choices_value(&self->done, &space, pl_strengths(self, at));
}

/* R from the curvature, which is lost. */
static void take_factor(spar__pl *self)
{
    (void)spar__cholesky_factor(self->r, self->stride, self->curvature, self->work); /* at least 1 / sd^2 */
    for (size_t k = 0; k < self->r; k++)
        memcpy(self->R + k * self->stride + k, self->curvature + k * self->stride + k, (self->r - k) * sizeof *self->R);
}

void spar__pl_factor(spar__pl *self)
{
    find_slope(self, self->mean, true);
    take_factor(self);
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
            spar__pl_factor(self);
            find_slope(self, self->mean, false);
            length = turn_step(self);
        }
        climb(self, length);
        if (length < close_enough)
            break;
        last = length;
    }
    spar__pl_factor(self);
    self->refitted = self->rounds;
    self->online = false;
}

void spar__pl_settle(spar__posterior *base)
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
        pl_learn_online(self);
        spar__choices_join(&self->recent, &self->round);
    }
    spar__choices_clear(&self->round);
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

static void add_pair(graph *g, const spar__choices *l, size_t i, const double *theta)
{
    double share[2] = {theta[l->a[i]], theta[l->b[i]]};
    size_t a = spot_of(g, l->a[i]), b = spot_of(g, l->b[i]);
    (void)spar__choice_shares(2, share, share);
    double pull = l->won[i] * share[1] - l->lost[i] * share[0];
    add_weight(g, a, b, (l->won[i] + l->lost[i]) * share[0] * share[1]);
    g->pull[a] += pull;
    g->pull[b] -= pull;
}

/* The first of the alternatives was chosen; an arm may be several of them. */
static void add_stage(graph *g, const spar__choices *l, size_t i, const double *theta)
{
    const uint32_t *option = l->option + l->first[i];
    size_t n = l->first[i + 1] - l->first[i];
    double sign = l->kind[i] & SPAR__STAGE_WORST ? -1 : 1, *share = l->work;
    for (size_t j = 0; j < n; j++)
        share[j] = sign * theta[option[j]];
    (void)spar__choice_shares(n, share, share);
    for (size_t j = 0; j < n; j++) {
        size_t a = spot_of(g, option[j]);
        g->pull[a] += sign * l->weight[i] * ((j == 0) - share[j]);
        for (size_t k = 0; k < j; k++)
            add_weight(g, a, spot_of(g, option[k]), l->weight[i] * share[j] * share[k]);
    }
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
    pl_add_position(self, g->position[last], root, row);
    *target = g->pull[last] / root;
    for (size_t k = 0; k < last; k++) {
        double part = weight[k] / sum;
        pl_add_position(self, g->position[k], -part * root, row);
        g->pull[k] += part * g->pull[last];
        for (size_t i = 0; i < k; i++)
            add_weight(g, i, k, part * weight[i]);
    }
    return true;
}

/* online.c: the round, by one Newton step. */
static void pl_learn_online(spar__pl *self)
{
    const spar__choices *l = &self->round;
    const double *theta = pl_strengths(self, self->mean);
    graph g = {0, self->slots_room, self->option, self->screen, self->screen + self->slots_room * self->slots_room};
    size_t count = 0;
    for (size_t i = 0; i < l->pairs; i++)
        add_pair(&g, l, i, theta);
    for (size_t i = 0; i < l->stages; i++)
        add_stage(&g, l, i, theta);
    while (g.n > 1)
        count += take_out(self, &g, self->rows + count * self->stride, self->target + count);
    memset(self->step, 0, self->r * sizeof *self->step);
    spar__triangle_absorb(self->r, self->stride, self->R, self->step, count, self->rows, self->target);
    spar__triangle_back(self->r, self->stride, self->R, 1, self->step);
    for (size_t k = 0; k < self->r; k++)
        self->mean[k] += self->step[k];
    self->online = true;
}
