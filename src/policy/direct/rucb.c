/* rucb - relative upper confidence bounds: a likely winner against whoever may still beat it.
 *
 * Zoghi, Whiteson, Munos, de Rijke, Relative Upper Confidence Bound for the K-Armed Dueling Bandit Problem, ICML 2014.
 *
 *     U_ij = W_ij / N_ij + sqrt(alpha log t / N_ij),   U_ii = 1/2,   an unplayed pair has U = 2
 *     C = {i: U_ij >= 1/2 for all j};   B = the remembered best, dropped when it is not in C
 *     c: C = {c} -> that arm, and B = c;   C empty -> uniform over all arms;
 *        B in C -> B with probability 1/2, else uniform on C without B;   no B -> uniform on C
 *     d = argmax_j U_jc, in a tie not c
 *
 * C does not need the bounds themselves: U_ij >= 1/2 iff alpha log t >= behind_ij (spar__pairs_behind, where equality
 * is U_ij = 1/2 but for rounding), so each arm keeps how clearly it is behind its worst opponent. A round changes one
 * number of each of two arms, and the others are looked at only if that was the largest. The bounds on the challengers
 * are kept as W/N and 1/sqrt(N), side by side for all challengers of an arm. What becomes of B travels in the memo, so
 * that only answered rounds move it; an answer that comes late does not drop a B that was remembered since. Cost O(K).
 */
#include "policy/pairs.h"

#include "base/alloc.h"
#include "base/scratch.h"
#include "num/elementary.h"
#include "posterior/argmax.h"

enum { KEEP_BEST, DROP_BEST, TAKE_FIRST_SLOT }; /* memo[0]; memo[1] is the reign it was said in */

typedef struct rucb {
    spar_policy base;
    double alpha;
    spar__pairs pairs;
    size_t best;    /* n: none */
    uint64_t reign; /* how often a best was remembered */
    double *behind; /* per arm, spar__pairs_most_behind: in C iff alpha log t >= this */
    double *mean;   /* n x n, and */
    double *spread; /* n x n: U_ji = mean + sqrt(alpha log t) spread at [i][j]; mean is -1 at [i][i] */
} rucb;

/* The bound of j over i, j != i. */
static void measure(rucb *self, size_t i, size_t j)
{
    size_t n = self->pairs.n;
    double played = spar__pairs_played(&self->pairs, i, j);
    self->mean[i * n + j] = played > 0 ? spar__pairs_won(&self->pairs, j, i) / played : 2;
    self->spread[i * n + j] = played > 0 ? 1 / sqrt(played) : 0;
}

static void measure_all(rucb *self)
{
    size_t n = self->pairs.n;
    spar__pairs_most_behind_all(&self->pairs, self->behind);
    for (size_t i = 0; i < n; i++) {
        self->mean[i * n + i] = -1;
        for (size_t j = 0; j < n; j++)
            if (j != i)
                measure(self, i, j);
    }
}

static spar_status init(spar_policy *base, const spar__values *values, spar_error *err)
{
    rucb *self = (rucb *)base;
    self->alpha = spar__number(values, "alpha");
    self->best = base->arms->n;
    spar_status status = spar__pairs_init(&self->pairs, base->arms->n, err);
    if (status)
        return status;
    size_t n = self->pairs.n;
    self->behind = spar__alloc(n, sizeof *self->behind);
    self->mean = spar__alloc(n, n * sizeof *self->mean);
    self->spread = spar__alloc(n, n * sizeof *self->spread);
    if (!self->behind || !self->mean || !self->spread)
        return spar__fail_memory(err);
    measure_all(self);
    return SPAR_OK;
}

static void fini(spar_policy *base)
{
    rucb *self = (rucb *)base;
    spar__pairs_fini(&self->pairs);
    spar__free(self->behind);
    spar__free(self->mean);
    spar__free(self->spread);
}

/* c, and what becomes of B. */
static size_t choose_first(const rucb *self, double x, spar_rng *rng, int64_t *memo)
{
    size_t n = self->pairs.n, candidates = 0;
    for (size_t i = 0; i < n; i++)
        candidates += self->behind[i] <= x;
    bool known = self->best < n && self->behind[self->best] <= x;
    memo[0] = candidates == 1 ? TAKE_FIRST_SLOT : known ? KEEP_BEST : DROP_BEST;
    memo[1] = (int64_t)self->reign;
    if (candidates == 0)
        return (size_t)spar_rng_below(rng, n);
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
    size_t n = self->pairs.n, mark = spar__scratch_mark(scratch);
    double *upper = spar__scratch_take(scratch, n, sizeof *upper);
    if (!upper)
        return SPAR_NOMEM;
    double x = self->alpha * spar__log((double)base->learned + 1), root = sqrt(x), most = -1;
    size_t c = choose_first(self, x, rng, out->memo);
    for (size_t j = 0; j < n; j++) {
        upper[j] = self->mean[c * n + j] + root * self->spread[c * n + j];
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
    if (i != j) {
        double old_i = spar__pairs_behind(&self->pairs, i, j), old_j = spar__pairs_behind(&self->pairs, j, i);
        spar__pairs_learn(&self->pairs, round, feedback, 1);
        self->behind[i] = spar__pairs_most_behind_now(&self->pairs, i, j, old_i, self->behind[i]);
        self->behind[j] = spar__pairs_most_behind_now(&self->pairs, j, i, old_j, self->behind[j]);
        measure(self, i, j);
        measure(self, j, i);
    }
    if (round->memo[0] == TAKE_FIRST_SLOT) {
        self->reign += self->best != round->arm[0];
        self->best = round->arm[0];
    } else if (round->memo[0] == DROP_BEST && round->memo[1] == (int64_t)self->reign) {
        self->best = self->pairs.n;
    }
}

static spar_status score(const spar_policy *base, spar_scratch *scratch, double *value)
{
    (void)scratch;
    spar__pairs_score(&((const rucb *)base)->pairs, value);
    return SPAR_OK;
}

static void archive(spar_policy *base, spar__archive *ar)
{
    rucb *self = (rucb *)base;
    spar__pairs_archive(&self->pairs, ar);
    spar__archive_size(ar, &self->best);
    spar__archive_u64(ar, &self->reign);
    spar__archive_check(ar, self->best <= self->pairs.n && self->reign <= INT64_MAX);
    if (ar->loading)
        measure_all(self);
}

static const spar_param params[] = {
    {"alpha", SPAR_PARAM_NUMBER, "0.51", 0, 1000, NULL, "width of the bounds: sqrt(alpha log t / n)"},
    {0},
};

extern const spar__policy_class spar__policy_rucb;
const spar__policy_class spar__policy_rucb = {
    .entry = {"rucb", "a likely winner against whoever may still beat it",
              "Zoghi, Whiteson, Munos, de Rijke, ICML 2014", params},
    .size = sizeof(rucb),
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
