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
 * A win adds eta to W. Three things are kept, all of them functions of W and t:
 *
 * How many bounds of an arm are above 1/2. U_ij > 1/2 iff alpha log t > behind_ij (spar__pairs_behind, where equality
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
 * 16 random bits and a few operations on them for each pair with an arm of C. */
#include "policy/direct/lanes.h"
#include "policy/pairs.h"

#include "base/alloc.h"
#include "base/scratch.h"
#include "num/elementary.h"
#include "num/half_beta.h"
#include "posterior/argmax.h"
#include "sampler/sampler.h"

#include <string.h>

enum { LANES = SPAR__LANES }; /* pairs are drawn by as many at a time */

typedef spar__lanes lanes;

typedef struct dts {
    spar_policy base;
    double alpha, eta;
    spar__pairs pairs;
    double x;         /* alpha log t of the round to come */
    double *behind;   /* n x n, spar__pairs_behind: U_ij > 1/2 iff x > this; infinite on the diagonal */
    size_t width;     /* n, rounded up to whole blocks of LANES */
    uint16_t *chance; /* n x width, the first 16 bits of q_ij; 1 counts as all ones, and what follows is then 1 */
    size_t *promise;  /* per arm, the sum of its chances */
    size_t *order;    /* all arms, the most promising first, equal ones by their index */
    size_t *above;    /* per arm, its bounds above 1/2 ... */
    double *ahead;    /* ... and the least of its other thresholds: that many are above until x is */
} dts;

/* q_ij; to the bit 1 - q_ji. */
static double chance_above(const spar__pairs *pairs, size_t i, size_t j)
{
    if (i > j)
        return 1 - chance_above(pairs, j, i);
    return spar__beta_above_half(spar__pairs_won(pairs, i, j) + 1, spar__pairs_won(pairs, j, i) + 1);
}

static uint16_t first_bits(double q)
{
    return (uint16_t)fmin(q * 65536, 65535);
}

static double other_bits(double q)
{
    return q * 65536 - first_bits(q);
}

static void set_chance(dts *self, size_t i, size_t j, double q)
{
    uint16_t *chance = &self->chance[i * self->width + j];
    self->promise[i] += (size_t)first_bits(q) - *chance;
    *chance = first_bits(q);
}

/* What is kept of a pair, i < j. */
static void measure(dts *self, size_t i, size_t j)
{
    size_t n = self->pairs.n;
    double q = chance_above(&self->pairs, i, j);
    self->behind[i * n + j] = spar__pairs_behind(&self->pairs, i, j);
    self->behind[j * n + i] = spar__pairs_behind(&self->pairs, j, i);
    set_chance(self, i, j, q);
    set_chance(self, j, i, 1 - q);
}

static bool comes_before(const dts *self, size_t i, size_t j)
{
    return self->promise[i] > self->promise[j] || (self->promise[i] == self->promise[j] && i < j);
}

/* Brings back into order all arms, of which few are out of place: by insertion. */
static void arrange(dts *self)
{
    for (size_t k = 1; k < self->pairs.n; k++) {
        size_t arm = self->order[k], at = k;
        for (; at > 0 && comes_before(self, arm, self->order[at - 1]); at--)
            self->order[at] = self->order[at - 1];
        self->order[at] = arm;
    }
}

static void count_above(dts *self, size_t i)
{
    size_t n = self->pairs.n, above = 0;
    double x = self->x, ahead = (double)INFINITY;
    for (size_t j = 0; j < n; j++) {
        double behind = self->behind[i * n + j];
        above += x > behind;
        ahead = x > behind || behind > ahead ? ahead : behind;
    }
    self->above[i] = above;
    self->ahead[i] = ahead;
}

/* Everything kept, from W and t = rounds + 1. */
static void measure_all(dts *self, uint64_t rounds)
{
    size_t n = self->pairs.n;
    self->x = self->alpha * spar__log((double)rounds + 1);
    for (size_t i = 0; i < n; i++) {
        self->behind[i * n + i] = (double)INFINITY;
        for (size_t j = 0; j < i; j++)
            measure(self, j, i);
    }
    for (size_t i = 0; i < n; i++) {
        count_above(self, i);
        self->order[i] = i;
    }
    arrange(self);
}

static spar_status init(spar_policy *base, const spar__values *values, spar_error *err)
{
    dts *self = (dts *)base;
    size_t n = base->arms->n;
    self->alpha = spar__number(values, "alpha");
    self->eta = spar__number(values, "eta");
    spar_status status = spar__pairs_init(&self->pairs, n, err);
    if (status)
        return status;
    self->behind = spar__alloc(n, n * sizeof *self->behind);
    self->width = (n + LANES - 1) / LANES * LANES;
    self->chance = spar__alloc(n, self->width * sizeof *self->chance);
    self->promise = spar__alloc(n, sizeof *self->promise);
    self->order = spar__alloc(n, sizeof *self->order);
    self->above = spar__alloc(n, sizeof *self->above);
    self->ahead = spar__alloc(n, sizeof *self->ahead);
    if (!self->behind || !self->chance || !self->promise || !self->order || !self->above || !self->ahead)
        return spar__fail_memory(err);
    measure_all(self, 0);
    return SPAR_OK;
}

static void fini(spar_policy *base)
{
    dts *self = (dts *)base;
    spar__pairs_fini(&self->pairs);
    spar__free(self->behind);
    spar__free(self->chance);
    spar__free(self->promise);
    spar__free(self->order);
    spar__free(self->above);
    spar__free(self->ahead);
}

/* Room for what one round draws. */
typedef struct desk {
    size_t *arm;   /* a list of arms ... */
    double *value; /* ... and what they got */
    uint16_t *drawn, *lost;
} desk;

static bool desk_take(spar_scratch *scratch, const dts *self, desk *out)
{
    out->arm = spar__scratch_take(scratch, self->pairs.n, sizeof *out->arm);
    out->value = spar__scratch_take(scratch, self->pairs.n, sizeof *out->value);
    out->drawn = spar__scratch_take(scratch, 2 * self->width, sizeof *out->drawn);
    if (!out->arm || !out->value || !out->drawn)
        return false;
    out->lost = out->drawn + self->width;
    return true;
}

/* Is theta_ij > 1/2, where the first bits left it open? */
static bool decide(const dts *self, spar_rng *rng, size_t i, size_t j)
{
    return spar_rng_uniform(rng) < other_bits(chance_above(&self->pairs, i, j));
}

/* Draws the pairs of i with the arms from `at` on that do not have them yet: those of whose rows the block of i was not
 * drawn. Adds to the losses of both sides. */
static void draw_block(const dts *self, spar_rng *rng, size_t i, size_t at, const desk *d)
{
    lanes open = (lanes)(spar__lanes_load(d->drawn + at) <= (uint16_t)(i / LANES));
    if (!spar__lanes_any(open))
        return;
    lanes word = spar__lanes_draw(rng), chance = spar__lanes_load(self->chance + i * self->width + at),
          lost = spar__lanes_load(d->lost + at);
    lanes yes = (lanes)(word < chance) & open, even = (lanes)(word == chance) & open;
    size_t losses = spar__lanes_count(open ^ yes);
    lost -= yes;
    memcpy(d->lost + at, &lost, sizeof lost);
    if (spar__lanes_any(even)) { /* they were taken for a no */
        for (size_t j = 0; j < LANES; j++)
            if (even[j] && decide(self, rng, i, at + j)) {
                d->lost[at + j]++;
                losses--;
            }
    }
    d->lost[i] = (uint16_t)(d->lost[i] + losses);
}

/* Draws all pairs of i, or gives up when it has lost more than `fewest`. */
static void draw_row(const dts *self, spar_rng *rng, size_t i, size_t fewest, const desk *d)
{
    size_t at = 0;
    d->drawn[i] = UINT16_MAX; /* no pair with itself */
    for (; at < self->width && d->lost[i] <= fewest; at += LANES)
        draw_block(self, rng, i, at, d);
    d->drawn[i] = (uint16_t)(at / LANES);
}

/* Lists the arms with most upper bounds above 1/2, the most promising first; returns how many there are. */
static size_t list_candidates(const dts *self, size_t *arm)
{
    size_t n = self->pairs.n, most = 0, found = 0;
    for (size_t i = 0; i < n; i++)
        most = self->above[i] > most ? self->above[i] : most;
    for (size_t k = 0; k < n; k++)
        if (self->above[self->order[k]] == most)
            arm[found++] = self->order[k];
    return found;
}

/* The arm of C with the most events theta_ij > 1/2, which is the one with the fewest losses. Arms outside of C collect
 * losses that nobody looks at. */
static size_t choose_first(const dts *self, spar_rng *rng, const desk *d)
{
    size_t n = self->pairs.n, fewest = n, found = list_candidates(self, d->arm), ties = 0;
    if (found == 1)
        return d->arm[0];
    for (size_t i = 0; i < self->width; i++) {
        d->drawn[i] = i < n ? 0 : UINT16_MAX;
        d->lost[i] = 0;
    }
    for (size_t k = 0; k < found; k++) {
        size_t i = d->arm[k];
        if (d->lost[i] > fewest)
            continue;
        draw_row(self, rng, i, fewest, d);
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

/* Lists the arms with L_ia <= 1/2, that is with x >= behind_ai, and theta_ia > 1/2; returns how many there are. */
static size_t list_rivals(const dts *self, spar_rng *rng, size_t a, size_t *arm)
{
    size_t n = self->pairs.n, found = 0;
    const uint16_t *chance = self->chance + a * self->width;
    for (size_t at = 0; at < n; at += LANES) {
        lanes word = spar__lanes_draw(rng), rivals = (lanes)(word >= spar__lanes_load(chance + at));
        for (size_t i = at; spar__lanes_any(rivals) && i < at + LANES && i < n; i++)
            if (rivals[i - at] && self->x >= self->behind[a * n + i] &&
                (word[i - at] > chance[i] || !decide(self, rng, a, i)))
                arm[found++] = i;
    }
    return found;
}

/* The largest of 1/2 = theta_aa and the theta_ia of these. */
static size_t choose_second(const dts *self, spar_rng *rng, size_t a, const desk *d)
{
    size_t n = list_rivals(self, rng, a, d->arm);
    if (n < 2)
        return n == 0 ? a : d->arm[0];
    for (size_t k = 0; k < n; k++) {
        size_t i = d->arm[k];
        double won = spar__pairs_won(&self->pairs, i, a), lost = spar__pairs_won(&self->pairs, a, i);
        bool rare = self->chance[i * self->width + a] < 65536 / 3;
        d->value[k] = draw_above_half(rng, won + 1, lost + 1, rare);
    }
    return d->arm[spar__argmax(rng, n, d->value)];
}

static spar_status choose(const spar_policy *base, spar_scratch *scratch, spar_rng *rng, spar_round *out)
{
    const dts *self = (const dts *)base;
    size_t mark = spar__scratch_mark(scratch);
    desk d;
    bool room = desk_take(scratch, self, &d);
    if (room) {
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
    self->x = self->alpha * spar__log((double)base->learned + 2);
    if (i != j) {
        spar__pairs_learn(&self->pairs, round, feedback, self->eta);
        measure(self, i < j ? i : j, i < j ? j : i);
        arrange(self);
        self->ahead[i] = self->ahead[j] = -(double)INFINITY; /* to be counted anew */
    }
    for (size_t k = 0; k < self->pairs.n; k++)
        if (self->x > self->ahead[k])
            count_above(self, k);
}

static spar_status score(const spar_policy *base, spar_scratch *scratch, double *value)
{
    (void)scratch;
    spar__pairs_score(&((const dts *)base)->pairs, value);
    return SPAR_OK;
}

static void archive(spar_policy *base, spar__archive *ar)
{
    dts *self = (dts *)base;
    spar__pairs_archive(&self->pairs, ar);
    if (ar->loading && !ar->failed)
        measure_all(self, base->learned);
}

static const spar_param params[] = {
    {"alpha", SPAR_PARAM_NUMBER, "0.51", 0, 1000, NULL, "width of the bounds: sqrt(alpha log t / n)"},
    {"eta", SPAR_PARAM_NUMBER, "1", 1e-6, 100, NULL, "learning rate: what a win adds to the winner's count"},
    {0},
};

extern const spar__policy_class spar__policy_dts;
const spar__policy_class spar__policy_dts = {
    .entry = {"dts", "double Thompson sampling from Beta beliefs about pairs", "Wu, Liu, NIPS 2016", params},
    .size = sizeof(dts),
    .players = SPAR__PLAYERS_NONE,
    .min_m = 2,
    .max_m = 2,
    .pairs = true,
    .all_live = true,
    .init = init,
    .fini = fini,
    .choose = choose,
    .learn = learn,
    .score = score,
    .archive = archive,
};
