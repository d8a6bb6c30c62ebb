/* ucb1 - optimism: plays the arm with the highest upper confidence bound.
 *
 * Auer, Cesa-Bianchi, Fischer, Finite-time analysis of the multiarmed bandit problem, Machine Learning 2002.
 *
 *     each arm once in random order, then argmax_i  S_i / n_i + sqrt(alpha log n / n_i),  n = sum_i n_i
 *
 * Ties are broken at random. Cost O(K). */
#include "base/alloc.h"
#include "mab/mab.h"
#include "num/elementary.h"
#include "posterior/argmax.h"
#include "types/per_arm.h"

#include <math.h>

typedef struct ucb1 {
    spar__mab base;
    double alpha;
    double *pulls, *sum; /* per arm; not whole where an observation has a weight of its own */
    double total;        /* pulls of all arms */
    spar__per_arm size;
    size_t fresh; /* live arms never pulled */
} ucb1;

static void forget(spar__mab *base)
{
    ucb1 *self = (ucb1 *)base;
    for (size_t i = 0; i < self->size.n; i++)
        self->pulls[i] = self->sum[i] = 0;
    self->total = 0;
    self->fresh = base->arms->live;
}

static spar_status resize(spar__mab *base)
{
    ucb1 *self = (ucb1 *)base;
    double **const arrays[] = {&self->pulls, &self->sum};
    if (spar__per_arm_fit(&self->size, base->arms, 2, arrays))
        return SPAR_NOMEM;
    self->fresh = 0;
    for (size_t i = 0; i < self->size.n; i++)
        self->fresh += base->arms->alive[i] && self->pulls[i] == 0;
    return SPAR_OK;
}

static spar_status init(spar__mab *base, const spar__values *values, spar_error *err)
{
    ((ucb1 *)base)->alpha = spar__number(values, "alpha");
    return resize(base) ? spar__fail_memory(err) : SPAR_OK;
}

static void fini(spar__mab *base)
{
    ucb1 *self = (ucb1 *)base;
    spar__free(self->pulls);
    spar__free(self->sum);
}

/* The first pulls in random order: any live arm not yet pulled, all equally likely. */
static size_t pick_fresh(const ucb1 *self, spar_rng *rng)
{
    size_t skip = (size_t)spar_rng_below(rng, self->fresh);
    for (size_t i = 0;; i++)
        if (self->base.arms->alive[i] && self->pulls[i] == 0 && skip-- == 0)
            return i;
}

static spar_status pick(const spar__mab *base, spar_scratch *scratch, spar_rng *rng, size_t m, bool distinct,
                        size_t *arm, double *prob, double *x)
{
    (void)distinct, (void)x;
    const ucb1 *self = (const ucb1 *)base;
    for (size_t j = 0; j < m; j++)
        prob[j] = 1;
    if (self->fresh) {
        for (size_t j = 0; j < m; j++)
            arm[j] = pick_fresh(self, rng);
        return SPAR_OK;
    }
    size_t mark = spar__scratch_mark(scratch);
    double *bound = spar__scratch_take(scratch, self->size.n, sizeof *bound);
    if (!bound)
        return SPAR_NOMEM;
    double width = self->total > 1 ? self->alpha * spar__log(self->total) : 0;
    for (size_t i = 0; i < self->size.n; i++)
        bound[i] = self->sum[i] / self->pulls[i] + sqrt(width / self->pulls[i]);
    if (base->arms->live < self->size.n)
        for (size_t i = 0; i < self->size.n; i++)
            if (!base->arms->alive[i])
                bound[i] = -INFINITY;
    for (size_t j = 0; j < m; j++)
        arm[j] = spar__argmax(rng, self->size.n, bound);
    spar__scratch_release(scratch, mark);
    return SPAR_OK;
}

static void learn(spar__mab *base, size_t arm, double reward, double weight, double prob)
{
    (void)prob;
    ucb1 *self = (ucb1 *)base;
    self->fresh -= self->pulls[arm] == 0 && base->arms->alive[arm];
    self->pulls[arm] += weight;
    self->sum[arm] += weight * reward;
    self->total += weight;
}

static spar_status score(const spar__mab *base, spar_scratch *scratch, double *value)
{
    (void)scratch;
    const ucb1 *self = (const ucb1 *)base;
    for (size_t i = 0; i < self->size.n; i++)
        value[i] = self->pulls[i] > 0 ? self->sum[i] / self->pulls[i] : 0.5;
    return SPAR_OK;
}

static void archive(spar__mab *base, spar__archive *ar)
{
    ucb1 *self = (ucb1 *)base;
    spar__archive_f64(ar, &self->total);
    spar__archive_f64s(ar, self->pulls, self->size.n);
    spar__archive_f64s(ar, self->sum, self->size.n);
    if (!ar->loading)
        return;
    spar__archive_check(ar, self->total >= 0 && isfinite(self->total));
    for (size_t i = 0; i < self->size.n; i++)
        spar__archive_check(ar, self->sum[i] >= 0 && self->sum[i] <= self->pulls[i] && self->pulls[i] <= self->total);
    (void)resize(base); /* counts the fresh arms again; the room is there */
}

static const spar_param params[] = {
    {"alpha", SPAR_PARAM_NUMBER, "2", 0, 1000, NULL, "width of the bound: sqrt(alpha log n / n_i)"},
    {0},
};

extern const spar__mab_class spar__mab_ucb1;
const spar__mab_class spar__mab_ucb1 = {
    .entry = {"ucb1", "plays the arm with the highest upper confidence bound",
              "Auer, Cesa-Bianchi, Fischer, Machine Learning 2002", params},
    .size = sizeof(ucb1),
    .init = init,
    .fini = fini,
    .resize = resize,
    .forget = forget,
    .pick = pick,
    .learn = learn,
    .score = score,
    .archive = archive,
};
