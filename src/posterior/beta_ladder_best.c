/* A draw from the ladder of thresholds: see beta_ladder.c. */
#include "posterior/beta_ladder.h"
#include "sampler/sampler.h"

#include <math.h>

enum { FAN = SPAR__LADDER_FAN, LEVELS = SPAR__LEVELS, LAST = SPAR__LEVELS - 1 };

#define START 1.2 /* the least rate to begin with */

size_t spar__ladder_first(const spar__ladder *self)
{
    size_t l = 0;
    while (l < LAST && self->total[l] < START)
        l++;
    return l;
}

/* The arm of a point between rung `level` and the one before it (`between`), at a share of their total rate. */
static size_t find_arm(const spar__ladder *self, size_t level, bool between, double target)
{
    size_t index = 0;
    for (size_t f = self->floors; f-- > 0;) {
        const spar__ladder_node *node = &self->node[self->at[f] + index];
        const double *rate = node->rate[level], *less = node->rate[between ? level - 1 : level];
        size_t child = 0;
        for (size_t k = 0; k < FAN; k++) {
            double weight = between ? rate[k] - less[k] : rate[k];
            if (!(weight > 0))
                continue;
            child = k;
            if (target < weight)
                break;
            target -= weight; /* the last child with any weight stands when rounding leaves a rest */
        }
        index = index * FAN + child;
    }
    size_t end = (index + 1) * FAN < self->n ? (index + 1) * FAN : self->n, arm = self->n;
    for (size_t i = index * FAN; i < end; i++) {
        if (self->group[i] == SPAR__NO_GROUP)
            continue;
        const double *rate = self->groups.group[self->group[i]].rate;
        double weight = between ? rate[level] - rate[level - 1] : rate[level];
        if (!(weight > 0))
            continue;
        arm = i;
        if (target < weight)
            break;
        target -= weight;
    }
    return arm;
}

/* theta of an arm, given that it lies above rung `level` and, if `between`, not above the one before it. */
static double draw_theta(const spar__ladder *self, const spar__beta_view *view, spar_rng *rng, size_t level,
                         bool between, size_t arm)
{
    double a = view->a[arm], b = view->b[arm], low = self->c[level];
    if (!between)
        return spar__beta_above(rng, a, b, low);
    double high = self->c[level - 1], theta;
    if (self->groups.group[self->group[arm]].S[level] > 0.5) {
        do
            theta = spar__beta_below(rng, a, b, high);
        while (theta <= low);
    } else {
        do
            theta = spar__beta_above(rng, a, b, low);
        while (theta > high);
    }
    return theta;
}

/* Nobody is above the last rung. */
static size_t draw_below(const spar__ladder *self, const spar__beta_view *view, spar_rng *rng)
{
    size_t best = self->n;
    double top = -1;
    for (size_t i = 0; i < self->n; i++) {
        if (self->group[i] == SPAR__NO_GROUP)
            continue;
        double theta = spar__beta_below(rng, view->a[i], view->b[i], self->c[LAST]);
        if (theta > top) {
            top = theta;
            best = i;
        }
    }
    return best;
}

/* The arms that get so many points on this rung: who[0 .. returned - 1], each once. */
static size_t draw_who(const spar__ladder *self, spar_rng *rng, size_t level, bool between, size_t points, size_t *who)
{
    double rate = self->total[level] - (between ? self->total[level - 1] : 0);
    size_t count = 0;
    for (size_t p = 0; p < points; p++) {
        size_t arm = find_arm(self, level, between, spar_rng_uniform(rng) * rate), k = 0;
        while (k < count && who[k] != arm)
            k++;
        if (k == count && arm < self->n)
            who[count++] = arm;
    }
    return count;
}

spar_status spar__ladder_best(const spar__ladder *self, const spar__beta_view *view, spar_scratch *scratch,
                              spar_rng *rng, size_t *arm)
{
    enum { FEW = 32 };
    size_t few[FEW], mark = spar__scratch_mark(scratch), first = spar__ladder_first(self);
    for (size_t l = first; l < LEVELS; l++) {
        bool between = l > first;
        size_t points = (size_t)spar__poisson(rng, fmax(0, self->total[l] - (between ? self->total[l - 1] : 0)));
        size_t *who = points <= FEW ? few : spar__scratch_take(scratch, points, sizeof *who);
        if (!who)
            return SPAR_NOMEM;
        size_t count = draw_who(self, rng, l, between, points, who);
        double top = -1;
        for (size_t k = 0; k < count; k++) {
            double theta = count > 1 ? draw_theta(self, view, rng, l, between, who[k]) : 0;
            if (theta > top) {
                top = theta;
                *arm = who[k];
            }
        }
        spar__scratch_release(scratch, mark);
        if (count)
            return SPAR_OK;
    }
    *arm = draw_below(self, view, rng);
    return SPAR_OK;
}
