/* A draw from the ladder of thresholds: see ladder.c. */
#include "posterior/beta/ladder.h"
#include "sampler/sampler.h"

#include <math.h>

enum { FAN = SPAR__LADDER_FAN, LEVELS = SPAR__LEVELS, LAST = SPAR__LEVELS - 1 };

#define START 1.2 /* the least rate to begin with */

#define MANY_POINTS 16.0
#define ARMS_A_POINT 32.0 /* arms that are drawn in the time of a point, where these are many */
#define LEAST_RATE 1.0    /* of the last rung: below it each arm costs several times as much as a draw of all */

size_t spar__ladder_first(const double *total)
{
    size_t l = 0;
    while (l < LAST && total[l] < START)
        l++;
    return l;
}

static bool pays(const spar__ladder *self, const double *total)
{
    double points = total[spar__ladder_first(total)];
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

static size_t find_arm(const spar__ladder *self, size_t block, rung at, double target)
{
    size_t end = (block + 1) * FAN < self->n ? (block + 1) * FAN : self->n, arm = self->n;
    for (size_t i = block * FAN; i < end; i++) {
        if (self->group[i] == SPAR__NO_GROUP)
            continue;
        const double *rate = self->groups.group[self->group[i]].rate;
        double weight = at.between ? rate[at.level] - rate[at.level - 1] : rate[at.level];
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
            index[p] = find_arm(self, index[p], at, target[p]);
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

static bool is_in(size_t arm, size_t n, const size_t *list)
{
    for (size_t k = 0; k < n; k++)
        if (list[k] == arm)
            return true;
    return false;
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
    size_t mark = spar__scratch_mark(scratch), first = spar__ladder_first(self->total), all = 0;
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

/* The arms that earlier slots have taken, and the rates of all others. */
typedef struct taken_arms {
    size_t n;
    const size_t *arm;
    double rest[LEVELS];
} taken_arms;

static double rate_on(const spar__ladder *self, rung at, size_t arm)
{
    const double *rate = self->groups.group[self->group[arm]].rate;
    return at.between ? rate[at.level] - rate[at.level - 1] : rate[at.level];
}

static taken_arms find_rest(const spar__ladder *self, size_t n, const size_t *arm)
{
    taken_arms out = {.n = n, .arm = arm};
    for (size_t l = 0; l < LEVELS; l++) {
        double rest = self->total[l];
        for (size_t k = 0; k < n; k++)
            rest -= self->groups.group[self->group[arm[k]]].rate[l];
        out.rest[l] = fmax(rest, l ? out.rest[l - 1] : 0);
    }
    return out;
}

/* As find_child, without what the taken arms add to the children of this node of floor f. */
static size_t find_open_child(const spar__ladder *self, rung at, const taken_arms *taken, size_t f, size_t index,
                              double *target)
{
    const spar__ladder_node *node = &self->node[self->at[f] + index];
    spar__ladder_node other;
    for (size_t k = 0; k < taken->n; k++) {
        size_t child = taken->arm[k] / FAN;
        for (size_t below = 0; below < f; below++)
            child /= FAN;
        if (child / FAN != index)
            continue;
        if (node != &other)
            other = *node;
        node = &other;
        other.rate[at.level][child % FAN] -= rate_on(self, at, taken->arm[k]);
    }
    return find_child(node, at, target);
}

/* The arm of a point that none of the taken arms may have; self->n in rare cases of rounding. */
static size_t find_open_arm(const spar__ladder *self, rung at, const taken_arms *taken, double target)
{
    size_t block = 0, arm = self->n;
    for (size_t f = self->floors; f-- > 0;)
        block = block * FAN + find_open_child(self, at, taken, f, block, &target);
    size_t end = (block + 1) * FAN < self->n ? (block + 1) * FAN : self->n;
    for (size_t i = block * FAN; i < end; i++) {
        double weight = self->group[i] == SPAR__NO_GROUP || is_in(i, taken->n, taken->arm) ? 0 : rate_on(self, at, i);
        if (!(weight > 0))
            continue;
        arm = i;
        if (target < weight)
            break;
        target -= weight;
    }
    return arm;
}

/* The best of those that are not taken, from their first rung down. */
static spar_status draw_open(const spar__ladder *self, spar_scratch *scratch, spar_rng *rng, const taken_arms *taken,
                             size_t *arm)
{
    size_t mark = spar__scratch_mark(scratch), first = spar__ladder_first(taken->rest);
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
        taken_arms taken = find_rest(self, *done, arm);
        if (!pays(self, taken.rest))
            break;
        status = draw_open(self, scratch, rng, &taken, &arm[*done]);
    }
    return status;
}
