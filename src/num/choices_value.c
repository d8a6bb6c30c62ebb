/* The likelihood of a list of choices. Pairs go through the vector forms at once; stages of the plain kind in blocks.
 */
#include "num/choices_inside.h"

#include "num/elementary.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 512 }; /* numbers worked on together */

static void find_gaps(const spar__choices *l, const double *at)
{
    for (size_t i = 0; i < l->pairs; i++)
        l->gap[i] = at[l->a[i]] - at[l->b[i]];
}

static double pairs_value(const spar__choices *l, const double *at)
{
    double value = 0;
    find_gaps(l, at);
    for (size_t i = 0; i < l->pairs; i++)
        l->share[i] = -fabs(l->gap[i]);
    spar__vexp(l->share, l->share, l->pairs);
    spar__vlog1p(l->share, l->share, l->pairs);
    for (size_t i = 0; i < l->pairs; i++) {
        double wrong = l->gap[i] > 0 ? l->lost[i] : l->won[i];
        value -= (l->won[i] + l->lost[i]) * l->share[i] + wrong * fabs(l->gap[i]);
    }
    return value;
}

/* The utilities of the alternatives of a stage, and of the tie behind them where there is one; returns how many. */
static size_t fill(const spar__choices *l, const spar__choice_space *space, const double *at, size_t stage, double *u)
{
    size_t from = l->first[stage], n = l->first[stage + 1] - from;
    double sum = 0, sign = l->kind[stage] & SPAR__STAGE_WORST ? -1 : 1;
    const double *effect = at + space->options - 1;
    for (size_t j = 0; j < n; j++) {
        double strength = at[l->option[from + j]];
        uint32_t place = l->place[from + j];
        sum += strength;
        u[j] = sign * (place ? strength + effect[place] : strength);
    }
    if (!(l->kind[stage] & SPAR__STAGE_MAY_TIE))
        return n;
    u[n] = at[spar__choice_parameters(space) - 1] + sum / (double)n;
    return n + 1;
}

static size_t chosen(const spar__choices *l, size_t stage)
{
    return l->kind[stage] & SPAR__STAGE_TIED ? l->first[stage + 1] - l->first[stage] : 0;
}

static spar__choice_answer whole_answer(const spar__choices *l, size_t stage)
{
    return (spar__choice_answer){SPAR__CHOICE_ORDER, l->first[stage + 1] - l->first[stage], l->level + l->first[stage],
                                 l->kind[stage] & SPAR__STAGE_MAY_TIE};
}

static bool is_plain(const spar__choices *l, size_t stage)
{
    return !(l->kind[stage] & SPAR__STAGE_LEVELS) && l->first[stage + 1] - l->first[stage] < BLOCK;
}

/* One that is wide or has shared levels. */
static double odd_value(const spar__choices *l, const spar__choice_space *space, const double *at, size_t stage)
{
    double *u = l->work, *rest = l->work + l->widest + 1;
    size_t n = fill(l, space, at, stage, u);
    if (l->kind[stage] & SPAR__STAGE_LEVELS) {
        spar__choice_answer c = whole_answer(l, stage);
        return spar__choice_value(&c, u, NULL, NULL, rest);
    }
    double mine = u[chosen(l, stage)];
    return mine - spar__choice_shares(n, u, u);
}

/* The same, less the largest, so that exp cannot overflow. */
static size_t fill_below(const spar__choices *l, const spar__choice_space *space, const double *at, size_t stage,
                         double *u)
{
    size_t n = fill(l, space, at, stage, u);
    double top = u[0];
    for (size_t j = 1; j < n; j++)
        top = u[j] > top ? u[j] : top;
    for (size_t j = 0; j < n; j++)
        u[j] -= top;
    return n;
}

/* Plain stages whose alternatives fit into a block. */
typedef struct stage_block {
    size_t n, used;
    double u[BLOCK], lead[BLOCK], sum[BLOCK], weight[BLOCK];
    size_t end[BLOCK];
} stage_block;

static void take_stage(stage_block *b, const spar__choices *l, const spar__choice_space *space, const double *at,
                       size_t stage)
{
    double *u = b->u + b->used;
    size_t n = fill_below(l, space, at, stage, u);
    b->lead[b->n] = u[chosen(l, stage)];
    b->weight[b->n] = l->weight[stage];
    b->used += n;
    b->end[b->n++] = b->used;
}

static double block_value(stage_block *b)
{
    double value = 0;
    spar__vexp(b->u, b->u, b->used);
    for (size_t i = 0, k = 0; i < b->n; i++) {
        b->sum[i] = 0;
        for (; k < b->end[i]; k++)
            b->sum[i] += b->u[k];
    }
    spar__vlog(b->sum, b->sum, b->n);
    for (size_t i = 0; i < b->n; i++)
        value += b->weight[i] * (b->lead[i] - b->sum[i]);
    b->n = b->used = 0;
    return value;
}

double spar__choices_value(const spar__choices *l, const spar__choice_space *space, const double *at)
{
    double value = pairs_value(l, at);
    stage_block b;
    b.n = b.used = 0;
    for (size_t i = 0; i < l->stages; i++) {
        if (!is_plain(l, i)) {
            value += l->weight[i] * odd_value(l, space, at, i);
            continue;
        }
        if (b.used + l->first[i + 1] - l->first[i] + 1 > BLOCK)
            value += block_value(&b);
        take_stage(&b, l, space, at, i);
    }
    return value + block_value(&b);
}

static void pairs_slope(const spar__choices *l, const double *at, double *gradient, size_t stride, double *curvature)
{
    find_gaps(l, at);
    spar__vlogistic(l->share, l->gap, l->pairs);
    for (size_t i = 0; i < l->pairs; i++) {
        double count = l->won[i] + l->lost[i], pull = l->won[i] - count * l->share[i];
        gradient[l->a[i]] += pull;
        gradient[l->b[i]] -= pull;
    }
    for (size_t i = 0; curvature && i < l->pairs; i++) {
        size_t a = l->a[i], b = l->b[i];
        double bend = (l->won[i] + l->lost[i]) * l->share[i] * (1 - l->share[i]);
        curvature[a * stride + a] += bend;
        curvature[b * stride + b] += bend;
        curvature[a * stride + b] -= bend;
    }
}

/* The derivatives of one stage by its utilities, that of the tie at n. */
typedef struct local_slope {
    size_t n, width;
    double *gradient, *curvature;
} local_slope;

static void stage_slope(const spar__choices *l, const spar__choice_space *space, const double *at, size_t stage,
                        local_slope *s, bool bend)
{
    size_t width = l->first[stage + 1] - l->first[stage] + 1;
    double *u = l->work, *rest = u + width + width + width * width;
    *s = (local_slope){width - 1, width, u + width, u + 2 * width};
    size_t n = fill(l, space, at, stage, u);
    if (l->kind[stage] & SPAR__STAGE_LEVELS) {
        spar__choice_answer c = whole_answer(l, stage);
        (void)spar__choice_value(&c, u, s->gradient, bend ? s->curvature : NULL, rest);
        return;
    }
    double sign = l->kind[stage] & SPAR__STAGE_WORST ? -1 : 1;
    (void)spar__choice_shares(n, u, u);
    u[s->n] = n > s->n ? u[s->n] : 0;
    for (size_t j = 0; j < width; j++)
        s->gradient[j] = sign * ((j == chosen(l, stage)) - u[j]);
    for (size_t j = 0; bend && j < width; j++)
        for (size_t k = 0; k < width; k++)
            s->curvature[j * width + k] = u[j] * ((j == k) - u[k]);
}

static void put(double *curvature, size_t stride, size_t row, size_t column, double value)
{
    if (row <= column)
        curvature[row * stride + column] += value;
}

/* From the utilities to the parameters: u_j = strength_j + effect_j, u_n = log nu + the mean of the strengths. */
static void add_gradient(const spar__choices *l, const spar__choice_space *space, size_t stage, const local_slope *s,
                         double *gradient)
{
    size_t from = l->first[stage];
    double weight = l->weight[stage], tie = s->gradient[s->n], part = tie / (double)s->n;
    for (size_t j = 0; j < s->n; j++) {
        uint32_t place = l->place[from + j];
        gradient[l->option[from + j]] += weight * (s->gradient[j] + part);
        if (place)
            gradient[space->options - 1 + place] += weight * s->gradient[j];
    }
    if (l->kind[stage] & SPAR__STAGE_MAY_TIE)
        gradient[spar__choice_parameters(space) - 1] += weight * tie;
}

/* The same for the second derivatives; row j of the stage against all others. */
static void add_row(const spar__choices *l, const spar__choice_space *space, size_t stage, const local_slope *s,
                    size_t j, size_t stride, double *curvature)
{
    size_t from = l->first[stage], mine = l->option[from + j], n = s->n, tie = spar__choice_parameters(space) - 1;
    size_t effects = space->options - 1, place = l->place[from + j];
    double weight = l->weight[stage], share = 1 / (double)n;
    const double *row = s->curvature + j * s->width, *last = s->curvature + n * s->width;
    for (size_t k = 0; k < n; k++) {
        size_t other = l->option[from + k], there = l->place[from + k];
        double both = row[k] + (row[n] + last[k] + last[n] * share) * share;
        put(curvature, stride, mine, other, weight * both);
        if (there)
            curvature[mine * stride + effects + there] += weight * (row[k] + last[k] * share);
        if (there && place)
            put(curvature, stride, effects + place, effects + there, weight * row[k]);
    }
    if (!(l->kind[stage] & SPAR__STAGE_MAY_TIE))
        return;
    curvature[mine * stride + tie] += weight * (row[n] + last[n] * share);
    if (place)
        curvature[(effects + place) * stride + tie] += weight * row[n];
}

/* Plain stages, whose utilities are strengths, with their shares found together: the same numbers to the last bit. */
typedef struct slope_block {
    size_t n, used;
    size_t stage[BLOCK];
    double share[BLOCK];
} slope_block;

static void add_plain(const spar__choices *l, size_t stage, double *share, double *gradient, size_t stride,
                      double *curvature)
{
    size_t n = l->first[stage + 1] - l->first[stage];
    const uint32_t *option = l->option + l->first[stage];
    double sum = 0, weight = l->weight[stage], sign = l->kind[stage] & SPAR__STAGE_WORST ? -1 : 1;
    for (size_t j = 0; j < n; j++)
        sum += share[j];
    for (size_t j = 0; j < n; j++) {
        share[j] /= sum;
        gradient[option[j]] += weight * (sign * ((j == 0) - share[j]));
    }
    for (size_t j = 0; curvature && j < n; j++)
        for (size_t k = 0; k < n; k++)
            put(curvature, stride, option[j], option[k], weight * (share[j] * ((j == k) - share[k])));
}

static void block_slope(slope_block *b, const spar__choices *l, double *gradient, size_t stride, double *curvature)
{
    double *share = b->share;
    spar__vexp(b->share, b->share, b->used);
    for (size_t i = 0; i < b->n; i++) {
        add_plain(l, b->stage[i], share, gradient, stride, curvature);
        share += l->first[b->stage[i] + 1] - l->first[b->stage[i]];
    }
    b->n = b->used = 0;
}

static void take_plain(slope_block *b, const spar__choices *l, const spar__choice_space *space, const double *at,
                       size_t stage)
{
    double *u = b->share + b->used;
    size_t n = fill_below(l, space, at, stage, u);
    b->stage[b->n++] = stage;
    b->used += n;
}

static void odd_slope(const spar__choices *l, const spar__choice_space *space, const double *at, size_t stage,
                      double *gradient, size_t stride, double *curvature)
{
    local_slope s;
    size_t tie = spar__choice_parameters(space) - 1;
    stage_slope(l, space, at, stage, &s, curvature != NULL);
    add_gradient(l, space, stage, &s, gradient);
    for (size_t j = 0; curvature && j < s.n; j++)
        add_row(l, space, stage, &s, j, stride, curvature);
    if (curvature && l->kind[stage] & SPAR__STAGE_MAY_TIE)
        curvature[tie * stride + tie] += l->weight[stage] * s.curvature[s.width * s.width - 1];
}

void spar__choices_slope(const spar__choices *l, const spar__choice_space *space, const double *at, double *gradient,
                         size_t stride, double *curvature)
{
    slope_block b;
    b.n = b.used = 0;
    pairs_slope(l, at, gradient, stride, curvature);
    for (size_t i = 0; i < l->stages; i++) {
        size_t n = l->first[i + 1] - l->first[i];
        bool plain = space->places <= 1 && !(l->kind[i] & SPAR__STAGE_MAY_TIE) && is_plain(l, i);
        if (b.used + n > BLOCK || !plain) /* in their order: sums are the same whatever is plain */
            block_slope(&b, l, gradient, stride, curvature);
        if (plain)
            take_plain(&b, l, space, at, i);
        else
            odd_slope(l, space, at, i, gradient, stride, curvature);
    }
    block_slope(&b, l, gradient, stride, curvature);
}
