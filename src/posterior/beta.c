/* beta - independent arms: theta_i ~ Beta(a + S_i, b + F_i).
 *
 * W. R. Thompson, On the likelihood that one unknown probability exceeds another in view of the evidence of two
 * samples, Biometrika 1933; as used by Sui, Zhuang, Burdick, Yue, Multi-dueling Bandits with Dependent Arms, UAI 2017.
 *
 * A reward r in [0,1] of weight w adds w r to S_i and w (1 - r) to F_i, without rounding.
 * Cost: observe O(1), best O(m K) Beta draws. */
#include "base/alloc.h"
#include "posterior/argmax.h"
#include "posterior/posterior.h"
#include "sampler/sampler.h"
#include "types/per_arm.h"

#include <math.h>
#include <string.h>

typedef struct beta {
    spar__posterior base;
    double prior_a, prior_b;
    double *a, *b; /* the parameters of each arm's law, prior included */
    spar__per_arm size;
} beta;

/* No count is near this: a saved one beyond it is nonsense, and the sampler would not return from it. */
#define LARGEST 0x1p+500

/* Draws are made in batches of about this many values: enough to fill the vectors, little enough for the cache. */
enum { BATCH = 2048 };

static void forget(spar__posterior *base)
{
    beta *self = (beta *)base;
    for (size_t i = 0; i < self->size.n; i++) {
        self->a[i] = self->prior_a;
        self->b[i] = self->prior_b;
    }
}

static spar_status resize(spar__posterior *base)
{
    beta *self = (beta *)base;
    double **const arrays[] = {&self->a, &self->b};
    size_t known = self->size.n;
    if (spar__per_arm_fit(&self->size, base->arms, 2, arrays))
        return SPAR_NOMEM;
    for (size_t i = known; i < self->size.n; i++) {
        self->a[i] = self->prior_a;
        self->b[i] = self->prior_b;
    }
    return SPAR_OK;
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
}

static void observe(spar__posterior *base, size_t arm, double reward, double weight)
{
    beta *self = (beta *)base;
    self->a[arm] += weight * reward;
    self->b[arm] += weight * (1 - reward);
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

/* The live arms' parameters side by side; index[i] is the arm of place i. */
static size_t gather(const beta *self, double *a, double *b, size_t *index)
{
    size_t live = 0;
    for (size_t i = 0; i < self->size.n; i++) {
        if (!self->base.arms->alive[i])
            continue;
        a[live] = self->a[i];
        b[live] = self->b[i];
        index[live++] = i;
    }
    return live;
}

static spar_status best(const spar__posterior *base, spar_scratch *scratch, spar_rng *rng, size_t m, size_t *arm,
                        double *x)
{
    (void)x;
    const beta *self = (const beta *)base;
    size_t live = base->arms->live;
    size_t group = BATCH / live ? BATCH / live : 1; /* slots drawn in one batch */
    if (group > m)
        group = m;
    size_t mark = spar__scratch_mark(scratch);
    double *a = spar__scratch_take(scratch, group * live, sizeof *a);
    double *b = spar__scratch_take(scratch, group * live, sizeof *b);
    double *theta = spar__scratch_take(scratch, group * live, sizeof *theta);
    size_t *index = spar__scratch_take(scratch, live, sizeof *index);
    bool room = a && b && theta && index;
    if (room) {
        (void)gather(self, a, b, index);
        for (size_t g = 1; g < group; g++) {
            memcpy(a + g * live, a, live * sizeof *a);
            memcpy(b + g * live, b, live * sizeof *b);
        }
        for (size_t done = 0; done < m; done += group) {
            size_t slots = m - done < group ? m - done : group;
            sample(self, rng, slots * live, a, b, theta);
            for (size_t g = 0; g < slots; g++)
                arm[done + g] = index[spar__argmax(rng, live, theta + g * live)];
        }
    }
    spar__scratch_release(scratch, mark);
    return room ? SPAR_OK : SPAR_NOMEM;
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
        spar__archive_check(ar, self->a[i] >= self->prior_a && self->a[i] <= LARGEST && self->b[i] >= self->prior_b &&
                                    self->b[i] <= LARGEST);
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
    .resize = resize,
    .forget = forget,
    .observe = observe,
    .draw = draw,
    .best = best,
    .moments = moments,
    .archive = archive,
};
