/* exp3 - exponential weights for rewards that may be chosen by an adversary.
 *
 * Auer, Cesa-Bianchi, Freund, Schapire, The nonstochastic multiarmed bandit problem, SIAM J. Computing 2002.
 *
 *     p_i = (1 - g) w_i / sum w + g / K,   w_i *= exp(g r / (p_i K)),   g = min(1, sqrt(K log K / ((e - 1) T)))
 *
 * Without a horizon T is replaced by the current t = 1 + number of rewards learned. A pick and a reward cost O(log K);
 * all weights are touched only when one has grown by LARGE. */
#include "base/alloc.h"
#include "mab/mab.h"
#include "num/elementary.h"
#include "types/arms.h"

#include <math.h>

/* --- A tree of sums over weights, as mab.h says. --- */

enum { BLOCK = 16 };

spar_status spar__shares_fit(spar__shares *shares, size_t n)
{
    size_t leaves = 1;
    while (leaves < (n + BLOCK - 1) / BLOCK)
        leaves *= 2;
    if (leaves <= shares->leaves)
        return SPAR_OK;
    if (!spar__resize(&shares->sum, 2 * shares->leaves, 2 * leaves, sizeof *shares->sum) ||
        !spar__resize(&shares->live, 2 * shares->leaves, 2 * leaves, sizeof *shares->live))
        return SPAR_NOMEM;
    shares->leaves = leaves;
    return SPAR_OK;
}

void spar__shares_free(spar__shares *shares)
{
    spar__free(shares->sum);
    spar__free(shares->live);
}

static size_t block_end(const spar__shares *shares, size_t first)
{
    return first + BLOCK < shares->n ? first + BLOCK : shares->n;
}

static void add_block(spar__shares *shares, size_t block)
{
    double sum = 0;
    size_t live = 0, first = block * BLOCK, end = block_end(shares, first);
    for (size_t i = first; i < end; i++) {
        sum += shares->arms->alive[i] ? shares->weight[i] : 0;
        live += shares->arms->alive[i];
    }
    shares->sum[shares->leaves + block] = sum;
    shares->live[shares->leaves + block] = live;
}

void spar__shares_build(spar__shares *shares, size_t n, const double *weight, const spar_arms *arms)
{
    shares->n = n;
    shares->weight = weight;
    shares->arms = arms;
    for (size_t block = 0; block < shares->leaves; block++)
        add_block(shares, block);
    for (size_t i = shares->leaves - 1; i > 0; i--) {
        shares->sum[i] = shares->sum[2 * i] + shares->sum[2 * i + 1];
        shares->live[i] = shares->live[2 * i] + shares->live[2 * i + 1];
    }
}

void spar__shares_change(spar__shares *shares, size_t i)
{
    add_block(shares, i / BLOCK);
    for (size_t k = (shares->leaves + i / BLOCK) / 2; k > 0; k /= 2)
        shares->sum[k] = shares->sum[2 * k] + shares->sum[2 * k + 1];
}

/* Rounding may leave u at or beyond the end of what lies below a node: then it is the last live arm there. */
size_t spar__shares_at(const spar__shares *shares, double u)
{
    size_t k = 1;
    while (k < shares->leaves) {
        k *= 2;
        if (u < shares->sum[k] || shares->live[k + 1] == 0)
            continue;
        u -= shares->sum[k++];
    }
    size_t first = (k - shares->leaves) * BLOCK, end = block_end(shares, first), last = first;
    for (size_t i = first; i < end; i++) {
        if (!shares->arms->alive[i])
            continue;
        u -= shares->weight[i];
        if (u < 0)
            return i;
        last = i;
    }
    return last;
}

size_t spar__shares_live(const spar__shares *shares, size_t place)
{
    if (shares->live[1] == shares->n)
        return place;
    size_t k = 1;
    while (k < shares->leaves) {
        k *= 2;
        if (place < shares->live[k])
            continue;
        place -= shares->live[k++];
    }
    for (size_t i = (k - shares->leaves) * BLOCK;; i++)
        if (shares->arms->alive[i] && place-- == 0)
            return i;
}

/* --- The bandit. --- */

/* Weights are scaled by a power of two, which is exact, before they can overflow. None falls below SMALLEST: a weight
 * of 0 could never grow again. */
#define LARGE 0x1p+500
#define SMALLER 0x1p-500
#define SMALLEST 0x1p-1000

static const double e_minus_1 = 1.718281828459045235;

typedef struct exp3 {
    spar__mab base;
    double *weight;
    spar__per_arm size;
    double learned; /* rewards so far */

    /* Follow from the above and the arms: */
    spar__shares shares;
    double uniform; /* g, the share of play that is uniform */
    double k_log_k; /* of the live arms */
} exp3;

static void set_uniform(exp3 *self)
{
    double t = self->base.horizon ? (double)self->base.horizon : self->learned + 1;
    double g = sqrt(self->k_log_k / (e_minus_1 * t));
    self->uniform = g < 1 ? g : 1;
}

static void count_live(exp3 *self)
{
    double k = (double)self->base.arms->live;
    self->k_log_k = k * spar__log(k);
    set_uniform(self);
}

static void refresh(exp3 *self)
{
    count_live(self);
    spar__shares_build(&self->shares, self->size.n, self->weight, self->base.arms);
}

static void forget(spar__mab *base)
{
    exp3 *self = (exp3 *)base;
    for (size_t i = 0; i < self->size.n; i++)
        self->weight[i] = 1;
    self->learned = 0;
    refresh(self);
}

static spar_status resize(spar__mab *base)
{
    exp3 *self = (exp3 *)base;
    double **const arrays[] = {&self->weight};
    size_t known = self->size.n, leaves = self->shares.leaves;
    /* A new arm starts with the mean weight of the live ones, so that it is played as often as they are. */
    size_t live = known ? self->shares.live[1] : 0;
    double start = live > 0 ? spar__shares_total(&self->shares) / (double)live : 1;
    if (spar__per_arm_fit(&self->size, base->arms, 1, arrays) || spar__shares_fit(&self->shares, base->arms->n))
        return SPAR_NOMEM;
    for (size_t i = known; i < self->size.n; i++)
        self->weight[i] = start;
    self->shares.weight = self->weight; /* which may have moved */
    bool path = leaves == self->shares.leaves && known && self->size.n >= known && self->size.n <= known + 1;
    if (path) {
        /* One arm more or less: the tree as it would be if built again, by one path. */
        count_live(self);
        size_t i = known < self->size.n ? known : self->base.arms->turned;
        self->shares.n = self->size.n;
        spar__shares_change(&self->shares, i);
        for (size_t k = (self->shares.leaves + i / BLOCK) / 2; k > 0; k /= 2)
            self->shares.live[k] = self->shares.live[2 * k] + self->shares.live[2 * k + 1];
    }
    if (!path || self->shares.live[1] != base->arms->live) /* built for the first time, or an arm was taken back */
        refresh(self);
    return SPAR_OK;
}

static spar_status init(spar__mab *base, const spar__values *values, spar_error *err)
{
    (void)values;
    return resize(base) ? spar__fail_memory(err) : SPAR_OK;
}

static void fini(spar__mab *base)
{
    exp3 *self = (exp3 *)base;
    spar__free(self->weight);
    spar__shares_free(&self->shares);
}

static spar_status pick(const spar__mab *base, spar_scratch *scratch, spar_rng *rng, size_t m, bool distinct,
                        size_t *arm, double *prob, double *x)
{
    (void)scratch, (void)distinct, (void)x;
    const exp3 *self = (const exp3 *)base;
    const spar__shares *shares = &self->shares;
    size_t live = base->arms->live;
    double g = self->uniform, total = spar__shares_total(shares);
    for (size_t j = 0; j < m; j++) {
        /* The law p is a mixture: uniform with probability g, else by weight. */
        if (spar_rng_uniform(rng) < g)
            arm[j] = spar__shares_live(shares, (size_t)spar_rng_below(rng, live));
        else
            arm[j] = spar__shares_at(shares, spar_rng_uniform(rng) * total);
        prob[j] = (1 - g) * (self->weight[arm[j]] / total) + g / (double)live;
    }
    return SPAR_OK;
}

static void learn(spar__mab *base, size_t arm, double reward, double weight, double prob)
{
    exp3 *self = (exp3 *)base;
    double g = self->uniform, floor_prob = g / (double)base->arms->live;
    if (!(prob > floor_prob)) /* arms have retired since, or the log is damaged */
        prob = floor_prob > 0 ? floor_prob : 1;
    self->weight[arm] *= spar__exp(weight * g * reward / (prob * (double)base->arms->live));
    self->learned += 1;
    if (!base->horizon)
        set_uniform(self);
    if (self->weight[arm] <= LARGE) {
        spar__shares_change(&self->shares, arm);
        return;
    }
    for (size_t i = 0; i < self->size.n; i++)
        self->weight[i] = fmax(self->weight[i] * SMALLER, SMALLEST);
    refresh(self);
}

static spar_status score(const spar__mab *base, spar_scratch *scratch, double *value)
{
    (void)scratch;
    const exp3 *self = (const exp3 *)base;
    double top = 0;
    for (size_t i = 0; i < self->size.n; i++)
        top = self->weight[i] > top ? self->weight[i] : top;
    for (size_t i = 0; i < self->size.n; i++)
        value[i] = self->weight[i] / top;
    return SPAR_OK;
}

static void archive(spar__mab *base, spar__archive *ar)
{
    exp3 *self = (exp3 *)base;
    spar__archive_f64(ar, &self->learned);
    spar__archive_f64s(ar, self->weight, self->size.n);
    for (size_t i = 0; i < self->size.n; i++)
        spar__archive_check(ar, self->weight[i] >= SMALLEST && self->weight[i] <= LARGE);
    spar__archive_check(ar, self->learned >= 0 && isfinite(self->learned));
    if (ar->loading)
        refresh(self);
}

extern const spar__mab_class spar__mab_exp3;
const spar__mab_class spar__mab_exp3 = {
    .entry = {"exp3", "exponential weights, for rewards that may be adversarial",
              "Auer, Cesa-Bianchi, Freund, Schapire, SIAM J. Computing 2002", NULL},
    .size = sizeof(exp3),
    .randomised = true,
    .init = init,
    .fini = fini,
    .resize = resize,
    .forget = forget,
    .pick = pick,
    .learn = learn,
    .score = score,
    .archive = archive,
};
