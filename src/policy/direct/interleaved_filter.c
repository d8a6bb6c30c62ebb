/* interleaved_filter - a candidate meets all its challengers in turn, until it has beaten them or one beats it.
 *
 * Yue, Broder, Kleinberg, Joachims, The K-armed Dueling Bandits Problem, Journal of Computer and System Sciences 2012,
 * Algorithms IF1 and IF2.
 *
 *     a random arm is the candidate b, all others are challengers
 *     pass: b duels every challenger once, in random order; after pass n, with mean_x the share that b won against x
 *     and radius = sqrt(4 log(1/delta) / n), delta = 1 / (T K^2),
 *         every x with mean_x - radius > 1/2 leaves;
 *         if some x has mean_x + radius < 1/2, b leaves, a random one of these becomes the candidate and counts
 *         restart; variant 2 then also removes every challenger that b was leading (mean_x > 1/2)
 *     the last arm plays itself
 *
 * Who is the new candidate is not drawn when the old one falls: learn marks the arms it may be, choose draws one of
 * them as slot 1, and the first answer makes it so. Hence no choice is hidden, and the state is a function of the
 * answers, whatever the arms are called. The memo holds the candidate's number and the pass: an answer counts once, in
 * the pass it was asked for; a late or repeated one, or one about a candidate drawn but not confirmed, changes nothing.
 * Cost O(K). */
#include "policy/direct/direct.h"

#include "num/elementary.h"

#include <math.h>

enum { CANDIDATE = 0, PASS = 1 }; /* places in the memo */

typedef struct interleaved_filter {
    spar_policy base;
    bool prune;                /* variant 2 */
    double log_confidence;     /* log(1/delta) */
    spar__remaining remaining; /* the candidate and its challengers */
    bool known;                /* is there a candidate? */
    size_t candidate;
    bool *leads;          /* until it is known: the arms it may be */
    uint64_t epoch, pass; /* candidates before this one; passes it has finished */
    bool *met;            /* challengers that it met in this pass */
    double *won;          /* its wins over each of them */
    size_t due;           /* challengers not yet met in this pass */
} interleaved_filter;

static spar_status init(spar_policy *base, const spar__values *values, spar_error *err)
{
    interleaved_filter *self = (interleaved_filter *)base;
    size_t n = base->arms->n;
    double k = (double)base->arms->live;
    self->prune = spar__number(values, "variant") == 2;
    self->log_confidence = spar__log((double)base->horizon * k * k);
    self->leads = spar__alloc(n, sizeof *self->leads);
    self->met = spar__alloc(n, sizeof *self->met);
    self->won = spar__alloc(n, sizeof *self->won);
    if (!self->leads || !self->met || !self->won)
        return spar__fail_memory(err);
    spar_status status = spar__remaining_init(&self->remaining, base->arms, err);
    if (status)
        return status;
    memcpy(self->leads, self->remaining.in, n * sizeof *self->leads);
    self->due = self->remaining.left - 1;
    return SPAR_OK;
}

static void fini(spar_policy *base)
{
    interleaved_filter *self = (interleaved_filter *)base;
    spar__remaining_fini(&self->remaining);
    spar__free(self->leads);
    spar__free(self->met);
    spar__free(self->won);
}

static spar_status choose(const spar_policy *base, spar_scratch *scratch, spar_rng *rng, spar_round *out)
{
    (void)scratch;
    const interleaved_filter *self = (const interleaved_filter *)base;
    const size_t *arm = self->remaining.arm;
    size_t leaders = 0, k = 0, candidate = self->candidate;
    out->memo[CANDIDATE] = (int64_t)self->epoch;
    out->memo[PASS] = (int64_t)self->pass;
    out->arm[0] = out->arm[1] = arm[0];
    if (self->remaining.left == 1)
        return SPAR_OK;
    if (!self->known) {
        for (size_t i = 0; i < self->remaining.left; i++)
            leaders += self->leads[arm[i]];
        size_t skip = (size_t)spar_rng_below(rng, leaders);
        while (!self->leads[arm[k]] || skip-- > 0)
            k++;
        candidate = arm[k];
    }
    /* One of the challengers that are due, each as likely: over a pass that is a uniformly random order. */
    size_t skip = (size_t)spar_rng_below(rng, self->due);
    for (k = 0; arm[k] == candidate || self->met[arm[k]] || skip-- > 0;)
        k++;
    out->arm[0] = candidate;
    out->arm[1] = arm[k];
    return SPAR_OK;
}

static void learn(spar_policy *base, const spar_round *round, const spar_feedback *feedback)
{
    interleaved_filter *self = (interleaved_filter *)base;
    size_t candidate = round->arm[0], x = round->arm[1];
    if (round->memo[CANDIDATE] != (int64_t)self->epoch || round->memo[PASS] != (int64_t)self->pass)
        return;
    if (candidate == x || !self->remaining.in[x] || self->met[x])
        return;
    if (self->known ? candidate != self->candidate : !self->remaining.in[candidate] || !self->leads[candidate])
        return;
    self->known = true;
    self->candidate = candidate;
    self->met[x] = true;
    self->won[x] += spar__reward(feedback->outcome[0 * 2 + 1]);
    /* The end of a pass. */
    if (--self->due > 0)
        return;
    self->pass++;
    double radius = sqrt(4 * self->log_confidence / (double)self->pass);
    /* Marks the challengers that have beaten the candidate. */
    bool fell = false;
    for (size_t i = 0; i < self->remaining.left; i++) {
        size_t y = self->remaining.arm[i];
        self->leads[y] = y != self->candidate && self->won[y] / (double)self->pass + radius < 0.5;
        fell |= self->leads[y];
    }
    for (size_t i = self->remaining.left; i-- > 0;) {
        size_t y = self->remaining.arm[i];
        double mean = self->won[y] / (double)self->pass;
        self->met[y] = false;
        if (y == self->candidate ? fell : mean - radius > 0.5 || (fell && self->prune && mean > 0.5))
            spar__remaining_remove(&self->remaining, y);
    }
    self->due = self->remaining.left - 1;
    if (!fell)
        return;
    self->known = false;
    self->candidate = 0;
    self->epoch++;
    self->pass = 0;
    for (size_t i = 0; i < self->base.arms->n; i++)
        self->won[i] = 0;
}

/* How often a challenger beat the candidate, which has 1/2 as all have before they met; an arm that left has -1. */
static spar_status score(const spar_policy *base, spar_scratch *scratch, double *value)
{
    (void)scratch;
    const interleaved_filter *self = (const interleaved_filter *)base;
    for (size_t i = 0; i < base->arms->n; i++) {
        double duels = (double)self->pass + self->met[i];
        bool candidate = self->known && i == self->candidate;
        value[i] = !self->remaining.in[i] ? -1 : candidate || duels == 0 ? 0.5 : 1 - self->won[i] / duels;
    }
    return SPAR_OK;
}

static void archive(spar_policy *base, spar__archive *ar)
{
    interleaved_filter *self = (interleaved_filter *)base;
    size_t n = base->arms->n;
    spar__remaining_archive(&self->remaining, base->arms, ar);
    spar__archive_bool(ar, &self->known);
    spar__archive_size(ar, &self->candidate);
    spar__archive_bools(ar, self->leads, n);
    spar__archive_u64(ar, &self->epoch);
    spar__archive_u64(ar, &self->pass);
    spar__archive_bools(ar, self->met, n);
    spar__archive_f64s(ar, self->won, n);
    if (!ar->loading || ar->failed)
        return;
    self->due = self->remaining.left - 1;
    for (size_t i = 0; i < self->remaining.left; i++)
        self->due -= self->met[self->remaining.arm[i]];
    /* It could be the state of a policy. */
    const spar__remaining *remaining = &self->remaining;
    bool leader = self->known && self->candidate < n && remaining->in[self->candidate] && !self->met[self->candidate];
    bool good = self->epoch <= INT64_MAX && self->pass < UINT64_C(1) << 52 && (self->known || self->pass == 0);
    for (size_t i = 0; i < remaining->left; i++) {
        size_t x = remaining->arm[i];
        double duels = (double)self->pass + self->met[x];
        leader |= !self->known && self->leads[x];
        good &= self->won[x] >= 0 && self->won[x] <= duels && (self->known || !self->met[x]);
    }
    spar__archive_check(ar, good && leader && (remaining->left == 1 || self->due > 0));
}

static const spar_param params[] = {
    {"variant", SPAR_PARAM_INTEGER, "2", 1, 2, NULL,
     "2: a new candidate also removes all that the old one was leading"},
    {0},
};

const spar__policy_class spar__policy_interleaved_filter = {
    .entry = {"interleaved_filter", "a candidate meets its challengers in turn until one is surely better",
              "Yue, Broder, Kleinberg, Joachims, JCSS 2012", params},
    .size = sizeof(interleaved_filter),
    .min_m = 2,
    .max_m = 2,
    .needs_horizon = true,
    .asked_only = "each challenger duels the candidate once a pass",
    .init = init,
    .fini = fini,
    .choose = choose,
    .learn = learn,
    .score = score,
    .archive = archive,
};
