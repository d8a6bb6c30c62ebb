/* beat_the_mean - every arm plays against the average of all, and the worst leaves.
 *
 * Yue, Joachims, Beat the Mean Bandit, ICML 2011.
 *
 *     first  = the remaining arm with the fewest comparisons (ties at random)
 *     second = a uniformly random remaining arm (the first one included: self=1); only the first arm is credited
 *     mean_i = share of its n_i comparisons that arm i won,  c = factor gamma^2 sqrt(log(1/delta) / min_i n_i),
 *     delta = 1 / (2 T K); when worst mean + c <= best mean - c, the worst arm (ties at random) leaves and every
 *     comparison with it is forgotten
 *     the last arm plays itself
 *
 * Credit is kept pair by pair, so that it can be taken back. learn has no rng: which of several worst arms leaves is
 * drawn from the policy's private key. Cost O(K), memory O(K^2). With factor 3, as published, nothing leaves within
 * 20000 rounds of the 16-arm problems; factor=1 eliminates. */
#include "policy/direct/direct.h"

#include "num/elementary.h"

#include <math.h>

typedef struct beat_the_mean {
    spar_policy base;
    bool self_duels;
    double width;              /* c sqrt(n) */
    spar__remaining remaining; /* arms that remain */
    double *won, *played;      /* n x n, by the row's arm as the first one, against the column's */
    double *wins, *duels;      /* sums of their rows over those that remain */
} beat_the_mean;

static spar_status init(spar_policy *base, const spar__values *values, spar_error *err)
{
    beat_the_mean *self = (beat_the_mean *)base;
    size_t n = base->arms->n;
    double gamma = spar__number(values, "gamma");
    double log_confidence = spar__log(2 * (double)base->horizon * (double)base->arms->live);
    self->width = spar__number(values, "factor") * gamma * gamma * sqrt(log_confidence);
    self->self_duels = spar__number(values, "self") == 1;
    self->wins = spar__alloc(n, sizeof *self->wins);
    self->duels = spar__alloc(n, sizeof *self->duels);
    self->won = spar__alloc(n, n * sizeof *self->won);
    self->played = spar__alloc(n, n * sizeof *self->played);
    if (!self->wins || !self->duels || !self->won || !self->played)
        return spar__fail_memory(err);
    return spar__remaining_init(&self->remaining, base->arms, err);
}

static void fini(spar_policy *base)
{
    beat_the_mean *self = (beat_the_mean *)base;
    spar__remaining_fini(&self->remaining);
    spar__free(self->won);
    spar__free(self->played);
    spar__free(self->wins);
    spar__free(self->duels);
}

static size_t fewest(const beat_the_mean *self, spar_rng *rng)
{
    const spar__remaining *remaining = &self->remaining;
    double least = self->duels[remaining->arm[0]];
    size_t ties = 0, k = 0;
    for (size_t i = 0; i < remaining->left; i++) {
        double duels = self->duels[remaining->arm[i]];
        ties = duels < least ? 1 : ties + (duels == least);
        least = duels < least ? duels : least;
    }
    size_t skip = ties > 1 ? (size_t)spar_rng_below(rng, ties) : 0;
    while (self->duels[remaining->arm[k]] != least || skip-- > 0)
        k++;
    return remaining->arm[k];
}

static spar_status choose(const spar_policy *base, spar_scratch *scratch, spar_rng *rng, spar_round *out)
{
    (void)scratch;
    const beat_the_mean *self = (const beat_the_mean *)base;
    out->arm[0] = out->arm[1] = self->remaining.arm[0];
    if (self->remaining.left == 1)
        return SPAR_OK;
    out->arm[0] = fewest(self, rng);
    do
        out->arm[1] = self->remaining.arm[spar_rng_below(rng, self->remaining.left)];
    while (!self->self_duels && out->arm[1] == out->arm[0]);
    return SPAR_OK;
}

static double mean(const beat_the_mean *self, size_t arm)
{
    return self->wins[arm] / self->duels[arm];
}

static void learn(spar_policy *base, const spar_round *round, const spar_feedback *feedback)
{
    beat_the_mean *self = (beat_the_mean *)base;
    size_t first = round->arm[0], second = round->arm[1], at = first * base->arms->n + second;
    if (self->remaining.left == 1 || !self->remaining.in[first] || !self->remaining.in[second])
        return; /* nothing left to find out, or a late answer about an arm that is gone */
    double reward = spar__reward(feedback->outcome[0 * 2 + 1]);
    self->won[at] += reward;
    self->played[at] += 1;
    self->wins[first] += reward;
    self->duels[first] += 1;
    /* Is the worst arm surely below the best? Not before all have had a duel. */
    double least = (double)INFINITY, lowest = 2, highest = -1;
    size_t ties = 0;
    for (size_t i = 0; i < self->remaining.left; i++) {
        size_t x = self->remaining.arm[i];
        if (self->duels[x] == 0)
            return;
        double share = mean(self, x);
        ties = share < lowest ? 1 : ties + (share == lowest);
        lowest = share < lowest ? share : lowest;
        highest = share > highest ? share : highest;
        least = self->duels[x] < least ? self->duels[x] : least;
    }
    double c = self->width / sqrt(least);
    if (lowest + c <= highest - c) {
        /* One of the arms with the lowest mean; the stream of a key and a number of arms left is used once. */
        spar_rng rng = spar__policy_stream(&self->base, self->remaining.left);
        size_t skip = (size_t)spar_rng_below(&rng, ties), k = 0;
        while (mean(self, self->remaining.arm[k]) != lowest || skip-- > 0)
            k++;
        size_t arm = self->remaining.arm[k], n = self->base.arms->n;
        spar__remaining_remove(&self->remaining, arm);
        for (size_t i = 0; i < self->remaining.left; i++) {
            size_t x = self->remaining.arm[i];
            self->wins[x] -= self->won[x * n + arm];
            self->duels[x] -= self->played[x * n + arm];
        }
    }
}

/* The share of its comparisons that it won; an arm that left has -1. */
static spar_status score(const spar_policy *base, spar_scratch *scratch, double *value)
{
    (void)scratch;
    const beat_the_mean *self = (const beat_the_mean *)base;
    for (size_t i = 0; i < base->arms->n; i++)
        value[i] = !self->remaining.in[i] ? -1 : self->duels[i] > 0 ? mean(self, i) : 0.5;
    return SPAR_OK;
}

static void archive(spar_policy *base, spar__archive *ar)
{
    beat_the_mean *self = (beat_the_mean *)base;
    size_t n = base->arms->n;
    spar__remaining_archive(&self->remaining, base->arms, ar);
    spar__archive_f64s(ar, self->won, n * n);
    spar__archive_f64s(ar, self->played, n * n);
    if (!ar->loading || ar->failed)
        return;
    for (size_t i = 0; i < n; i++) {
        self->wins[i] = self->duels[i] = 0;
        for (size_t j = 0; j < n; j++) {
            double won = self->won[i * n + j], played = self->played[i * n + j];
            spar__archive_check(ar, won >= 0 && won <= played && played < 0x1p50);
            self->wins[i] += self->remaining.in[j] ? won : 0;
            self->duels[i] += self->remaining.in[j] ? played : 0;
        }
    }
}

static const spar_param params[] = {
    {"gamma", SPAR_PARAM_NUMBER, "1", 1, 1000, NULL, "how relaxed stochastic transitivity is (1: strong)"},
    {"factor", SPAR_PARAM_NUMBER, "3", 1e-6, 1000, NULL, "width of the bounds: factor gamma^2 sqrt(log(1/delta)/n)"},
    {"self", SPAR_PARAM_INTEGER, "1", 0, 1, NULL, "1: the random opponent may be the arm itself"},
    {0},
};

const spar__policy_class spar__policy_beat_the_mean = {
    .entry = {"beat_the_mean", "arms play against the average of all, and the worst leaves", "Yue, Joachims, ICML 2011",
              params},
    .size = sizeof(beat_the_mean),
    .min_m = 2,
    .max_m = 2,
    .pairs = true,
    .needs_horizon = true,
    .asked_only = "the opponents of an arm must be drawn uniformly",
    .init = init,
    .fini = fini,
    .choose = choose,
    .learn = learn,
    .score = score,
    .archive = archive,
};
