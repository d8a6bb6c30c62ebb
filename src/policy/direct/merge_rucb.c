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
 * Nobody can know more of a random batch than the arms that it has shown. So a batch is kept as those arms and a number
 * of hidden ones; choose completes it with random arms that no batch has shown, and learn puts the two that were played
 * where they belong. The memo holds the number of the turn: an answer to a question of another turn counts as a duel
 * and moves nothing else. Cost O(K). */
#include "policy/pairs.h"

#include "base/alloc.h"
#include "base/scratch.h"
#include "num/elementary.h"
#include "posterior/argmax.h"

typedef struct merge_rucb {
    spar_policy base;
    double alpha, c, log_c; /* log_c >= 0: t + c in logarithms */
    spar__pairs pairs;
    size_t *home;   /* per arm: its batch, or one of the two below */
    size_t *hidden; /* per batch: arms it has not shown yet; in all as many as are in the pool */
    size_t n_batches, visited;
    size_t merges;        /* s - 1 */
    uint64_t turn;        /* 1, 2, ... */
    bool *leaves;         /* working memory: per arm */
    size_t *order, *size; /* and per batch */
} merge_rucb;

#define POOL SIZE_MAX       /* shown by no batch yet */
#define GONE (SIZE_MAX - 1) /* left */

static spar_status init_radius(merge_rucb *self, const spar__values *values, spar_error *err)
{
    static const double delta = 0.01;
    double k = (double)self->base.arms->n;
    self->alpha = spar__number(values, "alpha");
    self->c = spar__number(values, "c");
    self->log_c = -1;
    if (spar__number(values, "theory") == 0)
        return SPAR_OK;
    if (!(self->alpha > 0.5))
        return spar__fail(err, SPAR_INVALID, "merge_rucb: theory=1 needs alpha > 0.5, not %g", self->alpha);
    double power = 1 / (2 * self->alpha - 1);
    self->log_c = power * spar__log((4 * self->alpha - 1) * k * k * power / delta);
    return SPAR_OK;
}

static spar_status init(spar_policy *base, const spar__values *values, spar_error *err)
{
    merge_rucb *self = (merge_rucb *)base;
    size_t n = base->arms->n, batch = spar__integer(values, "batch");
    spar_status status = init_radius(self, values, err);
    if (!status)
        status = spar__pairs_init(&self->pairs, n, err);
    if (status)
        return status;
    self->turn = 1; /* a duel that was never asked for has memo 0 and moves nothing */
    self->n_batches = (n + batch - 1) / batch;
    self->home = spar__alloc(n, sizeof *self->home);
    self->hidden = spar__alloc(self->n_batches, sizeof *self->hidden);
    self->leaves = spar__alloc(n, sizeof *self->leaves);
    self->order = spar__alloc(self->n_batches, sizeof *self->order);
    self->size = spar__alloc(self->n_batches, sizeof *self->size);
    if (!self->home || !self->hidden || !self->leaves || !self->order || !self->size)
        return spar__fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        self->home[i] = POOL;
        self->hidden[i / batch]++;
    }
    return SPAR_OK;
}

static void fini(spar_policy *base)
{
    merge_rucb *self = (merge_rucb *)base;
    spar__pairs_fini(&self->pairs);
    spar__free(self->home);
    spar__free(self->hidden);
    spar__free(self->leaves);
    spar__free(self->order);
    spar__free(self->size);
}

/* alpha log(t + c) */
static double width(const merge_rucb *self, uint64_t t)
{
    if (self->log_c < 0)
        return self->alpha * spar__log((double)t + self->c);
    double log_t = spar__log((double)t), high = fmax(log_t, self->log_c), low = fmin(log_t, self->log_c);
    return self->alpha * (high + spar__log1p(spar__exp(low - high)));
}

/* The arms of the visited batch, its hidden ones drawn from the pool; room for n in both arrays. */
static size_t complete_batch(const merge_rucb *self, spar_rng *rng, size_t *member, size_t *pool)
{
    size_t size = 0, waiting = 0;
    for (size_t i = 0; i < self->pairs.n; i++) {
        if (self->home[i] == self->visited)
            member[size++] = i;
        else if (self->home[i] == POOL)
            pool[waiting++] = i;
    }
    for (size_t h = self->hidden[self->visited]; h > 0; h--) {
        size_t at = (size_t)spar_rng_below(rng, waiting);
        member[size++] = pool[at];
        pool[at] = pool[--waiting];
    }
    return size;
}

static spar_status choose(const spar_policy *base, spar_scratch *scratch, spar_rng *rng, spar_round *out)
{
    const merge_rucb *self = (const merge_rucb *)base;
    size_t n = self->pairs.n, mark = spar__scratch_mark(scratch);
    size_t *member = spar__scratch_take(scratch, n, sizeof *member);
    size_t *pool = spar__scratch_take(scratch, n, sizeof *pool);
    double *upper = spar__scratch_take(scratch, n, sizeof *upper);
    if (!member || !pool || !upper) {
        spar__scratch_release(scratch, mark);
        return SPAR_NOMEM;
    }
    double x = width(self, base->learned + 1);
    size_t size = complete_batch(self, rng, member, pool), first = (size_t)spar_rng_below(rng, size);
    for (size_t k = 0; k < size; k++)
        upper[k] = k == first ? -1 : spar__pairs_upper(&self->pairs, member[k], member[first], x);
    out->memo[0] = (int64_t)self->turn;
    out->arm[0] = member[first];
    out->arm[1] = member[spar__argmax(rng, size, upper)];
    spar__scratch_release(scratch, mark);
    return SPAR_OK;
}

static size_t batch_size(const merge_rucb *self, size_t batch)
{
    size_t size = self->hidden[batch];
    for (size_t i = 0; i < self->pairs.n; i++)
        size += self->home[i] == batch;
    return size;
}

static bool beaten(const merge_rucb *self, size_t i, double x)
{
    bool yes = false;
    for (size_t j = 0; j < self->pairs.n; j++)
        yes |= j != i && self->home[j] == self->visited && x < spar__pairs_behind(&self->pairs, i, j);
    return yes;
}

/* Sends away the beaten arms of the visited batch, all judged before any goes. */
static void eliminate(merge_rucb *self, double x)
{
    size_t n = self->pairs.n, left = self->hidden[self->visited];
    for (size_t i = 0; i < n; i++) {
        bool mate = self->home[i] == self->visited;
        self->leaves[i] = mate && beaten(self, i, x);
        left += mate && !self->leaves[i];
    }
    if (left == 0) /* a circle that late answers closed at one stroke: nobody is better, nobody goes */
        return;
    for (size_t i = 0; i < n; i++)
        if (self->leaves[i])
            self->home[i] = GONE;
}

/* Batches by size, equal ones in a random order. */
static void sort_batches(merge_rucb *self)
{
    spar_rng rng = spar__policy_stream(&self->base, self->merges);
    size_t *order = self->order;
    for (size_t b = 0; b < self->n_batches; b++)
        order[b] = b;
    spar_rng_shuffle(&rng, order, self->n_batches);
    for (size_t b = 0; b < self->n_batches; b++)
        self->size[b] = batch_size(self, b);
    for (size_t b = 1; b < self->n_batches; b++) {
        size_t at = b, moved = order[b];
        for (; at > 0 && self->size[order[at - 1]] > self->size[moved]; at--)
            order[at] = order[at - 1];
        order[at] = moved;
    }
}

/* The k-th smallest and the k-th largest batch become batch k. */
static void merge(merge_rucb *self)
{
    size_t n_old = self->n_batches, n_new = (n_old + 1) / 2;
    sort_batches(self);
    size_t *target = self->size; /* the sizes have served */
    for (size_t k = 0; k < n_new; k++)
        target[self->order[k]] = target[self->order[n_old - 1 - k]] = k;
    for (size_t i = 0; i < self->pairs.n; i++)
        if (self->home[i] < n_old)
            self->home[i] = target[self->home[i]];
    size_t *hidden = self->order; /* and so has the order, once the targets are known */
    for (size_t k = 0; k < n_new; k++)
        hidden[k] = 0;
    for (size_t b = 0; b < n_old; b++)
        hidden[target[b]] += self->hidden[b];
    self->order = self->hidden;
    self->hidden = hidden;
    self->n_batches = n_new;
    self->merges++;
}

static bool few_left(const merge_rucb *self)
{
    size_t left = 0;
    for (size_t i = 0; i < self->pairs.n; i++)
        left += self->home[i] != GONE;
    return left <= self->pairs.n >> (self->merges + 1); /* left is whole, so K / 2^s may be rounded down */
}

static void next_turn(merge_rucb *self, uint64_t t)
{
    self->turn++;
    self->visited = (self->visited + 1) % self->n_batches;
    while (self->n_batches > 1 && few_left(self)) {
        merge(self);
        self->visited = 0;
    }
    eliminate(self, width(self, t));
}

static void learn(spar_policy *base, const spar_round *round, const spar_feedback *feedback)
{
    merge_rucb *self = (merge_rucb *)base;
    spar__pairs_learn(&self->pairs, round, feedback, 1);
    if (round->memo[0] != (int64_t)self->turn)
        return;
    for (size_t j = 0; j < 2; j++) {
        size_t i = round->arm[j];
        if (self->home[i] == POOL && self->hidden[self->visited] > 0) {
            self->home[i] = self->visited;
            self->hidden[self->visited]--;
        }
    }
    next_turn(self, base->learned + 2);
}

static spar_status score(const spar_policy *base, spar_scratch *scratch, double *value)
{
    (void)scratch;
    spar__pairs_score(&((const merge_rucb *)base)->pairs, value);
    return SPAR_OK;
}

/* Every batch has an arm, every arm has a place. */
static bool sound(const merge_rucb *self, size_t most_batches)
{
    size_t pool = 0, hidden = 0;
    bool good = self->n_batches > 0 && self->n_batches <= most_batches && self->visited < self->n_batches &&
                self->merges < 32 && self->turn < INT64_MAX;
    for (size_t i = 0; good && i < self->pairs.n; i++) {
        good = self->home[i] < self->n_batches || self->home[i] >= GONE;
        pool += self->home[i] == POOL;
    }
    for (size_t b = 0; good && b < self->n_batches; b++) {
        good = self->hidden[b] <= self->pairs.n && batch_size(self, b) > 0;
        hidden += self->hidden[b];
    }
    return good && pool == hidden;
}

static void archive(spar_policy *base, spar__archive *ar)
{
    merge_rucb *self = (merge_rucb *)base;
    size_t room = self->n_batches; /* what init made when loading; fewer are in use after merging */
    spar__pairs_archive(&self->pairs, ar);
    spar__archive_size(ar, &self->n_batches);
    spar__archive_size(ar, &self->visited);
    spar__archive_size(ar, &self->merges);
    spar__archive_u64(ar, &self->turn);
    spar__archive_sizes(ar, self->home, self->pairs.n);
    spar__archive_check(ar, self->n_batches <= room);
    if (!ar->failed)
        spar__archive_sizes(ar, self->hidden, self->n_batches);
    spar__archive_check(ar, !ar->failed && sound(self, room));
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
    .all_live = true,
    .init = init,
    .fini = fini,
    .choose = choose,
    .learn = learn,
    .score = score,
    .archive = archive,
};
