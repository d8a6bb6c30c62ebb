/* groups.c - P(theta > c) from the start, and arms with equal counts, which share it: see survival.h and beta.h.
 *
 * A group is found in O(1), by a hash of its counts; following an observation takes some 100 ns, starting anew eight
 * incomplete betas. */
#include "base/alloc.h"
#include "num/elementary.h"
#include "num/special.h"
#include "posterior/beta/beta.h"
#include "posterior/beta/survival.h"

#include <math.h>
#include <string.h>

#define LOG_SCALE (512 * 0x1.62e42fefa39efp-1) /* log 2^512 */

void spar__survival_start(double a, double b, double c, double *S, double *D, double *scale)
{
    double log_power;
    *S = spar__beta_sf_power(a, b, c, &log_power);
    *scale = fmax(0, floor(-log_power / LOG_SCALE + 0.5));
    *D = spar__exp(log_power + *scale * LOG_SCALE);
    spar__survival_rescale(1, D, scale);
}

bool spar__survival_sound(double a, double b, double c, double S, double D, double scale)
{
    double right_S, right_D, right_scale;
    spar__survival_start(a, b, c, &right_S, &right_D, &right_scale);
    double count = a + b; /* at least the steps that were taken */
    if (!(fabs(S - right_S) <= 1e-9 + 1e-15 * count) || !(S >= 0 && S <= 1) || !(D > 0) || scale != floor(scale))
        return false;
    if (scale == right_scale + 1) /* either is right on the edge */
        D *= 0x1p-512;
    else if (scale == right_scale - 1)
        D *= 0x1p+512;
    else if (scale != right_scale)
        return false;
    return scale >= 0 && D >= 0x1p-300 && D <= 0x1p+300 && fabs(D / right_D - 1) < 1e-10 + 1e-14 * count;
}

/* Peizer and Pratt (1968), a normal approximation: theta > c when of a + b - 1 trials with chance c fewer than a
 * succeed. */
double spar__survival_rough(double a, double b, double c)
{
    double p = c, q = 1 - c, n = a + b - 1, s = a - 0.5, t = b - 0.5;
    double d = s + 1.0 / 6 - (n + 1.0 / 3) * p + 0.02 * (q / (s + 0.5) - p / (t + 0.5) + (q - 0.5) / (n + 1));
    double gap = s - n * p, variance = n * p * q;
    if (gap * gap < 1e-6 * variance)
        return spar__normal_cdf(d / sqrt(variance));
    double deviance = s * spar__log(s / (n * p)) + t * spar__log(t / (n * q));
    return spar__normal_cdf(d / fabs(gap) * sqrt(fmax(0, 2 / (1 + 1 / (6 * n)) * deviance)));
}

enum { FEWEST = 16 };
#define COLD 1e-30    /* an S below this at all thresholds counts as 0 */
#define LEAST 0x1p-53 /* of 1 - S: rates end at about 37 */

void spar__groups_free(spar__groups *self)
{
    spar__free(self->group);
    spar__free(self->slot);
    *self = (spar__groups){0};
}

static uint64_t bits(double x)
{
    uint64_t word;
    memcpy(&word, &x, sizeof word);
    return word;
}

static size_t home(const spar__groups *self, double a, double b)
{
    uint64_t key = bits(a) * UINT64_C(0x9e3779b97f4a7c15) ^ (bits(b) + UINT64_C(0x632be59bd9b4e019));
    key = (key ^ key >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return (size_t)(key ^ key >> 32) & (self->slots - 1);
}

static void empty_slots(spar__groups *self)
{
    for (size_t i = 0; i < self->slots; i++)
        self->slot[i] = SPAR__NO_GROUP;
}

spar_status spar__groups_reserve(spar__groups *self, size_t more)
{
    size_t wanted = self->count + more;
    if (wanted <= self->room)
        return SPAR_OK;
    if (wanted > UINT32_MAX / 4)
        return SPAR_NOMEM;
    size_t room = self->room ? self->room : FEWEST;
    while (room < wanted)
        room += room / 2;
    size_t slots = 2 * FEWEST;
    while (slots < 2 * room)
        slots *= 2;
    uint32_t *slot = spar__alloc(slots, sizeof *slot);
    spar__group *group = slot ? spar__realloc(self->group, self->room, room, sizeof *group) : NULL;
    if (!group) {
        spar__free(slot);
        return SPAR_NOMEM;
    }
    spar__free(self->slot);
    self->group = group;
    self->room = (uint32_t)room;
    self->slot = slot;
    self->slots = slots;
    if (self->used == 0)
        self->free = SPAR__NO_GROUP;
    empty_slots(self);
    for (uint32_t g = 0; g < self->used; g++)
        if (self->group[g].members) {
            size_t at = home(self, self->group[g].a, self->group[g].b);
            while (self->slot[at] != SPAR__NO_GROUP)
                at = (at + 1) & (self->slots - 1);
            self->slot[at] = g;
        }
    return SPAR_OK;
}

void spar__groups_clear(spar__groups *self)
{
    self->used = self->count = 0;
    self->free = SPAR__NO_GROUP;
    empty_slots(self);
}

uint32_t spar__groups_join(spar__groups *self, double a, double b, bool *made)
{
    *made = false;
    size_t at = home(self, a, b);
    for (; self->slot[at] != SPAR__NO_GROUP; at = (at + 1) & (self->slots - 1)) {
        spar__group *group = &self->group[self->slot[at]];
        if (group->a == a && group->b == b) {
            group->members++;
            return self->slot[at];
        }
    }
    uint32_t g = self->free;
    if (g != SPAR__NO_GROUP)
        self->free = self->group[g].next;
    else if (self->used < self->room)
        g = self->used++;
    else
        return SPAR__NO_GROUP;
    self->group[g].a = a;
    self->group[g].b = b;
    self->group[g].members = 1;
    self->count++;
    self->slot[at] = g;
    *made = true;
    return g;
}

void spar__groups_leave(spar__groups *self, uint32_t g)
{
    spar__group *group = &self->group[g];
    if (--group->members)
        return;
    /* The slot is emptied, and those after it move up where it was in their way. */
    size_t mask = self->slots - 1, hole = home(self, group->a, group->b);
    while (self->slot[hole] != g)
        hole = (hole + 1) & mask;
    for (size_t at = (hole + 1) & mask; self->slot[at] != SPAR__NO_GROUP; at = (at + 1) & mask) {
        const spar__group *other = &self->group[self->slot[at]];
        if (((at - home(self, other->a, other->b)) & mask) >= ((at - hole) & mask)) {
            self->slot[hole] = self->slot[at];
            hole = at;
        }
    }
    self->slot[hole] = SPAR__NO_GROUP;
    group->next = self->free;
    self->free = g;
    self->count--;
}

void spar__group_rate(spar__group *group)
{
    for (size_t l = 0; l < SPAR__LEVELS; l++)
        group->rate[l] = group->S[l] < 1 - LEAST ? -group->S[l] : LEAST - 1;
    if (group->cold)
        memset(group->rate, 0, sizeof group->rate);
    else
        spar__vlog1p(group->rate, group->rate, SPAR__LEVELS);
    for (size_t l = 0; l < SPAR__LEVELS; l++)
        group->rate[l] = 0 - group->rate[l];
}

void spar__group_start(spar__group *group, const double *c)
{
    group->cold = spar__survival_rough(group->a, group->b, c[SPAR__LEVELS - 1]) < COLD;
    for (size_t l = 0; l < SPAR__LEVELS; l++) {
        group->S[l] = group->D[l] = group->scale[l] = 0;
        if (!group->cold)
            spar__survival_start(group->a, group->b, c[l], &group->S[l], &group->D[l], &group->scale[l]);
    }
    spar__group_rate(group);
}

bool spar__group_follow(spar__group *group, const spar__group *from, const double *c)
{
    double wins = group->a - from->a, losses = group->b - from->b;
    if (from->cold || !spar__survival_gap(wins, losses)) {
        spar__group_start(group, c);
        return group->cold;
    }
    group->cold = false;
    memcpy(group->S, from->S, sizeof group->S);
    memcpy(group->D, from->D, sizeof group->D);
    memcpy(group->scale, from->scale, sizeof group->scale);
    spar__survival_walk(SPAR__LEVELS, c, group->S, group->D, group->scale, from->a, from->b, wins, losses);
    spar__group_rate(group);
    return true;
}
