/* The fast ways to the best arm of a belief against the plain one: draw every arm and take the largest. The input says
 * which belief, what it observes, and which arms come and go. Then:
 *
 *   - Where the fast way draws the same numbers (Gaussian processes, however they are held), the arm that `best` finds
 *     is the largest of what `draw` gives for the same luck, up to rounding.
 *   - Where beta keeps thresholds, `best` and, with them turned off, the plain way choose each arm equally often: in
 *     thousands of draws they are never as far apart as chance has it once in 1e15 (Bernstein's bound). Of few arms it
 *     keeps a threshold only where one leads clearly; some inputs force one (FORCED_LAW).
 *   - Only live arms are best, and different ones where different ones are asked for. */
#include "posterior/beta/beta.h"
#include "posterior/posterior.h"

#include "base/alloc.h"
#include "fuzz.h"

#include <math.h>

enum { MOST_ARMS = 80, FEW = 96, MANY = 8192, STEPS = 60, SLOTS = 4 };

typedef enum belief_law { SAME_LUCK, SAME_LAW, FORCED_LAW } belief_law;

static const struct {
    const char *spec;
    size_t n, dim;
    belief_law law;
} beliefs[] = {
    {"beta", 5, 0, FORCED_LAW},
    {"beta", 5, 0, SAME_LAW},
    {"beta", 63, 0, FORCED_LAW},
    {"beta", 66, 0, SAME_LAW},
    {"beta(a=3,b=2)", 70, 0, SAME_LAW},
    {"beta(a=0.5,b=0.5)", 5, 0, SAME_LAW},
    {"gp(backing=dense)", 9, 2, SAME_LUCK},
    {"gp(backing=basis)", 9, 2, SAME_LUCK},
    {"gp(backing=grid)", 9, 2, SAME_LUCK},
    {"gp(backing=matheron,kernel=matern32)", 9, 2, SAME_LUCK},
    {"gp(fit=4)", 9, 2, SAME_LUCK},
    {"pair_gp", 4, 2, SAME_LUCK},
};
enum { BELIEFS = sizeof beliefs / sizeof *beliefs };

typedef struct belief_test {
    spar_arms *arms;
    spar__posterior *self;
    spar_scratch *scratch;
    belief_law law;
} belief_test;

static spar__posterior *belief_new(const char *spec, const spar_arms *arms)
{
    spar__spec parsed = {0};
    spar__values values = {0};
    spar__posterior *self = NULL;
    require(!spar__spec_parse(spec, &parsed, NULL));
    const spar__posterior_class *cls = spar__posterior_find(parsed.stage[0].name);
    require(cls && !spar__values_bind(&cls->entry, &parsed.stage[0], &values, NULL));
    require(!spar__posterior_new(cls, &values, arms, &self, NULL));
    spar__values_free(&values);
    spar__spec_free(&parsed);
    return self;
}

static belief_test start(size_t which)
{
    static spar_scratch *scratch;
    double x[2 * MOST_ARMS];
    belief_test t = {.law = beliefs[which].law};
    if (!scratch)
        require(!spar_scratch_new(&scratch));
    t.scratch = scratch;
    for (size_t i = 0; i < beliefs[which].n; i++) {
        x[2 * i] = (double)(i % 3) / 3;
        x[2 * i + 1] = (double)(i / 3) / 3;
    }
    size_t dim = beliefs[which].dim;
    require(!spar_arms_new(beliefs[which].n, dim, dim ? x : NULL, NULL, &t.arms));
    t.self = belief_new(beliefs[which].spec, t.arms);
    return t;
}

static void settle(belief_test *t)
{
    if (t->self->cls->settle)
        t->self->cls->settle(t->self);
}

/* A duel of two arms, for a belief that must know who met whom. */
static void observe_duel(belief_test *t, size_t arm, size_t other, uint8_t how)
{
    static spar_round *round;
    static spar_feedback *feedback;
    if (!round)
        require(!spar_round_new(2, &round) && !spar_feedback_new(2, &feedback));
    require(!spar_round_set(round, 2, (size_t[]){arm, other}) && !spar_feedback_reset(feedback, 2));
    require(!spar_feedback_set(feedback, 0, 1, how & 1 ? SPAR_WIN : how & 2 ? SPAR_TIE : SPAR_LOSS));
    t->self->cls->observe_round(t->self, round, feedback, 1);
}

static void observe(belief_test *t, size_t slots, uint8_t how)
{
    size_t n = t->arms->n, first = how / 4;
    double weight = t->law != SAME_LUCK && how > 250 ? 2.5 : 1, reward = how % 4 == 2 ? 0.5 : how & 1;
    require(!t->self->cls->reserve || !t->self->cls->reserve(t->self, slots > 2 ? slots : 2));
    if (t->self->cls->observe_round)
        observe_duel(t, first % n, (first + slots) % n, how);
    for (size_t j = 0; t->self->cls->observe && j < slots; j++)
        t->self->cls->observe(t->self, (first + j * j) % n, reward, weight);
    settle(t);
}

/* A round of some observations, or an arm that comes or goes. */
static void step(belief_test *t, fuzz_input *in)
{
    uint8_t what = fuzz_byte(in);
    size_t n = t->arms->n;
    double x[] = {(what >> 6) / 3.0, (what >> 4) % 4 / 3.0};
    if (what % 8 == 0 && n < MOST_ARMS) {
        require(!spar_arms_add(t->arms, t->arms->dim ? x : NULL, NULL, NULL) && !t->self->cls->resize(t->self));
    } else if (what % 8 == 1 && t->arms->live > 1) {
        (void)spar_arms_retire(t->arms, fuzz_below(in, n));
        require(!t->self->cls->resize(t->self));
    } else {
        observe(t, 1 + (what >> 3) % SLOTS, fuzz_byte(in));
    }
}

static void check_luck(belief_test *t, uint8_t seed)
{
    double theta[MOST_ARMS], top = -INFINITY, size = 0;
    spar_rng fast, plain;
    size_t arm;
    spar_rng_seed(&fast, seed, 1, 1);
    plain = fast;
    require(!t->self->cls->best(t->self, t->scratch, &fast, 1, &arm, NULL));
    require(!t->self->cls->draw(t->self, t->scratch, &plain, theta));
    for (size_t i = 0; i < t->arms->n; i++) {
        size = fmax(size, fabs(theta[i]));
        top = t->arms->alive[i] ? fmax(top, theta[i]) : top;
    }
    require(arm < t->arms->n && theta[arm] >= top - 1e-9 * (1 + size));
}

static void count(belief_test *t, spar_rng *rng, size_t draws, double *times)
{
    size_t arm[SLOTS];
    for (size_t i = 0; i < draws; i += SLOTS) {
        require(!t->self->cls->best(t->self, t->scratch, rng, SLOTS, arm, NULL));
        for (size_t j = 0; j < SLOTS; j++) {
            require(arm[j] < t->arms->n && t->arms->alive[arm[j]]);
            times[arm[j]]++;
        }
    }
}

/* The largest exponent e of Bernstein's bound over the arms: their counts of fast and of plain draws differ this much
 * with probability at most 2 exp(-e). The variance is that of the mean of both, and a little more. */
static double difference(belief_test *t, spar_rng *rng, size_t draws)
{
    double fast[MOST_ARMS] = {0}, plain[MOST_ARMS] = {0}, largest = 0;
    count(t, rng, draws, fast);
    spar__beta_plain(t->self, true);
    count(t, rng, draws, plain);
    spar__beta_plain(t->self, false);
    for (size_t i = 0; i < t->arms->n; i++) {
        double s = fabs(fast[i] - plain[i]), p = (fast[i] + plain[i]) / (2 * (double)draws);
        double variance = 2 * (double)draws * p * (1 - p) + 4;
        largest = fmax(largest, s * s / (2 * variance + 2 * s / 3));
    }
    return largest;
}

/* A few draws for all, and many where these few are suspicious. */
static void check_law(belief_test *t, uint8_t seed)
{
    spar_rng rng;
    spar_rng_seed(&rng, seed, 1, 2);
    if (difference(t, &rng, FEW) > 4)
        require(difference(t, &rng, MANY) < 40);
}

static void check_distinct(belief_test *t, uint8_t seed)
{
    size_t arm[SLOTS], m = t->arms->live < SLOTS ? t->arms->live : SLOTS;
    spar_rng rng;
    spar_rng_seed(&rng, seed, 1, 3);
    require(!t->self->cls->best_distinct(t->self, t->scratch, &rng, m, arm));
    for (size_t j = 0; j < m; j++) {
        require(arm[j] < t->arms->n && t->arms->alive[arm[j]]);
        for (size_t k = 0; k < j; k++)
            require(arm[j] != arm[k]);
    }
}

void fuzz_belief_best(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    belief_test t = start(fuzz_below(&in, BELIEFS));
    uint8_t seed = fuzz_byte(&in);
    for (int i = 0; i < STEPS && in.left; i++)
        step(&t, &in);
    settle(&t);
    if (t.law == FORCED_LAW && t.arms->n <= SPAR__LAZY_ARMS)
        spar__beta_threshold(t.self, (seed + 0.5) / 256);
    if (t.law == SAME_LUCK)
        check_luck(&t, seed);
    else
        check_law(&t, seed);
    if (t.self->cls->best_distinct)
        check_distinct(&t, seed);
    spar__posterior_free(t.self);
    spar_arms_free(t.arms);
}
