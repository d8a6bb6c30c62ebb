/* Where the rungs of a ladder should be: the first where the total rate is about 2, each next one where it is about 1.8
 * times that of the one before. Rough rates will do, the ladder is exact wherever its rungs are. */
#include "num/elementary.h"
#include "posterior/beta/ladder.h"
#include "posterior/beta/survival.h"

#include <math.h>

enum { LEVELS = SPAR__LEVELS };

/* About the total rate above the point v of the logistic scale. Added up in whole units of 2^-30, so that the order of
 * the groups, which is no part of the state, does not matter. */
static double rough_total(const spar__groups *groups, double v)
{
    double c = spar__logistic(v);
    uint64_t total = 1;
    for (uint32_t g = 0; g < groups->used; g++) {
        const spar__group *group = &groups->group[g];
        if (!group->members)
            continue;
        double S = fmin(spar__survival_rough(group->a, group->b, c), 1 - 0x1p-53);
        double rate = S < 0.01 ? S + 0.5 * S * S : -spar__log1p(-S);
        total += (uint64_t)(group->members * rate * 0x1p30);
    }
    return (double)total * 0x1p-30;
}

#define EDGE 33.0 /* thresholds are between logistic(-EDGE) and logistic(EDGE) */
#define FIRST 2.0 /* the rate wanted of the first rung */
#define RATIO 1.8 /* and how it should grow from rung to rung */

/* Where the rough rate is about FIRST: a bracket around v, then regula falsi on the log of the rate. */
static double find_first(const spar__groups *groups, double v)
{
    double low = v, high = v, at = spar__log(rough_total(groups, v) / FIRST), at_low = at, at_high = at;
    for (double step = 0.25; at_low < 0 && low > -EDGE; step *= 2) {
        low = fmax(low - step, -EDGE);
        at_low = spar__log(rough_total(groups, low) / FIRST);
    }
    for (double step = 0.25; at_high > 0 && high < EDGE; step *= 2) {
        high = fmin(high + step, EDGE);
        at_high = spar__log(rough_total(groups, high) / FIRST);
    }
    for (int k = 0; k < 30 && at_low > 0.1 && at_high < -0.1; k++) {
        double share = fmin(0.9, fmax(0.1, at_low / (at_low - at_high)));
        double middle = low + share * (high - low), value = spar__log(rough_total(groups, middle) / FIRST);
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

/* Down from there, by steps that let the rate grow by about RATIO. */
void spar__ladder_set_thresholds(spar__ladder *self)
{
    double old = self->c[0] > 0 ? spar__log(self->c[0] / (1 - self->c[0])) : 0;
    double v = find_first(&self->groups, fmin(EDGE, fmax(-EDGE, old))), rate = rough_total(&self->groups, v);
    double step = 0.2;
    self->c[0] = spar__logistic(v);
    for (size_t l = 1; l < LEVELS; l++) {
        double next = rate;
        for (int k = 0; k < 6; k++) {
            next = rough_total(&self->groups, v - step);
            double ratio = next / rate;
            if (ratio > 1.5 && ratio < 2.2)
                break;
            step *= fmin(8, fmax(0.125, spar__log(RATIO) / fmax(1e-6, spar__log(ratio))));
            step = fmin(step, 2);
        }
        v -= step;
        rate = next;
        self->c[l] = spar__logistic(v);
        if (!(self->c[l] < self->c[l - 1]))
            self->c[l] = self->c[l - 1] * (1 - 0x1p-50);
    }
}
