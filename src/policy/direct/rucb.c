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
 * C does not need the bounds themselves: each arm keeps how clearly it is behind its worst opponent, and a round
 * changes that of two arms. What becomes of B travels in the memo, so that only answered rounds move it; an answer that
 * comes late does not drop a B that was remembered since. Cost O(K). */
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
} rucb;

static spar_status init(spar_policy *base, const spar__values *values, spar_error *err)
{
    rucb *self = (rucb *)base;
    self->alpha = spar__number(values, "alpha");
    self->best = base->arms->n;
    spar_status status = spar__pairs_init(&self->pairs, base->arms->n, err);
    if (status)
        return status;
    self->behind = spar__alloc(base->arms->n, sizeof *self->behind);
    if (!self->behind)
        return spar__fail_memory(err);
    for (size_t i = 0; i < self->pairs.n; i++)
        self->behind[i] = spar__pairs_most_behind(&self->pairs, i);
    return SPAR_OK;
}

static void fini(spar_policy *base)
{
    rucb *self = (rucb *)base;
    spar__pairs_fini(&self->pairs);
    spar__free(self->behind);
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
    double x = self->alpha * spar__log((double)base->learned + 1), most = -1;
    size_t c = choose_first(self, x, rng, out->memo);
    for (size_t j = 0; j < n; j++) {
        upper[j] = j == c ? -1 : spar__pairs_upper(&self->pairs, j, c, x);
        most = fmax(most, upper[j]);
    }
    out->arm[0] = c;
    out->arm[1] = most >= 0.5 ? spar__argmax(rng, n, upper) : c;
    spar__scratch_release(scratch, mark);
    return SPAR_OK;
}

static void learn(spar_policy *base, const spar_round *round, const spar_feedback *feedback)
{
    rucb *self = (rucb *)base;
    spar__pairs_learn(&self->pairs, round, feedback, 1);
    for (size_t j = 0; j < 2; j++)
        self->behind[round->arm[j]] = spar__pairs_most_behind(&self->pairs, round->arm[j]);
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
    for (size_t i = 0; ar->loading && i < self->pairs.n; i++)
        self->behind[i] = spar__pairs_most_behind(&self->pairs, i);
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
