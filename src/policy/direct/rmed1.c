/* rmed1 - relative minimum empirical divergence: an arm is drawn as long as it may, by its likelihood, be the winner.
 *
 * Komiyama, Honda, Kashima, Nakagawa, Regret Lower Bound and Optimal Algorithm in Dueling Bandit Problem, COLT 2015.
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
 * the question: an answer from another pass counts as a duel but takes no arm from the list. The terms of I are rounded
 * to multiples of 2^-30, so that their sums are exact: they can be kept up to date by adding and subtracting, and equal
 * sums are equal whatever the order of the arms. The means, the least I and the sizes of the lists are kept as well.
 *
 * All of that among the live arms, K being their number. A new arm joins L_R, and its pairs are played once before the
 * pass goes on. A retired arm leaves the lists; if L_R was that arm alone, the pass ends as after a duel.
 *
 * Cost O(K) comparisons and some logs a round, O(K^2) logs when an arm comes or goes. */
#include "policy/direct/direct.h"

#include "num/elementary.h"

#define GRAIN 0x1p-30
enum { NEVER_MET = 2 };

typedef struct rmed1 {
    spar_policy base;
    double f, power;
    double slack; /* f K^power, and what the rounding of K terms may have cost */
    spar_pair_counts counts;
    size_t room;           /* for arms in what follows */
    double *mean;          /* room x room; NEVER_MET, or 1 for an arm and itself and for a retired opponent */
    double *divergence;    /* per arm, I, infinite for a retired one; in the same block of memory */
    double least;          /* the least of them */
    double *open;          /* per arm, live opponents it never met; in the same block ... */
    double unmet;          /* ... and their sum */
    bool *remains, *comes; /* per arm: in L_R, in L_N; one block */
    size_t listed;         /* arms that were put into L_R when they came */
    size_t left;           /* how many remain */
    uint64_t pass;         /* 1, 2, ... */
} rmed1;

/* N d(mean, 1/2) with mean = won / N <= 1/2, else 0. */
static double term_of(const rmed1 *self, size_t i, size_t j)
{
    static const double log_2 = 0.69314718055994530942;
    double won = spar__won(&self->counts, i, j), lost = spar__won(&self->counts, j, i), n = won + lost,
           lead = (lost - won) / n;
    if (i == j || !(lost > won))
        return 0;
    double term = won > 0 ? won * spar__log1p(-lead) + lost * spar__log1p(lead) : n * log_2;
    return rint(term / GRAIN) * GRAIN;
}

/* Of two live arms. */
static void set_mean(rmed1 *self, size_t i, size_t j)
{
    double played = spar__played(&self->counts, i, j), none = i == j ? 1 : NEVER_MET;
    self->mean[i * self->room + j] = played > 0 ? spar__won(&self->counts, i, j) / played : none;
}

static double least_of(const double *value, size_t n)
{
    double least = value[0];
    for (size_t i = 1; i < n; i++)
        least = value[i] < least ? value[i] : least;
    return least;
}

/* Everything kept about the pairs of an arm, from the counts. */
static void measure(rmed1 *self, size_t i)
{
    const bool *alive = self->base.arms->alive;
    self->divergence[i] = alive[i] ? 0 : (double)INFINITY;
    self->open[i] = 0;
    for (size_t j = 0; alive[i] && j < self->counts.n; j++) {
        self->mean[i * self->room + j] = 1;
        if (!alive[j])
            continue;
        set_mean(self, i, j);
        self->divergence[i] += term_of(self, i, j);
        self->open[i] += j != i && spar__played(&self->counts, i, j) == 0;
    }
}

/* What follows from the numbers of the arms. */
static void sum_up(rmed1 *self)
{
    double k = (double)self->base.arms->live;
    self->slack = self->f * spar__pow(k, self->power) + k * GRAIN;
    self->unmet = 0;
    for (size_t i = 0; i < self->counts.n; i++)
        self->unmet += self->open[i];
    self->least = least_of(self->divergence, self->counts.n);
}

static void measure_all(rmed1 *self)
{
    for (size_t i = 0; i < self->counts.n; i++)
        measure(self, i);
    sum_up(self);
}

/* Arm i came, retired or returned. Terms are multiples of GRAIN, so that sums of them are exact in any order. */
static void follow(rmed1 *self, size_t i)
{
    const bool *alive = self->base.arms->alive;
    int sign = alive[i] ? 1 : -1;
    for (size_t j = 0; j < self->counts.n; j++) {
        if (j == i || !alive[j])
            continue;
        self->divergence[j] += sign * term_of(self, j, i);
        self->open[j] += spar__played(&self->counts, i, j) == 0 ? sign : 0;
        self->mean[j * self->room + i] = 1;
        if (alive[i])
            set_mean(self, j, i);
    }
    measure(self, i);
    sum_up(self);
}

static size_t count_remaining(const rmed1 *self)
{
    size_t left = 0;
    for (size_t i = 0; i < self->counts.n; i++)
        left += self->remains[i];
    return left;
}

/* Adds to L_N who may be the winner and is not in L_R. */
static void invite(rmed1 *self, double log_t)
{
    for (size_t j = 0; j < self->counts.n; j++)
        self->comes[j] |= !self->remains[j] & (self->divergence[j] - self->least <= log_t + self->slack);
}

/* L_R is empty, so the arm with the least I at least comes. */
static void end_pass(rmed1 *self)
{
    for (size_t j = 0; j < self->counts.n; j++) {
        self->remains[j] = self->comes[j];
        self->comes[j] = false;
    }
    self->left = count_remaining(self);
    self->pass++;
}

static spar_status resize(spar_policy *base, spar_error *err)
{
    rmed1 *self = (rmed1 *)base;
    size_t n = base->arms->n, known = self->counts.n, turned = base->arms->turned;
    if (spar__pair_counts_fit(&self->counts, n))
        return spar__fail_memory(err);
    bool same_room = n <= self->room && known > 0;
    if (n > self->room) {
        size_t room = self->counts.stride;
        double *mean = spar__alloc(room, (room + 2) * sizeof *mean);
        bool *remains = mean ? spar__alloc(room, 2 * sizeof *remains) : NULL;
        if (!remains) {
            spar__free(mean);
            return spar__fail_memory(err);
        }
        for (size_t i = 0; i < self->listed; i++) {
            remains[i] = self->remains[i];
            remains[room + i] = self->comes[i];
        }
        spar__free(self->mean);
        spar__free(self->remains);
        self->mean = mean;
        self->divergence = mean + room * room;
        self->open = self->divergence + room;
        self->remains = remains;
        self->comes = remains + room;
        self->room = room;
    }
    if (same_room && n == known + 1)
        follow(self, known);
    else if (same_room && n == known && isinf(self->divergence[turned]) == base->arms->alive[turned])
        follow(self, turned);
    else
        measure_all(self);
    /* The lists after arms came or went. */
    const bool *alive = base->arms->alive;
    for (size_t i = 0; i < n; i++) {
        self->remains[i] = alive[i] && (self->remains[i] || i >= self->listed);
        self->comes[i] = alive[i] && i < self->listed && self->comes[i];
    }
    self->listed = n;
    self->left = count_remaining(self);
    if (self->left == 0) {
        invite(self, spar__log((double)base->learned + 1));
        end_pass(self);
    }
    return SPAR_OK;
}

static spar_status init(spar_policy *base, const spar__values *values, spar_error *err)
{
    (void)err;
    rmed1 *self = (rmed1 *)base;
    self->f = spar__number(values, "f");
    self->power = spar__number(values, "power");
    self->pass = 1;
    return SPAR_OK;
}

static void fini(spar_policy *base)
{
    rmed1 *self = (rmed1 *)base;
    spar__pair_counts_fini(&self->counts);
    spar__free(self->mean);
    spar__free(self->remains);
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

static spar_status choose(const spar_policy *base, spar_scratch *scratch, spar_rng *rng, spar_round *out)
{
    (void)scratch;
    const rmed1 *self = (const rmed1 *)base;
    size_t n = self->counts.n, i = 0, j = 0;
    if (self->unmet > 0) {
        /* A uniformly random pair that never met: every such pair is open at both its arms, so its first arm has the
         * probability of its share, and its second is uniform. */
        double skip = (double)spar_rng_below(rng, (uint64_t)self->unmet);
        while (skip >= self->open[i])
            skip -= self->open[i++];
        const double *mean = self->mean + i * self->room;
        while (mean[j] != NEVER_MET || skip-- > 0)
            j++;
        out->arm[0] = i;
        out->arm[1] = j;
        return SPAR_OK;
    }
    out->memo[0] = (int64_t)self->pass;
    size_t skip = (size_t)spar_rng_below(rng, self->left);
    while (!self->remains[i] || skip-- > 0)
        i++;
    size_t star = choose_least(rng, self->divergence, n, self->least);
    const double *mean = self->mean + i * self->room;
    double least = least_of(mean, n);
    out->arm[0] = i;
    out->arm[1] = least > 0.5 || mean[star] <= 0.5 ? star : choose_least(rng, mean, n, least);
    return SPAR_OK;
}

/* I of an arm has changed; the others matter only if it had the least. */
static void move(rmed1 *self, size_t i, double change)
{
    bool led = self->divergence[i] == self->least;
    self->divergence[i] += change;
    if (self->divergence[i] < self->least)
        self->least = self->divergence[i];
    else if (led && change > 0)
        self->least = least_of(self->divergence, self->counts.n);
}

static void learn(spar_policy *base, const spar_round *round, const spar_feedback *feedback)
{
    rmed1 *self = (rmed1 *)base;
    size_t i = round->arm[0], j = round->arm[1];
    if (!base->arms->alive[i] || !base->arms->alive[j])
        spar__pair_counts_learn(&self->counts, round, feedback, 1);
    else if (i != j) {
        /* A duel of two live arms. */
        double old_i = term_of(self, i, j), old_j = term_of(self, j, i);
        if (spar__played(&self->counts, i, j) == 0) {
            self->open[i]--;
            self->open[j]--;
            self->unmet -= 2;
        }
        spar__pair_counts_learn(&self->counts, round, feedback, 1);
        set_mean(self, i, j);
        set_mean(self, j, i);
        move(self, i, term_of(self, i, j) - old_i);
        move(self, j, term_of(self, j, i) - old_j);
    }
    if (round->memo[0] == (int64_t)self->pass && self->remains[i]) {
        /* Arm i of the current list has had its duel. */
        double log_t = spar__log((double)base->learned + 1);
        self->remains[i] = false;
        self->left--;
        invite(self, log_t);
        if (self->left == 0)
            end_pass(self);
    }
}

static void archive(spar_policy *base, spar__archive *ar)
{
    rmed1 *self = (rmed1 *)base;
    size_t n = self->counts.n;
    spar__pair_counts_archive(&self->counts, ar);
    spar__archive_bools(ar, self->remains, n);
    spar__archive_bools(ar, self->comes, n);
    spar__archive_u64(ar, &self->pass);
    if (!ar->loading || ar->failed)
        return;
    /* It could be the state of a policy. Ties are halves; less than that has no divergence. */
    bool good = count_remaining(self) > 0 && self->pass > 0 && self->pass < INT64_MAX;
    for (size_t i = 0; i < n; i++) {
        good &= self->base.arms->alive[i] || !(self->remains[i] || self->comes[i]);
        for (size_t j = 0; j < n; j++)
            good &= 2 * spar__won(&self->counts, i, j) == floor(2 * spar__won(&self->counts, i, j));
    }
    spar__archive_check(ar, good);
    measure_all(self);
    self->left = count_remaining(self);
}

static const spar_param params[] = {
    {"f", SPAR_PARAM_NUMBER, "0.3", 0, 1e6, NULL, "arms within log t + f K^power of the least divergence are drawn"},
    {"power", SPAR_PARAM_NUMBER, "1.01", 0, 10, NULL, "the power of K in it"},
    {0},
};

const spar__policy_class spar__policy_rmed1 = {
    .entry = {"rmed1", "draws an arm as long as its likelihood allows it to be the winner",
              "Komiyama, Honda, Kashima, Nakagawa, COLT 2015", params},
    .size = sizeof(rmed1),
    .min_m = 2,
    .max_m = 2,
    .pairs = true,
    .counts = offsetof(rmed1, counts),
    .live_arms = true,
    .after_change = SPAR__SAME_RANK,
    .init = init,
    .fini = fini,
    .resize = resize,
    .choose = choose,
    .learn = learn,
    .score = spar__counts_score,
    .archive = archive,
};
