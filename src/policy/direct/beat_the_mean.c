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
#include "policy/direct/field.h"

#include "num/elementary.h"

#include <math.h>

typedef struct beater {
    spar_policy base;
    bool self_duels;
    double width;         /* c sqrt(n) */
    spar__field field;    /* arms that remain */
    double *won, *played; /* n x n, by the row's arm as the first one, against the column's */
    double *wins, *duels; /* sums of their rows over the field */
} beater;

static spar_status init(spar_policy *base, const spar__values *values, spar_error *err)
{
    beater *self = (beater *)base;
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
    return spar__field_init(&self->field, base->arms, err);
}

static void fini(spar_policy *base)
{
    beater *self = (beater *)base;
    spar__field_fini(&self->field);
    spar__free(self->won);
    spar__free(self->played);
    spar__free(self->wins);
    spar__free(self->duels);
}

static size_t fewest(const beater *self, spar_rng *rng)
{
    const spar__field *field = &self->field;
    double least = self->duels[field->arm[0]];
    size_t ties = 0, k = 0;
    for (size_t i = 0; i < field->left; i++) {
        double duels = self->duels[field->arm[i]];
        ties = duels < least ? 1 : ties + (duels == least);
        least = duels < least ? duels : least;
    }
    size_t skip = ties > 1 ? (size_t)spar_rng_below(rng, ties) : 0;
    while (self->duels[field->arm[k]] != least || skip-- > 0)
        k++;
    return field->arm[k];
}

static spar_status choose(const spar_policy *base, spar_scratch *scratch, spar_rng *rng, spar_round *out)
{
    (void)scratch;
    const beater *self = (const beater *)base;
    out->arm[0] = out->arm[1] = self->field.arm[0];
    if (self->field.left == 1)
        return SPAR_OK;
    out->arm[0] = fewest(self, rng);
    do
        out->arm[1] = spar__field_random(&self->field, rng);
    while (!self->self_duels && out->arm[1] == out->arm[0]);
    return SPAR_OK;
}

static double mean(const beater *self, size_t arm)
{
    return self->wins[arm] / self->duels[arm];
}

static void eliminate(beater *self, size_t arm)
{
    size_t n = self->base.arms->n;
    spar__field_remove(&self->field, arm);
    for (size_t i = 0; i < self->field.left; i++) {
        size_t x = self->field.arm[i];
        self->wins[x] -= self->won[x * n + arm];
        self->duels[x] -= self->played[x * n + arm];
    }
}

/* One of the arms with the lowest mean; the stream of a key and a number of arms left is used once. */
static size_t draw_worst(const beater *self, double lowest, size_t ties)
{
    spar_rng rng = spar__policy_stream(&self->base, self->field.left);
    size_t skip = (size_t)spar_rng_below(&rng, ties), k = 0;
    while (mean(self, self->field.arm[k]) != lowest || skip-- > 0)
        k++;
    return self->field.arm[k];
}

static void test_worst(beater *self)
{
    double least = (double)INFINITY, lowest = 2, highest = -1;
    size_t ties = 0;
    for (size_t i = 0; i < self->field.left; i++) {
        size_t x = self->field.arm[i];
        if (self->duels[x] == 0)
            return;
        double share = mean(self, x);
        ties = share < lowest ? 1 : ties + (share == lowest);
        lowest = share < lowest ? share : lowest;
        highest = share > highest ? share : highest;
        least = self->duels[x] < least ? self->duels[x] : least;
    }
    double c = self->width / sqrt(least);
    if (lowest + c <= highest - c)
        eliminate(self, draw_worst(self, lowest, ties));
}

static void learn(spar_policy *base, const spar_round *round, const spar_feedback *feedback)
{
    beater *self = (beater *)base;
    size_t first = round->arm[0], second = round->arm[1], at = first * base->arms->n + second;
    if (self->field.left == 1 || !self->field.in[first] || !self->field.in[second])
        return; /* nothing left to find out, or a late answer about an arm that is gone */
    double reward = spar__reward(feedback->outcome[0 * 2 + 1]);
    self->won[at] += reward;
    self->played[at] += 1;
    self->wins[first] += reward;
    self->duels[first] += 1;
    test_worst(self);
}

/* The share of its comparisons that it won; -1 for an arm that left. */
static spar_status score(const spar_policy *base, spar_scratch *scratch, double *value)
{
    (void)scratch;
    const beater *self = (const beater *)base;
    for (size_t i = 0; i < base->arms->n; i++)
        value[i] = !self->field.in[i] ? -1 : self->duels[i] > 0 ? mean(self, i) : 0.5;
    return SPAR_OK;
}

static void archive(spar_policy *base, spar__archive *ar)
{
    beater *self = (beater *)base;
    size_t n = base->arms->n;
    spar__field_archive(&self->field, base->arms, ar);
    spar__archive_f64s(ar, self->won, n * n);
    spar__archive_f64s(ar, self->played, n * n);
    if (!ar->loading || ar->failed)
        return;
    for (size_t i = 0; i < n; i++) {
        self->wins[i] = self->duels[i] = 0;
        for (size_t j = 0; j < n; j++) {
            double won = self->won[i * n + j], played = self->played[i * n + j];
            spar__archive_check(ar, won >= 0 && won <= played && played < 0x1p50);
            self->wins[i] += self->field.in[j] ? won : 0;
            self->duels[i] += self->field.in[j] ? played : 0;
        }
    }
}

static const spar_param params[] = {
    {"gamma", SPAR_PARAM_NUMBER, "1", 1, 1000, NULL, "how relaxed stochastic transitivity is (1: strong)"},
    {"factor", SPAR_PARAM_NUMBER, "3", 1e-6, 1000, NULL, "width of the bounds: factor gamma^2 sqrt(log(1/delta)/n)"},
    {"self", SPAR_PARAM_INTEGER, "1", 0, 1, NULL, "1: the random opponent may be the arm itself"},
    {0},
};

extern const spar__policy_class spar__policy_beat_the_mean;
const spar__policy_class spar__policy_beat_the_mean = {
    .entry = {"beat_the_mean", "arms play against the average of all, and the worst leaves", "Yue, Joachims, ICML 2011",
              params},
    .size = sizeof(beater),
    .players = SPAR__PLAYERS_NONE,
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
