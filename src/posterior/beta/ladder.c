/* The argmax of many independent Betas.
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
 * The rates are those of groups of equal arms (groups.h), kept by recurrence; their sums over the arms stand in a
 * tree with 16 children to a node, whose sums are always computed from their terms, never corrected, so that they do
 * not drift and depend on the rates alone. A changed arm costs a handful of node sums, a point one walk down the tree.
 *
 * When the first rung has too many points or the last one too few, the ladder gets new thresholds: that costs eight
 * incomplete betas a group, and waits until a bad ladder has cost as much. A step that is not whole costs eight of them
 * too. When these cost more than the draws of all arms that the ladder saves, it pauses, each time for longer. */
#include "posterior/beta/ladder.h"

#include "base/alloc.h"
#include "num/elementary.h"
#include "posterior/beta/survival.h"
#include "sampler/sampler.h"

#include <math.h>
#include <string.h>

enum { FAN = SPAR__LADDER_FAN, LEVELS = SPAR__LEVELS, LAST = SPAR__LEVELS - 1 };

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
    spar__ladder_set_thresholds(self);
    for (uint32_t g = 0; g < self->groups.used; g++)
        if (self->groups.group[g].members)
            spar__group_start(&self->groups.group[g], self->c);
    spar__ladder_sum(self);
    self->debt = 0;
}

/* Puts every arm in its group; S, D and the rates of the groups are not computed yet. */
static bool gather(spar__ladder *self, const spar__beta_view *view)
{
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
            return false;
        if (spar__groups_reserve(&self->groups, 1)) {
            self->pause = SPAR__LADDER_PAUSE; /* memory may be free later */
            return false;
        }
        self->group[i] = spar__groups_join(&self->groups, view->a[i], view->b[i], &made);
    }
    return true;
}

static void rebuild(spar__ladder *self, const spar__beta_view *view)
{
    self->c[0] = 0;
    self->loss = self->pause = 0;
    self->on = gather(self, view);
    if (self->on)
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

/* An arm that came, or one that retired. */
static spar_status add_arm(spar__ladder *self, const spar__beta_view *view, uint32_t arm)
{
    bool made = false;
    if (!(view->a[arm] + view->b[arm] < SPAR__SURVIVAL_COUNT) || spar__groups_reserve(&self->groups, 1))
        return SPAR_NOMEM;
    uint32_t g = spar__groups_join(&self->groups, view->a[arm], view->b[arm], &made);
    if (made)
        spar__group_start(&self->groups.group[g], self->c);
    self->group[arm] = g;
    self->inside++;
    return SPAR_OK;
}

static void drop_arm(spar__ladder *self, uint32_t arm)
{
    spar__groups_leave(&self->groups, self->group[arm]);
    self->group[arm] = SPAR__NO_GROUP;
    self->inside--;
}

/* The arms from .. to - 1 as they are in the table. */
static spar_status compare(spar__ladder *self, const spar__beta_view *view, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        bool in = i < view->n && view->alive[i];
        if (in == (self->group[i] != SPAR__NO_GROUP))
            continue;
        uint32_t arm = (uint32_t)i;
        if (!in)
            drop_arm(self, arm);
        else if (add_arm(self, view, arm))
            return SPAR_NOMEM;
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

/* An arm to the group where it belongs now. */
static void move(spar__ladder *self, const spar__beta_view *view, size_t arm)
{
    uint32_t old = self->group[arm];
    if (old == SPAR__NO_GROUP)
        return;
    const spar__group *from = &self->groups.group[old];
    double a = view->a[arm], b = view->b[arm];
    if (from->a == a && from->b == b)
        return;
    bool made = false;
    uint32_t g = a + b < SPAR__SURVIVAL_COUNT ? spar__groups_join(&self->groups, a, b, &made) : SPAR__NO_GROUP;
    if (g == SPAR__NO_GROUP) {
        self->on = false;
        return;
    }
    if (made && !spar__group_follow(&self->groups.group[g], from, self->c))
        self->loss += COST_GROUP + COST_ROOT * sqrt(a + b);
    self->group[arm] = g;
    spar__groups_leave(&self->groups, old);
}

/* The rates of the touched arms, which were shown, are added to `shown`. */
static void catch_up(spar__ladder *self, const spar__beta_view *view, double *shown)
{
    for (size_t k = 0; k < self->n_touched && self->on; k++)
        move(self, view, self->touched[k]);
    for (size_t k = 0; k < self->n_touched && self->on && self->distinct; k++) {
        uint32_t g = self->group[self->touched[k]];
        for (size_t l = 0; l < LEVELS && g != SPAR__NO_GROUP; l++)
            shown[l] += self->groups.group[g].rate[l];
    }
    if (self->on)
        sum_some(self, self->n_touched, self->touched);
    self->n_touched = 0;
}

/* What a draw with these rates costs beyond what it would on a new ladder: points on the rungs, by the chance to come
 * that far down, and all arms below the last. */
static double excess(const spar__ladder *self, const double *total)
{
    double above = 0, reach = 1, points = 0;
    for (size_t l = spar__ladder_first(total); l < LEVELS && reach > 1e-12; l++) {
        points += reach * fmax(0, total[l] - above);
        above = total[l];
        reach = spar__exp(-above);
    }
    return COST_POINT * fmax(0, points - CROWDED) + COST_ARM * (double)self->n * reach;
}

/* Is it time for a new ladder? Later slots are drawn without arms such as were shown. */
static void weigh(spar__ladder *self, const double *shown)
{
    double rest[LEVELS];
    for (size_t l = 0; l < LEVELS; l++)
        rest[l] = fmax(0, self->total[l] - shown[l]);
    self->debt += DRAWS * excess(self, self->total);
    self->debt += self->distinct ? DRAWS * excess(self, rest) : 0;
    if (self->debt > COST_SUM * (double)self->n + COST_GROUP * self->groups.count)
        set_ladder(self);
}

/* For every arm observed about one draw of all arms was saved. */
static void balance(spar__ladder *self, size_t observed)
{
    self->loss = fmax(0, self->loss - fmax(DRAWS, (double)observed) * COST_DRAW * (double)self->n);
    if (!(self->loss > COST_SUM * (double)self->n + COST_GROUP * self->groups.count))
        return;
    self->on = false;
    self->pause = ldexp(SPAR__LADDER_PAUSE, (int)self->pauses);
    self->pauses = fmin(self->pauses + 1, SPAR__LADDER_PAUSES);
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
    double shown[LEVELS] = {0};
    size_t observed = self->n_touched;
    if (observed)
        catch_up(self, view, shown);
    if (self->on)
        weigh(self, shown);
    if (self->on)
        balance(self, observed);
}
