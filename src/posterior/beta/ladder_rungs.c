/* Where the rungs of a ladder should be: the first where the total rate is about 2, each next one where it is about 1.8
 * times that of the one before. Where arms are drawn without those drawn before, the rates of single arms are cut at
 * CAP from there on: below the first rung the leaders may be out, and the others must make up the rates. Rough rates
 * will do, the ladder is exact wherever its rungs are. */
#include "num/elementary.h"
#include "posterior/beta/ladder.h"
#include "posterior/beta/survival.h"

#include <math.h>

enum { LEVELS = SPAR__LEVELS };

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

void spar__ladder_set_thresholds(spar__ladder *self)
{
    double old = self->c[0] > 0 ? spar__log(self->c[0] / (1 - self->c[0])) : 0;
    double v = find_rate(&self->groups, fmin(EDGE, fmax(-EDGE, old)), NO_CAP, FIRST);
    set_threshold(self, 0, v);
    if (self->distinct)
        search_down(self, v);
    else
        step_down(self, v);
}
