/* dts - double Thompson sampling: both arms are drawn from Beta beliefs about pairs, within confidence bounds.
 *
 * Wu, Liu, Double Thompson Sampling for Dueling Bandits, NIPS 2016 (algorithm D-TS).
 *
 *     U_ij, L_ij = W_ij / N_ij +- sqrt(alpha log t / N_ij),   U_ii = L_ii = 1/2,   an unplayed pair has U = 2, L = 0
 *     C = argmax_i #{j: U_ij > 1/2}
 *     theta_ij ~ Beta(W_ij + 1, W_ji + 1) for i < j, theta_ji = 1 - theta_ij
 *     a = argmax over C of #{j: theta_ij > 1/2}
 *     fresh theta_ia ~ Beta(W_ia + 1, W_ai + 1), theta_aa = 1/2;   second = argmax of theta_ia over {i: L_ia <= 1/2}
 *
 * All of that among the live arms. A win adds eta to W. Three things are kept, all of them functions of W, t and the
 * arms that are live:
 *
 * How many bounds of an arm are above 1/2. U_ij > 1/2 iff alpha log t > behind_ij (spar__behind, where equality
 * is U_ij = 1/2 but for rounding), so a count changes when a duel moves a pair of the arm, or when alpha log t passes
 * the least of its thresholds that are still ahead.
 *
 * The chance q_ij that theta_ij > 1/2. Who wins the first maximum depends on no more than these events, so they are
 * drawn as such: a 16-bit number below the first 16 bits of q_ij says yes, one above says no, and in the one case of
 * 65536 where it is equal to them a uniform number is compared with what follows. The most promising arm of C is drawn
 * first; another is given up as soon as it has lost more often than the best so far. No draw depends on what was not
 * drawn, so this changes nothing about those that stay: their losses are all drawn, and ties are among them.
 *
 * The second maximum is above 1/2 or it is a: again only the events are drawn, and the values themselves of those arms
 * that came out above 1/2, if there are several.
 *
 * Cost O(K) to learn, of which one incomplete Beta integral; O(K) to choose when one arm is far ahead, and at most
 * 16 random bits and a few operations on them for each pair with an arm of C. An arm that comes or goes costs O(K^2)
 * simple operations; a new one also O(K) integrals. */
#include "policy/direct/direct.h"

#include "num/elementary.h"
#include "num/special.h"
#include "sampler/sampler.h"

#include <string.h>

/* Eight 16-bit numbers at a time.
 *
 * What is compared gives 16 ones or zeros in each lane, which are minus one or nothing as a number. */

enum { LANES = 8 }; /* pairs are drawn by as many at a time */

typedef uint16_t lanes __attribute__((vector_size(2 * LANES)));
typedef uint64_t lane_words __attribute__((vector_size(2 * LANES)));

static lanes lanes_load(const uint16_t *p)
{
    lanes v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* Random numbers: four of each word, the lowest first. */
static lanes lanes_draw(spar_rng *rng)
{
    lane_words word = {0};
    word[0] = spar__rng_next(rng);
    word[1] = spar__rng_next(rng);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = word << 32 | word >> 32;
    word = (word & UINT64_C(0x0000ffff0000ffff)) << 16 | (word >> 16 & UINT64_C(0x0000ffff0000ffff));
#endif
    return (lanes)word;
}

static bool lanes_any(lanes v)
{
    lane_words part = (lane_words)v;
    return (part[0] | part[1]) != 0;
}

typedef struct dts {
    spar_policy base;
    double alpha, eta;
    spar_pair_counts counts; /* W */
    double x;                /* alpha log t of the round to come */
    size_t width;            /* n, rounded up to whole blocks of LANES */
    size_t room;             /* for arms in the arrays, which are three blocks of memory */
    size_t known;            /* arms whose chances are right */
    double *behind;   /* room x room, spar__behind: U_ij > 1/2 iff x > this; infinite for an arm and itself, and for
                       * retired arms */
    double *ahead;    /* per arm: see above */
    uint16_t *chance; /* room x room, the first 16 bits of q_ij; 1 counts as all ones, and what follows is then 1 */
    uint16_t *closed; /* per arm 0, all ones for a retired one and beyond n */
    size_t *promise;  /* per arm, the sum of its chances against live arms */
    size_t *order;    /* the live arms, the most promising first, equal ones by their index */
    size_t *above;    /* per arm, its bounds above 1/2: that many until x is above `ahead`, the least of its other
                         thresholds */
} dts;

/* alpha log t */
static double width(const dts *self)
{
    return self->alpha * spar__log((double)self->base.learned + 1);
}

/* q_ij; to the bit 1 - q_ji. */
static double chance_of(const spar_pair_counts *counts, size_t i, size_t j)
{
    if (i > j)
        return 1 - chance_of(counts, j, i);
    return spar__beta_above_half(spar__won(counts, i, j) + 1, spar__won(counts, j, i) + 1);
}

static uint16_t first_bits(double q)
{
    return (uint16_t)fmin(q * 65536, 65535);
}

static void set_chances(dts *self, size_t i, size_t j, double q)
{
    self->chance[i * self->room + j] = first_bits(q);
    self->chance[j * self->room + i] = first_bits(1 - q);
}

static void set_behind(dts *self, size_t i, size_t j)
{
    self->behind[i * self->room + j] = spar__behind(&self->counts, i, j);
    self->behind[j * self->room + i] = spar__behind(&self->counts, j, i);
}

/* Brings back into order the live arms, of which few are out of place: by insertion. */
static void arrange(dts *self)
{
    const size_t *promise = self->promise;
    for (size_t k = 1; k < self->base.arms->live; k++) {
        size_t arm = self->order[k], at = k;
        for (; at > 0; at--) {
            size_t before = self->order[at - 1];
            if (promise[arm] < promise[before] || (promise[arm] == promise[before] && arm > before))
                break;
            self->order[at] = before;
        }
        self->order[at] = arm;
    }
}

static void count_above(dts *self, size_t i)
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
static void measure_arm(dts *self, size_t j)
{
    const bool *alive = self->base.arms->alive;
    self->behind[j * self->room + j] = (double)INFINITY;
    for (size_t i = 0; i < j; i++) {
        if (!alive[i] || !alive[j]) {
            self->behind[i * self->room + j] = self->behind[j * self->room + i] = (double)INFINITY;
            continue;
        }
        set_behind(self, i, j);
        if (j >= self->known)
            set_chances(self, i, j, chance_of(&self->counts, i, j));
    }
}

static size_t sum_of_chances(const dts *self, size_t i)
{
    size_t sum = 0;
    for (size_t j = 0; j < self->counts.n; j++)
        sum += self->base.arms->alive[j] && j != i ? self->chance[i * self->room + j] : 0;
    return sum;
}

static void mark_closed(dts *self)
{
    for (size_t i = 0; i < self->width; i++)
        self->closed[i] = i < self->counts.n && self->base.arms->alive[i] ? 0 : UINT16_MAX;
}

/* Everything kept, from W, t and the arms; of the first `known` arms the chances are right already. */
static void measure_all(dts *self)
{
    size_t n = self->counts.n, live = 0;
    const bool *alive = self->base.arms->alive;
    self->x = width(self);
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
static void follow_new(dts *self)
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
    self->order[self->base.arms->live - 1] = i;
    mark_closed(self);
    arrange(self);
}

/* The same when only arm i has retired. */
static void follow_retired(dts *self, size_t i)
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
    for (size_t k = 0; k <= self->base.arms->live; k++)
        if (self->order[k] != i)
            self->order[kept++] = self->order[k];
    mark_closed(self);
    arrange(self);
}

static spar_status resize(spar_policy *base, spar_error *err)
{
    dts *self = (dts *)base;
    size_t n = base->arms->n, before = self->counts.n;
    if (spar__pair_counts_fit(&self->counts, n))
        return spar__fail_memory(err);
    if (n > self->room) {
        size_t room = self->counts.stride;
        double *behind = spar__alloc(room, (room + 1) * sizeof *behind);
        uint16_t *chance = spar__alloc(room, (room + 1) * sizeof *chance);
        size_t *promise = spar__alloc(room, 3 * sizeof *promise);
        if (!behind || !chance || !promise) {
            spar__free(behind);
            spar__free(chance);
            spar__free(promise);
            return spar__fail_memory(err);
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
    }
    self->known = self->known < n ? self->known : n;
    self->width = (n + LANES - 1) / LANES * LANES;
    /* One arm more or less is followed, whatever else is measured. */
    const bool *alive = base->arms->alive;
    size_t turned = base->arms->turned;
    bool same_time = before > 0 && self->x == width(self);
    if (same_time && n == before + 1 && self->known == before && alive[before])
        follow_new(self);
    else if (same_time && n == before && self->known == n && !alive[turned] && !self->closed[turned])
        follow_retired(self, turned);
    else
        measure_all(self);
    return SPAR_OK;
}

static spar_status init(spar_policy *base, const spar__values *values, spar_error *err)
{
    (void)err;
    dts *self = (dts *)base;
    self->eta = spar__number(values, "eta");
    self->alpha = spar__number(values, "alpha");
    return SPAR_OK;
}

static void fini(spar_policy *base)
{
    dts *self = (dts *)base;
    spar__pair_counts_fini(&self->counts);
    spar__free(self->behind);
    spar__free(self->chance);
    spar__free(self->promise);
}

/* Room for what one round draws. */
typedef struct dts_draws {
    size_t *arm;   /* a list of arms ... */
    double *value; /* ... and what they got */
    uint16_t *drawn, *lost;
} dts_draws;

/* Is theta_ij > 1/2, where the first bits left it open? */
static bool decide(const dts *self, spar_rng *rng, size_t i, size_t j)
{
    double other_bits = chance_of(&self->counts, i, j) * 65536 - self->chance[i * self->room + j];
    return spar_rng_uniform(rng) < other_bits;
}

/* Draws the pairs of i with the arms from `at` on that do not have them yet: those of whose rows the block of i was not
 * drawn. Adds to the losses of both sides. */
static void draw_block(const dts *self, spar_rng *rng, size_t i, size_t at, const dts_draws *d)
{
    lanes open = (lanes)(lanes_load(d->drawn + at) <= (uint16_t)(i / LANES));
    if (!lanes_any(open))
        return;
    lanes word = lanes_draw(rng), chance = lanes_load(self->chance + i * self->room + at),
          lost = lanes_load(d->lost + at);
    lanes yes = (lanes)(word < chance) & open, even = (lanes)(word == chance) & open;
    /* How many of the lanes hold: sums of two side by side, then the sum of these. */
    lane_words part = (lane_words)((open ^ yes) & 1);
    size_t losses = (size_t)((part[0] + part[1]) * UINT64_C(0x0001000100010001) >> 48);
    lost -= yes;
    memcpy(d->lost + at, &lost, sizeof lost);
    if (lanes_any(even)) { /* they were taken for a no */
        for (size_t j = 0; j < LANES; j++)
            if (even[j] && decide(self, rng, i, at + j)) {
                d->lost[at + j]++;
                losses--;
            }
    }
    d->lost[i] = (uint16_t)(d->lost[i] + losses);
}

/* The arm of C with the most events theta_ij > 1/2, which is the one with the fewest losses. Arms outside of C collect
 * losses that are not used. */
static size_t choose_first(const dts *self, spar_rng *rng, const dts_draws *d)
{
    /* C: the arms with most upper bounds above 1/2, the most promising first. */
    size_t n = self->counts.n, fewest = n, most = 0, found = 0, ties = 0;
    for (size_t i = 0; i < n; i++)
        most = self->above[i] > most ? self->above[i] : most;
    for (size_t k = 0; k < self->base.arms->live; k++)
        if (self->above[self->order[k]] == most)
            d->arm[found++] = self->order[k];
    if (found == 1)
        return d->arm[0];
    memcpy(d->drawn, self->closed, self->width * sizeof *d->drawn);
    memset(d->lost, 0, self->width * sizeof *d->lost);
    for (size_t k = 0; k < found; k++) {
        size_t i = d->arm[k];
        if (d->lost[i] > fewest)
            continue;
        /* Draws all pairs of i, or gives up when it has lost more than `fewest`. */
        size_t at = 0;
        d->drawn[i] = UINT16_MAX; /* no pair with itself */
        for (; at < self->width && d->lost[i] <= fewest; at += LANES)
            draw_block(self, rng, i, at, d);
        d->drawn[i] = (uint16_t)(at / LANES);
        if (d->lost[i] <= fewest) {
            ties = d->lost[i] < fewest ? 0 : ties;
            fewest = d->lost[i];
            d->arm[ties++] = i; /* ties <= k: this place was read */
        }
    }
    return d->arm[ties == 1 ? 0 : spar_rng_below(rng, ties)];
}

/* theta ~ Beta(a,b) given theta > 1/2, as 2 theta - 1, which has the density (1 + d)^(a-1) (1 - d)^(b-1) on (0,1).
 * Where that is rare, b > a, and the logarithm of this, which is concave, stays below its tangent -(b - a) d at 0: an
 * exponential number, accepted by the difference of the two. */
static double draw_above_half(spar_rng *rng, double a, double b, bool rare)
{
    double d;
    do {
        if (!rare)
            d = 2 * spar__beta(rng, a, b) - 1;
        else
            d = spar__exponential(rng) / (b - a);
        if (rare && d < 1 &&
            -spar__exponential(rng) > (a - 1) * spar__log1p(d) + (b - 1) * spar__log1p(-d) + (b - a) * d)
            d = -1;
    } while (!(d > 0 && d < 1));
    return d;
}

/* The largest of 1/2 = theta_aa and those theta_ia > 1/2 for which L_ia <= 1/2, that is x >= behind_ai. */
static size_t choose_second(const dts *self, spar_rng *rng, size_t a, const dts_draws *d)
{
    const uint16_t *chance = self->chance + a * self->room;
    const double *behind = self->behind + a * self->room;
    size_t n = self->counts.n, found = 0;
    for (size_t at = 0; at < n; at += LANES) {
        lanes word = lanes_draw(rng), rivals = (lanes)(word >= lanes_load(chance + at));
        for (size_t i = at; lanes_any(rivals) && i < at + LANES && i < n; i++)
            if (rivals[i - at] && self->x >= behind[i] && (word[i - at] > chance[i] || !decide(self, rng, a, i)))
                d->arm[found++] = i;
    }
    if (found < 2)
        return found == 0 ? a : d->arm[0];
    for (size_t k = 0; k < found; k++) {
        size_t i = d->arm[k];
        double won = spar__won(&self->counts, i, a), lost = spar__won(&self->counts, a, i);
        bool rare = self->chance[i * self->room + a] < 65536 / 3;
        d->value[k] = draw_above_half(rng, won + 1, lost + 1, rare);
    }
    return d->arm[spar__argmax(rng, found, d->value)];
}

static spar_status choose(const spar_policy *base, spar_scratch *scratch, spar_rng *rng, spar_round *out)
{
    const dts *self = (const dts *)base;
    size_t n = self->counts.n, mark = spar__scratch_mark(scratch);
    dts_draws d = {.arm = spar__scratch_take(scratch, n, sizeof *d.arm),
                   .value = spar__scratch_take(scratch, n, sizeof *d.value),
                   .drawn = spar__scratch_take(scratch, 2 * self->width, sizeof *d.drawn)};
    bool room = d.arm && d.value && d.drawn;
    if (room) {
        d.lost = d.drawn + self->width;
        out->arm[0] = choose_first(self, rng, &d);
        out->arm[1] = choose_second(self, rng, out->arm[0], &d);
    }
    spar__scratch_release(scratch, mark);
    return room ? SPAR_OK : SPAR_NOMEM;
}

static void learn(spar_policy *base, const spar_round *round, const spar_feedback *feedback)
{
    dts *self = (dts *)base;
    size_t i = round->arm[0], j = round->arm[1];
    self->x = self->alpha * spar__log((double)base->learned + 2); /* of the round to come */
    if (i != j)
        spar__pair_counts_learn(&self->counts, round, feedback, self->eta);
    if (i != j && base->arms->alive[i] && base->arms->alive[j]) {
        size_t low = i < j ? i : j, high = i < j ? j : i;
        const uint16_t *ij = &self->chance[low * self->room + high], *ji = &self->chance[high * self->room + low];
        self->promise[low] -= *ij;
        self->promise[high] -= *ji;
        set_chances(self, low, high, chance_of(&self->counts, low, high));
        set_behind(self, low, high);
        self->promise[low] += *ij;
        self->promise[high] += *ji;
        arrange(self);
        self->ahead[i] = self->ahead[j] = -(double)INFINITY; /* to be counted anew */
    }
    for (size_t k = 0; k < self->counts.n; k++)
        if (self->x > self->ahead[k])
            count_above(self, k);
}

static void archive(spar_policy *base, spar__archive *ar)
{
    dts *self = (dts *)base;
    spar__pair_counts_archive(&self->counts, ar);
    if (!ar->loading || ar->failed)
        return;
    self->known = 0;
    measure_all(self);
}

static const spar_param params[] = {
    {"alpha", SPAR_PARAM_NUMBER, "0.51", 0, 1000, NULL, "width of the bounds: sqrt(alpha log t / n)"},
    {"eta", SPAR_PARAM_NUMBER, "1", 1e-6, 100, NULL, "learning rate: what a win adds to the winner's count"},
    {0},
};

const spar__policy_class spar__policy_dts = {
    .entry = {"dts", "double Thompson sampling from Beta beliefs about pairs", "Wu, Liu, NIPS 2016", params},
    .size = sizeof(dts),
    .min_m = 2,
    .max_m = 2,
    .pairs = true,
    .counts = offsetof(dts, counts),
    .live_arms = true,
    .after_change = SPAR__SAME_INDEX,
    .init = init,
    .fini = fini,
    .resize = resize,
    .choose = choose,
    .learn = learn,
    .score = spar__counts_score,
    .archive = archive,
};
