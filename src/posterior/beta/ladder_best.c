/* A draw from the ladder of thresholds: see ladder.c. */
#include "posterior/beta/ladder.h"
#include "sampler/sampler.h"

#include <math.h>

enum { FAN = SPAR__LADDER_FAN, LEVELS = SPAR__LEVELS, LAST = SPAR__LEVELS - 1 };

#define START 1.2 /* the least rate to begin with */

#define MANY_POINTS 16.0
#define ARMS_A_POINT 32.0 /* arms that are drawn in the time of a point, where these are many */
#define LEAST_RATE 1.0    /* of the last rung: below it each arm costs several times as much as a draw of all */

size_t spar__ladder_first(const spar__ladder *self)
{
    size_t l = 0;
    while (l < LAST && self->total[l] < START)
        l++;
    return l;
}

bool spar__ladder_pays(const spar__ladder *self)
{
    double points = self->total[spar__ladder_first(self)];
    return points < MANY_POINTS + (double)self->n / ARMS_A_POINT && self->total[LAST] > LEAST_RATE;
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

/* No arm is above the last rung. */
static size_t draw_below(const spar__ladder *self, spar_rng *rng)
{
    size_t best = self->n;
    double top = -1;
    for (size_t i = 0; i < self->n; i++) {
        if (self->group[i] == SPAR__NO_GROUP)
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
    *arm = best < self->n ? best : draw_below(self, rng);
    return SPAR_OK;
}

/* The points of all slots on their first rung are found together. */
spar_status spar__ladder_best(const spar__ladder *self, spar_scratch *scratch, spar_rng *rng, size_t m, size_t *arm)
{
    size_t mark = spar__scratch_mark(scratch), first = spar__ladder_first(self), all = 0;
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
