/* rucb - relative upper confidence bounds: a likely winner against an arm that may still beat it.
 *
 * Zoghi, Whiteson, Munos, de Rijke, Relative Upper Confidence Bound for the K-Armed Dueling Bandit Problem, ICML 2014.
 *
 *     U_ij = W_ij / N_ij + sqrt(alpha log t / N_ij),   U_ii = 1/2,   an unplayed pair has U = 2
 *     C = {i: U_ij >= 1/2 for all j};   B = the remembered best, dropped when it is not in C
 *     c: C = {c} -> that arm, and B = c;   C empty -> uniform over all arms;
 *        B in C -> B with probability 1/2, else uniform on C without B;   no B -> uniform on C
 *     d = argmax_j U_jc, in a tie not c
 *
 * All of that among the live arms. C does not need the bounds themselves: U_ij >= 1/2 iff alpha log t >= behind_ij
 * (spar__behind, where equality is U_ij = 1/2 but for rounding), so each arm keeps how clearly it is behind its worst
 * opponent. A round changes one number of each of two arms, and the others are looked at only if that was the largest.
 * The bounds on the challengers are kept as W/N and 1/sqrt(N), side by side for all challengers of an arm. What becomes
 * of B travels in the memo, so that only answered rounds move it; a late answer does not drop a B that was remembered
 * since. Cost O(K) a round, and O(K) when an arm comes or goes, on average. */
#include "policy/direct/direct.h"

#include "num/elementary.h"

enum { KEEP_BEST, DROP_BEST, TAKE_FIRST_SLOT }; /* memo[0]; memo[1] is the reign it was said in */

#define NO_BEST SIZE_MAX

typedef struct rucb {
    spar_policy base;
    double alpha;
    spar_pair_counts counts;
    size_t best;    /* or NO_BEST */
    uint64_t reign; /* how often a best was remembered */
    size_t room;    /* for arms in what follows: one block of memory */
    double *behind; /* per arm, spar__most_behind: in C iff alpha log t >= this; infinite for a retired arm */
    double *mean;   /* room x room, and */
    double *spread; /* room x room: U_ji = mean + sqrt(alpha log t) spread at [i][j]; mean is -1 where j must not duel
                     * i: at [i][i] and for a retired j */
} rucb;

/* The bound of j over i, both live, j != i. */
static void measure(rucb *self, size_t i, size_t j)
{
    double played = spar__played(&self->counts, i, j);
    size_t at = i * self->room + j;
    self->mean[at] = played > 0 ? spar__won(&self->counts, j, i) / played : 2;
    self->spread[at] = played > 0 ? 1 / sqrt(played) : 0;
}

/* The bound of any j over any i. */
static void measure_any(rucb *self, size_t i, size_t j)
{
    self->mean[i * self->room + j] = -1;
    self->spread[i * self->room + j] = 0;
    if (j != i && self->base.arms->alive[j])
        measure(self, i, j);
}

static void measure_all(rucb *self)
{
    size_t n = self->counts.n;
    spar__most_behind_all(&self->counts, self->base.arms->alive, self->behind);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            measure_any(self, i, j);
}

static spar_status resize(spar_policy *base, spar_error *err)
{
    rucb *self = (rucb *)base;
    size_t n = base->arms->n, known = self->counts.n;
    if (spar__pair_counts_fit(&self->counts, n))
        return spar__fail_memory(err);
    if (n > self->room) {
        size_t room = self->counts.stride;
        double *block = spar__alloc(room, (2 * room + 1) * sizeof *block);
        if (!block)
            return spar__fail_memory(err);
        spar__free(self->behind);
        self->behind = block;
        self->mean = block + room;
        self->spread = self->mean + room * room;
        self->room = room;
        measure_all(self);
    } else if (known > 0 && (n == known || n == known + 1)) {
        size_t i = n > known ? known : base->arms->turned; /* came, retired or returned */
        spar__most_behind_follow(&self->counts, base->arms->alive, i, self->behind);
        for (size_t j = 0; j < n; j++) {
            measure_any(self, i, j);
            measure_any(self, j, i);
        }
    } else {
        measure_all(self);
    }
    return SPAR_OK;
}

static spar_status init(spar_policy *base, const spar__values *values, spar_error *err)
{
    (void)err;
    rucb *self = (rucb *)base;
    self->alpha = spar__number(values, "alpha");
    self->best = NO_BEST;
    return SPAR_OK;
}

static void fini(spar_policy *base)
{
    rucb *self = (rucb *)base;
    spar__pair_counts_fini(&self->counts);
    spar__free(self->behind);
}

/* c, and what becomes of B. */
static size_t choose_first(const rucb *self, double x, spar_rng *rng, int64_t *memo)
{
    size_t n = self->counts.n, candidates = 0;
    for (size_t i = 0; i < n; i++)
        candidates += self->behind[i] <= x;
    bool known = self->best != NO_BEST && self->behind[self->best] <= x;
    memo[0] = candidates == 1 ? TAKE_FIRST_SLOT : known ? KEEP_BEST : DROP_BEST;
    memo[1] = (int64_t)self->reign;
    if (candidates == 0)
        return spar__random_arm(self->base.arms, rng);
    if (candidates > 1 && known) {
        if (spar_rng_next(rng) >> 63)
            return self->best;
        candidates--;
    } else {
        known = false;
    }
    size_t skip = (size_t)spar_rng_below(rng, candidates), i = 0;
    while (self->behind[i] > x || (known && i == self->best) || skip-- > 0)
        i++;
    return i;
}

static spar_status choose(const spar_policy *base, spar_scratch *scratch, spar_rng *rng, spar_round *out)
{
    const rucb *self = (const rucb *)base;
    size_t n = self->counts.n, mark = spar__scratch_mark(scratch);
    double *upper = spar__scratch_take(scratch, n, sizeof *upper);
    if (!upper)
        return SPAR_NOMEM;
    double x = self->alpha * spar__log((double)base->learned + 1), root = sqrt(x), most = -1;
    size_t c = choose_first(self, x, rng, out->memo);
    const double *mean = self->mean + c * self->room, *spread = self->spread + c * self->room;
    for (size_t j = 0; j < n; j++) {
        upper[j] = mean[j] + root * spread[j];
        most = upper[j] > most ? upper[j] : most;
    }
    out->arm[0] = c;
    out->arm[1] = most >= 0.5 ? spar__argmax(rng, n, upper) : c;
    spar__scratch_release(scratch, mark);
    return SPAR_OK;
}

static void learn(spar_policy *base, const spar_round *round, const spar_feedback *feedback)
{
    rucb *self = (rucb *)base;
    size_t i = round->arm[0], j = round->arm[1];
    if (!base->arms->alive[i] || !base->arms->alive[j])
        spar__pair_counts_learn(&self->counts, round, feedback, 1);
    else if (i != j) {
        /* A duel of two live arms. */
        const spar_pair_counts *counts = &self->counts;
        const bool *alive = self->base.arms->alive;
        double old_i = spar__behind(counts, i, j), old_j = spar__behind(counts, j, i);
        spar__pair_counts_learn(&self->counts, round, feedback, 1);
        self->behind[i] = spar__most_behind_now(counts, alive, i, j, old_i, self->behind[i]);
        self->behind[j] = spar__most_behind_now(counts, alive, j, i, old_j, self->behind[j]);
        measure(self, i, j);
        measure(self, j, i);
    }
    if (round->memo[0] == TAKE_FIRST_SLOT) {
        self->reign += self->best != round->arm[0];
        self->best = round->arm[0];
    } else if (round->memo[0] == DROP_BEST && round->memo[1] == (int64_t)self->reign) {
        self->best = NO_BEST;
    }
}

static void archive(spar_policy *base, spar__archive *ar)
{
    rucb *self = (rucb *)base;
    spar__pair_counts_archive(&self->counts, ar);
    size_t best = self->best == NO_BEST ? self->counts.n : self->best;
    spar__archive_size(ar, &best);
    spar__archive_u64(ar, &self->reign);
    spar__archive_check(ar, best <= self->counts.n && self->reign <= INT64_MAX);
    if (!ar->loading || ar->failed)
        return;
    self->best = best < self->counts.n ? best : NO_BEST;
    measure_all(self);
}

static const spar_param params[] = {
    {"alpha", SPAR_PARAM_NUMBER, "0.51", 0, 1000, NULL, "width of the bounds: sqrt(alpha log t / n)"},
    {0},
};

const spar__policy_class spar__policy_rucb = {
    .entry = {"rucb", "a likely winner against an arm that may still beat it",
              "Zoghi, Whiteson, Munos, de Rijke, ICML 2014", params},
    .size = sizeof(rucb),
    .min_m = 2,
    .max_m = 2,
    .pairs = true,
    .counts = offsetof(rucb, counts),
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
