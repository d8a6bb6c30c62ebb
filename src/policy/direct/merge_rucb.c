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
#include "num/elementary.h"
#include "policy/direct/direct.h"

#include <string.h>

/* Which arm is in which batch. */
typedef struct batch_set {
    const spar_arms *arms; /* borrowed */
    size_t full;           /* arms in a batch at first */
    size_t placed;         /* arms that were given a home ... */
    size_t newest;         /* ... the batch that the last of them joined ... */
    size_t live;           /* ... and how many of them had not retired */
    size_t n, visited;     /* batches, and the one whose turn it is */
    size_t merges;         /* s - 1 */
    uint64_t turn;         /* 1, 2, ... */
    size_t room;           /* for arms in what follows: one block of memory, which begins with home */
    size_t *home;          /* per arm: its batch, or one of the three below */
    size_t *hidden;        /* per batch: arms it has not shown yet; in all as many as are in the pool */
    size_t *order, *size;  /* working memory: per batch, or per arm */
} batch_set;

#define POOL SIZE_MAX        /* shown by no batch yet */
#define NONE (SIZE_MAX - 1)  /* left, or retired */
#define NEVER (SIZE_MAX - 2) /* retired before it was shown: never took part */

/* The number of arms in each batch, to self->size. */
static void count_sizes(batch_set *self)
{
    memcpy(self->size, self->hidden, self->n * sizeof *self->size);
    for (size_t i = 0; i < self->placed; i++)
        if (self->home[i] < self->n)
            self->size[self->home[i]]++;
}

/* The smallest batch, of equal ones the last; of those with a hidden arm if `hiding`. Leaves all sizes in self->size.
 */
static size_t smallest(batch_set *self, bool hiding)
{
    size_t best = SIZE_MAX;
    count_sizes(self);
    for (size_t b = 0; b < self->n; b++)
        if ((!hiding || self->hidden[b] > 0) && (best == SIZE_MAX || self->size[b] <= self->size[best]))
            best = b;
    return best;
}

/* Drops a batch that has become empty; a question that it asked is out of date. */
static void drop_if_empty(batch_set *self, size_t gone)
{
    count_sizes(self);
    if (self->size[gone] > 0)
        return;
    self->n--;
    memmove(self->hidden + gone, self->hidden + gone + 1, (self->n - gone) * sizeof *self->hidden);
    for (size_t i = 0; i < self->placed; i++)
        if (self->home[i] > gone && self->home[i] <= self->n)
            self->home[i]--;
    self->turn += self->visited == gone;
    if (self->visited > gone)
        self->visited--;
    if (self->visited == self->n)
        self->visited = 0;
}

static void drop_hidden(batch_set *self, size_t batch)
{
    self->hidden[batch]--;
    drop_if_empty(self, batch);
}

/* Follows the arms, for which there is room: one has come or has retired, or the newest was taken back. Returns true if
 * one has retired; if it was the last one in a batch, there is now one batch, which is empty. */
static bool batches_follow(batch_set *self)
{
    const spar_arms *arms = self->arms;
    bool retired = arms->n == self->placed && arms->live < self->live;
    if (self->placed > arms->n) {
        self->placed--;
        drop_hidden(self, self->newest);
    }
    while (self->placed < arms->n) {
        size_t b = smallest(self, false);
        if (self->merges == 0 && self->size[b] >= self->full) {
            b = self->n++;
            self->hidden[b] = 0;
        }
        self->home[self->placed++] = POOL;
        self->hidden[b]++;
        self->newest = b;
    }
    for (size_t i = 0; retired && i < arms->n; i++) {
        size_t home = self->home[i];
        if (!arms->alive[i] && home == POOL) {
            self->home[i] = NEVER;
            drop_hidden(self, smallest(self, true));
        } else if (!arms->alive[i] && home < self->n) {
            self->home[i] = NONE;
            drop_if_empty(self, home);
        }
    }
    self->live = arms->live;
    if (self->n == 0) {
        self->n = 1;
        self->hidden[0] = 0;
    }
    return retired;
}

/* A played arm of the visited batch is hidden no more. */
static void batches_show(batch_set *self, size_t arm)
{
    if (self->home[arm] != POOL || self->hidden[self->visited] == 0)
        return;
    self->home[arm] = self->visited;
    self->hidden[self->visited]--;
}

/* Arms that are in batches. */
static size_t batches_left(const batch_set *self)
{
    size_t left = 0;
    for (size_t i = 0; i < self->placed; i++)
        left += self->home[i] < self->n || self->home[i] == POOL;
    return left;
}

/* K: arms that ever took part. */
static size_t batches_entered(const batch_set *self)
{
    size_t entered = 0;
    for (size_t i = 0; i < self->placed; i++)
        entered += self->home[i] != NEVER;
    return entered;
}

/* The smallest batch joins the largest, and so on: the k-th smallest and the k-th largest become batch k. Equal ones
 * are in a random order. The turns begin anew. */
static void batches_merge(batch_set *self, spar_rng *rng)
{
    size_t n_old = self->n, n_new = (n_old + 1) / 2;
    /* Batches by size, equal ones in a random order. */
    size_t *order = self->order;
    for (size_t b = 0; b < self->n; b++)
        order[b] = b;
    spar_rng_shuffle(rng, order, self->n);
    count_sizes(self);
    for (size_t b = 1; b < self->n; b++) {
        size_t at = b, moved = order[b];
        for (; at > 0 && self->size[order[at - 1]] > self->size[moved]; at--)
            order[at] = order[at - 1];
        order[at] = moved;
    }
    size_t *target = self->size; /* the sizes have served */
    for (size_t k = 0; k < n_new; k++)
        target[self->order[k]] = target[self->order[n_old - 1 - k]] = k;
    for (size_t i = 0; i < self->placed; i++)
        if (self->home[i] < n_old)
            self->home[i] = target[self->home[i]];
    size_t *hidden = self->order; /* and so has the order, once the targets are known */
    for (size_t k = 0; k < n_new; k++)
        hidden[k] = 0;
    for (size_t b = 0; b < n_old; b++)
        hidden[target[b]] += self->hidden[b];
    self->order = self->hidden;
    self->hidden = hidden;
    self->n = n_new;
    self->visited = 0;
    self->merges++;
}

/* Every batch has an arm, every arm has a place. */
static bool sound(batch_set *self)
{
    size_t pool = 0, hidden = 0, n = self->placed;
    bool good = self->visited < self->n && self->merges < 32 && self->turn > 0 && self->turn < INT64_MAX;
    for (size_t i = 0; good && i < n; i++) {
        size_t home = self->home[i];
        good = home == NONE || (self->arms->alive[i] ? home == POOL || home < self->n : home == NEVER);
        pool += home == POOL;
    }
    for (size_t b = 0; good && b < self->n; b++) {
        good = self->hidden[b] <= n;
        hidden += self->hidden[b];
    }
    return good && pool == hidden && self->size[smallest(self, false)] > 0;
}

typedef struct merge_rucb {
    spar_policy base;
    double alpha, c, log_c; /* log_c >= 0: t + c in logarithms */
    spar_pair_counts counts;
    batch_set batches;
} merge_rucb;

/* The published c, which depends on K. */
static void set_theory(merge_rucb *self)
{
    static const double delta = 0.01;
    double k = (double)batches_entered(&self->batches), power = 1 / (2 * self->alpha - 1);
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
    /* The arms of the visited batch, its hidden ones drawn from the pool. */
    const batch_set *batches = &self->batches;
    size_t size = 0, waiting = 0;
    for (size_t i = 0; i < batches->placed; i++) {
        if (batches->home[i] == batches->visited)
            member[size++] = i;
        else if (batches->home[i] == POOL)
            pool[waiting++] = i;
    }
    for (size_t h = batches->hidden[batches->visited]; h > 0; h--) {
        size_t at = (size_t)spar_rng_below(rng, waiting);
        member[size++] = pool[at];
        pool[at] = pool[--waiting];
    }
    size_t first = (size_t)spar_rng_below(rng, size);
    for (size_t k = 0; k < size; k++)
        upper[k] = k == first ? -1 : spar__upper_bound(&self->counts, member[k], member[first], x);
    out->memo[0] = (int64_t)self->batches.turn;
    out->arm[0] = member[first];
    out->arm[1] = member[spar__argmax(rng, size, upper)];
    spar__scratch_release(scratch, mark);
    return SPAR_OK;
}

static void learn(spar_policy *base, const spar_round *round, const spar_feedback *feedback)
{
    merge_rucb *self = (merge_rucb *)base;
    spar__pair_counts_learn(&self->counts, round, feedback, 1);
    batch_set *batches = &self->batches;
    if (round->memo[0] != (int64_t)batches->turn)
        return;
    batches_show(batches, round->arm[0]);
    batches_show(batches, round->arm[1]);
    batches->turn++;
    batches->visited = (batches->visited + 1) % batches->n;
    /* Batches merge when few arms are left: one in each, or K / 2^s, rounded down. */
    size_t left = batches_left(batches);
    while (batches->n > 1 && (left == batches->n || left <= batches_entered(batches) >> (batches->merges + 1))) {
        spar_rng rng = spar__policy_stream(base, batches->merges);
        batches_merge(batches, &rng);
    }
    /* Sends away the beaten arms of the visited batch, all judged before any goes. */
    double x = width(self, base->learned + 2);
    size_t stay = batches->hidden[batches->visited], leaving = 0, *leaves = batches->size;
    for (size_t i = 0; i < self->counts.n; i++) {
        if (batches->home[i] != batches->visited)
            continue;
        bool beaten = false; /* by an arm of the batch */
        for (size_t j = 0; j < self->counts.n; j++)
            beaten |= j != i && batches->home[j] == batches->visited && x < spar__behind(&self->counts, i, j);
        if (beaten)
            leaves[leaving++] = i;
        else
            stay++;
    }
    if (stay == 0) /* a circle that late answers closed at once: none is better, none goes */
        return;
    for (size_t k = 0; k < leaving; k++)
        batches->home[leaves[k]] = NONE;
}

/* Arms that had left and that no live arm beats any more, with x in the bounds, join the smallest batch. */
static void bring_back(merge_rucb *self, double x)
{
    const spar_arms *arms = self->base.arms;
    for (size_t i = 0; i < arms->n; i++)
        if (arms->alive[i] && self->batches.home[i] == NONE && spar__most_behind(&self->counts, arms->alive, i) <= x)
            self->batches.home[i] = smallest(&self->batches, false);
}

/* Room for the arms; all or nothing. */
static spar_status make_room(merge_rucb *self, spar_error *err)
{
    batch_set *batches = &self->batches;
    if (spar__pair_counts_fit(&self->counts, batches->arms->n))
        return spar__fail_memory(err);
    if (batches->arms->n <= batches->room)
        return SPAR_OK;
    size_t room = batches->arms->capacity, *home = spar__alloc(room, 4 * sizeof *home),
           *hidden = home ? home + room : NULL;
    if (!home)
        return spar__fail_memory(err);
    if (batches->home) {
        memcpy(home, batches->home, batches->placed * sizeof *home);
        memcpy(hidden, batches->hidden, batches->n * sizeof *hidden);
    }
    spar__free(batches->home);
    batches->home = home;
    batches->hidden = hidden;
    batches->order = hidden + room;
    batches->size = hidden + 2 * room;
    batches->room = room;
    return SPAR_OK;
}

static spar_status resize(spar_policy *base, spar_error *err)
{
    merge_rucb *self = (merge_rucb *)base;
    spar_status status = make_room(self, err);
    if (status)
        return status;
    if (batches_follow(&self->batches))
        bring_back(self, width(self, base->learned + 1));
    if (batches_left(&self->batches) == 0)
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
    batch_set *batches = &self->batches;
    batches->arms = base->arms;
    batches->full = spar__integer(values, "batch");
    if (theory && !(self->alpha > 0.5))
        return spar__fail(err, SPAR_INVALID, "merge_rucb: theory=1 needs alpha > 0.5, not %g", self->alpha);
    spar_status status = make_room(self, err);
    if (status)
        return status;
    /* All live arms hidden in batches, of which the last may be smaller. */
    const spar_arms *arms = base->arms;
    size_t entered = 0;
    batches->visited = batches->merges = 0;
    memset(batches->hidden, 0, batches->room * sizeof *batches->hidden);
    for (size_t i = 0; i < arms->n; i++) {
        batches->home[i] = arms->alive[i] ? POOL : NEVER;
        if (arms->alive[i])
            batches->hidden[entered++ / batches->full]++;
    }
    batches->n = (entered + batches->full - 1) / batches->full;
    batches->placed = arms->n;
    batches->live = arms->live;
    batches->turn++; /* turn 1: a duel that was never asked for has memo 0 and moves nothing */
    if (theory)
        set_theory(self);
    return SPAR_OK;
}

static void fini(spar_policy *base)
{
    merge_rucb *self = (merge_rucb *)base;
    spar__pair_counts_fini(&self->counts);
    spar__free(self->batches.home);
}

static void archive(spar_policy *base, spar__archive *ar)
{
    merge_rucb *self = (merge_rucb *)base;
    spar__pair_counts_archive(&self->counts, ar);
    spar__archive_size(ar, &self->batches.n);
    spar__archive_size(ar, &self->batches.visited);
    spar__archive_size(ar, &self->batches.merges);
    spar__archive_u64(ar, &self->batches.turn);
    spar__archive_sizes(ar, self->batches.home, self->batches.placed);
    spar__archive_check(ar, self->batches.n > 0 && self->batches.n <= self->batches.placed);
    if (!ar->failed)
        spar__archive_sizes(ar, self->batches.hidden, self->batches.n);
    if (ar->loading && !ar->failed)
        spar__archive_check(ar, sound(&self->batches));
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

const spar__policy_class spar__policy_merge_rucb = {
    .entry = {"merge_rucb", "relative upper confidence bounds within batches that merge",
              "Zoghi, Whiteson, de Rijke, WSDM 2015", params},
    .size = sizeof(merge_rucb),
    .min_m = 2,
    .max_m = 2,
    .pairs = true,
    .counts = offsetof(merge_rucb, counts),
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
