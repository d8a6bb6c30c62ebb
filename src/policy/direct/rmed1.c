/* rmed1 - relative minimum empirical divergence: an arm is drawn as long as it may, by its likelihood, be the winner.
 *
 * Komiyama, Honda, Kashima, Nakagawa, Regret Lower Bound and Optimal Algorithm in Dueling Bandit Problem, COLT 2015
 * (algorithm RMED1).
 *
 *     first each pair once, in random order
 *     I_i = sum over j != i with mean_ij <= 1/2 of N_ij d(mean_ij, 1/2),   i* = argmin I
 *     in passes: for each i of the current list L_C, in random order: duel i with
 *         i*  if mean_ii* <= 1/2, or if there is no j with mean_ij <= 1/2;   else  the j with the smallest mean_ij
 *       then take i from the remaining list L_R and add to the next list L_N every j that is not in L_R and has
 *         I_j - I_i* <= log t + f K^power
 *     a pass ends with L_R = {};   then L_C = L_R = L_N, L_N = {}
 *
 * A random order is a uniform choice among what remains; L_C itself is then never looked at. The memo holds the pass of
 * the question: an answer from another pass counts as a duel but takes nobody from the list. The terms of I are rounded
 * to multiples of 2^-30, so that their sums are exact: they can be kept up to date by adding and subtracting, and equal
 * sums are equal whatever the order of the arms. The means, the least I and the sizes of the lists are kept as well.
 * Cost O(K) comparisons and some logs. */
#include "policy/pairs.h"

#include "base/alloc.h"
#include "num/elementary.h"

#define GRAIN 0x1p-30

enum { NEVER_MET = 2 };

typedef struct rmed1 {
    spar_policy base;
    double slack; /* f K^power, and what the rounding of K terms may have cost */
    spar__pairs pairs;
    double *mean;          /* n x n; NEVER_MET, or 1 for an arm and itself */
    double *divergence;    /* per arm, I ... */
    double least;          /* ... and the least of them */
    double *open;          /* per arm, opponents it never met ... */
    double unmet;          /* ... and their sum */
    bool *remains, *comes; /* per arm: in L_R, in L_N */
    size_t left;           /* how many remain */
    uint64_t pass;         /* 1, 2, ... */
} rmed1;

/* N d(mean, 1/2) with mean = won / N <= 1/2, else 0. */
static double divergence_term(double won, double lost)
{
    static const double log_2 = 0.69314718055994530942;
    double n = won + lost, lead = (lost - won) / n;
    if (!(lost > won))
        return 0;
    double term = won > 0 ? won * spar__log1p(-lead) + lost * spar__log1p(lead) : n * log_2;
    return rint(term / GRAIN) * GRAIN;
}

static double term_of(const rmed1 *self, size_t i, size_t j)
{
    return i == j ? 0 : divergence_term(spar__pairs_won(&self->pairs, i, j), spar__pairs_won(&self->pairs, j, i));
}

static void set_mean(rmed1 *self, size_t i, size_t j)
{
    double played = spar__pairs_played(&self->pairs, i, j);
    double none = i == j ? 1 : NEVER_MET;
    self->mean[i * self->pairs.n + j] = played > 0 ? spar__pairs_won(&self->pairs, i, j) / played : none;
}

static double least_of(const double *value, size_t n)
{
    double least = value[0];
    for (size_t i = 1; i < n; i++)
        least = value[i] < least ? value[i] : least;
    return least;
}

/* Everything kept about pairs, from the counts. */
static void measure_all(rmed1 *self)
{
    self->unmet = 0;
    for (size_t i = 0; i < self->pairs.n; i++) {
        self->divergence[i] = self->open[i] = 0;
        for (size_t j = 0; j < self->pairs.n; j++) {
            set_mean(self, i, j);
            self->divergence[i] += term_of(self, i, j);
            self->open[i] += j != i && spar__pairs_played(&self->pairs, i, j) == 0;
        }
        self->unmet += self->open[i];
    }
    self->least = least_of(self->divergence, self->pairs.n);
}

static size_t count_remaining(const rmed1 *self)
{
    size_t left = 0;
    for (size_t i = 0; i < self->pairs.n; i++)
        left += self->remains[i];
    return left;
}

static spar_status init(spar_policy *base, const spar__values *values, spar_error *err)
{
    rmed1 *self = (rmed1 *)base;
    size_t n = base->arms->n;
    self->slack = spar__number(values, "f") * spar__pow((double)n, spar__number(values, "power")) + (double)n * GRAIN;
    self->pass = 1;
    spar_status status = spar__pairs_init(&self->pairs, n, err);
    if (status)
        return status;
    self->mean = spar__alloc(n, n * sizeof *self->mean);
    self->divergence = spar__alloc(n, sizeof *self->divergence);
    self->open = spar__alloc(n, sizeof *self->open);
    self->remains = spar__alloc(n, sizeof *self->remains);
    self->comes = spar__alloc(n, sizeof *self->comes);
    if (!self->mean || !self->divergence || !self->open || !self->remains || !self->comes)
        return spar__fail_memory(err);
    measure_all(self);
    for (size_t i = 0; i < n; i++)
        self->remains[i] = true;
    self->left = n;
    return SPAR_OK;
}

static void fini(spar_policy *base)
{
    rmed1 *self = (rmed1 *)base;
    spar__pairs_fini(&self->pairs);
    spar__free(self->mean);
    spar__free(self->divergence);
    spar__free(self->open);
    spar__free(self->remains);
    spar__free(self->comes);
}

/* A uniformly random pair that never met: every such pair is open at both its arms, so its first arm has the
 * probability of its share, and its second is uniform. Returns false when all have met. */
static bool choose_new_pair(const rmed1 *self, spar_rng *rng, size_t *arm)
{
    size_t i = 0, j = 0;
    if (self->unmet == 0)
        return false;
    double skip = (double)spar_rng_below(rng, (uint64_t)self->unmet);
    while (skip >= self->open[i])
        skip -= self->open[i++];
    const double *mean = self->mean + i * self->pairs.n;
    while (mean[j] != NEVER_MET || skip-- > 0)
        j++;
    arm[0] = i;
    arm[1] = j;
    return true;
}

static size_t choose_remaining(const rmed1 *self, spar_rng *rng)
{
    size_t skip = (size_t)spar_rng_below(rng, self->left), i = 0;
    while (!self->remains[i] || skip-- > 0)
        i++;
    return i;
}

/* A uniformly random one of those that have the least value. */
static size_t choose_least(spar_rng *rng, const double *value, size_t n, double least)
{
    size_t ties = 0, i = 0;
    for (size_t k = 0; k < n; k++)
        ties += value[k] == least;
    size_t skip = ties > 1 ? (size_t)spar_rng_below(rng, ties) : 0;
    while (value[i] != least || skip-- > 0)
        i++;
    return i;
}

static size_t choose_opponent(const rmed1 *self, spar_rng *rng, size_t i)
{
    size_t n = self->pairs.n, star = choose_least(rng, self->divergence, n, self->least);
    const double *mean = self->mean + i * n;
    double least = least_of(mean, n);
    return least > 0.5 || mean[star] <= 0.5 ? star : choose_least(rng, mean, n, least);
}

static spar_status choose(const spar_policy *base, spar_scratch *scratch, spar_rng *rng, spar_round *out)
{
    (void)scratch;
    const rmed1 *self = (const rmed1 *)base;
    if (choose_new_pair(self, rng, out->arm))
        return SPAR_OK;
    out->memo[0] = (int64_t)self->pass;
    out->arm[0] = choose_remaining(self, rng);
    out->arm[1] = choose_opponent(self, rng, out->arm[0]);
    return SPAR_OK;
}

/* Arm i of the current list has had its duel. */
static void step(rmed1 *self, size_t i, double log_t)
{
    size_t n = self->pairs.n;
    self->remains[i] = false;
    self->left--;
    for (size_t j = 0; j < n; j++)
        self->comes[j] |= !self->remains[j] & (self->divergence[j] - self->least <= log_t + self->slack);
    if (self->left > 0)
        return;
    for (size_t j = 0; j < n; j++) { /* nobody remains, so the arm with the least I at least comes */
        self->remains[j] = self->comes[j];
        self->comes[j] = false;
    }
    self->left = count_remaining(self);
    self->pass++;
}

/* I of an arm has changed; the others matter only if it had the least. */
static void move(rmed1 *self, size_t i, double change)
{
    bool led = self->divergence[i] == self->least;
    self->divergence[i] += change;
    if (self->divergence[i] < self->least)
        self->least = self->divergence[i];
    else if (led && change > 0)
        self->least = least_of(self->divergence, self->pairs.n);
}

static void learn_pair(rmed1 *self, size_t i, size_t j, const spar_round *round, const spar_feedback *feedback)
{
    double old_i = term_of(self, i, j), old_j = term_of(self, j, i);
    if (spar__pairs_played(&self->pairs, i, j) == 0) {
        self->open[i]--;
        self->open[j]--;
        self->unmet -= 2;
    }
    spar__pairs_learn(&self->pairs, round, feedback, 1);
    set_mean(self, i, j);
    set_mean(self, j, i);
    move(self, i, term_of(self, i, j) - old_i);
    move(self, j, term_of(self, j, i) - old_j);
}

static void learn(spar_policy *base, const spar_round *round, const spar_feedback *feedback)
{
    rmed1 *self = (rmed1 *)base;
    size_t i = round->arm[0], j = round->arm[1];
    if (i != j)
        learn_pair(self, i, j, round, feedback);
    if (round->memo[0] == (int64_t)self->pass && self->remains[i])
        step(self, i, spar__log((double)base->learned + 1));
}

static spar_status score(const spar_policy *base, spar_scratch *scratch, double *value)
{
    (void)scratch;
    spar__pairs_score(&((const rmed1 *)base)->pairs, value);
    return SPAR_OK;
}

static void archive(spar_policy *base, spar__archive *ar)
{
    rmed1 *self = (rmed1 *)base;
    size_t n = self->pairs.n;
    spar__pairs_archive(&self->pairs, ar);
    spar__archive_bools(ar, self->remains, n);
    spar__archive_bools(ar, self->comes, n);
    spar__archive_u64(ar, &self->pass);
    spar__archive_check(ar, count_remaining(self) > 0 && self->pass > 0 && self->pass < INT64_MAX);
    for (size_t i = 0; ar->loading && i < n * n; i++) /* ties are halves; less than that has no divergence */
        spar__archive_check(ar, 2 * self->pairs.w[i] == floor(2 * self->pairs.w[i]));
    if (!ar->loading || ar->failed)
        return;
    measure_all(self);
    self->left = count_remaining(self);
}

static const spar_param params[] = {
    {"f", SPAR_PARAM_NUMBER, "0.3", 0, 1e6, NULL, "arms within log t + f K^power of the least divergence are drawn"},
    {"power", SPAR_PARAM_NUMBER, "1.01", 0, 10, NULL, "the power of K in it"},
    {0},
};

extern const spar__policy_class spar__policy_rmed1;
const spar__policy_class spar__policy_rmed1 = {
    .entry = {"rmed1", "draws an arm as long as its likelihood allows it to be the winner",
              "Komiyama, Honda, Kashima, Nakagawa, COLT 2015", params},
    .size = sizeof(rmed1),
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
