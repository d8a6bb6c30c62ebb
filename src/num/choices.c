/* choices.c - many answers at once: the list they come into, its likelihood, and the list as bytes. An answer costs a
 * look-up; the likelihood one logistic for each pair and O(m^2) for each stage, however often they came. */
#include "num/choices.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "num/elementary.h"

#include <math.h>
#include <string.h>

/* --- The list: answers come in. --- */

void spar__choices_fini(spar__choices *l)
{
    void *const arrays[] = {l->a,    l->b,      l->won,    l->lost,  l->gap,   l->share, l->first,
                            l->kind, l->weight, l->option, l->place, l->level, l->work};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        spar__free(arrays[i]);
    spar__key_table_fini(&l->pair_key);
    spar__key_table_fini(&l->stage_key);
    *l = (spar__choices){0};
}

void spar__choices_clear(spar__choices *l)
{
    spar__key_table_clear(&l->pair_key);
    spar__key_table_clear(&l->stage_key);
    l->pairs = l->stages = 0;
}

static size_t larger(size_t wanted, size_t room)
{
    return wanted < 2 * room ? 2 * room : wanted;
}

static spar_status reserve_pairs(spar__choices *l, size_t more)
{
    size_t wanted = l->pairs + more, room = larger(wanted, l->pair_room);
    if (spar__key_table_reserve(&l->pair_key, more))
        return SPAR_NOMEM;
    if (wanted <= l->pair_room)
        return SPAR_OK;
    if (!spar__resize(&l->a, l->pair_room, room, sizeof *l->a) ||
        !spar__resize(&l->b, l->pair_room, room, sizeof *l->b) ||
        !spar__resize(&l->won, l->pair_room, room, sizeof *l->won) ||
        !spar__resize(&l->lost, l->pair_room, room, sizeof *l->lost) ||
        !spar__resize(&l->gap, l->pair_room, room, sizeof *l->gap) ||
        !spar__resize(&l->share, l->pair_room, room, sizeof *l->share))
        return SPAR_NOMEM;
    l->pair_room = room;
    return SPAR_OK;
}

static spar_status reserve_stages(spar__choices *l, size_t more)
{
    size_t wanted = l->stages + more, room = larger(wanted, l->stage_room);
    if (spar__key_table_reserve(&l->stage_key, more))
        return SPAR_NOMEM;
    if (l->first && wanted <= l->stage_room)
        return SPAR_OK;
    if (!spar__resize(&l->first, l->first ? l->stage_room + 1 : 0, room + 1, sizeof *l->first) ||
        !spar__resize(&l->kind, l->stage_room, room, 1) ||
        !spar__resize(&l->weight, l->stage_room, room, sizeof *l->weight))
        return SPAR_NOMEM;
    l->stage_room = room;
    return SPAR_OK;
}

static spar_status reserve_alternatives(spar__choices *l, size_t more)
{
    size_t wanted = (l->stages ? l->first[l->stages] : 0) + more, room = larger(wanted, l->room);
    if (wanted <= l->room)
        return SPAR_OK;
    if (!spar__resize(&l->option, l->room, room, sizeof *l->option) ||
        !spar__resize(&l->place, l->room, room, sizeof *l->place) ||
        !spar__resize(&l->level, l->room, room, sizeof *l->level))
        return SPAR_NOMEM;
    l->room = room;
    return SPAR_OK;
}

static spar_status reserve_work(spar__choices *l, size_t widest)
{
    if (l->work && widest <= l->widest)
        return SPAR_OK;
    /* Utilities, the gradient, the curvature, and what spar__choice_value needs. */
    size_t width = widest + 1, numbers = 2 * width + width * width + spar__choice_work(widest);
    if (!spar__resize(&l->work, 0, numbers, sizeof *l->work))
        return SPAR_NOMEM;
    l->widest = widest;
    return SPAR_OK;
}

spar_status spar__choices_reserve(spar__choices *l, size_t m, size_t count)
{
    spar_status status =
        reserve_pairs(l, count * m); /* a shared level before the last slot has a pair for each of it */
    if (!status)
        status = reserve_stages(l, count * m);
    if (!status)
        status = reserve_alternatives(l, count * (m * (m + 1) / 2));
    return status ? status : reserve_work(l, m);
}

static void add_pair(spar__choices *l, uint32_t chosen, uint32_t other, double weight)
{
    uint32_t a = chosen < other ? chosen : other, b = chosen < other ? other : chosen;
    size_t at = spar__key_get(&l->pair_key, a, b);
    if (at == l->pairs) {
        l->a[at] = a;
        l->b[at] = b;
        l->won[at] = l->lost[at] = 0;
        l->pairs++;
    }
    *(a == chosen ? &l->won[at] : &l->lost[at]) += weight;
}

static bool in_order(const spar__choices *l, size_t x, size_t y)
{
    if (l->option[x] != l->option[y])
        return l->option[x] < l->option[y];
    return l->place[x] != l->place[y] ? l->place[x] < l->place[y] : l->level[x] <= l->level[y];
}

static void swap_words(uint32_t *x, uint32_t *y)
{
    uint32_t held = *x;
    *x = *y;
    *y = held;
}

static bool same_stage(const spar__choices *l, size_t x, size_t y)
{
    size_t n = l->first[x + 1] - l->first[x], bytes = n * sizeof *l->option;
    return l->first[y + 1] - l->first[y] == n && l->kind[x] == l->kind[y] &&
           memcmp(l->option + l->first[x], l->option + l->first[y], bytes) == 0 &&
           memcmp(l->place + l->first[x], l->place + l->first[y], bytes) == 0 &&
           memcmp(l->level + l->first[x], l->level + l->first[y], bytes) == 0;
}

/* The stage that was written behind the last one comes into the list, unless it is there. */
static void finish_stage(spar__choices *l, unsigned char kind, double weight)
{
    size_t at = l->stages, from = l->first[at], n = l->first[at + 1] - from;
    l->kind[at] = kind;
    l->weight[at] = weight;
    /* The alternatives but the chosen one are put in one order, so that equal stages are equal. */
    size_t free = kind & (SPAR__STAGE_TIED | SPAR__STAGE_LEVELS) ? from : from + 1;
    for (size_t i = free + 1; i < from + n; i++)
        for (size_t k = i; k > free && !in_order(l, k - 1, k); k--) {
            swap_words(&l->option[k - 1], &l->option[k]);
            swap_words(&l->place[k - 1], &l->place[k]);
            swap_words(&l->level[k - 1], &l->level[k]);
        }
    spar__hash hash = spar__hash_start();
    spar__hash_add(&hash, l->option + from, n * sizeof *l->option);
    spar__hash_add(&hash, l->place + from, n * sizeof *l->place);
    spar__hash_add(&hash, l->level + from, n * sizeof *l->level);
    spar__hash_add(&hash, &kind, 1);
    for (uint64_t salt = 0;; salt++) {
        size_t number = spar__key_get(&l->stage_key, spar__hash_end(&hash), salt);
        if (number == at) {
            l->stages++;
            return;
        }
        if (same_stage(l, number, at)) {
            l->weight[number] += weight;
            return;
        }
    }
}

static void add_alternative(spar__choices *l, uint32_t option, uint32_t place, uint32_t level)
{
    size_t at = l->first[l->stages + 1]++;
    l->option[at] = option;
    l->place[at] = place;
    l->level[at] = level;
}

/* An answer being taken apart. */
typedef struct answer_parts {
    spar__choices *list;
    const spar__choice_answer *choice;
    const uint32_t *option, *place;
    double weight;
    bool may_tie;
} answer_parts;

static void start_stage(spar__choices *l)
{
    if (l->stages == 0)
        l->first[0] = 0;
    l->first[l->stages + 1] = l->first[l->stages];
}

static void add_slot(const answer_parts *p, size_t slot, uint32_t level)
{
    add_alternative(p->list, p->option[slot], p->place ? p->place[slot] : 0, level);
}

/* One choice of `chosen` from the slots with at least `level`; for the worst, from those above level 0. */
static void add_stage(answer_parts *p, size_t chosen, unsigned level, unsigned char kind)
{
    const spar__choice_answer *c = p->choice;
    size_t other = 0, n = 0;
    for (size_t j = 0; j < c->m; j++)
        if (j != chosen && c->level[j] >= level) {
            other = j;
            n++;
        }
    kind |= p->may_tie ? SPAR__STAGE_MAY_TIE : 0;
    p->may_tie = false;
    if (n == 0 && kind == 0)
        return;
    if (n == 1 && kind == 0 && !p->place) {
        if (p->option[chosen] != p->option[other])
            add_pair(p->list, p->option[chosen], p->option[other], p->weight);
        return;
    }
    start_stage(p->list);
    add_slot(p, chosen, 0);
    for (size_t j = 0; j < c->m; j++)
        if (j != chosen && c->level[j] >= level)
            add_slot(p, j, 0);
    finish_stage(p->list, kind, p->weight);
}

static void add_whole(const answer_parts *p, unsigned char kind)
{
    const spar__choice_answer *c = p->choice;
    start_stage(p->list);
    for (size_t j = 0; j < c->m; j++)
        add_slot(p, j, kind & SPAR__STAGE_LEVELS ? c->level[j] : 0);
    finish_stage(p->list, kind, p->weight);
}

void spar__choices_add(spar__choices *l, const spar__choice_answer *c, const uint32_t *option, const uint32_t *place,
                       double weight, bool split)
{
    answer_parts p = {l, c, option, place, weight, c->may_tie};
    if (c->kind == SPAR__CHOICE_TIE) {
        add_whole(&p, SPAR__STAGE_TIED | SPAR__STAGE_MAY_TIE);
        return;
    }
    bool worst = c->kind == SPAR__CHOICE_BEST_WORST, shared = false;
    unsigned last = worst;
    for (size_t j = 0; !worst && j < c->m; j++)
        last = c->level[j] > last ? c->level[j] : last;
    for (size_t j = 0; j < c->m && c->m <= SPAR__CHOICE_ORDERS; j++)
        for (size_t k = 0; k < j; k++)
            shared |= c->level[j] == c->level[k] && c->level[j] < last;
    if (shared && !split && !worst) {
        add_whole(&p, SPAR__STAGE_LEVELS | (c->may_tie ? SPAR__STAGE_MAY_TIE : 0));
        return;
    }
    for (unsigned level = 0; level < last; level++) /* slots of one level are left out of each other's choice */
        for (size_t j = 0; j < c->m; j++)
            if (c->level[j] == level)
                add_stage(&p, j, level + 1, 0);
    for (size_t j = 0; worst && j < c->m; j++)
        if (c->level[j] == 2)
            add_stage(&p, j, 1, SPAR__STAGE_WORST);
}

spar_status spar__choices_reserve_join(spar__choices *l, const spar__choices *other, size_t m)
{
    size_t pairs = other->pairs + m * (m + 1) / 2, stages = other->stages + m;
    spar_status status = reserve_pairs(l, pairs);
    if (!status)
        status = reserve_stages(l, stages);
    if (!status)
        status = reserve_alternatives(l, (other->stages ? other->first[other->stages] : 0) + m * (m + 1) / 2);
    return status ? status : reserve_work(l, other->widest > m ? other->widest : m);
}

void spar__choices_join(spar__choices *l, const spar__choices *other)
{
    for (size_t i = 0; i < other->pairs; i++) {
        add_pair(l, other->a[i], other->b[i], other->won[i]);
        add_pair(l, other->b[i], other->a[i], other->lost[i]);
    }
    for (size_t i = 0; i < other->stages; i++) {
        start_stage(l);
        for (size_t k = other->first[i]; k < other->first[i + 1]; k++)
            add_alternative(l, other->option[k], other->place[k], other->level[k]);
        finish_stage(l, other->kind[i], other->weight[i]);
    }
}

/* The likelihood of a list of choices. Pairs go through the vector forms at once; stages of the plain kind in blocks.
 */

enum { BLOCK = 512 }; /* numbers worked on together */

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
    double value = 0;
    for (size_t i = 0; i < l->pairs; i++) {
        l->gap[i] = at[l->a[i]] - at[l->b[i]];
        l->share[i] = -fabs(l->gap[i]);
    }
    spar__vexp(l->share, l->share, l->pairs);
    spar__vlog1p(l->share, l->share, l->pairs);
    for (size_t i = 0; i < l->pairs; i++) {
        double wrong = l->gap[i] > 0 ? l->lost[i] : l->won[i];
        value -= (l->won[i] + l->lost[i]) * l->share[i] + wrong * fabs(l->gap[i]);
    }
    stage_block b;
    b.n = b.used = 0;
    for (size_t i = 0; i < l->stages; i++) {
        if (!is_plain(l, i)) {
            value += l->weight[i] * odd_value(l, space, at, i);
            continue;
        }
        if (b.used + l->first[i + 1] - l->first[i] + 1 > BLOCK)
            value += block_value(&b);
        double *u = b.u + b.used;
        size_t n = fill_below(l, space, at, i, u);
        b.lead[b.n] = u[chosen(l, i)];
        b.weight[b.n] = l->weight[i];
        b.used += n;
        b.end[b.n++] = b.used;
    }
    return value + block_value(&b);
}

static void put(double *curvature, size_t stride, size_t row, size_t column, double value)
{
    if (row <= column)
        curvature[row * stride + column] += value;
}

/* Row j of the second derivatives of a stage of n, by its utilities (`bend`), against all others. */
static void add_row(const spar__choices *l, const spar__choice_space *space, size_t stage, const double *bend, size_t j,
                    size_t stride, double *curvature)
{
    size_t from = l->first[stage], mine = l->option[from + j], tie = spar__choice_parameters(space) - 1;
    size_t n = l->first[stage + 1] - from, effects = space->options - 1, place = l->place[from + j];
    double weight = l->weight[stage], share = 1 / (double)n;
    const double *row = bend + j * (n + 1), *last = bend + n * (n + 1);
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

static void block_slope(slope_block *b, const spar__choices *l, double *gradient, size_t stride, double *curvature)
{
    double *share = b->share;
    spar__vexp(b->share, b->share, b->used);
    for (size_t i = 0, n; i < b->n; i++, share += n) {
        size_t stage = b->stage[i];
        const uint32_t *option = l->option + l->first[stage];
        double sum = 0, weight = l->weight[stage], sign = l->kind[stage] & SPAR__STAGE_WORST ? -1 : 1;
        n = l->first[stage + 1] - l->first[stage];
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
    b->n = b->used = 0;
}

/* Any stage: first the derivatives by its utilities, that of the tie at n; then from the utilities to the parameters,
 * u_j = strength_j + effect_j, u_n = log nu + the mean of the strengths. */
static void odd_slope(const spar__choices *l, const spar__choice_space *space, const double *at, size_t stage,
                      double *gradient, size_t stride, double *curvature)
{
    size_t from = l->first[stage], n = l->first[stage + 1] - from, width = n + 1;
    size_t tie = spar__choice_parameters(space) - 1;
    double *u = l->work, *slope = u + width, *bend = slope + width;
    size_t filled = fill(l, space, at, stage, u);
    if (l->kind[stage] & SPAR__STAGE_LEVELS) {
        spar__choice_answer c = whole_answer(l, stage);
        (void)spar__choice_value(&c, u, slope, curvature ? bend : NULL, bend + width * width);
    } else {
        double sign = l->kind[stage] & SPAR__STAGE_WORST ? -1 : 1;
        (void)spar__choice_shares(filled, u, u);
        u[n] = filled > n ? u[n] : 0;
        for (size_t j = 0; j < width; j++)
            slope[j] = sign * ((j == chosen(l, stage)) - u[j]);
        for (size_t j = 0; curvature && j < width; j++)
            for (size_t k = 0; k < width; k++)
                bend[j * width + k] = u[j] * ((j == k) - u[k]);
    }
    double weight = l->weight[stage], part = slope[n] / (double)n;
    for (size_t j = 0; j < n; j++) {
        uint32_t place = l->place[from + j];
        gradient[l->option[from + j]] += weight * (slope[j] + part);
        if (place)
            gradient[space->options - 1 + place] += weight * slope[j];
    }
    for (size_t j = 0; curvature && j < n; j++)
        add_row(l, space, stage, bend, j, stride, curvature);
    if (!(l->kind[stage] & SPAR__STAGE_MAY_TIE))
        return;
    gradient[tie] += weight * slope[n];
    if (curvature)
        curvature[tie * stride + tie] += weight * bend[width * width - 1];
}

void spar__choices_slope(const spar__choices *l, const spar__choice_space *space, const double *at, double *gradient,
                         size_t stride, double *curvature)
{
    slope_block b;
    b.n = b.used = 0;
    for (size_t i = 0; i < l->pairs; i++)
        l->gap[i] = at[l->a[i]] - at[l->b[i]];
    spar__vlogistic(l->share, l->gap, l->pairs);
    for (size_t i = 0; i < l->pairs; i++) {
        double count = l->won[i] + l->lost[i], pull = l->won[i] - count * l->share[i];
        gradient[l->a[i]] += pull;
        gradient[l->b[i]] -= pull;
    }
    for (size_t i = 0; curvature && i < l->pairs; i++) {
        size_t first = l->a[i], second = l->b[i];
        double bend = (l->won[i] + l->lost[i]) * l->share[i] * (1 - l->share[i]);
        curvature[first * stride + first] += bend;
        curvature[second * stride + second] += bend;
        curvature[first * stride + second] -= bend;
    }
    for (size_t i = 0; i < l->stages; i++) {
        size_t n = l->first[i + 1] - l->first[i];
        bool plain = space->places <= 1 && !(l->kind[i] & SPAR__STAGE_MAY_TIE) && is_plain(l, i);
        if (b.used + n > BLOCK || !plain) /* in their order: sums are the same whatever is plain */
            block_slope(&b, l, gradient, stride, curvature);
        if (plain) {
            b.stage[b.n++] = i;
            b.used += fill_below(l, space, at, i, b.share + b.used);
        } else
            odd_slope(l, space, at, i, gradient, stride, curvature);
    }
    block_slope(&b, l, gradient, stride, curvature);
}

/* A list of choices as bytes. */

/* No count is near this: a saved one beyond it is damage. */
static const double largest = 0x1p+200;

static void check_weight(spar__archive *ar, double weight)
{
    spar__archive_check(ar, weight >= 0 && weight <= largest);
}

static void archive_pair(spar__choices *l, size_t i, spar__archive *ar, size_t options)
{
    uint32_t a = ar->loading ? 0 : l->a[i], b = ar->loading ? 0 : l->b[i];
    double counts[2] = {ar->loading ? 0 : l->won[i], ar->loading ? 0 : l->lost[i]};
    spar__archive_u32(ar, &a);
    spar__archive_u32(ar, &b);
    spar__archive_f64s(ar, counts, 2);
    if (!ar->loading || ar->failed)
        return;
    spar__archive_check(ar, a < b && b < options && spar__key_find(&l->pair_key, a, b) == SPAR__NO_KEY);
    check_weight(ar, counts[0]);
    check_weight(ar, counts[1]);
    if (!ar->failed)
        spar__archive_step(ar, spar__choices_reserve(l, 2, 1));
    if (!ar->failed) {
        add_pair(l, a, b, counts[0]);
        add_pair(l, b, a, counts[1]);
    }
}

static void archive_stage(spar__choices *l, size_t i, spar__archive *ar, size_t options, size_t places)
{
    uint8_t kind = ar->loading ? 0 : l->kind[i];
    size_t n = ar->loading ? 0 : l->first[i + 1] - l->first[i];
    double weight = ar->loading ? 0 : l->weight[i];
    spar__archive_u8(ar, &kind);
    spar__archive_size(ar, &n);
    spar__archive_f64(ar, &weight);
    if (ar->loading && !ar->failed) {
        spar__archive_check(ar, kind <= 15 && n >= 1 && (!(kind & SPAR__STAGE_LEVELS) || n <= SPAR__CHOICE_ORDERS));
        check_weight(ar, weight);
        if (ar->failed || !spar__archive_holds(ar, n))
            return;
        spar__archive_step(ar, spar__choices_reserve(l, n, 1));
        if (ar->failed)
            return;
        start_stage(l);
    }
    for (size_t k = 0; k < n && !ar->failed; k++) {
        size_t at = ar->loading ? 0 : l->first[i] + k;
        uint32_t word[3] = {l->option[at], l->place[at], l->level[at]};
        for (size_t w = 0; w < 3; w++)
            spar__archive_u32(ar, &word[w]);
        if (ar->loading && !ar->failed) { /* written behind the last stage */
            spar__archive_check(ar, word[0] < options && word[1] < (places ? places : 1));
            add_alternative(l, word[0], word[1], word[2]);
        }
    }
    if (ar->loading && !ar->failed) {
        finish_stage(l, kind, weight);
        spar__archive_check(ar, l->stages == i + 1); /* none twice */
    }
}

void spar__choices_archive(spar__choices *l, spar__archive *ar, size_t options, size_t places)
{
    size_t pairs = l->pairs, stages = l->stages;
    if (ar->loading)
        spar__choices_clear(l);
    spar__archive_size(ar, &pairs);
    spar__archive_size(ar, &stages);
    if (ar->loading && (!spar__archive_holds(ar, pairs) || !spar__archive_holds(ar, stages)))
        return;
    for (size_t i = 0; i < pairs && !ar->failed; i++)
        archive_pair(l, i, ar, options);
    for (size_t i = 0; i < stages && !ar->failed; i++)
        archive_stage(l, i, ar, options, places);
}
