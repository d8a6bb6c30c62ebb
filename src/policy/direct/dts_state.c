#include "policy/direct/dts_state.h"

#include "base/alloc.h"
#include "num/elementary.h"
#include "num/special.h"

double spar__dts_chance(const spar_pair_counts *counts, size_t i, size_t j)
{
    if (i > j)
        return 1 - spar__dts_chance(counts, j, i);
    return spar__beta_above_half(spar__won(counts, i, j) + 1, spar__won(counts, j, i) + 1);
}

static uint16_t first_bits(double q)
{
    return (uint16_t)fmin(q * 65536, 65535);
}

static void set_chances(spar__dts_state *self, size_t i, size_t j, double q)
{
    self->chance[i * self->room + j] = first_bits(q);
    self->chance[j * self->room + i] = first_bits(1 - q);
}

static void set_behind(spar__dts_state *self, size_t i, size_t j)
{
    self->behind[i * self->room + j] = spar__behind(&self->counts, i, j);
    self->behind[j * self->room + i] = spar__behind(&self->counts, j, i);
}

/* What is kept of a pair of live arms, i < j, which has changed. */
static void measure(spar__dts_state *self, size_t i, size_t j)
{
    const uint16_t *ij = &self->chance[i * self->room + j], *ji = &self->chance[j * self->room + i];
    self->promise[i] -= *ij;
    self->promise[j] -= *ji;
    set_chances(self, i, j, spar__dts_chance(&self->counts, i, j));
    set_behind(self, i, j);
    self->promise[i] += *ij;
    self->promise[j] += *ji;
}

static bool comes_before(const spar__dts_state *self, size_t i, size_t j)
{
    return self->promise[i] > self->promise[j] || (self->promise[i] == self->promise[j] && i < j);
}

/* Brings back into order the live arms, of which few are out of place: by insertion. */
static void arrange(spar__dts_state *self)
{
    for (size_t k = 1; k < self->arms->live; k++) {
        size_t arm = self->order[k], at = k;
        for (; at > 0 && comes_before(self, arm, self->order[at - 1]); at--)
            self->order[at] = self->order[at - 1];
        self->order[at] = arm;
    }
}

static void count_above(spar__dts_state *self, size_t i)
{
    size_t n = self->counts.n, above = 0;
    const double *row = self->behind + i * self->room;
    double x = self->x, ahead = (double)INFINITY;
    for (size_t j = 0; j < n; j++) {
        double behind = row[j];
        above += x > behind;
        ahead = x > behind || behind > ahead ? ahead : behind;
    }
    self->above[i] = above;
    self->ahead[i] = ahead;
}

/* The pairs of an arm with earlier ones. Retired arms are behind everyone, and everyone behind them. */
static void measure_arm(spar__dts_state *self, size_t j)
{
    const bool *alive = self->arms->alive;
    self->behind[j * self->room + j] = (double)INFINITY;
    for (size_t i = 0; i < j; i++) {
        if (!alive[i] || !alive[j]) {
            self->behind[i * self->room + j] = self->behind[j * self->room + i] = (double)INFINITY;
            continue;
        }
        set_behind(self, i, j);
        if (j >= self->known)
            set_chances(self, i, j, spar__dts_chance(&self->counts, i, j));
    }
}

static size_t sum_of_chances(const spar__dts_state *self, size_t i)
{
    size_t sum = 0;
    for (size_t j = 0; j < self->counts.n; j++)
        sum += self->arms->alive[j] && j != i ? self->chance[i * self->room + j] : 0;
    return sum;
}

static void mark_closed(spar__dts_state *self)
{
    for (size_t i = 0; i < self->width; i++)
        self->closed[i] = i < self->counts.n && self->arms->alive[i] ? 0 : UINT16_MAX;
}

/* Everything kept, from W, t and the arms; of the first `known` arms the chances are right already. */
static void measure_all(spar__dts_state *self, uint64_t rounds)
{
    size_t n = self->counts.n, live = 0;
    const bool *alive = self->arms->alive;
    self->x = self->alpha * spar__log((double)rounds + 1);
    for (size_t j = 0; j < n; j++)
        measure_arm(self, j);
    self->known = n;
    for (size_t i = 0; i < n; i++) {
        count_above(self, i);
        self->promise[i] = sum_of_chances(self, i);
        if (alive[i])
            self->order[live++] = i;
    }
    mark_closed(self);
    arrange(self);
}

/* The same when only the last arm is new. */
static void follow_new(spar__dts_state *self)
{
    size_t n = self->counts.n, i = n - 1;
    measure_arm(self, i);
    self->known = n;
    for (size_t r = 0; r < i; r++) {
        double behind = self->behind[r * self->room + i];
        self->above[r] += self->x > behind;
        self->ahead[r] = self->x > behind || behind > self->ahead[r] ? self->ahead[r] : behind;
        self->promise[r] += self->chance[r * self->room + i];
    }
    count_above(self, i);
    self->promise[i] = sum_of_chances(self, i);
    self->order[self->arms->live - 1] = i;
    mark_closed(self);
    arrange(self);
}

/* The same when only arm i has retired. */
static void follow_retired(spar__dts_state *self, size_t i)
{
    size_t kept = 0;
    for (size_t r = 0; r < self->counts.n; r++) {
        double *behind = &self->behind[r * self->room + i], old = *behind;
        if (r == i)
            continue;
        *behind = self->behind[i * self->room + r] = (double)INFINITY;
        self->promise[r] -= self->chance[r * self->room + i];
        if (self->x > old)
            self->above[r]--;
        else if (old < INFINITY && old == self->ahead[r])
            count_above(self, r);
    }
    count_above(self, i);
    for (size_t k = 0; k <= self->arms->live; k++)
        if (self->order[k] != i)
            self->order[kept++] = self->order[k];
    mark_closed(self);
    arrange(self);
}

/* One arm more or less is followed, whatever else is measured. */
static void follow(spar__dts_state *self, size_t before, uint64_t rounds)
{
    size_t n = self->counts.n, turned = self->arms->turned;
    bool same_time = before > 0 && self->x == self->alpha * spar__log((double)rounds + 1);
    if (same_time && n == before + 1 && self->known == before && self->arms->alive[before])
        follow_new(self);
    else if (same_time && n == before && self->known == n && !self->arms->alive[turned] && !self->closed[turned])
        follow_retired(self, turned);
    else
        measure_all(self, rounds);
}

static spar_status make_room(spar__dts_state *self, size_t room)
{
    double *behind = spar__alloc(room, (room + 1) * sizeof *behind);
    uint16_t *chance = spar__alloc(room, (room + 1) * sizeof *chance);
    size_t *promise = spar__alloc(room, 3 * sizeof *promise);
    if (!behind || !chance || !promise) {
        spar__free(behind);
        spar__free(chance);
        spar__free(promise);
        return SPAR_NOMEM;
    }
    spar__free(self->behind);
    spar__free(self->chance);
    spar__free(self->promise);
    self->behind = behind;
    self->ahead = behind + room * room;
    self->chance = chance;
    self->closed = chance + room * room;
    self->promise = promise;
    self->order = promise + room;
    self->above = promise + 2 * room;
    self->room = room;
    self->known = 0;
    return SPAR_OK;
}

spar_status spar__dts_state_fit(spar__dts_state *self, uint64_t rounds)
{
    size_t n = self->arms->n, before = self->counts.n;
    if (spar__pair_counts_fit(&self->counts, n) || (n > self->room && make_room(self, self->counts.stride)))
        return SPAR_NOMEM;
    self->known = self->known < n ? self->known : n;
    self->width = (n + SPAR__LANES - 1) / SPAR__LANES * SPAR__LANES;
    follow(self, before, rounds);
    return SPAR_OK;
}

void spar__dts_state_fini(spar__dts_state *self)
{
    spar__pair_counts_fini(&self->counts);
    spar__free(self->behind);
    spar__free(self->chance);
    spar__free(self->promise);
}

void spar__dts_state_learn(spar__dts_state *self, const spar_round *round, const spar_feedback *feedback, double eta,
                           uint64_t rounds)
{
    size_t i = round->arm[0], j = round->arm[1];
    self->x = self->alpha * spar__log((double)rounds + 1);
    if (i != j)
        spar__pair_counts_learn(&self->counts, round, feedback, eta);
    if (i != j && self->arms->alive[i] && self->arms->alive[j]) {
        measure(self, i < j ? i : j, i < j ? j : i);
        arrange(self);
        self->ahead[i] = self->ahead[j] = -(double)INFINITY; /* to be counted anew */
    }
    for (size_t k = 0; k < self->counts.n; k++)
        if (self->x > self->ahead[k])
            count_above(self, k);
}

void spar__dts_state_archive(spar__dts_state *self, spar__archive *ar, uint64_t rounds)
{
    spar__pair_counts_archive(&self->counts, ar);
    if (!ar->loading || ar->failed)
        return;
    self->known = 0;
    measure_all(self, rounds);
}
