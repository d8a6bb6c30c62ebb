/* merge_rucb - relative upper confidence bounds within small batches, merged as arms drop out.
 *
 * Zoghi, Whiteson, de Rijke, MergeRUCB: A Method for Large-Scale Online Ranker Evaluation, WSDM 2015.
 *
 *     random batches of `batch` arms (the last may be smaller), visited in turn
 *     U_ij = W_ij / N_ij + sqrt(alpha log(t + c) / N_ij),   an unplayed pair has U = 2
 *     an arm of the visited batch with U_ij < 1/2 against a batch mate j leaves
 *     first = uniform in the batch, second = argmax over the others of U_j,first;   a lone arm plays itself
 *     when at most K / 2^s arms are left (s = 1, 2, ...): the smallest batch joins the largest, the next smallest
 *     the next largest, and so on; an odd one stays; the turns begin anew
 *
 * theory=1 puts the published c = ((4 alpha - 1) K^2 / ((2 alpha - 1) delta))^(1 / (2 alpha - 1)), delta = 0.01, which
 * is about e^705 for 16 arms.
 *
 * Below 4 arms a batch the merging could stop short: each of B batches may keep one arm, and B <= K / 2^s must follow.
 *
 * Of a random batch only the arms that it has shown are known. So a batch is kept as those arms and a number of hidden
 * ones; choose completes it with random arms that no batch has shown, and learn puts the two that were played where
 * they belong. The memo holds the number of the turn: an answer to a question of another turn counts as a duel and
 * moves nothing else.
 *
 * Arms that come and go, for which the paper has no rule. K is the number of arms that ever took part.
 *   - A new arm is one more hidden arm of the smallest batch; before the first merging, a batch of its own if all are
 *     full: so an arm that comes at the start might as well have been there.
 *   - An arm that retires unshown never took part: the smallest batch with a hidden arm has one less.
 *   - An arm that retires after it was shown leaves its batch. Arms that had left and that no live arm beats any more
 *     return, to the smallest batch.
 *   - A batch that loses its last arm is dropped. The last batch stays, for the arms that return; should each of them
 *     be beaten by another, all live arms do.
 *   - With fewer arms than foreseen the merging could stop short, too: batches also merge when each has one arm left.
 *     (Without arms that come and go the rule above merges them before.)
 *
 * Cost O(K) a round, O(K^2) when an arm comes or goes. */
#include "policy/bounds.h"
#include "policy/direct/batches.h"
#include "policy/policy.h"

#include "base/alloc.h"
#include "num/elementary.h"
#include "posterior/argmax.h"

typedef struct merge_rucb {
    spar_policy base;
    double alpha, c, log_c; /* log_c >= 0: t + c in logarithms */
    spar_pair_counts counts;
    spar__batches batches;
} merge_rucb;

/* The published c, which depends on K. */
static void set_theory(merge_rucb *self)
{
    static const double delta = 0.01;
    double k = (double)spar__batches_entered(&self->batches), power = 1 / (2 * self->alpha - 1);
    self->log_c = power * spar__log((4 * self->alpha - 1) * k * k * power / delta);
}

/* alpha log(t + c) */
static double width(const merge_rucb *self, uint64_t t)
{
    if (self->log_c < 0)
        return self->alpha * spar__log((double)t + self->c);
    double log_t = spar__log((double)t), high = fmax(log_t, self->log_c), low = fmin(log_t, self->log_c);
    return self->alpha * (high + spar__log1p(spar__exp(low - high)));
}

static spar_status choose(const spar_policy *base, spar_scratch *scratch, spar_rng *rng, spar_round *out)
{
    const merge_rucb *self = (const merge_rucb *)base;
    size_t n = self->counts.n, mark = spar__scratch_mark(scratch);
    size_t *member = spar__scratch_take(scratch, n, sizeof *member);
    size_t *pool = spar__scratch_take(scratch, n, sizeof *pool);
    double *upper = spar__scratch_take(scratch, n, sizeof *upper);
    if (!member || !pool || !upper) {
        spar__scratch_release(scratch, mark);
        return SPAR_NOMEM;
    }
    double x = width(self, base->learned + 1);
    size_t size = spar__batches_complete(&self->batches, rng, member, pool), first = (size_t)spar_rng_below(rng, size);
    for (size_t k = 0; k < size; k++)
        upper[k] = k == first ? -1 : spar__upper_bound(&self->counts, member[k], member[first], x);
    out->memo[0] = (int64_t)self->batches.turn;
    out->arm[0] = member[first];
    out->arm[1] = member[spar__argmax(rng, size, upper)];
    spar__scratch_release(scratch, mark);
    return SPAR_OK;
}

/* By an arm of the visited batch. */
static bool beaten(const merge_rucb *self, size_t i, double x)
{
    bool yes = false;
    for (size_t j = 0; j < self->counts.n; j++)
        yes |= j != i && self->batches.home[j] == self->batches.visited && x < spar__behind(&self->counts, i, j);
    return yes;
}

/* Sends away the beaten arms of the visited batch, all judged before any goes. */
static void eliminate(merge_rucb *self, double x)
{
    spar__batches *batches = &self->batches;
    size_t left = batches->hidden[batches->visited], leaving = 0, *leaves = batches->size;
    for (size_t i = 0; i < self->counts.n; i++) {
        if (batches->home[i] != batches->visited)
            continue;
        if (beaten(self, i, x))
            leaves[leaving++] = i;
        else
            left++;
    }
    if (left == 0) /* a circle that late answers closed at once: none is better, none goes */
        return;
    for (size_t k = 0; k < leaving; k++)
        batches->home[leaves[k]] = SPAR__BATCH_NONE;
}

static void next_turn(merge_rucb *self, uint64_t t)
{
    spar__batches *batches = &self->batches;
    batches->turn++;
    batches->visited = (batches->visited + 1) % batches->n;
    while (batches->n > 1 && spar__batches_few_left(batches)) {
        spar_rng rng = spar__policy_stream(&self->base, batches->merges);
        spar__batches_merge(batches, &rng);
    }
    eliminate(self, width(self, t));
}

static void learn(spar_policy *base, const spar_round *round, const spar_feedback *feedback)
{
    merge_rucb *self = (merge_rucb *)base;
    spar__pair_counts_learn(&self->counts, round, feedback, 1);
    if (round->memo[0] != (int64_t)self->batches.turn)
        return;
    spar__batches_show(&self->batches, round->arm[0]);
    spar__batches_show(&self->batches, round->arm[1]);
    next_turn(self, base->learned + 2);
}

/* Arms that had left and that no live arm beats any more, with x in the bounds. */
static void bring_back(merge_rucb *self, double x)
{
    const spar_arms *arms = self->base.arms;
    for (size_t i = 0; i < arms->n; i++)
        if (arms->alive[i] && self->batches.home[i] == SPAR__BATCH_NONE &&
            spar__most_behind(&self->counts, arms->alive, i) <= x)
            spar__batches_return(&self->batches, i);
}

static spar_status make_room(merge_rucb *self, spar_error *err)
{
    bool none = spar__pair_counts_fit(&self->counts, self->base.arms->n) || spar__batches_fit(&self->batches);
    return none ? spar__fail_memory(err) : SPAR_OK;
}

static spar_status resize(spar_policy *base, spar_error *err)
{
    merge_rucb *self = (merge_rucb *)base;
    spar_status status = make_room(self, err);
    if (status)
        return status;
    if (spar__batches_follow(&self->batches))
        bring_back(self, width(self, base->learned + 1));
    if (spar__batches_left(&self->batches) == 0)
        bring_back(self, (double)INFINITY);
    if (self->log_c >= 0)
        set_theory(self);
    return SPAR_OK;
}

static spar_status init(spar_policy *base, const spar__values *values, spar_error *err)
{
    merge_rucb *self = (merge_rucb *)base;
    bool theory = spar__number(values, "theory") == 1;
    self->alpha = spar__number(values, "alpha");
    self->c = spar__number(values, "c");
    self->log_c = -1;
    self->batches.arms = base->arms;
    self->batches.full = spar__integer(values, "batch");
    if (theory && !(self->alpha > 0.5))
        return spar__fail(err, SPAR_INVALID, "merge_rucb: theory=1 needs alpha > 0.5, not %g", self->alpha);
    spar_status status = make_room(self, err);
    if (status)
        return status;
    spar__batches_make(&self->batches); /* turn 1: a duel that was never asked for has memo 0 and moves nothing */
    if (theory)
        set_theory(self);
    return SPAR_OK;
}

static void fini(spar_policy *base)
{
    merge_rucb *self = (merge_rucb *)base;
    spar__pair_counts_fini(&self->counts);
    spar__batches_fini(&self->batches);
}

static spar_status score(const spar_policy *base, spar_scratch *scratch, double *value)
{
    (void)scratch;
    spar__copeland_score(&((const merge_rucb *)base)->counts, base->arms->alive, value);
    return SPAR_OK;
}

static void archive(spar_policy *base, spar__archive *ar)
{
    merge_rucb *self = (merge_rucb *)base;
    spar__pair_counts_archive(&self->counts, ar);
    spar__batches_archive(&self->batches, ar);
    if (ar->loading && !ar->failed && self->log_c >= 0)
        set_theory(self);
}

static const spar_param params[] = {
    {"alpha", SPAR_PARAM_NUMBER, "0.51", 0, 1000, NULL, "width of the bounds: sqrt(alpha log(t + c) / n)"},
    {"batch", SPAR_PARAM_INTEGER, "4", 4, 1e6, NULL, "arms in a batch at first"},
    {"c", SPAR_PARAM_NUMBER, "0", 0, 1e300, NULL, "added to t in the bounds"},
    {"theory", SPAR_PARAM_INTEGER, "0", 0, 1, NULL,
     "1: c as published, about e^705 for 16 arms: arms hardly ever leave"},
    {0},
};

extern const spar__policy_class spar__policy_merge_rucb;
const spar__policy_class spar__policy_merge_rucb = {
    .entry = {"merge_rucb", "relative upper confidence bounds within batches that merge",
              "Zoghi, Whiteson, de Rijke, WSDM 2015", params},
    .size = sizeof(merge_rucb),
    .players = SPAR__PLAYERS_NONE,
    .min_m = 2,
    .max_m = 2,
    .pairs = true,
    .live_arms = true,
    .init = init,
    .fini = fini,
    .resize = resize,
    .choose = choose,
    .learn = learn,
    .score = score,
    .archive = archive,
};
