/* beta - independent arms: theta_i ~ Beta(a + S_i, b + F_i). Papers, ways and costs: beta.h. */
#include "posterior/beta/beta.h"

#include "base/alloc.h"
#include "posterior/argmax.h"
#include "posterior/beta/ladder.h"
#include "posterior/beta/lazy.h"
#include "sampler/sampler.h"
#include "types/arms.h"

#include <math.h>
#include <string.h>

typedef struct beta {
    spar__posterior base;
    double prior_a, prior_b;
    double *a, *b; /* the parameters of each arm's law, prior included */
    spar__per_arm size;
    spar__lazy *lazy;     /* for few arms */
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

/* Few arms use lazy.c, whose memory is always there; the ladder is allocated when it is first needed. */
static bool few(const beta *self)
{
    return self->size.n <= SPAR__LAZY_ARMS;
}

/* Makes ready the way that serves this number of arms. */
static spar_status fit_way(beta *self, size_t known)
{
    spar__beta_view view = view_of(self);
    if (!(self->prior_a >= 1 && self->prior_b >= 1))
        return SPAR_OK;
    if (!self->lazy) {
        self->lazy = spar__alloc(1, sizeof *self->lazy);
        if (!self->lazy)
            return SPAR_NOMEM;
        spar__lazy_reset(self->lazy);
    }
    if (few(self)) {
        if (self->ladder)
            spar__ladder_leave(self->ladder); /* it is built again when it is needed */
        if (known <= SPAR__LAZY_ARMS)
            spar__lazy_resize(self->lazy, &view, known);
        return SPAR_OK;
    }
    if (!self->ladder)
        self->ladder = spar__alloc(1, sizeof *self->ladder);
    return self->ladder ? spar__ladder_resize(self->ladder, &view, self->size.capacity) : SPAR_NOMEM;
}

/* Both ways anew from the counts. */
static void renew_ways(beta *self)
{
    spar__beta_view view = view_of(self);
    if (self->lazy)
        spar__lazy_reset(self->lazy);
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
    return fit_way(self, known);
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
        spar__lazy_touch(self->lazy, arm);
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
        spar__lazy_settle(self->lazy, &view);
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

/* The live arms' parameters side by side; index[i] is the arm that a[i] and b[i] belong to. */
static void gather(const beta *self, double *a, double *b, size_t *index)
{
    size_t live = 0;
    for (size_t i = 0; i < self->size.n; i++) {
        if (!self->base.arms->alive[i])
            continue;
        a[live] = self->a[i];
        b[live] = self->b[i];
        index[live++] = i;
    }
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
        gather(self, a, b, index);
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
            arm[j] = spar__lazy_best(self->lazy, &view, rng);
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
        arm[done++] = spar__lazy_best(self->lazy, &view, rng);
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

static void archive_way(beta *self, spar__archive *ar)
{
    spar__beta_view view = view_of(self);
    if (self->lazy && few(self))
        spar__lazy_archive(self->lazy, &view, ar);
    else if (self->ladder)
        spar__ladder_archive(self->ladder, &view, ar);
}

static void archive(spar__posterior *base, spar__archive *ar)
{
    beta *self = (beta *)base;
    spar__archive_f64s(ar, self->a, self->size.n);
    spar__archive_f64s(ar, self->b, self->size.n);
    for (size_t i = 0; ar->loading && i < self->size.n; i++)
        spar__archive_check(ar, self->a[i] >= self->prior_a && self->a[i] <= SPAR__LARGEST_COUNT &&
                                    self->b[i] >= self->prior_b && self->b[i] <= SPAR__LARGEST_COUNT);
    if (ar->failed)
        return;
    if (ar->cache)
        archive_way(self, ar->cache);
    else if (ar->loading)
        renew_ways(self);
}

void spar__beta_plain(spar__posterior *self, bool plain)
{
    ((beta *)self)->plain = plain;
}

void spar__beta_threshold(spar__posterior *base, double c)
{
    beta *self = (beta *)base;
    spar__beta_view view = view_of(self);
    spar__lazy_force(self->lazy, &view, c);
}

static const spar_param params[] = {
    {"a", SPAR_PARAM_NUMBER, "1", 0.001, 1e6, NULL, "prior wins of every arm"},
    {"b", SPAR_PARAM_NUMBER, "1", 0.001, 1e6, NULL, "prior losses of every arm"},
    {0},
};

extern const spar__posterior_class spar__posterior_beta;
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
