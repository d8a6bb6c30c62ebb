/* mdb - shows every arm that may still be the best, and all of them duel.
 *
 * Brost, Seldin, Cox, Lioma, Multi-Dueling Bandits and Their Application to Online Ranker Evaluation, CIKM 2016.
 *
 *     u_ij = W_ij / N_ij + sqrt(alpha log t / N_ij) (narrow),  the same with alpha beta in the root (wide); j != i
 *     E, F = arms with narrow, wide u_ij >= 1/2 for all j played
 *     E has one arm: show it alone;  else show all of F, or all arms if F is empty, and learn all pairs
 *
 * An arm shown alone has no duel, yet the round counts: the frame lets time pass, log t grows, the bounds widen, and
 * rivals come back into E. Were time to stand still, the first arm that is ever alone in E would stay alone for good,
 * one time in seven a wrong one (linear/arith, 16 arms). cap > 0 shows a random subset of that size where the set is
 * larger.
 *
 * E and F do not need the bounds themselves: each arm keeps how clearly it is behind its worst opponent, which only
 * learn changes, and that is compared with alpha log t (equality is a bound of 1/2 but for rounding). Slots are in
 * random order. Arms and opponents are the live ones. Cost O(K) to choose, O(m K) to learn m slots, nothing to learn
 * one alone, O(K^2) when an arm comes or goes. */
#include "policy/direct/direct.h"

#include "num/elementary.h"
#include "types/arms.h"

typedef struct mdb {
    spar_policy base;
    double alpha, beta;
    size_t cap;
    spar_pair_counts counts;
    double *behind; /* per arm, spar__most_behind */
    spar__per_arm size;
} mdb;

static spar_status resize(spar_policy *base, spar_error *err)
{
    mdb *self = (mdb *)base;
    double **const arrays[] = {&self->behind};
    size_t n = base->arms->n, known = self->counts.n;
    if (spar__per_arm_fit(&self->size, base->arms, 1, arrays) || spar__pair_counts_fit(&self->counts, n))
        return spar__fail_memory(err);
    if (known > 0 && (n == known || n == known + 1))
        spar__most_behind_follow(&self->counts, base->arms->alive, n > known ? known : base->arms->turned,
                                 self->behind);
    else
        spar__most_behind_all(&self->counts, base->arms->alive, self->behind);
    return SPAR_OK;
}

static spar_status init(spar_policy *base, const spar__values *values, spar_error *err)
{
    mdb *self = (mdb *)base;
    self->alpha = spar__number(values, "alpha");
    self->beta = spar__number(values, "beta");
    base->distinct = true;
    self->cap = spar__integer(values, "cap");
    if (self->cap == 1)
        return spar__fail(err, SPAR_INVALID, "mdb: cap = 1 compares nothing, expected 0 (none) or at least 2");
    return SPAR_OK;
}

static void fini(spar_policy *base)
{
    mdb *self = (mdb *)base;
    spar__pair_counts_fini(&self->counts);
    spar__free(self->behind);
}

/* The live arms that are not farther behind than the limit; all of them when it is infinite. */
static size_t collect(const mdb *self, double limit, size_t *arm)
{
    const spar_arms *arms = self->base.arms;
    size_t m = 0;
    for (size_t i = 0; i < arms->n; i++)
        if (arms->alive[i] && self->behind[i] <= limit)
            arm[m++] = i;
    return m;
}

static spar_status choose(const spar_policy *base, spar_scratch *scratch, spar_rng *rng, spar_round *out)
{
    (void)scratch;
    const mdb *self = (const mdb *)base;
    double narrow = self->alpha * spar__log((double)(base->learned + 1));
    out->m = collect(self, narrow, out->arm);
    if (out->m == 1)
        return SPAR_OK;
    out->m = collect(self, narrow * self->beta, out->arm);
    if (out->m == 0)
        out->m = collect(self, (double)INFINITY, out->arm);
    spar_rng_shuffle(rng, out->arm, out->m);
    if (self->cap && out->m > self->cap)
        out->m = self->cap;
    return SPAR_OK;
}

static void learn(spar_policy *base, const spar_round *round, const spar_feedback *feedback)
{
    mdb *self = (mdb *)base;
    if (round->m == 1)
        return;
    const bool *alive = base->arms->alive;
    spar__pair_counts_learn(&self->counts, round, feedback, 1);
    if (2 * round->m > self->counts.n) {
        spar__most_behind_all(&self->counts, alive, self->behind);
        return;
    }
    for (size_t j = 0; j < round->m; j++)
        self->behind[round->arm[j]] = spar__most_behind(&self->counts, alive, round->arm[j]);
}

static void archive(spar_policy *base, spar__archive *ar)
{
    mdb *self = (mdb *)base;
    spar__pair_counts_archive(&self->counts, ar);
    if (ar->loading && !ar->failed)
        spar__most_behind_all(&self->counts, base->arms->alive, self->behind);
}

static const spar_param params[] = {
    {"alpha", SPAR_PARAM_NUMBER, "0.5", 1e-6, 1000, NULL, "width of the narrow bounds: sqrt(alpha log t / n)"},
    {"beta", SPAR_PARAM_NUMBER, "1.5", 1, 1000, NULL, "wide bounds have alpha times this in the root"},
    {"cap", SPAR_PARAM_INTEGER, "0", 0, 65536, NULL, "most arms shown together, 0: no cap"},
    {0},
};

const spar__policy_class spar__policy_mdb = {
    .entry = {"mdb", "all arms that may still be the best, together; chooses how many",
              "Brost, Seldin, Cox, Lioma, CIKM 2016", params},
    .size = sizeof(mdb),
    .min_m = 1,
    .own_size = true,
    .live_arms = true,
    .pairs = true,
    .counts = offsetof(mdb, counts),
    .after_change = SPAR__SAME_RANK,
    .init = init,
    .fini = fini,
    .resize = resize,
    .choose = choose,
    .learn = learn,
    .score = spar__counts_score,
    .archive = archive,
};
