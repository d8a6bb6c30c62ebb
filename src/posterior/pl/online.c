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
#include "posterior/pl/state.h"

#include "num/linear.h"

#include <math.h>
#include <string.h>

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
    spar__pl_add_position(self, g->position[last], root, row);
    *target = g->pull[last] / root;
    for (size_t k = 0; k < last; k++) {
        double part = weight[k] / sum;
        spar__pl_add_position(self, g->position[k], -part * root, row);
        g->pull[k] += part * g->pull[last];
        for (size_t i = 0; i < k; i++)
            add_weight(g, i, k, part * weight[i]);
    }
    return true;
}

void spar__pl_learn_online(spar__pl *self)
{
    const spar__choices *l = &self->round;
    const double *theta = spar__pl_strengths(self, self->mean);
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
