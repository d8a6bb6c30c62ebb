/* threshold_tree.c - the argmax of many independent Betas, at a cost that hardly grows with their number.
 *
 * With F_i the distribution function of arm i, let points fall above c by a Poisson process that gives arm i the rate
 * -log F_i(c): then P(arm i gets none) = F_i(c), so that the arms with at least one point are distributed as the arms
 * whose theta exceeds c, independently of each other. For c' < c the points between c' and c, with rates
 * -log F_i(c') + log F_i(c), are independent of those above c. So, down a ladder of thresholds c_0 > c_1 > ...:
 *     draw the number of new points, a Poisson variable with the total rate; while it is 0, go down one rung;
 *     give each point to an arm, by the rates;
 *     if all went to one arm it is the best; else draw theta for each of them, given that it lies on this rung.
 * Below the last rung, where the total rate is some 16 or more and which is reached about never, all arms are drawn.
 * The draw begins at the first rung with a rate above START, so about two arms are looked at.
 *
 * The rates are those of groups of equal arms (groups.c), kept by recurrence; their sums over the arms stand in a
 * tree with 16 children to a node, whose sums are always computed from their terms, never corrected, so that they do
 * not drift and depend on the rates alone. A changed arm costs a handful of node sums, a point one walk down the tree.
 *
 * When the first rung has too many points or the last one too few, the ladder gets new thresholds: that costs eight
 * incomplete betas a group, and waits until a bad ladder has cost as much. A step that is not whole costs eight of them
 * too. When these cost more than the draws of all arms that the ladder saves, it pauses, each time for longer. */
#include "base/alloc.h"
#include "num/elementary.h"
#include "posterior/beta/beta.h"
#include "posterior/beta/survival.h"
#include "sampler/sampler.h"

#include <math.h>
#include <string.h>

enum { FAN = SPAR__LADDER_FAN, LEVELS = SPAR__LEVELS, LAST = SPAR__LEVELS - 1 };

/* --- Where the thresholds should be ---
 *
 * The first where the total rate is about 2, each next one where it is about 1.8
 * times that of the one before. Where arms are drawn without those drawn before, the rates of single arms are cut at
 * CAP from there on: below the first rung the leaders may be out, and the others must make up the rates. Rough rates
 * will do, the ladder is exact wherever its rungs are. */

/* About the total rate above the point v of the logistic scale. Added up in whole units of 2^-30, so that the order of
 * the groups, which is no part of the state, does not matter. */
static double rough_total(const spar__groups *groups, double v, double cap)
{
    double c = spar__logistic(v);
    uint64_t total = 1;
    for (uint32_t g = 0; g < groups->used; g++) {
        const spar__group *group = &groups->group[g];
        if (!group->members)
            continue;
        double S = fmin(spar__survival_rough(group->a, group->b, c), 1 - 0x1p-53);
        double rate = S < 0.01 ? S + 0.5 * S * S : -spar__log1p(-S);
        total += (uint64_t)(group->members * fmin(rate, cap) * 0x1p30);
    }
    return (double)total * 0x1p-30;
}

#define EDGE 33.0 /* thresholds are between logistic(-EDGE) and logistic(EDGE) */
#define FIRST 2.0 /* the rate wanted of the first rung */
#define RATIO 1.8 /* and how it should grow from rung to rung */
#define CAP 1.0
#define NO_CAP 64.0 /* rates end at about 37 */

/* Where the rough rate is about `wanted`: a bracket around v, then regula falsi on the log of the rate. */
static double find_rate(const spar__groups *groups, double v, double cap, double wanted)
{
    double low = v, high = v, at = spar__log(rough_total(groups, v, cap) / wanted), at_low = at, at_high = at;
    for (double step = 0.25; at_low < 0 && low > -EDGE; step *= 2) {
        low = fmax(low - step, -EDGE);
        at_low = spar__log(rough_total(groups, low, cap) / wanted);
    }
    for (double step = 0.25; at_high > 0 && high < EDGE; step *= 2) {
        high = fmin(high + step, EDGE);
        at_high = spar__log(rough_total(groups, high, cap) / wanted);
    }
    for (int k = 0; k < 30 && at_low > 0.1 && at_high < -0.1; k++) {
        double share = fmin(0.9, fmax(0.1, at_low / (at_low - at_high)));
        double middle = low + share * (high - low), value = spar__log(rough_total(groups, middle, cap) / wanted);
        if (value > 0) {
            low = middle;
            at_low = value;
        } else {
            high = middle;
            at_high = value;
        }
    }
    return fabs(at_low) < fabs(at_high) ? low : high;
}

/* A threshold below the one before. */
static void set_threshold(spar__ladder *self, size_t l, double v)
{
    self->c[l] = spar__logistic(v);
    if (l > 0 && !(self->c[l] < self->c[l - 1]))
        self->c[l] = self->c[l - 1] * (1 - 0x1p-50);
}

/* Down from v, by steps that let the rate grow by about RATIO. */
static void step_down(spar__ladder *self, double v)
{
    double rate = rough_total(&self->groups, v, NO_CAP), step = 0.2;
    for (size_t l = 1; l < LEVELS; l++) {
        double next = rate;
        for (int k = 0; k < 6; k++) {
            next = rough_total(&self->groups, v - step, NO_CAP);
            double ratio = next / rate;
            if (ratio > 1.5 && ratio < 2.2)
                break;
            step *= fmin(8, fmax(0.125, spar__log(RATIO) / fmax(1e-6, spar__log(ratio))));
            step = fmin(step, 2);
        }
        v -= step;
        rate = next;
        set_threshold(self, l, v);
    }
}

/* One more rung for the leaders; then as above, but the rates may jump where the leaders are far from the others. */
static void search_down(spar__ladder *self, double v)
{
    double most = 0.5 * (double)self->inside;
    v = find_rate(&self->groups, v, NO_CAP, FIRST * RATIO * RATIO);
    set_threshold(self, 1, v);
    double rate = rough_total(&self->groups, v, CAP);
    for (size_t l = 2; l < LEVELS; l++) {
        v = find_rate(&self->groups, v, CAP, fmin(most, RATIO * rate));
        rate = rough_total(&self->groups, v, CAP);
        set_threshold(self, l, v);
    }
}

/* --- Building it, and keeping it up to date --- */

#define CROWDED 3.5 /* points of a draw from which it costs more than it should */

/* Rough costs in nanoseconds: a point, an arm drawn below the last rung, a new ladder for an arm and for a group. */
#define COST_POINT 300.0
#define COST_ARM 100.0
#define COST_SUM 5.0
#define COST_GROUP 8000.0
#define COST_ROOT 15.0 /* and for a group with many counts, by their root */
#define COST_DRAW 20.0 /* an arm, where all are drawn */
#define DRAWS 2.0      /* draws between two settles, at least */

void spar__ladder_free(spar__ladder *self)
{
    spar__groups_free(&self->groups);
    spar__free(self->group);
    spar__free(self->node);
    spar__free(self->touched);
    *self = (spar__ladder){0};
}

static size_t parts(size_t n)
{
    return (n + FAN - 1) / FAN;
}

/* Room for a table of that many arms. The tree gets a new layout, and its sums must be computed again. */
static spar_status fit(spar__ladder *self, size_t room)
{
    if (self->touched_room == 0 && spar__ladder_reserve(self, 1))
        return SPAR_NOMEM;
    if (room <= self->room)
        return SPAR_OK;
    size_t at[SPAR__LADDER_DEPTH + 1] = {0}, floors = 0, width = parts(room);
    do {
        width = parts(width);
        at[floors + 1] = at[floors] + width;
        floors++;
    } while (width > 1);
    spar__ladder_node *node = spar__alloc(at[floors], sizeof *node);
    uint32_t *group = node ? spar__realloc(self->group, self->room, room, sizeof *group) : NULL;
    if (!group) {
        spar__free(node);
        return SPAR_NOMEM;
    }
    spar__free(self->node);
    self->node = node;
    self->group = group;
    self->room = room;
    self->floors = floors;
    memcpy(self->at, at, sizeof at);
    return SPAR_OK;
}

spar_status spar__ladder_reserve(spar__ladder *self, size_t arms)
{
    if (arms > self->touched_room) {
        uint32_t *touched = spar__realloc(self->touched, self->touched_room, arms, sizeof *touched);
        if (!touched)
            return SPAR_NOMEM;
        self->touched = touched;
        self->touched_room = arms;
    }
    return spar__groups_reserve(&self->groups, arms);
}

/* The sums of a block of arms go to floor 0. */
static void sum_block(spar__ladder *self, size_t block)
{
    double sum[LEVELS] = {0};
    size_t end = (block + 1) * FAN < self->n ? (block + 1) * FAN : self->n;
    for (size_t i = block * FAN; i < end; i++) {
        if (self->group[i] == SPAR__NO_GROUP)
            continue;
        const double *rate = self->groups.group[self->group[i]].rate;
        for (size_t l = 0; l < LEVELS; l++)
            sum[l] += rate[l];
    }
    spar__ladder_node *node = &self->node[block / FAN];
    for (size_t l = 0; l < LEVELS; l++)
        node->rate[l][block % FAN] = sum[l];
}

/* The sums of a node go to the floor above it. */
static void sum_node(spar__ladder *self, size_t floor_, size_t index)
{
    const spar__ladder_node *node = &self->node[self->at[floor_] + index];
    bool top = floor_ + 1 == self->floors;
    spar__ladder_node *above = top ? NULL : &self->node[self->at[floor_ + 1] + index / FAN];
    for (size_t l = 0; l < LEVELS; l++) {
        const double *r = node->rate[l];
        double sum[4] = {0};
        for (size_t k = 0; k < FAN; k += 4)
            for (size_t j = 0; j < 4; j++)
                sum[j] += r[k + j];
        *(top ? &self->total[l] : &above->rate[l][index % FAN]) = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
}

void spar__ladder_sum(spar__ladder *self)
{
    size_t width = parts(self->room);
    for (size_t block = 0; block < width; block++)
        sum_block(self, block);
    for (size_t f = 0; f < self->floors; f++) {
        width = parts(width);
        for (size_t i = 0; i < width; i++)
            sum_node(self, f, i);
    }
}

/* The sums that depend on these arms; the list is used up. */
static void sum_some(spar__ladder *self, size_t count, uint32_t *list)
{
    for (size_t f = 0; f <= self->floors; f++) {
        size_t kept = 0;
        for (size_t k = 0; k < count; k++) {
            uint32_t index = list[k] / FAN;
            if (kept && list[kept - 1] == index)
                continue;
            list[kept++] = index;
            if (f == 0)
                sum_block(self, index);
            else
                sum_node(self, f - 1, index);
        }
        count = kept;
    }
}

static void set_ladder(spar__ladder *self)
{
    /* New thresholds c. */
    double old = self->c[0] > 0 ? spar__log(self->c[0] / (1 - self->c[0])) : 0;
    double v = find_rate(&self->groups, fmin(EDGE, fmax(-EDGE, old)), NO_CAP, FIRST);
    set_threshold(self, 0, v);
    if (self->distinct)
        search_down(self, v);
    else
        step_down(self, v);
    for (uint32_t g = 0; g < self->groups.used; g++)
        if (self->groups.group[g].members)
            spar__group_start(&self->groups.group[g], self->c);
    spar__ladder_sum(self);
    self->debt = 0;
}

/* Puts every arm in its group, and computes S, D and the rates of these. */
static void rebuild(spar__ladder *self, const spar__beta_view *view)
{
    self->c[0] = 0;
    self->loss = self->pause = 0;
    self->on = false;
    self->n = view->n;
    self->inside = view->live;
    self->n_touched = 0;
    spar__groups_clear(&self->groups);
    for (size_t i = 0; i < view->n; i++) {
        self->group[i] = SPAR__NO_GROUP;
        if (!view->alive[i])
            continue;
        bool made;
        if (!(view->a[i] + view->b[i] < SPAR__SURVIVAL_COUNT))
            return;
        if (spar__groups_reserve(&self->groups, 1)) {
            self->pause = SPAR__LADDER_PAUSE; /* memory may be free later */
            return;
        }
        self->group[i] = spar__groups_join(&self->groups, view->a[i], view->b[i], &made);
    }
    self->on = true;
    set_ladder(self);
}

void spar__ladder_leave(spar__ladder *self)
{
    self->on = false;
    self->loss = self->pause = self->pauses = 0;
}

void spar__ladder_build(spar__ladder *self, const spar__beta_view *view)
{
    spar__ladder_leave(self);
    rebuild(self, view);
}

/* The arms from .. to - 1 as they are in the table. */
static spar_status compare(spar__ladder *self, const spar__beta_view *view, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        bool in = i < view->n && view->alive[i], made = false;
        if (in == (self->group[i] != SPAR__NO_GROUP))
            continue;
        uint32_t arm = (uint32_t)i;
        if (!in) {
            spar__groups_leave(&self->groups, self->group[i]);
            self->group[i] = SPAR__NO_GROUP;
            self->inside--;
        } else {
            if (!(view->a[i] + view->b[i] < SPAR__SURVIVAL_COUNT) || spar__groups_reserve(&self->groups, 1))
                return SPAR_NOMEM;
            uint32_t g = self->group[i] = spar__groups_join(&self->groups, view->a[i], view->b[i], &made);
            if (made)
                spar__group_start(&self->groups.group[g], self->c);
            self->inside++;
        }
        sum_some(self, 1, &arm);
    }
    return SPAR_OK;
}

spar_status spar__ladder_resize(spar__ladder *self, const spar__beta_view *view, size_t room)
{
    size_t old_room = self->room, old = self->n, least = view->n < old ? view->n : old;
    if (fit(self, room))
        return SPAR_NOMEM;
    if (!self->on) {
        if (self->pause == 0)
            spar__ladder_build(self, view);
        return SPAR_OK;
    }
    if (old_room != self->room)
        spar__ladder_sum(self);
    for (size_t i = old; i < view->n; i++)
        self->group[i] = SPAR__NO_GROUP;
    if (view->n > old)
        self->n = view->n;
    spar_status status = compare(self, view, least, self->n); /* those that came, or were taken back */
    if (!status && self->inside != view->live && view->turned < least)
        status = compare(self, view, view->turned, view->turned + 1);
    if (!status && self->inside != view->live)
        status = compare(self, view, 0, least);
    if (!status)
        self->n = view->n;
    return status;
}

/* Each touched arm to the group where it belongs now. The rates of these arms, which were shown, are added to `shown`.
 */
static void catch_up(spar__ladder *self, const spar__beta_view *view, double *shown)
{
    for (size_t k = 0; k < self->n_touched && self->on; k++) {
        uint32_t arm = self->touched[k], old = self->group[arm], g;
        double a = view->a[arm], b = view->b[arm];
        bool made = false;
        if (old == SPAR__NO_GROUP || (self->groups.group[old].a == a && self->groups.group[old].b == b))
            continue;
        g = a + b < SPAR__SURVIVAL_COUNT ? spar__groups_join(&self->groups, a, b, &made) : SPAR__NO_GROUP;
        self->on = g != SPAR__NO_GROUP;
        if (!self->on)
            break;
        if (made && !spar__group_follow(&self->groups.group[g], &self->groups.group[old], self->c))
            self->loss += COST_GROUP + COST_ROOT * sqrt(a + b);
        self->group[arm] = g;
        spar__groups_leave(&self->groups, old);
    }
    for (size_t k = 0; k < self->n_touched && self->on && self->distinct; k++) {
        uint32_t g = self->group[self->touched[k]];
        for (size_t l = 0; l < LEVELS && g != SPAR__NO_GROUP; l++)
            shown[l] += self->groups.group[g].rate[l];
    }
    if (self->on)
        sum_some(self, self->n_touched, self->touched);
    self->n_touched = 0;
}

#define START 1.2 /* the least rate to begin with */

/* The rung where a draw with these total rates begins. */
static size_t ladder_first(const double *total)
{
    size_t l = 0;
    while (l < LAST && total[l] < START)
        l++;
    return l;
}

/* What a draw with these rates costs beyond what it would on a new ladder: points on the rungs, by the chance to come
 * that far down, and all arms below the last. */
static double excess(const spar__ladder *self, const double *total)
{
    double above = 0, reach = 1, points = 0;
    for (size_t l = ladder_first(total); l < LEVELS && reach > 1e-12; l++) {
        points += reach * fmax(0, total[l] - above);
        above = total[l];
        reach = spar__exp(-above);
    }
    return COST_POINT * fmax(0, points - CROWDED) + COST_ARM * (double)self->n * reach;
}

void spar__ladder_touch(spar__ladder *self, const spar__beta_view *view, size_t arm)
{
    if (!self->on || self->group[arm] == SPAR__NO_GROUP)
        return;
    const spar__group *group = &self->groups.group[self->group[arm]];
    if (group->a != view->a[arm] || group->b != view->b[arm])
        return; /* listed already */
    if (self->n_touched == self->touched_room)
        catch_up(self, view, (double[LEVELS]){0});
    self->touched[self->n_touched++] = (uint32_t)arm;
    const spar__ladder_node *node = &self->node[arm / FAN / FAN]; /* to be summed up soon */
    for (size_t l = 0; l < LEVELS; l++) {
        __builtin_prefetch(&node->rate[l][0]);
        __builtin_prefetch(&node->rate[l][FAN / 2]);
    }
}

void spar__ladder_settle(spar__ladder *self, const spar__beta_view *view)
{
    if (self->pause > 0 && --self->pause == 0)
        rebuild(self, view);
    if (!self->on)
        return;
    double shown[LEVELS] = {0}, rest[LEVELS];
    size_t observed = self->n_touched;
    if (observed)
        catch_up(self, view, shown);
    if (!self->on)
        return;
    /* Is it time for a new ladder? Later slots are drawn without arms such as were shown. */
    for (size_t l = 0; l < LEVELS; l++)
        rest[l] = fmax(0, self->total[l] - shown[l]);
    self->debt += DRAWS * excess(self, self->total);
    self->debt += self->distinct ? DRAWS * excess(self, rest) : 0;
    if (self->debt > COST_SUM * (double)self->n + COST_GROUP * self->groups.count)
        set_ladder(self);
    /* Does it pay? For every arm observed about one draw of all arms was saved. */
    self->loss = fmax(0, self->loss - fmax(DRAWS, (double)observed) * COST_DRAW * (double)self->n);
    if (self->loss > COST_SUM * (double)self->n + COST_GROUP * self->groups.count) {
        self->on = false;
        self->pause = ldexp(SPAR__LADDER_PAUSE, (int)self->pauses);
        self->pauses = fmin(self->pauses + 1, SPAR__LADDER_PAUSES);
    }
}

/* --- Draws --- */

#define MANY_POINTS 16.0
#define ARMS_A_POINT 32.0 /* arms that are drawn in the time of a point, where these are many */
#define LEAST_RATE 1.0    /* of the last rung: below it each arm costs several times as much as a draw of all */

static bool pays(const spar__ladder *self, const double *total)
{
    double points = total[ladder_first(total)];
    return points < MANY_POINTS + (double)self->n / ARMS_A_POINT && total[LAST] > LEAST_RATE;
}

bool spar__ladder_pays(const spar__ladder *self)
{
    return pays(self, self->total);
}

/* Points on a rung: above threshold `level` and, if `between`, not above the one before it. */
typedef struct rung {
    size_t level;
    bool between;
    double rate;
} rung;

static rung make_rung(const spar__ladder *self, size_t level, bool between)
{
    double above = between ? self->total[level - 1] : 0;
    return (rung){level, between, fmax(0, self->total[level] - above)};
}

/* The child of a node in whose share of the rate the target falls, which is reduced to what is left of it. */
static inline size_t find_child(const spar__ladder_node *node, rung at, double *target)
{
    const double *rate = node->rate[at.level], *less = node->rate[at.between ? at.level - 1 : at.level];
    double keep = at.between, rest = *target;
    size_t child = 0;
    for (size_t k = 0; k < FAN; k++) {
        double weight = rate[k] - keep * less[k];
        if (!(weight > 0))
            continue;
        child = k;
        *target = rest; /* the last child with any weight stands when rounding leaves a rest */
        if (rest < weight)
            break;
        rest -= weight;
    }
    return child;
}

/* The arms that earlier slots have taken, and the rates of all others. */
typedef struct taken_arms {
    size_t n;
    const size_t *arm;
    double rest[LEVELS];
} taken_arms;

static bool is_in(size_t arm, size_t n, const size_t *list)
{
    for (size_t k = 0; k < n; k++)
        if (list[k] == arm)
            return true;
    return false;
}

static double rate_on(const spar__ladder *self, rung at, size_t arm)
{
    const double *rate = self->groups.group[self->group[arm]].rate;
    return at.between ? rate[at.level] - rate[at.level - 1] : rate[at.level];
}

/* The arm of a block in whose share of the rate the target falls, none of those that are taken; self->n in rare cases
 * of rounding. */
static inline size_t find_arm(const spar__ladder *self, size_t block, rung at, size_t taken, const size_t *list,
                              double target)
{
    size_t end = (block + 1) * FAN < self->n ? (block + 1) * FAN : self->n, arm = self->n;
    for (size_t i = block * FAN; i < end; i++) {
        double weight = self->group[i] == SPAR__NO_GROUP || is_in(i, taken, list) ? 0 : rate_on(self, at, i);
        if (!(weight > 0))
            continue;
        arm = i;
        if (target < weight)
            break;
        target -= weight;
    }
    return arm;
}

/* The arms of that many points. They go down the tree side by side, so that their memory accesses overlap. */
enum { TOGETHER = 32 };

static void find_arms(const spar__ladder *self, rung at, spar_rng *rng, size_t points, size_t *arm)
{
    for (size_t done = 0; done < points; done += TOGETHER) {
        size_t count = points - done < TOGETHER ? points - done : TOGETHER, *index = arm + done;
        double target[TOGETHER];
        for (size_t p = 0; p < count; p++) {
            target[p] = spar_rng_uniform(rng) * at.rate;
            index[p] = 0;
        }
        for (size_t f = self->floors; f-- > 0;)
            for (size_t p = 0; p < count; p++) {
                index[p] = index[p] * FAN + find_child(&self->node[self->at[f] + index[p]], at, &target[p]);
                __builtin_prefetch(f > 0 ? (const void *)self->node[self->at[f - 1] + index[p]].rate[at.level]
                                         : (const void *)&self->group[index[p] * FAN]);
            }
        for (size_t p = 0; p < count; p++)
            index[p] = find_arm(self, index[p], at, 0, NULL, target[p]);
    }
}

/* theta of an arm, given that it lies on this rung. */
static double draw_theta(const spar__ladder *self, rung at, spar_rng *rng, size_t arm)
{
    const spar__group *group = &self->groups.group[self->group[arm]];
    double low = self->c[at.level], theta;
    if (!at.between)
        return spar__beta_above(rng, group->a, group->b, low);
    double high = self->c[at.level - 1];
    if (group->S[at.level] > 0.5) {
        do
            theta = spar__beta_below(rng, group->a, group->b, high);
        while (theta <= low);
    } else {
        do
            theta = spar__beta_above(rng, group->a, group->b, low);
        while (theta > high);
    }
    return theta;
}

/* The best of the arms of these points, of which some may be the same; self->n when there are none. */
static size_t best_of(const spar__ladder *self, rung at, spar_rng *rng, size_t points, size_t *who)
{
    size_t count = 0, best = self->n;
    for (size_t p = 0; p < points; p++) {
        size_t k = 0;
        while (k < count && who[k] != who[p])
            k++;
        if (k == count && who[p] < self->n)
            who[count++] = who[p];
    }
    if (count <= 1)
        return count ? who[0] : best;
    double top = -1;
    for (size_t k = 0; k < count; k++) {
        double theta = draw_theta(self, at, rng, who[k]);
        if (theta > top) {
            top = theta;
            best = who[k];
        }
    }
    return best;
}

/* No arm is above the last rung, of those that are not taken. */
static size_t draw_below(const spar__ladder *self, spar_rng *rng, size_t taken, const size_t *arm)
{
    size_t best = self->n;
    double top = -1;
    for (size_t i = 0; i < self->n; i++) {
        if (self->group[i] == SPAR__NO_GROUP || is_in(i, taken, arm))
            continue;
        const spar__group *group = &self->groups.group[self->group[i]];
        double theta = spar__beta_below(rng, group->a, group->b, self->c[LAST]);
        if (theta > top) {
            top = theta;
            best = i;
        }
    }
    return best;
}

/* No arm is above this level: goes down from it. */
static spar_status descend(const spar__ladder *self, spar_scratch *scratch, spar_rng *rng, size_t level, size_t *arm)
{
    size_t mark = spar__scratch_mark(scratch), best = self->n;
    while (best == self->n && level < LAST) {
        rung at = make_rung(self, ++level, true);
        size_t points = (size_t)spar__poisson(rng, at.rate);
        size_t *who = spar__scratch_take(scratch, points, sizeof *who);
        if (!who)
            return SPAR_NOMEM;
        find_arms(self, at, rng, points, who);
        best = best_of(self, at, rng, points, who);
        spar__scratch_release(scratch, mark);
    }
    *arm = best < self->n ? best : draw_below(self, rng, 0, NULL);
    return SPAR_OK;
}

/* The points of all slots on their first rung are found together. */
spar_status spar__ladder_best(const spar__ladder *self, spar_scratch *scratch, spar_rng *rng, size_t m, size_t *arm)
{
    size_t mark = spar__scratch_mark(scratch), first = ladder_first(self->total), all = 0;
    rung at = make_rung(self, first, false);
    size_t *points = spar__scratch_take(scratch, m, sizeof *points);
    if (!points)
        return SPAR_NOMEM;
    for (size_t j = 0; j < m; j++)
        all += points[j] = (size_t)spar__poisson(rng, at.rate);
    size_t *who = spar__scratch_take(scratch, all, sizeof *who);
    spar_status status = who ? SPAR_OK : SPAR_NOMEM;
    if (who)
        find_arms(self, at, rng, all, who);
    for (size_t j = 0; !status && j < m; j++) {
        arm[j] = best_of(self, at, rng, points[j], who);
        who += points[j];
        if (arm[j] == self->n)
            status = descend(self, scratch, rng, first, &arm[j]);
    }
    spar__scratch_release(scratch, mark);
    return status;
}

/* The arm of a point that none of the taken arms may have: as find_child, without what these add to the children. */
static size_t find_open_arm(const spar__ladder *self, rung at, const taken_arms *taken, double target)
{
    size_t block = 0;
    for (size_t f = self->floors; f-- > 0;) {
        const spar__ladder_node *node = &self->node[self->at[f] + block];
        spar__ladder_node other;
        for (size_t k = 0; k < taken->n; k++) {
            size_t child = taken->arm[k] / FAN;
            for (size_t below = 0; below < f; below++)
                child /= FAN;
            if (child / FAN != block)
                continue;
            if (node != &other)
                other = *node;
            node = &other;
            other.rate[at.level][child % FAN] -= rate_on(self, at, taken->arm[k]);
        }
        block = block * FAN + find_child(node, at, &target);
    }
    return find_arm(self, block, at, taken->n, taken->arm, target);
}

/* The best of those that are not taken, from their first rung down. */
static spar_status draw_open(const spar__ladder *self, spar_scratch *scratch, spar_rng *rng, const taken_arms *taken,
                             size_t *arm)
{
    size_t mark = spar__scratch_mark(scratch), first = ladder_first(taken->rest);
    *arm = self->n;
    for (size_t level = first; *arm == self->n && level < LEVELS; level++) {
        rung at = {level, level > first, taken->rest[level] - (level > first ? taken->rest[level - 1] : 0)};
        size_t points = (size_t)spar__poisson(rng, at.rate);
        size_t *who = spar__scratch_take(scratch, points, sizeof *who);
        if (!who)
            return SPAR_NOMEM;
        for (size_t p = 0; p < points; p++)
            who[p] = find_open_arm(self, at, taken, spar_rng_uniform(rng) * at.rate);
        *arm = best_of(self, at, rng, points, who);
        spar__scratch_release(scratch, mark);
    }
    if (*arm == self->n)
        *arm = draw_below(self, rng, taken->n, taken->arm);
    return SPAR_OK;
}

spar_status spar__ladder_best_distinct(const spar__ladder *self, spar_scratch *scratch, spar_rng *rng, size_t m,
                                       size_t *arm, size_t *done)
{
    spar_status status = spar__ladder_best(self, scratch, rng, 1, arm);
    for (*done = 1; !status && *done < m; ++*done) {
        size_t n = *done;
        taken_arms taken = {.n = n, .arm = arm};
        for (size_t l = 0; l < LEVELS; l++) {
            double rest = self->total[l];
            for (size_t k = 0; k < n; k++)
                rest -= self->groups.group[self->group[arm[k]]].rate[l];
            taken.rest[l] = fmax(rest, l ? taken.rest[l - 1] : 0);
        }
        if (!pays(self, taken.rest))
            break;
        status = draw_open(self, scratch, rng, &taken, &arm[*done]);
    }
    return status;
}

/* --- To bytes and back ---
 *
 * Thresholds and survivals depend on the way they were reached, so they are saved; which
 * arm is in which group follows from the counts, the sums from the survivals. Groups come in the order of their first
 * arms. */

static void archive_group(spar__group *group, spar__archive *ar)
{
    spar__archive_f64s(ar, group->S, LEVELS);
    spar__archive_f64s(ar, group->D, LEVELS);
    spar__archive_f64s(ar, group->scale, LEVELS);
}

static bool sound(const spar__group *group, const double *c)
{
    if (group->cold) {
        bool nothing = spar__survival_rough(group->a, group->b, c[LEVELS - 1]) < 1e-25;
        for (size_t l = 0; l < LEVELS; l++)
            nothing &= group->S[l] == 0 && group->D[l] == 0 && group->scale[l] == 0;
        return nothing;
    }
    for (size_t l = 0; l < LEVELS; l++)
        if (!spar__survival_sound(group->a, group->b, c[l], group->S[l], group->D[l], group->scale[l]))
            return false;
    return true;
}

static void load(spar__ladder *self, const spar__beta_view *view, spar__archive *ar)
{
    for (size_t l = 0; l < LEVELS; l++)
        spar__archive_check(ar, self->c[l] > 0 && self->c[l] < (l ? self->c[l - 1] : 1));
    spar__archive_check(ar, self->debt >= 0 && self->debt < 1e300);
    spar__groups_clear(&self->groups);
    self->n = view->n;
    self->inside = view->live;
    self->n_touched = 0;
    for (size_t i = 0; i < view->n && !ar->failed; i++) {
        bool made = false;
        self->group[i] = SPAR__NO_GROUP;
        if (!view->alive[i])
            continue;
        spar__archive_check(ar, view->a[i] + view->b[i] < SPAR__SURVIVAL_COUNT);
        if (!ar->failed)
            spar__archive_step(ar, spar__groups_reserve(&self->groups, 1));
        if (!ar->failed)
            self->group[i] = spar__groups_join(&self->groups, view->a[i], view->b[i], &made);
        if (!made)
            continue;
        spar__group *group = &self->groups.group[self->group[i]];
        archive_group(group, ar);
        group->cold = group->D[0] == 0;
        spar__archive_check(ar, !ar->failed && sound(group, self->c));
        if (!ar->failed)
            spar__group_rate(group);
    }
    self->on = !ar->failed;
    if (self->on)
        spar__ladder_sum(self);
}

void spar__ladder_archive(spar__ladder *self, const spar__beta_view *view, spar__archive *ar)
{
    size_t on = self->on;
    spar__archive_size(ar, &on);
    spar__archive_check(ar, on <= 1);
    if (ar->loading)
        self->on = false;
    spar__archive_f64(ar, &self->loss);
    spar__archive_f64(ar, &self->pause);
    spar__archive_f64(ar, &self->pauses);
    spar__archive_check(ar, self->loss >= 0 && self->loss < 1e300 && self->pause >= 0 && self->pause < 1e15 &&
                                self->pause == floor(self->pause) && !(on && self->pause > 0) && self->pauses >= 0 &&
                                self->pauses <= SPAR__LADDER_PAUSES && self->pauses == floor(self->pauses));
    if (!on || ar->failed)
        return;
    spar__archive_f64(ar, &self->debt);
    spar__archive_f64s(ar, self->c, LEVELS);
    if (ar->loading) {
        load(self, view, ar);
        return;
    }
    bool *saved = spar__alloc(self->groups.used, sizeof *saved);
    spar__archive_step(ar, saved ? SPAR_OK : SPAR_NOMEM);
    for (size_t i = 0; i < self->n && !ar->failed; i++) {
        uint32_t g = self->group[i];
        if (g == SPAR__NO_GROUP || saved[g])
            continue;
        archive_group(&self->groups.group[g], ar);
        saved[g] = true;
    }
    spar__free(saved);
}
