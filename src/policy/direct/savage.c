/* savage - all pairs are compared equally often, and an arm that surely loses to another leaves with all its pairs.
 *
 * Urvoy, Clerot, Feraud, Naamane, Generic Exploration and K-armed Voting Bandits, ICML 2013, in the form for Condorcet
 * winners.
 *
 *     play the pair of remaining arms with the fewest comparisons (ties at random)
 *     arm i leaves when for some j  W_ij / N_ij + sqrt(log(K (K-1) T / delta) / (2 N_ij)) < 1/2,   delta = 1 / T
 *     the last arm plays itself
 *
 * An answer touches one pair, so only the loser of that pair can leave; the radius does not change with time. Each arm
 * knows how many of its pairs with earlier arms have the fewest comparisons: a pair is drawn in O(K). All pairs are
 * looked at when none of these is left, or an arm leaves: O(1) a round over the K^2/2 rounds of a level. */
#include "policy/direct/direct.h"

#include "num/elementary.h"

#include <math.h>

typedef struct savage {
    spar_policy base;
    double log_confidence;
    spar__remaining remaining; /* arms that remain */
    spar_pair_counts counts;
    double least; /* the fewest comparisons of a pair that remains ... */
    size_t ties;  /* ... how many pairs have them ... */
    size_t *due;  /* ... and how many of each arm with an earlier one */
} savage;

static bool is_due(const savage *self, size_t i, size_t j)
{
    return spar__played(&self->counts, i, j) == self->least;
}

static void find_least(savage *self)
{
    const spar__remaining *remaining = &self->remaining;
    self->least = (double)INFINITY;
    self->ties = 0;
    for (size_t i = 0; i < remaining->left; i++)
        for (size_t j = 0; j < i; j++) {
            double played = spar__played(&self->counts, remaining->arm[i], remaining->arm[j]);
            self->least = played < self->least ? played : self->least;
        }
    for (size_t i = 0; i < remaining->left; i++) {
        size_t arm = remaining->arm[i];
        self->due[arm] = 0;
        for (size_t j = 0; j < i; j++)
            self->due[arm] += is_due(self, arm, remaining->arm[j]);
        self->ties += self->due[arm];
    }
}

static spar_status init(spar_policy *base, const spar__values *values, spar_error *err)
{
    (void)values;
    savage *self = (savage *)base;
    double k = (double)base->arms->live, t = (double)base->horizon;
    self->log_confidence = spar__log(k * (k - 1) * t * t);
    self->due = spar__alloc(base->arms->n, sizeof *self->due);
    spar_status status = self->due ? spar__remaining_init(&self->remaining, base->arms, err) : spar__fail_memory(err);
    if (!status)
        status = spar__pair_counts_fit(&self->counts, base->arms->n) ? spar__fail_memory(err) : SPAR_OK;
    if (!status)
        find_least(self);
    return status;
}

static void fini(spar_policy *base)
{
    savage *self = (savage *)base;
    spar__remaining_fini(&self->remaining);
    spar__pair_counts_fini(&self->counts);
    spar__free(self->due);
}

static spar_status choose(const spar_policy *base, spar_scratch *scratch, spar_rng *rng, spar_round *out)
{
    (void)scratch;
    const savage *self = (const savage *)base;
    out->arm[0] = out->arm[1] = self->remaining.arm[0];
    if (self->remaining.left == 1)
        return SPAR_OK;
    uint64_t draw = spar_rng_below(rng, 2 * (uint64_t)self->ties);
    /* The pair that comes after `skip` others of the fewest comparisons. */
    size_t skip = (size_t)(draw / 2), i = 0, j = 0;
    const size_t *arm = self->remaining.arm;
    while (skip >= self->due[arm[i]])
        skip -= self->due[arm[i++]];
    while (!is_due(self, arm[i], arm[j]) || skip-- > 0)
        j++;
    out->arm[draw % 2] = arm[i]; /* either of the two stands first */
    out->arm[1 - draw % 2] = arm[j];
    return SPAR_OK;
}

static bool surely_loses(const savage *self, size_t i, size_t j)
{
    double played = spar__played(&self->counts, i, j);
    return spar__won(&self->counts, i, j) / played + sqrt(self->log_confidence / (2 * played)) < 0.5;
}

static void learn(spar_policy *base, const spar_round *round, const spar_feedback *feedback)
{
    savage *self = (savage *)base;
    size_t i = round->arm[0], j = round->arm[1];
    if (i == j || !self->remaining.in[i] || !self->remaining.in[j])
        return; /* the last arm alone, or a late answer about an arm that is gone */
    size_t was_due = is_due(self, i, j);
    self->ties -= was_due;
    self->due[i > j ? i : j] -= was_due;
    spar__pair_counts_learn(&self->counts, round, feedback, 1);
    bool first = surely_loses(self, i, j), second = surely_loses(self, j, i);
    if (first || second)
        spar__remaining_remove(&self->remaining, first ? i : j);
    if (first || second || self->ties == 0)
        find_least(self);
}

/* How many others it has beaten more often than not, and K more while it remains. */
static spar_status score(const spar_policy *base, spar_scratch *scratch, double *value)
{
    (void)scratch;
    const savage *self = (const savage *)base;
    spar__copeland_score(&self->counts, base->arms->alive, value);
    for (size_t i = 0; i < base->arms->n; i++)
        value[i] += self->remaining.in[i] ? (double)base->arms->n : 0;
    return SPAR_OK;
}

static void archive(spar_policy *base, spar__archive *ar)
{
    savage *self = (savage *)base;
    spar__remaining_archive(&self->remaining, base->arms, ar);
    spar__pair_counts_archive(&self->counts, ar);
    if (ar->loading && !ar->failed)
        find_least(self);
}

const spar__policy_class spar__policy_savage = {
    .entry = {"savage", "all pairs equally often, until an arm surely loses to another and leaves",
              "Urvoy, Clerot, Feraud, Naamane, ICML 2013", NULL},
    .size = sizeof(savage),
    .min_m = 2,
    .max_m = 2,
    .pairs = true,
    .needs_horizon = true,
    .init = init,
    .fini = fini,
    .choose = choose,
    .learn = learn,
    .score = score,
    .archive = archive,
};
