/* beta.c - the belief beta: independent arms, theta_i ~ Beta(a + S_i, b + F_i). Papers, ways and costs: beta.h. */
#include "posterior/beta/beta.h"

#include "base/alloc.h"
#include "num/elementary.h"
#include "posterior/beta/survival.h"
#include "sampler/sampler.h"
#include "types/arms.h"

#include <math.h>
#include <string.h>

/* --- The lazy way: the argmax of a few independent Betas without drawing them all ---
 *
 * Keep a threshold c, a leader L, S_i = P(theta_i > c) and P0 = product of (1 - S_i) over i != L. One uniform u tells
 *     u < S_L P0   L alone exceeds c: L is best, and no value is needed,
 *     u < P0       no arm exceeds c: all arms are drawn given theta <= c,
 *     else         other arms do: which ones, and whether L does, is drawn; then the values of these given theta > c.
 * All are exact for any c. c and L are chosen such that the first case has about its largest probability, which
 * goes to 1 as the leader parts from the others. S follows whole wins and losses by recurrence (survival.h).
 *
 * When c no longer fits, slow draws become frequent. Their expected number since the last look is the debt; when it
 * reaches what a look costs, a better c is looked for, so that looks at most double the cost. While most draws would be
 * slow, or where a step is not whole, this is off and the belief draws every arm. All of that is decided in settle,
 * from the state alone. */

enum {
    LOOK = 64,          /* a look and a new start, in slow draws */
    FIRST = 16,         /* the round of the first look */
    SETBACK = 64,       /* rounds to wait when put off by a step that is not whole, doubled each time in a row */
    MOST_SETBACKS = 12, /* doublings */
};
#define WORTH 0.3       /* the probability of the quick case from which this pays */
#define GAIN 0.8        /* a new c should make slow draws rarer by this */
#define MOST_LOOKS 64.0 /* the limit doubles up to this many looks while looking does not help */

typedef struct lazy {
    bool on; /* S and the rest are kept; else every arm is to be drawn */
    size_t leader;
    double c;
    double none_above; /* P0: no arm but perhaps the leader exceeds c */
    double alone;      /* S_L P0: the leader does, alone */

    double S[SPAR__LAZY_ARMS], D[SPAR__LAZY_ARMS], scale[SPAR__LAZY_ARMS];
    double below[SPAR__LAZY_ARMS];                 /* 1 - S; 1 for the leader and for absent arms */
    double a[SPAR__LAZY_ARMS], b[SPAR__LAZY_ARMS]; /* the state that S and D belong to */
    uint64_t touched;                              /* arms that have been observed since */

    double rounds;      /* settled since the beginning, or since everything changed */
    double next;        /* the round of the next look, while off */
    double setbacks;    /* times in a row that it was put off by steps it cannot follow */
    double debt, limit; /* slow draws expected since the last look, and how many call for the next */
} lazy;

static void lazy_reset(lazy *self)
{
    *self = (lazy){.next = FIRST, .limit = LOOK};
}

/* The probability of the quick case; a leader that has retired exceeds nothing. */
static void set_alone(lazy *self, const spar__beta_view *view)
{
    self->alone = view->alive[self->leader] ? self->none_above * self->S[self->leader] : 0;
}

/* P0: four products side by side. */
static void multiply(lazy *self, const spar__beta_view *view)
{
    double p[4] = {1, 1, 1, 1};
    for (size_t i = 0; i < view->n; i += 4)
        for (size_t k = 0; k < 4; k++)
            p[k] *= self->below[i + k];
    self->none_above = (p[0] * p[1]) * (p[2] * p[3]);
    set_alone(self, view);
}

static void set_below(lazy *self, const spar__beta_view *view, size_t i)
{
    self->below[i] = i == self->leader || !view->alive[i] ? 1 : 1 - self->S[i];
}

static void start_arm(lazy *self, const spar__beta_view *view, size_t i)
{
    self->a[i] = view->a[i];
    self->b[i] = view->b[i];
    spar__survival_start(view->a[i], view->b[i], self->c, &self->S[i], &self->D[i], &self->scale[i]);
}

static void start(lazy *self, const spar__beta_view *view, size_t leader, double c)
{
    self->on = true;
    self->touched = 0;
    self->leader = leader;
    self->c = c;
    for (size_t i = 0; i < SPAR__LAZY_ARMS; i++)
        self->below[i] = 1;
    for (size_t i = 0; i < view->n; i++) {
        start_arm(self, view, i);
        set_below(self, view, i);
    }
    multiply(self, view);
}

/* known: arms before */
static void lazy_resize(lazy *self, const spar__beta_view *view, size_t known)
{
    if (!self->on)
        return;
    for (size_t i = 0; i < view->n; i++) {
        if (i >= known)
            start_arm(self, view, i);
        set_below(self, view, i);
    }
    for (size_t i = view->n; i < known; i++)
        self->below[i] = 1;
    multiply(self, view);
}

/* The live arm with the highest mean. */
static size_t find_leader(const spar__beta_view *view)
{
    size_t leader = view->n;
    for (size_t i = 0; i < view->n; i++)
        if (view->alive[i] && (leader == view->n || view->a[i] * view->b[leader] > view->a[leader] * view->b[i]))
            leader = i;
    return leader;
}

/* The arms on the scale phi = asin sqrt theta, on which Beta(a,b) is about normal with deviation 1 / (2 sqrt(a + b)).
 * Good enough to choose a threshold by. */
typedef struct rough_arms {
    size_t n;
    double centre[SPAR__LAZY_ARMS], sharpness[SPAR__LAZY_ARMS]; /* the leader first */
} rough_arms;

static void add_rough(rough_arms *to, double a, double b)
{
    to->centre[to->n] = spar__atan(sqrt(a / b));
    to->sharpness[to->n++] = 2 * sqrt(a + b);
}

/* About the probability of the quick case at phi. P(Z <= z) is about logistic(1.6 z + 0.07 z^3). */
static double rough_alone(const rough_arms *arms, double phi)
{
    double p = 1;
    for (size_t i = 0; i < arms->n; i++) {
        double z = (phi - arms->centre[i]) * arms->sharpness[i] * (i ? 1 : -1);
        if (z < 7)
            p *= spar__logistic(z * (1.5976 + 0.070566 * z * z));
    }
    return p;
}

/* The threshold with about the largest probability of the quick case, by golden sections between the leader's centre
 * and the point eight deviations below it: the probability has one top there. */
static double find_threshold(const spar__beta_view *view, size_t leader, double *alone)
{
    const double golden = 0.6180339887498949;
    rough_arms arms = {.n = 0};
    add_rough(&arms, view->a[leader], view->b[leader]);
    for (size_t i = 0; i < view->n; i++)
        if (view->alive[i] && i != leader)
            add_rough(&arms, view->a[i], view->b[i]);
    double high = arms.centre[0], low = fmax(high - 8 / arms.sharpness[0], high / 8);
    double x = high - golden * (high - low), y = low + golden * (high - low);
    double at_x = rough_alone(&arms, x), at_y = rough_alone(&arms, y);
    for (int k = 0; k < 6; k++) {
        if (at_x > at_y) {
            high = y;
            y = x;
            at_y = at_x;
            x = high - golden * (high - low);
            at_x = rough_alone(&arms, x);
        } else {
            low = x;
            x = y;
            at_x = at_y;
            y = low + golden * (high - low);
            at_y = rough_alone(&arms, y);
        }
    }
    *alone = fmax(at_x, at_y);
    double root = spar__sin(at_x > at_y ? x : y);
    return root * root;
}

static bool moderate(const spar__beta_view *view)
{
    for (size_t i = 0; i < view->n; i++)
        if (!(view->a[i] + view->b[i] < SPAR__SURVIVAL_COUNT))
            return false;
    return true;
}

/* Is there a better threshold? */
static void look(lazy *self, const spar__beta_view *view)
{
    double alone = 0, c = 0;
    size_t leader = find_leader(view);
    if (leader < view->n && moderate(view))
        c = find_threshold(view, leader, &alone);
    self->debt = 0;
    if (!(alone > WORTH) || !(c > 0 && c < 1)) {
        self->on = false;
        self->next = self->rounds + fmax(FIRST, floor(self->rounds / 8));
        self->limit = LOOK;
    } else if (!self->on || 1 - alone < GAIN * (1 - self->alone)) {
        start(self, view, leader, c);
        self->limit = LOOK;
    } else {
        self->limit = fmin(2 * self->limit, LOOK * MOST_LOOKS);
    }
}

/* Brings the touched arms up to date; false when one took a step that cannot be followed. */
static bool follow(lazy *self, const spar__beta_view *view)
{
    bool others = false;
    for (; self->touched; self->touched &= self->touched - 1) {
        size_t i = (size_t)__builtin_ctzll(self->touched);
        double wins = view->a[i] - self->a[i], losses = view->b[i] - self->b[i];
        if (!spar__survival_gap(wins, losses) || !(view->a[i] + view->b[i] < SPAR__SURVIVAL_COUNT))
            return false;
        spar__survival_walk(1, &self->c, &self->S[i], &self->D[i], &self->scale[i], self->a[i], self->b[i], wins,
                            losses);
        self->a[i] = view->a[i];
        self->b[i] = view->b[i];
        if (i != self->leader) {
            set_below(self, view, i);
            others = true;
        }
    }
    if (others)
        multiply(self, view);
    else
        set_alone(self, view);
    return true;
}

static void lazy_settle(lazy *self, const spar__beta_view *view)
{
    self->rounds++;
    if (!self->on) {
        self->touched = 0;
        if (self->rounds >= self->next)
            look(self, view);
        return;
    }
    if (!follow(self, view)) {
        self->on = false;
        self->touched = 0;
        self->next = self->rounds + ldexp(SETBACK, (int)self->setbacks);
        self->setbacks = fmin(self->setbacks + 1, MOST_SETBACKS);
        return;
    }
    self->debt += 1 - self->alone;
    if (self->debt > self->limit || !view->alive[self->leader]) {
        self->setbacks = 0;
        look(self, view);
    }
}

/* No arm exceeds c: a value above it is drawn again, given that it is not. */
static size_t draw_below(const lazy *self, const spar__beta_view *view, spar_rng *rng)
{
    double theta[SPAR__LAZY_ARMS], top = -1;
    size_t best = self->leader;
    spar__beta_batch(rng, view->n, view->a, view->b, theta);
    for (size_t i = 0; i < view->n; i++) {
        if (!view->alive[i])
            continue;
        double value = theta[i] > self->c ? spar__beta_below(rng, view->a[i], view->b[i], self->c) : theta[i];
        if (value > top) {
            top = value;
            best = i;
        }
    }
    return best;
}

/* One best arm; only while on. */
static size_t lazy_best(const lazy *self, const spar__beta_view *view, spar_rng *rng)
{
    double u = (double)(spar__rng_next(rng) >> 11) * 0x1p-53;
    if (u < self->alone)
        return self->leader;
    if (u < self->none_above)
        return draw_below(self, view, rng);
    /* Which of the others exceed c, given that some do: the first of them by its probability, those after it one by
     * one. */
    size_t n = view->n, who[SPAR__LAZY_ARMS + 1];
    double first[SPAR__LAZY_ARMS] = {0}, none = 1, top = -1;
    for (size_t i = 0; i < n; i++) {
        first[i] = none * (1 - self->below[i]);
        none *= self->below[i];
    }
    size_t count = 0, i = spar__choose_weighted(rng, n, first);
    if (i < n)
        who[count++] = i;
    for (i++; i < n; i++)
        if (self->below[i] < 1 && spar_rng_uniform(rng) >= self->below[i])
            who[count++] = i;
    if (count == 0 || (view->alive[self->leader] && spar_rng_uniform(rng) < self->S[self->leader]))
        who[count++] = self->leader;
    size_t best = who[0];
    for (size_t k = 0; count > 1 && k < count; k++) {
        double value = spar__beta_above(rng, view->a[who[k]], view->b[who[k]], self->c);
        if (value > top) {
            top = value;
            best = who[k];
        }
    }
    return best;
}

static void lazy_archive(lazy *self, const spar__beta_view *view, spar__archive *ar)
{
    spar__archive_f64(ar, &self->rounds);
    spar__archive_f64(ar, &self->next);
    spar__archive_f64(ar, &self->setbacks);
    spar__archive_f64(ar, &self->debt);
    double c = self->on ? self->c : 0;
    size_t leader = self->on ? self->leader : 0;
    spar__archive_f64(ar, &c);
    spar__archive_size(ar, &leader);
    if (ar->loading)
        self->on = c != 0;
    if (self->on) {
        spar__archive_f64s(ar, self->S, view->n);
        spar__archive_f64s(ar, self->D, view->n);
        spar__archive_f64s(ar, self->scale, view->n);
    }
    spar__archive_f64(ar, &self->limit);
    if (!ar->loading)
        return;
    spar__archive_check(ar, self->rounds >= 0 && self->rounds == floor(self->rounds) && self->next >= 0 &&
                                self->setbacks >= 0 && self->setbacks <= MOST_SETBACKS &&
                                self->setbacks == floor(self->setbacks) && self->debt >= 0 && self->limit >= LOOK &&
                                self->limit <= LOOK * MOST_LOOKS);
    bool fits = !self->on || (c > 0 && c < 1 && leader < view->n && moderate(view));
    for (size_t i = 0; !ar->failed && fits && self->on && i < view->n; i++)
        fits = spar__survival_sound(view->a[i], view->b[i], c, self->S[i], self->D[i], self->scale[i]);
    spar__archive_check(ar, fits);
    self->on = self->on && !ar->failed;
    self->touched = 0;
    self->c = c;
    self->leader = leader;
    for (size_t i = 0; self->on && i < SPAR__LAZY_ARMS; i++) {
        self->a[i] = i < view->n ? view->a[i] : 0;
        self->b[i] = i < view->n ? view->b[i] : 0;
        self->below[i] = 1;
        if (i < view->n)
            set_below(self, view, i);
    }
    if (self->on)
        multiply(self, view);
}

/* --- The belief --- */

typedef struct beta {
    spar__posterior base;
    double prior_a, prior_b;
    double *a, *b; /* the parameters of each arm's law, prior included */
    spar__per_arm size;
    lazy *lazy;           /* for few arms */
    spar__ladder *ladder; /* for many; both NULL where a or b may be below 1 */
    bool plain;           /* draw every arm */
} beta;

/* Draws are made in batches of about this many values: enough to fill the vectors, little enough for the cache. */
enum { BATCH = 2048 };

static spar__beta_view view_of(const beta *self)
{
    return (spar__beta_view){self->size.n, self->base.arms->live,  self->a,
                             self->b,      self->base.arms->alive, self->base.arms->turned};
}

static void set_prior(beta *self, size_t from)
{
    for (size_t i = from; i < self->size.n; i++) {
        self->a[i] = self->prior_a;
        self->b[i] = self->prior_b;
    }
}

/* Few arms use the lazy way, whose memory is always there; the tree is allocated when it is first needed. */
static bool few(const beta *self)
{
    return self->size.n <= SPAR__LAZY_ARMS;
}

/* Both ways anew from the counts. */
static void renew_ways(beta *self)
{
    spar__beta_view view = view_of(self);
    if (self->lazy)
        lazy_reset(self->lazy);
    if (self->ladder && !few(self))
        spar__ladder_build(self->ladder, &view);
}

static void forget(spar__posterior *base)
{
    beta *self = (beta *)base;
    set_prior(self, 0);
    renew_ways(self);
}

static spar_status resize(spar__posterior *base)
{
    beta *self = (beta *)base;
    double **const arrays[] = {&self->a, &self->b};
    size_t known = self->size.n;
    if (spar__per_arm_fit(&self->size, base->arms, 2, arrays))
        return SPAR_NOMEM;
    set_prior(self, known);
    /* Makes ready the way that serves this number of arms. */
    spar__beta_view view = view_of(self);
    if (!(self->prior_a >= 1 && self->prior_b >= 1))
        return SPAR_OK;
    if (!self->lazy) {
        self->lazy = spar__alloc(1, sizeof *self->lazy);
        if (!self->lazy)
            return SPAR_NOMEM;
        lazy_reset(self->lazy);
    }
    if (few(self)) {
        if (self->ladder)
            spar__ladder_leave(self->ladder); /* it is built again when it is needed */
        if (known <= SPAR__LAZY_ARMS)
            lazy_resize(self->lazy, &view, known);
        return SPAR_OK;
    }
    if (!self->ladder)
        self->ladder = spar__alloc(1, sizeof *self->ladder);
    return self->ladder ? spar__ladder_resize(self->ladder, &view, self->size.capacity) : SPAR_NOMEM;
}

static spar_status init(spar__posterior *base, const spar__values *values, spar_error *err)
{
    beta *self = (beta *)base;
    self->prior_a = spar__number(values, "a");
    self->prior_b = spar__number(values, "b");
    return resize(base) ? spar__fail_memory(err) : SPAR_OK;
}

static void fini(spar__posterior *base)
{
    beta *self = (beta *)base;
    spar__free(self->a);
    spar__free(self->b);
    spar__free(self->lazy);
    if (self->ladder)
        spar__ladder_free(self->ladder);
    spar__free(self->ladder);
}

static spar_status reserve(spar__posterior *base, size_t arms)
{
    beta *self = (beta *)base;
    return self->ladder && !few(self) ? spar__ladder_reserve(self->ladder, arms) : SPAR_OK;
}

static void observe(spar__posterior *base, size_t arm, double reward, double weight)
{
    beta *self = (beta *)base;
    if (self->lazy && few(self)) {
        self->lazy->touched |= (uint64_t)1 << arm;
    } else if (self->ladder) {
        spar__beta_view view = view_of(self);
        spar__ladder_touch(self->ladder, &view, arm);
    }
    self->a[arm] += weight * reward;
    self->b[arm] += weight * (1 - reward);
}

static void settle(spar__posterior *base)
{
    beta *self = (beta *)base;
    spar__beta_view view = view_of(self);
    if (self->lazy && few(self)) {
        lazy_settle(self->lazy, &view);
    } else if (self->ladder) {
        self->ladder->distinct = base->distinct;
        spar__ladder_settle(self->ladder, &view);
    }
}

/* n values with the given parameters. The batch sampler needs a, b >= 1, which a prior of at least 1 ensures. */
static void sample(const beta *self, spar_rng *rng, size_t n, const double *a, const double *b, double *theta)
{
    if (self->prior_a >= 1 && self->prior_b >= 1) {
        spar__beta_batch(rng, n, a, b, theta);
        return;
    }
    for (size_t i = 0; i < n; i++)
        theta[i] = spar__beta(rng, a[i], b[i]);
}

static spar_status draw(const spar__posterior *base, spar_scratch *scratch, spar_rng *rng, double *theta)
{
    (void)scratch;
    const beta *self = (const beta *)base;
    sample(self, rng, self->size.n, self->a, self->b, theta);
    return SPAR_OK;
}

/* The place of an arm in the rising list of live ones. */
static size_t place_of(size_t live, const size_t *index, size_t arm)
{
    size_t low = 0, high = live < arm + 1 ? live : arm + 1; /* it is at `arm` unless some have retired */
    while (high - low > 1) {
        size_t middle = index[high - 1] == arm ? high - 1 : (low + high) / 2;
        *(index[middle] > arm ? &high : &low) = middle;
    }
    return low;
}

/* The slots from `first` on by drawing every arm; distinct: without the arms of the slots before. */
static spar_status draw_all(const beta *self, spar_scratch *scratch, spar_rng *rng, size_t first, size_t m,
                            bool distinct, size_t *arm)
{
    size_t live = self->base.arms->live;
    size_t group = BATCH / live ? BATCH / live : 1; /* slots drawn in one batch */
    if (group > m - first)
        group = m - first;
    size_t mark = spar__scratch_mark(scratch);
    double *a = spar__scratch_take(scratch, group * live, sizeof *a);
    double *b = spar__scratch_take(scratch, group * live, sizeof *b);
    double *theta = spar__scratch_take(scratch, group * live, sizeof *theta);
    size_t *index = spar__scratch_take(scratch, live, sizeof *index);
    bool room = a && b && theta && index;
    if (room) {
        /* The live arms' parameters side by side; index[i] is the arm that a[i] and b[i] belong to. */
        for (size_t i = 0, at = 0; i < self->size.n; i++) {
            if (!self->base.arms->alive[i])
                continue;
            a[at] = self->a[i];
            b[at] = self->b[i];
            index[at++] = i;
        }
        for (size_t g = 1; g < group; g++) {
            memcpy(a + g * live, a, live * sizeof *a);
            memcpy(b + g * live, b, live * sizeof *b);
        }
        for (size_t done = first; done < m; done += group) {
            size_t slots = m - done < group ? m - done : group;
            sample(self, rng, slots * live, a, b, theta);
            for (size_t g = 0; g < slots; g++) {
                for (size_t k = 0; distinct && k < done + g; k++)
                    theta[g * live + place_of(live, index, arm[k])] = -1;
                arm[done + g] = index[spar__argmax(rng, live, theta + g * live)];
            }
        }
    }
    spar__scratch_release(scratch, mark);
    return room ? SPAR_OK : SPAR_NOMEM;
}

static spar_status best(const spar__posterior *base, spar_scratch *scratch, spar_rng *rng, size_t m, size_t *arm,
                        double *x)
{
    (void)x;
    const beta *self = (const beta *)base;
    spar__beta_view view = view_of(self);
    spar_status status = SPAR_OK;
    if (self->plain)
        return draw_all(self, scratch, rng, 0, m, false, arm);
    if (self->lazy && few(self) && self->lazy->on) {
        for (size_t j = 0; j < m; j++)
            arm[j] = lazy_best(self->lazy, &view, rng);
    } else if (self->ladder && !few(self) && self->ladder->on && spar__ladder_pays(self->ladder)) {
        status = spar__ladder_best(self->ladder, scratch, rng, m, arm);
        for (size_t j = 0; !status && j < m; j++) { /* they are observed soon */
            __builtin_prefetch(&self->a[arm[j]]);
            __builtin_prefetch(&self->b[arm[j]]);
        }
    } else {
        status = draw_all(self, scratch, rng, 0, m, false, arm);
    }
    return status;
}

/* Without the leader the lazy way would nearly always have to draw all arms: it serves the first slot. */
static spar_status best_distinct(const spar__posterior *base, spar_scratch *scratch, spar_rng *rng, size_t m,
                                 size_t *arm)
{
    const beta *self = (const beta *)base;
    spar__beta_view view = view_of(self);
    spar_status status = SPAR_OK;
    size_t done = 0;
    if (!self->plain && self->lazy && few(self) && self->lazy->on)
        arm[done++] = lazy_best(self->lazy, &view, rng);
    else if (!self->plain && self->ladder && !few(self) && self->ladder->on && spar__ladder_pays(self->ladder))
        status = spar__ladder_best_distinct(self->ladder, scratch, rng, m, arm, &done);
    return status || done == m ? status : draw_all(self, scratch, rng, done, m, true, arm);
}

static spar_status moments(const spar__posterior *base, spar_scratch *scratch, double *mean, double *sd)
{
    (void)scratch;
    const beta *self = (const beta *)base;
    for (size_t i = 0; i < self->size.n; i++) {
        double a = self->a[i], b = self->b[i], sum = a + b;
        if (mean)
            mean[i] = a / sum;
        if (sd)
            sd[i] = sqrt(a / sum * (b / sum) / (sum + 1));
    }
    return SPAR_OK;
}

static void archive(spar__posterior *base, spar__archive *ar)
{
    beta *self = (beta *)base;
    spar__archive_f64s(ar, self->a, self->size.n);
    spar__archive_f64s(ar, self->b, self->size.n);
    for (size_t i = 0; ar->loading && i < self->size.n; i++)
        spar__archive_check(ar, self->a[i] >= self->prior_a && self->a[i] <= SPAR__LARGEST_COUNT &&
                                    self->b[i] >= self->prior_b && self->b[i] <= SPAR__LARGEST_COUNT);
    spar__beta_view view = view_of(self);
    if (ar->failed)
        return;
    if (!ar->cache && ar->loading)
        renew_ways(self);
    else if (ar->cache && self->lazy && few(self))
        lazy_archive(self->lazy, &view, ar->cache);
    else if (ar->cache && self->ladder)
        spar__ladder_archive(self->ladder, &view, ar->cache);
}

void spar__beta_plain(spar__posterior *self, bool plain)
{
    ((beta *)self)->plain = plain;
}

void spar__beta_threshold(spar__posterior *base, double c)
{
    beta *self = (beta *)base;
    spar__beta_view view = view_of(self);
    start(self->lazy, &view, find_leader(&view), c);
    self->lazy->limit = INFINITY; /* for good */
}

static const spar_param params[] = {
    {"a", SPAR_PARAM_NUMBER, "1", 0.001, 1e6, NULL, "prior wins of every arm"},
    {"b", SPAR_PARAM_NUMBER, "1", 0.001, 1e6, NULL, "prior losses of every arm"},
    {0},
};

const spar__posterior_class spar__posterior_beta = {
    .entry = {"beta", "an independent Beta law for each arm", "Thompson, Biometrika 1933", params},
    .size = sizeof(beta),
    .init = init,
    .fini = fini,
    .any_arms = true,
    .resize = resize,
    .forget = forget,
    .reserve = reserve,
    .observe = observe,
    .settle = settle,
    .draw = draw,
    .best = best,
    .best_distinct = best_distinct,
    .moments = moments,
    .archive = archive,
};
